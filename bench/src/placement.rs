//! Where the workers of a run sit: each one's CPU, core, caches, memory node and socket.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use tavli::run::{CpuList, Cpus, Workers};

/// Where a worker sits. What is not known is `None`; a worker that is not bound has no CPU.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Seat {
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

impl Seat {
    /// The seats of workers, in their order.
    #[must_use]
    pub fn of(workers: &Workers, cpus: &Cpus) -> Vec<Seat> {
        let seat = |cpu: Option<usize>| match cpu.and_then(|id| cpus.cpu(id)) {
            None => Seat {
                cpu,
                ..Seat::default()
            },
            Some(known) => Seat {
                cpu,
                core: Some(known.core),
                l3: known.l3,
                node: known.node,
                socket: known.socket,
            },
        };
        workers.cpus().iter().map(|&cpu| seat(cpu)).collect()
    }
}

/// A line for each memory node of each socket that has workers, such as
/// `workers 0-15 -> CPUs 0-15 -> cores 0-15, node 0, socket 0`.
#[must_use]
pub fn describe(seats: &[Seat]) -> Vec<String> {
    let mut groups: BTreeMap<_, Vec<(usize, &Seat)>> = BTreeMap::new();
    for (worker, seat) in seats.iter().enumerate() {
        let of = (seat.cpu.is_none(), seat.socket, seat.node);
        groups.entry(of).or_default().push((worker, seat));
    }
    groups
        .into_iter()
        .map(|((unbound, socket, node), members)| {
            let workers = list("worker", members.iter().map(|member| member.0));
            if unbound {
                return format!("{workers} -> wherever the system puts them");
            }
            let cpus = list("CPU", members.iter().filter_map(|member| member.1.cpu));
            let cores = list("core", members.iter().filter_map(|member| member.1.core));
            let part = |name, part: Option<usize>| {
                part.map_or(format!(", {name} unknown"), |id| format!(", {name} {id}"))
            };
            let (node, socket) = (part("node", node), part("socket", socket));
            format!("{workers} -> {cpus} -> {cores}{node}{socket}")
        })
        .collect()
}

/// A number of workers as text: `1 worker`, `2 workers`.
#[must_use]
pub fn number(workers: usize) -> String {
    let plural = if workers == 1 { "" } else { "s" };
    format!("{workers} worker{plural}")
}

/// Numbers as a list with their noun, the middle left out where it is long.
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

    fn seat(cpu: usize, socket: usize) -> Seat {
        Seat {
            cpu: Some(cpu),
            core: Some(cpu % 64),
            l3: None,
            node: Some(2 * socket),
            socket: Some(socket),
        }
    }

    #[test]
    fn neighbours_share_a_line() {
        let seats: Vec<Seat> = (0..64).map(|cpu| seat(cpu, cpu / 32)).collect();
        assert_eq!(
            describe(&seats),
            [
                "workers 0-31 -> CPUs 0-31 -> cores 0-31, node 0, socket 0",
                "workers 32-63 -> CPUs 32-63 -> cores 32-63, node 2, socket 1",
            ]
        );
        assert_eq!(
            describe(&[seat(64, 1)]),
            ["worker 0 -> CPU 64 -> core 0, node 2, socket 1"]
        );
    }

    #[test]
    fn long_lists_are_shortened_and_the_unknown_is_said() {
        let spread: Vec<Seat> = (0..32).map(|worker| seat(worker, worker % 2)).collect();
        assert_eq!(
            describe(&spread)[1],
            "workers 1,3,...31 -> CPUs 1,3,...31 -> cores 1,3,...31, node 2, socket 1"
        );
        assert_eq!(
            describe(&[Seat::default(); 3]),
            ["workers 0-2 -> wherever the system puts them"]
        );
        let bare = Seat {
            cpu: Some(3),
            core: Some(3),
            ..Seat::default()
        };
        assert_eq!(
            describe(&[bare]),
            ["worker 0 -> CPU 3 -> core 3, node unknown, socket unknown"]
        );
    }
}
