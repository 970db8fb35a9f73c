//! The number of plays of a position.

use tavli_simd::{Isa, ScalarIsa, Vector, Word};

use super::capture_list::CaptureList;
use super::chains::Chains;
use super::masks::{Masks, Pieces, bits};
use crate::board::squares::{Black, Mover, White};
use crate::board::{Position, Side};
use crate::rules::Captures;

/// The number of plays of a position.
pub(crate) fn count<B>(isa: B, position: &Position, captures: Captures) -> usize
where
    B: ScalarIsa + Isa<Vector = Word<B>>,
{
    let side = position.side();
    let pieces = position.seen_by(isa, side);
    isa.with_features(
        #[inline(always)]
        || match side {
            Side::Black => count_of::<Black, B>(&pieces, captures),
            Side::White => count_of::<White, B>(&pieces, captures),
        },
    )
}

#[inline(always)]
fn count_of<M: Mover, B>(pieces: &Pieces<Word<B>>, captures: Captures) -> usize
where
    B: ScalarIsa + Isa<Vector = Word<B>>,
{
    let masks = Masks::new::<M>(pieces);
    let has_capture = !masks.all_jumps().lanes_zero();
    let mut number = 0;
    if !has_capture || captures != Captures::Compulsory {
        number += bits(&masks.steps).get();
    }
    if has_capture && masks.may_go_on::<M>(pieces.own & pieces.kings) {
        let chains = Chains::new::<M>(pieces, &masks, captures);
        if chains.may_jump_thrice {
            let [own, other, kings] = [pieces.own, pieces.other, pieces.kings].map(Word::get);
            return number as usize + CaptureList::default().list::<M>(own, other, kings, captures).len();
        }
        number += chains.number().get();
    } else if has_capture {
        number += bits(&masks.jumps).get();
    }
    number as usize
}
