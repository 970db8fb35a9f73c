//! The points of the board, as numbers and as bits of a word: bit `p` is point `p`, and bit 0 the place off the board.

pub(crate) use tavli_algebra::{HOME_AND_OFF, OFF_BIT, POINT_BITS as ON_BOARD};

/// The points of the board, 1 to 24. Point 0 is off the board.
pub(crate) const POINTS: usize = 24;
/// The point on which a side begins.
pub(crate) const START: usize = 24;
/// The checkers of a side. Those that stand nowhere are borne off.
pub(crate) const CHECKERS: u32 = 15;

/// The most steps of a roll.
pub(crate) const MAX_STEPS: u32 = 4;

pub(crate) const START_BIT: u32 = 1 << START;
