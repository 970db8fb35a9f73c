//! Examples of a supervised phase: positions of games, and their values as targets.

use core::ops::Range;
use std::sync::Arc;

use tavli_backgammon::evaluators::{EvaluationConditions, Evaluator, Probabilities};
use tavli_backgammon::policies::Policy;
use tavli_backgammon::{Planes, Playouts, Stopped, Tier};
use tavli_players::net::Outputs;
use tavli_run::{Cancel, Workers};

use crate::error::CheckpointError;
use crate::examples::Examples;
use crate::parallel_parts::{first_parts, ranges};
use crate::progress::TrainingStep;
use crate::returns::add_corrections;
use crate::saved_examples::{ExampleRows, ReadExamples, SavedExamples};
use crate::self_play_games::{Exploration, play};

/// Games that all workers play between two reports of progress.
// A training can be cancelled between two such portions.
const GAMES_AT_A_TIME: u64 = 1 << 10;
/// Positions in a worker's part.
const POSITIONS_PER_PART: u64 = 64;
/// Positions that all workers value between two reports of progress.
const POSITIONS_AT_A_TIME: usize = 1 << 10;

/// The games that give their positions as examples.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    pub(crate) playouts: Playouts,
    pub(crate) policy: Arc<dyn Policy>,
    pub(crate) exploration: Exploration,
    /// The numbers of the games.
    pub(crate) games: Range<u64>,
    /// Games that a worker plays side by side.
    pub(crate) per_batch: u64,
    /// Take every n-th position.
    pub(crate) every: usize,
}

#[derive(Clone, Debug)]
pub(crate) struct TargetEvaluators {
    pub(crate) targets: Arc<dyn Evaluator>,
    /// The evaluator: its errors correct earlier targets.
    pub(crate) before: Arc<dyn Evaluator>,
    /// The share of a later position's correction in a position's target, 0..=1.
    pub(crate) lambda: f64,
    /// How many plies later that position is.
    pub(crate) ahead: usize,
    /// Positions that a worker values at a time: those that a cancelled training loses.
    pub(crate) at_a_time: usize,
}

/// Makes examples step by step, so that a training can report and be cancelled between steps: first games are played,
/// some at a time, then their positions are valued.
#[derive(Clone, Debug)]
pub(crate) struct ExampleBuilder {
    source: Source,
    /// Games played so far.
    played: u64,
    /// Positions of these games.
    seen: usize,
    /// The positions to be valued.
    positions: Arc<Vec<Planes>>,
    /// For each position whether the next one follows it by a play of the policy.
    follows: Vec<bool>,
    /// Targets of the positions valued so far.
    targets: Vec<f32>,
    /// Their values by `before`, if targets are corrected by later ones.
    values: Vec<f32>,
    evaluators: TargetEvaluators,
    outputs: Outputs,
    /// The length of a row of targets.
    row: usize,
}

impl ExampleBuilder {
    pub(crate) fn new(
        source: Source,
        evaluators: TargetEvaluators,
        (outputs, row): (Outputs, usize),
    ) -> ExampleBuilder {
        ExampleBuilder {
            source,
            played: 0,
            seen: 0,
            positions: Arc::default(),
            follows: Vec::new(),
            targets: Vec::new(),
            values: Vec::new(),
            evaluators,
            outputs,
            row,
        }
    }

    /// Goes on from a builder that was saved.
    ///
    /// # Errors
    /// [`CheckpointError::Form`] if it is none of this source and these evaluators.
    pub(crate) fn restore(&mut self, saved: &SavedExamples, read: ReadExamples) -> Result<(), CheckpointError> {
        let ReadExamples { positions, follows, targets, values } = read;
        let games = self.source.games.end - self.source.games.start;
        let has_values = values.len() == targets.len();
        if saved.played > games
            || saved.played < games && !targets.is_empty()
            || !targets.is_empty() && has_values != self.is_corrected()
        {
            return Err(CheckpointError::Form("its examples are of another phase".to_owned()));
        }
        (self.played, self.seen) = (saved.played, saved.seen);
        (self.positions, self.follows) = (Arc::new(positions), follows);
        (self.targets, self.values) = (targets, values);
        Ok(())
    }

    /// Saves the builder for [`ExampleBuilder::restore`].
    pub(crate) fn save(&self, bytes: &mut Vec<u8>) -> SavedExamples {
        let rows = ExampleRows {
            positions: &self.positions,
            follows: &self.follows,
            targets: &self.targets,
            values: &self.values,
        };
        let state = (false, self.played, self.seen);
        SavedExamples::write(bytes, rows, (self.outputs.count(), self.row), state)
    }

