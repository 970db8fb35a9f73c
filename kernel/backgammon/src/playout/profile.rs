//! Where the time of playouts goes, for work on their speed.
//!
//! **Not a stable interface.** The stages are those of the batch as it is built today. They change with it, and such a
//! change is not a breaking one. Everything else of the library keeps its promises without this module.

use core::hint::black_box;
use core::ops::Range;

pub use super::plain_plies::{PlainPlies, PlainStage};
pub use super::stages::{BatchStage, BatchTimes, PoolTimes};
use crate::playout::playouts::Playouts;
use crate::playout::results::Results;
use crate::plays::Plays;
use tavli_simd::Tier;

/// Plays games as [`Playouts::run`] does, and takes the time of each [stage](BatchStage). Returns `None`, and plays
/// nothing, on [`Tier::Portable`]: it plays each game by itself, and a stage of one ply is over before a clock can be
/// read twice. [`PlainPlies`] are its stages.
///
/// Each stage goes through all games before the next begins, whereas [`Playouts::run`] takes groups of games through
/// some stages. This, and reading the clock, slow the run down by a few percent. The times exclude the readings.
///
/// ```
/// use tavli_backgammon::profile::{self, BatchStage};
/// use tavli_backgammon::{Board, NO_STOP, Playouts, RuleSet, Tier};
/// let playouts = Playouts::new(Board::START, RuleSet::Backgammon, 1)?;
/// if let Some((results, times)) = profile::run(&playouts, Tier::best(), 0..1000) {
///     assert_eq!(results, playouts.run(Tier::best(), 0..1000, NO_STOP)?);
///     assert_eq!(times.early.plies + times.late.plies, results.tally.plies);
///     for &stage in BatchStage::ALL {
///         println!("{stage}: {:?} and {:?}", times.early.time_of(stage), times.late.time_of(stage));
///     }
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Panics
/// If this CPU lacks the tier; see [`Tier::available`].
#[must_use]
pub fn run(playouts: &Playouts, tier: Tier, games: Range<u64>) -> Option<(Results, BatchTimes)> {
    playouts.run_timed(tier, games)
}

/// Makes all plays of a roll, one after the other, and returns their number: [`Plays::for_each`] with a listener that
/// keeps nothing. It is compiled here, once, where each call of `for_each` takes seconds to compile.
///
/// ```
/// use tavli_backgammon::{Board, Plays, RuleSet, profile};
/// let plays = Plays::new(&Board::START, "31".parse()?, RuleSet::Backgammon);
/// assert_eq!(profile::enumerate(&plays), plays.len());
/// # Ok::<(), tavli_backgammon::RollError>(())
/// ```
#[must_use]
pub fn enumerate(plays: &Plays) -> usize {
    let mut count = 0;
    plays.for_each(|play| {
        black_box(&play.board());
        count += 1;
    });
    count
}
