//! The draw of a play.

use tavli_simd::{Isa, Scalar, Vector, Word};

use crate::board::squares::Mover;
use crate::plays::{Masks, Pieces, Way, Ways};
use crate::rules::{Captures, Draw};

/// A piece drawn from several sets.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice<V> {
    /// The square that the piece stands on; no square if the sets are empty.
    pub(super) from: V,
    /// What belongs to the set that the piece is drawn from.
    pub(super) code: V,
}

/// The numbers of pieces in each set and those before it.
#[inline(always)]
pub(super) fn cumulative<V: Vector, const N: usize>(sets: &[V; N]) -> [V; N] {
    let mut counts = *sets;
    counts[0] = sets[0].count_ones();
    for this in 1..N {
        counts[this] = counts[this - 1].wrapping_add(sets[this].count_ones());
    }
    counts
}

/// The piece of this index in the sets, one after another, by their cumulative counts.
#[inline(always)]
pub(super) fn choose<V: Vector, const N: usize>(
    sets: &[V; N],
    counts: &[V; N],
    codes: &[u32; N],
    index: V,
) -> Choice<V> {
    let (mut set, mut code) = (sets[N - 1], index.splat(codes[N - 1]));
    let mut before = counts[N - 2];
    for this in (0..N - 1).rev() {
        let is_here = index.less(counts[this]);
        set = sets[this].blend(is_here, set);
        code = index.splat(codes[this]).blend(is_here, code);
        before = if this > 0 {
            counts[this - 1].blend(is_here, before)
        } else {
            before.zero_unless(!is_here)
        };
    }
    Choice {
        from: set.nth_bit(index.wrapping_sub(before)),
        code,
    }
}

/// The piece that a word draws from the sets.
#[inline(always)]
pub(super) fn draw<V: Vector, const N: usize>(sets: &[V; N], codes: &[u32; N], word: V) -> Choice<V> {
    let counts = cumulative(sets);
    let (index, _) = word.mul_wide(counts[N - 1]);
    choose(sets, &counts, codes, index)
}

/// A play as the squares that a piece comes from and goes to, and of the pieces that it takes.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlayedSets {
    pub(super) from: u32,
    pub(super) to: u32,
    pub(super) over: u32,
}

impl PlayedSets {
    /// The pieces after the play, the same side to move, and 1 if the ply counts towards a draw, or else 0.
    pub(super) fn make<M: Mover>(self, sets: [u32; 3], draw: Draw) -> [u32; 4] {
        let [own, other, kings] = sets.map(|set| Scalar.splat(set));
        let [from, to, over] = [self.from, self.to, self.over].map(|set| Scalar.splat(set));
        let after = Pieces { own, other, kings }.moved::<M>(from, to, over);
        let is_counted = over.is_zero() && (kings.test_any_bit(from) || matches!(draw, Draw::KingsOnly(_)));
        [
            after.own.get(),
            after.other.get(),
            after.kings.get(),
            u32::from(is_counted),
        ]
    }
}

/// Draws a play where captures are listed jump by jump.
pub(super) fn draw_listed<M: Mover>(
    [own, other, kings]: [u32; 3],
    captures: Captures,
    word: u32,
    ways: &mut Ways,
) -> PlayedSets {
    let list = ways.list::<M>(own, other, kings, captures);
    let [own, other, kings] = [own, other, kings].map(|set| Scalar.splat(set));
    let steps = match captures {
        Captures::Compulsory => [own.splat(0); 4],
        Captures::Optional | Captures::OptionalMayStop => Masks::new::<M>(&Pieces { own, other, kings }).steps,
    };
    let counts = cumulative(&steps).map(Word::get);
    let plays = u64::from(counts[3]) + list.len() as u64;
    let index = ((u64::from(word) * plays) >> 32) as u32;
    if index < counts[3] {
        let choice = choose(
            &steps,
            &counts.map(|count| Scalar.splat(count)),
            &M::ROTATIONS,
            own.splat(index),
        );
        let from = choice.from.get();
        return PlayedSets {
            from,
            to: from.rotate_left(choice.code.get()),
            over: 0,
        };
    }
    let &Way { from, to, over, .. } = &list[(index - counts[3]) as usize];
    PlayedSets { from, to, over }
}
