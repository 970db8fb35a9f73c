//! Varied positions.

use tavli_draughts::{Position, Side, Square};
use tavli_game::streams::mixed;

/// Positions with pieces anywhere, many kings among them, and either side to move. Most have captures, and many have
/// captures of several pieces.
pub(crate) fn varied(seed: u64) -> impl Iterator<Item = Position> {
    let mut state = mixed(seed);
    let mut number = move |below: u32| -> u32 {
        state = mixed(state);
        (((state >> 32) * u64::from(below)) >> 32) as u32
    };
    core::iter::from_fn(move || {
        let (mut sides, mut kings) = ([0_u32; 2], 0);
        let kings_in_8 = number(9);
        let mut most = [number(13), number(13)];
        // In a third of the positions all pieces of one side can be jumped, and the other side has few: captures are
        // long.
        let (side_in_rows, is_in_rows) = (number(2) as usize, number(3) == 0);
        if is_in_rows {
            most[1 - side_in_rows] = 1 + number(3);
            most[side_in_rows] += 12;
        }
        for side in 0..2 {
            for _ in 0..most[side] {
                let square = Square::new(1 + number(32)).expect("a square");
                let is_in_row = square.row() % 2 == 1 && (1..7).contains(&square.column());
                if is_in_rows && is_in_row != (side == side_in_rows) {
                    continue;
                }
                let square = square.set();
                if (sides[0] | sides[1]) & square == 0 {
                    sides[side] |= square;
                    kings |= if number(8) < kings_in_8 { square } else { 0 };
                }
            }
        }
        let side = if number(2) == 0 { Side::Black } else { Side::White };
        let quiet = if number(4) == 0 { number(90) as u8 } else { 0 };
        Some(Position::new(sides[0], sides[1], kings, side, quiet))
    })
    // Positions with men on the row where they would be kings are left out.
    .flatten()
}
