//! The commands of games other than backgammon.

use std::process::Output;

use serde_json::Value;

use crate::support::{errors, json, parse, run, run_with_input, text};

const NAMES: [&str; 4] = ["tictactoe", "draughts", "plakoto", "fevga"];

/// Every game has every command, and each position that a command prints is read by the others.
#[test]
fn every_game_has_every_command() {
    for game in NAMES {
        let position = json(&format!("position start --game {game} --json"));
        let start = position["position"].as_str().expect("a text");
        let has_dice = run_with_input(&["plays", "start", "--game", game], b"").status.code() == Some(2);
        let roll: &[&str] = if has_dice { &["31"] } else { &[] };
        let with = |command: &[&str], options: &[&str]| {
            let arguments = [command, &[start], options, &["--game", game, "--json"]].concat();
            parse(&run_with_input(&arguments, b""))
        };
        let plays = with(&["plays"], roll);
        assert_eq!(plays["plays"].as_array().map(Vec::len), plays["n"].as_u64().map(|n| n as usize));
        let after = plays["plays"][0]["position"].as_str().expect("a text");
        assert_eq!(run_with_input(&["position", after, "--game", game], b"").status.code(), Some(0));
        let counted = with(&["perft"], &["2"]);
        if !has_dice {
            assert_eq!(counted["depths"][0]["nodes"], plays["n"]);
        }
        let played = with(&["playout"], &["--games", "500"]);
        let counts: Vec<u64> = played["outcomes"].as_object().unwrap().values().filter_map(Value::as_u64).collect();
        assert_eq!((counts.iter().sum::<u64>(), &played["games"]), (500, &500.into()));
        let found = with(&["search"], &[roll, &["--simulations", "2000"]].concat());
        assert_eq!(
            (&found["simulations"], found["plays"].as_array().map(Vec::len)),
            (&2000.into(), plays["plays"].as_array().map(Vec::len))
        );
        let looked = with(&["search"], &[roll, &["--method", "minimax", "--depth", "1"]].concat());
        assert_eq!(looked["plays"].as_array().map(Vec::len), plays["plays"].as_array().map(Vec::len));
        let rolled = with(&["rollout"], &[roll, &["--trials", "200", "--policy", "uniform"]].concat());
        assert_eq!(rolled["candidates"].as_array().map(Vec::len), plays["plays"].as_array().map(Vec::len));
        assert!(rolled["candidates"][0]["equity"].as_f64() >= rolled["candidates"][1]["equity"].as_f64());
        let valued = with(&["evaluate"], roll);
        assert_eq!(valued["plays"].as_array().map(Vec::len), plays["plays"].as_array().map(Vec::len));
        let signature = json(&format!("signature --game {game} --json"));
        assert_eq!(signature["signature"].as_str().map(str::len), Some(16));
        let duel = json(&format!("duel random uct:50 --game {game} --games 4 --json"));
        assert_eq!(duel["games"], 4);
        let game = run(&format!("play random random --game {game}"));
        assert!(text(&game).contains(" plies\n"), "{game:?}");
    }
}

/// A play that ends the game has its result in every trial, and no error.
#[test]
fn a_play_that_wins_is_certain() {
    let position = "XX-/OO-/--- X";
    let arguments = ["rollout", position, "--game", "tictactoe", "--trials", "300", "--json"];
    let rolled = parse(&run_with_input(&arguments, b""));
    let best = &rolled["candidates"][0];
    assert_eq!((&best["moves"], &best["trials"]), (&"c3".into(), &300.into()));
    for (key, value) in [("equity", 1.0), ("se_equity", 0.0), ("win", 1.0), ("se_win", 0.0)] {
        assert_eq!(best[key], value, "{key}");
    }
    assert_eq!(best["outcomes"]["win"], 300);
}

#[test]
fn results_do_not_depend_on_threads_and_tiers() {
    for game in NAMES {
        for command in ["playout --games 3000", "search start --simulations 3000", "duel uct:100 random --games 8"] {
            let of = |options: &str| {
                let command = match command.starts_with("search") && ["plakoto", "fevga"].contains(&game) {
                    true => command.replace("start", "start 31"),
                    false => command.to_owned(),
                };
                let mut found = json(&format!("{command} --game {game} --json {options}"));
                for key in ["isa", "threads", "cpus", "workers", "pinning", "pinning_asked", "bytes"] {
                    found.as_object_mut().unwrap().remove(key);
                }
                found.as_object_mut().unwrap().retain(|key, _| {
                    !key.contains("second") && !key.contains("ns_per") && key != "clock" && key != "cycles_per_ply"
                });
                found
            };
            let expected = of("--threads 1 --isa portable");
            assert_eq!(of("--threads 2"), expected, "{game}: {command}");
        }
    }
}

