//! The strata of a rollout's games, by their first throws, and the effect of strata on a mean's error.

use crate::ask::playout_settings::PlayoutSettings;
use tavli_backgammon::Roll;
use tavli_backgammon::playout::{FirstRoll, StratifiedThrows};
use tavli_trials::{TRIALS_PER_BLOCK, Variance};

const ROLLS: usize = Roll::ALL.len();

/// Classes of strata: whether the first and the second roll are doubles. The throws of a class come up equally
/// often in each of its strata.
pub(crate) const DOUBLES_CLASSES: usize = 4;

/// With fewer games the first rolls are too few to estimate how much they decide.
const MIN_STRATIFIED_TRIALS: u64 = 72;

/// How a rollout's games are divided by the rolls they begin with: into the 441 pairs of distinct rolls if first rolls
/// are stratified, and otherwise into one stratum.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Strata {
    throws: Option<StratifiedThrows>,
}

/// The throws as indices of [`Roll::ALL`].
const THROW_ROLLS: [u8; 36] = {
    let mut rolls = [0; 36];
    let mut throw = 0;
    while throw < 36 {
        let roll = Roll::THROWS[throw];
        let high = roll.high() as usize;
        // Rolls with a smaller high die: 0, 1, 3, 6, ...
        rolls[throw] = (high * (high - 1) / 2 + roll.low() as usize - 1) as u8;
        throw += 1;
    }
    rolls
};

fn doubles_class_of_rolls(first: usize, second: usize) -> usize {
    usize::from(Roll::ALL[first].is_double()) * 2 + usize::from(Roll::ALL[second].is_double())
}

impl Strata {
    pub(crate) fn new(settings: &PlayoutSettings) -> Strata {
        Strata { throws: (settings.first_roll == FirstRoll::Stratified).then(|| StratifiedThrows::new(settings.seed)) }
    }

    pub(crate) fn count(self) -> usize {
        match self.throws {
            Some(_) => ROLLS * ROLLS,
            None => 1,
        }
    }

    #[inline]
    pub(crate) fn of_game(self, game: u64) -> usize {
        let Some(throws) = self.throws else {
            return 0;
        };
        let [first, second] = throws.of_game(game).map(|throw| usize::from(THROW_ROLLS[throw]));
        first * ROLLS + second
    }

    #[inline]
    pub(crate) fn class(self, stratum: usize) -> usize {
        match self.throws {
            Some(_) => doubles_class_of_rolls(stratum / ROLLS, stratum % ROLLS),
            None => 0,
        }
    }

    /// How many games of a range fall into each stratum.
    pub(crate) fn sizes(self, games: core::ops::Range<u64>) -> Vec<u64> {
        let count = games.end - games.start;
        let mut sizes = vec![0; self.count()];
        if self.throws.is_none() {
            sizes[0] = count;
            return sizes;
        }
        // The pairs of throws repeat after 1,296 games: any 1,296 in a row have each pair once, wherever they begin.
        for game in games.start..games.start + count % TRIALS_PER_BLOCK {
            sizes[self.of_game(game)] += 1;
        }
        for (stratum, size) in sizes.iter_mut().enumerate() {
            let weight = Roll::ALL[stratum / ROLLS].weight() * Roll::ALL[stratum % ROLLS].weight();
            *size += count / TRIALS_PER_BLOCK * u64::from(weight);
        }
        sizes
    }

