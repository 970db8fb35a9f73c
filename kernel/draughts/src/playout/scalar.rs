//! One game at a time: the playouts of the portable tier.

use rand_xoshiro::rand_core::Rng;
use tavli_game::streams::{StreamKey, generator};
use tavli_game::{Leaf, Leaves, PlayoutEnd};
use tavli_simd::{Isa, ScalarIsa, Vector, Word};

use crate::board::squares::{Black, Mover, White};
use crate::board::{Position, Side};
use crate::plays::{CaptureList, Drawn, Pieces, SimplePlays};
use crate::rules::Rules;

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
    let mut capture_list = CaptureList::default();
    while let Some(leaf) = leaves.next() {
        let most_plies = leaves.most_plies();
        let end = play(isa, rules, key, &leaf, most_plies, &mut capture_list);
        leaves.take(leaf.tag, end);
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

/// What became of a game where a ply was to be played.
enum Next {
    /// The ply was played.
    Played,
    /// The game is over, with these points of the side to move.
    Over(i32),
    /// The game goes on, but is cut off.
    CutOff,
}

/// Plays a game until it is over or has `most_plies` plies.
#[inline(always)]
fn play<B>(
    isa: B,
    rules: Rules,
    key: &StreamKey,
    leaf: &Leaf<Position>,
    most_plies: u32,
    capture_list: &mut CaptureList,
) -> PlayoutEnd
where
    B: ScalarIsa + Isa<Vector = Word<B>>,
{
    let mut words = generator(key.state(leaf.game));
    let position = &leaf.position;
    let side = position.side();
    let mut game = Game {
        pieces: position.seen_by(isa, side),
        quiet: u32::from(position.quiet()),
    };
    let mut plies = 0;
    let mut is_black = side == Side::Black;
    let points = loop {
        let word = || (plies < most_plies).then(|| words.next_u32());
        let next = if is_black {
            ply::<Black, B>(isa, rules, &mut game, word, capture_list)
        } else {
            ply::<White, B>(isa, rules, &mut game, word, capture_list)
        };
        match next {
            Next::Played => {}
            Next::Over(points) => break Some(points),
            Next::CutOff => break None,
        }
        is_black = !is_black;
        plies += 1;
    };
    PlayoutEnd::of_last(points, plies)
}

/// Plays the ply that a word draws, unless the game is over, or is cut off for want of a word.
#[inline(always)]
fn ply<M: Mover, B>(
    isa: B,
    rules: Rules,
    game: &mut Game<B>,
    word: impl FnOnce() -> Option<u32>,
    capture_list: &mut CaptureList,
) -> Next
where
    B: ScalarIsa + Isa<Vector = Word<B>>,
{
    let pieces = game.pieces;
    let simple = SimplePlays::new::<M>(&pieces);
    if simple.is_empty() {
        return Next::Over(-1);
    }
    let Pieces { own, other, kings } = pieces;
    if rules.is_drawn(game.quiet, !((own | other) & !kings).is_zero()) {
        return Next::Over(0);
    }
    let Some(word) = word() else {
        return Next::CutOff;
    };
    let made = simple.make::<M>(isa, pieces, rules, Drawn(isa.splat(word)), capture_list);
    *game = Game {
        pieces: Pieces {
            own: made.pieces.other,
            other: made.pieces.own,
            kings: made.pieces.kings,
        },
        quiet: if made.is_counted { game.quiet + 1 } else { 0 },
    };
    Next::Played
}
