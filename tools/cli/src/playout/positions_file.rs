//! `tavli playout --positions`: random games from each position of a file.

use std::io::{self, BufWriter, Write};
use std::num::NonZeroU64;
use std::path::Path;

use serde::Serialize;
use tavli::playout::ManyPlayouts;
use tavli::policies::Players;
use tavli::run::{Cancel, ManyRun, Workers};
use tavli::text::Quoted;
use tavli::{Outcome, Playouts, Tally};

use super::arguments::Arguments;
use super::json::{EndsJson, LengthsJson, PlayoutsJson, PoliciesJson};
use crate::answered_lines::Texts;
use crate::arguments::position;
use crate::failure::Failure;
use crate::interrupt;
use crate::line_reader::{Input, Lines, NextLine};
use crate::numbers::{counted, decimals};
use crate::output::{self, TextOutput};
use crate::player_options::UNIFORM;
use crate::progress::Bar;

/// The default number of games of each position: one per throw.
const GAMES_OF_EACH: NonZeroU64 = NonZeroU64::new(36).expect("not 0");
/// Positions played in one batch: enough to fill it, few enough for memory and for early results.
const POSITIONS_PER_BATCH: usize = 1 << 15;

/// A position of the input.
struct Row {
    /// The number of the line, from 1.
    line: u64,
    playouts: Playouts,
}

/// The JSON of a position.
#[derive(Serialize)]
struct RowJson {
    line: u64,
    #[serde(flatten)]
    playouts: PlayoutsJson,
    #[serde(flatten)]
    policies: PoliciesJson,
    #[serde(flatten)]
    lengths: LengthsJson,
    #[serde(flatten)]
    ends: EndsJson,
}

/// Plays the games of a file, or of standard input, and prints one line per position.
pub(super) fn run(arguments: &Arguments, path: &Path) -> Result<(), Failure> {
    // Before the switch: a signal ends the process while a large table is made.
    let players = arguments.policies.players(UNIFORM)?;
    let cancel = interrupt::cancel_on_interrupt()?;
    let lines = Input::open(path)?.read()?;
    let (workers, header) = arguments.machine.start()?;
    let mut table = Table {
        output: BufWriter::new(output::stdout()),
        first_game: arguments.first_game,
        players,
        json: arguments.format.json,
        are_cut_off: arguments.truncate.is_some(),
    };
    if !table.json {
        writeln!(table.output, "{header}\n")?;
        table.write_names()?;
        table.output.flush()?;
    }
    let mut reader = Reader {
        arguments,
        lines,
        texts: Texts::default(),
        cancel: &cancel,
        line: 0,
        bad_lines: 0,
    };
    let mut written = 0_u64;
    let mut is_last = false;
    while !is_last {
        let rows;
        (rows, is_last) = reader.rows()?;
        let tallies = play(&rows, arguments, &table.players, &workers, &cancel)?;
        for (row, tally) in rows.iter().zip(&tallies) {
            table.write(row, tally)?;
        }
        table.output.flush()?;
        written += tallies.len() as u64;
        if cancel.is_cancelled() && (tallies.len() < rows.len() || !is_last) {
            let written = counted(written, "position", "positions");
            output::write_message(format_args!("interrupted after {written}, whose games are all played"));
            break;
        }
    }
    match reader.bad_lines {
        0 => Ok(()),
        _ => Err(Failure::Reported),
    }
}

/// Plays the games of some positions. Returns the tallies of the complete ones, from the first on.
fn play(
    rows: &[Row],
    arguments: &Arguments,
    players: &Players,
    workers: &Workers,
    cancel: &Cancel,
) -> Result<Vec<Tally>, Failure> {
    let playouts = ManyPlayouts::new(rows.iter().map(|row| row.playouts)).map_err(Failure::run)?;
    let games = arguments.games.unwrap_or(GAMES_OF_EACH).get();
    let tier = arguments.machine.tier()?;
    let run = ManyRun::from_game(playouts, tier, arguments.first_game, games)
        .map_err(Failure::usage)?
        .played_by(players.clone())
        .cancelled_by(cancel);
    let bar = Bar::new();
    Ok(run.play(workers, |progress| bar.show(progress)).tallies)
}

