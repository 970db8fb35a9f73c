//! Measures the cases of a recipe.
//!
//! Warming up a case shows how much work fills the time of a repetition. All repetitions then do exactly this work, so
//! their tallies must be equal to the last digit. Cases take turns, so a clock that drifts affects all of them alike.

mod case;
mod work;

use std::time::SystemTime;

use tavli::run::{Cancel, Cpus, GameNumbersError, PlacementError, Workers, WorkersError};
use tavli::{PlayoutError, Tier};
use thiserror::Error;

use crate::cpu_usage::CpuUsage;
use crate::machine::Machine;
use crate::recipe::Recipe;
use crate::record::{Check, Program, Record};
use case::Measured;
pub(crate) use work::operate;

/// Why a recipe was not measured.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum MeasureError {
    /// The workers of a case cannot be placed.
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
    /// The machine is so fast, or the time so long, that the game numbers do not suffice.
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
pub struct Step<'a> {
    /// The case at work.
    pub case: &'a str,
    /// The round of repetitions, from 1; 0 while warming up.
    pub round: usize,
    /// The share of the whole that is done, 0..=1.
    pub fraction: f64,
}

/// Measures a recipe. Calls `progress` before each piece of work; `cancel` ends the measurement with the repetitions
/// done so far.
///
/// # Errors
/// [`MeasureError`] if a case cannot be measured on this machine. A failed check is not an error: the record contains
/// it.
pub fn measure(
    recipe: &Recipe,
    cpus: &Cpus,
    tier: Tier,
    program: Program,
    command: String,
    cancel: &Cancel,
    mut progress: impl FnMut(Step<'_>),
) -> Result<Record, MeasureError> {
    let started = humantime::format_rfc3339_seconds(SystemTime::now()).to_string();
    let machine = Machine::here(cpus);
    let allowed = cpus.list();
    let usage = CpuUsage::now(&allowed);
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
    let mut report = |case: &str, round: usize| {
        let fraction = done as f64 / pieces as f64;
        done += 1;
        progress(Step {
            case,
            round,
            fraction,
        });
    };
    for case in &mut measured {
        if cancel.is_cancelled() {
            break;
        }
        report(&case.record.name, 0);
        case.warm_up(recipe)?;
        checks.extend(case.check_expected()?);
    }
    for round in 1..=recipe.repetitions {
        for case in &mut measured {
            if cancel.is_cancelled() {
                break;
            }
            report(&case.record.name, round);
            case.repeat()?;
        }
    }
    let others = CpuUsage::now(&allowed).zip(usage);
    let others = others.and_then(|(after, before)| after.others_since(&before));
    checks.extend(measured.iter().filter_map(Measured::check_repetitions));
    Ok(Record {
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
            "" => format!("{found}, none expected"),
            wanted if wanted == found => found,
            wanted => format!("{found}, but {wanted} is expected"),
        },
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
    "#;

    fn measured(text: &str, cancel: &Cancel, progress: impl FnMut(Step<'_>)) -> Record {
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
        let mut steps = Vec::new();
        let record = measured(RECIPE, &Cancel::new(), |step| {
            steps.push((step.case.to_owned(), step.round, step.fraction));
        });
        assert_eq!(record.verdict(), Verdict::Passed, "{:?}", record.checks);
        // The signature, the expected games, and the repetitions of each case.
        assert_eq!(record.checks.len(), 1 + 1 + 5);
        assert_eq!(steps.len(), 5 * 4);
        assert_eq!((steps[5].0.as_str(), steps[5].1), ("games", 1));
        assert!(steps.is_sorted_by(|a, b| a.2 < b.2));
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
    fn wrong_results_fail() {
        let wrong = RECIPE.replace("388801", "388802");
        let record = measured(&wrong, &Cancel::new(), |_| ());
        let failed: Vec<&Check> = record.checks.iter().filter(|check| !check.passed).collect();
        assert_eq!(failed.len(), 1);
        assert!(failed[0].found.contains("but 388802 and"), "{failed:?}");
        let wrong = format!("signature = \"{:016x}\"\n{RECIPE}", 1);
        let record = measured(&wrong, &Cancel::new(), |_| ());
        assert_eq!(record.verdict(), Verdict::Failed);
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
        assert_eq!(repetitions, [2, 2, 1, 1, 1]);
    }

    #[test]
    fn before_the_first_repetition_nothing_is_verified() {
        let cancel = Cancel::new();
        let record = measured(RECIPE, &cancel, |_| cancel.cancel());
        assert!(record.interrupted);
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
