//! Rollouts by the command do not change if they are interrupted, killed, divided and merged. Bad files are refused.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use crate::support::{OPENING, OPENING_31, errors, json, let_work, parse, run, scratch_file, signal, tavli, text};
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

/// The candidates that a rollout dropped, and the games of all.
fn dropped(result: &Value) -> (usize, u64) {
    let candidates = result["candidates"].as_array().expect("a list");
    let dropped = candidates.iter().filter(|candidate| candidate["dropped"] == true);
    let trials = candidates
        .iter()
        .map(|candidate| candidate["trials"].as_u64().expect("a number"));
    (dropped.count(), trials.sum())
}

#[test]
fn a_race_is_saved_continued_and_says_what_it_dropped() {
    let common = format!("rollout --policy uniform {OPENING} 31 --allocate race:1");
    let whole = json(&format!("{common} --trials 9000 --json"));
    assert_eq!(whole["allocation"], "race:1");
    let (number, games) = dropped(&whole);
    assert!(number > 0 && games < 16 * 9000, "{number} {games}");
    let file = fresh("race.json");
    let saved = run(&format!("{common} --trials 3000 --save {}", at(&file)));
    assert!(text(&saved).contains(", race:1"), "{saved:?}");
    let resume = format!("rollout --resume {}", at(&file));
    let again = json(&format!("{resume} --trials 9000 --json"));
    assert_eq!(facts(&again), facts(&whole));
    let shown = run(&resume);
    assert!(text(&shown).contains("dropped after 1,296 trials"), "{shown:?}");
    let other = run(&format!("{resume} {OPENING} 31 --allocate halving"));
    assert_eq!(other.status.code(), Some(2));
    let message = "the saved rollout has the allocation race:1, not halving";
    assert!(errors(&other).contains(message), "{other:?}");
}

#[test]
fn a_roll_alone_is_decided() {
    let common = format!("rollout {OPENING} 31");
    let result = json(&format!("{common} --json"));
    let decision = &result["decision"];
    assert_eq!(
        (&decision["play"], &decision["verdict"]),
        (&"8/5 6/5".into(), &"best".into())
    );
    assert!(decision["sure"].as_f64().expect("a share") >= 0.95, "{decision}");
    assert_eq!(
        (&result["allocation"], &result["policy"], &result["luck"]),
        (
            &"race:95%:0.01".into(),
            &"strong+bearoff:6x6".into(),
            &"fast+bearoff:6x6".into()
        )
    );
    let candidates = result["candidates"].as_array().expect("a list").len();
    assert_eq!(decision["left_out"], 16 - candidates);
    assert_eq!(decision["equal_plays"], Value::Array(Vec::new()));
    assert_eq!(decision["games"].as_u64(), Some(dropped(&result).1));
    assert!(decision["equivalent_games"].as_f64() > Some(1000.0), "{decision}");
    let cut_off = (&result["truncated_after"], &result["evaluator"]);
    assert_eq!(cut_off, (&5.into(), &"strong+bearoff:6x6".into()));
    // Each part is an option; games are played to their end where the luck and the end have one evaluator.
    let result = json(&format!("{common} --within 0.02 --truncate none --json"));
    assert_eq!(result["truncated_after"], Value::Null);
    assert!(result["decision"]["equivalent_games"].as_f64() > Some(100.0));
    let unvalued = json(&format!("{common} --within 0.02 --evaluator none --json"));
    assert_eq!(facts(&unvalued), facts(&result));
    let players = "--policy strong+bearoff:6x6 --variance-reduction --evaluator fast+bearoff:6x6";
    let parts = format!("--allocate race:95%:0.02 --filter 0.16 {players}");
    let named = json(&format!("{common} {parts} --trials 2304 --json"));
    assert_eq!(facts(&named), facts(&result));
    let shown = run(&format!("{common} --layout gnubg"));
    let shown = text(&shown);
    assert!(shown.contains("\n8/5 6/5 is the best play: 9"), "{shown}");
    assert!(shown.contains("% sure\n  left out by their value: "), "{shown}");
}

