//! The values of games that were cut off or have luck to subtract.

use tavli_backgammon::Outcome;
use tavli_backgammon::evaluators::{Conditions, Probabilities};

use crate::ask::candidate::Candidate;
use crate::play::trials::{CutOff, TrialRunner, ValuedGame};
use crate::value::{OutcomeValues, UNIT, for_first};

/// Positions that an evaluator values between two calls of `stop`.
const POSITIONS_PER_BATCH: usize = 64;

impl TrialRunner {
    /// The values of games for the player whose rollout it is; `None` if `stop` returns `true` before the end.
    pub(crate) fn values(&self, games: &[ValuedGame], stop: &dyn Fn() -> bool) -> Option<Vec<OutcomeValues>> {
        let of_cut_off = self.values_of_cut_off(games, stop)?;
        // An evaluator that fails, such as a Python function, makes `stop` return true: its values mean nothing.
        if stop() {
            return None;
        }
        let games = games.iter().zip(of_cut_off);
        Some(games.map(|(game, of_cut_off)| self.value(game, of_cut_off)).collect())
    }

    /// The value of a game for the player whose rollout it is, given the value of its last position if it was cut off.
    fn value(&self, game: &ValuedGame, of_cut_off: Option<Probabilities>) -> OutcomeValues {
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
    }

    /// The value of the last position of each game that was cut off, for the player next on roll: known, or the
    /// evaluator's.
    fn values_of_cut_off(&self, games: &[ValuedGame], stop: &dyn Fn() -> bool) -> Option<Vec<Option<Probabilities>>> {
        let mut of_games = vec![None; games.len()];
        // All candidates have the same rules and seed.
        let Some(playouts) = self.candidates.iter().find_map(Candidate::playouts) else {
            return Some(of_games);
        };
        let known_values = self.evaluators.known_values.as_ref();
        let (mut open, mut seeds, mut positions) = (Vec::new(), Vec::new(), Vec::new());
        for ((index, game), of_game) in games.iter().enumerate().zip(&mut of_games) {
            *of_game = match game.cut_off {
                None => None,
                Some(CutOff::Value(value)) => Some(value),
                Some(CutOff::Position(position)) => {
                    let known = known_values.and_then(|known| known.value(playouts.rules(), &position));
                    if known.is_none() {
                        open.push(index);
                        // A seed for each trial: the error of an evaluator that samples differs from trial to trial, so
                        // it is in the standard error; and candidates share the seeds of their trials, as they share
                        // the dice.
                        seeds.push(playouts.seed_of_game(game.number));
                        positions.push(position);
                    }
                    known
                }
            };
        }
        if positions.is_empty() {
            return Some(of_games);
        }
        let conditions = Conditions::new(playouts.rules(), self.tier).unless(stop);
        let evaluator = self.evaluators.truncated_games.as_ref();
        let evaluator = evaluator.expect("games go on to an end that is known, or to an evaluator");
        let mut values = vec![Probabilities::certain(Outcome::WinSingle); positions.len()];
        let together = positions
            .chunks(POSITIONS_PER_BATCH)
            .zip(seeds.chunks(POSITIONS_PER_BATCH))
            .zip(values.chunks_mut(POSITIONS_PER_BATCH));
        for ((positions, seeds), values) in together {
            conditions.check().ok()?;
            let conditions = conditions.seeded(Some(seeds));
            evaluator.evaluate(&conditions, positions, values).ok()?;
        }
        for (index, value) in open.into_iter().zip(values) {
            of_games[index] = Some(value);
        }
        Some(of_games)
    }
}
