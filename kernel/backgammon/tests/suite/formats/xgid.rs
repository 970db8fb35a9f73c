use tavli_backgammon::*;

const XGID: &str = "XGID=-a-B--E-B-a-dDB--b-bcb----:1:1:-1:63:1:2:0:3:8";

/// The error of [`XGID`] with one field, or the board, replaced.
fn error(field: usize, text: &str) -> XgidError {
    let mut fields: Vec<&str> = XGID.split(':').collect();
    fields[field] = text;
    Position::from_xgid(&fields.join(":")).unwrap_err()
}

#[test]
fn the_prefix_may_be_left_out() {
    let position = Position::from_xgid(XGID).unwrap();
    assert_eq!(position.xgid(), XGID);
    assert_eq!(Position::from_xgid(&XGID[5..]), Ok(position));
}

#[test]
fn the_top_player_on_roll_is_lower_case() {
    let position = Position::from_xgid(XGID).unwrap();
    let context = position.context();
    assert_eq!(context.seat, Seat::Top);
    assert_eq!((context.score, context.opponent_score), (2, 1));
    assert_eq!(context.cube.owner, Some(Side::Opponent));
    assert_eq!(position.board().content(5), 3);
    assert_eq!(position.board().content(22), -2);
}

#[test]
fn the_smaller_die_may_come_first() {
    let swapped = XGID.replace(":63:", ":36:");
    assert_eq!(Position::from_xgid(&swapped).map(|position| position.xgid()), Ok(XGID.to_owned()));
}

#[test]
fn every_field_is_checked() {
    for (field, texts) in [
        (1, ["", "16", "-1", "+1", "x", "1.0"]),
        (2, ["", "2", "-2", "+1", "x", "01"]),
        (3, ["", "0", "2", "+1", "x", "01"]),
        (4, ["", "0", "60", "7", "d", "666"]),
        (5, ["", "32768", "-1", "+1", "x", "99999999999"]),
        (6, ["", "32768", "-1", "+1", "x", " 1"]),
        (7, ["", "2", "-1", "+1", "x", "3"]),
        (8, ["", "32768", "-3", "+3", "x", "3 "]),
        (9, ["", "16", "-1", "+8", "x", "1e1"]),
    ] {
        for text in texts {
            match error(field, text) {
                XgidError::Field { text: shown, .. } => assert_eq!(shown, text),
                other => panic!("field {field} = '{text}': {other}"),
            }
        }
    }
    for fields in [1, 9, 11] {
        let text = vec!["0"; fields].join(":");
        assert_eq!(Position::from_xgid(&text), Err(XgidError::Fields { found: fields }));
    }
}

#[test]
fn fields_that_contradict_each_other_are_refused() {
    let context_error = |field, text| match error(field, text) {
        XgidError::Context(error) => error,
        other => panic!("{other}"),
    };
    let (log2, limit) = (9, 8);
    assert_eq!(context_error(1, "9"), ContextError::Cube { log2, limit });
    assert!(matches!(context_error(5, "3"), ContextError::MatchOver { score: 3, length: 3, .. }));
    assert_eq!(context_error(4, "B"), ContextError::Beaver);
    // A false mark of the Crawford game counts as none.
    let crawford = XGID.replace(":2:0:3:", ":0:1:3:");
    let unmarked = XGID.replace(":2:0:3:", ":0:0:3:");
    assert_eq!(Position::from_xgid(&crawford), Position::from_xgid(&unmarked));
    // So does one where both players are one point from winning, but in a match to one point.
    let [both, unmarked] = ["1", "0"].map(|mark| XGID.replace(":2:0:3:", &format!(":2:{mark}:3:")));
    let [both, unmarked] = [both, unmarked].map(|text| text.replace(":1:2:", ":2:2:"));
    assert_eq!(Position::from_xgid(&both), Position::from_xgid(&unmarked));
    // In the Crawford game the cube stands at 1.
    let [turned, middle] =
        ["1:1", "0:0"].map(|cube| XGID.replace(":1:1:-1:63:1:2:0:3:", &format!(":{cube}:-1:63:1:2:1:3:")));
    let reading = Position::read(&turned).unwrap();
    assert_eq!(reading.remark, Some(Remark::CrawfordCube { log2: 1 }));
    assert_eq!(Ok(reading.position), Position::from_xgid(&middle));
    let doubled = XGID.replace(":63:1:2:0:3:", ":D:1:2:1:3:");
    assert_eq!(Position::from_xgid(&doubled), Err(ContextError::CrawfordDouble.into()));
}

/// The cube belongs to the player who has doubled, or to his opponent.
#[test]
fn a_double_by_a_player_without_the_cube_is_remarked_on() {
    for (owner, remark) in [(-1, None), (1, Some(Remark::ImpossibleDouble))] {
        let text = XGID.replace(":1:1:-1:63:", &format!(":1:{owner}:-1:D:"));
        assert_eq!(Position::read(&text).unwrap().remark, remark);
    }
}

#[test]
fn a_double_at_the_limit_of_the_cube_is_remarked_on() {
    for (cube, last, log2) in [
        ("10:1:1:D:0:0:0:0", "10", Some(10)),
        ("0:0:1:D:0:0:0:0", "0", Some(0)),
        ("3:1:1:D:0:0:0:0", "3", Some(3)),
        ("9:1:1:D:0:0:0:0", "10", None),
        ("10:1:1:31:0:0:0:0", "10", None),
    ] {
        let text = format!("XGID=-b----E-C---eE---c-e----B-:{cube}:{last}");
        let remark = log2.map(|log2| Remark::DoubleAtLimit { log2 });
        assert_eq!(Position::read(&text).unwrap().remark, remark, "{text}");
    }
}

#[test]
fn the_board_is_checked() {
    let board = &XGID[5..31];
    let with = |point: usize, character: &str| {
        let mut text = board.to_owned();
        text.replace_range(point..=point, character);
        error(0, &text)
    };
    assert_eq!(error(0, &board[1..]), XgidError::BoardLength { found: 25 });
    let (character, position) = ('P', 1);
    assert_eq!(with(0, "P"), XgidError::BoardCharacter { character, position });
    let (character, position) = ('é', 3);
    assert_eq!(with(2, "é"), XgidError::BoardCharacter { character, position });
    let (character, seat) = ('A', "top");
    assert_eq!(with(0, "A"), XgidError::Bar { character, seat });
    let (character, seat) = ('a', "bottom");
    assert_eq!(with(25, "a"), XgidError::Bar { character, seat });
    // The player on roll is at the top.
    let (player, checkers) = (Side::OnRoll, 17);
    assert_eq!(with(0, "b"), BoardError::TooManyCheckers { player, checkers }.into());
    assert_eq!(error(0, &"-".repeat(26)), BoardError::NoCheckers.into());
}
