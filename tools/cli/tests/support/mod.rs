//! Runs the command as a user does.

// Each test file is its own program and uses a part of this.
#![allow(dead_code)]

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::thread;

use serde_json::Value;

/// The opening position.
pub(crate) const OPENING: &str = "4HPwATDgc/ABMA";

/// The command, its tier not chosen by the environment.
pub(crate) fn tavli() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tavli"));
    command.env_remove("TAVLI_ISA");
    command
}

/// Runs the command with arguments separated by blanks.
pub(crate) fn run(arguments: &str) -> Output {
    tavli().args(arguments.split_whitespace()).output().unwrap()
}

/// Runs the command with standard input.
pub(crate) fn run_with_input(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = tavli()
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    let writer = thread::spawn(move || stdin.write_all(&input));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    output
}

/// The JSON that a command prints; the command must succeed.
pub(crate) fn json(arguments: &str) -> Value {
    parse(&run(arguments))
}

/// The JSON of a command that succeeded.
pub(crate) fn parse(output: &Output) -> Value {
    assert!(output.status.success(), "{output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// What a command wrote to standard output.
pub(crate) fn text(output: &Output) -> &str {
    str::from_utf8(&output.stdout).unwrap()
}

/// What a command wrote to standard error.
pub(crate) fn errors(output: &Output) -> &str {
    str::from_utf8(&output.stderr).unwrap()
}

/// A file of the library's reference data.
pub(crate) fn reference_data(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../kernel/tests/data")
        .join(name)
}

/// A name for a file that other tests do not use.
pub(crate) fn scratch_file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{}-{name}", std::process::id()))
}
