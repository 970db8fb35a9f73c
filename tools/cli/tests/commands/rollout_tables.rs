//! Tables of rollouts with other positions or settings than they began with are refused. Dice of positions are rolls,
//! and lines may have nothing to compare.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Output, Stdio};

use serde_json::Value;

use crate::rollout::{at, facts, fresh};
use crate::support::{OPENING, OPENING_31, errors, json, run, scratch_file, tavli, text};

/// Positions with a few games to play: the opening, a bear-off, and one with a forced play.
const LINES: [&str; 4] = ["4HPwATDgc/ABMA\t31", "7e4OAABtdw8AAA\t66", "4HPwATDgc/ABMA", "BgAAmM0IwDYAAA\t21"];

/// A file of positions and one for the table.
struct Files {
    positions: PathBuf,
    table: PathBuf,
}

impl Files {
    fn new(name: &str, lines: &[&str]) -> Files {
        let files =
            Files { positions: scratch_file(&format!("{name}.tsv")), table: scratch_file(&format!("{name}.csv")) };
        files.write(lines);
        files
    }

    fn write(&self, lines: &[&str]) {
        fs::write(&self.positions, lines.join("\n") + "\n").expect("a place to write");
    }

    /// Continues the table.
    fn resume(&self) -> Output {
        self.resume_with("")
    }

    /// Continues the table with further options.
    fn resume_with(&self, options: &str) -> Output {
        run(&format!(
            "rollout --policy uniform --positions {} --trials 36 --resume {} {options}",
            self.positions.display(),
            self.table.display()
        ))
    }

    fn table(&self) -> String {
        fs::read_to_string(&self.table).expect("a table")
    }
}

impl Drop for Files {
    fn drop(&mut self) {
        for file in [&self.positions, &self.table] {
            let _ = fs::remove_file(file);
        }
    }
}

#[test]
fn a_table_of_other_positions_is_refused() {
    let files = Files::new("other", &LINES);
    files.write(&LINES[..3]);
    assert!(files.resume().status.success());
    let begun = files.table();
    let other = |at: usize, line: &'static str| {
        let mut lines = LINES;
        lines[at] = line;
        lines
    };
    let foreign = "line 1 of the positions is not '4HPwATDgc/ABMA,31'";
    let cases: [(&[&str], &str); 7] = [
        // Another position, another roll, none, other lines between, and fewer.
        (&other(0, LINES[1]), foreign),
        (&other(0, "4HPwATDgc/ABMA\t32"), foreign),
        (&other(0, OPENING), foreign),
        (&other(0, "nonsense"), foreign),
        (&[LINES[3], LINES[0], LINES[1], LINES[2]], foreign),
        (&["#", LINES[0], LINES[1], LINES[2]], foreign),
        (&LINES[..2], "line 3 of the positions is not '4HPwATDgc/ABMA,'"),
    ];
    for (lines, message) in cases {
        files.write(lines);
        let output = files.resume();
        assert_eq!(output.status.code(), Some(2), "{lines:?}: {output:?}");
        let place = format!("{}, line ", files.table.display());
        for part in [message, &place, "begin a new table"] {
            assert!(errors(&output).contains(part), "{lines:?}: {}", errors(&output));
        }
        assert_eq!(files.table(), begun, "{lines:?}");
    }
    files.write(&LINES);
    assert!(files.resume().status.success());
    let whole = files.table();
    assert!(whole.starts_with(&begun) && whole.lines().count() == 6);
}

#[cfg(unix)]
#[test]
fn a_table_whose_file_is_gone_is_printed() {
    let files = Files::new("gone", &LINES);
    assert!(files.resume().status.success());
    let whole = files.table();
    for replaced in [false, true] {
        let _ = fs::remove_file(&files.table);
        let mut child = tavli()
            .args(["rollout", "--policy", "uniform", "--positions", "-"])
            .args(["--trials", "36", "--save"])
            .arg(&files.table)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        let mut input = child.stdin.take().expect("a pipe");
        writeln!(input, "{}", LINES[0]).expect("it is read");
        while fs::read_to_string(&files.table).map_or(0, |text| text.lines().count()) < 3 {
            assert!(child.try_wait().expect("it is ours").is_none(), "it has ended");
            std::thread::yield_now();
        }
        let message = if replaced {
            let other = files.table.with_extension("other");
            fs::write(&other, "mine").expect("a place to write");
            fs::rename(other, &files.table).expect("a place to write");
            "another program has replaced"
        } else {
            fs::remove_file(&files.table).expect("it is there");
            "was deleted or moved"
        };
        drop(input);
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        for part in [message, "--resume goes on from there"] {
            assert!(errors(&output).contains(part), "{}", errors(&output));
        }
        assert_eq!(fs::read(&files.table).ok(), replaced.then(|| b"mine".to_vec()));
        // The printed table can be continued.
        fs::write(&files.table, &output.stdout).expect("a place to write");
        assert_eq!(files.table().lines().count(), 3);
        assert!(files.resume().status.success());
        assert_eq!(files.table(), whole);
    }
}

