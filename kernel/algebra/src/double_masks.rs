//! The masks that the plays of a double are counted from.

use tavli_simd::Vector;

use crate::planes::{self, CheckerPlanes, Steps};
use crate::points::{OFF_BIT, POINT_BITS};

/// The masks that the plays of a double are counted from. They are apart from the counts so that a batch can select
/// the plays of some lanes while it counts those of others.
#[derive(Clone, Copy)]
pub struct DoubleMasks<V: Vector> {
    /// The die.
    pub die: V,
    /// Counts after the steps that every play has.
    pub counts: CheckerPlanes<V>,
    /// The steps that every play has before any other: an entry from the bar, or a runner's steps.
    pub forced: Steps<V>,
    /// The number of steps after the forced ones, without steps by which a larger die bears off.
    pub steps_played: V,
    /// Steps left to play after the forced ones.
    steps_left: V,
    bears_off: V::Lanes,
    /// Points with at least one, two, three, four checkers.
    pub(crate) at_least: [V; 4],
    /// Points from which a checker can step.
    pub(crate) can_step: V,
    /// Towers from which a checker can step over an empty point and on.
    pub(crate) can_run: V,
}

impl<V: Vector> DoubleMasks<V> {
    /// The masks of the plays of up to `steps` times `die`, in lanes that may bear checkers off or not. `open` has the
    /// points of the board that may be landed on.
    #[inline(always)]
    pub fn new(counts: CheckerPlanes<V>, open: V, die: V, steps: V, bears_off: V::Lanes) -> DoubleMasks<V> {
        let can_step = (open | die.splat(OFF_BIT).zero_unless(bears_off)).shl(die) & POINT_BITS;
        let at_least = planes::at_least(&counts);
        let [at_least_1, at_least_2, at_least_3, at_least_4] = at_least;
        let step_2 = can_step & can_step.shl(die);
        let step_3 = step_2 & can_step.shl(die).shl(die);
        let step_4 = step_3 & can_step.shl(die).shl(die).shl(die);
        // Steps that can be played, exact up to four.
        let possible = (at_least_1 & can_step).count_ones_with([
            at_least_2 & can_step,
            at_least_3 & can_step,
            at_least_4 & can_step,
            at_least_1 & step_2,
            at_least_2 & step_2,
            at_least_1 & step_3,
            at_least_1 & step_4,
        ]);
        let through_empty = (can_step & !at_least_1).shl(die);
        DoubleMasks {
            die,
            counts,
            forced: [die.splat(0); 3],
            steps_played: steps.min(possible),
            steps_left: steps,
            bears_off,
            at_least,
            can_step,
            can_run: at_least_1 & can_step & through_empty,
        }
    }

    /// The masks of plays that begin with these steps, which the counts have taken already.
    #[inline(always)]
    pub fn after_forced(self, forced: Steps<V>) -> DoubleMasks<V> {
        DoubleMasks { forced, ..self }
    }

    /// These and another vector, [both kept live](Vector::keep_both_live).
    #[inline(always)]
    pub fn keep_both_live(mut self, other: V) -> (DoubleMasks<V>, V) {
        let (steps_played, other) = self.steps_played.keep_both_live(other);
        self.steps_played = steps_played;
        (self, other)
    }

    /// Towers: points with checkers from which a checker can step.
    #[inline(always)]
    pub(crate) fn towers(&self) -> V {
        self.at_least[0] & self.can_step
    }

    /// Towers of two or more checkers.
    #[inline(always)]
    pub(crate) fn towers_of_two(&self) -> V {
        self.at_least[1] & self.can_step
    }

    /// How many steps may remain for a die larger than the rearmost point after all others are played.
    #[inline(always)]
    pub fn by_larger_die(&self) -> V {
        self.steps_left.wrapping_sub(self.steps_played).zero_unless(self.bears_off)
    }
}
