//! Why a text names no player.

use thiserror::Error;

use tavli_backgammon::evaluators::EvaluatorError;

use super::{evaluators, names};
use crate::bearoff::TableError;

/// Why a text names no player, or not what is asked of it.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum NamedError {
    /// Neither a built-in player nor a file.
    #[error("unknown policy '{0}'; choose one of: {names}, or name the file of a player", names = joined(names()))]
    Policy(String),
    /// Neither an evaluator nor a file.
    #[error(
        "unknown evaluator '{0}'; choose one of: {names}, sampled, sampled:GAMES, sampled:GAMES:POLICY, or name the \
         file of a player",
        names = joined(evaluators().map(|player| player.name))
    )]
    Evaluator(String),
    /// A text that begins as one of `sampled`, or a policy that values nothing.
    #[error(transparent)]
    Sampled(#[from] EvaluatorError),
    /// Plies ahead that are not a number.
    #[error(
        "invalid look-ahead '+{0}': write +1ply or +2ply behind a player that values positions, or +2ply:KEEP or \
         +2ply:KEEP:PLAYER to look at few plays of each roll"
    )]
    Plies(String),
    /// More additions than a name may have.
    #[error(
        "the player has {number} additions, such as +1ply, behind its name: write {most} at most"
    )]
    Additions {
        /// The additions.
        number: usize,
        /// The most.
        most: usize,
    },
    /// A size that no table has.
    #[error(
        "invalid bear-off table '{text}': {reason}; write +bearoff:6x6 for a two-sided table, +bearoff:6 for a one-sided one, or the file of one"
    )]
    Table {
        /// What names the table.
        text: String,
        /// What is wrong with it.
        reason: TableError,
    },
    /// A file that cannot be read.
    #[error("cannot read {path}: {reason}")]
    Read {
        /// The file.
        path: String,
        /// The system's reason.
        reason: String,
        /// Whether the file is missing.
        is_missing: bool,
    },
    /// A file of another kind.
    #[error("{0} is not the file of a player: no reader knows how it begins")]
    Format(String),
    /// A file that cannot be used.
    #[error("cannot use {path}: {reason}")]
    Damaged {
        /// The file.
        path: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A built-in player whose net is not part of this build.
    #[error("the player '{0}' is not loaded: give its file, players/{0}.player, first")]
    NotGiven(&'static str),
    /// Another file than that of a built-in player.
    #[error(
        "this is not the file of the built-in player '{0}': give players/{0}.player of the same version"
    )]
    OtherNet(&'static str),
    /// Another file than the one that is named.
    #[error("{path} has the checksum {found}, not {expected}: it is another file than is named")]
    Checksum {
        /// The file.
        path: String,
        /// Its checksum.
        found: String,
        /// The checksum that is named.
        expected: String,
    },
}

/// Names with commas between them.
fn joined(names: impl Iterator<Item = &'static str>) -> String {
    names.collect::<Vec<_>>().join(", ")
}
