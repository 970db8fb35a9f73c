//! Conditions that hold for every record: times above 0, counts that agree, a part for each worker.

use core::fmt::Display;
use core::ops::RangeInclusive;
use std::collections::BTreeSet;

use super::envelope::RecordError;
use crate::events::Events;
use crate::machine::Machine;
use crate::record::definition::{CaseRecord, Decided, Record, Repetition, Verdict};
use crate::stages::StageTime;
use crate::statistics::Ratio;

/// Seconds of a repetition: at least a nanosecond, the resolution of clocks, and at most thirty years. Rates and their
/// ratios are then finite.
const SECONDS: RangeInclusive<f64> = 1e-9..=1e9;
/// Cycles per second.
const CLOCK: RangeInclusive<f64> = 1e3..=1e12;
/// The range of counts and amounts in a repetition.
const COUNT: RangeInclusive<f64> = 0.0..=1e24;
/// The most points that one play can be behind another: a backgammon won instead of one lost.
const MAX_POINTS: f64 = 6.0;
/// Tolerance: a sum of rounded parts may exceed the rounded whole.
const ROUNDING: f64 = 1.001;

type Valid = Result<(), RecordError>;

/// Returns with a reason, written as by `format!`, unless a condition holds.
macro_rules! ensure {
    ($holds:expr, $($reason:tt)+) => {
        if !$holds {
            return Err(format!($($reason)+));
        }
    };
}

impl Record {
    /// Checks that the record can come from a measurement.
    pub(super) fn check(&self) -> Valid {
        self.machine.check().or_else(at("the machine"))?;
        self.check_itself().or_else(at("the record"))?;
        let mut names = BTreeSet::new();
        let verified = self.verdict() == Verdict::Passed;
        for case in &self.cases {
            case.check(verified)?;
            if case.over_playouts != self.over_playouts(case) {
                let reason = "its rate over playouts does not follow from its repetitions";
                return at(format_args!("case '{}'", case.name))(reason.to_owned());
            }
            if !names.insert(&case.name) {
                return at("the record")(format!("two cases have the name '{}'", case.name));
            }
            let (first, number) = (self.cases[0].repetitions.len(), case.repetitions.len());
            if !self.interrupted && (number == 0 || number != first) {
                let reason = format!(
                    "{number} repetitions of case '{}' and {first} of the first: without an interrupt each case \
                     has the same number, at least 1",
                    case.name
                );
                return at("the record")(reason);
            }
        }
        Ok(())
    }

    fn check_itself(&self) -> Result<(), String> {
        if let Some(share) = self.others {
            within("the share that others used", share, &(0.0..=1.0))?;
        }
        let date = &self.started;
        ensure!(
            humantime::parse_rfc3339(date).is_ok(),
            "invalid date '{date}': a date is written as 2026-11-20T15:14:53Z"
        );
        Ok(())
    }
}

impl Machine {
    fn check(&self) -> Result<(), String> {
        within("the clock", self.clock, &CLOCK)?;
        within("the step of the timer", self.timer_ns, &(0.0..=1e9))?;
        within("the load", self.load.unwrap_or(0.0), &(0.0..=1e9))?;
        let range = self.state.as_ref().and_then(|state| state.clock_range);
        for clock in range.into_iter().flatten() {
            within("the range of the clock", clock, &CLOCK)?;
        }
        within("the CPUs granted", self.cpus_granted.unwrap_or(1.0), &(1e-9..=1e9))?;
        ensure!(self.cores > 0, "0 cores: a machine has at least 1");
        Ok(())
    }
}

impl CaseRecord {
    /// Checks a case. The repetitions of a `verified` case did the same work.
    fn check(&self, verified: bool) -> Valid {
        self.check_itself().or_else(at(format_args!("case '{}'", self.name)))?;
        (1..).zip(&self.repetitions).try_for_each(|(number, repetition)| {
            let checked = self.check_repetition(repetition, verified);
            checked.or_else(at(format_args!("case '{}', repetition {number}", self.name)))
        })
    }

