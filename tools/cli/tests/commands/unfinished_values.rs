//! Values by looking ahead, and counts, that are interrupted.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::Stdio;
use std::time::Duration;

use crate::interrupts::{result, signal_all, start};
use crate::support::{OPENING, errors, json, let_worker_use, read_meanwhile, scratch_file, tavli, wait_until_caught};
use serde_json::Value;

/// Whoever looks ahead takes seconds for a batch, and hours for the whole.
#[test]
fn what_looks_ahead_is_ended_with_its_result_so_far() {
    for (arguments, member, value) in [
        ("duel fast strong+2ply --games 1000000", "interrupted", Value::Bool(true)),
        ("playout --policy strong+2ply --games 1000000", "interrupted", Value::Bool(true)),
        ("rollout OPENING --policy strong+2ply --trials 10000", "ended_by", Value::from("cancelled")),
        ("rollout OPENING --policy sampled:100000000 --trials 10000", "ended_by", Value::from("cancelled")),
        (
            "rollout OPENING --truncate 1 --evaluator sampled:100000000 --trials 10000",
            "ended_by",
            Value::from("cancelled"),
        ),
        (
            "rollout OPENING --policy fast --variance-reduction --evaluator strong+2ply --trials 10000",
            "ended_by",
            Value::from("cancelled"),
        ),
        ("evaluate OPENING 31 --evaluator strong --look-ahead 4", "interrupted", Value::Bool(true)),
    ] {
        let arguments = arguments.replace("OPENING", OPENING);
        let mut child = start(&format!("{arguments} --threads 1 --json"));
        let_worker_use(&mut child, Duration::from_millis(300));
        signal_all(&child, &["TERM"]);
        let output = child.wait_with_output().expect("it ends");
        let printed = result(&output);
        // A rollout, a duel and playouts fail without a trial, a pair or a game.
        let is_empty = match arguments.split(' ').next() {
            Some("rollout") => printed["trials"] == 0,
            Some("duel" | "playout") => printed["games"] == 0,
            _ => false,
        };
        assert_eq!(output.status.code(), Some(i32::from(is_empty)), "{arguments}: {output:?}");
        assert_eq!(printed[member], value, "{arguments}");
    }
}

/// Each tree values the choices at its root before its first simulation.
#[test]
fn a_search_ended_while_it_values_its_roots_has_no_result() {
    let mut child = start(&format!(
        "search {OPENING} 31 --evaluator strong+4ply --bias 1 --simulations 1000000 --threads 1 --json"
    ));
    let_worker_use(&mut child, Duration::from_millis(300));
    signal_all(&child, &["TERM"]);
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(errors(&output).contains("ended before its first simulation"), "{output:?}");
}

#[test]
fn rows_before_the_end_are_printed() {
    /// Seconds of work on the fastest CPUs.
    const LINES: usize = 100_000;
    let positions = scratch_file("many-rows.tsv");
    let lines = [OPENING; LINES].join("\n");
    fs::write(&positions, lines).expect("a place to write");
    let mut child =
        start(&format!("evaluate --positions {} --evaluator strong --look-ahead 1 --threads 1", positions.display()));
    let rows = read_meanwhile(&mut child);
    let_worker_use(&mut child, Duration::from_millis(500));
    signal_all(&child, &["TERM"]);
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let rows = String::from_utf8_lossy(&rows.join().expect("rows")).lines().count();
    assert!((1..LINES).contains(&rows), "{rows} rows");
    assert!(
        errors(&output).replace(',', "").contains(&format!("interrupted after {rows} lines")),
        "{}",
        errors(&output)
    );
    fs::remove_file(positions).expect("it was there");
}

