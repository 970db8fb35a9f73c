//! Plays in words, against GNU Backgammon's own writing and against themselves.

mod support;

use proptest::prelude::*;
use tavli::plays::notation::{Moves, NotationError, parse_play};
use tavli::plays::reference;
use tavli::{BAR, Backgammon, Board, OFF, Roll};

use support::boards::{boards, rolls};
use support::{golden, position_id};

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
    parse_play::<Backgammon>(board, roll(dice), text)
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
        let plays = reference::plays::<Backgammon>(&board, roll);
        let mut ours: Vec<String> = plays
            .iter()
            .map(|after| {
                Moves::between(&board, roll, after)
                    .expect("a legal play has steps")
                    .to_string()
            })
            .collect();
        ours.sort();
        let theirs: Vec<&str> = row[3].split(',').collect();
        assert_eq!(ours, theirs, "{} {roll}", row[0]);
        texts += ours.len();
    }
    assert!(texts > 20_000, "only {texts} texts were compared");
}
