//! Counts of the system, read before and after some work.

use std::fs;
use std::path::{Path, PathBuf};

use tavli::run::{CpuList, Throttled, Topology};

use crate::cpu_usage::stolen_seconds;
use crate::events::totals::Events;

/// Files with the counts of some CPUs.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Watch {
    root: PathBuf,
    cpus: CpuList,
    /// Files that count how often cores and sockets were too hot.
    hot: Vec<PathBuf>,
    sockets: Vec<Energy>,
}

/// The energy of a socket, as its own counter measures it (RAPL).
#[derive(Clone, PartialEq, Debug)]
struct Energy {
    /// The file of the counter, in microjoules.
    file: PathBuf,
    /// The value at which the counter wraps to 0.
    range: u64,
}

/// The counts at a moment, from the start of the system.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Reading {
    preempted: Option<u64>,
    stolen: Option<f64>,
    hot: Option<u64>,
    throttled: Option<Throttled>,
    /// Microjoules of each socket.
    energy: Option<Vec<u64>>,
}

impl Watch {
    /// Finds the counts of `cpus` on the machine whose `/proc` and `/sys` lie below `root`.
    pub(crate) fn new(root: &Path, cpus: CpuList, topology: &Topology) -> Watch {
        let file = |cpu: usize, part: &str| {
            root.join(format!("sys/devices/system/cpu/cpu{cpu}/thermal_throttle/{part}_throttle_count"))
        };
        let (mut hot, mut cores, mut sockets) = (Vec::new(), Vec::new(), Vec::new());
        for cpu in cpus.as_slice().iter().filter_map(|&id| topology.cpu(id)) {
            // The CPUs of a core share one count, the CPUs of a socket another.
            if !cores.contains(&cpu.core) {
                cores.push(cpu.core);
                hot.push(file(cpu.id, "core"));
            }
            if !sockets.contains(&cpu.socket) {
                sockets.push(cpu.socket);
                hot.push(file(cpu.id, "package"));
            }
        }
        Watch {
            root: root.to_owned(),
            cpus,
            hot: hot.into_iter().filter(|file| file.is_file()).collect(),
            sockets: sockets_of(&root.join("sys/class/powercap")),
        }
    }

    pub(crate) fn read(&self) -> Reading {
        let stat = fs::read_to_string(self.root.join("proc/stat")).ok();
        let energy: Option<Vec<u64>> = self.sockets.iter().map(|one| number(&one.file)).collect();
        let hot: Option<u64> = self.hot.iter().map(|file| number(file)).sum();
        Reading {
            preempted: preempted(&self.root.join("proc/self/task")),
            stolen: stat.and_then(|stat| stolen_seconds(&stat, &self.cpus)),
            hot: hot.filter(|_| !self.hot.is_empty()),
            throttled: Throttled::read(&self.root),
            energy: energy.filter(|energy| !energy.is_empty()),
        }
    }

    /// The events between two readings.
    pub(crate) fn between(&self, before: &Reading, after: &Reading) -> Events {
        let more = |before: Option<u64>, after: Option<u64>| after?.checked_sub(before?);
        let energy = before.energy.as_ref().zip(after.energy.as_ref());
        Events {
            counters: None,
            preempted: more(before.preempted, after.preempted),
            stolen_seconds: before.stolen.zip(after.stolen).map(|(before, after)| (after - before).max(0.0)),
            hot: more(before.hot, after.hot),
            quota_seconds: before
                .throttled
                .zip(after.throttled)
                .map(|(before, after)| after.time.saturating_sub(before.time).as_secs_f64()),
            joules: energy.map(|(before, after)| {
                let sockets = self.sockets.iter().zip(before.iter().zip(after));
                let micro: u64 = sockets.map(|(socket, (&before, &after))| socket.used(before, after)).sum();
                micro as f64 / 1e6
            }),
            operations: None,
        }
    }
}

impl Energy {
    /// Microjoules between two readings, at most one wrap of the counter apart.
    fn used(&self, before: u64, after: u64) -> u64 {
        match after.checked_sub(before) {
            Some(used) => used,
            None => after + self.range.saturating_sub(before),
        }
    }
}

/// The sockets in `/sys/class/powercap`: `intel-rapl:0` and so on, on AMD too, without their parts such as
/// `intel-rapl:0:0`.
fn sockets_of(folder: &Path) -> Vec<Energy> {
    let socket = |number: usize| {
        let folder = folder.join(format!("intel-rapl:{number}"));
        let name = fs::read_to_string(folder.join("name")).ok()?;
        Some((name.starts_with("package"), folder))
    };
    (0..)
        .map_while(socket)
        .filter(|(is_socket, _)| *is_socket)
        .map(|(_, folder)| Energy {
            file: folder.join("energy_uj"),
            range: number(&folder.join("max_energy_range_uj")).unwrap_or(0),
        })
        .collect()
}

/// Involuntary context switches of the live threads in `/proc/self/task`.
fn preempted(tasks: &Path) -> Option<u64> {
    let threads = fs::read_dir(tasks).ok()?;
    let of = |status: &str| -> Option<u64> {
        let mut lines = status.lines();
        let count = lines.find_map(|line| line.strip_prefix("nonvoluntary_ctxt_switches:"))?;
        count.trim().parse().ok()
    };
    threads.flatten().map(|thread| of(&fs::read_to_string(thread.path().join("status")).ok()?)).sum()
}

