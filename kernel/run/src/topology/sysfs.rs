//! Reads the machine from Linux's `/sys`. The files are documented in
//! `Documentation/ABI/stable/sysfs-devices-system-cpu` and `sysfs-devices-node` of its sources.

use std::fs;
use std::path::Path;

use crate::cpu_list::CpuList;
use crate::topology::machine::{CoreKind, Cpu, L3, Node, Topology};

/// Reads the tree below `devices`, which is `/sys/devices` on a running system.
pub(super) fn read(devices: &Path) -> Topology {
    let cpu_root = devices.join("system/cpu");
    let mut cpus: Vec<Cpu> = list(&cpu_root.join("online")).into_iter().map(Cpu::lone).collect();
    let mut l3s: Vec<L3> = Vec::new();
    for cpu in &mut cpus {
        let directory = cpu_root.join(format!("cpu{}", cpu.id));
        let topology = directory.join("topology");
        // Both names are current. The first came with Linux 5.3, which kept the second.
        let siblings =
            ["core_cpus_list", "thread_siblings_list"].into_iter().find_map(|name| lowest(&topology.join(name)));
        cpu.core = siblings.unwrap_or(cpu.id);
        // A system that does not know the socket writes -1, which `number` refuses.
        cpu.socket = number(&topology.join("physical_package_id"));
        if let Some(l3) = l3(&directory.join("cache")) {
            cpu.l3 = Some(l3.id);
            if l3s.iter().all(|known| known.id != l3.id) {
                l3s.push(l3);
            }
        }
    }
    let nodes = nodes(&devices.join("system/node"), &mut cpus);
    mark_kinds(devices, &mut cpus);
    Topology { cpus, nodes, l3s, offline: list(&cpu_root.join("offline")) }
}

/// The cache of level 3 in a CPU's directory of caches.
fn l3(caches: &Path) -> Option<L3> {
    let directory = (0..)
        .map(|index| caches.join(format!("index{index}")))
        .take_while(|directory| directory.is_dir())
        .find(|directory| number::<u32>(&directory.join("level")) == Some(3))?;
    Some(L3 {
        id: lowest(&directory.join("shared_cpu_list"))?,
        size: text(&directory.join("size")).as_deref().and_then(bytes),
    })
}

/// The memory nodes; sets the node of their CPUs.
fn nodes(directory: &Path, cpus: &mut [Cpu]) -> Vec<Node> {
    let mut nodes = Vec::new();
    for id in list(&directory.join("online")) {
        let directory = directory.join(format!("node{id}"));
        for member in list(&directory.join("cpulist")) {
            if let Some(cpu) = cpus.iter_mut().find(|cpu| cpu.id == member) {
                cpu.node = Some(id);
            }
        }
        // Lines are of the form `Node 0 MemTotal:       65536 kB`.
        let memory = text(&directory.join("meminfo")).and_then(|text| {
            let line = text.lines().find(|line| line.contains("MemTotal:"))?;
            let kib: u64 = line.split_whitespace().rev().nth(1)?.parse().ok()?;
            kib.checked_mul(1024)
        });
        nodes.push(Node { id, memory });
    }
    nodes
}

/// The least ratio of the capacities of a performance core and an efficient core. Cores of one kind differ by up to 3
/// %, cores of two kinds by 36 % or more (both NVIDIA GB10).
const UNLIKE: f64 = 1.2;

/// Sets the kinds of the cores of a hybrid processor. Intel's have a device of performance counters for each kind.
/// Elsewhere (Arm) the widest gap between the capacities of the CPUs separates the kinds.
fn mark_kinds(devices: &Path, cpus: &mut [Cpu]) {
    let by_counters =
        [("cpu_core", CoreKind::Performance), ("cpu_atom", CoreKind::Efficient), ("cpu_lowpower", CoreKind::Efficient)];
    let mut known = false;
    for (device, kind) in by_counters {
        for id in list(&devices.join(device).join("cpus")) {
            if let Some(cpu) = cpus.iter_mut().find(|cpu| cpu.id == id) {
                cpu.kind = Some(kind);
                known = true;
            }
        }
    }
    if known {
        return;
    }
    let capacities: Option<Vec<u32>> =
        cpus.iter().map(|cpu| number(&devices.join(format!("system/cpu/cpu{}/cpu_capacity", cpu.id)))).collect();
    let Some(capacities) = capacities else { return };
    let mut sorted = capacities.clone();
    sorted.sort_unstable();
    let gaps = sorted.windows(2).map(|pair| (f64::from(pair[1]) / f64::from(pair[0]), pair[1]));
    let Some((_, least)) = gaps.filter(|gap| gap.0 >= UNLIKE).max_by(|a, b| a.0.total_cmp(&b.0)) else {
        return;
    };
    for (cpu, capacity) in cpus.iter_mut().zip(capacities) {
        cpu.kind = Some(if capacity >= least { CoreKind::Performance } else { CoreKind::Efficient });
    }
}

fn text(file: &Path) -> Option<String> {
    let text = fs::read_to_string(file).ok()?;
    Some(text.trim().to_owned())
}

fn number<T: core::str::FromStr>(file: &Path) -> Option<T> {
    text(file)?.parse().ok()
}

/// The CPUs or nodes that a file lists, ascending; empty if there is no such file or it is empty.
fn list(file: &Path) -> Vec<usize> {
    let list = text(file).and_then(|text| text.parse::<CpuList>().ok());
    let mut list = list.map_or_else(Vec::new, |list| list.as_slice().to_vec());
    list.sort_unstable();
    list
}

fn lowest(file: &Path) -> Option<usize> {
    list(file).first().copied()
}

/// A size such as `32768K`.
fn bytes(text: &str) -> Option<u64> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match &text[digits.len()..] {
        "" => 1,
        "K" => 1 << 10,
        "M" => 1 << 20,
        "G" => 1 << 30,
        _ => return None,
    };
    digits.parse::<u64>().ok()?.checked_mul(unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read() {
        for (text, size) in [
            ("512", Some(512)),
            ("32768K", Some(32 << 20)),
            ("16M", Some(16 << 20)),
            ("1G", Some(1 << 30)),
            ("K", None),
            ("", None),
            ("1T", None),
            ("99999999999999999999K", None),
            ("18446744073709551615K", None),
        ] {
            assert_eq!(bytes(text), size, "{text}");
        }
    }
}
