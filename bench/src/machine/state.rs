//! How a machine is set up: SMT, turbo, clock, mitigations, control groups, kernel.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};
use tavli::run::{Cpus, Throttled};

/// The state of a machine at the start of a measurement. Unknown parts are `None` or empty.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct State {
    /// Whether cores run several threads side by side (SMT): `on`, `off`, `forceoff`, `notsupported`.
    pub smt: Option<String>,
    /// Whether the clock may rise above the nominal one.
    pub turbo: Option<bool>,
    /// The driver that sets the clock.
    pub clock_driver: Option<String>,
    /// The least and the highest clock that the driver sets, over the CPUs allowed, in cycles per second.
    pub clock_range: Option<[f64; 2]>,
    /// The weaknesses of the processor that the kernel knows, and its mitigation of each.
    pub mitigations: BTreeMap<String, String>,
    /// The program that runs the virtual machine, if it names itself.
    pub hypervisor: Option<String>,
    /// The build of the kernel: `#1 SMP PREEMPT_DYNAMIC` and more.
    pub kernel: Option<String>,
    /// CPUs that the kernel keeps free of other programs, as a list.
    pub isolated: Option<String>,
    /// Periods in which control groups had stopped the process before the measurement.
    pub throttled_periods: Option<u64>,
}

impl State {
    /// The state of the machine whose `/proc` and `/sys` lie below `root`; the process may use `cpus`.
    pub(super) fn read(root: &Path, cpus: &Cpus) -> State {
        let text = |file: &str| text(&root.join(file));
        let all = root.join("sys/devices/system/cpu");
        let switch = |file: &str| self::text(&all.join(file)).map(|value| value == "1");
        // Intel's driver has a switch that turns turbo off, the others one that turns it on.
        let turbo = switch("intel_pstate/no_turbo").map(|off| !off);
        State {
            smt: text("sys/devices/system/cpu/smt/control"),
            turbo: turbo.or_else(|| switch("cpufreq/boost")),
            clock_driver: text("sys/devices/system/cpu/cpu0/cpufreq/scaling_driver"),
            clock_range: clock_range(&all, cpus),
            mitigations: mitigations(&all.join("vulnerabilities")),
            hypervisor: hypervisor(root),
            kernel: text("proc/version").and_then(|version| Some(version[version.find(" #")? + 1..].to_owned())),
            isolated: text("sys/devices/system/cpu/isolated"),
            throttled_periods: Throttled::read(root).map(|throttled| throttled.periods),
        }
    }

    /// The processor's vulnerabilities, whether the kernel mitigates them, which may cost time, or not.
    #[must_use]
    pub fn affected(&self) -> Vec<String> {
        let told = self.mitigations.iter();
        told.filter(|(_, state)| *state != "Not affected")
            .map(|(name, state)| format!("{}: {state}", name.replace('_', " ")))
            .collect()
    }
}

/// The governors, which choose the clock, of the CPUs allowed; more than one if they differ.
pub(super) fn governors(root: &Path, cpus: &Cpus) -> Option<String> {
    let all = root.join("sys/devices/system/cpu");
    let of = |cpu: &usize| text(&all.join(format!("cpu{cpu}/cpufreq/scaling_governor")));
    let names: BTreeSet<String> = cpus.list().as_slice().iter().filter_map(of).collect();
    let names: Vec<String> = names.into_iter().collect();
    Some(names.join(", ")).filter(|names| !names.is_empty())
}

fn clock_range(all: &Path, cpus: &Cpus) -> Option<[f64; 2]> {
    let list = cpus.list();
    let clocks = |file: &str| -> Vec<f64> {
        let of = |cpu: &usize| {
            let khz = text(&all.join(format!("cpu{cpu}/cpufreq/{file}")))?;
            Some(1e3 * khz.parse::<f64>().ok()?)
        };
        list.as_slice().iter().filter_map(of).collect()
    };
    let least = clocks("cpuinfo_min_freq").into_iter().reduce(f64::min)?;
    let most = clocks("cpuinfo_max_freq").into_iter().reduce(f64::max)?;
    Some([least, most])
}

fn mitigations(folder: &Path) -> BTreeMap<String, String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let named = entries.filter_map(|entry| {
        let name = entry.file_name().into_string().ok()?;
        Some((name, text(&entry.path())?))
    });
    named.collect()
}

/// The name of the hypervisor: Xen's own file, or the maker and the model of the emulated machine.
fn hypervisor(root: &Path) -> Option<String> {
    let xen = text(&root.join("sys/hypervisor/type"));
    let made_up = || {
        let info = fs::read_to_string(root.join("proc/cpuinfo")).ok()?;
        let flags = info.lines().find(|line| line.starts_with("flags"))?;
        flags.split_whitespace().find(|&flag| flag == "hypervisor")?;
        let part = |file: &str| text(&root.join("sys/class/dmi/id").join(file));
        let parts: Vec<String> = [part("sys_vendor"), part("product_name")].into_iter().flatten().collect();
        Some(parts.join(" ")).filter(|name| !name.is_empty())
    };
    xen.or_else(made_up)
}

/// The name that the hypervisor of this machine returns to x86's `cpuid`, such as `KVMKVMKVM`.
pub(super) fn hypervisor_of_this_cpu() -> Option<String> {
    #[cfg(target_arch = "x86_64")]
    {
        use core::arch::x86_64::__cpuid;
        /// The bit of leaf 1 that hypervisors set.
        const VIRTUAL: u32 = 1 << 31;
        /// The leaf at which hypervisors name themselves.
        const NAME: u32 = 0x4000_0000;
        if __cpuid(1).ecx & VIRTUAL == 0 {
            return None;
        }
        let leaf = __cpuid(NAME);
        let bytes = [leaf.ebx, leaf.ecx, leaf.edx].map(u32::to_le_bytes).concat();
        let name = String::from_utf8(bytes).ok()?;
        Some(name.trim_end_matches('\0').trim().to_owned()).filter(|name| !name.is_empty())
    }
    #[cfg(not(target_arch = "x86_64"))]
    None
}

/// The trimmed text of a file; `None` if it cannot be read or is empty.
fn text(file: &Path) -> Option<String> {
    let text = fs::read_to_string(file).ok()?;
    Some(text.trim().to_owned()).filter(|text| !text.is_empty())
}
