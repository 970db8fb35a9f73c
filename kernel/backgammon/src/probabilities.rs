//! Probabilities of outcomes in fixed-point numbers, and their sums.

use thiserror::Error;

use crate::board::Side;
use crate::dice::Roll;
use crate::outcome::Outcome;
use crate::playout::{Estimate, Tally};
use crate::possible_outcomes::OutcomeSet;

/// The probabilities of the [outcomes](Outcome) of a position, as integers in units of 2^-30. They add up to exactly
/// 2^30.
///
/// ```
/// use tavli_backgammon::Outcome;
/// use tavli_backgammon::evaluators::Probabilities;
/// let value = Probabilities::new([0.5, 0.25, 0.0, 0.25, 0.0, 0.0])?;
/// assert_eq!(value.probability(Outcome::WinGammon), 0.25);
/// assert_eq!(value.equity(), 0.5 + 2.0 * 0.25 - 0.25);
/// assert_eq!(value.reversed().equity(), -value.equity());
/// # Ok::<(), tavli_backgammon::evaluators::ProbabilitiesError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Probabilities([u32; Outcome::COUNT]);

/// Numbers that are not probabilities of outcomes.
#[derive(Clone, Copy, PartialEq, Debug, Error)]
#[error("{0:?} are not probabilities: each is at least 0, and their sum is 1 within 0.001")]
pub struct ProbabilitiesError(pub [f64; Outcome::COUNT]);

impl Probabilities {
    /// The number that stands for 1.
    pub const ONE: u32 = 1 << 30;

    /// An outcome that is certain.
    #[must_use]
    pub const fn certain(outcome: Outcome) -> Probabilities {
        let mut numbers = [0; Outcome::COUNT];
        numbers[outcome as usize] = Probabilities::ONE;
        Probabilities(numbers)
    }

    /// Probabilities in the order of [`Outcome::ALL`]. They are divided by their sum, and rounded as by
    /// [`Probabilities::from_weights`].
    ///
    /// # Errors
    /// [`ProbabilitiesError`] if one is below 0 or not a number, or their sum is not within 0.001 of 1.
    pub fn new(probabilities: [f64; Outcome::COUNT]) -> Result<Probabilities, ProbabilitiesError> {
        let sum: f64 = probabilities.iter().sum();
        let are_probabilities = probabilities.iter().all(|&one| one >= 0.0);
        if !are_probabilities || (sum - 1.0).abs() > 0.001 {
            return Err(ProbabilitiesError(probabilities));
        }
        // Finer than the units that are kept, and exact in floating-point numbers.
        let weights = probabilities.map(|one| (one * (1_u64 << 40) as f64) as u64);
        Ok(Probabilities::from_weights(weights).expect("their sum is near 1"))
    }

    /// Probabilities in proportion to weights, such as the counts of a [`Tally`]; `None` if all are 0. They are rounded
    /// down. The remainder goes to the outcomes that lost most by it, one unit each; of equal losses the first comes
    /// first.
    ///
    /// # Panics
    /// If the sum of the weights is more than 2^64 - 1.
    #[must_use]
    pub fn from_weights(weights: [u64; Outcome::COUNT]) -> Option<Probabilities> {
        let sum =
            weights.iter().fold(0_u64, |sum, &weight| sum.checked_add(weight).expect("the sum of the weights fits"));
        if sum == 0 {
            return None;
        }
        let products = weights.map(|weight| u128::from(weight) * u128::from(Probabilities::ONE));
        let mut numbers = products.map(|product| (product / u128::from(sum)) as u32);
        let mut lost: Vec<usize> = (0..Outcome::COUNT).collect();
        // A stable sort: of equal losses the first outcome comes first.
        lost.sort_by_key(|&outcome| core::cmp::Reverse(products[outcome] % u128::from(sum)));
        // Each number has lost less than one unit, so fewer are left than there are outcomes.
        let left = Probabilities::ONE - numbers.iter().sum::<u32>();
        for &outcome in &lost[..left as usize] {
            numbers[outcome] += 1;
        }
        Some(Probabilities(numbers))
    }

