//! Plays, perft and positions by the command, against reference data.

use std::fs;
use std::io::Read;

use crate::support::{OPENING, OPENING_31, errors, json, parse, reference_data, run, run_with_input, tavli, text};
use flate2::read::GzDecoder;
use serde_json::Value;

#[test]
fn plays_of_every_row_are_those_of_the_reference_data() {
    let mut rows = String::new();
    let file = fs::File::open(reference_data("plays.tsv.gz")).unwrap();
    GzDecoder::new(file).read_to_string(&mut rows).unwrap();
    let output = run_with_input(&["plays"], rows.as_bytes());
    assert!(output.status.success(), "{}", errors(&output));
    let mut answers = text(&output).lines();
    let mut rolls = 0;
    for row in rows.lines().filter(|row| !row.starts_with('#')) {
        let columns: Vec<&str> = row.split('\t').collect();
        let [position, roll, _tags, n, results] = columns[..] else {
            panic!("{row}");
        };
        assert_eq!(answers.next(), Some([position, roll, n, results].join("\t").as_str()));
        rolls += 1;
    }
    assert_eq!(answers.next(), None);
    assert!(rolls > 5000, "{rolls} rows");
}

#[test]
fn plays_in_notation() {
    let output = run("plays 4HPwATDgc/ABMA 31");
    assert!(output.status.success());
    assert!(text(&output).contains("  8/5 6/5      sGfwATDgc/ABMA\n"), "{}", text(&output));
    let result = json("plays 4HPwATDgc/ABMA 13 --json");
    assert_eq!((&result["roll"], &result["n"]), (&"31".into(), &16.into()));
    let plays = result["plays"].as_array().unwrap();
    assert_eq!(plays.len(), 16);
    assert!(plays.iter().any(|play| play["moves"] == "8/5 6/5" && play["position_id"] == "sGfwATDgc/ABMA"));
    // Three on the bar against five closed points: 53 moves nothing.
    let result = json("plays zQYCBgAAAPj/Aw 44 --json");
    assert_eq!(result["n"], 1);
}

#[test]
fn dice_of_a_position_are_its_roll() {
    let expected = json(&format!("plays {OPENING} 31 --json"));
    assert_eq!(json(&format!("plays {OPENING_31} --json")), expected);
    assert_eq!(json(&format!("plays {OPENING_31} 13 --json")), expected);
    let input = format!("{OPENING}\t31\n{OPENING_31}\n{OPENING_31}\t31\n{OPENING_31}\t65\n");
    let output = run_with_input(&["plays"], input.as_bytes());
    assert_eq!(output.status.code(), Some(1));
    let answers: Vec<String> = text(&output).lines().map(|line| line.replace(OPENING_31, OPENING)).collect();
    assert_eq!(answers.len(), 3, "{answers:?}");
    assert!(answers.iter().all(|answer| *answer == answers[0]));
    let message = "line 4: the position has the roll 31, not 65";
    assert!(errors(&output).contains(message), "{}", errors(&output));
}

