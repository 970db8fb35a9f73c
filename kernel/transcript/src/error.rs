//! Why a file is not a match, and why a match does not allow a step.

use tavli_backgammon::{Roll, Stopped};
use thiserror::Error;

/// Why a match was not read.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum MatError {
    /// A line that cannot be read, or whose action is impossible.
    #[error("line {line}: {message}")]
    Line {
        /// The number of the line, from 1.
        line: usize,
        /// The reason.
        message: String,
    },
    /// The reading was stopped.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

/// A game or a step that a match does not allow.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum StepError {
    /// A game after the end of the match.
    #[error("{}-{} already ends a match to {length}: remove the games after it", score[0], score[1])]
    MatchOver {
        /// The points of both players.
        score: [u16; 2],
        /// The points that win the match.
        length: u16,
    },
    /// A game at a score that positions cannot hold.
    #[error("a session ends before a player has more than {most} points", most = tavli_backgammon::board::MAX_POINTS)]
    Points,
    /// A step without a game.
    #[error("no game has begun")]
    NoGame,
    /// A step after the end of the game.
    #[error("the game was over before")]
    GameOver,
    /// Another action than an answer to a double.
    #[error("a double waits for its answer")]
    Doubled,
    /// An answer without a double.
    #[error("nobody has doubled")]
    NotDoubled,
    /// A double before the opening roll.
    #[error("nobody may double before the opening roll, which decides who begins")]
    OpeningDouble,
    /// An opening roll of equal dice.
    #[error("no game begins with {0}: equal dice are thrown again")]
    OpeningRoll(Roll),
    /// A double in the Crawford game.
    #[error("nobody may double in the Crawford game")]
    Crawford,
    /// A double with a cube that the opponent owns.
    #[error("nobody may double with the opponent's cube")]
    Cube,
    /// A double beyond the limit of the cube.
    #[error("nobody may double beyond a cube of {0}")]
    CubeLimit(u32),
    /// A step of the wrong player.
    #[error("it is the turn of {0}")]
    Turn(String),
    /// An impossible position.
    #[error("{0}")]
    Position(String),
}
