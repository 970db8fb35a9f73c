//! Two-sided tables of any kind of value, solved backwards from the end of the game.

use core::borrow::Borrow;
use core::ops::Range;
#[cfg(not(target_family = "wasm"))]
use std::thread;

use super::error::BearOffError;
use super::side_plays::Results;
use super::side_positions::{MAX_POINTS, SidePositions};
use tavli_backgammon::Roll;

/// The number of the opponent's positions that are valued side by side, each paired with one position of the player on
/// roll.
// The fastest of 4, 8, 12, 16, 24 and 32: the loops over fewer are unrolled, and then not vectorised (profiles/LOG.md,
// 2026-11-27). The module for JavaScript has no room for more than a vector.
pub(super) const PAIRS_PER_BATCH: usize = if cfg!(target_family = "wasm") { 2 } else { 16 };

/// A value of a pair of positions, which follows from the values after each play.
pub(super) trait PairValue: Copy + Send + 'static {
    /// The value after a play, for the player who has made it.
    type AfterPlay: Copy + Send + 'static;
    /// A sum over throws.
    type Sum: Copy + Default;

    /// The value if the player on roll has all checkers off.
    const WON: Self;
    /// The value if the opponent has all checkers off.
    const LOST: Self;
    /// No value after a play is worse.
    const WORST: Self::AfterPlay;

    /// The value after a play, from the value for the opponent, who is on roll then.
    fn after_play(self) -> Self::AfterPlay;

    /// Replaces each value of `best` by the value of `after` if that is better.
    fn keep_better(best: &mut [Self::AfterPlay; PAIRS_PER_BATCH], after: &[Self::AfterPlay; PAIRS_PER_BATCH]);

    /// Adds the values after the best plays of a roll, weighted by the number of throws that show the roll.
    fn add(sums: &mut [Self::Sum; PAIRS_PER_BATCH], roll: Roll, best: &[Self::AfterPlay; PAIRS_PER_BATCH]);

    /// The value from the sum over all throws.
    fn mean(sum: Self::Sum) -> Self;

    /// The values of [`PAIRS_PER_BATCH`] pairs, given the plays of each roll and the values after each play.
    #[inline(always)]
    fn of_pairs<'a, A: Borrow<[Self::AfterPlay; PAIRS_PER_BATCH]>>(
        rolls: impl Iterator<Item = (Roll, &'a [u32])>,
        after: impl Fn(u32) -> A,
    ) -> [Self; PAIRS_PER_BATCH] {
        let mut sums = [Self::Sum::default(); PAIRS_PER_BATCH];
        for (roll, plays) in rolls {
            let mut best = [Self::WORST; PAIRS_PER_BATCH];
            for &play in plays {
                Self::keep_better(&mut best, after(play).borrow());
            }
            Self::add(&mut sums, roll, &best);
        }
        sums.map(Self::mean)
    }
}

/// A value for each pair of positions.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Pairs<V> {
    pub(super) positions: SidePositions,
    /// By the position of the player on roll, then by the opponent's position.
    pub(super) values: Vec<V>,
}

impl<V: PairValue> Pairs<V> {
    /// Solves all pairs. Every so often it calls `stop` with the number of finished pairs, and ends if `stop` returns
    /// true.
    pub(super) fn solve(points: u8, checkers: u8, stop: &mut dyn FnMut(u64) -> bool) -> Result<Pairs<V>, BearOffError> {
        let (mut values, mut after_plays) = (Vec::new(), Vec::new());
        match Pairs::solve_into(&mut values, &mut after_plays, (points, checkers), stop) {
            Ok(positions) => Ok(Pairs { positions, values }),
            Err(error) => {
                give_back((values, after_plays));
                Err(error)
            }
        }
    }

