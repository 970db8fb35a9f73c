//! Playouts of a file of positions: each line equals the output of the command for that position alone.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use crate::support::{
    OPENING, OPENING_31, PLAYOUT_FACTS, errors, json, let_work, run, run_with_input, scratch_file, signal, tavli, text,
};
use serde_json::Value;

/// The lines of JSON that a command printed.
fn lines(output: &str) -> Vec<Value> {
    let lines = output.lines().map(|line| serde_json::from_str(line).expect("JSON"));
    lines.collect()
}

#[test]
fn each_line_is_that_position_alone() {
    let file = scratch_file("playout-positions.txt");
    let numbers = "-2 0 0 0 0 5 0 3 0 0 0 -5 5 0 0 0 -3 0 -5 0 0 0 0 2 0 0";
    let positions = [OPENING, OPENING_31, "7e4OAABtdw8AAA", "tu0MAhBoz8EDQA"];
    fs::write(&file, format!("# a comment\n{}\n\n{numbers}\n", positions.join("\n"))).expect("a place to write");
    let lines_of = [2, 3, 4, 5, 7].into_iter().zip(positions.into_iter().chain([numbers]));
    for options in [
        "--games 50",
        "--games 7 --first-game 18446744073709551000 --seed 9 --rules mcgammon",
        "--games 40 --truncate 9 --first-roll 31",
        "--games 9 --policy pubeval --policy-opponent uniform",
        "--games 1300 --threads 2 --isa portable",
    ] {
        let output = run(&format!("playout --positions {} --json {options}", file.display()));
        let mut found = lines(text(&output)).into_iter();
        for (line, position) in lines_of.clone() {
            let mut arguments = vec!["playout", position, "--json"];
            arguments.extend(options.split_whitespace());
            let alone = tavli().args(arguments).output().expect("it runs");
            if !alone.status.success() {
                // Over by these rules.
                let reported = format!("error: line {line}: '{position}': the game is already over");
                assert!(errors(&output).contains(&reported), "{output:?}");
                assert_eq!(output.status.code(), Some(1));
                continue;
            }
            let mut alone: Value = serde_json::from_slice(&alone.stdout).expect("JSON");
            alone["line"] = line.into();
            let row = found.next().expect("a line for each position");
            for key in row.as_object().expect("an object").keys() {
                assert_eq!(row[key], alone[key], "{key} of {position}, {options}");
            }
            for key in PLAYOUT_FACTS {
                assert_eq!(row[key], alone[key], "{key} of {position}, {options}");
            }
        }
        assert!(found.next().is_none());
    }
    fs::remove_file(file).expect("it is there");
}

