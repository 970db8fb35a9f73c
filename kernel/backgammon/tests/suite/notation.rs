//! Plays in words, against GNU Backgammon's own writing and against themselves.

use proptest::prelude::*;
use tavli_backgammon::plays::notation::{Moves, NotationError, parse_play};
use tavli_backgammon::plays::reference;
use tavli_backgammon::{Board, OFF, Roll, RuleSet};

use crate::support::boards::{boards, rolls};
use crate::support::{golden, position_id};

fn roll(text: &str) -> Roll {
    text.parse().expect("a roll")
}

/// A board from `(point, checkers)` pairs, each side in its own frame.
fn board(own: &[(usize, u8)], opponent: &[(usize, u8)]) -> Board {
    let counts = |pairs: &[(usize, u8)]| {
        let mut counts = [0; 26];
        for &(point, checkers) in pairs {
            counts[point] = checkers;
        }
        counts
    };
    Board::new(&counts(own), &counts(opponent)).expect("a legal board")
}

fn parse(board: &Board, dice: &str, text: &str) -> Result<Board, NotationError> {
    parse_play(board, roll(dice), text, RuleSet::Backgammon)
}

/// The standard text of the play that a text means.
fn rewritten(board: &Board, dice: &str, text: &str) -> Result<String, NotationError> {
    let after = parse(board, dice, text)?;
    let moves = Moves::between(board, roll(dice), &after).expect("a legal play has steps");
    Ok(moves.to_string())
}

#[test]
fn plays_are_written_as_gnubg_writes_them() {
    let mut texts = 0;
    for row in golden::rows(&golden::data("moves_gnubg.tsv.gz")) {
        let (board, roll) = (position_id::decode(&row[0]), roll(&row[1]));
        let plays = reference::plays(&board, roll, RuleSet::Backgammon);
        let mut ours: Vec<String> = plays
            .iter()
            .map(|after| Moves::between(&board, roll, after).expect("a legal play has steps").to_string())
            .collect();
        ours.sort();
        let theirs: Vec<&str> = row[3].split(',').collect();
        assert_eq!(ours, theirs, "{} {roll}", row[0]);
        texts += ours.len();
    }
    assert!(texts > 20_000, "only {texts} texts were compared");
}

#[test]
fn gnubgs_texts_are_read_as_the_plays_they_mean() {
    for row in golden::rows(&golden::data("moves_gnubg.tsv.gz")).iter().step_by(16) {
        let board = position_id::decode(&row[0]);
        let plays = reference::plays(&board, roll(&row[1]), RuleSet::Backgammon);
        let mut read: Vec<Board> = Vec::new();
        for text in row[3].split(',') {
            assert_eq!(rewritten(&board, &row[1], text).as_deref(), Ok(text), "{}", row[0]);
            read.push(parse(&board, &row[1], text).expect("read before"));
        }
        assert!(plays.iter().all(|play| read.contains(play)), "{}", row[0]);
    }
}

#[test]
fn any_way_of_writing_means_the_same_play() {
    for (dice, text, others) in [
        ("31", "8/5 6/5", &["6/5 8/5", "6/5,8/5", " 8/5\t6/5 ", "8/5(1) 6/5"][..]),
        ("65", "24/13", &["24/18/13", "24/18 18/13", "18/13 24/18", "24/13(1)"]),
        ("11", "8/7(2) 6/5(2)", &["6/5(2) 8/7(2)", "8/7 6/5 8/7 6/5", "8/7(2), 6/5, 6/5"]),
        ("44", "24/16 13/9(2)", &["24/20/16 13/9 13/9", "13/9(2) 24/20 20/16"]),
    ] {
        assert_eq!(rewritten(&Board::START, dice, text).as_deref(), Ok(text));
        for other in others {
            assert_eq!(rewritten(&Board::START, dice, other).as_deref(), Ok(text), "{other}");
        }
    }
    let entering = board(&[(25, 1), (6, 5)], &[(5, 1), (1, 2)]);
    for text in ["bar/20*/18", "25/20/18", "Bar/20* 20/18", "BAR/20 20/18", "25/20*/18"] {
        assert_eq!(rewritten(&entering, "52", text).as_deref(), Ok("bar/20*/18"), "{text}");
    }
    let home = board(&[(6, 2), (1, 3)], &[(25, 2)]);
    for text in ["6/off(2)", "6/0(2)", "6/Off 6/OFF"] {
        let all = format!("{text} 1/off(2)");
        assert_eq!(rewritten(&home, "66", &all).as_deref(), Ok("6/off(2) 1/off(2)"));
    }
}