/// Every list of lines says how many it has answered; without a row it fails.
#[test]
fn lists_of_lines_end_alike() {
    const LINES: usize = 500_000;
    let input = scratch_file("lines-to-answer.txt");
    let start = |command: &str, input: Stdio| {
        let mut child = tavli();
        child.args(command.split(' ')).stdin(input).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = child.spawn().expect("it starts");
        wait_until_caught(&mut child);
        child
    };
    for (command, line) in [
        ("plays", format!("{OPENING}\t31\n")),
        ("position --json", format!("{OPENING}\n")),
        ("evaluate --game plakoto", "start\t31\n".to_owned()),
    ] {
        fs::write(&input, line.repeat(LINES)).expect("a place to write");
        let mut child = start(command, fs::File::open(&input).expect("it was written").into());
        let mut rows = BufReader::new(child.stdout.take().expect("a pipe")).lines();
        assert!(rows.next().is_some_and(|row| row.is_ok()), "no row");
        signal_all(&child, &["TERM"]);
        let rows = 1 + rows.count();
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(0), "{command}: {output:?}");
        let said = errors(&output).replace(',', "");
        assert!(rows < LINES && said.ends_with(&format!("interrupted after {rows} lines\n")), "{command}: {said}");
        // The input stays open, and nobody has asked yet.
        let mut child = start(command, Stdio::piped());
        let input = child.stdin.take();
        signal_all(&child, &["TERM"]);
        let output = child.wait_with_output().expect("it ends");
        drop(input);
        assert_eq!(output.status.code(), Some(1), "{command}: {output:?}");
        assert_eq!(errors(&output), "error: interrupted before the end: there is no result\n", "{command}");
    }
    fs::remove_file(input).expect("it was there");
}

/// A matrix of 625 scores takes as long as hundreds of values, so few rows wait for each other.
#[test]
fn rows_with_matrices_are_printed_before_the_end() {
    /// As many as are valued together without matrices.
    const LINES: usize = 1 << 13;
    let positions = scratch_file("many-matrices.tsv");
    let lines = [format!("{OPENING}:cAkAAAAAAAAE").as_str(); LINES].join("\n");
    fs::write(&positions, lines).expect("a place to write");
    let mut child =
        start(&format!("evaluate --positions {} --evaluator fast --scores 25 --json --threads 1", positions.display()));
    let mut rows = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    assert!(rows.next().is_some_and(|row| row.is_ok()), "no row");
    signal_all(&child, &["TERM"]);
    let rows = 1 + rows.count();
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(rows < LINES, "all rows came at once");
    fs::remove_file(positions).expect("it was there");
}

#[test]
fn plays_that_were_not_looked_ahead_from_are_marked() {
    let mut child =
        start(&format!("evaluate {OPENING} 31 --evaluator strong --look-ahead 4 --keep 16 --threads 1 --layout gnubg"));
    // Far less than the four plies after one play take.
    let_worker_use(&mut child, Duration::from_millis(100));
    signal_all(&child, &["TERM"]);
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let said = String::from_utf8_lossy(&output.stdout);
    let rows: Vec<&str> = said.lines().filter(|line| line.contains("Eq.:")).collect();
    assert_eq!(rows.len(), 16, "{said}");
    assert!(rows.iter().all(|row| row.ends_with("  0-ply")), "{said}");
    assert_eq!(errors(&output), "interrupted after 0 plays\n");
}

#[test]
fn an_analysis_without_a_decision_has_no_result() {
    let played = concat!(env!("CARGO_MANIFEST_DIR"), "/../../kernel/transcript/tests/data/two_games.mat");
    let mut child = start(&format!("analyze {played} --player sampled:1000000000 --threads 1"));
    let_worker_use(&mut child, Duration::from_millis(100));
    signal_all(&child, &["TERM"]);
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(output.stdout.is_empty(), "{output:?}");
    assert_eq!(errors(&output), "error: interrupted before the end: there is no result\n");
}

#[test]
fn a_position_that_was_not_looked_ahead_from_has_its_value() {
    let common = format!("evaluate {OPENING} --evaluator strong --match 7 --threads 1 --json");
    let mut child = start(&format!("{common} --look-ahead 4"));
    let_worker_use(&mut child, Duration::from_millis(100));
    signal_all(&child, &["TERM"]);
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(errors(&output), "interrupted: the value is without looking ahead\n");
    let mut found = result(&output);
    let interrupted = found.as_object_mut().expect("an object").remove("interrupted");
    assert_eq!(interrupted, Some(true.into()));
    assert_eq!(found, json(&common));
}

#[test]
fn a_count_that_takes_years_is_ended_with_its_depths() {
    for arguments in [&*format!("perft {OPENING} 12"), "perft start 12 --game plakoto"] {
        let child = start(&format!("{arguments} --json"));
        signal_all(&child, &["TERM"]);
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(0), "{arguments}: {output:?}");
        let counted = result(&output);
        assert_eq!(counted["interrupted"], true, "{arguments}");
        let depths = counted["depths"].as_array().expect("a list");
        assert!(depths.len() < 12, "{arguments}: {counted}");
        let next = format!("interrupted before depth {}\n", depths.len() + 1);
        assert_eq!(errors(&output), next, "{arguments}");
    }
}
