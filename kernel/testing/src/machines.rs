//! Trees in the form of `/proc` and `/sys` for the machines described in `kernel/run/tests/data/topology`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use tavli_run::CpuList;

/// A machine's tree, removed at the end.
#[derive(Debug)]
pub struct Machine(PathBuf);

impl Machine {
    /// Expands a description: `name` without `.txt`.
    pub fn new(name: &str) -> Machine {
        let file = Path::new(env!("CARGO_MANIFEST_DIR"))
            .ancestors()
            .map(|folder| folder.join("kernel/run/tests/data/topology"))
            .find(|folder| folder.is_dir())
            .expect("the repository describes this machine")
            .join(format!("{name}.txt"));
        let text = fs::read_to_string(file).unwrap();
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("tavli-machine-{}-{number}", std::process::id());
        let machine = Machine(std::env::temp_dir().join(name));
        machine.expand(&text);
        machine
    }

    /// The folder that stands for `/`.
    pub fn root(&self) -> &Path {
        &self.0
    }

    fn expand(&self, text: &str) {
        let mut sibling: BTreeMap<usize, usize> = BTreeMap::new();
        let mut online = Vec::new();
        let mut l3s = Vec::new();
        let mut nodes = Vec::new();
        let mut processors: BTreeMap<usize, String> = BTreeMap::new();
        let number = |text: &str| text.parse::<usize>().unwrap();
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            if let Some(line) = line.strip_prefix("cpuinfo ") {
                let (cpus, pair) = line.split_once(": ").unwrap();
                let (key, value) = pair.split_once(" = ").unwrap();
                for cpu in list(cpus) {
                    let block = processors.entry(cpu).or_insert(format!("processor\t: {cpu}\n"));
                    block.push_str(&format!("{key}\t: {value}\n"));
                }
                continue;
            }
            if let Some((file, text)) = line.split_once(" =") {
                self.copy(file, text.trim_start());
                continue;
            }
            let (what, cpus) = line.split_once(':').unwrap_or((line, ""));
            let cpus = list(cpus.trim());
            let words: Vec<&str> = what.split(' ').map(|word| word.trim_end_matches(',')).collect();
            match words[..] {
                ["online", these] => {
                    online = list(these);
                    self.write("system/cpu/online", these);
                }
                ["offline", these] => self.write("system/cpu/offline", these),
                ["socket", socket] => {
                    for cpu in cpus {
                        self.write_of(cpu, "topology/physical_package_id", socket);
                    }
                }
                ["node", node, ref memory @ ..] => {
                    nodes.push(number(node));
                    self.write(&format!("system/node/node{node}/cpulist"), &text_of(cpus));
                    if let [gib, "GiB"] = *memory {
                        let kib = number(gib) << 20;
                        let free = format!("Node {node} MemFree:  17 kB");
                        let text = format!("Node {node} MemTotal:  {kib} kB\n{free}");
                        self.write(&format!("system/node/node{node}/meminfo"), &text);
                    }
                }
                ["siblings", distance] => {
                    for cpu in cpus {
                        sibling.insert(cpu, cpu + number(distance));
                    }
                }
                ["l3", "of", cores, "cores", size] => l3s.push((number(cores), size, cpus)),
                ["counters", name] => self.write(&format!("{name}/cpus"), &text_of(cpus)),
                ["capacity", capacity] => {
                    for cpu in cpus {
                        self.write_of(cpu, "cpu_capacity", capacity);
                    }
                }
                _ => panic!("{line}"),
            }
        }
        if !processors.is_empty() {
            let blocks: Vec<String> = processors.into_values().collect();
            self.write("/proc/cpuinfo", &blocks.join("\n"));
        }
        if !nodes.is_empty() {
            self.write("system/node/online", &text_of(nodes));
            for &cpu in &online {
                let mut core = vec![cpu];
                core.extend(sibling.get(&cpu));
                core.extend(sibling.iter().find(|pair| *pair.1 == cpu).map(|pair| pair.0));
                core.sort_unstable();
                for name in ["core_cpus_list", "thread_siblings_list"] {
                    self.write_of(cpu, &format!("topology/{name}"), &text_of(core.clone()));
                }
            }
        }
        for (cores, size, cpus) in l3s {
            let first = |cpu: &usize| sibling.values().all(|second| second != cpu);
            let firsts: Vec<usize> = cpus.into_iter().filter(first).collect();
            for group in firsts.chunks(cores) {
                let mut group = group.to_vec();
                group.extend(group.clone().iter().filter_map(|cpu| sibling.get(cpu)));
                group.sort_unstable();
                let shared = text_of(group.clone());
                for cpu in group {
                    self.write_of(cpu, "cache/index0/level", "1");
                    self.write_of(cpu, "cache/index1/level", "3");
                    self.write_of(cpu, "cache/index1/size", size);
                    self.write_of(cpu, "cache/index1/shared_cpu_list", &shared);
                }
            }
        }
    }

    /// Writes a file, or one for each number of the lists in brackets.
    fn copy(&self, file: &str, text: &str) {
        match file.split_once('[') {
            None => self.write(file, text),
            Some((before, rest)) => {
                let (numbers, after) = rest.split_once(']').unwrap();
                for number in list(numbers) {
                    self.copy(&format!("{before}{number}{after}"), text);
                }
            }
        }
    }

    fn write_of(&self, cpu: usize, name: &str, text: &str) {
        self.write(&format!("system/cpu/cpu{cpu}/{name}"), text);
    }

    /// Writes a file of `/sys/devices`, or one whose name begins with `/`.
    fn write(&self, name: &str, text: &str) {
        let file = match name.strip_prefix('/') {
            Some(name) => self.0.join(name),
            None => self.0.join("sys/devices").join(name),
        };
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, format!("{text}\n")).unwrap();
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The CPUs of a list; the list may be empty.
pub fn list(text: &str) -> Vec<usize> {
    match text {
        "" => Vec::new(),
        text => text.parse::<CpuList>().unwrap().as_slice().to_vec(),
    }
}

fn text_of(cpus: Vec<usize>) -> String {
    cpus.into_iter().collect::<CpuList>().to_string()
}
