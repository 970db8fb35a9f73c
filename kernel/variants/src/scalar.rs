//! One game at a time: the playout that every other path equals.

use tavli_game::streams::StreamKey;
use tavli_game::{GameStart, PlayoutEnd};
use tavli_simd::{Isa, Scalar, ScalarIsa, Vector, Word};

use crate::plays::{MoverMasks, PlaySet, Visit, visit_plays};
use crate::position::{CHECKERS, Position, SideVectors};
use crate::roll_plays::{list, list_of_drawn, on_words, side_of};
use crate::rolls::{DICE, ROLLS, THROWS};
use crate::variant::Variant;
use tavli_algebra::planes::occupied_and_made;

/// A game in progress.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Playout {
    pub(crate) position: Position,
    /// The state of the game's stream.
    pub(crate) stream: [u32; 4],
    /// The next roll, if it is given.
    pub(crate) roll: Option<usize>,
    /// Plies played.
    pub(crate) plies: u32,
}

impl Playout {
    /// The game that begins so.
    pub(crate) fn new(key: &StreamKey, start: &GameStart<Position>) -> Playout {
        Playout { position: start.position, stream: key.state(start.game), roll: start.chance, plies: 0 }
    }
}

/// Plays a game on until it is over or has `max_plies` plies. Returns whether it is over.
// Not inlined: where games alone, games that lanes cannot play and given rolls each had this code, and redrawn plays a
// part of it, the copies took 20 kB of a module of WebAssembly.
#[inline(never)]
pub(crate) fn play<G: Variant>(game: &G, playout: &mut Playout, max_plies: u32) -> bool {
    on_words!(isa => play_on(game, isa, playout, max_plies))
}

#[inline(always)]
fn play_on<G: Variant, B: ScalarIsa + Isa<Vector = Word<B>>>(
    game: &G,
    isa: B,
    playout: &mut Playout,
    max_plies: u32,
) -> bool {
    let mut sides = [&playout.position.own, &playout.position.opponent].map(|side| SideVectors::splat(isa, side));
    // Counted down, so that the loop holds no second number to compare with.
    let mut plies_left = max_plies - playout.plies;
    let (mut stream, mut roll) = (playout.stream, playout.roll);
    let is_over = loop {
        let [word, next @ ..] = next_word(stream);
        stream = next;
        let is_over = ply(game, isa, &mut sides, word, roll.take());
        plies_left -= 1;
        if is_over || plies_left == 0 {
            break is_over;
        }
    };
    *playout = Playout { position: position_of(&sides), stream, roll, plies: max_plies - plies_left };
    is_over
}

/// The next word of a stream, and the state after it.
// Written out: lanes go on with the state, which the generator of `streams` does not show.
fn next_word([s0, s1, s2, s3]: [u32; 4]) -> [u32; 5] {
    let word = s0.wrapping_add(s3).rotate_left(7).wrapping_add(s0);
    let (t2, t3) = (s2 ^ s0, s3 ^ s1);
    [word, s0 ^ t3, s1 ^ t2, t2 ^ s1 << 9, t3.rotate_left(11)]
}

/// The end of a game that is over or cut off.
pub(crate) fn end<G: Variant>(game: &G, last: &Playout) -> PlayoutEnd {
    // The last play was the other player's.
    let points = points_won(game, &last.position).map(|won| -won);
    PlayoutEnd::after_last_ply(points, last.plies)
}

fn position_of<B: ScalarIsa>([own, opponent]: &[SideVectors<Word<B>>; 2]) -> Position {
    Position { own: side_of(own), opponent: side_of(opponent) }
}

/// Plays the ply that a word draws; `sides` are the player on roll and the other, before it and after it. Returns
/// whether the game is over.
#[inline(always)]
fn ply<G: Variant, B: ScalarIsa + Isa<Vector = Word<B>>>(
    game: &G,
    isa: B,
    sides: &mut [SideVectors<Word<B>>; 2],
    word: u32,
    roll: Option<usize>,
) -> bool {
    let [mover, mut other] = *sides;
    let word = isa.splat(word);
    let (mut throw, mut fraction) = word.mul_wide(isa.splat(THROWS));
    if let Some(roll) = roll {
        let [high, low] = ROLLS[roll].map(u32::from);
        // No part of the word is used up by the roll, so all of it draws the play.
        (throw, fraction) = (isa.splat((high - 1) * 6 + low - 1), word);
    }
    let dice = throw.look_up_byte(&DICE);
    let last = SideVectors {
        counts: drawn(game, isa, &mover, &other, [dice & 15, dice.shr_by::<4>()], fraction),
        pinned: mover.pinned,
    };
    let (occupied, _) = occupied_and_made(&last.counts);
    G::pin(occupied, &mut other);
    *sides = [other, last];
    (occupied | last.pinned).lanes_zero() || game.is_over(&last, &other)
}

