//! Puts the parts of a run back in order.

use core::ops::Range;
use std::collections::BTreeMap;

/// Parts that wait for the parts before them.
#[derive(Debug)]
pub(super) struct OrderedParts<T> {
    next: u64,
    waiting: BTreeMap<u64, (u64, T)>,
}

impl<T> OrderedParts<T> {
    /// Nothing waits; the first part begins with item `first`.
    pub(super) fn new(first: u64) -> OrderedParts<T> {
        OrderedParts { next: first, waiting: BTreeMap::new() }
    }

    pub(super) fn insert(&mut self, items: Range<u64>, part: T) {
        self.waiting.insert(items.start, (items.end, part));
    }

    /// The item that the next part begins with.
    pub(super) fn next_item(&self) -> u64 {
        self.next
    }

    /// The number of parts that wait.
    pub(super) fn waiting(&self) -> usize {
        self.waiting.len()
    }
}

impl<T> Iterator for OrderedParts<T> {
    type Item = T;

    /// The next part in order, if it is there.
    fn next(&mut self) -> Option<T> {
        let (end, part) = self.waiting.remove(&self.next)?;
        self.next = end;
        Some(part)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_come_out_in_order() {
        let mut order = OrderedParts::new(10);
        order.insert(15..20, "b");
        order.insert(21..30, "d");
        assert_eq!((order.next(), order.waiting()), (None, 2));
        order.insert(10..15, "a");
        assert_eq!(order.by_ref().collect::<Vec<_>>(), ["a", "b"]);
        order.insert(20..21, "c");
        assert_eq!(order.by_ref().collect::<Vec<_>>(), ["c", "d"]);
        assert_eq!((order.next(), order.waiting()), (None, 0));
    }
}