#[test]
fn plays_answers_json_line_by_line() {
    let output = run_with_input(&["plays", "--json"], b"4HPwATDgc/ABMA\t21\n4HPwATDgc/ABMA\t66\n");
    let answers: Vec<Value> = text(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((&answers[0]["roll"], &answers[1]["roll"]), (&"21".into(), &"66".into()));
}

#[test]
fn perft_is_that_of_the_reference_data() {
    let rows = fs::read_to_string(reference_data("perft.tsv")).unwrap();
    let mut counts = 0;
    for row in rows.lines().filter(|row| !row.starts_with('#')) {
        let columns: Vec<&str> = row.split('\t').collect();
        let [_name, position, depth, nodes, weighted, ..] = columns[..] else {
            panic!("{row}");
        };
        if depth.parse::<usize>().unwrap() > 2 {
            continue;
        }
        let result = json(&format!("perft {position} {depth} --json"));
        let last = result["depths"].as_array().unwrap().last().unwrap();
        let found = (&last["depth"], &last["nodes"], &last["weighted"]);
        let number = |text: &str| Value::from(text.parse::<u64>().unwrap());
        assert_eq!(found, (&number(depth), &number(nodes), &number(weighted)), "{row}");
        counts += 1;
    }
    assert!(counts > 4, "{counts} counts");
    let output = run("perft 4HPwATDgc/ABMA 2");
    assert!(text(&output).contains("202,782") && text(&output).contains("419,783"), "{}", text(&output));
}

#[test]
fn positions_are_written_in_every_format_and_read_back() {
    let rows = fs::read_to_string(reference_data("id_vectors.tsv")).unwrap();
    let rows: Vec<Vec<&str>> =
        rows.lines().filter(|row| !row.starts_with('#')).map(|row| row.split('\t').collect()).collect();
    let ids: String = rows.iter().map(|row| format!("{}\n", row[0])).collect();
    let output = run_with_input(&["position", "--json"], ids.as_bytes());
    assert!(output.status.success(), "{}", errors(&output));
    let answers: Vec<Value> = text(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers.len(), rows.len());
    let mut formats = [const { String::new() }; 4];
    for (row, answer) in rows.iter().zip(&answers) {
        assert_eq!(answer["position_id"], row[0]);
        let points: Vec<String> = answer["points"].as_array().unwrap().iter().map(Value::to_string).collect();
        let expected: Vec<&str> = row[1].split([' ', ',']).collect();
        assert_eq!(points, expected, "{row:?}");
        let xgid = answer["xgid"].as_str().unwrap();
        assert!(xgid.starts_with(&format!("XGID={}:", row[2])), "{row:?}: {xgid}");
        let fibs = answer["fibs"].as_str().unwrap();
        let both = format!("{}:{}", row[0], answer["match_id"].as_str().unwrap());
        for (format, text) in formats.iter_mut().zip([xgid, fibs, &points.join(" "), &both]) {
            format.push_str(text);
            format.push('\n');
        }
    }
    for format in &formats {
        let output = run_with_input(&["position", "--json"], format.as_bytes());
        let again: Vec<Value> = text(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(again, answers, "{}", format.lines().next().unwrap());
    }
}

#[test]
fn a_position_is_drawn() {
    let output = run(&format!("position {OPENING}"));
    for part in ["+13-14-15-16-17-18-", OPENING, "XGID=-b----E-C---eE---c-e----B-", "board:", "167"] {
        assert!(text(&output).contains(part), "{part}: {}", text(&output));
    }
    let output = tavli().args(["position", OPENING, "--json"]).output().unwrap();
    let result = parse(&output);
    assert_eq!((&result["pips"], &result["opponent_pips"]), (&167.into(), &167.into()));
}

/// As in the other games, and as the error of a command that asks for a position in which the game goes on.
#[test]
fn a_finished_position_says_who_won() {
    let over = "0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 -1 0 0";
    let home = "0 5 5 5 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 -15 0 0 0 0 0";
    for (position, rules, points) in
        [(over, "backgammon", Some(1)), (home, "backgammon", None), (home, "mcgammon", Some(-1))]
    {
        let call = |arguments: &[&str]| tavli().args(arguments).args(["--rules", rules]).output().unwrap();
        let result = parse(&call(&["position", position, "--json"]));
        assert_eq!(result["points_won"], serde_json::json!(points), "{rules}");
        let drawn = call(&["position", position]);
        let said = text(&drawn).lines().find_map(|line| line.strip_prefix("over         "));
        assert_eq!(said, points.map(|points| format!("{points:+} points")).as_deref());
        let refused = call(&["perft", position, "1"]);
        let error = points.map(|points| format!(", with {points:+} points for the player whose turn it would be; "));
        assert!(errors(&refused).contains(error.as_deref().unwrap_or_default()), "{refused:?}");
        assert_eq!(refused.status.success(), error.is_none());
    }
}

#[test]
fn the_drawing_of_a_game_of_three_checkers_shows_none_borne_off() {
    let opening = "0 -1 -1 -1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 1 1 1 0";
    for (rules, borne_off) in [("backgammon", 12), ("hypergammon", 0)] {
        let output = tavli().args(["position", opening, "--rules", rules]).output().unwrap();
        let drawing = text(&output).lines().take(13);
        let right: String =
            drawing.filter(|line| line.starts_with(" |")).flat_map(|line| line.chars().skip(45).take(3)).collect();
        for letter in ['O', 'X'] {
            assert_eq!(right.matches(letter).count(), borne_off, "{rules}");
        }
    }
}
