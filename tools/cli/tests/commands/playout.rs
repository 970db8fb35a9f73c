//! Playouts by the command are the same on any threads, end cleanly, and use bounded memory.

use std::fs;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use crate::support::{
    OPENING, OPENING_31, PLAYOUT_FACTS, errors, json, let_work, parse, run, scratch_file, signal, tavli, text,
};
use serde_json::Value;

/// The parts of a result that do not depend on time and machine.
fn facts(result: &Value) -> Vec<&Value> {
    let more = ["mean_plays", "p_over", "next_player_occupancy", "other_player_occupancy"];
    let keys = PLAYOUT_FACTS.into_iter().chain(more);
    keys.map(|key| &result[key]).collect()
}

#[test]
fn games_begin_with_the_dice_of_the_position() {
    let expected = json(&format!("playout {OPENING} --first-roll 31 --games 500 --json"));
    for options in ["", "--first-roll 31", "--first-roll 13"] {
        let result = json(&format!("playout {OPENING_31} --games 500 --json {options}"));
        assert_eq!(facts(&result), facts(&expected), "{options}");
    }
    assert_eq!(expected["first_roll"], "31");
}

#[test]
fn policies_play_the_same_games_on_any_threads_and_tier() {
    let options = "--policy pubeval --policy-opponent uniform --games 700 --json";
    let one = json(&format!("playout {options} --threads 1"));
    assert_eq!(one["policy"], "pubeval");
    assert_eq!(one["opponent_policy"], "uniform");
    assert!(one["win"].as_f64() > Some(0.95), "{one}");
    for others in ["--threads 3", "--threads 2 --isa portable"] {
        let result = json(&format!("playout {options} {others}"));
        assert_eq!(facts(&result), facts(&one), "{others}");
    }
    let alike = json("playout --policy pubeval --games 300 --json");
    assert_eq!(alike["opponent_policy"], "pubeval");
    let title = run("playout --policy pubeval --policy-opponent uniform --games 10");
    assert!(text(&title).contains("played by pubeval against uniform"));
    let lines = |options: &str| -> Vec<String> {
        let output = run(&format!("playout --policy pubeval --games 100 {options} --per-game -"));
        text(&output).lines().map(str::to_owned).collect()
    };
    let all = lines("");
    assert_eq!(all.len(), 101);
    assert_eq!(lines("--threads 2 --first-game 0"), all);
}

#[test]
fn a_single_game_has_no_standard_error() {
    let output = run("playout --games 1");
    for part in [" ± - %\n", " ± - points\n", " ± -, the longest ", "  1 game (numbers"] {
        assert!(text(&output).contains(part), "{part}: {}", text(&output));
    }
    assert!(!text(&output).contains("± 0"), "{}", text(&output));
    let result = json("playout --games 1 --json");
    for error in ["se_win", "se_equity", "se_plies"] {
        assert_eq!(result[error], Value::Null, "{error}");
    }
}

#[test]
fn json_has_every_key() {
    let result = json("playout --games 2000 --seed 9 --first-game 5 --first-roll open --threads 2 --json");
    for key in [
        "games",
        "first_game",
        "seed",
        "rules",
        "first_roll",
        "isa",
        "threads",
        "seconds",
        "cpu_seconds",
        "games_per_second",
        "plies_per_second",
        "ns_per_ply",
        "cycles_per_ply",
        "clock",
        "workers",
        "mean_plies",
        "se_plies",
        "longest_game",
        "outcomes",
        "unfinished",
        "win",
        "se_win",
        "equity",
        "se_equity",
        "version",
        "commit",
        "compiler",
        "cpu",
        "pinning",
        "pinning_asked",
        "cpus",
        "mean_plays",
        "interrupted",
        "remarks",
    ] {
        assert!(result.get(key).is_some(), "{key} is missing");
    }
    assert!(result.get("p_over").is_none());
    let outcomes = result["outcomes"].as_object().unwrap();
    let names: Vec<&str> = outcomes.keys().map(String::as_str).collect();
    let mut expected =
        vec!["win_single", "win_gammon", "win_backgammon", "lose_single", "lose_gammon", "lose_backgammon"];
    expected.sort_unstable();
    assert_eq!(names, expected);
    let sum: u64 = outcomes.values().map(|count| count.as_u64().unwrap()).sum();
    assert_eq!(sum, 2000);
    assert_eq!(
        (&result["games"], &result["first_game"], &result["seed"], &result["threads"]),
        (&2000.into(), &5.into(), &9.into(), &2.into())
    );
    assert_eq!((&result["rules"], &result["first_roll"]), (&"backgammon".into(), &"open".into()));
    let number = |key: &str| result[key].as_f64().unwrap();
    assert!((number("ns_per_ply") * number("plies_per_second") - 1e9).abs() < 1.0);
    assert!((number("games_per_second") * number("seconds") - 2000.0).abs() < 1e-6);
    let cycles = number("cpu_seconds") * number("clock");
    let plies = 2000.0 * number("mean_plies");
    assert!((number("cycles_per_ply") * plies / cycles - 1.0).abs() < 1e-6);
    assert!((number("mean_plies") - 96.7).abs() < 5.0);
}

