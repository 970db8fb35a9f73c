//! The binding of each worker of a run: CPU, core, cache, memory node and socket.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use tavli::run::{CpuList, Cpus, Pinning, Placement};

use crate::printed_numbers::counted;

/// The binding of a worker. Unknown parts are `None`; an unbound worker has no CPU.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Binding {
    /// The CPU it is bound to.
    pub cpu: Option<usize>,
    /// The core, named by its lowest CPU.
    pub core: Option<usize>,
    /// The cache of level 3, named by its lowest CPU.
    pub l3: Option<usize>,
    /// The memory node.
    pub node: Option<usize>,
    /// The socket.
    pub socket: Option<usize>,
}

impl Binding {
    /// The bindings of workers to `cpus`, in their order.
    #[must_use]
    pub fn from_workers(workers: &[Option<usize>], cpus: &Cpus) -> Vec<Binding> {
        // A worker may be bound to a CPU that the process was not started on.
        let known = |id: usize| cpus.cpu(id).or_else(|| cpus.topology().cpu(id));
        let binding = |cpu: Option<usize>| match cpu.and_then(known) {
            None => Binding { cpu, ..Binding::default() },
            Some(known) => {
                Binding { cpu, core: Some(known.core), l3: known.l3, node: known.node, socket: known.socket }
            }
        };
        workers.iter().map(|&cpu| binding(cpu)).collect()
    }
}

/// A line for each memory node of each socket that has workers, such as
/// `workers 0-15 -> CPUs 0-15 -> cores 0-15, node 0, socket 0`.
#[must_use]
pub fn describe(bindings: &[Binding]) -> Vec<String> {
    let mut groups: BTreeMap<_, Vec<(usize, &Binding)>> = BTreeMap::new();
    for (worker, binding) in bindings.iter().enumerate() {
        let of = (binding.cpu.is_none(), binding.socket, binding.node);
        groups.entry(of).or_default().push((worker, binding));
    }
    groups
        .into_iter()
        .map(|((unbound, socket, node), members)| {
            let workers = list("worker", members.iter().map(|member| member.0));
            if unbound {
                return format!("{workers} -> not bound");
            }
            let cpus = list("CPU", members.iter().filter_map(|member| member.1.cpu));
            let cores = list("core", members.iter().filter_map(|member| member.1.core));
            let part =
                |name, part: Option<usize>| part.map_or(format!(", {name} unknown"), |id| format!(", {name} {id}"));
            let (node, socket) = (part("node", node), part("socket", socket));
            format!("{workers} -> {cpus} -> {cores}{node}{socket}")
        })
        .collect()
}

/// The binding of workers as text: `pinned: cores`, or `not pinned` with the reason if `asked` is `auto`.
#[must_use]
pub fn pinned(asked: &Pinning, placement: &Placement, cpus: &Cpus) -> String {
    let (cores, all) = (cpus.cores().get(), cpus.count().get());
    match (asked, placement.pinning()) {
        (Pinning::Auto, Pinning::None) if placement.threads() < cores => {
            format!("not pinned: fewer than the {}", counted(cores, "core", "cores"))
        }
        (Pinning::Auto, Pinning::None) => format!("not pinned: more than the {}", counted(all, "CPU", "CPUs")),
        (_, Pinning::None) => "not pinned".to_owned(),
        (_, pinning) => format!("pinned: {pinning}"),
    }
}

/// A remark if there are more workers than CPUs for them; `workers` are the CPUs that they are bound to.
#[must_use]
pub fn remark(workers: &[Option<usize>], cpus: &Cpus) -> Option<String> {
    let bound: CpuList = workers.iter().copied().flatten().collect();
    let usable = match bound.as_slice().len() {
        0 => cpus.count().get(),
        distinct => distinct,
    };
    let threads = workers.len();
    (threads > usable).then(|| {
        let cpus = counted(usable, "CPU", "CPUs");
        format!("remark: {threads} threads share {cpus} and wait for each other: use --threads {usable} or fewer")
    })
}

