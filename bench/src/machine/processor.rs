//! The processor: maker, numbers, designs of its cores, caches.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};
use tavli::run::{CpuList, Topology};

use super::design;

/// A processor as it reports itself. Unknown parts are `None` or empty.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Processor {
    /// Its maker, as the processor writes it: `AuthenticAMD`. Processors of x86 only, like the three numbers.
    pub vendor: Option<String>,
    /// Its family.
    pub family: Option<u32>,
    /// Its model within the family.
    pub model: Option<u32>,
    /// Its stepping within the model.
    pub stepping: Option<u32>,
    /// The designs of its cores: one, or several if cores differ.
    pub designs: Vec<Design>,
    /// Its caches, by level.
    pub caches: Vec<Cache>,
}

/// A design of cores, and the CPUs that have it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Design {
    /// Its name, such as `Zen 4`, or `Neoverse-N1 r3p1` with variant and revision; its numbers if the name is not
    /// known.
    pub name: String,
    /// Its CPUs, as a list.
    pub cpus: String,
}

/// The caches of a level, a kind and a size.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cache {
    /// Their level, from 1.
    pub level: u32,
    /// `data`, `instruction` or `unified`.
    pub kind: String,
    /// The size of each, in bytes.
    pub size: u64,
    /// Their number.
    pub number: usize,
}

/// The blocks of `/proc/cpuinfo`, one for each CPU: its number, and its keys with their values.
type Blocks<'a> = BTreeMap<usize, BTreeMap<&'a str, &'a str>>;

impl Processor {
    /// The processor of a machine, from `proc/cpuinfo` and the caches in `sys/devices/system/cpu` below `root`.
    pub(super) fn read(root: &Path, topology: &Topology) -> Processor {
        let info = fs::read_to_string(root.join("proc/cpuinfo")).unwrap_or_default();
        let blocks = blocks(&info);
        let first = blocks.values().next().cloned().unwrap_or_default();
        let number = |key: &str| first.get(key)?.parse().ok();
        Processor {
            vendor: first.get("vendor_id").map(|&vendor| vendor.to_owned()),
            family: number("cpu family"),
            model: number("model"),
            stepping: number("stepping"),
            designs: designs(&blocks),
            caches: caches(&root.join("sys/devices/system/cpu"), topology),
        }
    }

    /// Its distinction from other processors of the same name: `Zen 4, family 25, model 17, stepping 1`. Empty if
    /// nothing is known.
    #[must_use]
    pub fn describe(&self) -> String {
        let mut parts: Vec<String> = match &self.designs[..] {
            [only] => vec![only.name.clone()],
            several => several.iter().map(Design::counted).collect(),
        };
        let numbers = [("family", self.family), ("model", self.model), ("stepping", self.stepping)];
        parts.extend(numbers.into_iter().filter_map(|(name, number)| number.map(|number| format!("{name} {number}"))));
        parts.join(", ")
    }
}

impl Design {
    /// The number of its CPUs and its name.
    fn counted(&self) -> String {
        let cpus: Option<CpuList> = self.cpus.parse().ok();
        let number = cpus.map_or(0, |cpus| cpus.as_slice().len());
        format!("{number} of {}", self.name)
    }
}

impl Cache {
    /// A line such as `2 of level 1 for data, 32 KiB each`.
    #[must_use]
    pub fn describe(&self) -> String {
        let kind = match self.kind.as_str() {
            "data" => " for data",
            "instruction" => " for instructions",
            _ => "",
        };
        let (size, unit) = match self.size {
            size if size >= 1 << 20 => (size as f64 / f64::from(1 << 20), "MiB"),
            size => (size as f64 / 1024.0, "KiB"),
        };
        let decimals = usize::from(size.fract() != 0.0);
        let each = if self.number == 1 { "" } else { " each" };
        format!("{} of level {}{kind}, {size:.decimals$} {unit}{each}", self.number, self.level)
    }
}

