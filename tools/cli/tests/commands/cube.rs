//! Values with the cube and the score.

use std::collections::HashMap;
use std::fs;

use serde_json::Value;

use crate::support::{OPENING, errors, json, run, run_with_input, scratch_file, text};

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
    assert_eq!(owned["cube"], json(&format!("evaluate {OPENING} --cube 2:own --json"))["cube"]);
    let jacoby = json("evaluate XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:1:0:10 --json");
    assert_eq!(jacoby["cube"], json(&format!("evaluate {OPENING} --jacoby --json"))["cube"]);
    assert_ne!(jacoby["cube"], json(&format!("evaluate {OPENING} --cube 1 --json"))["cube"]);
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
fn a_finished_game_has_the_worth_of_its_end() {
    // The player on roll is off; the opponent is not home.
    let over = "0,0,0,0,0,0,-5,0,-3,0,0,0,0,-5,0,0,0,0,0,0,0,0,0,0,-2,0";
    for options in ["--cube 1", "--cube 1 --look-ahead 1", "--match 5 --look-ahead 2"] {
        let found = json(&format!("evaluate {over} {options} --json"));
        assert_eq!(number(&found["equity"]), 3.0);
        let cube = &found["cube"];
        assert_eq!(cube["action"], "Not available", "{options}: {found}");
        assert_eq!(cube["double_take"], cube["no_double"], "{options}: {found}");
        if !options.contains("match") {
            assert_eq!(number(&cube["no_double"]), 3.0, "{options}: {found}");
        }
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
    for line in
        ["4-away 2-away, cube 1 in the middle", "Proper cube action: Double, take", "Best Cube action: Double / Take"]
    {
        assert!(printed.lines().any(|printed| printed == line), "{line}: {printed}");
    }
    let output = run(&format!("evaluate {OPENING} --beavers"));
    let printed = text(&output);
    for line in ["Proper cube action: No double, beaver", "Best Cube action: No double / Beaver"] {
        let is_printed = printed.lines().any(|printed| printed.starts_with(line));
        assert!(is_printed, "{line}: {printed}");
    }
    let output = run(&format!("evaluate {OPENING} --cube 2:opponent --layout gnubg"));
    let owned = text(&output);
    assert!(owned.ends_with("Proper cube action: Not available\n"), "{owned}");
    let output = run(&format!("evaluate {MATCH} --csv"));
    let table = text(&output);
    let cells: Vec<usize> = table.lines().map(|line| line.replace(", ", " ").split(',').count()).collect();
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
        ("--cube 65536", "a cube is a power of 2, 1 to 32768"),
        ("--match 7 --score 7-3", "the match is over"),
        ("--match 7 --score 3", "such as 3-5"),
        ("--match 7 --crawford", "at 0-0 in a match of 7 there is no Crawford game"),
        ("--match 3 --score 2-2 --crawford", "at 2-2 in a match of 3 there is no Crawford game"),
        ("--match 3 --score 2-1 --crawford --cube 2:own", "the cube is at 2 in the Crawford game"),
        ("--score 1-2", "add --match N"),
        ("--match 7 --jacoby", "cannot be used with"),
        ("--jacoby --cubeless", "cannot be used with"),
        ("--cube-life 1.5", "a number 0 to 1"),
        ("--rules hypergammon --cube 2", "write --cubeless in place of --cube"),
    ] {
        let start = if options.contains("hypergammon") { "bQAAgC0AAAAAAA" } else { OPENING };
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
    let plays = json(&format!("rollout {RACE} 64 --cube 2:opponent --allocate even --trials 36 --json"));
    let values = plays["candidates"].as_array().expect("candidates");
    let values: Vec<f64> = values.iter().map(|play| number(&play["cubeful"])).collect();
    assert!(values.is_sorted_by(|a, b| a >= b), "{values:?}");
    let printed = run(&format!("rollout {RACE} --cube 1 --trials 36"));
    for line in ["Proper cube action: ", "Best Cube action: ", "     Double, take  Eq.: "] {
        assert!(text(&printed).lines().any(|printed| printed.starts_with(line)), "{}", text(&printed));
    }
    let table = run(&format!("rollout {RACE} --cube 1 --trials 36 --csv"));
    let cells: Vec<usize> = text(&table).lines().map(|line| line.split(',').count()).collect();
    assert!(cells.len() == 3 && cells.iter().all(|&cells_of| cells_of == cells[0]), "{cells:?}");
}

/// A lost match has the value -1 where the opponent needs one point; the plays lose but for a shot in a hundred.
#[test]
fn equities_with_the_cube_are_within_what_a_match_allows() {
    let lost = "XGID=--BADBDA--------------ccA-:0:0:1:63:1:6:1:7:10";
    let (mut moved, mut rows) = (0, 0);
    for (seed, adjusted) in [(1, ""), (3, "--variance-reduction")] {
        let options = "--play 24/21,7/1 --play 24/18,5/2 --policy fast --trials 36 --json";
        let document = json(&format!("rollout {lost} {options} --seed {seed} {adjusted}"));
        for play in document["candidates"].as_array().expect("candidates") {
            let [raw, mean, low, high] =
                ["raw_cubeful", "cubeful", "low_cubeful", "high_cubeful"].map(|name| number(&play[name]));
            assert!(-1.0 <= low && low <= mean && mean <= high, "{play}");
            assert_eq!(mean, raw.max(-1.0), "{play}");
            moved += usize::from(mean != raw);
            rows += 1;
            assert!(number(&play["high_behind"]) <= 20.1, "{play}");
        }
    }
    assert_eq!((moved, rows), (2, 4));
    let won = json("rollout XGID=-AA------------------bbbb-:0:0:1:21:6:0:0:7:10 --policy fast --trials 36 --json");
    let best = &won["candidates"][0];
    assert_eq!(["low_cubeful", "cubeful", "high_cubeful"].map(|name| number(&best[name])), [1.0; 3], "{best}");
    // Nobody may double beyond the limit: a game that is won by single games alone gives at most the cube.
    let limited = json("rollout XGID=-B---B---------------b-b--:0:0:1:00:0:0:0:0:0 --policy fast --trials 36 --json");
    for choice in limited["candidates"].as_array().expect("candidates") {
        assert!(number(&choice["high_cubeful"]) <= 1.0 && number(&choice["low_cubeful"]) >= -1.0, "{choice}");
    }
}

#[test]
fn games_with_a_cube_are_cut_off_with_a_value() {
    for (options, remedy) in [
        ("--cube 1", "or write --cubeless in place of --cube"),
        ("31 --cube 1", "or write --cubeless in place of --cube"),
        (":cAkAAAAAAAAE", "or add --cubeless"),
    ] {
        let space = if options.starts_with(':') { "" } else { " " };
        let refused =
            run(&format!("rollout {OPENING}{space}{options} --policy fast --trials 36 --truncate 3 --evaluator none"));
        assert_eq!(refused.status.code(), Some(2), "{options}");
        let message = format!(
            "--evaluator none leaves games that are cut off without a value, which the cube needs: leave it out, \
             name an evaluator, {remedy}"
        );
        assert!(errors(&refused).contains(&message), "{}", errors(&refused));
    }
}

#[test]
fn a_saved_rollout_keeps_its_cube() {
    let file = scratch_file("cube-rollout.json");
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
    // Without the position, the options change the saved cube.
    let same = run(&format!("rollout --resume {path} --match 5 --score 0-0 --cube 1 --extend 36"));
    assert!(same.status.success(), "{}", errors(&same));
    let money = scratch_file("cube-rollout-money.json");
    let cubeless = scratch_file("cube-rollout-cubeless.json");
    for (options, file) in [("--cube 2:own --jacoby --cube-life 0.5", &money), ("", &cubeless)] {
        let file = file.display();
        let saved = run(&format!("rollout {RACE} {options} --trials 36 --save {file} --force"));
        assert!(saved.status.success(), "{}", errors(&saved));
    }
    let same = run(&format!("rollout --resume {} --cube-life 0.5 --jacoby --cube 2:own", money.display()));
    assert!(same.status.success(), "{}", errors(&same));
    let of_match = "the saved rollout has the cube 5-away 5-away, cube 1 in the middle, not";
    let of_money =
        "the saved rollout has the cube money game, Jacoby rule, cube 2 of the player on roll, efficiency 0.5, not";
    let of_none = "the saved rollout has the cube none, not";
    let cases = [
        (&file, "--cube 4", of_match),
        (&file, "--match 9", of_match),
        (&file, "--match 5 --score 1-0", of_match),
        (&file, "--cube-life 0.2", of_match),
        (&file, "--cubeless", of_match),
        (&file, "--jacoby", "the position is from a match"),
        (&file, "--score 1-0", "add --match N"),
        (&file, "--crawford", "there is no Crawford game"),
        (&money, "--cube 4:own", of_money),
        (&money, "--beavers", of_money),
        (&money, "--cube-life 0.6", of_money),
        (&money, "--match 5", of_money),
        (&money, "--cubeless", of_money),
        (&cubeless, "--cube 2", of_none),
        (&cubeless, "--match 5", of_none),
        (&cubeless, "--jacoby", of_none),
        (&cubeless, "--cube-life 0.3", of_none),
        (&cubeless, "--score 1-1 --crawford", "add --match N"),
    ];
    for (file, options, message) in cases {
        let refused = run(&format!("rollout --resume {} {options}", file.display()));
        assert_eq!(refused.status.code(), Some(2), "{options}");
        assert!(errors(&refused).contains(message), "{options}: {}", errors(&refused));
    }
}

/// Lines with and without a cube, and the options that give a position alone the same: the middle of a match, none, a
/// cube of the opponent, the Crawford game, and the plays of a roll.
const LINES: [[&str; 3]; 5] = [
    [":cAngAFAAGAAE", "", "--match 7 --score 3-5"],
    ["", "", ""],
    [":QQkAAAAAAAAE", "", "--cube 2:opponent"],
    [":8AngAGAAGAAE", "", "--match 7 --score 3-6 --crawford"],
    [":cAkAAAAAAAAE", "64", "--cube 1 --allocate even"],
];

/// The first line with another limit of the cube.
const OF_32: &str = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:3:5:0:7:5";

/// The text of the lines. Games from the opening that are cut off reach no bear-off, whose table takes seconds to make.
fn lines() -> String {
    LINES.iter().map(|[cube, roll, _]| format!("{OPENING}{cube}\t{roll}\n")).collect()
}

/// The rows of a table by the names of its columns.
fn rows(table: &str) -> Vec<HashMap<&str, &str>> {
    let cells = |line| -> Vec<&str> {
        let mut is_quoted = false;
        let split = str::split(line, move |letter| {
            is_quoted ^= letter == '"';
            letter == ',' && !is_quoted
        });
        split.map(|cell| cell.trim_matches('"')).collect()
    };
    let mut lines = table.lines().skip(1);
    let names = cells(lines.next().expect("names"));
    let row = |line| {
        let cells = cells(line);
        assert_eq!(cells.len(), names.len(), "{line}");
        names.iter().copied().zip(cells).collect()
    };
    lines.map(row).collect()
}

#[test]
fn lines_are_rolled_out_with_their_own_cubes() {
    let arguments = ["rollout", "--positions", "-", "--trials", "36", "--truncate", "2"];
    let output = run_with_input(&arguments, lines().as_bytes());
    assert!(output.status.success(), "{}", errors(&output));
    let table = rows(text(&output));
    let output = run_with_input(&[&arguments[..], &["--json"]].concat(), lines().as_bytes());
    assert!(output.status.success(), "{}", errors(&output));
    let documents: Vec<Value> =
        text(&output).lines().map(|line| serde_json::from_str(line).expect("a document a line")).collect();
    assert_eq!((table.len(), documents.len()), (LINES.len(), LINES.len()));
    for (index, [_, roll, options]) in LINES.into_iter().enumerate() {
        let alone = json(&format!("rollout {OPENING} {roll} {options} --trials 36 --truncate 2 --json"));
        let (row, document) = (&table[index], &documents[index]);
        assert_eq!(document["line"], index as u64 + 1);
        for key in ["played_with", "cube", "candidates", "roll", "trials"] {
            assert_eq!(document.get(key), alone.get(key), "{options}: {key}");
        }
        // A row is the best play, or the position as it stands.
        let kept =
            |candidate: &&Value| !roll.is_empty() || candidate.get("cube").is_none_or(|cube| cube == "no_double");
        let candidates = alone["candidates"].as_array().expect("candidates");
        let shown = candidates.iter().find(kept).expect("one that is shown");
        let same = |row: &str, value: Option<&Value>| match value {
            None | Some(Value::Null) => row.is_empty(),
            Some(Value::String(value)) => row == value,
            Some(value) => row.parse().ok() == value.as_f64(),
        };
        for column in ["equity", "se_equity", "win", "lose_gammon", "cubeful", "se_cubeful", "high_cubeful"] {
            let value = shown.get(column);
            assert!(same(row[column], value), "{options}: {column} {} {value:?}", row[column]);
        }
        for column in ["no_double", "double_take", "double_pass", "action", "se_no_double", "se_double_take"] {
            let value = alone.get("cube").and_then(|cube| cube.get(column));
            assert!(same(row[column], value), "{options}: {column} {} {value:?}", row[column]);
        }
        assert!(same(row["played_with"], alone.get("played_with")), "{options}");
        let plays = if roll.is_empty() { 1 } else { candidates.len() };
        assert_eq!((row["roll"], row["plays"].parse()), (roll, Ok(plays)));
    }
    assert_eq!(table[2]["action"], "Not available");
    assert!(table[2]["double_take"].is_empty() && !table[2]["no_double"].is_empty());
    // A race is for the lines with a roll.
    let raced = run_with_input(&[&arguments[..], &["--stop-jsd", "1"]].concat(), lines().as_bytes());
    assert!(raced.status.success(), "{}", errors(&raced));
    assert_eq!(rows(text(&raced))[0]["no_double"], table[0]["no_double"]);
}

#[test]
fn lines_without_cube_are_as_they_were() {
    let arguments = ["rollout", "--positions", "-", "--trials", "36", "--truncate", "2"];
    let without = [&arguments[..], &["--cubeless"]].concat();
    let bare: String = LINES.iter().map(|[_, roll, _]| format!("{OPENING}\t{roll}\n")).collect();
    let [named, bare] = [lines(), bare].map(|lines| {
        let output = run_with_input(&without, lines.as_bytes());
        text(&output).to_owned()
    });
    assert_eq!(named, bare);
    let columns = bare.lines().nth(1).expect("names");
    assert!(columns.ends_with(",raw_behind,jsd,checksum"), "{columns}");
    // One option gives every line a cube; the Crawford game has none.
    let given = [&arguments[..], &["--cube", "4:own"]].concat();
    let without_crawford = lines().replace(":8AngAGAAGAAE", "");
    let output = run_with_input(&given, without_crawford.as_bytes());
    let found: Vec<&str> = rows(text(&output)).iter().map(|row| row["played_with"]).collect();
    let money = "money game, cube 4 of the player on roll";
    let expected = ["4-away 2-away, cube 4 of the player on roll", money, money, money, money];
    assert_eq!(found, expected);
}

#[test]
fn a_table_is_continued_with_the_same_cubes_only() {
    let [positions, table] = ["cubes.tsv", "cubes.csv"].map(scratch_file);
    let resume = |options: &str, lines: &str| {
        fs::write(&positions, lines).expect("a place to write");
        let (positions, table) = (positions.display(), table.display());
        run(&format!("rollout --positions {positions} --trials 36 --truncate 2 --resume {table} {options}"))
    };
    let lines = lines();
    let begun: String = lines.split_inclusive('\n').take(2).collect();
    assert!(resume("", &begun).status.success());
    let whole = resume("", &lines);
    assert!(whole.status.success(), "{}", errors(&whole));
    let saved = fs::read_to_string(&table).expect("a table");
    assert_eq!(rows(&saved).len(), LINES.len());
    let place = "line 1 of the positions is not '4HPwATDgc/ABMA,,4-away 2-away, cube 1 in the middle'";
    let other_columns = "begins with other columns";
    for (options, lines, code, message) in [
        ("", lines.replacen("cAngAFAAGAAE", "cAkAAAAAAAAE", 1), 2, place),
        ("", lines.replacen(":cAngAFAAGAAE", "", 1), 2, place),
        // The cube goes to 32 only.
        ("", lines.replacen(&format!("{OPENING}:cAngAFAAGAAE"), OF_32, 1), 2, place),
        ("--cube-life 0.5", lines.clone(), 2, place),
        ("--match 9 --score 3-5", lines.clone(), 2, place),
        ("--cubeless", lines.clone(), 2, other_columns),
        ("--json", lines.clone(), 2, "leave out --json"),
    ] {
        let output = resume(options, &lines);
        assert_eq!(output.status.code(), Some(code), "{options}: {}", errors(&output));
        assert!(errors(&output).contains(message), "{options}: {}", errors(&output));
    }
    assert_eq!(fs::read_to_string(&table).expect("a table"), saved);
    for file in [positions, table] {
        fs::remove_file(file).expect("it was there");
    }
}

#[test]
fn a_line_that_the_cube_forbids_is_named_and_the_others_are_answered() {
    let bad = format!(
        "{OPENING}:cAngAFAAGAAE\nXGID=-b----E-C---eE---c-e----B-:0:0:1:00:7:3:0:7:10\n\
         XGID=-b----E-C---eE---c-e----B-:0:0:1:00:7:3:1:7:10\n{OPENING}\n"
    );
    for options in ["", "--json"] {
        let arguments = ["rollout", "--positions", "-", "--trials", "36", "--truncate", "2"];
        let options: Vec<&str> = options.split_whitespace().collect();
        let output = run_with_input(&[&arguments[..], &options].concat(), bad.as_bytes());
        assert_eq!(output.status.code(), Some(1));
        let rows = text(&output).lines().filter(|line| line.contains(OPENING)).count();
        assert_eq!(rows, 2, "{}", text(&output));
        for message in ["line 2: not the state of a game: ", "error: line 3: "] {
            assert!(errors(&output).contains(message), "{}", errors(&output));
        }
    }
    let uniform = ["rollout", "--policy", "uniform", "--positions", "-", "--trials", "36"];
    let output = run_with_input(&uniform, lines().as_bytes());
    let of_uniform = "line 1: uniform gives no outcome probabilities, which cube decisions need";
    assert!(errors(&output).contains(of_uniform), "{}", errors(&output));
    assert!(errors(&output).contains("without cube: add --cubeless"), "{}", errors(&output));
    let jacoby = ["rollout", "--positions", "-", "--trials", "36", "--truncate", "2", "--jacoby"];
    let output = run_with_input(&jacoby, lines().as_bytes());
    assert!(errors(&output).contains("line 1: --jacoby and --beavers are for money games"));
}

#[test]
fn lines_are_valued_with_their_own_cubes() {
    let output = run_with_input(&["evaluate", "--json"], lines().as_bytes());
    assert!(output.status.success(), "{}", errors(&output));
    let documents = text(&output).lines().map(|line| serde_json::from_str(line).expect("JSON"));
    let documents: Vec<Value> = documents.collect();
    let printed = run_with_input(&["evaluate"], lines().as_bytes());
    let printed: Vec<&str> = text(&printed).lines().collect();
    for (index, [_, roll, options]) in LINES.into_iter().enumerate() {
        let options = options.replace("--allocate even", "");
        let alone = json(&format!("evaluate {OPENING} {roll} {options} --json"));
        let document: &Value = &documents[index];
        for key in ["cube", "plays", "equity"] {
            assert_eq!(document.get(key), alone.get(key), "{options}: {key}");
        }
        let action = alone.get("cube").map(|cube| cube["action"].as_str().expect("words"));
        assert!(action.is_none_or(|action| printed[index].ends_with(action)), "{}", printed[index]);
    }
    let cubeless = run_with_input(&["evaluate", "--cubeless"], lines().as_bytes());
    let bare: String = LINES.iter().map(|[_, roll, _]| format!("{OPENING}\t{roll}\n")).collect();
    assert_eq!(text(&cubeless), text(&run_with_input(&["evaluate"], bare.as_bytes())));
}

#[test]
fn the_matrix_of_scores_is_for_lines_of_json_without_a_roll() {
    let output = run_with_input(&["evaluate", "--scores", "2", "--json"], lines().as_bytes());
    assert_eq!(output.status.code(), Some(1));
    assert!(errors(&output).contains("line 5: --scores is for cube decisions, before a roll"));
    assert_eq!(text(&output).lines().filter(|line| line.contains("\"scores\":[{")).count(), 4);
    for options in [&["evaluate", "--scores", "2"][..], &["evaluate", OPENING, "--scores", "2", "--csv"]] {
        let output = run_with_input(options, lines().as_bytes());
        assert_eq!(output.status.code(), Some(2), "{options:?}");
        assert!(errors(&output).contains("no room for the matrix"), "{}", errors(&output));
    }
}

#[test]
fn decisions_at_all_scores_are_those_of_each_score() {
    let document = json(&format!("evaluate {OPENING} --scores 3 --json"));
    let line = run_with_input(&["evaluate", "--scores", "3", "--json"], format!("{OPENING}\n").as_bytes());
    let line: Value = serde_json::from_str(text(&line)).expect("JSON");
    assert_eq!(document["scores"], line["scores"]);
    let scores = document["scores"].as_array().expect("a list");
    assert_eq!(scores.len(), 9);
    for at in scores {
        let [own, other] = ["away", "opponent_away"].map(|away| 5 - at[away].as_u64().expect("points"));
        let alone = json(&format!("evaluate {OPENING} --match 5 --score {own}-{other} --json"));
        for key in ["no_double", "double_take", "double_pass", "action"] {
            assert_eq!(at[key], alone["cube"][key], "{at}");
        }
    }
}

#[test]
fn hypergammon_with_the_cube_names_its_table() {
    let start = "ADAAAQAkIAAAAA";
    for (options, message) in [
        ("--cube 1", "name it by --table FILE, which tavli solve hypergammon --cube --output FILE makes"),
        ("--table none.tab", "--table: cannot read none.tab"),
        ("--table none.tab --evaluator fast", "cannot be used with"),
        ("--table none.tab --cube-life 0.6", "cannot be used with"),
    ] {
        let output = run(&format!("evaluate {start} --rules hypergammon {options}"));
        assert_eq!(output.status.code(), Some(2), "{options}");
        assert!(errors(&output).contains(message), "{options}: {}", errors(&output));
    }
    let other = run(&format!("evaluate {OPENING} --table none.tab"));
    assert_eq!(other.status.code(), Some(2));
    assert!(errors(&other).contains("--table is for the rules of hypergammon, not backgammon"));
}

#[test]
fn a_rollout_that_the_cube_forbids_is_named() {
    for (options, message) in [
        ("--cube 1 --policy uniform", "gives no outcome probabilities, which cube decisions need"),
        ("--cube 1 --stop-jsd 2", "plays no double and double, take to the end"),
        ("--cube 1 --allocate race", "plays no double and double, take to the end"),
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
    assert_eq!((&matches["matches"], &matches["match_share"]), (&Value::from(4), &Value::from(0.5)));
    let money = json("duel fast fast --money --jacoby --games 4 --json");
    assert_eq!((&money["games"], &money["points_per_game"]), (&Value::from(4), &Value::from(0.0)));
    let refused = run("duel fast pubeval --match 3");
    assert_eq!(refused.status.code(), Some(2));
    assert!(errors(&refused).contains("pubeval gives no outcome probabilities"));
}

#[test]
fn the_terminal_has_a_cube() {
    // Two players play a match to its end.
    let watched = run("play fast fast --match 2 --seed 3");
    let watched = text(&watched);
    let ends = ["A", "B"].map(|player| format!("fast ({player}) won the match\n"));
    assert!(ends.iter().any(|end| watched.ends_with(end)), "{watched}");
    // A person doubles before his roll, and not before the first one.
    let arguments = ["play", "fast", "--money", "--position", "1e4AAFDbHQAAAA"];
    let asked = run_with_input(&arguments, b"hint\ntake\ndouble\n");
    let printed = text(&asked);
    for line in [
        "roll or double, or help?",
        "Cubeful equities:",
        "the dice are not thrown yet: roll or double first",
        "     you double to 2",
        "     fast takes",
        "the game stops here; tavli play me fast --money --position 1e4AAFDbHQAAAA:QQkAAAAAAAAE goes on from it with new dice",
    ] {
        assert!(printed.lines().any(|printed| printed == line), "{line}: {printed}");
    }
    let opening = run_with_input(&["play", "fast", "--match", "3"], b"quit\n");
    assert!(!text(&opening).contains("roll or double"), "{}", text(&opening));
}
