//! How playouts ended: exact integers that add up in any order.

use crate::estimate::Estimate;
use crate::playout_end::PlayoutEnd;

/// The points of the best end that a game may have.
const MAX_POINTS: i32 = 127;
/// Points from -127 to 127.
const POINTS: usize = 2 * MAX_POINTS as usize + 1;

/// Counts over playouts. All are exact, so tallies add up to the same however the playouts were divided.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tally {
    /// Playouts.
    pub games: u64,
    /// Plies, passes and the last one included.
    pub plies: u128,
    /// The sum of the squares of their plies.
    pub plies_squared: u128,
    /// Plies of the longest playout.
    pub longest: u32,
    /// Playouts that were cut off. They have 0 points.
    pub unfinished: u64,
    /// Playouts by the points of the player on roll or to move in the first position, from -127 to 127.
    by_points: [u64; POINTS],
}

impl Default for Tally {
    fn default() -> Tally {
        Tally { games: 0, plies: 0, plies_squared: 0, longest: 0, unfinished: 0, by_points: [0; POINTS] }
    }
}

impl Tally {
    /// This many playouts that were over before their first ply.
    ///
    /// # Panics
    /// If the points are not in -127..=127.
    #[must_use]
    pub fn certain(points: i32, games: u64) -> Tally {
        let mut tally = Tally { games, ..Tally::default() };
        tally.by_points[(points + MAX_POINTS) as usize] = games;
        tally
    }

    /// Adds a playout.
    ///
    /// # Panics
    /// If the points are not in -127..=127.
    #[inline]
    pub fn add(&mut self, points: i32, plies: u32) {
        self.add_plies(plies);
        self.by_points[(points + MAX_POINTS) as usize] += 1;
    }

    /// Adds a playout that ended so.
    ///
    /// # Panics
    /// As [`Tally::add`].
    #[inline]
    pub fn add_end(&mut self, end: PlayoutEnd) {
        match end.points {
            Some(points) => self.add(points, end.plies),
            None => {
                self.add_plies(end.plies);
                self.unfinished += 1;
            }
        }
    }

    #[inline]
    fn add_plies(&mut self, plies: u32) {
        self.games += 1;
        self.plies += u128::from(plies);
        // The square of one game's plies may already take 64 bits.
        self.plies_squared += u128::from(plies) * u128::from(plies);
        self.longest = self.longest.max(plies);
    }

    /// Adds another tally.
    pub fn merge(&mut self, other: &Tally) {
        self.games += other.games;
        self.plies += other.plies;
        self.plies_squared += other.plies_squared;
        self.longest = self.longest.max(other.longest);
        self.unfinished += other.unfinished;
        for (count, more) in self.by_points.iter_mut().zip(other.by_points) {
            *count += more;
        }
    }

    /// The share of the playouts that were cut off.
    #[must_use]
    pub fn unfinished_share(&self) -> Estimate {
        Estimate::from_share(self.games, self.unfinished)
    }

    /// Playouts that ended with these points; 0 for points that no game has.
    #[must_use]
    pub fn count(&self, points: i32) -> u64 {
        let index = usize::try_from(points + MAX_POINTS).ok();
        index.and_then(|index| self.by_points.get(index)).copied().unwrap_or_default()
    }

    /// The share of the playouts that ended with these points.
    #[must_use]
    pub fn share(&self, points: i32) -> Estimate {
        Estimate::from_share(self.games, self.count(points))
    }

    /// The share of the playouts that the first player won.
    #[must_use]
    pub fn win(&self) -> Estimate {
        Estimate::from_share(self.games, self.wins())
    }

    /// Playouts that the first player won.
    #[must_use]
    pub fn wins(&self) -> u64 {
        (1..=MAX_POINTS).map(|points| self.count(points)).sum()
    }

    /// The mean points of the first player. Playouts that were cut off count 0.
    #[must_use]
    pub fn points(&self) -> Estimate {
        // In 128 bits, as a count of 64 bits is multiplied by points twice.
        let of = |points: i32| self.count(points) as i128 * i128::from(points);
        let sum: i128 = (-MAX_POINTS..=MAX_POINTS).map(of).sum();
        let squares: i128 = (-MAX_POINTS..=MAX_POINTS).map(|points| of(points) * i128::from(points)).sum();
        Estimate::from_sums(self.games, sum as f64, squares as f64)
    }

    /// The mean number of plies.
    #[must_use]
    pub fn mean_plies(&self) -> Estimate {
        Estimate::from_sums(self.games, self.plies as f64, self.plies_squared as f64)
    }
}
