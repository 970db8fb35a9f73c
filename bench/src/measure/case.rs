//! A case of a recipe at work: warmed up, repeated, checked.

use core::num::NonZeroUsize;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tavli::named::NamedError;
use tavli::plays::reference;
use tavli::policies::PolicyPair;
use tavli::run::{Cancel, Cpus, GameNumbersError, Pinning, Placement, Workers, WorkersError};
use tavli::search::SearchSettings;
use tavli::{Board, PlayoutError, Playouts, RuleSet, Tier};

use super::choices::{self, Choices};
use super::searches::Searches;
use super::work::{Games, Job, Results, SITUATIONS, Work};
use super::worker_set::WorkerSet;
use crate::binding::Binding;
use crate::machine::user_and_system_seconds;
use crate::measure::error::{CaseError, MeasureError};
use crate::recipe::{Case, PlacedCase, Recipe, Workload};
use crate::record::{CaseRecord, Check, Repetition, Searched};
use crate::situations::{Situation, sample};

/// A case at work.
pub(super) struct RunningCase {
    pub(super) record: CaseRecord,
    job: Job,
    /// The amount of work in a repetition: games per position, rounds of runs, simulations of a tree, or rounds
    /// of decisions or situations.
    amount: u64,
    /// How many of the workers work at the same time.
    at_once: usize,
    /// The results of the repetitions.
    results: Vec<Results>,
}

impl RunningCase {
    /// Prepares a case; `None` if that is cancelled.
    pub(super) fn new(
        recipe: &Recipe,
        placed: &PlacedCase<'_>,
        cpus: &Cpus,
        tier: Tier,
        cancel: &Cancel,
    ) -> Result<Option<RunningCase>, MeasureError> {
        let case = placed.case;
        let tier = case.tier.unwrap_or(tier);
        let worker_sets = worker_sets(placed, cpus).map_err(|source| source.in_case(&placed.name))?;
        let at_once = at_once(&worker_sets[0].workers, cpus);
        let work = work(recipe, case, tier, worker_sets[0].workers.count(), cancel);
        let Some(work) = work.map_err(|source| source.in_case(&case.name))? else {
            return Ok(None);
        };
        let (workload, players) = (&case.workload, case.workload.players());
        let (search, batch) = match workload {
            Workload::Search { roll, settings, .. } => {
                let search = Searched {
                    method: settings.method.name().to_owned(),
                    roll: roll.to_string(),
                    trees: settings.trees,
                };
                (Some(search), None)
            }
            Workload::Rollout { batch, .. } => (None, Some(*batch)),
            _ => (None, None),
        };
        let is_uniform = players.is_none_or(PolicyPair::are_uniform);
        let paper = is_uniform
            && case.rules == RuleSet::McGammon
            && matches!(workload, Workload::Playouts { positions, .. } if *positions == [Board::START]);
        Ok(Some(RunningCase {
            record: CaseRecord {
                name: placed.name.clone(),
                workload: workload.name().to_owned(),
                unit: workload.unit().to_owned(),
                rules: case.rules.name().to_owned(),
                positions: workload.positions(),
                batch,
                search,
                over_playouts: None,
                decided: None,
                policy: players.filter(|_| !is_uniform).map(ToString::to_string),
                isa: case.tier.map(|tier| tier.name().to_owned()),
                seed: recipe.seed,
                placement: case.placement.to_string(),
                paper,
                workers: Binding::from_workers(worker_sets[0].workers.cpus(), cpus),
                repetitions: Vec::new(),
            },
            job: Job { work, worker_sets, turn: 0, cancel: cancel.clone() },
            at_once,
            amount: 1,
            results: Vec::new(),
        }))
    }

    /// Warms up, and finds the amount of work that takes the time of a repetition.
    pub(super) fn warm_up(&mut self, recipe: &Recipe) -> Result<(), MeasureError> {
        let start = Instant::now();
        let enough = Duration::from_secs_f64(recipe.warm_up_seconds.max(recipe.seconds / 4.0));
        loop {
            let piece = Instant::now();
            let (repetition, _) = self.work()?;
            // By the processor time of a worker: another program that has the CPU meanwhile must not make the work
            // smaller.
            let took = repetition.cpu_seconds.map(|seconds| seconds / self.at_once as f64);
            self.job.turn += 1;
            // Shorter times measure timers and threads rather than work.
            let took = took.unwrap_or_else(|| piece.elapsed().as_secs_f64()).max(1e-4);
            let amount = self.amount as f64 * recipe.seconds / took;
            let whole = took >= recipe.seconds / 8.0;
            // The first pieces are slow, so a step grows by a limited factor.
            let most = self.amount as f64 * if whole { 16.0 } else { 64.0 };
            self.amount = amount.min(most).max(1.0).round() as u64;
            if self.job.cancel.is_cancelled() || whole && start.elapsed() >= enough {
                return Ok(());
            }
        }
    }

