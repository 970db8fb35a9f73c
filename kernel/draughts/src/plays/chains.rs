//! Captures of one and of two pieces, as sets of squares.

use tavli_simd::Vector;

use super::masks::{Masks, Pieces, bits};
use crate::board::squares::{Mover, step, step_back};
use crate::rules::Captures;

/// The directions of two jumps, the second first, in the order of plays. None goes straight back, since the piece
/// jumped is taken.
pub(crate) const DOUBLES: [[usize; 2]; 12] =
    [[0, 0], [0, 1], [0, 3], [1, 0], [1, 1], [1, 2], [2, 1], [2, 2], [2, 3], [3, 0], [3, 2], [3, 3]];

/// The captures of positions in which no piece can jump three times, by the squares where the pieces come from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chains<V: Vector> {
    /// Captures that are plays after one jump, by direction.
    pub(crate) singles: [V; 4],
    /// Captures of two pieces, by directions as in [`DOUBLES`].
    pub(crate) doubles: [V; 12],
    /// Lanes in which a third jump is possible. The sets of such lanes do not count.
    pub(crate) may_jump_thrice: V::Lanes,
}

impl<V: Vector> Chains<V> {
    #[inline(always)]
    pub(crate) fn new<M: Mover>(pieces: &Pieces<V>, masks: &Masks<V>, captures: Captures) -> Chains<V> {
        let Masks { jumps, gaps, .. } = masks;
        let zero = pieces.own.splat(0);
        let mut singles = *jumps;
        let mut doubles = [zero; 12];
        // A first jump of two steps leads to an empty square, and the squares that it passes matter only to a third
        // jump. So the sets of the position before the capture will do for two jumps.
        let mut number = 0;
        // Two loops of four, since the compiler does not unroll one of twelve, and then looks rotations up.
        for second in 0..4 {
            for first in 0..4 {
                if first == second ^ 2 {
                    continue;
                }
                debug_assert_eq!(DOUBLES[number], [second, first], "the order of plays");
                let rotation = 2 * M::ROTATIONS[first] % 32;
                let mut both = jumps[first] & step_back(gaps[second], rotation);
                // Men go forward only. Pieces in the set of a backward first jump are kings anyway.
                if second >= 2 && first < 2 {
                    both = both & pieces.kings;
                }
                doubles[number] = both;
                if captures != Captures::OptionalMayStop {
                    singles[first] = singles[first] & !both;
                }
                number += 1;
            }
        }

        let landings = masks.landings::<M>();
        // Three jumps do not lead back to the first square either, so it need not be empty in the sets.
        let mut king_landings = landings;
        for forward in 0..2 {
            let kings = jumps[forward] & pieces.kings;
            king_landings[forward] = step(kings, 2 * M::ROTATIONS[forward] % 32);
        }
        let mut third = zero;
        for second in 0..4 {
            let back = second ^ 2;
            // All first jumps but the one straight back.
            let (mut before, mut before_of_kings) = (zero, zero);
            for first in 0..4 {
                if first != back {
                    before = before | landings[first];
                    before_of_kings = before_of_kings | king_landings[first];
                }
            }
            let rotation = 2 * M::ROTATIONS[second] % 32;
            let (mut forward, mut any) = (zero, zero);
            for next in 0..4 {
                if next ^ 2 != second {
                    any = any | gaps[next];
                    if next < 2 {
                        forward = forward | gaps[next];
                    }
                }
            }
            if second < 2 {
                third = third | (step(before & gaps[second], rotation) & forward);
            }
            third = third | (step(before_of_kings & gaps[second], rotation) & any);
        }
        Chains { singles, doubles, may_jump_thrice: !third.lanes_zero() }
    }

    /// The number of these captures, where none can take three pieces.
    #[inline(always)]
    pub(crate) fn number(&self) -> V {
        let [first, others @ ..] = self.doubles;
        bits(&self.singles).wrapping_add(first.count_ones_with(others))
    }
}
