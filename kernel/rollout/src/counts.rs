//! Counts of the games of a rollout: exact integers that add up in any order.

use core::ops::Range;

use super::batch::{Ended, Last, Played, play_each};
use super::candidate::{Candidate, Course};
use super::ends::{ENDS, UNFINISHED, Value};
use super::horizon::{self, Horizon, Numbers, UNIT, WORDS};
use super::strata::{CLASSES, Strata};
use super::valuers::{Valued, Valuers};
use tavli_backgammon::evaluators::{Conditions, Probabilities};
use tavli_backgammon::policies::Players;
use tavli_backgammon::{Outcome, Planes, Playouts, Tier};

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
    /// Which games have other values than the points of their ends.
    pub(super) valued: Valued,
}

/// Counts over the games of a rollout, for the player whose rollout it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Counts {
    shape: Shape,
    /// For each candidate and stratum, how many games had each end.
    pub(super) ends: Vec<Vec<[u64; ENDS]>>,
    /// For each pair of candidates, in the order 0-1, 0-2, 1-2, 0-3 ..., the sums of the products of their values.
    pub(super) products: Vec<Products>,
    /// What games are worth more than the points of their ends.
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
            horizon: shape.valued.is_any().then(horizon),
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
        assert!(rest.is_empty() && found == horizon.len(), "a row of as many candidates");
        counts
    }

    /// Plays games of every candidate, which have the values of these valuers; `None` if `stop`, which is asked now and
    /// then, says so.
    pub(super) fn play(
        strata: Strata,
        candidates: &[Candidate],
        players: &Players,
        valuers: &Valuers,
        tier: Tier,
        games: Range<u64>,
        stop: &dyn Fn() -> bool,
    ) -> Option<Counts> {
        let shape = Shape {
            strata,
            valued: valuers.valued(),
        };
        let mut counts = Counts::new(shape, candidates.len());
        let size = match tier {
            Tier::Portable => PIECE_ONE_BY_ONE,
            _ => PIECE,
        };
        let mut first = games.start;
        while first < games.end {
            let piece = first..games.end.min(first + size);
            counts.play_piece(candidates, players, valuers, tier, piece.clone(), stop)?;
            first = piece.end;
        }
        Some(counts)
    }

    fn play_piece(
        &mut self,
        candidates: &[Candidate],
        players: &Players,
        valuers: &Valuers,
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
        let mut valued = Vec::new();
        let of_shape = self.shape.valued;
        let mut take = |ended: &Ended, last: Last<'_>| {
            let candidate = played[ended.position];
            let game = (ended.number - games.start) as usize;
            let outcome = ended.outcome;
            let outcome = outcome.map(|outcome| candidates[candidate].for_player(outcome));
            let end = outcome.map_or(UNFINISHED, |outcome| outcome as usize);
            add(candidate, game, end);
            let is_cut_off = outcome.is_none() && of_shape.cut_off;
            if is_cut_off || ended.luck.is_some() {
                valued.push(ValuedGame {
                    candidate,
                    game,
                    end,
                    plies: ended.plies,
                    number: ended.number,
                    cut_off: is_cut_off.then(last),
                    luck: ended.luck.map_or([0; Outcome::COUNT], horizon::of_luck),
                });
            }
        };
        play_each(&positions, valuers, tier, games.clone(), stop, &mut take)?;
        self.add_products(&placed, &ends_of_classes);
        if let Some(horizon) = &mut self.horizon {
            let playouts = positions.first().map(|position| &position.playouts);
            let values = values(&valued, candidates, valuers, playouts, tier, stop)?;
            let mut of_places = vec![vec![None; strata.len()]; candidates.len()];
            for (game, numbers) in valued.iter().zip(values) {
                let ValuedGame {
                    candidate, game, end, ..
                } = *game;
                let stratum = strata[game];
                horizon.add(candidate, stratum, of.class(stratum), end, &numbers);
                of_places[candidate][places[game]] = Some(numbers);
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
                        *sum += i64::from(product(&values[low][of_class.clone()], &values[high][of_class]));
                        first = end;
                    }
                }
            }
        }
    }
}

/// A game of a candidate that has another value than the points of its end.
struct ValuedGame {
    candidate: usize,
    /// Its index among the games of the piece.
    game: usize,
    /// Its number among all.
    number: u64,
    /// Its end in the counts.
    end: usize,
    plies: u32,
    /// Its last position, seen by the player next on roll, if that is to be valued.
    cut_off: Option<Planes>,
    /// The luck of the player who was on roll first, which its value is less.
    luck: Numbers,
}

