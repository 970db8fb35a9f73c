//! How much of the CPUs this process and others use.

use std::fs;

use tavli::run::CpuList;

use crate::machine::{TICKS, user_and_system_seconds};

/// The time that a CPU has spent since the start of the system, in ticks.
struct Ticks {
    used: u64,
    idle: u64,
    /// Taken by the host of a virtual machine.
    stolen: u64,
}

impl Ticks {
    /// Reads the line of a CPU in the text of `/proc/stat`: ticks in user code, niced user code, the system, idle,
    /// waiting for disks, in interrupts, in deferred interrupts, and stolen. Guests, which follow, are part of user
    /// code. See `man 5 proc_stat`.
    fn read(stat: &str, cpu: usize) -> Option<Ticks> {
        let name = format!("cpu{cpu}");
        let mut lines = stat.lines().map(str::split_whitespace);
        let line = lines.find_map(|mut words| (words.next()? == name).then_some(words))?;
        let ticks: Vec<u64> = line.take(8).map(str::parse).collect::<Result<_, _>>().ok()?;
        let [user, nice, system, idle, waiting, interrupts, deferred, stolen] = ticks[..] else {
            return None;
        };
        Some(Ticks { used: user + nice + system + interrupts + deferred, idle: idle + waiting, stolen })
    }
}

/// Seconds that the host of a virtual machine has taken from `cpus` in total, from the text of `/proc/stat`.
pub(crate) fn stolen_seconds(stat: &str, cpus: &CpuList) -> Option<f64> {
    let of = |&cpu: &usize| Some(Ticks::read(stat, cpu)?.stolen as f64 / TICKS);
    cpus.as_slice().iter().map(of).sum()
}

/// The time that some CPUs have spent since the start of the system.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct CpuUsage {
    /// Ticks of all CPUs, idle or not.
    whole: u64,
    /// Ticks in which they were not idle.
    busy: u64,
    /// Processor time of this process, in seconds.
    own: f64,
}

impl CpuUsage {
    /// The usage of `cpus` up to now; `None` if the system does not report it. Only Linux does.
    pub(crate) fn now(cpus: &CpuList) -> Option<CpuUsage> {
        let stat = fs::read_to_string("/proc/stat").ok()?;
        let (user, system) = user_and_system_seconds()?;
        CpuUsage::read(&stat, cpus, user + system)
    }

    /// Reads the text of `/proc/stat`.
    fn read(stat: &str, cpus: &CpuList, own: f64) -> Option<CpuUsage> {
        let (mut whole, mut busy) = (0, 0);
        for &cpu in cpus.as_slice() {
            let ticks = Ticks::read(stat, cpu)?;
            busy += ticks.used + ticks.stolen;
            whole += ticks.used + ticks.stolen + ticks.idle;
        }
        Some(CpuUsage { whole, busy, own })
    }

    /// The share of the CPUs' time since `before` that others used, 0..=1; `None` if no tick has passed, or if the file
    /// has zeros only.
    pub(crate) fn others_since(&self, before: &CpuUsage) -> Option<f64> {
        let whole = self.whole.checked_sub(before.whole)?;
        let busy = self.busy.checked_sub(before.busy)?;
        let own = TICKS * (self.own - before.own);
        (whole > 0).then(|| ((busy as f64 - own) / whole as f64).clamp(0.0, 1.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BEFORE: &str = "cpu  300 30 60 9000 6 0 3 6 0 0\n\
                          cpu0 100 10 20 3000 2 0 1 2 0 0\n\
                          cpu1 100 10 20 3000 2 0 1 2 0 0\n\
                          cpu10 100 10 20 3000 2 0 1 2 0 0\n\
                          intr 7 0 0\n";
    // CPU 0: 700 ticks in user code, 20 stolen and 280 idle. CPU 1: 10 of each kind that is busy, 940 idle or
    // waiting. CPU 10: 1000 ticks in user code.
    const AFTER: &str = "cpu  9999 30 60 9000 6 0 3 6 0 0\n\
                         cpu0 800 10 20 3280 2 0 1 22 0 0\n\
                         cpu1 110 20 30 3930 12 10 11 12 0 0\n\
                         cpu10 1100 10 20 3000 2 0 1 2 0 0\n\
                         intr 8 0 0\n";

    fn others(before: &str, after: &str, cpus: &str, own: f64) -> Option<f64> {
        let cpus: CpuList = cpus.parse().unwrap();
        let before = CpuUsage::read(before, &cpus, 2.5)?;
        CpuUsage::read(after, &cpus, 2.5 + own)?.others_since(&before)
    }

    #[test]
    fn the_rest_is_used_by_others() {
        // CPU 0: 720 ticks of 1000 were used, 700 of them by us.
        assert_eq!(others(BEFORE, AFTER, "0", 7.0), Some(0.02));
        assert_eq!(others(BEFORE, AFTER, "0", 0.0), Some(0.72));
        assert_eq!(others(BEFORE, AFTER, "1", 0.0), Some(0.06));
        assert_eq!(others(BEFORE, AFTER, "0-1", 7.0), Some(0.04));
        assert_eq!(others(BEFORE, AFTER, "10", 10.0), Some(0.0));
        // Ticks are coarse, so a negative difference counts as 0.
        assert_eq!(others(BEFORE, AFTER, "10", 10.1), Some(0.0));
    }

    #[test]
    fn the_host_takes_its_part() {
        let stolen = |text: &str, cpus: &str| {
            let seconds = stolen_seconds(text, &cpus.parse().unwrap())?;
            Some((1e6 * seconds).round())
        };
        assert_eq!(stolen(BEFORE, "0-1"), Some(4e4));
        assert_eq!(stolen(AFTER, "0-1"), Some(34e4));
        assert_eq!(stolen(AFTER, "0-2"), None);
    }

    #[test]
    fn unknown_usage_is_none() {
        assert_eq!(others(BEFORE, AFTER, "2", 0.0), None);
        assert_eq!(others("", AFTER, "0", 0.0), None);
        assert_eq!(others(BEFORE, BEFORE, "0", 0.0), None);
        assert_eq!(others(AFTER, BEFORE, "0", 0.0), None);
        assert_eq!(others("cpu0 1 2 3", "cpu0 2 3 4", "0", 0.0), None);
        let zeros = "cpu0 0 0 0 0 0 0 0 0 0 0";
        assert_eq!(others(zeros, zeros, "0", 0.0), None);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn this_machine_reports_its_usage() {
        let cpus = tavli::run::Cpus::allowed().list();
        let before = CpuUsage::now(&cpus).expect("Linux reports it");
        let start = std::time::Instant::now();
        while start.elapsed() < std::time::Duration::from_millis(50) {
            std::hint::spin_loop();
        }
        let share = CpuUsage::now(&cpus).and_then(|after| after.others_since(&before));
        assert!(share.is_some_and(|share| (0.0..=1.0).contains(&share)), "{share:?}");
    }
}
