//! Recipes measured, reported and compared by the command.

mod support;

use std::fs;

use serde_json::Value;
use support::{errors, json, let_worker_use, parse, run, scratch_file, signal, tavli, text};

/// A recipe shrunk as far as it still makes sense.
const SHORT: &str = "--repetitions 3 --seconds 0.02 --warm-up 0.01";

#[test]
fn quick_then_report_then_compare() {
    let (first, second) = (scratch_file("first.json"), scratch_file("second.json"));
    let (first, second) = (first.display(), second.display());
    let output = run(&format!("bench quick {SHORT} --save {first}"));
    assert!(output.status.success(), "{}", errors(&output));
    for part in [
        "$ tavli bench quick --repetitions 3",
        "GHz by a chain of additions",
        "timer steps of",
        "others used",
        "worker 0 -> ",
        "interval",
        "times as many here",
        "passed  signature of tier",
        "first 4096 games of mcgammon",
        "verification PASSED",
    ] {
        assert!(text(&output).contains(part), "{part}: {}", text(&output));
    }
    let record = json(&format!("bench {SHORT} --json --save {second}"));
    assert_eq!(
        (&record["recipe"], &record["format"]),
        (&"quick".into(), &1.into())
    );
    for case in record["cases"].as_array().unwrap() {
        let repetitions = case["repetitions"].as_array().unwrap();
        assert_eq!(repetitions.len(), 3);
        let workers = case["workers"].as_array().unwrap().len();
        for repetition in repetitions {
            assert_eq!(repetition["workers"].as_array().unwrap().len(), workers);
            assert!(repetition["units"].as_u64().unwrap() > 0);
        }
    }
    let checks = record["checks"].as_array().unwrap();
    assert!(checks.iter().all(|check| check["passed"] == true));

    let page = scratch_file("page.html");
    let output = run(&format!(
        "bench report {first} {second} --output {}",
        page.display()
    ));
    assert!(output.status.success(), "{}", errors(&output));
    let page = fs::read_to_string(page).unwrap();
    assert!(page.starts_with("<!doctype html>") && page.ends_with("</html>\n"));
    assert!(page.contains("Machines side by side: quick") && !page.contains("http"));
    let output = run(&format!("bench report --markdown {first}"));
    let line = text(&output).lines().next().unwrap();
    assert_eq!(line, format!("`tavli bench report --markdown {first}`"));

    let output = run(&format!("bench compare {first} {second}"));
    assert!(output.status.success(), "{}", errors(&output));
    assert_eq!(
        text(&output).matches("times as fast").count(),
        3,
        "{}",
        text(&output)
    );
    let same = json(&format!(
        "bench compare {first} {first} --fail-below 0.97 --json"
    ));
    for case in same["cases"].as_array().unwrap() {
        assert_eq!(case["ratio"]["ratio"], 1.0);
    }
    let output = run(&format!("bench compare {first} {second} --fail-below 1000"));
    assert_eq!(output.status.code(), Some(1));
    assert!(
        errors(&output).contains("at least 1000 times"),
        "{}",
        errors(&output)
    );
}

#[test]
fn repetitions_as_csv() {
    let output = run(&format!("bench movegen {SHORT} --csv"));
    assert!(output.status.success(), "{}", errors(&output));
    let mut lines = text(&output).lines();
    let columns = lines.next().unwrap().split(',').count();
    let rows: Vec<&str> = lines.collect();
    assert_eq!(rows.len(), 29 * 3);
    assert!(
        rows.iter().all(|row| row.split(',').count() == columns),
        "{rows:?}"
    );
    assert!(rows[0].starts_with("movegen,count/any,count,backgammon,cores,1,"));
}

#[test]
fn every_recipe_is_listed_and_runs() {
    let output = run("bench --list");
    let names: Vec<&str> = text(&output)
        .lines()
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert_eq!(
        names,
        [
            "quick", "node", "scaling", "sockets", "movegen", "rollout", "soak"
        ]
    );
    for name in ["node", "scaling", "sockets", "rollout", "soak"] {
        let record = json(&format!(
            "bench {name} --repetitions 2 --seconds 0.01 --warm-up 0.001 --json"
        ));
        assert_eq!(record["recipe"], name);
    }
}

#[test]
fn a_recipe_of_ones_own() {
    let file = scratch_file("own.toml");
    let recipe = r#"
        description = "a race"
        warm_up_seconds = 0.001
        repetitions = 2
        seconds = 0.01
        seed = 3
        [[case]]
        name = "race"
        workload = "playouts"
        rules = "backgammon"
        placement = "none"
        threads = 3
        positions = ["BgAAmM0IwDYAAA"]
        expected = { games = 10, plies = 1, plays = 1 }
    "#;
    fs::write(&file, recipe).unwrap();
    let output = run(&format!("bench {} --json", file.display()));
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(
        errors(&output).contains("the verification FAILED"),
        "{}",
        errors(&output)
    );
    let record: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(record["cases"][0]["workers"].as_array().unwrap().len(), 3);
    fs::write(
        &file,
        recipe.replace("race\"\n        work", "race\"\n        wrk"),
    )
    .unwrap();
    let output = run(&format!("bench {}", file.display()));
    assert_eq!(output.status.code(), Some(2));
    assert!(
        errors(&output).contains("unknown field `wrkload`"),
        "{}",
        errors(&output)
    );
}

#[test]
fn what_cannot_be_measured_or_compared_is_said() {
    for (arguments, status, message) in [
        ("bench fast", 2, "is none of the recipes quick, node"),
        ("bench --repetitions 0", 2, "repetitions: 1 to 200"),
        (
            "bench --pin cores:wide",
            2,
            "none of compact, spread, smt and no-smt",
        ),
        ("bench quick --json --csv", 2, "cannot be used with"),
        ("bench compare one", 2, "<NEW.json>"),
        (
            "bench compare /nowhere/a /nowhere/b",
            1,
            "cannot read /nowhere/a",
        ),
        (
            "bench compare Cargo.toml Cargo.toml",
            1,
            "not a record of tavli bench",
        ),
        ("bench compare a b --fail-below -1", 2, "a number above 0"),
        ("bench report", 2, "<RECORD.json>"),
        ("bench report src", 1, "there is no .json file"),
    ] {
        let output = run(arguments);
        assert_eq!(
            output.status.code(),
            Some(status),
            "{arguments}: {output:?}"
        );
        assert!(
            errors(&output).contains(message),
            "{arguments}: {}",
            errors(&output)
        );
    }
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_a_measurement_with_what_it_has() {
    let mut child = tavli()
        .args([
            "bench",
            "soak",
            "--warm-up",
            "0.01",
            "--seconds",
            "0.1",
            "--repetitions",
            "200",
        ])
        .arg("--json")
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    // Ten times as much as a repetition takes: what comes before the first one is less.
    let_worker_use(&mut child, std::time::Duration::from_secs(1));
    signal(&child, "INT");
    let record = parse(&child.wait_with_output().unwrap());
    assert_eq!(record["interrupted"], true);
    let done = record["cases"][0]["repetitions"].as_array().unwrap().len();
    assert!((1..200).contains(&done), "{done}");
}
