//! Events of the CPU and the system during a repetition.

use serde::{Deserialize, Serialize};

use super::counters::Counts;

/// What went on during a repetition. Each part is `None` where the system does not report it.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Events {
    /// What the workers' cores counted in user code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counters: Option<Counts>,
    /// How often the system took a CPU from a thread of the process that would have gone on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preempted: Option<u64>,
    /// Seconds that the host of a virtual machine took from the workers' CPUs, all of them together, in hundredths.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stolen_seconds: Option<f64>,
    /// How often a core or a socket slowed down because it was too hot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hot: Option<u64>,
    /// Seconds that control groups stopped the threads of the process, all of them together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quota_seconds: Option<f64>,
    /// Energy that all sockets took, in joules, other programs included.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub joules: Option<f64>,
    /// Operations per second of a worker at its end, by a probe that feels what shares the core: the mean of the
    /// workers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operations: Option<f64>,
}
