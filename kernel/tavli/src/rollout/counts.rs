//! Counts of the games of a rollout: exact integers that add up in any order.

use core::num::NonZeroU32;
use core::ops::Range;

use super::batch::{Last, Played, play_each};
use super::candidate::{Candidate, Course};
use super::ends::{ENDS, UNFINISHED, Value};
use super::horizon::{self, Horizon, UNIT, WORDS};
use super::strata::{CLASSES, Strata};
use tavli_backgammon::evaluators::{Evaluator, Probabilities};
use tavli_backgammon::policies::Players;
use tavli_backgammon::{Outcome, Planes, Tier};

/// Games whose records are kept at a time: enough to keep a batch full, few enough for the caches.
const PIECE: u64 = 4 * super::strata::BLOCK;
/// The same where games are played one by one, so that few at a time cost nothing, and end soon when they are to.
const PIECE_ONE_BY_ONE: u64 = 4 * 36;

/// Positions that an evaluator values at a time, between two looks at whether to stop.
const VALUED_TOGETHER: usize = 64;

/// For each value and class of strata, the sum of the products of two candidates' values.
pub(super) type Products = [[i64; CLASSES]; Value::ALL.len()];

/// What a rollout counts of each candidate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Shape {
    pub(super) strata: Strata,
    /// Whether an evaluator values the games that are cut off.
    pub(super) has_evaluator: bool,
}

/// Counts over the games of a rollout, for the player whose rollout it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Counts {
    shape: Shape,
    /// For each candidate and stratum, how many games had each end.
    pub(super) ends: Vec<Vec<[u64; ENDS]>>,
    /// For each pair of candidates, in the order 0-1, 0-2, 1-2, 0-3 ..., the sums of the products of their values.
    pub(super) products: Vec<Products>,
    /// What an evaluator gave the games that were cut off.
    pub(super) horizon: Option<Horizon>,
}

/// The index of a pair of candidates in [`Counts::products`].
pub(super) fn pair(a: usize, b: usize) -> usize {
    let (low, high) = (a.min(b), a.max(b));
    high * (high - 1) / 2 + low
}

impl Counts {
    pub(super) fn new(shape: Shape, candidates: usize) -> Counts {
        let strata = shape.strata.count();
        let horizon = || Horizon::new(strata, candidates);
        Counts {
            shape,
            ends: vec![vec![[0; ENDS]; strata]; candidates],
            products: vec![Products::default(); candidates * candidates.saturating_sub(1) / 2],
            horizon: shape.has_evaluator.then(horizon),
        }
    }

    /// Bytes that they take.
    pub(super) fn memory(&self) -> usize {
        let horizon = self.horizon.iter().flat_map(Horizon::numbers).count();
        self.ends.len() * self.shape.strata.count() * size_of::<[u64; ENDS]>()
            + size_of_val(&*self.products)
            + horizon * size_of::<i128>()
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
        if let (Some(horizon), Some(more)) = (&mut self.horizon, &other.horizon) {
            horizon.merge(more);
        }
    }

    /// All of them in a row, for [`Counts::of_numbers`]. A sum below 0 stands as the number 2^64 higher, and one of the
    /// horizon as its [`words`](horizon::words), so that rows add up number by number, modulo 2^64.
    pub(super) fn numbers(&self) -> Vec<u64> {
        let ends = self.ends.iter().flatten().flatten().copied();
        let products = self.products.iter().flatten().flatten();
        let horizon = self.horizon.iter().flat_map(Horizon::numbers);
        ends.chain(products.map(|sum| sum.cast_unsigned()))
            .chain(horizon.flat_map(horizon::words))
            .collect()
    }