#[test]
fn standard_input_is_answered_before_it_ends() {
    let mut child = tavli()
        .args(["playout", "--positions", "-", "--json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut input = child.stdin.take().expect("a pipe");
    let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
    for position in [OPENING, "7e4OAABtdw8AAA"] {
        writeln!(input, "{position}").expect("it reads");
        let mut answer = String::new();
        output.read_line(&mut answer).expect("an answer");
        let row: Value = serde_json::from_str(&answer).expect("JSON");
        assert_eq!((&row["position_id"], &row["games"]), (&position.into(), &36.into()));
    }
    drop(input);
    assert!(child.wait().expect("it ends").success());
}

#[test]
fn bad_lines_are_reported_and_the_others_played() {
    let input = format!("{OPENING}\nnonsense\n\u{fffd}\n{OPENING_31}\n");
    let mut input = input.into_bytes();
    input.extend(b"\xff\n");
    let arguments = ["playout", "--positions", "-", "--first-roll", "65", "--json"];
    let output = run_with_input(&arguments, &input);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(lines(text(&output)).len(), 1);
    for part in ["error: line 2: ", "'nonsense'", "error: line 3: ", "error: line 5: it is not UTF-8"] {
        assert!(errors(&output).contains(part), "{part}: {}", errors(&output));
    }
    let dice = format!("error: line 4: '{OPENING_31}': the position has the roll 31, and --first-roll is 65");
    assert!(errors(&output).contains(&dice), "{}", errors(&output));
    for (arguments, part) in [
        ("playout --positions - --seconds 2", "cannot be used with"),
        ("playout --positions - 4HPwATDgc/ABMA", "cannot be used with"),
        ("playout --positions /no/such/file", "cannot read /no/such/file"),
    ] {
        let output = run(arguments);
        assert!(errors(&output).contains(part), "{arguments}: {output:?}");
        assert_eq!(output.status.code(), Some(2), "{arguments}");
    }
}

#[test]
fn a_table_has_a_row_for_each_position() {
    let output = run_with_input(
        &["playout", "--positions", "-", "--games", "36"],
        format!("{OPENING}\n\n{OPENING}\n").as_bytes(),
    );
    let table: Vec<Vec<&str>> = text(&output)
        .lines()
        .skip_while(|line| !line.contains("position ID"))
        .map(|line| line.split_whitespace().collect())
        .collect();
    let alone = json(&format!("playout {OPENING} --games 36 --json"));
    assert_eq!(table.len(), 3, "{}", text(&output));
    for (row, line) in table[1..].iter().zip(["1", "3"]) {
        assert_eq!(row[..3], [line, OPENING, "36"]);
        let single = alone["outcomes"]["win_single"].to_string();
        assert_eq!(row[6], single);
        let plies = format!("{:.2}", alone["mean_plies"].as_f64().expect("a number"));
        assert_eq!(row[12], plies);
    }
}

#[test]
fn an_interrupt_keeps_the_positions_that_are_whole() {
    let file = scratch_file("playout-interrupted.txt");
    fs::write(&file, format!("{OPENING}\n").repeat(3000)).expect("a place to write");
    let mut child = tavli()
        .args(["playout", "--games", "300000", "--json", "--positions"])
        .arg(&file)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let_work(&mut child);
    signal(&child, "INT");
    let output = child.wait_with_output().expect("it ends");
    let rows = lines(text(&output));
    let status = i32::from(rows.is_empty());
    assert_eq!(output.status.code(), Some(status), "{output:?}");
    assert!(rows.len() < 3000);
    assert!(rows.iter().all(|row| row["games"] == 300_000 && row["outcomes"] == rows[0]["outcomes"]));
    let said = format!("interrupted after {} position", rows.len());
    assert!(errors(&output).contains(&said), "{}", errors(&output));
    fs::remove_file(file).expect("it is there");
}

/// `start` is the first position under the rules, wherever a position is read, in lines too.
#[test]
fn start_is_where_a_game_begins() {
    const NACKGAMMON: &str = "4Dl4ADbgOXgANg";
    for (start, rules) in [(OPENING, ""), (NACKGAMMON, " --rules nackgammon")] {
        let printed = |command: &str, position: &str| {
            let output = run(&format!("{}{rules}", command.replace('P', position)));
            assert!(output.status.success(), "{command}: {output:?}");
            text(&output).to_owned()
        };
        for command in ["position P", "plays P 31", "evaluate P --evaluator fast", "evaluate P 31 --evaluator fast"] {
            assert_eq!(printed(command, "start"), printed(command, start), "{command}");
        }
        // These commands print times.
        for command in [
            "perft P 1",
            "rollout P --trials 36 --policy uniform",
            "playout P --games 10",
            "search P 31 --simulations 100",
            "play uniform uniform --games 1 --seed 3 --position P",
        ] {
            printed(command, "start");
        }
        let lines = |position: &str| {
            let arguments = format!("plays{rules}");
            let input = format!("{position}\t31\n");
            let output = run_with_input(&arguments.split(' ').collect::<Vec<_>>(), input.as_bytes());
            assert!(output.status.success(), "{output:?}");
            text(&output).replace("start", start)
        };
        assert_eq!(lines("start"), lines(start));
    }
    let table = scratch_file("start.txt");
    fs::write(&table, " start \n").expect("a place to write");
    for command in [
        "evaluate --evaluator fast --positions",
        "rollout --trials 36 --policy uniform --positions",
        "playout --games 10 --positions",
    ] {
        let output = run(&format!("{command} {}", table.display()));
        assert!(output.status.success(), "{command}: {output:?}");
        assert!(text(&output).contains(OPENING), "{command}: {}", text(&output));
    }
}

#[test]
fn cubes_and_scores_of_lines_are_remarked_once() {
    let lines = "4HPwATDgc/ABMA\n4HPwATDgc/ABMA:cAngAFAAGAAE\n4HPwATDgc/ABMA:cAngAFAAGAAE\n";
    let output = run_with_input(&["playout", "--games", "36", "--positions", "-"], lines.as_bytes());
    assert_eq!(errors(&output).matches("remark: cubes and scores of positions are ignored").count(), 1, "{output:?}");
    let output = run_with_input(&["playout", "--games", "36", "--positions", "-"], b"4HPwATDgc/ABMA\n");
    assert_eq!(errors(&output), "");
}
