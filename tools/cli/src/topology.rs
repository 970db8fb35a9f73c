//! `tavli topology`: the CPUs, caches and memory nodes of the machine.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use serde::Serialize;
use tavli::run::{Cpus, Topology};

use crate::arguments::Format;
use crate::failure::Failure;
use crate::output;

/// Draw the machine: sockets, memory nodes, shared caches, cores and CPUs
///
/// On Linux from /sys; elsewhere each CPU counts as a core, and the rest is unknown.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// Read the machine whose /sys was copied to DIR/sys
    #[arg(long, value_name = "DIR")]
    root: Option<PathBuf>,
    #[command(flatten)]
    format: Format,
}

/// The JSON of the command.
#[derive(Serialize)]
struct Document {
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

impl Document {
    fn new(topology: &Topology, cpus: Option<&Cpus>) -> Document {
        let cpu = |cpu: &tavli::run::Cpu| CpuJson {
            id: cpu.id,
            core: cpu.core,
            l3: cpu.l3,
            node: cpu.node,
            socket: cpu.socket,
            kind: cpu.kind.map(|kind| kind.name()),
        };
        let node = |node: &tavli::run::Node| NodeJson {
            id: node.id,
            memory: node.memory,
        };
        let l3 = |l3: &tavli::run::L3| L3Json {
            id: l3.id,
            size: l3.size,
        };
        Document {
            sockets: topology.sockets(),
            cores: topology.cores(),
            cpus_per_core: topology.cpus_per_core(),
            cpus: topology.cpus().iter().map(cpu).collect(),
            nodes: topology.nodes().iter().map(node).collect(),
            l3_caches: topology.l3s().iter().map(l3).collect(),
            cpus_offline: topology.offline().as_slice().to_vec(),
            cpus_allowed: cpus.map(|cpus| cpus.list().as_slice().to_vec()),
            cpus_granted: cpus.and_then(Cpus::granted),
        }
    }
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let mut output = io::stdout();
    let cpus = arguments.root.is_none().then(Cpus::allowed);
    let read = arguments.root.as_deref().map(Topology::read);
    let topology = match (&read, &cpus) {
        (Some(topology), _) => topology,
        (None, Some(cpus)) => cpus.topology(),
        (None, None) => unreachable!("without a root the machine is this one"),
    };
    if topology.cpus().is_empty() {
        let root = arguments.root.as_deref().unwrap_or("/".as_ref()).display();
        let file = "sys/devices/system/cpu/online";
        return Err(Failure::run(format_args!(
            "{file} below {root} lists no CPUs"
        )));
    }
    if arguments.format.json {
        return Ok(output::json(
            &mut output,
            &Document::new(topology, cpus.as_ref()),
        )?);
    }
    writeln!(output, "{topology}")?;
    if let Some(cpus) = &cpus {
        let (list, number) = (cpus.list(), cpus.count());
        writeln!(output, "\nthis process may use {number}: {list}")?;
        match cpus.granted() {
            Some(granted) => writeln!(output, "control groups grant {granted:.2} CPUs' time")?,
            None => writeln!(output, "control groups set no bound")?,
        }
    }
    Ok(())
}
