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
