//! The cube's efficiency: how close a real cube is to a live one.

use tavli_backgammon::{Board, SideCheckers};

/// The cube's efficiency by class of position: 0 values a dead cube, which is never turned again, and 1 a live one,
/// which is turned at the perfect moment.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Efficiency {
    /// Where the sides have not passed each other.
    pub contact: f64,
    /// In a race with all checkers of both sides in their home boards.
    pub bear_off: f64,
    /// In other races: the part that is independent of the pips.
    pub race: f64,
    /// In other races: the increase for each pip of the player on roll.
    pub race_per_pip: f64,
    /// In other races: the least and the greatest efficiency.
    pub race_bounds: [f64; 2],
}

impl Default for Efficiency {
    /// GNU Backgammon's, as `show cubeefficiency` of version 1.07 prints them. `profiles/efficiency` has the
    /// efficiencies that rollouts support: near these for values two plies ahead, and greater for values without
    /// look-ahead.
    fn default() -> Efficiency {
        Efficiency { contact: 0.68, bear_off: 0.60, race: 0.55, race_per_pip: 0.00125, race_bounds: [0.60, 0.70] }
    }
}

impl Efficiency {
    /// The efficiency in a position.
    #[must_use]
    pub fn for_board(&self, board: &Board) -> f64 {
        let is_home = |side: &SideCheckers| side.occupied() >> 7 == 0;
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
