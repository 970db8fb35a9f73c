//! Runs the command as a user does.

mod distinct_keys;

use std::fs;
use std::io::{self, Read, Write};
use std::panic::Location;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use serde_json::Value;

/// The opening position.
pub(crate) const OPENING: &str = "4HPwATDgc/ABMA";

/// The opening position with 31 thrown.
pub(crate) const OPENING_31: &str = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10";

/// The members of the result of playouts, in all games, that do not depend on time and machine.
pub(crate) const PLAYOUT_FACTS: [&str; 20] = [
    "position_id",
    "position",
    "game",
    "games",
    "first_game",
    "seed",
    "rules",
    "first_roll",
    "truncated_after",
    "policy",
    "opponent_policy",
    "mean_plies",
    "se_plies",
    "longest_game",
    "outcomes",
    "unfinished",
    "win",
    "se_win",
    "equity",
    "se_equity",
];

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
    let mut child =
        tavli().args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    let writer = thread::spawn(move || stdin.write_all(&input));
    let output = child.wait_with_output().unwrap();
    match writer.join().unwrap() {
        // A command that refuses its arguments reads nothing.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {}
        written => written.unwrap(),
    }
    output
}

/// The JSON that a command prints; the command must succeed.
pub(crate) fn json(arguments: &str) -> Value {
    parse(&run(arguments))
}

/// The JSON of a command that succeeded.
pub(crate) fn parse(output: &Output) -> Value {
    assert!(output.status.success(), "{output:?}");
    distinct_keys::check(&output.stdout);
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
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../kernel/backgammon/tests/data").join(name)
}

/// Reads the standard output of a command on another thread: a command that prints more than a pipe holds would wait
/// for its reader, and never end.
pub(crate) fn read_meanwhile(child: &mut Child) -> JoinHandle<Vec<u8>> {
    let mut output = child.stdout.take().unwrap();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        output.read_to_end(&mut bytes).unwrap();
        bytes
    })
}

/// Waits until a command catches signals, and a worker has worked for a while.
pub(crate) fn let_work(child: &mut Child) {
    wait_until_caught(child);
    let_worker_use(child, Duration::from_millis(100));
}

/// Waits until one of a command's workers has used this much processor time.
pub(crate) fn let_worker_use(child: &mut Child, time: Duration) {
    if !tasks(child).exists() {
        // If the system does not report it, the tests wait for this time instead.
        thread::sleep(time);
        return;
    }
    while worker_time(child) < time {
        assert!(child.try_wait().unwrap().is_none(), "it has ended too early");
        thread::sleep(Duration::from_millis(1));
    }
}

/// The folder of the threads of a process, if the system has one.
fn tasks(child: &Child) -> PathBuf {
    PathBuf::from(format!("/proc/{}/task", child.id()))
}

/// The most processor time that a worker among the threads of a process has used; 0 if the system does not report it.
pub(crate) fn worker_time(child: &Child) -> Duration {
    let threads = fs::read_dir(tasks(child)).into_iter().flatten().flatten();
    let times = threads.filter_map(|thread| {
        // The file of a thread that has ended is gone.
        let line = fs::read_to_string(thread.path().join("stat")).ok()?;
        let (name, numbers) = line.split_once(") ")?;
        let ticks = numbers.split(' ').skip(11).take(2);
        let ticks: u64 = ticks.map(|number| number.parse::<u64>().unwrap()).sum();
        // Linux counts hundredths of a second here.
        let time = Duration::from_millis(10 * ticks);
        name.contains("(worker ").then_some(time)
    });
    times.max().unwrap_or_default()
}

/// Waits until a command ends with its result at a signal, instead of without.
pub(crate) fn wait_until_caught(child: &mut Child) {
    wait_until_heard(child, PROCESSOR_TIME);
}

/// Waits until a command hears a signal, instead of dying of it.
pub(crate) fn wait_until_heard(child: &mut Child, signal: u32) {
    let file = format!("/proc/{}/status", child.id());
    // Without such a file, the work of a worker must suffice.
    while let Ok(status) = fs::read_to_string(&file) {
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        let caught = u64::from_str_radix(caught.unwrap().trim(), 16).unwrap();
        if caught >> (signal - 1) & 1 == 1 {
            break;
        }
        assert!(child.try_wait().unwrap().is_none(), "it has ended too early");
        thread::sleep(Duration::from_millis(1));
    }
}

/// Sends a signal, such as `INT`, to a command.
pub(crate) fn signal(child: &Child, name: &str) {
    let status = Command::new("kill").args([&format!("-{name}"), &child.id().to_string()]).status();
    assert!(status.unwrap().success());
}

/// The number of SIGXCPU, which a command hears when it has begun what a signal ends with a result; others it hears
/// from the start.
const PROCESSOR_TIME: u32 = 24;
/// The number of SIGTERM.
pub(crate) const TERMINATE: u32 = 15;

/// A name for a file that the tests of other sources do not use.
#[track_caller]
pub(crate) fn scratch_file(name: &str) -> PathBuf {
    let source = Path::new(Location::caller().file());
    let source = source.file_stem().unwrap().display();
    let name = format!("{}-{source}-{name}", std::process::id());
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name)
}
