//! Counts of the games of a rollout: exact integers that add up in any order.

use crate::ask::evaluators::ValueKinds;
use crate::estimate::corrections::{self, ValueCorrections, WORDS};
use crate::estimate::cubeful_sums::CubefulSums;
use crate::estimate::doubles_class_order::DoublesClassOrder;
use crate::estimate::pairs::pairs;
use crate::estimate::strata::{DOUBLES_CLASSES, Strata};
use crate::game_value::{GameValue, RESULTS};

/// For each value and class of strata, the sum of the products of two candidates' values.
pub(crate) type Products = [[i64; DOUBLES_CLASSES]; GameValue::ALL.len()];

/// What is counted apart from the candidates: the strata, and which sums of values there are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct CountedValues {
    pub(crate) strata: Strata,
    /// Which games have other values than the points of their results.
    pub(crate) value_kinds: ValueKinds,
}

/// Counts of the games of a rollout, for the player whose rollout it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RolloutCounts {
    counted_values: CountedValues,
    /// For each candidate and stratum, how many games had each result.
    pub(crate) results: Vec<Vec<[u64; RESULTS]>>,
    /// For each pair of candidates, in the order 0-1, 0-2, 1-2, 0-3 ..., the sums of the products of their values.
    pub(crate) products: Vec<Products>,
    /// Where games have other values than the points of their results.
    pub(crate) corrections: Option<ValueCorrections>,
    /// Where games are played with a cube.
    pub(crate) cubeful: Option<CubefulSums>,
}

impl RolloutCounts {
    pub(crate) fn new(counted_values: CountedValues, candidates: usize) -> RolloutCounts {
        let strata = counted_values.strata.count();
        let corrections = || ValueCorrections::new(strata, candidates);
        RolloutCounts {
            counted_values,
            results: vec![vec![[0; RESULTS]; strata]; candidates],
            products: vec![Products::default(); candidates * candidates.saturating_sub(1) / 2],
            corrections: counted_values.value_kinds.is_any().then(corrections),
            cubeful: counted_values.value_kinds.cube.then(|| CubefulSums::new(strata, candidates)),
        }
    }

    /// The memory of these counters, in bytes.
    pub(crate) fn memory(&self) -> usize {
        let corrections = self.corrections.iter().flat_map(ValueCorrections::numbers).count();
        let cubeful = self.cubeful.iter().flat_map(CubefulSums::numbers).count();
        self.results.len() * self.counted_values.strata.count() * size_of::<[u64; RESULTS]>()
            + size_of_val(&*self.products)
            + (corrections + cubeful) * size_of::<i128>()
    }

    /// Adds trials, given the result of each candidate's games in the order of classes.
    pub(crate) fn add_trials(&mut self, order: &DoublesClassOrder, results: &[Vec<u8>]) {
        for (counts, results) in self.results.iter_mut().zip(results) {
            for (stratum, index) in order.strata_and_indices() {
                counts[stratum][usize::from(results[index])] += 1;
            }
        }
        if results.len() < 2 {
            return;
        }
        for value in GameValue::ALL {
            let values_by_result: [i8; RESULTS] = core::array::from_fn(|result| value.points_of_result(result));
            let value_of_game = |&result: &u8| values_by_result[usize::from(result)];
            let values: Vec<Vec<i8>> =
                results.iter().map(|results| results.iter().map(value_of_game).collect()).collect();
            for (products, [low, high]) in self.products.iter_mut().zip(pairs(results.len())) {
                for (sum, class) in products[value as usize].iter_mut().zip(order.classes()) {
                    *sum += i64::from(product(&values[low][class.clone()], &values[high][class]));
                }
            }
        }
    }

    pub(crate) fn merge(&mut self, other: &RolloutCounts) {
        let results = self.results.iter_mut().flatten().flatten();
        for (count, more) in results.zip(other.results.iter().flatten().flatten()) {
            *count += more;
        }
        let products = self.products.iter_mut().flatten().flatten();
        for (sum, more) in products.zip(other.products.iter().flatten().flatten()) {
            *sum += more;
        }
        if let (Some(corrections), Some(more)) = (&mut self.corrections, &other.corrections) {
            corrections.merge(more);
        }
        if let (Some(cubeful), Some(more)) = (&mut self.cubeful, &other.cubeful) {
            cubeful.merge(more);
        }
    }

