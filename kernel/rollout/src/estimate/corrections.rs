//! Corrections to the counted results of games with other values: exact integers that add up in any order.

use crate::estimate::doubles_class_order::DoublesClassOrder;
use crate::estimate::pairs::pairs;
use crate::estimate::strata::DOUBLES_CLASSES;
use crate::game_value::{GameValue, OutcomeShares, UNIT};
use tavli_backgammon::Outcome;
use tavli_players::{Luck, LuckShares};

/// For each value and class of strata a sum, in the square of the unit.
pub(crate) type Squares = [[i128; DOUBLES_CLASSES]; GameValue::ALL.len()];

/// For each value a sum of cubes, in the cube of [`UNIT`] over 2^[`CUBE_SHIFT`].
pub(crate) type Cubes = [i128; GameValue::ALL.len()];

/// Values are cubed without their last bits: so sums of cubes of 2^56 games fit 128 bits.
const CUBE_SHIFT: u32 = 10;

/// Corrections to the counted results: for each game, the value minus the value of its result, which is 0 for a game
/// that was cut off. A statistic is the sum of both parts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ValueCorrections {
    /// For each candidate and stratum, the sum of the shares of each outcome.
    pub(crate) outcomes: Vec<Vec<[i128; Outcome::COUNT]>>,
    /// For each candidate, the sums of the squares of its values.
    pub(crate) squares: Vec<Squares>,
    /// For each candidate, the sums of the cubes of its values.
    pub(crate) cubes: Vec<Cubes>,
    /// For each pair of candidates, in the order of [`pair`](crate::estimate::pairs::pair), the sums of the products of
    /// their values, minus the products of their results' points.
    pub(crate) products: Vec<Squares>,
}

impl ValueCorrections {
    pub(crate) fn new(strata: usize, candidates: usize) -> ValueCorrections {
        let pairs = candidates * candidates.saturating_sub(1) / 2;
        ValueCorrections {
            outcomes: vec![vec![[0; Outcome::COUNT]; strata]; candidates],
            squares: vec![Squares::default(); candidates],
            cubes: vec![Cubes::default(); candidates],
            products: vec![Squares::default(); pairs],
        }
    }

    /// Adds trials, given the result of each candidate's games in the order of classes. `games` has the candidate,
    /// trial and value of each game whose value is not the points of its result.
    pub(crate) fn add_trials(
        &mut self,
        order: &DoublesClassOrder,
        results: &[Vec<u8>],
        games: impl Iterator<Item = (usize, u64, OutcomeShares)>,
    ) {
        let mut valued = vec![vec![None; order.len()]; results.len()];
        for (candidate, trial, shares) in games {
            let [stratum, class] = order.stratum_and_doubles_class(trial);
            let index = order.index(trial);
            let result = usize::from(results[candidate][index]);
            self.add(candidate, stratum, class, result, &shares);
            valued[candidate][index] = Some(shares);
        }
        self.add_products(order, results, &valued);
    }

    /// Adds a game of a candidate with a result in the counts.
    fn add(&mut self, candidate: usize, stratum: usize, class: usize, result: usize, shares: &OutcomeShares) {
        let sums = self.outcomes[candidate][stratum].iter_mut();
        for (outcome, (sum, &share)) in sums.zip(shares).enumerate() {
            let result_value = if outcome == result { UNIT } else { 0 };
            *sum += i128::from(share - result_value);
        }
        for (value, squares) in GameValue::ALL.iter().zip(&mut self.squares[candidate]) {
            let square = |units: i64| i128::from(units) * i128::from(units);
            squares[class] += square(value.value_of_shares(shares)) - square(value.units_of_result(result));
        }
        for (value, sum) in GameValue::ALL.iter().zip(&mut self.cubes[candidate]) {
            *sum += cube(value.value_of_shares(shares)) - cube(value.units_of_result(result));
        }
    }

    /// Adds the corrections of the products of trials: all in the order of classes.
    fn add_products(&mut self, order: &DoublesClassOrder, results: &[Vec<u8>], valued: &[Vec<Option<OutcomeShares>>]) {
        for value in GameValue::ALL {
            let result_values: Vec<Vec<i64>> = results
                .iter()
                .map(|results| results.iter().map(|&result| value.units_of_result(usize::from(result))).collect())
                .collect();
            let candidates = result_values.iter().zip(valued);
            let values: Vec<Vec<i64>> = candidates
                .map(|(result_values, valued)| {
                    let games = result_values.iter().zip(valued);
                    games
                        .map(|(&result_value, valued)| {
                            valued.map_or(result_value, |shares| value.value_of_shares(&shares))
                        })
                        .collect()
                })
                .collect();
            for (products, [low, high]) in self.products.iter_mut().zip(pairs(results.len())) {
                for (sum, class) in products[value as usize].iter_mut().zip(order.classes()) {
                    for index in class {
                        if valued[low][index].is_some() || valued[high][index].is_some() {
                            let product = |values: &[Vec<i64>]| {
                                let [a, b] = [low, high].map(|at| i128::from(values[at][index]));
                                a * b
                            };
                            *sum += product(&values) - product(&result_values);
                        }
                    }
                }
            }
        }
    }

