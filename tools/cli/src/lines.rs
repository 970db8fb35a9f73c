//! Standard input answered line by line.

use std::io::{self, BufReader, BufWriter, IsTerminal, StdoutLock, Write};

use crate::failure::Failure;
use crate::input::read_line;
use crate::output;

/// Bytes read or written at a time.
const BUFFER: usize = 1 << 16;

/// Standard output for answers.
pub(crate) type Output = BufWriter<StdoutLock<'static>>;

/// Why a line was not answered.
pub(crate) enum Unanswered {
    /// The line is bad.
    Line(String),
    /// The answer could not be written.
    Output(io::Error),
}

impl From<io::Error> for Unanswered {
    fn from(error: io::Error) -> Unanswered {
        Unanswered::Output(error)
    }
}

/// Calls `answer` for each line of standard input, which should hold `what`; skips empty lines and lines that begin
/// with `#`. Bad lines are reported with their numbers, and the others are still answered; the command then fails.
///
/// Answers are written before waiting for more input, so a program may ask one line at a time.
pub(crate) fn answer(
    what: &str,
    mut answer: impl FnMut(&str, &mut Output) -> Result<(), Unanswered>,
) -> Result<(), Failure> {
    if io::stdin().is_terminal() {
        output::complain(format_args!(
            "reading {what} from standard input, one per line"
        ));
    }
    let mut input = BufReader::with_capacity(BUFFER, io::stdin().lock());
    let mut output = BufWriter::with_capacity(BUFFER, io::stdout().lock());
    let mut line = Vec::new();
    let mut bad_lines = 0_u64;
    for number in 1_u64.. {
        if input.buffer().is_empty() {
            output.flush()?;
        }
        let read = read_line(&mut input, number, &mut line);
        let is_line = read
            .map_err(|error| Failure::run(format_args!("cannot read standard input: {error}")))?;
        if !is_line {
            break;
        }
        let answered = match str::from_utf8(line.trim_ascii_end()) {
            Ok("") => Ok(()),
            Ok(comment) if comment.starts_with('#') => Ok(()),
            Ok(text) => answer(text, &mut output),
            Err(_) => Err(Unanswered::Line("it is not UTF-8 text".to_owned())),
        };
        match answered {
            Ok(()) => {}
            Err(Unanswered::Output(error)) => return Err(error.into()),
            Err(Unanswered::Line(message)) => {
                bad_lines += 1;
                output::complain(format_args!("error: line {number}: {message}"));
            }
        }
    }
    output.flush()?;
    match bad_lines {
        0 => Ok(()),
        _ => Err(Failure::Reported),
    }
}
