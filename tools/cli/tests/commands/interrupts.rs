//! Nothing is lost if signals come twice, as `timeout`, terminals and job queues send them.

use std::fs;
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use crate::support::{OPENING, errors, let_worker_use, scratch_file, tavli, wait_until_caught};
use serde_json::Value;

/// Starts the command, and waits until it hears signals.
pub(crate) fn start(arguments: &str) -> Child {
    let mut child = tavli()
        .args(arguments.split_whitespace())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    wait_until_caught(&mut child);
    child
}

/// Sends signals one after the other, as fast as one process can.
pub(crate) fn signal_all(child: &Child, names: &[&str]) {
    let kills: String = names.iter().map(|name| format!("kill -{name} {};", child.id())).collect();
    // The process may be gone before the second one.
    let sent = Command::new("sh").args(["-c", &kills]).stderr(Stdio::null()).status();
    sent.expect("there is a shell");
}

/// Ends a command 20 times by two signals in quick succession, after its worker has had this much processor time, and
/// calls `check` with the output of each.
fn interrupt_twice(worked: Duration, arguments: impl Fn(usize) -> String, check: impl Fn(usize, &Output)) {
    let pairs = [["TERM", "TERM"], ["INT", "INT"], ["TERM", "INT"], ["HUP", "TERM"], ["XCPU", "XCPU"]];
    for round in 0..20 {
        let mut child = start(&arguments(round));
        let_worker_use(&mut child, worked);
        signal_all(&child, &pairs[round % pairs.len()]);
        let output = child.wait_with_output().expect("it ends");
        check(round, &output);
    }
}

pub(crate) fn result(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"))
}

#[test]
fn a_rollout_ended_twice_is_printed_and_saved() {
    let file = |round: usize| scratch_file(&format!("twice-{round}.json"));
    let arguments = |round| {
        let file = file(round);
        format!(
            "rollout --policy uniform {OPENING} 31 --trials 1000000000000 --threads 1 --json --resume {}",
            file.display()
        )
    };
    interrupt_twice(Duration::ZERO, arguments, |round, output| {
        let printed = result(output);
        // Without a trial it has no result.
        let status = i32::from(printed["trials"] == 0);
        assert_eq!(output.status.code(), Some(status), "{output:?}");
        assert_eq!(printed["ended_by"], "cancelled");
        let saved = fs::read(file(round)).expect("it is saved");
        let saved: Value = serde_json::from_slice(&saved).expect("a whole record");
        assert_eq!(saved["rollout"]["trials"][1], printed["trials"]);
        fs::remove_file(file(round)).expect("it is there");
    });
}

/// Checks that the games of an interrupted playout are printed; without a game it has no result.
fn is_printed(output: &Output) {
    let printed = result(output);
    let status = i32::from(printed["games"] == 0);
    assert_eq!(output.status.code(), Some(status), "{output:?}");
    assert_eq!(printed["interrupted"], true);
}

#[test]
fn a_playout_ended_twice_is_printed() {
    let arguments = |_| "playout --seconds 600 --threads 1 --json".to_owned();
    interrupt_twice(Duration::ZERO, arguments, |_, output| is_printed(output));
}

#[test]
fn a_search_ended_twice_is_printed_and_saved() {
    let file = |round: usize| scratch_file(&format!("search-twice-{round}.json"));
    let arguments = |round| {
        let file = file(round);
        format!("search {OPENING} 31 --seconds 600 --threads 1 --json --save {}", file.display())
    };
    // Before its first simulation it has no result.
    interrupt_twice(Duration::from_millis(100), arguments, |round, output| {
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let printed = result(output);
        assert_eq!(printed["interrupted"], true);
        let saved = fs::read(file(round)).expect("it is saved");
        let saved: Value = serde_json::from_slice(&saved).expect("a whole record");
        let visits = saved["search"]["plays"].as_array().expect("plays").iter();
        let visits: u64 = visits.map(|play| play["visits"].as_u64().expect("a count")).sum();
        assert_eq!(printed["simulations"], visits);
        fs::remove_file(file(round)).expect("it is there");
    });
}

#[test]
fn a_search_ended_by_one_signal_has_its_result_so_far() {
    let mut child = start(&format!("search {OPENING} 31 --seconds 600 --threads 1 --json"));
    let_worker_use(&mut child, Duration::from_millis(200));
    signal_all(&child, &["INT"]);
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let printed = result(&output);
    assert_eq!(printed["interrupted"], true);
    let best = &printed["plays"][0];
    assert!(best["visits"].as_u64().is_some_and(|visits| visits > 1), "{printed}");
    assert_eq!(printed["line"][0], format!("31: {}", best["moves"].as_str().expect("moves")));
}

#[test]
fn a_match_ended_twice_is_printed() {
    let arguments = |_| "duel pubeval uniform --games 1000000000 --threads 1 --json".to_owned();
    interrupt_twice(Duration::ZERO, arguments, |_, output| {
        let printed = result(output);
        assert_eq!(printed["interrupted"], true);
        let games = printed["games"].as_u64().expect("a count");
        assert_eq!(output.status.code(), Some(i32::from(games == 0)), "{output:?}");
        assert!(games.is_multiple_of(2) && games < 1_000_000_000, "{printed}");
    });
}

#[test]
fn a_measurement_ended_twice_is_printed_and_saved() {
    let file = |round: usize| scratch_file(&format!("bench-twice-{round}.json"));
    let arguments = |round| {
        let file = file(round);
        format!(
            "bench quick --repetitions 200 --seconds 0.02 --warm-up 0.01 --threads 1 --json --save {}",
            file.display()
        )
    };
    interrupt_twice(Duration::ZERO, arguments, |round, output| {
        let printed = result(output);
        assert_eq!(printed["interrupted"], true);
        let saved = fs::read(file(round)).expect("it is saved");
        assert_eq!(serde_json::from_slice::<Value>(&saved).expect("a record"), printed);
        fs::remove_file(file(round)).expect("it is there");
    });
}

