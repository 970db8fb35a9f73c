//! Why there are no playouts of a position.

use thiserror::Error;

use crate::board::{Board, Player};
use crate::rules::RuleSet;

/// Why no playouts start from a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum PlayoutError {
    /// The game is over.
    #[error("the game is already over by the rules of {0}: one side has won")]
    GameOver(RuleSet),
    /// A side has more checkers than the game.
    #[error(
        "{player} has {checkers} checkers; a side has at most {most} in {rules}",
        most = rules.checkers()
    )]
    TooManyCheckers {
        /// The rules.
        rules: RuleSet,
        /// Whose checkers.
        player: Player,
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
        if rules.is_over(board) {
            return Err(PlayoutError::GameOver(rules));
        }
        Ok(())
    }

    /// Checks that neither side has more checkers than the rules give it.
    ///
    /// # Errors
    /// [`PlayoutError::TooManyCheckers`].
    pub fn check_checkers(board: &Board, rules: RuleSet) -> Result<(), PlayoutError> {
        for (player, side) in [(Player::OnRoll, board.own()), (Player::Opponent, board.opponent())] {
            let checkers = side.checkers();
            if checkers > rules.checkers() {
                return Err(PlayoutError::TooManyCheckers {
                    rules,
                    player,
                    checkers,
                });
            }
        }
        Ok(())
    }
}