    /// The next step, how many games or positions are done, and of how many.
    pub(crate) fn progress(&self) -> (TrainingStep, u64, u64) {
        let games = self.source.games.end - self.source.games.start;
        if self.played < games {
            return (TrainingStep::Play, self.played, games);
        }
        let valued = self.targets.len() / self.row;
        (TrainingStep::Value, valued as u64, self.positions.len() as u64)
    }

    /// Makes the next step, unless it is cancelled. Returns the examples when all are made.
    pub(crate) fn advance(&mut self, workers: &Workers, tier: Tier, cancel: &Cancel) -> Option<Examples> {
        match self.progress() {
            (TrainingStep::Play, played, _) => {
                self.play(workers, tier, played, cancel);
                None
            }
            (_, valued, all) => {
                self.value(workers, tier, valued as usize, cancel);
                (self.targets.len() / self.row == all as usize).then(|| self.examples())
            }
        }
    }

    /// The examples, once all positions are valued.
    fn examples(&mut self) -> Examples {
        let mut examples = Examples {
            positions: self.positions.to_vec(),
            targets: core::mem::take(&mut self.targets),
            games: Vec::new(),
        };
        if self.is_corrected() {
            let (row, every) = (self.row, self.source.every);
            let lambda = self.evaluators.lambda as f32;
            let (values, follows) = (&self.values, &self.follows);
            add_corrections(self.outputs, (lambda, self.evaluators.ahead), row, values, follows, &mut examples.targets);
            examples = Examples {
                positions: examples.positions.into_iter().step_by(every).collect(),
                targets: (examples.targets.chunks_exact(row).step_by(every)).flatten().copied().collect(),
                ..examples
            };
        }
        examples
    }

    /// Whether targets are corrected by later ones. Then all positions are valued, whatever `every` is.
    fn is_corrected(&self) -> bool {
        self.evaluators.lambda > 0.0
    }

    fn play(&mut self, workers: &Workers, tier: Tier, played: u64, cancel: &Cancel) {
        let from = self.source.games.start + played;
        let to = self.source.games.end.min(from + GAMES_AT_A_TIME);
        let (source, stop) = (self.source.clone(), cancel.clone());
        // If cancelled, the games after the last that were played in a row are played again.
        let parts = first_parts((workers, cancel), ranges(from..to, source.per_batch), move |numbers| {
            let Source { playouts, policy, exploration, .. } = &source;
            let is_cancelled = || stop.is_cancelled();
            play(playouts, tier, &**policy, exploration, numbers.clone(), &is_cancelled)
        });
        let takes_all = self.is_corrected();
        // No copy is made: workers share the positions only once all games are played.
        let positions = Arc::make_mut(&mut self.positions);
        for game in parts.into_iter().flatten() {
            self.played += 1;
            let last = game.positions.len() - 1;
            for (ply, position) in game.positions.into_iter().enumerate() {
                if takes_all || self.seen.is_multiple_of(self.source.every) {
                    positions.push(position);
                    self.follows.push(ply < last && !game.explored[ply]);
                }
                self.seen += 1;
            }
        }
    }

    fn value(&mut self, workers: &Workers, tier: Tier, from: usize, cancel: &Cancel) {
        let evaluators = match self.is_corrected() {
            false => vec![Arc::clone(&self.evaluators.targets)],
            true => vec![Arc::clone(&self.evaluators.targets), Arc::clone(&self.evaluators.before)],
        };
        let to = self.positions.len().min(from + POSITIONS_AT_A_TIME);
        let playouts = self.source.playouts;
        let positions = Arc::clone(&self.positions);
        let (outputs, row, stop) = (self.outputs, self.row, cancel.clone());
        let at_a_time = self.evaluators.at_a_time;
        let ranges = ranges(from as u64..to as u64, POSITIONS_PER_PART);
        let parts = first_parts((workers, cancel), ranges.clone(), move |numbers| {
            let positions = &positions[numbers.start as usize..numbers.end as usize];
            // Evaluators that play games get a seed for each position: with the same dice for all, the same sides would
            // be lucky everywhere. A net trained that way lost 0.019 ± 0.005 points a game (profiles/LOG.md,
            // 2026-11-23).
            let seeds: Vec<u64> = numbers.clone().map(|number| playouts.seed_of_game(number)).collect();
            let is_cancelled = || stop.is_cancelled();
            let conditions = EvaluationConditions::new(playouts.rules(), tier).with_stop(&is_cancelled);
            let mut of_part = vec![Vec::new(); evaluators.len()];
            for (positions, seeds) in positions.chunks(at_a_time).zip(seeds.chunks(at_a_time)) {
                let conditions = conditions.seeded(Some(seeds));
                let valued = evaluators.iter().map(|evaluator| evaluator.evaluated(&conditions, positions));
                let Ok(valued) = valued.collect::<Result<Vec<_>, Stopped>>() else {
                    break;
                };
                for (of_part, values) in of_part.iter_mut().zip(valued) {
                    of_part.extend(rows(outputs, row, &values));
                }
            }
            Some(of_part)
        });
        for (numbers, of_part) in ranges.into_iter().zip(parts) {
            let valued = of_part[0].len() / row;
            for (all, rows) in [&mut self.targets, &mut self.values].into_iter().zip(of_part) {
                all.extend(rows);
            }
            if (valued as u64) < numbers.end - numbers.start {
                break; // It was cancelled: the positions from here on are valued again.
            }
        }
    }
}

