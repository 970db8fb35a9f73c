//! Errors of bear-off tables.

use thiserror::Error;

/// A table that cannot be made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum BearOffError {
    /// No such table exists.
    #[error(
        "invalid table of {checkers} checkers on {points} points: use 1 to 15 checkers on 1 to 24 points of one side, or 1 to 12 of both, and fewer than 2^32 positions of a side"
    )]
    Size {
        /// The points asked for.
        points: u8,
        /// The checkers asked for.
        checkers: u8,
    },
    /// A text that is no size, in WebAssembly, where no table has a file.
    #[error("it is no size")]
    NoSize,
    /// The sides could meet in the positions of this one-sided table, so it has no values of games.
    #[error("the sides can meet in a one-sided table of {points} points: use one of 1 to 12 points")]
    Meeting {
        /// The points asked for.
        points: u8,
    },
    /// The table does not fit into memory.
    #[error(
        "a table of {checkers} checkers on {points} points needs {bytes} bytes of memory, more than there are: make one of fewer points or checkers"
    )]
    Memory {
        /// The points asked for.
        points: u8,
        /// The checkers asked for.
        checkers: u8,
        /// The bytes it needs.
        bytes: u64,
    },
    /// The caller stopped the computation.
    #[error("the table was stopped before its end")]
    Stopped,
}

/// A file that does not hold a table.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum FileError {
    /// It does not begin as a table of this kind.
    #[error("the file does not begin with \"{expected}\": it is not a {kind} bear-off table of GNU Backgammon")]
    Header {
        /// What it should begin with.
        expected: &'static str,
        /// The kind of table that was asked for.
        kind: &'static str,
    },
    /// It is a table of a kind that is not read.
    #[error("the table is {what}, which is not read: make it without that option of makebearoff")]
    Kind {
        /// What it is.
        what: &'static str,
    },
    /// It has another size than such a table.
    #[error("the file has {bytes} bytes, and a table of {checkers} checkers on {points} points has {expected}")]
    Length {
        /// Its bytes.
        bytes: u64,
        /// Its points.
        points: u8,
        /// Its checkers.
        checkers: u8,
        /// The bytes it should have.
        expected: u64,
    },
    /// A position has values that no position can have.
    #[error("position {index} of the table is damaged: {what}")]
    Damaged {
        /// The number of the position.
        index: u32,
        /// The reason.
        what: &'static str,
    },
    /// No such table exists, or it does not fit into memory.
    #[error(transparent)]
    Table(#[from] BearOffError),
}
