//! Games at the terminal, played through pipes.

use crate::support::{OPENING, errors, run, run_with_input, text};

/// What a game prints after `lines`.
fn after(arguments: &[&str], lines: &str) -> String {
    let output = run_with_input(arguments, lines.as_bytes());
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    text(&output).to_owned()
}

/// The lines of plays, such as `  1. you 31: 8/5 6/5`, without the number.
fn plies(printed: &str) -> Vec<&str> {
    let lines = printed.lines().map(str::trim_start);
    let plies = lines.filter_map(|line| {
        let (number, play) = line.split_once(". ")?;
        let is_ply = number.parse::<u32>().is_ok() && !play.starts_with(['+', '-']);
        is_ply.then_some(play)
    });
    plies.collect()
}

/// The first play that is listed after `plays`.
fn first_play(printed: &str) -> &str {
    let list = printed.split("your play, or help?\n").nth(1).expect("a list");
    list.lines().next().expect("a play").trim()
}

#[test]
fn the_best_player_sits_down_unless_another_is_named() {
    for (rules, player) in [("backgammon", "strong"), ("mcgammon", "sampled:36:uniform")] {
        let printed = run_with_input(&["play", "--rules", rules], b"quit\n");
        let first = text(&printed).lines().next().expect("a line");
        let expected = format!("game 0: you against {player}, {rules}, seed 1");
        assert_eq!(first, expected);
    }
}

#[test]
fn a_person_plays_by_notation_and_takes_plays_back() {
    let game = &["play", "pubeval", "--seed", "4"];
    let listed = after(game, "plays\n");
    let mine = first_play(&listed);
    assert!(listed.contains("end of the input\nthe game stops here; tavli play me pubeval --position "));
    let played = after(game, &format!("{mine}\n"));
    let moves = plies(&played);
    assert!(moves[0].starts_with("you ") && moves[0].ends_with(mine), "{moves:?}");
    assert!(moves[1].starts_with("pubeval "), "{moves:?}");
    // The same dice come again after a play is taken back, and when the game is played again.
    let undone = after(game, &format!("{mine}\nundo\n{mine}\n"));
    let again = plies(&undone);
    assert_eq!(again[..2], moves[..2]);
    assert_eq!(again[2..4], moves[..2]);
    assert!(undone.contains("back to your decision before"));
    assert!(after(game, "undo\n").contains("there is no play of yours to take back"));
    // In games of odd numbers the opponent begins.
    let second = after(&["play", "pubeval", "--game", "1"], "");
    assert!(plies(&second)[0].starts_with("pubeval "), "{second}");
}

#[test]
fn hints_are_those_of_the_evaluator() {
    let printed = after(&["play", "uniform", "--hints", "td80", "--position", OPENING, "--seed", "3"], "hint\n");
    let asked = printed.lines().find(|line| line.ends_with("your play, or help?"));
    let roll = asked.expect("a question").split(':').next().expect("a roll");
    let valued = run(&format!("evaluate {OPENING} {roll} --evaluator td80 --csv"));
    let valued = text(&valued);
    let best = valued.lines().nth(1).expect("a play");
    let hint = printed.lines().find(|line| line.starts_with("  1. "));
    let hint = hint.expect("a hint");
    let moves = hint.splitn(2, "  ").last().and_then(|hint| hint.split_once("  "));
    let (_, moves) = moves.expect("moves");
    assert!(best.contains(moves), "{best}: {hint}");
}