#[test]
fn games_at_the_terminal_are_played_by_orders() {
    let input = b"plays\nhelp\nb2\nundo\na1\nzz\n1\nquit\n";
    let output = run_with_input(&["play", "--game", "tictactoe", "alphabeta:9"], input);
    let printed = text(&output);
    for part in ["9. c1", "take back", "you: b2", "you: a1", "'zz' is none of the 7 plays"] {
        assert!(printed.contains(part), "{part}: {printed}");
    }
    // Two ways round a closed loop, one of them in the list; in small letters or capitals.
    for moves in ["31x24x15x22x31", "31X22X15X24X31", "31:31"] {
        let input = format!("31x22\n{moves}\n");
        let options = ["play", "--game", "draughts", "--position", "B:W18,19,26,27:BK31", "random"];
        let output = run_with_input(&options, input.as_bytes());
        for part in ["'31x22' is not a play here: choose one of 31x24x15x22x31; plays lists", "you win after 1 plies"] {
            assert!(text(&output).contains(part), "{moves}: {output:?}");
        }
    }
    // Against the best play nobody wins.
    let duel = json("duel alphabeta:9 uct:200 --game tictactoe --random-plies 1 --games 20 --json");
    assert_eq!(duel["outcomes"]["lose"], 0);
}

/// The plays of a hint at the first decision of a game, with their values.
fn hint(options: &[&str]) -> (String, Vec<String>) {
    let output = run_with_input(&[&["play"], options].concat(), b"\xef\xbb\xbfhelp\nhint\nresign\nroll\nquit\n");
    let printed = text(&output).to_owned();
    let answers = printed.lines().map(|line| line.strip_prefix("your play> ").unwrap_or(line));
    let hints = answers.filter_map(|line| line.strip_prefix("  1. ").or(line.strip_prefix("  2. ")));
    let hints = hints.map(str::to_owned);
    (printed.clone(), hints.collect())
}

#[test]
fn hints_are_by_the_evaluator_of_the_game_and_the_best_player_sits_down() {
    for game in ["plakoto", "fevga"] {
        for (player, options) in [("strong+bearoff:6+bearoff:6x6", &[][..]), ("tavli3d", &["--hints", "tavli3d"])] {
            // The person moves first, so the opponent has said nothing before the hint.
            let (printed, hints) = hint(&[&["--game", game], options].concat());
            let roll = printed.lines().find_map(|line| line.strip_prefix("you roll "));
            let command =
                format!("evaluate start {} --game {game} --evaluator {player} --json", roll.expect("a roll").trim());
            let valued = json(&command);
            let best = &valued["plays"][0];
            let decimals = if player == "tavli3d" { 6 } else { 4 };
            let expected = format!(
                "{:+.decimals$}  {}",
                best["equity"].as_f64().expect("a value"),
                best["moves"].as_str().expect("moves")
            );
            assert_eq!(hints[0], expected, "{printed}");
            assert!(printed.contains(&format!("as {player} values them")), "{printed}");
            assert!(printed.contains(&format!("games of {game} are not resigned: quit leaves the game")), "{printed}");
            let no_cube = format!("games of {game} have no cube: write a play");
            assert!(printed.contains(&no_cube), "{printed}");
        }
        // The opponent is the net.
        let played = run_with_input(&["play", "--game", game], b"1\nquit\n");
        assert!(text(&played).contains("\nstrong: "), "{played:?}");
    }
    let (printed, hints) = hint(&["--game", "draughts", "--hints", "promotion"]);
    assert_eq!(hints.len(), 2, "{printed}");
    let (printed, hints) = hint(&["--game", "tictactoe"]);
    assert!(hints.is_empty() && printed.contains("your play>   b2\n"), "{printed}");
    assert!(printed.contains("the play that uct:100000:1 would make"), "{printed}");
    for (line, expected) in [
        (
            "play --game draughts --hints fast",
            "invalid value 'fast' for '--hints <NAME|FILE>': 'fast' is not an evaluator of draughts, which has: material",
        ),
        ("play random random --game plakoto --hints strong", "none plays here"),
        ("play --hints promotion", "invalid value 'promotion' for '--hints <NAME|FILE>': "),
    ] {
        let refused = run(line);
        assert_eq!(refused.status.code(), Some(2), "{line}: {refused:?}");
        assert!(errors(&refused).contains(expected), "{line}: {refused:?}");
    }
}

#[test]
fn players_of_one_name_are_told_apart_and_wins_have_their_points() {
    let mut wins = 0;
    for seed in 1..=6 {
        let played = run(&format!("play random random --game plakoto --seed {seed}"));
        let printed = text(&played);
        assert!(printed.starts_with("random (A): "), "{printed}");
        let last = printed.lines().last().expect("a result");
        let is_win = ["random (A) wins ", "random (B) wins "].iter().any(|name| last.starts_with(name));
        assert!(is_win && last.contains(" point") || last.starts_with("a draw"), "{last}");
        wins += u32::from(is_win);
    }
    assert!(wins > 0);
    let played = run("play uniform uniform");
    assert!(text(&played).starts_with("game 0: uniform (A) against uniform (B), "), "{played:?}");
}

