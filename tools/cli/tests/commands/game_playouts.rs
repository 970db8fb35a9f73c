//! Playouts of games other than backgammon: of many positions, by players, cut off, and game by game.

use serde_json::Value;

use crate::support::{PLAYOUT_FACTS, errors, json, parse, run, run_with_input, text};

/// Positions of each game, in which it goes on.
const POSITIONS: [(&str, [&str; 3]); 4] = [
    ("tictactoe", ["---/---/--- X", "XO-/-X-/--- O", "X--/-O-/--- X"]),
    ("draughts", ["start", "B:W17,K30:BK1,K2,6", "W:W21,K30:B1,K7:H12"]),
    ("plakoto", ["o----------------------O", "n-------------------a--O", "start"]),
    ("fevga", ["-----------o-----------O", "start", "-----------o----------AN"]),
];

fn facts(result: &Value) -> Vec<&Value> {
    PLAYOUT_FACTS.iter().map(|&name| &result[name]).collect()
}

/// The arguments of playouts of a game.
fn command<'a>(game: &'a str, options: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let options: Vec<&str> = options.split(' ').collect();
    [&["playout", "--game", game, "--json"], &options[..], more].concat()
}

#[test]
fn each_line_is_that_position_alone() {
    for (game, positions) in POSITIONS {
        let input = format!("# a comment\n{}\n\n", positions.join("\n"));
        for options in [
            "--games 50",
            "--games 40 --first-game 18446744073709551000 --seed 9 --truncate 5",
            "--games 3 --policy minimax:1 --policy-opponent uniform --threads 2",
            "--games 700 --threads 2 --isa portable",
        ] {
            let output = run_with_input(&command(game, options, &["--positions", "-"]), input.as_bytes());
            assert_eq!(output.status.code(), Some(0), "{game}: {output:?}");
            let lines: Vec<Value> = text(&output).lines().map(|line| line.parse().expect("JSON")).collect();
            assert_eq!(lines.len(), positions.len());
            for (number, (line, position)) in (2..).zip(lines.iter().zip(positions)) {
                let alone = parse(&run_with_input(&command(game, options, &[position]), b""));
                assert_eq!(facts(line), facts(&alone), "{game}: {position}, {options}");
                assert_eq!(line["line"], number);
                assert!(alone.get("unfinished").is_some() && alone.get("mean_plays").is_none());
            }
        }
    }
}

#[test]
fn bad_lines_are_reported_and_the_others_played() {
    let input = b"XX-/OO-/--- X\nX\nXXX/OO-/--- O\n\n\xff\nX--/---/--- O\n";
    let output = run_with_input(&["playout", "--game", "tictactoe", "--positions", "-"], input);
    assert_eq!(output.status.code(), Some(1));
    for part in [
        "error: line 2: 'X' is not three rows",
        "error: line 3: the game is already over in the position XXX/OO-/--- O",
        "error: line 5: it is not UTF-8",
    ] {
        assert!(errors(&output).contains(part), "{part}: {}", errors(&output));
    }
    let table = text(&output).lines().skip_while(|line| !line.contains("position"));
    let table: Vec<Vec<&str>> = table.map(|line| line.split_whitespace().collect()).collect();
    let names = "line position games equity ± wins % win draw lose plies longest";
    assert_eq!(table[0].join(" "), names);
    assert_eq!(table.len(), 3, "{table:?}");
    assert_eq!(table[1][..4], ["1", "XX-/OO-/---", "X", "36"]);
    assert_eq!(table[2][0], "6");
}

#[test]
fn games_that_are_cut_off_count_nothing() {
    for (game, plies) in [("plakoto", 60), ("fevga", 110), ("draughts", 60)] {
        let whole = json(&format!("playout --game {game} --games 2000 --json"));
        assert_eq!((&whole["unfinished"], &whole["truncated_after"]), (&0.into(), &Value::Null));
        let cut = format!("playout --game {game} --games 2000 --truncate {plies}");
        let result = json(&format!("{cut} --json --threads 2"));
        assert_eq!(facts(&result), facts(&json(&format!("{cut} --json --threads 1 --isa portable"))));
        let unfinished = result["unfinished"].as_u64().expect("a number");
        assert!(unfinished > 0 && unfinished < 2000, "{result}");
        assert_eq!((&result["truncated_after"], &result["longest_game"]), (&plies.into(), &plies.into()));
        let outcomes = result["outcomes"].as_object().expect("an object").values();
        let counted: u64 = outcomes.filter_map(Value::as_u64).sum();
        assert_eq!(counted + unfinished, 2000);
        let output = run(&cut);
        let printed = text(&output);
        assert!(printed.contains(&format!(",\ncut off after {plies} plies")), "{printed}");
        let row = printed.lines().find(|line| line.trim_start().starts_with("unfinished"));
        let share = format!("{:.4}", unfinished as f64 / 20.0);
        assert!(row.is_some_and(|row| row.contains(&share)), "{share}: {printed}");
    }
}

