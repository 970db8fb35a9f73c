//! Why a call did not succeed.

use std::fmt::Display;

use tavli::evaluation::RolledError;
use tavli::file::FileError;
use tavli::games::AnyPositionError;
use tavli::named::NamedError;
use tavli::rollout::{LoadError, MergeError, PlanError, RolloutError, RolloutRecordError, SaveError, ShardError};
use tavli::run::{GameNumbersError, PinningError, PlacementError, RowsError, SecondsError, WorkersError};
use tavli::search;
use tavli::text::printable;
use tavli::{PlayoutError, PointsError, PositionError, RollError, TierError};

use crate::status::Status;

/// A status other than [`Status::Ok`], and its reason in words.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) status: Status,
    pub(crate) message: String,
}

impl Failure {
    /// A failure with its reason. Texts of callers come from outside, so characters that a terminal would obey are
    /// escaped.
    pub(crate) fn new(status: Status, message: impl Display) -> Failure {
        let message = printable(message);
        Failure { status, message }
    }

    /// This failure, in item `index` of the many that `what` names.
    pub(crate) fn at_index(self, what: &str, index: usize) -> Failure {
        Failure::new(self.status, format_args!("{what} {index}: {}", self.message))
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
    RolledError => Position,
    PointsError => Position,
    RollError => Roll,
    PlayoutError => Game,
    GameNumbersError => Settings,
    RowsError => Settings,
    FileError => File,
    SaveError => File,
    ShardError => Settings,
    search::SearchRecordError => Record,
    TierError => Workers,
    PinningError => Workers,
    PlacementError => Workers,
    WorkersError => Workers,
}

impl From<MergeError> for Failure {
    fn from(error: MergeError) -> Failure {
        Failure::new(Status::Merge, error.of_list())
    }
}

impl From<NamedError> for Failure {
    fn from(error: NamedError) -> Failure {
        let status = match &error {
            NamedError::Stopped => Status::Cancelled,
            _ => Status::Settings,
        };
        Failure::new(status, error)
    }
}

impl From<RolloutRecordError> for Failure {
    fn from(error: RolloutRecordError) -> Failure {
        let status = match &error {
            RolloutRecordError::Stopped => Status::Cancelled,
            _ => Status::Record,
        };
        Failure::new(status, error)
    }
}

impl From<LoadError> for Failure {
    fn from(error: LoadError) -> Failure {
        let status = match &error {
            LoadError::Record { source: RolloutRecordError::Stopped, .. } => Status::Cancelled,
            LoadError::Record { .. } => Status::Record,
            _ => Status::File,
        };
        Failure::new(status, error)
    }
}

impl From<RolloutError> for Failure {
    fn from(error: RolloutError) -> Failure {
        let status = match &error {
            RolloutError::Playout(_) | RolloutError::Candidate { .. } => Status::Game,
            RolloutError::Play { .. }
            | RolloutError::NoPlay { .. }
            | RolloutError::SameCandidateTwice { .. }
            | RolloutError::Candidates(_) => Status::Candidate,
            &RolloutError::Plan(PlanError::Seconds(seconds)) => return seconds.into(),
            // Named as in TavliSettings.
            RolloutError::NotTruncated => {
                let message =
                    "evaluator is for games that are cut off: set truncate too, or luck in place of evaluator";
                return Failure::new(Status::Settings, message);
            }
            RolloutError::Margin(margin) => {
                let message =
                    format!("filter is a number of points, 0 or more, or below 0 to keep every play, not {margin}");
                return Failure::new(Status::Settings, message);
            }
            _ => Status::Settings,
        };
        Failure::new(status, error)
    }
}

impl From<SecondsError> for Failure {
    /// The failure of a rule for the time, which 0 turns off.
    fn from(SecondsError(seconds): SecondsError) -> Failure {
        let expected = SecondsError::EXPECTED;
        Failure::new(Status::Settings, format_args!("seconds are {expected}, or 0 for no rule, not {seconds:?}"))
    }
}

impl From<AnyPositionError> for Failure {
    fn from(error: AnyPositionError) -> Failure {
        let status = match &error {
            AnyPositionError::Position(_) | AnyPositionError::Rolled(_) => Status::Position,
            AnyPositionError::NoDice(_) | AnyPositionError::NoRoll(_) | AnyPositionError::Roll(_) => Status::Roll,
            AnyPositionError::Over(_) => Status::Game,
            AnyPositionError::Stopped(_) => Status::Cancelled,
            _ => Status::Settings,
        };
        Failure::new(status, error)
    }
}

impl From<search::RequestError> for Failure {
    fn from(error: search::RequestError) -> Failure {
        let status = match &error {
            search::RequestError::Position(_) => Status::Game,
            _ => Status::Settings,
        };
        Failure::new(status, error)
    }
}