    /// The mean over the rolls, each as often as it is thrown, for the player who rolls: `after` has the values after
    /// the plays, for the next player, in the order of [`Roll::ALL`].
    #[must_use]
    pub fn mean_over_rolls(after: &[Probabilities]) -> Probabilities {
        debug_assert_eq!(after.len(), Roll::ALL.len());
        let mut sums = [0; Outcome::COUNT];
        for (roll, after) in Roll::ALL.into_iter().zip(after) {
            for (sum, number) in sums.iter_mut().zip(after.reversed().numbers()) {
                // In 64 bits: 36 throws of a probability of 2^30.
                *sum += u64::from(roll.weight()) * u64::from(number);
            }
        }
        Probabilities::from_weights(sums).expect("each roll has a value")
    }

    /// The integers, in the order of [`Outcome::ALL`]; their sum is [`Probabilities::ONE`].
    #[must_use]
    pub const fn numbers(&self) -> [u32; Outcome::COUNT] {
        self.0
    }

    /// The probability of an outcome, 0..=1.
    #[must_use]
    pub fn probability(&self, outcome: Outcome) -> f64 {
        f64::from(self.0[outcome as usize]) / f64::from(Probabilities::ONE)
    }

    /// The probability to win this many points or more, 0..=1; below 0, to lose as many or more.
    ///
    /// ```
    /// use tavli_backgammon::evaluators::Probabilities;
    /// // Single wins, gammons and backgammons, then losses.
    /// let value = Probabilities::new([0.25, 0.125, 0.125, 0.25, 0.25, 0.0])?;
    /// assert_eq!([1, 2, 3, -1, -2].map(|points| value.at_least(points)), [0.5, 0.25, 0.125, 0.5, 0.25]);
    /// # Ok::<(), tavli_backgammon::evaluators::ProbabilitiesError>(())
    /// ```
    ///
    /// # Panics
    /// If the points are 0.
    #[must_use]
    pub fn at_least(&self, points: i32) -> f64 {
        assert_ne!(points, 0, "a game wins or loses points");
        let counts = |outcome: &&Outcome| outcome.points() * points.signum() >= points.abs();
        let outcomes = Outcome::ALL.iter().filter(counts);
        outcomes.map(|&outcome| self.probability(outcome)).sum()
    }

    /// Mean points without cube, -3..=3.
    #[must_use]
    pub fn equity(&self) -> f64 {
        self.points() as f64 / f64::from(Probabilities::ONE)
    }

    /// The same values seen by the other player.
    #[must_use]
    pub fn reversed(&self) -> Probabilities {
        let mut numbers = [0; Outcome::COUNT];
        for &outcome in Outcome::ALL {
            numbers[outcome.reversed() as usize] = self.0[outcome as usize];
        }
        Probabilities(numbers)
    }

    /// Keeps the outcomes that are possible. The probability of another outcome goes to the next lesser one:
    /// that of a gammon to a single game, and that of a single win to a single loss if no win is possible. If there is
    /// no lesser one, for instance if a gammon is certain, it goes to the next greater one.
    ///
    /// ```
    /// use tavli_backgammon::evaluators::{OutcomeSet, Probabilities};
    /// use tavli_backgammon::Outcome::{LoseSingle, WinGammon, WinSingle};
    /// let value = Probabilities::new([0.25, 0.125, 0.125, 0.25, 0.25, 0.0])?;
    /// let bounded = value.restricted_to(OutcomeSet::from_outcomes(&[WinSingle, WinGammon, LoseSingle]));
    /// assert_eq!(bounded, Probabilities::new([0.25, 0.25, 0.0, 0.5, 0.0, 0.0])?);
    /// let certain = value.restricted_to(OutcomeSet::from_outcomes(&[WinGammon]));
    /// assert_eq!(certain, Probabilities::certain(WinGammon));
    /// # Ok::<(), tavli_backgammon::evaluators::ProbabilitiesError>(())
    /// ```
    #[must_use]
    #[inline]
    pub fn restricted_to(&self, possible: OutcomeSet) -> Probabilities {
        use Outcome::*;
        const SIDES: [[Outcome; 3]; 2] =
            [[WinSingle, WinGammon, WinBackgammon], [LoseSingle, LoseGammon, LoseBackgammon]];
        if possible == OutcomeSet::ALL {
            return *self;
        }
        let mut numbers = self.0;
        let mut pass = |is_impossible: bool, from: Outcome, to: Outcome| {
            if is_impossible {
                numbers[to as usize] += core::mem::take(&mut numbers[from as usize]);
            }
        };
        // In this order, down, across and up: a probability that was passed on can be passed further.
        for [single, gammon, backgammon] in SIDES {
            pass(!possible.contains(backgammon), backgammon, gammon);
            pass(!possible.contains(gammon), gammon, single);
        }
        pass(possible.is_disjoint(OutcomeSet::from_outcomes(&SIDES[0])), WinSingle, LoseSingle);
        pass(possible.is_disjoint(OutcomeSet::from_outcomes(&SIDES[1])), LoseSingle, WinSingle);
        for [single, gammon, backgammon] in SIDES {
            pass(!possible.contains(single), single, gammon);
            pass(!possible.contains(gammon), gammon, backgammon);
        }
        Probabilities(numbers)
    }

