//! How much of the way from a dead cube to a live one real cubes go.

use tavli_backgammon::{Board, Side};

/// The cube's efficiency by class of position: 0 values a dead cube, which is never turned again, and 1 a live one,
/// which is turned at the perfect moment.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Efficiency {
    /// Where the sides have not passed each other.
    pub contact: f64,
    /// In a race with all checkers of both sides in their home boards.
    pub bear_off: f64,
    /// In other races: this much, ..
    pub race: f64,
    /// .. and this much for each pip of the player on roll, ..
    pub race_per_pip: f64,
    /// .. but at least the first and at most the second of these.
    pub race_bounds: [f64; 2],
}

impl Default for Efficiency {
    /// GNU Backgammon's, as `show cubeefficiency` of version 1.07 prints them. Those that rollouts bear out are in
    /// `profiles/efficiency`: near these two plies ahead, and greater for values that do not look ahead.
    fn default() -> Efficiency {
        Efficiency {
            contact: 0.68,
            bear_off: 0.60,
            race: 0.55,
            race_per_pip: 0.00125,
            race_bounds: [0.60, 0.70],
        }
    }
}

impl Efficiency {
    /// The efficiency in a position.
    #[must_use]
    pub fn of(&self, board: &Board) -> f64 {
        let is_home = |side: &Side| side.occupied() >> 7 == 0;
        if !board.is_race() {
            self.contact
        } else if is_home(board.own()) && is_home(board.opponent()) {
            self.bear_off
        } else {
            let [least, most] = self.race_bounds;
            (self.race + self.race_per_pip * f64::from(board.own().pips())).clamp(least, most)
        }
    }
}
