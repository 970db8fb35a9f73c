//! Standard output and standard error.

use std::ffi::OsString;
use std::fmt::Display;
use std::io::{self, Write};
use std::mem;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use serde::{Serialize, Serializer};
use tavli::text::{is_printable, printable, printable_lines};

/// The most lines of a message; further lines of texts from outside are left out.
const MAX_LINES: usize = 100;

/// The bytes of a long line of JSON: the decisions at 81 scores.
const LONG_LINE_BYTES: usize = 1 << 14;

/// The most bytes of one system call, which a pipe holds on Linux: each call that a slow reader takes shows that it
/// reads.
const BYTES_PER_WRITE: usize = 1 << 16;
/// The time between two looks at the writes under way.
const POLL_INTERVAL: Duration = Duration::from_millis(10);
/// After `POLLS_BEFORE_GIVING_UP` looks at an unfinished write, its reader counts as one that does not read.
// Looks, not time: on a busy machine looks take longer, as the reader does.
const POLLS_BEFORE_GIVING_UP: u32 = 12;

/// The numbers of writes begun and ended, of all outputs that somebody may not read.
static WRITES_BEGUN: AtomicU64 = AtomicU64::new(0);
static WRITES_ENDED: AtomicU64 = AtomicU64::new(0);

/// Returns once nobody has read the output for about a tenth of a second; while somebody reads, it does not return.
pub fn wait_until_unread() {
    let (mut last, mut looks) = (WRITES_ENDED.load(Ordering::SeqCst), 0);
    while looks < POLLS_BEFORE_GIVING_UP {
        thread::sleep(POLL_INTERVAL);
        let ended = WRITES_ENDED.load(Ordering::SeqCst);
        let is_waiting = ended == last && WRITES_BEGUN.load(Ordering::SeqCst) != ended;
        (last, looks) = (ended, if is_waiting { looks + 1 } else { 0 });
    }
}

/// A pipe, a terminal or a device, whose reader may not read. A signal ends the program even during such a write, which
/// does not hear signals itself.
#[derive(Debug)]
pub struct Watched<W>(pub W);

/// Whether the command writes a file: its work then goes on if nobody reads the output.
static WRITES_FILE: AtomicBool = AtomicBool::new(false);
/// The first failure to print, kept for [`finish`].
static UNPRINTED: Mutex<Option<io::Error>> = Mutex::new(None);

/// From now on a failure to print does not end the command: it writes a file, and `tavli search .. --save FILE | head`
/// must not lose the file.
pub fn continue_without_output() {
    WRITES_FILE.store(true, Ordering::Relaxed);
}

/// Prints the rest, and returns the first failure to print.
pub fn finish() -> io::Result<()> {
    stdout().flush()?;
    let mut unprinted = UNPRINTED.lock().unwrap_or_else(PoisonError::into_inner);
    unprinted.take().map_or(Ok(()), Err)
}

/// Standard output. If the command writes a file, failures wait for the end.
#[derive(Debug)]
pub struct StandardOutput(io::Stdout);

impl StandardOutput {
    /// The result of a write. If the command goes on without output, keeps a failure and returns `otherwise`.
    fn or_keep_failure<T>(written: io::Result<T>, otherwise: T) -> io::Result<T> {
        match written {
            Err(error) if error.kind() != io::ErrorKind::Interrupted && WRITES_FILE.load(Ordering::Relaxed) => {
                let mut unprinted = UNPRINTED.lock().unwrap_or_else(PoisonError::into_inner);
                unprinted.get_or_insert(error);
                Ok(otherwise)
            }
            written => written,
        }
    }
}

impl Write for StandardOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        StandardOutput::or_keep_failure(self.0.write(bytes), bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        StandardOutput::or_keep_failure(self.0.flush(), ())
    }
}

/// A write, from its beginning to its end.
struct Writing;

impl Writing {
    fn begin() -> Writing {
        WRITES_BEGUN.fetch_add(1, Ordering::SeqCst);
        Writing
    }
}

impl Drop for Writing {
    fn drop(&mut self) {
        WRITES_ENDED.fetch_add(1, Ordering::SeqCst);
    }
}

impl<W: Write> Write for Watched<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let _writing = Writing::begin();
        self.0.write(&bytes[..bytes.len().min(BYTES_PER_WRITE)])
    }

    fn flush(&mut self) -> io::Result<()> {
        let _writing = Writing::begin();
        self.0.flush()
    }
}

/// Writes a message to standard error. All errors and remarks go through here, with control characters escaped, since
/// texts from outside may hold some. If nobody reads it, that is not a failure.
pub fn write_message(message: impl Display) {
    let message = on_lines_of_its_own(&message.to_string(), std::env::args_os().skip(1));
    let _ = writeln!(Watched(io::stderr()), "{}", shown(&message));
}

