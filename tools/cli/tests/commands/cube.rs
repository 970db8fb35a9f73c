//! Values with the cube and the score.

use serde_json::Value;

use crate::support::{OPENING, errors, json, run, run_with_input, text};

/// The opening at 3-5 in a match to 7, the cube at 1 in the middle.
const MATCH: &str = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:3:5:0:7:10";

fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

#[test]
fn options_say_what_a_text_says() {
    let of_text = json(&format!("evaluate {MATCH} --json"));
    let of_options = json(&format!("evaluate {OPENING} --match 7 --score 3-5 --json"));
    assert_eq!(of_text["cube"], of_options["cube"]);
    assert_eq!(of_text["cube"]["action"], "Double, take");
    let owned = json("evaluate XGID=-b----E-C---eE---c-e----B-:1:1:1:00:0:0:0:0:10 --json");
    assert_eq!(
        owned["cube"],
        json(&format!("evaluate {OPENING} --cube 2:own --json"))["cube"]
    );
    let jacoby = json("evaluate XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:1:0:10 --json");
    assert_eq!(
        jacoby["cube"],
        json(&format!("evaluate {OPENING} --jacoby --json"))["cube"]
    );
    assert_ne!(
        jacoby["cube"],
        json(&format!("evaluate {OPENING} --cube 1 --json"))["cube"]
    );
}

#[test]
fn a_cube_that_nobody_names_is_not_in_play() {
    let bare = json(&format!("evaluate {OPENING} --json"));
    assert!(bare.get("cube").is_none(), "{bare}");
    assert_eq!(bare, json(&format!("evaluate {MATCH} --cubeless --json")));
    let plays = json(&format!("evaluate {OPENING} 31 --json"));
    assert!(plays["plays"][0].get("cubeful_equity").is_none(), "{plays}");
}

#[test]
fn a_finished_game_has_no_decision() {
    // The player on roll is off; the opponent is not home.
    let over = "0,0,0,0,0,0,-5,0,-3,0,0,0,0,-5,0,0,0,0,0,0,0,0,0,0,-2,0";
    for options in ["--cube 1", "--cube 1 --look-ahead 1", "--match 5 --look-ahead 2"] {
        let found = json(&format!("evaluate {over} {options} --json"));
        assert_eq!(number(&found["equity"]), 3.0);
        assert!(found.get("cube").is_none(), "{options}: {found}");
    }
}

#[test]
fn plays_are_ranked_with_the_cube() {
    for score in ["--match 3 --score 1-0", "--cube 2:opponent", "--jacoby"] {
        let found = json(&format!("evaluate {OPENING} 64 {score} --json"));
        let plays = found["plays"].as_array().expect("plays");
        let best = number(&plays[0]["cubeful_equity"]);
        for pair in plays.windows(2) {
            let [first, second] = [0, 1].map(|place| number(&pair[place]["cubeful_equity"]));
            assert!(first >= second, "{score}: {pair:?}");
            assert_eq!(number(&pair[1]["behind"]), best - second);
        }
    }
    // The opponent doubles as soon as that is right, so a play is worth what he makes of the position after it.
    let play = &json(&format!("evaluate {OPENING} 31 --jacoby --json"))["plays"][0];
    let after = play["position_id"].as_str().expect("a text");
    let cube = &json(&format!("evaluate {after} --jacoby --json"))["cube"];
    assert_eq!(cube["action"], "No double, take");
    assert!((number(&play["cubeful_equity"]) + number(&cube["no_double"])).abs() < 1e-12);
}

#[test]
fn decisions_are_printed_in_both_layouts() {
    let output = run(&format!("evaluate {MATCH}"));
    let printed = text(&output);
    for line in [
        "match to 7, 3-5, cube 1 in the middle",
        "Proper cube action: Double, take",
        "Best Cube action: Double / Take",
    ] {
        assert!(printed.lines().any(|printed| printed == line), "{line}: {printed}");
    }
    let output = run(&format!("evaluate {OPENING} --cube 2:opponent --layout gnubg"));
    let owned = text(&output);
    assert!(owned.ends_with("Proper cube action: Not available\n"), "{owned}");
    let output = run(&format!("evaluate {MATCH} --csv"));
    let table = text(&output);
    let cells: Vec<usize> = table
        .lines()
        .map(|line| line.replace(", ", " ").split(',').count())
        .collect();
    assert_eq!(cells[0], cells[1], "{table}");
    let lines = run_with_input(&["evaluate"], format!("{OPENING}\n{MATCH}\n{MATCH}\t31\n").as_bytes());
    let columns: Vec<usize> = text(&lines).lines().map(|line| line.split('\t').count()).collect();
    assert_eq!(columns, [10, 12, 11]);
}

#[test]
fn a_cube_that_cannot_be_is_named() {
    for (options, message) in [
        ("--cube 3", "a cube is a power of 2"),
        ("--cube 2:nobody", "own or opponent"),
        ("--cube 1:own", "nobody owns it"),
        ("--cube 4096", "beyond its limit 2^10"),
        ("--match 7 --score 7-3", "the match is over"),
        ("--match 7 --score 3", "such as 3-5"),
        ("--match 7 --crawford", "cannot be the Crawford game"),
        ("--score 1-2", "add --match N"),
        ("--match 7 --jacoby", "cannot be used with"),
        ("--jacoby --cubeless", "cannot be used with"),
        ("--cube-life 1.5", "a number 0 to 1"),
        ("--rules hypergammon --cube 2", "add --cubeless"),
    ] {
        let start = if options.contains("hypergammon") {
            "bQAAgC0AAAAAAA"
        } else {
            OPENING
        };
        let output = run(&format!("evaluate {start} {options}"));
        assert_eq!(output.status.code(), Some(2), "{options}");
        assert!(errors(&output).contains(message), "{options}: {}", errors(&output));
    }
}

