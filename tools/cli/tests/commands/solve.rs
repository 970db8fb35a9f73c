//! Hypergammon, begun, interrupted and gone on with; endgames of draughts, written and read.

use std::fs;
use std::process::{Command, Stdio};

#[cfg(target_os = "linux")]
use crate::bearoff::run_within;
use crate::support::{errors, json, let_work, parse, run, scratch_file, tavli, text};

#[cfg(target_os = "linux")]
#[test]
fn too_little_memory_is_an_error() {
    let file = scratch_file("too-large.tab");
    let arguments = format!("solve hypergammon --threads 1 --output {}", file.display());
    let refused = run_within(300_000, "solve draughts --pieces 5 --threads 1");
    assert_eq!(refused.status.code(), Some(1), "{refused:?}");
    let said = "error: solving endgames of 5 pieces takes about ";
    assert!(errors(&refused).starts_with(said), "{refused:?}");
    // Too little for the equities, for the best plays, and for the probabilities.
    for kibibytes in [100_000, 400_000, 1_200_000] {
        let refused = run_within(kibibytes, &arguments);
        assert_eq!(refused.status.code(), Some(1), "{kibibytes}: {refused:?}");
        assert!(errors(&refused).contains("too little memory: solving takes about 1.5 GB"), "{kibibytes}: {refused:?}");
        assert!(!file.exists());
    }
}

#[test]
fn an_interrupted_solver_leaves_a_file_that_it_goes_on_from() {
    let file = scratch_file("hyper.tab");
    let _ = fs::remove_file(&file);
    let arguments = format!("solve hypergammon --json --threads 1 --pin none --output {}", file.display());
    let begin = || {
        let mut child = tavli()
            .args(arguments.split_whitespace())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        let_work(&mut child);
        let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
        assert!(killed.expect("there is kill").success());
        parse(&child.wait_with_output().expect("it ends"))
    };
    for _ in 0..2 {
        let document = begin();
        assert_eq!(document["interrupted"], true, "{document}");
        assert_eq!(document["file"], file.display().to_string());
    }
    let read = run(&format!("solve hypergammon --table {} --opening", file.display()));
    assert_eq!(read.status.code(), Some(2));
    assert!(errors(&read).contains("not finished"), "{read:?}");
    assert_eq!(text(&read), "");

    fs::write(&file, "something else").expect("it is written");
    let foreign = run(&arguments);
    assert_eq!(foreign.status.code(), Some(2));
    assert!(errors(&foreign).contains("not a table of hypergammon"), "{foreign:?}");
    assert_eq!(fs::read_to_string(&file).expect("it is there"), "something else");
    fs::remove_file(&file).expect("it is there");
}

