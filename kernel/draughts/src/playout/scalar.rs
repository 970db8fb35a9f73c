//! One game at a time: the playouts of the portable tier.

use rand_xoshiro::rand_core::Rng;
use tavli_game::streams::{StreamKey, generator};
use tavli_game::{Leaf, Leaves};
use tavli_simd::{Isa, ScalarIsa, Vector, Word};

use super::captures::capture;
use super::choice::{PlayedSets, choose, cumulative, draw_listed};
use crate::board::squares::{Black, Mover, White};
use crate::board::{Position, Side};
use crate::plays::{Masks, Pieces, Ways};
use crate::rules::{Captures, Draw, Rules};

/// Plays the games of the leaves one after another.
#[inline(always)]
pub(super) fn play_out<B>(
    isa: B,
    rules: Rules,
    key: &StreamKey,
    leaves: &mut dyn Leaves<Position>,
    stop: &dyn Fn() -> bool,
) where
    B: ScalarIsa + Isa<Vector = Word<B>>,
{
    let mut ways = Ways::default();
    while let Some(leaf) = leaves.next() {
        let (points, plies) = play(isa, rules, key, &leaf, &mut ways);
        leaves.end(leaf.tag, points, plies);
        if stop() {
            return;
        }
    }
}

/// A game under way.
struct Game<B: ScalarIsa> {
    /// The side to move is the own one.
    pieces: Pieces<Word<B>>,
    quiet: u32,
}

/// Plays a game and returns the points of the side to move in its leaf, and the plies.
#[inline(always)]
fn play<B>(isa: B, rules: Rules, key: &StreamKey, leaf: &Leaf<Position>, ways: &mut Ways) -> (i32, u32)
where
    B: ScalarIsa + Isa<Vector = Word<B>>,
{
    let mut words = generator(key.state(leaf.game));
    let position = &leaf.position;
    let side = position.side();
    let mut game = Game {
        pieces: Pieces {
            own: isa.splat(position.pieces(side)),
            other: isa.splat(position.pieces(side.other())),
            kings: isa.splat(position.kings()),
        },
        quiet: u32::from(position.quiet()),
    };
    let mut plies = 0;
    let mut is_black = side == Side::Black;
    let points = loop {
        let end = if is_black {
            ply::<Black, B>(isa, rules, &mut game, || words.next_u32(), ways)
        } else {
            ply::<White, B>(isa, rules, &mut game, || words.next_u32(), ways)
        };
        if let Some(points) = end {
            break points;
        }
        is_black = !is_black;
        plies += 1;
    };
    (if plies % 2 == 0 { points } else { -points }, plies)
}

/// Plays a ply, or returns the points of the side to move if the game is over.
#[inline(always)]
fn ply<M: Mover, B>(
    isa: B,
    rules: Rules,
    game: &mut Game<B>,
    word: impl FnOnce() -> u32,
    ways: &mut Ways,
) -> Option<i32>
where
    B: ScalarIsa + Isa<Vector = Word<B>>,
{
    let pieces = game.pieces;
    let Pieces { own, other, kings } = pieces;
    let masks = Masks::new::<M>(&pieces);
    let has_capture = !masks.all_jumps().is_zero();
    let sets = if has_capture { masks.jumps } else { masks.steps };
    let counts = cumulative(&sets);
    let plays = counts[3];
    if plays.is_zero() {
        return Some(-1);
    }
    if rules.is_drawn(game.quiet, !((own | other) & !kings).is_zero()) {
        return Some(0);
    }
    let word = isa.splat(word());
    let is_listed = match rules.captures {
        Captures::Compulsory => has_capture && masks.may_go_on::<M>(own & kings),
        Captures::Optional | Captures::OptionalMayStop => has_capture,
    };
    let (after, from, over) = if is_listed {
        let drawn = if rules.captures == Captures::Compulsory {
            capture::<M, Word<B>, true>(pieces, rules.captures, word)
        } else {
            capture::<M, Word<B>, false>(pieces, rules.captures, word)
        };
        if drawn.deep {
            let sets = [own, other, kings].map(Word::get);
            let PlayedSets { from, to, over } = draw_listed::<M>(sets, rules.captures, word.get(), ways);
            let [from, to, over] = [from, to, over].map(|set| isa.splat(set));
            (pieces.moved::<M>(from, to, over), from, over)
        } else {
            (drawn.pieces, drawn.from, drawn.over)
        }
    } else {
        let (index, _) = word.mul_wide(plays);
        let choice = choose(&sets, &counts, &M::ROTATIONS, index);
        let beside = choice.from.rotate(choice.code);
        let (to, over) = if has_capture {
            (beside.rotate(choice.code), beside)
        } else {
            (beside, isa.splat(0))
        };
        (pieces.moved::<M>(choice.from, to, over), choice.from, over)
    };
    let is_counted = over.is_zero() && (kings.test_any_bit(from) || matches!(rules.draw, Draw::KingsOnly(_)));
    *game = Game {
        pieces: Pieces {
            own: after.other,
            other: after.own,
            kings: after.kings,
        },
        quiet: if is_counted { game.quiet + 1 } else { 0 },
    };
    None
}
