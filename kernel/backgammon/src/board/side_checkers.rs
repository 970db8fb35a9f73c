//! One side's checkers: bit-sliced counts and the list of occupied points.

use core::fmt;

use bytemuck::NoUninit;

/// Off the board: the target of a checker that is borne off.
pub const OFF: u8 = 0;
/// The bar, in its owner's frame.
pub const BAR: u8 = 25;
/// Checkers each side starts with in most games, and the most that a side has in any.
pub const CHECKERS: u8 = 15;

/// Points 1 to 6 as bits.
pub(crate) const HOME: u32 = 0x7e;
pub(crate) const BAR_BIT: u32 = 1 << 25;
/// Points 1 to 24 as bits.
pub(crate) const POINTS: u32 = 0x01ff_fffe;

/// One side's checkers in its own frame: half a cache line.
///
/// The count of point `p` is the four-bit number whose bit `k` is bit `p` of word `k` of the counts (*bit-sliced*): a
/// few word operations add to all 25 points, or compare them. The list of occupied points and that of made points (two
/// checkers or more, closed to the opponent) are kept beside the counts.
///
/// Like a [`Board`](super::Board), it can be read as bytes or words, but not made from them.
///
/// ```
/// let words: [u32; 8] = bytemuck::cast(*tavli_backgammon::Board::START.own());
/// ```
/// ```compile_fail,E0277
/// let side: tavli_backgammon::SideCheckers = bytemuck::cast([u32::MAX; 8]);
/// ```
/// ```compile_fail,E0277
/// let side: tavli_backgammon::SideCheckers = bytemuck::Zeroable::zeroed();
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, NoUninit)]
#[repr(C, align(32))]
pub struct SideCheckers {
    counts: [u32; 4],
    occupied: u32,
    made: u32,
    /// Zero; kept for the variants that mark checkers (Plakoto's pins, Fevga's runner).
    spare: [u32; 2],
}

impl SideCheckers {
    /// A side from its counts; the caller has refused counts above 15 and at index 0.
    pub(crate) const fn from_counts_unchecked(counts: &[u8; 26]) -> SideCheckers {
        let mut planes = [0; 4];
        let mut from = 0;
        while from < 26 {
            let mut eight = [0; 8];
            let mut byte = 0;
            while byte < 8 && from + byte < 26 {
                eight[byte] = counts[from + byte];
                byte += 1;
            }
            // Bits of eight counts are gathered by one multiplication: a position is read from 26 numbers in 31 ns, not
            // in 112 (profiles/LOG.md, 2026-11-25).
            let eight = u64::from_le_bytes(eight);
            let mut bit = 0;
            while bit < 4 {
                planes[bit] |= lowest_bits(eight >> bit) << from;
                bit += 1;
            }
            from += 8;
        }
        SideCheckers::from_planes(planes)
    }

    /// A side from bit-sliced counts.
    pub(crate) const fn from_planes(counts: [u32; 4]) -> SideCheckers {
        let made = counts[1] | counts[2] | counts[3];
        SideCheckers { counts, occupied: counts[0] | made, made, spare: [0; 2] }
    }

    /// A side from its words, in their order in memory; the caller computed them from the words of a side.
    #[inline(always)]
    pub(crate) const fn from_words(words: [u32; 8]) -> SideCheckers {
        let [ones, twos, fours, eights, occupied, made, spare, other_spare] = words;
        SideCheckers { counts: [ones, twos, fours, eights], occupied, made, spare: [spare, other_spare] }
    }

    /// The bit-sliced counts.
    pub(crate) const fn planes(&self) -> [u32; 4] {
        self.counts
    }

    /// The number of checkers on a point; 25 is the bar, and 0 (off the board) has none.
    ///
    /// # Panics
    /// If `point > 25`.
    #[must_use]
    pub const fn count(&self, point: u8) -> u8 {
        assert!(point <= BAR, "points are 0 to 25");
        let mut count = 0;
        let mut bit = 0;
        while bit < 4 {
            count |= ((self.counts[bit] >> point & 1) as u8) << bit;
            bit += 1;
        }
        count
    }

    /// The counts of all points; index 25 is the bar, index 0 always 0.
    #[must_use]
    pub fn counts(&self) -> [u8; 26] {
        core::array::from_fn(|point| self.count(point as u8))
    }

