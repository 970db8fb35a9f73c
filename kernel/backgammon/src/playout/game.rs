//! A game outside the lanes of a pool.

use super::Record;
use super::stream::StreamKey;
use crate::board::{Board, Side};
use crate::outcome::Outcome;
use crate::rules::{Goal, RuleSet};

/// A game in progress.
#[derive(Clone, Copy)]
pub(super) struct Game {
    /// Bit-sliced counts of the player on roll and of the other.
    pub(super) sides: [[u32; 4]; 2],
    /// The state of the game's stream.
    pub(super) stream: [u32; 4],
    /// Plies played.
    pub(super) plies: u32,
    pub(super) number: u64,
}

impl Game {
    /// A game that begins.
    #[inline(always)]
    pub(super) fn new(start: &Board, key: &StreamKey, number: u64) -> Game {
        Game {
            sides: [start.own().sliced(), start.opponent().sliced()],
            stream: key.state(number),
            plies: 0,
            number,
        }
    }

    /// Whether the last ply ended it.
    #[inline(always)]
    pub(super) fn is_over<G: Goal>(&self) -> bool {
        let [_, [a, b, c, d]] = self.sides;
        (a | b | c | d) & G::TO_CLEAR == 0
    }

    /// What is told of it when it has ended or was cut off.
    #[inline(always)]
    pub(super) fn end(&self, rules: RuleSet) -> End {
        End::new(rules, self.number, self.plies, self.sides)
    }
}

/// A game that has ended or was cut off. Its board is made only where it is asked for.
#[derive(Clone, Copy)]
pub(super) struct End {
    pub(super) number: u64,
    pub(super) plies: u32,
    pub(super) outcome: Option<Outcome>,
    /// Bit-sliced counts of the player who would be on roll next and of the other.
    sides: [[u32; 4]; 2],
}

impl End {
    #[inline(always)]
    pub(super) fn new(rules: RuleSet, number: u64, plies: u32, sides: [[u32; 4]; 2]) -> End {
        let [next, last] = sides;
        let [next, last] = [next, last].map(Side::from_sliced);
        End {
            number,
            plies,
            outcome: rules.outcome_after(plies, &last, &next),
            sides,
        }
    }

    pub(super) fn board(&self) -> Board {
        let [next, last] = self.sides;
        Board::from_sides(Side::from_sliced(next), Side::from_sliced(last))
    }

    pub(super) fn record(&self) -> Record {
        Record {
            game: self.number,
            outcome: self.outcome,
            plies: self.plies,
            board: self.board(),
        }
    }
}
