//! Recipes measured, reported and compared by the command.

use std::fs;
use std::path::PathBuf;

use crate::support::{
    errors, json, let_work, let_worker_use, parse, read_meanwhile, run, scratch_file, signal, tavli, text,
};
use serde_json::Value;

/// The shortest times at which a recipe still makes sense.
const SHORT: &str = "--repetitions 3 --seconds 0.02 --warm-up 0.01";

#[test]
fn one_worker_has_no_scaling() {
    let output = run(&format!("bench quick {SHORT} --threads 1"));
    assert!(output.status.success(), "{}", errors(&output));
    assert!(!text(&output).contains("scaling of"), "{}", text(&output));
}

#[test]
fn quick_then_report_then_compare() {
    let (first, second) = (scratch_file("first.json"), scratch_file("second.json"));
    let output = run(&format!("bench quick {SHORT} --save {}", first.display()));
    assert!(output.status.success(), "{}", errors(&output));
    for part in [
        "tavli bench quick --repetitions 3",
        "GHz by a chain of additions",
        "steps of",
        "used by others",
        "\nwhat went on\n",
        "scaling of backgammon\n",
        "worker 0 -> ",
        "interval",
        "\nscore    ",
        "times McGammon 1.0",
        "passed  signature of tier",
        "first 4096 games of mcgammon",
        "verification PASSED",
    ] {
        assert!(text(&output).contains(part), "{part}: {}", text(&output));
    }
    let kept: Value = serde_json::from_str(&fs::read_to_string(&first).unwrap()).unwrap();
    let checksum = kept["checksum"].as_str().unwrap();
    assert!(text(&output).contains(&format!("checksum {checksum}\n")), "{}", text(&output));
    // Nothing that is posted names a folder of this machine.
    let command = kept["command"].as_str().unwrap();
    assert!(!command.contains('/') && command.ends_with("first.json"), "{command}");
    let kept_name = first.file_name().unwrap().to_owned();
    let (first, second) = (first.display(), second.display());
    let record = json(&format!("bench {SHORT} --json --save {second}"));
    assert_eq!((&record["recipe"], &record["schema"]), (&"quick".into(), &2.into()));
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
    let output = run(&format!("bench report {first} {second} --output {}", page.display()));
    assert!(output.status.success(), "{}", errors(&output));
    let page = fs::read_to_string(page).unwrap();
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"));
    assert!(page.contains("Machines side by side: quick") && !page.contains("http:"));
    let output = run(&format!("bench report --markdown {first}"));
    let line = text(&output).lines().next().unwrap();
    let name = kept_name.to_string_lossy();
    assert_eq!(line, format!("`tavli bench report --markdown {name}`"));

    let output = run(&format!("bench compare {first} {second}"));
    assert!(output.status.success(), "{}", errors(&output));
    assert_eq!(text(&output).matches("times as fast").count(), 3, "{}", text(&output));
    let one = json(&format!("bench compare {first} {first} --json"));
    for case in one["cases"].as_array().unwrap() {
        assert_eq!(case["ratio"], 1.0);
        assert_eq!((&case["low"], &case["verdict"]), (&Value::Null, &"undecided".into()));
    }
    let output = run(&format!("bench compare {first} {second} --fail-below 0.97"));
    assert_eq!(output.status.code(), Some(3));
    let message = "undecided: these may be less than 0.97 times as fast, or not:\n  backgammon: ";
    assert!(errors(&output).starts_with(message), "{}", errors(&output));
    assert!(errors(&output).contains("one record a side; measure in turns"));
}

/// A folder of records of one case, with the minute and the rate of each.
fn records(name: &str, rates: impl IntoIterator<Item = (usize, f64)>) -> PathBuf {
    let folder = scratch_file(name);
    fs::create_dir_all(&folder).unwrap();
    let recipe = "quick --threads 1 --repetitions 1 --seconds 0.01 --warm-up 0.01 --json";
    let measured = run(&format!("bench {recipe}"));
    let record = tavli_bench::Record::parse(text(&measured)).unwrap();
    for (minute, rate) in rates {
        let mut record = record.clone();
        record.started = format!("2026-11-20T15:{minute:02}:00Z");
        record.cases.truncate(1);
        let repetition = &mut record.cases[0].repetitions[0];
        repetition.seconds = repetition.units as f64 / rate;
        repetition.workers[0].busy_seconds = repetition.seconds;
        let file = folder.join(format!("{minute}.json"));
        fs::write(file, serde_json::to_string(&record).unwrap()).unwrap();
    }
    folder
}

