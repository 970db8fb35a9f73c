//! The choice of a play by its index, or by a word that draws it.

use tavli_simd::{Isa, Scalar, ScalarIsa, Vector, Word};

use super::capture_list::{Capture, CaptureList};
use super::masks::{Masks, Pieces};
use crate::board::squares::Mover;
use crate::rules::{Captures, Draw};

/// Which of the plays of a position is made. The number of plays is known only where they are laid out as sets.
pub(crate) trait Pick<V>: Copy {
    /// The index of the play among `plays`.
    fn index(self, plays: V) -> V;
}

/// The play that a word of a random stream draws.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Drawn<V>(pub(crate) V);

impl<V: Vector> Pick<V> for Drawn<V> {
    #[inline(always)]
    fn index(self, plays: V) -> V {
        self.0.mul_wide(plays).0
    }
}

/// The play of an index, which is below their number.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Nth<V>(pub(crate) V);

impl<V: Vector> Pick<V> for Nth<V> {
    #[inline(always)]
    fn index(self, _: V) -> V {
        self.0
    }
}

/// A piece chosen from several sets.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ChosenPiece<V> {
    /// The square that the piece stands on; no square if the sets are empty.
    pub(crate) from: V,
    /// The code of the set that the piece is chosen from.
    pub(crate) code: V,
}

/// For each set the number of pieces in this set and all sets before it.
#[inline(always)]
pub(crate) fn cumulative<V: Vector, const N: usize>(sets: &[V; N]) -> [V; N] {
    let mut counts = *sets;
    counts[0] = sets[0].count_ones();
    for this in 1..N {
        counts[this] = counts[this - 1].wrapping_add(sets[this].count_ones());
    }
    counts
}

/// The piece of this index in the sets, one after another, by their cumulative counts.
#[inline(always)]
pub(crate) fn choose<V: Vector, const N: usize>(
    sets: &[V; N],
    counts: &[V; N],
    codes: &[u32; N],
    index: V,
) -> ChosenPiece<V> {
    let (mut set, mut code) = (sets[N - 1], index.splat(codes[N - 1]));
    let mut before = counts[N - 2];
    // Backwards, so that the first set whose count is above the index is blended last.
    for this in (0..N - 1).rev() {
        let is_here = index.lanes_less(counts[this]);
        set = sets[this].blend(is_here, set);
        code = index.splat(codes[this]).blend(is_here, code);
        before = if this > 0 { counts[this - 1].blend(is_here, before) } else { before.zero_unless(!is_here) };
    }
    ChosenPiece { from: set.nth_bit(index.wrapping_sub(before)), code }
}

/// The piece that is picked from the sets.
#[inline(always)]
pub(crate) fn pick_piece<V: Vector, const N: usize>(
    sets: &[V; N],
    codes: &[u32; N],
    pick: impl Pick<V>,
) -> ChosenPiece<V> {
    let counts = cumulative(sets);
    choose(sets, &counts, codes, pick.index(counts[N - 1]))
}

/// A play as the squares that a piece comes from and goes to, and of the pieces that it takes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MoveSets {
    pub(crate) from: u32,
    pub(crate) to: u32,
    pub(crate) over: u32,
}

impl MoveSets {
    /// The pieces after the play, the same side to move, and 1 if the ply counts towards a draw, or else 0.
    pub(crate) fn make<M: Mover>(self, sets: [u32; 3], draw: Draw) -> [u32; 4] {
        let [own, other, kings] = sets.map(|set| Scalar.splat(set));
        let [from, to, over] = [self.from, self.to, self.over].map(|set| Scalar.splat(set));
        let after = Pieces { own, other, kings }.moved::<M>(from, to, over);
        let is_counted = over.lanes_zero() && (kings.test_any_bit(from) || matches!(draw, Draw::KingsOnly(_)));
        [after.own.get(), after.other.get(), after.kings.get(), u32::from(is_counted)]
    }
}

/// The play that is picked, where captures are listed jump by jump.
pub(crate) fn pick_listed<M: Mover, B>(
    isa: B,
    [own, other, kings]: [u32; 3],
    captures: Captures,
    pick: impl Pick<Word<B>>,
    capture_list: &mut CaptureList,
) -> MoveSets
where
    B: ScalarIsa + Isa<Vector = Word<B>>,
{
    let list = capture_list.list::<M>(own, other, kings, captures);
    let [own, other, kings] = [own, other, kings].map(|set| isa.splat(set));
    let steps = match captures {
        Captures::Compulsory => [own.splat(0); 4],
        Captures::Optional | Captures::OptionalMayStop => Masks::new::<M>(&Pieces { own, other, kings }).steps,
    };
    let counts = cumulative(&steps).map(Word::get);
    let plays = counts[3] + list.len() as u32;
    let index = pick.index(own.splat(plays)).get();
    if index < counts[3] {
        let choice = choose(&steps, &counts.map(|count| isa.splat(count)), &M::ROTATIONS, own.splat(index));
        let from = choice.from.get();
        return MoveSets { from, to: from.rotate_left(choice.code.get()), over: 0 };
    }
    let &Capture { from, to, over, .. } = &list[(index - counts[3]) as usize];
    MoveSets { from, to, over }
}