    /// Does the work of a repetition.
    fn work(&self) -> Result<(Repetition, Results), MeasureError> {
        let done = self.job.repeat(self.amount);
        done.map_err(|source| self.game_numbers(source))
    }

    fn game_numbers(&self, source: GameNumbersError) -> MeasureError {
        CaseError::from(source).in_case(&self.record.name)
    }

    /// Measures one repetition, unless it is cancelled.
    pub(super) fn repeat(&mut self) -> Result<(), MeasureError> {
        self.job.turn = self.record.repetitions.len();
        let before = self.job.worker_set_mut().before();
        let times = user_and_system_seconds();
        let start = Instant::now();
        let (mut repetition, results) = self.work()?;
        repetition.seconds = start.elapsed().as_secs_f64();
        let used = user_and_system_seconds().zip(times);
        let mut events = self.job.worker_set_mut().since(&before);
        repetition.user_seconds = used.map(|(after, before)| after.0 - before.0);
        repetition.system_seconds = used.map(|(after, before)| after.1 - before.1);
        let worker_set = self.job.worker_set();
        repetition.clock = worker_set.workers.cycles_per_second();
        events.operations = Some(worker_set.operations());
        repetition.events = Some(events);
        if self.job.worker_sets.len() > 1 {
            for (part, &cpu) in repetition.workers.iter_mut().zip(worker_set.workers.cpus()) {
                part.cpu = cpu;
            }
        }
        // A run that was cancelled has played fewer games.
        if !self.job.cancel.is_cancelled() {
            if let (Work::Choices { choices, .. }, Results::Choices(chosen)) = (&self.job.work, &results) {
                self.record.decided = Some(choices.decided(chosen));
            }
            self.record.repetitions.push(repetition);
            self.results.push(results);
        }
        Ok(())
    }

    /// Does the work whose results the recipe expects.
    pub(super) fn check_expected(&self) -> Result<Option<Check>, MeasureError> {
        let (what, found, wanted) = match &self.job.work {
            Work::Games { games, expected: Some(expected), .. } => {
                let report = self.job.play(games.at(games.playouts[0]), 0, expected.games);
                let tally = report.map_err(|source| self.game_numbers(source))?.results.tally;
                let said = |plies, plays| format!("{plies} plies, {plays} plays");
                (
                    format!("first {} games", expected.games),
                    said(tally.plies, tally.plays),
                    said(expected.plies.into(), expected.plays.into()),
                )
            }
            Work::Search { searches, expected: Some(expected) } => {
                let simulations = expected.simulations;
                let of_first = self.job.on_first({
                    let searches = searches.clone();
                    move || searches.run(0, simulations)
                });
                let said = |plies, roots: &str| format!("{plies} plies, roots {roots}");
                (
                    format!("first {simulations} simulations of each tree"),
                    said(of_first.plies, &of_first.checksum()),
                    said(expected.plies, &expected.roots),
                )
            }
            Work::Choices { choices, expected: Some(expected) } => {
                let number = expected.decisions;
                let chosen = self.job.on_first({
                    let alone = choices.as_ref().clone().for_one_worker();
                    move || alone.run(0, number, 1)
                });
                let games = chosen.iter().map(|(choice, _)| choice.games).sum();
                let said = |games: u64, plays: &str| format!("{games} games, plays {plays}");
                (
                    format!("choices in the first {number} decisions"),
                    said(games, &choices::checksum(chosen.iter().map(|(choice, _)| choice))),
                    said(expected.games, &expected.plays),
                )
            }
            _ => return Ok(None),
        };
        let passed = found == wanted;
        let check = Check {
            what: format!("{what} of {}", self.record.name),
            passed,
            found: match passed {
                true => found,
                false => format!("{found}, but {wanted} are expected"),
            },
        };
        Ok((!self.job.cancel.is_cancelled()).then_some(check))
    }

    /// Compares the repetitions with each other, and with the reference if there is one.
    pub(super) fn check_repetitions(&self) -> Option<Check> {
        let first = self.results.first()?;
        let unlike = self.results.iter().filter(|results| *results != first).count();
        let found = first.to_string();
        Some(Check {
            what: format!("{} repetitions of {}", self.results.len(), self.record.name),
            passed: unlike == 0 && first.are_right(),
            found: match unlike {
                0 => found,
                _ => format!("{unlike} differ from the first: {found}"),
            },
        })
    }
}

