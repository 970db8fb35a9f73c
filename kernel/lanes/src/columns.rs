//! Columns of words: the queues keep each kind of word of their lanes apart, so that vectors of it are loaded.

use bytemuck::Zeroable;
use tavli_simd::{MAX_LANES, Vector};

use crate::capacity::BLOCKS;

/// The most lanes that wait in a queue, and room for the vector behind the last.
const CAPACITY: usize = (BLOCKS + 1) * MAX_LANES;

/// Words of one kind for each lane in a queue.
pub type Column = [u32; CAPACITY];

/// The place in a queue behind this many lanes, clamped so that a whole vector fits.
///
/// [`assert_capacity`] checks once, beside the loop, that nothing was clamped. A check inside the loop is a second exit
/// from it: engines of WebAssembly then reload the loop's constants in each iteration.
#[inline(always)]
pub fn clamped_offset<V: Vector>(waiting: usize) -> usize {
    debug_assert!(waiting <= CAPACITY - V::LANES, "{waiting} lanes wait in a queue of {CAPACITY}");
    waiting.min(CAPACITY - V::LANES)
}

/// Panics if a queue has no room for this many lanes.
#[inline(always)]
pub fn assert_capacity<V: Vector>(waiting: usize) {
    assert!(waiting <= CAPACITY - V::LANES, "more lanes wait than a queue has room for");
}

/// The changes that plays make, of `N` words each, in the order of the lanes of a queue.
#[derive(Zeroable)]
#[repr(C, align(64))]
pub struct Deltas<const N: usize> {
    pub(crate) columns: [Column; N],
}

impl<const N: usize> Deltas<N> {
    /// Writes the changes of the lanes from `at` on.
    #[inline(always)]
    pub fn write<V: Vector>(&mut self, at: usize, delta: &[V; N]) {
        for word in 0..N {
            delta[word].store_slice(&mut self.columns[word][at..]);
        }
    }

    /// The next changes behind those `taken` before, which are counted, in the lanes of these bits, and `otherwise` in
    /// the other lanes.
    #[inline(always)]
    pub fn take<V: Vector>(&self, taken: &mut usize, lanes: u32, otherwise: [V; N]) -> [V; N] {
        let mut delta = otherwise;
        if V::skips_when_sequential(lanes) {
            return delta;
        }
        let at = clamped_offset::<V>(*taken);
        for word in 0..N {
            delta[word] = delta[word].expand(lanes, &self.columns[word][at..]);
        }
        *taken += V::count_lanes(lanes);
        delta
    }
}
