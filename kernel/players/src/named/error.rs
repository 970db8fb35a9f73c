//! Why a text names no player.

use tavli_backgammon::evaluators::EvaluatorError;
use tavli_backgammon::text::Quoted;
use thiserror::Error;

use super::built_in::{evaluators, names};
use crate::bearoff::BearOffError;

// The module for JavaScript has no files.
const OR_A_FILE: &str = if cfg!(target_family = "wasm") { "" } else { ", or name the file of a player" };
const OR_A_TABLE: &str = if cfg!(target_family = "wasm") { "" } else { ", or the file of one" };

/// Why a text names no player, or a player that cannot do what is asked.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum NamedError {
    /// Neither a built-in player nor a file.
    #[error(
        "unknown policy '{}'; choose one of: {names}, sampled{OR_A_FILE}; +2ply, +cube or +bearoff:6x6 may follow",
        Quoted::new(.0),
        names = joined(names())
    )]
    Policy(String),
    /// Neither an evaluator nor a file.
    #[error(
        "unknown evaluator '{}'; choose one of: {names}, sampled, sampled:GAMES, sampled:GAMES:POLICY{OR_A_FILE}; \
         +2ply, +cube or +bearoff:6x6 may follow",
        Quoted::new(.0),
        names = joined(evaluators().map(|player| player.name))
    )]
    Evaluator(String),
    /// An invalid form of `sampled`, or a policy that values no positions.
    #[error(transparent)]
    Sampled(#[from] EvaluatorError),
    /// Plies ahead that are not a number.
    #[error(
        "invalid look-ahead '+{}': write +1ply to +{most}ply after a player that values positions, or \
         +2ply:KEEP or +2ply:KEEP:PLAYER to look ahead from KEEP plays of the roll",
        Quoted::new(.addition)
    )]
    Plies {
        /// The addition, without its plus.
        addition: String,
        /// The most plies.
        most: u32,
    },
    /// An addition after `+cube`.
    #[error("+cube is the last addition of a player: write the others before it, such as fast+bearoff:6x6+cube")]
    AfterCube,
    /// More additions than a name may have.
    #[error("the player has {number} additions, such as +1ply, after its name: write {most} at most")]
    Additions {
        /// The additions.
        number: usize,
        /// The most.
        most: usize,
    },
    /// A size that no table has.
    #[error(
        "invalid bear-off table '{}': {reason}; write 6x6 for a two-sided table, 6 for a one-sided one{OR_A_TABLE}, \
         after the name of a player +bearoff:6x6",
        Quoted::new(text)
    )]
    Table {
        /// The text that names the table.
        text: String,
        /// The reason.
        reason: BearOffError,
    },
    /// The caller stopped while the player's bear-off table was solved, or its file read.
    #[error("stopped before the player's bear-off table was solved or its file was read")]
    Stopped,
    /// A file that cannot be read.
    #[error("cannot read {}: {reason}", Quoted::new(path))]
    Read {
        /// The file.
        path: String,
        /// The system's reason.
        reason: String,
        /// Whether the file is missing.
        is_missing: bool,
    },
    /// A file with a name that cannot be printed.
    #[error("the name of the file {} has characters that are not printable: rename the file", Quoted::new(.0))]
    Unprintable(String),
    /// A file of another kind.
    #[error(
        "{} is not the file of a player of backgammon: no reader knows how it begins. Nets of other games play by the name of their game",
        Quoted::new(.0)
    )]
    Format(String),
    /// A file that cannot be used.
    #[error("cannot use {}: {reason}", Quoted::new(path))]
    Damaged {
        /// The file.
        path: String,
        /// The reason.
        reason: String,
    },
    /// A built-in player with a net that is not part of this build.
    #[cfg_attr(target_family = "wasm", error("the player '{0}' is not loaded: call loadPlayer(\"{0}\") first"))]
    #[cfg_attr(
        not(target_family = "wasm"),
        error("the player '{0}' is not loaded: give its file, players/{0}.player, first")
    )]
    NetMissing(&'static str),
    /// Another file than a built-in player's.
    #[error("this is not the file of the built-in player '{0}': give players/{0}.player of the same version")]
    OtherNet(&'static str),
    /// A file that is not the named one.
    #[error("{} has the checksum {found}, not {expected}: it is not the named file", Quoted::new(path))]
    Checksum {
        /// The file.
        path: String,
        /// Its checksum.
        found: String,
        /// The checksum that is named.
        expected: String,
    },
}

fn joined(names: impl Iterator<Item = &'static str>) -> String {
    names.collect::<Vec<_>>().join(", ")
}
