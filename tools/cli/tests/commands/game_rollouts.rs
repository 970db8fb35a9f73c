//! Rollouts in games other than backgammon are saved, resumed, shared and merged as backgammon's.

use std::fs;
use std::process::Stdio;
use std::time::Duration;

use serde_json::Value;

use crate::rollout::{at, facts, fresh};
use crate::support::{
    OPENING, errors, json, let_worker_use, parse, run, run_with_input, signal, tavli, text, wait_until_caught,
};

/// A question of each game, by random games.
const QUESTIONS: [&str; 4] = [
    "start 31 --game plakoto --policy uniform",
    "start --game fevga --policy uniform",
    "start --game draughts",
    "start --game tictactoe",
];

fn game(question: &str) -> &str {
    let game = question.split_once("--game ").expect("a game").1;
    game.split(' ').next().expect("its name")
}

/// Checks that a command fails for wrong usage, with the given words.
#[track_caller]
fn refused(arguments: &str, expected: &str) {
    let output = run(arguments);
    assert_eq!(output.status.code(), Some(2), "{arguments}: {output:?}");
    assert!(errors(&output).contains(expected), "{arguments}: {}", errors(&output));
}

#[test]
fn sessions_shards_and_threads_change_nothing() {
    for question in QUESTIONS {
        let game = game(question);
        let common = format!("rollout {question} --seed 7 --json");
        let whole = json(&format!("{common} --trials 2600"));
        assert_eq!((&whole["trials"], &whole["complete"]), (&2600.into(), &true.into()));
        assert_eq!(whole["ended_by"], "trials");
        let expected = facts(&whole);
        let file = fresh(&format!("{game}-sessions.json"));
        json(&format!("{common} --trials 36 --threads 1 --save {}", at(&file)));
        let resumed = format!("rollout --game {game} --resume {} --json", at(&file));
        json(&format!("{resumed} --extend 36"));
        assert_eq!(facts(&json(&format!("{resumed} --trials 2600"))), expected, "{game}");
        // At its end it plays nothing.
        assert_eq!(facts(&json(&resumed)), expected);
        assert_eq!(facts(&json(&format!("rollout {question} --resume {} --json", at(&file)))), expected);
        let parts = [2, 3, 1].map(|part| {
            let file = fresh(&format!("{game}-part-{part}.json"));
            let part = json(&format!("{common} --trials 2600 --shard {part}/3 --save {}", at(&file)));
            assert_eq!(part["first_trial"].as_u64().map(|first| first % 1296), Some(0));
            at(&file)
        });
        let merged = fresh(&format!("{game}-merged.json"));
        let merge = format!("merge {} --output {} --json", parts.join(" "), at(&merged));
        assert_eq!(facts(&json(&merge)), expected, "{game}");
        let [whole, merged] = [&file, &merged].map(|file| {
            let text = fs::read_to_string(file).expect("a saved rollout");
            let mut saved: Value = serde_json::from_str(&text).expect("JSON");
            saved["rollout"]["seconds"].take();
            saved["rollout"].take()
        });
        assert_eq!(whole, merged, "{game}");
        refused(
            &format!("merge {} {} --output {}", parts[0], parts[1], at(&fresh("missing.json"))),
            "trials 0 to 1295 are in no shard",
        );
    }
}

#[test]
fn shards_by_a_net_under_two_paths_are_merged() {
    let net = concat!(env!("CARGO_MANIFEST_DIR"), "/../../kernel/games/players/fevga-strong.player");
    let shards = [1, 2].map(|shard| {
        let [path, file] = ["player", "json"].map(|ending| at(&fresh(&format!("fevga-net-{shard}.{ending}"))));
        fs::copy(net, &path).expect("a place for the net");
        let asked = format!("rollout ---AAA---------aaa------ 21 --game fevga --policy {path} --trials 2592");
        json(&format!("{asked} --shard {shard}/2 --save {file} --json"));
        file
    });
    let merged = json(&format!("merge {} --output {} --json", shards.join(" "), at(&fresh("fevga-net.json"))));
    assert_eq!(merged["trials"], 2592);
}

#[test]
fn a_game_may_end_by_time_or_by_its_standard_error() {
    for question in QUESTIONS {
        let precise = json(&format!("rollout {question} --stop-se 0.05 --json"));
        assert_eq!((&precise["ended_by"], &precise["trials"]), (&"standard_error".into(), &1296.into()));
        let timed = json(&format!("rollout {question} --seconds 0.05 --json"));
        assert_eq!((&timed["ended_by"], &timed["complete"]), (&"time".into(), &false.into()));
        assert!(timed["trials"].as_u64() > Some(0), "{timed}");
    }
}

