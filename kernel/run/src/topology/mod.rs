//! How the machine is built: sockets, memory nodes, shared caches, cores and their CPUs.

mod drawing;
mod machine;
mod sysfs;
mod this_machine;

pub use machine::{CoreKind, Cpu, L3, Node, Topology};
