//! The machine and the system of a measurement, if the system reports them.

mod design;
mod processor;
mod state;

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use tavli::run::{Cpus, cycles_per_second};

pub use processor::{Cache, Design, Processor};
pub use state::State;

/// A machine at the time of a measurement.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Machine {
    /// The model of the CPU.
    pub cpu: String,
    /// The version of its microcode.
    pub microcode: Option<String>,
    /// Whether the CPU reports that it is virtual.
    pub virtual_machine: Option<bool>,
    /// Sockets.
    pub sockets: Option<usize>,
    /// Memory nodes.
    pub nodes: Option<usize>,
    /// Caches of level 3.
    pub l3_caches: Option<usize>,
    /// Cores that are switched on.
    pub cores: usize,
    /// CPUs that are switched on.
    pub cpus: usize,
    /// CPUs that the process may use, as a list.
    pub cpus_allowed: String,
    /// CPU time that control groups grant, in CPUs.
    pub cpus_granted: Option<f64>,
    /// Memory in bytes.
    pub memory: Option<u64>,
    /// The operating system and its version.
    pub system: String,
    /// The governor, which chooses the clock, of the CPUs allowed; several if they differ.
    pub governor: Option<String>,
    /// Processes that ran or waited to run in the last minute before the measurement, an earlier measurement's
    /// included.
    pub load: Option<f64>,
    /// The clock of the calling thread's core, by a chain of additions, in cycles per second.
    pub clock: f64,
    /// The least difference between two readings of the timer, in nanoseconds.
    pub timer_ns: f64,
    /// The processor; absent in records of before 22 November 2026.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub processor: Option<Processor>,
    /// How the machine is set up; absent in records of before 22 November 2026.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<State>,
}

impl Machine {
    /// This machine; the process may use `cpus`. Takes a few milliseconds.
    #[must_use]
    pub fn here(cpus: &Cpus) -> Machine {
        let timer = timer_granularity().as_nanos() as f64;
        let mut machine = Machine::read(Path::new("/"), cpus, cycles_per_second(), timer);
        if let Some(state) = &mut machine.state {
            state.hypervisor = state.hypervisor.take().or_else(state::hypervisor_of_this_cpu);
        }
        machine
    }

    /// The machine whose `/proc` and `/sys` lie below `root`; the process may use `cpus`. `clock` and
    /// `timer_ns`, which no file has, are measured.
    #[must_use]
    pub fn read(root: &Path, cpus: &Cpus, clock: f64, timer_ns: f64) -> Machine {
        let read = |file: &str| fs::read_to_string(root.join(file)).ok();
        let info = read("proc/cpuinfo").unwrap_or_default();
        let of_cpu = |key: &str| {
            let mut pairs = info.lines().filter_map(|line| line.split_once(':'));
            let (_, value) = pairs.find(|pair| pair.0.trim() == key)?;
            Some(value.trim().to_owned())
        };
        let topology = cpus.topology();
        let known = |number: usize| Some(number).filter(|&number| number > 0);
        let processor = Processor::read(root, topology);
        // Arm's `/proc/cpuinfo` does not name the processor, and POWER's names it under another key.
        let designs: Vec<&str> = processor.designs.iter().map(|design| design.name.as_str()).collect();
        let cpu = ["model name", "cpu"].into_iter().find_map(of_cpu);
        let cpu = cpu.or_else(|| Some(designs.join(" and ")).filter(|name| !name.is_empty()));
        Machine {
            cpu: cpu.unwrap_or_else(|| std::env::consts::ARCH.to_owned()),
            microcode: of_cpu("microcode"),
            virtual_machine: of_cpu("flags").map(|flags| flags.split(' ').any(|flag| flag == "hypervisor")),
            sockets: topology.sockets(),
            nodes: known(topology.nodes().len()),
            l3_caches: known(topology.l3s().len()),
            cores: topology.cores(),
            cpus: topology.cpus().len(),
            cpus_allowed: cpus.list().to_string(),
            cpus_granted: cpus.granted(),
            memory: read("proc/meminfo").and_then(|text| memory(&text)),
            system: match read("proc/version").as_deref().and_then(release) {
                Some(release) => format!("Linux {release}"),
                None => std::env::consts::OS.to_owned(),
            },
            governor: state::governors(root, cpus),
            load: read("proc/loadavg").and_then(|text| text.split(' ').next()?.parse().ok()),
            clock,
            timer_ns,
            processor: Some(processor),
            state: Some(State::read(root, cpus)),
        }
    }

    /// The name of the processor, and its distinction from others of the same name:
    /// `AMD EPYC (Zen 4, family 25, model 17, stepping 1)`.
    #[must_use]
    pub fn name(&self) -> String {
        let told = self.processor.as_ref().map_or(String::new(), Processor::describe);
        match told {
            told if told.is_empty() || told == self.cpu => self.cpu.clone(),
            told => format!("{} ({told})", self.cpu),
        }
    }
}

/// The release in the text of `/proc/version`: its third word.
fn release(version: &str) -> Option<&str> {
    version.strip_prefix("Linux version ")?.split(' ').next()
}

/// The total in the text of `/proc/meminfo`, in bytes.
fn memory(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kib: u64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
    kib.checked_mul(1024)
}

/// The least difference between two readings of the timer that differ.
fn timer_granularity() -> Duration {
    (0..1000)
        .map(|_| {
            let start = Instant::now();
            loop {
                let passed = start.elapsed();
                if !passed.is_zero() {
                    return passed;
                }
            }
        })
        .min()
        .unwrap_or_default()
}

/// Ticks per second in the files of Linux, on every machine (`USER_HZ`).
pub(crate) const TICKS: f64 = 100.0;

/// Processor time that this process has used in user code and in the system, in seconds. Only Linux reports it, in
/// hundredths.
#[must_use]
pub(crate) fn user_and_system_seconds() -> Option<(f64, f64)> {
    process_times(&fs::read_to_string("/proc/self/stat").ok()?)
}

/// The 14th and 15th field of the text of `/proc/self/stat`, in ticks; see `man 5
/// proc_pid_stat`.
fn process_times(stat: &str) -> Option<(f64, f64)> {
    // The second field, a name in parentheses, may hold blanks.
    let (_, fields) = stat.rsplit_once(')')?;
    let mut fields = fields.split_whitespace().skip(11);
    let mut seconds = || Some(fields.next()?.parse::<f64>().ok()? / TICKS);
    Some((seconds()?, seconds()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_machine_is_described() {
        let machine = Machine::here(&Cpus::allowed());
        assert!(machine.clock > 1e7 && !machine.cpu.is_empty());
        assert!(machine.processor.is_some() && machine.state.is_some());
        assert!((1.0..1e7).contains(&machine.timer_ns), "{}", machine.timer_ns);
    }

    #[test]
    fn linux_files_are_read() {
        let text = "MemFree:  17 kB\nMemTotal:       32768 kB\n";
        assert_eq!(memory(text), Some(32 << 20));
        assert_eq!(memory("MemTotal: much\n"), None);
        let version = "Linux version 6.1.0-13-amd64 (somebody@somewhere) #1 SMP PREEMPT_DYNAMIC\n";
        assert_eq!(release(version), Some("6.1.0-13-amd64"));
        assert_eq!(release("Other"), None);
        let stat = "1 (a (b) c) S 2 3 4 5 6 7 8 9 10 11 1234 56 0 0 20 0 1";
        assert_eq!(process_times(stat), Some((12.34, 0.56)));
        assert_eq!(process_times("1 (a"), None);
    }
}
