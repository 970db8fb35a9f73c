//! The numbers of games, which end at 2^64 - 2.

use core::ops::Range;

use thiserror::Error;

/// Games beyond the last number.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error(
    "{games} games from game number {first_game} on pass the last game number, {last}",
    last = u64::MAX - 1
)]
pub struct GameNumbersError {
    /// The first game.
    pub first_game: u64,
    /// The number of games asked for.
    pub games: u64,
}

impl GameNumbersError {
    /// The numbers of `games` games from `first_game` on.
    ///
    /// # Errors
    /// [`GameNumbersError`] if they pass the last game number, 2^64 - 2.
    pub fn numbers(first_game: u64, games: u64) -> Result<Range<u64>, GameNumbersError> {
        // The end of a range lies behind its last number, and has to be a number, too: the last game is not 2^64 - 1.
        let end = first_game.checked_add(games);
        Ok(first_game..end.ok_or(GameNumbersError { first_game, games })?)
    }
}