#[test]
fn an_interrupted_rollout_is_saved_and_continued() {
    for (question, name) in QUESTIONS.iter().zip(["TERM", "INT", "HUP", "XCPU"]) {
        let game = game(question);
        let file = fresh(&format!("{game}-interrupted.json"));
        let endless = format!("rollout {question} --trials 1000000000000 --threads 1 --json --save {}", at(&file));
        let mut child = tavli()
            .args(endless.split_whitespace())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        wait_until_caught(&mut child);
        let_worker_use(&mut child, Duration::from_millis(50));
        // Another process may not write the file meanwhile.
        refused(&format!("rollout --game {game} --resume {}", at(&file)), "another process");
        signal(&child, name);
        let output = child.wait_with_output().expect("it ends");
        let result = parse(&output);
        assert_eq!((&result["ended_by"], &result["complete"]), (&"cancelled".into(), &false.into()));
        let trials = result["trials"].as_u64().expect("a number");
        assert!(trials > 0, "{result}");
        let more = trials + 500;
        let resumed = json(&format!("rollout --resume {} --trials {more} --json", at(&file)));
        let whole = json(&format!("rollout {question} --trials {more} --json"));
        assert_eq!(facts(&resumed), facts(&whole), "{game}");
    }
}

#[test]
fn other_files_and_options_are_refused() {
    let file = |name: &str| at(&fresh(name));
    let (plakoto, backgammon, table) = (file("of-plakoto.json"), file("of-backgammon.json"), file("of-search.json"));
    json(&format!("rollout start 31 --game plakoto --policy uniform --trials 36 --json --save {plakoto}"));
    json(&format!("rollout {OPENING} --policy uniform --trials 36 --json --save {backgammon}"));
    json(&format!("search {OPENING} 31 --simulations 100 --json --save {table}"));
    let damaged = file("damaged.json");
    let change = |from: &str, to: &str| {
        let text = fs::read_to_string(&plakoto).expect("a saved rollout");
        fs::write(&damaged, text.replacen(from, to, 1)).expect("a place to write");
    };
    let resumed = format!("rollout --game plakoto --resume {damaged}");
    change("\"seed\":1", "\"seed\":2");
    refused(&resumed, "it is damaged: its checksum is ");
    change("\"version\":1", "\"version\":7");
    refused(&resumed, "it is a record of version 7; this program reads version 1");
    change("\"candidates\"", "\"candidate\"");
    refused(&resumed, "unknown field `candidate`");
    fs::write(&damaged, "{}").expect("a place to write");
    refused(&resumed, "it is the record of neither a rollout nor a search");
    refused(&format!("rollout --game plakoto --resume {table}"), "its format is 'tavli search'");
    for (arguments, expected) in [
        (
            format!("--game fevga --resume {plakoto}"),
            "is a rollout of plakoto, not of fevga: leave --game out, or write --game plakoto",
        ),
        (
            format!("--game backgammon --resume {plakoto}"),
            "is a rollout of plakoto, not of backgammon: leave --game out, or write --game plakoto",
        ),
        (
            format!("--game draughts --resume {backgammon}"),
            "is a rollout of backgammon, not of draughts: leave --game out, or write --game backgammon",
        ),
        (format!("--game plakoto --resume {plakoto} --seed 2"), "the saved rollout has the seed 1, not 2"),
        (format!("--game plakoto --resume {plakoto} --policy strong"), "has the policy uniform, not strong"),
        (format!("start 42 --game plakoto --resume {plakoto}"), "the saved rollout has the roll 31, not 42"),
        (
            format!("start 31 --play 24/20 --game plakoto --resume {plakoto}"),
            "the saved rollout has the list of candidates",
        ),
        (format!("--game plakoto --resume {plakoto} --trials 35"), "36 trials have been played"),
        (format!("--game plakoto --resume {plakoto} --shard 1/2"), "too few for 2 shards"),
        (format!("--game plakoto --resume {plakoto} --within 0.1"), "the saved rollout is none"),
        (format!("start 31 --game plakoto --save {damaged} --force"), "for plain rollouts in plakoto"),
        (format!("start --game fevga --save {plakoto}"), "--force replaces it"),
        ("start --game fevga --shard 1/2 --save x --seconds 1".to_owned(), "cannot be used with"),
        (
            format!("start --game fevga --stop-se -1 --save {damaged} --force"),
            "invalid value '-1' for '--stop-se <POINTS>': write a number above 0",
        ),
    ] {
        refused(&format!("rollout {arguments}"), expected);
    }
    refused(
        &format!("merge {plakoto} {backgammon} --output {}", file("mixed.json")),
        "the game is plakoto in one, backgammon in the other; merge shards of one rollout",
    );
    for style in ["--csv", "--layout xg"] {
        refused(
            &format!("merge {plakoto} {style} --output {}", file("styled.json")),
            "are written as text or with --json",
        );
    }
}