#[test]
fn options_that_shape_a_rollout_ask_for_no_decision() {
    for options in ["--policy fast --trials 4", "--trials 4", "--allocate even --trials 4"] {
        let result = json(&format!("rollout {OPENING} 31 {options} --json"));
        assert_eq!(result["decision"], Value::Null, "{options}");
        assert_eq!(result["candidates"].as_array().map(Vec::len), Some(16), "{options}");
    }
    // A rollout that was saved before goes on as it was.
    let file = fresh("even.json");
    assert!(
        run(&format!("rollout {OPENING} 31 --trials 4 --save {}", at(&file)))
            .status
            .success()
    );
    let again = json(&format!("rollout {OPENING} 31 --resume {} --json", at(&file)));
    assert_eq!((&again["allocation"], &again["trials"]), (&"even".into(), &4.into()));
    // One that decides is saved, continued and not mixed with another.
    let file = fresh("decision.json");
    let common = format!("rollout {OPENING} 31 --policy fast --within 0.3");
    let begun = json(&format!("{common} --trials 36 --save {} --json", at(&file)));
    assert_eq!(begun["allocation"], "race:95%:0.3");
    let other = run(&format!("rollout {OPENING} 31 --within 0.2 --resume {}", at(&file)));
    assert_eq!(other.status.code(), Some(2));
    assert!(errors(&other).contains("race:95%:0.3, not race:95%:0.2"), "{other:?}");
    let whole = json(&format!("{common} --trials 144 --json"));
    let resumed = json(&format!(
        "rollout {OPENING} 31 --trials 144 --resume {} --json",
        at(&file)
    ));
    assert_eq!(facts(&resumed), facts(&whole));
    for (arguments, message) in [
        ("--within -1", "0 or more, not -1"),
        ("--filter -1", "0 or more"),
        ("--within 0.1 --allocate even", "cannot be used with"),
        ("--allocate race:101%", "a percentage below 100"),
    ] {
        let refused = run(&format!("rollout {OPENING} 31 {arguments}"));
        assert_eq!(refused.status.code(), Some(2), "{arguments}");
        assert!(errors(&refused).contains(message), "{}", errors(&refused));
    }
}

#[test]
fn halving_plays_its_rounds() {
    let result = json(&format!(
        "rollout --policy uniform {OPENING} 31 --allocate halving --trials 1500 --json"
    ));
    assert_eq!(result["trials"], 1500);
    assert_eq!(dropped(&result), (14, 4 * 16 * 100));
    // Its rounds cannot be extended.
    let file = fresh("halving.json");
    let save = format!(
        "rollout --policy uniform {OPENING} 31 --allocate halving --trials 150 --save {}",
        at(&file)
    );
    assert!(run(&save).status.success());
    let extended = run(&format!("rollout --resume {} --extend 100", at(&file)));
    assert_eq!(extended.status.code(), Some(2));
    assert!(errors(&extended).contains("rounds of halving"), "{extended:?}");
}

#[test]
fn json_has_the_difference_of_every_pair() {
    let result = json(&format!("rollout --policy uniform {OPENING} 31 --trials 500 --json"));
    let candidates = result["candidates"].as_array().expect("a list");
    let differences = result["differences"].as_array().expect("a list");
    assert_eq!(differences.len(), 16 * 15 / 2);
    for difference in differences {
        let rank = |name: &str| difference[name].as_u64().expect("a rank") as usize;
        let (one, less) = (&candidates[rank("rank") - 1], &candidates[rank("less_rank") - 1]);
        for name in ["equity", "win", "win_gammon", "lose_backgammon"] {
            let number = |value: &Value| value[name].as_f64().expect("a number");
            let mean = number(one) - number(less);
            assert!((number(difference) - mean).abs() < 1e-12, "{name}");
        }
        if rank("rank") == 1 {
            assert_eq!(difference["equity"], less["behind"]);
            assert_eq!(difference["se_equity"], less["se_behind"]);
        }
    }
}

