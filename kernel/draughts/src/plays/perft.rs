//! Counts of the ways a game can go on.

use tavli_simd::{Isa, ScalarIsa, Vector, Word};

use super::chains::Chains;
use super::masks::{Masks, Pieces};
use super::ways::Ways;
use crate::board::squares::{Black, Mover, White, step};
use crate::board::{Position, Side};
use crate::rules::Captures;

/// The number of sequences of `depth` plies, at least 1, that no draw cuts short.
pub(crate) fn perft<B>(isa: B, position: &Position, depth: u32, captures: Captures) -> u64
where
    B: ScalarIsa + Isa<Vector = Word<B>>,
{
    let side = position.side();
    let pieces = Pieces {
        own: isa.splat(position.pieces(side)),
        other: isa.splat(position.pieces(side.other())),
        kings: isa.splat(position.kings()),
    };
    let mut ways = Ways::default();
    match side {
        Side::Black => count::<Black, B>(isa, pieces, depth, captures, &mut ways),
        Side::White => count::<White, B>(isa, pieces, depth, captures, &mut ways),
    }
}

/// The bits of four sets.
#[inline(always)]
fn bits<V: Vector<Words = [u32; 1]>>([a, b, c, d]: [V; 4]) -> u64 {
    a.count_ones_with([b, c, d]).sum()
}

fn count<M: Mover, B>(isa: B, pieces: Pieces<Word<B>>, depth: u32, captures: Captures, ways: &mut Ways) -> u64
where
    B: ScalarIsa + Isa<Vector = Word<B>>,
{
    // A function that calls itself is not inlined, so each call enters the instruction set anew.
    isa.call(
        #[inline(always)]
        || count_here::<M, B>(isa, pieces, depth, captures, ways),
    )
}

#[inline(always)]
fn count_here<M: Mover, B>(isa: B, pieces: Pieces<Word<B>>, depth: u32, captures: Captures, ways: &mut Ways) -> u64
where
    B: ScalarIsa + Isa<Vector = Word<B>>,
{
    let masks = Masks::new::<M>(&pieces);
    let has_capture = !masks.all_jumps().is_zero();
    let may_step = !has_capture || captures != Captures::Compulsory;
    let goes_on = has_capture && masks.may_go_on::<M>(pieces.own & pieces.kings);
    let mut sum = 0;
    if depth == 1 {
        // The plays of the last ply are counted, not made.
        if may_step {
            sum += bits(masks.steps);
        }
        if goes_on {
            sum += count_captures::<M, B>(&pieces, &masks, captures, ways);
        } else if has_capture {
            sum += bits(masks.jumps);
        }
        return sum;
    }
    let mut below = |from, to, over, ways: &mut Ways| {
        let Pieces { own, other, kings } = pieces.moved::<M>(from, to, over);
        let turned = Pieces {
            own: other,
            other: own,
            kings,
        };
        sum += count::<M::Next, B>(isa, turned, depth - 1, captures, ways);
    };
    if may_step {
        for direction in 0..4 {
            let mut movers = masks.steps[direction];
            while let Some(from) = movers.take_lowest() {
                below(from, step(from, M::ROTATIONS[direction]), isa.splat(0), ways);
            }
        }
    }
    if goes_on {
        let [own, other, kings] = [pieces.own, pieces.other, pieces.kings].map(Word::get);
        for way in ways.list::<M>(own, other, kings, captures).to_vec() {
            let [from, to, over] = [way.from, way.to, way.over].map(|set| isa.splat(set));
            below(from, to, over, ways);
        }
    } else if has_capture {
        for direction in 0..4 {
            let mut movers = masks.jumps[direction];
            while let Some(from) = movers.take_lowest() {
                let over = step(from, M::ROTATIONS[direction]);
                below(from, step(over, M::ROTATIONS[direction]), over, ways);
            }
        }
    }
    sum
}

/// The number of captures where one may take several pieces.
#[inline(always)]
fn count_captures<M: Mover, B>(
    pieces: &Pieces<Word<B>>,
    masks: &Masks<Word<B>>,
    captures: Captures,
    ways: &mut Ways,
) -> u64
where
    B: ScalarIsa + Isa<Vector = Word<B>>,
{
    let chains = Chains::new::<M>(pieces, masks, captures);
    if chains.deep {
        let [own, other, kings] = [pieces.own, pieces.other, pieces.kings].map(Word::get);
        return ways.list::<M>(own, other, kings, captures).len() as u64;
    }
    let [first, others @ ..] = chains.doubles;
    bits(chains.singles) + first.count_ones_with(others).sum()
}
