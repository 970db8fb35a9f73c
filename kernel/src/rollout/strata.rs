//! The strata of a rollout's games: which throws they begin with, and what that does to a mean's error.

use crate::dice::Roll;
use crate::playout::FirstRoll;

/// Distinct rolls.
const ROLLS: usize = Roll::ALL.len();

/// Games in which each pair of first throws comes up once.
pub(super) const BLOCK: u64 = 36 * 36;

/// Classes of strata: whether the first and the second roll are doubles. The throws of a class come up equally
/// often in each of its strata.
pub(super) const CLASSES: usize = 4;

/// How a rollout's games are divided by the rolls they begin with: into one stratum, or if these are stratified
/// into the 441 pairs of distinct rolls.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Strata {
    stratified: bool,
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

fn class_of_rolls(first: usize, second: usize) -> usize {
    usize::from(Roll::ALL[first].is_double()) * 2 + usize::from(Roll::ALL[second].is_double())
}

impl Strata {
    pub(super) fn new(first_roll: FirstRoll) -> Strata {
        Strata {
            stratified: first_roll == FirstRoll::Stratified,
        }
    }

    /// The number of strata.
    pub(super) fn count(self) -> usize {
        if self.stratified { ROLLS * ROLLS } else { 1 }
    }

    /// The stratum of a game.
    #[inline]
    pub(super) fn of_game(self, game: u64) -> usize {
        if !self.stratified {
            return 0;
        }
        let [first, second] = FirstRoll::strata(game).map(|throw| usize::from(THROW_ROLLS[throw]));
        first * ROLLS + second
    }

    /// The class of a stratum.
    #[inline]
    pub(super) fn class(self, stratum: usize) -> usize {
        if self.stratified {
            class_of_rolls(stratum / ROLLS, stratum % ROLLS)
        } else {
            0
        }
    }

    /// How many games of a range fall into each stratum.
    pub(super) fn sizes(self, games: core::ops::Range<u64>) -> Vec<u64> {
        let number = games.end - games.start;
        let mut sizes = vec![0; self.count()];
        if !self.stratified {
            sizes[0] = number;
            return sizes;
        }
        for game in games.start..games.start + number % BLOCK {
            sizes[self.of_game(game)] += 1;
        }
        for (stratum, size) in sizes.iter_mut().enumerate() {
            let weight = Roll::ALL[stratum / ROLLS].weight() * Roll::ALL[stratum % ROLLS].weight();
            *size += number / BLOCK * u64::from(weight);
        }
        sizes
    }

    /// The covariance of a trial's two values, and that of their means, from the number of games and the sums
    /// of the values by stratum, and the sums of the values' product by class. NaN below two games.
    pub(super) fn covariance(
        self,
        sizes: &[u64],
        sums: [&[f64]; 2],
        products: [f64; CLASSES],
    ) -> Covariance {
        let all = Within::of(
            &[Group::of(sizes, sums, 0..sizes.len())],
            products.iter().sum(),
        );
        let number: u64 = sizes.iter().sum();
        let n = number as f64;
        let of_trial = all.variance().unwrap_or(f64::NAN);
        if !self.stratified {
            return Covariance {
                of_trial,
                of_mean: of_trial / n,
            };
        }
        let [mut by_first, mut by_both] = [0.0; 2];
        for first_double in [false, true] {
            let firsts =
                || (0..ROLLS).filter(move |&roll| Roll::ALL[roll].is_double() == first_double);
            let groups: Vec<Group> = firsts()
                .map(|first| Group::of(sizes, sums, first * ROLLS..(first + 1) * ROLLS))
                .collect();
            let class = usize::from(first_double) * 2;
            let within = Within::of(&groups, products[class] + products[class + 1]);
            let of_first = within.variance().unwrap_or(of_trial);
            by_first += share(first_double) * of_first;
            for second_double in [false, true] {
                let seconds =
                    || (0..ROLLS).filter(move |&roll| Roll::ALL[roll].is_double() == second_double);
                let strata = |first| seconds().map(move |second| first * ROLLS + second);
                let apart: Vec<Group> = firsts()
                    .flat_map(strata)
                    .map(|stratum| Group::of(sizes, sums, [stratum]))
                    .collect();
                let product = products[class + usize::from(second_double)];
                // A stratum of two doubles has one game in a block: with a single block there is nothing to
                // compare it with but the other doubles that follow the same first roll.
                let variance = Within::of(&apart, product).variance().or_else(|| {
                    let collapsed: Vec<Group> = firsts()
                        .map(|first| Group::of(sizes, sums, strata(first)))
                        .collect();
                    Within::of(&collapsed, product).variance()
                });
                by_both +=
                    share(first_double) * share(second_double) * variance.unwrap_or(of_first);
            }
        }
        let in_blocks = (number - number % BLOCK) as f64;
        let in_rows = (number % BLOCK - number % 36) as f64;
        let alone = (number % 36) as f64;
        Covariance {
            of_trial,
            of_mean: (in_blocks * by_both + in_rows * by_first + alone * of_trial) / (n * n),
        }
    }
}