/// In a match to one point gammons are worth nothing, so other plays are the best ones.
#[test]
fn hints_are_at_the_score() {
    const AT_ONE_POINT: &str = "XGID=---BaCBBB---bC----bbbbbb-A:0:0:1:31:0:0:0:1:10";
    let printed = after(&["play", "td80", "--hints", "td80", "--position", AT_ONE_POINT], "hint\n");
    let hint = printed.lines().find(|line| line.starts_with("  1. ")).expect("a hint");
    let hint: Vec<&str> = hint.split("  ").filter(|part| !part.is_empty()).collect();
    let [equity, moves] = hint[..] else { panic!("{hint:?}") };
    let valued = run(&format!("evaluate {AT_ONE_POINT} --evaluator td80 --layout gnubg"));
    let valued = text(&valued);
    let best = valued.lines().find(|line| line.trim_start().starts_with("1. ")).expect("a play");
    assert!(best.contains(moves), "{best}: {hint:?}");
    let equity = equity.trim_start_matches("1. ");
    assert!(best.contains(equity), "{best}: {equity}");
}

/// The dice, the cube and the score of an ID, in the first game and in the match after it.
#[test]
fn a_roll_without_a_play_is_said_in_plain_words() {
    // A checker on the bar, and each of the opponent's points is closed.
    let position = "XGID=-----DE-E---------cbbbbbbA:0:0:1:63:0:0:0:0:10";
    let output = run_with_input(&["play", "fast", "--position", position], b"quit\n");
    assert!(text(&output).contains("\n63: you cannot move\n"), "{output:?}");
}

#[test]
fn a_match_goes_on_from_a_position() {
    let of = |stakes: &str| format!("XGID=-b----E-C---eE---c-e----B-:{stakes}:10");
    let play = |options: &[&str], stakes: &str, lines: &str| {
        let position = of(stakes);
        let arguments = [&["play", "fast", "--position", &position[..]], options].concat();
        let output = run_with_input(&arguments, lines.as_bytes());
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        (text(&output).to_owned(), errors(&output).to_owned())
    };
    let (printed, remarks) = play(&[], "1:1:1:66:3:4:0:7", "quit\n");
    for part in ["Cube 2", "3 points", "4 points", "\n66: ", "the match stops here; tavli play me fast --position "] {
        assert!(printed.contains(part), "{part}: {printed}");
    }
    assert_eq!(remarks, "");
    // The ID that is printed at the end goes on from there.
    let id = printed.split("--position ").nth(1).and_then(|rest| rest.split(' ').next());
    let again = run_with_input(&["play", "fast", "--position", id.expect("an ID")], b"quit\n");
    for part in ["Cube 2", "3 points", "4 points"] {
        assert!(text(&again).contains(part), "{part}: {again:?}");
    }
    // The next game has no dice, and a cube of its own.
    let (printed, _) = play(&[], "1:1:1:66:3:4:0:7", "resign\nquit\n");
    assert!(printed.contains("fast wins 2 points\nmatch to 7: you 3, fast 6\n"), "{printed}");
    let second = printed.split("game 1: ").nth(1).expect("a second game");
    assert!(second.contains("Cube 1") && second.contains("Crawford game"), "{second}");
    let (printed, _) = play(&[], "0:0:1:00:6:4:1:7", "quit\n");
    assert!(printed.contains("Crawford game"), "{printed}");
    let (printed, _) = play(&[], "0:0:1:00:6:4:0:7", "quit\n");
    assert!(!printed.contains("Crawford game") && printed.contains("6 points"), "{printed}");
    let (printed, _) = play(&["--money"], "1:1:1:66:0:0:0:0", "quit\n");
    assert!(printed.contains("Cube 2") && printed.contains("\n66: "), "{printed}");
    for (options, stakes, remark) in [
        (&[][..], "1:1:1:66:0:0:0:0", "its cube is ignored: --money plays with it"),
        (&["--money"], "1:1:1:66:3:4:0:7", "its match and score are ignored"),
        (&["--money"], "1:1:1:00:0:0:3:0", "nobody beavers here"),
        (&[], "0:0:1:D:0:0:0:0", "what is offered in it is ignored"),
    ] {
        let (_, remarks) = play(options, stakes, "quit\n");
        assert!(remarks.starts_with("remark: ") && remarks.contains(remark), "{stakes}: {remarks}");
    }
    // A player that cannot decide about the cube plays on without it.
    let position = of("1:1:1:66:3:4:0:7");
    let without = run_with_input(&["play", "uniform", "--position", &position], b"quit\n");
    assert!(text(&without).contains("\n66: ") && text(&without).contains("Cube 1"), "{without:?}");
    assert!(errors(&without).contains("its match and score are ignored"), "{without:?}");
    for (options, error) in [
        (&["--games", "2"][..], "--games is for separate games, but the position is from a match"),
        (&["--match", "7"], "cannot be used with"),
    ] {
        let position = of("1:1:1:66:3:4:0:7");
        let output = run_with_input(&[&["play", "uniform", "--position", &position[..]], options].concat(), b"");
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(errors(&output).contains(error), "{output:?}");
    }
    // The Jacoby rule is one of money games.
    for command in ["play uniform", "duel uniform uniform"] {
        let refused = run(&format!("{command} --match 3 --jacoby"));
        assert_eq!(refused.status.code(), Some(2), "{refused:?}");
        assert!(errors(&refused).contains("cannot be used with '--jacoby'"), "{refused:?}");
    }
}

