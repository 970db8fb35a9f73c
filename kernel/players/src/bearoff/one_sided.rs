//! One-sided tables: in how many rolls a side alone bears off.

use core::ops::Range;

use super::error::BearOffError;
use super::side_plays::after_die;
use super::side_positions::{MAX_CHECKERS, SidePositions};
use tavli_backgammon::Roll;

/// The length of a distribution: 0 to 31 rolls.
pub(super) const ROLLS: usize = 32;
/// The sum of the shares of a distribution.
pub(super) const WHOLE: u16 = u16::MAX;

const THROWS: u32 = Roll::THROWS.len() as u32;

/// The distribution of the number of rolls that a side takes, 0 to 31, in shares of 1/65,535.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RollDistribution(pub(super) [u16; ROLLS]);

impl RollDistribution {
    /// The distribution of a side that needs no roll.
    const NONE: RollDistribution = {
        let mut shares = [0; ROLLS];
        shares[0] = WHOLE;
        RollDistribution(shares)
    };

    /// The shares by the number of rolls; their sum is 65,535.
    #[must_use]
    pub fn shares(&self) -> &[u16; ROLLS] {
        &self.0
    }

    /// The probability that the side takes this number of rolls.
    #[must_use]
    pub fn probability(&self, rolls: usize) -> f64 {
        self.0.get(rolls).map_or(0.0, |&share| f64::from(share) / f64::from(WHOLE))
    }

    /// The mean number of rolls.
    #[must_use]
    pub fn mean(&self) -> f64 {
        f64::from(self.sum()) / f64::from(WHOLE)
    }

    /// The mean number of rolls times 65,535.
    fn sum(&self) -> u32 {
        (0..).zip(self.0).map(|(rolls, share): (u32, u16)| rolls * u32::from(share)).sum()
    }

    /// The numbers of rolls from the first that is possible to the last.
    pub(super) fn possible(&self) -> Range<usize> {
        let is_possible = |&share: &u16| share > 0;
        match self.0.iter().position(is_possible) {
            Some(first) => {
                let last = self.0.iter().rposition(is_possible);
                first..last.map_or(first, |last| last + 1)
            }
            None => 0..0,
        }
    }

    /// The probability, times 65,535², that this side, rolling first, is done before `other`.
    pub(super) fn end_before(&self, other: &RollDistribution) -> u64 {
        let mut not_before = u64::from(WHOLE);
        let mut sum = 0;
        for (own, other) in self.0.iter().zip(other.0) {
            sum += u64::from(*own) * not_before;
            // After the sum: if both need the same number of rolls, the side that rolls first is done first.
            not_before -= u64::from(other);
        }
        sum
    }

    /// The mean of the distributions after 36 throws. `sums` has the sums of their shares, with the first roll counted.
    fn after_a_roll(sums: &[u32; ROLLS]) -> RollDistribution {
        let mut shares = sums.map(|sum| ((sum + THROWS / 2) / THROWS) as u16);
        let total: u32 = shares.iter().copied().map(u32::from).sum();
        // As in GNU Backgammon, the first of the largest shares takes the remainder of rounding.
        let mut mode = 0;
        for rolls in 1..ROLLS {
            if shares[rolls] > shares[mode] {
                mode = rolls;
            }
        }
        shares[mode] = (u32::from(shares[mode]) + u32::from(WHOLE) - total) as u16;
        RollDistribution(shares)
    }
}

/// For each position of up to 15 checkers on the first points of a side, two distributions of rolls: until all checkers
/// are off, and until the first of 15 is off. Each roll is played for the least mean number of rolls.
///
/// A table of six points equals the file `gnubg_os0.bd` of GNU Backgammon. As there, distributions are rounded to
/// shares of 1/65,535 position by position.
///
/// ```
/// use tavli_backgammon::NO_STOP;
/// use tavli_players::bearoff::OneSided;
/// let table = OneSided::new(2, NO_STOP, &mut |_| ())?;
/// let positions = table.positions();
/// let two_on_ace = positions.index(&[2]).expect("is in the table");
/// assert_eq!(table.all_off(two_on_ace).mean(), 1.0);
/// # Ok::<(), tavli_players::bearoff::BearOffError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OneSided {
    positions: SidePositions,
    /// By position: until all checkers are off, and until the first is.
    pub(super) rolls: Vec<[RollDistribution; 2]>,
}

