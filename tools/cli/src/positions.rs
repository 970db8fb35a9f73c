//! `tavli rollout --positions`: a table with a line for each position of a file.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use tavli::rollout::{Ended, Rollout, Session};
use tavli::{Position, Roll};

use crate::failure::Failure;
use crate::interrupt;
use crate::output;
use crate::rollout::{self, Arguments};
use crate::standings;

/// Rolls out the positions of a file, best play only where a roll is given, and writes a table.
pub(crate) fn run(arguments: &Arguments, path: &Path) -> Result<(), Failure> {
    let reading =
        |error: io::Error| Failure::run(format_args!("cannot read {}: {error}", path.display()));
    let input: Box<dyn BufRead> = if path == Path::new("-") {
        Box::new(io::stdin().lock())
    } else {
        Box::new(BufReader::new(File::open(path).map_err(reading)?))
    };
    let cancel = interrupt::cancel_on_interrupt()?;
    let (workers, _) = arguments.machine.start()?;
    let session = Session {
        tier: arguments.machine.tier(),
        cancel,
        checkpoint: None,
    };
    let mut table = Table::open(arguments)?;
    let mut bad_lines = 0_u64;
    for (number, line) in (1_u64..).zip(input.split(b'\n')) {
        let line = line.map_err(reading)?;
        if number <= table.last_line {
            continue;
        }
        let rollout = match str::from_utf8(line.trim_ascii()) {
            Ok(text) if text.is_empty() || text.starts_with('#') => continue,
            Ok(text) => read(text, arguments),
            Err(_) => Err("it is not UTF-8 text".to_owned()),
        };
        match rollout {
            Ok(mut rollout) => {
                let ended = rollout::play(&mut rollout, &workers, &session)?;
                if ended == Ended::Cancelled {
                    break;
                }
                table.write(number, &rollout)?;
            }
            Err(message) => {
                bad_lines += 1;
                output::complain(format_args!("error: line {number}: {message}"));
            }
        }
    }
    table.close()?;
    match bad_lines {
        0 => Ok(()),
        _ => Err(Failure::Reported),
    }
}

/// The rollout of a line.
fn read(line: &str, arguments: &Arguments) -> Result<Rollout, String> {
    let (position, roll) = match line.split_once('\t') {
        Some((position, rest)) => (position, rest.split('\t').next().unwrap_or_default().trim()),
        None => (line, ""),
    };
    let position: Position = position.parse().map_err(|error| format!("{error}"))?;
    let rollout = if roll.is_empty() {
        Rollout::of_position(position.board(), arguments.settings())
    } else {
        let roll: Roll = roll.parse().map_err(|error| format!("{error}"))?;
        Rollout::of_plays(position.board(), roll, arguments.settings())
    };
    rollout
        .and_then(|rollout| rollout.until(arguments.stop()))
        .map_err(|error| error.to_string())
}

/// Where the table is written.
struct Table {
    /// How the table is named in messages.
    name: String,
    output: Box<dyn Write>,
    /// The same output, where it is a file that is written to the disk now and then.
    file: Option<File>,
    interval: Duration,
    saved: Instant,
    /// The last line of the input that stands in the table.
    last_line: u64,
}

impl Table {
    /// Opens the table and writes its head, or goes on behind its last whole line.
    fn open(arguments: &Arguments) -> Result<Table, Failure> {
        rollout::check_new(arguments.save.as_deref())?;
        let mut table = Table {
            name: "standard output".to_owned(),
            output: Box::new(io::stdout()),
            file: None,
            interval: arguments.checkpoint,
            saved: Instant::now(),
            last_line: 0,
        };
        let head = head(arguments);
        let mut begun = false;
        if let Some(path) = arguments.file() {
            table.name = path.display().to_string();
            if arguments.resumes() && path.exists() {
                let kept = Kept::read(path, &head)?;
                table.last_line = kept.last_line;
                begun = kept.length > 0;
                let file = OpenOptions::new().write(true).open(path);
                let cut = file.and_then(|file| file.set_len(kept.length));
                cut.map_err(|error| table.failure(&error))?;
            }
            let file = OpenOptions::new().create(true).append(true).open(path);
            let file = file.map_err(|error| table.failure(&error))?;
            let output = file.try_clone().map_err(|error| table.failure(&error))?;
            (table.output, table.file) = (Box::new(output), Some(file));
        }
        if !begun {
            let written = table.output.write_all(head.as_bytes());
            written.map_err(|error| table.failure(&error))?;
        }
        Ok(table)
    }

