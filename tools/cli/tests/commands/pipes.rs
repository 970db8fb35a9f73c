//! Pipes that nobody writes to or reads from do not keep a command.

use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};
use std::thread;

use crate::interrupts::{signal_all, start};
use crate::support::{OPENING, errors, scratch_file, tavli, wait_until_caught};

/// A pipe that nobody writes to, or reads from, is waited for without end.
#[cfg(unix)]
#[test]
fn what_waits_for_a_pipe_is_ended() {
    let pipe = scratch_file("pipe");
    let made = Command::new("mkfifo").arg(&pipe).status().expect("there is a shell");
    assert!(made.success());
    for command in [
        "analyze",
        "gnubg --player fast -c",
        "playout --positions",
        "playout --games 100 --per-game",
        "profile",
        "evaluate --evaluator fast --positions",
        "rollout --policy uniform --positions",
    ] {
        let child = start(&format!("{command} {}", pipe.display()));
        signal_all(&child, &["TERM"]);
        let output = child.wait_with_output().expect("it ends");
        assert!(output.status.code().is_some_and(|status| status < 2), "{command}: {output:?}");
    }
    // Nor does it matter whether somebody has opened it, who writes nothing.
    let held = fs::File::options().read(true).write(true).open(&pipe).expect("a pipe");
    let child = start(&format!("analyze {}", pipe.display()));
    signal_all(&child, &["TERM"]);
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(errors(&output), "error: interrupted before the end: there is no result\n");
    drop(held);
    fs::remove_file(pipe).expect("it was there");
}

/// A pipe that is full, and that nobody reads: what a command writes to it waits.
#[cfg(target_os = "linux")]
fn full_pipe() -> (std::io::PipeReader, std::io::PipeWriter) {
    let (reader, mut writer) = std::io::pipe().expect("a pipe");
    writer.write_all(&[b'x'; 1 << 16]).expect("what a pipe holds");
    (reader, writer)
}

#[cfg(target_os = "linux")]
#[test]
fn output_that_nobody_reads_does_not_keep_a_command() {
    let positions = scratch_file("unread.tsv");
    fs::write(&positions, [OPENING; 40].join("\n")).expect("a place to write");
    // The second group has nothing to write if the signal comes before the first row, or result.
    for (command, writes) in [
        ("playout --games 1000 --threads 1 --per-game -", true),
        ("playout --games 1000 --threads 1", true),
        ("play uniform uniform --games 2", true),
        ("playout --positions {file} --games 4 --threads 1", false),
        ("rollout 4HPwATDgc/ABMA --policy uniform --trials 36 --threads 1", false),
        ("rollout --positions {file} --policy uniform --trials 36 --threads 1", false),
        ("evaluate --positions {file} --evaluator fast --threads 1", false),
        ("search 4HPwATDgc/ABMA 31 --simulations 1000 --threads 1", false),
        ("duel pubeval uniform --games 10 --threads 1", false),
        ("solve draughts --pieces 2 --threads 1", false),
    ] {
        let arguments = command.replace("{file}", &positions.to_string_lossy());
        let (reader, writer) = full_pipe();
        let mut child = tavli()
            .args(arguments.split_whitespace())
            .stdout(writer)
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        wait_until_caught(&mut child);
        signal_all(&child, &["TERM"]);
        let output = child.wait_with_output().expect("it ends");
        let said = "error: interrupted, and nobody reads the output: what was not yet written is lost\n";
        if writes || errors(&output).ends_with(said) {
            assert_eq!(output.status.code(), Some(1), "{command}: {output:?}");
            // A busy machine may leave no time for the words.
            let words = errors(&output);
            assert!(words.is_empty() || words.ends_with(said), "{command}: {words}");
        } else {
            assert!(errors(&output).contains("interrupted"), "{command}: {output:?}");
        }
        drop(reader);
    }
    fs::remove_file(positions).expect("it was there");
}

/// Its input stays open.
#[cfg(target_os = "linux")]
#[test]
fn an_engine_ends_when_its_output_is_closed() {
    let hint = "new game\nset dice 31\nhint\n";
    let think = "newgame\ndice 3 1\ngo\n";
    for (engine, player, lines) in [
        ("gnubg", "fast", ""),
        ("gnubg", "sampled:1000000000", hint),
        ("ubgi", "fast", ""),
        ("ubgi", "sampled:1000000000", think),
    ] {
        let mut child = tavli()
            .args([engine, "--player", player, "--threads", "1"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("it starts");
        let mut input = child.stdin.take().expect("a pipe");
        input.write_all(lines.as_bytes()).expect("it listens");
        wait_until_caught(&mut child);
        drop(child.stdout.take());
        assert!(child.wait().expect("it ends").success(), "{engine} {lines}");
        drop(input);
    }
}

/// The last words are for standard error, which may be the same pipe.
#[cfg(target_os = "linux")]
#[test]
fn words_that_nobody_reads_do_not_keep_a_command() {
    for command in ["playout --games 1000 --threads 1", "playout --seconds 600 --threads 1"] {
        let (reader, writer) = full_pipe();
        let mut child = tavli()
            .args(command.split_whitespace())
            .stdout(writer.try_clone().expect("a pipe"))
            .stderr(writer)
            .spawn()
            .expect("it starts");
        wait_until_caught(&mut child);
        signal_all(&child, &["TERM"]);
        assert_eq!(child.wait().expect("it ends").code(), Some(1), "{command}");
        drop(reader);
    }
}

#[test]
fn bad_lines_without_end_are_ended() {
    for arguments in [
        "play",
        "play --match 3",
        "play --game draughts",
        "evaluate --threads 1",
        "playout --positions - --games 10 --threads 1",
        "rollout --positions - --trials 36 --threads 1",
    ] {
        let mut child = tavli()
            .args(arguments.split(' '))
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("it starts");
        let mut input = child.stdin.take().expect("a pipe");
        // Until the command closes its end; so many at a time that the command never waits for the next line.
        let lines = b"no position\n".repeat(4096);
        let writer = thread::spawn(move || while input.write_all(&lines).is_ok() {});
        wait_until_caught(&mut child);
        signal_all(&child, &["TERM"]);
        let status = child.wait().expect("it ends");
        // 0 if the signal came before the first line.
        assert!(matches!(status.code(), Some(0 | 1)), "{arguments}: {status:?}");
        writer.join().expect("the pipe is closed");
    }
}