#[test]
fn occupancy_adds_up() {
    let result = json("playout --games 3000 --truncate 3 --occupancy --json");
    assert_eq!((&result["unfinished"], &result["p_over"]), (&3000.into(), &0.0.into()));
    for key in ["next_player_occupancy", "other_player_occupancy"] {
        let means: Vec<f64> = result[key].as_array().unwrap().iter().map(|n| n.as_f64().unwrap()).collect();
        assert_eq!(means.len(), 25);
        assert!((means.iter().sum::<f64>() - 15.0).abs() < 1e-9, "{key}: {means:?}");
    }
    let text = run("playout --games 3000 --truncate 3 --occupancy");
    assert!(text_of(&text).contains("unfinished"));
    assert!(text_of(&text).contains("19-24"));
}

fn text_of(output: &std::process::Output) -> &str {
    assert!(output.status.success(), "{output:?}");
    text(output)
}

#[test]
fn a_run_that_leaves_cores_to_others_is_not_bound() {
    let cores = json("topology --threads 1 --json");
    let more_than_one = cores["placement"]["pinning"] == "none";
    let one = json("playout --games 1 --threads 1 --json");
    assert_eq!(one["pinning_asked"], "auto");
    match more_than_one {
        // Another process like this one would be bound to the same CPU.
        true => assert_eq!((&one["pinning"], &one["cpus"]), (&"none".into(), &serde_json::Value::Null)),
        false => assert_eq!(one["pinning"], "cores"),
    }
    let bound = json("playout --games 1 --threads 1 --pin cores --json");
    assert_eq!(bound["pinning"], "cores");
    let all = json("playout --games 1 --json");
    if all["cpus_granted"].is_null() {
        assert_eq!(all["pinning"], "cores", "{all}");
    }
}

#[test]
fn threads_and_pinning_change_nothing() {
    let common = "playout --games 5000 --seed 3 --first-game 4294967290 --truncate 90 --occupancy --json";
    let alone = json(&format!("{common} --threads 1"));
    for how in ["--threads 2", "--threads 7 --pin none", "--pin compact", "--pin spread", "--pin 0"] {
        let result = json(&format!("{common} {how}"));
        assert_eq!(facts(&result), facts(&alone), "{how}");
    }
}

#[test]
fn a_timed_run_is_reproduced_by_count() {
    let timed = json("playout --seconds 0.3 --first-game 1000000 --rules mcgammon --json");
    assert_eq!(timed["first_game"], 1_000_000);
    let games = timed["games"].as_u64().unwrap();
    assert!(games > 0);
    let counted = json(&format!("playout --games {games} --first-game 1000000 --rules mcgammon --json"));
    assert_eq!(facts(&counted), facts(&timed));
}

