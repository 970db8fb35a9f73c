//! Why a request has no answer.

use serde::Serialize;
use tavli::game::{AnyPositionError, NetError};
use tavli::rollout::{PieceError, RequestError, RolloutError};

/// An error for JavaScript: its kind, and what to read.
#[derive(Debug, Serialize)]
pub struct Failure {
    kind: Kind,
    message: String,
}

/// What an error is about.
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
        Failure {
            kind,
            message: message.to_string(),
        }
    }

    /// What it is about.
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

impl From<tavli::board::PositionError> for Failure {
    fn from(error: tavli::board::PositionError) -> Failure {
        Failure::new(Kind::Position, error)
    }
}

impl From<tavli::PlayoutError> for Failure {
    fn from(error: tavli::PlayoutError) -> Failure {
        Failure::new(Kind::Position, error)
    }
}

impl From<tavli::cube::CubeStateError> for Failure {
    fn from(error: tavli::cube::CubeStateError) -> Failure {
        Failure::new(Kind::Position, error)
    }
}

impl From<tavli::RollError> for Failure {
    fn from(error: tavli::RollError) -> Failure {
        Failure::new(Kind::Roll, error)
    }
}

impl From<tavli::board::OtherRollError> for Failure {
    fn from(error: tavli::board::OtherRollError) -> Failure {
        Failure::new(Kind::Roll, error)
    }
}

impl From<tavli::named::NamedError> for Failure {
    fn from(error: tavli::named::NamedError) -> Failure {
        Failure::new(Kind::Player, error)
    }
}

impl From<RequestError> for Failure {
    fn from(error: RequestError) -> Failure {
        let kind = match error {
            RequestError::Roll(_) | RequestError::NoRoll | RequestError::Play(_) => Kind::Roll,
            RequestError::Rollout(RolloutError::Playout(_)) => Kind::Position,
            _ => Kind::Settings,
        };
        Failure::new(kind, error)
    }
}

impl From<PieceError> for Failure {
    fn from(error: PieceError) -> Failure {
        Failure::new(Kind::Settings, error)
    }
}

impl From<AnyPositionError> for Failure {
    fn from(error: AnyPositionError) -> Failure {
        let kind = match error {
            AnyPositionError::NoDice(_) | AnyPositionError::NoRoll(_) | AnyPositionError::Roll(_) => Kind::Roll,
            AnyPositionError::Position(_) | AnyPositionError::Over(_) => Kind::Position,
            AnyPositionError::Evaluator { .. } | AnyPositionError::OtherNet { .. } | AnyPositionError::Plies { .. } => {
                Kind::Player
            }
            _ => Kind::Settings,
        };
        Failure::new(kind, error)
    }
}

impl From<NetError> for Failure {
    fn from(error: NetError) -> Failure {
        Failure::new(Kind::Player, error)
    }
}