/// A number of workers as text: `1 worker`, `2 workers`.
#[must_use]
pub fn number(workers: usize) -> String {
    counted(workers, "worker", "workers")
}

/// Numbers as a list with their noun; a long list lacks its middle.
fn list(noun: &str, numbers: impl Iterator<Item = usize>) -> String {
    let list: CpuList = numbers.collect();
    let plural = if list.as_slice().len() == 1 { "" } else { "s" };
    let text = list.to_string();
    let parts: Vec<&str> = text.split(',').collect();
    match parts[..] {
        [a, b, .., last] if parts.len() > 4 => format!("{noun}s {a},{b},...{last}"),
        _ => format!("{noun}{plural} {text}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::num::NonZeroUsize;
    use tavli::run::Topology;

    fn binding(cpu: usize, socket: usize) -> Binding {
        Binding { cpu: Some(cpu), core: Some(cpu % 64), l3: None, node: Some(2 * socket), socket: Some(socket) }
    }

    #[test]
    fn neighbours_share_a_line() {
        let bindings: Vec<Binding> = (0..64).map(|cpu| binding(cpu, cpu / 32)).collect();
        assert_eq!(
            describe(&bindings),
            [
                "workers 0-31 -> CPUs 0-31 -> cores 0-31, node 0, socket 0",
                "workers 32-63 -> CPUs 32-63 -> cores 32-63, node 2, socket 1",
            ]
        );
        assert_eq!(describe(&[binding(64, 1)]), ["worker 0 -> CPU 64 -> core 0, node 2, socket 1"]);
    }

    #[test]
    fn more_workers_than_cpus_are_remarked_upon() {
        let cpus = |list: &str| {
            let list: CpuList = list.parse().unwrap();
            Cpus::new(Topology::default(), &list, None)
        };
        let crowded = "remark: 256 threads share 2 CPUs and wait for each other: use --threads 2 or fewer";
        assert_eq!(remark(&[None; 256], &cpus("0-1")).unwrap(), crowded);
        assert_eq!(remark(&[None; 2], &cpus("0-1")), None);
        // The CPUs that they are bound to count, not those allowed.
        let on_one = remark(&[Some(5); 2], &cpus("0-7")).unwrap();
        assert!(on_one.starts_with("remark: 2 threads share 1 CPU and wait"), "{on_one}");
        assert_eq!(remark(&[Some(5), Some(0)], &cpus("0-7")), None);
    }

    #[test]
    fn the_default_says_why_it_does_not_pin() {
        let cpus = Cpus::new(Topology::default(), &"0-1".parse().unwrap(), None);
        for (asked, threads, said) in [
            (Pinning::Auto, 1, "not pinned: fewer than the 2 cores"),
            (Pinning::Auto, 2, "pinned: cores"),
            (Pinning::Auto, 3, "not pinned: more than the 2 CPUs"),
            (Pinning::None, 1, "not pinned"),
            (Pinning::CORES, 1, "pinned: cores"),
        ] {
            let placement = Placement::new(&cpus, asked.clone(), NonZeroUsize::new(threads));
            let placement = placement.unwrap();
            assert_eq!(pinned(&asked, &placement, &cpus), said, "{asked}");
        }
    }

    #[test]
    fn long_lists_are_shortened_and_the_unknown_is_said() {
        let spread: Vec<Binding> = (0..32).map(|worker| binding(worker, worker % 2)).collect();
        assert_eq!(describe(&spread)[1], "workers 1,3,...31 -> CPUs 1,3,...31 -> cores 1,3,...31, node 2, socket 1");
        assert_eq!(describe(&[Binding::default(); 3]), ["workers 0-2 -> not bound"]);
        let bare = Binding { cpu: Some(3), core: Some(3), ..Binding::default() };
        assert_eq!(describe(&[bare]), ["worker 0 -> CPU 3 -> core 3, node unknown, socket unknown"]);
    }
}
