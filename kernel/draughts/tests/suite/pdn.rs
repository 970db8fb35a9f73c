//! Games in PDN.

use tavli_draughts::{Draughts, Position};
use tavli_game::streams::seed_of_game;
use tavli_game::{Game, GameTranscript, PlayableGame};
use tavli_simd::Tier;

fn game(rules: &str) -> Draughts {
    Draughts::by_rules(rules, Tier::Portable, 1).expect("its rules")
}

/// Some plies from a position, and the position after them.
fn random_turns(game: &Draughts, start: Position, seed: u64, most: u64) -> (Vec<(usize, usize)>, Position) {
    let (mut turns, mut position) = (Vec::new(), start);
    for ply in 0..most {
        if game.points(&position).is_some() {
            break;
        }
        let choice = (seed_of_game(seed, ply) % game.choices(&position, 0) as u64) as usize;
        turns.push((0, choice));
        position = game.result(&position, 0, choice);
    }
    (turns, position)
}

#[test]
fn a_game_that_is_written_leads_to_its_last_position() {
    let starts = ["start", "W:W21,K30:B1,K7:H12", "W:W22,K30:B6,14,18,25", "B:W17,18,26,K30:B13,21"];
    for name in Draughts::RULES {
        let game = game(name);
        for (seed, start) in (0..200).zip(starts.iter().cycle()) {
            let start = match *start {
                "start" => game.start(),
                text => game.read(text).expect("a position"),
            };
            let (turns, last) = random_turns(&game, start, seed, seed * 2);
            let players = ["first \"to\" move", r"second\"];
            let turns = &turns[..];
            let text = game.transcript(&GameTranscript { players, start, turns }).expect("a text");
            assert_eq!(game.read(&text), Ok(last), "{text}");
            assert_eq!(game.read_turn(&text).map(|read| read.remark), Ok(None), "{text}");
            assert_eq!(game.read(&text.replace('\n', " ")), Ok(last), "on one line: {text}");
            assert!(text.lines().all(|line| line.len() <= 80 || line.starts_with("[FEN")), "{text}");
        }
    }
}

#[test]
fn a_game_has_its_players_its_moves_and_its_result() {
    let game = game("english");
    let written = |start: &str, texts: &[&str]| {
        let start = game.read(start).expect("a position");
        let (mut turns, mut position) = (Vec::new(), start);
        for text in texts {
            let moves: Vec<String> =
                (0..game.choices(&position, 0)).map(|choice| game.moves(&position, 0, choice)).collect();
            let choice = moves.iter().position(|moves| moves == text).expect("a play");
            turns.push((0, choice));
            position = game.result(&position, 0, choice);
        }
        let (players, turns) = (["A", "B"], &turns[..]);
        game.transcript(&GameTranscript { players, start, turns }).expect("a text")
    };
    assert_eq!(
        written("B:W21-32:B1-12", &["11-15", "23-19", "8-11"]),
        "[Black \"A\"]\n[White \"B\"]\n[Result \"*\"]\n[GameType \"21\"]\n\n1. 11-15 23-19 2. 8-11 *\n\n"
    );
    // White takes the last piece.
    assert_eq!(
        written("W:W18:B14", &["18x9"]),
        "[Black \"B\"]\n[White \"A\"]\n[Result \"1-0\"]\n[GameType \"21\"]\n[SetUp \"1\"]\n[FEN \"W:W18:B14\"]\n\n\
         1... 18x9 1-0\n\n"
    );
    assert!(written("B:W18:B14", &["14x23"]).contains("[Result \"0-1\"]"));
    assert!(written("B:WK32:BK1:H79", &["1-5"]).contains("[Result \"1/2-1/2\"]"));
}

/// Written by pydraughts 0.6.7 (`PDNWriter`) of random plays, with the last position that it had.
#[test]
fn games_of_another_program_are_read() {
    let text = "[GameType \"21,B,8,8,N1,0\"]
[FEN \"B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,10,11,12,2,3,4,5,6,7,8,9\"]

1... 10-14 2. 23-19 9-13 3. 27-23 6-10 4. 23-18 14x23 5. 24-20 13-17 6. 21x14 10x17 7. 22x13 2-6 8. 19-15 11x18 \
                9. 26x19 18-23 10. 30-26 23x30 11. 25-22 12-16 12. 19x12 8-11 13. 31-27 11-16 14. 20x2 6-10 15. 27-24 \
                30-26 16. 32-27 26x17 17. 24-19 17-14 18. 27-24 5-9 19. 13x6 10-15 20. 19x10 14x7 21. 2x11 1x10 22. \
                11-8 4x11 23. 24-19 *
";
    let game = game("english");
    let last = game.read(text).expect("a game");
    assert_eq!(game.text(&last), "B:W12,19,28,29:B3,10,11");
}

/// The proposal of PDN allows `11x18 18x25` for `11x18x25`.
#[test]
fn jumps_written_one_by_one_are_one_capture() {
    let game = game("english");
    let start = "[FEN \"B:W15,22,30:B11,1\"]\n1. ";
    let whole = game.read(&format!("{start}11x18x25 30x21"));
    assert!(whole.is_ok(), "{whole:?}");
    for text in ["11x18 18x25 30x21", "11x18 {two} 18x25 2. 30x21"] {
        assert_eq!(game.read(&format!("{start}{text}")), whole, "{text}");
    }
    for (text, message) in [
        ("11x18", "line 2: play 1 of the game: '11x18' is not a play here: choose one of 11x18x25"),
        ("11x18\n\n30x21", "line 2: play 1 of the game: '11x18' is not a play here: choose one of 11x18x25"),
        ("11x18 18x27", "line 2: play 1 of the game: '11x18x27' is not a play here: choose one of 11x18x25"),
    ] {
        let error = game.read(&format!("{start}{text}")).expect_err("no play").to_string();
        assert!(error.starts_with(message), "{text}: {error}");
    }
}

/// A game by other rules is no game of GameType 21, and names its rules.
#[test]
fn a_game_names_its_rules() {
    let english = game("english");
    for (name, tags) in [
        ("english", "[GameType \"21\"]\n\n"),
        ("report", "[Rules \"report\"]\n\n"),
        ("optional", "[Rules \"optional\"]\n\n"),
    ] {
        let game = game(name);
        for seed in 0..40 {
            let start = game.start();
            let (turns, last) = random_turns(&game, start, seed, 80);
            let (players, turns) = (["A", "B"], &turns[..]);
            let text = game.transcript(&GameTranscript { players, start, turns }).expect("a text");
            assert!(text.contains(tags), "{text}");
            let read = english.read_turn(&text).expect("a game");
            // Rules that count kings' plies only count fewer.
            assert_eq!(read.position.with_quiet(0), last.with_quiet(0), "{text}");
            assert!(read.position.quiet() <= last.quiet(), "{text}");
            let remark =
                format!("the game was played by {name} rules, and its last position is taken by english rules");
            assert_eq!(read.remark, (name != "english").then_some(remark));
        }
    }
    // Plies of men, which the report's rules count.
    let text = "[rules \"report\"]\n1. 11-15 23-19 2. 8-11";
    assert_eq!(game("report").read(text).map(|last| last.quiet()), Ok(3));
    assert_eq!(english.read(text).map(|last| last.quiet()), Ok(0));
}

#[test]
fn games_are_read_as_programs_and_web_pages_have_them() {
    let game = game("english");
    let (plain, ended) = (game.read("1. 11-15 23-19 2. 8-11"), game.read("W:WK30:B28"));
    assert!(plain.is_ok());
    for text in [
        "\u{feff}1. 11-15 23-19 2. 8-11",
        "\u{feff}[Event \"a\"]\r\n[Round \"?\"]\r\n\r\n1. 11-15 23-19 2. 8-11 *\r\n",
        "% a line for another program\n[Event \"a\"]\n% [FEN \"x\"]\n\n1. 11-15\n% 9-13\n23-19 2. 8-11 1-0",
        "; a comment\n1. 11-15 23-19 2. 8-11",
        "{a comment} 1. 11-15 23-19 2. 8-11",
        "(1. 9-13) 1. 11-15 23-19 2. 8-11",
        "1. 11\u{2013}15 23\u{2212}19 2. 8\u{2010}11 2-0",
        "1. 11-15 23-19 2. 8-11 1-1",
        "1. 11-15 23-19 2. 8-11 0-2",
        "1. 11-15 23-19 2. 8-11 0-0",
        "[FEN \"B:W21-32:B1-12\"] [fen \"B:W21-32:B1-12 \"] 1. 11-15 23-19 2. 8-11",
        "[Result \"1-0\"][gametype \"21,B,8,8,N1,0\"] 1. 11-15 23-19 2. 8-11 1-0",
    ] {
        assert_eq!(game.read(text), plain, "{text}");
    }
    for text in ["[fen \"W:WK30:B28\"]", "[SETUP \"1\"]\n[FEN \"W:WK30:B28\"]\n*", "\u{feff}W:WK30:B28\r\n"] {
        assert_eq!(game.read(text), ended, "{text}");
    }
}

#[test]
fn comments_variations_and_opinions_are_passed_over() {
    let game = game("english");
    let plain = game.read("1. 11-15 23-19 2. 8-11").expect("a game");
    for text in [
        "1.11-15 23-19 2.8-11",
        "1. 11-15! {good (or not)} 23-19 $1 2. 8-11?! *",
        "[Event \"a [b] \\\"c\\\"\"]\n1. 11-15 (1. 9-13 22-18 (22-17)) 23-19 ; to the end of the line\n2. 8-11 1/2-1/2",
    ] {
        assert_eq!(game.read(text), Ok(plain), "{text}");
    }
}

#[test]
fn what_is_wrong_with_a_game_is_said() {
    let game = game("english");
    for (text, message) in [
        ("1. 11-15 24-15", "play 2 of the game: '24-15' is not a play here: choose one of"),
        ("1. 11-15 23-19 two", "play 3 of the game: 'two' is not a move"),
        ("[Black \"A]\n1. 11-15", "line 1: '[Black \"A]' is not a tag of a game"),
        ("[GameType \"20\"]\n1. 32-28", "line 1: a game of type 20: English draughts has the GameType 21"),
        ("[FEN \"W:W18\"]\n*", "line 1: the FEN of the game: 'W:W18' is not a position"),
        ("1. 11-15 {never closed", "a comment or a variation of the game does not end"),
        ("1. 11-15 (23-19", "a comment or a variation of the game does not end"),
        ("1. 11-15 * 1. 9-13 *", "there is more than one game"),
        ("1. 11-15 *\n[Black \"A\"]", "line 2: there is more than one game"),
        ("[FEN \"W:W18:B14\"]\n18x9 9-5", "line 2: play 2 of the game, '9-5', comes after its end"),
        ("1. 11-15\n23-19\n\n2. 8-12", "line 4: play 3 of the game: '8-12' is not a play"),
        (
            "[FEN \"W:W21:B1\"]\n[FEN \"W:W22:B1\"]\n1. 21-17",
            "line 2: the tag FEN is there twice, as 'W:W21:B1' and as 'W:W22:B1': keep one",
        ),
        (
            "[Rules \"report\"][rules \"optional\"]",
            "the tag Rules is there twice, as 'report' and as 'optional': keep one",
        ),
        (
            "[Rules \"house\"] 1. 11-15",
            "a game by the rules 'house': the tag Rules has one of english, report, optional",
        ),
        (
            "[SetUp \"1\"]\n1. 11-15",
            "line 2: the tag SetUp says that the game does not begin from the start, and there is no tag FEN",
        ),
        ("1-0", "the text has no play of a game"),
        ("1.", "the text has no play of a game"),
        ("[Event \"only tags\"]", "the text has no play of a game"),
        ("; only a comment", "the text has no play of a game"),
        ("1. 11-15 % 23-19", "play 2 of the game: '%' is not a move"),
    ] {
        let error = game.read(text).unwrap_err().to_string();
        assert!(error.starts_with(message), "{text}: {error}");
    }
}