    /// Values of the player next on roll, seen by the player who was on roll first, this many plies before.
    #[must_use]
    pub fn seen_by_first_player(&self, plies: u32) -> Probabilities {
        match Side::after(plies) {
            Side::OnRoll => *self,
            Side::Opponent => self.reversed(),
        }
    }

    /// Mean points in units.
    fn points(&self) -> i64 {
        let outcomes = Outcome::ALL.iter();
        outcomes.map(|&outcome| i64::from(outcome.points()) * i64::from(self.0[outcome as usize])).sum()
    }
}

/// The sum of the values of games: exact integers that add up in any order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct ValueSum {
    games: u64,
    /// By outcome, in units of [`Probabilities`].
    outcomes: [u128; Outcome::COUNT],
    /// The sum of the squares of the mean points, in the square of the units of `outcomes`.
    squares: u128,
}

impl ValueSum {
    /// The games of a tally that were played to their end.
    #[must_use]
    pub fn from_tally(tally: &Tally) -> ValueSum {
        let mut sum = ValueSum::default();
        for &outcome in Outcome::ALL {
            sum.add_times(&Probabilities::certain(outcome), tally.count(outcome));
        }
        sum
    }

    /// Adds a game.
    pub fn add(&mut self, value: &Probabilities) {
        self.add_times(value, 1);
    }

    fn add_times(&mut self, value: &Probabilities, games: u64) {
        self.games += games;
        for (sum, number) in self.outcomes.iter_mut().zip(value.0) {
            *sum += u128::from(number) * u128::from(games);
        }
        let points = u128::from(value.points().unsigned_abs());
        // Fits: at most nine times 2^60 for each of 2^64 games.
        self.squares += points * points * u128::from(games);
    }

    /// Adds another sum.
    pub fn merge(&mut self, other: &ValueSum) {
        self.games += other.games;
        for (sum, more) in self.outcomes.iter_mut().zip(other.outcomes) {
            *sum += more;
        }
        self.squares += other.squares;
    }

    /// The number of games that were added.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.games
    }

    /// The mean probability of an outcome, 0..=1. NaN without games.
    #[must_use]
    pub fn share(&self, outcome: Outcome) -> f64 {
        self.outcomes[outcome as usize] as f64 / self.games as f64 / f64::from(Probabilities::ONE)
    }

    /// Mean points without cube, -3..=3, with its standard error (sample standard deviation over `sqrt(n)`). NaN
    /// without games.
    #[must_use]
    pub fn equity(&self) -> Estimate {
        let one = f64::from(Probabilities::ONE);
        let outcomes = Outcome::ALL.iter();
        let sum: i128 =
            outcomes.map(|&outcome| i128::from(outcome.points()) * self.outcomes[outcome as usize].cast_signed()).sum();
        Estimate::from_sums(self.games, sum as f64 / one, self.squares as f64 / one / one)
    }
}