    fn check_itself(&self) -> Result<(), String> {
        let (repetitions, most) = (self.repetitions.len(), Ratio::MAX_SAMPLES);
        ensure!(!self.workers.is_empty(), "no workers: a case has at least 1");
        ensure!(repetitions <= most, "{repetitions} repetitions: a case has at most {most}");
        ensure!(self.batch != Some(0), "runs of 0 games: a run has at least 1");
        self.decided.as_ref().map_or(Ok(()), Decided::check)
    }

    /// Checks a repetition beside the first.
    fn check_repetition(&self, repetition: &Repetition, verified: bool) -> Result<(), String> {
        repetition.check(self.workers.len())?;
        let (units, plies) = (repetition.units, repetition.plies);
        ensure!(self.unit != "games" || plies >= units, "{plies} plies of {units} games: a game has at least 1");
        let (batch, positions) = (self.batch.unwrap_or(1), self.positions.len());
        let runs = batch.checked_mul(positions.max(1) as u64);
        ensure!(
            self.batch.is_none() || runs.is_some_and(|games| units % games == 0),
            "{units} games: not a multiple of {batch} from each of {positions} positions"
        );
        let first = &self.repetitions[0];
        ensure!(
            (first.units, first.plies) == (units, plies) || !verified,
            "{units} {} and {plies} plies, and the first has {} and {}: repetitions do the same work",
            self.unit,
            first.units,
            first.plies
        );
        let decisions = self.decided.as_ref().map_or(0, |decided| decided.behind.len());
        let timed = repetition.decisions.len();
        ensure!(timed == 0 || timed == decisions, "times of {timed} decisions, and the case has {decisions}");
        let stages = |one: &Repetition| -> Vec<(String, String)> {
            let names = |stage: &StageTime| (stage.pool.clone(), stage.stage.clone());
            one.stages.iter().map(names).collect()
        };
        ensure!(stages(first) == stages(repetition), "its stages differ from the first repetition's");
        Ok(())
    }
}

impl Decided {
    fn check(&self) -> Result<(), String> {
        let (decisions, errors, open) = (self.behind.len(), self.errors.len(), self.open);
        ensure!(
            decisions > 0 && decisions == errors && open <= decisions,
            "{decisions} decisions with {errors} standard errors, of which {open} are open"
        );
        for &points in self.behind.iter().chain(&self.errors) {
            within("points of a decision", points, &(0.0..=MAX_POINTS))?;
        }
        Ok(())
    }
}

impl Repetition {
    /// Checks a repetition of this number of workers.
    fn check(&self, workers: usize) -> Result<(), String> {
        within("seconds", self.seconds, &SECONDS)?;
        within("cpu_seconds", self.cpu_seconds.unwrap_or(1.0), &SECONDS)?;
        for time in [self.user_seconds, self.system_seconds] {
            within("seconds of processor time", time.unwrap_or(0.0), &(0.0..=1e9))?;
        }
        within("the clock", self.clock, &CLOCK)?;
        let (units, plies) = (self.units, self.plies);
        ensure!(units > 0 && plies > 0, "{units} units and {plies} plies: a repetition has at least 1 of each");
        if let Some(events) = &self.events {
            events.check()?;
        }
        for &seconds in &self.decisions {
            within("seconds of a decision", seconds, &(0.0..=1e9))?;
        }
        let parts = self.workers.len();
        ensure!(parts == workers, "{parts} parts of workers, and the case has {workers} workers");
        let mut sum = Some(0_u64);
        for part in &self.workers {
            within("busy_seconds", part.busy_seconds, &(0.0..=self.seconds * ROUNDING))?;
            sum = sum.and_then(|sum| sum.checked_add(part.units));
        }
        ensure!(sum == Some(units), "{units} units, which is not the sum of the workers' parts");
        let busy: f64 = self.workers.iter().map(|part| part.busy_seconds).sum();
        let mut timed = 0.0;
        for stage in &self.stages {
            within("seconds of a stage", stage.seconds, &(0.0..=busy * ROUNDING))?;
            let name = &stage.stage;
            ensure!(stage.plies > 0, "0 plies of stage '{name}': a stage that is timed has at least 1");
            timed += stage.seconds;
        }
        ensure!(
            self.stages.is_empty() || timed > 0.0 && timed <= busy * ROUNDING,
            "stages of {timed} s: they take a part of the {busy} s of the workers"
        );
        Ok(())
    }
}

