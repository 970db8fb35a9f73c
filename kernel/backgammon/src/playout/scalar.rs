//! One game at a time: the playout that every other path equals.

use core::num::NonZeroU32;

use super::batch_game::{BatchEnd, BatchGame};
use crate::dice::Roll;
use crate::plays::{CheckerPlanes, Masks, PlaySet, Visit, visit_plays};
use crate::rules::{Goal, RuleSet};
use rand_xoshiro::rand_core::Rng;
use tavli_game::streams::generator;
use tavli_simd::{Isa, ScalarIsa, Vector, Word};

/// Draws one of the plays of a table and makes it.
pub(super) struct Ply<B: ScalarIsa> {
    /// A random fraction of 2^32.
    pub(super) fraction: Word<B>,
    pub(super) mover: CheckerPlanes<Word<B>>,
    pub(super) other: CheckerPlanes<Word<B>>,
}

impl<B: ScalarIsa> Visit<B> for Ply<B> {
    /// Both sides after the play, and the number of plays that it was drawn from.
    type Output = (CheckerPlanes<Word<B>>, CheckerPlanes<Word<B>>, Word<B>);

    #[inline(always)]
    fn visit(mut self, set: &impl PlaySet<B>, masks: &Masks<Word<B>>) -> Self::Output {
        let plays = set.plays();
        let (index, _) = self.fraction.mul_wide(plays);
        set.delta(index).make(&mut self.mover, &mut self.other, masks.blots);
        (self.mover, self.other, plays)
    }
}

/// Plays a game that begins and returns how it ended, with the number of plays that it offered.
#[inline(always)]
pub(super) fn play<G: Goal, B: ScalarIsa + Isa<Vector = Word<B>>>(
    isa: B,
    rules: RuleSet,
    truncation: Option<NonZeroU32>,
    game: &BatchGame,
) -> (BatchEnd, u64) {
    let mut stream = generator(game.stream);
    let [mut mover, mut other] = game.sides.map(|counts| counts.map(|bits| isa.splat(bits)));
    let [mut rolls, mut next_rolls] = game.preset.rolls();
    let max_plies = truncation.map_or(u32::MAX, NonZeroU32::get);
    let mut plies = 0;
    let mut offered = 0;
    loop {
        // One game alone. Two in turns ran at 0.91: the branch predictor learns from the course of one game
        // (profiles/LOG.md, 2026-11-20).
        let word = isa.splat(stream.next_u32());
        let (throw, fraction) = word.mul_wide(isa.splat(rolls.len() as u32));
        let roll = rolls[throw.get() as usize];
        let high = isa.splat(u32::from(roll.high()));
        let low = isa.splat(u32::from(roll.low()));
        // Lists that move up: a match on preset throws at every ply ran at 0.96 (profiles/LOG.md, 2026-11-22).
        (rolls, next_rolls) = (next_rolls, &Roll::THROWS);

        let masks = Masks::new(&mover, &other);
        let ply = Ply { fraction, mover, other };
        let (moved, hit, plays) = visit_plays::<G, B, _>(&mover, &masks, high, low, ply);

        plies += 1;
        offered += u64::from(plays.get());
        let [a, b, c, d] = moved;
        let won = ((a | b | c | d) & G::TO_CLEAR).lanes_zero();
        #[expect(
            clippy::manual_memcpy,
            reason = "a copy of the arrays would pack their words in pairs, which costs 3 %"
        )]
        for bit in 0..4 {
            mover[bit] = hit[bit];
            other[bit] = moved[bit];
        }
        if won || plies == max_plies {
            break;
        }
    }
    let sides = [mover, other].map(|counts| counts.map(Word::get));
    (BatchEnd::new(rules, game.tag, plies, sides), offered)
}
