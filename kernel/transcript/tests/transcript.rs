//! Matches read, recorded step by step, and written.

use std::cell::Cell;

use tavli_backgammon::{NO_STOP, RuleSet, Stakes, Stopped, TurnStage};
use tavli_transcript::{Action, MatError, Match};

/// Two games of a match between `strong` by the external player and GNU Backgammon 1.07.001, which wrote the file.
const TWO_GAMES: &str = include_str!("data/two_games.mat");

#[test]
fn a_match_of_gnubg_is_read() {
    let played = Match::read(TWO_GAMES, NO_STOP).expect("a match");
    assert_eq!((played.length, &played.players), (Some(7), &["gnubg".to_owned(), "root".to_owned()]));
    assert_eq!(played.comments, [("EventDate".to_owned(), "2026.11.26".to_owned())]);
    let [first, second] = &played.games[..] else { panic!("{} games", played.games.len()) };
    assert_eq!((first.score, first.winner), ([0, 0], Some((1, 2))));
    assert_eq!((second.score, second.winner), ([0, 2], Some((0, 4))));
    // Twenty-two lines of two plays, with a double and a take in the sixth.
    assert_eq!(first.steps.len(), 44);
    let double = &first.steps[10];
    assert_eq!((double.player, double.action), (0, Action::Double));
    assert_eq!(double.position.context().stage, TurnStage::ToRoll);
    let take = &first.steps[11];
    assert_eq!((take.player, take.action), (1, Action::Take));
    assert_eq!((take.position.context().stage, take.position.context().cube.log2), (TurnStage::Doubled, 0));
    let after = &first.steps[12];
    assert_eq!(after.position.xgid().split(':').skip(1).take(2).collect::<Vec<_>>(), ["1", "-1"]);
    // The last play of each game bears the last checker off.
    for game in &played.games {
        let Some(Action::Play { after, .. }) = game.steps.last().map(|step| step.action) else {
            panic!("a play");
        };
        assert!(RuleSet::Backgammon.is_over(&after));
    }
}

#[test]
fn games_that_are_given_up_are_read_as_each_program_writes_them() {
    // The second as GNU Backgammon writes the first, the third where the file ends.
    let start = " 5 point match\n\n Game 1\n A : 0                          B : 0\n";
    for (lines, winner) in [
        ("  1) 31: 8/5 6/5                 63: \n      Wins 2 points\n", Some((0, 2))),
        ("  1) 31: 8/5 6/5                 63: 24/15\n  2) 63:       Wins 2 points\n", Some((0, 2))),
        ("  1) 31: 8/5 6/5                 63: 24/15\n  2) 63: \n", None),
        ("  1) 31: 8/5 6/5                 63: ????\n\n Game 2\n A : 0                    B : 1\n", None),
        // As servers write it: the player who gives up, and numbers and rolls without meaning.
        (
            "  1) 31: 8/5 6/5                 63: Concedes\n  5)  Wins 2 point\n  6)                              \n",
            Some((0, 2)),
        ),
        ("  1) 31: 8/5 6/5                 63: 24/15\n  2) 63: Concedes                Wins 2 point\n", Some((1, 2))),
        ("  1) 31: 8/5 6/5                 Concedes\n  2)  Wins 1 point\n", Some((0, 1))),
        ("  1) 31: 8/5 6/5                 00: ????\n  2)  Wins 1 point\n", Some((0, 1))),
    ] {
        let played = Match::read(&format!("{start}{lines}"), NO_STOP).expect(lines);
        assert_eq!(played.games[0].winner, winner, "{lines}");
        assert_eq!(played.games[0].steps.len(), 1 + usize::from(lines.contains("24/15")), "{lines}");
    }
}

#[test]
fn reading_a_match_can_be_stopped() {
    let lines = Cell::new(0);
    let stop = || {
        lines.set(lines.get() + 1);
        lines.get() > 7
    };
    assert_eq!(Match::read(TWO_GAMES, &stop).err(), Some(MatError::Stopped(Stopped)));
    assert_eq!(lines.get(), 8);
    assert!(Match::read(TWO_GAMES, NO_STOP).is_ok());
}

#[test]
fn dialects_are_read() {
    let text = "\u{feff}; [Site \"somewhere\"]\n; [Jacoby \"True\"]\n\n 0 point match\n\n Game 1\n Ann B. : 0   Ben: 0\n\
                \t1) 63: 24/15 42: 8/4 6/4\n 2) 61: 13/7 8/7  31: 24/23 13/10\n  3) 55: bar/20 25/20 13/8(2)\n";
    // With the second checker not on the bar, the last line is not a play.
    let error = Match::read(text, NO_STOP).expect_err("no play").to_string();
    assert!(error.starts_with("line 10: "), "{error}");
    let text = text.lines().take(9).collect::<Vec<_>>().join("\n");
    let played = Match::read(&text.replace("Ben: 0", "Ben : 0"), NO_STOP).expect("a session");
    assert_eq!((played.length, played.players[0].as_str()), (None, "Ann B."));
    let stakes = played.games[0].steps[0].position.context().stakes;
    assert_eq!(stakes, Stakes::Money { jacoby: true, beavers: false });
    assert_eq!(played.games[0].steps.len(), 4);
    assert_eq!(played.games[0].winner, None);
}

