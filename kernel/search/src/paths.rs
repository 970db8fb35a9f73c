//! The paths of simulations in flight: the choices of each down its tree, an entry for each.

use tavli_simd::prefetch;

/// The path of each flight, all in one vector.
///
/// ```text
/// number of entries n | n entries | room for more
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

    /// Empty paths, one a flight.
    pub(crate) fn new(flights: usize) -> Paths {
        Paths { words: vec![0; flights * Paths::FIRST_STRIDE], stride: Paths::FIRST_STRIDE }
    }

    /// How many paths there are.
    pub(crate) fn flights(&self) -> usize {
        self.words.len() / self.stride
    }

    #[inline]
    pub(crate) fn entries(&self, flight: usize) -> &[u32] {
        let path = &self.words[flight * self.stride..];
        &path[1..=path[0] as usize]
    }

    #[inline]
    pub(crate) fn clear(&mut self, flight: usize) {
        self.words[flight * self.stride] = 0;
    }

    #[inline(always)]
    pub(crate) fn push(&mut self, flight: usize, entry: u32) {
        let entries = self.words[flight * self.stride] as usize + 1;
        if entries == self.stride {
            self.double_stride();
        }
        let path = &mut self.words[flight * self.stride..];
        path[0] = entries as u32;
        path[entries] = entry;
    }

    #[cold]
    fn double_stride(&mut self) {
        let paths = self.words.chunks(self.stride);
        let room = vec![0; self.stride];
        self.words = paths.flat_map(|path| [path, &room]).flatten().copied().collect();
        self.stride *= 2;
    }

    /// Prefetches the first entries of a path.
    #[inline]
    pub(crate) fn prefetch(&self, flight: usize) {
        prefetch(&self.words, flight * self.stride);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_have_room_for_any_number_of_entries() {
        let mut paths = Paths::new(3);
        assert_eq!(paths.flights(), 3);
        for entry in 0..100 {
            paths.push(1, entry);
            paths.push(2, 1000 + entry);
        }
        assert_eq!(paths.entries(0), [0; 0]);
        assert_eq!(paths.entries(1), Vec::from_iter(0..100));
        paths.clear(1);
        assert_eq!((paths.entries(1), paths.entries(2).last()), (&[][..], Some(&1099)));
        assert_eq!(paths.flights(), 3);
    }
}
