//! Searches that find little memory.

use std::process::{Command, Stdio};
use std::time::Duration;

use crate::bearoff::run_within;
use crate::interrupts::{result, signal_all};
use crate::support::{OPENING, errors, let_worker_use, wait_until_caught};

/// Trees reserve room for all their simulations, which under a limit of memory left none for the rest of the program.
#[cfg(target_os = "linux")]
#[test]
fn a_search_within_little_memory_goes_on() {
    let search = format!("search {OPENING} 31 --simulations 1000000000 --threads 1 --json");
    let mut child = Command::new("sh")
        .args(["-c", &format!("ulimit -v 400000; exec \"$0\" {search}")])
        .arg(env!("CARGO_BIN_EXE_tavli"))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("there is a shell");
    wait_until_caught(&mut child);
    let_worker_use(&mut child, Duration::from_millis(300));
    signal_all(&child, &["TERM"]);
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(result(&output)["interrupted"], true);
}

/// Many trees take memory before the first grows.
#[cfg(target_os = "linux")]
#[test]
fn trees_that_have_no_room_are_refused() {
    let search = format!("search {OPENING} 31 --simulations 1000 --threads 1 --trees 65536");
    let output = run_within(120_000, &search);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let said = "error: 65536 trees take 164626432 bytes of memory before they grow, more than there are: give fewer";
    assert!(errors(&output).starts_with(said), "{output:?}");
}

/// A tree that stops growing has other values than one that has its memory.
#[cfg(target_os = "linux")]
#[test]
fn a_search_that_is_refused_memory_says_so() {
    let of_backgammon = format!("search {OPENING} 31");
    for (search, simulations, limit, is_refused) in [
        (&*of_backgammon, 600_000, 110_000, true),
        ("search --game plakoto start 11", 600_000, 110_000, true),
        (&*of_backgammon, 1000, 800_000, false),
    ] {
        let search = format!("{search} --simulations {simulations}");
        let search = format!("{search} --threads 1 --trees 1 --json");
        let output = Command::new("sh")
            .args(["-c", &format!("ulimit -v {limit}; exec \"$0\" {search}")])
            .arg(env!("CARGO_BIN_EXE_tavli"))
            // Otherwise glibc maps 64 MiB for each thread or not, by where its addresses lie.
            .env("MALLOC_ARENA_MAX", "1")
            .output()
            .expect("there is a shell");
        assert_eq!(output.status.code(), Some(0), "{search}: {output:?}");
        assert_eq!(result(&output)["memory_refused"] == true, is_refused, "{search}");
        let said = errors(&output);
        assert_eq!(
            said.contains("warning: the system refused memory: trees stopped growing at "),
            is_refused,
            "{said}"
        );
    }
}
