//! The numbered positions of a side alone.

/// The most points a table may have.
pub(super) const MAX_POINTS: u8 = 24;
/// The most checkers of a side.
pub(super) const MAX_CHECKERS: u8 = 15;

/// Checkers by point, the ace point first.
pub(super) type Points = [u8; MAX_POINTS as usize];

/// The positions of one side with up to some number of checkers on its first points. Position 0 has no checkers left.
///
/// The numbers are the same as in GNU Backgammon's files. A position is written as bars between checkers, the highest
/// point first; its number is the number of this set of bars in the combinatorial number system. With `a[k]` checkers
/// on point `k`, from 0, of `n` points, it is the sum over `k` of the binomial coefficients of
/// `n - 1 - k + a[k] + .. + a[n - 1]` over `n - k`.
///
/// ```
/// use tavli_players::bearoff::SidePositions;
/// let positions = SidePositions::new(6, 15).expect("six points");
/// assert_eq!(positions.count(), 54_264);
/// assert_eq!(positions.index(&[1]), Some(1));
/// assert_eq!(positions.index(&[0, 1]), Some(2));
/// assert_eq!(positions.index(&[16]), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SidePositions {
    points: u8,
    checkers: u8,
}

impl SidePositions {
    /// Positions of up to `checkers` checkers, 1 to 15, on the first `points` points, 1 to 24; `None` if either is out
    /// of range, or there would be more than 2^32 - 1 positions.
    #[must_use]
    pub fn new(points: u8, checkers: u8) -> Option<SidePositions> {
        let in_range = (1..=MAX_POINTS).contains(&points) && (1..=MAX_CHECKERS).contains(&checkers);
        let fits = in_range && u32::try_from(choose(points + checkers, points)).is_ok();
        fits.then_some(SidePositions { points, checkers })
    }

    /// The number of points.
    #[must_use]
    pub fn points(&self) -> u8 {
        self.points
    }

    /// The most checkers.
    #[must_use]
    pub fn checkers(&self) -> u8 {
        self.checkers
    }

    /// How many positions there are.
    #[must_use]
    pub fn count(&self) -> u32 {
        choose(self.points + self.checkers, self.points) as u32
    }

    /// The number of a position, given by its checkers on each point, the ace point first. `None` if it has too many
    /// checkers, or checkers on higher points.
    #[must_use]
    pub fn index(&self, by_point: &[u8]) -> Option<u32> {
        let (points, beyond) = by_point.split_at(by_point.len().min(usize::from(self.points)));
        let checkers: u32 = points.iter().copied().map(u32::from).sum();
        let is_in = checkers <= u32::from(self.checkers) && beyond.iter().all(|&checkers| checkers == 0);
        is_in.then(|| self.index_of(points))
    }

    /// The number of a side's position and how many checkers it has, given by its bit planes. `None` if it has too many
    /// checkers, or checkers on higher points.
    pub(super) fn of_side(&self, side: [u32; 4]) -> Option<(u32, u8)> {
        let [ones, twos, fours, eights] = side;
        if (ones | twos | fours | eights) >> (self.points + 1) != 0 {
            return None;
        }
        let on = |point: u8| {
            let bits = side.iter().rev();
            bits.fold(0, |count, plane| count << 1 | (plane >> point & 1) as u8)
        };
        let mut by_point: Points = [0; MAX_POINTS as usize];
        let mut checkers = 0;
        for (point, count) in (1..=self.points).zip(&mut by_point) {
            *count = on(point);
            checkers += *count;
        }
        (checkers <= self.checkers).then(|| (self.index_of(&by_point), checkers))
    }

    /// Whether a play may bring a side, given as for [`of_side`](SidePositions::of_side), into these positions. It is a
    /// bound of a few operations: a play moves four checkers at most.
    pub(super) fn may_hold_after_play(&self, side: [u32; 4]) -> bool {
        const MOVED: u32 = 4;
        let checkers = |places: u32| -> u32 {
            let planes = (0..).zip(side);
            planes.map(|(bit, plane)| (plane & places).count_ones() << bit).sum()
        };
        let beyond = u32::MAX << (self.points + 1);
        checkers(u32::MAX) <= u32::from(self.checkers) + MOVED && checkers(beyond) <= MOVED
    }

    /// [`index`](SidePositions::index) of a position that has one.
    pub(super) fn index_of(&self, by_point: &[u8]) -> u32 {
        debug_assert!(by_point.iter().sum::<u8>() <= self.checkers, "one of these positions");
        let mut index = 0;
        let mut behind: u8 = by_point.iter().sum();
        for point in 0..self.points {
            index += choose(self.points - 1 - point + behind, self.points - point);
            behind -= by_point.get(usize::from(point)).copied().unwrap_or(0);
        }
        index as u32
    }

    /// The checkers on each point of position number `index`, the ace point first.
    ///
    /// # Panics
    /// If there is no such position.
    #[must_use]
    pub fn position(&self, index: u32) -> Vec<u8> {
        self.by_point(index)[..usize::from(self.points)].to_vec()
    }

    /// [`position`](SidePositions::position) as an array.
    pub(super) fn by_point(&self, index: u32) -> Points {
        assert!(index < self.count(), "there are {} positions", self.count());
        let mut left = u64::from(index);
        let mut by_point = [0; MAX_POINTS as usize];
        let mut bar_before = None;
        for point in 0..self.points {
            // The highest place of the next bar with a coefficient of at most the remainder.
            let over = self.points - point;
            let mut bar = over - 1;
            while choose(bar + 1, over) <= left {
                bar += 1;
            }
            left -= choose(bar, over);
            if let Some(before) = bar_before.replace(bar) {
                by_point[usize::from(point) - 1] = before - bar - 1;
            }
        }
        by_point[usize::from(self.points) - 1] = bar_before.unwrap_or(0);
        by_point
    }
}

/// The binomial coefficients `n` over `k`, up to the sum of the most points and checkers.
// In 64 bits: 39 over 15 is 25,140,840,660.
static BINOMIAL: [[u64; SIZE]; SIZE] = {
    let mut table = [[0; SIZE]; SIZE];
    let mut n = 0;
    while n < SIZE {
        table[n][0] = 1;
        let mut k = 1;
        while k <= n {
            table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    table
};

const SIZE: usize = (MAX_POINTS + MAX_CHECKERS) as usize + 1;

/// The binomial coefficient `n` over `k`.
fn choose(n: u8, k: u8) -> u64 {
    BINOMIAL[usize::from(n)][usize::from(k)]
}
