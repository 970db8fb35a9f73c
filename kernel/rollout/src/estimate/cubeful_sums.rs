//! Sums of the values that games have with the cube: exact integers that add up in any order.

use serde::{Deserialize, Serialize};

use crate::ask::cube::CUBEFUL_UNIT;
use crate::estimate::doubles_class_order::DoublesClassOrder;
use crate::estimate::strata::DOUBLES_CLASSES;

/// Sums of the values of games with the cube, for the player whose rollout it is. A saved rollout has them under these
/// names.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CubefulSums {
    /// For each candidate and stratum, the sum of the values, in units.
    pub(crate) values: Vec<Vec<i128>>,
    /// For each candidate and class, the sum of their squares, in the square of the unit.
    pub(crate) squares: Vec<[i128; DOUBLES_CLASSES]>,
    /// For each pair of candidates, in the order of [`pair`](crate::estimate::pairs::pair), the sum of the products of
    /// their values.
    pub(crate) products: Vec<[i128; DOUBLES_CLASSES]>,
}

impl CubefulSums {
    pub(crate) fn new(strata: usize, candidates: usize) -> CubefulSums {
        let pairs = candidates * candidates.saturating_sub(1) / 2;
        CubefulSums {
            values: vec![vec![0; strata]; candidates],
            squares: vec![[0; DOUBLES_CLASSES]; candidates],
            products: vec![[0; DOUBLES_CLASSES]; pairs],
        }
    }

    /// Adds trials, given the value of each candidate's game, trial by trial.
    pub(crate) fn add_trials(&mut self, order: &DoublesClassOrder, values: &[i64]) {
        for (trial, values) in order.trials().zip(values.chunks(self.values.len())) {
            let [stratum, class] = order.stratum_and_doubles_class(trial);
            self.add(stratum, class, values);
        }
    }

    /// Adds a trial: the value of each candidate's game.
    fn add(&mut self, stratum: usize, class: usize, values: &[i64]) {
        for (high, &value) in values.iter().enumerate() {
            let value = i128::from(value);
            self.values[high][stratum] += value;
            self.squares[high][class] += value * value;
            // Pairs of a candidate with lower ones come after all pairs among the lower candidates.
            let pairs = &mut self.products[high * high.saturating_sub(1) / 2..];
            for (sums, &other) in pairs.iter_mut().zip(&values[..high]) {
                sums[class] += value * i128::from(other);
            }
        }
    }

    pub(crate) fn merge(&mut self, other: &CubefulSums) {
        for (sum, more) in self.numbers_mut().zip(other.numbers()) {
            *sum += more;
        }
    }

    /// All sums, in one order.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = i128> {
        let squares = self.squares.iter().chain(&self.products);
        self.values.iter().flatten().chain(squares.flatten()).copied()
    }

    /// All sums, in the order of [`CubefulSums::numbers`].
    pub(crate) fn numbers_mut(&mut self) -> impl Iterator<Item = &mut i128> {
        let squares = self.squares.iter_mut().chain(&mut self.products);
        self.values.iter_mut().flatten().chain(squares.flatten())
    }
}

/// A sum of values as a number.
pub(crate) fn units_to_f64(sum: i128) -> f64 {
    sum as f64 / CUBEFUL_UNIT as f64
}

/// A sum of squares or products of values as a number.
pub(crate) fn square_units_to_f64(sum: i128) -> f64 {
    sum as f64 / (CUBEFUL_UNIT as f64 * CUBEFUL_UNIT as f64)
}
