//! The runner of trials: games played to their ends, counted, and valued where they were cut off or have luck to
//! subtract.
//!
//! Tested by `tests/suite/playing.rs`; with cut-off games by `tests/suite/truncation.rs`.

use core::ops::Range;
use std::sync::Arc;

use tavli_backgammon::evaluators::{EvaluationConditions, Probabilities};
use tavli_backgammon::policies::PolicyPair;
use tavli_backgammon::{Outcome, Planes, Side, Tier};
use tavli_players::{LuckShares, cubeful_evaluator};
use tavli_playouts::first_games_a_worker;
use tavli_trials::{PlayTrials, TRIALS_PER_BLOCK};

use crate::ask::candidate::{Candidate, CandidateGames};
use crate::ask::checked_request::CheckedRequest;
use crate::ask::evaluators::{Evaluators, ValueKinds};
use crate::estimate::corrections;
use crate::estimate::counts::{CountedValues, RolloutCounts};
use crate::estimate::doubles_class_order::DoublesClassOrder;
use crate::game_value::{OutcomeShares, UNFINISHED, UNIT, seen_by_first_player};
use crate::play::cubeful::{CubefulPosition, FinishedCubefulGame};
use crate::play::games_of_trials::{FinishedGame, LastPosition, PlayedPosition, play_each};
use crate::play::played_trials::PlayedTrials;

/// Games whose records are kept at a time: enough to keep a batch full, few enough for the caches.
// 4 blocks are 5,184 trials: 2.5 games for each of the 2,048 lanes of the widest batch. Whole blocks, since a block of
// trials is not divided. Other multiples were not measured.
const CHUNK: u64 = 4 * TRIALS_PER_BLOCK;
/// [`CHUNK`] for the tier that plays games one by one: small chunks cost nothing there, and stop sooner.
const CHUNK_ONE_BY_ONE: u64 = 4 * 36;
/// Positions that an evaluator values between two calls of `stop`.
const POSITIONS_PER_STOP_CHECK: usize = 64;

/// The trials of a rollout, and how they are played.
#[derive(Clone, Debug)]
pub struct TrialRunner {
    pub(crate) candidates: Arc<[Candidate]>,
    pub(crate) players: PolicyPair,
    pub(crate) evaluators: Evaluators,
    pub(crate) counted_values: CountedValues,
    pub(crate) tier: Tier,
}

/// How the games of some trials ended, for the player whose rollout it is.
pub(crate) struct TrialOutcomes<'a> {
    candidates: &'a [Candidate],
    order: &'a DoublesClassOrder,
    /// Which games are kept in `valued`.
    value_kinds: ValueKinds,
    /// The result of each candidate's games, in the order of classes.
    pub(crate) results: Vec<Vec<u8>>,
    /// The games whose values are not the points of their results.
    pub(crate) valued: Vec<ValuedGame>,
    /// With a cube, the value of each candidate's game, trial by trial; otherwise empty.
    pub(crate) cubeful: Vec<i64>,
}

/// A game whose value is not the points of its result.
pub(crate) struct ValuedGame {
    /// The index of its candidate.
    pub(crate) candidate: usize,
    /// The number of its trial.
    pub(crate) trial: u64,
    /// Its result in the counts.
    pub(crate) result: usize,
    pub(crate) plies: u32,
    /// What gives the game its value in place of a result; `None` if its outcome counts.
    pub(crate) cut_off: Option<CutOff>,
    /// The luck of the player who was on roll first, which is subtracted.
    pub(crate) luck: OutcomeShares,
}

/// What gives a game its value where the rules did not end it: it was cut off, or its value became known.
#[derive(Clone, Copy)]
pub(crate) enum CutOff {
    /// Its last position, seen by the player next on roll.
    Position(Planes),
    /// The value of its last position.
    Value(Probabilities),
}

impl PlayTrials for TrialRunner {
    type Counts = RolloutCounts;

    fn candidates(&self) -> usize {
        self.candidates.len()
    }