impl OneSided {
    /// Makes the table of `points` points, 1 to 24. Every so often it calls `progress` with the number of finished
    /// positions, and then `stop`.
    ///
    /// # Errors
    /// [`BearOffError::Size`], [`BearOffError::Memory`] or [`BearOffError::Stopped`].
    pub fn new(points: u8, stop: &dyn Fn() -> bool, progress: &mut dyn FnMut(u32)) -> Result<OneSided, BearOffError> {
        let mut table = OneSided::empty(points)?;
        let positions = table.positions;
        table.rolls.push([RollDistribution::NONE; 2]);
        // The means that plays are compared by lie apart from the distributions, since they are read much more often.
        let mut sums = table.room()?;
        sums.push([0; 2]);
        let mut best: Vec<[Best; 2]> = table.room()?;
        best.push([Best::default(); 2]);
        let mut after: [Vec<u32>; 6] = Default::default();
        // In this order: a play makes no term of a position's number larger and one smaller, so its result is done
        // already.
        for index in 1..positions.count() {
            let by_point = positions.by_point(index);
            for (die, after) in (1..).zip(&mut after) {
                after.clear();
                after.extend(after_die(&by_point, die).map(|(_, after)| positions.index_of(&after)));
            }
            let checkers: u8 = by_point.iter().sum();
            let mut rolls = [RollDistribution::NONE; 2];
            let mut of_position = [Best::default(); 2];
            // The second goal is the first checker off; with fewer than 15 it is off already.
            for goal in 0..if checkers == MAX_CHECKERS { 2 } else { 1 } {
                let best = |index: u32| &best[index as usize][goal];
                let cost = |index: u32| sums[index as usize][goal];
                let of_rolls;
                (of_position[goal], of_rolls) = Best::new(&after, best, cost);
                let mut totals = [0; ROLLS];
                for (roll, play) in Roll::ALL.into_iter().zip(of_rolls) {
                    let RollDistribution(shares) = &table.rolls[play as usize][goal];
                    for (total, share) in totals[1..].iter_mut().zip(shares) {
                        *total += roll.weight() * u32::from(*share);
                    }
                }
                rolls[goal] = RollDistribution::after_a_roll(&totals);
            }
            best.push(of_position);
            sums.push(rolls.map(|rolls| rolls.sum()));
            table.rolls.push(rolls);
            if index % 1024 == 0 {
                progress(index);
                if stop() {
                    return Err(BearOffError::Stopped);
                }
            }
        }
        Ok(table)
    }

    /// The positions of a table of `points` points.
    ///
    /// # Errors
    /// [`BearOffError::Size`]; [`BearOffError::Memory`] if no memory could hold it.
    pub(super) fn check_size(points: u8) -> Result<SidePositions, BearOffError> {
        let checkers = MAX_CHECKERS;
        let positions = SidePositions::new(points, checkers).ok_or(BearOffError::Size { points, checkers })?;
        let bytes = u64::from(positions.count()) * size_of::<[RollDistribution; 2]>() as u64;
        match isize::try_from(bytes) {
            Ok(_) => Ok(positions),
            Err(_) => Err(BearOffError::Memory { points, checkers, bytes }),
        }
    }

    /// A table without positions, with memory reserved for them.
    pub(super) fn empty(points: u8) -> Result<OneSided, BearOffError> {
        let positions = OneSided::check_size(points)?;
        let mut table = OneSided { positions, rolls: Vec::new() };
        table.rolls = table.room()?;
        Ok(table)
    }

    /// Reserves memory for an item of each position.
    fn room<T>(&self) -> Result<Vec<T>, BearOffError> {
        let mut room = Vec::new();
        let number = self.positions.count();
        room.try_reserve_exact(number as usize).map_err(|_| BearOffError::Memory {
            points: self.positions.points(),
            checkers: self.positions.checkers(),
            bytes: u64::from(number) * size_of::<T>() as u64,
        })?;
        Ok(room)
    }