#[test]
fn endgames_of_draughts_are_solved_written_and_read() {
    let file = scratch_file("three.tab");
    let _ = fs::remove_file(&file);
    let name = file.display();
    let solved = json(&format!("solve draughts --pieces 3 --output {name} --threads 2 --json"));
    let materials = solved["materials"].as_array().expect("a list");
    // Two pieces 3,488 positions, three 196,032: the table of kernel/draughts/tests/data and published totals.
    assert_eq!(solved["positions"], 3_488 + 196_032);
    let two_kings_to_one = materials
        .iter()
        .find(|slice| slice["own"]["kings"] == 2 && slice["own"]["men"] == 0 && slice["other"]["kings"] == 1)
        .expect("a slice");
    for (key, number) in [("positions", 14_880), ("wins", 14_846), ("draws", 34), ("losses", 0), ("longest_win", 33)] {
        assert_eq!(two_kings_to_one[key], number, "{key}");
    }
    assert_eq!(solved["bytes"], fs::metadata(&file).expect("it is there").len());
    let again = run(&format!("solve draughts --pieces 3 --output {name}"));
    assert_eq!(again.status.code(), Some(2), "a file is not replaced unasked: {again:?}");
    let value = json(&format!("solve draughts --table {name} B:WK7:B5 --json"));
    assert_eq!((&value["value"], &value["plies"]), (&"loss".into(), &6.into()));
    assert_eq!(value["plays"].as_array().map(Vec::len), Some(1));
    let output = run(&format!("solve draughts --table {name} B:WK1:BK18,K31"));
    let printed = text(&output);
    assert!(printed.starts_with("B:WK1:BK18,K31: win in "), "{printed}");
    // The quiet plies that leave time for the win change nothing, and a search has nothing to add.
    for (quiet, remark) in [(72, false), (76, true)] {
        let output = run(&format!("solve draughts --table {name} B:WK7:B5:H{quiet}"));
        assert_eq!(errors(&output).contains("tavli search --endgames counts them"), remark, "{output:?}");
        let searched =
            run(&format!("search B:WK7:B5:H{quiet} --game draughts --endgames {name} --method alphabeta --depth 9"));
        assert_eq!(searched.status.code(), Some(if remark { 0 } else { 2 }), "{searched:?}");
        let named = format!("the value of B:WK7:B5:H{quiet}: ");
        assert_eq!(errors(&searched).contains(&named), !remark, "{searched:?}");
    }
    // Four pieces are too many for the file.
    let four = run(&format!("solve draughts --table {name} B:WK1,K2:BK18,K31"));
    assert_eq!(four.status.code(), Some(2));
    assert!(errors(&four).contains("more than the 3 pieces"), "{four:?}");

    // The commands that read it.
    let with = |line: &str| run(&format!("{line} --game draughts --endgames {name}"));
    let played = parse(&with("playout B:W17,K30:BK1,K2,6 --games 200 --json"));
    let long = json("playout B:W17,K30:BK1,K2,6 --games 200 --game draughts --json");
    assert!(played["mean_plies"].as_f64() < long["mean_plies"].as_f64());
    let found = parse(&with("search B:W17,K30:BK1,K2 --simulations 3000 --trees 1 --proofs --json"));
    assert!(found["plays"][0]["proven"].is_number() || found["simulations"] == 3000, "{found}");
    let deep = parse(&with("search B:W17,K30:BK1,K2 --method alphabeta --depth 7 --json"));
    assert_eq!(deep["depth"], 7);
    for line in ["duel alphabeta:2 uct:50 --games 2 --random-plies 60", "duel random uct:20+proofs --games 2"] {
        assert_eq!(with(line).status.code(), Some(0), "{line}");
    }
    let solved = with("search B:WK7:B5");
    assert!(errors(&solved).contains("tavli solve draughts --table"), "{solved:?}");
    let optional = with("search start --rules report");
    assert!(errors(&optional).contains("compulsory"), "{optional:?}");
    let bytes = fs::read(&file).expect("it is there");
    fs::write(&file, &bytes[..bytes.len() - 1]).expect("it is written");
    let damaged = with("search start --simulations 10");
    assert_eq!(damaged.status.code(), Some(2));
    assert!(errors(&damaged).contains("damaged"), "{damaged:?}");
    fs::remove_file(&file).expect("it is there");
    let none = with("search start --simulations 10");
    assert!(errors(&none).contains("three.tab: "), "{none:?}");
}

#[test]
fn what_cannot_be_solved_is_refused() {
    for line in ["--pieces 1", "--pieces 6", "--pieces x", "", "--table", "B:WK7:B5", "--pieces 2 --table x B:WK7:B5"] {
        let refused = run(&format!("solve draughts {line}"));
        assert_eq!(refused.status.code(), Some(2), "{line}: {refused:?}");
    }
    for (line, message) in [
        ("draughts --table x --output y W:WK5:BK9", "'--table <FILE>' cannot be used with '--output <FILE>'"),
        ("draughts --table x --force W:WK5:BK9", "--force has no effect here"),
        ("draughts --table x --threads 7 W:WK5:BK9", "--threads is for work on many threads"),
        ("draughts --table x --pin none W:WK5:BK9", "--pin is for work on many threads"),
        ("hypergammon --table x --force --opening", "--force has no effect here"),
        ("hypergammon --table x --isa portable --opening", "--isa is for work on many threads"),
    ] {
        let refused = run(&format!("solve {line}"));
        assert_eq!(refused.status.code(), Some(2), "{line}: {refused:?}");
        assert!(errors(&refused).contains(message), "{line}: {refused:?}");
    }
    let missing = run("solve draughts --table /nowhere/two.tab B:WK7:B5");
    assert_eq!(missing.status.code(), Some(2));
    assert!(errors(&missing).contains("/nowhere/two.tab"), "{missing:?}");
}