    fn play(&self, trials: Range<u64>, stop: &dyn Fn() -> bool) -> Option<RolloutCounts> {
        let mut counts = RolloutCounts::new(self.counted_values, self.candidates.len());
        let size = match self.tier {
            Tier::Portable => CHUNK_ONE_BY_ONE,
            _ => CHUNK,
        };
        let mut first = trials.start;
        while first < trials.end {
            let chunk = first..trials.end.min(first + size);
            first = chunk.end;
            self.play_chunk(&mut counts, chunk, stop)?;
        }
        Some(counts)
    }

    // An evaluator may take some milliseconds for a position, and measuring luck for a ply.
    fn first_trials_a_worker(&self) -> u64 {
        match &self.evaluators {
            Evaluators { truncated_games: None, luck: None, .. } => first_games_a_worker(self.tier, &self.players),
            _ => 1,
        }
    }

    fn memory(&self) -> usize {
        RolloutCounts::new(self.counted_values, self.candidates.len()).memory()
    }
}

impl TrialRunner {
    /// The runner for the candidates that are still played after these trials.
    pub(crate) fn new(checked: &CheckedRequest, played: &PlayedTrials, tier: Tier) -> TrialRunner {
        let playing = played.rounds().playing().iter();
        TrialRunner {
            candidates: playing.map(|&at| checked.candidates[at].clone()).collect(),
            players: checked.players.clone(),
            evaluators: checked.evaluators(),
            counted_values: played.rounds().counted_values(),
            tier,
        }
    }

    /// Adds these trials to `counts`.
    fn play_chunk(&self, counts: &mut RolloutCounts, trials: Range<u64>, stop: &dyn Fn() -> bool) -> Option<()> {
        let order = DoublesClassOrder::new(self.counted_values.strata, trials);
        let outcomes = self.play_games(&order, stop)?;
        counts.add_trials(&order, &outcomes.results);
        if let Some(cubeful) = &mut counts.cubeful {
            cubeful.add_trials(&order, &outcomes.cubeful);
        }
        if let Some(corrections) = &mut counts.corrections {
            let values = self.values(&outcomes.valued, stop)?;
            let games = outcomes.valued.iter().zip(values);
            let games = games.map(|(game, shares)| (game.candidate, game.trial, shares));
            corrections.add_trials(&order, &outcomes.results, games);
        }
        Some(())
    }

