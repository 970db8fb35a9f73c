//! `tavli topology`: the CPUs, caches and memory nodes of the machine.

use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;
use serde::Serialize;
use tavli::run::{Cpus, Pinning};
use tavli_bench::{Binding, binding};
use tavli_terminal::failure::Failure;
use tavli_terminal::numbers;

use crate::arguments::{self, Format};

/// Draw the machine: sockets, memory nodes, shared caches, cores and CPUs
///
/// On Linux the command reads /sys; elsewhere each CPU counts as a core, and the rest is unknown. --pin and --threads
/// show where workers would go, on this machine or, with --root, on a copy of another.
#[derive(Args, Debug)]
pub(crate) struct TopologyArguments {
    /// Show another machine: DIR/sys is a copy of its /sys, and DIR/proc, if it exists, of its /proc
    #[arg(long, value_name = "DIR")]
    root: Option<PathBuf>,
    /// Show where workers would go with --pin P of tavli playout
    #[arg(long, value_name = "P", allow_negative_numbers = true)]
    pin: Option<Pinning>,
    /// Show where T workers would go [default: as many as playout would start]
    #[arg(long, value_name = "T", allow_negative_numbers = true, value_parser = numbers::threads)]
    threads: Option<NonZeroUsize>,
    #[command(flatten)]
    format: Format,
}

#[derive(Serialize)]
struct TopologyJson {
    sockets: Option<usize>,
    cores: usize,
    cpus_per_core: usize,
    cpus: Vec<CpuJson>,
    nodes: Vec<NodeJson>,
    l3_caches: Vec<L3Json>,
    cpus_offline: Vec<usize>,
    /// The CPUs that this process may use; `None` for another machine.
    cpus_allowed: Option<Vec<usize>>,
    cpus_granted: Option<f64>,
    /// Where workers would go, if that was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    placement: Option<Preview>,
}

/// Where workers would go.
#[derive(Serialize)]
struct Preview {
    pinning: String,
    /// The text of the header.
    #[serde(skip)]
    pinned: String,
    threads: usize,
    workers: Vec<Binding>,
    remark: Option<String>,
}

impl Preview {
    fn new(pinning: Pinning, threads: Option<NonZeroUsize>, cpus: &Cpus) -> Result<Preview, Failure> {
        let placement = arguments::placement(cpus, &pinning, threads)?;
        Ok(Preview {
            pinning: placement.pinning().to_string(),
            pinned: binding::pinned(&pinning, &placement, cpus),
            threads: placement.threads(),
            workers: Binding::from_workers(placement.cpus(), cpus),
            remark: binding::remark(placement.cpus(), cpus),
        })
    }

    fn print(&self, output: &mut dyn Write) -> io::Result<()> {
        let workers = binding::number(self.threads);
        writeln!(output, "\n{workers}, {}", self.pinned)?;
        for line in binding::describe(&self.workers) {
            writeln!(output, "  {line}")?;
        }
        self.remark.iter().try_for_each(|remark| writeln!(output, "{remark}"))
    }
}

/// A CPU; unknown parts are `None`.
#[derive(Serialize)]
struct CpuJson {
    id: usize,
    core: usize,
    l3: Option<usize>,
    node: Option<usize>,
    socket: Option<usize>,
    kind: Option<&'static str>,
}

#[derive(Serialize)]
struct NodeJson {
    id: usize,
    memory: Option<u64>,
}

#[derive(Serialize)]
struct L3Json {
    id: usize,
    size: Option<u64>,
}

impl TopologyJson {
    /// The document of a machine. `own` tells whether the process may use its CPUs.
    fn new(cpus: &Cpus, own: bool, placement: Option<Preview>) -> TopologyJson {
        let topology = cpus.topology();
        let cpu = |cpu: &tavli::run::Cpu| CpuJson {
            id: cpu.id,
            core: cpu.core,
            l3: cpu.l3,
            node: cpu.node,
            socket: cpu.socket,
            kind: cpu.kind.map(|kind| kind.name()),
        };
        let node = |node: &tavli::run::Node| NodeJson { id: node.id, memory: node.memory };
        let l3 = |l3: &tavli::run::L3| L3Json { id: l3.id, size: l3.size };
        TopologyJson {
            sockets: topology.sockets(),
            cores: topology.cores(),
            cpus_per_core: topology.cpus_per_core(),
            cpus: topology.cpus().iter().map(cpu).collect(),
            nodes: topology.nodes().iter().map(node).collect(),
            l3_caches: topology.l3s().iter().map(l3).collect(),
            cpus_offline: topology.offline().as_slice().to_vec(),
            cpus_allowed: own.then(|| cpus.list().as_slice().to_vec()),
            cpus_granted: cpus.granted(),
            placement,
        }
    }
}

pub(crate) fn run(arguments: &TopologyArguments) -> Result<(), Failure> {
    let own = arguments.root.is_none();
    let cpus = arguments.root.as_deref().map_or_else(Cpus::allowed, Cpus::read);
    let topology = cpus.topology();
    if topology.cpus().is_empty() {
        let root = arguments.root.as_deref().unwrap_or("/".as_ref()).display();
        let file = "sys/devices/system/cpu/online";
        let message = format_args!("{file} below {root} lists no CPUs");
        return Err(match own {
            true => Failure::run(message),
            false => Failure::usage(message),
        });
    }
    let asked = arguments.pin.is_some() || arguments.threads.is_some();
    let pinning = arguments.pin.clone().unwrap_or_default();
    let preview = asked.then(|| Preview::new(pinning, arguments.threads, &cpus));
    let preview = preview.transpose()?;
    let document = TopologyJson::new(&cpus, own, preview);
    arguments.format.write(&document, |document, output| {
        writeln!(output, "{topology}")?;
        if own {
            let (list, number) = (cpus.list(), cpus.count());
            writeln!(output, "\nthis process may use {number}: {list}")?;
            match cpus.granted() {
                Some(granted) => writeln!(output, "control groups grant {granted:.2} CPUs' time")?,
                None => writeln!(output, "control groups set no bound")?,
            }
        }
        document.placement.iter().try_for_each(|preview| preview.print(output))
    })
}