/// Reads positions.
struct Reader<'a> {
    arguments: &'a Arguments,
    lines: Lines,
    texts: Texts,
    cancel: &'a Cancel,
    /// Lines read.
    line: u64,
    bad_lines: u64,
}

impl Reader<'_> {
    /// The positions of the next lines, and whether they are the last. If no line comes for a while, returns those read
    /// so far, so that a program at the other end gets its answer.
    fn rows(&mut self) -> Result<(Vec<Row>, bool), Failure> {
        let mut rows = Vec::new();
        // Bad lines do not fill the batch, and may come without end.
        while rows.len() < POSITIONS_PER_BATCH && !self.cancel.is_cancelled() {
            let is_enough = || !rows.is_empty() || self.cancel.is_cancelled();
            let line = match self.lines.next(is_enough)? {
                NextLine::Line(line) => line,
                NextLine::End => return Ok((rows, true)),
                NextLine::Idle => break,
            };
            self.line += 1;
            let Some(text) = self.texts.next(&line) else {
                continue;
            };
            match text.and_then(|text| self.playouts(text)) {
                Ok(playouts) => rows.push(Row {
                    line: self.line,
                    playouts,
                }),
                Err(message) => {
                    self.bad_lines += 1;
                    output::write_message(format_args!("error: line {}: {message}", self.line));
                }
            }
        }
        Ok((rows, false))
    }

    /// The playouts of a line.
    fn playouts(&self, text: &str) -> Result<Playouts, String> {
        let rules = self.arguments.game.rule_set().map_err(|failure| failure.to_string())?;
        let position = position(text, rules).map_err(|error| error.to_string())?;
        self.arguments
            .playouts(Some(&position))
            .map_err(|error| format!("'{}': {error}", Quoted::new(text)))
    }
}

/// The output of the results.
struct Table {
    output: BufWriter<TextOutput>,
    first_game: u64,
    players: Players,
    json: bool,
    /// Whether games may be cut off; the outcomes then do not add up to all games.
    are_cut_off: bool,
}

impl Table {
    fn write_names(&mut self) -> io::Result<()> {
        write!(self.output, "{:>8}  {:<14} {:>9}", "line", "position ID", "games")?;
        write!(self.output, " {:>9} {:>8} {:>7}", "equity", "±", "wins %")?;
        for name in ["single", "gammon", "backg.", "single", "gammon", "backg."] {
            write!(self.output, " {name:>7}")?;
        }
        if self.are_cut_off {
            write!(self.output, " {:>7}", "cut off")?;
        }
        writeln!(self.output, " {:>8} {:>7}", "plies", "longest")
    }

    fn write(&mut self, row: &Row, tally: &Tally) -> io::Result<()> {
        if self.json {
            let row = RowJson {
                line: row.line,
                playouts: PlayoutsJson::new(&row.playouts, self.first_game, tally.games),
                policies: PoliciesJson::new(&self.players),
                lengths: LengthsJson::new(tally.mean_plies(), tally.longest),
                ends: EndsJson::new(tally),
            };
            return output::json_line(&mut self.output, &row);
        }
        let id = row.playouts.start().position_id().to_string();
        let equity = tally.equity();
        write!(self.output, "{:>8}  {id} {:>9}", row.line, tally.games)?;
        write!(
            self.output,
            " {:>+9.5} {:>8} {:>7.3}",
            equity.mean,
            decimals(equity.standard_error, 5),
            100.0 * tally.win().mean
        )?;
        for outcome in Outcome::ALL {
            write!(self.output, " {:>7}", tally.count(*outcome))?;
        }
        if self.are_cut_off {
            write!(self.output, " {:>7}", tally.unfinished())?;
        }
        let plies = tally.mean_plies().mean;
        writeln!(self.output, " {plies:>8.2} {:>7}", tally.longest)
    }
}
