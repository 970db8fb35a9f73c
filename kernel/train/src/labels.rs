//! Positions of self-play, and their values.

use core::ops::Range;
use core::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::Arc;

use tavli_backgammon::evaluators::{Evaluator, Probabilities};
use tavli_backgammon::policies::Policy;
use tavli_backgammon::{Outcome, Planes, Playouts, RuleSet, Tier};
use tavli_players::net::Outputs;
use tavli_run::Workers;

use crate::examples::Examples;
use crate::games::play;

/// Games that a worker plays side by side.
const GAMES: u64 = 32;
/// Positions that a worker values at a time.
const POSITIONS: usize = 64;
/// Positions that are valued between two looks at the switch.
const AT_A_TIME: usize = 1 << 13;

/// Each `every`th position of games, in their order. A share `strays` of the plays is drawn at random.
pub(crate) fn positions(
    workers: &Workers,
    playouts: Playouts,
    policy: Arc<dyn Policy>,
    strays: f64,
    games: Range<u64>,
    every: usize,
) -> Vec<Planes> {
    let next = AtomicU64::new(games.start);
    let parts = workers.each(move |_| {
        let mut parts = Vec::new();
        loop {
            let first = next.fetch_add(GAMES, Ordering::Relaxed);
            if first >= games.end {
                return parts;
            }
            let numbers = first..games.end.min(first + GAMES);
            let played = play(&playouts, &*policy, strays, numbers);
            let positions: Vec<Planes> =
                played.into_iter().flat_map(|game| game.positions).collect();
            parts.push((first, positions));
        }
    });
    let mut parts: Vec<_> = parts.into_iter().flatten().collect();
    parts.sort_unstable_by_key(|part| part.0);
    let all = parts.into_iter().flat_map(|part| part.1);
    all.step_by(every).collect()
}

/// Positions on their way to examples: an evaluator values some, then some more.
#[derive(Clone, Debug)]
pub(crate) struct Labels {
    positions: Arc<Vec<Planes>>,
    /// For the first of the positions.
    targets: Vec<f32>,
    evaluator: Arc<dyn Evaluator>,
    outputs: Outputs,
    /// The length of a row of targets.
    row: usize,
}

impl Labels {
    /// Positions that have no values yet.
    pub(crate) fn new(
        positions: Vec<Planes>,
        evaluator: Arc<dyn Evaluator>,
        (outputs, row): (Outputs, usize),
    ) -> Labels {
        Labels {
            positions: Arc::new(positions),
            targets: Vec::new(),
            evaluator,
            outputs,
            row,
        }
    }

    /// Positions that have values, and all.
    pub(crate) fn progress(&self) -> (usize, usize) {
        (self.targets.len() / self.row, self.positions.len())
    }

    /// Values the next positions. Returns the examples if all have values now.
    pub(crate) fn go_on(
        &mut self,
        workers: &Workers,
        rules: RuleSet,
        tier: Tier,
    ) -> Option<Examples> {
        let (from, all) = self.progress();
        let to = all.min(from + AT_A_TIME);
        let next = AtomicUsize::new(from);
        let (positions, evaluator) = (Arc::clone(&self.positions), Arc::clone(&self.evaluator));
        let (outputs, row) = (self.outputs, self.row);
        let parts = workers.each(move |_| {
            let mut parts = Vec::new();
            let mut values = [Probabilities::certain(Outcome::WinSingle); POSITIONS];
            loop {
                let first = next.fetch_add(POSITIONS, Ordering::Relaxed);
                if first >= to {
                    return parts;
                }
                let positions = &positions[first..to.min(first + POSITIONS)];
                let values = &mut values[..positions.len()];
                evaluator.evaluate(rules, tier, positions, values);
                let mut targets = vec![0.0; positions.len() * row];
                for (targets, value) in targets.chunks_exact_mut(row).zip(values) {
                    for (target, set) in targets.iter_mut().zip(outputs.outcomes()) {
                        let sum: f64 = set.iter().map(|&outcome| value.of(outcome)).sum();
                        *target = sum as f32;
                    }
                }
                parts.push((first, targets));
            }
        });
        let mut parts: Vec<_> = parts.into_iter().flatten().collect();
        parts.sort_unstable_by_key(|part| part.0);
        self.targets
            .extend(parts.into_iter().flat_map(|part| part.1));
        (to == all).then(|| Examples {
            positions: self.positions.to_vec(),
            targets: core::mem::take(&mut self.targets),
        })
    }
}
