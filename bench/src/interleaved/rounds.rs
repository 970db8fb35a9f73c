//! The rounds of a comparison.

use std::iter;
use std::process::Command;
use std::time::{Duration, Instant};

use tavli::run::Cancel;

use super::build::Build;
use super::comparison_settings::{
    BuildInfo, ComparisonProgress, ComparisonSettings, End, InterleavedCase, InterleavedError, InterleavedRuns,
    RunProgram,
};
use super::precision::{Looks, Precision};
use super::process::{self, Ended};
use super::short_run::{RunCase, RunWork, ShortRun};
use crate::finding::Compared;
use crate::paired::Paired;

/// A run that takes `HANG_FACTOR` times its expected time is taken to hang, and ended.
const HANG_FACTOR: u32 = 20;
/// The repetitions of a case in a run; the fastest counts. On a machine that others used, ratios of rounds scattered a
/// third less with eight repetitions than with one as long.
const REPETITIONS: usize = 8;
/// The name of a variable in the environment of the runs. Its length is random, so the stack begins at another address
/// in each run, even if the system does not see to that.
const PADDING: &str = "TAVLI_BENCH_PADDING";
/// The most bytes of padding: a page.
const PAGE: usize = 4096;

/// The rounds so far.
pub(super) struct BuildRounds<'a> {
    builds: [&'a Build; 2],
    settings: &'a ComparisonSettings,
    cancel: &'a Cancel,
    start: Instant,
    random: fastrand::Rng,
    /// The program data of the first run of each build.
    programs: [Option<RunProgram>; 2],
    /// The signature and the work of the first run, which all runs must have.
    first: Option<(String, Vec<(RunWork, usize)>)>,
    /// The ratio of each round, for each case.
    ratios: Vec<Vec<f64>>,
    looks: Looks,
    /// Half the width of the widest interval at the last look.
    width: Option<f64>,
    /// The time of the last round.
    round: Duration,
}

impl<'a> BuildRounds<'a> {
    pub(super) fn new(
        builds: [&'a Build; 2],
        settings: &'a ComparisonSettings,
        cancel: &'a Cancel,
        start: Instant,
    ) -> BuildRounds<'a> {
        BuildRounds {
            builds,
            settings,
            cancel,
            start,
            random: fastrand::Rng::new(),
            programs: [None, None],
            first: None,
            ratios: Vec::new(),
            looks: Looks::new(),
            width: None,
            round: Duration::ZERO,
        }
    }

    /// The number of rounds done.
    fn done(&self) -> usize {
        self.ratios.first().map_or(0, Vec::len)
    }

    /// The number of pairs of layouts, which take turns.
    fn layouts(&self) -> usize {
        self.builds[0].programs.len()
    }

    /// Plays a round; returns the reason if the comparison ends.
    pub(super) fn play(&mut self) -> Result<Option<End>, InterleavedError> {
        let before = Instant::now();
        if self.done() == Paired::MAX_ROUNDS {
            return Ok(Some(End::Rounds));
        }
        // The next round takes as long as the last one, if the machine stays as it is. If not, its runs are ended.
        let left = self.settings.limit.saturating_sub(self.start.elapsed());
        if left <= self.round {
            return Ok(Some(End::Time));
        }
        let layout = self.done() % self.layouts();
        let mut rates = [Vec::new(), Vec::new()];
        let first = usize::from(self.random.bool());
        for side in [first, 1 - first] {
            match self.run(side, layout)? {
                Ok(found) => rates[side] = found,
                Err(end) => return Ok(Some(end)),
            }
        }
        let [old, new] = rates;
        self.ratios.resize_with(old.len(), Vec::new);
        for (ratios, (old, new)) in iter::zip(&mut self.ratios, iter::zip(old, new)) {
            ratios.push(new / old);
        }
        self.round = before.elapsed();
        if !self.looks.due(self.done()) {
            return Ok(None);
        }
        let precision = self.settings.precision;
        let ratios = precision.ratios(&self.ratios, self.layouts());
        self.width = ratios.and_then(|ratios| Precision::widest(&ratios));
        let precise = self.width.is_some_and(|width| width <= precision.width);
        Ok(precise.then_some(End::Precise))
    }

    /// How far the comparison is.
    pub(super) fn progress(&self) -> ComparisonProgress {
        let (limit, used) = (self.settings.limit, self.start.elapsed());
        let left = limit.saturating_sub(used);
        // Intervals get narrower with the root of the number of rounds.
        let times = self.width.map(|width| (width / self.settings.precision.width).powi(2) - 1.0);
        let needed = times.and_then(|times| Duration::try_from_secs_f64(times.max(0.0) * used.as_secs_f64()).ok());
        ComparisonProgress {
            rounds: self.done(),
            width: self.width,
            fraction: (used.as_secs_f64() / limit.as_secs_f64()).min(1.0),
            left: needed.map_or(left, |needed| needed.min(left)),
        }
    }