    /// The counts of a row of [`Counts::numbers`].
    ///
    /// # Panics
    /// If the row is of another shape or another number of candidates.
    pub(super) fn of_numbers(shape: Shape, candidates: usize, numbers: &[u64]) -> Counts {
        let mut counts = Counts::new(shape, candidates);
        let (ends, sums) = numbers.split_at(candidates * shape.strata.count() * ENDS);
        let all = counts.ends.iter_mut().flatten().flatten();
        all.zip(ends).for_each(|(count, &number)| *count = number);
        let all = counts.products.as_flattened_mut().as_flattened_mut();
        let (products, horizon) = sums.split_at(all.len());
        for (sum, number) in all.iter_mut().zip(products) {
            *sum = number.cast_signed();
        }
        let (horizon, rest) = horizon.as_chunks::<WORDS>();
        let all = counts.horizon.iter_mut().flat_map(Horizon::numbers_mut);
        let mut found = 0;
        for (sum, words) in all.zip(horizon) {
            *sum = horizon::of_words(words);
            found += 1;
        }
        assert!(
            rest.is_empty() && found == horizon.len(),
            "a row of as many candidates"
        );
        counts
    }

    /// Plays games of every candidate, of which the evaluator values those that are cut off; `None` if `stop`, which is
    /// asked now and then, says so.
    pub(super) fn play(
        strata: Strata,
        candidates: &[Candidate],
        players: &Players,
        evaluator: Option<&dyn Evaluator>,
        tier: Tier,
        games: Range<u64>,
        stop: &dyn Fn() -> bool,
    ) -> Option<Counts> {
        let shape = Shape {
            strata,
            has_evaluator: evaluator.is_some(),
        };
        let mut counts = Counts::new(shape, candidates.len());
        let size = match tier {
            Tier::Portable => PIECE_ONE_BY_ONE,
            _ => PIECE,
        };
        let mut first = games.start;
        while first < games.end {
            let piece = first..games.end.min(first + size);
            counts.play_piece(candidates, players, evaluator, tier, piece.clone(), stop)?;
            first = piece.end;
        }
        Some(counts)
    }