#[test]
fn json_and_csv_have_the_same_numbers() {
    let common = format!("rollout --policy uniform {OPENING} 31 --trials 3000 --seed 5");
    let result = json(&format!("{common} --json"));
    assert_eq!((&result["trials"], &result["seed"]), (&3000.into(), &5.into()));
    assert_eq!((&result["roll"], &result["first_roll"]), (&"31".into(), &"any".into()));
    assert_eq!(
        (&result["ended_by"], &result["complete"]),
        (&"trials".into(), &true.into())
    );
    let candidates = result["candidates"].as_array().expect("a list");
    assert_eq!(candidates.len(), 16);
    let output = run(&format!("{common} --csv"));
    let mut lines = text(&output).lines().map(|line| line.split(',').collect::<Vec<_>>());
    let names = lines.next().expect("names");
    let mut best = f64::INFINITY;
    for (line, candidate) in lines.zip(candidates) {
        assert_eq!(line.len(), names.len());
        for (name, field) in names.iter().zip(line) {
            let value = match name.strip_prefix("games_") {
                Some(outcome) => &candidate["outcomes"][outcome],
                None => &candidate[*name],
            };
            match value {
                Value::String(text) => assert_eq!(text, field),
                value => assert_eq!(value.as_f64(), field.parse().ok(), "{name}"),
            }
        }
        let number = |name: &str| candidate[name].as_f64().expect("a number");
        assert!(number("equity") <= best, "ranked by equity");
        best = number("equity");
        assert!(number("low_equity") < best && best < number("high_equity"));
        assert!((number("win") + number("lose") - 1.0).abs() < 1e-9);
        let games: u64 = candidate["outcomes"]
            .as_object()
            .expect("counts")
            .values()
            .map(|count| count.as_u64().expect("a count"))
            .sum();
        assert_eq!(games, 3000);
    }
}

#[test]
fn text_shows_both_layouts() {
    let common = format!("rollout --policy uniform {OPENING} 31 --trials 1296");
    let both = run(&common);
    for part in [
        "16 plays of 31",
        "  1. ",
        "Eq.: ",
        "JSD ",
        "CL +",
        "1,296 trials each",
        "eq: ",
        "Player:",
        "Opponent:",
        "(G:",
        "Conf.: ±",
        "...",
        "games rolled. Dice seed: 1. Duration: ",
    ] {
        assert!(text(&both).contains(part), "{part}: {}", text(&both));
    }
    assert!(
        text(&both).lines().all(|line| line.chars().count() <= 80),
        "{}",
        text(&both)
    );
    assert!(errors(&both).is_empty());
    let gnubg = run(&format!("{common} --layout gnubg"));
    assert!(text(&gnubg).contains("CL ") && !text(&gnubg).contains("Conf."));
    let xg = run(&format!("{common} --layout xg"));
    assert!(!text(&xg).contains("CL ") && text(&xg).contains("Conf."));
    let position = run(&format!(
        "rollout --policy uniform {OPENING} --trials 100 --truncate 30 --evaluator none"
    ));
    assert!(
        text(&position).contains("cut off after 30 plies"),
        "{}",
        text(&position)
    );
}

