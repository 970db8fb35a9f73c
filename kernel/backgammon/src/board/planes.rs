//! A position as bit planes: half the size of a board, for large arrays.

use bytemuck::NoUninit;

use crate::board::checkers::Board;
use crate::board::side_checkers::BAR;
use crate::board::side_checkers::SideCheckers;

/// A position as bit planes, seen by the player on roll: 32 bytes.
///
/// Each side has four words in its own frame. Bit `p` of word `k` is bit `k` of the number of checkers on point `p`;
/// point 25 is the bar. A [`Board`] also has the masks of occupied and of made points.
///
/// Like a board, planes can be read as bytes or words, but not made from them.
///
/// ```
/// use tavli_backgammon::{Board, Planes};
/// let planes = Planes::from(Board::START);
/// assert_eq!(Board::from(planes), Board::START);
/// let words: [u32; 8] = bytemuck::cast(planes);
/// assert_eq!(words[0], 1 << 6 | 1 << 8 | 1 << 13); // five, three and five checkers: odd numbers
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, NoUninit)]
#[repr(C, align(32))]
pub struct Planes {
    own: [u32; 4],
    opponent: [u32; 4],
}

impl Planes {
    /// A position from the counts of two sides that are known to share no point.
    #[inline(always)]
    pub(crate) const fn from_sides(own: [u32; 4], opponent: [u32; 4]) -> Planes {
        Planes { own, opponent }
    }

    /// The checkers of the player on roll.
    #[must_use]
    #[inline]
    pub const fn own(&self) -> [u32; 4] {
        self.own
    }

    /// The checkers of the opponent, in the opponent's frame.
    #[must_use]
    #[inline]
    pub const fn opponent(&self) -> [u32; 4] {
        self.opponent
    }

    /// The 26 numbers of the position, as in [`Board::points`]: the opponent's bar, points 1 to 24 of the player on
    /// roll, his bar; the opponent's checkers are negative.
    #[must_use]
    pub fn points(&self) -> [i8; 26] {
        first_26(row(bytes(self.own), bytes(self.opponent)))
    }

    /// [`Planes::points`] of each position. It is fastest where neighbours share a side, as the plays of a roll do.
    ///
    /// ```
    /// use tavli_backgammon::{Board, Planes};
    /// let positions = [Planes::from(Board::START); 3];
    /// let rows: Vec<[i8; 26]> = Planes::rows(&positions).collect();
    /// assert_eq!(rows, [Board::START.points(); 3]);
    /// ```
    pub fn rows(positions: &[Planes]) -> impl ExactSizeIterator<Item = [i8; 26]> {
        let mut own = [0; 4];
        let mut of_own = bytes(own);
        positions.iter().map(move |position| {
            if position.own != own {
                own = position.own;
                of_own = bytes(own);
            }
            first_26(row(of_own, bytes(position.opponent)))
        })
    }
}

/// The 26 numbers and six that mean nothing, from the counts of both sides.
#[inline(always)]
fn row(own: [u64; 4], opponent: [u64; 4]) -> [i8; 32] {
    const HIGHEST_BITS: u64 = 0x8080_8080_8080_8080;
    // The opponent's point 25 - p moves to byte p: the 32 bytes are reversed, and then moved down by 6.
    let [d, c, b, a] = opponent.map(u64::swap_bytes);
    let opponent = [a >> 48 | b << 16, b >> 48 | c << 16, c >> 48 | d << 16, d >> 48];
    let mut row = [0; 32];
    for (eight, (own, opponent)) in row.chunks_exact_mut(8).zip(own.into_iter().zip(opponent)) {
        // Below 0 in each byte without borrows; the sides share no point, so that their bytes are joined by bits.
        let negative = (HIGHEST_BITS - opponent) ^ HIGHEST_BITS;
        eight.copy_from_slice(&(own | negative).to_le_bytes());
    }
    bytemuck::cast(row)
}

#[inline(always)]
fn first_26(row: [i8; 32]) -> [i8; 26] {
    *row.first_chunk().expect("32 are more than 26")
}

/// The counts of planes, a byte to a point.
#[inline(always)]
fn bytes(planes: [u32; 4]) -> [u64; 4] {
    let [ones, twos, fours, eights] = planes;
    let mut bytes = spread(ones);
    for (bit, plane) in [(1, twos), (2, fours)] {
        for (eight, more) in bytes.iter_mut().zip(spread(plane)) {
            *eight |= more << bit;
        }
    }
    // Eight checkers on a point are rare.
    if eights != 0 {
        for (eight, more) in bytes.iter_mut().zip(spread(eights)) {
            *eight |= more << 3;
        }
    }
    bytes
}

/// Each bit of a word as the lowest bit of a byte.
#[inline(always)]
fn spread(plane: u32) -> [u64; 4] {
    plane.to_le_bytes().map(|points| SPREAD[usize::from(points)])
}

/// Each bit of a byte as the lowest bit of a byte.
static SPREAD: [u64; 256] = {
    let mut spread = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            spread[byte] |= (byte as u64 >> bit & 1) << (8 * bit);
            bit += 1;
        }
        byte += 1;
    }
    spread
};

impl From<Board> for Planes {
    #[inline]
    fn from(board: Board) -> Planes {
        Planes { own: board.own().planes(), opponent: board.opponent().planes() }
    }
}

impl From<Planes> for Board {
    #[inline]
    fn from(planes: Planes) -> Board {
        Board::from_sides(SideCheckers::from_planes(planes.own), SideCheckers::from_planes(planes.opponent))
    }
}

const _: () = assert!(size_of::<Planes>() == 32 && BAR == 25);