#[test]
fn a_damaged_table_is_refused() {
    let files = Files::new("damaged", &LINES);
    assert!(files.resume().status.success());
    let whole = files.table();
    let first = whole.match_indices('\n').nth(1).expect("a head").0 + 1;
    // Any byte of a row but its end; a line feed would make two rows.
    let mut refused = 0;
    for at in (first..whole.len() - 1).step_by(7) {
        let mut bytes = whole.clone().into_bytes();
        if bytes[at] == b'\n' {
            continue;
        }
        bytes[at] ^= 1;
        fs::write(&files.table, &bytes).expect("a place to write");
        let output = files.resume();
        assert_eq!(output.status.code(), Some(2), "byte {at}: {output:?}");
        assert!(errors(&output).contains("is damaged: "), "byte {at}: {}", errors(&output));
        assert!(errors(&output).contains("--resume goes on from there"));
        assert_eq!(fs::read(&files.table).expect("a table"), bytes);
        refused += 1;
    }
    assert!(refused > 100, "{refused}");
    // A row of a table with other settings, and a missing row.
    let other =
        run(&format!("rollout --policy uniform --positions {} --trials 36 --seed 2", files.positions.display()));
    let rows: Vec<&str> = whole.split_inclusive('\n').collect();
    let other = text(&other).split_inclusive('\n').nth(2).expect("a row");
    let foreign = [rows[0], rows[1], other].concat();
    let gap = [rows[0], rows[1], rows[2], rows[4]].concat();
    for (table, status, message) in [
        (foreign, 2, "line 3, is damaged: its checksum is not"),
        (gap, 2, "has no row of line 2 of the positions, but one of line 3"),
    ] {
        fs::write(&files.table, &table).expect("a place to write");
        let output = files.resume();
        assert_eq!(output.status.code(), Some(status), "{output:?}");
        assert!(errors(&output).contains(message), "{}", errors(&output));
        assert_eq!(files.table(), table);
    }
}

#[test]
fn a_bad_line_is_reported_again() {
    let files = Files::new("bad", &[LINES[0], "nonsense", LINES[2]]);
    for _ in 0..2 {
        let output = files.resume();
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        assert!(errors(&output).contains("line 2: 'nonsense' is not a position"));
        assert_eq!(files.table().lines().count(), 4);
    }
}

#[test]
fn dice_of_a_position_are_its_roll() {
    let match_id = "4HPwATDgc/ABMA:cIkFAAAAAAAE";
    let plain = json(&format!("rollout --policy uniform {OPENING} 31 --trials 36 --json"));
    for position in [OPENING_31, match_id] {
        for roll in ["", "31", "13"] {
            let result = json(&format!("rollout --policy uniform {position} {roll} --cubeless --trials 36 --json"));
            assert_eq!(result["roll"], "31", "{position} {roll}");
            assert_eq!(result["candidates"], plain["candidates"]);
        }
    }
    let chosen = run(&format!("rollout --policy uniform {OPENING_31} --play 24/20 --cubeless --trials 36 --csv"));
    assert_eq!(text(&chosen).lines().count(), 2, "{chosen:?}");
    let given = format!("{OPENING_31}\t31");
    let contrary = format!("{match_id}\t65");
    let files = Files::new("dice", &[OPENING_31, match_id, &given, &contrary]);
    // Uniform play cannot decide about the cubes that these name.
    let output = files.resume_with("--cubeless");
    assert_eq!(output.status.code(), Some(1));
    assert!(errors(&output).contains("line 4: the position has the roll 31, not 65"));
    let table = files.table();
    let rows: Vec<Vec<&str>> = table.lines().map(|row| row.split(',').collect()).collect();
    assert_eq!(rows.len(), 5);
    assert!(rows[2..].iter().all(|row| row[2..4] == ["31", "16"]), "{table}");
}

#[test]
fn a_line_with_nothing_to_compare_ends_by_the_other_rules() {
    // A roll with several plays, no roll, and a forced play: the last checker on the ace point.
    let files = Files::new("jsd", &[LINES[0], OPENING, "AQAAAAEAAAAAAA\t21"]);
    for (rules, trials) in [
        ("--stop-jsd 0.001", ["1296", "46656", "46656"]),
        ("--stop-jsd 0.001 --trials 2000", ["1296", "2000", "2000"]),
        ("--stop-jsd 0.001 --stop-se 9", ["1296", "1296", "1296"]),
        ("--allocate race:0.001", ["1296", "46656", "46656"]),
    ] {
        let output = run(&format!("rollout --policy uniform --positions {} {rules}", files.positions.display()));
        assert!(output.status.success(), "{output:?}");
        let rows: Vec<Vec<&str>> = text(&output).lines().skip(2).map(|row| row.split(',').collect()).collect();
        let found: Vec<&str> = rows.iter().map(|row| row[5]).collect();
        assert_eq!(found, trials, "{rules}");
        assert_eq!(rows[2][3], "1", "a forced play");
    }
}

