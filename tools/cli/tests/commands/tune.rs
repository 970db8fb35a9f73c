//! Numbers of players, tuned, interrupted and gone on with.

use std::fs;
use std::path::PathBuf;
use std::process::Stdio;

use serde_json::Value;

use crate::support::{errors, parse, run, scratch_file, signal, tavli, text, wait_until_caught};

const RECIPE: &str = r#"
description = "A test"
game = "tictactoe"
seed = 3
agent = "uct:{n}"
games = 200
parameters.n = { start = 2, least = 1, most = 30, decimals = 0 }
verification = { games = 200 }
"#;

/// Writes a recipe, and names files for its scores and its page that are not there.
fn recipe(name: &str, text: &str) -> [PathBuf; 3] {
    let files = ["toml", "tuning", "html"].map(|ending| scratch_file(&format!("{name}.{ending}")));
    for file in &files {
        let _ = fs::remove_file(file);
    }
    fs::write(&files[0], text).expect("a place to write");
    files
}

/// What two runs of a recipe have in common.
fn without_times(result: &Value) -> [Value; 5] {
    ["generations", "matches", "games", "of", "interrupted"].map(|name| result[name].clone())
}

#[test]
fn a_tuning_prints_its_way_and_its_matches() {
    let [file, saved, page] = recipe("tune", RECIPE);
    let command = format!("tune {} --save {}", file.display(), saved.display());
    let output = run(&format!("{command} --html {}", page.display()));
    assert!(output.status.success(), "{output:?}");
    let said = text(&output);
    for part in [
        "tictactoe, standard rules, uct:{n}, after 3 plies at random, seed 3; 200 games of each method",
        "  ga        1 of 1    n ",
        "  spsa     10 of 10   n ",
        "  start   uct:2\n",
        "  ga against start                 200 ",
        "  1,800 games in ",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    let written = fs::read_to_string(&page).expect("it is written");
    assert!(written.contains("n: the best so far") && written.contains("ga against start"));
    let again = run(&command);
    assert_eq!(again.status.code(), Some(2));
    assert!(errors(&again).contains("--resume goes on from the tuning that it has"), "{again:?}");
    // What has ended is printed again, the same on any number of threads.
    let same = parse(&run(&format!("{command} --resume --json")));
    let anew = parse(&run(&format!("{command} --force --json --threads 1 --isa portable")));
    assert_eq!((&same["games"], &same["interrupted"]), (&1800.into(), &false.into()));
    assert_eq!(without_times(&same), without_times(&anew));
}

#[test]
fn games_that_tell_nothing_are_remarked_upon() {
    let at_random = format!("random_plies = 9\n{RECIPE}");
    let [file, saved, _] = recipe("tune-even", &at_random);
    let output = run(&format!("tune {} --save {}", file.display(), saved.display()));
    let remark = "remark: all pairs of games were even, so no values are better than others; games that end within their \
                  9 plies at random always are: write fewer as random_plies\n";
    assert_eq!(errors(&output), remark, "{output:?}");
}

#[test]
fn an_interrupted_tuning_comes_to_the_same_end() {
    let long = RECIPE.replace("games = 200\np", "games = 4000\np");
    let [file, saved, _] = recipe("tune-interrupted", &long);
    let command = format!("tune {} --save {} --json", file.display(), saved.display());
    let whole = parse(&run(&command));
    fs::remove_file(&saved).expect("it was saved");
    let mut interruptions = 0;
    loop {
        let child = tavli()
            .args(command.split_whitespace())
            .arg("--resume")
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn();
        let mut child = child.expect("it starts");
        // After the first interruption it may go on to its end.
        if interruptions < 3 {
            wait_until_caught(&mut child);
            signal(&child, "TERM");
        }
        let output = child.wait_with_output().expect("it ends");
        let result = parse(&output);
        if result["interrupted"] == false {
            assert_eq!(without_times(&result), without_times(&whole));
            break;
        }
        assert!(errors(&output).contains(" of 13,200 games; --resume goes on"), "{output:?}");
        interruptions += 1;
    }
    assert!(interruptions > 0);
}

#[test]
fn what_cannot_be_tuned_is_said() {
    for (from, to, message) in [
        ("tictactoe", "chess", "game is \"chess\": write one of backgammon, tictactoe"),
        ("uct:{n}", "uct:{m}", "agent is \"uct:{m}\": write {n} in it"),
        ("uct:{n}", "cut:{n}", "'cut:2' is not a player of tictactoe: give random, uct:N"),
        ("seed = 3", "seed = -3", "expected a whole number from 0 to 9,223,372,036,854,775,807"),
        ("least = 1", "last = 1", "unknown field `last`, expected one of `start`, `least`"),
    ] {
        let [file, saved, _] = recipe("tune-wrong", &RECIPE.replace(from, to));
        let output = run(&format!("tune {} --save {}", file.display(), saved.display()));
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(errors(&output).contains("invalid recipe") && errors(&output).contains(message), "{output:?}");
        assert!(!saved.exists());
    }
    let [file, saved, _] = recipe("tune-wrong", RECIPE);
    fs::write(&saved, "something else").expect("a place to write");
    let [file, saved] = [file, saved].map(|file| file.display().to_string());
    for (command, message) in [
        (format!("{file} --save {saved} --resume"), "cannot go on from "),
        (format!("{file} --save {file} --force"), "is the recipe: name another file with --save"),
        (format!("{file} --save {saved} --html {saved} --force"), "name another file with --html"),
        ("no-such.toml".to_owned(), "cannot read no-such.toml"),
    ] {
        let output = run(&format!("tune {command}"));
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(errors(&output).contains(message), "{output:?}");
    }
}