#[test]
fn marks_distinguish_plays_that_differ_by_their_hits() {
    // Blots on the mover's 22 and 20 points: 24/18 with 4-2 can hit either, not neither.
    let two = board(&[(24, 1), (1, 2)], &[(3, 1), (5, 1)]);
    assert_eq!(rewritten(&two, "42", "24/22*/18").as_deref(), Ok("24/22*/18"));
    assert_eq!(rewritten(&two, "42", "24/20/18").as_deref(), Ok("24/20*/18"));
    let error = parse(&two, "42", "24/18").expect_err("which way?");
    let NotationError::Ambiguous { ref alternatives, .. } = error else {
        panic!("{error}");
    };
    let mut texts: Vec<String> = alternatives.iter().map(Moves::to_string).collect();
    texts.sort();
    assert_eq!(texts, ["24/20*/18", "24/22*/18"]);
    assert!(error.to_string().ends_with("mark the hits with '*'"), "{error}");

    // A blot on the 20 point only: the move without a mark avoids it, as in GNU Backgammon.
    let one = board(&[(24, 1), (1, 2)], &[(5, 1)]);
    assert_eq!(rewritten(&one, "42", "24/18").as_deref(), Ok("24/18"));
    assert_eq!(rewritten(&one, "42", "24/20*/18").as_deref(), Ok("24/20*/18"));
    assert_ne!(parse(&one, "42", "24/18"), parse(&one, "42", "24/20/18"));
    // No checker is on 22, so a hit there is not a play.
    assert!(matches!(parse(&one, "42", "24/22*/18"), Err(NotationError::NoSuchPlay { .. })));

    // Only one way is open, and it hits: the mark may be left out.
    let forced = board(&[(24, 1), (1, 2)], &[(5, 1), (3, 2)]);
    assert_eq!(rewritten(&forced, "42", "24/18").as_deref(), Ok("24/20*/18"));
}

#[test]
fn a_pass_is_written_and_read() {
    let closed = board(&[(25, 1)], &[(1, 2), (2, 2), (3, 2), (4, 2), (5, 2), (6, 2)]);
    for text in ["cannot move", "Cannot move ", "no move", "pass"] {
        assert_eq!(parse(&closed, "21", text), Ok(closed.swapped()));
        assert_eq!(rewritten(&closed, "21", text).as_deref(), Ok("cannot move"));
    }
    let error = parse(&closed, "21", "bar/24").expect_err("closed out");
    assert_eq!(error.to_string(), "'bar/24' is not a play of 21 here; no checker can move");
    assert!(parse(&Board::START, "21", "pass").is_err());
}

#[test]
fn errors_name_the_fault_and_its_place() {
    for (text, message) in [
        ("", "at character 1: expected a point 1 to 24 or 'bar' (25)"),
        ("8", "at character 2: expected '/' and the point"),
        ("8/", "at character 3: expected a point 1 to 24 or 'off' (0)"),
        ("8/5 x/5", "at character 5: expected a point 1 to 24 or 'bar' (25)"),
        ("8/5 off/5", "at character 5: expected a point 1 to 24 or 'bar' (25)"),
        ("8/5 6/bar", "at character 7: expected a point 1 to 24 or 'off' (0)"),
        ("26/20", "at character 1: expected a point 1 to 24 or 'bar' (25)"),
        ("300/20", "at character 1: expected a point 1 to 24 or 'bar' (25)"),
        ("8/5?", "at character 4: expected '/', '*', '(' or a blank"),
        ("8/5(5)", "at character 4: expected how often the move is made"),
        ("8/5(", "at character 4: expected how often the move is made"),
        ("6/off*", "at character 6: expected '/', '*', '(' or a blank"),
        ("8/5 é", "at character 5: expected a point"),
        ("8/5 5/8", "at character 5: checkers move down, not from 5 to 8"),
        ("8/5/5", "at character 1: checkers move down, not from 5 to 5"),
        ("8/5", "'8/5' is not a play of 31 here; there are 16 others, such as "),
        ("8/7 6/5(4)", "'8/7 6/5(4)' is not a play of 31 here; there are 16 others"),
    ] {
        let error = parse(&Board::START, "31", text).expect_err(text);
        assert!(error.to_string().starts_with(message), "{text}: {error}");
    }
    let last = board(&[(1, 1)], &[(1, 1)]);
    let won = parse(&last, "21", "1/off").expect("the last checker");
    assert_eq!(parse(&last, "21", "1/0"), Ok(won));
    let error = parse(&won, "21", "1/off").expect_err("the game is over");
    assert_eq!(error.to_string(), "'1/off' is not a play of 21 here; the game is over");
    let error = parse(&last, "21", "2/off").expect_err("nothing stands there");
    assert_eq!(error.to_string(), "'2/off' is not a play of 21 here; the only one is 1/off");
}

