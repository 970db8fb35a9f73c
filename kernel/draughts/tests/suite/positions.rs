//! Positions and their texts.

use crate::support::{golden, positions};
use tavli_draughts::{Position, PositionError, Side, Square};

#[test]
fn golden_texts_are_written_as_they_were_read() {
    for row in golden::rows(&golden::best("positions_english.tsv")) {
        let position: Position = row[1].parse().expect("a position");
        assert_eq!(position.to_string(), row[1]);
    }
}

#[test]
fn varied_positions_are_read_as_they_were_written() {
    for position in positions::varied(2).take(3_000) {
        assert_eq!(position.to_string().parse(), Ok(position));
        assert_eq!(position.turned().turned(), position);
    }
}

#[test]
fn a_game_begins_with_twelve_men_a_side() {
    let start = "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12";
    assert_eq!(Position::START.to_string(), start);
    assert_eq!("B:W21-32:B1-12".parse(), Ok(Position::START));
    assert_eq!(" b : b1-12 : w 21-32 . ".parse(), Ok(Position::START));
    assert_eq!(size_of::<Position>(), 16);
    let turned = Position::START.turned();
    assert_eq!(turned.side(), Side::White);
    assert_eq!(turned.pieces(Side::Black), Position::START.pieces(Side::Black));
}

/// Squares as on a paper board: number 1 on the left of the row nearest to Black's left, and so on.
#[test]
fn squares_have_rows_and_columns() {
    let places: Vec<(u32, u32)> =
        (1..=32).filter_map(Square::new).map(|square| (square.column(), square.row())).collect();
    assert_eq!(places[..8], [(1, 0), (3, 0), (5, 0), (7, 0), (0, 1), (2, 1), (4, 1), (6, 1)]);
    assert_eq!(places[31], (6, 7));
    assert!(places.iter().all(|(column, row)| (column + row) % 2 == 1));
    let bits = (1..=32).filter_map(Square::new).fold(0, |all, square| all | square.set());
    assert_eq!(bits, u32::MAX);
    assert_eq!((Square::new(0), Square::new(33)), (None, None));
}

#[test]
fn errors_name_the_value_and_the_remedy() {
    for (text, message) in [
        ("", "'' is not a position: write the side to move, White's and Black's pieces, as in 'B:W21,K30:B1,K7'"),
        (
            "B:W1:B2:H1:H2",
            "'B:W1:B2:H1:H2' is not a position: write the side to move, White's and Black's pieces, as in \
             'B:W21,K30:B1,K7'",
        ),
        ("X:W21:B1", "'X' before the first colon is not a side to move: write B for Black or W for White"),
        ("B:W21:W1", "'W1' lists no side's pieces: write one part that begins with W and one that begins with B"),
        ("B:21:B1", "'21' lists no side's pieces: write one part that begins with W and one that begins with B"),
        ("B:W21,33:B1", "'33' is not a square: write a number from 1 to 32, for a king with K before it"),
        ("B:W21,:B1", "'' is not a square: write a number from 1 to 32, for a king with K before it"),
        ("B:W9-5:B1", "'9-5' is not a square: write a number from 1 to 32, for a king with K before it"),
        ("B:W21,K21:B1", "two pieces stand on square 21: list each square once"),
        ("B:W21:B21", "two pieces stand on square 21: list each square once"),
        ("B:W20-32:B1", "White has 13 pieces: a side has at most 12"),
        ("B:W3:B1", "White has a man on square 3, where it would be a king: write K3"),
        ("B:W21:B30", "Black has a man on square 30, where it would be a king: write K30"),
        ("B:W21:B1:7", "'7' is not a number of plies: write H and a number from 0 to 255"),
        ("B:W21:B1:H256", "'H256' is not a number of plies: write H and a number from 0 to 255"),
        ("B:W:B", "the board is empty: at least one side has a piece"),
    ] {
        let error = text.parse::<Position>().expect_err(text);
        assert_eq!(error.to_string(), message, "{text}");
    }
    let long = "é".repeat(1000);
    let error = long.parse::<Position>().expect_err("no position").to_string();
    let half = "é".repeat(100);
    assert!(error.starts_with(&format!("'{half}…{half}'")), "{error}");
    // Errors pass no escape sequence on to a terminal.
    let hostile = "\u{1b}[31mB".parse::<Position>().expect_err("no position").to_string();
    assert!(hostile.starts_with(r"'\u{1b}[31mB' is not a position"), "{hostile}");
    let square = |number| Square::new(number).expect("a square");
    assert_eq!(
        Position::new(square(5).set(), 0, square(6).set(), Side::Black, 0),
        Err(PositionError::KingAlone(square(6)))
    );
}

/// No text makes the reader panic.
#[test]
fn any_text_is_read_or_refused() {
    let parts = ["B", "W", ":", ",", "K", "1", "32", "-", "H", "H3", ".", " ", "é", "0", "99999999999", "21-32"];
    let mut texts = vec![String::new()];
    for _ in 0..4 {
        let longer = texts.iter().flat_map(|text| parts.map(|part| text.clone() + part));
        texts = longer.collect();
    }
    let read = texts.iter().filter(|text| text.parse::<Position>().is_ok()).count();
    assert_eq!((texts.len(), read), (65_536, 0), "four of these make no position");
    assert!("B:W:BK1".parse::<Position>().is_ok());
}

#[test]
fn drawings_show_the_board() {
    let position: Position = "W:W21,K30:B1,K7:H3".parse().expect("a position");
    let expected = "  b   .   .   .    1-4
.   .   B   .      5-8
  .   .   .   .    9-12
.   .   .   .     13-16
  .   .   .   .   17-20
w   .   .   .     21-24
  .   .   .   .   25-28
.   W   .   .     29-32
White to move, 3 quiet plies";
    assert_eq!(position.drawing(), expected);
}
