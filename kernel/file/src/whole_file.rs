//! Files that are read whole, up to a limit: a name may lead to an endless device, or to a file larger than the memory.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use tavli_base::{NO_STOP, Stopped};

/// The most bytes of a text that a person writes, such as a recipe.
pub const MAX_TEXT_BYTES: u64 = 1 << 24;
/// The most bytes of a saved result, a net or a list of positions.
pub const MAX_RECORD_BYTES: u64 = 1 << 30;
/// The most bytes of a table of positions.
pub const MAX_TABLE_BYTES: u64 = 1 << 36;
/// The most bytes of a pipe or a device, whose length is unknown.
const STREAM: u64 = 1 << 28;

/// The bytes that are read between two checks for a stop: some milliseconds.
const READ_AT_ONCE: u64 = 1 << 24;

/// Reads a file of at most `most` bytes, such as [`MAX_TEXT_BYTES`], [`MAX_RECORD_BYTES`] or [`MAX_TABLE_BYTES`]; a
/// pipe or a device of at most 2^28 bytes.
///
/// # Errors
/// [`io::ErrorKind::FileTooLarge`] if it has more bytes, [`io::ErrorKind::OutOfMemory`] if the memory does not hold
/// them, [`io::ErrorKind::Interrupted`] if `stop`, which is called every so often, returns true, or the system's
/// reason.
pub fn read(path: &Path, most: u64, stop: &dyn Fn() -> bool) -> io::Result<Vec<u8>> {
    let file = File::open(path)?;
    let found = file.metadata()?;
    let most = match found.is_file() {
        true => most,
        false => most.min(STREAM),
    };
    let too_large = || {
        let text = format!("it has more than {most} bytes, the most that are read");
        io::Error::new(io::ErrorKind::FileTooLarge, text)
    };
    if found.len() > most {
        return Err(too_large());
    }
    let mut bytes = Vec::new();
    // One byte more, so that the read that finds the end does not grow the buffer.
    let room = usize::try_from(found.len() + 1).unwrap_or(usize::MAX);
    bytes.try_reserve_exact(room).map_err(|_| {
        let text = format!("it has {} bytes, more than there is memory", found.len());
        io::Error::new(io::ErrorKind::OutOfMemory, text)
    })?;
    let mut file = file.take(0);
    loop {
        if stop() {
            return Err(io::Error::new(io::ErrorKind::Interrupted, Stopped));
        }
        // One byte beyond the most tells a file that is too large from one that just fits.
        file.set_limit(READ_AT_ONCE.min(most + 1 - bytes.len() as u64));
        if file.read_to_end(&mut bytes)? == 0 {
            return Ok(bytes);
        }
        if bytes.len() as u64 > most {
            return Err(too_large());
        }
    }
}

/// Reads a UTF-8 text as [`read`] does.
///
/// # Errors
/// As [`read`], and [`io::ErrorKind::InvalidData`] if it is not UTF-8.
pub fn read_text(path: &Path, most: u64) -> io::Result<String> {
    let text = String::from_utf8(read(path, most, NO_STOP)?);
    text.map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is not UTF-8 text"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_read_up_to_the_limit() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("ten");
        std::fs::write(&path, b"0123456789").expect("it is written");
        assert_eq!(read(&path, 10, NO_STOP).expect("ten bytes"), b"0123456789");
        assert_eq!(read_text(&path, MAX_TEXT_BYTES).expect("a text"), "0123456789");
        let error = read(&path, 9, NO_STOP).expect_err("one byte more");
        assert_eq!(error.kind(), io::ErrorKind::FileTooLarge);
        assert!(error.to_string().contains("more than 9 bytes"), "{error}");
        std::fs::write(&path, b"\xff").expect("it is written");
        let error = read_text(&path, MAX_TEXT_BYTES).expect_err("no text");
        assert_eq!(error.kind(), io::ErrorKind::InvalidData);
    }

    #[test]
    fn reading_stops_when_told_to() {
        let file = tempfile::NamedTempFile::new().expect("a file");
        file.as_file().set_len(3 * READ_AT_ONCE).expect("a long file");
        let looks = core::cell::Cell::new(0);
        let stop = |most: u32| {
            looks.set(looks.get() + 1);
            looks.get() > most
        };
        let stopped = read(file.path(), MAX_TABLE_BYTES, &|| stop(2)).map_err(|error| error.kind());
        assert_eq!((stopped, looks.replace(0)), (Err(io::ErrorKind::Interrupted), 3));
        let bytes = read(file.path(), MAX_TABLE_BYTES, &|| stop(9)).expect("it can be read");
        assert_eq!(bytes.len() as u64, 3 * READ_AT_ONCE);
    }

    #[test]
    fn a_file_larger_than_the_memory_is_refused_unread() {
        let file = tempfile::NamedTempFile::new().expect("a file");
        // A file of holes, which takes no room.
        file.as_file().set_len(1 << 40).expect("a long file");
        let error = read(file.path(), MAX_TABLE_BYTES, NO_STOP).expect_err("2^40 bytes");
        assert_eq!(error.kind(), io::ErrorKind::FileTooLarge);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_device_without_end_is_bounded() {
        for most in [MAX_TEXT_BYTES, MAX_RECORD_BYTES, MAX_TABLE_BYTES] {
            let error = read(Path::new("/dev/zero"), most, NO_STOP).expect_err("no end");
            assert_eq!(error.kind(), io::ErrorKind::FileTooLarge, "{most}");
        }
        let version = read_text(Path::new("/proc/version"), MAX_TEXT_BYTES).expect("it has no length");
        assert!(version.contains("Linux"), "{version}");
    }
}
