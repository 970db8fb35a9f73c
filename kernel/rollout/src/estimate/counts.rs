//! Counts of the games of a rollout: exact integers that add up in any order.

use crate::ask::evaluators::ValueSources;
use crate::estimate::corrections::{self, ValueCorrections, WORDS};
use crate::estimate::cubeful_sums::CubefulSums;
use crate::estimate::doubles_class_order::DoublesClassOrder;
use crate::estimate::pairs::pairs;
use crate::estimate::strata::{DOUBLES_CLASSES, Strata};
use crate::game_value::{ENDS, GameValue};

/// For each value and class of strata, the sum of the products of two candidates' values.
pub(crate) type Products = [[i64; DOUBLES_CLASSES]; GameValue::ALL.len()];

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct CounterDimensions {
    pub(crate) strata: Strata,
    /// Which games have other values than the points of their endings.
    pub(crate) value_sources: ValueSources,
}

/// Counts of the games of a rollout, for the player whose rollout it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RolloutCounts {
    dimensions: CounterDimensions,
    /// For each candidate and stratum, how many games had each end.
    pub(crate) ends: Vec<Vec<[u64; ENDS]>>,
    /// For each pair of candidates, in the order 0-1, 0-2, 1-2, 0-3 ..., the sums of the products of their values.
    pub(crate) products: Vec<Products>,
    /// Where games have other values than the points of their endings.
    pub(crate) corrections: Option<ValueCorrections>,
    /// Where games are played with a cube.
    pub(crate) cubeful: Option<CubefulSums>,
}

impl RolloutCounts {
    pub(crate) fn new(dimensions: CounterDimensions, candidates: usize) -> RolloutCounts {
        let strata = dimensions.strata.count();
        let corrections = || ValueCorrections::new(strata, candidates);
        RolloutCounts {
            dimensions,
            ends: vec![vec![[0; ENDS]; strata]; candidates],
            products: vec![Products::default(); candidates * candidates.saturating_sub(1) / 2],
            corrections: dimensions.value_sources.is_any().then(corrections),
            cubeful: dimensions.value_sources.cube.then(|| CubefulSums::new(strata, candidates)),
        }
    }

    /// The memory of these counters, in bytes.
    pub(crate) fn memory(&self) -> usize {
        let corrections = self.corrections.iter().flat_map(ValueCorrections::numbers).count();
        let cubeful = self.cubeful.iter().flat_map(CubefulSums::numbers).count();
        self.ends.len() * self.dimensions.strata.count() * size_of::<[u64; ENDS]>()
            + size_of_val(&*self.products)
            + (corrections + cubeful) * size_of::<i128>()
    }

    /// Adds trials, given the end of each candidate's games in the order of classes.
    pub(crate) fn add_trials(&mut self, order: &DoublesClassOrder, ends: &[Vec<u8>]) {
        for (counts, ends) in self.ends.iter_mut().zip(ends) {
            for (stratum, index) in order.strata_and_indices() {
                counts[stratum][usize::from(ends[index])] += 1;
            }
        }
        if ends.len() < 2 {
            return;
        }
        for value in GameValue::ALL {
            let values_by_end: [i8; ENDS] = core::array::from_fn(|end| value.of(end));
            let value_of_game = |&end: &u8| values_by_end[usize::from(end)];
            let values: Vec<Vec<i8>> = ends.iter().map(|ends| ends.iter().map(value_of_game).collect()).collect();
            for (products, [low, high]) in self.products.iter_mut().zip(pairs(ends.len())) {
                for (sum, class) in products[value as usize].iter_mut().zip(order.classes()) {
                    *sum += i64::from(product(&values[low][class.clone()], &values[high][class]));
                }
            }
        }
    }

    pub(crate) fn merge(&mut self, other: &RolloutCounts) {
        let ends = self.ends.iter_mut().flatten().flatten();
        for (count, more) in ends.zip(other.ends.iter().flatten().flatten()) {
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
        let ends = self.ends.iter().flatten().flatten().copied();
        let products = self.products.iter().flatten().flatten();
        let corrections = self.corrections.iter().flat_map(ValueCorrections::numbers);
        let cubeful = self.cubeful.iter().flat_map(CubefulSums::numbers);
        ends.chain(products.map(|sum| sum.cast_unsigned()))
            .chain(corrections.chain(cubeful).flat_map(corrections::words))
            .collect()
    }

    /// The counts of a row of [`RolloutCounts::numbers`].
    ///
    /// # Panics
    /// If the row has other dimensions or another number of candidates.
    pub(crate) fn from_numbers(dimensions: CounterDimensions, candidates: usize, numbers: &[u64]) -> RolloutCounts {
        let mut counts = RolloutCounts::new(dimensions, candidates);
        let (ends, sums) = numbers.split_at(candidates * dimensions.strata.count() * ENDS);
        let all = counts.ends.iter_mut().flatten().flatten();
        all.zip(ends).for_each(|(count, &number)| *count = number);
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
            let dimensions = CounterDimensions {
                strata: Strata::new(&PlayoutSettings { first_roll, ..PlayoutSettings::default() }),
                value_sources: ValueSources {
                    cut_off,
                    luck: false,
                    cube,
                    short_luck_adjusted: false,
                    net_valued_luck_adjusted: false,
                    games_of_value: None,
                },
            };
            let counts = |seed: i64| {
                let mut counts = RolloutCounts::new(dimensions, candidates);
                let mut next = seed;
                for count in counts.ends.iter_mut().flatten().flatten() {
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
            assert_eq!(RolloutCounts::from_numbers(dimensions, candidates, &sums), one);
        }
    }
}
