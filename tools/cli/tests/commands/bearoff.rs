//! Tables of bear-offs, made and read by the command.

use std::fs;

use crate::support::{OPENING, errors, json, parse, run, scratch_file, tavli, text};

/// One checker on the six point against two on the ace point.
const RACE: &str = "0 0 0 0 0 0 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 -2 0";

#[test]
fn a_table_is_written_and_read() {
    let one = scratch_file("one-sided.bd");
    let two = scratch_file("two-sided.bd");
    let _ = fs::remove_file(&one);
    let _ = fs::remove_file(&two);
    let (one, two) = (one.display(), two.display());

    // There is one format: the option is taken, and not offered.
    assert!(!text(&run("bearoff --help")).contains("--format"));
    let made = json(&format!("bearoff --one-sided 6 --format gnubg --output {one} --json"));
    assert_eq!(made["kind"], "one-sided");
    assert_eq!((made["positions"].as_u64(), made["bytes"].as_u64()), (Some(54_264), Some(1_465_788)));
    let file = fs::read(one.to_string()).expect("it was written");
    assert_eq!(crc32fast::hash(&file), 0x35c2_c59d, "not GNU Backgammon's gnubg_os0.bd");

    let made = json(&format!("bearoff --two-sided 6x2 --output {two} --json"));
    assert_eq!((made["points"].as_u64(), made["checkers"].as_u64()), (Some(6), Some(2)));
    assert_eq!(made["bytes"].as_u64(), Some(40 + 28 * 28 * 8));

    let read = |table: &dyn std::fmt::Display| {
        let arguments = ["bearoff", "--json", "--table", &table.to_string(), RACE];
        let output = tavli().args(arguments).output().expect("the command runs");
        parse(&output)
    };
    // Every roll except 21, 11, 31, 41 and 32 takes a checker off the six point: 27 of 36 throws, 51, 42, 33 and 22
    // included.
    let misses = [(1, 1), (2, 1), (1, 2), (3, 1), (1, 3), (4, 1), (1, 4), (3, 2), (2, 3)];
    let wins = 1.0 - misses.len() as f64 / 36.0;
    let (one_sided, two_sided) = (read(&one), read(&two));
    for document in [&one_sided, &two_sided] {
        let win = document["win"].as_f64().expect("a number");
        assert!((win - wins).abs() < 1e-4, "{document}");
    }
    assert_eq!(one_sided["opponent"]["mean_rolls"], 1.0);
    let equity = two_sided["equity"].as_f64().expect("a number");
    assert!((equity - (2.0 * wins - 1.0)).abs() < 1e-4);

    let shown = tavli().args(["bearoff", "--table", &two.to_string(), RACE]).output();
    assert!(text(&shown.expect("it runs")).contains("win 75.000 %"));

    // By default an existing file stays.
    let again = run(&format!("bearoff --two-sided 1x1 --output {two}"));
    assert_eq!(again.status.code(), Some(2));
    assert!(errors(&again).contains("--force"), "{again:?}");
    assert!(run(&format!("bearoff --two-sided 1x1 --force --output {two}")).status.success());
}

/// Runs the command with a limit of address space, in KiB.
#[cfg(target_os = "linux")]
pub(crate) fn run_within(kibibytes: u64, arguments: &str) -> std::process::Output {
    let mut command = std::process::Command::new("sh");
    command
        .args(["-c", &format!("ulimit -v {kibibytes}; exec \"$0\" \"$@\"")])
        .arg(env!("CARGO_BIN_EXE_tavli"))
        .args(arguments.split(' '))
        .env_remove("TAVLI_ISA");
    command.output().expect("there is a shell")
}

#[cfg(target_os = "linux")]
#[test]
fn a_table_larger_than_the_memory_is_refused() {
    let table = scratch_file("large.bd");
    // 3,003 positions of a side: 72 MB.
    let made = |size: &str| format!("bearoff {size} --force --output {}", table.display());
    let refused = run_within(60_000, &made("--two-sided 6x8"));
    assert_eq!(refused.status.code(), Some(1), "{refused:?}");
    let said = "a table of 8 checkers on 6 points needs 72144072 bytes of memory, more than there are";
    assert!(errors(&refused).contains(said), "{refused:?}");
    let refused = run_within(100_000, &made("--one-sided 9"));
    assert_eq!(refused.status.code(), Some(1), "{refused:?}");
    assert!(errors(&refused).contains("bytes of memory"), "{refused:?}");
    assert!(!table.exists());
    assert!(run(&made("--two-sided 6x4")).status.success());
    // A file of the right size that holds nothing but zeros.
    let mut file = fs::read(&table).expect("it was written");
    file[40..].fill(0);
    fs::write(&table, file).expect("it is written");
    for arguments in [
        format!("bearoff --table {} AQAAAAEAAAAAAA", table.display()),
        format!("rollout AQAAAAEAAAAAAA --trials 1 --bearoff {}", table.display()),
    ] {
        let refused = run(&arguments);
        assert!(!refused.status.success(), "{arguments}: {refused:?}");
        let said = "position 0 of the table is damaged: its equities differ from perfect play";
        assert!(errors(&refused).contains(said), "{arguments}: {refused:?}");
    }
    fs::remove_file(table).expect("it was written");
}

#[test]
fn positions_outside_a_table_and_files_that_are_none_are_refused() {
    let table = scratch_file("small.bd");
    let other = scratch_file("other.bd");
    let (table, other) = (table.display().to_string(), other.display().to_string());
    assert!(run(&format!("bearoff --two-sided 6x2 --force --output {table}")).status.success());
    let three = RACE.replacen("1", "3", 1);
    for (position, reason) in [(three.as_str(), "the player on roll has others"), (OPENING, "still in contact")] {
        let refused = tavli().args(["bearoff", "--table", &table, position]).output();
        let refused = refused.expect("the command runs");
        assert_eq!(refused.status.code(), Some(2));
        assert!(errors(&refused).contains(reason), "{refused:?}");
    }

    fs::write(&other, "gnubg-OS-06-15-1-1-0xxxxxxxxxxxxxxxxxxx\n").expect("it is written");
    let damaged = run(&format!("bearoff --table {other} 4HPwATDgc/ABMA"));
    assert_eq!(damaged.status.code(), Some(2));
    assert!(errors(&damaged).contains("other.bd"), "{damaged:?}");
    fs::write(&other, "nothing").expect("it is written");
    let foreign = run(&format!("bearoff --table {other} 4HPwATDgc/ABMA"));
    assert!(errors(&foreign).contains("not a bear-off table"), "{foreign:?}");
}
