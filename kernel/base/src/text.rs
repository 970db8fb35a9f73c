//! Text from outside: how messages quote it, and the mark that editors put before it.

use core::fmt::{self, Write};

/// The byte order mark, which some editors and shells write at the beginning of UTF-8 text. Readers pass over it.
pub const BYTE_ORDER_MARK: char = '\u{feff}';

/// Bytes without a byte order mark at their beginning.
///
/// ```
/// use tavli_base::text::without_mark;
/// assert_eq!(without_mark("\u{feff}board".as_bytes()), b"board");
/// assert_eq!(without_mark(b"board"), b"board");
/// ```
#[must_use]
pub fn without_mark(bytes: &[u8]) -> &[u8] {
    let mark = BYTE_ORDER_MARK.encode_utf8(&mut [0; 4]).len();
    match bytes.split_at_checked(mark) {
        // The rest may be a file that is no text.
        Some((first, rest)) if str::from_utf8(first).is_ok_and(|first| first.starts_with(BYTE_ORDER_MARK)) => rest,
        _ => bytes,
    }
}

/// A text without the byte order mark before it, which files have, and the white space around it.
///
/// ```
/// use tavli_base::text::bare;
/// assert_eq!(bare("\u{feff} B:W21:B1\r\n"), "B:W21:B1");
/// ```
#[must_use]
pub fn bare(text: &str) -> &str {
    // The mark is no white space: `trim` stops at it, and white space may follow.
    text.trim().trim_start_matches(BYTE_ORDER_MARK).trim()
}

/// The most characters of a quote; the middle of a longer text is left out.
const MAX_SHOWN: usize = 200;

/// Text from outside as messages show it: characters that a terminal would obey, or that are invisible or turn the
/// direction of writing, are escaped, and the middle of a long text is left out.
///
/// ```
/// use tavli_base::text::Quoted;
/// assert_eq!(Quoted::new("4HPwATDgc/ABMA").to_string(), "4HPwATDgc/ABMA");
/// assert_eq!(Quoted::new("\u{1b}[31mred\n").to_string(), r"\u{1b}[31mred\n");
/// assert_eq!(Quoted::new("abcdefgh").within(4).to_string(), "ab…gh");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Quoted<'a> {
    text: &'a str,
    most: usize,
}

impl<'a> Quoted<'a> {
    /// A quote of at most 200 characters.
    #[must_use]
    pub const fn new(text: &'a str) -> Quoted<'a> {
        Quoted { text, most: MAX_SHOWN }
    }

    /// Shows at most `most` characters of the text.
    #[must_use]
    pub const fn within(self, most: usize) -> Quoted<'a> {
        Quoted { most, ..self }
    }
}

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let starts = |at: usize| self.text.char_indices().nth(at).map(|(start, _)| start);
        if starts(self.most).is_none() {
            return write(self.text, f);
        }
        let half = self.most / 2;
        // Always `Some`, as the text has more characters than `most`.
        let head = starts(half).unwrap_or(0);
        let tail = self.text.char_indices().rev().take(half).last();
        write(&self.text[..head], f)?;
        f.write_char('…')?;
        // `None` if `most` is 0 or 1: no character of the end is shown.
        write(tail.map_or("", |(start, _)| &self.text[start..]), f)
    }
}

fn write(text: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let mut shown = 0;
    for (start, character) in text.char_indices() {
        if is_escaped(character) {
            f.write_str(&text[shown..start])?;
            write!(f, "{}", character.escape_default())?;
            shown = start + character.len_utf8();
        }
    }
    f.write_str(&text[shown..])
}

/// The most characters of a message, or of a line of one.
const MAX_OF_MESSAGE: usize = 2000;

/// A message, or a line of one, with the characters escaped that a terminal would obey: it may quote text from outside.
/// The middle is left out beyond 2,000 characters.
///
/// ```
/// use tavli_base::text::printable;
/// assert_eq!(printable("no player 'a\u{7}'"), r"no player 'a\u{7}'");
/// assert_eq!(printable("x".repeat(3000)).chars().count(), 2001);
/// ```
#[must_use]
pub fn printable(message: impl fmt::Display) -> String {
    Quoted::new(&message.to_string()).within(MAX_OF_MESSAGE).to_string()
}

/// Whether a text has no character that [`Quoted`] escapes.
///
/// ```
/// use tavli_base::text::is_printable;
/// assert!(is_printable("Zürich"));
/// assert!(!is_printable("a\u{7}"));
/// ```
#[must_use]
pub fn is_printable(text: &str) -> bool {
    !text.chars().any(is_escaped)
}

/// A text of several lines, such as a page, with the characters escaped that [`Quoted`] escapes, except ends of lines
/// and tabs.
///
/// ```
/// use tavli_base::text::printable_lines;
/// assert_eq!(printable_lines("<td>A\u{1b}[31mn</td>\n"), "<td>A\\u{1b}[31mn</td>\n");
/// ```
#[must_use]
pub fn printable_lines(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for part in text.split_inclusive(['\n', '\t']) {
        let line = part.trim_end_matches(['\n', '\t']);
        // Writing to a `String` cannot fail.
        let _ = write!(shown, "{}{}", Quoted::new(line).within(usize::MAX), &part[line.len()..]);
    }
    shown
}

/// Control characters, and the format characters of Unicode that are invisible or turn the direction of writing.
fn is_escaped(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{ad}'
                | '\u{61c}'
                | '\u{180e}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | BYTE_ORDER_MARK
                | '\u{fff9}'..='\u{fffb}'
                | '\u{e0000}'..='\u{e007f}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_would_obey_is_escaped() {
        for (text, shown) in [
            ("", ""),
            ("Zürich, 象棋", "Zürich, 象棋"),
            ("\u{1b}[31mfoo\u{7}\r\n\t", r"\u{1b}[31mfoo\u{7}\r\n\t"),
            ("\u{9b}2J", r"\u{9b}2J"),
            ("a\u{202e}b\u{2066}c\u{200f}", r"a\u{202e}b\u{2066}c\u{200f}"),
            ("\u{feff}x", r"\u{feff}x"),
        ] {
            assert_eq!(Quoted::new(text).to_string(), shown);
        }
    }

    #[test]
    fn the_middle_of_a_long_text_is_left_out() {
        let whole = "é".repeat(MAX_SHOWN);
        assert_eq!(Quoted::new(&whole).to_string(), whole);
        let long = format!("{}{}", "a".repeat(1000), "z".repeat(50_000));
        let shown = format!("{}…{}", "a".repeat(100), "z".repeat(100));
        assert_eq!(Quoted::new(&long).to_string(), shown);
        assert_eq!(Quoted::new("abc").within(0).to_string(), "…");
        assert_eq!(Quoted::new("").within(0).to_string(), "");
    }
}