#[test]
fn folders_of_records_in_turns_pass_or_fail_the_gate() {
    let wobble = |minute: usize| 1e6 * (1.0 + 0.01 * (minute as f64 * 0.618).fract());
    let every_other = |first: usize| (0..6).map(move |i| 2 * i + first);
    let old = records("old", every_other(0).map(|minute| (minute, wobble(minute))));
    let same = records("same", every_other(1).map(|minute| (minute, wobble(minute))));
    let slow = records("slow", every_other(1).map(|minute| (minute, 0.9 * wobble(minute))));
    let after = records("after", (20..26).map(|minute| (minute, 0.9 * wobble(minute))));
    for (new, status, verdict) in
        [(same, 0, "the same"), (slow, 1, "slower"), (after, 3, "1 and 1 sittings are too few")]
    {
        let (old, new) = (old.display(), new.display());
        let output = run(&format!("bench compare {old} {new} --fail-below 0.97"));
        assert_eq!(output.status.code(), Some(status), "{output:?}");
        assert!(text(&output).contains(verdict), "{}", text(&output));
        assert!(text(&output).contains("[records 6 and 6]"), "{}", text(&output));
        assert!(text(&output).contains("note: records of 2026-11-20 and of 2026-11-20: a ratio includes"));
        let evidence = match status {
            0 => "",
            1 => "less than 0.97 times as fast:\n  backgammon: 0.9",
            _ => "may be less than 0.97 times as fast, or not:\n  backgammon: 0.9",
        };
        assert!(errors(&output).contains(evidence), "{}", errors(&output));
        assert_eq!(errors(&output).is_empty(), evidence.is_empty());
    }
}

#[test]
fn repetitions_as_csv() {
    let output = run(&format!("bench movegen {SHORT} --csv"));
    assert!(output.status.success(), "{}", errors(&output));
    let mut lines = text(&output).lines();
    let columns = lines.next().unwrap().split(',').count();
    let rows: Vec<&str> = lines.collect();
    assert_eq!(rows.len(), 29 * 3);
    assert!(rows.iter().all(|row| row.split(',').count() == columns), "{rows:?}");
    assert!(rows[0].starts_with("movegen,count/any,count,backgammon,cores,1,"));
}

#[test]
fn every_recipe_is_listed_and_runs() {
    for passed_over in ["bench nofile.toml --list", "bench --list --save list.json"] {
        let output = run(passed_over);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(errors(&output).contains("cannot be used with"), "{output:?}");
    }
    let output = run("bench --list");
    let names: Vec<&str> = text(&output).lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(
        names,
        ["quick", "node", "scaling", "sockets", "movegen", "policy", "rollout", "search", "decide", "soak"]
    );
    for name in ["node", "scaling", "sockets", "policy", "rollout", "search", "soak"] {
        let record = json(&format!("bench {name} --repetitions 2 --seconds 0.01 --warm-up 0.001 --json"));
        assert_eq!(record["recipe"], name);
        let cases = record["cases"].as_array().unwrap();
        let searches = cases.iter().filter(|case| case["workload"] == "search");
        for case in searches.clone() {
            let over = &case["over_playouts"];
            assert!(over["ratio"]["ratio"].as_f64().unwrap() > 0.0, "{case}");
            assert_eq!(case["search"]["roll"], "31");
        }
        assert_eq!(searches.count(), if name == "search" { 4 } else { 0 });
    }
}

#[test]
fn every_tier_is_measured_side_by_side() {
    let record = json(&format!("bench quick {SHORT} --isa all --json"));
    let tiers: Vec<&str> = record["program"]["isa"].as_str().unwrap().split(", ").collect();
    let by_environment =
        tavli().env("TAVLI_ISA", "all").args(format!("bench quick {SHORT} --json").split(' ')).output();
    assert_eq!(parse(&by_environment.unwrap())["program"]["isa"], record["program"]["isa"]);
    let cases = record["cases"].as_array().unwrap();
    assert_eq!(cases.len(), 3 * tiers.len());
    assert_eq!(tiers.last(), Some(&"portable"));
    for (case, tier) in cases.iter().zip(&tiers) {
        assert_eq!(case["name"], format!("backgammon {tier}"));
        assert_eq!(case["isa"], *tier);
    }
}