#[test]
fn the_crawford_game_is_the_first_at_one_away() {
    let won = "      Wins 1 point";
    let lost = "                                  Wins 1 point";
    let game =
        |game: u32, score: &str, result: &str| format!(" Game {game}\n A : {score}\n  1) 31: 8/5 6/5\n{result}\n\n");
    let text = format!(
        " 3 point match\n\n{}{}{}",
        game(1, "1   B : 1", won),
        game(2, "2   B : 1", lost),
        game(3, "2   B : 2", won)
    );
    let played = Match::read(&text, NO_STOP).expect("a match");
    assert_eq!(played.games.iter().map(|game| game.crawford).collect::<Vec<_>>(), [false, true, false]);
}

#[test]
fn a_match_of_another_variation_is_refused() {
    let text = |variation: &str| {
        format!("; [Variation \"{variation}\"]\n 5 point match\n\n Game 1\n A : 0   B : 0\n  1) 31: 8/5 6/5\n")
    };
    let error = Match::read(&text("NackGammon"), NO_STOP).expect_err("another variation");
    assert!(error.to_string().starts_with("line 1: a match of NackGammon is not read"), "{error}");
    Match::read(&text("Backgammon"), NO_STOP).expect("a match");
}

#[test]
fn what_was_not_possible_is_refused_with_its_line() {
    let start = " 5 point match\n\n Game 1\n A : 0                          B : 0\n";
    for (lines, message) in [
        ("  1) 31: 8/5 6/4\n", "line 5: '8/5 6/4' is not a play of 31 here"),
        ("  1) 31: 8/5 6/5                 Takes\n", "line 5: nobody has doubled"),
        (
            "  1) 31: 8/5 6/5                 62: 24/18 13/11\n  2)  Doubles => 2                31: 8/5 6/5\n",
            "line 6: a double waits for its answer",
        ),
        ("  1) 31: 8/5 6/5\n  2) 21: 13/11 6/5\n", "line 6: it is the turn of B"),
        ("  1) 31: 8/5 6/5\n  words\n", "line 6: 'words' is not an action"),
        (
            "  1) 31: 8/5 6/5                 62: 24/18 13/11\n  2)  Doubles => 2                Drops\n  3) 31: 8/5 6/5\n",
            "line 7: the game was over before",
        ),
        (
            "  1) 31: 8/5 6/5                 62: 24/18 13/11\n  2)  Doubles => 2                Takes\n  3) 65: 24/13                   21: 13/11 6/5\n  4)  Doubles => 4\n",
            "line 8: nobody may double with the opponent's cube",
        ),
        ("  1) 71: 8/5\n", "line 5: '71'"),
        ("  1) 31: 8/5 6/5                 77: 24/15\n", "line 5: '77'"),
        (
            "  1) 31: 8/5 6/5                 62: 24/18 13/11\n  2)  Doubles => 2                Beavers\n",
            "line 6: 'Beavers': nobody beavers in a match; write Takes",
        ),
        (
            "  1) 31: 8/5 6/5                 62: 24/18 13/11\n  2)  Doubles => 2                Takes\n                                 Beavers => 4\n",
            "line 7: 'Beavers => 4': nobody beavers in a match",
        ),
        (
            "  1) 31: 8/5 6/5                 62: 24/18 13/11\n  2)  Doubles => 2                Drops\n      Wins 3 points\n",
            "line 7: the game ended with the cube at 1 and is worth 1 point, not 3: write Wins 1 point",
        ),
        (
            "  1) 31: 8/5 6/5                 62: 24/18 13/11\n  2)  Doubles => 2                Takes\n  3) 65: 24/13\n      Wins 3 points\n",
            "line 8: a game that is given up with the cube at 2 is worth 2, 4 or 6 points, not 3",
        ),
        (
            "  1) 31: 8/5 6/5                 62: 24/18 13/11\n  2)  Doubles => 2                Drops\n      Wins 1 point\n\n Game 2\n A : 2                          B : 0\n",
            "line 10: the score 2-0 does not follow from the game before, which led to 1-0: correct the score",
        ),
        (
            "  1) 31: 8/5 6/5\n\n Game 2\n A : 1                          B : 1\n",
            "line 8: the score 1-1 does not follow from the game before, which led to 0-0",
        ),
        ("  1) 00: 8/5 6/5\n", "line 5: '00: 8/5 6/5': no dice show 00; write the roll"),
        (
            "  1)  Doubles => 1024             Takes\n",
            "line 5: the cube stands at 1, so a double turns it to 2, not 1024",
        ),
        ("  1)  Doubles => two\n", "line 5: 'Doubles => two' names no value of the cube"),
        ("  1) xyz 31: 8/5 6/5\n", "line 5: 'xyz' is not an action"),
        ("  1) 31: 8/5 6/5\n  2)Cannot Move 31: 8/5 6/5\n", "line 6: 'Cannot Move' is not an action"),
        ("  1) Game 99999999999             31: 8/5 6/5\n", "line 5: 'Game 99999999999' is not an action"),
        (
            "  1) 31: 8/5 6/5                 62: 24/18 13/11\n  2)  Doubles  65535 point match  Takes\n",
            "line 6: 'Doubles  65535 point match' is not an action",
        ),
        (
            "  1) 31: 8/5 6/5                 62: 24/18 13/11\n  2)  Doubles => 2                Takes two\n",
            "line 6: 'Takes two' is not an action",
        ),
        (
            "  1) 31: 8/5 6/5\n\n Game 2\n B : 0                          A : 0\n",
            "line 8: the players are 'B' and 'A', and were 'A' and 'B' before",
        ),
        ("  1)  DoublesX => 2\n", "line 5: '1)  DoublesX => 2' is not an action"),
        (
            "  1) 31: 8/5 6/5                 63:\n\n  2) 21: 13/11 6/5\n",
            "line 5: no play is written after 63, and the game goes on, though ",
        ),
        (
            "  1)  Doubles => 2                Takes\n",
            "line 5: nobody may double before the opening roll, which decides who begins",
        ),
        (
            "  1)                             33: 8/5(2) 6/3(2)\n",
            "line 5: no game begins with 33: equal dice are thrown again",
        ),
        (
            "  1) 31: 8/5 6/5                 62: 24/18 13/11\n  3) 65: 24/13\n",
            "line 6: turn 3) stands where turn 2) should: add what is missing, or correct the numbers",
        ),
        (
            "  1) 31: 8/5 6/5                 62: 24/18 13/11\n      Wins 1 point\n Game 3\n",
            "line 7: game 3 stands where game 2 should",
        ),
    ] {
        let error = Match::read(&format!("{start}{lines}"), NO_STOP).expect_err(lines).to_string();
        assert!(error.starts_with(message), "{error}: {message}");
    }
    for (text, message) in [
        ("", "line 1: the file names no match"),
        ("hello\n", "line 1: the file names no match"),
        (" 5 point match\n", "line 1: the file has no game"),
        (" 99999 point match\n", "line 1: '99999' is not a length of a match: write 1 to 32767, or 0 for money"),
        (" 5 point match\n Game 1\n A : 5   B : 0\n", "line 3: 5-0 already ends a match to 5"),
        (" 5 point match\n Game 1\n nonsense\n", "line 3: 'nonsense' is not both names"),
    ] {
        let error = Match::read(text, NO_STOP).expect_err(text).to_string();
        assert!(error.starts_with(message), "{error}: {message}");
    }
}

