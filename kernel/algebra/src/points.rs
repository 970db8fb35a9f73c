//! The points of the board as bits of a word.

/// The bit of the place off the board.
pub const OFF_BIT: u32 = 1;
/// The bits of the points, 1 to 24.
pub const POINT_BITS: u32 = 0x01ff_fffe;
/// The bits of the points of the home board, 1 to 6, and of the place off the board.
pub const HOME_AND_OFF: u32 = 0x7f;