/// Splits the text of `/proc/cpuinfo`. On x86 and Arm an empty line ends the block of a CPU.
fn blocks(info: &str) -> Blocks<'_> {
    let mut blocks = Blocks::new();
    let mut cpu = None;
    for line in info.lines() {
        let Some((key, value)) = line.split_once(':') else {
            continue;
        };
        let (key, value) = (key.trim(), value.trim());
        if key == "processor" {
            cpu = value.parse().ok();
        }
        if let Some(cpu) = cpu {
            blocks.entry(cpu).or_default().insert(key, value);
        }
    }
    blocks
}

/// The designs of the cores, in the order of the CPUs.
fn designs(blocks: &Blocks<'_>) -> Vec<Design> {
    let mut designs: Vec<(String, Vec<usize>)> = Vec::new();
    for (&cpu, block) in blocks {
        let Some(name) = design_of(block) else {
            continue;
        };
        match designs.iter_mut().find(|known| known.0 == name) {
            Some(known) => known.1.push(cpu),
            None => designs.push((name, vec![cpu])),
        }
    }
    let named = designs
        .into_iter()
        .map(|(name, cpus)| Design { name, cpus: cpus.into_iter().collect::<CpuList>().to_string() });
    named.collect()
}

/// The design of a CPU; `None` if its block has neither numbers nor names.
fn design_of(block: &BTreeMap<&str, &str>) -> Option<String> {
    let number = |key: &str| -> Option<u32> {
        let text = block.get(key)?;
        match text.strip_prefix("0x") {
            Some(digits) => u32::from_str_radix(digits, 16).ok(),
            None => text.parse().ok(),
        }
    };
    if let (Some(implementer), Some(part)) = (number("CPU implementer"), number("CPU part")) {
        let name = design::arm(implementer, part)
            .map_or_else(|| format!("implementer {implementer:#x}, part {part:#05x}"), str::to_owned);
        let (variant, revision) = (number("CPU variant")?, number("CPU revision")?);
        return Some(format!("{name} r{variant}p{revision}"));
    }
    // RISC-V has a name.
    if let Some(name) = block.get("uarch") {
        return Some((*name).to_owned());
    }
    let (family, model) = (number("cpu family")?, number("model")?);
    let stepping = number("stepping").unwrap_or(0);
    let (vendor, flags) = (block.get("vendor_id")?, block.get("flags"));
    let flags = flags.copied().unwrap_or_default();
    design::x86(vendor, family, model, stepping, flags).map(str::to_owned)
}

/// The caches of the CPUs, each counted once.
fn caches(cpus: &Path, topology: &Topology) -> Vec<Cache> {
    let mut known: BTreeMap<(u32, String, u64), Vec<String>> = BTreeMap::new();
    for cpu in topology.cpus() {
        let folder = cpus.join(format!("cpu{}/cache", cpu.id));
        for index in 0.. {
            let folder = folder.join(format!("index{index}"));
            let text = |file: &str| Some(fs::read_to_string(folder.join(file)).ok()?.trim().to_owned());
            let Some(level) = text("level").and_then(|level| level.parse().ok()) else {
                break;
            };
            let kind = text("type").unwrap_or_default().to_lowercase();
            let size = text("size").and_then(|size| bytes(&size));
            if let (Some(size), Some(shared)) = (size, text("shared_cpu_list")) {
                let sharers = known.entry((level, kind, size)).or_default();
                if !sharers.contains(&shared) {
                    sharers.push(shared);
                }
            }
        }
    }
    let counted =
        known.into_iter().map(|((level, kind, size), sharers)| Cache { level, kind, size, number: sharers.len() });
    counted.collect()
}

/// A size such as `32K` in bytes.
fn bytes(text: &str) -> Option<u64> {
    let kib: u64 = text.strip_suffix('K')?.parse().ok()?;
    kib.checked_mul(1024)
}
