//! What an evaluator gave the games that were cut off: exact integers that add up in any order.

use super::ends::Value;
use super::strata::CLASSES;
use tavli_backgammon::Outcome;
use tavli_backgammon::evaluators::Probabilities;

/// What makes 1 in a value.
pub(super) const UNIT: i64 = Probabilities::ONE as i64;

/// For each value and class of strata a sum, in the square of the unit.
pub(super) type Squares = [[i128; CLASSES]; Value::ALL.len()];

/// Sums of the values of games that were cut off. What such a game has in the counts of ends is worth nothing, so that
/// each statistic is the sum of what it has there and of what it has here.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Horizon {
    /// For each candidate and stratum, the sum of the probabilities of each outcome, in units.
    pub(super) outcomes: Vec<Vec<[i128; Outcome::COUNT]>>,
    /// For each candidate, the sums of the squares of its values.
    pub(super) squares: Vec<Squares>,
    /// For each pair of candidates, in the order of [`pair`](super::counts::pair), the sums of the products of their
    /// values in the trials in which one of them was cut off, or both.
    pub(super) products: Vec<Squares>,
}

impl Horizon {
    pub(super) fn new(strata: usize, candidates: usize) -> Horizon {
        let pairs = candidates * candidates.saturating_sub(1) / 2;
        Horizon {
            outcomes: vec![vec![[0; Outcome::COUNT]; strata]; candidates],
            squares: vec![Squares::default(); candidates],
            products: vec![Squares::default(); pairs],
        }
    }

    /// Adds a game of a candidate that was cut off.
    pub(super) fn add(
        &mut self,
        candidate: usize,
        stratum: usize,
        class: usize,
        probabilities: &Probabilities,
    ) {
        let sums = self.outcomes[candidate][stratum].iter_mut();
        for (sum, number) in sums.zip(probabilities.numbers()) {
            *sum += i128::from(number);
        }
        for (value, squares) in Value::ALL.iter().zip(&mut self.squares[candidate]) {
            let value = i128::from(value.of_probabilities(probabilities));
            squares[class] += value * value;
        }
    }

    pub(super) fn merge(&mut self, other: &Horizon) {
        for (sum, more) in self.numbers_mut().zip(other.numbers()) {
            *sum += more;
        }
    }

    /// All sums, in one order.
    pub(super) fn numbers(&self) -> impl Iterator<Item = i128> {
        let outcomes = self.outcomes.iter().flatten().flatten();
        let squares = self.squares.iter().chain(&self.products);
        outcomes.chain(squares.flatten().flatten()).copied()
    }

    /// All sums, in the same order.
    pub(super) fn numbers_mut(&mut self) -> impl Iterator<Item = &mut i128> {
        let outcomes = self.outcomes.iter_mut().flatten().flatten();
        let squares = self.squares.iter_mut().chain(&mut self.products);
        outcomes.chain(squares.flatten().flatten())
    }
}

/// A sum of values as a number.
pub(super) fn of_units(sum: i128) -> f64 {
    sum as f64 / UNIT as f64
}

/// A sum of squares or products of values as a number.
pub(super) fn of_square_units(sum: i128) -> f64 {
    sum as f64 / (UNIT as f64 * UNIT as f64)
}

/// The words of 32 bits that a sum consists of, the lowest first. Those of several sums may be added up word by word:
/// they are then the words of the sum of all, modulo 2^128.
pub(super) fn words(sum: i128) -> [u64; WORDS] {
    let bits = sum.cast_unsigned();
    core::array::from_fn(|word| (bits >> (32 * word)) as u64 & 0xffff_ffff)
}

/// The sum of [`words`] that were perhaps added up.
pub(super) fn of_words(words: &[u64; WORDS]) -> i128 {
    let words = words.iter().enumerate();
    let sum = words.fold(0_u128, |sum, (word, &number)| {
        sum.wrapping_add(u128::from(number) << (32 * word))
    });
    sum.cast_signed()
}

/// How many words a sum has.
pub(super) const WORDS: usize = 4;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_add_up_to_those_of_the_sum() {
        let sums = [0, 1, -1, 7 << 90, -(5 << 80) - 3, i128::from(u64::MAX), -12];
        let mut words_of_all = [0; WORDS];
        for sum in sums {
            assert_eq!(of_words(&words(sum)), sum);
            for (all, word) in words_of_all.iter_mut().zip(words(sum)) {
                *all += word;
            }
        }
        assert_eq!(of_words(&words_of_all), sums.iter().sum::<i128>());
    }
}
