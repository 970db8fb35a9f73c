//! Records of the parts of a whole, which several processes made: whether they belong together, and hold each item
//! of it once.

use core::ops::Range;

use thiserror::Error;

/// A kind of result that several processes make, with the words that errors about its parts use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PartKind {
    /// The kind in the plural, such as `rollouts`.
    pub plural: &'static str,
    /// The numbered items, such as `trials`: each part holds a range of them.
    pub items: &'static str,
}

/// Rollouts of any game.
pub static ROLLOUTS: PartKind = PartKind { plural: "rollouts", items: "trials" };

/// Why parts do not make a whole. Parts are named by their index.
#[derive(Clone, PartialEq, Debug, Error)]
#[non_exhaustive]
pub enum MergeError {
    /// There are no parts.
    #[error("there is nothing to merge: give every shard of a rollout or of a search")]
    Nothing,
    /// Two parts belong to different wholes.
    #[error("the shards belong to different {}: {what} is {one_has} in one, {other_has} in the other", whole.plural)]
    Different {
        /// The kind of result.
        whole: &'static PartKind,
        /// The first part.
        one: usize,
        /// The part that differs from it.
        other: usize,
        /// The name of the setting that differs, such as `the seed`.
        what: &'static str,
        /// The setting of the first part.
        one_has: String,
        /// The setting of the other part.
        other_has: String,
    },
    /// The parts are not shards of fixed games: by this allocation, candidates may have been dropped.
    #[error("shards with the allocation {0}, which drops plays, cannot be merged: play them with the allocation even")]
    Allocation(String),
    /// A part was interrupted.
    #[error("it was interrupted: run this shard again")]
    Interrupted {
        /// The part.
        part: usize,
    },
    /// Two parts hold the same items.
    #[error("both hold {} {} to {}: leave one of the two out", whole.items, range.start, range.end - 1)]
    Overlap {
        /// The kind of result.
        whole: &'static PartKind,
        /// A part.
        one: usize,
        /// Another that holds some of its items.
        other: usize,
        /// Those items.
        range: Range<u64>,
    },
    /// Items are in no shard.
    #[error(
        "{} {} to {} are in no shard: of {count} {}, each must be in one",
        whole.items, range.start, range.end - 1, whole.items
    )]
    Missing {
        /// The kind of result.
        whole: &'static PartKind,
        /// Those items.
        range: Range<u64>,
        /// The items of the whole.
        count: u64,
    },
    /// The sums of the parts are larger than any games give.
    #[error("its sums are too large to be added to those of the shards before it: no games give them")]
    TooLarge {
        /// The part.
        part: usize,
    },
}

impl MergeError {
    /// The indices of the parts that the error names, in the order of its text; empty if it is about all parts.
    #[must_use]
    pub fn parts(&self) -> Vec<usize> {
        match self {
            MergeError::Different { one, other, .. } | MergeError::Overlap { one, other, .. } => vec![*one, *other],
            MergeError::Interrupted { part } | MergeError::TooLarge { part } => vec![*part],
            MergeError::Nothing | MergeError::Allocation(_) | MergeError::Missing { .. } => Vec::new(),
        }
    }

    /// The text of the error for parts that were given in a list: their indices, and the reason.
    #[must_use]
    pub fn of_list(&self) -> String {
        match self.parts()[..] {
            [one, other] => format!("items {one} and {other} of the list: {self}"),
            [part] => format!("item {part} of the list: {self}"),
            _ => self.to_string(),
        }
    }
}

impl PartKind {
    /// Checks that parts belong to one whole, by the settings that decide the values of each part, by name and as text.
    /// Texts with the same `identity` are equal.
    ///
    /// ```
    /// use tavli_file::saved_parts::{MergeError, PartKind};
    /// static SEARCHES: PartKind = PartKind { plural: "searches", items: "trees" };
    /// let seeds = |[one, other]: [u64; 2]| {
    ///     SEARCHES.check_same([one, other].map(|seed| [("the seed", seed.to_string())]), str::to_owned)
    /// };
    /// assert_eq!(seeds([1, 1]), Ok(()));
    /// let error = seeds([1, 2]).unwrap_err().to_string();
    /// assert_eq!(error, "the shards belong to different searches: the seed is 1 in one, 2 in the other");
    /// ```
    ///
    /// # Errors
    /// [`MergeError::Nothing`], [`MergeError::Different`].
    pub fn check_same<const N: usize>(
        &'static self,
        parts: impl IntoIterator<Item = [(&'static str, String); N]>,
        identity: impl Fn(&str) -> String,
    ) -> Result<(), MergeError> {
        let mut parts = parts.into_iter();
        let first = parts.next().ok_or(MergeError::Nothing)?;
        for (other, part) in (1..).zip(parts) {
            for ((what, one_has), (_, other_has)) in first.iter().zip(part) {
                if identity(one_has) != identity(&other_has) {
                    return Err(MergeError::Different {
                        whole: self,
                        one: 0,
                        other,
                        what,
                        one_has: one_has.clone(),
                        other_has,
                    });
                }
            }
        }
        Ok(())
    }

    /// The order that makes the parts' ranges the range from 0 to `count`. Empty ranges are left out.
    ///
    /// ```
    /// use tavli_file::saved_parts::ROLLOUTS;
    /// assert_eq!(ROLLOUTS.order(&[36..72, 0..0, 0..36], 72), Ok(vec![2, 0]));
    /// let error = ROLLOUTS.order(&[36..72], 72).unwrap_err().to_string();
    /// assert_eq!(error, "trials 0 to 35 are in no shard: of 72 trials, each must be in one");
    /// ```
    ///
    /// # Errors
    /// [`MergeError::Overlap`], [`MergeError::Missing`].
    pub fn order(&'static self, ranges: &[Range<u64>], count: u64) -> Result<Vec<usize>, MergeError> {
        let mut order: Vec<usize> = (0..ranges.len()).filter(|&part| !ranges[part].is_empty()).collect();
        order.sort_by_key(|&part| ranges[part].start);
        let missing = |range| MergeError::Missing { whole: self, range, count };
        let mut end = 0;
        let mut last = None;
        for &part in &order {
            let range = &ranges[part];
            if let Some(one) = last
                && range.start < end
            {
                return Err(MergeError::Overlap {
                    whole: self,
                    one,
                    other: part,
                    range: range.start..range.end.min(end),
                });
            }
            if range.start > end {
                return Err(missing(end..range.start));
            }
            (end, last) = (range.end, Some(part));
        }
        if end < count {
            return Err(missing(end..count));
        }
        Ok(order)
    }
}
