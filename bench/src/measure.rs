//! Measuring what a recipe asks for.
//!
//! Each case is warmed up, and from that follows how much work takes a repetition's time; all
//! repetitions then do exactly this work, so that their tallies must be equal to the last digit. Cases
//! take turns: a clock that drifts strikes all of them alike.

use core::ops::Range;
use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use tavli::plays::{Plays, reference};
use tavli::run::{
    Cancel, Cpus, GameNumbersError, Limit, PlacementError, Run, Workers, WorkersError,
    thread_cpu_time,
};
use tavli::{Backgammon, Board, McGammon, PlayoutError, Playouts, RuleSet, Tally, Tier};
use thiserror::Error;

use crate::machine::{Machine, user_and_system_seconds};
use crate::others::Usage;
use crate::placement::Seat;
use crate::recipe::{Case, Expected, Operation, Recipe, Workload};
use crate::record::{CaseRecord, Check, FORMAT, Part, Program, Record, Repetition};
use crate::situations::{Situation, pick, sample};
use crate::stages::{self, StageTime};

/// Situations that an operation on plays goes through: enough that a predictor of branches does not learn
/// them in passing, few enough to stay in the first cache.
const SITUATIONS: usize = 256;

/// Why a recipe was not measured.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum MeasureError {
    /// Workers cannot be placed as a case asks.
    #[error("case '{case}': {source}")]
    Placement {
        /// The case.
        case: String,
        /// The reason.
        source: PlacementError,
    },
    /// Workers did not start.
    #[error("case '{case}': {source}")]
    Workers {
        /// The case.
        case: String,
        /// The reason.
        source: WorkersError,
    },
    /// A position without games.
    #[error("case '{case}': {source}")]
    Playouts {
        /// The case.
        case: String,
        /// The reason.
        source: PlayoutError,
    },
    /// A machine so fast, or a time so long, that game numbers do not suffice.
    #[error("case '{case}': {source}")]
    Games {
        /// The case.
        case: String,
        /// The reason.
        source: GameNumbersError,
    },
}

/// How far a measurement has come.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Stage<'a> {
    /// The case at work.
    pub case: &'a str,
    /// The round of repetitions, from 1; 0 while warming up.
    pub round: usize,
    /// The share of the whole that is done, 0..=1.
    pub fraction: f64,
}

