//! `tavli playout --positions`: games from each position of a file.

use std::io::{self, BufWriter, Write};
use std::num::NonZeroU64;
use std::path::Path;

use tavli::games::{GameOutcome, PlayableGame};
use tavli_terminal::batches::Batches;
use tavli_terminal::failure::Failure;
use tavli_terminal::interrupt;
use tavli_terminal::line_reader::Input;
use tavli_terminal::numbers::{counted, decimals};
use tavli_terminal::output::{self, TextOutput};

use super::arguments::PlayoutArguments;
use super::description::PlayoutDescription;
use super::json::RunJson;
use super::playing::PlayoutGame;
use super::summary::Summary;

/// The default number of games of each position: one per throw.
const GAMES_OF_EACH: NonZeroU64 = NonZeroU64::new(36).expect("not 0");

/// Plays the games of a file, or of standard input, and prints one line per position.
pub(super) fn run<P: PlayoutGame>(arguments: &PlayoutArguments, mut playing: P, path: &Path) -> Result<(), Failure> {
    // Before the switch: a signal ends the process while a large table is made.
    playing.load()?;
    let cancel = interrupt::cancel_on_interrupt()?;
    let lines = Input::open(path)?.read()?;
    let (workers, header) = arguments.machine.start()?;
    let mut table = PositionsTable {
        output: BufWriter::new(output::stdout()),
        first_game: arguments.first_game,
        json: arguments.format.json,
        are_cut_off: arguments.truncate.is_some(),
        position: P::POSITION,
        width: playing.width(),
    };
    if !table.json {
        writeln!(table.output, "{header}\n")?;
        table.write_names(P::Game::OUTCOMES)?;
        table.output.flush()?;
    }
    let mut batches = Batches::new(lines, &cancel);
    let start = |line: u64, text: &str| {
        let start = playing.start_of_line(text)?;
        let row = (line, playing.settings(&start));
        Ok((start, row))
    };
    let games = arguments.games.unwrap_or(GAMES_OF_EACH).get();
    let mut written = 0_u64;
    let mut is_last = false;
    while !is_last {
        let batch;
        (batch, is_last) = batches.next(P::POSITIONS_PER_BATCH, start)?;
        let number = batch.len();
        let (starts, rows): (Vec<_>, Vec<_>) = batch.into_iter().unzip();
        let summaries = playing.play_each(starts, games, &workers, &cancel)?;
        let complete = summaries.len();
        for ((line, settings), summary) in rows.into_iter().zip(&summaries) {
            table.write(line, settings, summary)?;
        }
        table.output.flush()?;
        written += complete as u64;
        if cancel.is_cancelled() && (complete < number || !is_last) {
            let written = counted(written, "position", "positions");
            output::write_message(format_args!("interrupted after {written}, whose games are all played"));
            break;
        }
    }
    batches.have_answers()?;
    match cancel.is_cancelled() {
        true => interrupt::check_has_result(written),
        false => Ok(()),
    }
}

/// The output of the results.
struct PositionsTable {
    output: BufWriter<TextOutput>,
    first_game: u64,
    json: bool,
    /// Whether games may be cut off; the outcomes then do not add up to all games.
    are_cut_off: bool,
    /// The heading of positions, and the width of their column.
    position: &'static str,
    width: usize,
}

impl PositionsTable {
    fn write_names(&mut self, outcomes: &[GameOutcome]) -> io::Result<()> {
        let PositionsTable { position, width, .. } = *self;
        write!(self.output, "{:>8}  {position:<width$} {:>9}", "line", "games")?;
        write!(self.output, " {:>9} {:>8} {:>7}", "equity", "±", "wins %")?;
        for outcome in outcomes {
            // Wins come first, so that the last word tells the outcomes apart.
            let name = outcome.name.rsplit('_').next().unwrap_or(outcome.name);
            match name.len() {
                0..=7 => write!(self.output, " {name:>7}")?,
                _ => write!(self.output, " {:>7}", format!("{}.", &name[..5]))?,
            }
        }
        if self.are_cut_off {
            write!(self.output, " {:>7}", "cut off")?;
        }
        writeln!(self.output, " {:>8} {:>7}", "plies", "longest")
    }

    fn write(&mut self, line: u64, settings: PlayoutDescription, summary: &Summary) -> io::Result<()> {
        if self.json {
            let row = RunJson::from_line(line, settings, self.first_game, summary);
            return output::json_line(&mut self.output, &row);
        }
        let (position, width) = (&*settings.start.position, self.width);
        write!(self.output, "{line:>8}  {position:<width$} {:>9}", summary.games)?;
        write!(
            self.output,
            " {:>+9.5} {:>8} {:>7.3}",
            summary.equity.mean,
            decimals(summary.equity.standard_error, 5),
            100.0 * summary.win.mean
        )?;
        for outcome in &summary.outcomes {
            write!(self.output, " {:>7}", outcome.games)?;
        }
        if self.are_cut_off {
            write!(self.output, " {:>7}", summary.unfinished)?;
        }
        let plies = summary.mean_plies.mean;
        writeln!(self.output, " {plies:>8.2} {:>7}", summary.longest)
    }
}
