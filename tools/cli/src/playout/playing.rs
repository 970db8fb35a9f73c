//! What the command needs from a game's playouts.

use std::io::{self, Write};

use tavli::games::PlayableGame;
use tavli::run::{Cancel, CountGamesWithEnds, CountRows, Limit, PlayoutReport, Progress, Run, Workers};
use tavli_terminal::failure::Failure;
use tavli_terminal::progress::Bar;

use super::description::PlayoutDescription;
use super::summary::Summary;

/// A run that plays, and writes the line of each game to the output, if there is one.
pub(super) type PreparedRun =
    Box<dyn FnOnce(&Workers, &mut dyn FnMut(&Progress), Option<&mut dyn Write>) -> io::Result<PlayoutReport<Summary>>>;

/// The games of a position from number `first_game` on. `line` appends the line of a game.
pub(super) fn prepared<S: CountGamesWithEnds>(
    playouts: S,
    (first_game, limit): (u64, Limit),
    cancel: &Cancel,
    line: impl Fn(&S::End, &mut Vec<u8>) + Send + Sync + 'static,
    summary: impl FnOnce(&S::Counts) -> Summary + 'static,
) -> Result<PreparedRun, Failure> {
    let run = Run::new(playouts, limit).cancelled_by(cancel);
    let run = run.from_game(first_game).map_err(Failure::usage)?;
    Ok(Box::new(move |workers, progress, records| {
        let report = match records {
            Some(output) => run.play_with_lines(workers, progress, line, output)?,
            None => run.play(workers, progress),
        };
        Ok(report.map(|counts| summary(&counts)))
    }))
}

/// Plays `games` games of each position from number `first_game` on. Returns the results of the positions that are
/// complete, from the first on.
pub(super) fn play_rows<S: CountRows>(
    rows: S,
    (first_game, games): (u64, u64),
    workers: &Workers,
    cancel: &Cancel,
    summary: impl Fn(&S::Tally) -> Summary,
) -> Result<Vec<Summary>, Failure> {
    let run = Run::from_rows(rows, first_game, games).map_err(Failure::usage)?;
    let bar = Bar::new();
    let report = run.cancelled_by(cancel).play(workers, |progress| bar.show(progress));
    Ok(report.results.iter().map(summary).collect())
}

/// The playouts of a game, as the arguments have them.
pub(super) trait PlayoutGame {
    type Game: PlayableGame;
    /// A position, and how its games begin.
    type Start;

    /// The heading of positions in a table.
    const POSITION: &'static str;
    /// Positions played in one batch: enough to fill it, few enough for memory and for early results.
    const POSITIONS_PER_BATCH: usize;

    /// Reads the players and tables. This may take long: until it is done a signal should end the program at once.
    fn load(&mut self) -> Result<(), Failure>;

    /// The start that the command line names, or the start of a game.
    fn start(&self, position: Option<&str>) -> Result<Self::Start, Failure>;

    /// The start that a line of a file names.
    fn start_of_line(&self, text: &str) -> Result<Self::Start, String>;

    /// The settings of games from a start.
    fn settings(&self, start: &Self::Start) -> PlayoutDescription;

    /// The usual number of characters of a position.
    fn width(&self) -> usize;

    /// The games of a start to this limit.
    fn prepare(&self, start: &Self::Start, limit: Limit, cancel: &Cancel) -> Result<PreparedRun, Failure>;

    /// Plays `games` games of each start. Returns the results of those that are complete, from the first on.
    fn play_each(
        &self,
        starts: Vec<Self::Start>,
        games: u64,
        workers: &Workers,
        cancel: &Cancel,
    ) -> Result<Vec<Summary>, Failure>;

    /// Prints what the speed of a run may be compared with.
    fn compare(&self, start: &Self::Start, report: &PlayoutReport<Summary>, output: &mut dyn Write) -> io::Result<()> {
        let _ = (start, report, output);
        Ok(())
    }
}
