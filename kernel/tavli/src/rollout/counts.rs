//! What the games of a rollout came to: exact integers that add up in any order.

use core::ops::Range;

use super::candidate::{Candidate, Course};
use super::strata::{CLASSES, Sample, Strata, Variance};
use tavli_backgammon::Outcome;
use tavli_backgammon::Tier;
use tavli_backgammon::playout::Record;
use tavli_backgammon::policies::Players;

/// What a trial can come to: an [`Outcome`] by its discriminant, or being cut off, which is the last.
pub(super) const ENDS: usize = Outcome::COUNT + 1;
pub(super) const UNFINISHED: usize = Outcome::COUNT;

/// Games whose records are kept at a time: enough to keep a batch full, few enough for the caches.
const PIECE: u64 = 4 * super::strata::BLOCK;
/// The same where games are played one by one, so that few at a time cost nothing, and end soon when they are to.
const PIECE_ONE_BY_ONE: u64 = 4 * 36;

/// Points of an end for the player whose rollout it is.
pub(super) fn points(end: usize) -> i8 {
    Outcome::ALL
        .get(end)
        .map_or(0, |outcome| outcome.points() as i8)
}

/// Counts over the games of a rollout, for the player whose rollout it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Counts {
    strata: Strata,
    /// For each candidate and stratum, how many games came to each end.
    pub(super) ends: Vec<Vec<[u64; ENDS]>>,
    /// For each pair of candidates, in the order 0-1, 0-2, 1-2, 0-3 ..., the sum of the product of their points
    /// over the games of each class of strata.
    pub(super) products: Vec<[i64; CLASSES]>,
}

/// The index of a pair of candidates in [`Counts::products`].
pub(super) fn pair(a: usize, b: usize) -> usize {
    let (low, high) = (a.min(b), a.max(b));
    high * (high - 1) / 2 + low
}

impl Counts {
    pub(super) fn new(strata: Strata, candidates: usize) -> Counts {
        Counts {
            strata,
            ends: vec![vec![[0; ENDS]; strata.count()]; candidates],
            products: vec![[0; CLASSES]; candidates * candidates.saturating_sub(1) / 2],
        }
    }

    /// How the games are divided.
    pub(super) fn strata(&self) -> Strata {
        self.strata
    }

    /// Bytes that they take.
    pub(super) fn memory(&self) -> usize {
        self.ends.len() * self.strata.count() * size_of::<[u64; ENDS]>()
            + size_of_val(&*self.products)
    }

    pub(super) fn merge(&mut self, other: &Counts) {
        let ends = self.ends.iter_mut().flatten().flatten();
        for (count, more) in ends.zip(other.ends.iter().flatten().flatten()) {
            *count += more;
        }
        let products = self.products.iter_mut().flatten();
        for (sum, more) in products.zip(other.products.iter().flatten()) {
            *sum += more;
        }
    }

    /// All of them in a row, for [`Counts::of_numbers`]. A sum below 0 stands as the number 2^64 higher, so that
    /// rows add up number by number, modulo 2^64.
    pub(super) fn numbers(&self) -> Vec<u64> {
        let ends = self.ends.iter().flatten().flatten().copied();
        let products = self.products.iter().flatten();
        ends.chain(products.map(|sum| sum.cast_unsigned()))
            .collect()
    }

    /// The counts of a row of [`Counts::numbers`].
    ///
    /// # Panics
    /// If the row is of other strata or another number of candidates.
    pub(super) fn of_numbers(strata: Strata, candidates: usize, numbers: &[u64]) -> Counts {
        let mut counts = Counts::new(strata, candidates);
        let (ends, products) = numbers.split_at(candidates * strata.count() * ENDS);
        let all = counts.ends.iter_mut().flatten().flatten();
        all.zip(ends).for_each(|(count, &number)| *count = number);
        let all = counts.products.as_flattened_mut();
        assert_eq!(all.len(), products.len(), "a row of as many candidates");
        for (sum, number) in all.iter_mut().zip(products) {
            *sum = number.cast_signed();
        }
        counts
    }

    /// Plays games of every candidate; `None` if `stop`, which is asked now and then, says so.
    pub(super) fn play(
        strata: Strata,
        candidates: &[Candidate],
        players: &Players,
        tier: Tier,
        games: Range<u64>,
        stop: &dyn Fn() -> bool,
    ) -> Option<Counts> {
        let mut counts = Counts::new(strata, candidates.len());
        let mut records = Vec::new();
        let size = match tier {
            Tier::Portable => PIECE_ONE_BY_ONE,
            _ => PIECE,
        };
        let mut first = games.start;
        while first < games.end {
            let piece = first..games.end.min(first + size);
            counts.play_piece(candidates, players, tier, piece.clone(), &mut records, stop)?;
            first = piece.end;
        }
        Some(counts)
    }

