//! What positions and plays are worth.

use serde_json::Value;

use crate::support::{OPENING, OPENING_31, errors, json, parse, run, run_with_input, tavli, text};

/// One checker on the six point against two on the ace point: all throws except nine bear it off.
const RACE: &str = "0 0 0 0 0 0 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 -2 0";

fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

/// Who reads JSON need not read standard error.
#[test]
fn remarks_are_in_json_in_the_words_of_standard_error() {
    let xgid = "XGID=---bB-DCC-B-cA---a-dabb---:2:1:1:00:4:2:1:7:10";
    for command in [
        format!("evaluate {xgid} --evaluator fast --json"),
        format!("evaluate {xgid} --evaluator fast --scores 3 --json"),
        format!("evaluate {xgid} 31 --evaluator fast --json"),
        format!("rollout {xgid} --trials 36 --threads 1 --json"),
        format!("playout {xgid} --games 10 --threads 1 --json"),
        format!("plays {xgid} 31 --json"),
        format!("position {xgid} --json"),
        format!("evaluate {OPENING} --rules mcgammon --evaluator fast --json"),
        "met --life 0 --gammons 1 --length 5 --json".to_owned(),
    ] {
        let output = run(&command);
        assert!(output.status.success(), "{command} {output:?}");
        let said: Vec<&str> = errors(&output).lines().collect();
        assert!(!said.is_empty() && said.iter().all(|line| line.starts_with("remark: ")), "{command} {said:?}");
        assert_eq!(parse(&output)["remarks"], serde_json::json!(said), "{command}");
    }
    assert!(json(&format!("evaluate {OPENING} --evaluator fast --json")).get("remarks").is_none());
    let lines = format!("{OPENING}\n{xgid}\n{OPENING}\t31\n");
    let output = run_with_input(&["evaluate", "--evaluator", "fast", "--json"], lines.as_bytes());
    let remarks: Vec<Value> = text(&output)
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("JSON")["remarks"].take())
        .collect();
    assert_eq!(remarks, [Value::Null, serde_json::json!([errors(&output).trim_end()]), Value::Null]);
}

/// With gammons only and a cube that is never turned, two points away is better than one.
#[test]
fn a_table_whose_chances_rise_with_the_points_needed_says_so() {
    let remark = "remark: in this table chances rise with the points needed, as from 75.00 % at 1-away 5-away to 87.50 % at \
                  2-away 5-away: ";
    // The backgammons are what the gammons leave: 0.005, not 0.0050000000000000044.
    assert!(run("met --gammons 0.995 --length 5").status.success());
    let [rises, falls] = ["met --life 0 --gammons 1 --length 5", "met --life 0.8 --gammons 0.27"].map(run);
    assert!(errors(&rises).starts_with(remark), "{rises:?}");
    assert_eq!(errors(&falls), "");
}

/// The default net was not trained for hypergammon.
#[test]
fn values_of_rules_that_no_net_has_learned_say_so() {
    let start = "ADAAAQAkIAAAAA";
    for (arguments, has_remark) in [
        (format!("evaluate {start} --rules hypergammon"), true),
        (format!("evaluate {start} --rules hypergammon --evaluator fast"), true),
        (format!("evaluate {start} --rules hypergammon --evaluator sampled"), false),
        (format!("evaluate {OPENING} --rules mcgammon --evaluator fast"), true),
        (format!("evaluate {OPENING} --rules mcgammon"), false),
        (format!("rollout {start} --rules hypergammon --trials 36 --truncate 5"), true),
        (format!("rollout {start} --rules hypergammon --trials 36"), false),
        (format!("evaluate {start} --rules longgammon"), true),
        (format!("search {start} 31 --rules hypergammon --method star2 --depth 1"), true),
        (format!("search {start} 31 --rules hypergammon --method star2 --depth 1 --evaluator fast"), true),
        // Values choose the plays that are tried, left out or looked ahead from.
        (format!("search {start} 31 --rules hypergammon --simulations 100 --trees 1 --bias 1"), true),
        (format!("search {start} 31 --rules hypergammon --simulations 100 --trees 1 --unprune"), true),
        (format!("search {start} 31 --rules hypergammon --simulations 100 --trees 1"), false),
        (format!("rollout {start} 21 --rules hypergammon --trials 36 --filter 0.001"), true),
        (format!("rollout {start} 21 --rules hypergammon --trials 36 --filter 9"), false),
        (format!("rollout {start} 21 --rules hypergammon --trials 36"), false),
        (format!("rollout {OPENING} 21 --rules mcgammon --trials 36 --filter 0.001"), false),
        (
            format!(
                "evaluate {OPENING} 21 --rules mcgammon --evaluator sampled:1 --look-ahead 1 --keep 1 --keep-by fast"
            ),
            true,
        ),
        ("play --rules hypergammon --threads 1".to_owned(), true),
        ("play uniform --hints fast --rules hypergammon --threads 1".to_owned(), true),
    ] {
        let output = run(&arguments);
        assert_eq!(output.status.code(), Some(0), "{arguments}: {output:?}");
        let has_not_learned =
            ["hypergammon", "longgammon", "mcgammon"].map(|rules| format!("' has not learned {rules}: its values are"));
        let said = errors(&output);
        let is_said = said.contains("remark: the player '") && has_not_learned.iter().any(|text| said.contains(text));
        assert_eq!(is_said, has_remark, "{arguments}: {output:?}");
    }
}

