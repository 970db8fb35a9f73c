//! Playouts of many positions in one batch.

use core::ops::Range;
use std::sync::Arc;

use tavli_base::Stopped;
use tavli_simd::{Tier, prefetch};
use thiserror::Error;

use super::start::{BatchStart, StartPosition};
use crate::outcome::Outcome;
use crate::playout::batch::Batch;
use crate::playout::batch_game::BatchEnd;
use crate::playout::dice::Dice;
use crate::playout::playouts::Playouts;
use crate::playout::source::BatchSource;
use crate::playout::tally::Tally;

/// Ended games that are counted together: meanwhile their tallies are fetched from memory.
const COUNTED_TOGETHER: usize = 16;

/// Rows are prefetched this far ahead of the one that begins.
const ROWS_AHEAD: usize = 8;

/// The games of one of [many positions](ManyPlayouts).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Row {
    /// The games are played.
    Played(Playouts),
    /// The game is over in the position: each has this outcome after no ply.
    Over(Outcome),
}

impl From<Playouts> for Row {
    fn from(playouts: Playouts) -> Row {
        Row::Played(playouts)
    }
}

/// Playouts whose rules or truncation differ from the first row's.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("row {row} has other rules or another truncation than the rows before it: play it in a batch of its own")]
pub struct MixedRowsError {
    /// The row, from 0.
    pub row: usize,
}

/// The playouts of many positions, to be played together. With a few games from each position, a batch is many times as
/// fast as one position after the other.
///
/// The rows have the same rules and the same truncation; their seeds and first rolls may differ.
///
/// ```
/// use tavli_backgammon::playout::ManyPlayouts;
/// use tavli_backgammon::{Board, NO_STOP, Play, Playouts, Plays, RuleSet, Tier};
///
/// // 36 games from the position behind each play of 31.
/// let plays = Plays::new(&Board::START, "31".parse()?, RuleSet::Backgammon).to_vec();
/// let after = |play: &Play| Playouts::new(play.board(), RuleSet::Backgammon, 1);
/// let rows = plays.iter().map(after).collect::<Result<Vec<Playouts>, _>>()?;
/// let tallies = ManyPlayouts::new(rows.iter().copied())?.run(Tier::best(), 0..36, NO_STOP)?;
/// for (row, tally) in rows.iter().zip(&tallies) {
///     assert_eq!(tally.outcomes, row.run(Tier::best(), 0..36, NO_STOP)?.tally.outcomes);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ManyPlayouts {
    rows: Arc<[Row]>,
    batch: Batch,
}

impl ManyPlayouts {
    /// The playouts of some rows.
    ///
    /// # Errors
    /// [`MixedRowsError`] if they cannot be played together.
    pub fn new(rows: impl IntoIterator<Item = impl Into<Row>>) -> Result<ManyPlayouts, MixedRowsError> {
        let rows: Arc<[Row]> = rows.into_iter().map(Into::into).collect();
        let mut batch = None;
        for (row, played) in rows.iter().enumerate() {
            if let Row::Played(playouts) = played
                && *batch.get_or_insert(playouts.batch()) != playouts.batch()
            {
                return Err(MixedRowsError { row });
            }
        }
        Ok(ManyPlayouts {
            rows,
            // Where no row is played, none asks for the rules.
            batch: batch.unwrap_or(Batch::new(Default::default())),
        })
    }

    /// The rows.
    #[must_use]
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// Plays the games of these numbers from each position. Returns a tally for each row, in their order. It equals
    /// that of [`Playouts::run`] for the row alone, except that [`Tally::plays`] is 0: plays are counted for a batch as
    /// a whole. The tier changes the speed, never the results.
    ///
    /// # Errors
    /// [`Stopped`] if `stop`, which is asked every few microseconds, says so before the end.
    ///
    /// # Panics
    /// If this CPU lacks the tier; see [`Tier::available`].
    pub fn run(&self, tier: Tier, games: Range<u64>, stop: &dyn Fn() -> bool) -> Result<Vec<Tally>, Stopped> {
        let trials = (self.rows.len() as u64).saturating_mul(games.end.saturating_sub(games.start));
        if trials == 0 {
            return Ok(vec![Tally::default(); self.rows.len()]);
        }
        self.run_part(tier, games, 0..trials, stop)
    }

