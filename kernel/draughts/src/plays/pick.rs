//! One play, made without listing the others.
//!
//! Tested by `tests/suite/plays.rs` and `playouts.rs`.

use tavli_simd::{Isa, Scalar, ScalarIsa, Vector, Word};

use super::capture_list::CaptureList;
use super::captures::capture;
use super::choice::{MoveSets, Nth, Pick, choose, cumulative, pick_listed};
use super::masks::{Masks, Pieces};
use crate::board::squares::{Black, Mover, White};
use crate::board::{Position, Side};
use crate::rules::{Captures, Draw, Rules};

/// The plays of a position that masks alone give: captures of one piece if there is a capture, and otherwise steps.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SimplePlays<V: Vector> {
    masks: Masks<V>,
    has_capture: bool,
    /// Where pieces come from, by direction.
    sets: [V; 4],
    counts: [V; 4],
}

/// A play that was made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Made<V> {
    /// The pieces after it, the same side to move.
    pub(crate) pieces: Pieces<V>,
    /// Whether it is a ply that counts towards a draw.
    pub(crate) is_counted: bool,
}

impl<B> SimplePlays<Word<B>>
where
    B: ScalarIsa + Isa<Vector = Word<B>>,
{
    #[inline(always)]
    pub(crate) fn new<M: Mover>(pieces: &Pieces<Word<B>>) -> SimplePlays<Word<B>> {
        let masks = Masks::new::<M>(pieces);
        let has_capture = !masks.all_jumps().lanes_zero();
        // Where captures are optional, `make` lays the sets out with the steps: these only tell of a play.
        let sets = if has_capture { masks.jumps } else { masks.steps };
        SimplePlays { masks, has_capture, sets, counts: cumulative(&sets) }
    }

    /// Whether there is no play.
    #[inline(always)]
    pub(crate) fn is_empty(&self) -> bool {
        self.counts[3].lanes_zero()
    }

    /// Makes the play that is picked; there is one.
    #[inline(always)]
    pub(crate) fn make<M: Mover>(
        &self,
        isa: B,
        pieces: Pieces<Word<B>>,
        Rules { captures, draw }: Rules,
        pick: impl Pick<Word<B>>,
        capture_list: &mut CaptureList,
    ) -> Made<Word<B>> {
        let Pieces { own, other, kings } = pieces;
        let is_compulsory = captures == Captures::Compulsory;
        let may_be_long = self.has_capture && (!is_compulsory || self.masks.may_go_on::<M>(own & kings));
        let (after, from, over) = if may_be_long {
            let captured = if is_compulsory {
                capture::<M, Word<B>, true>(pieces, captures, pick)
            } else {
                capture::<M, Word<B>, false>(pieces, captures, pick)
            };
            if captured.may_jump_thrice {
                let sets = [own, other, kings].map(Word::get);
                let MoveSets { from, to, over } = pick_listed::<M, B>(isa, sets, captures, pick, capture_list);
                let [from, to, over] = [from, to, over].map(|set| isa.splat(set));
                (pieces.moved::<M>(from, to, over), from, over)
            } else {
                (captured.pieces, captured.from, captured.over)
            }
        } else {
            let choice = choose(&self.sets, &self.counts, &M::ROTATIONS, pick.index(self.counts[3]));
            let beside = choice.from.rotate(choice.code);
            let (to, over) =
                if self.has_capture { (beside.rotate(choice.code), beside) } else { (beside, isa.splat(0)) };
            (pieces.moved::<M>(choice.from, to, over), choice.from, over)
        };
        Made {
            pieces: after,
            is_counted: over.lanes_zero() && (kings.test_any_bit(from) || matches!(draw, Draw::KingsOnly(_))),
        }
    }
}

/// The position after the play of an index, which is below their number.
pub(crate) fn nth<B>(isa: B, position: &Position, rules: Rules, index: usize) -> Position
where
    B: ScalarIsa + Isa<Vector = Word<B>>,
{
    isa.with_features(
        #[inline(always)]
        || match position.side() {
            Side::Black => nth_of::<Black, B>(isa, position, rules, index),
            Side::White => nth_of::<White, B>(isa, position, rules, index),
        },
    )
}

#[inline(always)]
fn nth_of<M: Mover, B>(isa: B, position: &Position, rules: Rules, index: usize) -> Position
where
    B: ScalarIsa + Isa<Vector = Word<B>>,
{
    let pieces = position.seen_by(isa, M::SIDE);
    let pick = Nth(isa.splat(index as u32));
    let made = SimplePlays::new::<M>(&pieces).make::<M>(isa, pieces, rules, pick, &mut CaptureList::default());
    let quiet = if made.is_counted { position.quiet().saturating_add(1) } else { 0 };
    made.pieces.position::<M>(quiet)
}

/// The points of the side to move, if the game is over.
#[inline]
pub(crate) fn points(position: &Position, rules: Rules) -> Option<i32> {
    if !has_play(position) {
        return Some(-1);
    }
    let all = position.pieces(Side::Black) | position.pieces(Side::White);
    let is_drawn = rules.is_drawn(u32::from(position.quiet()), all & !position.kings() != 0);
    is_drawn.then_some(0)
}

/// Whether the side to move has a play.
fn has_play(position: &Position) -> bool {
    let has_play = |masks: Masks<Word<Scalar>>| {
        let [a, b, c, d] = masks.steps;
        !((a | b) | (c | d) | masks.all_jumps()).lanes_zero()
    };
    let pieces = position.seen_by(Scalar, position.side());
    match position.side() {
        Side::Black => has_play(Masks::new::<Black>(&pieces)),
        Side::White => has_play(Masks::new::<White>(&pieces)),
    }
}
