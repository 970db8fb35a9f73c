//! Where the checkers stand when playouts are cut off.

use crate::board::Board;

/// Checkers by point, summed over the playouts that were cut off by truncation; playouts that ended
/// before add nothing. Divided by the number of playouts these are the expectations of the golden
/// data's `uniform_exact.tsv`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Occupancy {
    /// Checkers of the player next on roll: points 1..=24 at indices 0..=23, the bar at 24.
    pub next_player: [u64; 25],
    /// Checkers of the other player, in his own numbering.
    pub other_player: [u64; 25],
}

impl Occupancy {
    /// Adds another sum.
    pub fn merge(&mut self, other: &Occupancy) {
        for (sum, more) in self.next_player.iter_mut().zip(other.next_player) {
            *sum += more;
        }
        for (sum, more) in self.other_player.iter_mut().zip(other.other_player) {
            *sum += more;
        }
    }

    /// Adds the checkers of one position.
    pub(crate) fn add(&mut self, board: &Board) {
        for (sums, side) in [(&mut self.next_player, board.own()), (&mut self.other_player, board.opponent())] {
            for point in side.points() {
                sums[usize::from(point) - 1] += u64::from(side.count(point));
            }
        }
    }
}
