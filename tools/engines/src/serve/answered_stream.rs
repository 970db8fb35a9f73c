//! The stream of a connection, on which the refusal of a head that is not HTTP has a body with the reason.
//!
//! Hyper refuses such a head by itself, before a router sees it, with an empty body.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::http::StatusCode;
use tavli::text::Quoted;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

use super::refusal::{MAX_BYTES, Refusal};

/// The longest head of a request, in bytes.
pub(super) const MAX_HEAD: usize = 1 << 14;
/// The bytes of a request that are kept to find out what is wrong with its head.
const MAX_KEPT: usize = 1 << 12;
/// The longest head of an answer by hyper, and its line about the body.
const MAX_ANSWER: usize = 256;
const NO_BODY: &[u8] = b"content-length: 0\r\n";
/// The time in which the rest of a refused request is read. A connection closed before is reset, and its client may
/// lose the answer.
const TIME_TO_READ: Duration = Duration::from_millis(500);

/// The stream of a connection.
pub(super) struct AnsweredStream<S> {
    stream: S,
    /// The first bytes read since the last answer.
    read: Vec<u8>,
    refused: Option<RefusedHead>,
}

/// The answer to a head that was refused.
struct RefusedHead {
    answer: Vec<u8>,
    sent: usize,
    /// Runs once the answer has been sent.
    time_to_read: Option<Pin<Box<Sleep>>>,
}

impl<S: AsyncRead + AsyncWrite + Unpin> AnsweredStream<S> {
    pub(super) fn new(stream: S) -> AnsweredStream<S> {
        AnsweredStream { stream, read: Vec::new(), refused: None }
    }

    /// Sends the rest of a refusal.
    fn poll_refusal(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        if let Some(refused) = &mut self.refused {
            while refused.sent < refused.answer.len() {
                let rest = &refused.answer[refused.sent..];
                refused.sent += match ready!(Pin::new(&mut self.stream).poll_write(context, rest))? {
                    0 => return Poll::Ready(Err(io::ErrorKind::WriteZero.into())),
                    sent => sent,
                };
            }
        }
        Poll::Ready(Ok(()))
    }

    /// Reads and drops what a refused client still sends, for a while.
    fn poll_rest(&mut self, context: &mut Context<'_>) -> Poll<()> {
        let Some(refused) = &mut self.refused else {
            return Poll::Ready(());
        };
        let time = refused.time_to_read.get_or_insert_with(|| Box::pin(sleep(TIME_TO_READ)));
        let mut dropped = [0; MAX_KEPT];
        while time.as_mut().poll(context).is_pending() {
            let mut buffer = ReadBuf::new(&mut dropped);
            let read = ready!(Pin::new(&mut self.stream).poll_read(context, &mut buffer));
            if read.is_err() || buffer.filled().is_empty() {
                break;
            }
        }
        Poll::Ready(())
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for AnsweredStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.stream).poll_read(context, buffer))?;
        let is_first = self.read.is_empty();
        let kept = MAX_KEPT - self.read.len();
        self.read.extend(buffer.filled()[before..].iter().take(kept));
        // Hyper leaves the preface of HTTP/2 without an answer, and refuses other heads of an unknown version.
        if is_first && self.read.starts_with(b"PRI * HTTP/2") {
            buffer.filled_mut()[before] = b'X';
        }
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for AnsweredStream<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let (before, refusal) = bytes.split_at(refusal_at(bytes));
        if !before.is_empty() {
            self.read.clear();
            return Pin::new(&mut self.stream).poll_write(context, before);
        }
        // Taken whole, so that hyper never has a part of its answer left.
        let answer = with_body(refusal, &self.read);
        self.refused = Some(RefusedHead { answer, sent: 0, time_to_read: None });
        let _unsent = self.poll_refusal(context)?;
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        if parts.iter().any(|part| refusal_at(part) < part.len()) {
            let first = parts.iter().find(|part| !part.is_empty());
            return self.poll_write(context, first.map_or(&[], |part| part));
        }
        self.read.clear();
        Pin::new(&mut self.stream).poll_write_vectored(context, parts)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_refusal(context))?;
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_refusal(context))?;
        ready!(Pin::new(&mut self.stream).poll_shutdown(context))?;
        ready!(self.poll_rest(context));
        Poll::Ready(Ok(()))
    }
}

/// The status of a refusal by hyper, from its first line.
fn refused_status(head: &[u8]) -> Option<StatusCode> {
    let status = StatusCode::from_bytes(head.get(9..12)?).ok()?;
    let is_refusal = head.starts_with(b"HTTP/1.")
        && matches!(
            status,
            StatusCode::BAD_REQUEST | StatusCode::URI_TOO_LONG | StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE
        );
    is_refusal.then_some(status)
}

/// Where bytes that are written end with hyper's refusal of a head; their length if they do not. Answers of the router
/// with such a status have a body.
fn refusal_at(bytes: &[u8]) -> usize {
    if !bytes.ends_with(b"\r\n\r\n") {
        return bytes.len();
    }
    let tail = bytes.len().saturating_sub(MAX_ANSWER);
    let head = (tail..bytes.len()).rev().find(|&at| bytes[at..].starts_with(b"HTTP/1."));
    let is_refusal = |&at: &usize| refused_status(&bytes[at..]).is_some() && no_body_at(&bytes[at..]).is_some();
    head.filter(is_refusal).unwrap_or(bytes.len())
}