    /// Plays a part of the trials of [`ManyPlayouts::run`], which are numbered row by row: with `n` games of each row,
    /// trial `t` is a game of row `t / n`. Returns the tallies from the row of the first trial to the row of the last.
    ///
    /// # Errors
    /// As [`ManyPlayouts::run`].
    ///
    /// # Panics
    /// If this CPU lacks the tier; see [`Tier::available`]. If there are trials and `games` is empty, or there are
    /// fewer rows.
    pub fn run_part(
        &self,
        tier: Tier,
        games: Range<u64>,
        trials: Range<u64>,
        stop: &dyn Fn() -> bool,
    ) -> Result<Vec<Tally>, Stopped> {
        if trials.is_empty() {
            return Ok(Vec::new());
        }
        let count = trials.end - trials.start;
        let parts = self.parts(games, trials);
        let mut source = RowSource {
            tallies: Vec::with_capacity(parts.size_hint().0),
            parts,
            dice: None,
            current: None,
            uncounted: Vec::with_capacity(COUNTED_TOGETHER),
        };
        self.batch.play(tier, &mut source, stop);
        // The last ends still wait, fewer than are counted together.
        source.count();
        match source.tallies.iter().map(|tally| tally.games).sum::<u64>() == count {
            true => Ok(source.tallies),
            false => Err(Stopped),
        }
    }

    /// The rows of a part of the trials, which are numbered as by [`ManyPlayouts::run_part`], with the games of
    /// each that are in the part.
    pub(crate) fn parts(&self, games: Range<u64>, trials: Range<u64>) -> impl Iterator<Item = (&Row, Range<u64>)> {
        let of_row = games.end - games.start;
        let rows = if trials.is_empty() { 0..0 } else { trials.start / of_row..(trials.end - 1) / of_row + 1 };
        rows.map(move |row| {
            // Rows are read in their order, but too far apart in time for the CPU to see it.
            prefetch(&self.rows, row as usize + ROWS_AHEAD);
            let first = row * of_row;
            let start = trials.start.max(first) - first;
            let end = (trials.end - first).min(of_row);
            (&self.rows[row as usize], games.start + start..games.start + end)
        })
    }
}

/// The trials of some rows, row by row.
struct RowSource<'a, P> {
    /// The rows not begun, and the games of each.
    parts: P,
    /// The dice of the current row, and a row for which they were made.
    dice: Option<(Dice, &'a Playouts)>,
    /// The position of the current row, and its games that are still to begin.
    current: Option<(StartPosition, Range<u64>)>,
    /// The tallies of the rows begun.
    tallies: Vec<Tally>,
    /// Games that have ended since tallies were last added to.
    uncounted: Vec<BatchEnd>,
}

impl<P> RowSource<'_, P> {
    /// Adds the games that have ended to the tallies of their rows.
    fn count(&mut self) {
        for end in self.uncounted.drain(..) {
            self.tallies[end.tag() as usize].add(end.outcome(), end.plies());
        }
    }
}

impl<'a, P: Iterator<Item = (&'a Row, Range<u64>)>> RowSource<'a, P> {
    /// Begins the next row that is played.
    fn begin(&mut self) -> Option<()> {
        loop {
            let (row, games) = self.parts.next()?;
            match row {
                Row::Over(outcome) => {
                    let count = games.end - games.start;
                    self.tallies.push(Tally::certain(*outcome, count));
                }
                Row::Played(playouts) => {
                    self.tallies.push(Tally::default());
                    // Rows mostly have the dice of the row before, and stratified ones take two shuffles.
                    if !self.dice.is_some_and(|(_, of)| of.has_dice_of(playouts)) {
                        self.dice = Some((playouts.dice(), playouts));
                    }
                    self.current = Some((playouts.position(), games));
                    return Some(());
                }
            }
        }
    }
}

impl<'a, P: Iterator<Item = (&'a Row, Range<u64>)>> BatchSource for RowSource<'a, P> {
    fn next(&mut self) -> Option<BatchStart> {
        loop {
            if let (Some((position, games)), Some((dice, _))) = (&mut self.current, &self.dice)
                && let Some(game) = games.next()
            {
                let tag = self.tallies.len() as u64 - 1;
                return Some(BatchStart::new(position, dice, game, tag));
            }
            self.begin()?;
        }
    }

    fn end(&mut self, end: &BatchEnd) {
        // The tallies of many rows are not in the cache: without this, waiting for one took a fifth of the time of 1
        // game from each of 50,000 positions (profiles/LOG.md, 2026-11-29).
        prefetch(&self.tallies, end.tag() as usize);
        self.uncounted.push(*end);
        if self.uncounted.len() == COUNTED_TOGETHER {
            self.count();
        }
    }
}
