//! Trials in the order of the classes of their strata.

use core::ops::Range;

use crate::estimate::strata::{DOUBLES_CLASSES, Strata};

/// Orders trials so that each class is contiguous: products are then summed over slices.
pub(crate) struct DoublesClassOrder {
    strata: Strata,
    /// The number of the first trial.
    first: u64,
    /// The stratum of each trial.
    stratum_of: Vec<usize>,
    /// The index of each trial.
    index_of: Vec<usize>,
    /// For each class, the index after its last trial.
    class_ends: [usize; DOUBLES_CLASSES],
}

impl DoublesClassOrder {
    /// The order of the trials with these numbers.
    pub(crate) fn new(strata: Strata, trials: Range<u64>) -> DoublesClassOrder {
        let stratum_of: Vec<usize> = trials.clone().map(|trial| strata.of_game(trial)).collect();
        let mut sizes = [0; DOUBLES_CLASSES];
        for &stratum in &stratum_of {
            sizes[strata.class(stratum)] += 1;
        }
        let mut next = [0; DOUBLES_CLASSES];
        for class in 1..DOUBLES_CLASSES {
            next[class] = next[class - 1] + sizes[class - 1];
        }
        let mut take_index = |&stratum: &usize| {
            let index = &mut next[strata.class(stratum)];
            *index += 1;
            *index - 1
        };
        DoublesClassOrder {
            strata,
            first: trials.start,
            index_of: stratum_of.iter().map(&mut take_index).collect(),
            stratum_of,
            // By this point each index has run to the end of its class.
            class_ends: next,
        }
    }

    pub(crate) fn trials(&self) -> Range<u64> {
        self.first..self.first + self.len() as u64
    }

    pub(crate) fn len(&self) -> usize {
        self.stratum_of.len()
    }

    /// The index of the trial of a number.
    pub(crate) fn index(&self, trial: u64) -> usize {
        self.index_of[self.offset(trial)]
    }

    /// The stratum of the trial of a number, and its class.
    pub(crate) fn stratum_and_doubles_class(&self, trial: u64) -> [usize; 2] {
        let stratum = self.stratum_of[self.offset(trial)];
        [stratum, self.strata.class(stratum)]
    }

    /// The stratum and the index of each trial.
    pub(crate) fn strata_and_indices(&self) -> impl Iterator<Item = (usize, usize)> {
        self.stratum_of.iter().copied().zip(self.index_of.iter().copied())
    }

    /// The indices of each class.
    pub(crate) fn classes(&self) -> [Range<usize>; DOUBLES_CLASSES] {
        let mut first = 0;
        self.class_ends.map(|end| core::mem::replace(&mut first, end)..end)
    }

    fn offset(&self, trial: u64) -> usize {
        (trial - self.first) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ask::playout_settings::PlayoutSettings;
    use tavli_backgammon::FirstRoll;

    #[test]
    fn each_trial_has_an_index_of_its_class() {
        for first_roll in [FirstRoll::Any, FirstRoll::Stratified] {
            let strata = Strata::new(&PlayoutSettings { first_roll, ..PlayoutSettings::default() });
            let order = DoublesClassOrder::new(strata, 40..540);
            assert_eq!((order.trials(), order.len()), (40..540, 500));
            let mut has_trial = vec![false; order.len()];
            for (trial, (stratum, index)) in order.trials().zip(order.strata_and_indices()) {
                assert!(!core::mem::replace(&mut has_trial[index], true));
                let class = strata.class(strata.of_game(trial));
                assert_eq!(order.stratum_and_doubles_class(trial), [strata.of_game(trial), class]);
                assert_eq!((order.index(trial), stratum), (index, strata.of_game(trial)));
                assert!(order.classes()[class].contains(&index));
            }
        }
    }
}