/// Where a head says that there is no body.
fn no_body_at(head: &[u8]) -> Option<usize> {
    let mut lines = head.windows(NO_BODY.len());
    lines.position(|line| line.eq_ignore_ascii_case(NO_BODY))
}

/// A refusal by hyper with a body that says what is wrong with the request.
fn with_body(refusal: &[u8], request: &[u8]) -> Vec<u8> {
    let status = refused_status(refusal).unwrap_or(StatusCode::BAD_REQUEST);
    // Hyper takes the two largest lengths of a body for too long a head.
    let refused = match status == StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE && names_too_long_a_body(request) {
        true => Refusal::too_long(),
        false => Refusal::new(status, "invalid_request", reason(status, request)),
    };
    let (status, body) = (refused.status(), refused.json());
    let length = body.len();
    let place = no_body_at(refusal).expect("a refusal without a body");
    let (before, after) = refusal.split_at(place);
    let line = before.iter().position(|&byte| byte == b'\r').unwrap_or(before.len());
    let headers = format!("content-type: application/json\r\ncontent-length: {length}\r\n");
    [
        format!("HTTP/1.1 {status}").as_bytes(),
        &before[line..],
        headers.as_bytes(),
        &after[NO_BODY.len()..],
        body.as_bytes(),
    ]
    .concat()
}

/// Whether the head of a request names a length of its body that no body may have.
fn names_too_long_a_body(request: &[u8]) -> bool {
    let head = String::from_utf8_lossy(request);
    let mut headers = head.lines().take_while(|line| !line.is_empty());
    headers.any(|line| {
        line.split_once(':').is_some_and(|(name, value)| {
            let length: Result<u64, _> = value.trim().parse();
            name.eq_ignore_ascii_case("Content-Length") && length.is_ok_and(|length| length > MAX_BYTES as u64)
        })
    })
}

/// What is wrong with the head of a request, and the remedy.
fn reason(status: StatusCode, request: &[u8]) -> String {
    if status != StatusCode::BAD_REQUEST {
        return format!(
            "the head of the request is too long: it has at most {MAX_HEAD} bytes and 100 headers; send long values in \
             the body"
        );
    }
    // The first bytes of a handshake of TLS.
    if request.starts_with(&[0x16, 3]) {
        return "the request begins as https does: this server speaks http, behind a proxy if need be".to_owned();
    }
    // A request that came with the one before it was read, and forgotten, with that.
    if request.is_empty() {
        return "the head of the request cannot be read: write a line such as GET /openapi.json HTTP/1.1, one such as \
                Content-Length: 42 for each header, and an empty line"
            .to_owned();
    }
    let head = String::from_utf8_lossy(request);
    let mut lines = head.trim_start_matches(['\r', '\n']).split('\n').map(|line| line.trim_end_matches('\r'));
    let first = lines.next().unwrap_or_default();
    let words: Vec<&str> = first.split(' ').collect();
    let is_request = matches!(*words, [method, path, "HTTP/1.0" | "HTTP/1.1"] if is_token(method)
        && path.bytes().all(|byte| byte.is_ascii_graphic()) && (path.starts_with('/') || path.contains("://")));
    if !is_request {
        return format!(
            "the request begins with '{}': write a method, a path and the version, such as GET /openapi.json HTTP/1.1",
            Quoted::new(first).within(60)
        );
    }
    match lines.take_while(|line| !line.is_empty()).find(|line| !is_header(line)) {
        Some(line) => format!(
            "the header '{}' cannot be read: write a line such as Content-Length: 42 for each",
            Quoted::new(line).within(60)
        ),
        None => {
            "a header cannot be read, or contradicts another: write a line such as Content-Length: 42 for each, and \
                 no other length of the body"
                .to_owned()
        }
    }
}

/// Whether a text is a name of HTTP.
fn is_token(text: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    !text.is_empty() && text.bytes().all(is_part)
}

/// Whether a line is a header that can be read by itself.
fn is_header(line: &str) -> bool {
    line.split_once(':').is_some_and(|(name, value)| {
        let value = value.trim();
        let is_length = || value.parse::<u64>().is_ok();
        is_token(name)
            && !value.contains(|c: char| c.is_ascii_control() && c != '\t')
            && (!name.eq_ignore_ascii_case("Content-Length") || is_length())
            && (!name.eq_ignore_ascii_case("Transfer-Encoding") || value.eq_ignore_ascii_case("chunked"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_refusal_of_a_head_is_one() {
        let refusal = b"HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\n\r\n";
        assert_eq!(refusal_at(refusal), 0);
        let behind = [b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}", &refusal[..]].concat();
        assert_eq!(refusal_at(&behind), behind.len() - refusal.len());
        for other in [
            &b"HTTP/1.1 400 Bad Request\r\ncontent-length: 10\r\n\r\n"[..],
            b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n",
            b"\r\n\r\n",
            b"",
        ] {
            assert_eq!(refusal_at(other), other.len());
        }
        let answer = String::from_utf8(with_body(refusal, b"hello\r\n\r\n")).expect("text");
        let (head, body) = answer.split_once("\r\n\r\n").expect("a head");
        assert!(head.contains("connection: close\r\n"), "{head}");
        assert!(head.ends_with(&format!("content-length: {}", body.len())), "{head}");
        assert!(body.contains("the request begins with 'hello': write a method"), "{body}");
    }
}
