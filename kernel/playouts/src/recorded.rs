//! Runs whose games are written, each on a line.

use core::ops::Range;
use std::io::{self, Write};

use tavli_run::{Progress, RunStats, Scheduler, Workers};

/// The most parts per worker of a recorded run that are unfinished or wait for an earlier part.
// Records are written in order, so a slow part holds back the ones after it. Twice the two parts that a worker may have
// ahead keep it busy meanwhile; what the window takes is bounded by `RECORD_MEMORY`.
const WINDOW: usize = 4;
/// Memory for the records of the games in the window.
// Some 19,000 games: on few workers a part fills the 2,048 lanes of a batch several times.
const RECORD_MEMORY: usize = 4 << 20;
/// Bytes that the line of a game may take. The longest line of the command's own format is 42 bytes.
const BYTES_PER_LINE: usize = 48;

/// Plays ranges of games on the workers by `play`, which also appends a line for each game to a text, and writes the
/// lines to `output`, in order of the games' numbers. A record has `record_bytes` bytes. `take` gets the results of
/// each range. Memory does not grow with the number of games, and a slow `output` slows the run down.
///
/// # Errors
/// The error of `output`, which ends the run.
pub(crate) fn each_recorded<R: Send + 'static>(
    scheduler: Scheduler<'_>,
    workers: &Workers,
    record_bytes: usize,
    play: impl Fn(Range<u64>, &mut Vec<u8>) -> Option<R> + Send + Sync + 'static,
    mut take: impl FnMut(R),
    mut progress: impl FnMut(&Progress),
    output: &mut dyn Write,
) -> io::Result<RunStats> {
    // A game has its record, and its line in each of the parts of the window.
    let bytes_per_game = record_bytes + BYTES_PER_LINE * WINDOW;
    let most = (RECORD_MEMORY / (bytes_per_game * workers.count())) as u64;
    let scheduler = scheduler.with_sizes(1..=most).with_window(WINDOW * workers.count());
    let spent = scheduler.each(
        move |games| {
            let mut lines = Vec::new();
            let part = play(games, &mut lines)?;
            Some((part, lines))
        },
        |(part, lines)| {
            take(part);
            output.write_all(&lines)
        },
        &mut progress,
    )?;
    output.flush()?;
    Ok(spent)
}
