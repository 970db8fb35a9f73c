//! The CPUs this process may use.
//!
//! The operating system schedules on *CPUs*; a *core* is hardware, and may be several CPUs (SMT siblings).

use core::num::NonZeroUsize;
use std::path::Path;
use std::thread;

use super::cpu_list::CpuList;
use super::quota;
use super::topology::{Cpu, Topology};

/// A CPU that this process may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Allowed {
    pub(super) cpu: Cpu,
    /// How many allowed CPUs of the same core have lower numbers.
    pub(super) sibling: usize,
}

/// The CPUs that this process was allowed when they were looked up.
#[derive(Clone, PartialEq, Debug)]
pub struct Cpus {
    topology: Topology,
    allowed: Vec<Allowed>,
    granted: Option<f64>,
    /// Whether these are all CPUs allowed to this process. The system may still let it use further ones.
    are_own: bool,
}

/// Why a process cannot use a CPU.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Unusable {
    /// It is switched off.
    Offline,
    /// The process may not use it, or there is no such CPU.
    NotAllowed,
}

impl Cpus {
    /// The CPUs that the calling thread may use (`taskset`, cpusets and Slurm restrict them), and the
    /// share of their time that control groups grant (containers). To be asked before the thread is
    /// pinned. The machine and the grant are read once in a process, the CPUs of the thread each time.
    #[must_use]
    pub fn allowed() -> Cpus {
        let ids = core_affinity::get_core_ids().unwrap_or_default();
        let ids: CpuList = ids.into_iter().map(|cpu| cpu.id).collect();
        Cpus { are_own: true, ..Cpus::new(Topology::here(), &ids, quota::granted()) }
    }

    /// The CPUs `allowed` of a machine. Control groups grant `granted` processors' worth of their time.
    #[must_use]
    pub fn new(topology: Topology, allowed: &CpuList, granted: Option<f64>) -> Cpus {
        let mut ids = allowed.as_slice().to_vec();
        ids.sort_unstable();
        let mut cpus: Vec<Allowed> = Vec::with_capacity(ids.len());
        for id in ids {
            let cpu = topology.cpu(id).unwrap_or(Cpu::lone(id));
            let sibling = cpus.iter().filter(|one| one.cpu.core == cpu.core).count();
            cpus.push(Allowed { cpu, sibling });
        }
        Cpus { topology, allowed: cpus, granted, are_own: false }
    }

    /// All CPUs of a machine whose `/proc` and `/sys` were copied to `root`, with the grant of the control groups in
    /// it.
    #[must_use]
    pub fn read(root: &Path) -> Cpus {
        let topology = Topology::read(root);
        let all: CpuList = topology.cpus().iter().map(|cpu| cpu.id).collect();
        Cpus::new(topology, &all, quota::granted_under(root))
    }

    /// The whole machine, including the CPUs that are not allowed.
    #[must_use]
    pub fn topology(&self) -> &Topology {
        &self.topology
    }

    /// The CPU of a number, if it is allowed.
    #[must_use]
    pub fn cpu(&self, id: usize) -> Option<Cpu> {
        let mut cpus = self.iter().map(|one| one.cpu);
        cpus.find(|cpu| cpu.id == id)
    }

    /// Why this process cannot use a CPU; `None` if it can. It can use the allowed CPUs, and any other that the system
    /// still binds it to: a CPU that the kernel keeps free (`isolcpus`), or a CPU that `taskset` took from the process.
    pub(super) fn unusable(&self, cpu: usize) -> Option<Unusable> {
        if self.cpu(cpu).is_some() {
            return None;
        }
        if self.topology.offline().as_slice().contains(&cpu) {
            return Some(Unusable::Offline);
        }
        let is_there = self.topology.cpu(cpu).is_some();
        (!is_there || !self.are_own || !can_be_bound_to(cpu)).then_some(Unusable::NotAllowed)
    }