#[test]
fn numbers_that_do_not_exist_are_dashes() {
    let output = run(&format!("rollout --policy uniform {OPENING} 31 --trials 1"));
    let text = text(&output);
    for part in [
        "    [     -      -      - -      -      -      -  CL       -]\n",
        " [-]  JSD -)\n",
        "     1 trial each, standard errors in brackets\n",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(!text.contains("NaN"), "{text}");
}

#[test]
fn plays_are_chosen_by_name() {
    let output = tavli()
        .args([
            "rollout", OPENING, "31", "--play", "8/5 6/5", "--play", "24/20", "--trials", "36", "--json",
        ])
        .output()
        .expect("it runs");
    let result = parse(&output);
    let moves = |at: usize| result["candidates"][at]["moves"].as_str().expect("moves").to_owned();
    let mut both = [moves(0), moves(1)];
    both.sort();
    assert_eq!(both, ["24/20", "8/5 6/5"]);
    assert!(result["candidates"].get(2).is_none());
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
        (format!("{a} {c}"), "games 2592 to 5183 are in no part: of 9000 trials"),
        (format!("{a} {b} {b} {c}"), "shard-2.json: both hold games 2592 to 5183"),
        (format!("{a} {b} {c} /nowhere.json"), "cannot read /nowhere.json"),
    ] {
        let refused = fresh("refused.json");
        let output = run(&format!("merge {arguments} -o {}", at(&refused)));
        assert_eq!(output.status.code(), Some(1));
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
    assert!(errors(&output).contains("other-seed.json: the parts are of different rollouts: the seed is 1 in one, 2"));
    for file in files.iter().chain([&merged, &other]) {
        fs::remove_file(file).expect("it was there");
    }
}

#[cfg(unix)]
#[test]
fn an_interrupted_rollout_is_continued() {
    let file = fresh("interrupted.json");
    let arguments = format!(
        "rollout --policy uniform {OPENING} 31 --trials 1000000000000 --json --save {}",
        at(&file)
    );
    let mut child = tavli()
        .args(arguments.split_whitespace())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let_work(&mut child);
    signal(&child, "INT");
    let result = parse(&child.wait_with_output().expect("it ends"));
    assert_eq!(
        (&result["ended_by"], &result["complete"]),
        (&"cancelled".into(), &false.into())
    );
    let trials = result["trials"].as_u64().expect("a number");
    assert!(trials > 0);
    let resumed = json(&format!(
        "rollout --resume {} --trials {} --json",
        at(&file),
        trials + 5000
    ));
    let whole = json(&format!(
        "rollout --policy uniform {OPENING} 31 --trials {} --json",
        trials + 5000
    ));
    assert_eq!(facts(&resumed), facts(&whole));
    fs::remove_file(&file).expect("it was there");
}

#[test]
fn invalid_arguments_exit_2_with_a_reason() {
    let file = fresh("refusals.json");
    run(&format!(
        "rollout --policy uniform {OPENING} --trials 100 --save {}",
        at(&file)
    ));
    let saved = fs::read(&file).expect("a file");
    let path = at(&file);
    for (arguments, message) in [
        ("rollout".to_owned(), "<POSITION>"),
        (format!("rollout --policy uniform {OPENING} 07"), "two digits 1 to 6"),
        (
            format!("rollout --policy uniform {OPENING} --play 8/5"),
            "write the ROLL after the position",
        ),
        (
            format!("rollout --policy uniform {OPENING} --within 0.1"),
            "--within decides which play of a roll to make: write the ROLL after the position",
        ),
        (
            format!("rollout --policy uniform {OPENING_31} 65"),
            "the position has the roll 31, not 65; leave one of them out",
        ),
        (format!("rollout --policy uniform {OPENING} 31 --play 8/2"), "8/2"),
        (
            format!("rollout --policy uniform {OPENING} --trials 0"),
            "whole number 1",
        ),
        (
            format!("rollout --policy uniform {OPENING} --trials 99999999999999999"),
            "1 to 72057594037927936 trials",
        ),
        (
            format!("rollout --policy uniform {OPENING} --stop-se 0"),
            "above 0, not 0",
        ),
        (
            format!("rollout --policy uniform {OPENING} --stop-se nan"),
            "above 0, not NaN",
        ),
        (
            format!("rollout --policy uniform {OPENING} 31 --stop-jsd -1"),
            "above 0, not -1",
        ),
        (
            format!("rollout --policy uniform {OPENING} --stop-jsd 3"),
            "at least two candidates",
        ),
        (
            format!("rollout --policy uniform {OPENING} 31 --allocate fair"),
            "write even, race, race:PERCENT%",
        ),
        (
            format!("rollout --policy uniform {OPENING} 31 --allocate race:0"),
            "standard deviations above 0",
        ),
        (
            format!("rollout --policy uniform {OPENING} --allocate race"),
            "at least two candidates",
        ),
        (
            format!("rollout --policy uniform {OPENING} 31 --allocate race --shard 1/2 --save x"),
            "cannot be used with",
        ),
        (format!("rollout --policy uniform {OPENING} --shard 1/2"), "--save"),
        (
            format!("rollout --policy uniform {OPENING} --shard 3/2 --save x"),
            "no shard 3 of 2",
        ),
        (
            format!("rollout --policy uniform {OPENING} --shard slurm/2 --save x"),
            "SLURM_ARRAY_TASK_ID is not set",
        ),
        (
            format!("rollout --policy uniform {OPENING} --shard slurm --save x"),
            "write slurm/N, where N is the number of shards",
        ),
        (
            format!("rollout --policy uniform {OPENING} --shard 1/2 --trials 9 --save x"),
            "9 trials are 1 block of 1296, too few for 2 shards; ask for at most 1 shard, or at least 1297 trials",
        ),
        (
            format!("rollout --policy uniform {OPENING} --shard 1/2 --seconds 1 --save x"),
            "cannot be used with",
        ),
        (
            format!("rollout --policy uniform {OPENING} --trials 20000 --shard 1/18446744073709551615 --save x"),
            "ask for at most 16 shards\n",
        ),
        (
            "rollout --policy uniform --positions x --play 8/5".to_owned(),
            "cannot be used with",
        ),
        (format!("rollout --policy uniform {OPENING} --save -"), "name a file"),
        (format!("rollout --policy uniform {OPENING} --resume -"), "name a file"),
        (
            "rollout --policy uniform --positions /dev/null --save -".to_owned(),
            "name a file",
        ),
        (format!("rollout --policy uniform {OPENING} --extend 5"), "--resume"),
        (
            format!("rollout --policy uniform {OPENING} --save {path}"),
            "exists; --resume continues it, --force replaces it",
        ),
        (
            format!("rollout --policy uniform {OPENING} --resume {path} --force"),
            "cannot be used with",
        ),
        (
            format!("rollout --policy uniform {OPENING} --json --csv"),
            "cannot be used with",
        ),
        (format!("rollout --resume {path} --seed 2"), "has the seed 1, not 2"),
        (
            format!("rollout --resume {path} --truncate 7 --evaluator none"),
            "has the truncation none, not 7",
        ),
        (
            format!("rollout --policy uniform {OPENING} 31 --resume {path}"),
            "has the roll none, not 31",
        ),
        (
            format!("rollout --resume {path} --trials 50"),
            "100 trials have been played",
        ),
        ("merge x.json".to_owned(), "--output"),
        ("merge -o x.json".to_owned(), "<FILE>"),
    ] {
        let output = tavli()
            .args(arguments.split_whitespace())
            .env_remove("SLURM_ARRAY_TASK_ID")
            .output()
            .expect("it runs");
        assert_eq!(output.status.code(), Some(2), "{arguments}: {output:?}");
        assert!(errors(&output).contains(message), "{arguments}: {}", errors(&output));
        assert!(text(&output).is_empty(), "{arguments}");
    }
    assert_eq!(fs::read(&file).expect("a file"), saved);
    fs::write(&file, &saved[..saved.len() / 2]).expect("a place to write");
    for (arguments, message) in [
        ("rollout --resume /nowhere.json".to_owned(), "cannot read /nowhere.json"),
        (format!("rollout --resume {path}"), "it is not a record of a rollout"),
        (
            format!("rollout --policy uniform {OPENING} --save /nowhere/at/all.json"),
            "cannot write /nowhere/at/all.json: No such file",
        ),
    ] {
        let output = run(&arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments}: {output:?}");
        assert!(errors(&output).contains(message), "{arguments}: {}", errors(&output));
    }
    fs::remove_file(&file).expect("it was there");
}

#[test]
fn games_cut_off_are_valued() {
    let common = format!("rollout --policy uniform {OPENING} 31 --play '8/5 6/5' --play 24/20 --truncate 9");
    let arguments = |more: &str| -> Vec<String> {
        let words = format!("{common} {more}");
        words
            .replace("'8/5 6/5'", "8/5%6/5")
            .split_whitespace()
            .map(|word| word.replace('%', " "))
            .collect()
    };
    let result = |more: &str| -> Value {
        let output = tavli().args(arguments(more)).output().expect("it runs");
        assert!(output.status.success(), "{output:?}");
        serde_json::from_slice(&output.stdout).expect("JSON")
    };
    let whole = result("--evaluator sampled:5 --trials 1400 --json");
    assert_eq!(whole["evaluator"], "sampled:5:uniform");
    assert_eq!(whole["truncated_after"], 9);
    let best = &whole["candidates"][0];
    assert_eq!(best["outcomes"]["unfinished"], 1400);
    let number = |name: &str| best[name].as_f64().expect("a number");
    assert!((number("win") + number("lose") - 1.0).abs() < 1e-12);
    assert!(number("se_equity") > 0.0 && number("se_equity") < 0.1, "{best}");
    // The default, in words.
    let output = tavli().args(arguments("--trials 10")).output().expect("it runs");
    let shown = text(&output);
    assert!(
        shown.contains("cut off after 9 plies, valued by sampled:36:uniform"),
        "{shown}"
    );

    let names = ["valued", "valued-1", "valued-2", "valued-all"];
    let [file, first, second, merged] = names.map(|name| at(&fresh(&format!("{name}.json"))));
    result(&format!("--evaluator sampled:5 --trials 100 --json --save {file}"));
    let continued = json(&format!("rollout --resume {file} --trials 1400 --json --isa portable"));
    assert_eq!(continued["candidates"], whole["candidates"]);
    for (other, message) in [
        (
            "--truncate 9 --policy uniform",
            "the saved rollout has the evaluator sampled:5:uniform, not sampled:36:uniform",
        ),
        (
            "--truncate 9 --evaluator none",
            "the saved rollout has the evaluator sampled:5:uniform, not none",
        ),
        (
            "--truncate 8 --evaluator sampled:5",
            "the saved rollout has the truncation 9, not 8",
        ),
    ] {
        let refused = run(&format!("rollout --resume {file} {other}"));
        assert_eq!(refused.status.code(), Some(2));
        assert!(errors(&refused).contains(message), "{refused:?}");
    }
    for (part, file) in [("1/2", &first), ("2/2", &second)] {
        result(&format!(
            "--evaluator sampled:5 --trials 1400 --json --threads 1 --shard {part} --save {file}"
        ));
    }
    let all = json(&format!("merge {first} {second} -o {merged} --json"));
    assert_eq!(all["candidates"], whole["candidates"]);
}

#[test]
fn evaluators_that_cannot_be_had_exit_2() {
    for (options, message) in [
        (
            "--truncate 7 --evaluator pubeval",
            "'pubeval' is a policy: it picks plays and gives no probabilities",
        ),
        (
            "--truncate 7 --evaluator gnubg",
            "choose one of: td80, fast, strong, sampled, sampled:GAMES, sampled:GAMES:POLICY",
        ),
        ("--evaluator sampled", "--truncate"),
        ("--truncate 7 --plies 7", "cannot be used with"),
        ("--truncate 0", "invalid value '0'"),
    ] {
        let output = run(&format!("rollout --policy uniform {OPENING} {options}"));
        assert_eq!(output.status.code(), Some(2), "{options}");
        assert!(errors(&output).contains(message), "{options}: {}", errors(&output));
    }
}

#[test]
fn a_fault_of_the_machine_is_said_before_a_file_is_made() {
    let [positions, table] = ["machine.txt", "machine.csv"].map(fresh);
    fs::write(&positions, format!("{OPENING}\n")).unwrap();
    let (positions, saved) = (at(&positions), at(&table));
    let output = run(&format!("rollout --positions {positions} --save {saved} --pin 65535"));
    assert_eq!(output.status.code(), Some(2));
    let said = errors(&output);
    assert!(
        said.contains("--pin 65535: this process may not use CPU 65535"),
        "{said}"
    );
    assert!(!table.exists());
}

#[test]
fn games_that_are_cut_off_and_not_valued_are_named() {
    let output = run(&format!(
        "rollout {OPENING} --policy uniform --truncate 60 --evaluator none --trials 1296 --threads 1"
    ));
    let shown = text(&output);
    let result = json(&format!(
        "rollout {OPENING} --policy uniform --truncate 60 --evaluator none --trials 1296 --json"
    ));
    let candidate = &result["candidates"][0];
    let number = |name: &str| candidate[name].as_f64().expect("a number");
    let unfinished = candidate["outcomes"]["unfinished"].as_u64().expect("a number");
    assert!((900..1296).contains(&unfinished), "{unfinished}");
    let share = unfinished as f64 / 1296.0;
    assert!((number("win") + number("lose") + share - 1.0).abs() < 1e-12);
    let games = match unfinished {
        1000.. => format!("1,{:03} games", unfinished - 1000),
        _ => format!("{unfinished} games"),
    };
    let percent = 100.0 * share;
    for line in [
        format!("     {share:.4} cut off: {games}, neither won nor lost\n"),
        format!("     Cut off:  {percent:.2}% ({games}, neither won nor lost)\n"),
    ] {
        assert!(shown.contains(&line), "{line}{shown}");
    }
    // Valued, they are among those won and lost.
    let valued = run(&format!(
        "rollout {OPENING} --policy uniform --truncate 5 --evaluator sampled:1 --trials 36"
    ));
    assert!(!text(&valued).to_lowercase().contains("cut off:"));
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
    let more = json(&format!(
        "rollout --resume {merged} --extend 4 --policy {two}+1ply --json"
    ));
    assert_eq!(more["trials"], 1304);
    for file in [one, two, first, second, merged] {
        fs::remove_file(file).expect("it was there");
    }
}

#[test]
fn a_damaged_part_is_called_what_it_is() {
    let names = ["search.part", "rollout.part", "no.part", "merged.part"];
    let [search, rollout, none, merged] = names.map(|name| at(&fresh(name)));
    json(&format!(
        "search {OPENING_31} --simulations 200 --shard 1/2 --trees 2 --save {search} --json"
    ));
    json(&format!(
        "rollout {OPENING} --policy uniform --trials 1300 --shard 1/2 --save {rollout} --json"
    ));
    for file in [&search, &rollout] {
        let text = fs::read(file).expect("a file");
        fs::write(file, &text[..text.len() / 2]).expect("a place to write");
    }
    fs::write(&none, "{\"format\":\"tavli bench\"}").expect("a place to write");
    for (file, message) in [
        (&search, "it is not a record of a search: EOF"),
        (&rollout, "it is not a record of a rollout: EOF"),
        (&none, "it is the record of neither a rollout nor a search"),
    ] {
        let output = run(&format!("merge {file} -o {merged}"));
        assert_eq!(output.status.code(), Some(1));
        assert!(errors(&output).contains(message), "{output:?}");
        fs::remove_file(file).expect("it was there");
    }
}