    /// [`Pairs::solve`], in memory of the caller.
    fn solve_into(
        values: &mut Vec<V>,
        after_plays: &mut Vec<V::AfterPlay>,
        (points, checkers): (u8, u8),
        stop: &mut dyn FnMut(u64) -> bool,
    ) -> Result<SidePositions, BearOffError> {
        let positions = Pairs::fill_with(values, (points, checkers), V::LOST, stop)?;
        let memory = BearOffError::Memory {
            points,
            checkers,
            bytes: u64::from(positions.count())
                .pow(2)
                .saturating_mul((size_of::<V>() + size_of::<V::AfterPlay>()) as u64),
        };
        let ranks = Ranks::new(positions);
        let count = ranks.numbers.len();
        // The plays of a side do not depend on the other side, so they are found once.
        let plays = PlaysByRank::new(positions, &ranks, memory, stop)?;
        // Indexed by the rank of the player who has played, then by the opponent's rank, so that the values after a
        // play are adjacent. The last [`PAIRS_PER_BATCH`] values begin at the last place at the latest.
        let room = values.len() + PAIRS_PER_BATCH - 1;
        after_plays.try_reserve_exact(room).map_err(|_| memory)?;
        fill(after_plays, room, V::WORST, stop)?;
        // Every play takes pips away. So in the order of the sum of both sides' pips each pair follows the pairs that
        // it depends on, and pairs of the same pips do not depend on each other.
        let mut done = 0;
        let most = ranks.by_pips.len() - 1;
        for sum in 0..=2 * most {
            for pips in sum.saturating_sub(most)..=sum.min(most) {
                let (owns, others) = (&ranks.by_pips[pips], &ranks.by_pips[sum - pips]);
                for own in owns.clone() {
                    let row = ranks.numbers[own] as usize * count;
                    for first in others.clone().step_by(PAIRS_PER_BATCH) {
                        let after = |play: u32| {
                            let values = after_plays[play as usize * count + first..].first_chunk::<PAIRS_PER_BATCH>();
                            values.expect("there is room after the last value")
                        };
                        let of_pairs = match (pips, sum - pips) {
                            (0, _) => [V::WON; PAIRS_PER_BATCH],
                            (_, 0) => [V::LOST; PAIRS_PER_BATCH],
                            _ => V::of_pairs(plays.plays(own), after),
                        };
                        for (other, value) in (first..others.end).zip(of_pairs) {
                            values[row + ranks.numbers[other] as usize] = value;
                            after_plays[other * count + own] = value.after_play();
                        }
                    }
                    // Between batches, not after all pairs with the same pips: these take seconds in large tables.
                    done += others.len() as u64;
                    if stop(done) {
                        return Err(BearOffError::Stopped);
                    }
                }
            }
        }
        Ok(positions)
    }

    /// Checks a table from a file by `is_right(stored, computed)`. Returns the number of a position of the player on
    /// roll that has a wrong value, or `None`.
    ///
    /// It checks all pairs in which a side is off, and the pairs of [`POSITIONS_CHECKED`] evenly spaced positions of
    /// each side.
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
            let most = POSITIONS_CHECKED.min(count - 1);
            (1..=most).map(move |at| (u64::from(count - 1) * u64::from(at) / u64::from(most)) as u32)
        };
        let mut results = Results::new(self.positions);
        let others: Vec<u32> = looked_at().collect();
        let mut is_wrong = |own: u32| {
            let by_point = self.positions.by_point(own);
            let plays = Roll::ALL.map(|roll| results.after_roll(&by_point, roll).to_vec());
            let rolls = || Roll::ALL.into_iter().zip(plays.iter().map(Vec::as_slice));
            others.chunks(PAIRS_PER_BATCH).any(|others| {
                let after = |play: u32| {
                    let mut after = [V::WORST; PAIRS_PER_BATCH];
                    for (after, &other) in after.iter_mut().zip(others) {
                        *after = self.row(other)[play as usize].after_play();
                    }
                    after
                };
                let values = V::of_pairs(rolls(), after);
                let row = self.row(own);
                let mut found = others.iter().map(|&other| row[other as usize]).zip(values);
                found.any(|(found, right)| !is_right(found, right))
            })
        };
        looked_at().find(|&own| is_wrong(own))
    }
}

/// The number of positions of each side for which all pairs are checked: checking all would take as long as solving the
/// table.
const POSITIONS_CHECKED: u32 = 64;

/// The positions of a side by rank: in the order of their pips.
struct Ranks {
    /// The number of the position of each rank.
    numbers: Vec<u32>,
    /// The ranks of the positions of each number of pips.
    by_pips: Vec<Range<usize>>,
}

impl Ranks {
    fn new(positions: SidePositions) -> Ranks {
        let pips = |number: u32| -> usize {
            let on_points = (1..).zip(positions.by_point(number));
            on_points.map(|(point, checkers)| point * usize::from(checkers)).sum()
        };
        let mut numbers: Vec<u32> = (0..positions.count()).collect();
        // Cached: to count pips, a number is turned into its position.
        numbers.sort_by_cached_key(|&number| pips(number));
        let mut first = 0;
        let of_pips = numbers.chunk_by(|&one, &next| pips(one) == pips(next)).map(|of_pips| {
            let ranks = first..first + of_pips.len();
            first = ranks.end;
            ranks
        });
        let by_pips = of_pips.collect();
        Ranks { numbers, by_pips }
    }
}

/// The plays of a side's positions, each given by the rank of the position after it.
struct PlaysByRank {
    plays: Vec<u32>,
    /// Where the plays of each roll of each position begin, and where the last ones end.
    ends: Vec<usize>,
}