/// The last play of the first game bears off, and the second player has won.
#[test]
fn a_result_in_the_wrong_column_is_refused() {
    let (before, wins) = TWO_GAMES.split_once("Wins").expect("a result");
    let line = before.rfind('\n').expect("a line before") + 1;
    let column = before.len() - line;
    let other = if column < 22 { 40 } else { 6 };
    let moved = format!("{}{}Wins{wins}", &before[..line], " ".repeat(other));
    let error = Match::read(&moved, NO_STOP).expect_err("the wrong column").to_string();
    assert!(error.contains("has won this game, and the result stands in the column of"), "{error}");
}

/// Winners may count no more points than they need, and files seldom name Jacoby's rule.
#[test]
fn results_and_scores_are_read_as_programs_count_them() {
    let gammon = "  1) 31: 8/5 6/5                 62: 24/18 13/11\n  2)  Doubles => 2                Takes\n  3) 65: 24/13\n      Wins";
    for (stakes, result, score) in [
        (" 3 point match", "4 points", None),
        (" 3 point match", "3 points", None),
        (" 0 point match", "4 points", Some("4                          B : 0")),
        (" 0 point match", "4 points", Some("0                          B : 0")),
    ] {
        let next = score.map_or(String::new(), |score| format!("\n Game 2\n A : {score}\n"));
        let text = format!("{stakes}\n\n Game 1\n A : 0                          B : 0\n{gammon} {result}\n{next}");
        let played = Match::read(&text, NO_STOP).expect(&text);
        assert_eq!(played.games.len(), 1 + usize::from(score.is_some()), "{text}");
    }
}

