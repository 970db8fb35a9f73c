//! The luck of rolls, by an evaluator, for variance reduction.

use core::ops::AddAssign;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use tavli_backgammon::evaluators::{EvaluationConditions, Evaluator, PlayValue, Probabilities};
use tavli_backgammon::stepping::RollBatch;
use tavli_backgammon::{Board, FirstRoll, Outcome, Planes, Roll, RuleSet, Stopped, Tier};

/// Positions whose plays are listed together, as in looking ahead.
const POSITIONS_PER_LISTING: usize = 32;

/// The most positions that are remembered, about 1 KiB each: enough for the 463 positions after the first two rolls of
/// a game, for several candidate plays.
const REMEMBERED: usize = 8192;

/// The probabilities after the best play of each roll of [`Roll::ALL`], in units of 2^-30.
type RollValues = [[i64; Outcome::COUNT]; Roll::ALL.len()];

/// The remembered values by rules and position.
type Remembered = HashMap<(RuleSet, Planes), Arc<RollValues>>;

/// The luck in the probability of each outcome, in units of 1 / [`Luck::ONE`].
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct LuckShares(pub [i64; Outcome::COUNT]);

impl AddAssign for LuckShares {
    fn add_assign(&mut self, more: LuckShares) {
        for (sum, more) in self.0.iter_mut().zip(more.0) {
            *sum += more;
        }
    }
}

/// Measures the luck of a roll: the value after its best play, minus the mean of this value over all rolls.
///
/// The evaluator's [`best_plays`](Evaluator::best_plays) finds the best play. A net with a [move
/// filter](crate::net::NetPlayer::after) finds it among the plays that pass.
///
/// The mean luck of a ply's rolls, each weighted by how often it is thrown, is exactly 0 in each probability, whatever
/// the evaluator and the players. So results minus luck have the same mean as the results, and with a good evaluator a
/// far smaller variance. The evaluator gets no seeds, since the mean is 0 only if a position has the same value before
/// every roll.
///
/// ```
/// use tavli_backgammon::playout::Throw;
/// use tavli_backgammon::stepping::RollBatch;
/// use tavli_backgammon::{Board, FirstRoll, NO_STOP, Roll, RuleSet, Tier};
/// use tavli_players::{Luck, named};
/// let luck = Luck::new(named::evaluator("sampled:1", NO_STOP)?);
/// let mut decisions = RollBatch::new(RuleSet::Backgammon);
/// for roll in Roll::THROWS {
///     decisions.push(&Board::START, Throw { roll, fraction: 0 })?;
/// }
/// let luck_by_throw = luck.measure(&decisions, &[FirstRoll::Any; 36], &|_| false, Tier::best(), NO_STOP)?;
/// assert_eq!(luck_by_throw.iter().map(|luck| luck.0[0]).sum::<i64>(), 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Luck {
    evaluator: Arc<dyn Evaluator>,
    /// The values that [`Luck::measure`] remembers.
    remembered: Arc<Mutex<Remembered>>,
}

impl Luck {
    /// The probability 1. The unit is so fine that the mean of 36 throws, and of the 30 without doubles, is an integer.
    pub const ONE: i64 = Luck::PARTS << 30;
    /// A common multiple of the 36 throws of a roll and the 30 throws of a first roll, which is not a double.
    pub const PARTS: i64 = 180;

    /// Measures luck by this evaluator.
    #[must_use]
    pub fn new(evaluator: Arc<dyn Evaluator>) -> Luck {
        Luck { evaluator, remembered: Arc::default() }
    }

    /// The evaluator that values the plays of each roll.
    #[must_use]
    pub fn evaluator(&self) -> &Arc<dyn Evaluator> {
        &self.evaluator
    }

