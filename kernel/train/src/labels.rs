//! Positions of self-play, and what a teacher says of them.

use core::ops::Range;
use core::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::Arc;

use tavli_backgammon::evaluators::{Evaluator, Probabilities};
use tavli_backgammon::policies::Policy;
use tavli_backgammon::{Outcome, Planes, Playouts, Tier};
use tavli_players::net::Outputs;
use tavli_run::{Cancel, Workers};

use crate::examples::Examples;
use crate::games::play;

/// Games that a worker plays side by side.
const GAMES: u64 = 32;
/// Positions that a teacher values at a time.
const POSITIONS: usize = 64;

/// Each `every`th position of games, in their order.
pub(crate) fn positions(
    workers: &Workers,
    playouts: Playouts,
    policy: Arc<dyn Policy>,
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
            let played = play(&playouts, &*policy, numbers);
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

/// The positions with the teacher's values as targets, in rows of `row`; `None` if it was cancelled.
pub(crate) fn label(
    workers: &Workers,
    playouts: &Playouts,
    tier: Tier,
    cancel: &Cancel,
    teacher: Arc<dyn Evaluator>,
    (outputs, row): (Outputs, usize),
    positions: Vec<Planes>,
) -> Option<Examples> {
    let rules = playouts.rules();
    let all = Arc::new(positions);
    let (shared, next, stop) = (Arc::clone(&all), AtomicUsize::new(0), cancel.clone());
    let parts = workers.each(move |_| {
        let mut parts = Vec::new();
        let mut values = [Probabilities::certain(Outcome::WinSingle); POSITIONS];
        while !stop.is_cancelled() {
            let first = next.fetch_add(POSITIONS, Ordering::Relaxed);
            if first >= shared.len() {
                break;
            }
            let positions = &shared[first..shared.len().min(first + POSITIONS)];
            let values = &mut values[..positions.len()];
            teacher.evaluate(rules, tier, positions, values);
            let mut targets = vec![0.0; positions.len() * row];
            for (targets, value) in targets.chunks_exact_mut(row).zip(values) {
                for (target, set) in targets.iter_mut().zip(outputs.outcomes()) {
                    let sum: f64 = set.iter().map(|&outcome| value.of(outcome)).sum();
                    *target = sum as f32;
                }
            }
            parts.push((first, targets));
        }
        parts
    });
    let mut parts: Vec<_> = parts.into_iter().flatten().collect();
    parts.sort_unstable_by_key(|part| part.0);
    let targets: Vec<f32> = parts.into_iter().flat_map(|part| part.1).collect();
    let positions = Arc::try_unwrap(all).unwrap_or_else(|all| (*all).clone());
    (targets.len() == positions.len() * row).then_some(Examples { positions, targets })
}