/// Values as targets of a net's outputs, in rows of `row`, padded with 0.
fn rows(outputs: Outputs, row: usize, values: &[Probabilities]) -> Vec<f32> {
    let mut rows = vec![0.0; values.len() * row];
    for (row, value) in rows.chunks_exact_mut(row).zip(values) {
        for (output, set) in row.iter_mut().zip(outputs.outcomes()) {
            let sum: f64 = set.iter().map(|&outcome| value.probability(outcome)).sum();
            *output = sum as f32;
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use core::sync::atomic::{AtomicUsize, Ordering};

    use tavli_backgammon::RuleSet;
    use tavli_backgammon::evaluators::Sampled;
    use tavli_backgammon::policies::Uniform;

    use super::*;

    /// Values positions by a few games, and throws a switch at one of them.
    #[derive(Debug)]
    struct Interrupting {
        sampled: Sampled,
        valued: AtomicUsize,
        at: usize,
        cancel: Cancel,
    }

    impl Evaluator for Interrupting {
        fn name(&self) -> &str {
            "interrupting"
        }

        fn estimate(
            &self,
            conditions: &EvaluationConditions<'_>,
            positions: &[Planes],
            values: &mut [Probabilities],
        ) -> Result<(), Stopped> {
            conditions.check()?;
            if self.valued.fetch_add(positions.len(), Ordering::Relaxed) == self.at {
                self.cancel.cancel();
            }
            self.sampled.estimate(&EvaluationConditions::new(conditions.rules(), conditions.tier()), positions, values)
        }
    }

    const ROW: usize = 8;

    /// A builder whose switch is thrown while it values the position of this number.
    fn builder(lambda: f64, at: usize) -> (ExampleBuilder, Cancel) {
        let rules = RuleSet::Backgammon;
        let source = Source {
            playouts: Playouts::new(rules.start(), rules, 4).expect("the start"),
            policy: Arc::new(Uniform),
            exploration: Exploration::default(),
            games: 5..13,
            per_batch: 3,
            every: 2,
        };
        let (cancel, sampled) = (Cancel::new(), "sampled:2".parse().expect("a name"));
        let valued = AtomicUsize::new(0);
        let targets: Arc<dyn Evaluator> = Arc::new(Interrupting { sampled, valued, at, cancel: cancel.clone() });
        let evaluators =
            TargetEvaluators { targets, before: Arc::new(Sampled::default()), lambda, ahead: 1, at_a_time: 1 };
        (ExampleBuilder::new(source, evaluators, (Outputs::Cumulative, ROW)), cancel)
    }

    /// Goes on to the end, or until the switch is thrown.
    fn made(builder: &mut ExampleBuilder, cancel: &Cancel) -> Option<Examples> {
        while !cancel.is_cancelled() {
            let examples = builder.advance(&Workers::here(), Tier::best(), cancel);
            if examples.is_some() {
                return examples;
            }
        }
        None
    }

    #[test]
    fn what_was_valued_before_an_interruption_is_kept() {
        for lambda in [0.0, 0.7] {
            let (mut whole, cancel) = builder(lambda, usize::MAX);
            let whole = made(&mut whole, &cancel).expect("nothing stops it");
            for at in [0, 1, 63, 64, 200] {
                let (mut first, cancel) = builder(lambda, at);
                assert!(made(&mut first, &cancel).is_none());
                // The position in which the switch was thrown was valued to its end, unless another evaluator is asked
                // about it, too.
                let kept = if lambda > 0.0 { at } else { at + 1 };
                let (step, valued, of) = first.progress();
                assert_eq!((step, valued), (TrainingStep::Value, kept as u64), "of {of}, lambda {lambda}");
                let mut bytes = Vec::new();
                let saved = first.save(&mut bytes);
                let (mut next, cancel) = builder(lambda, usize::MAX);
                let outputs = Outputs::Cumulative.count();
                let read = saved.read(&mut &bytes[..], RuleSet::Backgammon, (outputs, ROW));
                next.restore(&saved, read.expect("it is whole")).expect("the same phase");
                let examples = made(&mut next, &cancel).expect("nothing stops it");
                assert!(examples.positions == whole.positions && examples.targets == whole.targets);
            }
        }
    }
}