/// The covariance of two values.
#[derive(Clone, Copy, Debug)]
pub(super) struct Covariance {
    pub(super) of_trial: f64,
    pub(super) of_mean: f64,
}

/// The share of the throws that are doubles, or that are not.
fn share(double: bool) -> f64 {
    if double { 1.0 / 6.0 } else { 5.0 / 6.0 }
}

/// Games that are compared with one another.
struct Group {
    size: u64,
    sums: [f64; 2],
}

impl Group {
    fn of(sizes: &[u64], sums: [&[f64]; 2], strata: impl IntoIterator<Item = usize>) -> Group {
        let mut group = Group {
            size: 0,
            sums: [0.0; 2],
        };
        for stratum in strata {
            group.size += sizes[stratum];
            group.sums[0] += sums[0][stratum];
            group.sums[1] += sums[1][stratum];
        }
        group
    }
}

/// Deviations from the means of groups.
struct Within {
    sum: f64,
    freedom: u64,
}

impl Within {
    fn of(groups: &[Group], products: f64) -> Within {
        let mut within = Within {
            sum: products,
            freedom: 0,
        };
        for group in groups.iter().filter(|group| group.size > 0) {
            within.sum -= group.sums[0] * group.sums[1] / group.size as f64;
            within.freedom += group.size - 1;
        }
        within
    }

    /// The pooled covariance, if there is anything to compare.
    fn variance(&self) -> Option<f64> {
        (self.freedom > 0).then(|| self.sum / self.freedom as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_those_of_the_games() {
        let strata = Strata::new(FirstRoll::Stratified);
        for games in [
            0..0,
            5..6,
            1296..2592,
            100..1500,
            (1 << 40)..(1 << 40) + 5000,
        ] {
            let mut counted = vec![0; strata.count()];
            for game in games.clone() {
                counted[strata.of_game(game)] += 1;
            }
            assert_eq!(strata.sizes(games.clone()), counted, "{games:?}");
        }
        assert_eq!(Strata::new(FirstRoll::Any).sizes(7..20), [13]);
    }

    #[test]
    fn throws_are_rolls() {
        for (throw, &roll) in THROW_ROLLS.iter().enumerate() {
            assert_eq!(Roll::ALL[usize::from(roll)], Roll::THROWS[throw]);
        }
    }

    #[test]
    fn what_the_first_rolls_decide_has_no_error() {
        let strata = Strata::new(FirstRoll::Stratified);
        let sizes = strata.sizes(0..2 * BLOCK);
        // A value that is the number of the stratum.
        let sums: Vec<f64> = sizes
            .iter()
            .enumerate()
            .map(|(i, &n)| (i as u64 * n) as f64)
            .collect();
        let mut products = [0.0; CLASSES];
        for (stratum, &size) in sizes.iter().enumerate() {
            products[strata.class(stratum)] += (stratum * stratum) as f64 * size as f64;
        }
        let covariance = strata.covariance(&sizes, [&sums, &sums], products);
        assert!(covariance.of_trial > 1000.0);
        assert!(covariance.of_mean.abs() < 1e-6);
    }
}