    /// The variances of a value; [the formula](crate::guide#standard-errors). NaN below two games.
    pub(crate) fn variance(self, sample: &Sample) -> Variance {
        let trials: u64 = sample.sizes.iter().sum();
        let n = trials as f64;
        let mut all = Within { squares: sample.squares.iter().sum(), freedom: 0 };
        all.take_group(trials, sample.sums.iter().sum());
        let within_trials = if all.freedom > 0 { all.squares.max(0.0) / all.freedom as f64 } else { f64::NAN };
        if self.throws.is_none() || trials < MIN_STRATIFIED_TRIALS {
            return Variance { of_trial: within_trials, of_mean: within_trials / n };
        }
        let within_first = sample.within(CommonRolls::First, within_trials);
        let within_second = sample.within(CommonRolls::Second, within_trials);
        let within_both = sample.within(CommonRolls::Both, within_first);
        // The part of a trial's variance without the first roll, without the second, and without either.
        let least = within_both.min(within_trials);
        // From 72 trials on no variance is NaN, and `least` is at most `within_trials`: the clamp cannot panic.
        let additive = (within_first + within_second - within_trials).clamp(least, within_trials);
        let (of_rolls, of_pairs) = (within_trials - additive, additive - least);
        let blocks = (trials - trials % TRIALS_PER_BLOCK) as f64;
        let rows = (trials % TRIALS_PER_BLOCK / 36) as f64;
        let others = (trials % 36) as f64;
        let of_pairs = of_pairs * (1.0 - rows / 36.0);
        // Whole blocks have hardly any error. A few games beyond them then make most of it, and it is not normally
        // distributed.
        let caution = if blocks > 0.0 { 2.0 } else { 1.0 };
        let of_others = caution * (of_pairs + of_rolls * (1.0 - others / 36.0));
        let of_sum = blocks * within_both + 36.0 * rows * (least + of_pairs) + others * (least + of_others);
        Variance { of_trial: within_trials, of_mean: of_sum / (n * n) }
    }
}

/// A value of the games of a rollout.
pub(crate) struct Sample<'a> {
    /// Games by stratum.
    pub(crate) sizes: &'a [u64],
    /// The sums of the value by stratum.
    pub(crate) sums: &'a [f64],
    /// The sums of its square by class of strata.
    pub(crate) squares: [f64; DOUBLES_CLASSES],
}

impl Sample<'_> {
    /// The variance among games that begin with the same rolls, pooled over a class and averaged over the classes by
    /// their share of the throws. `prior` counts in each class like one degree of freedom, and is the result if there
    /// is nothing to compare.
    fn within(&self, rolls: CommonRolls, prior: f64) -> f64 {
        let mut classes = [Within::default(); DOUBLES_CLASSES];
        for (class, squares) in self.squares.into_iter().enumerate() {
            classes[rolls.class(class)].squares += squares;
        }
        let mut groups = vec![(0, 0.0); self.sizes.len()];
        for (stratum, (size, sum)) in self.sizes.iter().zip(self.sums).enumerate() {
            let group = &mut groups[rolls.representative(stratum)];
            group.0 += size;
            group.1 += sum;
        }
        for (stratum, (size, sum)) in groups.into_iter().enumerate() {
            let class = doubles_class_of_rolls(stratum / ROLLS, stratum % ROLLS);
            classes[rolls.class(class)].take_group(size, sum);
        }
        let variances = classes.iter().enumerate().map(|(class, within)| {
            // The sum of squares minus the squares of the means may be rounded to slightly below 0.
            let squares = within.squares.max(0.0) + prior;
            rolls.share(class) * squares / (within.freedom + 1) as f64
        });
        variances.sum()
    }
}

/// The rolls that games have in common.
#[derive(Clone, Copy)]
enum CommonRolls {
    First,
    Second,
    Both,
}

impl CommonRolls {
    /// The representative of all strata that have these rolls in common: the other roll is 11.
    fn representative(self, stratum: usize) -> usize {
        match self {
            CommonRolls::First => stratum / ROLLS * ROLLS,
            CommonRolls::Second => stratum % ROLLS,
            CommonRolls::Both => stratum,
        }
    }

    /// The part of the class that these rolls decide.
    fn class(self, class: usize) -> usize {
        match self {
            CommonRolls::First => class & 2,
            CommonRolls::Second => class & 1,
            CommonRolls::Both => class,
        }
    }