#[test]
fn a_game_is_resigned() {
    for (line, message) in [
        ("resign", "you resign; uniform wins 1 point\n"),
        ("Resign Gammon", "you resign; uniform wins 2 points\n"),
        ("resign backgammon", "you resign; uniform wins 3 points\n"),
    ] {
        let printed = after(&["play", "uniform"], line);
        assert!(printed.ends_with(message), "{printed}");
    }
    let portes = after(&["play", "uniform", "--rules", "portes"], "resign backgammon\nresign\n");
    assert!(portes.contains("worth 2 points at most: resign gammon"), "{portes}");
    let mcgammon = after(&["play", "uniform", "--rules", "mcgammon"], "resign backgammon\nresign gammon\nresign\n");
    assert_eq!(mcgammon.matches("mcgammon is worth 1 point at most: resign\n").count(), 2, "{mcgammon}");
    assert!(mcgammon.ends_with("uniform wins 1 point\n"), "{mcgammon}");
    let two = after(&["play", "uniform", "--games", "2"], "resign\nresign gammon\n");
    assert!(two.contains("score: you -1, uniform +1"), "{two}");
    assert!(two.contains("score: you -3, uniform +3"), "{two}");
}

#[test]
fn what_is_no_order_gets_a_line_and_the_game_goes_on() {
    let mut input = b"\n24/24\n24/22\nresign everything\n\xff\xfe\n".to_vec();
    input.extend(vec![b'x'; 1 << 20]);
    input.extend(b"\n-1\n{}\nquit\n");
    let output = run_with_input(&["play", "uniform"], &input);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let printed = text(&output);
    for message in [
        "write a play, or help for the orders",
        "at character 1: checkers move down, not from 24 to 24",
        "'24/22' is not a play of 43 here;",
        "write resign, resign gammon or resign backgammon",
        "the line is not UTF-8",
        "a line has at most 1000 bytes",
        "at character 1: expected a point 1 to 24",
        "the game stops here",
    ] {
        assert!(printed.contains(message), "{message} is not in {printed}");
    }
    assert_eq!(plies(printed), [""; 0]);
}

#[test]
fn players_are_shown_and_a_game_comes_again() {
    let game = |arguments: &str| {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        text(&output).to_owned()
    };
    let printed = game("play pubeval uniform --seed 8");
    let shown = plies(&printed);
    assert!(shown.len() > 10);
    for (ply, play) in shown.iter().enumerate() {
        let mover = ["pubeval ", "uniform "][ply % 2];
        assert!(play.starts_with(mover), "{ply}: {play}");
    }
    assert_eq!(printed.matches("+13-14-15").count(), shown.len());
    assert_eq!(game("play pubeval uniform --seed 8"), printed);
    assert_ne!(game("play pubeval uniform --seed 9"), printed);
    // A random game is the playout of its number.
    let random = game("play uniform uniform --seed 8 --first-game 2 --rules hypergammon");
    let plies = plies(&random).len();
    assert!(random.contains(&format!("after {plies} plies")), "{random}");
    let played = run("playout --rules hypergammon --first-roll open --seed 8 --first-game 2 --games 1 --per-game -");
    let row = format!(",{plies}\n");
    assert!(text(&played).contains(&row), "{played:?}: {row}");
}

