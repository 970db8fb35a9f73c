//! Varied positions.

use tavli_draughts::{Position, Side};
use tavli_game::streams::mixed;

/// Positions with pieces anywhere, many kings among them, and either side to move. Most have captures, and many have
/// captures of several pieces.
pub(crate) fn varied(seed: u64) -> impl Iterator<Item = Position> {
    let mut state = mixed(seed);
    let mut number = move |below: u32| -> u32 {
        state = mixed(state);
        ((state >> 32) * u64::from(below) >> 32) as u32
    };
    core::iter::from_fn(move || {
        let (most_black, most_white, kings_in_8) = (number(13), number(13), number(9));
        let (mut sides, mut kings) = ([0_u32; 2], 0);
        for (side, most) in [most_black, most_white].into_iter().enumerate() {
            for _ in 0..most {
                let square = 1 << number(32);
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
    // Men on the row where they would be kings are no positions.
    .flatten()
}
