//! Machines read from trees in the form of `/sys`, and workers placed on them.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use tavli_run::{CoreKind, CpuList, Cpus, Placement, PlacementError, Topology};
use tavli_testing::machines::{Machine, list};

const MACHINES: [&str; 12] = [
    "epyc-7742-two-sockets",
    "xeon-8490h-two-sockets",
    "core-i9-13900k",
    "rk3588",
    "small-vm",
    "bare-container",
    "xeon-silver-4108-two-sockets",
    "opteron-6276-four-sockets",
    "epyc-7451-two-sockets",
    "core-i7-1370p",
    "nvidia-gb10",
    "power9-two-sockets",
];

/// A machine; its tree of about a thousand files is made once.
fn read(name: &str) -> Topology {
    static READ: Mutex<BTreeMap<String, Topology>> = Mutex::new(BTreeMap::new());
    let mut read = READ.lock().unwrap_or_else(PoisonError::into_inner);
    let topology = read.entry(name.to_owned()).or_insert_with(|| Topology::read(Machine::new(name).root()));
    topology.clone()
}

/// The CPUs of the workers, as a list.
fn place(name: &str, allowed: &str, pinning: &str, threads: usize) -> String {
    let cpus = Cpus::new(read(name), &allowed.parse().unwrap(), None);
    let placement = Placement::new(&cpus, pinning.parse().unwrap(), NonZeroUsize::new(threads));
    let cpus: Option<Vec<usize>> = placement.unwrap().cpus().iter().copied().collect();
    // Not a `CpuList`, which names each CPU once: here some repeat.
    let cpus = cpus.unwrap();
    let once: CpuList = cpus.iter().copied().collect();
    assert_eq!(once.as_slice().len(), cpus.len());
    once.to_string()
}

#[test]
fn every_part_is_counted() {
    let counted = MACHINES.map(|name| {
        let topology = read(name);
        (
            topology.sockets(),
            topology.nodes().len(),
            topology.l3s().len(),
            topology.cores(),
            topology.cpus().len(),
            topology.cpus_per_core(),
        )
    });
    assert_eq!(
        counted,
        [
            (Some(2), 8, 32, 128, 256, 2),
            (Some(2), 9, 2, 119, 238, 2),
            (Some(1), 1, 1, 24, 32, 2),
            (Some(1), 0, 0, 8, 8, 1),
            (Some(1), 1, 1, 2, 2, 1),
            (None, 0, 0, 4, 4, 1),
            (Some(2), 2, 2, 16, 32, 2),
            (Some(4), 8, 8, 32, 64, 2),
            (Some(2), 0, 16, 48, 96, 2),
            (Some(1), 1, 1, 14, 20, 2),
            (Some(1), 1, 2, 20, 20, 1),
            (Some(2), 8, 0, 8, 32, 4),
        ]
    );
}

#[test]
fn a_cpu_has_its_core_cache_node_and_socket() {
    let epyc = read("epyc-7742-two-sockets");
    let cpu = epyc.cpu(205).unwrap();
    assert_eq!((cpu.core, cpu.l3), (77, Some(76)));
    assert_eq!((cpu.node, cpu.socket, cpu.kind), (Some(4), Some(1), None));
    assert_eq!(epyc.nodes()[3].memory, Some(64 << 30));
    assert_eq!(epyc.l3s()[31].size, Some(16 << 20));

    let xeon = read("xeon-8490h-two-sockets");
    assert_eq!(xeon.offline().to_string(), "119,239");
    assert_eq!(xeon.cpu(119), None);
    assert_eq!(xeon.cpu(238).unwrap().core, 118);

    let hybrid = read("core-i9-13900k");
    let kind = |id| hybrid.cpu(id).unwrap().kind.unwrap();
    assert_eq!((kind(15), kind(16)), (CoreKind::Performance, CoreKind::Efficient));
    assert_eq!(hybrid.cpu(15).unwrap().core, 14);

    let arm = read("rk3588");
    let kind = |id| arm.cpu(id).unwrap().kind.unwrap();
    assert_eq!((kind(3), kind(4)), (CoreKind::Efficient, CoreKind::Performance));
    assert_eq!(read("small-vm").cpu(0).unwrap().kind, None);

    let bare = read("bare-container").cpu(2).unwrap();
    assert_eq!((bare.core, bare.socket, bare.node, bare.l3), (2, None, None, None));
    assert_eq!(Topology::read(Path::new("/nowhere")), Topology::default());
}