    /// All counts in a row, for [`RolloutCounts::from_numbers`]. A sum below 0 is written as the number 2^64 higher; a
    /// sum of corrections or of values with the cube is written as its [`words`](corrections::words). So rows add up
    /// number by number, modulo 2^64.
    pub(crate) fn numbers(&self) -> Vec<u64> {
        let results = self.results.iter().flatten().flatten().copied();
        let products = self.products.iter().flatten().flatten();
        let corrections = self.corrections.iter().flat_map(ValueCorrections::numbers);
        let cubeful = self.cubeful.iter().flat_map(CubefulSums::numbers);
        results
            .chain(products.map(|sum| sum.cast_unsigned()))
            .chain(corrections.chain(cubeful).flat_map(corrections::words))
            .collect()
    }

    /// The counts of a row of [`RolloutCounts::numbers`].
    ///
    /// # Panics
    /// If the row has other counted values or another number of candidates.
    pub(crate) fn from_numbers(counted_values: CountedValues, candidates: usize, numbers: &[u64]) -> RolloutCounts {
        let mut counts = RolloutCounts::new(counted_values, candidates);
        let (results, sums) = numbers.split_at(candidates * counted_values.strata.count() * RESULTS);
        let all = counts.results.iter_mut().flatten().flatten();
        all.zip(results).for_each(|(count, &number)| *count = number);
        let all = counts.products.as_flattened_mut().as_flattened_mut();
        let (products, corrections) = sums.split_at(all.len());
        for (sum, number) in all.iter_mut().zip(products) {
            *sum = number.cast_signed();
        }
        let (corrections, rest) = corrections.as_chunks::<WORDS>();
        let all = counts.corrections.iter_mut().flat_map(ValueCorrections::numbers_mut);
        let all = all.chain(counts.cubeful.iter_mut().flat_map(CubefulSums::numbers_mut));
        let mut read = 0;
        for (sum, words) in all.zip(corrections) {
            *sum = corrections::sum_from_words(words);
            read += 1;
        }
        assert!(rest.is_empty() && read == corrections.len(), "a row of as many candidates");
        counts
    }
}

/// The sum of the products of two candidates' values.
fn product(a: &[i8], b: &[i8]) -> i32 {
    // At most 9 for each trial of a chunk, which has some thousands: far below 2^31.
    a.iter().zip(b).map(|(&a, &b)| i32::from(a) * i32::from(b)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ask::playout_settings::PlayoutSettings;
    use crate::estimate::strata::Strata;
    use tavli_backgammon::FirstRoll;

    #[test]
    fn rows_of_numbers_add_up_to_those_of_the_sums() {
        for (first_roll, candidates, cut_off, cube) in [
            (FirstRoll::Stratified, 3, false, false),
            (FirstRoll::Stratified, 2, true, false),
            (FirstRoll::Stratified, 2, true, true),
            (FirstRoll::Any, 1, true, false),
        ] {
            let counted_values = CountedValues {
                strata: Strata::new(&PlayoutSettings { first_roll, ..PlayoutSettings::default() }),
                value_kinds: ValueKinds {
                    cut_off,
                    luck: false,
                    cube,
                    short_luck_adjusted: false,
                    net_valued_luck_adjusted: false,
                    games_per_value: None,
                },
            };
            let counts = |seed: i64| {
                let mut counts = RolloutCounts::new(counted_values, candidates);
                let mut next = seed;
                for count in counts.results.iter_mut().flatten().flatten() {
                    *count = next.unsigned_abs();
                    next += 1;
                }
                for sum in counts.products.iter_mut().flatten().flatten() {
                    *sum = -next;
                    next += seed;
                }
                for sum in counts.corrections.iter_mut().flat_map(ValueCorrections::numbers_mut) {
                    *sum = -(i128::from(next) << 40);
                    next += seed;
                }
                for sum in counts.cubeful.iter_mut().flat_map(CubefulSums::numbers_mut) {
                    *sum = i128::from(next) << 30;
                    next += seed;
                }
                counts
            };
            let (mut one, other) = (counts(5), counts(-7000));
            let rows = one.numbers().into_iter().zip(other.numbers());
            let sums: Vec<u64> = rows.map(|(one, other)| one.wrapping_add(other)).collect();
            one.merge(&other);
            assert_eq!(RolloutCounts::from_numbers(counted_values, candidates, &sums), one);
        }
    }
}
