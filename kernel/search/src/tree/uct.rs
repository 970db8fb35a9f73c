//! Upper confidence bounds (UCB1): which choice a simulation makes.

use core::fmt;
use std::sync::OnceLock;

use super::arena::{ChoicesView, LANES};
use crate::progressive_bias::ProgressiveBias;
use crate::settings::SelectionBound;
use tavli_simd::highest_of_eight;

/// A choice that a simulation makes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Selected {
    pub(super) choice: usize,
    /// Whether it has no visits yet.
    pub(super) is_untried: bool,
}

impl Selected {
    const fn untried(choice: usize) -> Selected {
        Selected {
            choice,
            is_untried: true,
        }
    }

    const fn tried(choice: usize) -> Selected {
        Selected {
            choice,
            is_untried: false,
        }
    }
}

/// Selects a choice: one without visits as long as there is one, then the one of the highest upper confidence bound.
// Inlined: a step down the tree is some hundred instructions in all.
#[inline(always)]
pub(super) fn select<P: Copy + fmt::Debug>(
    choices: ChoicesView<'_>,
    c_squared: f64,
    bias: Option<&ProgressiveBias<P>>,
) -> Selected {
    let (number, tried, parent) = (choices.number(), choices.tried(), choices.visits());
    let (visits, sums) = choices.visits_and_sums();
    debug_assert_eq!(visits.iter().sum::<u32>(), parent, "each visit is one to a choice");
    let exploration = || c_squared as f32 * kept_log(parent);
    if let Some(bias) = bias {
        let (ranks, biases) = choices.ranks_and_biases();
        let unpruned = bias.unpruned(parent, number);
        return if tried < unpruned {
            Selected::untried(ranks[tried] as usize)
        } else {
            let biased = ranks[..unpruned].iter().zip(biases);
            Selected::tried(highest_biased(visits, sums, biased, exploration()))
        };
    }
    if tried < number {
        let choice = choices.first() + tried;
        return Selected::untried(if choice < number { choice } else { choice - number });
    }
    Selected::tried(match choices.lanes() {
        Some((visits, sums)) => highest_of_few(number, visits, sums, exploration()),
        None => highest_bound(visits, sums, exploration()),
    })
}

/// The natural logarithm of a number of visits, at least 1.
#[inline(always)]
fn kept_log(visits: u32) -> f32 {
    /// Neighbouring numbers of visits, whose logarithms are computed and kept once that of one is asked for.
    const ROW: usize = 1024;
    /// Rows of all numbers up to 65,535: more visits have the first positions of large trees only.
    const ROWS: usize = 64;
    static LOGS: [OnceLock<Box<[f32; ROW]>>; ROWS] = [const { OnceLock::new() }; ROWS];
    #[cold]
    fn new_row(row: usize) -> &'static [f32; ROW] {
        LOGS[row].get_or_init(|| Box::new(core::array::from_fn(|index| libm::logf((row * ROW + index) as f32))))
    }
    #[cold]
    fn log(visits: u32) -> f32 {
        libm::logf(visits as f32)
    }
    let (row, index) = (visits as usize / ROW, visits as usize % ROW);
    match LOGS.get(row).map(OnceLock::get) {
        Some(Some(logs)) => logs[index],
        Some(None) => new_row(row)[index],
        None => log(visits),
    }
}

/// Selects a choice by a bound, without those that are lost unless all are: one without visits as long as there is one,
/// then the one of the highest bound, the first of equal ones.
pub(super) fn select_not_lost(
    choices: ChoicesView<'_>,
    c_squared: f64,
    kind: SelectionBound,
    is_lost: impl Fn(usize) -> bool,
) -> Selected {
    let (number, tried) = (choices.number(), choices.tried());
    if tried < number {
        let choice = choices.first() + tried;
        return Selected::untried(if choice < number { choice } else { choice - number });
    }
    let (visits, sums) = choices.visits_and_sums();
    let c_squared = c_squared as f32;
    let of_all = c_squared * kept_log(choices.visits());
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
    for choice in (0..number).filter(|&choice| !is_lost(choice)) {
        let bound = bound(choice);
        if best.is_none_or(|(_, highest)| bound > highest) {
            best = Some((choice, bound));
        }
    }
    // All are lost only where that is not proven of the position yet, within a group of simulations.
    Selected::tried(best.map_or(0, |(choice, _)| choice))
}

// The functions here use operations alone that IEEE 754 defines to the last bit, and `logf` is libm's, which is part
// of the program: so trees are the same on any CPU.

/// By a number of choices, all bits of the lanes of these.
static USED: [[u32; LANES]; LANES + 1] = {
    let mut used = [[0; LANES]; LANES + 1];
    let mut number = 0;
    while number <= LANES {
        let mut lane = 0;
        while lane < number {
            used[number][lane] = u32::MAX;
            lane += 1;
        }
        number += 1;
    }
    used
};

/// [`highest_bound`] of at most [`LANES`] choices. The lanes behind the choices have any words.
// Without a branch: which choice it is cannot be predicted, and the work of one simulation overlaps with that of the
// next.
#[inline(always)]
fn highest_of_few(number: usize, visits: &[u32; LANES], sums: &[u32; LANES], exploration: f32) -> usize {
    let mut bounds = [0.0; LANES];
    let used = &USED[number];
    for lane in 0..LANES {
        let share = 1.0 / visits[lane] as i32 as f32;
        let bound = sums[lane] as i32 as f32 * share + (exploration * share).sqrt();
        bounds[lane] = f32::from_bits(bound.to_bits() & used[lane] | f32::NEG_INFINITY.to_bits() & !used[lane]);
    }
    highest_of_eight(&bounds)
}

/// The index of the highest upper confidence bound, the first of equal ones. All choices have visits.
fn highest_bound(visits: &[u32], sums: &[u32], exploration: f32) -> usize {
    /// The bounds of this many choices are computed before they are compared: the first loop then has no branches, and
    /// compiles to vector instructions.
    const CHOICES_PER_BATCH: usize = 16;
    debug_assert!(visits.iter().all(|&visits| visits > 0), "{visits:?}");
    let (mut best, mut highest) = (0, f32::NEG_INFINITY);
    let mut bounds = [0.0; CHOICES_PER_BATCH];
    for (group, (visits, sums)) in visits
        .chunks(CHOICES_PER_BATCH)
        .zip(sums.chunks(CHOICES_PER_BATCH))
        .enumerate()
    {
        for ((bound, &visits), &sum) in bounds.iter_mut().zip(visits).zip(sums) {
            // Visits are far below 2^31, and as signed integers they convert by one instruction on every tier.
            let share = 1.0 / visits as i32 as f32;
            *bound = sum as i32 as f32 * share + (exploration * share).sqrt();
        }
        for (index, &bound) in bounds[..visits.len()].iter().enumerate() {
            if bound > highest {
                (best, highest) = (group * CHOICES_PER_BATCH + index, bound);
            }
        }
    }
    best
}

/// The choice of the highest sum of upper confidence bound and progressive bias among these, each with the bits of its
/// bias; the first of equal ones. All of them have visits.
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
