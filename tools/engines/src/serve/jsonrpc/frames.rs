//! Frames: a head of lines with `Content-Length`, an empty line, and the bytes of that length.

use std::io::{self, BufRead, Read, Write};

use tavli::text::{Quoted, without_mark};
use tavli_terminal::line_reader::read_line;

/// The longest line of a head, and the most lines of it.
const MAX_LINE: usize = 1 << 10;
const MAX_LINES: usize = 16;
/// The most bytes of a longer body that are passed over. A client that sends more has not written a frame.
const MAX_PASSED_OVER: u64 = 1 << 28;

/// A frame of the input.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum Frame {
    Body(Vec<u8>),
    /// A body of more bytes than are read, which was passed over.
    TooLong(u64),
}

/// Reads a frame with a body of at most `most` bytes; `None` at the end of the input.
///
/// # Errors
/// The error of the input, or [`io::ErrorKind::InvalidData`] if there is no frame: the bytes after it could be
/// anything.
pub(super) fn read(input: &mut impl BufRead, most: usize) -> io::Result<Option<Frame>> {
    let wrong = |message: String| io::Error::new(io::ErrorKind::InvalidData, message);
    let ends = || wrong("it ends within a frame".to_owned());
    let too_long = || wrong(format!("the head of a frame is at most {MAX_LINES} lines of {MAX_LINE} bytes"));
    let mut length: Option<u64> = None;
    let mut line = Vec::new();
    for number in 0.. {
        // A longer line is not read on: it begins no frame, and may never end.
        let read = read_line(input, MAX_LINE, 0, &mut line);
        match read {
            Ok(None) if number == 0 => return Ok(None),
            Ok(None) => return Err(ends()),
            Err(error) if error.kind() != io::ErrorKind::InvalidData => return Err(error),
            Err(_) | Ok(Some(false)) => return Err(too_long()),
            Ok(Some(true)) if number == MAX_LINES && !line.trim_ascii().is_empty() => return Err(too_long()),
            Ok(Some(true)) => {}
        }
        // Like a file, the input may begin with a byte order mark.
        let text = if number == 0 { without_mark(&line) } else { &line };
        let text = text.trim_ascii();
        if text.is_empty() {
            break;
        }
        let colon = text.iter().position(|&byte| byte == b':');
        let parts = colon.map(|colon| (&text[..colon], &text[colon + 1..]));
        let is_name = |name: &[u8]| name.iter().all(|&byte| byte == b'-' || byte.is_ascii_alphanumeric());
        let (name, value) = parts.filter(|(name, _)| is_name(name)).ok_or_else(|| {
            let text = String::from_utf8_lossy(text);
            let text = Quoted::new(&text).within(40);
            wrong(format!("a frame begins with a line such as Content-Length: 42, not with '{text}'"))
        })?;
        if name.eq_ignore_ascii_case(b"Content-Length") {
            let value = str::from_utf8(value).ok().and_then(|value| value.trim().parse().ok());
            let value = value.filter(|&value| length.is_none_or(|length| length == value));
            length = Some(value.ok_or_else(|| wrong("Content-Length is one number of bytes".to_owned()))?);
        }
    }
    let length = length.ok_or_else(|| wrong("a frame has no Content-Length".to_owned()))?;
    if length > MAX_PASSED_OVER {
        return Err(wrong(format!("{length} bytes are too many for a frame")));
    }
    let mut body = input.take(length);
    if length > most as u64 {
        let passed = io::copy(&mut body, &mut io::sink())?;
        return if passed == length { Ok(Some(Frame::TooLong(length))) } else { Err(ends()) };
    }
    let mut bytes = Vec::new();
    body.read_to_end(&mut bytes)?;
    match bytes.len() as u64 == length {
        true => Ok(Some(Frame::Body(bytes))),
        false => Err(ends()),
    }
}

pub(super) fn write(output: &mut impl Write, body: &str) -> io::Result<()> {
    // In one piece, so that a reader is woken once.
    output.write_all(format!("Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes())?;
    output.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(mut input: &[u8]) -> Result<Vec<Frame>, String> {
        let mut frames = Vec::new();
        while let Some(frame) = read(&mut input, 8).map_err(|error| error.to_string())? {
            frames.push(frame);
        }
        Ok(frames)
    }

    #[test]
    fn frames_are_read_one_after_the_other() {
        let mut input =
            b"\xef\xbb\xbfcontent-type: x; charset=utf-8\r\nCONTENT-length:2\r\n\r\n{}Content-Length: 9\n\n123456789"
                .to_vec();
        write(&mut input, "[]").unwrap();
        let expected = [Frame::Body(b"{}".to_vec()), Frame::TooLong(9), Frame::Body(b"[]".to_vec())];
        assert_eq!(all(&input).unwrap(), expected);
        assert_eq!(all(b"").unwrap(), []);
        assert_eq!(all(b"Content-Length: 0\r\n\r\n").unwrap(), [Frame::Body(Vec::new())]);
    }

    #[test]
    fn what_is_no_frame_is_an_error() {
        for (input, message) in [
            (&b"{\"jsonrpc\": 2}\n"[..], "such as Content-Length: 42, not with '{\"jsonrpc\": 2}'"),
            (b"hello\r\n\r\n", "begins with a line"),
            (b"\r\n", "no Content-Length"),
            (b"Content-Length: -1\r\n\r\n", "one number"),
            (b"Content-Length: 99999999999999999999\r\n\r\n", "one number"),
            (b"Content-Length: 1\r\nContent-Length: 2\r\n\r\nab", "one number"),
            (b"Content-Length: 1000000000000\r\n\r\n", "are too many"),
            (b"Content-Length: 3\r\n\r\nab", "ends within"),
            (b"Content-Length: 9\r\n\r\nab", "ends within"),
            (b"Content-Length: 3\r\n", "ends within"),
        ] {
            let error = all(input).expect_err("an error");
            assert!(error.contains(message), "{error}: {message}");
        }
        let long = [b"x: ".to_vec(), vec![b'a'; 2000], b"\r\n\r\n".to_vec()].concat();
        let many = b"x: y\r\n".repeat(100);
        assert!(all(&long).is_err() && all(&many).is_err());
        let most = [b"x: y\r\n".repeat(15), b"Content-Length: 2\r\n\r\n{}".to_vec()].concat();
        assert_eq!(all(&most).unwrap(), [Frame::Body(b"{}".to_vec())]);
        // Input that never ends is refused at once.
        let endless = vec![b'a'; 1 << 16];
        let mut input = &endless[..];
        let error = read(&mut input, 8).expect_err("no frame").to_string();
        assert!(error.contains("16 lines of 1024 bytes"), "{error}");
        assert!(input.len() > endless.len() - 2 * MAX_LINE, "{} are left", input.len());
    }
}
