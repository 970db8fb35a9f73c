//! Positions in which no play may end.

use tavli_simd::Vector;

/// A bit that no set of points has: a mask with it is never all occupied.
pub(crate) const NEVER: u32 = 1 << 31;

/// A test of positions at the end of a play, in the mover's frame.
#[derive(Clone, Copy, Debug)]
pub struct EndTest<V> {
    /// Points that may not all be occupied, or [`NEVER`].
    pub(crate) quadrant: V,
    /// Points before the start that may not all be occupied, or [`NEVER`].
    pub(crate) before_start: V,
    /// Points on which a checker of the other side can land, of which one must be left open; or [`NEVER`].
    pub(crate) landings: V,
}

impl<V: Vector> EndTest<V> {
    /// The test that every position passes.
    #[inline(always)]
    pub(crate) fn none(any: V) -> EndTest<V> {
        EndTest { quadrant: any.splat(NEVER), before_start: any.splat(NEVER), landings: any.splat(NEVER) }
    }

    /// Lanes in which a play may end with checkers on these points.
    #[inline(always)]
    pub(crate) fn allows(&self, occupied: V) -> V::Lanes {
        let fills = |points: V| (occupied & points).lanes_equal(points);
        let blocks = (self.landings & !occupied).lanes_zero();
        // A side without checkers has won, whatever it blocks.
        !(fills(self.quadrant) | fills(self.before_start) | blocks) | occupied.lanes_zero()
    }

    /// Lanes in which a play might end where it may not: `reached` are the points that have checkers or that some step
    /// of the roll can reach, and at most `steps` are made.
    #[inline(always)]
    pub(crate) fn is_at_risk(&self, occupied: V, reached: V, steps: V) -> V::Lanes {
        let six = occupied.splat(6);
        let fills = |points: V| {
            let held = (occupied & points).count_ones().wrapping_add(steps);
            (reached & points).lanes_equal(points) & !held.lanes_less(six)
        };
        let free = self.landings & !occupied;
        let blocks = (free & !reached).lanes_zero() & !steps.lanes_less(free.count_ones());
        fills(self.quadrant) | fills(self.before_start) | blocks
    }
}
