use super::bits;
use tavli_backgammon::*;

/// The text of any bits, whether or not they are a position.
fn text(bits: u128) -> String {
    bits::text::<14>(bits)
}

fn error(text: &str) -> PositionIdError {
    Board::from_position_id(text).unwrap_err()
}

#[test]
fn the_opponent_comes_first() {
    let mut own = [0; 26];
    let mut opponent = [0; 26];
    own[25] = 15;
    opponent[1] = 15;
    let board = Board::new(&own, &opponent).unwrap();
    assert_eq!(board.position_id().as_str(), "/38AAAAAAAD/fw");
    assert_eq!(Board::from_position_id("/38AAAAAAAD/fw"), Ok(board));
    assert_ne!(board.swapped().position_id(), board.position_id());
}

#[test]
fn a_finished_game_is_written_and_read() {
    let mut own = [0; 26];
    own[1] = 1;
    let mut board = Board::new(&own, &own).unwrap();
    board.move_checker(1, 0).unwrap();
    // GNU Backgammon 1.07.001 draws this ID as O's last checker on his 1 point, and X's 15 borne off.
    assert_eq!(board.position_id().as_str(), "AQAAAAAAAAAAAA");
    for board in [board, board.swapped()] {
        assert_eq!(Board::from_position_id(&board.position_id()), Ok(board));
    }
    assert_eq!(error("AAAAAAAAAAAAAA"), BoardError::NoCheckers.into());
}

#[test]
fn text_that_is_not_base64_is_refused() {
    for (text, found) in [("", 0), ("4HPwATDgc/ABM", 13), ("4HPwATDgc/ABMA=", 15)] {
        let expected = 14;
        assert_eq!(error(text), Base64Error::Length { expected, found }.into());
    }
    for (text, character, position) in
        [("4HPw-TDgc/ABMA", '-', 5), ("=HPwATDgc/ABMA", '=', 1), ("4HPwATDgc/ABM\u{e9}", '\u{e9}', 14)]
    {
        let expected = Base64Error::Character { character, position };
        assert_eq!(error(text), expected.into(), "{text}");
    }
    for (text, character) in [("4HPwATDgc/ABMB", 'B'), ("4HPwATDgc/ABMP", 'P')] {
        let unused = 4;
        let expected = Base64Error::UnusedBits { character, unused };
        assert_eq!(error(text), expected.into(), "{text}");
    }
}

#[test]
fn bits_that_are_no_position_are_refused() {
    // One checker a side on its own 1 point, then a stray bit after the 52 that this takes.
    let position = 1 | 1 << 26;
    assert!(Board::from_position_id(&text(position)).is_ok());
    for stray in 52..80 {
        let used = 52;
        assert_eq!(error(&text(position | 1 << stray)), PositionIdError::TrailingBits { used });
    }
    let (player, checkers) = (Side::Opponent, 80);
    assert_eq!(error("/////////////w"), BoardError::TooManyCheckers { player, checkers }.into());
    let (player, checkers) = (Side::OnRoll, 16);
    assert_eq!(error(&text(1 | 0xffff << 26)), BoardError::TooManyCheckers { player, checkers }.into());
    // The opponent's 1 point is the 24 point of the player on roll.
    let point = 24;
    assert_eq!(error(&text(1 | 1 << (26 + 23))), BoardError::SharedPoint { point }.into());
}
