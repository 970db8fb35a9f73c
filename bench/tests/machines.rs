//! How machines are identified, by copies of the `/proc` and `/sys` of several machines.

use std::path::Path;

use tavli::run::Cpus;
use tavli_bench::Machine;
use tavli_bench::machine::{Cache, Processor, State};
use tavli_testing::machines;

fn read(root: &Path) -> Machine {
    Machine::read(root, &Cpus::read(root), 3e9, 20.0)
}

fn described(name: &str) -> (Machine, Processor, State) {
    let tree = machines::Machine::new(name);
    let machine = read(tree.root());
    let (processor, state) = (machine.processor.clone(), machine.state.clone());
    (machine, processor.unwrap(), state.unwrap())
}

fn caches(processor: &Processor) -> Vec<String> {
    processor.caches.iter().map(Cache::describe).collect()
}

#[test]
fn an_amd_machine_of_two_sockets() {
    let (machine, processor, state) = described("epyc-7451-two-sockets");
    assert_eq!(machine.name(), "AMD EPYC 7451 24-Core Processor (Zen, family 23, model 1, stepping 2)");
    assert_eq!(machine.microcode.as_deref(), Some("0x8001227"));
    assert_eq!((machine.sockets, machine.cores, machine.cpus), (Some(2), 48, 96));
    assert_eq!(machine.virtual_machine, Some(false));
    assert_eq!(
        caches(&processor),
        [
            "48 of level 1 for data, 32 KiB each",
            "48 of level 1 for instructions, 64 KiB each",
            "48 of level 2, 512 KiB each",
            "16 of level 3, 8 MiB each",
        ]
    );
    assert_eq!((state.smt.as_deref(), state.turbo), (Some("on"), Some(true)));
    assert_eq!(machine.governor.as_deref(), Some("performance"));
    assert_eq!(state.clock_driver.as_deref(), Some("acpi-cpufreq"));
    assert_eq!(state.clock_range, Some([1.2e9, 2.3e9]));
    assert_eq!(state.mitigations["l1tf"], "Not affected");
    let affected = state.affected();
    assert_eq!(affected.len(), 3, "{affected:?}");
    assert!(affected[2].starts_with("spectre v2: Mitigation: Full AMD retpoline"));
    assert_eq!(state.hypervisor, None);
}

#[test]
fn an_intel_machine_of_two_sockets() {
    let (machine, processor, state) = described("xeon-silver-4108-two-sockets");
    assert_eq!(machine.name(), "Intel(R) Xeon(R) Silver 4108 CPU @ 1.80GHz (Skylake, family 6, model 85, stepping 4)");
    assert_eq!(machine.system, "Linux 3.10.0-1160.15.2.el7.x86_64");
    assert_eq!(state.kernel.as_deref(), Some("#1 SMP Wed Feb 3 15:06:38 UTC 2021"));
    assert_eq!(state.turbo, Some(true));
    assert_eq!(caches(&processor)[3], "2 of level 3, 11 MiB each");
}

#[test]
fn a_machine_with_two_kinds_of_arm_cores() {
    let (machine, processor, state) = described("nvidia-gb10");
    assert_eq!(machine.cpu, "Cortex-A725 r0p1 and Cortex-X925 r0p1");
    assert_eq!(processor.describe(), "10 of Cortex-A725 r0p1, 10 of Cortex-X925 r0p1");
    assert_eq!(processor.designs[1].cpus, "5-9,15-19");
    assert_eq!((processor.vendor, processor.family), (None, None));
    assert_eq!(state.smt.as_deref(), Some("notsupported"));
    assert_eq!(state.turbo, Some(false));
    assert_eq!(state.clock_range, Some([338e6, 3.9e9]));
    // Two sizes of level 2, one for each kind of core.
    let second = processor.caches.iter().filter(|cache| cache.level == 2);
    let second: Vec<(usize, u64)> = second.map(|cache| (cache.number, cache.size >> 10)).collect();
    assert_eq!(second.iter().map(|one| one.0).sum::<usize>(), 20);
    assert_eq!(second.len(), 2, "{second:?}");
}

#[test]
fn a_machine_with_cores_that_share_caches_of_level_2() {
    let (machine, processor, state) = described("core-i7-1370p");
    assert!(machine.name().contains("(Raptor Lake, family 6, model 186, stepping 2)"));
    assert_eq!(machine.governor.as_deref(), Some("powersave"));
    assert_eq!(state.clock_range, Some([4e8, 5.2e9]));
    let second: Vec<String> = caches(&processor).into_iter().filter(|cache| cache.contains("level 2")).collect();
    assert_eq!(second, ["6 of level 2, 1.2 MiB each", "2 of level 2, 2 MiB each"]);
}

#[test]
fn a_machine_of_256_cpus() {
    let (machine, processor, _) = described("epyc-7742-two-sockets");
    assert_eq!((machine.sockets, machine.cores, machine.cpus), (Some(2), 128, 256));
    assert_eq!(machine.cpus_allowed, "0-255");
    assert_eq!(processor.describe(), "Zen 2, family 23, model 49, stepping 0");
    assert_eq!(processor.designs[0].cpus, "0-255");
}

/// Virtual machines call processors of two generations `AMD EPYC`.
#[test]
fn two_processors_of_one_name_do_not_look_like_one() {
    let named = |family: u32, model: u32| {
        let tree = machines::Machine::new("small-vm");
        let info = format!(
            "processor\t: 0\nvendor_id\t: AuthenticAMD\ncpu family\t: {family}\nmodel\t: {model}\n\
             model name\t: AMD EPYC\nstepping\t: 1\nflags\t: fpu hypervisor\n\n"
        );
        std::fs::create_dir_all(tree.root().join("proc")).unwrap();
        std::fs::write(tree.root().join("proc/cpuinfo"), info).unwrap();
        let maker = tree.root().join("sys/class/dmi/id");
        std::fs::create_dir_all(&maker).unwrap();
        std::fs::write(maker.join("sys_vendor"), "Amazon EC2\n").unwrap();
        std::fs::write(maker.join("product_name"), "m7a.large\n").unwrap();
        read(tree.root())
    };
    let (old, new) = (named(25, 17), named(26, 2));
    assert_eq!(old.cpu, new.cpu);
    assert_eq!(old.name(), "AMD EPYC (Zen 4, family 25, model 17, stepping 1)");
    assert_eq!(new.name(), "AMD EPYC (Zen 5, family 26, model 2, stepping 1)");
    assert_eq!(old.virtual_machine, Some(true));
    let hypervisor = old.state.and_then(|state| state.hypervisor);
    assert_eq!(hypervisor.as_deref(), Some("Amazon EC2 m7a.large"));
}

#[test]
fn a_folder_without_files_is_an_unknown_machine() {
    let machine = read(Path::new("/nowhere"));
    assert_eq!(machine.name(), std::env::consts::ARCH);
    assert_eq!((machine.sockets, machine.cores, machine.memory), (None, 0, None));
    assert_eq!(machine.state, Some(State::default()));
}