#[test]
fn steps_and_checkers_are_there_for_frontends() {
    let before = board(&[(24, 2), (6, 2)], &[(5, 1), (25, 2)]);
    let after = parse(&before, "44", "24/16(2)").expect("a play");
    let moves = Moves::between(&before, roll("44"), &after).expect("its steps");
    let steps: Vec<(u8, u8, bool)> = moves.steps().iter().map(|s| (s.from, s.to, s.hit)).collect();
    assert_eq!(steps, [(24, 20, true), (24, 20, false), (20, 16, false), (20, 16, false)]);
    let checkers: Vec<_> = moves.checkers().collect();
    assert_eq!(checkers.len(), 1);
    assert_eq!((checkers[0].from(), checkers[0].to(), checkers[0].times()), (24, 16, 2));
    assert_eq!(moves.to_string(), "24/20*/16(2)");
    assert_eq!(format!("{moves:>15}|{:<12}|", checkers[0]), "   24/20*/16(2)|24/20*/16(2)|");
    let before = board(&[(25, 1), (3, 1)], &[(5, 1)]);
    let moves = Moves::between(&before, roll("11"), &before.swapped()).expect("no step");
    assert_eq!((moves.steps(), moves.to_string().as_str()), (&[][..], "cannot move"));
}

#[test]
fn unreachable_positions_have_no_moves() {
    let far = board(&[(24, 1)], &[(25, 2)]);
    let step = |to: usize| board(&[(to, 1)], &[(25, 2)]).swapped();
    assert!(Moves::between(&far, roll("21"), &step(21)).is_some());
    assert_eq!(Moves::between(&far, roll("21"), &step(20)), None);
    assert_eq!(Moves::between(&far, roll("44"), &step(8)).map(|m| m.to_string()).as_deref(), Some("24/8"));
    assert_eq!(Moves::between(&far, roll("44"), &step(4)), None);
    // Blocked on the way, and a larger die while a checker stands further back.
    let blocked = board(&[(24, 1)], &[(5, 2), (3, 2)]);
    let beyond = board(&[(18, 1)], &[(5, 2), (3, 2)]).swapped();
    assert_eq!(Moves::between(&blocked, roll("42"), &beyond), None);
    let home = board(&[(5, 1), (3, 1)], &[(25, 2)]);
    assert_eq!(Moves::between(&home, roll("44"), &board(&[(5, 1)], &[(25, 2)]).swapped()), None);
}

proptest! {
    /// The steps lead from the one position to the other, and the text back to the play.
    #[test]
    fn every_play_has_moves_that_are_read_back(board in boards(), roll in rolls(), pick in any::<proptest::sample::Index>()) {
        let plays = reference::plays(&board, roll, RuleSet::Backgammon);
        let mut texts = std::collections::BTreeSet::new();
        for after in &plays {
            let moves = Moves::between(&board, roll, after).expect("a legal play has steps");
            let mut reached = board;
            for step in moves.steps() {
                prop_assert!(step.from - step.to == roll.high() || step.from - step.to == roll.low() || step.to == OFF);
                prop_assert_eq!(reached.move_checker(step.from, step.to), Ok(step.hit));
            }
            prop_assert_eq!(&reached.swapped(), after);
            texts.insert(moves.to_string());
        }
        prop_assert_eq!(texts.len(), plays.len(), "every play has its own text");
        let after = pick.get(&plays);
        let text = Moves::between(&board, roll, after).expect("a legal play has steps").to_string();
        prop_assert_eq!(parse_play(&board, roll, &text, RuleSet::Backgammon), Ok(*after), "{}", text);
    }

    /// No text makes the reader panic.
    #[test]
    fn any_text_is_read_or_refused(text in "[0-9barofBOé/*(), ]{0,24}|\\PC{0,12}", roll in rolls()) {
        let _ = parse_play(&Board::START, roll, &text, RuleSet::Backgammon);
    }
}