/// A race that takes a moment.
const RACE: &str = "1e4AAFDbHQAAAA";

#[test]
fn rollouts_have_the_cube_that_a_position_names() {
    let with = json(&format!("rollout {RACE} --match 7 --score 3-5 --trials 72 --json"));
    assert_eq!(with["played_with"], "4-away 2-away, cube 1 in the middle");
    let choices: Vec<&Value> = (0..2).map(|rank| &with["candidates"][rank]["cube"]).collect();
    assert!(choices.contains(&&Value::from("no_double")) && choices.contains(&&Value::from("double_take")));
    let cube = &with["cube"];
    assert!(number(&cube["se_no_double"]) > 0.0 && number(&cube["se_double_take"]) > 0.0);
    assert_eq!(cube["double_pass"], 1.0);
    assert!(cube["action"].is_string());
    let without = json(&format!("rollout {RACE}:cAkAAAAAAAAE --cubeless --trials 36 --json"));
    let bare = json(&format!("rollout {RACE} --trials 36 --json"));
    assert!(without.get("cube").is_none() && without["candidates"][0].get("cubeful").is_none());
    assert_eq!(without["candidates"], bare["candidates"]);
    let plays = json(&format!(
        "rollout {RACE} 64 --cube 2:opponent --allocate even --trials 36 --json"
    ));
    let values = plays["candidates"].as_array().expect("candidates");
    let values: Vec<f64> = values.iter().map(|play| number(&play["cubeful"])).collect();
    assert!(values.is_sorted_by(|a, b| a >= b), "{values:?}");
    let printed = run(&format!("rollout {RACE} --cube 1 --trials 36"));
    for line in ["Proper cube action: ", "Best Cube action: ", "     Double, take  Eq.: "] {
        assert!(
            text(&printed).lines().any(|printed| printed.starts_with(line)),
            "{}",
            text(&printed)
        );
    }
    let table = run(&format!("rollout {RACE} --cube 1 --trials 36 --csv"));
    let cells: Vec<usize> = text(&table).lines().map(|line| line.split(',').count()).collect();
    assert!(
        cells.len() == 3 && cells.iter().all(|&cells_of| cells_of == cells[0]),
        "{cells:?}"
    );
}

#[test]
fn a_saved_rollout_keeps_its_cube() {
    let file = crate::support::scratch_file("cube-rollout.json");
    let path = file.display();
    let saved = run(&format!("rollout {RACE} --match 5 --trials 36 --save {path} --force"));
    assert!(saved.status.success(), "{}", errors(&saved));
    let more = json(&format!("rollout --resume {path} --extend 36 --json"));
    let whole = json(&format!("rollout {RACE} --match 5 --trials 72 --json"));
    assert_eq!(more["cube"], whole["cube"]);
    let other = run(&format!("rollout {RACE} --match 5 --score 1-0 --resume {path}"));
    assert_eq!(other.status.code(), Some(2));
    let message = "the saved rollout has the cube 5-away 5-away, cube 1 in the middle, not 4-away 5-away";
    assert!(errors(&other).contains(message), "{}", errors(&other));
}

#[test]
fn a_rollout_that_the_cube_forbids_is_named() {
    for (options, message) in [
        (
            "--cube 1 --policy uniform",
            "gives no probabilities to decide about the cube by",
        ),
        (
            "--cube 1 --stop-jsd 2",
            "no double and double, take are always both played",
        ),
        (
            "--cube 1 --allocate race",
            "no double and double, take are always both played",
        ),
        ("--match 7 --score 7-3", "the match is over"),
    ] {
        let output = run(&format!("rollout {RACE} {options} --trials 36"));
        assert_eq!(output.status.code(), Some(2), "{options}");
        assert!(errors(&output).contains(message), "{options}: {}", errors(&output));
    }
}

#[test]
fn a_player_wins_one_of_two_matches_against_itself() {
    let matches = json("duel fast fast --match 3 --games 4 --json");
    assert_eq!(
        (&matches["matches"], &matches["match_share"]),
        (&Value::from(4), &Value::from(0.5))
    );
    let money = json("duel fast fast --money --jacoby --games 4 --json");
    assert_eq!(
        (&money["games"], &money["points_per_game"]),
        (&Value::from(4), &Value::from(0.0))
    );
    let refused = run("duel fast pubeval --match 3");
    assert_eq!(refused.status.code(), Some(2));
    assert!(errors(&refused).contains("pubeval gives no probabilities"));
}

#[test]
fn the_terminal_has_a_cube() {
    // Two players play a match to its end.
    let watched = run("play fast fast --match 2 --seed 3");
    let watched = text(&watched);
    assert!(watched.ends_with("fast won the match\n"), "{watched}");
    // A person doubles before his roll, and not before the first one.
    let arguments = ["play", "fast", "--money", "--position", "1e4AAFDbHQAAAA"];
    let asked = run_with_input(&arguments, b"hint\ntake\ndouble\n");
    let printed = text(&asked);
    for line in [
        "roll or double, or help?",
        "Cubeful equities:",
        "the dice are not thrown yet",
        "     you double to 2",
        "     fast takes",
        "the game stops here; tavli play --money --position 1e4AAFDbHQAAAA:QQkAAAAAAAAE goes on from it with new dice",
    ] {
        assert!(printed.lines().any(|printed| printed == line), "{line}: {printed}");
    }
    let opening = run_with_input(&["play", "fast", "--match", "3"], b"quit\n");
    assert!(!text(&opening).contains("roll or double"), "{}", text(&opening));
}
