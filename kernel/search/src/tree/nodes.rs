//! A vector of nodes. A node that fits into a cache line never lies in two: a visit waits for memory once.

use core::hint::black_box;
use core::ops::{Index, IndexMut};
use std::collections::TryReserveError;

use tavli_simd::prefetch;

/// The bytes that a growing arena leaves to the rest of the program, for a report and its output.
pub(super) const BYTES_RESERVED_FOR_OTHERS: usize = 1 << 24;

#[derive(Debug)]
#[repr(align(32))]
struct HalfLine<T>(T);

#[derive(Debug)]
#[repr(align(64))]
struct Line<T>(T);

/// Nodes in half a cache line each if they fit, as draughts' do, otherwise in whole lines. With halves a search of
/// draughts takes 0.95 of the time (profiles/LOG.md, 2026-11-27).
// One of the vectors is empty. Halves alone would not do: their vector may begin in the middle of a line.
#[derive(Debug)]
pub(super) struct Nodes<T> {
    halves: Vec<HalfLine<T>>,
    lines: Vec<Line<T>>,
}

/// Reserves memory for the rest of the program, to be held while an arena takes its own.
///
/// # Errors
/// The system refuses it.
pub(super) fn try_reserve_bytes(bytes: usize) -> Result<Vec<u8>, TryReserveError> {
    let mut memory = Vec::new();
    memory.try_reserve_exact(bytes)?;
    // The compiler may remove an unused reservation.
    Ok(black_box(memory))
}

/// An empty vector with capacity for `length` elements, if the system has it.
pub(super) fn reserved<T>(length: u64) -> Vec<T> {
    let mut arena = Vec::new();
    // Searches with arenas that never move take 0.94 of the time (profiles/LOG.md, 2026-11-23). Unused capacity costs
    // nothing: the system gives memory when it is first written. If it refuses the capacity, the vector grows as it is
    // filled.
    match arena.try_reserve_exact(usize::try_from(length).unwrap_or(usize::MAX)) {
        Ok(()) => arena,
        Err(_) => Vec::new(),
    }
}

impl<T> Nodes<T> {
    const ARE_HALVES: bool = size_of::<T>() <= align_of::<HalfLine<T>>();

    pub(super) const BYTES: usize = if Self::ARE_HALVES { size_of::<HalfLine<T>>() } else { size_of::<Line<T>>() };

    /// No nodes, with capacity for `length` if the system has it.
    pub(super) fn with_capacity(length: u64) -> Nodes<T> {
        let (halves, lines) = if Self::ARE_HALVES { (length, 0) } else { (0, length) };
        Nodes { halves: reserved(halves), lines: reserved(lines) }
    }

    pub(super) fn len(&self) -> usize {
        if Self::ARE_HALVES { self.halves.len() } else { self.lines.len() }
    }

    /// How many more fit without growing.
    pub(super) fn spare_capacity(&self) -> usize {
        if Self::ARE_HALVES {
            self.halves.capacity() - self.halves.len()
        } else {
            self.lines.capacity() - self.lines.len()
        }
    }

    pub(super) fn try_reserve(&mut self, more: usize) -> Result<(), TryReserveError> {
        if Self::ARE_HALVES { self.halves.try_reserve(more) } else { self.lines.try_reserve(more) }
    }

    pub(super) fn push(&mut self, node: T) {
        if Self::ARE_HALVES {
            self.halves.push(HalfLine(node));
        } else {
            self.lines.push(Line(node));
        }
    }

    #[inline]
    pub(super) fn prefetch(&self, node: u32) {
        if Self::ARE_HALVES {
            prefetch(&self.halves, node as usize);
        } else {
            prefetch(&self.lines, node as usize);
        }
    }
}

impl<T> Index<u32> for Nodes<T> {
    type Output = T;

    #[inline]
    fn index(&self, node: u32) -> &T {
        if Self::ARE_HALVES { &self.halves[node as usize].0 } else { &self.lines[node as usize].0 }
    }
}

impl<T> IndexMut<u32> for Nodes<T> {
    #[inline]
    fn index_mut(&mut self, node: u32) -> &mut T {
        if Self::ARE_HALVES { &mut self.halves[node as usize].0 } else { &mut self.lines[node as usize].0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines_of<const BYTES: usize>() -> Vec<usize> {
        let mut nodes = Nodes::with_capacity(100);
        for byte in 0..100 {
            nodes.push([byte; BYTES]);
        }
        assert_eq!((nodes.len(), nodes[7], nodes.spare_capacity()), (100, [7; BYTES], 0));
        let line = |byte: &u8| core::ptr::from_ref(byte).addr() / 64;
        (0..100).map(|node| line(&nodes[node][BYTES - 1]) - line(&nodes[node][0])).collect()
    }

    #[test]
    fn nodes_lie_in_one_line() {
        assert_eq!(lines_of::<32>(), [0; 100]);
        assert_eq!(lines_of::<45>(), [0; 100]);
        assert_eq!(lines_of::<65>(), [1; 100]);
        assert_eq!([Nodes::<[u8; 29]>::BYTES, Nodes::<[u8; 33]>::BYTES], [32, 64]);
    }
}
