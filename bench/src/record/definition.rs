//! A record: the machine, the repetitions of each case, and the rates that follow from them.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use tavli::run::PlayoutReport;

use crate::binding::Binding;
use crate::events::{Counts, Events};
use crate::machine::Machine;
use crate::stages::StageTime;
use crate::statistics::{Ratio, Summary, serial_fraction};

/// The largest share of the CPUs used by others that is not reported.
const QUIET: f64 = 0.03;

/// Random games per second of McGammon 1.0 on a quad-Opteron at 2.6 GHz, under its simplified rule: F. Van
/// Lishout, G. Chaslot and J. W. H. M. Uiterwijk, "Monte-Carlo Tree Search in Backgammon", Computer Games
/// Workshop 2007.
pub const PAPER_GAMES_PER_SECOND: u32 = 6_500;

/// The record of a recipe.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(remote = "Self", deny_unknown_fields)] // a file adds its schema and checksum
pub struct Record {
    /// The name of the recipe.
    pub recipe: String,
    /// The purpose of the recipe.
    pub description: String,
    /// When it began, as `2026-11-20T15:14:53Z`.
    pub started: String,
    /// The command.
    pub command: String,
    /// The program.
    pub program: Program,
    /// The machine.
    pub machine: Machine,
    /// The share of the CPUs allowed that other programs and the host of a virtual machine used during the measurement,
    /// 0..=1; `None` if the system does not report it.
    pub others: Option<f64>,
    /// Whether it was ended early; later repetitions are then missing.
    pub interrupted: bool,
    /// The limit in seconds that ended the measurement; `None` if there was none, or if somebody ended it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended_by_limit: Option<f64>,
    /// The checks.
    pub checks: Vec<Check>,
    /// The cases measured.
    pub cases: Vec<CaseRecord>,
}

/// A build of the program.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Program {
    /// Its version.
    pub version: String,
    /// The commit it was built from, if that is known.
    pub commit: Option<String>,
    /// The compiler.
    pub compiler: String,
    /// The target, the profile and the flags given by hand.
    pub flags: String,
    /// The instruction-set tier.
    pub isa: String,
}

impl Program {
    /// The program and its commit, in words.
    pub(crate) fn describe(&self) -> String {
        let commit = self.commit.as_deref().unwrap_or("unknown");
        format!("tavli {}, commit {commit}", self.version)
    }
}

/// A condition without which the rates mean nothing.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Check {
    /// What was checked.
    pub what: String,
    /// Whether it holds.
    pub passed: bool,
    /// The value found, and the one expected if it differs.
    pub found: String,
}

/// A case as it was measured.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CaseRecord {
    /// The name of the case.
    pub name: String,
    /// The name of the workload.
    pub workload: String,
    /// The unit of the rate.
    pub unit: String,
    /// The rules.
    pub rules: String,
    /// Position IDs, or the category of the situations.
    pub positions: Vec<String>,
    /// Games of each run, if the case has short runs.
    pub batch: Option<u64>,
    /// What was searched, and how; absent in other workloads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub search: Option<Searched>,
    /// The rate of the searches over the rate of plain playouts; absent in other workloads, and in a record without
    /// playouts to compare with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub over_playouts: Option<OverPlayouts>,
    /// The plays chosen in decisions, by their values; absent in other workloads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decided: Option<Decided>,
    /// The policies that played; absent if all plays were drawn evenly.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub policy: Option<String>,
    /// The instruction-set tier, in a record of several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub isa: Option<String>,
    /// The seed of the games.
    pub seed: u64,
    /// How the workers were bound.
    pub placement: String,
    /// Whether the games are played as in the paper.
    pub paper: bool,
    /// The binding of each worker.
    pub workers: Vec<Binding>,
    /// The repetitions.
    pub repetitions: Vec<Repetition>,
}

/// What was searched, and how.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Searched {
    /// The name of the method.
    pub method: String,
    /// The roll whose best play was searched for, such as `31`.
    pub roll: String,
    /// The trees of each worker.
    pub trees: u32,
}

