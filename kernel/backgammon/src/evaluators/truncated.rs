//! Games to a horizon.

use core::ops::Range;

use tavli_simd::Tier;

use crate::board::Planes;
use crate::evaluation_conditions::EvaluationConditions;
use crate::evaluator::Evaluator;
use crate::playout::{Playouts, Results};
use crate::policies::{Observer, PolicyPair};
use crate::probabilities::ValueSum;
use tavli_base::Stopped;

/// Plays games by number, has the evaluator value those that are cut off at the [truncation](Playouts::truncated_after)
/// of the playouts, each by [its own seed](Playouts::seed_of_game), and sums the values of all games for the player on
/// roll in the first position.
///
/// The sum over two ranges of games is the sum of both sums. It depends on no batch, thread or tier.
///
/// ```
/// use core::num::NonZeroU32;
/// use tavli_backgammon::evaluators::{Sampled, play_truncated};
/// use tavli_backgammon::policies::{PolicyPair, built_in};
/// use tavli_backgammon::{Board, NO_STOP, Playouts, RuleSet, Tier};
/// let pubeval = PolicyPair::alike(built_in("pubeval")?);
/// let plies = NonZeroU32::new(7).expect("not 0");
/// let playouts = Playouts::new(Board::START, RuleSet::Backgammon, 1)?.truncated_after(plies);
/// let games = NonZeroU32::new(12).expect("not 0");
/// let evaluator = Sampled::new(built_in("pubeval")?, games, 2);
/// let tier = Tier::best();
/// let (results, values) = play_truncated(&playouts, &pubeval, &evaluator, tier, 0..50, NO_STOP)?;
/// assert_eq!(results.tally.unfinished(), 50);
/// assert!(values.equity().mean.abs() < 1.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`Stopped`] if `stop` says so before the end.
///
/// # Panics
/// If this CPU lacks the tier.
pub fn play_truncated(
    playouts: &Playouts,
    players: &PolicyPair,
    evaluator: &dyn Evaluator,
    tier: Tier,
    games: Range<u64>,
    stop: &dyn Fn() -> bool,
) -> Result<(Results, ValueSum), Stopped> {
    let mut ends = Vec::new();
    let results = players.run_observed(playouts, tier, games, Observer::collecting(&mut ends), stop)?;
    // The games that ended; those that were cut off follow with their values.
    let mut sum = ValueSum::from_tally(&results.tally);
    ends.retain(|end| end.outcome.is_none());
    let positions: Vec<Planes> = ends.iter().map(|end| end.board.into()).collect();
    let seeds = ends.iter().map(|end| playouts.seed_of_game(end.game));
    let seeds: Vec<u64> = seeds.collect();
    let conditions = EvaluationConditions::new(playouts.rules(), tier);
    let conditions = conditions.with_stop(stop).seeded(Some(&seeds));
    let values = evaluator.evaluated(&conditions, &positions)?;
    for (end, value) in ends.iter().zip(&values) {
        sum.add(&value.seen_by_first_player(end.plies));
    }
    Ok((results, sum))
}
