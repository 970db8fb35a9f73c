//! What a call came to.

/// What a call came to. tavli_last_error says the rest in words.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// It did what it says.
    Ok = 0,
    /// A pointer is NULL, or not aligned for what it points to.
    Pointer = 1,
    /// A text is not UTF-8.
    Text = 2,
    /// A text or 26 numbers are no position, or a format is none.
    Position = 3,
    /// A die does not show 1 to 6.
    Roll = 4,
    /// Settings are of another size or version, or have a value that cannot be.
    Settings = 5,
    /// No games start from the position: the game is over, can never end, or has fewer checkers.
    Game = 6,
    /// A candidate is no play of the roll or given twice, or there are too few or too many.
    Candidate = 7,
    /// A buffer is too small: nothing was written to it, and the size it takes was stored.
    Buffer = 8,
    /// There is nothing of this index.
    Index = 9,
    /// Workers cannot be started as asked: the tier, the pinning or the number of threads.
    Workers = 10,
    /// Another call is using the rollout.
    Busy = 11,
    /// A text is no saved rollout that this version continues.
    Record = 12,
    /// A fault in the library. The handles that took part in the call can only be freed.
    Panic = 13,
}
