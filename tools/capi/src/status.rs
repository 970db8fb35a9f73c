//! The status of a call.

/// The status of a call. tavli_last_error returns the message of an error.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// The call succeeded.
    Ok = 0,
    /// A pointer is NULL, or not aligned for what it points to.
    Pointer = 1,
    /// A text is not UTF-8.
    Text = 2,
    /// A text or 26 numbers are not a position, or a format is unknown.
    Position = 3,
    /// A die does not show 1 to 6.
    Roll = 4,
    /// Settings have another size or version, or an invalid value.
    Settings = 5,
    /// No games start from the position: the game is over or can never end, or a side has too many checkers for the
    /// rules.
    Game = 6,
    /// A candidate is not a play of the roll or is given twice, or there are too few or too many.
    Candidate = 7,
    /// A buffer is too small: nothing was written to it, and the size it takes was stored.
    Buffer = 8,
    /// An index is out of range.
    Index = 9,
    /// The workers could not be started: invalid tier, pinning or number of threads. Or they were started before the
    /// process forked.
    Workers = 10,
    /// Another call is using the rollout.
    Busy = 11,
    /// A text is not a saved rollout that this version continues, or not a saved search.
    Record = 12,
    /// A fault in the library. The handles that took part in the call can only be freed.
    Panic = 13,
    /// No call is playing the rollout.
    Idle = 14,
    /// A file could not be read or written.
    File = 15,
    /// The rollouts, or searches, are not shards of one whole.
    Merge = 16,
    /// The call was cancelled before it had a result, while the bear-off table of a player was solved or its file read.
    Cancelled = 17,
}