#[test]
fn threads_given_by_hand_are_in_the_names_and_repeats_are_said() {
    let options = "--repetitions 1 --seconds 0.01 --warm-up 0 --json";
    let output = run(&format!("bench quick --threads 2 {options}"));
    let record = parse(&output);
    let names: Vec<&str> =
        record["cases"].as_array().unwrap().iter().map(|case| case["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["backgammon", "mcgammon", "backgammon/2"]);
    assert!(
        errors(&output).contains("remark: 'backgammon/2' repeats 'backgammon': the same work"),
        "{}",
        errors(&output)
    );
}

#[test]
fn a_wrong_signature_ends_the_run_at_once() {
    let file = scratch_file("other.toml");
    let recipe = fs::read_to_string(repository().join("bench/recipes/soak.toml")).unwrap();
    let (before, after) = recipe.split_once("signature = \"").unwrap();
    let right = &after[..16];
    let wrong = format!("{before}signature = \"0123456789abcdef{}", &after[16..]);
    fs::write(&file, wrong).unwrap();
    // Without the signature it would run for ten minutes.
    let output = run(&format!("bench {}", file.display()));
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let message = format!("is {right}, and the recipe expects 0123456789abcdef");
    assert!(errors(&output).contains(&message), "{}", errors(&output));
    assert_eq!(text(&output), "");
}

#[test]
fn a_limit_of_time_ends_a_run_with_what_was_measured() {
    let options = "--warm-up 0 --seconds 0.02 --repetitions 200 --time-limit 2";
    let output = run(&format!("bench soak {options} --json"));
    let record = parse(&output);
    let done = record["cases"][0]["repetitions"].as_array().unwrap().len();
    // A machine that is fast enough is done before.
    if record["interrupted"] == true {
        assert!((1..200).contains(&done), "{done}");
        assert_eq!(record["ended_by_limit"], 2.0);
        assert!(errors(&output).contains("the limit of 2 s ended"), "{}", errors(&output));
    } else {
        assert_eq!(done, 200);
    }
}

#[test]
fn machines_have_a_table_and_pages() {
    let kept = repository().join("profiles/machines");
    let kept = kept.display();
    let output = run(&format!("bench table {kept} --relative-to amd-epyc-zen4-vm-2cpu"));
    assert!(output.status.success(), "{}", errors(&output));
    let rows: Vec<&str> = text(&output).lines().skip(2).collect();
    assert!(rows[0].starts_with("| amd-epyc-zen5-vm-2cpu |"), "{rows:?}");
    assert!(rows[1].starts_with("| amd-epyc-zen4-vm-2cpu |") && rows[1].contains("| 1.00 |"), "{rows:?}");
    let output = run(&format!("bench table {kept} --csv --by core"));
    let lines: Vec<Vec<&str>> = text(&output).lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(lines.len(), 3, "{lines:?}");
    let rate = |line: &[&str]| -> f64 {
        let at = lines[0].iter().position(|&name| name == "per core").unwrap();
        line[at].parse().unwrap()
    };
    assert!(rate(&lines[1]) > rate(&lines[2]), "{lines:?}");
    let output = run(&format!("bench table {kept} --relative-to nobody"));
    assert_eq!(output.status.code(), Some(2));
    assert!(errors(&output).contains("'nobody' is not one of the machines: choose from amd-epyc"));

    let folder = scratch_file("pages");
    let output = run(&format!("bench table {kept} --pages {}", folder.display()));
    assert!(output.status.success(), "{}", errors(&output));
    let index = fs::read_to_string(folder.join("index.html")).unwrap();
    for machine in ["amd-epyc-zen4-vm-2cpu", "amd-epyc-zen5-vm-2cpu"] {
        let page = format!("{machine}.html");
        assert!(index.contains(&format!("href=\"{page}\"")), "{page}");
        let page = fs::read_to_string(folder.join(&page)).unwrap();
        assert!(page.contains("class=\"headline\"") && page.contains(machine));
    }
    let again = run(&format!("bench table {kept} --pages {}", folder.display()));
    assert_eq!(again.status.code(), Some(2), "{again:?}");
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
    assert!(errors(&output).contains("the verification FAILED"), "{}", errors(&output));
    let record: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(record["cases"][0]["workers"].as_array().unwrap().len(), 3);
    fs::write(&file, recipe.replace("race\"\n        work", "race\"\n        wrk")).unwrap();
    let output = run(&format!("bench {}", file.display()));
    assert_eq!(output.status.code(), Some(2));
    assert!(errors(&output).contains("unknown field `wrkload`"), "{}", errors(&output));
}

#[test]
fn bad_arguments_and_records_are_reported() {
    for (arguments, status, message) in [
        ("bench fast", 2, "is not one of the recipes quick, node"),
        ("bench --repetitions 0", 2, "repetitions: it must be 1 to 200"),
        ("bench --pin cores:wide", 2, "not one of compact, spread, smt and no-smt"),
        ("bench quick --json --csv", 2, "cannot be used with"),
        ("bench --seconds 1e-9", 2, "seconds: invalid value 0.000000001: a repetition takes 0.001 s to a day"),
        ("bench --warm-up -1", 2, "warm_up_seconds: invalid value -1"),
        ("bench --time-limit nan", 2, "time_limit_seconds: invalid value NaN"),
        ("bench --isa every", 2, "all measures each of them"),
        ("bench movegen --threads 4096", 2, "workers in all, and a process holds 15000 at most"),
        ("bench table", 2, "<DIR>"),
        ("bench table src/bench", 2, "the folders have no .json file"),
        ("bench table x --by name", 2, "machines are sorted by machine or core"),
        ("bench table x --csv --details", 2, "cannot be used with"),
        ("bench compare one", 2, "<NEW>"),
        ("bench compare /nowhere/a /nowhere/b", 2, "cannot read /nowhere/a"),
        ("bench compare Cargo.toml Cargo.toml", 2, "not a record of tavli bench"),
        ("bench compare a b --fail-below -1", 2, "a number above 0"),
        ("bench report", 2, "<RECORD.json>"),
        ("bench report src/bench", 2, "the folders have no .json file"),
    ] {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(status), "{arguments}: {output:?}");
        assert!(errors(&output).contains(message), "{arguments}: {}", errors(&output));
    }
}

#[cfg(unix)]
#[test]
fn an_interrupt_keeps_the_repetitions_before_it() {
    let mut child = tavli()
        .args(["bench", "soak", "--warm-up", "0.01", "--seconds", "0.1", "--repetitions", "200"])
        .arg("--json")
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let printed = read_meanwhile(&mut child);
    // Ten times the time of a repetition: more than everything before the first one takes.
    let_worker_use(&mut child, std::time::Duration::from_secs(1));
    signal(&child, "INT");
    assert!(child.wait().unwrap().success());
    let record: Value = serde_json::from_slice(&printed.join().unwrap()).unwrap();
    assert_eq!(record["interrupted"], true);
    let done = record["cases"][0]["repetitions"].as_array().unwrap().len();
    assert!((1..200).contains(&done), "{done}");
}

#[cfg(unix)]
#[test]
fn an_interrupt_before_the_first_repetition_verifies_nothing() {
    let mut child = tavli()
        .args(["bench", "soak", "--warm-up", "600"])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let_work(&mut child);
    signal(&child, "INT");
    let output = child.wait_with_output().unwrap();
    let (text, errors) = (text(&output), errors(&output));
    assert!(!text.contains("PASSED"), "{text}");
    assert!(text.ends_with("\nnothing measured, nothing verified\n"), "{text}");
    assert!(!output.status.success(), "{output:?}");
    assert!(errors.contains("interrupted before the first repetition"), "{errors}");
}

/// The repository, with the records that it keeps.
fn repository() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn a_record_that_was_changed_is_refused() {
    let kept = "profiles/machines/amd-epyc-zen5-vm-2cpu/2026-11-21/rollout.json";
    let kept = repository().join(kept);
    let record = fs::read_to_string(&kept).unwrap();
    let file = scratch_file("changed.json");
    let compared = |changed: &str| {
        fs::write(&file, changed).unwrap();
        let output = run(&format!("bench compare {} {}", kept.display(), file.display()));
        (output.status.code(), errors(&output).to_owned())
    };
    assert_eq!(compared(&record), (Some(0), String::new()));
    // Halved times would make the second record twice as fast.
    let mut halved: Value = serde_json::from_str(&record).unwrap();
    for case in halved["cases"].as_array_mut().unwrap() {
        for repetition in case["repetitions"].as_array_mut().unwrap() {
            repetition["seconds"] = (repetition["seconds"].as_f64().unwrap() / 2.0).into();
        }
    }
    let (status, message) = compared(&halved.to_string());
    assert_eq!(status, Some(2));
    for part in ["changed.json: ", "the record was changed after it was measured", "restore the file, or measure again"]
    {
        assert!(message.contains(part), "{part}: {message}");
    }
    let (status, message) = compared(&record.replace("\"schema\":2", "\"schema\":9"));
    assert_eq!(status, Some(2));
    assert!(message.contains("schema 9, and this version reads schema 2"), "{message}");
}

/// The command in the first line of each table in the repository makes it from the records next to it.
#[test]
fn kept_records_are_read_and_make_the_kept_report() {
    let output =
        tavli().args(["bench", "table", "--details", "profiles/machines"]).current_dir(repository()).output().unwrap();
    assert!(output.status.success(), "{}", errors(&output));
    let kept = fs::read_to_string(repository().join("profiles/REPORT.md")).unwrap();
    let tables = |text: &str| text.split_once('\n').unwrap().1.to_owned();
    assert_eq!(tables(text(&output)), tables(&kept));
}
