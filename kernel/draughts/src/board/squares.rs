//! Squares, sets of squares, and steps from one to the next.

use core::fmt;

use tavli_simd::Vector;

use super::side::Side;

/// A square of the board, by its number in PDN, 1 to 32.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Square(u8);

// In this order a step in a direction changes the bit by the same number, modulo 32, from every square. The numbers of
// PDN change by one more or less in every other row.
const fn bit_of(column: u32, row: u32) -> u32 {
    (4 * row + 32 - 3 * column + 3) % 32
}

/// The number of the square that each bit stands for.
const NUMBERS: [u8; 32] = {
    let mut numbers = [0; 32];
    let mut number = 1;
    while number <= 32 {
        numbers[Square(number).bit() as usize] = number;
        number += 1;
    }
    numbers
};

impl Square {
    /// The square with this number, 1 to 32.
    #[must_use]
    pub const fn new(number: u32) -> Option<Square> {
        match number {
            1..=32 => Some(Square(number as u8)),
            _ => None,
        }
    }

    /// The number of the square in PDN.
    #[must_use]
    pub const fn number(self) -> u32 {
        self.0 as u32
    }

    /// The row, from 0 on Black's side.
    #[must_use]
    pub const fn row(self) -> u32 {
        (self.number() - 1) / 4
    }

    /// The column, from 0 on the side of square 5.
    #[must_use]
    pub const fn column(self) -> u32 {
        (self.number() - 1) % 4 * 2 + (self.row() + 1) % 2
    }

    /// The number of the bit that stands for the square in a set.
    #[must_use]
    pub const fn bit(self) -> u32 {
        bit_of(self.column(), self.row())
    }

    /// The set of this square alone.
    #[must_use]
    pub const fn set(self) -> u32 {
        1 << self.bit()
    }

    /// The square that a bit, 0 to 31, stands for.
    pub(crate) const fn from_bit(bit: u32) -> Square {
        Square(NUMBERS[bit as usize % 32])
    }

    /// The squares of a set, by ascending numbers.
    pub fn all(set: u32) -> impl Iterator<Item = Square> {
        // Bits are in the order of diagonals, not of numbers.
        (1..=32).map(Square).filter(move |square| set & square.set() != 0)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

pub(crate) const fn row(row: u32) -> u32 {
    let mut set = 0;
    let mut column = (row + 1) % 2;
    while column < 8 {
        set |= 1 << bit_of(column, row);
        column += 2;
    }
    set
}

/// The squares with a neighbour in the direction of a rotation.
const fn with_neighbour(rotation: u32) -> u32 {
    let mut set = u32::MAX;
    // Rotations by 1 and 25 go to the next column, by 7 and 31 to the one before; by 1 and 7 to the next row, by 25 and
    // 31 to the one before.
    set &= !row(if matches!(rotation, 1 | 7) { 7 } else { 0 });
    let mut at = 0;
    while at < 8 {
        let column = if matches!(rotation, 1 | 25) { 7 } else { 0 };
        if (column + at) % 2 == 1 {
            set &= !(1 << bit_of(column, at));
        }
        at += 1;
    }
    set
}

/// The directions and the last row of a side, at compile time.
pub(crate) trait Mover {
    /// The side.
    const SIDE: Side;
    /// The side that moves next.
    type Next: Mover;
    /// The rotations of the directions, in the order in which plays are listed. Men go in the first two.
    const ROTATIONS: [u32; 4];
    /// The squares with a neighbour in each direction.
    const NEIGHBOURS: [u32; 4];
    /// The row in which men become kings.
    const LAST_ROW: u32;
}

/// Black moves.
#[derive(Debug)]
pub(crate) struct Black;

/// White moves.
#[derive(Debug)]
pub(crate) struct White;

impl Mover for Black {
    const SIDE: Side = Side::Black;
    type Next = White;
    const ROTATIONS: [u32; 4] = [1, 7, 31, 25];
    const NEIGHBOURS: [u32; 4] = [with_neighbour(1), with_neighbour(7), with_neighbour(31), with_neighbour(25)];
    const LAST_ROW: u32 = row(7);
}

impl Mover for White {
    const SIDE: Side = Side::White;
    type Next = Black;
    const ROTATIONS: [u32; 4] = [31, 25, 1, 7];
    const NEIGHBOURS: [u32; 4] = [with_neighbour(31), with_neighbour(25), with_neighbour(1), with_neighbour(7)];
    const LAST_ROW: u32 = row(0);
}

/// The squares one or two steps from the squares of a set. The rotation is 1, 7, 25 or 31 for one step, and twice that,
/// modulo 32, for two: 2, 14, 18 or 30. Steps over the edge of the board give squares that have no meaning.
#[inline(always)]
pub(crate) fn step<V: Vector>(set: V, rotation: u32) -> V {
    // A step along the order of the bits wraps from the last diagonal to the first only over the edge, so a shift will
    // do, one instruction where a rotation takes three.
    match rotation {
        1 => set.shl_by::<1>(),
        2 => set.shl_by::<2>(),
        7 => set.rotate_by::<7>(),
        14 => set.rotate_by::<14>(),
        18 => set.rotate_by::<18>(),
        25 => set.rotate_by::<25>(),
        30 => set.shr_by::<2>(),
        31 => set.shr_by::<1>(),
        _ => unreachable!("no sum of the rotations of one or two steps: {rotation}"),
    }
}

/// The squares from which [`step`] leads to the squares of a set.
#[inline(always)]
pub(crate) fn step_back<V: Vector>(set: V, rotation: u32) -> V {
    step(set, 32 - rotation)
}

/// The board after a half-turn.
pub(crate) const fn half_turn(set: u32) -> u32 {
    // Square n goes to 33 - n, whose bit is 13 - bit modulo 32.
    set.reverse_bits().rotate_left(14)
}
