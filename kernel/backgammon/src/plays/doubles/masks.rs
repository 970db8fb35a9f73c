//! The masks that the plays of a double are counted from.

use crate::board::{BAR_BIT, HOME, POINTS};
use crate::plays::planes::{self, CheckerPlanes, Steps};
use tavli_simd::Vector;

/// The masks that the plays of a double are counted from. They are apart from the counts so that a batch can select
/// the plays of some lanes while it counts those of others.
#[derive(Clone, Copy)]
pub(crate) struct DoubleMasks<V: Vector> {
    pub(super) die: V,
    /// Counts after the entry from the bar.
    pub(super) counts: CheckerPlanes<V>,
    /// Steps that every play has: the entry from the bar.
    pub(super) entry: Steps<V>,
    /// Steps left to play after the entry.
    pub(super) allowed: V,
    /// Steps that are played after the entry, without those that a larger die bears off.
    pub(super) used: V,
    home: V::Lanes,
    /// Points with at least one, two, three, four checkers.
    pub(super) at_least: [V; 4],
    /// Points from which a checker can step.
    pub(super) step: V,
    /// Those of them with checkers from which a checker can step over an empty point and on.
    pub(super) run: V,
}

impl<V: Vector> DoubleMasks<V> {
    /// The masks of the plays of up to `steps` times `die`. `ENTERING` must be set if there may be checkers on
    /// the bar, `BEAR_OFF` if all checkers may be home.
    #[inline(always)]
    pub(crate) fn new<const ENTERING: bool, const BEAR_OFF: bool>(
        counts: &CheckerPlanes<V>,
        blocked: V,
        die: V,
        steps: V,
    ) -> DoubleMasks<V> {
        let one = die.splat(1);
        let (occupied, _) = planes::occupied_and_made(counts);
        let mut open = !blocked & POINTS;
        let home = (occupied & !HOME).is_zero();
        if BEAR_OFF {
            open = open | one.zero_unless(home);
        }
        let steppable = open.shl(die);

        // All checkers on the bar enter first; if some stay there, nothing else moves.
        let mut counts = *counts;
        let mut entry = [die.splat(0); 3];
        let mut allowed = steps;
        if ENTERING {
            // Each of these is one bit, the bar's. Of four and more checkers four enter.
            let can_enter = steppable & BAR_BIT;
            let over_three = can_enter & (counts[2] | counts[3]);
            let few = can_enter & !over_three;
            let some_stay = (occupied & !can_enter & BAR_BIT) | (over_three & (counts[0] | counts[1] | counts[3]));
            entry = [counts[0] & few, counts[1] & few, over_three];
            let entered = entry[0]
                .shr_by::<25>()
                .wrapping_add(entry[1].shr_by::<24>())
                .wrapping_add(entry[2].shr_by::<23>());
            allowed = steps.wrapping_sub(entered).zero_unless(some_stay.is_zero());
            planes::add(&mut counts, &planes::landings(&entry, die));
        }

        let at_least = planes::at_least(&counts);
        let [at_least_1, at_least_2, at_least_3, at_least_4] = at_least;
        let step = steppable & POINTS;
        let step_2 = step & step.shl(die);
        let step_3 = step_2 & step.shl(die).shl(die);
        let step_4 = step_3 & step.shl(die).shl(die).shl(die);
        // Steps that can be played, exact up to four.
        let possible = (at_least_1 & step).count_ones_with([
            at_least_2 & step,
            at_least_3 & step,
            at_least_4 & step,
            at_least_1 & step_2,
            at_least_2 & step_2,
            at_least_1 & step_3,
            at_least_1 & step_4,
        ]);
        let through_empty = (step & !at_least_1).shl(die);
        DoubleMasks {
            die,
            counts,
            entry,
            allowed,
            used: allowed.min(possible),
            home,
            at_least,
            step,
            run: at_least_1 & step & through_empty,
        }
    }

    /// These and another vector, [both kept live](Vector::keep_both_live).
    #[inline(always)]
    pub(crate) fn keep_both_live(mut self, other: V) -> (DoubleMasks<V>, V) {
        let (used, other) = self.used.keep_both_live(other);
        self.used = used;
        (self, other)
    }

    /// Towers: points with checkers from which a checker can step.
    #[inline(always)]
    pub(super) fn towers(&self) -> V {
        self.at_least[0] & self.step
    }

    /// Towers of two or more checkers.
    #[inline(always)]
    pub(super) fn towers_of_two(&self) -> V {
        self.at_least[1] & self.step
    }

    /// How many steps may remain for a die larger than the rearmost point after all others are played.
    #[inline(always)]
    pub(super) fn by_larger_die(&self) -> V {
        self.allowed.wrapping_sub(self.used).zero_unless(self.home)
    }
}