impl PlaysByRank {
    /// Fails with `memory` if the memory does not hold them, or if it is stopped.
    fn new(
        positions: SidePositions,
        ranks: &Ranks,
        memory: BearOffError,
        stop: &mut dyn FnMut(u64) -> bool,
    ) -> Result<PlaysByRank, BearOffError> {
        let mut rank_of = vec![0; ranks.numbers.len()];
        for (rank, &number) in (0..).zip(&ranks.numbers) {
            rank_of[number as usize] = rank;
        }
        let mut results = Results::new(positions);
        let mut plays = Vec::new();
        let mut ends = Vec::new();
        let room = rank_of.len() * Roll::ALL.len() + 1;
        ends.try_reserve_exact(room).map_err(|_| memory)?;
        ends.push(0);
        for &number in &ranks.numbers {
            let by_point = positions.by_point(number);
            for roll in Roll::ALL {
                let after = results.after_roll(&by_point, roll);
                plays.try_reserve(after.len()).map_err(|_| memory)?;
                plays.extend(after.iter().map(|&after| rank_of[after as usize]));
                ends.push(plays.len());
            }
            if stop(0) {
                return Err(BearOffError::Stopped);
            }
        }
        Ok(PlaysByRank { plays, ends })
    }

    /// The plays of each roll from the position of a rank.
    fn plays(&self, rank: usize) -> impl Iterator<Item = (Roll, &[u32])> {
        let ends = &self.ends[rank * Roll::ALL.len()..][..=Roll::ALL.len()];
        let plays = ends.windows(2).map(|ends| &self.plays[ends[0]..ends[1]]);
        Roll::ALL.into_iter().zip(plays)
    }
}

impl<V: Copy> Pairs<V> {
    /// The positions of either side of a table, and the number of its pairs.
    ///
    /// # Errors
    /// [`BearOffError::Size`]; [`BearOffError::Memory`] if no memory could hold it.
    pub(super) fn check(points: u8, checkers: u8) -> Result<(SidePositions, usize), BearOffError> {
        // On more points the sides could meet.
        let positions = SidePositions::new(points, checkers)
            .filter(|_| points <= MAX_POINTS / 2)
            .ok_or(BearOffError::Size { points, checkers })?;
        let number = usize::try_from(u64::from(positions.count()).pow(2)).ok();
        let number = number.filter(|&number| number <= isize::MAX as usize / size_of::<V>());
        Ok((positions, number.ok_or_else(|| Pairs::<V>::memory(positions))?))
    }

    /// The error of a table that the memory does not hold.
    fn memory(positions: SidePositions) -> BearOffError {
        let pairs = u64::from(positions.count()).pow(2);
        BearOffError::Memory {
            points: positions.points(),
            checkers: positions.checkers(),
            bytes: pairs.saturating_mul(size_of::<V>() as u64),
        }
    }

    /// A table with the same value everywhere.
    pub(super) fn filled(
        points: u8,
        checkers: u8,
        value: V,
        stop: &mut dyn FnMut(u64) -> bool,
    ) -> Result<Pairs<V>, BearOffError> {
        let mut values = Vec::new();
        let positions = Pairs::fill_with(&mut values, (points, checkers), value, stop)?;
        Ok(Pairs { positions, values })
    }

    /// [`Pairs::filled`], in memory of the caller.
    fn fill_with(
        values: &mut Vec<V>,
        (points, checkers): (u8, u8),
        value: V,
        stop: &mut dyn FnMut(u64) -> bool,
    ) -> Result<SidePositions, BearOffError> {
        let (positions, number) = Pairs::<V>::check(points, checkers)?;
        let reserved = values.try_reserve_exact(number);
        reserved.map_err(|_| Pairs::<V>::memory(positions))?;
        fill(values, number, value, stop)?;
        Ok(positions)
    }

    /// The values for a position of the player on roll, by the opponent's position.
    pub(super) fn row(&self, own: u32) -> &[V] {
        let count = self.positions.count() as usize;
        &self.values[own as usize * count..][..count]
    }
}

/// Frees memory on its own thread: freeing a gigabyte takes 0.15 s, which would delay the return of a stopped call.
fn give_back(memory: impl Send + 'static) {
    #[cfg(target_family = "wasm")]
    drop(memory);
    // If no thread starts, the closure is dropped here, and the memory with it.
    #[cfg(not(target_family = "wasm"))]
    let _ = thread::Builder::new().spawn(move || drop(memory));
}

/// Fills a vector up to a length, within its capacity.
fn fill<T: Copy>(
    filled: &mut Vec<T>,
    length: usize,
    value: T,
    stop: &mut dyn FnMut(u64) -> bool,
) -> Result<(), BearOffError> {
    // Step by step: the first write to the gigabytes of a large table takes seconds.
    while filled.len() < length {
        filled.resize(length.min(filled.len() + FILLED_AT_ONCE), value);
        if stop(0) {
            return Err(BearOffError::Stopped);
        }
    }
    Ok(())
}

/// The values filled between two calls of `stop`.
const FILLED_AT_ONCE: usize = 1 << 20;
