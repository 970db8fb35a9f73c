//! Numbers of the positions with a few pieces.
//!
//! Black is to move; a position with White to move is [turned](crate::Position::turned) first. Positions with the same
//! material, a *slice*, lie together. Within a slice a number is made of the ranks of four sets: the men of the side to
//! move, the other's men, the kings of the side to move, and the other's kings. Sets of one size have ranks in the
//! order of their highest squares, then of their second highest, and so on. Sets that overlap have numbers too, which
//! are not used.

use crate::board::squares;

/// The most pieces of a side.
// One of at most five pieces is the other side's.
const MAX_OF_SIDE: usize = 4;

/// Numbers of subsets of each size below each square.
const SUBSETS: [[u32; 33]; MAX_OF_SIDE + 1] = {
    let mut subsets = [[0; 33]; MAX_OF_SIDE + 1];
    let mut below = 0;
    while below <= 32 {
        subsets[0][below] = 1;
        let mut size = 1;
        while size <= MAX_OF_SIDE && below > 0 {
            subsets[size][below] = subsets[size][below - 1] + subsets[size - 1][below - 1];
            size += 1;
        }
        below += 1;
    }
    subsets
};

/// The squares that a kind of piece can stand on.
#[derive(Debug)]
struct Places {
    /// For each bit of a set its number among these squares.
    numbers: [u8; 32],
    /// Sets of each size, by rank.
    sets: [Vec<u32>; MAX_OF_SIDE + 1],
}

impl Places {
    fn new(allowed: u32) -> Places {
        let mut numbers = [0; 32];
        let bits: Vec<u32> = (0..32).map(|bit| 1 << bit).filter(|bit| allowed & bit != 0).collect();
        for (number, bit) in bits.iter().enumerate() {
            numbers[bit.trailing_zeros() as usize] = number as u8;
        }
        let mut sets: [Vec<u32>; MAX_OF_SIDE + 1] = Default::default();
        sets[0].push(0);
        for size in 1..=MAX_OF_SIDE {
            for (number, bit) in bits.iter().enumerate() {
                let lower = SUBSETS[size - 1][number] as usize;
                let with_bit: Vec<u32> = sets[size - 1][..lower].iter().map(|set| set | bit).collect();
                sets[size].extend(with_bit);
            }
        }
        Places { numbers, sets }
    }

    /// The number of sets of a size.
    fn number(&self, size: u8) -> u32 {
        self.sets[usize::from(size)].len() as u32
    }

    /// The rank of a set among those of its size.
    #[inline(always)]
    fn rank(&self, mut set: u32) -> u32 {
        let (mut rank, mut size) = (0, 1);
        while set != 0 {
            let number = self.numbers[set.trailing_zeros() as usize];
            rank += SUBSETS[size][usize::from(number)];
            set &= set - 1;
            size += 1;
        }
        rank
    }
}

/// The material of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Sizes {
    pub(super) own_men: u8,
    pub(super) other_men: u8,
    pub(super) own_kings: u8,
    pub(super) other_kings: u8,
}

/// The positions with the same material.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slice {
    pub(super) sizes: Sizes,
    /// The number of the first.
    first: u32,
    /// How many numbers it has.
    numbers: u32,
}

/// The numbers of all positions with this many pieces, at least one a side.
#[derive(Debug)]
pub(super) struct Index {
    own_men: Places,
    other_men: Places,
    kings: Places,
    slices: Vec<Slice>,
    /// The slice of each number of own men, of the other's men and of own kings; the rest are the other's kings.
    by_sizes: [[[u8; MAX_OF_SIDE + 1]; MAX_OF_SIDE + 1]; MAX_OF_SIDE + 1],
    numbers: u32,
}

