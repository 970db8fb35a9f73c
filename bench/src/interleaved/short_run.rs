//! A short run of a build: its output, read and verified.

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::comparison_settings::{Clock, RunProgram};

/// The output of `tavli bench RECIPE --json`. Only these members are read: records of every schema have them, so older
/// builds can be compared.
#[derive(Deserialize, Debug)]
pub(super) struct ShortRun {
    pub(super) program: RunProgram,
    interrupted: bool,
    checks: Vec<RunCheck>,
    pub(super) cases: Vec<RunCase>,
}

#[derive(Deserialize, Debug)]
struct RunCheck {
    what: String,
    passed: bool,
    found: String,
}

#[derive(Deserialize, Debug)]
pub(super) struct RunCase {
    #[serde(flatten)]
    pub(super) work: RunWork,
    workers: Vec<IgnoredAny>,
    repetitions: Vec<RunRepetition>,
}

/// The work of a case: equal for both builds.
#[derive(Deserialize, Clone, PartialEq, Eq, Debug)]
pub(super) struct RunWork {
    pub(super) name: String,
    workload: String,
    unit: String,
    rules: String,
    positions: Vec<String>,
    batch: Option<u64>,
    #[serde(default)]
    policy: Option<String>,
    seed: u64,
    placement: String,
}

#[derive(Deserialize, Debug)]
struct RunRepetition {
    seconds: f64,
    cpu_seconds: Option<f64>,
    units: u64,
}

impl ShortRun {
    /// The signature, if the run passed its checks and has the signature `expected`. If that is empty, any signature
    /// will do.
    pub(super) fn verify(&self, expected: &str) -> Result<String, String> {
        if self.interrupted {
            return Err("the run was interrupted".to_owned());
        }
        if let Some(failed) = self.checks.iter().find(|check| !check.passed) {
            return Err(format!("{}: {}", failed.what, failed.found));
        }
        let mut checks = self.checks.iter();
        let signature = checks.find(|check| check.what.starts_with("signature"));
        let found = signature.and_then(|check| check.found.split(',').next());
        match found {
            None => Err("the run has checked no signature".to_owned()),
            Some(found) if expected.is_empty() || found == expected => Ok(found.to_owned()),
            Some(found) => Err(format!("signature {found}, but {expected} is expected")),
        }
    }
}

impl RunCase {
    /// The work and its number of workers.
    pub(super) fn work(&self) -> (RunWork, usize) {
        (self.work.clone(), self.workers.len())
    }

    /// Units per second, by this clock, in the fastest repetition: other work of the machine only slows repetitions
    /// down. There must be `expected` repetitions.
    pub(super) fn rate(&self, clock: Clock, expected: usize) -> Result<f64, String> {
        let (name, number) = (&self.work.name, self.repetitions.len());
        if number != expected {
            return Err(format!("case '{name}': {number} repetitions, but {expected} are expected"));
        }
        let rates = self.repetitions.iter().map(|repetition| {
            let seconds = match clock {
                Clock::Wall => Some(repetition.seconds),
                Clock::Processor => repetition.cpu_seconds,
            };
            let seconds =
                seconds.ok_or_else(|| format!("case '{name}': no processor time on this system; use --clock wall"))?;
            let (units, rate) = (repetition.units, repetition.units as f64 / seconds);
            match rate > 0.0 && rate.is_finite() {
                true => Ok(rate),
                false => Err(format!("case '{name}': {units} units in {seconds} s")),
            }
        });
        let rates: Vec<f64> = rates.collect::<Result<_, _>>()?;
        Ok(rates.into_iter().fold(0.0, f64::max))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::tests::record;

    /// The output of a run whose record was changed by `change`.
    fn run(change: impl FnOnce(&mut crate::Record)) -> ShortRun {
        let mut record = record(&[("games", 2, &[500.0, 1000.0, 800.0])]);
        change(&mut record);
        serde_json::from_str(&serde_json::to_string(&record).unwrap()).unwrap()
    }

    #[test]
    fn a_run_is_read_and_verified() {
        let run = run(|_| ());
        let signature = "0123456789abcdef";
        assert_eq!(run.verify(signature), Ok(signature.to_owned()));
        assert_eq!(run.verify(""), Ok(signature.to_owned()));
        assert_eq!(run.cases[0].rate(Clock::Wall, 3), Ok(1000.0));
        // Two workers use the processor for twice the time.
        assert_eq!(run.cases[0].rate(Clock::Processor, 3), Ok(500.0));
        assert_eq!(run.cases[0].work().1, 2);
    }

    #[test]
    fn runs_that_prove_nothing_are_refused() {
        let wrong = run(|_| ()).verify("fedcba9876543210");
        assert!(wrong.unwrap_err().contains("but fedcba9876543210 is expected"));
        for (change, message) in [
            ((|record| record.interrupted = true) as fn(&mut crate::Record), "interrupted"),
            (|record| record.checks[0].passed = false, "signature: 0123"),
            (|record| record.checks.clear(), "no signature"),
        ] {
            let error = run(change).verify("").unwrap_err();
            assert!(error.contains(message), "{error}");
        }
        for (change, message) in [
            ((|record| record.cases[0].repetitions.clear()) as fn(&mut crate::Record), "0 repetitions"),
            (|record| record.cases[0].repetitions[0].cpu_seconds = None, "use --clock wall"),
            (|record| record.cases[0].repetitions[0].cpu_seconds = Some(0.0), "units in 0 s"),
            (|record| record.cases[0].repetitions[0].cpu_seconds = Some(-1.0), "units in -1 s"),
            (|record| record.cases[0].repetitions[0].units = 0, "0 units"),
        ] {
            let error = run(change).cases[0].rate(Clock::Processor, 3).unwrap_err();
            assert!(error.contains(message), "{error}");
        }
    }

    #[test]
    fn other_members_are_passed_over() {
        let record = record(&[("games", 2, &[1000.0])]);
        let text = serde_json::to_string(&record).unwrap();
        let text = text.replacen("\"schema\":2", "\"format\":1,\"later\":[]", 1);
        let text = text.replacen("\"seconds\"", "\"counters\":{},\"seconds\"", 1);
        let run: ShortRun = serde_json::from_str(&text).unwrap();
        assert!(run.verify("").is_ok());
    }
}
