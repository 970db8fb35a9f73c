//! How games end, as places in arrays of counts.

use tavli::Outcome as KernelOutcome;

/// How a game ended for the player on roll in its first position: the place of its count in an array. A later version
/// may add outcomes, such as a tie, in the room that the arrays have.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// He won a single game.
    WinSingle = 0,
    /// He won a gammon.
    WinGammon = 1,
    /// He won a backgammon.
    WinBackgammon = 2,
    /// He lost a single game.
    LoseSingle = 3,
    /// He lost a gammon.
    LoseGammon = 4,
    /// He lost a backgammon.
    LoseBackgammon = 5,
}

/// The room for counts by TavliOutcome in a struct. It and the structs stay the same when outcomes are added.
pub const TAVLI_OUTCOMES: usize = 8;

const _: () = assert!(TAVLI_OUTCOMES == 8, "as written for cbindgen");
const _: () = assert!(KernelOutcome::COUNT <= TAVLI_OUTCOMES, "outcomes have room");

/// Numbers by outcome with the room of the C structs.
pub(crate) fn room<T: Copy + Default>(numbers: &[T; KernelOutcome::COUNT]) -> [T; TAVLI_OUTCOMES] {
    let mut room = [T::default(); TAVLI_OUTCOMES];
    room[..numbers.len()].copy_from_slice(numbers);
    room
}
