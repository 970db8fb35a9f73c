//! Shared by the fuzz targets: legal boards from any bytes.

use tavli::{BAR, Board, Roll};

/// A board, a roll, and the bytes left over: each of up to 30 bytes is a checker, on a point, on the bar or borne off.
/// The opponent's checkers on taken points are borne off.
///
/// `None` if the bytes give a side no checkers, or do not suffice for a roll.
#[must_use]
pub fn board_and_roll(bytes: &[u8]) -> Option<(Board, Roll, &[u8])> {
    let (&roll, bytes) = bytes.split_first()?;
    let roll = Roll::ALL[usize::from(roll) % Roll::ALL.len()];
    let (own_bytes, bytes) = bytes.split_at(bytes.len().min(15));
    let (opponent_bytes, rest) = bytes.split_at(bytes.len().min(15));
    let mut own = [0; 26];
    for &byte in own_bytes {
        own[usize::from(byte % 26)] += 1;
    }
    own[0] = 0;
    let mut opponent = [0; 26];
    for &byte in opponent_bytes {
        let point = byte % 26;
        if point == BAR || own[usize::from(BAR - point)] == 0 {
            opponent[usize::from(point)] += 1;
        }
    }
    opponent[0] = 0;
    Board::new(&own, &opponent).ok().map(|board| (board, roll, rest))
}