    /// The luck of each decision's roll, for the player on roll. `thrown` says how each roll came about: a given roll
    /// has no luck, and a stratified roll counts as random, since over all seeds it is. The positions at indices for
    /// which `is_early` is true are remembered for all clones, up to 8,192 of them: early in games the same positions
    /// recur.
    ///
    /// # Errors
    /// [`Stopped`] if `stop`, which is called before every few decisions, returns true.
    ///
    /// # Panics
    /// If `thrown` does not have one entry for each decision.
    pub fn measure(
        &self,
        decisions: &RollBatch,
        thrown: &[FirstRoll],
        is_early: &dyn Fn(usize) -> bool,
        tier: Tier,
        stop: &dyn Fn() -> bool,
    ) -> Result<Vec<LuckShares>, Stopped> {
        assert_eq!(thrown.len(), decisions.len(), "one way for each decision");
        let conditions = EvaluationConditions::new(decisions.rules(), tier).with_stop(stop);
        let mut luck = vec![LuckShares::default(); decisions.len()];
        let is_luck = |index: &usize| !matches!(thrown[*index], FirstRoll::Given(_));
        let (early, late): (Vec<usize>, Vec<usize>) =
            (0..decisions.len()).filter(is_luck).partition(|&index| is_early(index));
        let mut add = |index: usize, roll_values: &RollValues| {
            luck[index] = LuckShares(less_mean(roll_values, decisions.rolls()[index], thrown[index]));
        };
        for indices in late.chunks(POSITIONS_PER_LISTING) {
            let positions = indices.iter().map(|&index| decisions.positions()[index]);
            let found = self.values_of_rolls(&conditions, positions)?;
            indices.iter().zip(&found).for_each(|(&index, roll_values)| add(index, roll_values));
        }
        let early_values = self.remembered(&conditions, early.iter().map(|&index| decisions.positions()[index]))?;
        early.iter().zip(&early_values).for_each(|(&index, roll_values)| add(index, roll_values));
        Ok(luck)
    }

    /// [`Luck::values_of_rolls`] of positions. Each is valued once and then remembered.
    fn remembered(
        &self,
        conditions: &EvaluationConditions<'_>,
        positions: impl Iterator<Item = Planes>,
    ) -> Result<Vec<Arc<RollValues>>, Stopped> {
        // A thread that panicked left the map whole.
        let remembered = || self.remembered.lock().unwrap_or_else(PoisonError::into_inner);
        let keys: Vec<_> = positions.map(|position| (conditions.rules(), position)).collect();
        let mut found: Vec<Option<Arc<RollValues>>> = {
            let remembered = remembered();
            keys.iter().map(|key| remembered.get(key).cloned()).collect()
        };
        let mut missing: Vec<(RuleSet, Planes)> = Vec::new();
        for (&key, found) in keys.iter().zip(&found) {
            if found.is_none() && !missing.contains(&key) {
                missing.push(key);
            }
        }
        // The lock is not held meanwhile: two threads that miss the same position find the same values.
        for missing in missing.chunks(POSITIONS_PER_LISTING) {
            let values = self.values_of_rolls(conditions, missing.iter().map(|&(_, position)| position))?;
            let mut remembered = remembered();
            for (key, roll_values) in missing.iter().zip(values) {
                let roll_values = Arc::new(roll_values);
                if remembered.len() < REMEMBERED {
                    remembered.insert(*key, Arc::clone(&roll_values));
                }
                let indices = keys.iter().zip(&mut found).filter(|&(other, _)| other == key);
                indices.for_each(|(_, found)| *found = Some(Arc::clone(&roll_values)));
            }
        }
        let found = found.into_iter();
        Ok(found.map(|found| found.expect("what was missing was valued")).collect())
    }

    /// The values after the best play of each roll, of a few positions.
    fn values_of_rolls(
        &self,
        conditions: &EvaluationConditions<'_>,
        positions: impl Iterator<Item = Planes>,
    ) -> Result<Vec<RollValues>, Stopped> {
        conditions.check()?;
        let (_, best) = self.best_plays_of_rolls(conditions, positions)?;
        let roll_values = best.chunks(Roll::ALL.len());
        Ok(roll_values.map(|best| core::array::from_fn(|roll| value_after(&best[roll]))).collect())
    }