    /// Checks that a position can have these distributions, which come from a file.
    pub(super) fn check(&self, index: u32, rolls: &[RollDistribution; 2]) -> Result<(), &'static str> {
        let by_point = self.positions.by_point(index);
        let (mut checkers, mut pips) = (0, 0);
        for (point, count) in (1..).zip(by_point) {
            checkers += u32::from(count);
            pips += point * u32::from(count);
        }
        let [all_off, first_off] = rolls;
        if (index == 0) != (*all_off == RollDistribution::NONE) {
            return Err("it needs no roll with checkers left, or rolls without");
        }
        if (checkers < u32::from(MAX_CHECKERS)) != (*first_off == RollDistribution::NONE) {
            return Err("its first checker is off and is not");
        }
        // No roll takes more than four checkers off, and a throw has 294 / 36 pips on average. Rounding shortens the
        // mean by less than a hundredth of a roll.
        let max_pips = (all_off.mean() + 0.01) * 294.0 / 36.0;
        if (all_off.possible().start as u32) < checkers.div_ceil(4) || max_pips < f64::from(pips) {
            return Err("it needs fewer rolls than its pips and checkers take");
        }
        Ok(())
    }

    /// The numbered positions of the table.
    #[must_use]
    pub fn positions(&self) -> SidePositions {
        self.positions
    }

    /// The distribution of rolls until all checkers are off.
    ///
    /// # Panics
    /// If the table has no position of this number.
    #[must_use]
    pub fn all_off(&self, index: u32) -> &RollDistribution {
        &self.rolls[index as usize][0]
    }

    /// The probability that the player on roll, whose position has the number `own`, is off first if both sides
    /// minimise rolls. Perfect play does better if taking a risk pays.
    ///
    /// # Panics
    /// If the table has no positions numbered `own` and `other`.
    #[must_use]
    pub fn win(&self, own: u32, other: u32) -> f64 {
        let wins = self.all_off(own).end_before(self.all_off(other));
        wins as f64 / f64::from(WHOLE).powi(2)
    }

    /// The distribution of the number of rolls until the first of 15 checkers is off, if the side minimises that
    /// number. It is 0 rolls if a checker is off already.
    ///
    /// # Panics
    /// If the table has no position of this number.
    #[must_use]
    pub fn first_off(&self, index: u32) -> &RollDistribution {
        &self.rolls[index as usize][1]
    }
}

/// The best positions after one, two and three equal dice, by die.
///
/// Ties are broken as by GNU Backgammon: by the larger die first, then by the play that begins with the rearmost
/// checker. The best after several dice is the best among the best positions that follow each play of one die, so no
/// play is listed twice.
#[derive(Clone, Copy, Default)]
struct Best([[u32; 6]; 3]);

impl Best {
    /// The [`Best`] of a position, and the best position after each roll, in the order of [`Roll::ALL`]. `after` has
    /// the positions after each die, `best` gives the [`Best`] of an earlier position, and `cost` is minimised.
    fn new<'a>(
        after: &[Vec<u32>; 6],
        best: impl Fn(u32) -> &'a Best,
        cost: impl Fn(u32) -> u32,
    ) -> (Best, [u32; Roll::ALL.len()]) {
        let mut of_position = Best::default();
        for (die, after) in after.iter().enumerate() {
            let Best([one, two, three]) = &mut of_position;
            one[die] = first_least(after.iter().copied(), &cost);
            two[die] = first_least(after.iter().map(|&play| best(play).0[0][die]), &cost);
            three[die] = first_least(after.iter().map(|&play| best(play).0[1][die]), &cost);
        }
        let of_rolls = Roll::ALL.map(|roll| {
            let [high, low] = [roll.high(), roll.low()].map(|die| usize::from(die) - 1);
            if high == low {
                first_least(after[high].iter().map(|&play| best(play).0[2][high]), &cost)
            } else {
                let high_first = after[high].iter().map(|&play| best(play).0[0][low]);
                let low_first = after[low].iter().map(|&play| best(play).0[0][high]);
                first_least(high_first.chain(low_first), &cost)
            }
        });
        (of_position, of_rolls)
    }
}

/// The first of the plays of least cost.
fn first_least(plays: impl Iterator<Item = u32>, cost: impl Fn(u32) -> u32) -> u32 {
    plays.min_by_key(|&play| cost(play)).expect("a checker can be moved")
}
