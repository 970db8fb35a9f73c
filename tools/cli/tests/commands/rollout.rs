//! Rollouts by the command do not change if they are interrupted, killed, divided and merged. Bad files are refused.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use crate::support::{OPENING, errors, json, let_work, parse, run, scratch_file, signal, tavli};
use serde_json::Value;

/// A file name for one test; the file does not exist.
#[track_caller]
pub(crate) fn fresh(name: &str) -> PathBuf {
    let path = scratch_file(name);
    let _ = fs::remove_file(&path);
    path
}

pub(crate) fn at(path: &Path) -> String {
    path.display().to_string()
}

/// The result of a rollout, without time and machine.
pub(crate) fn facts(result: &Value) -> Value {
    let mut facts = result.clone();
    let facts = facts.as_object_mut().expect("an object");
    for key in [
        "seconds",
        "games_per_second",
        "ended_by",
        "isa",
        "threads",
        "pinning",
        "pinning_asked",
        "cpus",
        "workers",
        "clock",
        "shard",
        "version",
        "commit",
        "compiler",
        "cpu",
        "cpus_allowed",
        "cpus_granted",
        "remarks",
    ] {
        facts.remove(key);
    }
    Value::Object(facts.clone())
}

#[test]
fn threads_tiers_and_shards_change_nothing() {
    let common = format!("rollout --policy uniform {OPENING} 64 --trials 9000 --json");
    let whole = facts(&json(&common));
    for how in ["--threads 1", "--threads 5 --pin none", "--isa portable"] {
        assert_eq!(facts(&json(&format!("{common} {how}"))), whole, "{how}");
    }
    let files: Vec<PathBuf> = (1..=3).map(|i| fresh(&format!("shard-{i}.json"))).collect();
    for (i, file) in files.iter().enumerate() {
        let output = match i {
            // The last shard gets its number from its environment.
            2 => tavli()
                .args(common.split_whitespace())
                .args(["--shard", "slurm/3", "--save", &at(file)])
                .env("SLURM_ARRAY_TASK_ID", "3")
                .output()
                .expect("it runs"),
            _ => run(&format!("{common} --shard {}/3 --save {}", i + 1, at(file))),
        };
        assert_eq!(parse(&output)["shard"], format!("{}/3", i + 1));
    }
    let merged = fresh("merged.json");
    let [a, b, c] = [at(&files[0]), at(&files[1]), at(&files[2])];
    let result = json(&format!("merge {c} {a} {b} -o {} --json", at(&merged)));
    assert_eq!(facts(&result), whole);
    assert_eq!(result["ended_by"], "trials", "it has them all");
    // The whole can be extended.
    let extended = json(&format!("rollout --resume {} --extend 1000 --json", at(&merged)));
    let longer = json(&format!("rollout --policy uniform {OPENING} 64 --trials 10000 --json"));
    assert_eq!(facts(&extended), facts(&longer));

    for (arguments, message) in [
        (format!("{a} {c}"), "trials 2592 to 5183 are in no shard: of 9000 trials"),
        (format!("{a} {b} {b} {c}"), "shard-2.json: both hold trials 2592 to 5183"),
        (format!("{a} {b} {c} /nowhere.json"), "cannot read /nowhere.json"),
    ] {
        let refused = fresh("refused.json");
        let output = run(&format!("merge {arguments} -o {}", at(&refused)));
        assert_eq!(output.status.code(), Some(2));
        assert!(errors(&output).contains(message), "{}", errors(&output));
        assert!(!refused.exists());
    }
    let resumed = run(&format!("rollout --resume {a} --trials 12000"));
    assert_eq!(resumed.status.code(), Some(2));
    let said = "error: this shard plays its share of 9000 trials, which cannot become 12000 after its first game: leave \
                the number out, or begin shards of 12000 trials";
    assert!(errors(&resumed).starts_with(said), "{}", errors(&resumed));
    let other = fresh("other-seed.json");
    run(&format!("{common} --seed 2 --shard 2/3 --save {}", at(&other)));
    let refused = fresh("refused.json");
    let output = run(&format!("merge {a} {} {c} -o {}", at(&other), at(&refused)));
    assert!(
        errors(&output).contains("other-seed.json: the shards belong to different rollouts: the seed is 1 in one, 2")
    );
    for file in files.iter().chain([&merged, &other]) {
        fs::remove_file(file).expect("it was there");
    }
}

#[cfg(unix)]
#[test]
fn an_interrupted_rollout_is_continued() {
    let file = fresh("interrupted.json");
    let arguments = format!("rollout --policy uniform {OPENING} 31 --trials 1000000000000 --json --save {}", at(&file));
    let mut child = tavli().args(arguments.split_whitespace()).stdout(Stdio::piped()).spawn().expect("it starts");
    let_work(&mut child);
    signal(&child, "INT");
    let result = parse(&child.wait_with_output().expect("it ends"));
    assert_eq!((&result["ended_by"], &result["complete"]), (&"cancelled".into(), &false.into()));
    let trials = result["trials"].as_u64().expect("a number");
    assert!(trials > 0);
    let resumed = json(&format!("rollout --resume {} --trials {} --json", at(&file), trials + 5000));
    let whole = json(&format!("rollout --policy uniform {OPENING} 31 --trials {} --json", trials + 5000));
    assert_eq!(facts(&resumed), facts(&whole));
    fs::remove_file(&file).expect("it was there");
}

#[test]
fn one_net_under_two_paths_is_one_player() {
    let td80 = concat!(env!("CARGO_MANIFEST_DIR"), "/../../kernel/players/players/td80.player");
    let names = ["net-1.player", "net-2.player", "net-1.json", "net-2.json", "net.json"];
    let [one, two, first, second, merged] = names.map(|name| at(&fresh(name)));
    for copy in [&one, &two] {
        fs::copy(td80, copy).expect("it is copied");
    }
    for (shard, net, file) in [(1, &one, &first), (2, &two, &second)] {
        json(&format!(
            "rollout FQAAIAoAAAAAAA --policy {net}+1ply --trials 1300 --shard {shard}/2 --save {file} --json"
        ));
    }
    let whole = json(&format!("merge {first} {second} -o {merged} --json"));
    assert_eq!(whole["trials"], 1300);
    // And goes on under the other path.
    let more = json(&format!("rollout --resume {merged} --extend 4 --policy {two}+1ply --json"));
    assert_eq!(more["trials"], 1304);
    // The file of the record is gone: the player that is named takes its place, if it is the same.
    fs::remove_file(&one).expect("it was there");
    let lost = run(&format!("rollout --resume {first} --trials 1300"));
    assert!(errors(&lost).contains("invalid policy: cannot read "), "{lost:?}");
    let cut_off = format!("rollout FQAAIAoAAAAAAA --policy {two} --truncate 1 --variance-reduction --json");
    let [moved, three] = ["net-moved.json", "net-3.player"].map(|name| at(&fresh(name)));
    json(&format!("{cut_off} --trials 36 --save {moved}"));
    fs::rename(&two, &three).expect("it is moved");
    let more = json(&format!("rollout --resume {moved} --extend 4 --policy {three} --json"));
    assert_eq!(more["trials"], 40);
    fs::copy(td80.replace("td80", "fast"), &two).expect("it is copied");
    for policy in [&two, "td80"] {
        let other = run(&format!("rollout --resume {first} --policy {policy}"));
        assert_eq!(other.status.code(), Some(2), "{other:?}");
        assert!(errors(&other).contains("it was played by "), "{other:?}");
    }
    for file in [two, three, first, second, merged, moved] {
        fs::remove_file(file).expect("it was there");
    }
}
