//! The order of the sums of pairs of candidates: 0-1, 0-2, 1-2, 0-3 ...

/// The index of a pair of candidates.
pub(crate) fn pair(a: usize, b: usize) -> usize {
    let (low, high) = (a.min(b), a.max(b));
    high * (high - 1) / 2 + low
}

/// Every pair of candidates, the lower index first.
pub(crate) fn pairs(candidates: usize) -> impl Iterator<Item = [usize; 2]> {
    (1..candidates).flat_map(|high| (0..high).map(move |low| [low, high]))
}
