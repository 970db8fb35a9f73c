//! What the protocols of frontends have in common: logs and signals.

use std::io::Write;
use std::process::Stdio;
use std::time::Duration;

use crate::support::{errors, let_worker_use, run_with_input, signal, tavli, text};

/// What goes in and out, with its time, and nothing that a terminal would obey.
#[test]
fn lines_are_logged_when_asked() {
    let commands = b"isready\nbogus \x1b[31m\nquit\n";
    let output = run_with_input(&["ubgi", "--player", "fast", "--threads", "1", "--log=debug"], commands);
    let log = errors(&output);
    let said: Vec<&str> = log
        .lines()
        .filter_map(|line| line.split_once(" DEBUG "))
        .map(|(_, said)| said)
        .collect();
    assert_eq!(said[..3], ["< isready", "> readyok", r"< bogus \u{1b}[31m"], "{log}");
    assert!(said[3].starts_with("> error bad_command bogus "), "{log}");
    assert_eq!(said[4..], ["< quit"], "{log}");
    let quiet = run_with_input(&["ubgi", "--player", "fast", "--threads", "1"], commands);
    assert_eq!(errors(&quiet), "");
    let wrong = run_with_input(&["ubgi", "--log=loud"], b"");
    assert_eq!(wrong.status.code(), Some(2));
}

/// Who ends an engine while it thinks has its best answer so far.
#[test]
fn a_signal_ends_a_thought_with_its_answer() {
    let turn =
        "set engine.method rollout\nset engine.trials 100000000\nposition gnubgid 4HPwATDgc/ABMA\ndice 3 1\ngo turn\n";
    for (command, lines, answer) in [
        ("hub", "level move-time=1000\ngo think\n", "done move="),
        ("ubgi", turn, "bestturn cube=nodouble move=8/5 6/5"),
    ] {
        let mut child = tavli()
            .args([command, "--threads", "1"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("it starts");
        let mut input = child.stdin.take().expect("a pipe");
        input.write_all(lines.as_bytes()).expect("it listens");
        let_worker_use(&mut child, Duration::from_millis(200));
        signal(&child, "TERM");
        let output = child.wait_with_output().expect("it ends");
        drop(input);
        let last = text(&output).lines().last().unwrap_or_default();
        assert!(last.starts_with(answer), "{output:?}");
    }
}
