//! Two-sided tables of any kind of value, solved backwards from the end of the game.

use super::error::TableError;
use super::plays::Results;
use super::positions::{MOST_POINTS, SidePositions};
use tavli_backgammon::Roll;

/// A value of a pair of positions, which follows from the values after each play, when the opponent is on roll.
pub(super) trait Values: Copy {
    /// The value if the player on roll has all checkers off.
    const WON: Self;
    /// The value if the opponent has all checkers off.
    const LOST: Self;

    /// The value for the player on roll, given the plays of each roll as indices of `after`, which has the opponent's
    /// values.
    fn of<'a>(rolls: impl Iterator<Item = (Roll, &'a [u32])>, after: &[Self]) -> Self;
}

/// A value for each pair of positions.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Pairs<V> {
    pub(super) positions: SidePositions,
    /// By the position of the player on roll, then by that of the opponent.
    pub(super) values: Vec<V>,
}

impl<V: Values> Pairs<V> {
    /// Solves all pairs. Every so often it calls `stop` with the number of finished pairs, and ends if that returns
    /// true.
    pub(super) fn solve(points: u8, checkers: u8, stop: &mut dyn FnMut(u64) -> bool) -> Result<Pairs<V>, TableError> {
        let mut pairs = Pairs::filled(points, checkers, V::LOST)?;
        let memory = pairs.memory_error();
        let count = pairs.positions.count();
        // The plays of a side do not depend on the other side, so they are found once.
        let mut results = Results::new(pairs.positions);
        let mut plays = Vec::new();
        let mut ends = Vec::new();
        ends.try_reserve_exact(count as usize * Roll::ALL.len() + 1)
            .map_err(|_| memory)?;
        ends.push(0);
        for index in 0..count {
            let by_point = pairs.positions.by_point(index);
            for roll in Roll::ALL {
                if index > 0 {
                    let after = results.of(&by_point, roll);
                    plays.try_reserve(after.len()).map_err(|_| memory)?;
                    plays.extend_from_slice(after);
                }
                ends.push(plays.len());
            }
        }
        // Every play lowers the number of the mover's position. So in the order of the sum of both numbers, each pair
        // follows the pairs that it depends on.
        let mut done = 0;
        for sum in 0..=2 * (count - 1) {
            for own in sum.saturating_sub(count - 1)..=sum.min(count - 1) {
                let other = sum - own;
                let value = match (own, other) {
                    (0, _) => V::WON,
                    (_, 0) => V::LOST,
                    _ => {
                        let first = own as usize * Roll::ALL.len();
                        let ends = &ends[first..=first + Roll::ALL.len()];
                        let rolls = Roll::ALL.into_iter().zip(ends.windows(2));
                        let plays = |end: &[usize]| &plays[end[0]..end[1]];
                        V::of(rolls.map(|(roll, end)| (roll, plays(end))), pairs.row(other))
                    }
                };
                pairs.values[own as usize * count as usize + other as usize] = value;
                done += 1;
            }
            if stop(done) {
                return Err(TableError::Stopped);
            }
        }
        Ok(pairs)
    }

    /// Checks a table that was read: returns the number of a position of the player on roll that has a wrong value, or
    /// `None`. `is_right` compares a value with the one that follows from other pairs.
    ///
    /// Checked are all pairs in which a side is off, and the pairs of [`LOOKED_AT`] evenly spaced positions of each
    /// side.
    pub(super) fn first_wrong(&self, is_right: impl Fn(V, V) -> bool) -> Option<u32> {
        let count = self.positions.count();
        let won = self.row(0).iter().all(|&value| is_right(value, V::WON));
        let is_lost = |own: u32| is_right(self.row(own)[0], V::LOST);
        if !won {
            return Some(0);
        }
        if let Some(own) = (1..count).find(|&own| !is_lost(own)) {
            return Some(own);
        }
        let looked_at = || {
            let most = LOOKED_AT.min(count - 1);
            (1..=most).map(move |at| (u64::from(count - 1) * u64::from(at) / u64::from(most)) as u32)
        };
        let mut results = Results::new(self.positions);
        let mut is_wrong = |own: u32| {
            let by_point = self.positions.by_point(own);
            let plays = Roll::ALL.map(|roll| results.of(&by_point, roll).to_vec());
            looked_at().any(|other| {
                let rolls = Roll::ALL.into_iter().zip(plays.iter().map(Vec::as_slice));
                !is_right(self.row(own)[other as usize], V::of(rolls, self.row(other)))
            })
        };
        looked_at().find(|&own| is_wrong(own))
    }
}

/// The positions of each side whose pairs are checked: all pairs would take as long as solving the table.
const LOOKED_AT: u32 = 64;

impl<V: Copy> Pairs<V> {
    /// A table with the same value everywhere.
    pub(super) fn filled(points: u8, checkers: u8, value: V) -> Result<Pairs<V>, TableError> {
        // On more points the sides could meet.
        let positions = SidePositions::new(points, checkers)
            .filter(|_| points <= MOST_POINTS / 2)
            .ok_or(TableError::Size { points, checkers })?;
        let mut pairs = Pairs {
            positions,
            values: Vec::new(),
        };
        let memory = pairs.memory_error();
        let number = usize::try_from(pairs.count()).map_err(|_| memory)?;
        let reserved = pairs.values.try_reserve_exact(number);
        reserved.map_err(|_| memory)?;
        pairs.values.resize(number, value);
        Ok(pairs)
    }

    fn count(&self) -> u64 {
        u64::from(self.positions.count()).pow(2)
    }

    fn memory_error(&self) -> TableError {
        TableError::Memory {
            points: self.positions.points(),
            checkers: self.positions.checkers(),
            bytes: self.count().saturating_mul(size_of::<V>() as u64),
        }
    }

    /// The values for a position of the player on roll, by the opponent's position.
    pub(super) fn row(&self, own: u32) -> &[V] {
        let count = self.positions.count() as usize;
        &self.values[own as usize * count..][..count]
    }
}
