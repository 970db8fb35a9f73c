//! Plays by playing every way to move: for the few positions with forbidden plays, and for rules that apply to every
//! step.

use core::mem;
use std::collections::BTreeSet;

use crate::position::{CHECKERS, HOME_AND_OFF, OFF_BIT, ON_BOARD, POINTS, SideCheckers};
use crate::variant::Variant;

/// The mover's free checkers by point; `[0]` is 0.
pub(crate) type Counts = [u8; POINTS + 1];

/// The rules and points that do not change during a play.
pub(crate) struct StepRules<'a, G> {
    pub(crate) game: &'a G,
    /// Points that may be landed on.
    pub(crate) open: u32,
    /// Whether no pinned checker forbids to bear off.
    pub(crate) unpinned: bool,
    /// Points on which a checker of the mover's is pinned.
    pub(crate) pinned: u32,
}

/// The counts of a side's free checkers.
pub(crate) fn counts_of(side: &SideCheckers) -> Counts {
    core::array::from_fn(|point| if point == 0 { 0 } else { side.free(point) as u8 })
}

/// All counts after playing these dice in this order.
pub(crate) fn sequences<G: Variant>(rules: &StepRules<'_, G>, mover: &Counts, dice: &[u32]) -> BTreeSet<Counts> {
    let mut all = BTreeSet::from([*mover]);
    for &die in dice {
        // A set, since orders of steps that end alike would multiply with each die.
        let before = mem::take(&mut all);
        all.extend(before.iter().flat_map(|at| rules.steps(at, die)));
    }
    all
}

impl<G: Variant> StepRules<'_, G> {
    /// The counts after one step of a die, in the order of the points that it is made from.
    pub(crate) fn steps(&self, at: &Counts, die: u32) -> Vec<Counts> {
        let die = die as usize;
        let occupied = (1..=POINTS).filter(|&point| at[point] > 0).fold(0, |bits, point| bits | 1 << point);
        let bears_off = self.unpinned && occupied & ON_BOARD & !HOME_AND_OFF == 0;
        let mut sources: u32 = occupied & (self.open | if bears_off { OFF_BIT } else { 0 }) << die;
        // A checker pinned behind the free ones keeps a larger die from bearing them off.
        let rearmost = (occupied | self.pinned).checked_ilog2().unwrap_or(0) as usize;
        if bears_off && rearmost < die {
            sources = occupied & 1 << rearmost;
        }
        let checkers: u32 = at.iter().map(|&number| u32::from(number)).sum();
        // Checkers that are borne off had passed.
        if G::HAS_RUNNER && occupied & self.game.passed() == 0 && checkers == CHECKERS {
            sources &= occupied & occupied.wrapping_neg();
        }
        let step = |from: usize| {
            let mut next = *at;
            next[from] -= 1;
            if from > die {
                let left = if next[from] == 0 { occupied & !(1 << from) } else { occupied };
                if self.game.forbids_step(left, from - die) {
                    return None;
                }
                next[from - die] += 1;
            }
            Some(next)
        };
        (1..=POINTS).filter(|&from| sources >> from & 1 == 1).filter_map(step).collect()
    }
}