/// The plies that count towards a draw are in every output: with them some games end at once.
#[test]
fn positions_of_draughts_keep_their_counter() {
    let late = "B:WK1:BK7:H79";
    let played = json(&format!("playout {late} --game draughts --games 36 --json"));
    assert_eq!((&played["position"], &played["state"]), (&"B:WK1:BK7".into(), &late.into()), "{played}");
    assert_eq!(played["outcomes"]["draw"], 36);
    let lines = format!("B:WK1:BK7\n{late}\n");
    let table = run_with_input(&["playout", "--game", "draughts", "--positions", "-"], lines.as_bytes());
    let is_of = |line: &str, text: &str| line.split_whitespace().nth(1) == Some(text);
    for position in lines.lines() {
        assert!(text(&table).lines().any(|line| is_of(line, position)), "{position}: {table:?}");
    }
    let rows = run_with_input(&["plays", "--game", "draughts"], format!("{late}\n").as_bytes());
    let row: Vec<&str> = text(&rows).trim_end().split('\t').collect();
    assert_eq!(row[0], late);
    assert!(row[2].split(',').all(|result| result.ends_with(":H80")), "{row:?}");
    let late = "B:WK1:BK7:H70";
    for command in ["evaluate", "search --simulations 100", "search --method minimax --depth 1"] {
        let (command, options) = command.split_once(' ').unwrap_or((command, ""));
        let found = json(&format!("{command} {late} --game draughts --json {options}"));
        assert_eq!(found["state"], late, "{command}");
        let plays = found["plays"].as_array().expect("plays");
        let has_counter = |play: &Value| play["state"].as_str().is_some_and(|state| state.ends_with(":H71"));
        assert!(plays.iter().all(has_counter), "{command}: {found}");
    }
}

#[test]
fn rates_of_searches_are_their_counts_by_their_seconds() {
    for options in [
        "start --game draughts --simulations 2000",
        "start --game draughts --simulations 2000 --method flat",
        "start 31 --game plakoto --simulations 2000 --method halving",
        "start --game draughts --method minimax --depth 4",
        "start --game draughts --method alphabeta --depth 6",
        "start 31 --game fevga --method star2 --depth 2",
    ] {
        let found = json(&format!("search {options} --json"));
        let number = |key: &str| found[key].as_f64();
        let (count, rate) = match number("simulations") {
            Some(count) => (count, number("simulations_per_second")),
            None => (number("evaluations").expect("a count"), number("evaluations_per_second")),
        };
        let expected = count / number("seconds").expect("a time");
        assert!((rate.expect("a rate") / expected - 1.0).abs() < 1e-9, "{options}: {found}");
    }
}

/// The counts of the chapter on tree search: all games of tic-tac-toe by result, and the nodes of full minimax and of
/// plain alpha-beta.
#[test]
fn searches_of_tic_tac_toe_print_its_known_numbers() {
    let minimax = "search start --game tictactoe --method minimax --depth 9";
    let shown = run(minimax);
    let line = "  549,946 positions searched, the one given included; 255,168 finished games, 131,184 win, 46,080 draw, 77,904 lose\n";
    assert!(text(&shown).ends_with(line), "{shown:?}");
    let found = json(&format!("{minimax} --json"));
    assert_eq!(found["nodes"], 549_946);
    assert_eq!(found["finished"], serde_json::json!({"win": 131_184, "draw": 46_080, "lose": 77_904}));
    let plain = "search start --game tictactoe --method alphabeta --plain --depth 9";
    assert!(text(&run(plain)).contains("\n  18,297 positions searched, the one given included; "));
    assert_eq!(json(&format!("{plain} --json"))["nodes"], 18_297);
    for (line, expected) in [
        (
            "search start --game tictactoe --plain",
            "--plain is for the method alphabeta in a game without dice: leave it out",
        ),
        ("search start 31 --game fevga --method alphabeta --plain", "in a game without dice: leave it out"),
        ("search start --game tictactoe --method minimax --plain", "in a game without dice: leave it out"),
        (
            "search start --game tictactoe --heavy strong",
            "'strong' guides no playouts of tictactoe: give ends or lines",
        ),
        (
            "search start 31 --game plakoto --method expectimax --depth 1 --evaluator strong+1ply",
            "the search looks ahead itself: give strong as --evaluator, and --depth",
        ),
        ("search start --game tictactoe --method alphabeta --plain --seconds 1", "leave one of them out"),
    ] {
        let refused = run(line);
        assert_eq!(refused.status.code(), Some(2), "{line}: {refused:?}");
        assert!(errors(&refused).contains(expected), "{line}: {refused:?}");
    }
}

#[test]
fn heads_of_searches_name_their_settings() {
    let head = |options: &str| {
        let shown = run(&format!("search start --game draughts {options}"));
        let line = text(&shown).lines().find(|line| line.starts_with("draughts, "));
        line.expect("a head")
            .rsplit_once(", uct")
            .map_or_else(|| line.expect("a head").to_owned(), |(_, head)| head.to_owned())
    };
    let uct = "--simulations 500 --trees 2 --threads 1";
    assert_eq!(head(uct), " by uniform playouts, C 1, bound ucb1, points, 2 trees, seed 1");
    assert_eq!(
        head(&format!("{uct} --bound own-visits --reward wins --heavy material --proofs --seed 7 --c 0.5")),
        " by playouts with a share 0.5 by material, C 0.5, bound own-visits, proofs, wins, 2 trees, seed 7"
    );
    let flat = head(&format!("{uct} --method flat"));
    assert!(flat.ends_with(", flat by uniform playouts, points, 2 trees, seed 1"), "{flat}");
    let ahead = head("--method minimax --depth 2 --evaluator rows");
    assert!(ahead.ends_with(", minimax by rows"), "{ahead}");
}

