//! Which sums of values, squares and cubes games can have.

use core::num::NonZeroU32;

/// The most that the root of the mean square of luck-adjusted values can be, if no value without luck is further than
/// `largest` from 0.
pub fn max_luck_adjusted(largest: f64, truncation: Option<NonZeroU32>) -> f64 {
    // The luck of a ply is a difference of two values. Its mean is 0, so the lucks of a game add up to some root of the
    // number of its plies, which is a thousand at most.
    const MAX_LUCKS: f64 = 32.0;
    let lucks = truncation.map_or(MAX_LUCKS, |plies| MAX_LUCKS.min(f64::from(plies.get()) + 1.0));
    largest * (1.0 + 2.0 * lucks)
}

/// Whether games whose mean square is at most `most` squared can have this sum of squares.
pub fn are_small(squares: f64, games: f64, most: f64) -> bool {
    squares <= most * most * games * (1.0 + 1e-6)
}

/// Whether a number of games whose mean square is at most `most` squared can have these sums of values, of their
/// squares and of their cubes.
pub fn are_of_games([values, squares, cubes]: [f64; 3], games: f64, most: f64) -> bool {
    if games == 0.0 {
        return [values, squares, cubes] == [0.0; 3];
    }
    // The sums of the powers of the differences from the mean.
    let mean = values / games;
    let square = squares - mean * values;
    let cube = cubes - 3.0 * mean * squares + 2.0 * mean * mean * values;
    let rounding = 1e-11 * squares.abs() + 1e-10 * games;
    // Values are cubed without their last bits.
    let rounding_of_cube = 1e-9 * (cubes.abs() + 5.0 * mean.abs() * squares.abs())
        + (squares.abs() + games / (1 << 20) as f64) / (1 << 19) as f64;
    square >= -rounding
        && are_small(squares, games, most)
        && cube.abs() <= (square.max(0.0) + rounding).powf(1.5) + rounding_of_cube
}
