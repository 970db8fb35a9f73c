//! Machines side by side: how fast each plays, whole and by core, tier by tier.

use super::entry::{Entry, by_machine};
use super::table::Table;
use crate::distinct::distinct;
use crate::printed_numbers::short;
use crate::record::{CaseRecord, Record, Repetition, Verdict};
use crate::statistics::Summary;

/// The rate by which machines are sorted.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Rank {
    /// The rate of the whole machine.
    #[default]
    Machine,
    /// The rate of a core while every core works.
    Core,
}

tavli::named_values!(Rank: Machine "machine", Core "core");

/// How fast a machine plays full games of backgammon from the opening on a tier. If a machine has several records, each
/// figure is from the latest record that has it.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct MachineRates {
    /// The machine.
    pub machine: String,
    /// Its processor.
    pub processor: String,
    /// The tier.
    pub tier: String,
    /// Cores that are switched on.
    pub cores: usize,
    /// CPUs that are switched on.
    pub cpus: usize,
    /// Games per second of one worker alone.
    pub one: Option<f64>,
    /// Games per second of a worker on each core.
    pub every_core: Option<f64>,
    /// Games per second of a worker on each CPU, if cores have several.
    pub every_cpu: Option<f64>,
    /// The rate of every core, over the rate of one worker and over the number of cores; 1 is perfect.
    pub efficiency: Option<f64>,
    /// The rate with a worker on every CPU over the rate with a worker on every core.
    pub smt_gain: Option<f64>,
    /// The serial fraction by Amdahl's law.
    pub serial_fraction: Option<f64>,
    /// The rate under the paper's rule over the rate of the paper's program.
    pub times_the_paper: Option<f64>,
    /// The day of the latest record.
    pub day: String,
    /// Reasons to doubt the figures.
    pub doubts: Vec<String>,
}

/// Writes a number for a table.
type Write = fn(f64) -> String;

impl MachineRates {
    /// The machines and tiers of the records with a known rate, the fastest first.
    #[must_use]
    pub fn from_entries(entries: &[Entry], rank: Rank) -> Vec<MachineRates> {
        let mut all = Vec::new();
        for (machine, mut entries) in by_machine(entries) {
            entries.sort_by(|a, b| a.record.started.cmp(&b.record.started));
            let tiers = entries.iter().flat_map(|entry| {
                let cases = entry.record.cases.iter();
                cases.map(|case| case.tier(&entry.record.program))
            });
            all.extend(distinct(tiers).into_iter().map(|tier| {
                let mut rates =
                    MachineRates { machine: machine.clone(), tier: tier.to_owned(), ..MachineRates::default() };
                for entry in &entries {
                    rates.add(&entry.record);
                }
                rates
            }));
        }
        all.retain(|one| one.whole().is_some());
        all.sort_by(|a, b| {
            let rate = |one: &MachineRates| one.by(rank).unwrap_or(0.0);
            rate(b).total_cmp(&rate(a))
        });
        all
    }