/// The probabilities of nets, looked ahead or not, and of tables add up to the equity.
#[test]
fn values_by_nets_have_probabilities() {
    let check = |value: &Value| {
        let [win, double, lose, double_loss, equity] =
            ["win", "win_gammon", "lose", "lose_gammon", "equity"].map(|key| value[key].as_f64().expect(key));
        assert!((win + lose - 1.0).abs() < 1e-6 && double <= win && double_loss <= lose, "{value}");
        let sum = win + double - lose - double_loss;
        assert!((sum - equity).abs() < 1e-5, "{sum}: {value}");
    };
    for (game, bear_off) in [("plakoto", "---A-----------------o--"), ("fevga", "---A----------o---------")] {
        for line in [
            format!("evaluate start 31 --game {game}"),
            format!("evaluate start 66 --game {game} --evaluator strong+1ply"),
            format!("evaluate start 31 --game {game} --evaluator strong+2ply"),
            format!("evaluate {bear_off} --game {game}"),
        ] {
            let found = json(&format!("{line} --json"));
            check(&found);
            for play in found["plays"].as_array().into_iter().flatten() {
                check(play);
            }
        }
    }
    let by_counts = json("evaluate start 31 --game plakoto --evaluator tavli3d --json");
    assert!(by_counts.get("win").is_none() && by_counts["plays"][0].get("win").is_none(), "{by_counts}");
    let shown = run("evaluate start 31 --game plakoto");
    let found = json("evaluate start 31 --game plakoto --json");
    let win = format!("{:.2}%", 100.0 * found["plays"][0]["win"].as_f64().expect("a probability"));
    let best = text(&shown).lines().find(|line| line.starts_with("    1. "));
    assert!(best.expect("a play").contains(&win), "{shown:?}: {win}");
}

#[test]
fn lines_of_positions_are_valued() {
    let start = json("position start --game fevga --json")["position"].as_str().expect("a text").to_owned();
    let input = format!("{start}\t31\n{start}\nx\n# a remark\n{start}\t77\n");
    let output = run_with_input(&["evaluate", "--game", "fevga"], input.as_bytes());
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(errors(&output).contains("line 3: ") && errors(&output).contains("line 5: "), "{output:?}");
    let rows: Vec<Vec<&str>> = text(&output).lines().map(|line| line.split('\t').collect()).collect();
    let found = json("evaluate start 31 --game fevga --json");
    let best = &found["plays"][0];
    let equity = |value: &Value| format!("{:+.5}", value["equity"].as_f64().expect("a value"));
    assert_eq!(rows[0][..4], [&*start, "31", best["moves"].as_str().expect("moves"), &equity(best)]);
    assert_eq!(rows[1][..4], [&*start, "", "", &equity(&found)]);
    assert_eq!((rows.len(), rows[0].len(), rows[1].len()), (2, 8, 8));
    let documents = run_with_input(&["evaluate", "--game", "fevga", "--json"], format!("{start}\t31\n").as_bytes());
    assert_eq!(parse(&documents)["plays"], found["plays"]);
    let draughts = run_with_input(&["evaluate", "--game", "draughts"], b"B:WK1:BK7:H79\nW:W:B3,K27\n");
    let rows: Vec<Vec<&str>> = text(&draughts).lines().map(|line| line.split('\t').collect()).collect();
    assert_eq!((rows[0][0], rows[0].len(), rows[1][3]), ("B:WK1:BK7:H79", 4, "-1.00000"));
}

#[test]
fn a_finished_game_has_a_row_without_plays() {
    let rows = |game: &str, lines: &str| {
        let output = run_with_input(&["plays", "--game", game], lines.as_bytes());
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        text(&output).to_owned()
    };
    let (blocked, drawn) = ("W:W:B3,4,9,17,19,K27", "B:W32:B1:H80");
    assert_eq!(rows("draughts", &format!("{blocked}\n{drawn}\n")), format!("{blocked}\t0\t\n{drawn}\t0\t\n"));
    assert_eq!(rows("tictactoe", "XXX/OO-/--- O\n"), "XXX/OO-/--- O\t0\t\n");
    let over = json("position start --game plakoto --json")["position"].as_str().expect("a text").replace('o', "-");
    let printed = rows("plakoto", &format!("{over}\t31\n{over}\n"));
    assert_eq!(printed, format!("{over}\t31\t0\t\n{over}\t\t0\t\n"));
    let document = run_with_input(&["plays", "--game", "draughts", "--json"], format!("{blocked}\n").as_bytes());
    let document = parse(&document);
    assert_eq!((&document["n"], document["plays"].as_array().map(Vec::len)), (&0.into(), Some(0)));
}

