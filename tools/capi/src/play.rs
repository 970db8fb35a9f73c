//! One play.

use std::ffi::{c_char, c_int};

use tavli::{Board, Moves};

use crate::position::{self, POINTS};

/// Bytes for the moves of a play. The longest are four of "bar/24*" with blanks between them, and a zero.
pub const TAVLI_MOVES_SIZE: usize = 32;

/// A play, or if there is no play the position that is rolled out.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Play {
    /// The position after the play, seen by the player next on roll. After a play that bears off the last
    /// checker, the winner has none in it (no negative numbers): the game is over, and there are no plays.
    pub points: [c_int; 26],
    /// The moves, such as "8/5 6/5" or "cannot move", ended by a zero; empty if there is no play.
    pub moves: [c_char; 32],
}

const _: () = assert!(POINTS == 26 && TAVLI_MOVES_SIZE == 32, "as written for cbindgen");

impl Play {
    pub(crate) fn new(board: &Board, moves: Option<&Moves>) -> Play {
        Play::named(board, &moves.map_or_else(String::new, Moves::to_string))
    }

    /// A play whose moves are written.
    pub(crate) fn named(board: &Board, text: &str) -> Play {
        assert!(text.len() < TAVLI_MOVES_SIZE, "'{text}' is longer than moves are");
        let mut moves = [0; TAVLI_MOVES_SIZE];
        for (to, byte) in moves.iter_mut().zip(text.bytes()) {
            *to = c_char::from_ne_bytes([byte]);
        }
        Play { points: position::points(board), moves }
    }
}