    /// Takes the figures of a record. Records come in order of time.
    fn add(&mut self, record: &Record) {
        let cores = record.machine.cores;
        let games = |case: &&CaseRecord| {
            case.tier(&record.program) == self.tier
                && case.workload == "playouts"
                && case.policy.is_none()
                && case.positions == ["4HPwATDgc/ABMA"]
                && !case.repetitions.is_empty()
        };
        let cases: Vec<&CaseRecord> = record.cases.iter().filter(games).collect();
        if cases.is_empty() {
            return;
        }
        self.processor = record.machine.name();
        (self.cores, self.cpus) = (cores, record.machine.cpus);
        self.day = record.day().to_owned();
        if let Some(note) = record.note_on_others() {
            self.doubt(format!("{}: {note}", record.recipe));
        }
        if record.verdict() == Verdict::Failed {
            return self.doubt(format!("{}: the verification FAILED", record.recipe));
        }
        if record.interrupted {
            self.doubt(format!("{}: interrupted", record.recipe));
        }
        let papers = cases.iter().filter(|case| case.paper);
        let times = papers.filter_map(|case| Some(case.summary(Repetition::times_the_paper)?.median));
        self.times_the_paper = times.reduce(f64::max).or(self.times_the_paper);
        let full = || cases.iter().copied().filter(|case| case.rules == "backgammon");
        let with = |fits: &dyn Fn(usize) -> bool| full().find(|case| fits(case.workers.len()));
        let one = with(&|workers| workers == 1);
        let every_core = with(&|workers| workers == cores);
        let every_cpu = with(&|workers| workers == record.machine.cpus && workers > cores);
        let median = |case: Option<&CaseRecord>| Some(case?.summary(Repetition::rate)?.median);
        self.one = median(one).or(self.one);
        self.every_core = median(every_core).or(self.every_core);
        self.every_cpu = median(every_cpu).or(self.every_cpu);
        if let (Some(smt), Some(cores)) = (every_cpu, every_core) {
            let pairs = smt.repetitions.iter().zip(&cores.repetitions);
            let gains: Vec<f64> = pairs.map(|(smt, one)| smt.rate() / one.rate()).collect();
            self.smt_gain = Summary::from_samples(&gains).map(|gains| gains.median).or(self.smt_gain);
        }
        for scaling in record.scalings() {
            if !full().any(|case| case.family() == scaling.family) {
                continue;
            }
            let mut steps = scaling.steps.iter();
            let all = steps.find(|step| step.0 == cores && cores > 1);
            let efficiency = all.map(|step| step.1.ratio / cores as f64);
            self.efficiency = efficiency.or(self.efficiency);
            self.serial_fraction = scaling.serial_fraction.or(self.serial_fraction);
        }
    }

    fn doubt(&mut self, doubt: String) {
        if !self.doubts.contains(&doubt) {
            self.doubts.push(doubt);
        }
    }

    /// Games per second of the whole machine.
    #[must_use]
    pub fn whole(&self) -> Option<f64> {
        let rates = [self.every_core, self.every_cpu];
        rates.into_iter().flatten().reduce(f64::max)
    }

    /// Games per second of a core while every core works.
    #[must_use]
    pub(crate) fn by_core(&self) -> Option<f64> {
        Some(self.whole()? / self.cores.max(1) as f64)
    }

    /// The rate by which machines are sorted.
    #[must_use]
    pub fn by(&self, rank: Rank) -> Option<f64> {
        match rank {
            Rank::Machine => self.whole(),
            Rank::Core => self.by_core(),
        }
    }
}

