//! Queues of lanes that wait for their plays to be drawn, packed so that vectors are full.
//!
//! Tested by the games that use it: `tests/suite/tiers.rs` of `kernel/backgammon`, `tests/suite/playouts.rs` of
//! `kernel/variants`.

use bytemuck::Zeroable;
use tavli_algebra::CheckerPlanes;
use tavli_simd::{LANE_NUMBERS, Lanes, Vector};

use crate::columns::{Column, Deltas, clamped_offset};

/// Lanes in the order in which they were queued: the mover's checkers, a word of the game's own, and the fraction that
/// draws the play.
#[derive(Zeroable)]
#[repr(C, align(64))]
pub struct WaitingLanes {
    counts: [Column; 4],
    /// The game's own word, such as the open points and the dice.
    // One word for both, since each word of a lane is compressed, stored and loaded separately.
    packed: Column,
    fraction: Column,
}

impl WaitingLanes {
    /// Queues lanes behind those `queued` before, and counts them.
    #[inline(always)]
    pub fn push<V: Vector>(
        &mut self,
        queued: &mut usize,
        lanes: V::Lanes,
        counts: &CheckerPlanes<V>,
        packed: V,
        fraction: V,
    ) {
        let at = clamped_offset::<V>(*queued);
        for bit in 0..4 {
            counts[bit].compress(lanes, &mut self.counts[bit][at..]);
        }
        packed.compress(lanes, &mut self.packed[at..]);
        fraction.compress(lanes, &mut self.fraction[at..]);
        *queued += V::count_lanes(lanes.to_bits());
    }

    /// The mover's checkers in the lanes from `at` on. `zero` is any vector.
    #[inline(always)]
    pub fn counts<V: Vector>(&self, zero: V, at: usize) -> CheckerPlanes<V> {
        // Written out, since a closure of `map` falls back to SSE in code for AVX-512.
        [
            zero.load_slice(&self.counts[0][at..]),
            zero.load_slice(&self.counts[1][at..]),
            zero.load_slice(&self.counts[2][at..]),
            zero.load_slice(&self.counts[3][at..]),
        ]
    }

    /// The game's own words of the lanes from `at` on. `zero` is any vector.
    #[inline(always)]
    pub fn packed<V: Vector>(&self, zero: V, at: usize) -> V {
        zero.load_slice(&self.packed[at..])
    }

    /// The fractions of the lanes from `at` on. `zero` is any vector.
    #[inline(always)]
    pub fn fraction<V: Vector>(&self, zero: V, at: usize) -> V {
        zero.load_slice(&self.fraction[at..])
    }
}

/// Some lanes of a queue that need more code than its others.
#[derive(Zeroable)]
#[repr(C, align(64))]
pub struct SubQueue {
    /// The lanes, packed anew.
    pub waiting: WaitingLanes,
    /// The index of each lane in the queue.
    places: Column,
}

impl SubQueue {
    /// Queues some of the lanes of `from` from `at` on, behind those `queued` before, and counts them. `zero` is any
    /// vector.
    #[inline(always)]
    pub fn push<V: Vector>(&mut self, queued: &mut usize, lanes: V::Lanes, from: &WaitingLanes, at: usize, zero: V) {
        if lanes.is_empty() {
            return;
        }
        let places = zero.splat(at as u32).wrapping_add(zero.load_slice(&LANE_NUMBERS));
        places.compress(lanes, &mut self.places[clamped_offset::<V>(*queued)..]);
        let (counts, packed) = (from.counts(zero, at), from.packed(zero, at));
        self.waiting.push(queued, lanes, &counts, packed, from.fraction(zero, at));
    }

    /// Writes the changes of the lanes from `at` on, of those `queued`, to their places in the queue.
    #[inline(always)]
    pub fn scatter<V: Vector, const N: usize>(&self, at: usize, queued: usize, delta: &[V; N], deltas: &mut Deltas<N>) {
        let mut words = [V::LaneArray::default(); N];
        for word in 0..N {
            words[word] = delta[word].store();
        }
        let lanes = V::LANES.min(queued - at);
        for (lane, &place) in self.places[at..at + lanes].iter().enumerate() {
            for (column, words) in deltas.columns.iter_mut().zip(&words) {
                column[place as usize] = words.as_ref()[lane];
            }
        }
    }
}
