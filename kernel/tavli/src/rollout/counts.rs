//! Counts of the games of a rollout: exact integers that add up in any order.

use core::ops::Range;

use super::batch::{Played, play_each};
use super::candidate::{Candidate, Course};
use super::ends::{ENDS, UNFINISHED, Value};
use super::strata::{CLASSES, Strata};
use tavli_backgammon::policies::Players;
use tavli_backgammon::{Outcome, Tier};

/// Games whose records are kept at a time: enough to keep a batch full, few enough for the caches.
const PIECE: u64 = 4 * super::strata::BLOCK;
/// The same where games are played one by one, so that few at a time cost nothing, and end soon when they are to.
const PIECE_ONE_BY_ONE: u64 = 4 * 36;

/// For each value and class of strata, the sum of the products of two candidates' values.
pub(super) type Products = [[i64; CLASSES]; Value::ALL.len()];

/// Counts over the games of a rollout, for the player whose rollout it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Counts {
    strata: Strata,
    /// For each candidate and stratum, how many games had each end.
    pub(super) ends: Vec<Vec<[u64; ENDS]>>,
    /// For each pair of candidates, in the order 0-1, 0-2, 1-2, 0-3 ..., the sums of the products of their values.
    pub(super) products: Vec<Products>,
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
            products: vec![Products::default(); candidates * candidates.saturating_sub(1) / 2],
        }
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
        let products = self.products.iter_mut().flatten().flatten();
        for (sum, more) in products.zip(other.products.iter().flatten().flatten()) {
            *sum += more;
        }
    }

    /// All of them in a row, for [`Counts::of_numbers`]. A sum below 0 stands as the number 2^64 higher, so that
    /// rows add up number by number, modulo 2^64.
    pub(super) fn numbers(&self) -> Vec<u64> {
        let ends = self.ends.iter().flatten().flatten().copied();
        let products = self.products.iter().flatten().flatten();
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
        let all = counts.products.as_flattened_mut().as_flattened_mut();
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
        let size = match tier {
            Tier::Portable => PIECE_ONE_BY_ONE,
            _ => PIECE,
        };
        let mut first = games.start;
        while first < games.end {
            let piece = first..games.end.min(first + size);
            counts.play_piece(candidates, players, tier, piece.clone(), stop)?;
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
        // The ends of each candidate's games, in their places.
        let mut placed = vec![vec![0; strata.len()]; candidates.len()];
        let mut add = |candidate: usize, game: usize, end: usize| {
            self.ends[candidate][strata[game]][end] += 1;
            placed[candidate][places[game]] = end as u8;
        };
        let (mut played, mut positions) = (Vec::new(), Vec::new());
        for (index, candidate) in candidates.iter().enumerate() {
            match &candidate.course {
                Course::Over(outcome) => {
                    (0..strata.len()).for_each(|game| add(index, game, *outcome as usize));
                }
                Course::Played(playouts) => {
                    played.push(index);
                    positions.push(Played {
                        playouts: *playouts,
                        players: candidate.players(players),
                    });
                }
            }
        }
        let mut take = |position: usize, game: u64, outcome: Option<Outcome>| {
            let candidate = played[position];
            let outcome = outcome.map(|outcome| candidates[candidate].for_player(outcome));
            let end = outcome.map_or(UNFINISHED, |outcome| outcome as usize);
            add(candidate, (game - games.start) as usize, end);
        };
        play_each(&positions, tier, games.clone(), stop, &mut take)?;
        self.add_products(&placed, &ends_of_classes);
        Some(())
    }

    /// Adds the products of games, given the end of each candidate's games; the games of a class are those up to its end.
    fn add_products(&mut self, placed: &[Vec<u8>], ends_of_classes: &[usize; CLASSES]) {
        if placed.len() < 2 {
            return;
        }
        for value in Value::ALL {
            let of_ends: [i8; ENDS] = core::array::from_fn(|end| value.of(end));
            let values: Vec<Vec<i8>> = placed
                .iter()
                .map(|ends| ends.iter().map(|&end| of_ends[usize::from(end)]).collect())
                .collect();
            for high in 1..values.len() {
                for low in 0..high {
                    let sums = &mut self.products[pair(low, high)][value as usize];
                    let mut first = 0;
                    for (sum, &end) in sums.iter_mut().zip(ends_of_classes) {
                        let of_class = first..end;
                        *sum += i64::from(product(
                            &values[low][of_class.clone()],
                            &values[high][of_class],
                        ));
                        first = end;
                    }
                }
            }
        }
    }
}

/// The sum of the products of two candidates' values.
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
                for sum in counts.products.iter_mut().flatten().flatten() {
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