/// A message in which the line ends of the arguments that it quotes are escaped: a name must not add lines that look
/// like the program's own.
// Here, and not where messages are made: the parser of the arguments makes some of them.
fn on_lines_of_its_own(message: &str, arguments: impl Iterator<Item = OsString>) -> String {
    let mut message = message.to_owned();
    for argument in arguments {
        let argument = argument.to_string_lossy();
        if !argument.contains('\n') {
            continue;
        }
        // The whole argument, the value of an option, or a part of a value.
        let value = argument.split_once('=').map_or("", |(_, value)| value);
        let parts = argument.split(['=', '+', ':', ',', ';', ' ']);
        for text in [&*argument, value].into_iter().chain(parts) {
            if text.contains('\n') && text.trim() != "" {
                message = message.replace(text, &text.replace('\n', "\\n"));
            }
        }
    }
    message
}

/// The remarks that no result in JSON has told yet, as they stand on standard error.
static UNTOLD: Mutex<Vec<String>> = Mutex::new(Vec::new());
/// The most that are kept: commands that write no JSON make remarks without end.
const MAX_UNTOLD: usize = 100;

/// Writes a remark to standard error, and keeps it for the next result in JSON.
pub fn remark(remark: impl Display) {
    let remark = remark.to_string();
    write_message(&remark);
    let mut untold = UNTOLD.lock().unwrap_or_else(PoisonError::into_inner);
    if untold.len() < MAX_UNTOLD && !untold.contains(&remark) {
        untold.push(remark);
    }
}

/// The remarks since the last call.
pub fn untold_remarks() -> Vec<String> {
    mem::take(&mut *UNTOLD.lock().unwrap_or_else(PoisonError::into_inner))
}

/// The [`untold_remarks`], as a member of a document that has them always.
#[derive(Debug)]
pub struct UntoldRemarks;

impl Serialize for UntoldRemarks {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        untold_remarks().serialize(serializer)
    }
}

/// Adds `remarks` to the text of a JSON object, if there are any: on one line, or with a line for each.
pub fn add_remarks(remarks: &[String], is_line: bool, object: &mut Vec<u8>) -> io::Result<()> {
    let [end, start, between, close] = match is_line {
        true => ["}", ",\"remarks\":[", ",", "]}"],
        false => ["\n}", ",\n  \"remarks\": [\n    ", ",\n    ", "\n  ]\n}"],
    };
    if remarks.is_empty() || !object.ends_with(end.as_bytes()) {
        return Ok(());
    }
    let texts: Vec<String> = remarks.iter().map(|text| json_text(text, true)).collect::<Result<_, _>>()?;
    object.truncate(object.len() - end.len());
    for part in [start, &texts.join(between), close] {
        object.extend_from_slice(part.as_bytes());
    }
    Ok(())
}

/// A message without characters that a terminal would obey, and without the middle of long lines.
fn shown(message: &str) -> String {
    let mut lines = message.split('\n');
    let mut shown: Vec<String> = lines.by_ref().take(MAX_LINES).map(printable).collect();
    if lines.next().is_some() {
        shown.push("…".to_owned());
    }
    shown.join("\n")
}

/// The type of [`stdout`].
pub type TextOutput = Printable<Watched<StandardOutput>>;

/// Standard output, with characters escaped that a terminal would obey: names of files and players come from outside.
pub fn stdout() -> TextOutput {
    Printable::new(raw_stdout())
}

/// Standard output for data that is not text for terminals.
pub fn raw_stdout() -> Watched<StandardOutput> {
    Watched(StandardOutput(io::stdout()))
}

/// An output of text that escapes all control characters but line ends and tabs.
#[derive(Debug)]
pub struct Printable<W>(W);

impl<W> Printable<W> {
    pub fn new(output: W) -> Printable<W> {
        Printable(output)
    }

    pub fn into_inner(self) -> W {
        self.0
    }
}

impl<W: Write> Write for Printable<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_all(bytes)?;
        Ok(bytes.len())
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        if bytes.iter().all(|&byte| byte.is_ascii() && !is_obeyed(byte)) {
            return self.0.write_all(bytes);
        }
        for chunk in bytes.utf8_chunks() {
            self.0.write_all(printable_lines(chunk.valid()).as_bytes())?;
            // Half a character at the end of a buffer; the next bytes have the other half.
            self.0.write_all(chunk.invalid())?;
        }
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Whether somebody may read standard output: `false` once it is a pipe without a reader, if the system tells.
pub fn has_reader() -> bool {
    #[cfg(unix)]
    {
        use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
        use std::os::fd::AsFd;

        let output = io::stdout();
        let mut asked = [PollFd::new(output.as_fd(), PollFlags::empty())];
        let gone = PollFlags::POLLERR | PollFlags::POLLHUP;
        let told = poll(&mut asked, PollTimeout::ZERO).is_ok();
        let events = asked[0].revents().filter(|_| told);
        !events.is_some_and(|events| events.intersects(gone))
    }
    #[cfg(not(unix))]
    true
}

/// Whether a terminal does something at a byte of UTF-8 text, other than to show it or to begin a line.
fn is_obeyed(byte: u8) -> bool {
    byte.is_ascii_control() && !matches!(byte, b'\n' | b'\t')
}

