//! Rollouts and tables that were killed, again and again, are continued to the same end.

use std::fs;
use std::process::{Output, Stdio};
use std::thread;
use std::time::Duration;

use serde_json::Value;

use crate::rollout::{at, facts, fresh};
use crate::support::{OPENING, json, parse, run, tavli, text};

/// Kills the command again and again after short and long times, until it ends by itself. Calls `check` after each
/// kill.
pub(crate) fn kill_until_done(arguments: &str, mut check: impl FnMut(u32)) -> (Output, u32) {
    // A file takes all output at once; a pipe that nobody reads would block the command.
    let path = fresh(&format!("killed-{:?}.out", thread::current().id()));
    for kills in 0.. {
        let mut child = tavli()
            .args(arguments.split_whitespace())
            .stdout(fs::File::create(&path).expect("a place to write"))
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        // Later attempts live longer, so that the last one reaches the end.
        let delay = 1000 * u64::from(kills) + u64::from(kills * 7919 % 97) * 200;
        thread::sleep(Duration::from_micros(delay));
        // SIGKILL, which no process can catch.
        child.kill().expect("it is there");
        let mut output = child.wait_with_output().expect("it ends");
        if output.status.success() {
            output.stdout = fs::read(&path).expect("the output");
            fs::remove_file(&path).expect("it was there");
            return (output, kills);
        }
        assert_eq!(output.status.code(), None, "{output:?}");
        check(kills);
    }
    unreachable!("the loop ends when the command does")
}

#[test]
fn a_killed_rollout_loses_at_most_an_interval() {
    let file = fresh("killed.json");
    let common = format!("rollout --policy uniform {OPENING} 31 --trials 60000 --threads 1 --json");
    let mut before = 0;
    let mut seen = 0;
    let (output, kills) = kill_until_done(&format!("{common} --checkpoint 0.001 --resume {}", at(&file)), |_| {
        let Ok(bytes) = fs::read(&file) else {
            assert_eq!(before, 0, "an existing file stays");
            return;
        };
        let saved: Value = serde_json::from_slice(&bytes).expect("a whole file");
        let trials = saved["rollout"]["trials"][1].as_u64().expect("a number");
        assert!(trials >= before, "{trials} after {before}");
        seen += u32::from(trials > before && before > 0);
        before = trials;
    });
    assert!(kills >= 20 && seen >= 3, "{kills} kills, of which {seen} found progress");
    assert_eq!(facts(&parse(&output)), facts(&json(&common)));
    fs::remove_file(&file).expect("it was there");
    for left in [".lock", ".new"] {
        let name = file.file_name().expect("a name").to_string_lossy();
        let _ = fs::remove_file(file.with_file_name(format!(".{name}{left}")));
    }
}

#[test]
fn a_killed_table_is_continued() {
    let positions = fresh("many.tsv");
    let many: String = (0..200).map(|_| format!("{OPENING}\t64\n7e4OAABtdw8AAA\n")).collect();
    fs::write(&positions, many).expect("a place to write");
    let common = format!("rollout --policy uniform --positions {} --trials 36", at(&positions));
    let whole = run(&common);
    let file = fresh("killed.csv");
    let (_, kills) = kill_until_done(&format!("{common} --resume {}", at(&file)), |_| {});
    assert!(kills > 3, "{kills} kills");
    assert_eq!(fs::read_to_string(&file).expect("a table"), text(&whole));
    for file in [positions, file] {
        fs::remove_file(file).expect("it was there");
    }
}
