//! The machine that the process runs on.

use std::path::Path;
use std::sync::OnceLock;

use super::machine::Topology;
use super::sysfs;

impl Topology {
    /// This machine, as it was when the process first looked. Linux describes all of it in `/sys`; elsewhere each CPU
    /// that the process may use counts as a core, and the rest is unknown.
    #[must_use]
    pub fn here() -> Topology {
        static HERE: OnceLock<Topology> = OnceLock::new();
        let look = || {
            let described = Topology::read(Path::new("/"));
            if described.cpus.is_empty() {
                let ids = core_affinity::get_core_ids().unwrap_or_default();
                return Topology::from_lone_cpus(ids.into_iter().map(|cpu| cpu.id));
            }
            described
        };
        HERE.get_or_init(look).clone()
    }

    /// Reads the machine from the directory `sys/devices` below `root`, in the form of Linux. Missing and unreadable
    /// files leave parts unknown; without any CPU the topology is empty.
    #[must_use]
    pub fn read(root: &Path) -> Topology {
        sysfs::read(&root.join("sys/devices"))
    }
}