    pub(crate) fn merge(&mut self, other: &ValueCorrections) {
        for (sum, more) in self.numbers_mut().zip(other.numbers()) {
            *sum += more;
        }
    }

    /// All sums, in one order.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = i128> {
        let outcomes = self.outcomes.iter().flatten().flatten();
        let squares = self.squares.iter().chain(&self.products);
        let cubes = self.cubes.iter().flatten();
        outcomes.chain(squares.flatten().flatten()).chain(cubes).copied()
    }

    /// All sums, in the order of [`ValueCorrections::numbers`].
    pub(crate) fn numbers_mut(&mut self) -> impl Iterator<Item = &mut i128> {
        let outcomes = self.outcomes.iter_mut().flatten().flatten();
        let squares = self.squares.iter_mut().chain(&mut self.products);
        let cubes = self.cubes.iter_mut().flatten();
        outcomes.chain(squares.flatten().flatten()).chain(cubes)
    }
}

/// The sums of [`Luck`] of a game in the unit of its value, rounded so that they still add up to 0.
pub(crate) fn luck_in_units(LuckShares(luck): LuckShares) -> OutcomeShares {
    let parts = Luck::ONE / UNIT;
    let mut shares = luck.map(|sum| sum.div_euclid(parts));
    let left = -shares.iter().sum::<i64>();
    let mut lost: Vec<usize> = (0..Outcome::COUNT).collect();
    // The sort is stable, so equal remainders are rounded alike everywhere.
    lost.sort_by_key(|&outcome| core::cmp::Reverse(luck[outcome].rem_euclid(parts)));
    // The shares add up to 0, so `left` is the sum of six remainders below 1: 0 to 5.
    for &outcome in &lost[..left as usize] {
        shares[outcome] += 1;
    }
    shares
}

/// The cube of a value.
fn cube(value: i64) -> i128 {
    i128::from((value + (1 << (CUBE_SHIFT - 1))) >> CUBE_SHIFT).pow(3)
}

/// A sum of cubes of values as a number.
pub(crate) fn cube_units_to_f64(sum: i128) -> f64 {
    sum as f64 / cube(UNIT) as f64
}

/// The sum of cubes that is nearest to a number.
pub(crate) fn cube_units(sum: f64) -> i128 {
    (sum * cube(UNIT) as f64).round() as i128
}

/// A sum of values as a number.
pub(crate) fn units_to_f64(sum: i128) -> f64 {
    sum as f64 / UNIT as f64
}

/// A sum of squares or products of values as a number.
pub(crate) fn square_units_to_f64(sum: i128) -> f64 {
    sum as f64 / (UNIT as f64 * UNIT as f64)
}

/// The 32-bit words of a sum, the lowest first. The words of several sums may be added up word by word. The results are
/// the words of the total, modulo 2^128.
pub(crate) fn words(sum: i128) -> [u64; WORDS] {
    let bits = sum.cast_unsigned();
    // Half of each number stays free: the words of 2^32 sums add up without a carry that is lost.
    core::array::from_fn(|word| (bits >> (32 * word)) as u64 & 0xffff_ffff)
}

/// The sum from its [`words`], which may have been added up.
pub(crate) fn sum_from_words(words: &[u64; WORDS]) -> i128 {
    let words = words.iter().enumerate();
    let sum = words.fold(0_u128, |sum, (word, &number)| sum.wrapping_add(u128::from(number) << (32 * word)));
    sum.cast_signed()
}

/// How many words a sum has.
pub(crate) const WORDS: usize = 4;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_add_up_to_those_of_the_sum() {
        let sums = [0, 1, -1, 7 << 90, -(5 << 80) - 3, i128::from(u64::MAX), -12];
        let mut words_of_all = [0; WORDS];
        for sum in sums {
            assert_eq!(sum_from_words(&words(sum)), sum);
            for (all, word) in words_of_all.iter_mut().zip(words(sum)) {
                *all += word;
            }
        }
        assert_eq!(sum_from_words(&words_of_all), sums.iter().sum::<i128>());
    }
}