/// Measures a recipe. `progress` is told before each piece of work; `cancel` ends the measurement with
/// the repetitions done so far.
///
/// # Errors
/// [`MeasureError`] if a case cannot be measured on this machine. A failed check is no error: the record
/// tells it.
pub fn measure(
    recipe: &Recipe,
    cpus: &Cpus,
    tier: Tier,
    program: Program,
    command: String,
    cancel: &Cancel,
    mut progress: impl FnMut(Stage<'_>),
) -> Result<Record, MeasureError> {
    let started = date(SystemTime::now());
    let machine = Machine::here(cpus);
    let allowed = cpus.list();
    let usage = Usage::now(&allowed);
    let mut checks = vec![check_signature(recipe, tier)];
    let mut measured = Vec::new();
    for case in &recipe.cases {
        let placements = case
            .placements(cpus)
            .map_err(|source| MeasureError::Placement {
                case: case.name.clone(),
                source,
            })?;
        for (name, placement) in placements {
            let workers = Workers::start(&placement).map_err(|source| MeasureError::Workers {
                case: name.clone(),
                source,
            })?;
            measured.push(Measured::new(
                recipe, case, name, workers, cpus, tier, cancel,
            )?);
        }
    }
    let pieces = measured.len() * (recipe.repetitions + 1);
    let mut done = 0;
    let mut tell = |case: &str, round: usize| {
        let fraction = done as f64 / pieces as f64;
        done += 1;
        progress(Stage {
            case,
            round,
            fraction,
        });
    };
    for case in &mut measured {
        if cancel.is_cancelled() {
            break;
        }
        tell(&case.record.name, 0);
        case.warm_up(recipe)?;
        checks.extend(case.check_expected()?);
    }
    for round in 1..=recipe.repetitions {
        for case in &mut measured {
            if cancel.is_cancelled() {
                break;
            }
            tell(&case.record.name, round);
            case.repeat()?;
        }
    }
    let others = Usage::now(&allowed).zip(usage);
    let others = others.and_then(|(after, before)| after.others_since(&before));
    checks.extend(measured.iter().filter_map(Measured::check_repetitions));
    Ok(Record {
        format: FORMAT,
        recipe: recipe.name.clone(),
        description: recipe.description.clone(),
        started,
        command,
        program,
        machine,
        others,
        interrupted: cancel.is_cancelled(),
        checks,
        cases: measured.into_iter().map(|case| case.record).collect(),
    })
}

fn check_signature(recipe: &Recipe, tier: Tier) -> Check {
    let found = format!("{:016x}", tavli::playout::signature(tier));
    let wanted = recipe.signature.as_str();
    Check {
        what: format!("signature of tier {tier}"),
        passed: wanted.is_empty() || wanted == found,
        found: match wanted {
            "" => format!("{found}, none is asked for"),
            wanted if wanted == found => found,
            wanted => format!("{found}, but {wanted} is wanted"),
        },
    }
}

/// A case at work.
struct Measured {
    record: CaseRecord,
    work: Work,
    workers: Workers,
    cancel: Cancel,
    /// How much of it a repetition is: games per position, rounds of runs, or rounds of situations.
    amount: u64,
    /// What the repetitions came to.
    results: Vec<Results>,
}

/// What a repetition comes to, whoever is how fast.
#[derive(Clone, PartialEq, Debug)]
enum Results {
    Games(Tally),
    /// The plays counted, made or enumerated by each worker.
    Plays(Vec<u64>),
}

enum Work {
    Games {
        playouts: Vec<Playouts>,
        tier: Tier,
        batch: Option<u64>,
        expected: Option<Expected>,
    },
    Stages {
        playouts: Vec<Playouts>,
        tier: Tier,
    },
    Plays {
        operation: Operation,
        rules: RuleSet,
        situations: Arc<Vec<Situation>>,
        /// Plays of all situations, by the reference generator.
        plays: u64,
    },
}

impl Measured {
    fn new(
        recipe: &Recipe,
        case: &Case,
        name: String,
        workers: Workers,
        cpus: &Cpus,
        tier: Tier,
        cancel: &Cancel,
    ) -> Result<Measured, MeasureError> {
        let playouts = |positions: &[Board]| -> Result<Vec<Playouts>, MeasureError> {
            let of = |&board: &Board| Playouts::new(board, case.rules, recipe.seed);
            let playouts: Result<_, PlayoutError> = positions.iter().map(of).collect();
            playouts.map_err(|source| MeasureError::Playouts {
                case: case.name.clone(),
                source,
            })
        };
        let work = match &case.workload {
            Workload::Playouts {
                positions,
                expected,
            } => Work::Games {
                playouts: playouts(positions)?,
                tier,
                batch: None,
                expected: *expected,
            },
            Workload::Rollout {
                positions,
                batch,
                expected,
            } => Work::Games {
                playouts: playouts(positions)?,
                tier,
                batch: Some(*batch),
                expected: *expected,
            },
            Workload::Stages { positions } => Work::Stages {
                playouts: playouts(positions)?,
                tier,
            },
            Workload::Plays {
                operation,
                category,
            } => {
                let situations = sample(case.rules, *category, SITUATIONS);
                let count = |one: &Situation| match case.rules {
                    RuleSet::Backgammon => reference::plays::<Backgammon>(&one.board, one.roll),
                    RuleSet::McGammon => reference::plays::<McGammon>(&one.board, one.roll),
                };
                Work::Plays {
                    operation: *operation,
                    rules: case.rules,
                    plays: situations.iter().map(|one| count(one).len() as u64).sum(),
                    situations: Arc::new(situations),
                }
            }
        };
        let (batch, paper) = match &case.workload {
            Workload::Playouts { positions, .. } => (
                None,
                case.rules == RuleSet::McGammon && *positions == [Board::START],
            ),
            Workload::Rollout { batch, .. } => (Some(*batch), false),
            Workload::Stages { .. } | Workload::Plays { .. } => (None, false),
        };
        Ok(Measured {
            record: CaseRecord {
                name,
                workload: case.workload.name().to_owned(),
                unit: case.workload.unit().to_owned(),
                rules: case.rules.name().to_owned(),
                positions: case.workload.positions(),
                batch,
                seed: recipe.seed,
                placement: case.placement.to_string(),
                paper,
                workers: Seat::of(&workers, cpus),
                repetitions: Vec::new(),
            },
            work,
            workers,
            cancel: cancel.clone(),
            amount: 1,
            results: Vec::new(),
        })
    }

    /// Works for the time of warming up, and finds how much work takes the time of a repetition.
    fn warm_up(&mut self, recipe: &Recipe) -> Result<(), MeasureError> {
        let start = Instant::now();
        let enough = Duration::from_secs_f64(recipe.warm_up_seconds.max(recipe.seconds / 4.0));
        loop {
            let piece = Instant::now();
            self.work()?;
            // Timers and threads make nothing shorter than this a measure.
            let took = piece.elapsed().as_secs_f64().max(1e-4);
            let amount = self.amount as f64 * recipe.seconds / took;
            let whole = took >= recipe.seconds / 8.0;
            // The first pieces are slow: a step is not trusted beyond a factor.
            let most = self.amount as f64 * if whole { 16.0 } else { 64.0 };
            self.amount = amount.min(most).max(1.0).round() as u64;
            if self.cancel.is_cancelled() || whole && start.elapsed() >= enough {
                return Ok(());
            }
        }
    }

    /// Measures one repetition, unless it is cancelled.
    fn repeat(&mut self) -> Result<(), MeasureError> {
        let times = user_and_system_seconds();
        let start = Instant::now();
        let (mut repetition, results) = self.work()?;
        repetition.seconds = start.elapsed().as_secs_f64();
        let used = user_and_system_seconds().zip(times);
        repetition.user_seconds = used.map(|(after, before)| after.0 - before.0);
        repetition.system_seconds = used.map(|(after, before)| after.1 - before.1);
        repetition.clock = self.workers.cycles_per_second();
        // A run that was cancelled has played fewer games.
        if !self.cancel.is_cancelled() {
            self.record.repetitions.push(repetition);
            self.results.push(results);
        }
        Ok(())
    }

    /// Does the work of a repetition.
    fn work(&self) -> Result<(Repetition, Results), MeasureError> {
        let mut repetition = Repetition {
            seconds: 0.0,
            cpu_seconds: Some(0.0),
            user_seconds: None,
            system_seconds: None,
            units: 0,
            plies: 0,
            clock: 0.0,
            workers: vec![
                Part {
                    units: 0,
                    busy_seconds: 0.0
                };
                self.workers.count()
            ],
            stages: Vec::new(),
        };
        let results = match &self.work {
            Work::Games {
                playouts,
                tier,
                batch,
                ..
            } => {
                let (rounds, games) = match batch {
                    None => (1, self.amount),
                    Some(batch) => (self.amount, *batch),
                };
                let mut tally = Tally::default();
                for round in 0..rounds {
                    for &playouts in playouts {
                        let run = Run::new(playouts, *tier, Limit::Games(games));
                        let report = self.play(run, round.saturating_mul(games))?;
                        tally.merge(&report.results.tally);
                        repetition.add(&report);
                    }
                    if self.cancel.is_cancelled() {
                        break;
                    }
                }
                Results::Games(tally)
            }
            Work::Stages { playouts, tier } => {
                let (playouts, tier, games) = (playouts.clone(), *tier, self.amount);
                let parts = self.each(&mut repetition, move |worker| {
                    let first = games.saturating_mul(worker as u64);
                    play_timed(&playouts, tier, first..first.saturating_add(games))
                });
                let mut tally = Tally::default();
                for (part, (played, times)) in repetition.workers.iter_mut().zip(parts) {
                    part.units = played.games;
                    tally.merge(&played);
                    stages::add(&mut repetition.stages, times);
                }
                repetition.units = tally.games;
                repetition.plies = tally.plies as u64;
                Results::Games(tally)
            }
            Work::Plays {
                operation,
                rules,
                situations,
                ..
            } => {
                let (operation, rules, rounds) = (*operation, *rules, self.amount);
                let situations = Arc::clone(situations);
                let parts = self.each(&mut repetition, move |_| {
                    // A copy of the worker's own, so that it lies in its memory.
                    let situations = situations.as_ref().clone();
                    (0..rounds)
                        .map(|_| operate(operation, rules, black_box(&situations)))
                        .sum()
                });
                repetition.plies = rounds * (SITUATIONS * parts.len()) as u64;
                for (part, made) in repetition.workers.iter_mut().zip(&parts) {
                    part.units = match operation {
                        Operation::Count | Operation::Unrank => rounds * SITUATIONS as u64,
                        Operation::Enumerate => *made,
                    };
                    repetition.units += part.units;
                }
                Results::Plays(parts)
            }
        };
        Ok((repetition, results))
    }

    /// What each worker makes of `work`; its time goes into its part of the repetition.
    fn each<T: Send + 'static>(
        &self,
        repetition: &mut Repetition,
        work: impl Fn(usize) -> T + Send + Sync + 'static,
    ) -> Vec<T> {
        let done = self.workers.each(move |worker| {
            let (start, used) = (Instant::now(), thread_cpu_time());
            let made = work(worker);
            let used = thread_cpu_time().zip(used);
            let used = used.map(|(after, before)| (after - before).as_secs_f64());
            (made, start.elapsed().as_secs_f64(), used)
        });
        repetition.cpu_seconds = done.iter().map(|one| one.2).sum();
        let parts = repetition.workers.iter_mut().zip(done);
        parts
            .map(|(part, (made, busy, _))| {
                part.busy_seconds = busy;
                made
            })
            .collect()
    }

    fn play(&self, run: Run, first_game: u64) -> Result<tavli::run::Report, MeasureError> {
        let run = run.cancelled_by(&self.cancel).from_game(first_game);
        let run = run.map_err(|source| MeasureError::Games {
            case: self.record.name.clone(),
            source,
        })?;
        Ok(run.play(&self.workers, |_| ()))
    }

    /// Plays the games of which the recipe tells what they come to.
    fn check_expected(&self) -> Result<Option<Check>, MeasureError> {
        let Work::Games {
            playouts,
            tier,
            expected: Some(expected),
            ..
        } = &self.work
        else {
            return Ok(None);
        };
        let run = Run::new(playouts[0], *tier, Limit::Games(expected.games));
        let tally = self.play(run, 0)?.results.tally;
        if self.cancel.is_cancelled() {
            return Ok(None);
        }
        let passed =
            tally.plies == u128::from(expected.plies) && tally.plays == u128::from(expected.plays);
        let found = format!("{} plies, {} plays", tally.plies, tally.plays);
        let wanted = format!(", but {} and {} are wanted", expected.plies, expected.plays);
        Ok(Some(Check {
            what: format!("first {} games of {}", expected.games, self.record.name),
            passed,
            found: if passed { found } else { found + &wanted },
        }))
    }

    /// Compares the repetitions with each other, and with the reference where there is one.
    fn check_repetitions(&self) -> Option<Check> {
        let first = self.results.first()?;
        let equal = self.results.iter().all(|results| results == first);
        let (passed, found) = match (first, &self.work) {
            (
                Results::Plays(made),
                Work::Plays {
                    plays, operation, ..
                },
            ) => {
                let wanted = self.amount
                    * match operation {
                        // Of each roll one play is made, and its mover's borne off and hit are not counted.
                        Operation::Unrank => SITUATIONS as u64,
                        Operation::Count | Operation::Enumerate => *plays,
                    };
                let right = made.iter().all(|&made| made == wanted);
                (
                    equal && right,
                    format!("{} plays by each worker, {wanted} by the rules", made[0]),
                )
            }
            (Results::Games(tally), _) => (
                equal,
                format!(
                    "{} games, {} plies, {} plays",
                    tally.games, tally.plies, tally.plays
                ),
            ),
            (Results::Plays(_), Work::Games { .. } | Work::Stages { .. }) => {
                unreachable!("results are of their work")
            }
        };
        let number = self.results.len();
        let unlike = self
            .results
            .iter()
            .filter(|results| *results != first)
            .count();
        Some(Check {
            what: format!("{number} repetitions of {}", self.record.name),
            passed,
            found: match unlike {
                0 => found,
                _ => format!("{unlike} unlike the first: {found}"),
            },
        })
    }
}