#[test]
fn a_position_has_the_shares_of_games_from_it() {
    // The evaluator's games are games 0 to 99 of the last seed.
    let seed = u64::MAX;
    let games = json(&format!("playout {OPENING} --games 100 --seed {seed} --json"));
    let value = json(&format!("evaluate {OPENING} --evaluator sampled:100 --json"));
    let outcomes = |names: &[&str]| -> f64 {
        let counts = names.iter().map(|name| number(&games["outcomes"][name]));
        counts.sum::<f64>() / 100.0
    };
    for (name, expected) in [
        ("equity", number(&games["equity"])),
        ("win", number(&games["win"])),
        ("win_gammon", outcomes(&["win_gammon", "win_backgammon"])),
        ("win_backgammon", outcomes(&["win_backgammon"])),
        ("lose", 1.0 - number(&games["win"])),
        ("lose_gammon", outcomes(&["lose_gammon", "lose_backgammon"])),
        ("lose_backgammon", outcomes(&["lose_backgammon"])),
    ] {
        assert!((number(&value[name]) - expected).abs() < 1e-7, "{name}: {value}");
    }
    assert_eq!(value["evaluator"], "sampled:100:uniform");
}

#[test]
fn values_are_those_of_the_best_player_unless_another_is_named() {
    let found = json(&format!("evaluate {OPENING} 31 --json"));
    assert_eq!(
        (&found["evaluator"], &found["plays"][0]["moves"]),
        (&"strong+bearoff:6+bearoff:6x6".into(), &"8/5 6/5".into())
    );
    let found = json(&format!("evaluate {OPENING} --json"));
    assert_eq!(found["evaluator"], "strong+bearoff:6+bearoff:6x6");
    // No net has learned to win by bringing all checkers home.
    let found = json(&format!("evaluate {OPENING} --rules mcgammon --json"));
    assert_eq!(found["evaluator"], "sampled:36:uniform");
    let search = format!("search {OPENING} 31 --method star2 --json");
    assert_eq!(json(&search)["evaluator"], "strong+bearoff:6+bearoff:6x6");
    let search = format!("{search} --depth 1 --rules mcgammon");
    assert_eq!(json(&search)["evaluator"], "sampled:36:uniform");
    for game in ["plakoto", "fevga"] {
        assert_eq!(json(&format!("evaluate start --game {game} --json"))["evaluator"], "strong+bearoff:6+bearoff:6x6");
    }
    assert_eq!(json("evaluate start --game tictactoe --json")["evaluator"], "ends");
    let search = format!("search {OPENING} 31 --bias 1 --simulations 100 --json");
    assert_eq!(json(&search)["progressive_bias"]["evaluator"], "fast");
}

/// Every front end has the same default player.
#[test]
fn engines_value_bear_offs_exactly() {
    let call = r#"{"jsonrpc":"2.0","id":1,"method":"evaluate","params":{"position":"AwAAAAEAAAAAAA"}}"#;
    let frame = format!("Content-Length: {}\r\n\r\n{call}", call.len());
    let output = run_with_input(&["jsonrpc", "--threads", "1"], frame.as_bytes());
    let answer = text(&output).split("\r\n\r\n").nth(1).expect("an answer");
    let answer: Value = serde_json::from_str(answer).expect("JSON");
    assert_eq!(answer["result"]["evaluator"], "strong+bearoff:6+bearoff:6x6", "{answer}");
    assert!((number(&answer["result"]["equity"]) - 0.5).abs() < 1e-6, "{answer}");
    let commands = "set xgid XGID=------A-----------------b-:0:0:1:00:0:0:0:0:10\neval\n";
    let output = run_with_input(&["gnubg", "--threads", "1"], commands.as_bytes());
    assert!(text(&output).contains("static: 0.750   0.000 "), "{output:?}");
}

