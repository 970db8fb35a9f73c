//! Why a call did not succeed.

use std::fmt::Display;

use tavli::rollout::{RecordError, RolloutError};
use tavli::run::{GameNumbersError, ManyRunError, PinningError, PlacementError, WorkersError};
use tavli::{PlayoutError, PointsError, PositionError, RollError, TierError};

use crate::status::Status;

/// A status other than [`Status::Ok`], and its reason in words.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) status: Status,
    pub(crate) message: String,
}

impl Failure {
    pub(crate) fn new(status: Status, message: impl Display) -> Failure {
        Failure {
            status,
            message: message.to_string(),
        }
    }

    /// The same in one of many positions.
    pub(crate) fn in_position(self, index: usize) -> Failure {
        Failure::new(
            self.status,
            format_args!("position {index}: {}", self.message),
        )
    }
}

/// The status of errors that have only one.
macro_rules! statuses {
    ($($error:ty => $status:ident),+ $(,)?) => {
        $(impl From<$error> for Failure {
            fn from(error: $error) -> Failure {
                Failure::new(Status::$status, error)
            }
        })+
    };
}

statuses! {
    PositionError => Position,
    PointsError => Position,
    RollError => Roll,
    PlayoutError => Game,
    GameNumbersError => Settings,
    ManyRunError => Settings,
    RecordError => Record,
    TierError => Workers,
    PinningError => Workers,
    PlacementError => Workers,
    WorkersError => Workers,
}

impl From<RolloutError> for Failure {
    fn from(error: RolloutError) -> Failure {
        let status = match &error {
            RolloutError::Playout(_) | RolloutError::Candidate { .. } => Status::Game,
            RolloutError::NoPlay { .. }
            | RolloutError::Twice { .. }
            | RolloutError::Candidates(_) => Status::Candidate,
            _ => Status::Settings,
        };
        Failure::new(status, error)
    }
}
