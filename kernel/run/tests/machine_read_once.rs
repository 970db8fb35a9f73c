//! The machine is read once. The only test of its program, since it counts the program's reads.
#![cfg(target_os = "linux")]

use std::fs;

use tavli_run::{Cpus, Topology};

/// Calls that read files so far, by the kernel's account of this process; `None` if it keeps no account.
fn reads() -> Option<u64> {
    let account = fs::read_to_string("/proc/self/io").ok()?;
    let line = account.lines().find_map(|line| line.strip_prefix("syscr: "))?;
    line.trim().parse().ok()
}

#[test]
fn a_process_reads_its_machine_once() {
    let Some(before) = reads() else {
        println!("SKIPPED: this system does not count the reads of a process");
        return;
    };
    let one = reads().expect("as before") - before;
    let first = (Cpus::allowed(), Topology::here());
    let between = reads().expect("as before");
    assert!(between - before > 2 * one, "the first look reads files");
    let again = (Cpus::allowed(), Topology::here());
    let after = reads().expect("as before");
    assert_eq!(after - between, one, "the second look reads none");
    assert_eq!(first, again);
}
