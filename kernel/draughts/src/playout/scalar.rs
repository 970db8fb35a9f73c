//! One game at a time: the playouts of the portable tier.

use rand_xoshiro::rand_core::Rng;
use tavli_game::streams::{StreamKey, generator};
use tavli_game::{GameSource, GameStart, PlayoutEnd};
use tavli_simd::{Isa, ScalarIsa, Vector, Word};

use crate::board::squares::{Black, Mover, White};
use crate::board::{Position, Side};
use crate::plays::{CaptureList, Drawn, Pieces, SimplePlays, points};
use crate::rules::Rules;

/// Plays the games of a source one after another.
#[inline(always)]
pub(super) fn play_out<B>(
    isa: B,
    rules: Rules,
    key: &StreamKey,
    source: &mut dyn GameSource<Position>,
    stop: &dyn Fn() -> bool,
) where
    B: ScalarIsa + Isa<Vector = Word<B>>,
{
    let mut capture_list = CaptureList::default();
    let max_plies = source.max_plies();
    while let Some(start) = source.next() {
        let end = play(isa, rules, key, &start, max_plies, &mut capture_list);
        source.record_end(start.tag, end);
        if stop() {
            return;
        }
    }
}

/// A game under way.
struct ScalarGame<B: ScalarIsa> {
    /// The side to move is the own one.
    pieces: Pieces<Word<B>>,
    quiet: u32,
}

impl<B: ScalarIsa> ScalarGame<B> {
    /// The position, in which Black is to move, or White.
    fn position(&self, is_black: bool) -> Position {
        let Pieces { own, other, kings } = self.pieces;
        let (own, other, kings) = (own.get(), other.get(), kings.get());
        // A game with more plies of this kind has ended.
        let quiet = self.quiet as u8;
        match is_black {
            true => Position::unchecked([own, other, kings], Side::Black, quiet),
            false => Position::unchecked([other, own, kings], Side::White, quiet),
        }
    }
}

/// Plays a game until it is over or has `max_plies` plies.
#[inline(always)]
fn play<B>(
    isa: B,
    rules: Rules,
    key: &StreamKey,
    start: &GameStart<Position>,
    max_plies: u32,
    capture_list: &mut CaptureList,
) -> PlayoutEnd
where
    B: ScalarIsa + Isa<Vector = Word<B>>,
{
    let mut words = generator(key.state(start.game));
    let position = &start.position;
    let side = position.side();
    let mut game = ScalarGame { pieces: position.seen_by(isa, side), quiet: u32::from(position.quiet()) };
    let mut plies = 0;
    let mut is_black = side == Side::Black;
    let points = loop {
        if plies == max_plies {
            break points(&game.position(is_black), rules);
        }
        let end = if is_black {
            ply::<Black, B>(isa, rules, &mut game, || words.next_u32(), capture_list)
        } else {
            ply::<White, B>(isa, rules, &mut game, || words.next_u32(), capture_list)
        };
        if end.is_some() {
            break end;
        }
        is_black = !is_black;
        plies += 1;
    };
    PlayoutEnd::after_last_ply(points, plies)
}

/// Plays a ply, or returns the points of the side to move if the game is over.
#[inline(always)]
fn ply<M: Mover, B>(
    isa: B,
    rules: Rules,
    game: &mut ScalarGame<B>,
    word: impl FnOnce() -> u32,
    capture_list: &mut CaptureList,
) -> Option<i32>
where
    B: ScalarIsa + Isa<Vector = Word<B>>,
{
    let pieces = game.pieces;
    let simple = SimplePlays::new::<M>(&pieces);
    if simple.is_empty() {
        return Some(-1);
    }
    let Pieces { own, other, kings } = pieces;
    if rules.is_drawn(game.quiet, !((own | other) & !kings).lanes_zero()) {
        return Some(0);
    }
    let made = simple.make::<M>(isa, pieces, rules, Drawn(isa.splat(word())), capture_list);
    *game = ScalarGame {
        pieces: Pieces { own: made.pieces.other, other: made.pieces.own, kings: made.pieces.kings },
        quiet: if made.is_counted { game.quiet + 1 } else { 0 },
    };
    None
}