/// The documents of the lines of a file of positions, without their numbers.
fn documents(files: &Files, options: &str) -> Vec<Value> {
    let output = run(&format!("rollout --positions {} {options} --json", files.positions.display()));
    assert!(output.status.success(), "{output:?}");
    let line = |line: &str| {
        let mut document: Value = serde_json::from_str(line).expect("JSON");
        document.as_object_mut().expect("an object").remove("line");
        facts(&document)
    };
    text(&output).lines().map(line).collect()
}

#[test]
fn lines_with_a_roll_are_decided() {
    let alone = |question: &str, options: &str| {
        let mut document = facts(&json(&format!("rollout {question} {options} --json")));
        document.as_object_mut().expect("an object").remove("differences");
        document
    };
    let rolls = [LINES[0], OPENING_31, "4HPwATDgc/ABMA\t32"];
    let files = Files::new("decided", &rolls);
    let found = documents(&files, "--cubeless");
    let questions = [format!("{OPENING} 31"), OPENING_31.to_owned(), format!("{OPENING} 32")];
    assert_eq!(found.len(), 3);
    for (found, question) in found.iter().zip(&questions) {
        assert!(found["decision"]["sure"].as_f64() >= Some(0.95), "{question}");
        assert_eq!(*found, alone(question, "--cubeless"), "{question}");
    }
    // A line without a roll is a plain rollout among decisions; options that shape the games make all lines plain.
    files.write(&[LINES[0], OPENING]);
    for (options, plain, decided) in
        [("--within 0.3 --filter 0.2 --trials 36", "--trials 36", 1), ("--trials 36", "--trials 36", 0)]
    {
        let found = documents(&files, options);
        assert_eq!(found[0], alone(&questions[0], options), "{options}");
        assert_eq!(found[1], alone(OPENING, plain), "{options}");
        let decisions = found.iter().filter(|document| !document["decision"].is_null());
        assert_eq!(decisions.count(), decided, "{options}");
    }
}

#[test]
fn a_table_has_the_columns_of_decisions() {
    let files = Files::new("decisions", &[LINES[0], OPENING, "AQAAAAEAAAAAAA\t21"]);
    let table = |options: &str| {
        run(&format!("rollout --positions {} --within 0.3 --trials 36 {options}", files.positions.display()))
    };
    let output = table("");
    let whole = text(&output);
    let rows: Vec<Vec<&str>> = whole.lines().skip(1).map(|row| row.split(',').collect()).collect();
    let cells = |row: usize, name: &str| {
        let column = rows[0].iter().position(|&found| found == name);
        rows[row][column.unwrap_or_else(|| panic!("a column {name}"))]
    };
    assert_eq!(rows[0].last(), Some(&"checksum"));
    assert_eq!((cells(1, "moves"), cells(1, "left_out"), cells(1, "within")), ("8/5 6/5", "14", "0.3"));
    assert!(["best", "none_better"].contains(&cells(1, "verdict")), "{whole}");
    assert!(cells(1, "games").parse::<u64>().expect("a number") >= 72);
    // No roll, no decision; and a forced play.
    assert_eq!((cells(2, "verdict"), cells(2, "sure"), cells(2, "left_out")), ("", "", ""));
    assert_eq!((cells(3, "verdict"), cells(3, "left_out")), ("best", "0"));
    // Its first row kept, the table is continued, but not as one of other decisions.
    let begun: String = whole.split_inclusive('\n').take(3).collect();
    fs::write(&files.table, &begun).expect("a place to write");
    let resume = format!("--resume {}", files.table.display());
    let other = table(&format!("--filter 0.1 {resume}"));
    assert_eq!(other.status.code(), Some(2));
    assert!(errors(&other).contains("is not a table of this rollout"), "{other:?}");
    assert!(table(&resume).status.success());
    assert_eq!(files.table(), whole);
}