    /// Plays the games of some trials, of every candidate; `None` if `stop` returns `true` before the end.
    pub(crate) fn play_games<'a>(
        &'a self,
        order: &'a DoublesClassOrder,
        stop: &dyn Fn() -> bool,
    ) -> Option<TrialOutcomes<'a>> {
        let value_kinds = self.counted_values.value_kinds;
        let candidates = &self.candidates[..];
        let mut outcomes = TrialOutcomes {
            candidates,
            order,
            value_kinds,
            results: vec![vec![0; order.len()]; candidates.len()],
            valued: Vec::new(),
            cubeful: vec![0; usize::from(value_kinds.cube) * order.len() * candidates.len()],
        };
        match value_kinds.cube {
            false => self.play_without_cube(&mut outcomes, stop)?,
            true => self.play_cubeful_games(&mut outcomes, stop)?,
        }
        Some(outcomes)
    }

    /// Plays all candidates in one batch. A play that ends the game has that result in every trial. A play with a known
    /// value ends its games there.
    fn play_without_cube(&self, outcomes: &mut TrialOutcomes<'_>, stop: &dyn Fn() -> bool) -> Option<()> {
        let (mut played, mut positions) = (Vec::new(), Vec::new());
        for (index, candidate) in self.candidates.iter().enumerate() {
            match &candidate.games {
                CandidateGames::Over(outcome) => outcomes.results[index].fill(*outcome as u8),
                CandidateGames::Played(_) if candidate.is_known => {
                    for trial in outcomes.order.trials() {
                        let game = FinishedGame {
                            position: index,
                            trial,
                            outcome: None,
                            plies: 0,
                            luck: self.evaluators.luck.is_some().then(LuckShares::default),
                        };
                        outcomes.add_game(index, &game, &|| candidate.board.into());
                    }
                }
                CandidateGames::Played(playouts) => {
                    played.push(index);
                    positions.push(PlayedPosition { playouts: *playouts, players: candidate.players(&self.players) });
                }
            }
        }
        let games = outcomes.order.trials();
        let mut take =
            |game: &FinishedGame, last: LastPosition<'_>| outcomes.add_game(played[game.position], game, last);
        play_each(&positions, &self.evaluators, self.tier, games, stop, &mut take)
    }

    /// Plays candidates of the same position, which differ only by the cube, on one course of plays, unless plays are
    /// chosen with the cube.
    fn play_cubeful_games(&self, outcomes: &mut TrialOutcomes<'_>, stop: &dyn Fn() -> bool) -> Option<()> {
        let games = outcomes.order.trials();
        let mut first = 0;
        let players = [Side::OnRoll, Side::Opponent].map(|player| self.players.policy(player));
        let are_alike = players.into_iter().all(|policy| cubeful_evaluator(&**policy).is_none());
        let is_same = |one: &Candidate, other: &Candidate| are_alike && one.board == other.board;
        for alike in self.candidates.chunk_by(is_same) {
            let mut played = Vec::new();
            for (index, candidate) in (first..).zip(alike) {
                let cube = candidate.cube.as_ref().expect("a candidate of a rollout with a cube");
                let (outcome, value, cubeful) = match (&candidate.games, candidate.exact) {
                    (CandidateGames::Over(outcome), _) => {
                        // The end is seen by the player who made the play, and the opponent is on roll first.
                        let outcome = outcome.reversed();
                        let model = cube.model(&candidate.board);
                        let cubeful_value = model.value_of_end(outcome.points(), &cube.state);
                        (Some(outcome), None, cube.value(&model, cubeful_value, 0))
                    }
                    (CandidateGames::Played(_), Some(exact)) => (None, Some(exact.value), exact.cubeful),
                    (CandidateGames::Played(playouts), None) => {
                        played.push((index, *cube, *playouts));
                        continue;
                    }
                };
                for trial in games.clone() {
                    let game = FinishedCubefulGame {
                        cube: 0,
                        trial,
                        plies: 0,
                        outcome,
                        value,
                        luck: LuckShares::default(),
                        cubeful,
                    };
                    outcomes.add_cubeful_game(index, &game);
                }
            }
            first += alike.len();
            let Some((_, _, playouts)) = played.first() else {
                continue;
            };
            let deciders = self.evaluators.cube_decisions.clone();
            let mut deciders = deciders.expect("a rollout with a cube has deciders about it");
            if alike[0].moves.is_some() {
                // After a play the opponent is on roll first.
                deciders.reverse();
            }
            let position = CubefulPosition {
                playouts: *playouts,
                players: alike[0].players(&self.players),
                deciders,
                evaluator: self.evaluators.truncated_games.clone(),
                luck: self.evaluators.luck.as_ref(),
                cubes: played.iter().map(|(_, cube, _)| *cube).collect(),
                tier: self.tier,
            };
            let mut take = |game: &FinishedCubefulGame| outcomes.add_cubeful_game(played[game.cube].0, game);
            position.play(games.clone(), stop, &mut take)?;
        }
        Some(())
    }

    /// The values of games for the player whose rollout it is; `None` if `stop` returns `true` before the end.
    pub(crate) fn values(&self, games: &[ValuedGame], stop: &dyn Fn() -> bool) -> Option<Vec<OutcomeShares>> {
        let last_values = self.last_position_values(games, stop)?;
        // An evaluator that fails, such as a Python function, has no other way to say so than to make `stop` return
        // true: its values mean nothing.
        if stop() {
            return None;
        }
        let games = games.iter().zip(last_values);
        Some(games.map(|(game, last_value)| self.value(game, last_value)).collect())
    }

    /// The value of a game for the player whose rollout it is, given the value of its last position if it was cut off.
    fn value(&self, game: &ValuedGame, last_value: Option<Probabilities>) -> OutcomeShares {
        let candidate = &self.candidates[game.candidate];
        let mut shares = match last_value {
            Some(value) => {
                let shares = value.numbers().map(i64::from);
                candidate.value_for_player(seen_by_first_player(shares, game.plies))
            }
            None => core::array::from_fn(|outcome| if outcome == game.result { UNIT } else { 0 }),
        };
        let luck = candidate.value_for_player(game.luck);
        for (share, luck) in shares.iter_mut().zip(luck) {
            *share -= luck;
        }
        candidate.clamp_to_possible_outcomes(&mut shares);
        shares
    }

    /// The value of the last position of each game that was cut off, for the player next on roll: known, or the
    /// evaluator's.
    fn last_position_values(
        &self,
        games: &[ValuedGame],
        stop: &dyn Fn() -> bool,
    ) -> Option<Vec<Option<Probabilities>>> {
        let mut last_values = vec![None; games.len()];
        // All candidates have the same rules and seed.
        let Some(playouts) = self.candidates.iter().find_map(Candidate::playouts) else {
            return Some(last_values);
        };
        let known_values = self.evaluators.known_values.as_ref();
        let (mut open, mut seeds, mut positions) = (Vec::new(), Vec::new(), Vec::new());
        for ((index, game), last_value) in games.iter().enumerate().zip(&mut last_values) {
            *last_value = match game.cut_off {
                None => None,
                Some(CutOff::Value(value)) => Some(value),
                Some(CutOff::Position(position)) => {
                    let known = known_values.and_then(|known| known.value(playouts.rules(), &position));
                    if known.is_none() {
                        open.push(index);
                        // A seed for each trial: the error of an evaluator that samples differs from trial to trial, so
                        // it is in the standard error; and candidates share the seeds of their trials, as they share
                        // the dice.
                        seeds.push(playouts.seed_of_game(game.trial));
                        positions.push(position);
                    }
                    known
                }
            };
        }
        if positions.is_empty() {
            return Some(last_values);
        }
        let conditions = EvaluationConditions::new(playouts.rules(), self.tier).with_stop(stop);
        let evaluator = self.evaluators.truncated_games.as_ref();
        let evaluator = evaluator.expect("games go on to an end that is known, or to an evaluator");
        let mut values = vec![Probabilities::certain(Outcome::WinSingle); positions.len()];
        let batches = positions
            .chunks(POSITIONS_PER_STOP_CHECK)
            .zip(seeds.chunks(POSITIONS_PER_STOP_CHECK))
            .zip(values.chunks_mut(POSITIONS_PER_STOP_CHECK));
        for ((positions, seeds), values) in batches {
            conditions.check().ok()?;
            let conditions = conditions.seeded(Some(seeds));
            evaluator.evaluate(&conditions, positions, values).ok()?;
        }
        for (index, value) in open.into_iter().zip(values) {
            last_values[index] = Some(value);
        }
        Some(last_values)
    }
}

