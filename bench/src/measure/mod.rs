//! Measures the cases of a recipe.
//!
//! Warming up a case shows how much work fills the time of a repetition. All repetitions then do exactly this work, so
//! their tallies must be equal to the last digit. Cases take turns, so a clock that drifts affects all of them alike.

mod case;
mod choices;
mod deadline;
mod error;
mod searches;
mod work;
mod worker_set;

use std::time::{Duration, Instant, SystemTime};

use tavli::Tier;
use tavli::run::{Cancel, Cpus};

use crate::cpu_usage::CpuUsage;
use crate::distinct::distinct;
use crate::machine::Machine;
use crate::recipe::Recipe;
use crate::record::{Check, Program, Record};
use case::RunningCase;
use deadline::Deadline;
use error::MAX_WORKERS;
pub use error::{CaseError, MeasureError};
pub(crate) use work::operate;

/// How far a measurement has come.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MeasureProgress<'a> {
    /// The case at work.
    pub case: &'a str,
    /// The round of repetitions, from 1; 0 while warming up.
    pub round: usize,
    /// The share of the whole that is done, 0..=1.
    pub fraction: f64,
    /// The estimated time left, by the time of the finished part; `None` at the start.
    pub left: Option<Duration>,
}

/// Measures a recipe. Calls `progress` before each piece of work; `cancel` and the recipe's limit of time end the
/// measurement with the repetitions done so far.
///
/// # Errors
/// [`MeasureError`] if a case cannot be measured on this machine, or if the signature is not the recipe's. The record
/// contains any other check that failed.
pub fn measure(
    recipe: &Recipe,
    cpus: &Cpus,
    tier: Tier,
    program: Program,
    command: String,
    cancel: &Cancel,
    mut progress: impl FnMut(MeasureProgress<'_>),
) -> Result<Record, MeasureError> {
    let started = humantime::format_rfc3339_seconds(SystemTime::now()).to_string();
    let mut checks = check_signatures(recipe, tier)?;
    let machine = Machine::here(cpus);
    let allowed = cpus.list();
    let usage = CpuUsage::now(&allowed);
    let placed = recipe.placed(cpus);
    let placed = placed.map_err(|(case, source)| CaseError::from(source).in_case(&case))?;
    let placements = placed.iter().flat_map(|placed| &placed.placements);
    let workers = placements.map(|placement| placement.cpus().len()).sum();
    if workers > MAX_WORKERS {
        return Err(MeasureError::TooMany { workers });
    }
    let limit = recipe.time_limit(placed.len());
    let mut deadline = Deadline::new(cancel);
    let cancel = deadline.cancel().clone();
    let mut measured = Vec::with_capacity(placed.len());
    for placed in &placed {
        if cancel.is_cancelled() {
            break;
        }
        measured.extend(RunningCase::new(recipe, placed, cpus, tier, &cancel)?);
    }
    deadline.start(limit);
    let mut plan = Plan::new(recipe, measured.len());
    for case in &mut measured {
        if cancel.is_cancelled() {
            break;
        }
        progress(plan.step(&case.record.name, 0));
        case.warm_up(recipe)?;
        checks.extend(case.check_expected()?);
    }
    for round in 1..=recipe.repetitions {
        for case in &mut measured {
            if cancel.is_cancelled() {
                break;
            }
            progress(plan.step(&case.record.name, round));
            case.repeat()?;
        }
    }
    let others = CpuUsage::now(&allowed).zip(usage);
    let others = others.and_then(|(after, before)| after.others_since(&before));
    checks.extend(measured.iter().filter_map(RunningCase::check_repetitions));
    let mut record = Record {
        recipe: recipe.name.clone(),
        description: recipe.description.clone(),
        started,
        command,
        program,
        machine,
        others,
        interrupted: cancel.is_cancelled(),
        ended_by_limit: deadline.has_passed().then_some(limit),
        checks,
        cases: measured.into_iter().map(|case| case.record).collect(),
    };
    record.compare_searches();
    Ok(record)
}

/// The signatures of the tiers that the recipe uses.
fn check_signatures(recipe: &Recipe, tier: Tier) -> Result<Vec<Check>, MeasureError> {
    let check = |tier| {
        let found = format!("{:016x}", tavli::playout::signature(tier));
        let wanted = recipe.signature.as_str();
        if !wanted.is_empty() && wanted != found {
            return Err(MeasureError::Signature { tier, found, wanted: wanted.to_owned() });
        }
        Ok(Check {
            what: format!("signature of tier {tier}"),
            passed: true,
            found: match wanted {
                "" => format!("{found}, none expected"),
                _ => found,
            },
        })
    };
    let tiers = recipe.cases.iter().map(|case| case.tier.unwrap_or(tier));
    distinct(tiers).into_iter().map(check).collect()
}

/// The pieces of a measurement, and their planned time.
struct Plan {
    start: Instant,
    /// Seconds of warming up a case, and of a repetition.
    pieces: [f64; 2],
    whole: f64,
    done: f64,
    /// The planned seconds of the piece at work.
    next: f64,
}

impl Plan {
    fn new(recipe: &Recipe, cases: usize) -> Plan {
        // A piece of warming up may end somewhat after its time.
        let warming = recipe.warm_up_seconds.max(recipe.seconds / 4.0) + recipe.seconds / 4.0;
        let pieces = [warming, recipe.seconds];
        Plan {
            start: Instant::now(),
            pieces,
            whole: cases as f64 * (warming + recipe.repetitions as f64 * recipe.seconds),
            done: 0.0,
            next: 0.0,
        }
    }

    /// Begins a piece of work, and returns the progress before it.
    fn step<'a>(&mut self, case: &'a str, round: usize) -> MeasureProgress<'a> {
        self.done += self.next;
        self.next = self.pieces[usize::from(round > 0)];
        let left = self.start.elapsed().as_secs_f64() * (self.whole / self.done - 1.0);
        MeasureProgress {
            case,
            round,
            fraction: (self.done / self.whole).min(1.0),
            left: Duration::try_from_secs_f64(left).ok(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Verdict;
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
        [[case]]
        name = "uct"
        workload = "search"
        rules = "backgammon"
        placement = "cores"
        threads = 2
        roll = "31"
        expected = { simulations = 500, plies = 772538, roots = "c2a466cd" }
        [[case]]
        name = "choices"
        workload = "decide"
        rules = "backgammon"
        placement = "cores"
        threads = 2
        decisions = 3
        within = 0.2
        expected = { decisions = 1, games = 540, plays = "180eeca3" }
    "#;

    fn measured(text: &str, cancel: &Cancel, progress: impl FnMut(MeasureProgress<'_>)) -> Record {
        let recipe = Recipe::parse("test", text).unwrap();
        let program = record(&[]).program;
        let command = "tavli bench test".to_owned();
        let cpus = Cpus::allowed();
        measure(&recipe, &cpus, Tier::best(), program, command, cancel, progress).unwrap()
    }

    #[test]
    fn every_kind_of_work_is_measured_and_checked() {
        let mut steps = Vec::new();
        let record = measured(RECIPE, &Cancel::new(), |step| {
            steps.push((step.case.to_owned(), step.round, step.fraction, step.left));
        });
        assert_eq!(record.verdict(), Verdict::Passed, "{:?}", record.checks);
        // The signature, what two cases expect, and the repetitions of each case.
        assert_eq!(record.checks.len(), 1 + 3 + 7);
        assert_eq!(steps.len(), 7 * 4);
        assert_eq!((steps[7].0.as_str(), steps[7].1), ("games", 1));
        assert!(steps.is_sorted_by(|a, b| a.2 < b.2));
        assert!(steps[0].3.is_none() && steps[1..].iter().all(|step| step.3.is_some()));
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
                let busy: f64 = repetition.workers.iter().map(|part| part.busy_seconds).sum();
                assert!(seconds <= busy, "{seconds} of {busy}");
            }
        }
    }

    #[test]
    fn wrong_results_fail() {
        let wrong = RECIPE.replace("388801", "388802");
        let record = measured(&wrong, &Cancel::new(), |_| ());
        let failed: Vec<&Check> = record.checks.iter().filter(|check| !check.passed).collect();
        assert_eq!(failed.len(), 1);
        let said = "but 388802 plies, 7232742 plays are expected";
        assert!(failed[0].found.contains(said), "{failed:?}");
        let wrong = RECIPE.replace("c2a466cd", "c2a466ce");
        let record = measured(&wrong, &Cancel::new(), |_| ());
        let mut failed = record.checks.iter().filter(|check| !check.passed);
        let failed = failed.next().unwrap();
        assert_eq!(failed.what, "first 500 simulations of each tree of uct");
        assert!(failed.found.contains("but 772538 plies, roots c2a466ce are"), "{failed:?}");
    }

    #[test]
    fn a_wrong_signature_ends_the_run_at_once() {
        let wrong = format!("signature = \"{:016x}\"\n{RECIPE}", 1);
        let recipe = Recipe::parse("test", &wrong).unwrap();
        let program = record(&[]).program;
        let cpus = Cpus::allowed();
        let mut steps = 0;
        let tier = Tier::best();
        let result = measure(&recipe, &cpus, tier, program, String::new(), &Cancel::new(), |_| {
            steps += 1;
        });
        let error = result.unwrap_err().to_string();
        let right = format!("{:016x}", tavli::playout::signature(tier));
        assert!(error.contains(&format!("{right}, and the recipe expects 0000000000000001")), "{error}");
        assert_eq!(steps, 0);
    }

    #[test]
    fn a_limit_of_time_ends_the_run() {
        let limited = format!("time_limit_seconds = 0.001\n{RECIPE}");
        let record = measured(&limited, &Cancel::new(), |_| {
            std::thread::sleep(Duration::from_millis(2));
        });
        assert_eq!((record.interrupted, record.ended_by_limit), (true, Some(0.001)));
        assert!(record.cases.iter().any(|case| case.repetitions.len() < 3));
        let unlimited = measured(RECIPE, &Cancel::new(), |_| ());
        assert_eq!(unlimited.ended_by_limit, None);
    }

    #[test]
    fn one_worker_of_a_doubled_case_takes_turns() {
        let doubled = RECIPE.replace("threads = 2\n        expected", "threads = \"doubling\"\n        expected");
        let record = measured(&doubled, &Cancel::new(), |_| ());
        assert_eq!(record.cases[0].name, "games/1");
        let cores = Cpus::allowed().cores().get();
        let turns = record.cases[0].turns();
        // Workers that the system does not bind have no turns.
        let bound = record.cases[0].workers[0].cpu.is_some();
        let expected = if bound && cores > 1 { cores.min(3) } else { 0 };
        assert_eq!(turns.len(), expected, "{turns:?}");
    }

    #[test]
    fn tiers_are_measured_side_by_side() {
        let recipe = Recipe::parse("test", RECIPE).unwrap().on_tiers(Tier::available());
        let program = record(&[]).program;
        let cpus = Cpus::allowed();
        let done = measure(&recipe, &cpus, Tier::best(), program, String::new(), &Cancel::new(), |_| ());
        let done = done.unwrap();
        assert_eq!(done.verdict(), Verdict::Passed, "{:?}", done.checks);
        let tiers = Tier::available();
        assert_eq!(done.cases.len(), 5 * tiers.len() + 2);
        for (case, tier) in done.cases.iter().zip(tiers) {
            assert_eq!(case.isa.as_deref(), Some(tier.name()));
            assert_eq!(case.name, format!("games {tier}"));
        }
    }

    #[test]
    fn a_cancelled_measurement_keeps_its_repetitions() {
        let cancel = Cancel::new();
        let record = measured(RECIPE, &cancel, |step| {
            if step.round == 2 && step.case == "listed" {
                cancel.cancel();
            }
        });
        assert!(record.interrupted && record.verdict() == Verdict::Passed);
        let repetitions: Vec<usize> = record.cases.iter().map(|c| c.repetitions.len()).collect();
        assert_eq!(repetitions, [2, 2, 1, 1, 1, 1, 1]);
    }

    #[test]
    fn before_the_first_repetition_nothing_is_verified() {
        let cancel = Cancel::new();
        let record = measured(RECIPE, &cancel, |_| cancel.cancel());
        assert!(record.interrupted);
        assert_eq!(record.verdict(), Verdict::NothingMeasured);
    }

    #[test]
    fn a_measurement_that_is_cancelled_at_once_prepares_nothing() {
        let cancel = Cancel::new();
        cancel.cancel();
        let record = measured(RECIPE, &cancel, |_| panic!("nothing is measured"));
        assert!(record.interrupted && record.cases.is_empty());
        assert_eq!(record.verdict(), Verdict::NothingMeasured);
    }

    #[test]
    fn measured_records_are_read_back() {
        let few = r#"
            description = "fewer games than workers"
            warm_up_seconds = 0.0
            repetitions = 2
            seconds = 0.001
            seed = 1
            [[case]]
            name = "few"
            workload = "rollout"
            rules = "backgammon"
            placement = "none"
            threads = 3
            batch = 1
        "#;
        for text in [RECIPE, few] {
            let record = measured(text, &Cancel::new(), |_| ());
            let text = serde_json::to_string(&record).unwrap();
            assert_eq!(Record::parse(&text).unwrap(), record);
        }
    }
}
