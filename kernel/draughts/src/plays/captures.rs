//! The plies of positions in which a capture may take several pieces: one in 25 of English draughts.

use tavli_simd::Vector;

use super::chains::{Chains, DOUBLES};
use super::choice::{Pick, pick_piece};
use super::masks::{Masks, Pieces};
use crate::board::squares::Mover;
use crate::rules::Captures;

/// Captures of one piece, and of two, each by direction.
const JUMPS: usize = 4 + DOUBLES.len();
/// Steps, and then captures.
const SETS: usize = 4 + JUMPS;

/// The mark of a step in the code of a set.
const STEP: u32 = 1 << 16;

/// For each set the rotations of the first jump, or the step, and of the second.
const fn codes(rotations: [u32; 4]) -> [u32; SETS] {
    let mut codes = [0; SETS];
    let mut direction = 0;
    while direction < 4 {
        codes[direction] = rotations[direction] | STEP;
        codes[4 + direction] = rotations[direction];
        direction += 1;
    }
    let mut double = 0;
    while double < DOUBLES.len() {
        let [second, first] = DOUBLES[double];
        codes[8 + double] = rotations[first] | rotations[second] << 8;
        double += 1;
    }
    codes
}

/// The result of a ply.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Captured<V: Vector> {
    /// The pieces after it, the same side to move.
    pub(crate) pieces: Pieces<V>,
    /// The square that the piece came from.
    pub(crate) from: V,
    /// The squares of the pieces taken.
    pub(crate) over: V,
    /// Lanes in which a third jump is possible, whose pieces are unspecified.
    pub(crate) may_jump_thrice: V::Lanes,
}

/// Picks a play and makes it. Each position has a capture. `COMPULSORY` says whether captures are compulsory.
#[inline(always)]
pub(crate) fn capture<M: Mover, V: Vector, const COMPULSORY: bool>(
    pieces: Pieces<V>,
    captures: Captures,
    pick: impl Pick<V>,
) -> Captured<V> {
    let zero = pieces.own.splat(0);
    let codes = const { codes(M::ROTATIONS) };
    let masks = Masks::new::<M>(&pieces);
    let chains = Chains::new::<M>(&pieces, &masks, captures);
    let choice = if COMPULSORY {
        let mut jumps = [zero; JUMPS];
        jumps[..4].copy_from_slice(&chains.singles);
        jumps[4..].copy_from_slice(&chains.doubles);
        let codes = codes.last_chunk::<JUMPS>().expect("the codes of jumps");
        pick_piece(&jumps, codes, pick)
    } else {
        let mut sets = [zero; SETS];
        sets[..4].copy_from_slice(&masks.steps);
        sets[4..8].copy_from_slice(&chains.singles);
        sets[8..].copy_from_slice(&chains.doubles);
        pick_piece(&sets, &codes, pick)
    };

    let (from, first, second) = (choice.from, choice.code & 31, choice.code.shr_by::<8>() & 31);
    // No rotation of a direction is 0. Where there is no second jump it is 0, and leaves the piece behind the first.
    let beside = from.rotate(first);
    let behind = beside.rotate(first);
    let second_over = behind.rotate(second);
    let is_double = !second.lanes_zero();
    let mut to = second_over.rotate(second);
    let mut over = beside | second_over.zero_unless(is_double);
    if !COMPULSORY {
        let is_step = choice.code.test_any_bit(zero.splat(STEP));
        to = beside.blend(is_step, to);
        over = over.zero_unless(!is_step);
    }
    Captured { pieces: pieces.moved::<M>(from, to, over), from, over, may_jump_thrice: chains.may_jump_thrice }
}