    /// [`Luck::measure`] with the luck in further `values` of the same decisions, such as values with a cube. `values`
    /// gets the index of a decision, the position after the best play of a roll, seen by the player next on roll, and
    /// its value, and returns values for the player who made the play. Their luck is in units of 1 / [`Luck::PARTS`] of
    /// the unit of these values.
    ///
    /// # Errors
    /// As [`Luck::measure`].
    ///
    /// # Panics
    /// As [`Luck::measure`].
    pub fn measure_with<const N: usize>(
        &self,
        decisions: &RollBatch,
        thrown: &[FirstRoll],
        tier: Tier,
        stop: &dyn Fn() -> bool,
        values: &mut dyn FnMut(usize, &Planes, &Probabilities) -> [i64; N],
    ) -> Result<Vec<(LuckShares, [i64; N])>, Stopped> {
        assert_eq!(thrown.len(), decisions.len(), "one way for each decision");
        let conditions = EvaluationConditions::new(decisions.rules(), tier).with_stop(stop);
        let mut luck = vec![(LuckShares::default(), [0; N]); decisions.len()];
        let is_luck = |index: &usize| !matches!(thrown[*index], FirstRoll::Given(_));
        let indices: Vec<usize> = (0..decisions.len()).filter(is_luck).collect();
        for indices in indices.chunks(POSITIONS_PER_LISTING) {
            conditions.check()?;
            let positions = indices.iter().map(|&index| decisions.positions()[index]);
            let (mut all, best) = self.best_plays_of_rolls(&conditions, positions)?;
            let picks: Vec<u32> = best.iter().map(|best| best.index).collect();
            let after = all.make(&picks).expect("the best plays are plays");
            let decisions_with_plays = after.chunks(Roll::ALL.len()).zip(best.chunks(Roll::ALL.len())).zip(indices);
            for ((after, best), &index) in decisions_with_plays {
                let roll = decisions.rolls()[index];
                let roll_values: Vec<[i64; Outcome::COUNT]> = best.iter().map(value_after).collect();
                let further: Vec<[i64; N]> =
                    after.iter().zip(best).map(|(after, best)| values(index, after, &best.value)).collect();
                let thrown = thrown[index];
                luck[index] = (LuckShares(less_mean(&roll_values, roll, thrown)), less_mean(&further, roll, thrown));
            }
        }
        Ok(luck)
    }

    /// Decisions of each position with each roll, and the best play of each.
    fn best_plays_of_rolls(
        &self,
        conditions: &EvaluationConditions<'_>,
        positions: impl Iterator<Item = Planes>,
    ) -> Result<(RollBatch, Vec<PlayValue>), Stopped> {
        let mut all = RollBatch::new(conditions.rules()).with_tier(conditions.tier());
        for position in positions {
            let pushed = all.push_rolls(&Board::from(position));
            pushed.expect("a decision of a game that goes on");
        }
        all.list(self.evaluator.view_of_plays());
        let best = self.evaluator.best_plays(conditions, &all)?;
        Ok((all, best))
    }
}

/// The value after a play for the player who makes it, in units of 2^-30.
fn value_after(best: &PlayValue) -> [i64; Outcome::COUNT] {
    best.value.reversed().numbers().map(i64::from)
}

/// The values after a roll minus their means over all rolls that can be thrown.
fn less_mean<const N: usize>(roll_values: &[[i64; N]], roll: Roll, thrown: FirstRoll) -> [i64; N] {
    let weight = |any: Roll| match thrown {
        FirstRoll::Open if any.is_double() => 0,
        _ => i64::from(any.weight()),
    };
    let throws: i64 = Roll::ALL.into_iter().map(weight).sum();
    let mut luck = [0; N];
    for (any, values) in Roll::ALL.into_iter().zip(roll_values) {
        let own = if any == roll { Luck::PARTS } else { 0 };
        for (luck, value) in luck.iter_mut().zip(values) {
            *luck += (own - weight(any) * (Luck::PARTS / throws)) * value;
        }
    }
    luck
}
