//! The list of the games.

use thiserror::Error;

use tavli_base::text::Quoted;
use tavli_game::PlayableGame;

/// A function to call with a game that is known by its name only at run time.
pub trait Visitor {
    /// The result of the function.
    type Output;

    /// Calls the function with the game `G`.
    fn visit<G: PlayableGame>(self) -> Self::Output;
}

/// A name that no game has.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("'{}' is not one of the games: {}", Quoted::new(.0), NAMES.join(", "))]
pub struct UnknownGame(pub String);

macro_rules! games {
    ($first:ty; $($game:ty),+; with nets $($net:ty),+ $(,)?) => {
        /// The names of all games, backgammon first.
        pub const NAMES: &[&str] = &[<$first>::NAME, $(<$game>::NAME,)+ $(<$net>::NAME),+];

        /// The names of the games other than backgammon.
        pub const OTHER_NAMES: &[&str] = &[$(<$game>::NAME,)+ $(<$net>::NAME),+];

        /// The names of the games that have [nets](super::default_net).
        pub(super) const NAMES_WITH_NETS: &[&str] = &[$(<$net>::NAME),+];

        /// Calls a visitor with the game of a name.
        ///
        /// # Errors
        /// [`UnknownGame`] if no game has this name.
        pub fn visit<V: Visitor>(name: &str, visitor: V) -> Result<V::Output, UnknownGame> {
            match name {
                <$first>::NAME => Ok(visitor.visit::<$first>()),
                _ => visit_other(name, visitor),
            }
        }

        /// Calls a visitor with the game of a name from [`OTHER_NAMES`]. A program that calls only this has no code of
        /// backgammon.
        ///
        /// # Errors
        /// [`UnknownGame`] if none of these games is named `name`.
        pub fn visit_other<V: Visitor>(name: &str, visitor: V) -> Result<V::Output, UnknownGame> {
            match name {
                $(<$game>::NAME => Ok(visitor.visit::<$game>()),)+
                $(<$net>::NAME => Ok(visitor.visit::<$net>()),)+
                _ => Err(UnknownGame(name.to_owned())),
            }
        }

        /// Calls a visitor with the game of a name from [`NAMES_WITH_NETS`]. A program that calls only this has no code
        /// of another game.
        pub(super) fn visit_with_net<V: Visitor>(name: &str, visitor: V) -> Option<V::Output> {
            match name {
                $(<$net>::NAME => Some(visitor.visit::<$net>()),)+
                _ => None,
            }
        }
    };
}

games! {
    tavli_backgammon::BackgammonGame;
    tavli_tictactoe::TicTacToe,
    tavli_draughts::Draughts;
    with nets tavli_variants::Plakoto, tavli_variants::Fevga,
}