/// A result with the remarks on its request, for clients that do not see standard error.
#[derive(Serialize, Debug)]
pub struct Remarked<Result> {
    #[serde(flatten)]
    result: Result,
    /// Left out if there is none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    remarks: Vec<String>,
}

impl<Result> Remarked<Result> {
    pub fn new(result: Result, remarks: impl IntoIterator<Item: Display>) -> Remarked<Result> {
        let remarks = remarks.into_iter().map(|remark| remark.to_string());
        Remarked { result, remarks: remarks.collect() }
    }
}

/// Writes a value as JSON over several lines, for a result that stands alone, with the remarks that no result has.
pub fn json(output: &mut dyn Write, value: &impl Serialize) -> io::Result<()> {
    write_json(output, value, false)
}

/// Writes a value as JSON on one line, for results that come one by one, with the remarks that no result has.
pub fn json_line(output: &mut dyn Write, value: &impl Serialize) -> io::Result<()> {
    write_json(output, value, true)
}

fn write_json(output: &mut dyn Write, value: &impl Serialize, is_line: bool) -> io::Result<()> {
    let mut text = json_text(value, is_line)?.into_bytes();
    add_remarks(&untold_remarks(), is_line, &mut text)?;
    text.push(b'\n');
    output.write_all(&text)
}

/// A value as JSON, on one line or over several, without an end of the line after it.
pub fn json_text(value: &impl Serialize, is_line: bool) -> io::Result<String> {
    let mut text = Vec::with_capacity(LONG_LINE_BYTES);
    match is_line {
        true => serde_json::to_writer(&mut text, value)?,
        false => serde_json::to_writer_pretty(&mut text, value)?,
    }
    Ok(escaped_json(String::from_utf8(text).expect("JSON is UTF-8")))
}

/// JSON in which the characters that [`Printable`] escapes are escaped as JSON has them.
fn escaped_json(json: String) -> String {
    if json.bytes().all(|byte| byte.is_ascii() && !is_obeyed(byte)) {
        return json;
    }
    let mut escaped = String::with_capacity(json.len());
    for character in json.chars() {
        let is_kept = character == '\n' || is_printable(character.encode_utf8(&mut [0; 4]));
        if is_kept {
            escaped.push(character);
            continue;
        }
        for unit in character.encode_utf16(&mut [0; 2]) {
            escaped += &format!("\\u{unit:04x}");
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn standard_output_has_lines_and_tabs_but_no_controls() {
        let mut output = Printable(Vec::new());
        writeln!(output, "\u{1b}[31m±\u{7}\t\r\u{9b}").expect("memory");
        let (half, rest) = "±".as_bytes().split_at(1);
        output.write_all(half).and_then(|()| output.write_all(rest)).expect("memory");
        assert_eq!(String::from_utf8(output.0).as_deref(), Ok("\\u{1b}[31m±\\u{7}\t\\r\\u{9b}\n±"));
    }

    #[test]
    fn json_is_escaped_as_json_is() {
        let name = "\u{7f}\u{9b}31m é\u{202e}\u{e0001}\n";
        let mut output = Printable(Vec::new());
        json_line(&mut output, &name).and_then(|()| json(&mut output, &[name])).expect("memory");
        let text = String::from_utf8(output.0).expect("UTF-8");
        let escaped = r#""\u007f\u009b31m é\u202e\udb40\udc01\n""#;
        assert_eq!(text, format!("{escaped}\n[\n  {escaped}\n]\n"));
        assert_eq!(serde_json::from_str::<String>(escaped).as_deref().ok(), Some(name));
    }

    #[test]
    fn arguments_add_no_lines_to_messages() {
        let escaped = |message: &str, arguments: &[&str]| {
            on_lines_of_its_own(message, arguments.iter().map(|&argument| argument.into()))
        };
        assert_eq!(
            escaped("error: cannot read x\ny z: no file\n\nMore", &["analyze", "x\ny z"]),
            "error: cannot read x\\ny z: no file\n\nMore"
        );
        assert_eq!(escaped("invalid 'a\nb' for", &["--policy=a\nb"]), "invalid 'a\\nb' for");
        assert_eq!(escaped("unknown a\nb", &["--policy", "a\nb+2ply"]), "unknown a\\nb");
        assert_eq!(escaped("error\n\nMore", &["\n"]), "error\n\nMore");
    }

    #[test]
    fn messages_have_lines_but_no_controls_and_an_end() {
        assert_eq!(shown("error: a\n\nb"), "error: a\n\nb");
        assert_eq!(shown("\u{1b}]0;x\u{7}\r"), r"\u{1b}]0;x\u{7}\r");
        let long = shown(&"x".repeat(1_000_000));
        assert_eq!(long.chars().count(), 2001);
        let lines = shown(&"x\n".repeat(1000));
        assert_eq!(lines.lines().count(), MAX_LINES + 1);
        assert!(lines.ends_with("x\n…"));
    }
}
