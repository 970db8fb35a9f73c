//! Tables that are interrupted, or the commands that wait for them.

use std::fs;
use std::io::{Read, Write};
use std::process::Stdio;
use std::thread;

use crate::interrupts::{signal_all, start};
use crate::support::{OPENING, TERMINATE, errors, scratch_file, tavli, wait_until_caught, wait_until_heard};

#[test]
fn an_interrupted_table_says_how_far_it_came() {
    let (positions, table) = (scratch_file("positions.tsv"), scratch_file("table.csv"));
    // Games that end with the first ply, and games that do not end in hours.
    let lines = format!("# quick\nAQAAAAEAAAAAAA\n{OPENING}\t31\n\n{OPENING}\t65\n");
    fs::write(&positions, lines).expect("a place to write");
    let arguments = format!(
        "rollout --policy uniform --positions {} --trials 2000000 --threads 1 --resume {}",
        positions.display(),
        table.display()
    );
    let mut child = start(&arguments);
    let rows = || fs::read_to_string(&table).map_or(0, |text| text.lines().count());
    while rows() < 3 {
        assert!(child.try_wait().expect("it is ours").is_none(), "it has ended");
        std::thread::yield_now();
    }
    signal_all(&child, &["INT", "INT"]);
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(errors(&output).contains("interrupted; positions done: 1; "), "{}", errors(&output));
    assert_eq!(rows(), 3);
    // An interrupted command waits for at most one more line of its pipe.
    let mut child = tavli()
        .args(["rollout", "--positions", "-", "--trials", "1000000000000", "--threads", "1"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut input = child.stdin.take().expect("a pipe");
    writeln!(input, "{OPENING}").expect("it is read");
    wait_until_caught(&mut child);
    let mut head = [0; 1];
    child.stdout.as_mut().expect("a pipe").read_exact(&mut head).expect("the head");
    signal_all(&child, &["TERM", "TERM"]);
    let mut said = String::new();
    child.stderr.take().expect("a pipe").read_to_string(&mut said).expect("text");
    assert_eq!(child.wait().expect("it ends").code(), Some(1), "{said}");
    assert!(said.contains("interrupted; positions done: 0; "), "{said}");
    assert!(said.ends_with("error: interrupted before the end: there is no result\n"), "{said}");
    drop(input);
    for file in [positions, table] {
        fs::remove_file(file).expect("it was there");
    }
}

#[test]
fn a_table_of_idle_input_is_ended() {
    let table = scratch_file("idle.csv");
    let mut child = tavli()
        .args(["rollout", "--positions", "-", "--trials", "36", "--save"])
        .arg(&table)
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut input = child.stdin.take().expect("a pipe");
    writeln!(input, "{OPENING}").expect("it is read");
    let rows = || fs::read_to_string(&table).map_or(0, |text| text.lines().count());
    while rows() < 3 {
        assert!(child.try_wait().expect("it is ours").is_none(), "it has ended");
        std::thread::yield_now();
    }
    signal_all(&child, &["TERM"]);
    // The input stays open.
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(errors(&output).contains("interrupted; positions done: 1; "), "{}", errors(&output));
    assert_eq!(rows(), 3);
    drop(input);
    fs::remove_file(table).expect("it was there");
}

/// Tables are made while options are read, before there is a result that a signal could end.
#[cfg(target_os = "linux")]
#[test]
fn tables_are_made_until_a_signal_comes() {
    for command in [
        "rollout {} --bearoff 7x8",
        "evaluate {} --evaluator fast+bearoff:7x8",
        "playout {} --policy fast+bearoff:7x8",
        "duel fast+bearoff:7x8 fast",
        "search {} 31 --policy fast+bearoff:7x8",
        "play fast+bearoff:7x8 fast",
    ] {
        let command = command.replace("{}", OPENING);
        let mut child = tavli()
            .args(command.split_whitespace())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        wait_until_heard(&mut child, TERMINATE);
        signal_all(&child, &["TERM"]);
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(1), "{command}: {output:?}");
        assert_eq!(errors(&output), "error: interrupted before the end\n", "{command}");
    }
}

/// A saved rollout may name the table of 7 points and 9 checkers, which takes a minute to solve.
#[cfg(unix)]
#[test]
fn a_record_whose_table_is_being_solved_is_left() {
    let file = scratch_file("large.json");
    let play = format!("rollout {OPENING} --policy pubeval+bearoff:6x3 --trials 36 --save {}", file.display());
    assert!(tavli().args(play.split(' ')).output().expect("it runs").status.success());
    let small = fs::read_to_string(&file).expect("a record");
    let large = small.replace("6x3", "7x9");
    fs::write(&file, &large).expect("it can be written");
    let resume = format!("rollout --resume {}", file.display());
    let refused = tavli().args(resume.split(' ')).output().expect("it runs");
    let damaged = errors(&refused);
    let checksum = |before: &str| {
        let at = damaged.find(before).expect("a checksum") + before.len();
        damaged[at..at + 8].to_owned()
    };
    let (found, contents) = (checksum("its checksum is "), checksum("its contents have "));
    fs::write(&file, large.replace(&found, &contents)).expect("it can be written");
    let whole = scratch_file("whole.json");
    let merge = format!("merge {} -o {}", file.display(), whole.display());
    for (command, written) in [(resume, &file), (merge, &whole)] {
        let lock = format!(".{}.lock", written.file_name().expect("a name").display());
        let lock = written.with_file_name(lock);
        let _ = fs::remove_file(&lock);
        let mut child =
            tavli().args(command.split(' ')).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
        // The file that will be written is locked before the record is read.
        while !lock.exists() {
            assert!(child.try_wait().expect("it is ours").is_none(), "{command}");
            thread::yield_now();
        }
        signal_all(&child, &["TERM"]);
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(1), "{command}");
        assert_eq!(errors(&output), "error: interrupted before the end\n", "{command}");
    }
    fs::remove_file(file).expect("it was there");
}

/// The table of 7 points and 9 checkers takes a minute. Whoever named it by mistake does not wait for it.
#[test]
fn an_engine_whose_table_is_being_solved_is_ended() {
    for command in ["serve --listen 0", "jsonrpc", "external 0", "ubgi", "gnubg"] {
        let child = start(&format!("{command} --player fast+bearoff:7x9 --threads 1"));
        signal_all(&child, &["TERM"]);
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(1), "{command}: {output:?}");
        assert_eq!(errors(&output), "error: interrupted before the end: there is no result\n", "{command}");
    }
}