/// An error about options of decisions beside others names one way out, which holds.
#[test]
fn options_of_decisions_are_refused_with_one_advice() {
    let file = at(&fresh("advice.json"));
    for (options, expected) in [
        (
            "start --truncate 3 --trials 100",
            "--truncate is for decisions in fevga: write the ROLL after the position, and add --within or leave out \
             --trials\n",
        ),
        (
            "start 31 --truncate 3 --trials 100",
            "--truncate is for decisions in fevga: add --within or leave out --trials\n",
        ),
        (
            "start 31 --truncate 3 --trials 100 --save FILE",
            "--truncate is for decisions in fevga: leave out --save and --trials\n",
        ),
        (
            "start 31 --truncate 3 --within 0.1 --trials 100 --save FILE",
            "--save is for plain rollouts in fevga, and this is a decision: leave out --within and --truncate\n",
        ),
        ("start 31 --truncate 3 --stop-se 0.1", "--truncate is for decisions in fevga: leave out --stop-se\n"),
        (
            "start 31 --save FILE",
            "--save is for plain rollouts in fevga, and this is a decision: add --trials or --policy\n",
        ),
    ] {
        refused(&format!("rollout --game fevga {}", options.replace("FILE", &file)), expected);
    }
}

#[test]
fn each_line_of_a_file_is_rolled_out() {
    let positions = fresh("lines.tsv");
    for (game, lines) in [
        ("draughts", "start\n# a remark\nB:W18,24:B1,2\nnonsense\n"),
        ("tictactoe", "start\nX--/-O-/--X O\nnonsense\n"),
        ("plakoto", "start\t31\nnonsense\nn-------------------a--O\n"),
        ("fevga", "start\nnonsense\nstart\t64\n"),
    ] {
        fs::write(&positions, lines).expect("a place to write");
        let common = format!("rollout --game {game} --policy uniform --trials 72 --positions {}", at(&positions));
        let output = run(&format!("{common} --json"));
        // The bad line is reported, and the others are answered.
        let bad = lines.lines().position(|line| line == "nonsense").expect("it is there") + 1;
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        assert!(errors(&output).contains(&format!("error: line {bad}: ")), "{output:?}");
        let answers: Vec<Value> = text(&output).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        assert_eq!(answers.len(), 2, "{output:?}");
        for answer in &answers {
            let line = answer["line"].as_u64().expect("a number") as usize;
            let line = lines.lines().nth(line - 1).expect("a line");
            let question: Vec<&str> = line.split('\t').collect();
            let options = ["--game", game, "--policy", "uniform", "--trials", "72", "--json"];
            let alone = [&["rollout"][..], &question, &options];
            let alone = parse(&run_with_input(&alone.concat(), b""));
            assert_eq!(answer["candidates"], alone["candidates"], "{line}");
        }
        let table = run(&common);
        let rows: Vec<Vec<&str>> = text(&table).lines().skip(2).map(|row| row.split(',').collect()).collect();
        assert_eq!(rows.len(), 2, "{table:?}");
        let file = fresh(&format!("{game}-lines.csv"));
        run(&format!("{common} --save {}", at(&file)));
        let saved = fs::read_to_string(&file).expect("a table");
        assert_eq!(saved, text(&table));
        // Without its last row it is continued.
        let cut = saved.trim_end().rfind('\n').expect("rows") + 1;
        fs::write(&file, &saved[..cut]).expect("a place to write");
        run(&format!("{common} --resume {}", at(&file)));
        assert_eq!(fs::read_to_string(&file).expect("a table"), saved);
        refused(&format!("{common} --seed 2 --resume {}", at(&file)), "is not a table of this rollout");
    }
}

#[test]
fn lines_with_a_roll_are_decided() {
    let positions = fresh("decided.tsv");
    fs::write(&positions, "---------A-----------o--\t31\n---------A-----------o--\n").expect("a place to write");
    let common = format!("rollout --game plakoto --positions {}", at(&positions));
    let output = run(&format!("{common} --json"));
    let answers: Vec<Value> = text(&output).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let decision = &answers[0]["decision"];
    let alone = json("rollout ---------A-----------o-- 31 --game plakoto --json");
    assert_eq!(decision, &alone["decision"]);
    assert_eq!(answers[1]["trials"], 46_656);
    let table = run(&common);
    let mut lines = text(&table).lines().skip(1);
    let names: Vec<&str> = lines.next().expect("a head").split(',').collect();
    for row in lines {
        assert_eq!(row.split(',').count(), names.len(), "{row}");
    }
    let verdict = names.iter().position(|name| *name == "verdict").expect("a column");
    let first = text(&table).lines().nth(2).expect("a row");
    assert_eq!(first.split(',').nth(verdict), decision["verdict"].as_str());
    let cut_off = run(&format!("{common} --truncate 3"));
    assert!(errors(&cut_off).contains("line 2: --truncate is for decisions"), "{cut_off:?}");
}
