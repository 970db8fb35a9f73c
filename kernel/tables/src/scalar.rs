//! One game at a time: the playout that every other path equals.

use rand_xoshiro::rand_core::Rng;
use tavli_game::streams::generator;
use tavli_simd::{Isa, ScalarIsa, Vector, Word};

use crate::ends::EndTest;
use crate::moves::{is_at_risk, is_listed, list, side_of};
use crate::plays::{Delta, PlaySet, Turn, Visit, occupied_and_made, visit_plays};
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
pub(crate) fn play<G: Variant, B: ScalarIsa + Isa<Vector = Word<B>>>(game: &G, isa: B, playout: &Playout) -> (i32, u32) {
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
    let turn = Turn::new(game, mover, other);
    let position = Position {
        own: side_of(mover),
        opponent: side_of(other),
    };
    if is_listed(game, &position) {
        return listed(game, isa, &position, dice, fraction);
    }
    if G::RUNS {
        let ends = game.ends(other, turn.occupied);
        if is_at_risk(&turn, &ends, dice) {
            let drawn = visit_plays::<G, B, _>(&turn, dice, Allowed { isa, ends, fraction });
            return drawn.unwrap_or_else(|| listed(game, isa, &position, dice, fraction));
        }
    }
    visit_plays::<G, B, _>(&turn, dice, Drawn { fraction })
}

/// Draws one of all plays.
struct Drawn<V> {
    fraction: V,
}

impl<B: ScalarIsa> Visit<Word<B>> for Drawn<Word<B>> {
    type Output = [Word<B>; 4];

    #[inline(always)]
    fn visit(self, set: &impl PlaySet<Word<B>>, turn: &Turn<Word<B>>) -> [Word<B>; 4] {
        let (index, _) = self.fraction.mul_wide(set.plays());
        made(&turn.counts, &set.delta(index))
    }
}

#[inline(always)]
fn made<V: Vector>(counts: &[V; 4], delta: &Delta<V>) -> [V; 4] {
    let mut counts = *counts;
    delta.make(&mut counts);
    counts
}

/// More plays than any roll has: 2,226 are known.
const MOST_PLAYS: usize = 3072;

/// Draws one of the plays that end in an allowed position, if there are any.
struct Allowed<B: ScalarIsa> {
    isa: B,
    ends: EndTest<Word<B>>,
    fraction: Word<B>,
}

impl<B: ScalarIsa + Isa<Vector = Word<B>>> Visit<Word<B>> for Allowed<B> {
    type Output = Option<[Word<B>; 4]>;

    #[inline(always)]
    fn visit(self, set: &impl PlaySet<Word<B>>, turn: &Turn<Word<B>>) -> Option<[Word<B>; 4]> {
        let allowed = |index: u32| {
            let after = made(&turn.counts, &set.delta(self.isa.splat(index)));
            let (occupied, _) = occupied_and_made(&after);
            self.ends.allows(occupied).then_some(after)
        };
        // A bit for each play that is allowed.
        let mut bits = [0_u64; MOST_PLAYS / 64];
        let plays = set.plays().get();
        for index in 0..plays {
            let allows = allowed(index).is_some();
            bits[index as usize / 64] |= u64::from(allows) << (index % 64);
        }
        let number: u32 = bits.iter().map(|word| word.count_ones()).sum();
        let (rank, _) = self.fraction.mul_wide(self.isa.splat(number));
        let mut before = rank.get();
        let is_drawn = |&index: &u32| {
            let is_allowed = bits[index as usize / 64] >> (index % 64) & 1 == 1;
            let is_next = is_allowed && before == 0;
            before = before.wrapping_sub(u32::from(is_allowed));
            is_next
        };
        let drawn = (0..plays).find(is_drawn)?;
        allowed(drawn)
    }
}

/// [`ply`] with all plays listed.
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
