//! Profiles of move generation by the command.

use std::fs;

use serde_json::Value;

use crate::support::{errors, json, run, scratch_file, tavli, text};

#[test]
fn random_play_is_profiled() {
    let profile = json("profile --situations 2000 --seconds 0.1 --json");
    assert_eq!(profile["situations"], 2000);
    let kinds = profile["categories"].as_array().unwrap();
    let names: Vec<&str> = kinds.iter().map(|kind| kind["category"].as_str().unwrap()).collect();
    for name in ["any", "non-double", "double", "one-on-bar", "contact", "race", "bear-off", "pass"] {
        assert!(names.contains(&name), "{name}");
    }
    assert_eq!(kinds[0]["share"], 1.0);
    assert!(kinds[0]["unrank"]["cycles"].as_f64().unwrap() > 0.0);
    for kind in kinds {
        let plies = kind["plies"].as_array().unwrap();
        assert_eq!(plies.len(), profile["tiers"].as_array().unwrap().len(), "{kind}");
        assert!(plies.iter().all(|tier| tier["ply"]["ns"].as_f64().unwrap() > 0.0));
    }
    for tier in profile["tiers"].as_array().unwrap() {
        let Some(stages) = tier["batch"]["stages"].as_array() else {
            assert_eq!(tier["isa"], "portable");
            let stages = tier["plain"].as_array().unwrap();
            let names = stages.iter().map(|stage| stage["stage"].as_str().unwrap());
            assert!(names.eq(["throw", "count", "make", "rest"]), "{tier}");
            let cost = |stage: &Value| stage["ply"]["ns"].as_f64().unwrap();
            let sum: f64 = stages.iter().map(cost).sum();
            assert!((sum / cost(tier) - 1.0).abs() < 1e-9, "{tier}");
            continue;
        };
        let shares = stages.iter().map(|stage| stage["share"].as_f64().unwrap());
        assert!((shares.sum::<f64>() - 1.0).abs() < 1e-9, "{tier}");
        assert!(stages.iter().any(|stage| stage["pool"] == "late"));
    }
    let search = &profile["search"];
    let stages = search["stages"].as_array().unwrap();
    let names = stages.iter().map(|stage| stage["stage"].as_str().unwrap());
    assert!(names.eq(["select", "expand", "play out", "back up"]), "{search}");
    let of_stages = |name: &str| -> f64 {
        let values = stages.iter().map(|stage| stage[name].as_f64().unwrap());
        assert!(values.clone().all(|value| value > 0.0), "{search}");
        values.sum()
    };
    assert!((of_stages("share") - 1.0).abs() < 1e-9, "{search}");
    assert!(of_stages("ns") > search["playout_ns"].as_f64().unwrap() / 2.0, "{search}");
    let output = run("profile --situations 2000 --seconds 0.1 --rules mcgammon");
    if profile["tiers"].as_array().unwrap().len() > 1 {
        assert!(text(&output).contains("early: 100.0 % of plies"), "{}", text(&output));
    }
    // The shares of the rows between the two headings add up to all plies.
    let rows = text(&output).split_once("add up to 100 %:\n").unwrap().1;
    let (parts, others) = rows.split_once("a ply may also have these:\n").unwrap();
    let share = |row: &str| -> f64 { row.split_whitespace().nth(1).unwrap().parse().unwrap() };
    let shares: f64 = parts.lines().map(share).sum();
    assert!((shares - 100.0).abs() < 0.01, "{parts}");
    assert!(parts.contains("one-on-bar") && others.starts_with("contact"), "{rows}");
    for part in [
        "situations of random play, mcgammon",
        "plays of a ply",
        "slowest",
        "stages of portable",
        "a search by uct for 31 in the opening: 10,000 simulations in 16 trees",
        "  back up ",
        "portable plays one game at a time",
    ] {
        assert!(text(&output).contains(part), "{part}: {}", text(&output));
    }
    assert!(text(&output).lines().all(|line| line.chars().count() <= 100));
}

#[test]
fn a_file_is_profiled() {
    let file = scratch_file("set.tsv");
    fs::write(&file, "4HPwATDgc/ABMA\t66\n4HPwATDgc/ABMA\n").unwrap();
    let profile = json(&format!("profile {} --seconds 0.1 --json", file.display()));
    assert_eq!(profile["situations"], 37);
    fs::write(&file, "4HPwATDgc/ABMA\t66\nnowhere\n").unwrap();
    let output = run(&format!("profile {}", file.display()));
    assert_eq!(output.status.code(), Some(2));
    assert!(errors(&output).contains("line 2: 'nowhere' is not a position"));
    assert_eq!(run("profile --situations 0").status.code(), Some(2));
}

#[cfg(target_os = "linux")]
#[test]
fn without_perf_it_says_so() {
    let output = tavli()
        .args(["profile", "--situations", "100", "--seconds", "0.05", "--folded"])
        .arg(scratch_file("stacks.folded"))
        .env("PATH", "/nowhere")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(errors(&output).contains("perf (of the package"), "{}", errors(&output));
}

/// A perf that takes one sample, and by default knows inlined functions.
#[cfg(target_os = "linux")]
const PERF: &str = r#"#!/bin/sh
case $1 in
    record) for argument; do [ "$last" = --output ] && : >"$argument"; last=$argument; done ;;
    script)
        printf 'worker 0 \n\t  3b49 Isa::with_features\n'
        case " $* " in
            *" --no-inline "*) ;;
            *) [ -n "$NO_ADDR2LINE" ] || printf '\t  3b49 choose<Zmm> (inlined)\n\t  3b49 with_features<Zmm> (inlined)\n' ;;
        esac
        printf '\n'
        ;;
esac
"#;

#[cfg(target_os = "linux")]
#[test]
fn stacks_name_the_stages_of_a_batch() {
    use std::os::unix::fs::PermissionsExt;

    let folder = scratch_file("perf");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("perf"), PERF).unwrap();
    fs::set_permissions(folder.join("perf"), fs::Permissions::from_mode(0o755)).unwrap();
    let stacks = scratch_file("of-perf.folded");
    let profile = |without: &str| {
        let output = tavli()
            .args(["profile", "--situations", "100", "--seconds", "0.05"])
            .args(["--force", "--folded"])
            .arg(&stacks)
            .env("PATH", &folder)
            .env("NO_ADDR2LINE", without)
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", errors(&output));
        (fs::read_to_string(&stacks).unwrap(), errors(&output).to_owned())
    };
    let (folded, said) = profile("");
    assert_eq!(folded, "worker 0;Isa::with_features;choose 1\n");
    assert!(!said.contains("addr2line"), "{said}");
    let (folded, said) = profile("1");
    assert_eq!(folded, "worker 0;Isa::with_features 1\n");
    assert!(said.contains("perf finds them with addr2line"), "{said}");
}