#[test]
fn what_a_game_lacks_is_said() {
    for (command, message) in [
        (
            "bearoff --game tictactoe",
            "tavli bearoff has no --game; these commands have it: playout, rollout, duel, evaluate, search, play, plays, perft",
        ),
        (
            "perft X 2 --game chess",
            "'chess' is not a game: --game is one of backgammon, tictactoe, draughts, plakoto, fevga",
        ),
        ("perft X 2 --game=tictactoe", "'X' is not three rows"),
        ("plays start 31 --game tictactoe", "tictactoe has no dice"),
        ("playout --game tictactoe --rules english", "'english' is not a set of rules of tictactoe"),
        ("playout XXX/OO-/---\u{20}O --game tictactoe", "unexpected argument"),
        ("search start --game tictactoe --depth 3", "--depth is for the methods minimax"),
        ("search start --game tictactoe --method minimax --c 2", "--c is for the methods uct"),
        ("search start --game tictactoe --method minimax --evaluator men", "'men' is not an evaluator of tictactoe"),
        (
            "duel random chess --game tictactoe",
            "error: 'chess' is not a player of tictactoe: give random, uct:N, flat:N, halving:N, minimax:D or alphabeta:D; \
             tavli duel --help has their forms\n",
        ),
        (
            "duel random uct:10:x --game plakoto",
            "give uct:N or uct:N:C, 1 to 536870912 simulations and exploration 0 to 1000; after it may come \
             +own-visits and +heavy:EVALUATOR:SHARE, with a share 0 to 1 (0.5 if left out)\n",
        ),
        (
            "duel random alphabeta:65 --game draughts",
            "give alphabeta:D or alphabeta:D:EVALUATOR, 1 to 64 choices ahead\n",
        ),
        (
            "duel random minimax:2:men --game tictactoe",
            "'minimax:2:men' is not a player of tictactoe: give an evaluator of ends, lines\n",
        ),
        ("playout --game", "a value is required for '--game"),
        (
            "rollout start --game draughts --stop-jsd 2",
            "--stop-jsd is not an option of draughts: tavli rollout --help says which games it is for",
        ),
        ("rollout start 31 --game fevga --cube 2", "--cube is not an option of fevga"),
        ("evaluate start 31 --game plakoto --csv", "--csv is not an option of plakoto"),
        // Whatever else backgammon's option requires.
        ("playout --game fevga --occupancy", "--occupancy is not an option of fevga"),
        (
            "playout --game plakoto --first-roll open",
            "--first-roll open is for backgammon: a game of plakoto begins with any of the 36 throws",
        ),
        ("playout --game fevga --first-roll stratified", "--first-roll stratified is for backgammon"),
        ("playout --game draughts --first-roll open", "draughts has no dice"),
        (
            "playout --game draughts --policy strong",
            "invalid value 'strong' for '--policy <NAME|FILE>': 'strong' is not a player of draughts: give random, ",
        ),
        ("playout --game draughts --policy nope", "tavli duel --help has their forms; uniform is random"),
        (
            "playout --game fevga --policy-opponent weak",
            "invalid value 'weak' for '--policy-opponent <NAME|FILE>': 'weak' is not a player of fevga: give random, tavli3d",
        ),
        ("playout --game fevga --bearoff 6x6", "--bearoff is not an option of fevga"),
        ("rollout start --game fevga --policy-opponent strong", "--policy-opponent is not an option of fevga"),
        ("play --game draughts --jacoby", "--jacoby is not an option of draughts"),
        ("evaluate start 31 --plies 4 --game plakoto", "--plies is not an option of plakoto"),
        ("play --game draughts --match 3 --games 2", " is not an option of draughts"),
        (
            "plays N*----------------------n* 31 --game plakoto",
            "N*----------------------n*: both mothers, on points 1 and 24, are pinned: it is a tie",
        ),
        ("rollout --game draughts", "<POSITION>"),
    ] {
        let output = run(command);
        assert_eq!(output.status.code(), Some(2), "{command}: {output:?}");
        assert!(errors(&output).contains(message), "{command}: {}", errors(&output));
    }
    let over = run_with_input(&["playout", "XXX/OO-/--- O", "--game", "tictactoe"], b"");
    assert_eq!(over.status.code(), Some(2));
    assert!(errors(&over).contains("the game is already over in the position XXX/OO-/--- O"), "{over:?}");
    // The count of plies ends the game, not the board.
    let drawn = run("plays B:W32:B1:H80 --game draughts");
    assert_eq!(drawn.status.code(), Some(2));
    assert!(errors(&drawn).contains("the game is already over in the position B:W32:B1:H80"), "{drawn:?}");
    assert!(errors(&drawn).contains("; name one in which it goes on"), "{drawn:?}");
    // As in backgammon, the value of a finished game is the value of its end.
    for (position, game, value) in
        [("W:W:B13,K19", "draughts", -1.0), ("B:W32:B1:H80", "draughts", 0.0), ("XXX/OO-/--- O", "tictactoe", -1.0)]
    {
        let output = run_with_input(&["evaluate", position, "--game", game, "--json"], b"");
        assert_eq!(parse(&output)["equity"], value, "{position}");
    }
    let drawn = run("search start --game draughts --chance-sampling stratified --simulations 100");
    assert_eq!(drawn.status.code(), Some(2));
    assert!(
        errors(&drawn).contains("--chance-sampling says how trees draw throws, and draughts has no dice"),
        "{drawn:?}"
    );
    let lines = run_with_input(&["plays", "--game", "tictactoe"], b"X--/---/--- O\nX\nXXX/OO-/--- O\n");
    assert_eq!((lines.status.code(), text(&lines).lines().count()), (Some(1), 2));
    assert!(errors(&lines).contains("line 2: ") && !errors(&lines).contains("line 3: "), "{lines:?}");
}