    fn play_piece(
        &mut self,
        candidates: &[Candidate],
        players: &Players,
        evaluator: Option<&dyn Evaluator>,
        tier: Tier,
        games: Range<u64>,
        stop: &dyn Fn() -> bool,
    ) -> Option<()> {
        let Shape { strata: of, .. } = self.shape;
        let strata: Vec<usize> = games.clone().map(|game| of.of_game(game)).collect();
        // Games of a class stand together, so that a product is summed over a slice.
        let mut ends_of_classes = [0; CLASSES];
        for &stratum in &strata {
            ends_of_classes[of.class(stratum)] += 1;
        }
        for class in 1..CLASSES {
            ends_of_classes[class] += ends_of_classes[class - 1];
        }
        let mut next = [0; CLASSES];
        next[1..].copy_from_slice(&ends_of_classes[..CLASSES - 1]);
        let places: Vec<usize> = strata
            .iter()
            .map(|&stratum| {
                let place = &mut next[of.class(stratum)];
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
        let mut cut_off = Vec::new();
        let mut take = |position: usize, game: u64, outcome: Option<Outcome>, last: Last<'_>| {
            let candidate = played[position];
            let game = (game - games.start) as usize;
            let outcome = outcome.map(|outcome| candidates[candidate].for_player(outcome));
            let end = outcome.map_or(UNFINISHED, |outcome| outcome as usize);
            add(candidate, game, end);
            if outcome.is_none() && evaluator.is_some() {
                cut_off.push(CutOff {
                    candidate,
                    game,
                    position: last(),
                });
            }
        };
        play_each(&positions, tier, games.clone(), stop, &mut take)?;
        self.add_products(&placed, &ends_of_classes);
        if let Some(evaluator) = evaluator {
            let values = value(&cut_off, candidates, evaluator, tier, stop)?;
            let mut of_places = vec![vec![None; strata.len()]; candidates.len()];
            let horizon = self.horizon.as_mut().expect("the shape has an evaluator");
            for (
                CutOff {
                    candidate, game, ..
                },
                value,
            ) in cut_off.iter().zip(values)
            {
                let stratum = strata[*game];
                horizon.add(*candidate, stratum, of.class(stratum), &value);
                of_places[*candidate][places[*game]] = Some(value);
            }
            add_valued_products(horizon, &placed, &of_places, &ends_of_classes);
        }
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

/// A game of a candidate that was cut off.
struct CutOff {
    candidate: usize,
    /// Its index among the games of the piece.
    game: usize,
    /// Its last position, seen by the player next on roll.
    position: Planes,
}

/// What an evaluator gives games that were cut off, for the player whose rollout it is.
fn value(
    cut_off: &[CutOff],
    candidates: &[Candidate],
    evaluator: &dyn Evaluator,
    tier: Tier,
    stop: &dyn Fn() -> bool,
) -> Option<Vec<Probabilities>> {
    let mut values = vec![Probabilities::certain(Outcome::WinSingle); cut_off.len()];
    let pieces = cut_off.chunks(VALUED_TOGETHER);
    for (piece, values) in pieces.zip(values.chunks_mut(VALUED_TOGETHER)) {
        if stop() {
            return None;
        }
        let positions: Vec<Planes> = piece.iter().map(|game| game.position).collect();
        let Course::Played(playouts) = &candidates[piece[0].candidate].course else {
            unreachable!("games that are over are not cut off");
        };
        evaluator.evaluate(playouts.rules(), tier, &positions, values);
        let plies = playouts.truncation().map_or(0, NonZeroU32::get);
        for (game, value) in piece.iter().zip(values) {
            *value = candidates[game.candidate].value_for_player(&value.for_first(plies));
        }
    }
    // An evaluator that fails, such as a function of Python, stops the games: what it left means nothing.
    (!stop()).then_some(values)
}

/// Adds the products of trials in which one of two candidates' games was cut off, or both; the games of a class are
/// those up to its end.
fn add_valued_products(
    horizon: &mut Horizon,
    placed: &[Vec<u8>],
    of_places: &[Vec<Option<Probabilities>>],
    ends_of_classes: &[usize; CLASSES],
) {
    for value in Value::ALL {
        let games = placed.iter().zip(of_places);
        let values: Vec<Vec<i64>> = games
            .map(|(ends, valued)| {
                let games = ends.iter().zip(valued);
                games
                    .map(|(&end, valued)| match valued {
                        Some(valued) => value.of_probabilities(valued),
                        None => i64::from(value.of(usize::from(end))) * UNIT,
                    })
                    .collect()
            })
            .collect();
        for high in 1..values.len() {
            for low in 0..high {
                let sums = &mut horizon.products[pair(low, high)][value as usize];
                let mut first = 0;
                for (sum, &end) in sums.iter_mut().zip(ends_of_classes) {
                    for place in first..end {
                        if of_places[low][place].is_some() || of_places[high][place].is_some() {
                            let [a, b] = [low, high].map(|at| i128::from(values[at][place]));
                            *sum += a * b;
                        }
                    }
                    first = end;
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
        for (first_roll, candidates, has_evaluator) in [
            (FirstRoll::Stratified, 3, false),
            (FirstRoll::Stratified, 2, true),
            (FirstRoll::Any, 1, true),
        ] {
            let shape = Shape {
                strata: Strata::new(&Settings {
                    first_roll,
                    ..Settings::default()
                }),
                has_evaluator,
            };
            let counts = |seed: i64| {
                let mut counts = Counts::new(shape, candidates);
                let mut next = seed;
                for count in counts.ends.iter_mut().flatten().flatten() {
                    *count = next.unsigned_abs();
                    next += 1;
                }
                for sum in counts.products.iter_mut().flatten().flatten() {
                    *sum = -next;
                    next += seed;
                }
                for sum in counts.horizon.iter_mut().flat_map(Horizon::numbers_mut) {
                    *sum = -(i128::from(next) << 40);
                    next += seed;
                }
                counts
            };
            let (mut one, other) = (counts(5), counts(-7000));
            let rows = one.numbers().into_iter().zip(other.numbers());
            let sums: Vec<u64> = rows.map(|(one, other)| one.wrapping_add(other)).collect();
            one.merge(&other);
            assert_eq!(Counts::of_numbers(shape, candidates, &sums), one);
        }
    }
}