#[test]
fn bear_offs_have_exact_values_without_and_with_the_cube() {
    // After one roll the game is decided, so nobody doubles later.
    let evaluate = |options: &str| {
        let mut command = tavli();
        command.args(["evaluate", RACE]).args(options.split(' '));
        command.output().expect("it runs")
    };
    let found = parse(&evaluate("--cube 1 --json"));
    assert!((number(&found["equity"]) - 0.5).abs() < 1e-6, "{found}");
    assert!((number(&found["cube"]["no_double"]) - 0.5).abs() < 1e-4, "{found}");
    // The table of a named player is not his.
    let output = evaluate("--cube 1 --evaluator fast");
    let found = text(&output);
    let by = "\nvalued by fast, with the cube exactly by a table of bear-offs\n";
    assert!(found.contains(by), "{found}");
    for options in ["--cube 1 --evaluator fast --cube-life 0.6", "--match 7 --score 3-3 --evaluator fast"] {
        let output = evaluate(options);
        assert!(text(&output).contains("\nvalued by fast\n"), "{output:?}");
    }
}

/// In a bear-off a table has the equities with the cube. The shares and the equity without the cube are the player's,
/// from the same value.
#[test]
fn shares_and_equity_agree_where_a_table_has_the_equities_with_the_cube() {
    let commands = "set xgid XGID=-A-AAAB------------bbb----:1:1:1:00:0:0:2:0:10\n\
                    set evaluation cubedecision evaluation plies 1\neval\nhint\n";
    let output = run_with_input(&["gnubg", "-t", "-q", "--threads", "1", "--player", "fast"], commands.as_bytes());
    let printed = text(&output);
    for row in ["static: 0.863 ", " 1 ply: 0.812 "] {
        let of_row = printed.lines().find_map(|line| line.strip_prefix(row)).expect("a row");
        let equity = of_row.split_whitespace().nth(4).expect("an equity");
        let won: f64 = row.split_whitespace().last().expect("a share").parse().expect("a number");
        let equity: f64 = equity.parse().expect("a number");
        assert!((2.0 * won - 1.0 - equity).abs() < 0.0021, "{printed}");
    }
    assert!(printed.contains("\n1-ply cubeless equity +0.625\n  0.812 0.000 "), "{printed}");
}

/// The player on roll has won a gammon: without the cube turned it counts once under the Jacoby rule, and at one point
/// away a single game is enough.
#[test]
fn a_finished_game_has_its_value_with_the_cube() {
    const WON: &str = "0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 -15 0";
    for options in ["--jacoby", "--match 3 --score 2-0"] {
        let mut command = tavli();
        let output = command.args(["evaluate", WON]).args(options.split(' ')).output();
        let output = output.expect("it runs");
        let printed = text(&output);
        assert!(printed.contains("Eq.: +1.0000\n"), "{options}: {printed}");
        assert!(!printed.contains("quities:"), "there is nothing to decide: {printed}");
    }
    let lines =
        "XGID=------------------------o-:0:0:1:00:2:0:0:3:10\nXGID=-A----------------------a-:0:0:1:00:2:0:0:3:10\n";
    let answers = |options: &[&str]| {
        let output = run_with_input(&[&["evaluate", "--threads", "1"], options].concat(), lines.as_bytes());
        text(&output).to_owned()
    };
    let tabs = answers(&[]);
    let columns: Vec<usize> = tabs.lines().map(|line| line.matches('\t').count()).collect();
    assert_eq!(columns, [11, 11], "{tabs}");
    assert!(tabs.starts_with("/38AAAAAAAAAAA\t\t\t+2.00000\t"), "{tabs}");
    assert!(tabs.contains("\t+1.00000\tNot available\n"), "{tabs}");
    assert!(answers(&["--csv"]).contains(",1,1,1,1,\"Not available\"\n"));
    let first = answers(&["--json"]);
    let first: Value = serde_json::from_str(first.lines().next().expect("a line")).expect("JSON");
    assert_eq!((number(&first["equity"]), number(&first["cube"]["no_double"])), (2.0, 1.0), "{first}");
}

#[test]
fn rollouts_are_played_by_the_player_of_their_rules() {
    for (rules, player) in [("backgammon", "fast"), ("nackgammon", "fast"), ("mcgammon", "uniform")] {
        let found = json(&format!("rollout {OPENING} --trials 4 --rules {rules} --json"));
        assert_eq!(found["policy"], player, "{found}");
    }
}

#[test]
fn plays_of_a_roll_are_ranked() {
    let found = json(&format!("evaluate {OPENING_31} --cubeless --evaluator sampled:9:pubeval --json"));
    let plays = found["plays"].as_array().expect("plays");
    assert_eq!((plays.len(), &found["roll"]), (16, &"31".into()));
    let equities: Vec<f64> = plays.iter().map(|play| number(&play["equity"])).collect();
    assert!(equities.is_sorted_by(|one, next| one >= next));
    assert!((number(&plays[3]["behind"]) - (equities[0] - equities[3])).abs() < 1e-12);
    // A play's equity is the opposite of the position's after it.
    let after = plays[5]["position_id"].as_str().expect("an ID");
    let after = json(&format!("evaluate {after} --evaluator sampled:9:pubeval --json"));
    assert_eq!(number(&after["equity"]), -equities[5]);
    let ahead = json(&format!(
        "evaluate {OPENING} 31 --evaluator sampled:1 --look-ahead 1 --keep 3 --keep-by sampled:4 --threads 2 --json"
    ));
    assert_eq!(ahead["evaluator"], "sampled:1:uniform+1ply:3:sampled:4:uniform");
    let plies = ahead["plays"].as_array().expect("plays").iter();
    let plies: Vec<u64> = plies.map(|play| play["plies"].as_u64().expect("plies")).collect();
    assert_eq!(plies, [&[1; 3][..], &[0; 13]].concat());
}