/// The values of games, for the player whose rollout it is; `None` if `stop` says so before the end. The `playouts` are
/// those of any candidate: all have the same rules and seed.
///
/// Each trial is valued by [its own seed](Playouts::seed_of_game). So an evaluator that samples errs otherwise in each,
/// by which the standard error grows as it should; and candidates are valued on the same dice trial by trial, as they
/// are played.
fn values(
    games: &[ValuedGame],
    candidates: &[Candidate],
    valuers: &Valuers,
    playouts: Option<&Playouts>,
    tier: Tier,
    stop: &dyn Fn() -> bool,
) -> Option<Vec<Numbers>> {
    let (mut open, mut seeds, mut places) = (Vec::new(), Vec::new(), Vec::new());
    let mut of_cut_off = vec![None; games.len()];
    let cut_off = games.iter().enumerate();
    let cut_off = cut_off.filter_map(|(place, game)| Some((place, game.cut_off?)));
    for (place, position) in cut_off {
        let playouts = playouts.expect("games that were cut off were played");
        let ends = valuers.ends.as_ref();
        of_cut_off[place] = ends.and_then(|ends| ends.value(playouts.rules(), &position));
        if of_cut_off[place].is_none() {
            open.push(position);
            seeds.push(playouts.seed_of_game(games[place].number));
            places.push(place);
        }
    }
    if !open.is_empty() {
        let playouts = playouts.expect("games that were cut off were played");
        let conditions = Conditions::new(playouts.rules(), tier).unless(stop);
        let evaluator = valuers.evaluator.as_ref();
        let evaluator = evaluator.expect("games go on to an end that is known, or to an evaluator");
        let mut values = vec![Probabilities::certain(Outcome::WinSingle); open.len()];
        let pieces = open
            .chunks(VALUED_TOGETHER)
            .zip(seeds.chunks(VALUED_TOGETHER))
            .zip(values.chunks_mut(VALUED_TOGETHER));
        for ((positions, seeds), values) in pieces {
            conditions.check().ok()?;
            let conditions = conditions.seeded(Some(seeds));
            evaluator.evaluate(&conditions, positions, values).ok()?;
        }
        for (place, value) in places.into_iter().zip(values) {
            of_cut_off[place] = Some(value);
        }
    }
    // An evaluator that fails, such as a function of Python, stops the games: what it left means nothing.
    if stop() {
        return None;
    }
    let values = games.iter().zip(of_cut_off).map(|(game, of_cut_off)| {
        let candidate = &candidates[game.candidate];
        let mut numbers = match of_cut_off {
            Some(value) => {
                let numbers = value.numbers().map(i64::from);
                candidate.value_for_player(horizon::for_first(numbers, game.plies))
            }
            None => core::array::from_fn(|outcome| if outcome == game.end { UNIT } else { 0 }),
        };
        let luck = candidate.value_for_player(game.luck);
        for (number, luck) in numbers.iter_mut().zip(luck) {
            *number -= luck;
        }
        candidate.keep_possible(&mut numbers);
        numbers
    });
    Some(values.collect())
}

/// Adds what the products of trials are more than those of their ends; the games of a class are those up to its end.
fn add_valued_products(
    horizon: &mut Horizon,
    placed: &[Vec<u8>],
    of_places: &[Vec<Option<Numbers>>],
    ends_of_classes: &[usize; CLASSES],
) {
    for value in Value::ALL {
        let of_ends: Vec<Vec<i64>> = placed
            .iter()
            .map(|ends| ends.iter().map(|&end| value.of_end(usize::from(end))).collect())
            .collect();
        let games = of_ends.iter().zip(of_places);
        let values: Vec<Vec<i64>> = games
            .map(|(of_ends, valued)| {
                let games = of_ends.iter().zip(valued);
                games
                    .map(|(&of_end, valued)| valued.map_or(of_end, |numbers| value.of_numbers(&numbers)))
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
                            let product = |values: &[Vec<i64>]| {
                                let [a, b] = [low, high].map(|at| i128::from(values[at][place]));
                                a * b
                            };
                            *sum += product(&values) - product(&of_ends);
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
    a.iter().zip(b).map(|(&a, &b)| i32::from(a) * i32::from(b)).sum()
}

#[cfg(test)]
mod tests {
    use super::super::settings::Settings;
    use super::*;
    use tavli_backgammon::playout::FirstRoll;

    #[test]
    fn rows_of_numbers_add_up_to_those_of_the_sums() {
        for (first_roll, candidates, cut_off) in [
            (FirstRoll::Stratified, 3, false),
            (FirstRoll::Stratified, 2, true),
            (FirstRoll::Any, 1, true),
        ] {
            let shape = Shape {
                strata: Strata::new(&Settings {
                    first_roll,
                    ..Settings::default()
                }),
                valued: Valued { cut_off, luck: false },
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