    /// Writes the line of a rollout, as a whole.
    fn write(&mut self, number: u64, rollout: &Rollout) -> Result<(), Failure> {
        let summary = rollout.summary();
        let best = summary.best();
        let candidate = &rollout.candidates()[best.candidate];
        let roll = rollout
            .roll()
            .map_or_else(String::new, |roll| roll.to_string());
        let mut line = Vec::new();
        let begun = write!(
            line,
            "{number},{},{roll},{},{},{}",
            rollout.position().position_id(),
            summary.standings.len(),
            standings::moves(candidate),
            summary.trials
        );
        let written = begun
            .and_then(|()| standings::write_values(best, &mut line))
            .and_then(|()| self.output.write_all(&line))
            .and_then(|()| self.output.flush());
        written.map_err(|error| self.failure(&error))?;
        if self.saved.elapsed() >= self.interval {
            self.sync()?;
        }
        Ok(())
    }

    /// Has what was written brought to the disk.
    fn sync(&mut self) -> Result<(), Failure> {
        self.saved = Instant::now();
        match &self.file {
            Some(file) => file.sync_data().map_err(|error| self.failure(&error)),
            None => Ok(()),
        }
    }

    fn close(mut self) -> Result<(), Failure> {
        self.output.flush().map_err(|error| self.failure(&error))?;
        self.sync()
    }

    fn failure(&self, error: &io::Error) -> Failure {
        Failure::writing(&self.name, error)
    }
}

/// The first two lines of a table: what decides its values, and the names of its columns.
fn head(arguments: &Arguments) -> String {
    let (settings, stop) = (arguments.settings(), arguments.stop());
    let mut head = format!(
        "# tavli rollout, values {:016x}, rules {}, seed {}, first roll {}, trials {}",
        tavli::playout::RECORDED_SIGNATURE,
        settings.rules,
        settings.seed,
        settings.first_roll,
        stop.trials
    );
    let bounds = [
        ("plies", settings.truncation.map(|plies| plies.to_string())),
        (
            "standard error",
            stop.standard_error.map(|bound| bound.to_string()),
        ),
        ("jsd", stop.jsd.map(|bound| bound.to_string())),
        (
            "seconds",
            stop.time.map(|time| time.as_secs_f64().to_string()),
        ),
    ];
    for (name, bound) in bounds {
        if let Some(bound) = bound {
            head.push_str(&format!(", {name} {bound}"));
        }
    }
    let mut columns = b"\nline,position_id,roll,plays,moves,trials".to_vec();
    standings::write_names(&mut columns).expect("memory takes it");
    head.push_str(str::from_utf8(&columns).expect("names are text"));
    head
}

/// What a table has already.
struct Kept {
    /// The bytes of its whole lines.
    length: u64,
    last_line: u64,
}

impl Kept {
    /// Reads a table that begins with `head`. A last line that is not whole is not kept: the program was killed
    /// while it wrote it.
    fn read(path: &Path, head: &str) -> Result<Kept, Failure> {
        let text = fs::read_to_string(path).map_err(|error| {
            Failure::run(format_args!("cannot read {}: {error}", path.display()))
        })?;
        if head.starts_with(&text) {
            return Ok(Kept {
                length: if text == head { text.len() as u64 } else { 0 },
                last_line: 0,
            });
        }
        let Some(rows) = text.strip_prefix(head) else {
            let first = |text: &str| text.lines().next().unwrap_or_default().to_owned();
            return Err(Failure::run(format_args!(
                "{} is not a table of this rollout: it begins with '{}', not '{}'",
                path.display(),
                first(&text),
                first(head)
            )));
        };
        let whole = rows.rfind('\n').map_or("", |end| &rows[..=end]);
        let mut last_line = 0;
        for row in whole.lines() {
            let number = row.split(',').next().and_then(|number| number.parse().ok());
            last_line = number.filter(|&number| number > last_line).ok_or_else(|| {
                Failure::run(format_args!(
                    "{} is damaged: '{row}' does not begin with the number of a line after {last_line}",
                    path.display()
                ))
            })?;
        }
        Ok(Kept {
            length: (head.len() + whole.len()) as u64,
            last_line,
        })
    }
}