/// The plays chosen in the stored decisions, by their stored values. All repetitions choose the same plays.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Decided {
    /// How the plays were chosen: `rollouts`, or the name of a player.
    pub way: String,
    /// The games of all decisions.
    pub games: u64,
    /// In how many decisions it remained open whether the play is good enough.
    pub open: usize,
    /// The points of each decision by which the stored values put its play behind the best.
    pub behind: Vec<f64>,
    /// Their standard errors.
    pub errors: Vec<f64>,
}

/// The rate of searches over the rate of plain playouts in the same run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OverPlayouts {
    /// The case of playouts.
    pub case: String,
    /// The ratio of simulations to games per second: the median of pairs of the same round.
    pub ratio: Ratio,
}

/// A repetition. All repetitions of a case do the same work.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Repetition {
    /// Wall-clock time.
    pub seconds: f64,
    /// Processor time of the workers, by a fine clock.
    pub cpu_seconds: Option<f64>,
    /// Processor time of the process in user code, in hundredths.
    pub user_seconds: Option<f64>,
    /// Processor time of the process in the system, in hundredths.
    pub system_seconds: Option<f64>,
    /// Games, decisions, rolls, plays or results: the unit of the rate.
    pub units: u64,
    /// Plies of the games, or rolls.
    pub plies: u64,
    /// The clock of the workers' cores at the end of the repetition, by a chain of additions, in cycles per second.
    pub clock: f64,
    /// Each worker's part.
    pub workers: Vec<WorkerShare>,
    /// The time of each stage over all workers, if the workload times them and the tier has stages.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stages: Vec<StageTime>,
    /// The processor time of each decision in seconds, a mean if it was taken several times. It is empty in other
    /// workloads, and if the system does not tell the processor time of a thread.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub decisions: Vec<f64>,
    /// Events during the repetition; absent in records of before 22 November 2026.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub events: Option<Events>,
}

/// A worker's part of a repetition.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WorkerShare {
    /// The unit of the rate.
    pub units: u64,
    /// Wall-clock time in which it worked.
    pub busy_seconds: f64,
    /// The CPU that it was bound to, if the repetitions take turns on several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu: Option<usize>,
}

/// The result of the checks of a record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// All of them passed.
    Passed,
    /// At least one failed, so the rates mean nothing.
    Failed,
    /// The measurement ended before its first repetition.
    NothingMeasured,
}

impl Repetition {
    /// Units per second.
    #[must_use]
    pub fn rate(&self) -> f64 {
        self.units as f64 / self.seconds
    }

    /// The rate over the rate of the paper's program.
    #[must_use]
    pub fn times_the_paper(&self) -> f64 {
        self.rate() / f64::from(PAPER_GAMES_PER_SECOND)
    }

    /// The share of their time in which the workers worked. The rest went into handing out work, waiting for the last
    /// worker and measuring.
    #[must_use]
    pub fn busy(&self) -> f64 {
        let busy: f64 = self.workers.iter().map(|part| part.busy_seconds).sum();
        busy / (self.seconds * self.workers.len() as f64)
    }

    /// Nanoseconds that a worker takes for a ply.
    #[must_use]
    pub fn ns_per_ply(&self) -> f64 {
        1e9 * self.seconds * self.workers.len() as f64 / self.plies as f64
    }

    /// The counts of the workers' cores, if the kernel let the process read it.
    #[must_use]
    pub fn counters(&self) -> Option<&Counts> {
        self.events.as_ref()?.counters.as_ref()
    }

    /// The clock of the workers' cores in cycles per second: by hardware counters while they worked, else by the probe
    /// at the end of the repetition.
    #[must_use]
    pub(crate) fn frequency(&self) -> f64 {
        let counted = self.counters().filter(|counts| counts.seconds > 0.0);
        counted.map_or(self.clock, |counts| counts.cycles / counts.seconds)
    }

    /// Cycles of processor time that a worker takes for a ply: by hardware counters, else estimated from the clock.
    #[must_use]
    pub fn cycles_per_ply(&self) -> f64 {
        if let Some(counts) = self.counters() {
            return counts.cycles / self.plies as f64;
        }
        let wall = self.seconds * self.workers.len() as f64;
        self.cpu_seconds.unwrap_or(wall) * self.clock / self.plies as f64
    }

