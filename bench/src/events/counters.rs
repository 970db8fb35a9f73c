//! Hardware counters of the workers' threads.

use serde::{Deserialize, Serialize};

/// Hardware counts of the cores while threads ran user code.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Counts {
    /// Seconds in which they ran, all threads together.
    pub seconds: f64,
    /// Cycles.
    pub cycles: f64,
    /// Instructions that were completed.
    pub instructions: f64,
    /// Branches that were predicted wrongly.
    pub branch_misses: f64,
}

impl Counts {
    pub(crate) fn since(self, before: Counts) -> Counts {
        self.with(before, |after, before| after - before)
    }

    /// The sum of both counts.
    pub(crate) fn plus(self, other: Counts) -> Counts {
        self.with(other, |one, other| one + other)
    }

    fn with(self, other: Counts, of: fn(f64, f64) -> f64) -> Counts {
        Counts {
            seconds: of(self.seconds, other.seconds),
            cycles: of(self.cycles, other.cycles),
            instructions: of(self.instructions, other.instructions),
            branch_misses: of(self.branch_misses, other.branch_misses),
        }
    }
}

/// The counters of a thread. Where programs want more counters than the core has, the kernel multiplexes them, and the
/// counts are scaled up to the whole time.
#[cfg(target_os = "linux")]
pub(crate) struct ThreadCounters {
    group: perf_event::Group,
    /// Cycles, instructions, branch misses.
    counters: [perf_event::Counter; 3],
}

#[cfg(target_os = "linux")]
impl ThreadCounters {
    /// Counters of the calling thread; `None` if the machine has none, or the kernel refuses them (its setting
    /// `perf_event_paranoid` above 2, a container without the call).
    pub(crate) fn open() -> Option<ThreadCounters> {
        use perf_event::events::Hardware;
        ThreadCounters::from_events([Hardware::CPU_CYCLES, Hardware::INSTRUCTIONS, Hardware::BRANCH_MISSES])
    }

    /// Counters of `events`, in place of cycles, instructions and branch misses.
    fn from_events<E: perf_event::events::Event>(events: [E; 3]) -> Option<ThreadCounters> {
        let mut group = perf_event::Group::new().ok()?;
        let mut add = |event| group.add(&perf_event::Builder::new(event)).ok();
        let [cycles, instructions, branch_misses] = events;
        let counters = [add(cycles)?, add(instructions)?, add(branch_misses)?];
        group.enable().ok()?;
        Some(ThreadCounters { group, counters })
    }

    /// The counts so far. Any thread may call this.
    pub(crate) fn read(&mut self) -> Option<Counts> {
        let data = self.group.read().ok()?;
        let enabled = data.time_enabled()?.as_secs_f64();
        let running = data.time_running()?.as_secs_f64();
        let [cycles, instructions, branch_misses] = &self.counters;
        let share = if running > 0.0 { enabled / running } else { 1.0 };
        let value = |counter| Some(data.get(counter)?.value() as f64 * share);
        Some(Counts {
            seconds: enabled,
            cycles: value(cycles)?,
            instructions: value(instructions)?,
            branch_misses: value(branch_misses)?,
        })
    }
}

/// Counters, which only Linux has.
#[cfg(not(target_os = "linux"))]
pub(crate) enum ThreadCounters {}

#[cfg(not(target_os = "linux"))]
impl ThreadCounters {
    pub(crate) fn open() -> Option<ThreadCounters> {
        None
    }

    pub(crate) fn read(&mut self) -> Option<Counts> {
        match *self {}
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::hint::black_box;

    use perf_event::events::Software;

    use super::*;

    /// Virtual machines often lack hardware counters, so this opens the kernel's software counters, in the same way.
    #[test]
    fn a_thread_counts_its_own_work() {
        let mut pages =
            ThreadCounters::from_events([Software::TASK_CLOCK, Software::PAGE_FAULTS, Software::PAGE_FAULTS_MIN]);
        let Some(counters) = &mut pages else {
            println!("SKIPPED: the kernel refuses counters to this process");
            return;
        };
        let before = counters.read().unwrap();
        let memory = black_box(vec![1_u8; 64 << 20]);
        let sum: u64 = memory.iter().step_by(4096).map(|&byte| u64::from(byte)).sum();
        assert_eq!(sum, (64 << 20) / 4096);
        // Another thread's pages do not count.
        std::thread::spawn(|| black_box(vec![1_u8; 64 << 20]).len()).join().unwrap();
        let counted = counters.read().unwrap().since(before);
        // A page has 4 KiB, or up to 2 MiB.
        let faults = counted.instructions;
        assert!((32.0..=17_000.0).contains(&faults), "{counted:?}");
        assert!(counted.branch_misses <= faults, "{counted:?}");
        assert!(counted.cycles > 0.0 && counted.seconds > 0.0, "{counted:?}");
    }

    #[test]
    fn hardware_counters_agree_with_each_other_where_they_exist() {
        let Some(mut counters) = ThreadCounters::open() else {
            println!("SKIPPED: this machine has no hardware counters for this process");
            return;
        };
        let before = counters.read().unwrap();
        let mut sum = black_box(0_u64);
        for number in 0..1_000_000_u64 {
            sum = sum.wrapping_add(black_box(number));
        }
        black_box(sum);
        let counts = counters.read().unwrap().since(before);
        assert!((1e6..1e8).contains(&counts.instructions), "{counts:?}");
        assert!(counts.cycles > 1e5 && counts.branch_misses < 1e6, "{counts:?}");
    }
}
