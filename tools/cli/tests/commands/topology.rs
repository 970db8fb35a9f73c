//! Machines drawn by the command.

#[path = "../../../../kernel/run/tests/support/machines.rs"]
mod machines;

use crate::support::{errors, json, run, text};
use machines::Machine;

#[test]
fn this_machine_is_drawn() {
    let output = run("topology");
    assert!(output.status.success(), "{}", errors(&output));
    assert!(
        text(&output).contains("this process may use "),
        "{}",
        text(&output)
    );
    let machine = json("topology --json");
    let cpus = machine["cpus"].as_array().unwrap();
    assert!(!cpus.is_empty() && machine["cores"].as_u64().unwrap() >= 1);
    let allowed = machine["cpus_allowed"].as_array().unwrap();
    assert!(
        allowed
            .iter()
            .all(|id| cpus.iter().any(|cpu| cpu["id"] == *id))
    );
}

#[test]
fn another_machine_is_drawn() {
    let machine = Machine::new("core-i9-13900k");
    let root = machine.root().display();
    let output = run(&format!("topology --root {root}"));
    assert!(
        text(&output).contains("16 efficient cores: CPUs 16-31"),
        "{}",
        text(&output)
    );
    assert!(!text(&output).contains("this process"));
    let machine = json(&format!("topology --root {root} --json"));
    assert_eq!(machine["cpus"][17]["kind"], "efficient");
    assert_eq!(machine["l3_caches"][0]["size"], 36 << 20);
    assert_eq!(machine["cpus_allowed"], serde_json::Value::Null);
}

#[test]
fn a_folder_without_a_machine_is_refused() {
    let output = run("topology --root /nowhere");
    assert_eq!(output.status.code(), Some(1));
    assert!(errors(&output).contains("sys/devices/system/cpu/online below /nowhere lists no CPUs"));
}
