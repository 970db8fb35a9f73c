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
    /// A text that is not a size, in WebAssembly, where tables come from no files.
    #[error("it is not a size")]
    NoSize,
    /// The sides could meet in the positions of this one-sided table, so it has no values of games.
    #[error("the sides can meet in a one-sided table of {points} points: use one of 1 to 12 points")]
    Meeting {
        /// The points asked for.
        points: u8,
    },
    /// The table does not fit into memory.
    #[error(
        "a table of {checkers} checkers on {points} points needs {bytes} bytes of memory, more than there are: make one \
         with fewer points or checkers"
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
    /// The file does not begin like such a table.
    #[error("the file does not begin with \"{expected}\": it is not a {kind} bear-off table of GNU Backgammon")]
    Header {
        /// The expected beginning.
        expected: &'static str,
        /// The kind of table that was asked for.
        kind: &'static str,
    },
    /// The table is a kind that cannot be read.
    #[error("the table is {what}, which is not read: make it without that option of makebearoff")]
    Kind {
        /// The kind that was found.
        what: &'static str,
    },
    /// The file has another size than such a table.
    #[error("the file has {bytes} bytes, and a table of {checkers} checkers on {points} points has {expected}")]
    Length {
        /// The bytes of the file.
        bytes: u64,
        /// The points of the table.
        points: u8,
        /// The checkers of the table.
        checkers: u8,
        /// The bytes that the file should have.
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