/// Waits until a command ends with its result at a signal, and checks that it ignores SIGINT.
fn wait_until_interrupts_are_ignored(child: &mut Child) {
    let mask = |status: &str, name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name));
        u64::from_str_radix(line.expect("a mask").trim(), 16).expect("a mask")
    };
    loop {
        let status = fs::read_to_string(format!("/proc/{}/status", child.id()));
        let status = status.expect("it runs");
        // SIGXCPU, which is heard last.
        if mask(&status, "SigCgt:") >> 23 & 1 == 1 {
            assert_eq!(mask(&status, "SigCgt:") >> 1 & 1, 0, "SIGINT is caught");
            assert_eq!(mask(&status, "SigIgn:") >> 1 & 1, 1, "SIGINT is ignored");
            return;
        }
        assert!(child.try_wait().expect("it is ours").is_none());
        std::thread::yield_now();
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_background_job_of_a_script_ignores_ctrl_c() {
    // A shell without job control starts background jobs so.
    let mut child = Command::new("sh");
    child
        .args(["-c", "trap '' INT; exec \"$0\" \"$@\""])
        .arg(env!("CARGO_BIN_EXE_tavli"))
        .args("playout --seconds 600 --threads 1 --json".split(' '))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = child.spawn().expect("there is a shell");
    wait_until_interrupts_are_ignored(&mut child);
    signal_all(&child, &["INT", "TERM"]);
    let output = child.wait_with_output().expect("it ends");
    is_printed(&output);
}

#[test]
fn a_game_at_the_terminal_ends_by_a_signal_with_what_it_has() {
    // A game of a person who says nothing, and games with a player that takes hours for a play or a decision about the
    // cube.
    for (arguments, goes_on) in [
        ("play pubeval --seed 4", "tavli play me pubeval --position "),
        ("play search:1000000000 uniform --seed 4 --threads 1", "tavli play search:1000000000 uniform --position "),
        ("play strong+4ply uniform --seed 4 --threads 1", "tavli play strong+4ply uniform --position "),
        (
            "play strong+4ply fast --money --position OPENING --threads 1",
            "tavli play strong+4ply fast --money --position ",
        ),
    ] {
        let arguments = arguments.replace("OPENING", OPENING);
        let mut child = tavli()
            .args(arguments.split(' '))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        let input = child.stdin.take();
        wait_until_caught(&mut child);
        signal_all(&child, &["INT"]);
        let output = child.wait_with_output().expect("it ends");
        drop(input);
        assert_eq!(output.status.code(), Some(0), "{arguments}: {output:?}");
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(said.contains(&format!("the game stops here; {goes_on}")), "{arguments}: {said}");
    }
}

#[test]
fn a_command_under_nohup_outlives_its_terminal() {
    // A shell would not do: it may catch the interrupt itself, before it becomes the command.
    let mut child = Command::new("nohup");
    child
        .arg(env!("CARGO_BIN_EXE_tavli"))
        .args("playout --seconds 600 --threads 1 --json".split(' '))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = child.spawn().expect("there is nohup");
    wait_until_caught(&mut child);
    signal_all(&child, &["HUP"]);
    let status = fs::read_to_string(format!("/proc/{}/status", child.id()));
    if let Ok(status) = status {
        let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        let ignored = u64::from_str_radix(ignored.expect("a mask").trim(), 16).expect("a mask");
        assert_eq!(ignored & 1, 1, "SIGHUP is ignored as it was");
    }
    signal_all(&child, &["INT"]);
    let output = child.wait_with_output().expect("it ends");
    is_printed(&output);
}

/// A playout, a rollout or a duel of players whose first game takes minutes.
#[test]
fn what_has_no_game_yet_fails() {
    for arguments in [
        "playout --policy strong+3ply --games 100 --json".to_owned(),
        format!("rollout {OPENING} --policy strong+3ply --trials 100 --json"),
        format!("rollout {OPENING} 31 --within 0 --truncate none --policy strong+3ply --trials 100 --json"),
        "rollout start 31 --game plakoto --policy strong+2ply --json".to_owned(),
        "duel strong+3ply strong --json".to_owned(),
        "duel strong+3ply strong --money --json".to_owned(),
        "duel strong+2ply strong --game fevga --json".to_owned(),
    ] {
        let child = start(&arguments);
        signal_all(&child, &["INT"]);
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(1), "{arguments}: {output:?}");
        let said = "error: interrupted before the end: there is no result\n";
        assert!(errors(&output).ends_with(said), "{arguments}: {output:?}");
        // The result so far is printed: a decision has the plays as their values rank them.
        let printed = result(&output);
        if arguments.contains("--within") {
            assert_eq!(printed["decision"]["play"], "8/5 6/5");
            assert_eq!(printed["candidates"][1]["moves"], "24/23 13/10");
        }
    }
}

#[test]
fn what_has_nothing_yet_is_ended() {
    let table = scratch_file("nothing.tab");
    let table = table.display();
    for arguments in ["profile --situations 1000000".to_owned(), format!("solve hypergammon --output {table}")] {
        let child = start(&arguments);
        signal_all(&child, &["TERM"]);
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(1), "{arguments}: {output:?}");
        assert_eq!(errors(&output), "error: interrupted before the end: there is no result\n");
    }
    assert!(!fs::exists(table.to_string()).expect("a folder"), "no file of what was not begun");
}
