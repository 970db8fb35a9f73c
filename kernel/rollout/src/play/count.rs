//! The games of trials, played and counted.

use core::ops::Range;

use tavli_backgammon::evaluators::{Conditions, Probabilities};
use tavli_backgammon::{Outcome, Planes, Playouts, Tier};
use tavli_players::Shares;

use crate::ask::candidate::{Candidate, Course};
use crate::ask::limits::BLOCK;
use crate::estimate::corrections::{self, ValueCorrections};
use crate::estimate::counts::{RolloutCounts, pair};
use crate::estimate::strata::CLASSES;
use crate::play::batch::{EndedGame, LastPosition, PlayedPosition, play_each};
use crate::play::cubeful::{CubefulEnd, CubefulPosition};
use crate::play::trials::Trials;
use crate::value::{ENDS, Numbers, UNFINISHED, UNIT, Value, for_first};

/// Games whose records are kept at a time: enough to keep a batch full, few enough for the caches.
const PIECE: u64 = 4 * BLOCK;
/// [`PIECE`] for the tier that plays games one by one: few at a time cost nothing there, and stop sooner.
const PIECE_ONE_BY_ONE: u64 = 4 * 36;

/// Positions that an evaluator values between two calls of `stop`.
const VALUED_TOGETHER: usize = 64;

impl Trials {
    /// Plays and counts the games of these numbers, of every candidate; `None` if `stop`, which is called now and then,
    /// returns `true`.
    pub(crate) fn count(&self, games: Range<u64>, stop: &dyn Fn() -> bool) -> Option<RolloutCounts> {
        let mut counts = RolloutCounts::new(self.shape(), self.candidates.len());
        let size = match self.tier {
            Tier::Portable => PIECE_ONE_BY_ONE,
            _ => PIECE,
        };
        let mut first = games.start;
        while first < games.end {
            let piece = first..games.end.min(first + size);
            self.count_piece(&mut counts, piece.clone(), stop)?;
            first = piece.end;
        }
        Some(counts)
    }

