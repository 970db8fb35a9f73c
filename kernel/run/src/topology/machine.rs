//! The CPUs of a machine, their cores, caches and memory.

use core::fmt;
use std::collections::BTreeSet;

use crate::cpu_list::CpuList;

/// The purpose of a core of a hybrid processor.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum CoreKind {
    /// Speed.
    Performance,
    /// Economy.
    Efficient,
}

impl CoreKind {
    /// `performance` or `efficient`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            CoreKind::Performance => "performance",
            CoreKind::Efficient => "efficient",
        }
    }
}

impl fmt::Display for CoreKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A CPU and its place in the machine. A part is `None` if the system does not report it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cpu {
    /// Its number.
    pub id: usize,
    /// Its core, named by the lowest of the core's CPUs. A CPU without further information counts as a core.
    pub core: usize,
    /// The CPUs that share its last-level cache of level 3, named by the lowest of them.
    pub l3: Option<usize>,
    /// The memory node that is nearest.
    pub node: Option<usize>,
    /// The socket; the system calls it a package.
    pub socket: Option<usize>,
    /// The kind of its core; `None` also if all cores are of one kind.
    pub kind: Option<CoreKind>,
}

impl Cpu {
    /// A CPU with nothing known but its number.
    pub(crate) const fn lone(id: usize) -> Cpu {
        Cpu { id, core: id, l3: None, node: None, socket: None, kind: None }
    }
}

/// A memory node. A node without CPUs holds only memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Node {
    /// Its number.
    pub id: usize,
    /// Its memory in bytes.
    pub memory: Option<u64>,
}

/// A cache of level 3.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct L3 {
    /// The lowest of the CPUs that share it.
    pub id: usize,
    /// Its size in bytes.
    pub size: Option<u64>,
}

/// The CPUs of a machine that are switched on, and the parts that they share.
///
/// ```
/// use tavli_run::Topology;
/// let topology = Topology::here();
/// println!("{topology}");
/// assert!(topology.cores() <= topology.cpus().len());
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Topology {
    pub(super) cpus: Vec<Cpu>,
    pub(super) nodes: Vec<Node>,
    pub(super) l3s: Vec<L3>,
    pub(super) offline: Vec<usize>,
}

impl Topology {
    /// CPUs with nothing known but their numbers.
    pub(crate) fn from_lone_cpus(ids: impl IntoIterator<Item = usize>) -> Topology {
        Topology::from_cpus(ids.into_iter().map(Cpu::lone).collect())
    }

    pub(crate) fn from_cpus(mut cpus: Vec<Cpu>) -> Topology {
        cpus.sort_unstable_by_key(|cpu| cpu.id);
        Topology { cpus, ..Topology::default() }
    }

    /// The CPUs that are switched on, by number.
    #[must_use]
    pub fn cpus(&self) -> &[Cpu] {
        &self.cpus
    }

    /// The CPU of a number, if it is switched on.
    #[must_use]
    pub fn cpu(&self, id: usize) -> Option<Cpu> {
        let at = self.cpus.binary_search_by_key(&id, |cpu| cpu.id).ok()?;
        Some(self.cpus[at])
    }

    /// The memory nodes by number, including nodes without CPUs. Empty if unknown.
    #[must_use]
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The caches of level 3, by their lowest CPU. Empty if unknown.
    #[must_use]
    pub fn l3s(&self) -> &[L3] {
        &self.l3s
    }

    /// The CPUs that are present but switched off.
    #[must_use]
    pub fn offline(&self) -> CpuList {
        self.offline.iter().copied().collect()
    }

    /// The number of sockets; `None` if unknown.
    #[must_use]
    pub fn sockets(&self) -> Option<usize> {
        self.count(|cpu| cpu.socket)
    }

    /// The number of cores.
    #[must_use]
    pub fn cores(&self) -> usize {
        self.count(|cpu| Some(cpu.core)).unwrap_or(0)
    }

    /// The largest number of CPUs of a core: above 1 where SMT (hyper-threading) is on.
    #[must_use]
    pub fn cpus_per_core(&self) -> usize {
        let cpus_of = |core| self.cpus.iter().filter(|cpu| cpu.core == core).count();
        let most = self.cpus.iter().map(|cpu| cpus_of(cpu.core)).max();
        most.unwrap_or(0)
    }

    /// The number of different values of `part` over all CPUs; `None` if some CPU has none.
    fn count(&self, part: impl Fn(&Cpu) -> Option<usize>) -> Option<usize> {
        let parts: Option<BTreeSet<usize>> = self.cpus.iter().map(part).collect();
        parts.map(|parts| parts.len()).filter(|&n| n > 0)
    }
}
