//! Profiles of move generation by the command.

mod support;

use std::fs;

use support::{errors, json, run, scratch_file, tavli, text};

#[test]
fn random_play_is_profiled() {
    let profile = json("profile --situations 2000 --seconds 0.1 --json");
    assert_eq!(profile["situations"], 2000);
    let kinds = profile["categories"].as_array().unwrap();
    let names: Vec<&str> = kinds
        .iter()
        .map(|kind| kind["category"].as_str().unwrap())
        .collect();
    for name in [
        "any",
        "non-double",
        "double",
        "one-on-bar",
        "contact",
        "race",
        "bear-off",
        "pass",
    ] {
        assert!(names.contains(&name), "{name}");
    }
    assert_eq!(kinds[0]["share"], 1.0);
    assert!(kinds[0]["unrank"]["cycles"].as_f64().unwrap() > 0.0);
    for tier in profile["tiers"].as_array().unwrap() {
        let Some(stages) = tier["batch"]["stages"].as_array() else {
            assert_eq!(tier["isa"], "portable");
            continue;
        };
        let shares = stages.iter().map(|stage| stage["share"].as_f64().unwrap());
        assert!((shares.sum::<f64>() - 1.0).abs() < 1e-9, "{tier}");
        assert!(stages.iter().any(|stage| stage["pool"] == "late"));
    }
    let output = run("profile --situations 2000 --seconds 0.1 --rules mcgammon");
    if profile["tiers"].as_array().unwrap().len() > 1 {
        assert!(
            text(&output).contains("early: 100.0 % of plies"),
            "{}",
            text(&output)
        );
    }
    for part in [
        "situations of random play, mcgammon",
        "plays of a ply",
        "slowest",
        "portable plays each game by itself",
    ] {
        assert!(text(&output).contains(part), "{part}: {}", text(&output));
    }
    assert!(
        text(&output)
            .lines()
            .all(|line| line.chars().count() <= 100)
    );
}

#[test]
fn a_file_is_profiled() {
    let file = scratch_file("set.tsv");
    fs::write(&file, "4HPwATDgc/ABMA\t66\n4HPwATDgc/ABMA\n").unwrap();
    let profile = json(&format!("profile {} --seconds 0.1 --json", file.display()));
    assert_eq!(profile["situations"], 37);
    fs::write(&file, "4HPwATDgc/ABMA\t66\nnowhere\n").unwrap();
    let output = run(&format!("profile {}", file.display()));
    assert_eq!(output.status.code(), Some(1));
    assert!(errors(&output).contains("line 2: 'nowhere' is no position"));
    assert_eq!(run("profile --situations 0").status.code(), Some(2));
}

#[cfg(target_os = "linux")]
#[test]
fn without_perf_it_says_so() {
    let output = tavli()
        .args([
            "profile",
            "--situations",
            "100",
            "--seconds",
            "0.05",
            "--folded",
        ])
        .arg(scratch_file("stacks.folded"))
        .env("PATH", "/nowhere")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(
        errors(&output).contains("perf (of the package"),
        "{}",
        errors(&output)
    );
}