    /// Adds games to `counts`.
    fn count_piece(&self, counts: &mut RolloutCounts, games: Range<u64>, stop: &dyn Fn() -> bool) -> Option<()> {
        let (of, candidates) = (self.strata, &self.candidates);
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
            counts.ends[candidate][strata[game]][end] += 1;
            placed[candidate][places[game]] = end as u8;
        };
        let (mut played, mut positions) = (Vec::new(), Vec::new());
        for (index, candidate) in candidates.iter().enumerate() {
            match &candidate.course {
                // Games with a cube are played otherwise.
                _ if candidate.cube.is_some() => {}
                Course::Over(outcome) => {
                    (0..strata.len()).for_each(|game| add(index, game, *outcome as usize));
                }
                Course::Played(playouts) => {
                    played.push(index);
                    positions.push(PlayedPosition {
                        playouts: *playouts,
                        players: candidate.players(&self.players),
                    });
                }
            }
        }
        let mut valued = Vec::new();
        let has_value = self.shape().valued;
        let mut take = |ended: &EndedGame, last: LastPosition<'_>| {
            let candidate = played[ended.position];
            let game = (ended.number - games.start) as usize;
            let outcome = ended.outcome;
            let outcome = outcome.map(|outcome| candidates[candidate].for_player(outcome));
            let end = outcome.map_or(UNFINISHED, |outcome| outcome as usize);
            add(candidate, game, end);
            let is_cut_off = outcome.is_none() && has_value.cut_off;
            if is_cut_off || ended.luck.is_some() {
                valued.push(ValuedGame {
                    candidate,
                    game,
                    end,
                    plies: ended.plies,
                    number: ended.number,
                    cut_off: is_cut_off.then(|| CutOff::Position(last())),
                    luck: ended.luck.map_or([0; Outcome::COUNT], corrections::of_luck),
                });
            }
        };
        match &mut counts.cubeful {
            None => play_each(&positions, &self.evaluators, self.tier, games.clone(), stop, &mut take)?,
            Some(sums) => {
                let mut values = vec![vec![0; strata.len()]; candidates.len()];
                let mut take = |candidate: usize, ended: &CubefulEnd| {
                    let game = (ended.number - games.start) as usize;
                    let of = &candidates[candidate];
                    let end = ended
                        .outcome
                        .map_or(UNFINISHED, |outcome| of.for_player(outcome) as usize);
                    add(candidate, game, end);
                    values[candidate][game] = of.cubeful_for_player(ended.cubeful);
                    if ended.value.is_none() && !has_value.luck {
                        return;
                    }
                    valued.push(ValuedGame {
                        candidate,
                        game,
                        end,
                        plies: ended.plies,
                        number: ended.number,
                        cut_off: ended.value.map(CutOff::Value),
                        luck: corrections::of_luck(ended.luck),
                    });
                };
                self.play_cubeful(games.clone(), stop, &mut take)?;
                for (game, &stratum) in strata.iter().enumerate() {
                    let of_game: Vec<i64> = values.iter().map(|values| values[game]).collect();
                    sums.add(stratum, of.class(stratum), &of_game);
                }
            }
        }
        add_products(counts, &placed, &ends_of_classes);
        if let Some(corrections) = &mut counts.corrections {
            let playouts = positions.first().map(|position| &position.playouts);
            let values = self.values(&valued, playouts, stop)?;
            let mut of_places = vec![vec![None; strata.len()]; candidates.len()];
            for (game, numbers) in valued.iter().zip(values) {
                let ValuedGame {
                    candidate, game, end, ..
                } = *game;
                let stratum = strata[game];
                corrections.add(candidate, stratum, of.class(stratum), end, &numbers);
                of_places[candidate][places[game]] = Some(numbers);
            }
            add_valued_products(corrections, &placed, &of_places, &ends_of_classes);
        }
        Some(())
    }

    /// Plays the games of these numbers with the cube of each candidate, and passes each end to `take`, with its
    /// candidate. `None` if `stop` returns `true` before the end.
    fn play_cubeful(
        &self,
        games: Range<u64>,
        stop: &dyn Fn() -> bool,
        take: &mut dyn FnMut(usize, &CubefulEnd),
    ) -> Option<()> {
        let mut first = 0;
        // Candidates of the same position differ by the cube alone.
        let is_same = |one: &Candidate, other: &Candidate| one.board == other.board;
        for alike in self.candidates.chunk_by(is_same) {
            let candidates = first..first + alike.len();
            first = candidates.end;
            let mut played = Vec::new();
            for (index, candidate) in candidates.zip(alike) {
                let cube = candidate.cube.as_ref().expect("a candidate of a rollout with a cube");
                let known = match (&candidate.course, candidate.exact) {
                    (Course::Over(outcome), _) => {
                        let outcome = outcome.reversed();
                        let model = cube.model(&candidate.board);
                        let worth = model.worth_of_end(outcome.points(), &cube.state);
                        Some((Some(outcome), None, cube.value(&model, worth, 0)))
                    }
                    (Course::Played(_), Some(exact)) => Some((None, Some(exact.value), exact.cubeful)),
                    (Course::Played(playouts), None) => {
                        played.push((index, *cube, *playouts));
                        None
                    }
                };
                if let Some((outcome, value, cubeful)) = known {
                    for number in games.clone() {
                        let end = CubefulEnd {
                            cube: 0,
                            number,
                            plies: 0,
                            outcome,
                            value,
                            luck: Shares::default(),
                            cubeful,
                        };
                        take(index, &end);
                    }
                }
            }
            if let Some((_, _, playouts)) = played.first() {
                let players = alike[0].players(&self.players);
                let mut deciders = self
                    .evaluators
                    .cube
                    .clone()
                    .expect("a rollout with a cube has deciders about it");
                if alike[0].moves.is_some() {
                    deciders.reverse();
                }
                let position = CubefulPosition {
                    playouts: *playouts,
                    players,
                    deciders,
                    evaluator: self.evaluators.evaluator.clone(),
                    luck: self.evaluators.luck.as_ref(),
                    cubes: played.iter().map(|(_, cube, _)| *cube).collect(),
                    tier: self.tier,
                };
                position.play(games.clone(), stop, &mut |end| take(played[end.cube].0, end))?;
            }
        }
        Some(())
    }

    /// The values of games, for the player whose rollout it is; `None` if `stop` returns `true` before the end. The
    /// `playouts` are those of any candidate: all have the same rules and seed.
    fn values(
        &self,
        games: &[ValuedGame],
        playouts: Option<&Playouts>,
        stop: &dyn Fn() -> bool,
    ) -> Option<Vec<Numbers>> {
        let (mut open, mut seeds, mut places) = (Vec::new(), Vec::new(), Vec::new());
        let mut of_cut_off = vec![None; games.len()];
        let cut_off = games.iter().enumerate();
        let cut_off = cut_off.filter_map(|(place, game)| Some((place, game.cut_off?)));
        for (place, cut_off) in cut_off {
            let position = match cut_off {
                CutOff::Position(position) => position,
                CutOff::Value(value) => {
                    of_cut_off[place] = Some(value);
                    continue;
                }
            };
            let playouts = playouts.expect("games that were cut off were played");
            let known = self.evaluators.known_values.as_ref();
            of_cut_off[place] = known.and_then(|known| known.value(playouts.rules(), &position));
            if of_cut_off[place].is_none() {
                open.push(position);
                // A seed for each trial: the error of an evaluator that samples differs from trial to trial, so it is
                // in the standard error; and candidates share the seeds of their trials, as they share the dice.
                seeds.push(playouts.seed_of_game(games[place].number));
                places.push(place);
            }
        }
        if !open.is_empty() {
            let playouts = playouts.expect("games that were cut off were played");
            let conditions = Conditions::new(playouts.rules(), self.tier).unless(stop);
            let evaluator = self.evaluators.evaluator.as_ref();
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
        // An evaluator that fails, such as a Python function, makes `stop` return true: its values mean nothing.
        if stop() {
            return None;
        }
        let values = games.iter().zip(of_cut_off).map(|(game, of_cut_off)| {
            let candidate = &self.candidates[game.candidate];
            let mut numbers = match of_cut_off {
                Some(value) => {
                    let numbers = value.numbers().map(i64::from);
                    candidate.value_for_player(for_first(numbers, game.plies))
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
}

/// Adds the products of games, given the end of each candidate's games; the games of a class are those up to its end.
fn add_products(counts: &mut RolloutCounts, placed: &[Vec<u8>], ends_of_classes: &[usize; CLASSES]) {
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
                let sums = &mut counts.products[pair(low, high)][value as usize];
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

/// A game of a candidate whose value is not the points of its ending.
struct ValuedGame {
    candidate: usize,
    /// Its index among the games of the piece.
    game: usize,
    /// Its number among all.
    number: u64,
    /// Its end in the counts.
    end: usize,
    plies: u32,
    /// What is left of it, seen by the player next on roll, if that is to be valued.
    cut_off: Option<CutOff>,
    /// The luck of the player who was on roll first, which is subtracted.
    luck: Numbers,
}

/// The end of a game that was cut off.
#[derive(Clone, Copy)]
enum CutOff {
    /// Its last position.
    Position(Planes),
    /// The value of that.
    Value(Probabilities),
}

/// Adds the corrections of the products of trials; the games of a class are those up to its end.
fn add_valued_products(
    corrections: &mut ValueCorrections,
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
                let sums = &mut corrections.products[pair(low, high)][value as usize];
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