#[test]
fn a_file_of_positions_becomes_a_table() {
    let positions = fresh("positions.tsv");
    let lines = [
        format!("{OPENING}\t31"),
        "# a comment".to_owned(),
        OPENING.to_owned(),
        "7e4OAABtdw8AAA\t66\tfurther".to_owned(),
    ];
    fs::write(&positions, lines.join("\n")).expect("a place to write");
    let common = format!("rollout --policy uniform --positions {} --trials 1296", at(&positions));
    let output = run(&common);
    assert!(output.status.success(), "{output:?}");
    let table = text(&output).to_owned();
    let rows: Vec<Vec<&str>> = table.lines().map(|line| line.split(',').collect()).collect();
    assert!(table.starts_with("# tavli rollout, values "));
    assert_eq!(rows.len(), 5);
    assert_eq!(rows[1][..6], ["line", "position_id", "roll", "plays", "moves", "trials"]);
    assert_eq!(rows[2][..4], ["1", OPENING, "31", "16"]);
    assert_eq!(rows[3][..5], ["3", OPENING, "", "1", ""]);
    let best = json(&format!("rollout --policy uniform {OPENING} 31 --trials 1296 --json"));
    assert_eq!(best["candidates"][0]["moves"], rows[2][4]);

    // Cut off anywhere, even within a line, it continues to the same table.
    let file = fresh("table.csv");
    for length in [0, 1, 40, table.len() / 2, table.len() - 1, table.len()] {
        fs::write(&file, &table[..length]).expect("a place to write");
        let output = run(&format!("{common} --resume {}", at(&file)));
        assert!(output.status.success(), "{output:?}");
        assert_eq!(fs::read_to_string(&file).expect("a table"), table, "{length}");
    }
    let output = run(&format!("{common} --seed 2 --resume {}", at(&file)));
    assert_eq!(output.status.code(), Some(2));
    assert!(errors(&output).contains("is not a table of this rollout"), "{}", errors(&output));
    let output = run(&format!("{common} --save {}", at(&file)));
    assert_eq!(output.status.code(), Some(2));
    assert!(errors(&output).contains("--resume continues it"));
    assert_eq!(fs::read_to_string(&file).expect("a table"), table);
    let output = run(&format!("{common} --save {} --force", at(&file)));
    assert!(output.status.success(), "{output:?}");
    assert_eq!(fs::read_to_string(&file).expect("a table"), table);

    fs::write(&positions, format!("nonsense\n{OPENING}\t07\n{OPENING}\n")).expect("a place to write");
    let output = run(&common);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(text(&output).lines().count(), 3);
    assert!(errors(&output).contains("line 1: 'nonsense' is not a position"));
    assert!(errors(&output).contains("line 2: '07' is not a roll"));
    for file in [positions, file] {
        fs::remove_file(file).expect("it was there");
    }
}

#[test]
fn lines_whose_time_is_up_before_a_trial_have_no_row() {
    // A position to look ahead from for long, and a forced win.
    let files = Files::new("no-trial", &[OPENING, "AQAAAAEAAAAAAA"]);
    let table = |options: &str| {
        run(&format!(
            "rollout --policy strong+2ply --positions {} --seconds 0.000001 --threads 1 {options}",
            files.positions.display()
        ))
    };
    let lacks = "error: line 1: the time was up before a trial had ended: give more with --seconds\n";
    let saved = format!("--resume {}", files.table.display());
    for options in ["--json", &saved, &saved] {
        let output = table(options);
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        assert!(errors(&output).contains(lacks), "{output:?}");
    }
    let rows = files.table();
    assert!(!rows.contains("NaN"), "{rows}");
    let lines: Vec<&str> = rows.lines().skip(2).map(|row| row.split(',').next().expect("a cell")).collect();
    assert_eq!(lines, ["2"]);
    // A decision has an answer: the play of the highest value, with empty cells.
    files.write(&[OPENING_31]);
    let output = table("--within 0.01 --truncate none");
    assert!(output.status.success(), "{output:?}");
    let rows = text(&output);
    assert!(rows.contains(",8/5 6/5,0,0,") && rows.contains(",,,open,0,0.01,,"), "{rows}");
    assert!(!rows.contains("NaN"), "{rows}");
}

#[test]
fn an_evaluator_of_lines_is_remarked_on_once() {
    let files = Files::new("remarks", &["AQAAAAEAAAAAAA", "AQAAAAEAAAAAAA"]);
    for (options, remarked) in [
        ("--rules longgammon --truncate 5", 1),
        // Under rules that no net has learned decisions have the evaluator of plain rollouts.
        ("--rules longgammon --truncate 5 --within 0.01", 1),
        ("--truncate 5 --within 0.01", 0),
        // The player decides about the cube by its values.
        ("--rules longgammon --policy td80 --cube 1", 1),
    ] {
        let output = run(&format!("rollout --positions {} --trials 36 {options}", files.positions.display()));
        let said = errors(&output);
        let found = said.lines().filter(|line| line.starts_with("remark: ")).count();
        assert_eq!(found, remarked, "{options}: {said}");
    }
}