#[test]
fn cores_of_real_machines_have_their_kinds() {
    let of_kind = |name, kind| -> String {
        let cpus = read(name);
        let cpus = cpus.cpus().iter().filter(|cpu| cpu.kind == kind);
        cpus.map(|cpu| cpu.id).collect::<CpuList>().to_string()
    };
    // The capacities of its fast cores are 997, 1017 and 1024, of its small cores 718 and 731.
    let gb10 = |kind| of_kind("nvidia-gb10", Some(kind));
    assert_eq!(gb10(CoreKind::Performance), "5-9,15-19");
    assert_eq!(gb10(CoreKind::Efficient), "0-4,10-14");
    assert_eq!(place("nvidia-gb10", "0-19", "cores", 10), "5-9,15-19");
    // This copy does not say which cores are fast.
    assert_eq!(of_kind("core-i7-1370p", None), "0-19");
    assert_eq!(place("core-i7-1370p", "0-19", "cores", 0), "0,2,4,6,8,10,12-19");
}

#[test]
fn places_on_real_machines() {
    let xeon = |pinning| place("xeon-silver-4108-two-sockets", "0-31", pinning, 0);
    assert_eq!(xeon("cores"), "0-15");
    assert_eq!(xeon("numa"), "0,8");
    assert_eq!(place("xeon-silver-4108-two-sockets", "0-31", "compact", 4), "0,16,1,17");
    let opteron = |pinning| place("opteron-6276-four-sockets", "0-63", pinning, 0);
    assert_eq!(opteron("sockets"), "0,16,32,48");
    assert_eq!(opteron("l3"), "0,8,16,24,32,40,48,56");
    let epyc = |pinning| place("epyc-7451-two-sockets", "0-95", pinning, 0);
    assert_eq!(epyc("sockets"), "0,24");
    assert_eq!(list(&epyc("l3")), (0..48).step_by(3).collect::<Vec<_>>());
    // Its nodes of GPU memory have no CPUs. Its nodes of main memory also list CPUs that are switched off.
    let power9 = |pinning| place("power9-two-sockets", "0-15,88-103", pinning, 0);
    assert_eq!(power9("numa"), "0,88");
    assert_eq!(power9("cores"), "0,4,8,12,88,92,96,100");
    assert_eq!(read("power9-two-sockets").nodes()[7].memory, Some(15_728_640 << 10));
}

#[test]
fn drawings() {
    assert_eq!(
        read("small-vm").to_string(),
        "1 socket, 1 memory node, 1 L3 cache, 2 cores, 2 CPUs\n\
         socket 0\n\
         \x20 node 0, 8 GiB of memory\n\
         \x20   L3 32 MiB  2 cores: CPUs 0-1"
    );
    assert_eq!(
        read("bare-container").to_string(),
        "sockets unknown, memory nodes unknown, L3 caches unknown, 4 cores, 4 CPUs\n\
         \x20   4 cores: CPUs 0-3"
    );
    let hybrid = read("core-i9-13900k").to_string();
    assert!(hybrid.contains("24 cores, 32 CPUs (SMT is on)"), "{hybrid}");
    assert!(hybrid.contains("L3 36 MiB  8 performance cores: CPUs 0-15\n"), "{hybrid}");
    assert!(hybrid.contains("L3 36 MiB  16 efficient cores: CPUs 16-31"), "{hybrid}");
    let xeon = read("xeon-8490h-two-sockets").to_string();
    assert!(xeon.contains("L3 112.5 MiB  15 cores: CPUs 60-74,180-194"), "{xeon}");
    assert!(xeon.contains("\nnode 8, 256 GiB of memory, without CPUs"), "{xeon}");
    assert!(xeon.ends_with("\nswitched off: CPUs 119,239"), "{xeon}");
    let epyc = read("epyc-7742-two-sockets").to_string();
    assert_eq!(epyc.lines().count(), 1 + 2 + 8 + 32);
    for name in MACHINES {
        let text = read(name).to_string();
        assert!(text.lines().all(|line| line.len() <= 80), "{text}");
    }
}