    /// Adds a run of games. The caller fills in the seconds of the repetition.
    pub(crate) fn add(&mut self, report: &PlayoutReport) {
        self.units += report.results.tally.games;
        self.plies += report.results.tally.plies as u64;
        let cpu_time = report.cpu_time.map(|time| time.as_secs_f64());
        self.cpu_seconds = self.cpu_seconds.zip(cpu_time).map(|(sum, more)| sum + more);
        for (part, share) in self.workers.iter_mut().zip(&report.workers) {
            part.units += share.items;
            part.busy_seconds += share.busy.as_secs_f64();
        }
    }
}

impl CaseRecord {
    /// A summary of `value` over the repetitions; `None` before the first.
    #[must_use]
    pub fn summary(&self, value: impl Fn(&Repetition) -> f64) -> Option<Summary> {
        let values: Vec<f64> = self.repetitions.iter().map(value).collect();
        Summary::from_samples(&values)
    }

    /// The rates of the repetitions.
    #[must_use]
    pub fn rates(&self) -> Vec<f64> {
        self.repetitions.iter().map(Repetition::rate).collect()
    }

    /// The CPUs on which the repetitions of a single worker took turns; empty if it stayed on one.
    #[must_use]
    pub fn turns(&self) -> Vec<usize> {
        let parts = self.repetitions.iter().flat_map(|one| one.workers.iter());
        let cpus: BTreeSet<usize> = parts.filter_map(|part| part.cpu).collect();
        cpus.into_iter().collect()
    }

    /// The rate of each worker while it worked, over all repetitions; `None` for a worker that got no games.
    #[must_use]
    pub fn worker_rates(&self) -> Vec<Option<f64>> {
        let part = |worker: usize, value: fn(&WorkerShare) -> f64| -> f64 {
            let parts = self.repetitions.iter().map(|one| &one.workers[worker]);
            parts.map(value).sum()
        };
        (0..self.workers.len())
            .map(|worker| {
                let units = part(worker, |part| part.units as f64);
                let busy = part(worker, |part| part.busy_seconds);
                (units > 0.0 && busy > 0.0).then(|| units / busy)
            })
            .collect()
    }

    /// The processor time of each decision in seconds: the median of the repetitions. Empty in other workloads.
    #[must_use]
    pub(crate) fn decision_seconds(&self) -> Vec<f64> {
        let number = self.decided.as_ref().map_or(0, |decided| decided.behind.len());
        let of_decision = |at: usize| self.summary(|one| one.decisions.get(at).copied().unwrap_or(f64::NAN));
        let medians = (0..number).map(|at| of_decision(at).map(|summary| summary.median));
        medians.collect::<Option<Vec<f64>>>().unwrap_or_default()
    }

    /// User and system time over wall-clock time; `None` if the system does not report them.
    #[must_use]
    pub fn processors_used(&self) -> Option<(f64, f64)> {
        let wall: f64 = self.repetitions.iter().map(|one| one.seconds).sum();
        let user: Option<f64> = self.repetitions.iter().map(|one| one.user_seconds).sum();
        let system: Option<f64> = self.repetitions.iter().map(|one| one.system_seconds).sum();
        Some((user? / wall, system? / wall))
    }

    /// The instruction-set tier: the case's own if the record has several, otherwise `program`'s.
    #[must_use]
    pub fn tier<'a>(&'a self, program: &'a Program) -> &'a str {
        self.isa.as_deref().unwrap_or(&program.isa)
    }

    /// The name without its number of threads, if it ends in one.
    #[must_use]
    pub fn family(&self) -> &str {
        match self.name.rsplit_once('/') {
            Some((family, threads)) if threads.parse() == Ok(self.workers.len()) => family,
            _ => &self.name,
        }
    }
}

/// How the rate of a case grows with its workers.
#[derive(Clone, PartialEq, Debug)]
pub struct Scaling {
    /// The case, without its number of workers.
    pub family: String,
    /// The number of workers, and the ratio of their rate to one worker's.
    pub steps: Vec<(usize, Ratio)>,
    /// The serial fraction of the work by Amdahl's law, over the steps up to one worker per core.
    pub serial_fraction: Option<f64>,
}

impl Scaling {
    /// The share of linear scaling that a machine is expected to reach up to one worker per core.
    pub const LINE: f64 = 0.97;

