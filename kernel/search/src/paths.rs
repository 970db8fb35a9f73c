//! The paths of simulations in flight: the steps of each down its tree.

use tavli_simd::prefetch;

/// The path of each slot, all in one vector.
///
/// ```text
/// number of steps n | n steps | room for more
/// ```
#[derive(Debug)]
pub(crate) struct Paths {
    words: Vec<u32>,
    /// Words per path. It doubles for all paths when one is full.
    stride: usize,
}

impl Paths {
    /// The first stride is a cache line: most paths need no more.
    const FIRST_STRIDE: usize = 16;

    /// Empty paths, one a slot.
    pub(crate) fn new(slots: usize) -> Paths {
        Paths { words: vec![0; slots * Paths::FIRST_STRIDE], stride: Paths::FIRST_STRIDE }
    }

    /// How many paths there are.
    pub(crate) fn slots(&self) -> usize {
        self.words.len() / self.stride
    }

    #[inline]
    pub(crate) fn steps(&self, slot: usize) -> &[u32] {
        let path = &self.words[slot * self.stride..];
        &path[1..=path[0] as usize]
    }

    #[inline]
    pub(crate) fn clear(&mut self, slot: usize) {
        self.words[slot * self.stride] = 0;
    }

    #[inline(always)]
    pub(crate) fn push(&mut self, slot: usize, step: u32) {
        let steps = self.words[slot * self.stride] as usize + 1;
        if steps == self.stride {
            self.double_stride();
        }
        let path = &mut self.words[slot * self.stride..];
        path[0] = steps as u32;
        path[steps] = step;
    }

    #[cold]
    fn double_stride(&mut self) {
        let paths = self.words.chunks(self.stride);
        let room = vec![0; self.stride];
        self.words = paths.flat_map(|path| [path, &room]).flatten().copied().collect();
        self.stride *= 2;
    }

    /// Prefetches the first steps of a path.
    #[inline]
    pub(crate) fn prefetch(&self, slot: usize) {
        prefetch(&self.words, slot * self.stride);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_have_room_for_any_number_of_steps() {
        let mut paths = Paths::new(3);
        assert_eq!(paths.slots(), 3);
        for step in 0..100 {
            paths.push(1, step);
            paths.push(2, 1000 + step);
        }
        assert_eq!(paths.steps(0), [0; 0]);
        assert_eq!(paths.steps(1), Vec::from_iter(0..100));
        paths.clear(1);
        assert_eq!((paths.steps(1), paths.steps(2).last()), (&[][..], Some(&1099)));
        assert_eq!(paths.slots(), 3);
    }
}
