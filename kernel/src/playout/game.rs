//! A game in progress, outside the lanes of a pool.

use super::Record;
use super::stream::StreamKey;
use crate::board::{Board, Side};
use crate::outcome::Outcome;
use crate::rules::Rules;

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
    pub(super) fn is_over<R: Rules>(&self) -> bool {
        let [_, [a, b, c, d]] = self.sides;
        (a | b | c | d) & R::TO_CLEAR == 0
    }

    /// The record of a game that has ended or was cut off.
    #[inline(always)]
    pub(super) fn record<R: Rules>(&self) -> Record {
        let [own, opponent] = self.sides.map(Side::from_sliced);
        Record {
            game: self.number,
            outcome: R::win(&opponent, &own).map(|win| Outcome::new(win, self.plies % 2 == 1)),
            plies: self.plies,
            board: Board::from_sides(own, opponent),
        }
    }
}