#[test]
fn backgammon_may_be_named() {
    let over = json("perft W:W:B3,4,9,17,19,K27 2 --game draughts --json");
    assert_eq!(
        [&over["depths"][0]["nodes"], &over["depths"][1]["nodes"]],
        [0, 0],
        "a side without pieces has no play: {over}"
    );
    let named = json("perft 4HPwATDgc/ABMA 1 --game backgammon --json");
    assert_eq!(named["depths"][0]["nodes"], 447);
}

#[test]
fn a_value_of_nothing_has_no_sign() {
    // Games that are even, and lost by nobody yet.
    for arguments in ["evaluate start --game draughts", "rollout start --game tictactoe --trials 1 --seed 1"] {
        let said = run(arguments);
        assert!(text(&said).contains("0.0000"), "{arguments}: {said:?}");
        assert!(!text(&said).contains("-0.0000"), "{arguments}: {said:?}");
    }
}

#[test]
fn games_that_end_before_a_player_moves_are_remarked_upon() {
    let arguments = ["duel", "random", "minimax:1", "--game", "tictactoe", "--games", "10", "--random-plies"];
    let at_random = |plies: &str| run_with_input(&[&arguments[..], &[plies]].concat(), b"");
    let remark = "remark: no player moved: all games ended within their 9 plies at random; \
                  give fewer with --random-plies\n";
    assert_eq!(errors(&at_random("9")), remark);
    assert_eq!(errors(&at_random("3")), "");
}

#[test]
fn searches_of_games_without_dice() {
    let arguments = ["search", "XX-/OO-/--- X", "--game", "tictactoe", "--simulations", "5000", "--proofs", "--json"];
    let proven = parse(&run_with_input(&arguments, b""));
    assert_eq!(proven["plays"][0]["proven"], 1, "{proven}");
    assert!(proven["simulations"].as_u64() < Some(5000), "it ends when it is proven: {proven}");
    let own = json("search start --game tictactoe --simulations 500 --bound own-visits --c 2 --trees 1 --json");
    assert_eq!(own["simulations"], 500);
    let heavy = json("search start --game draughts --simulations 200 --trees 2 --heavy rows --greed 0.9 --json");
    assert_eq!(heavy["simulations"], 200);
    let deep = json("search start --game draughts --method alphabeta --seconds 0.2 --json");
    assert!(deep["depth"].as_u64() >= Some(3), "{deep}");
    assert_eq!(deep["interrupted"], false);
    for (line, expected) in [
        ("search start 31 --game plakoto --proofs", "without dice"),
        ("search start --game draughts --method flat --proofs", "proofs is for the method uct"),
        ("search start --game draughts --method alphabeta --proofs", "--proofs is for the methods"),
        ("search start --game draughts --method minimax --seconds 1", "--seconds is for"),
        ("search start --game draughts --method alphabeta --depth 65", "1 to 64"),
        ("search start --game draughts --heavy none", "'none' guides no playouts of draughts: give "),
        ("search start --game draughts --heavy rows --greed 2", "0 to 1"),
        ("search start --game draughts --greed 0.5", "--heavy"),
        ("search start --game tictactoe --endgames x", "--endgames x"),
        ("duel uct:10+proofs+proofs random --game draughts", "is not a player"),
        ("duel flat:10+proofs random --game draughts", "is not a player"),
        ("duel uct:10+heavy:rows:2 random --game draughts", "is not a player"),
        ("duel minimax:2+proofs random --game draughts", "is not a player"),
        ("duel uct:10+proofs random --game plakoto", "is not a player"),
        ("duel alphabeta:12 random --game plakoto", "is not a player"),
    ] {
        let refused = run(line);
        assert_eq!(refused.status.code(), Some(2), "{line}: {refused:?}");
        assert!(errors(&refused).contains(expected), "{line}: {refused:?}");
    }
}

/// `tavli rollout` of a roll of 42 from the start of Plakoto, with `options`.
fn rolled_out(options: &[&str]) -> Output {
    let start = ["rollout", "start", "42", "--game", "plakoto"];
    run_with_input(&[&start, options].concat(), b"")
}

#[test]
fn named_plays_of_another_game_race_alone() {
    // A play is named by its moves in any order, or by the position after it.
    let plays = json("plays start 42 --game plakoto --json");
    let [first, second] = [0, 1].map(|play| plays["plays"][play].clone());
    let reversed = {
        let mut moves: Vec<&str> = first["moves"].as_str().expect("moves").split(' ').collect();
        moves.reverse();
        moves.join(" ")
    };
    let position = second["position"].as_str().expect("a position");
    let both = ["--play", &reversed, "--play", position];
    let found = parse(&rolled_out(&[&both[..], &["--json"]].concat()));
    let of_all = json("rollout start 42 --game plakoto --filter all --json");
    assert_eq!(found["candidates"].as_array().map(Vec::len), Some(2), "{found}");
    assert_eq!(found["decision"]["left_out"], 0);
    assert_eq!(of_all["decision"]["play"], found["decision"]["play"]);
    let shown = rolled_out(&both);
    assert!(text(&shown).contains("of the 2 plays named") || text(&shown).contains("of the plays named"));
    let one = rolled_out(&["--play", position, "--within", "0.1"]);
    assert!(text(&one).contains(" is the only play named\n"), "{one:?}");
    // A single play asks for a plain rollout of it.
    let plain = parse(&rolled_out(&["--play", position, "--trials", "36", "--json"]));
    assert_eq!(plain["candidates"].as_array().map(Vec::len), Some(1), "{plain}");
    assert_eq!(plain["candidates"][0]["moves"], second["moves"]);
    for (options, expected) in [
        (&["--play", "24/19"][..], "'24/19' is neither a play of 42"),
        (&["--play", position, "--play", position], "is given twice"),
        (&["--play", position, "--filter", "0.1"], "cannot be used with"),
        (&[&both[..], &["--filter", "0.1"]].concat(), "cannot be used with"),
    ] {
        let refused = rolled_out(options);
        assert_eq!(refused.status.code(), Some(2), "{options:?}: {refused:?}");
        assert!(errors(&refused).contains(expected), "{options:?}: {refused:?}");
    }
    let unrolled = run("rollout start --game plakoto --play 24/20");
    assert!(errors(&unrolled).contains("write the ROLL after the position"), "{unrolled:?}");
}

