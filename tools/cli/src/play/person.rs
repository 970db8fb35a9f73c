//! The lines that a person writes.

use std::io::{self, BufRead};

use crate::lines::read_line;

/// The longest line that is read.
const LONGEST: usize = 1000;

/// The input of a person.
pub(super) struct Person<R> {
    input: R,
}

impl<R: BufRead> Person<R> {
    pub(super) fn new(input: R) -> Person<R> {
        Person { input }
    }

    /// The next line, or why it is none; `None` at the end of the input.
    pub(super) fn line(&mut self) -> io::Result<Option<Result<String, String>>> {
        let mut line = Vec::new();
        match read_line(&mut self.input, LONGEST, &mut line)? {
            None => return Ok(None),
            Some(true) => {}
            Some(false) => {
                return Ok(Some(Err(format!(
                    "a line has at most {LONGEST} bytes: write a play, or help"
                ))));
            }
        }
        Ok(Some(String::from_utf8(line).map_err(|_| {
            "the line is not UTF-8: write a play, or help".to_owned()
        })))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_and_other_bytes_are_refused_and_the_next_line_is_read() {
        let mut input = vec![b'x'; LONGEST];
        input.extend(b"\n");
        input.extend(vec![b'x'; 100 * LONGEST]);
        input.extend(b"\n\xff\n8/5\nend");
        let mut person = Person::new(&input[..]);
        let mut line = || person.line().expect("memory is read");
        assert_eq!(
            line().expect("a line").expect("it is short").len(),
            LONGEST + 1
        );
        assert!(
            line()
                .expect("a line")
                .is_err_and(|error| error.contains("at most 1000 bytes"))
        );
        assert!(
            line()
                .expect("a line")
                .is_err_and(|error| error.contains("not UTF-8"))
        );
        assert_eq!(line(), Some(Ok("8/5\n".to_owned())));
        assert_eq!(line(), Some(Ok("end".to_owned())));
        assert_eq!(line(), None);
    }
}