#[test]
fn a_timed_run_says_that_it_ended_with_the_last_number() {
    for game in ["backgammon", "plakoto"] {
        let first = u64::MAX - 10;
        let found = json(&format!("playout --game {game} --seconds 30 --first-game {first} --json"));
        assert_eq!(found["games"], 10);
        let remark = "remark: the run ended before its time: it played the last game number, 2^64 - 2";
        assert_eq!(found["remarks"], serde_json::json!([remark]));
    }
}

#[test]
fn records_are_in_order_and_add_up() {
    let file = scratch_file("in_order.csv");
    let result = json(&format!(
        "playout --games 30000 --first-game 7 --truncate 120 --threads 3 --json --per-game {}",
        file.display()
    ));
    let csv = fs::read_to_string(&file).unwrap();
    fs::remove_file(&file).unwrap();
    let mut lines = csv.lines();
    assert_eq!(lines.next(), Some("game,outcome,plies"));
    let mut counts = std::collections::BTreeMap::new();
    let mut plies_sum = 0;
    let mut next = 7;
    for line in lines {
        let fields: Vec<&str> = line.split(',').collect();
        let [game, outcome, plies] = fields[..] else {
            panic!("{line}");
        };
        assert_eq!(game.parse(), Ok(next));
        let plies: u64 = plies.parse().unwrap();
        assert!(if outcome == "unfinished" { plies == 120 } else { plies <= 120 }, "{line}");
        plies_sum += plies;
        *counts.entry(outcome).or_insert(0_u64) += 1;
        next += 1;
    }
    assert_eq!(next, 30_007);
    assert_eq!(result["unfinished"], counts["unfinished"]);
    for (outcome, count) in result["outcomes"].as_object().unwrap() {
        assert_eq!(*count, counts[outcome.as_str()], "{outcome}");
    }
    let mean = plies_sum as f64 / 30_000.0;
    assert!((result["mean_plies"].as_f64().unwrap() - mean).abs() < 1e-9);
}

#[test]
fn records_on_standard_output_leave_it_to_themselves() {
    let output = run("playout --games 3 --per-game - --json");
    assert!(output.status.success());
    assert_eq!(text(&output).lines().count(), 4);
    assert!(text(&output).starts_with("game,outcome,plies\n0,"));
    let result: Value = serde_json::from_str(errors(&output)).unwrap();
    assert_eq!(result["games"], 3);
}

#[test]
fn text_shows_the_result_and_the_paper_under_its_rule() {
    let output = run("playout --games 2000 --rules mcgammon");
    for part in [
        "tavli ",
        "instruction set tier",
        "threads",
        "mcgammon from the opening position",
        "win single",
        "equity",
        "plies a game",
        "games/s",
        "plies/s",
        "ns per ply",
        "cycles per ply",
        " -> ",
        "6,500 games/s",
        "quad-Opteron",
    ] {
        assert!(text(&output).contains(part) || part == "threads", "{part}: {}", text(&output));
    }
    assert!(text(&output).lines().all(|line| line.chars().count() <= 80));
    assert!(errors(&output).is_empty(), "progress without a terminal: {}", errors(&output));
    for other in ["--rules backgammon", "--rules mcgammon --truncate 500"] {
        let output = run(&format!("playout --games 100 {other}"));
        assert!(!text(&output).contains("Opteron"), "{other}");
    }
}