#[test]
fn places_on_two_sockets_of_nodes_and_caches() {
    let place = |pinning, threads| place("epyc-7742-two-sockets", "0-255", pinning, threads);
    assert_eq!(place("cores", 0), "0-127");
    assert_eq!(place("cores", 130), "0-129");
    assert_eq!(place("compact", 4), "0,128,1,129");
    assert_eq!(place("threads:no-smt", 0), "0-127");
    assert_eq!(place("spread", 10), "0,64,16,80,32,96,48,112,4,68");
    assert_eq!(place("cores:spread", 0).split(',').count(), 128);
    assert_eq!(place("sockets", 0), "0,64");
    assert_eq!(place("sockets", 5), "0,64,1,65,2");
    assert_eq!(place("numa", 0), "0,16,32,48,64,80,96,112");
    assert_eq!(place("numa:spread", 0), "0,64,16,80,32,96,48,112");
    let every_fourth: Vec<usize> = (0..128).step_by(4).collect();
    assert_eq!(list(&place("l3", 0)), every_fourth);
    assert!(place("l3", 36).ends_with(",124,1,5,9,13"));
    // All cores come before the second CPU of any.
    let all = list(&place("l3", 256));
    assert!(all[..128].iter().all(|&cpu| cpu < 128) && all[128] == 128);
}

#[test]
fn every_order_takes_every_cpu_once() {
    for name in MACHINES {
        let cpus = read(name).cpus().len();
        let online: CpuList = read(name).cpus().iter().map(|cpu| cpu.id).collect();
        for pinning in ["cores", "compact", "spread", "cores:spread", "l3", "numa:spread", "sockets"] {
            let all = Cpus::new(read(name), &online, None);
            let Ok(placement) = Placement::new(&all, pinning.parse().unwrap(), NonZeroUsize::new(cpus)) else {
                continue;
            };
            let mut taken: Vec<usize> = placement.cpus().iter().map(|cpu| cpu.unwrap()).collect();
            taken.sort_unstable();
            assert_eq!(taken, online.as_slice(), "{name} {pinning}");
        }
    }
}

#[test]
fn fast_cores_come_first() {
    assert_eq!(place("core-i9-13900k", "0-31", "cores", 0), "0,2,4,6,8,10,12,14,16-31");
    assert_eq!(place("core-i9-13900k", "0-31", "cores", 26), "0,2,4,6,8,10,12,14,16-31,1,3");
    assert_eq!(place("rk3588", "0-7", "cores", 0), "4-7,0-3");
}

#[test]
fn only_allowed_cpus_are_taken() {
    let on_xeon = |pinning| place("xeon-8490h-two-sockets", "0-2,58-62,118,178,238", pinning, 0);
    assert_eq!(on_xeon("cores"), "0-2,58-62,118");
    assert_eq!(on_xeon("sockets"), "0,60");
    assert_eq!(on_xeon("numa"), "0,58,60,118");
    // If only the second CPU of a core is allowed, it stands for the core.
    assert_eq!(place("epyc-7742-two-sockets", "130,200", "cores", 0), "130,200");
}

#[test]
fn a_quota_bounds_the_workers_of_a_container() {
    let epyc = read("epyc-7742-two-sockets");
    let cpus = Cpus::new(epyc, &"0-255".parse().unwrap(), Some(6.5));
    for (pinning, threads) in [("cores", 6), ("spread", 6), ("sockets", 2), ("l3", 6)] {
        let placement = Placement::new(&cpus, pinning.parse().unwrap(), None).unwrap();
        assert_eq!(placement.threads(), threads, "{pinning}");
    }
}

#[test]
fn unknown_places_are_refused() {
    let bare = Cpus::new(read("bare-container"), &"0-3".parse().unwrap(), None);
    for (pinning, message) in [
        ("l3", "which CPUs belong to which l3"),
        ("numa:spread", "which CPUs belong to which numa"),
        ("sockets", "choose cores, threads, none or a list"),
    ] {
        let error = Placement::new(&bare, pinning.parse().unwrap(), None).unwrap_err();
        assert!(matches!(error, PlacementError::UnknownPlaces { .. }));
        assert!(error.to_string().contains(message), "{error}");
    }
    assert_eq!(place("bare-container", "0-3", "spread", 0), "0-3");
}