#[test]
fn records_are_in_order_and_add_up() {
    for (game, options) in [
        ("plakoto", "--games 5000 --truncate 70"),
        ("fevga", "--games 300 --policy tavli3d --policy-opponent uniform"),
        ("draughts", "--games 5000 --rules report"),
        ("tictactoe", "--games 5000 --truncate 8"),
    ] {
        let command = format!("playout --game {game} --first-game 7 --json {options} --per-game -");
        let output = run(&format!("{command} --threads 2"));
        let result: Value = errors(&output).parse().expect("JSON");
        let mut lines = text(&output).lines();
        assert_eq!(lines.next(), Some("game,outcome,plies"));
        let mut counts = std::collections::BTreeMap::new();
        let (mut sum, mut number) = (0, 7_u64);
        for line in lines {
            let fields: Vec<&str> = line.split(',').collect();
            assert_eq!(fields[0].parse(), Ok(number), "{line}");
            *counts.entry(fields[1]).or_insert(0_u64) += 1;
            sum += fields[2].parse::<u64>().expect("plies");
            number += 1;
        }
        let games = result["games"].as_u64().expect("a number");
        assert_eq!(number - 7, games);
        let count = |name: &str| Value::from(counts.get(name).copied().unwrap_or_default());
        assert_eq!(result["unfinished"], count("unfinished"));
        for (outcome, games) in result["outcomes"].as_object().expect("an object") {
            assert_eq!(*games, count(outcome), "{game}: {outcome}");
        }
        let mean = sum as f64 / games as f64;
        assert!((result["mean_plies"].as_f64().expect("a number") - mean).abs() < 1e-9);
        let plain = json(&command.replace(" --per-game -", " --isa portable --threads 1"));
        assert_eq!(facts(&result), facts(&plain), "{game}");
        assert_eq!(text(&run(&format!("{command} --threads 1"))), text(&output));
    }
}

#[test]
fn players_play_the_games() {
    let named = json("playout --game plakoto --policy strong --policy-opponent uniform --games 60 --json");
    assert_eq!((&named["policy"], &named["opponent_policy"]), (&"strong".into(), &"uniform".into()));
    assert!(named["win"].as_f64() > Some(0.9), "{named}");
    let other = json("playout --game plakoto --policy-opponent strong --games 60 --json");
    assert!(other["win"].as_f64() < Some(0.1), "{other}");
    let title = run("playout --game fevga --policy tavli3d --policy-opponent strong+1ply --games 1 --truncate 4");
    assert!(text(&title).contains(",\nplayed by tavli3d against strong+1ply\n"), "{}", text(&title));
    // Both sides alike: the games of a rollout by this net.
    let alike = json("playout n-------------------a--O --game plakoto --policy strong --games 40 --json");
    let rolled = json("rollout n-------------------a--O --game plakoto --policy strong --trials 40 --json");
    assert_eq!(alike["outcomes"], rolled["candidates"][0]["outcomes"]);
    assert_eq!(alike["opponent_policy"], "strong");
    // At random by another name.
    let random = json("playout --game fevga --policy random --games 500 --json");
    assert_eq!(facts(&random), facts(&json("playout --game fevga --games 500 --json")));
    let searched = json("playout --game tictactoe --policy uct:200 --policy-opponent minimax:9 --games 8 --json");
    assert_eq!(searched["outcomes"]["win"], 0);
    for threads in ["1", "2"] {
        let agents = "--policy flat:20 --policy-opponent alphabeta:2:material --games 6 --truncate 30 --json";
        let found = json(&format!("playout --game draughts {agents} --threads {threads}"));
        let expected = json(&format!("playout --game draughts {agents} --isa portable"));
        assert_eq!(facts(&found), facts(&expected));
    }
}
