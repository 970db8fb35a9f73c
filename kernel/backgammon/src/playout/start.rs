//! Where a game begins: its position and its dice.

use tavli_simd::{Isa, Scalar};

use super::batch_game::BatchGame;
use crate::board::{Board, HOME, SideCheckers};
use crate::playout::dice::Dice;
use crate::playout::playout_error::PlayoutError;
use crate::plays::at_most_one_outside;
use crate::rules::RuleSet;

/// A position from which games can be played by some rules.
///
/// ```
/// use tavli_backgammon::playout::StartPosition;
/// use tavli_backgammon::{Board, RuleSet};
/// assert!(StartPosition::new(&Board::START, RuleSet::Backgammon).is_ok());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StartPosition {
    /// Bit-sliced counts of the player on roll and of the other.
    sides: [[u32; 4]; 2],
    rules: RuleSet,
    is_late: bool,
}

impl StartPosition {
    /// The position of a board.
    ///
    /// # Errors
    /// [`PlayoutError`] if the game is over in it or can never end, or a side has more checkers than the rules.
    pub fn new(board: &Board, rules: RuleSet) -> Result<StartPosition, PlayoutError> {
        PlayoutError::check(board, rules)?;
        let shut_out = |blocked: &Board| blocked.own().bar() > 0 && blocked.opponent().made() & HOME == HOME;
        // A side that is shut out alone passes until the other has to open a point.
        if shut_out(board) && shut_out(&board.swapped()) {
            return Err(PlayoutError::Deadlock);
        }
        Ok(StartPosition::from_checked_board(board, rules))
    }

    /// The position of a board from which games can be played.
    #[inline]
    pub(crate) fn from_checked_board(board: &Board, rules: RuleSet) -> StartPosition {
        let is_late =
            |side: &SideCheckers| at_most_one_outside(Scalar.splat(side.occupied()), Scalar.splat(side.made()));
        StartPosition {
            sides: [board.own().planes(), board.opponent().planes()],
            rules,
            is_late: is_late(board.own()) || is_late(board.opponent()),
        }
    }
}

/// A game that begins, as a [`BatchSource`](super::BatchSource) hands it out.
#[derive(Clone, Copy, Debug)]
pub struct BatchStart {
    pub(super) game: BatchGame,
    pub(super) rules: RuleSet,
    /// Whether the game begins in the late pool: a side has at most one checker outside its home board.
    pub(super) is_late: bool,
}

impl BatchStart {
    /// Game number `game` of the dice, from a position. The source knows it by `tag` when it ends.
    ///
    /// It takes the course of [`Playouts::play`](super::Playouts::play) for the same position, rules, seed, first roll
    /// and number, whatever else is played with it.
    #[inline]
    #[must_use]
    pub fn new(position: &StartPosition, dice: &Dice, game: u64, tag: u64) -> BatchStart {
        BatchStart {
            game: BatchGame {
                sides: position.sides,
                stream: dice.state(game),
                preset: dice.preset(game),
                plies: 0,
                tag,
            },
            rules: position.rules,
            is_late: position.is_late,
        }
    }

    /// Fails if the game is played by other rules.
    #[inline(always)]
    pub(super) fn check(&self, rules: RuleSet) {
        assert!(
            self.rules == rules,
            "a game by the rules of {} was handed out to a batch by those of {rules}",
            self.rules
        );
    }
}
