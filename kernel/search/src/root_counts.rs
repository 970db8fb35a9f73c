//! The statistics of the choices at a root, as exact integers that add up.

use core::cmp::Ordering;

use crate::search_settings::BestChoice;

/// The statistics of the simulations that began with one choice, with values for the player who chooses.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct RootChoice {
    /// Simulations.
    pub visits: u64,
    /// The sum of their values.
    pub sum: i64,
    /// The sum of the squares of their values.
    pub squares: u64,
}

impl RootChoice {
    /// The mean value; 0 without visits.
    #[must_use]
    pub fn value(&self) -> f64 {
        match self.visits {
            0 => 0.0,
            visits => self.sum as f64 / visits as f64,
        }
    }

    /// The standard error of the mean, as if simulations were independent; `None` below two visits. The error ignores
    /// that the choices in the tree change while it grows.
    #[must_use]
    pub fn standard_error(&self) -> Option<f64> {
        (self.visits >= 2).then(|| {
            let visits = self.visits as f64;
            let scatter = self.squares as f64 - self.sum as f64 * self.value();
            // Rounding may leave it a little below 0.
            (scatter.max(0.0) / (visits - 1.0) / visits).sqrt()
        })
    }

    /// Counts a simulation with the value `value`.
    pub(crate) fn add(&mut self, value: i32) {
        self.visits += 1;
        self.sum += i64::from(value);
        self.squares += u64::from(value.unsigned_abs()).pow(2);
    }

    /// Adds the counts of another part of the search.
    pub fn merge(&mut self, other: &RootChoice) {
        self.visits += other.visits;
        self.sum += other.sum;
        self.squares += other.squares;
    }
}

/// The statistics of a root: of each choice, as of an arm of a bandit.
///
/// ```
/// use tavli_search::{RootChoice, BestChoice, RootCounts};
/// let few = RootChoice { visits: 2, sum: 2, squares: 2 };
/// let many = RootChoice { visits: 5, sum: 3, squares: 5 };
/// let root = RootCounts { choices: vec![few, many] };
/// assert_eq!(root.ranking(BestChoice::Visits), [1, 0]);
/// assert_eq!(root.ranking(BestChoice::Value), [0, 1]);
/// ```
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct RootCounts {
    /// Each choice, in the game's order.
    pub choices: Vec<RootChoice>,
}

impl RootCounts {
    pub(crate) fn new(choices: usize) -> RootCounts {
        RootCounts { choices: vec![RootChoice::default(); choices] }
    }

    /// The number of all simulations.
    #[must_use]
    pub fn simulations(&self) -> u64 {
        self.choices.iter().map(|root_choice| root_choice.visits).sum()
    }

    /// Adds the counts of other trees of the same root.
    ///
    /// # Panics
    /// If the roots have different numbers of choices.
    pub fn merge(&mut self, other: &RootCounts) {
        assert_eq!(self.choices.len(), other.choices.len(), "roots of one position");
        for (root_choice, other) in self.choices.iter_mut().zip(&other.choices) {
            root_choice.merge(other);
        }
    }

    /// The choices, best first. Choices without visits come last.
    #[must_use]
    pub fn ranking(&self, by: BestChoice) -> Vec<usize> {
        let mut choices: Vec<usize> = (0..self.choices.len()).collect();
        choices.sort_by(|&a, &b| compare(&self.choices[b], &self.choices[a], by));
        choices
    }

    /// The lead of the best choice over the second in value, in units of its [standard
    /// error](RootChoice::standard_error); `None` if one of them has fewer than two visits.
    #[must_use]
    pub fn gap(&self, by: BestChoice) -> Option<f64> {
        let ranking = self.ranking(by);
        let [best, second] = *ranking.first_chunk()?;
        let [best, second] = [&self.choices[best], &self.choices[second]];
        let [of_best, of_second] = [best.standard_error()?, second.standard_error()?];
        // Not `hypot`, whose last digit depends on the system's C library.
        let error = (of_best * of_best + of_second * of_second).sqrt();
        Some((best.value() - second.value()) / error)
    }
}

fn compare(a: &RootChoice, b: &RootChoice, by: BestChoice) -> Ordering {
    let visits = a.visits.cmp(&b.visits);
    // Means are compared as exact fractions: in floating point, equal ones might differ.
    let value = || {
        let ahead = i128::from(a.sum) * i128::from(b.visits);
        ahead.cmp(&(i128::from(b.sum) * i128::from(a.visits)))
    };
    let visited = (a.visits > 0).cmp(&(b.visits > 0));
    visited.then_with(|| match by {
        BestChoice::Visits => visits,
        BestChoice::Value => value(),
        BestChoice::VisitsThenValue => visits.then_with(value),
    })
}