impl Index {
    /// The index of positions with two to five pieces.
    pub(super) fn new(pieces: u8) -> Index {
        let (own_men, other_men) = (Places::new(!squares::row(7)), Places::new(!squares::row(0)));
        let kings = Places::new(u32::MAX);
        let mut slices = Vec::new();
        let mut by_sizes = [[[u8::MAX; MAX_OF_SIDE + 1]; MAX_OF_SIDE + 1]; MAX_OF_SIDE + 1];
        let mut first = 0;
        for own in 1..pieces {
            let other = pieces - own;
            for (own_kings, other_kings) in (0..=own).flat_map(|own| (0..=other).map(move |other| (own, other))) {
                let sizes = Sizes { own_men: own - own_kings, other_men: other - other_kings, own_kings, other_kings };
                let numbers = own_men.number(sizes.own_men)
                    * other_men.number(sizes.other_men)
                    * kings.number(own_kings)
                    * kings.number(other_kings);
                let [a, b, c] = [sizes.own_men, sizes.other_men, own_kings].map(usize::from);
                // Five pieces have 44 slices, which fit a byte beside the mark of no slice.
                by_sizes[a][b][c] = slices.len() as u8;
                slices.push(Slice { sizes, first, numbers });
                first += numbers;
            }
        }
        Index { own_men, other_men, kings, slices, by_sizes, numbers: first }
    }

    /// How many numbers there are, some of which stand for no position.
    pub(super) fn numbers(&self) -> u32 {
        self.numbers
    }

    /// The slice of this material, if positions have it.
    pub(super) fn slice(&self, sizes: Sizes) -> Option<&Slice> {
        self.slices.iter().find(|slice| slice.sizes == sizes)
    }

    /// The number of a position: the side to move, the other, and kings.
    #[inline(always)]
    pub(super) fn number(&self, [own, other, kings]: [u32; 3]) -> u32 {
        let sets = [own & !kings, other & !kings, own & kings, other & kings];
        let [a, b, c, _] = sets.map(|set| set.count_ones() as usize);
        let slice = &self.slices[usize::from(self.by_sizes[a][b][c])];
        let sizes = slice.sizes;
        let mut number = self.own_men.rank(sets[0]);
        number = number * self.other_men.number(sizes.other_men) + self.other_men.rank(sets[1]);
        number = number * self.kings.number(sizes.own_kings) + self.kings.rank(sets[2]);
        number = number * self.kings.number(sizes.other_kings) + self.kings.rank(sets[3]);
        slice.first + number
    }

    /// The position of a number, if it stands for one.
    #[inline(always)]
    pub(super) fn position(&self, number: u32) -> Option<[u32; 3]> {
        // The first slice begins at 0, so at least one begins at the number or before it.
        let after = self.slices.partition_point(|slice| slice.first <= number);
        let slice = &self.slices[after - 1];
        self.of_slice(slice, number - slice.first)
    }

    /// The positions of a slice with their numbers.
    pub(super) fn positions(&self, slice: &Slice) -> impl Iterator<Item = (u32, [u32; 3])> {
        let of = |number| Some((slice.first + number, self.of_slice(slice, number)?));
        (0..slice.numbers).filter_map(of)
    }

    #[inline(always)]
    fn of_slice(&self, slice: &Slice, mut number: u32) -> Option<[u32; 3]> {
        let sizes = slice.sizes;
        let mut take = |places: &Places, size: u8| {
            let sets = &places.sets[usize::from(size)];
            let rank = number % sets.len() as u32;
            number /= sets.len() as u32;
            sets[rank as usize]
        };
        // In the reverse order of `number`, which multiplied by these last.
        let other_kings = take(&self.kings, sizes.other_kings);
        let own_kings = take(&self.kings, sizes.own_kings);
        let other_men = take(&self.other_men, sizes.other_men);
        let own_men = take(&self.own_men, sizes.own_men);
        let overlap =
            (own_men & other_men) | (own_kings & other_kings) | (own_men | other_men) & (own_kings | other_kings);
        (overlap == 0).then_some([own_men | own_kings, other_men | other_kings, own_kings | other_kings])
    }
}
