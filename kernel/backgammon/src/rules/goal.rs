//! The goal of a game: the part of the rules that decides how checkers move.

use core::fmt;

use crate::board::{HOME, SideCheckers};

mod sealed {
    pub trait Sealed {}
}

impl sealed::Sealed for BearOff {}
impl sealed::Sealed for AllHome {}

/// The goal that a player must reach to win. It is the compile-time parameter of all code that counts, lists or draws
/// plays, so games with the same goal share one build of that code.
pub trait Goal: sealed::Sealed + Copy + Send + Sync + fmt::Debug + 'static {
    /// Whether checkers are borne off.
    const BEAR_OFF: bool;
    /// The points, as a mask, that a player must have cleared to have won.
    const TO_CLEAR: u32;

    /// Whether a side has won.
    #[must_use]
    #[inline]
    fn is_reached(side: &SideCheckers) -> bool {
        side.occupied() & Self::TO_CLEAR == 0
    }
}

/// A player wins by bearing off his last checker.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct BearOff;

/// A player wins by bringing his last checker home. Checkers are not borne off.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct AllHome;

impl Goal for BearOff {
    const BEAR_OFF: bool = true;
    const TO_CLEAR: u32 = !0;
}

impl Goal for AllHome {
    const BEAR_OFF: bool = false;
    const TO_CLEAR: u32 = !HOME;
}
