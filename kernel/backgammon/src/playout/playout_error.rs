//! Why there are no playouts of a position.

use thiserror::Error;

use crate::board::{Board, PositionId, Side};
use crate::rules::RuleSet;

/// Why no playouts start from a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum PlayoutError {
    /// The game is over.
    #[error(
        "the game is already over in the position {position}, with {points:+} points for the player whose turn it \
         would be; name one in which it goes on"
    )]
    GameOver {
        /// The position.
        position: PositionId,
        /// The points of the game for the player on roll.
        points: i32,
    },
    /// A side has more checkers than the game.
    #[error(
        "{player} has {checkers} checkers; a side has at most {most} in {rules}",
        most = rules.checkers()
    )]
    TooManyCheckers {
        /// The rules.
        rules: RuleSet,
        /// Whose checkers.
        player: Side,
        /// How many there are.
        checkers: u8,
    },
    /// Nobody can ever move.
    #[error("the game can never end: both sides have checkers on the bar against six closed home points")]
    Deadlock,
}

impl PlayoutError {
    /// Checks that the game of some rules goes on in a position.
    ///
    /// # Errors
    /// [`PlayoutError::GameOver`] or [`PlayoutError::TooManyCheckers`].
    pub fn check(board: &Board, rules: RuleSet) -> Result<(), PlayoutError> {
        PlayoutError::check_checkers(board, rules)?;
        match rules.outcome(board) {
            None => Ok(()),
            Some(outcome) => Err(PlayoutError::GameOver { position: board.position_id(), points: outcome.points() }),
        }
    }

    /// Checks that neither side has more checkers than the rules give it.
    ///
    /// # Errors
    /// [`PlayoutError::TooManyCheckers`].
    pub fn check_checkers(board: &Board, rules: RuleSet) -> Result<(), PlayoutError> {
        for (player, side) in [(Side::OnRoll, board.own()), (Side::Opponent, board.opponent())] {
            let checkers = side.checkers();
            if checkers > rules.checkers() {
                return Err(PlayoutError::TooManyCheckers { rules, player, checkers });
            }
        }
        Ok(())
    }
}