impl TrialOutcomes<'_> {
    /// Adds a game of a candidate without cube.
    fn add_game(&mut self, candidate: usize, game: &FinishedGame, last: LastPosition<'_>) {
        let is_cut_off = game.outcome.is_none() && self.value_kinds.cut_off;
        let result = self.set_outcome(candidate, game.trial, game.outcome);
        if is_cut_off || game.luck.is_some() {
            self.valued.push(ValuedGame {
                candidate,
                trial: game.trial,
                result,
                plies: game.plies,
                cut_off: is_cut_off.then(|| CutOff::Position(last())),
                luck: game.luck.map_or([0; Outcome::COUNT], corrections::luck_in_units),
            });
        }
    }

    /// Adds a game of a candidate with its cube.
    fn add_cubeful_game(&mut self, candidate: usize, game: &FinishedCubefulGame) {
        let index = (game.trial - self.order.trials().start) as usize;
        self.cubeful[index * self.candidates.len() + candidate] =
            self.candidates[candidate].cubeful_for_player(game.cubeful);
        let result = self.set_outcome(candidate, game.trial, game.outcome);
        if game.value.is_some() || self.value_kinds.luck {
            self.valued.push(ValuedGame {
                candidate,
                trial: game.trial,
                result,
                plies: game.plies,
                cut_off: game.value.map(CutOff::Value),
                luck: corrections::luck_in_units(game.luck),
            });
        }
    }

    /// Keeps and returns the result of a game, given its outcome for the first player on roll.
    fn set_outcome(&mut self, candidate: usize, trial: u64, outcome: Option<Outcome>) -> usize {
        let for_player = |outcome| self.candidates[candidate].for_player(outcome) as usize;
        let result = outcome.map_or(UNFINISHED, for_player);
        self.results[candidate][self.order.index(trial)] = result as u8;
        result
    }
}