    /// Whether a step has several workers: a ratio of one worker to one worker says nothing about scaling.
    #[must_use]
    pub fn has_several(&self) -> bool {
        self.steps.iter().any(|step| step.0 > 1)
    }
}

impl Record {
    /// The result of the checks.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        if self.checks.iter().any(|check| !check.passed) {
            Verdict::Failed
        } else if self.cases.iter().all(|case| case.repetitions.is_empty()) {
            Verdict::NothingMeasured
        } else {
            Verdict::Passed
        }
    }

    /// A note that the machine was busy, if others used more than 3 % of the CPUs. Rates by wall-clock time are
    /// then too low, while cycles per ply count processor time.
    #[must_use]
    pub fn note_on_others(&self) -> Option<String> {
        let share = self.others.filter(|&share| share > QUIET)?;
        Some(format!("others used {:.0} % of the CPUs", 100.0 * share))
    }

    /// Reasons to doubt the rates of the record, each in a word or a few; empty for a record without a fault.
    #[must_use]
    pub fn marks(&self) -> Vec<String> {
        let verdict = match self.verdict() {
            Verdict::Passed => None,
            Verdict::Failed => Some("verification FAILED".to_owned()),
            Verdict::NothingMeasured => Some("nothing measured".to_owned()),
        };
        let interrupted = self.interrupted.then(|| "interrupted".to_owned());
        let busy = self.note_on_others().map(|note| format!("busy: {note}"));
        verdict.into_iter().chain(interrupted).chain(busy).collect()
    }

    /// Reasons to doubt the rates of the record, in a word each, for charts and the heads of columns.
    #[must_use]
    pub fn doubts(&self) -> Vec<String> {
        let doubts = [
            (self.verdict() == Verdict::Failed, "FAILED"),
            (self.interrupted, "interrupted"),
            (self.note_on_others().is_some(), "busy"),
        ];
        let doubts = doubts.into_iter().filter(|(holds, _)| *holds);
        doubts.map(|(_, doubt)| doubt.to_owned()).collect()
    }

    /// The day of the measurement, as `2026-11-20`.
    #[must_use]
    pub fn day(&self) -> &str {
        self.started.split('T').next().unwrap_or_default()
    }

    /// The scaling of the cases that were measured with one worker and with several. Repetitions of all cases take
    /// turns, so each ratio compares two repetitions of the same round. If one worker took turns on several CPUs, the
    /// ratio is to its mean over a turn, so that each CPU counts the same.
    #[must_use]
    pub fn scalings(&self) -> Vec<Scaling> {
        let mut scalings = Vec::new();
        for one in self.cases.iter().filter(|case| case.workers.len() == 1) {
            let family: Vec<&CaseRecord> =
                self.cases.iter().filter(|case| case.family() == one.family() && case.unit == one.unit).collect();
            if family.len() < 2 || one.family() == one.name {
                continue;
            }
            let turn = one.turns().len().max(1);
            let alone: Vec<f64> = one
                .rates()
                .chunks(turn)
                .flat_map(|rates| {
                    let mean = rates.iter().sum::<f64>() / rates.len() as f64;
                    vec![mean; rates.len()]
                })
                .collect();
            let mut steps: Vec<(usize, Ratio)> = family
                .iter()
                .filter_map(|case| Some((case.workers.len(), ratio_of_pairs(&case.rates(), &alone)?)))
                .collect();
            steps.sort_by_key(|step| step.0);
            let up_to_cores: Vec<(usize, f64)> =
                steps.iter().filter(|step| step.0 <= self.machine.cores).map(|step| (step.0, step.1.ratio)).collect();
            scalings.push(Scaling {
                family: one.family().to_owned(),
                serial_fraction: serial_fraction(&up_to_cores),
                steps,
            });
        }
        scalings
    }
}

impl Record {
    /// Notes the rates of searches over the rates of plain playouts.
    pub(crate) fn compare_searches(&mut self) {
        let ratios: Vec<_> = self.cases.iter().map(|case| self.over_playouts(case)).collect();
        for (case, ratio) in self.cases.iter_mut().zip(ratios) {
            case.over_playouts = ratio;
        }
    }

