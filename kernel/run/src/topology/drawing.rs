//! A topology drawn as text.

use core::fmt;
use std::collections::BTreeSet;

use crate::cpu_list::CpuList;
use crate::topology::machine::{Cpu, Topology};

/// The widest list of CPUs that is not shortened, in characters.
const WIDTH: usize = 48;

impl fmt::Display for Topology {
    /// An outline: sockets, their memory nodes, and in these the groups of cores that share a cache of level 3, each
    /// with its cores and CPUs. Unknown parts are left out.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = |n: Option<usize>, one: &str, many: &str| match n {
            None => format!("{many} unknown"),
            Some(1) => format!("1 {one}"),
            Some(n) => format!("{n} {many}"),
        };
        let known = |n: usize| Some(n).filter(|&n| n > 0);
        write!(
            f,
            "{}, {}, {}, {}, {}",
            parts(self.sockets(), "socket", "sockets"),
            parts(known(self.nodes.len()), "memory node", "memory nodes"),
            parts(known(self.l3s.len()), "L3 cache", "L3 caches"),
            parts(known(self.cores()), "core", "cores"),
            parts(known(self.cpus.len()), "CPU", "CPUs"),
        )?;
        if self.cpus_per_core() > 1 {
            f.write_str(" (SMT is on)")?;
        }
        let all: Vec<&Cpu> = self.cpus.iter().collect();
        for (socket, cpus) in groups(&all, |cpu| cpu.socket) {
            if let Some(socket) = socket {
                write!(f, "\nsocket {socket}")?;
            }
            for (node, cpus) in groups(&cpus, |cpu| cpu.node) {
                if let Some(node) = node {
                    write!(f, "\n  node {node}{}", self.memory(node))?;
                }
                for (l3, cpus) in groups(&cpus, |cpu| cpu.l3) {
                    for (kind, cpus) in groups(&cpus, |cpu| cpu.kind.map(|kind| kind as usize)) {
                        let cores: BTreeSet<usize> = cpus.iter().map(|cpu| cpu.core).collect();
                        f.write_str("\n    ")?;
                        if let Some(l3) = l3 {
                            write!(f, "L3{}  ", self.size(l3))?;
                        }
                        let kind = kind.and_then(|_| cpus[0].kind);
                        let kind = kind.map_or(String::new(), |kind| format!("{kind} "));
                        let plural = if cores.len() == 1 { "" } else { "s" };
                        write!(f, "{} {kind}core{plural}: CPU", cores.len())?;
                        let list: CpuList = cpus.iter().map(|cpu| cpu.id).collect();
                        let plural = if cpus.len() == 1 { "" } else { "s" };
                        write!(f, "{plural} {}", shortened(&list))?;
                    }
                }
            }
        }
        let with_cpus = |id| self.cpus.iter().any(|cpu| cpu.node == Some(id));
        for node in self.nodes.iter().filter(|node| !with_cpus(node.id)) {
            let memory = self.memory(node.id);
            write!(f, "\nnode {}{memory}, without CPUs", node.id)?;
        }
        if !self.offline.is_empty() {
            write!(f, "\nswitched off: CPUs {}", shortened(&self.offline()))?;
        }
        Ok(())
    }
}

impl Topology {
    fn memory(&self, node: usize) -> String {
        let memory = self.nodes.iter().find(|known| known.id == node);
        amount(memory.and_then(|node| node.memory), ", ", " of memory")
    }

    fn size(&self, l3: usize) -> String {
        let cache = self.l3s.iter().find(|known| known.id == l3);
        amount(cache.and_then(|cache| cache.size), " ", "")
    }
}

/// An amount of memory in the largest unit that leaves at least 1, or nothing.
fn amount(bytes: Option<u64>, before: &str, after: &str) -> String {
    let Some(bytes) = bytes else {
        return String::new();
    };
    let (unit, name) = match bytes {
        0..=0xf_ffff => (1 << 10, "KiB"),
        0x10_0000..=0x3fff_ffff => (1 << 20, "MiB"),
        _ => (1 << 30, "GiB"),
    };
    let amount = bytes as f64 / f64::from(unit);
    let decimals = usize::from(amount < 1000.0 && amount.fract() != 0.0);
    format!("{before}{amount:.decimals$} {name}{after}")
}

/// A list of CPUs, without its middle where it is long.
fn shortened(list: &CpuList) -> String {
    let text = list.to_string();
    let parts: Vec<&str> = text.split(',').collect();
    match parts[..] {
        [a, b, c, .., last] if text.len() > WIDTH => {
            format!("{a},{b},{c}, ... {last} ({} CPUs)", list.as_slice().len())
        }
        _ => text,
    }
}

/// The CPUs grouped by a part, in ascending order of the part.
fn groups<'a>(cpus: &[&'a Cpu], part: impl Fn(&Cpu) -> Option<usize>) -> Vec<(Option<usize>, Vec<&'a Cpu>)> {
    let parts: BTreeSet<Option<usize>> = cpus.iter().map(|cpu| part(cpu)).collect();
    let members = |of| cpus.iter().copied().filter(|cpu| part(cpu) == of).collect();
    parts.into_iter().map(|of| (of, members(of))).collect()
}
