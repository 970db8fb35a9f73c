//! One game at a time: the playout that every other path equals.

use rand_xoshiro::rand_core::Rng;
use tavli_game::streams::generator;
use tavli_simd::{Isa, ScalarIsa, Vector, Word};

use crate::moves::{list, side_of};
use crate::plays::{PlaySet, Turn, Visit, occupied_and_made, visit_plays};
use crate::position::{CHECKERS, Position, Words};
use crate::rolls::{DICE, ROLLS, THROWS};
use crate::variant::Variant;

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

/// Plays a game to its end. Returns the points of the player on roll in `playout`, and the plies in all.
#[inline(always)]
pub(crate) fn play<G: Variant, B: ScalarIsa + Isa<Vector = Word<B>>>(
    game: &G,
    isa: B,
    playout: &Playout,
) -> (i32, u32) {
    let mut stream = generator(playout.stream);
    let mut mover = Words::splat(isa, &playout.position.own);
    let mut other = Words::splat(isa, &playout.position.opponent);
    let mut given = playout.roll;
    let mut plies = playout.plies;
    loop {
        let word = isa.splat(stream.next_u32());
        let (mut throw, mut fraction) = word.mul_wide(isa.splat(THROWS));
        if let Some(roll) = given.take() {
            let [high, low] = ROLLS[roll].map(u32::from);
            (throw, fraction) = (isa.splat((high - 1) * 6 + low - 1), word);
        }
        let dice = throw.look_up_byte(&DICE);
        let moved = ply(game, isa, &mover, &other, [dice & 15, dice.shr_by::<4>()], fraction);
        plies += 1;

        let (occupied, _) = occupied_and_made(&moved);
        let last = Words {
            counts: moved,
            pinned: mover.pinned,
        };
        G::pin(occupied, &mut other);
        let is_off = (occupied | last.pinned).is_zero();
        (mover, other) = (other, last);
        if is_off || game.is_over(&other, &mover) {
            break;
        }
    }
    let position = Position {
        own: side_of(&mover),
        opponent: side_of(&other),
    };
    let won = points_won(game, &position).expect("the game is over");
    // The first player plays the odd plies.
    let sign = if (plies - playout.plies) % 2 == 1 { 1 } else { -1 };
    (sign * won, plies)
}

/// The points won by the play that led to a position; `None` if the game goes on.
pub(crate) fn points_won<G: Variant>(game: &G, position: &Position) -> Option<i32> {
    game.won_by_last_play(position).or_else(|| {
        let loser_has_all = position.own.on_board() == CHECKERS;
        (position.opponent.on_board() == 0).then(|| if loser_has_all { 2 } else { 1 })
    })
}

/// The mover's counts after the play that `fraction`, of 2^32, draws from those of `dice`.
#[inline(always)]
fn ply<G: Variant, B: ScalarIsa + Isa<Vector = Word<B>>>(
    game: &G,
    isa: B,
    mover: &Words<Word<B>>,
    other: &Words<Word<B>>,
    dice: [Word<B>; 2],
    fraction: Word<B>,
) -> [Word<B>; 4] {
    let position = Position {
        own: side_of(mover),
        opponent: side_of(other),
    };
    if game.goes_step_by_step(&position) {
        return listed(game, isa, &position, dice, fraction);
    }
    let turn = Turn::new(game, mover, other);
    let (after, rest) = visit_plays(&turn, dice, Drawn { fraction });
    if G::RUNS {
        let (occupied, _) = occupied_and_made(&after);
        let duty = game.duty(&position);
        let opens = duty == 0 || !occupied.get() & duty != 0;
        if !opens || !game.ends(other, turn.occupied).allows(occupied) {
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
    /// The mover's counts after the play, and what is left of the fraction.
    type Output = ([Word<B>; 4], Word<B>);

    #[inline(always)]
    fn visit(self, set: &impl PlaySet<Word<B>>, turn: &Turn<Word<B>>) -> Self::Output {
        let (index, rest) = self.fraction.mul_wide(set.plays());
        let mut after = turn.counts;
        set.delta(index).make(&mut after);
        (after, rest)
    }
}

/// The mover's counts after one of the plays that are allowed, which are listed.
#[cold]
fn listed<G: Variant, B: ScalarIsa + Isa<Vector = Word<B>>>(
    game: &G,
    isa: B,
    position: &Position,
    dice: [Word<B>; 2],
    fraction: Word<B>,
) -> [Word<B>; 4] {
    let dice = dice.map(|die| die.get() as u8);
    let roll = ROLLS.iter().position(|&roll| roll == dice).expect("dice are a roll");
    let plays = list(game, position, roll);
    let (index, _) = fraction.mul_wide(isa.splat(plays.len() as u32));
    plays[index.get() as usize].map(|plane| isa.splat(plane))
}