impl Events {
    fn check(&self) -> Result<(), String> {
        let counts = self.counters.unwrap_or_default();
        for (what, value) in [
            ("seconds of counters", counts.seconds),
            ("cycles", counts.cycles),
            ("instructions", counts.instructions),
            ("branch misses", counts.branch_misses),
            ("stolen_seconds", self.stolen_seconds.unwrap_or(0.0)),
            ("quota_seconds", self.quota_seconds.unwrap_or(0.0)),
            ("joules", self.joules.unwrap_or(0.0)),
            ("operations", self.operations.unwrap_or(0.0)),
        ] {
            within(what, value, &COUNT)?;
        }
        Ok(())
    }
}

fn within(what: &str, value: f64, range: &RangeInclusive<f64>) -> Result<(), String> {
    let (least, most) = (range.start(), range.end());
    ensure!(range.contains(&value), "invalid value {value} of {what}: it must be from {least} to {most}");
    Ok(())
}

/// An error at a place.
fn at(place: impl Display) -> impl FnOnce(String) -> Valid {
    move |reason| Err(RecordError::Value { place: place.to_string(), reason })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::events::Counts;
    use crate::record::tests::record;

    const RATES: [f64; 3] = [100.0, 101.0, 102.0];

    type Change<T> = fn(&mut T);

    fn measured() -> Record {
        record(&[("games", 2, &RATES), ("alone", 1, &RATES)])
    }

    /// The error of a record that was changed and given the checksum of its new contents.
    fn said(change: impl FnOnce(&mut Record)) -> String {
        let mut record = measured();
        change(&mut record);
        let text = serde_json::to_string(&record).unwrap();
        match Record::parse(&text) {
            Ok(_) => String::new(),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn characters_that_a_terminal_obeys_are_refused() {
        let escape = "\u{1b}[2J";
        let error = said(|record| record.cases[0].workload.push_str(escape));
        assert_eq!(
            error,
            "workload: \"playouts\\u{1b}[2J\" has a character that is not printable; restore the file, or measure again"
        );
        let error = said(|record| record.checks[0].found.push('\u{9b}'));
        assert!(error.starts_with("found: "), "{error}");
    }

    #[test]
    fn impossible_values_are_refused() {
        let of_repetition: [(Change<Repetition>, &str); 19] = [
            (
                |one| {
                    one.events = Some(Events { joules: Some(-1.0), ..Events::default() });
                },
                "invalid value -1 of joules",
            ),
            (
                |one| {
                    let counts = Counts { cycles: -2.0, ..Counts::default() };
                    one.events = Some(Events { counters: Some(counts), ..Events::default() });
                },
                "invalid value -2 of cycles",
            ),
            (|one| _ = one.workers.pop(), "1 parts of workers, and the case has 2 workers"),
            (|one| one.seconds = 0.0, "invalid value 0 of seconds"),
            (|one| one.seconds = -2.0, "invalid value -2 of seconds"),
            (|one| one.seconds = 1e-300, "of seconds"),
            (|one| one.seconds = 1.0, "of busy_seconds: it must be from 0 to 1.001"),
            (|one| one.cpu_seconds = Some(0.0), "of cpu_seconds"),
            (|one| one.user_seconds = Some(-0.1), "of seconds of processor time"),
            (|one| one.clock = 0.0, "of the clock"),
            (|one| one.units = 0, "0 units and"),
            (|one| one.plies = 0, "and 0 plies"),
            (|one| one.units += 1, "not the sum of the workers' parts"),
            (|one| one.workers[1].units = u64::MAX, "not the sum of the workers' parts"),
            (|one| one.workers[0].busy_seconds = -1.0, "invalid value -1 of busy_seconds"),
            (|one| one.plies += 1, "repetitions do the same work"),
            (|one| one.stages = vec![stage(1, 0.0)], "stages of 0 s"),
            (|one| one.stages = vec![stage(1, 7.0)], "seconds of a stage"),
            (|one| one.stages = vec![stage(0, 1.0)], "0 plies of stage 'make'"),
        ];
        for (change, message) in of_repetition {
            let said = said(|record| change(&mut record.cases[0].repetitions[1]));
            assert!(said.contains("case 'games', repetition 2: "), "{message}: {said}");
            assert!(said.contains(message), "{message}: {said}");
            assert!(said.ends_with("; restore the file, or measure again"), "{said}");
        }
        let of_record: [(Change<Record>, &str); 12] = [
            (|record| record.others = Some(1.5), "the share that others used"),
            (|record| record.started = "yesterday".to_owned(), "invalid date 'yesterday'"),
            (|record| record.machine.clock = -1.0, "the machine: invalid value -1 of the clock"),
            (|record| record.machine.cores = 0, "the machine: 0 cores"),
            (|record| record.machine.load = Some(-1.0), "of the load"),
            (|record| record.cases[1].name = "games".to_owned(), "two cases have the name 'games'"),
            (|record| record.cases[0].workers.clear(), "case 'games': no workers"),
            (|record| record.cases[0].batch = Some(0), "runs of 0 games"),
            (|record| record.cases[0].batch = Some(7), "not a multiple of 7 from each of 1 positions"),
            (|record| _ = record.cases[1].repetitions.pop(), "2 repetitions of case 'alone'"),
            (|record| record.cases[0].repetitions[0].plies = 3, "3 plies of 200 games"),
            (
                |record| {
                    let repetition = record.cases[0].repetitions[0].clone();
                    record.cases[0].repetitions = vec![repetition; 201];
                },
                "201 repetitions: a case has at most 200",
            ),
        ];
        for (change, message) in of_record {
            let said = said(change);
            assert!(said.contains(message), "{message}: {said}");
        }
    }

    #[test]
    fn numbers_that_are_none_are_not_read() {
        let text = serde_json::to_string(&measured()).unwrap();
        for value in ["1e999", "NaN", "null", "\"2\""] {
            let changed = text.replacen("\"seconds\":2.0", &format!("\"seconds\":{value}"), 1);
            assert_ne!(changed, text);
            let error = Record::parse(&changed).unwrap_err();
            assert!(matches!(error, RecordError::Form(_)), "{error}");
        }
        // NaN is written as null, which is not read back.
        assert!(said(|record| record.cases[0].repetitions[0].seconds = f64::NAN).contains("null"));
    }

    #[test]
    fn possible_values_are_accepted() {
        let changes: [Change<Record>; 6] = [
            |_| (),
            |record| record.others = None,
            // A worker that got no game.
            |record| {
                for repetition in &mut record.cases[0].repetitions {
                    repetition.workers[0].units = repetition.units;
                    repetition.workers[1].units = 0;
                    repetition.workers[1].busy_seconds = 0.0;
                }
            },
            |record| {
                record.interrupted = true;
                record.cases[1].repetitions.clear();
            },
            // A failed check may mean that the work differed.
            |record| {
                record.checks[0].passed = false;
                record.cases[0].repetitions[1].plies += 1;
            },
            |record| {
                for case in &mut record.cases {
                    for repetition in &mut case.repetitions {
                        repetition.stages = vec![stage(9, 1.0)];
                    }
                }
            },
        ];
        for (number, change) in changes.into_iter().enumerate() {
            assert_eq!(said(change), "", "{number}");
        }
    }

    fn stage(plies: u64, seconds: f64) -> StageTime {
        StageTime { pool: "early".to_owned(), stage: "make".to_owned(), plies, seconds }
    }
}