    /// The rate of a case of searches over the rate of uniform playouts with the same rules, positions, tier and
    /// binding of workers; `None` if one of them was not measured.
    pub(super) fn over_playouts(&self, case: &CaseRecord) -> Option<OverPlayouts> {
        case.search.as_ref()?;
        let same = |other: &&CaseRecord| {
            let games = |case: &CaseRecord| (case.rules.clone(), case.positions.clone());
            let seats = |case: &CaseRecord| (case.placement.clone(), case.workers.clone());
            other.workload == "playouts"
                && other.policy.is_none()
                && games(other) == games(case)
                && other.isa == case.isa
                && seats(other) == seats(case)
        };
        let playouts = self.cases.iter().find(same)?;
        Some(OverPlayouts { case: playouts.name.clone(), ratio: ratio_of_pairs(&case.rates(), &playouts.rates())? })
    }
}

/// The median of the quotients of pairs, which were measured in the same round; `None` if there are no pairs.
fn ratio_of_pairs(new: &[f64], old: &[f64]) -> Option<Ratio> {
    let quotients: Vec<f64> = new.iter().zip(old).map(|(new, old)| new / old).collect();
    let summary = Summary::from_samples(&quotients)?;
    Some(Ratio { ratio: summary.median, interval: summary.interval })
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A record of cases with the given names, workers and rates. The first repetition takes two seconds.
    pub(crate) fn record(cases: &[(&str, usize, &[f64])]) -> Record {
        let case = |&(name, workers, rates): &(&str, usize, &[f64])| CaseRecord {
            name: name.to_owned(),
            workload: "playouts".to_owned(),
            unit: "games".to_owned(),
            rules: "backgammon".to_owned(),
            positions: vec!["4HPwATDgc/ABMA".to_owned()],
            batch: None,
            search: None,
            over_playouts: None,
            decided: None,
            policy: None,
            isa: None,
            seed: 1,
            placement: "cores".to_owned(),
            paper: false,
            workers: (0..workers)
                .map(|cpu| Binding {
                    cpu: Some(cpu),
                    core: Some(cpu),
                    l3: Some(0),
                    node: Some(cpu % 2),
                    socket: Some(0),
                })
                .collect(),
            repetitions: rates
                .iter()
                .map(|rate| {
                    let units = (2.0 * rates[0]) as u64;
                    let seconds = units as f64 / rate;
                    let part = |worker| WorkerShare {
                        units: units / workers as u64 + u64::from(worker < units % workers as u64),
                        busy_seconds: 0.75 * seconds,
                        cpu: None,
                    };
                    Repetition {
                        seconds,
                        cpu_seconds: Some(seconds * workers as f64),
                        user_seconds: Some(0.95 * seconds * workers as f64),
                        system_seconds: Some(0.05 * seconds * workers as f64),
                        units,
                        plies: 100 * units,
                        clock: 3e9,
                        workers: (0..workers as u64).map(part).collect(),
                        stages: Vec::new(),
                        decisions: Vec::new(),
                        events: None,
                    }
                })
                .collect(),
        };
        Record {
            recipe: "test".to_owned(),
            description: "made up".to_owned(),
            started: "2026-11-20T15:14:53Z".to_owned(),
            command: "tavli bench test".to_owned(),
            program: Program {
                version: "0.1.0".to_owned(),
                commit: Some("0123456789ab".to_owned()),
                compiler: "rustc 1.95.0".to_owned(),
                flags: "opt-level 3".to_owned(),
                isa: "portable".to_owned(),
            },
            machine: Machine {
                cpu: "a <made up> CPU".to_owned(),
                microcode: None,
                virtual_machine: Some(false),
                sockets: Some(1),
                nodes: Some(2),
                l3_caches: Some(1),
                cores: 4,
                cpus: 8,
                cpus_allowed: "0-7".to_owned(),
                cpus_granted: None,
                memory: Some(1 << 34),
                system: "Linux 6.1".to_owned(),
                governor: Some("performance".to_owned()),
                load: Some(0.1),
                clock: 3e9,
                timer_ns: 20.0,
                processor: None,
                state: None,
            },
            others: Some(0.01),
            interrupted: false,
            ended_by_limit: None,
            checks: vec![Check { what: "signature".to_owned(), passed: true, found: "0123456789abcdef".to_owned() }],
            cases: cases.iter().map(case).collect(),
        }
    }

    #[test]
    fn derived_figures() {
        let record = record(&[("games", 2, &[1000.0, 1100.0, 1200.0])]);
        let case = &record.cases[0];
        let repetition = &case.repetitions[0];
        assert_eq!(repetition.rate(), 1000.0);
        assert_eq!(repetition.busy(), 0.75);
        assert_eq!(repetition.ns_per_ply(), 4e9 / 200_000.0);
        assert_eq!(repetition.cycles_per_ply(), 4.0 * 3e9 / 200_000.0);
        assert_eq!(case.summary(Repetition::rate).unwrap().median, 1100.0);
        let times = 2.0 + 2.0 / 1.1 + 2.0 / 1.2;
        for rate in case.worker_rates() {
            assert!((rate.unwrap() - 3000.0 / (0.75 * times)).abs() < 1e-9);
        }
        let (user, system) = case.processors_used().unwrap();
        assert!((user - 1.9).abs() < 1e-12 && (system - 0.1).abs() < 1e-12 * 2.0);
    }

    #[test]
    fn scaling_is_of_pairs() {
        let record = record(&[
            ("games/1", 1, &[100.0, 200.0, 50.0]),
            ("games/2", 2, &[190.0, 380.0, 95.0]),
            ("games/8", 8, &[400.0, 800.0, 200.0]),
            ("other", 1, &[1.0]),
        ]);
        let scalings = record.scalings();
        assert_eq!(scalings.len(), 1);
        let steps: Vec<(usize, f64)> = scalings[0].steps.iter().map(|s| (s.0, s.1.ratio)).collect();
        for (found, expected) in steps.iter().zip([(1, 1.0), (2, 1.9), (8, 4.0)]) {
            assert!(found.0 == expected.0 && (found.1 - expected.1).abs() < 1e-9, "{steps:?}");
        }
        assert_eq!(steps.len(), 3);
        // 1.9 = 1 / (s + (1 - s) / 2); the eight workers share four cores and do not count.
        let serial = scalings[0].serial_fraction.unwrap();
        assert!((serial - (2.0 / 1.9 - 1.0)).abs() < 1e-9, "{serial}");
    }

    #[test]
    fn one_worker_alone_shows_no_scaling() {
        let of = |workers| {
            let record = record(&[("games", workers, &[100.0, 100.0]), ("games/1", 1, &[100.0, 100.0])]);
            let scalings = record.scalings();
            scalings.iter().map(Scaling::has_several).collect::<Vec<_>>()
        };
        assert_eq!([of(1), of(2)], [[false], [true]]);
    }

    #[test]
    fn scaling_is_beside_every_cpu_alone() {
        // CPU 1 is slower than CPU 0, so both together are linear only compared with their mean.
        let mut record =
            record(&[("games/1", 1, &[100.0, 80.0, 100.0, 80.0]), ("games/2", 2, &[180.0, 180.0, 180.0, 180.0])]);
        let ratios = |record: &Record| record.scalings()[0].steps[1].1;
        assert!((ratios(&record).interval.high - 2.25).abs() < 1e-9);
        for (turn, one) in record.cases[0].repetitions.iter_mut().enumerate() {
            one.workers[0].cpu = Some(turn % 2);
        }
        assert_eq!(record.cases[0].turns(), [0, 1]);
        let ratio = ratios(&record);
        assert!((ratio.ratio - 2.0).abs() < 1e-9 && (ratio.interval.high - 2.0).abs() < 1e-9);
    }

    #[test]
    fn a_worker_without_games_has_no_rate() {
        let mut record = record(&[("games", 2, &[1000.0, 1100.0])]);
        for repetition in &mut record.cases[0].repetitions {
            repetition.workers[1] = WorkerShare { units: 0, busy_seconds: 0.0, cpu: None };
        }
        let rates = record.cases[0].worker_rates();
        assert!(rates[0].is_some() && rates[1].is_none(), "{rates:?}");
    }

    #[test]
    fn without_a_repetition_nothing_is_verified() {
        let mut record = record(&[("games", 2, &[1000.0])]);
        assert_eq!(record.verdict(), Verdict::Passed);
        record.cases[0].repetitions.clear();
        assert_eq!(record.verdict(), Verdict::NothingMeasured);
        record.checks[0].passed = false;
        assert_eq!(record.verdict(), Verdict::Failed);
    }
}