    /// The occupied points as a mask: bit `p` for point `p`, bit 25 for the bar.
    #[must_use]
    pub const fn occupied(&self) -> u32 {
        self.occupied
    }

    /// The points held by two or more checkers, as a mask like [`SideCheckers::occupied`].
    #[must_use]
    pub const fn made(&self) -> u32 {
        self.made
    }

    /// The occupied points in ascending order (the bar, 25, last); `rev()` gives them descending.
    #[must_use]
    pub const fn points(&self) -> PointSet {
        PointSet(self.occupied)
    }

    /// The highest occupied point (25 is the bar), or 0 when no checker is left.
    #[must_use]
    pub const fn rearmost(&self) -> u8 {
        if self.occupied == 0 { 0 } else { 31 - self.occupied.leading_zeros() as u8 }
    }

    /// Checkers on the bar.
    #[must_use]
    pub const fn bar(&self) -> u8 {
        self.count(BAR)
    }

    /// Checkers on the board and on the bar.
    #[must_use]
    pub const fn checkers(&self) -> u8 {
        let mut sum = 0;
        let mut bit = 0;
        while bit < 4 {
            sum += (self.counts[bit].count_ones() as u8) << bit;
            bit += 1;
        }
        sum
    }

    /// Checkers borne off in a game that a side begins with this number:
    /// [`RuleSet::checkers`](crate::RuleSet::checkers), or [`CHECKERS`](crate::board::CHECKERS) in most games.
    ///
    /// ```
    /// use tavli_backgammon::{Board, RuleSet};
    /// let side = *Board::START.own();
    /// assert_eq!(side.borne_off(RuleSet::Backgammon.checkers()), 0);
    /// ```
    #[must_use]
    pub const fn borne_off(&self, checkers: u8) -> u8 {
        checkers.saturating_sub(self.checkers())
    }

    /// Pips to bear off all checkers; one on the bar counts 25.
    #[must_use]
    pub fn pips(&self) -> u16 {
        // Not in a byte: 15 checkers on the bar have 375 pips.
        self.points().map(|p| u16::from(p) * u16::from(self.count(p))).sum()
    }

    /// Whether all checkers are on points 1 to 6 or borne off.
    #[must_use]
    pub const fn all_home(&self) -> bool {
        self.occupied & !HOME == 0
    }

    pub(super) fn add(&mut self, point: u8) {
        let mut carry = 1 << point;
        for plane in &mut self.counts {
            (*plane, carry) = (*plane ^ carry, *plane & carry);
        }
        *self = SideCheckers::from_planes(self.counts);
    }

    /// Removes a checker from an occupied point.
    pub(super) fn remove(&mut self, point: u8) {
        let mut borrow = 1 << point;
        for plane in &mut self.counts {
            (*plane, borrow) = (*plane ^ borrow, !*plane & borrow);
        }
        *self = SideCheckers::from_planes(self.counts);
    }
}

/// The lowest bits of eight bytes, from the lowest byte on.
const fn lowest_bits(eight: u64) -> u32 {
    const LOWEST: u64 = 0x0101_0101_0101_0101;
    // The factor moves the bit of byte b to bit 56 + b, and nothing else comes there.
    ((eight & LOWEST).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u32
}

impl fmt::Debug for SideCheckers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.points().map(|p| (p, self.count(p)))).finish()
    }
}

/// A set of points, held as a bit mask; iterates over them in ascending order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PointSet(u32);

impl PointSet {
    /// The points of a mask: bit `p` for point `p`.
    pub(crate) const fn from_mask(mask: u32) -> PointSet {
        PointSet(mask)
    }
}

impl Iterator for PointSet {
    type Item = u8;

    fn next(&mut self) -> Option<u8> {
        if self.0 == 0 {
            return None;
        }
        let point = self.0.trailing_zeros() as u8;
        self.0 &= self.0 - 1;
        Some(point)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let n = self.0.count_ones() as usize;
        (n, Some(n))
    }
}

impl DoubleEndedIterator for PointSet {
    fn next_back(&mut self) -> Option<u8> {
        if self.0 == 0 {
            return None;
        }
        let point = 31 - self.0.leading_zeros() as u8;
        self.0 ^= 1 << point;
        Some(point)
    }
}

impl ExactSizeIterator for PointSet {}
