//! A game outside the lanes of a pool.

use super::throws::Preset;
use crate::board::{Board, SideCheckers};
use crate::outcome::Outcome;
use crate::playout::game_end::GameEnd;
use crate::rules::{Goal, RuleSet};

/// A game in progress.
#[derive(Clone, Copy, Debug)]
pub(super) struct BatchGame {
    /// Bit-sliced counts of the player on roll and of the other.
    pub(super) sides: [[u32; 4]; 2],
    /// The state of the game's stream.
    pub(super) stream: [u32; 4],
    pub(super) preset: Preset,
    /// Plies played.
    pub(super) plies: u32,
    /// The tag by which the source knows the game.
    pub(super) tag: u64,
}

impl BatchGame {
    /// Whether the last ply ended it.
    #[inline(always)]
    pub(super) fn is_over<G: Goal>(&self) -> bool {
        let [_, [a, b, c, d]] = self.sides;
        (a | b | c | d) & G::TO_CLEAR == 0
    }

    /// How it has ended, or was cut off.
    #[inline(always)]
    pub(super) fn end(&self, rules: RuleSet) -> BatchEnd {
        BatchEnd::new(rules, self.tag, self.plies, self.sides)
    }
}

/// A game that has ended or was cut off, as a [`BatchSource`](super::BatchSource) takes it. Its last board is made only
/// when asked for.
#[derive(Clone, Copy, Debug)]
pub struct BatchEnd {
    tag: u64,
    plies: u32,
    outcome: Option<Outcome>,
    /// Bit-sliced counts of the player who would be on roll next and of the other.
    sides: [[u32; 4]; 2],
}

impl BatchEnd {
    #[inline(always)]
    pub(super) fn new(rules: RuleSet, tag: u64, plies: u32, sides: [[u32; 4]; 2]) -> BatchEnd {
        let [next, last] = sides;
        let [next, last] = [next, last].map(SideCheckers::from_planes);
        BatchEnd {
            tag,
            plies,
            // Without the board, which ends and games that were cut off alone ask for: a game left in 10 cycles, not
            // 13, for 16 plies (profiles/LOG.md, 2026-11-22).
            outcome: rules.outcome_after(plies, &last, &next),
            sides,
        }
    }

    /// The tag that the source gave the game.
    #[inline]
    #[must_use]
    pub fn tag(&self) -> u64 {
        self.tag
    }

    /// How it ended for the player on roll in the first position, or `None` if it was cut off.
    #[inline]
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// Plies played, passes and the winning ply included.
    #[inline]
    #[must_use]
    pub fn plies(&self) -> u32 {
        self.plies
    }

    /// The last position, seen by the player who would be on roll next.
    #[must_use]
    pub fn board(&self) -> Board {
        let [next, last] = self.sides;
        Board::from_sides(SideCheckers::from_planes(next), SideCheckers::from_planes(last))
    }

    /// The end of the game of this number.
    pub(super) fn game_end(&self, game: u64) -> GameEnd {
        GameEnd { game, outcome: self.outcome, plies: self.plies, board: self.board() }
    }
}