    /// The rates of the cases in a run of a build, or why it was ended.
    fn run(&mut self, side: usize, layout: usize) -> Result<Result<Vec<f64>, End>, InterleavedError> {
        let (build, settings) = (self.builds[side], self.settings);
        let name = || build.name.clone();
        let each = settings.time_of_case.as_secs_f64();
        let mut command = Command::new(&build.programs[layout]);
        command
            .arg("bench")
            .arg(&settings.recipe)
            .args(["--json", "--repetitions", &REPETITIONS.to_string()])
            .arg("--seconds")
            .arg((each / REPETITIONS as f64).to_string())
            .arg("--warm-up")
            .arg((each / 2.0).to_string())
            .args(&settings.options)
            .env(PADDING, "x".repeat(self.random.usize(..PAGE)));
        let now = Instant::now();
        let patience = now + HANG_FACTOR * settings.expected;
        let until = patience.min(self.start + settings.limit);
        let ended = process::run(&mut command, until, self.cancel);
        let ended = ended.map_err(|source| InterleavedError::Start { name: name(), source })?;
        let (status, output, errors) = match ended {
            Ended::Itself { status, output, errors } => (status, output, errors),
            Ended::Cancelled => return Ok(Err(End::Cancelled)),
            Ended::Late if until < patience => return Ok(Err(End::Time)),
            Ended::Late => {
                return Err(InterleavedError::Hang {
                    name: name(),
                    seconds: now.elapsed().as_secs(),
                    expected: settings.expected.as_secs_f64(),
                });
            }
        };
        // A run whose verification fails writes its record too.
        let run: ShortRun = serde_json::from_slice(&output).map_err(|reason| match status.success() {
            true => InterleavedError::Output { name: name(), reason },
            false => InterleavedError::Status { name: name(), status: status.to_string(), said: last_line(&errors) },
        })?;
        let wrong = |reason| InterleavedError::Verification { name: name(), reason };
        let signature = run.verify(&settings.signature).map_err(wrong)?;
        let rates: Result<Vec<f64>, String> =
            run.cases.iter().map(|case| case.rate(settings.clock, REPETITIONS)).collect();
        let rates = rates.map_err(wrong)?;
        if !status.success() {
            return Err(wrong(format!("it ended with {status}")));
        }
        if rates.is_empty() {
            return Err(wrong("the run has no cases".to_owned()));
        }
        let work: Vec<(RunWork, usize)> = run.cases.iter().map(RunCase::work).collect();
        let (first_signature, first) = self.first.get_or_insert_with(|| (signature.clone(), work.clone()));
        if (&*first_signature, &*first) != (&signature, &work) {
            let unlike = iter::zip(&*first, &work).find(|(a, b)| a != b);
            let reason = match unlike {
                _ if *first_signature != signature => format!("signatures {first_signature} and {signature}"),
                Some((a, b)) => format!("{a:?} and {b:?}"),
                None => format!("{} cases and {}", first.len(), work.len()),
            };
            let [old, new] = self.builds.map(|build| build.name.clone());
            return Err(InterleavedError::Work { old, new, reason });
        }
        self.programs[side].get_or_insert(run.program);
        Ok(Ok(rates))
    }

    /// The result of the rounds done.
    pub(super) fn result(self, end: End) -> Result<InterleavedRuns, InterleavedError> {
        let (settings, precision) = (self.settings, self.settings.precision);
        let seconds = self.start.elapsed().as_secs_f64();
        let ratios = precision.ratios(&self.ratios, self.layouts()).filter(|ratios| !ratios.is_empty());
        let ([Some(old), Some(new)], Some((_, work)), Some(ratios)) = (&self.programs, &self.first, ratios) else {
            return Err(match end {
                End::Cancelled => InterleavedError::Interrupted,
                _ => InterleavedError::NoRound(settings.limit.as_secs_f64()),
            });
        };
        let case = |((work, _), (paired, rounds)): (&(RunWork, usize), (Paired, &Vec<f64>))| {
            let few = paired.interval.is_none().then(|| "too few rounds".to_owned());
            InterleavedCase {
                compared: Compared::new(
                    work.name.clone(),
                    Some(paired.ratio),
                    paired.interval,
                    precision.margin,
                    few.into_iter().collect(),
                ),
                rounds: rounds.len(),
                autocorrelation: paired.autocorrelation,
                ratios: rounds.clone(),
            }
        };
        let described = |build: &Build, program: &RunProgram| BuildInfo {
            name: build.name.clone(),
            layouts: build.programs.len(),
            program: program.clone(),
        };
        Ok(InterleavedRuns {
            old: described(self.builds[0], old),
            new: described(self.builds[1], new),
            clock: settings.clock,
            confidence: precision.confidence,
            margin: precision.margin,
            width: precision.width,
            seconds,
            end,
            cases: iter::zip(work, iter::zip(ratios, &self.ratios)).map(case).collect(),
        })
    }
}

/// The last line that a program wrote to standard error.
fn last_line(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    // A usage error is followed by the advice to try --help.
    let line = lines.clone().find(|line| line.contains("error")).or_else(|| lines.next_back());
    line.unwrap_or("no message").to_owned()
}