/// Plays games from each position and times the stages, where the tier has some.
fn play_timed(playouts: &[Playouts], tier: Tier, games: Range<u64>) -> (Tally, Vec<StageTime>) {
    let (mut tally, mut times) = (Tally::default(), Vec::new());
    for playouts in playouts {
        let results = match playouts.run_timed(tier, games.clone()) {
            Some((results, more)) => {
                stages::add(&mut times, stages::stages(&more));
                results
            }
            None => playouts.run(tier, games.clone()),
        };
        tally.merge(&results.tally);
    }
    (tally, times)
}

/// Goes through situations once and returns how many plays were counted or made.
pub(crate) fn operate(operation: Operation, rules: RuleSet, situations: &[Situation]) -> u64 {
    let mut made = 0;
    for (number, Situation { board, roll }) in situations.iter().enumerate() {
        let plays = Plays::of_rules(board, *roll, rules);
        match operation {
            Operation::Count => made += plays.len() as u64,
            Operation::Unrank => {
                let play = plays.get(pick(&plays, number));
                made += u64::from(black_box(play.map(|play| play.board())).is_some());
            }
            Operation::Enumerate => plays.for_each(|play| {
                black_box(&play.board());
                made += 1;
            }),
        }
    }
    made
}

/// A point in time as `2026-11-20T15:14:53Z`. The day is found as H. Hinnant does it in "chrono-Compatible
/// Low-Level Date Algorithms", `civil_from_days`.
fn date(time: SystemTime) -> String {
    let seconds = time
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default()
        .as_secs();
    let (days, second) = (seconds / 86_400 + 719_468, seconds % 86_400);
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 {
        shifted_month + 3
    } else {
        shifted_month - 9
    };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::tests::record;

    const RECIPE: &str = r#"
        description = "a test"
        warm_up_seconds = 0.0
        repetitions = 3
        seconds = 0.02
        seed = 1
        [[case]]
        name = "games"
        workload = "playouts"
        rules = "backgammon"
        placement = "cores"
        threads = 2
        expected = { games = 4096, plies = 388801, plays = 7232742 }
        [[case]]
        name = "runs"
        workload = "rollout"
        rules = "mcgammon"
        placement = "none"
        threads = 1
        positions = ["4HPwATDgc/ABMA", "tu0MAhBoz8EDQA"]
        batch = 100
        [[case]]
        name = "listed"
        workload = "enumerate"
        rules = "backgammon"
        placement = "cores"
        threads = 2
        category = "bear-off"
        [[case]]
        name = "stages"
        workload = "stages"
        rules = "backgammon"
        placement = "cores"
        threads = 2
        [[case]]
        name = "made"
        workload = "unrank"
        rules = "backgammon"
        placement = "cores"
        threads = 1
    "#;

    fn measured(text: &str, cancel: &Cancel, progress: impl FnMut(Stage<'_>)) -> Record {
        let recipe = Recipe::parse("test", text).unwrap();
        let program = record(&[]).program;
        let command = "tavli bench test".to_owned();
        let cpus = Cpus::allowed();
        measure(
            &recipe,
            &cpus,
            Tier::best(),
            program,
            command,
            cancel,
            progress,
        )
        .unwrap()
    }

    #[test]
    fn every_kind_of_work_is_measured_and_checked() {
        let mut told = Vec::new();
        let record = measured(RECIPE, &Cancel::new(), |stage| {
            told.push((stage.case.to_owned(), stage.round, stage.fraction));
        });
        assert!(record.verified(), "{:?}", record.checks);
        // The signature, the expected games, and the repetitions of each case.
        assert_eq!(record.checks.len(), 1 + 1 + 5);
        assert_eq!(told.len(), 5 * 4);
        assert_eq!((told[5].0.as_str(), told[5].1), ("games", 1));
        assert!(told.is_sorted_by(|a, b| a.2 < b.2));
        for case in &record.cases {
            assert_eq!(case.repetitions.len(), 3);
            for repetition in &case.repetitions {
                let units: u64 = repetition.workers.iter().map(|part| part.units).sum();
                assert_eq!(units, repetition.units);
                assert!(repetition.rate() > 0.0 && repetition.plies > 0);
                assert!((0.0..=1.001).contains(&repetition.busy()), "{repetition:?}");
            }
        }
        assert_eq!(record.cases[1].repetitions[0].units % 200, 0);
        assert_eq!(record.cases[2].workers.len(), 2);
        for case in &record.cases {
            let timed = case.name == "stages" && Tier::best() != Tier::Portable;
            for repetition in &case.repetitions {
                assert_eq!(!repetition.stages.is_empty(), timed, "{}", case.name);
                let seconds: f64 = repetition.stages.iter().map(|one| one.seconds).sum();
                let busy: f64 = repetition
                    .workers
                    .iter()
                    .map(|part| part.busy_seconds)
                    .sum();
                assert!(seconds <= busy, "{seconds} of {busy}");
            }
        }
    }

    #[test]
    fn what_is_wrong_fails() {
        let wrong = RECIPE.replace("388801", "388802");
        let record = measured(&wrong, &Cancel::new(), |_| ());
        let failed: Vec<&Check> = record.checks.iter().filter(|check| !check.passed).collect();
        assert_eq!(failed.len(), 1);
        assert!(failed[0].found.contains("but 388802 and"), "{failed:?}");
        let wrong = format!("signature = \"{:016x}\"\n{RECIPE}", 1);
        assert!(!measured(&wrong, &Cancel::new(), |_| ()).verified());
    }

    #[test]
    fn a_cancelled_measurement_has_what_was_done() {
        let cancel = Cancel::new();
        let record = measured(RECIPE, &cancel, |stage| {
            if stage.round == 2 && stage.case == "listed" {
                cancel.cancel();
            }
        });
        assert!(record.interrupted && record.verified());
        let repetitions: Vec<usize> = record.cases.iter().map(|c| c.repetitions.len()).collect();
        assert_eq!(repetitions, [2, 2, 1, 1, 1]);
    }

    #[test]
    fn days_are_found() {
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_399, "2000-02-28T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_709_251_199, "2024-02-29T23:59:59Z"),
            (1_795_187_693, "2026-11-20T15:14:53Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
        ] {
            assert_eq!(date(UNIX_EPOCH + Duration::from_secs(seconds)), text);
        }
    }
}