/// How many workers work at the same time: workers that are bound to one CPU take turns on it.
fn at_once(workers: &Workers, cpus: &Cpus) -> usize {
    let bound: BTreeSet<usize> = workers.cpus().iter().flatten().copied().collect();
    let unbound = workers.cpus().iter().filter(|cpu| cpu.is_none()).count();
    (bound.len() + unbound).min(cpus.count().get())
}

/// The work of a case on some workers; `None` if the case is cancelled while its work is prepared.
fn work(recipe: &Recipe, case: &Case, tier: Tier, workers: usize, cancel: &Cancel) -> Result<Option<Work>, CaseError> {
    let games = |positions: &[Board], players: &PolicyPair| -> Result<Games, CaseError> {
        let of = |&board: &Board| Playouts::new(board, case.rules, recipe.seed);
        let playouts: Result<_, PlayoutError> = positions.iter().map(of).collect();
        Ok(Games { playouts: playouts?, players: players.clone(), tier })
    };
    Ok(Some(match &case.workload {
        Workload::Playouts { positions, players, expected } => {
            Work::Games { games: games(positions, players)?, batch: None, expected: *expected }
        }
        Workload::Rollout { positions, batch, expected } => {
            Work::Games { games: games(positions, &PolicyPair::default())?, batch: Some(*batch), expected: *expected }
        }
        Workload::Search { positions, roll, settings, expected } => {
            let seed = recipe.seed;
            let settings = SearchSettings { seed, ..*settings };
            let (what, how) = ((&positions[..], *roll), (case.rules, tier));
            Work::Search { searches: Searches::new(what, how, settings, workers, cancel)?, expected: expected.clone() }
        }
        Workload::Decide { decisions, chooser, expected } => {
            let choices = match Choices::new((*decisions, chooser), (recipe.seed, tier), workers, cancel) {
                Err(CaseError::Players(NamedError::Stopped)) => return Ok(None),
                choices => choices?,
            };
            Work::Choices { choices: Box::new(choices), expected: expected.clone() }
        }
        Workload::Stages { positions, players } => Work::Stages(games(positions, players)?),
        Workload::Plays { operation, category } => {
            let stop = || cancel.is_cancelled();
            let Ok(situations) = sample(case.rules, *category, SITUATIONS, &stop) else {
                return Ok(None);
            };
            let count = |one: &Situation| reference::plays(&one.board, one.roll, case.rules);
            Work::Plays {
                operation: *operation,
                rules: case.rules,
                plays: situations.iter().map(|one| count(one).len() as u64).sum(),
                situations: Arc::new(situations),
            }
        }
    }))
}

/// Starts a case's workers: one set for each placement, or a single unbound set if threads cannot be bound.
fn worker_sets(placed: &PlacedCase<'_>, cpus: &Cpus) -> Result<Vec<WorkerSet>, CaseError> {
    let start = |placement: &Placement| Ok(WorkerSet::new(Workers::start(placement)?, cpus));
    let worker_sets: Result<Vec<WorkerSet>, WorkersError> = placed.placements.iter().map(start).collect();
    match worker_sets {
        Err(WorkersError::Bind { .. }) if placed.placements.len() > 1 => {
            let anywhere = Placement::new(cpus, Pinning::None, Some(NonZeroUsize::MIN))?;
            Ok(vec![start(&anywhere)?])
        }
        worker_sets => Ok(worker_sets?),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn workers_that_share_a_cpu_take_turns() {
        let cpus = Cpus::allowed();
        let all = cpus.count().get();
        let one: Pinning = cpus.list().as_slice()[0].to_string().parse().unwrap();
        for (pinning, threads, expected) in
            [(Pinning::None, all + 3, all), (Pinning::None, 1, 1), (Pinning::CORES, 1, 1), (one, 5, 1)]
        {
            let placement = Placement::new(&cpus, pinning, NonZeroUsize::new(threads)).unwrap();
            match Workers::start(&placement) {
                Ok(workers) => assert_eq!(at_once(&workers, &cpus), expected),
                Err(WorkersError::Bind { cpu, .. }) => {
                    eprintln!("SKIPPED: no thread can be bound to CPU {cpu} here");
                }
                Err(error) => panic!("{error}"),
            }
        }
    }
}