/// The mover's counts after the second draw of a word. The first draw, by the closed forms, gave a forbidden play.
pub(crate) fn redrawn<G: Variant>(game: &G, position: &Position, word: u32) -> [u32; 4] {
    let (throw, fraction) = Scalar.splat(word).mul_wide(Scalar.splat(THROWS));
    let dice = throw.look_up_byte(&DICE);
    let (plays, drawn_from) = list_of_drawn(game, position, roll_of([dice & 15, dice.shr_by::<4>()]));
    // A lane has kept the word alone. The first draw is made again for what it leaves of the word.
    let (_, rest) = fraction.mul_wide(Scalar.splat(drawn_from as u32));
    let (index, _) = rest.mul_wide(Scalar.splat(plays.len() as u32));
    plays[index.get() as usize]
}

/// The roll of two dice.
fn roll_of<B: ScalarIsa>(dice: [Word<B>; 2]) -> usize {
    let dice = dice.map(|die| die.get() as u8);
    ROLLS.iter().position(|&roll| roll == dice).expect("dice are a roll")
}

/// The points won by the play that led to a position; `None` if the game goes on.
pub(crate) fn points_won<G: Variant>(game: &G, position: &Position) -> Option<i32> {
    game.won_by_last_play(position).or_else(|| {
        let winner = &position.opponent;
        // Without counting: nearly always the game goes on.
        let is_off = winner.occupied() | winner.pinned == 0;
        is_off.then(|| if position.own.on_board() == CHECKERS { 2 } else { 1 })
    })
}

/// The mover's counts after the play that `fraction`, of 2^32, draws from those of `dice`.
#[inline(always)]
fn drawn<G: Variant, B: ScalarIsa + Isa<Vector = Word<B>>>(
    game: &G,
    isa: B,
    mover: &SideVectors<Word<B>>,
    other: &SideVectors<Word<B>>,
    dice: [Word<B>; 2],
    fraction: Word<B>,
) -> [Word<B>; 4] {
    let position = Position { own: side_of(mover), opponent: side_of(other) };
    if game.goes_step_by_step(&position) {
        return listed(game, isa, &position, dice, fraction);
    }
    let turn = MoverMasks::new(game, mover, other);
    let (after, rest) = visit_plays(&turn, dice, Drawn { fraction });
    if G::HAS_RUNNER {
        let (occupied, _) = occupied_and_made(&after);
        let duty = game.duty(&position);
        let opens = duty == 0 || !occupied.get() & duty != 0;
        if !opens || !game.end_test(other, turn.occupied).allows(occupied) {
            return listed(game, isa, &position, dice, rest);
        }
    }
    after
}

/// Draws one of all plays, whether or not it is forbidden.
struct Drawn<V> {
    fraction: V,
}

impl<B: ScalarIsa> Visit<Word<B>> for Drawn<Word<B>> {
    /// The mover's counts after the play, and the rest of the fraction.
    type Output = ([Word<B>; 4], Word<B>);

    #[inline(always)]
    fn visit(self, set: &impl PlaySet<Word<B>>, turn: &MoverMasks<Word<B>>) -> Self::Output {
        let (index, rest) = self.fraction.mul_wide(set.plays());
        let mut after = turn.counts;
        set.delta(index).make(&mut after);
        (after, rest)
    }
}

/// The mover's counts after one of the plays that are allowed, which are listed.
// By the default rules one of 3,000 plies of Fevga comes here, and none of Plakoto.
#[cold]
fn listed<G: Variant, B: ScalarIsa + Isa<Vector = Word<B>>>(
    game: &G,
    isa: B,
    position: &Position,
    dice: [Word<B>; 2],
    fraction: Word<B>,
) -> [Word<B>; 4] {
    let plays = list(game, position, roll_of(dice));
    let (index, _) = fraction.mul_wide(isa.splat(plays.len() as u32));
    plays[index.get() as usize].map(|plane| isa.splat(plane))
}
