//! A table of rollouts: one row of CSV for each line of a file of positions. The first cells of a row are the key
//! of the line: the position, the roll, and the cube if there is one.
//!
//! The first two lines hold the settings that decide the values, and the names of the columns. A row ends with the
//! CRC-32 of these lines and of the row before it, so damaged rows and rows of other tables are refused.

use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::iter::Peekable;
use std::path::Path;
use std::time::{Duration, Instant};
use std::vec;

use tavli::NO_STOP;
use tavli::file::{self, Target};
use tavli::text::{Quoted, without_mark};
use tavli_terminal::failure::Failure;
use tavli_terminal::output;

use crate::rollout::output::backgammon::PLAYED_WITH;
use crate::rollout::task::Task;

/// The output for rows, and the rows that it already had.
pub(super) struct CsvTable {
    /// The name of the table in messages.
    name: String,
    output: Box<dyn Write>,
    /// `output`, if it is a file, which is synced to the disk from time to time.
    file: Option<File>,
    /// The file, locked against other processes.
    target: Option<Target>,
    interval: Duration,
    saved: Instant,
    head: String,
    /// Whether a rule on time may end a line before it has a result, so that it has no row.
    may_have_gaps: bool,
    /// The rows found at opening whose lines have not been reached yet.
    kept: Peekable<vec::IntoIter<Row>>,
    /// The last line of the input that has a row.
    last_line: u64,
}

/// Whether a table already has the row of a line of the positions.
pub(super) enum SavedLine {
    /// Its row.
    Row,
    /// No row, but rows of later lines: its time was up before it had a result.
    Gap,
    /// Nothing yet.
    Nothing,
}

/// The start of the first line of a table.
const HEAD_START: &str = "# tavli rollout, ";

pub(crate) fn is_table(path: &Path) -> bool {
    let mut start = [0; HEAD_START.len()];
    // Opening a pipe would wait for a writer.
    path.is_file()
        && File::open(path).and_then(|mut file| file.read_exact(&mut start)).is_ok()
        && start == *HEAD_START.as_bytes()
}

impl CsvTable {
    /// Opens the table and writes its head, or continues after its last complete row. `settings` are those that decide
    /// its values, and `columns` the names of its columns.
    pub(super) fn open<R>(task: &Task<R>, settings: &str, columns: &str) -> Result<CsvTable, Failure> {
        let head = format!("{HEAD_START}{settings}\nline,{columns},checksum\n");
        let mut table = CsvTable {
            name: "standard output".to_owned(),
            output: Box::new(output::stdout()),
            file: None,
            target: None,
            interval: task.save.checkpoint,
            saved: Instant::now(),
            head,
            may_have_gaps: task.has_time_limit,
            kept: Vec::new().into_iter().peekable(),
            last_line: 0,
        };
        let mut length = 0;
        if let Some(target) = task.save.target(task.positions.as_slice())? {
            table.name = target.path().display().to_string();
            if task.save.resumes() && target.path().exists() {
                length = table.read(target.path())?;
            }
            let file = target.write_on(length).map_err(Failure::unwritten)?;
            let output = file.try_clone().map_err(|error| table.failure(&error))?;
            (table.output, table.file) = (Box::new(output), Some(file));
            table.target = Some(target);
        }
        if length == 0 {
            let written = table.output.write_all(table.head.as_bytes());
            written.map_err(|error| table.failure(&error))?;
        }
        Ok(table)
    }

    /// Reads the rows of the file, and returns the length to keep. An incomplete last row, which a killed program
    /// leaves, is not kept.
    fn read(&mut self, path: &Path) -> Result<u64, Failure> {
        let name = &self.name;
        let bytes =
            file::read(path, file::MAX_TABLE_BYTES, NO_STOP).map_err(|error| Failure::unreadable(path, error))?;
        let text = without_mark(&bytes);
        let mark = bytes.len() - text.len();
        let head = self.head.as_bytes();
        if text.len() < head.len() && head.starts_with(text) {
            return Ok(0);
        }
        let Some(rows) = text.strip_prefix(head) else {
            let first = |text: &[u8]| {
                let line = text.split(|&byte| byte == b'\n').next();
                String::from_utf8_lossy(line.unwrap_or_default()).into_owned()
            };
            let (found, wanted) = match (first(text), first(head)) {
                (found, wanted) if found == wanted => ("other columns".to_owned(), "these".to_owned()),
                (found, wanted) => (format!("'{}'", Quoted::new(&found)), format!("'{}'", Quoted::new(&wanted))),
            };
            return Err(Failure::usage(format_args!(
                "{name} is not a table of this rollout: it begins with {found}, not {wanted}; name another file, or \
                 give the settings that it was begun with"
            )));
        };
        let end = rows.iter().rposition(|&byte| byte == b'\n');
        let whole = end.map_or(0, |end| end + 1);
        let mut kept = Vec::new();
        let lines = rows[..whole].split_inclusive(|&byte| byte == b'\n');
        // The head has two lines.
        for (at, line) in (3..).zip(lines) {
            let row = Row::read(at, line, head).and_then(|row| match row.line > self.last_line {
                true => Ok(row),
                false => Err(format!("it has line {} after line {}", row.line, self.last_line)),
            });
            let row = row.map_err(|what| {
                Failure::usage(format_args!(
                    "{name}, line {at}, is damaged: {what}; remove this line and all after it, and --resume goes on \
                     from there"
                ))
            })?;
            self.last_line = row.line;
            kept.push(row);
        }
        self.kept = kept.into_iter().peekable();
        Ok((mark + head.len() + whole) as u64)
    }

