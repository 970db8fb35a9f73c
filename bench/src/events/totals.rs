//! Events of the CPU and the system during a repetition.

use serde::{Deserialize, Serialize};

use super::counters::Counts;

/// Events during a repetition. Each part is `None` if the system does not report it.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Events {
    /// The counts of the workers' cores in user code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counters: Option<Counts>,
    /// How often the system preempted a thread of the process (involuntary context switches).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preempted: Option<u64>,
    /// Seconds that the host of a virtual machine took from the workers' CPUs in total, in hundredths.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stolen_seconds: Option<f64>,
    /// How often a core or a socket slowed down because it was too hot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hot: Option<u64>,
    /// Seconds for which control groups throttled the threads of the process, in total.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quota_seconds: Option<f64>,
    /// Energy of all sockets in joules, other programs included.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub joules: Option<f64>,
    /// Operations per second of a worker at the end of the repetition, the mean over workers. The probe slows down if
    /// anything shares the core.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operations: Option<f64>,
}