    /// The share of one of `of` processes that use the CPUs at the same time: neighbouring cores, and an equal part of
    /// the grant. The shares are nearly equal in size; if there are more processes than cores, some share a core.
    ///
    /// # Panics
    /// If `index` is not below `of`.
    ///
    /// ```
    /// use tavli_run::Cpus;
    /// let cpus = Cpus::allowed();
    /// assert_eq!(cpus.share(0, 1), cpus);
    /// assert!(cpus.share(1, 2).count() <= cpus.count());
    /// ```
    #[must_use]
    pub fn share(&self, index: usize, of: usize) -> Cpus {
        assert!(index < of, "invalid share {index}: it must be below {of}");
        let mut cores: Vec<Cpu> = self.iter().filter(|one| one.sibling == 0).map(|one| one.cpu).collect();
        cores.sort_by_key(|cpu| (cpu.socket, cpu.node, cpu.l3, cpu.core));
        let bound = |index: usize| index * cores.len() / of;
        let first = bound(index);
        // There is no core if the system reports no CPU.
        let last = bound(index + 1).max(first + 1).min(cores.len());
        let own: Vec<usize> = cores[first..last].iter().map(|cpu| cpu.core).collect();
        Cpus {
            topology: self.topology.clone(),
            allowed: self.iter().filter(|one| own.contains(&one.cpu.core)).collect(),
            granted: self.granted.map(|granted| granted / of as f64),
            // A CPU beyond a share is another process's, even if the system would bind to it.
            are_own: self.are_own && of == 1,
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Allowed> {
        self.allowed.iter().copied()
    }

    /// The numbers of the CPUs, ascending. Empty if the system does not report them.
    #[must_use]
    pub fn list(&self) -> CpuList {
        self.iter().map(|one| one.cpu.id).collect()
    }

    /// How many cores the CPUs belong to; at least 1.
    #[must_use]
    pub fn cores(&self) -> NonZeroUsize {
        let cores = self.iter().filter(|one| one.sibling == 0).count();
        NonZeroUsize::new(cores).unwrap_or(NonZeroUsize::MIN)
    }

    /// How many CPUs there are; at least 1.
    #[must_use]
    pub fn count(&self) -> NonZeroUsize {
        NonZeroUsize::new(self.allowed.len()).unwrap_or(NonZeroUsize::MIN)
    }

    /// The processors' worth of time that control groups grant, such as 1.5; `None` without a bound.
    #[must_use]
    pub fn granted(&self) -> Option<f64> {
        self.granted
    }

    /// `threads`, but at most the number that can run at full speed within the grant: its integer part, at least 1.
    pub(super) fn within_grant(&self, threads: NonZeroUsize) -> NonZeroUsize {
        // A cast from float saturates, so an absurd grant bounds nothing.
        let granted = self.granted.map_or(usize::MAX, |cpus| cpus as usize);
        NonZeroUsize::new(granted).map_or(NonZeroUsize::MIN, |granted| threads.min(granted))
    }
}

/// Whether the system binds a thread of this process to a CPU. Only an attempt tells: the current mask does not show
/// the masks that cpusets allow.
fn can_be_bound_to(cpu: usize) -> bool {
    let bind = move || core_affinity::set_for_current(core_affinity::CoreId { id: cpu });
    // On a separate thread, since the attempt binds the thread that makes it.
    let thread = thread::Builder::new().spawn(bind).ok();
    thread.is_some_and(|thread| thread.join().unwrap_or(false))
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Two sockets of two cores of two CPUs, numbered as Linux does on most machines: first the first
    /// CPU of every core, then the second ones.
    pub(crate) fn two_sockets(allowed: &[usize], granted: Option<f64>) -> Cpus {
        let cpu = |id| Cpu { core: id % 4, socket: Some(id % 4 / 2), ..Cpu::lone(id) };
        let topology = Topology::from_cpus((0..8).map(cpu).collect());
        Cpus::new(topology, &allowed.iter().copied().collect(), granted)
    }

    #[test]
    fn cores_and_their_cpus_are_counted_apart() {
        let cpus = two_sockets(&[0, 1, 2, 3, 4, 5, 6, 7], None);
        assert_eq!((cpus.count().get(), cpus.cores().get()), (8, 4));
        // Only the second CPU of a core is allowed, so it counts as the core's first.
        let cpus = two_sockets(&[5, 1, 6], None);
        assert_eq!((cpus.count().get(), cpus.cores().get()), (3, 2));
        assert_eq!(cpus.list().to_string(), "1,5-6");
    }

    #[test]
    fn an_unknown_machine_has_one_cpu() {
        let unknown = |ids: &[usize]| {
            let ids = ids.iter().copied().collect();
            Cpus::new(Topology::default(), &ids, None)
        };
        let cpus = unknown(&[]);
        assert_eq!((cpus.count().get(), cpus.cores().get()), (1, 1));
        assert_eq!(unknown(&[0, 1]).cores().get(), 2);
    }

    #[test]
    fn processes_share_the_cores() {
        let cpus = two_sockets(&[0, 1, 2, 3, 4, 5, 6, 7], Some(6.0));
        let lists = |cpus: &Cpus, of: usize| -> Vec<String> {
            (0..of).map(|index| cpus.share(index, of).list().to_string()).collect()
        };
        assert_eq!(lists(&cpus, 1), ["0-7"]);
        assert_eq!(lists(&cpus, 2), ["0-1,4-5", "2-3,6-7"]);
        assert_eq!(lists(&cpus, 3), ["0,4", "1,5", "2-3,6-7"]);
        assert_eq!(lists(&two_sockets(&[1, 2], None), 4), ["1", "1", "2", "2"]);
        assert_eq!(cpus.share(2, 3).granted(), Some(2.0));
        assert_eq!(lists(&Cpus::new(Topology::default(), &CpuList::from_iter([]), None), 2), ["", ""]);
    }

    #[test]
    fn a_grant_bounds_the_threads() {
        let eight = NonZeroUsize::new(8).unwrap();
        for (granted, threads) in [(None, 8), (Some(0.5), 1), (Some(2.9), 2), (Some(64.0), 8), (Some(1e30), 8)] {
            let cpus = two_sockets(&[0, 1], granted);
            assert_eq!(cpus.within_grant(eight).get(), threads, "{granted:?}");
        }
    }
}
