//! A position as bit planes: half the size of a board, for arrays of very many.

use bytemuck::NoUninit;

use super::{BAR, Board, Side};

/// A position as bit planes, seen by the player on roll: 32 bytes.
///
/// Each side has four words in its own frame. Bit `p` of word `k` is bit `k` of the number of checkers on point `p`;
/// point 25 is the bar. A [`Board`] has beside these the masks of occupied and of made points.
///
/// Like a board, planes can be read as bytes or words, but not made of them.
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
    pub(crate) const fn of_sides(own: [u32; 4], opponent: [u32; 4]) -> Planes {
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

    /// The 26 numbers of the position as [`Board::points`] has them: the opponent's bar, points 1 to 24 of the player
    /// on roll, his bar; the opponent's checkers count below 0.
    #[must_use]
    pub fn points(&self) -> [i8; 26] {
        let mut row = [0; 26];
        row.copy_from_slice(&self.padded_points()[..26]);
        row
    }

    /// [`Planes::points`] of each position into each row.
    ///
    /// # Panics
    /// If there are fewer rows than positions.
    pub fn write_points(positions: &[Planes], rows: &mut [[i8; 26]]) {
        assert!(
            positions.len() <= rows.len(),
            "{} positions need as many rows, not {}",
            positions.len(),
            rows.len()
        );
        for (position, row) in positions.iter().zip(rows) {
            row.copy_from_slice(&position.padded_points()[..26]);
        }
    }

    /// The 26 numbers and six that mean nothing.
    #[inline(always)]
    fn padded_points(&self) -> [i8; 32] {
        const HIGHEST_BITS: u64 = 0x8080_8080_8080_8080;
        let own = bytes(self.own);
        // The opponent's point 25 - p comes to byte p: turned round, bytes 31 to 0, and then moved down by 6.
        let [d, c, b, a] = bytes(self.opponent).map(u64::swap_bytes);
        let opponent = [
            a >> 48 | b << 16,
            b >> 48 | c << 16,
            c >> 48 | d << 16,
            d >> 48,
        ];
        let mut row = [0; 32];
        for (eight, (own, opponent)) in row.chunks_exact_mut(8).zip(own.into_iter().zip(opponent)) {
            // Below 0 in each byte without borrows; the sides share no point, so that their bytes are joined by bits.
            let negative = (HIGHEST_BITS - opponent) ^ HIGHEST_BITS;
            eight.copy_from_slice(&(own | negative).to_le_bytes());
        }
        bytemuck::cast(row)
    }
}

/// The counts of planes, a byte to a point.
#[inline(always)]
fn bytes(planes: [u32; 4]) -> [u64; 4] {
    let mut bytes = [0; 4];
    for (bit, plane) in planes.into_iter().enumerate() {
        for (eight, points) in bytes.iter_mut().zip(plane.to_le_bytes()) {
            *eight |= SPREAD[usize::from(points)] << bit;
        }
    }
    bytes
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
        Planes {
            own: board.own().sliced(),
            opponent: board.opponent().sliced(),
        }
    }
}

impl From<Planes> for Board {
    #[inline]
    fn from(planes: Planes) -> Board {
        Board::from_sides(
            Side::from_sliced(planes.own),
            Side::from_sliced(planes.opponent),
        )
    }
}

const _: () = assert!(size_of::<Planes>() == 32 && BAR == 25);
