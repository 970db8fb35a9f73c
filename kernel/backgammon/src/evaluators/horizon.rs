//! Games to a horizon.

use core::ops::Range;

use tavli_simd::Tier;

use super::{Evaluator, Probabilities, ValueSum};
use crate::board::Planes;
use crate::outcome::Outcome;
use crate::playout::{Playouts, Results};
use crate::policies::Players;

/// Plays games by number, has the evaluator value those that are cut off at the [truncation](Playouts::truncated_after) of
/// the playouts, and sums the values of all games for the player on roll in the first position.
///
/// The sum over two ranges of games is the sum of theirs: it depends on no batch, thread or tier.
///
/// ```
/// use core::num::NonZeroU32;
/// use tavli_backgammon::evaluators::{Sampled, play_to_horizon};
/// use tavli_backgammon::policies::{Players, built_in};
/// use tavli_backgammon::{Board, Playouts, RuleSet, Tier};
/// let pubeval = Players::alike(built_in("pubeval")?);
/// let plies = NonZeroU32::new(7).expect("not 0");
/// let playouts = Playouts::new(Board::START, RuleSet::Backgammon, 1)?.truncated_after(plies);
/// let games = NonZeroU32::new(12).expect("not 0");
/// let evaluator = Sampled::new(built_in("pubeval")?, games, 2);
/// let (results, values) = play_to_horizon(&playouts, &pubeval, &evaluator, Tier::best(), 0..50);
/// assert_eq!(results.tally.unfinished(), 50);
/// assert!(values.equity().mean.abs() < 1.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Panics
/// If this CPU lacks the tier.
pub fn play_to_horizon(
    playouts: &Playouts,
    players: &Players,
    evaluator: &dyn Evaluator,
    tier: Tier,
    games: Range<u64>,
) -> (Results, ValueSum) {
    let mut records = Vec::new();
    let results = players.run_recorded(playouts, tier, games, &mut records);
    let mut sum = ValueSum::of_tally(&results.tally);
    records.retain(|record| record.outcome.is_none());
    let positions: Vec<Planes> = records.iter().map(|record| record.board.into()).collect();
    let mut values = vec![Probabilities::certain(Outcome::WinSingle); positions.len()];
    evaluator.evaluate(playouts.rules(), tier, &positions, &mut values);
    for (record, value) in records.iter().zip(&values) {
        sum.add(&value.for_first(record.plies));
    }
    (results, sum)
}