/// The match, without line numbers.
fn without_lines(played: &Match) -> String {
    let mut played = played.clone();
    for step in played.games.iter_mut().flat_map(|game| &mut game.steps) {
        step.line = 0;
    }
    format!("{played:?}")
}

/// The words of each line that are not moves, each with its column.
fn layout(text: &str) -> Vec<String> {
    let words = |line: &str| {
        let mut layout = String::new();
        let mut at = 0;
        for word in line.split(' ') {
            if !word.is_empty() && !word.contains('/') {
                layout.push_str(&format!("{at}{word} "));
            }
            at += word.len() + 1;
        }
        layout
    };
    text.lines().map(words).collect()
}

/// Reading and writing are each other's reverse, and the layout is GNU Backgammon's.
#[test]
fn matches_are_written_as_they_are_read() {
    let played = Match::read(TWO_GAMES, NO_STOP).expect("a match");
    let written = played.mat();
    let again = Match::read(&written, NO_STOP).expect("a match");
    assert_eq!(without_lines(&again), without_lines(&played));
    assert_eq!(again.mat(), written);
    assert_eq!(layout(&written), layout(TWO_GAMES.trim_end()));
    // Cubes that are turned, passed, and games that are given up, by either player, in matches and for money.
    let games = " Game 1\n A : 0                          B : 0\n  1)                             31: 8/5 6/5\n  2)  Doubles => 2       \
                 \x20        Takes\n  3) 63: 24/15                    Doubles => 4\n  4)  Drops\n                                  Wins 2 \
                 points\n\n Game 2\n A : 0                          B : 2\n  1) 65: 24/13\n      Wins 3 points and the \
                 match\n\n";
    for stakes in [" 3 point match", "; [Jacoby \"true\"]\n\n 0 point match"] {
        let played = Match::read(&format!("{stakes}\n\n{games}"), NO_STOP).expect("games");
        assert_eq!(
            played.games.iter().map(|game| (game.winner, game.is_resigned())).collect::<Vec<_>>(),
            [(Some((1, 2)), false), (Some((0, 3)), true)]
        );
        let written = played.mat();
        let again = Match::read(&written, NO_STOP).expect(&written);
        assert_eq!(without_lines(&again), without_lines(&played));
        assert_eq!(again.mat(), written);
        assert_eq!(written.contains("and the match"), played.length.is_some());
        // GNU Backgammon reads "4)  Drops" alone on its line as a beaver: it reads the end of the line before again.
        assert!(written.contains("\n  4)  Drops                       Wins 2 points\n"), "{written}");
    }
    // A take must not be alone on its line either, where a record breaks off.
    let broken = Match::read(
        " 3 point match\n\n Game 1\n A : 0                          B : 0\n  1) 31: 8/5 6/5                  Doubles => 2\n  2)  \
         Takes\n",
        NO_STOP,
    );
    let written = broken.expect("a match").mat();
    assert!(written.lines().any(|line| line.starts_with("  2)  Takes") && line.len() > 15), "{written:?}");
}

/// Names from files and people cannot end a name field or a line.
#[test]
fn names_are_written_within_their_places() {
    let mut played = Match::read(TWO_GAMES, NO_STOP).expect("a match");
    played.games.truncate(1);
    played.players = ["a : 3 : 4\n Game 2".to_owned(), "strong+2ply:8:fast".to_owned()];
    played.comments = vec![("Site".to_owned(), "x\n 9 point match".to_owned())];
    let again = Match::read(&played.mat(), NO_STOP).expect("a match");
    assert_eq!(again.players, ["a:3:4 Game 2", "strong+2ply:8:fast"]);
    assert_eq!((again.length, again.games.len()), (Some(7), 1));
    played.players[0] = "a]b\\c".to_owned();
    assert!(played.sgf().contains("PW[a\\]b\\\\c]"));
}

#[test]
fn sgf_has_every_action() {
    let played = Match::read(TWO_GAMES, NO_STOP).expect("a match");
    let sgf = played.sgf();
    assert_eq!(sgf.matches("(;FF[4]GM[6]").count(), 2);
    let actions: usize = played.games.iter().map(|game| game.steps.len()).sum();
    assert_eq!(sgf.matches("\n;").count(), actions);
    for part in
        ["MI[length:7][game:1][ws:0][bs:2]", "DT[2026-11-26]", "RE[B+2]\n", "RE[W+4]\n", ";W[double]\n;B[take]\n"]
    {
        assert!(sgf.contains(part), "{part}: {sgf}");
    }
}