#[test]
fn a_table_gives_exact_values() {
    for plies in ["0", "2"] {
        let output = tavli()
            .args(["evaluate", RACE, "--evaluator", "sampled:1", "--bearoff", "6x3"])
            .args(["--look-ahead", plies, "--json"])
            .output()
            .expect("it runs");
        let win = number(&parse(&output)["win"]);
        assert!((win - 0.75).abs() < 1e-8, "{win}");
    }
}

#[test]
fn lines_are_answered_and_bad_ones_reported() {
    let input = format!("# comment\n{OPENING}\n\n{OPENING}\t31\nnonsense\n{RACE}\t77\n{RACE}");
    let output = run_with_input(&["evaluate", "--evaluator", "sampled:4"], input.as_bytes());
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let rows: Vec<Vec<&str>> = text(&output).lines().map(|line| line.split('\t').collect()).collect();
    assert_eq!(rows.len(), 3, "{rows:?}");
    assert!(rows.iter().all(|row| row.len() == 10), "{rows:?}");
    let best = json(&format!("evaluate {OPENING} 31 --evaluator sampled:4 --json"));
    assert_eq!(rows[1][..2], [OPENING, "31"]);
    assert_eq!(rows[1][2], best["plays"][0]["moves"]);
    let shares =
        |row: &[&str]| -> f64 { [4, 7].map(|column: usize| row[column].parse::<f64>().expect("a share")).iter().sum() };
    assert!(rows.iter().all(|row| (shares(row) - 1.0).abs() < 2e-5), "{rows:?}");
    for part in ["line 5: 'nonsense' is not", "line 6: '77' is not a roll"] {
        assert!(errors(&output).contains(part), "{}", errors(&output));
    }
    let arguments = ["evaluate", "--evaluator", "sampled:4", "--positions", "-", "--json"];
    let output = run_with_input(&arguments, format!("{OPENING}\t31\n{OPENING}").as_bytes());
    let documents: Vec<Value> = text(&output).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(documents[0]["plays"], best["plays"]);
    assert_eq!((&documents[1]["line"], documents.len()), (&2.into(), 2));
}

#[test]
fn values_are_printed_in_both_layouts() {
    let output = run(&format!("evaluate {OPENING} 31 --evaluator sampled:4"));
    let both = text(&output);
    assert!(both.contains("  Eq.: ") && both.contains("  eq: ") && both.contains("Opponent: "));
    let output = run(&format!("evaluate {OPENING} --evaluator sampled:4 --layout gnubg"));
    assert!(!text(&output).contains("Opponent:"), "{output:?}");
    let output = run(&format!("evaluate {OPENING} --evaluator sampled:4 --csv"));
    assert!(text(&output).starts_with("rank,moves,position_id,plies,equity,win,"));
}

#[test]
fn bad_evaluations_exit_2() {
    for (arguments, message) in [
        ("evaluate 4HPwATDgc/ABMA --evaluator pubeval", "'pubeval' is a policy"),
        ("evaluate 4HPwATDgc/ABMA --evaluator gnubg", "unknown evaluator 'gnubg'"),
        ("evaluate 4HPwATDgc/ABMA --look-ahead 5", "whole number 0 to 4"),
        (
            "evaluate 4HPwATDgc/ABMA --evaluator fast+1ply --look-ahead 2",
            "invalid value '2' for '--look-ahead <N>': invalid look-ahead '+1ply+2ply'",
        ),
        ("evaluate 4HPwATDgc/ABMA --look-ahead 1 --keep 0", "whole number 1 to"),
        ("evaluate 4HPwATDgc/ABMA --bearoff 13x1", "invalid bear-off table '13x1'"),
        ("evaluate 4HPwATDgc/ABMA --bearoff ./none.bd", "cannot read ./none.bd"),
        ("evaluate 4HPwATDgc/ABMA 31 --positions -", "cannot be used with"),
        ("evaluate 4HPwATDgc/ABMA --rules hypergammon", "at most 3 in hypergammon"),
    ] {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments}: {output:?}");
        assert!(errors(&output).contains(message), "{arguments}: {}", errors(&output));
    }
}
