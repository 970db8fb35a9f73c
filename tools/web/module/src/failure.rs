//! Why a request has no answer.

use serde::Serialize;
use tavli::games::{AnyDecisionError, AnyPositionError, NetError};
use tavli::rollout::{AddTrialsError, RolloutError};

/// An error for JavaScript: its kind, and its message.
#[derive(Debug, Serialize)]
pub struct Failure {
    kind: Kind,
    message: String,
}

/// The subject of an error.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A position, or that no game can be played from it.
    Position,
    /// A roll, or its plays.
    Roll,
    /// A player or an evaluator.
    Player,
    /// Another setting.
    Settings,
}

impl Failure {
    /// An error of this kind.
    pub fn new(kind: Kind, message: impl ToString) -> Failure {
        Failure { kind, message: message.to_string() }
    }

    /// The kind of the error.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.kind
    }
}

impl core::fmt::Display for Failure {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(&self.message)
    }
}

/// The kind of errors that have only one.
macro_rules! kinds {
    ($($error:ty => $kind:ident),+ $(,)?) => {
        $(impl From<$error> for Failure {
            fn from(error: $error) -> Failure {
                Failure::new(Kind::$kind, error)
            }
        })+
    };
}

kinds! {
    tavli::board::PositionError => Position,
    tavli::PlayoutError => Position,
    tavli::cube::CubeStateError => Position,
    tavli::RollError => Roll,
    tavli::OtherFirstRollError => Roll,
    tavli::board::OtherRollError => Roll,
    tavli::evaluation::RolledError => Position,
    tavli::named::NamedError => Player,
    NetError => Player,
    AddTrialsError => Settings,
    tavli::Stopped => Settings,
}

impl From<RolloutError> for Failure {
    fn from(error: RolloutError) -> Failure {
        let kind = match error {
            RolloutError::Roll(_) | RolloutError::NoRoll | RolloutError::Play { .. } => Kind::Roll,
            RolloutError::Playout(_) => Kind::Position,
            _ => Kind::Settings,
        };
        Failure::new(kind, error)
    }
}

impl From<AnyPositionError> for Failure {
    fn from(error: AnyPositionError) -> Failure {
        let kind = match error {
            AnyPositionError::NoDice(_) | AnyPositionError::NoRoll(_) | AnyPositionError::Roll(_) => Kind::Roll,
            AnyPositionError::Position(_) | AnyPositionError::Rolled(_) | AnyPositionError::Over(_) => Kind::Position,
            AnyPositionError::Evaluator(_) | AnyPositionError::OtherNet { .. } | AnyPositionError::Plies { .. } => {
                Kind::Player
            }
            _ => Kind::Settings,
        };
        Failure::new(kind, error)
    }
}

impl From<AnyDecisionError> for Failure {
    fn from(error: AnyDecisionError) -> Failure {
        match error {
            AnyDecisionError::Position(error) => error.into(),
            AnyDecisionError::Plays(_) | AnyDecisionError::NoPlays => Failure::new(Kind::Roll, error),
            _ => Failure::new(Kind::Player, error),
        }
    }
}