#[test]
fn a_roll_of_plakoto_or_fevga_is_decided() {
    for game in ["plakoto", "fevga"] {
        let decided = |options: &str| json(&format!("rollout start 64 --game {game} {options} --json"));
        let found = decided("");
        let decision = &found["decision"];
        assert!(decision["sure"].as_f64() >= Some(0.95), "{found}");
        assert_eq!(decision["play"], found["candidates"][0]["moves"]);
        assert_eq!(found["truncate"], 11);
        let again = decided("--threads 1");
        assert_eq!((decision, &found["candidates"]), (&again["decision"], &again["candidates"]));
        let by_another = decided("--policy strong+1ply --within 0.5 --truncate 2 --filter all");
        assert_eq!(by_another["decision"]["left_out"], 0);
        assert_eq!((&by_another["policy"], &by_another["truncate"]), (&"strong+1ply".into(), &2.into()));
        let hurried = decided("--truncate none --within 0 --seconds 0.000001");
        assert_eq!((&hurried["ended_by"], &hurried["decision"]["verdict"]), (&"time".into(), &"open".into()));
        // These ask for a plain rollout.
        let plain = decided("--trials 36");
        assert!(plain.get("decision").is_none() && plain["candidates"][0]["outcomes"].is_object(), "{plain}");
        let output = run(&format!("rollout start 64 --game {game}"));
        let shown = text(&output);
        assert!(shown.contains("% sure") || shown.contains("only play"), "{shown}");
    }
    for options in ["31", "--trials 4"] {
        let unlearned = json(&format!("rollout start {options} --game fevga --rules r2=off --json"));
        assert!(unlearned["remarks"][0].as_str().expect("a remark").contains("has not learned"), "{unlearned}");
    }
    for (line, expected) in [
        (
            "evaluate start --game fevga --evaluator strong+bearoff+bearoff+bearoff+bearoff+bearoff+bearoff+bearoff+bearoff+bearoff",
            "more than 8",
        ),
        ("rollout start --game fevga --within 0.1", "write the ROLL"),
        ("rollout start 31 --game fevga --trials 36 --filter 0.1", "add --within"),
        ("rollout start --game draughts --within 0.1", "draughts has none"),
        ("rollout start 31 --game plakoto --within -1", "'--within <POINTS>': write points"),
        ("rollout start 31 --game plakoto --within nan", "'--within <POINTS>': write points"),
        ("rollout start 31 --game plakoto --within 0.1 --policy uniform", "'uniform' does not value"),
    ] {
        let refused = run(line);
        assert_eq!(refused.status.code(), Some(2), "{line}: {refused:?}");
        assert!(errors(&refused).contains(expected), "{line}: {refused:?}");
    }
}

#[test]
fn bear_offs_have_the_values_of_tables_by_default() {
    let bear_off = "---------A-----------o-- 31 --game plakoto --json";
    let [by_table, by_net] = ["", " --evaluator strong"].map(|player| json(&format!("evaluate {bear_off}{player}")));
    assert_eq!(by_table["evaluator"], "strong+bearoff:6+bearoff:6x6");
    let of_best = |valued: &Value| valued["plays"][0]["equity"].as_f64().expect("an equity");
    assert!((of_best(&by_table) - 1.0210).abs() < 1e-3, "{by_table}");
    assert!(of_best(&by_net) > 1.5, "{by_net}");
    let race = "evaluate --game fevga -AB--A------aa---b------ --json --evaluator strong+bearoff:6x6";
    assert_eq!(json(&format!("{race}+1ply"))["plies"], 1);
}

#[test]
fn values_under_rules_that_no_net_has_learned_are_remarked_upon() {
    for (line, has_remark) in [
        ("evaluate start 31 --game plakoto --rules mother=immediate", true),
        ("evaluate start 31 --game plakoto --rules mother=exception", false),
        ("evaluate start 31 --game plakoto --rules mother=immediate --evaluator tavli3d", false),
        ("search start 31 --game fevga --rules r2=off --method minimax --depth 1 --evaluator strong", true),
        ("play strong strong --game fevga --rules r2=off", true),
        ("play strong strong --game fevga", false),
    ] {
        let output = run(line);
        assert!(output.status.success(), "{line}: {output:?}");
        let remark = "remark: the player 'strong";
        assert_eq!(errors(&output).contains(remark), has_remark, "{line}: {output:?}");
    }
}

