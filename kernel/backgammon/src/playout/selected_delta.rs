//! The selected plays of a block, until its next ply.

use crate::plays::PlaneDelta;
use tavli_simd::Vector;

/// The change that each game's selected play of two different dice makes to its board.
#[derive(Clone, Copy)]
pub(super) struct SelectedDelta<V: Vector> {
    /// The bit planes of a [`PlaneDelta`], the lowest first. Its last two are equal: two checkers change no count by 4.
    gain: [V; 3],
    landings: V,
}

impl<V: Vector> SelectedDelta<V> {
    /// No change. `zero` is a vector of zeros.
    #[inline(always)]
    pub(super) fn nothing(zero: V) -> SelectedDelta<V> {
        SelectedDelta { gain: [zero; 3], landings: zero }
    }

    /// One checker moves by each die.
    #[inline(always)]
    pub(super) fn new<const BEAR_OFF: bool>((by_high, by_low): (V, V), (high, low): (V, V)) -> SelectedDelta<V> {
        let PlaneDelta { gain, landings } = PlaneDelta::from_pair::<BEAR_OFF>(by_high, by_low, high, low);
        let [ones, twos, fours, _] = gain;
        SelectedDelta { gain: [ones, twos, fours], landings }
    }

    /// The change to the mover's board.
    #[inline(always)]
    pub(super) fn delta(&self) -> PlaneDelta<V> {
        let [ones, twos, fours] = self.gain;
        PlaneDelta { gain: [ones, twos, fours, fours], landings: self.landings }
    }
}