    /// What the table already has for the line `number`. Its row must have the same `line_key`.
    pub(super) fn find(&mut self, number: u64, line_key: Option<&str>) -> Result<SavedLine, Failure> {
        let row = self.kept.next_if(|row| row.line <= number);
        match (row, line_key) {
            (Some(row), Some(line_key)) if row.line == number && row.of == line_key => Ok(SavedLine::Row),
            (Some(row), _) => Err(self.foreign(&row)),
            (None, Some(_)) if number <= self.last_line => match self.may_have_gaps {
                true => Ok(SavedLine::Gap),
                false => Err(Failure::usage(format_args!(
                    "{} has no row of line {number} of the positions, but one of line {}; name the positions that the \
                     table was begun with, or begin a new table",
                    self.name, self.last_line
                ))),
            },
            (None, _) => Ok(SavedLine::Nothing),
        }
    }

    fn foreign(&self, row: &Row) -> Failure {
        Failure::usage(format_args!(
            "{}, line {}: line {} of the positions is not '{}' (position, roll and cube); name the positions that the \
             table was begun with, or begin a new table",
            self.name, row.at, row.line, row.of
        ))
    }

    /// Writes the row of a line in one piece; `cells` are those between the number of the line and the checksum.
    pub(super) fn write(&mut self, number: u64, cells: &str) -> Result<(), Failure> {
        let mut row = format!("{number},{cells}");
        let sum = checksum(self.head.as_bytes(), row.as_bytes());
        row.push_str(&format!(",{sum:08x}\n"));
        let written = self.output.write_all(row.as_bytes()).and_then(|()| self.output.flush());
        written.map_err(|error| {
            if self.file.is_some() {
                // The row took long to compute, and is not saved.
                output::write_message(row.trim_end());
            }
            self.failure(&error)
        })?;
        if self.saved.elapsed() >= self.interval {
            self.sync()?;
        }
        self.check_in_place()
    }

    /// Prints the rows if their file can no longer be found.
    fn check_in_place(&self) -> Result<(), Failure> {
        let (Some(target), Some(mut file)) = (&self.target, self.file.as_ref()) else {
            return Ok(());
        };
        let Err(error) = target.check_in_place() else {
            return Ok(());
        };
        let mut output = output::stdout();
        file.rewind().map_err(|error| self.failure(&error))?;
        io::copy(&mut file, &mut output)?;
        output.flush()?;
        Err(Failure::run(format_args!(
            "{error}; the table is printed on standard output: save it as a file, and --resume goes on from there"
        )))
    }

    /// Syncs the rows written to the disk.
    fn sync(&mut self) -> Result<(), Failure> {
        self.saved = Instant::now();
        match &self.file {
            Some(file) => file.sync_data().map_err(|error| self.failure(&error)),
            None => Ok(()),
        }
    }

    /// Ends the table. Unless `interrupted`, every row must have had its line.
    pub(super) fn close(mut self, interrupted: bool) -> Result<(), Failure> {
        self.output.flush().map_err(|error| self.failure(&error))?;
        self.sync()?;
        self.check_in_place()?;
        match self.kept.next() {
            Some(row) if !interrupted => Err(self.foreign(&row)),
            _ => Ok(()),
        }
    }

    fn failure(&self, error: &io::Error) -> Failure {
        Failure::writing(&self.name, error)
    }
}

/// The cells of a row, without the quotes around those that have commas.
fn cells(row: &str) -> Vec<&str> {
    let mut is_quoted = false;
    let cells = row.split(|letter| {
        is_quoted ^= letter == '"';
        letter == ',' && !is_quoted
    });
    cells.map(|cell| cell.trim_matches('"')).collect()
}

fn checksum(head: &[u8], row: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(head);
    hasher.update(row);
    hasher.finalize()
}

/// A row found in the file.
struct Row {
    /// The line of the table, counted from 1.
    at: u64,
    /// The line of the positions.
    line: u64,
    /// The key of the line.
    of: String,
}

impl Row {
    /// Reads a row, with its line feed, of the table with this head.
    fn read(at: u64, row: &[u8], head: &[u8]) -> Result<Row, String> {
        let row = row.strip_suffix(b"\n").unwrap_or(row);
        let comma = row.iter().rposition(|&byte| byte == b',').unwrap_or(0);
        let (contents, sum) = (&row[..comma], format!(",{:08x}", checksum(head, &row[..comma])));
        if row[comma..] != *sum.as_bytes() {
            return Err(format!("its checksum is not {}, the checksum of its contents", &sum[1..]));
        }
        let contents = String::from_utf8_lossy(contents);
        let cells = cells(&contents);
        let names = String::from_utf8_lossy(head);
        let names = names.lines().nth(1).unwrap_or_default().split(',');
        let of_cube = names.zip(&cells).find(|(name, _)| *name == PLAYED_WITH);
        let cube = match of_cube {
            Some((_, &cube)) if !cube.is_empty() => format!(",{cube}"),
            Some(_) | None => String::new(),
        };
        match cells[..] {
            [line, id, roll, _, ..] => Ok(Row {
                at,
                line: line.parse().map_err(|error| format!("'{}': {error}", Quoted::new(line)))?,
                of: format!("{id},{roll}{cube}"),
            }),
            _ => Err("it lacks columns".to_owned()),
        }
    }
}