#[test]
fn values_by_tavli3d_have_the_digits_of_its_scale() {
    let output = run("evaluate start 31 --game plakoto --evaluator tavli3d");
    let valued = text(&output);
    let values: Vec<&str> = valued.split_whitespace().filter(|word| word.starts_with(['+', '-'])).collect();
    assert!(values.len() == 3 && values.iter().all(|value| value.parse() != Ok(0.0)), "{valued}");
}

#[test]
fn strong_plays_values_and_rolls_out_plakoto_and_fevga() {
    for game in ["plakoto", "fevga"] {
        let valued = json(&format!("evaluate start 31 --game {game} --evaluator strong --json"));
        assert_eq!((&valued["evaluator"], &valued["plies"]), (&"strong".into(), &0.into()));
        let best = valued["plays"][0]["equity"].as_f64().expect("an equity");
        assert!((-0.5..0.5).contains(&best), "{valued}");
        let ahead = json(&format!("evaluate start 31 --game {game} --evaluator strong+1ply --json"));
        let plays = ahead["plays"].as_array().expect("plays");
        let plies: Vec<u64> = plays.iter().filter_map(|play| play["plies"].as_u64()).collect();
        assert_eq!(plies.len(), valued["plays"].as_array().map_or(0, Vec::len));
        assert!(plies.is_sorted_by(|a, b| a >= b) && plies[0] == 1, "{ahead}");
        for opponent in ["tavli3d", "minimax:1:tavli3d"] {
            let duel = json(&format!("duel strong {opponent} --game {game} --games 100 --json"));
            assert!(duel["points_per_game"].as_f64() > Some(0.8), "{duel}");
            assert_eq!((&duel["a"], &duel["b"]), (&"strong".into(), &opponent.into()));
        }
        let ahead = json(&format!("duel strong+1ply minimax:2:strong --game {game} --games 2 --json"));
        assert_eq!((&ahead["a"], &ahead["b"]), (&"strong+1ply".into(), &"minimax:2:strong".into()));
        // By default the net plays.
        let rollout = format!("rollout start --game {game} --trials 100 --json");
        let plain = json(&rollout);
        let less_luck = json(&format!("{rollout} --variance-reduction --threads 2"));
        let [a, b] = [&plain, &less_luck].map(|found| &found["candidates"][0]);
        assert_eq!((&plain["policy"], &a["outcomes"]), (&"strong".into(), &b["outcomes"]));
        let number = |of: &Value, key: &str| of[key].as_f64().expect("a number");
        assert!(number(b, "se_equity") < 0.6 * number(a, "se_equity"), "{less_luck}");
        let apart = (number(a, "equity") - number(b, "equity")).abs();
        assert!(apart < 4.0 * number(a, "se_equity"), "{plain} {less_luck}");
        for of in [a, b] {
            assert!(
                number(of, "low_equity") < number(of, "equity") && number(of, "equity") < number(of, "high_equity")
            );
        }
    }
    for (line, expected) in [
        ("rollout start 31 --game fevga --policy stronger", "strong, or FILE"),
        ("rollout start 31 --game fevga --policy uniform --variance-reduction", "the policy is uniform: name strong"),
        ("rollout start 31 --game fevga --policy strong+3ply", "'+3ply' of 'strong+3ply'"),
        ("duel stronger random --game fevga", "strong, or FILE"),
        ("duel strong+0ply random --game fevga", "look 1 to 2 plies ahead"),
        (
            "evaluate start 31 --game plakoto --evaluator stronger",
            "which has: tavli3d, ends, strong, or FILE, a net that tavli train wrote, also with +bearoff:SIZE and +1ply \
             to +2ply after it\n",
        ),
        (
            "evaluate start 31 --game plakoto --evaluator strong+bearoff:6x99",
            "cannot use 'strong+bearoff:6x99' as a player of plakoto: ",
        ),
        (
            "duel weak.player+bearoff:6x6 random --game fevga",
            "cannot use weak.player as a net of fevga: there is no such file",
        ),
        ("evaluate start --game draughts --evaluator strong", "not an evaluator of draughts"),
    ] {
        let refused = run(line);
        assert_eq!(refused.status.code(), Some(2), "{line}: {refused:?}");
        assert!(errors(&refused).contains(expected), "{line}: {refused:?}");
    }
    for command in ["duel", "play", "evaluate --game fevga", "rollout --game fevga"] {
        let shown = run(&format!("{command} --help"));
        let help = text(&shown);
        let words = help.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains("strong of plakoto, fevga"), "{command}: {help}");
    }
}

/// The formats of a money game differ in what they say about the rules: formats that ask another question are named.
#[test]
fn formats_that_cannot_say_the_rules_of_a_money_game_are_remarked_on() {
    let position = |state: &str| {
        let output = run(&format!("position XGID=-bBC---b-A-ABBa---Aaa-bbAB:0:0:1:00:0:0:{state}:0:10"));
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        errors(&output).to_owned()
    };
    assert_eq!(position("0"), "");
    assert_eq!(
        position("1"),
        "remark: the OGID and the FIBS line do not say whether the Jacoby rule holds, and they are read as another \
         game; the XGID says so\n"
    );
    let beavers = position("2");
    assert!(beavers.contains("the Match ID and the OGID and the FIBS line do not say whether beavers are allowed"));
}