/// Machines as a table, with their ratios to one of them: the first if none is chosen. Numbers are rounded to read, or
/// `exact` for another program.
#[must_use]
pub fn machines_table(machines: &[MachineRates], chosen: Option<&MachineRates>, rank: Rank, exact: bool) -> Table {
    let chosen = chosen.or(machines.first());
    let rate: Write = if exact { |rate| format!("{rate:.1}") } else { short };
    let part: Write = if exact { |share| format!("{share:.5}") } else { |share| format!("{:.1} %", 100.0 * share) };
    let gain: Write = if exact { |gain| format!("{gain:.4}") } else { |gain| format!("{gain:.2}") };
    let text = |value: Option<f64>, write: Write| value.map_or(String::new(), write);
    let ratio = chosen.map_or("times ".to_owned(), |one| format!("times {} {}", one.machine, one.tier));
    let mut table = Table::new(&[
        "machine",
        "processor",
        "tier",
        "cores",
        "CPUs",
        "games/s",
        "per core",
        "one worker",
        &ratio,
        "efficiency",
        "SMT gain",
        "serial fraction",
        "times the paper",
        "measured",
        "remarks",
    ]);
    for one in machines {
        let ratio = one.by(rank).zip(chosen.and_then(|chosen| chosen.by(rank)));
        table.rows.push(vec![
            one.machine.clone(),
            one.processor.clone(),
            one.tier.clone(),
            one.cores.to_string(),
            one.cpus.to_string(),
            text(one.whole(), rate),
            text(one.by_core(), rate),
            text(one.one, rate),
            text(ratio.map(|(a, b)| a / b), gain),
            text(one.efficiency, part),
            text(one.smt_gain, gain),
            text(one.serial_fraction, if exact { part } else { |share| format!("{:.3} %", 100.0 * share) }),
            text(one.times_the_paper, |times| format!("{times:.0}")),
            one.day.clone(),
            one.doubts.join("; "),
        ]);
    }
    match exact {
        true => table,
        false => table.without_empty_columns(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::tests::record;

    fn entry(folder: &str, started: &str, factor: f64) -> Entry {
        let rates = [100.0, 101.0, 102.0].map(|rate| factor * rate);
        let times = |by: f64| rates.map(|rate| by * rate);
        let mut record = record(&[
            ("backgammon/1", 1, &rates),
            ("backgammon/4", 4, &times(3.8)),
            ("backgammon/8", 8, &times(4.75)),
            ("mcgammon", 4, &times(650.0)),
        ]);
        record.started = started.to_owned();
        (record.cases[3].rules, record.cases[3].paper) = ("mcgammon".to_owned(), true);
        Entry { folder: Some(folder.to_owned()), record }
    }

    #[test]
    fn machines_are_sorted_and_compared() {
        let entries = [entry("slow", "2026-11-20T00:00:00Z", 1.0), entry("fast", "2026-11-20T00:00:00Z", 2.0)];
        let machines = MachineRates::from_entries(&entries, Rank::Machine);
        let names: Vec<&str> = machines.iter().map(|one| one.machine.as_str()).collect();
        assert_eq!(names, ["fast", "slow"]);
        let slow = &machines[1];
        let close = |a: Option<f64>, b: f64| assert!((a.unwrap() - b).abs() < 1e-9 * b, "{a:?} {b}");
        close(slow.one, 101.0);
        close(slow.every_core, 3.8 * 101.0);
        close(slow.whole(), 4.75 * 101.0);
        close(slow.by_core(), 4.75 * 101.0 / 4.0);
        close(slow.efficiency, 0.95);
        close(slow.smt_gain, 1.25);
        // 3.8 = 1 / (s + (1 - s) / 4)
        close(slow.serial_fraction, (1.0 / 3.8 - 0.25) / 0.75);
        close(slow.times_the_paper, 650.0 * 101.0 / 6500.0);
        let table = machines_table(&machines, Some(slow), Rank::Machine, false);
        assert_eq!(table.head[8], "times slow portable");
        assert_eq!((table.rows[0][8].as_str(), table.rows[1][8].as_str()), ("2.00", "1.00"));
        let exact = machines_table(&machines, None, Rank::Machine, true);
        assert_eq!(exact.rows[1][5], "479.8");
        assert_eq!(exact.head.len(), 15);
    }

    #[test]
    fn the_latest_record_counts_and_doubts_are_said() {
        let mut entries = [
            entry("one", "2026-11-20T00:00:00Z", 1.0),
            entry("one", "2026-11-21T00:00:00Z", 3.0),
            entry("one", "2026-11-22T00:00:00Z", 9.0),
        ];
        entries[1].record.others = Some(0.4);
        entries[2].record.checks[0].passed = false;
        let machines = MachineRates::from_entries(&entries, Rank::Core);
        assert_eq!(machines.len(), 1);
        assert_eq!(machines[0].one, Some(303.0));
        assert_eq!(machines[0].doubts, ["test: others used 40 % of the CPUs", "test: the verification FAILED"]);
    }

    #[test]
    fn tiers_of_a_machine_have_rows_of_their_own() {
        let mut entry = entry("one", "2026-11-20T00:00:00Z", 1.0);
        let mut slow = record(&[("backgammon avx2/4", 4, &[50.0, 51.0])]).cases.remove(0);
        slow.isa = Some("avx2".to_owned());
        entry.record.cases.push(slow);
        let machines = MachineRates::from_entries(&[entry], Rank::Machine);
        let tiers: Vec<&str> = machines.iter().map(|one| one.tier.as_str()).collect();
        assert_eq!(tiers, ["portable", "avx2"]);
        assert_eq!(machines[1].one, None);
    }
}