fn number(file: &Path) -> Option<u64> {
    fs::read_to_string(file).ok()?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tavli::run::Cpus;

    /// A tree of files in place of `/`, removed at the end.
    struct Tree(PathBuf);

    impl Tree {
        fn new(name: &str) -> Tree {
            Tree(std::env::temp_dir().join(format!("tavli-watch-{}-{name}", std::process::id())))
        }

        fn write(&self, files: &[(&str, &str)]) {
            for (name, text) in files {
                let file = self.0.join(name);
                fs::create_dir_all(file.parent().unwrap()).unwrap();
                fs::write(file, text).unwrap();
            }
        }
    }

    impl Drop for Tree {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    const STATUS: &str = "Name:\ttavli\nvoluntary_ctxt_switches:\t9\nnonvoluntary_ctxt_switches:\t";

    #[test]
    fn everything_that_a_system_counts_is_read() {
        let tree = Tree::new("full");
        let cpus = "sys/devices/system/cpu";
        tree.write(&[
            (&format!("{cpus}/online"), "0-3\n"),
            (&format!("{cpus}/cpu0/topology/core_cpus_list"), "0,2\n"),
            (&format!("{cpus}/cpu1/topology/core_cpus_list"), "1,3\n"),
            (&format!("{cpus}/cpu2/topology/core_cpus_list"), "0,2\n"),
            (&format!("{cpus}/cpu3/topology/core_cpus_list"), "1,3\n"),
        ]);
        for cpu in 0..4 {
            tree.write(&[
                (&format!("{cpus}/cpu{cpu}/topology/physical_package_id"), "0\n"),
                (&format!("{cpus}/cpu{cpu}/thermal_throttle/core_throttle_count"), "5\n"),
                (&format!("{cpus}/cpu{cpu}/thermal_throttle/package_throttle_count"), "7\n"),
            ]);
        }
        let power = "sys/class/powercap";
        tree.write(&[
            (&format!("{power}/intel-rapl:0/name"), "package-0\n"),
            (&format!("{power}/intel-rapl:0/energy_uj"), "1000000\n"),
            (&format!("{power}/intel-rapl:0/max_energy_range_uj"), "9000000\n"),
            (&format!("{power}/intel-rapl:0:0/name"), "core\n"),
            (&format!("{power}/intel-rapl:1/name"), "package-1\n"),
            (&format!("{power}/intel-rapl:1/energy_uj"), "8500000\n"),
            (&format!("{power}/intel-rapl:1/max_energy_range_uj"), "9000000\n"),
            (&format!("{power}/intel-rapl:2/name"), "psys\n"),
            (&format!("{power}/intel-rapl:2/energy_uj"), "77\n"),
            ("proc/stat", "cpu0 1 0 0 0 0 0 0 10 0 0\ncpu1 1 0 0 0 0 0 0 20 0 0\n"),
            ("proc/self/task/11/status", &format!("{STATUS}3\n")),
            ("proc/self/task/12/status", &format!("{STATUS}4\n")),
            ("proc/self/cgroup", "0::/\n"),
            ("proc/self/mountinfo", "30 24 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n"),
            ("sys/fs/cgroup/cpu.stat", "nr_throttled 1\nthrottled_usec 500\n"),
        ]);
        let machine = Cpus::read(&tree.0);
        let watch = Watch::new(&tree.0, "0-1".parse().unwrap(), machine.topology());
        let before = watch.read();
        tree.write(&[
            (&format!("{cpus}/cpu1/thermal_throttle/core_throttle_count"), "6\n"),
            (&format!("{cpus}/cpu0/thermal_throttle/package_throttle_count"), "9\n"),
            // Not one of the CPUs that are watched.
            (&format!("{cpus}/cpu2/thermal_throttle/core_throttle_count"), "99\n"),
            (&format!("{power}/intel-rapl:0/energy_uj"), "3500000\n"),
            // The second socket's counter wrapped.
            (&format!("{power}/intel-rapl:1/energy_uj"), "250000\n"),
            (&format!("{power}/intel-rapl:2/energy_uj"), "999999\n"),
            ("proc/stat", "cpu0 1 0 0 0 0 0 0 12 0 0\ncpu1 1 0 0 0 0 0 0 21 0 0\n"),
            ("proc/self/task/12/status", &format!("{STATUS}9\n")),
            ("sys/fs/cgroup/cpu.stat", "nr_throttled 3\nthrottled_usec 250500\n"),
        ]);
        let events = watch.between(&before, &watch.read());
        assert_eq!(events.hot, Some(3));
        assert_eq!(events.joules, Some(2.5 + 0.75));
        assert_eq!(events.preempted, Some(5));
        assert_eq!(events.quota_seconds, Some(0.25));
        assert!((events.stolen_seconds.unwrap() - 0.03).abs() < 1e-9);
    }

    #[test]
    fn a_system_that_counts_nothing_has_no_events() {
        let tree = Tree::new("none");
        let watch = Watch::new(&tree.0, "0-1".parse().unwrap(), &Topology::default());
        let reading = watch.read();
        assert_eq!(watch.between(&reading, &reading), Events::default());
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn this_machine_counts_how_often_threads_were_interrupted() {
        let cpus = Cpus::allowed();
        let watch = Watch::new(Path::new("/"), cpus.list(), cpus.topology());
        let events = watch.between(&watch.read(), &watch.read());
        assert!(events.preempted.is_some(), "{events:?}");
    }
}
