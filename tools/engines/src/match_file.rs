//! Files of matches.

use std::io::{self, Read};
use std::path::Path;

use tavli::NO_STOP;
use tavli::file;
use tavli::has_memory;
use tavli::run::Cancel;
use tavli::transcript::{MatError, Match};
use tavli_terminal::failure::Failure;
use tavli_terminal::line_reader;
use tavli_terminal::numbers::{counted, grouped};

/// The most bytes of memory for each byte of a match's text, its decisions included.
const MEMORY: u64 = 256;

/// Reads the match of a file; `None` if `cancel` ends it before.
pub fn read(path: &Path, cancel: &Cancel) -> Result<Option<Match>, Failure> {
    let of_file = path.to_owned();
    read_by(move || file::read(&of_file, file::MAX_TEXT_BYTES, NO_STOP), path, cancel)
}

/// Reads the match of a file as [`read`] does, or of standard input if its name is `-`.
pub fn read_or_input(path: &Path, cancel: &Cancel) -> Result<Option<Match>, Failure> {
    match path == Path::new("-") {
        true => read_by(input, path, cancel),
        false => read(path, cancel),
    }
}

/// The bytes of standard input.
fn input() -> io::Result<Vec<u8>> {
    const MOST: u64 = file::MAX_TEXT_BYTES;
    let mut bytes = Vec::new();
    if io::stdin().take(MOST + 1).read_to_end(&mut bytes)? as u64 > MOST {
        let text = format!("it has more than {MOST} bytes, the most that are read");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, text));
    }
    Ok(bytes)
}

/// Reads the match in the bytes that `read` finds.
fn read_by(
    read: impl FnOnce() -> io::Result<Vec<u8>> + Send + 'static,
    path: &Path,
    cancel: &Cancel,
) -> Result<Option<Match>, Failure> {
    let read = line_reader::unless(read, || cancel.is_cancelled());
    let read = read.and_then(Option::transpose).map_err(|error| Failure::unreadable(path, error))?;
    let Some(bytes) = read else {
        return Ok(None);
    };
    let needed = MEMORY.saturating_mul(bytes.len() as u64);
    if !has_memory(needed) {
        let (path, bytes) = (path.display(), counted(bytes.len() as u64, "byte", "bytes"));
        let needed = grouped(needed.div_ceil(1 << 20));
        return Err(Failure::run(format_args!(
            "{path}: there is not enough memory to analyse a match of {bytes}, which takes up to {needed} MiB: split the file"
        )));
    }
    if let [0xff, 0xfe, ..] | [0xfe, 0xff, ..] = bytes[..] {
        return Err(Failure::unreadable(path, "it is UTF-16 text: save the file as UTF-8"));
    }
    // Old files have names in other encodings.
    let text = String::from_utf8_lossy(&bytes);
    if text.trim_start().starts_with("(;") {
        return Err(Failure::unreadable(path, "it is SGF: save the match as a .mat file, in Jellyfish's form"));
    }
    match Match::read(&text, &|| cancel.is_cancelled()) {
        Ok(read) => Ok(Some(read)),
        Err(MatError::Stopped(_)) => Ok(None),
        Err(error) => Err(Failure::usage(format_args!("{}: {error}", path.display()))),
    }
}
