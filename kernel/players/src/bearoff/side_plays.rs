//! The plays of a side in a bear-off without contact.
//!
//! While checkers are left every die can be played, if need be with the rearmost checker. So no play is forbidden
//! because another uses more dice.

use super::side_positions::{Points, SidePositions};
use tavli_backgammon::Roll;

const HOME: usize = 6;

/// The points that a die can be played from, the highest first, each with the position after it.
pub(super) fn after_die(by_point: &Points, die: u8) -> impl Iterator<Item = (usize, Points)> {
    let step = usize::from(die);
    let rearmost = by_point.iter().rposition(|&checkers| checkers > 0);
    let sources = 0..rearmost.map_or(0, |point| point + 1);
    let bears_off = move |from: usize| rearmost < Some(HOME) && (from + 1 == step || rearmost == Some(from));
    sources.rev().filter_map(move |from| {
        if by_point[from] == 0 || !(from >= step || bears_off(from)) {
            return None;
        }
        let mut after = *by_point;
        after[from] -= 1;
        if let Some(to) = from.checked_sub(step) {
            after[to] += 1;
        }
        Some((from, after))
    })
}

/// Lists the numbers of the distinct positions that the plays of a roll lead to.
pub(super) struct Results {
    positions: SidePositions,
    found: Vec<u32>,
}

impl Results {
    pub(super) fn new(positions: SidePositions) -> Results {
        Results { positions, found: Vec::new() }
    }

    pub(super) fn after_roll(&mut self, by_point: &Points, roll: Roll) -> &[u32] {
        self.found.clear();
        let (high, low) = (roll.high(), roll.low());
        if roll.is_double() {
            self.play(by_point, &[high; 4]);
        } else {
            self.play(by_point, &[high, low]);
            self.play(by_point, &[low, high]);
        }
        &self.found
    }

    /// Plays dice in this order, and adds the positions that are new.
    fn play(&mut self, by_point: &Points, dice: &[u8]) {
        let mut ends = true;
        if let [die, others @ ..] = dice {
            for (_, after) in after_die(by_point, *die) {
                ends = false;
                self.play(&after, others);
            }
        }
        if ends {
            let index = self.positions.index_of(by_point);
            if !self.found.contains(&index) {
                self.found.push(index);
            }
        }
    }
}
