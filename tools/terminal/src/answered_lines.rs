//! Standard input answered line by line.

use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::Path;

use tavli::run::Cancel;
use tavli::text::Quoted;
use tavli::{Position, Stopped};

use crate::failure::Failure;
use crate::interrupt;
use crate::line_reader::{Input, MAX_LINE_BYTES, NextLine};
use crate::output::{self, StandardOutput, Watched};

/// Bytes written at a time.
const BUFFER: usize = 1 << 16;

/// The position and the roll, if there is one, of a line: its first two columns. Columns after the roll, such as the
/// plays that `tavli plays` writes, are passed over.
pub fn position_and_roll(line: &str) -> Result<(&str, Option<&str>), String> {
    let mut columns = line.split('\t');
    let position = columns.next().unwrap_or_default();
    let roll = columns.next().map(str::trim).filter(|roll| !roll.is_empty());
    if roll.is_none() && columns.any(|column| !column.trim().is_empty()) {
        return Err(format!(
            "'{}' has no roll in its second column: write a position, one tab and a roll",
            Quoted::new(line)
        ));
    }
    Ok((position, roll))
}

/// Standard output for answers.
pub type Output = BufWriter<Watched<StandardOutput>>;

/// Why a line was not answered.
#[derive(Debug)]
pub enum Unanswered {
    /// The line is bad.
    Line(String),
    /// The answer could not be written.
    Output(io::Error),
    /// The command was interrupted.
    Stopped,
}

impl From<Stopped> for Unanswered {
    fn from(Stopped: Stopped) -> Unanswered {
        Unanswered::Stopped
    }
}

impl From<io::Error> for Unanswered {
    fn from(error: io::Error) -> Unanswered {
        Unanswered::Output(error)
    }
}

/// Finds the text to answer in each line. In a position copied from eXtreme Gammon, in any of its languages, the text
/// is the line with the XGID; the drawing and the analysis below it are passed over, also where the line of the version
/// is missing: the next line that is a position ends a copy.
#[derive(Default, Debug)]
pub struct Texts {
    place: LineContext,
}

/// Where a line stands.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
enum LineContext {
    #[default]
    Outside,
    /// After an XGID: the line of the players may follow.
    AfterXgid,
    /// Between the players and the line of the version.
    InCopy,
}

impl Texts {
    /// The text of the next line; `None` if it is empty, begins with `#`, or belongs to a copied text.
    pub fn next<'a>(&mut self, line: &'a [u8]) -> Option<Result<&'a str, String>> {
        let line = line.trim_ascii();
        if self.is_in_copy(line) || line.is_empty() || line.starts_with(b"#") {
            return None;
        }
        if line.len() >= MAX_LINE_BYTES {
            return Some(Err(format!("it has more than {MAX_LINE_BYTES} bytes")));
        }
        Some(str::from_utf8(line).map_err(|_| match line {
            [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => "it is UTF-16 text: save the file as UTF-8".to_owned(),
            _ => "it is not UTF-8 text".to_owned(),
        }))
    }

    /// Whether a line belongs to a copied text, and is not its XGID.
    fn is_in_copy(&mut self, line: &[u8]) -> bool {
        let is_of_players = || line.starts_with(b"X:") && line.windows(3).any(|part| part == b" O:");
        let (place, is_in_copy) = match self.place {
            _ if line.get(..5).is_some_and(|label| label.eq_ignore_ascii_case(b"XGID=")) => {
                (LineContext::AfterXgid, false)
            }
            LineContext::AfterXgid if line.is_empty() => (LineContext::AfterXgid, false),
            LineContext::AfterXgid if is_of_players() => (LineContext::InCopy, true),
            LineContext::InCopy if line.starts_with(b"eXtreme Gammon Version") => (LineContext::Outside, true),
            LineContext::InCopy if is_position(line) => (LineContext::Outside, false),
            LineContext::InCopy => (LineContext::InCopy, true),
            LineContext::AfterXgid | LineContext::Outside => (LineContext::Outside, false),
        };
        self.place = place;
        is_in_copy
    }
}

/// Whether a line is a position, perhaps with a roll in its second column.
fn is_position(line: &[u8]) -> bool {
    let position = line.split(|&byte| byte == b'\t').next().map(str::from_utf8);
    position.is_some_and(|position| position.is_ok_and(|position| position.parse::<Position>().is_ok()))
}

/// Calls `answer` for each line of standard input, which should hold `what`; skips empty lines and lines that begin
/// with `#`, until `cancel` ends it. Bad lines are reported with their numbers, and the others are still answered; the
/// command then fails.
///
/// Answers are written before waiting for more input, so a program may ask one line at a time.
pub fn answer(
    what: &str,
    cancel: &Cancel,
    mut answer: impl FnMut(&str, &mut Output) -> Result<(), Unanswered>,
) -> Result<(), Failure> {
    if io::stdin().is_terminal() {
        output::write_message(format_args!("reading {what} from standard input, one per line"));
    }
    let lines = Input::open(Path::new("-"))?.read()?;
    let mut output = BufWriter::with_capacity(BUFFER, output::raw_stdout());
    let (mut answered, mut bad_lines) = (0_u64, 0_u64);
    let mut texts = Texts::default();
    for number in 1_u64.. {
        if lines.must_wait() {
            output.flush()?;
        }
        if cancel.is_cancelled() {
            break;
        }
        let NextLine::Line(line) = lines.next(|| cancel.is_cancelled())? else {
            break;
        };
        let text = match texts.next(&line) {
            None => continue,
            Some(text) => text,
        };
        match text.map_err(Unanswered::Line).and_then(|text| answer(text, &mut output)) {
            Ok(()) => answered += 1,
            Err(Unanswered::Stopped) => break,
            Err(Unanswered::Output(error)) => return Err(error.into()),
            Err(Unanswered::Line(message)) => {
                bad_lines += 1;
                output::write_message(format_args!("error: line {number}: {message}"));
            }
        }
    }
    output.flush()?;
    if cancel.is_cancelled() {
        interrupt::report_lines(answered)?;
    }
    match bad_lines {
        0 => Ok(()),
        _ => Err(Failure::Reported),
    }
}
