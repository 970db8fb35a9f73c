//! Upper confidence bounds (UCB1): which choice a simulation makes.
//!
//! Only operations that IEEE 754 defines to the last bit are used here, and logarithms of libm, which is part of the
//! program: so trees are the same on any CPU.

use core::{array, hint};
use std::sync::OnceLock;

use super::choices::{ChoicesView, InlineChoices, Selected};
use crate::progressive_bias::ProgressiveBias;
use crate::search_settings::SelectionBound;
use tavli_simd::highest_of_eight;

/// Selects a choice: one without visits if there is one, otherwise the one with the highest upper confidence bound.
pub(super) fn select<H>(choices: ChoicesView<'_>, c_squared: f64, bias: Option<&ProgressiveBias<H>>) -> Selected {
    let (count, tried, parent) = (choices.count(), choices.tried(), choices.visits());
    let (visits, sums) = choices.visits_and_sums();
    debug_assert_eq!(visits.iter().sum::<u32>(), parent, "each visit is one to a choice");
    let exploration = || c_squared as f32 * Logarithms::cached().log(parent);
    if let Some(bias) = bias {
        let (ranks, biases) = choices.ranks_and_biases();
        let unpruned = bias.unpruned(parent, count);
        return if tried < unpruned {
            Selected::untried(ranks[tried] as usize)
        } else {
            let biased = ranks[..unpruned].iter().zip(biases);
            Selected::tried(highest_biased(visits, sums, biased, exploration()))
        };
    }
    match choices.next_untried() {
        Some(choice) => Selected::untried(choice),
        None => Selected::tried(highest_bound(visits, sums, exploration())),
    }
}

/// [`select`] without progressive bias, of inline choices.
// Branch-free: the choice cannot be predicted, and without a branch the work of one simulation overlaps with the next
// one's.
#[inline(always)]
pub(super) fn select_branch_free(choices: &InlineChoices<'_>, c_squared: f64, logarithms: Logarithms) -> Selected {
    let (count, tried) = (choices.count(), choices.tried());
    let [visits, sums] = choices.visits_and_sums();
    let exploration = c_squared as f32 * logarithms.log(choices.visits());
    // An entry without visits gives NaN. In that case a choice is untried, and the highest bound is not used.
    let bounds = array::from_fn(|index| {
        let share = 1.0 / visits[index] as i32 as f32;
        sums[index] as i32 as f32 * share + (exploration * share).sqrt()
    });
    let highest = highest_of_eight(&bounds) as u32;
    let untried = choices.first() + tried;
    // Wraps around: below `count` the difference is a huge `u32`, so that `min` keeps the first.
    let untried = untried.min(untried.wrapping_sub(count));
    let is_untried = tried < count;
    Selected { choice: hint::select_unpredictable(is_untried, untried, highest) as usize, is_untried }
}

/// The natural logarithms of numbers of visits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Logarithms(&'static [f32; Logarithms::CACHED]);

impl Logarithms {
    /// The logarithms below this number are kept. Only the first positions of large trees have more visits.
    const CACHED: usize = 1 << 16;

    /// Computed at the first call, in less than a millisecond.
    pub(super) fn cached() -> Logarithms {
        static CACHED: OnceLock<Box<[f32; Logarithms::CACHED]>> = OnceLock::new();
        Logarithms(CACHED.get_or_init(|| {
            let logarithms: Box<[f32]> = (0..Logarithms::CACHED).map(|visits| libm::logf(visits as f32)).collect();
            logarithms.try_into().expect("there are as many")
        }))
    }

    /// The logarithm of a number of visits; for 0 it is -inf, and no bound with it is used.
    #[inline(always)]
    fn log(self, visits: u32) -> f32 {
        #[cold]
        fn computed(visits: u32) -> f32 {
            libm::logf(visits as f32)
        }
        match self.0.get(visits as usize) {
            Some(&logarithm) => logarithm,
            None => computed(visits),
        }
    }
}

/// Selects a choice by a bound: one without visits if there is one, otherwise the one with the highest bound, the first
/// of equal ones. Lost choices are left out, unless all are lost.
pub(super) fn select_not_lost(
    choices: ChoicesView<'_>,
    c_squared: f64,
    kind: SelectionBound,
    is_lost: impl Fn(usize) -> bool,
) -> Selected {
    if let Some(choice) = choices.next_untried() {
        return Selected::untried(choice);
    }
    let count = choices.count();
    let (visits, sums) = choices.visits_and_sums();
    let c_squared = c_squared as f32;
    let of_all = c_squared * Logarithms::cached().log(choices.visits());
    let bound = |choice: usize| {
        let visits = visits[choice] as f32;
        let share = 1.0 / visits;
        let exploration = match kind {
            SelectionBound::Ucb1 => of_all,
            SelectionBound::OwnVisits => c_squared * libm::log2f(visits),
        };
        sums[choice] as i32 as f32 * share + (exploration * share).sqrt()
    };
    let mut best: Option<(usize, f32)> = None;
    for choice in (0..count).filter(|&choice| !is_lost(choice)) {
        let bound = bound(choice);
        if best.is_none_or(|(_, highest)| bound > highest) {
            best = Some((choice, bound));
        }
    }
    // All are lost only while the position itself is not proven yet, within a group of simulations.
    Selected::tried(best.map_or(0, |(choice, _)| choice))
}

/// The index of the highest upper confidence bound, the first of equal ones. All choices have visits.
fn highest_bound(visits: &[u32], sums: &[u32], exploration: f32) -> usize {
    /// Bounds that are computed before they are compared: the first loop then has no branches, and compiles to vector
    /// instructions.
    const CHOICES_PER_BATCH: usize = 16;
    debug_assert!(visits.iter().all(|&visits| visits > 0), "{visits:?}");
    let (mut best, mut highest) = (0, f32::NEG_INFINITY);
    let mut bounds = [0.0; CHOICES_PER_BATCH];
    for (batch, (visits, sums)) in visits.chunks(CHOICES_PER_BATCH).zip(sums.chunks(CHOICES_PER_BATCH)).enumerate() {
        for ((bound, &visits), &sum) in bounds.iter_mut().zip(visits).zip(sums) {
            // Visits are far below 2^31, and as signed integers they convert by one instruction on every tier.
            let share = 1.0 / visits as i32 as f32;
            *bound = sum as i32 as f32 * share + (exploration * share).sqrt();
        }
        for (index, &bound) in bounds[..visits.len()].iter().enumerate() {
            if bound > highest {
                (best, highest) = (batch * CHOICES_PER_BATCH + index, bound);
            }
        }
    }
    best
}

/// The choice with the highest sum of upper confidence bound and progressive bias, the first of equal ones. Each choice
/// comes with the bits of its bias. All have visits.
fn highest_biased<'a>(
    visits: &[u32],
    sums: &[u32],
    biased: impl Iterator<Item = (&'a u32, &'a u32)>,
    exploration: f32,
) -> usize {
    let (mut best, mut highest) = (0, f32::NEG_INFINITY);
    for (&choice, &bias) in biased {
        let choice = choice as usize;
        debug_assert!(visits[choice] > 0, "choices without visits are selected before");
        let visits = visits[choice] as f32;
        let share = 1.0 / visits;
        let value = sums[choice] as i32 as f32 * share + (exploration * share).sqrt();
        let bound = value + f32::from_bits(bias) / (visits + 1.0);
        if bound > highest {
            (best, highest) = (choice, bound);
        }
    }
    best
}
