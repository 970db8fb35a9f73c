//! Machines drawn by the command.

use crate::support::{errors, json, run, text};
use tavli_testing::machines::Machine;

#[test]
fn this_machine_is_drawn() {
    let output = run("topology");
    assert!(output.status.success(), "{}", errors(&output));
    assert!(text(&output).contains("this process may use "), "{}", text(&output));
    let machine = json("topology --json");
    let cpus = machine["cpus"].as_array().unwrap();
    assert!(!cpus.is_empty() && machine["cores"].as_u64().unwrap() >= 1);
    let allowed = machine["cpus_allowed"].as_array().unwrap();
    assert!(allowed.iter().all(|id| cpus.iter().any(|cpu| cpu["id"] == *id)));
}

#[test]
fn another_machine_is_drawn() {
    let machine = Machine::new("core-i9-13900k");
    let root = machine.root().display();
    let output = run(&format!("topology --root {root}"));
    assert!(text(&output).contains("16 efficient cores: CPUs 16-31"), "{}", text(&output));
    assert!(!text(&output).contains("this process"));
    let machine = json(&format!("topology --root {root} --json"));
    assert_eq!(machine["cpus"][17]["kind"], "efficient");
    assert_eq!(machine["l3_caches"][0]["size"], 36 << 20);
    assert_eq!(machine["cpus_allowed"], serde_json::Value::Null);
}

#[test]
fn a_placement_is_previewed_on_this_machine_and_on_another() {
    let machine = Machine::new("epyc-7742-two-sockets");
    let root = machine.root().display();
    let output = run(&format!("topology --root {root} --pin l3:spread --threads 12"));
    let drawn = text(&output);
    for line in [
        "\n12 workers, pinned: l3:spread\n",
        // The sockets take turns, in them the memory nodes, in these the caches.
        "\n  workers 0,8 -> CPUs 0,4 -> cores 0,4, node 0, socket 0\n",
        "\n  workers 1,9 -> CPUs 64,68 -> cores 64,68, node 4, socket 1\n",
        "\n  worker 6 -> CPU 48 -> core 48, node 3, socket 0\n",
    ] {
        assert!(drawn.contains(line), "{line}: {drawn}");
    }
    let placed = json(&format!("topology --root {root} --pin l3:spread --threads 12 --json"));
    let workers = placed["placement"]["workers"].as_array().unwrap();
    assert_eq!(workers.len(), 12);
    assert_eq!((&workers[1]["cpu"], &workers[1]["socket"]), (&64.into(), &1.into()));
    assert_eq!(json("topology --json").get("placement"), None);
    for (threads, line) in [
        ("1", "\n1 worker, not pinned: fewer than the 128 cores\n  worker 0 -> not bound\n"),
        ("128", "\n128 workers, pinned: cores\n"),
    ] {
        let drawn = run(&format!("topology --root {root} --threads {threads}"));
        assert!(text(&drawn).contains(line), "{}", text(&drawn));
    }
    for (arguments, message) in [
        ("--pin cores:wide", "not one of compact"),
        ("--pin 900", "this process may not use CPU 900: choose from 0-255"),
        ("--threads 0", "threads are a whole number"),
    ] {
        let output = run(&format!("topology --root {root} {arguments}"));
        assert_eq!(output.status.code(), Some(2), "{arguments}");
        assert!(errors(&output).contains(message), "{arguments}: {}", errors(&output));
    }
}

#[test]
fn a_folder_without_a_machine_is_refused() {
    let output = run("topology --root /nowhere");
    assert_eq!(output.status.code(), Some(2));
    assert!(errors(&output).contains("sys/devices/system/cpu/online below /nowhere lists no CPUs"));
}