    /// The share of a class of these rolls in the throws.
    fn share(self, class: usize) -> f64 {
        let share = |double: bool| if double { 1.0 / 6.0 } else { 5.0 / 6.0 };
        let (first, second) = (share(class & 2 != 0), share(class & 1 != 0));
        match self {
            CommonRolls::First if class & 1 == 0 => first,
            CommonRolls::Second if class & 2 == 0 => second,
            CommonRolls::Both => first * second,
            CommonRolls::First | CommonRolls::Second => 0.0,
        }
    }
}

/// Squared deviations from the means of groups.
#[derive(Clone, Copy, Default)]
struct Within {
    squares: f64,
    freedom: u64,
}

impl Within {
    /// Takes the squares of a group's values as squares of deviations from its mean.
    fn take_group(&mut self, size: u64, sum: f64) {
        if size > 0 {
            self.squares -= sum * sum / size as f64;
            self.freedom += size - 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strata(first_roll: FirstRoll) -> Strata {
        Strata::new(&PlayoutSettings { first_roll, ..PlayoutSettings::default() })
    }

    #[test]
    fn sizes_are_those_of_the_games() {
        let stratified = strata(FirstRoll::Stratified);
        for games in [0..0, 5..6, 1296..2592, 100..1500, (1 << 40)..(1 << 40) + 5000] {
            let mut counted = vec![0; stratified.count()];
            for game in games.clone() {
                counted[stratified.of_game(game)] += 1;
            }
            assert_eq!(stratified.sizes(games.clone()), counted, "{games:?}");
        }
        assert_eq!(strata(FirstRoll::Any).sizes(7..20), [13]);
    }

    #[test]
    fn throws_are_rolls() {
        for (throw, &roll) in THROW_ROLLS.iter().enumerate() {
            assert_eq!(Roll::ALL[usize::from(roll)], Roll::THROWS[throw]);
        }
    }

    /// The variances of a value that the stratum decides, over the first games.
    fn of_decided(games: u64, value: impl Fn(usize) -> f64) -> Variance {
        let stratified = strata(FirstRoll::Stratified);
        let sizes = stratified.sizes(0..games);
        let sum = |(stratum, &size): (usize, &u64)| value(stratum) * size as f64;
        let sums: Vec<f64> = sizes.iter().enumerate().map(sum).collect();
        let mut squares = [0.0; DOUBLES_CLASSES];
        for (stratum, sum) in sums.iter().enumerate() {
            squares[stratified.class(stratum)] += value(stratum) * sum;
        }
        stratified.variance(&Sample { sizes: &sizes, sums: &sums, squares })
    }

    #[test]
    fn what_the_first_rolls_decide_has_hardly_an_error() {
        // In whole blocks any value has hardly an error; in whole rows, the values that one of the rolls decides alone.
        let either = |stratum: usize| (stratum / ROLLS * 2 + stratum % ROLLS) as f64;
        let both = |stratum: usize| (stratum / ROLLS * (stratum % ROLLS)) as f64;
        for (games, variance, least) in [
            (2 * TRIALS_PER_BLOCK, of_decided(2 * TRIALS_PER_BLOCK, both), 0.02),
            (10 * 36, of_decided(10 * 36, either), 0.05),
        ] {
            let alone = variance.of_trial / games as f64;
            assert!(variance.of_mean < least * alone, "{games}: {variance:?}, {alone}");
        }
        // A few games do not show how much their rolls decide.
        let few = of_decided(40, either);
        assert_eq!(few.of_mean, few.of_trial / 40.0);
    }

    #[test]
    fn a_value_that_never_differs_has_no_variance() {
        for games in [2, 36, 100, 5000] {
            let variance = of_decided(games, |_| -1.0);
            assert!(variance.of_trial < 1e-12 && variance.of_mean < 1e-12);
        }
        assert!(of_decided(1, |_| 1.0).of_mean.is_nan());
    }
}