    fn play_piece(
        &mut self,
        candidates: &[Candidate],
        players: &Players,
        tier: Tier,
        games: Range<u64>,
        records: &mut Vec<Record>,
        stop: &dyn Fn() -> bool,
    ) -> Option<()> {
        let strata: Vec<usize> = games
            .clone()
            .map(|game| self.strata.of_game(game))
            .collect();
        // Games of a class stand together, so that a product is summed over a slice.
        let mut ends_of_classes = [0; CLASSES];
        for &stratum in &strata {
            ends_of_classes[self.strata.class(stratum)] += 1;
        }
        for class in 1..CLASSES {
            ends_of_classes[class] += ends_of_classes[class - 1];
        }
        let mut next = [0; CLASSES];
        next[1..].copy_from_slice(&ends_of_classes[..CLASSES - 1]);
        let places: Vec<usize> = strata
            .iter()
            .map(|&stratum| {
                let place = &mut next[self.strata.class(stratum)];
                *place += 1;
                *place - 1
            })
            .collect();
        let mut points_of: Vec<Vec<i8>> = Vec::with_capacity(candidates.len());
        for (candidate, of_candidate) in candidates.iter().zip(&mut self.ends) {
            if stop() {
                return None;
            }
            let mut of_games = vec![0; strata.len()];
            let mut add = |game: usize, end: usize| {
                of_candidate[strata[game]][end] += 1;
                of_games[places[game]] = points(end);
            };
            match &candidate.course {
                Course::Over(outcome) => {
                    (0..strata.len()).for_each(|game| add(game, *outcome as usize));
                }
                Course::Played(playouts) => {
                    records.clear();
                    let players = candidate.players(players);
                    players.run_recorded_unless(playouts, tier, games.clone(), records, stop)?;
                    for (game, record) in records.iter().enumerate() {
                        let outcome = record.outcome.map(|outcome| candidate.for_player(outcome));
                        add(game, outcome.map_or(UNFINISHED, |outcome| outcome as usize));
                    }
                }
            }
            points_of.push(of_games);
        }
        for high in 1..points_of.len() {
            for low in 0..high {
                let mut first = 0;
                for (class, &end) in ends_of_classes.iter().enumerate() {
                    let of_class = first..end;
                    self.products[pair(low, high)][class] += i64::from(product(
                        &points_of[low][of_class.clone()],
                        &points_of[high][of_class],
                    ));
                    first = end;
                }
            }
        }
        Some(())
    }

    /// Games of a candidate by end.
    pub(super) fn total(&self, candidate: usize) -> [u64; ENDS] {
        let mut total = [0; ENDS];
        for ends in &self.ends[candidate] {
            for (sum, count) in total.iter_mut().zip(ends) {
                *sum += count;
            }
        }
        total
    }

    /// Games by stratum.
    fn sizes(&self) -> Vec<u64> {
        self.ends[0].iter().map(|ends| ends.iter().sum()).collect()
    }

    /// The variance of a value of a candidate's ends.
    pub(super) fn variance(&self, candidate: usize, value: impl Fn(usize) -> f64) -> Variance {
        self.strata.variance(&Sample {
            sizes: &self.sizes(),
            sums: &self.sums(candidate, &value),
            squares: self.squares(candidate, &value),
        })
    }

    /// The variance of the difference between two candidates' points, trial by trial, and the mean of its square.
    pub(super) fn difference(&self, a: usize, b: usize) -> (Variance, f64) {
        let value = |end: usize| f64::from(points(end));
        let [of_a, of_b] = [a, b].map(|candidate| self.sums(candidate, value));
        let sums: Vec<f64> = of_a.iter().zip(of_b).map(|(a, b)| a - b).collect();
        let [of_a, of_b] = [a, b].map(|candidate| self.squares(candidate, value));
        let products = self.products[pair(a, b)];
        let squares: [f64; CLASSES] =
            core::array::from_fn(|class| of_a[class] + of_b[class] - 2.0 * products[class] as f64);
        let sizes = self.sizes();
        let sample = Sample {
            sizes: &sizes,
            sums: &sums,
            squares,
        };
        let trials: u64 = sizes.iter().sum();
        let mean_square = squares.iter().sum::<f64>() / trials as f64;
        (self.strata.variance(&sample), mean_square)
    }

    /// The sums of a value by stratum.
    fn sums(&self, candidate: usize, value: impl Fn(usize) -> f64) -> Vec<f64> {
        let ends = self.ends[candidate].iter();
        ends.map(|ends| sum(ends, &value)).collect()
    }

    /// The sums of the square of a value by class of strata.
    fn squares(&self, candidate: usize, value: impl Fn(usize) -> f64) -> [f64; CLASSES] {
        let mut squares = [0.0; CLASSES];
        for (stratum, ends) in self.ends[candidate].iter().enumerate() {
            squares[self.strata.class(stratum)] += sum(ends, |end| value(end).powi(2));
        }
        squares
    }
}

/// The sum of a value over games by end.
pub(super) fn sum(ends: &[u64; ENDS], value: impl Fn(usize) -> f64) -> f64 {
    let ends = ends.iter().enumerate();
    ends.map(|(end, &count)| value(end) * count as f64).sum()
}

/// The sum of the products of two candidates' points.
fn product(a: &[i8], b: &[i8]) -> i32 {
    a.iter()
        .zip(b)
        .map(|(&a, &b)| i32::from(a) * i32::from(b))
        .sum()
}

#[cfg(test)]
mod tests {
    use super::super::settings::Settings;
    use super::*;
    use tavli_backgammon::playout::FirstRoll;

    #[test]
    fn rows_of_numbers_add_up_to_those_of_the_sums() {
        for (first_roll, candidates) in [(FirstRoll::Stratified, 3), (FirstRoll::Any, 1)] {
            let strata = Strata::new(&Settings {
                first_roll,
                ..Settings::default()
            });
            let counts = |seed: i64| {
                let mut counts = Counts::new(strata, candidates);
                let mut next = seed;
                for count in counts.ends.iter_mut().flatten().flatten() {
                    *count = next.unsigned_abs();
                    next += 1;
                }
                for sum in counts.products.iter_mut().flatten() {
                    *sum = -next;
                    next += seed;
                }
                counts
            };
            let (mut one, other) = (counts(5), counts(-7000));
            let rows = one.numbers().into_iter().zip(other.numbers());
            let sums: Vec<u64> = rows.map(|(one, other)| one.wrapping_add(other)).collect();
            one.merge(&other);
            assert_eq!(Counts::of_numbers(strata, candidates, &sums), one);
        }
    }
}