#[test]
fn a_search_plays_its_best_play() {
    let position = "AQAAgAEAAAAAAA";
    let played = after(&["play", "search:2000", "uniform", "--position", position, "--seed", "5"], "");
    assert!(played.contains("search:2000 wins") || played.contains("uniform wins"), "{played}");
    for (name, message) in [
        ("search:0", "write search:N, N simulations from 1 to 8589934592"),
        ("search:8589934593", "write search:N, N simulations from 1 to 8589934592"),
        ("nobody", "or me, search, search:N"),
    ] {
        let output = run(&format!("play {name}"));
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(errors(&output).contains(message), "{}", errors(&output));
    }
    let over = run("play --position AAAAAAEAAAAAAA");
    assert_eq!(over.status.code(), Some(2), "{over:?}");
}

/// Ten checkers on the six point, and the opponent takes off his last one at his next turn.
const LOST: &str = "0 0 0 0 0 0 10 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 -1 0";

#[test]
fn a_search_resigns_what_it_has_lost() {
    let played = |options: &[&str]| {
        let game = ["play", "search:500", "uniform", "--position", LOST];
        after(&[&game, options].concat(), "")
    };
    let resigned = played(&["--resign", "0.05"]);
    let message = "search:500 resigns; uniform wins 1 point\n";
    assert!(resigned.ends_with(message), "{resigned}");
    // Off by default.
    for options in [&[][..], &["--resign", "0"]] {
        assert!(played(options).contains("uniform wins a single game"));
    }
    // Nor does it escape a gammon.
    let gammon = "0 0 0 0 0 0 0 0 0 0 0 0 0 15 0 0 0 0 0 0 0 0 0 0 -1 0";
    let game = ["play", "search:500", "uniform", "--position", gammon, "--resign", "0.05"];
    let played = after(&game, "");
    assert!(played.contains("uniform wins a gammon, 2 points"), "{played}");
    // It does not resign a game that it wins: its share of games is 1, which is not less than 1.
    let won = "0 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 -10 0 0 0 0 0 0";
    let game = ["play", "search:500", "uniform", "--position", won, "--resign", "1"];
    assert!(after(&game, "").contains("search:500 wins a single game"));
    for share in ["-0.1", "1.1", "NaN", "much"] {
        let output = run(&format!("play search --resign {share}"));
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        let message = "write a share from 0 to 1, such as 0.05";
        assert!(errors(&output).contains(message), "{}", errors(&output));
    }
}

#[test]
fn games_and_resigning_are_checked() {
    for (arguments, error) in [
        ("play uniform uniform --games 0", "games are a whole number 1 to "),
        ("play uniform uniform --resign 0.1", "--resign is for a search, and nobody here searches"),
        (
            "play uniform uniform --hints fast",
            "--hints is for a person, or for the cube of a search, and neither plays here",
        ),
        (
            "play search:36 uniform --hints fast",
            "--hints is for a person, or for the cube of a search, and neither plays here",
        ),
        (
            "play uniform uniform --rules hypergammon --money",
            "no efficiency of the cube is known for hypergammon: leave out --money",
        ),
        ("play pubeval --resign 0.1", "--resign is for a search, and nobody here searches"),
    ] {
        let refused = run(arguments);
        assert_eq!(refused.status.code(), Some(2), "{arguments}: {refused:?}");
        assert!(errors(&refused).contains(error), "{arguments}: {refused:?}");
    }
}
