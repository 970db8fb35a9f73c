//! The common parts of the protocols of frontends: logs and signals.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::support::{errors, let_worker_use, run_with_input, signal, tavli, text, worker_time};

/// What goes in and out, with its time, and nothing that a terminal would obey.
#[test]
fn lines_are_logged_when_asked() {
    let commands = b"isready\nbogus \x1b[31m\nquit\n";
    let output = run_with_input(&["ubgi", "--player", "fast", "--threads", "1", "--log=debug"], commands);
    let log = errors(&output);
    let said: Vec<&str> = log.lines().filter_map(|line| line.split_once(" DEBUG ")).map(|(_, said)| said).collect();
    assert_eq!(said[..3], ["< isready", "> readyok", r"< bogus \u{1b}[31m"], "{log}");
    assert!(said[3].starts_with("> error bad_command bogus "), "{log}");
    assert_eq!(said[4..], ["< quit"], "{log}");
    let quiet = run_with_input(&["ubgi", "--player", "fast", "--threads", "1"], commands);
    assert_eq!(errors(&quiet), "");
    let wrong = run_with_input(&["ubgi", "--log=loud"], b"");
    assert_eq!(wrong.status.code(), Some(2));
}

/// Remarks on impossible positions come where they do not disturb the protocol.
#[test]
fn contradictory_positions_are_remarked_on() {
    let xgid = "XGID=---bB-DCC-B-cA---a-dabb---:2:1:1:00:4:2:1:7:10";
    for (command, line) in [("ubgi", "position xgid"), ("gnubg", "set xgid")] {
        let output =
            run_with_input(&[command, "--player", "fast", "--threads", "1"], format!("{line} {xgid}\n").as_bytes());
        let remark = "at 4-2 in a match of 7 there is no Crawford game";
        assert!(errors(&output).contains(remark), "{command}: {output:?}");
        assert!(!text(&output).contains(remark), "{command}: {output:?}");
    }
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

/// A player that looks ahead by its name takes no further plies, from whichever protocol they come.
#[test]
fn no_engine_looks_ahead_twice() {
    let player = ["--player", "fast+1ply", "--threads", "1"];
    let refusal = "the player 'fast+1ply' looks ahead by its name: ask it for 0 plies of look-ahead, not 1";
    for command in [&["ubgi"][..], &["gnubg"], &["external", "0"], &["serve"], &["jsonrpc"]] {
        let asked = [command, &player, &["--look-ahead", "1"]].concat();
        let output = run_with_input(&asked, b"");
        assert_eq!(output.status.code(), Some(2), "{command:?} {output:?}");
        assert!(errors(&output).contains(refusal), "{command:?} {output:?}");
    }
    let start = "position gnubgid 4HPwATDgc/ABMA\ndice 3 1\n";
    let ubgi = run_with_input(
        &[&["ubgi"][..], &player].concat(),
        format!("set engine.ply 2\n{start}go depth 2\ngo chequer\nquit\n").as_bytes(),
    );
    let answers: Vec<&str> = text(&ubgi).lines().filter(|line| !line.starts_with("info")).collect();
    assert!(answers[0].starts_with(&format!("error bad_value {refusal}")), "{answers:?}");
    assert!(answers[1].starts_with(&format!("error bad_value {refusal}")), "{answers:?}");
    assert_eq!(answers[2], "bestmove 8/5 6/5", "{answers:?}");
    let gnubg = run_with_input(
        &[&["gnubg", "-t", "-q"][..], &player].concat(),
        b"set evaluation chequerplay evaluation plies 1\nset evaluation chequerplay evaluation plies 0\n",
    );
    let answers = text(&gnubg);
    assert!(answers.contains(&format!("Error: {refusal}")), "{answers}");
    assert!(answers.contains("`eval' and `hint' chequerplay will use 0 ply evaluation."), "{answers}");
}

/// Thoughts that would take hours.
const LONG_SEARCHES: [&str; 2] = ["level depth=60\ngo think\n", "level nodes=8000000000\ngo think\n"];
const LONG_ROLLOUT: &str = "set engine.method rollout\nset engine.trials 100000000\nnewgame\ndice 3 1\ngo chequer\n";
const LONG_GNUBG_ROLLOUTS: [&str; 2] = [
    "new game\nset rollout trials 100000000\nrollout\n",
    "new game\nset dice 31\nset rollout trials 100000000\nset evaluation chequerplay type rollout\nhint\n",
];

fn engine(command: &str) -> Child {
    tavli().args([command, "--threads", "1"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts")
}

/// The end of a process that would otherwise run for hours.
fn end(child: &mut Child) -> ExitStatus {
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(60) {
        if let Some(status) = child.try_wait().expect("a process") {
            return status;
        }
        thread::sleep(Duration::from_millis(10));
    }
    child.kill().expect("a process");
    panic!("it thinks on");
}

#[test]
fn quit_ends_a_thought_with_its_answer() {
    for (command, lines, answer) in [
        ("hub", LONG_SEARCHES[0], "done move="),
        ("hub", LONG_SEARCHES[1], "done move="),
        ("ubgi", LONG_ROLLOUT, "bestmove 8/5 6/5"),
    ] {
        let mut child = engine(command);
        let mut input = child.stdin.take().expect("a pipe");
        write!(input, "{lines}quit\nping\nisready\n").expect("it listens");
        assert!(end(&mut child).success(), "{command}");
        let output = child.wait_with_output().expect("it has ended");
        let last = text(&output).lines().last().unwrap_or_default();
        assert!(last.starts_with(answer), "{output:?}");
    }
}

/// Scripts for GNU Backgammon are piped in one piece: `quit` in the same piece as a command lets the command finish;
/// sent later, it ends the command.
#[test]
fn quit_ends_a_command_of_gnubg_that_was_sent_before() {
    for (lines, answer) in LONG_GNUBG_ROLLOUTS.into_iter().zip(["Current Position:", "    1. Rollout"]) {
        let mut child = engine("gnubg");
        let mut input = child.stdin.take().expect("a pipe");
        // A short rollout makes the tables of bear-offs and shows how long this machine takes for the first trials: the
        // long one has twice that time.
        write!(input, "new game\nset rollout trials 36\nrollout\n").expect("it listens");
        let mut printed = BufReader::new(child.stdout.as_mut().expect("a pipe")).lines();
        assert!(printed.any(|line| line.expect("text").contains("Current Position:")));
        let short = worker_time(&child);
        write!(input, "{lines}").expect("it listens");
        let_worker_use(&mut child, 3 * short);
        write!(input, "Quit # now\nbogus\n").expect("it listens");
        assert!(end(&mut child).success(), "{lines}");
        let output = child.wait_with_output().expect("it has ended");
        assert!(text(&output).contains(answer), "{output:?}");
        assert!(!text(&output).contains("Unknown keyword"), "{output:?}");
    }
    let script =
        "new game\nset dice 31\nset rollout trials 1500\nset evaluation chequerplay type rollout\nhint 1\nquit\n";
    let whole = run_with_input(&["gnubg", "--player", "fast", "--threads", "1"], script.as_bytes());
    assert!(text(&whole).contains("1500 games"), "{whole:?}");
}

/// A frontend that is gone leaves no engine behind.
#[test]
fn a_thought_ends_when_nobody_reads_its_answer() {
    for (command, lines) in [
        ("hub", LONG_SEARCHES[0]),
        ("hub", LONG_SEARCHES[1]),
        ("ubgi", LONG_ROLLOUT),
        ("gnubg", LONG_GNUBG_ROLLOUTS[0]),
        ("gnubg", LONG_GNUBG_ROLLOUTS[1]),
    ] {
        let mut child = engine(command);
        let mut input = child.stdin.take().expect("a pipe");
        write!(input, "{lines}").expect("it listens");
        drop((input, child.stdout.take()));
        end(&mut child);
    }
}

#[test]
fn an_engine_that_thinks_is_alive() {
    let long = [LONG_SEARCHES[1], "ping\n", "pong", "go think\n", "done move=", "error message=\"stop came before"];
    let rollout = [
        LONG_ROLLOUT,
        "isready\nget Trials\nget none\n",
        "readyok,value Trials 100000000,error unsupported no option none",
        "go cube\n",
        "bestmove 8/5 6/5",
        "error bad_state stop came before",
    ];
    for (command, [thought, asked, answers, another, answer, refusal]) in [("hub", long), ("ubgi", rollout)] {
        let mut child = engine(command);
        let mut input = child.stdin.take().expect("a pipe");
        let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
        let mut next = || loop {
            let line = lines.next().expect("it has not ended").expect("text");
            if !line.starts_with("info ") {
                break line;
            }
        };
        write!(input, "{thought}{asked}").expect("it listens");
        for answer in answers.split(',') {
            assert_eq!(next(), answer, "{command}");
        }
        // A question that waits for the one being thought about is cancelled with it.
        writeln!(input, "{another}stop").expect("it listens");
        assert!(next().starts_with(answer), "{command}");
        let refused = next();
        assert!(refused.starts_with(refusal), "{refused}");
        writeln!(input, "quit").expect("it listens");
        assert!(end(&mut child).success(), "{command}");
    }
}
