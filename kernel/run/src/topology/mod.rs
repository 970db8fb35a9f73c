//! How the machine is built: sockets, memory nodes, shared caches, cores and their CPUs.

mod drawing;
mod here;
mod machine;
mod sysfs;

pub use machine::{CoreKind, Cpu, L3, Node, Topology};