#[test]
fn without_a_command_both_rules_are_played() {
    let output = run("--seconds 0.1");
    let text = text_of(&output);
    for part in ["backgammon from", "mcgammon from", "6,500 games/s", "signature "] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let result = json("--seconds 0.1 --json --threads 1");
    let rules: Vec<&Value> = result["runs"].as_array().unwrap().iter().map(|run| &run["rules"]).collect();
    assert_eq!(rules, ["backgammon", "mcgammon"]);
    assert_eq!(result["paper"]["games_per_second"], 6500);
    assert_eq!(result["signature"], json("signature --json")["signature"]);
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_a_run_with_its_result() {
    for name in ["INT", "TERM"] {
        let mut child = tavli().args(["playout", "--seconds", "600", "--json"]).stdout(Stdio::piped()).spawn().unwrap();
        let_work(&mut child);
        let sent = Instant::now();
        signal(&child, name);
        let output = child.wait_with_output().unwrap();
        assert!(sent.elapsed() < Duration::from_secs(10), "{:?}", sent.elapsed());
        let result = parse(&output);
        assert_eq!(result["interrupted"], true);
        let games = result["games"].as_u64().unwrap();
        assert!(games > 0);
        let counted = json(&format!("playout --games {games} --json"));
        assert_eq!(facts(&counted), facts(&result), "{name}");
        assert_eq!(counted["interrupted"], false);
    }
}

#[cfg(unix)]
#[test]
fn a_closed_pipe_is_success() {
    for arguments in [
        &["playout", "--games", "18446744073709551615", "--per-game", "-"][..],
        &["playout", "--seconds", "0.1"],
        &["playout", "--seconds", "0.1", "--json"],
        &["plays", OPENING, "31"],
        &["perft", OPENING, "2"],
        &["position", OPENING],
        &["signature"],
        &["topology"],
        &["bench", "--list"],
        &["completions", "bash"],
        &["man"],
        &["--seconds", "0.1"],
    ] {
        let mut child = tavli().args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{arguments:?}");
        assert!(!errors(&output).contains("error"), "{arguments:?}: {}", errors(&output));
    }
}

/// A file is written although nobody reads what is printed.
#[cfg(unix)]
#[test]
fn a_closed_pipe_loses_no_file() {
    /// The digits by which two times that searches took may differ in length, in the file of a search.
    const DIGITS: usize = 20;
    for (name, arguments) in [
        ("unread.search", "search 4HPwATDgc/ABMA 31 --simulations 2000 --save"),
        ("unread.mat", "duel uniform uniform --games 4 --save"),
        ("unread.pdn", "duel random random --game draughts --games 2 --save"),
        ("unread.csv", "playout --games 20000 --per-game"),
    ] {
        let file = scratch_file(name);
        let mut command = tavli();
        command.args(arguments.split(' ')).arg(&file).args(["--threads", "1"]);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!((output.status.code(), errors(&output)), (Some(0), ""), "{arguments}");
        let written = fs::read(&file).unwrap();
        let of_read = scratch_file(&format!("read-{name}"));
        let mut command = tavli();
        command.args(arguments.split(' ')).arg(&of_read).args(["--threads", "1"]);
        let read = command.output().unwrap();
        assert!(read.status.success(), "{}", errors(&read));
        let read = fs::read(&of_read).unwrap();
        assert!(written.len().abs_diff(read.len()) <= DIGITS, "{arguments}");
    }
    // A full disk is a failure, which is told when the file is written.
    let file = scratch_file("full.search");
    let mut command = tavli();
    command.args(["search", OPENING, "31", "--simulations", "2000", "--save"]);
    let full = fs::File::options().write(true).open("/dev/full");
    let Ok(full) = full else { return };
    let output = command.arg(&file).stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(errors(&output).contains("cannot write to standard output"), "{}", errors(&output));
    assert!(file.exists());
}

#[cfg(target_os = "linux")]
#[test]
fn memory_stays_small() {
    let file = scratch_file("memory.csv");
    let mut child = tavli()
        .args(["playout", "--games", "2000000", "--json", "--per-game"])
        .arg(&file)
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let mut max_kib = 0;
    while child.try_wait().unwrap().is_none() {
        // The memory of the run without the pages of the program, which has 23 MB if it is not optimised; at the end
        // the file disappears.
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let held = status.lines().find_map(|line| line.strip_prefix("RssAnon:"));
        if let Some(held) = held.and_then(|text| text.trim().strip_suffix(" kB")) {
            max_kib = max_kib.max(held.trim().parse::<u64>().unwrap());
        }
        thread::sleep(Duration::from_millis(10));
    }
    assert!(child.wait().unwrap().success());
    let lines = fs::read(&file).unwrap().iter().filter(|&&byte| byte == b'\n').count();
    fs::remove_file(&file).unwrap();
    assert_eq!(lines, 2_000_001);
    assert!((1..32 * 1024).contains(&max_kib), "{max_kib} KiB");
}
