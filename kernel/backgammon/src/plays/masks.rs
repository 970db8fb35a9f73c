//! The points that decide where the mover's checkers may go.

use super::planes::{self, CheckerPlanes, mirror};
use tavli_simd::Vector;

/// The points that decide where the mover's checkers may go, in the mover's frame.
#[derive(Clone, Copy)]
pub(crate) struct Masks<V> {
    /// Points with own checkers, the bar included.
    pub(crate) occupied: V,
    /// Points with two or more own checkers.
    pub(crate) made: V,
    /// Points that the opponent has made. Here and in `blots` the opponent's bar falls on bit 0. That bit may be set,
    /// and means nothing.
    pub(crate) blocked: V,
    /// Points with one checker of the opponent's.
    pub(crate) blots: V,
}

impl<V: Vector> Masks<V> {
    #[inline(always)]
    pub(crate) fn new(mover: &CheckerPlanes<V>, other: &CheckerPlanes<V>) -> Masks<V> {
        let (occupied, made) = planes::occupied_and_made(mover);
        let (_, other_made) = planes::occupied_and_made(other);
        Masks { occupied, made, blocked: mirror(other_made), blots: mirror(planes::blots(other)) }
    }
}
