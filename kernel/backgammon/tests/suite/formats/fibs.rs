use tavli_backgammon::*;

const LINE: &str = "board:You:someplayer:3:0:1:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:1:6:2:0:0:1:1:1:0:1:-1:0:25:0:0:0:0:2:0:0:0";

fn with(changes: &[(usize, &str)]) -> Result<Position, FibsError> {
    let mut fields: Vec<&str> = LINE.split(':').collect();
    for &(field, text) in changes {
        fields[field] = text;
    }
    Position::from_fibs(&fields.join(":"))
}

#[test]
fn every_field_is_checked() {
    let big = "99999999999";
    for (field, texts) in [
        (1, ["", "", ""]),
        (2, ["", "", ""]),
        (3, ["", "-1", big]),
        (4, ["", "-1", "x"]),
        (5, ["", "-1", "32768"]),
        (6, ["", "16", "1"]),
        (7, ["", "-16", "x"]),
        (31, ["", "-1", "x"]),
        (32, ["", "2", "O"]),
        (33, ["", "7", "-1"]),
        (36, ["", "7", "x"]),
        (37, ["", "0", "3"]),
        (38, ["", "2", "-1"]),
        (39, ["", "2", "yes"]),
        (40, ["", "2", "x"]),
        (41, ["", "0", "2"]),
        (42, ["", "0", "1"]),
        (43, ["", "25", "1"]),
        (44, ["", "0", "24"]),
        (45, ["", "1", "x"]),
        (46, ["", "15", "-1"]),
        (47, ["", "1", "x"]),
        (48, ["", "2", "-1"]),
        (49, ["", "5", "-1"]),
        (51, ["", "2", "-1"]),
        (52, ["", "-1", big]),
    ] {
        for text in texts {
            match with(&[(field, text)]) {
                // A wrong direction shows where the home is.
                Err(FibsError::Field { field: 43, .. }) if (field, text) == (42, "1") => {}
                Err(FibsError::Field { field: at, .. }) => assert_eq!(at, field, "'{text}'"),
                other => panic!("field {field} = '{text}': {other:?}"),
            }
        }
    }
}

#[test]
fn contradictions_have_errors_of_their_kind() {
    assert_eq!(Position::from_fibs("bored"), Err(FibsError::Prefix));
    for (line, found) in [(LINE.rsplit_once(':').unwrap().0, 51), (&format!("{LINE}:0"), 53)] {
        assert_eq!(Position::from_fibs(line), Err(FibsError::Fields { found }));
    }
    assert_eq!(with(&[(32, "0")]), Err(FibsError::NobodyOnRoll));
    assert_eq!(with(&[(33, "0")]), Err(RollError::Die(0).into()));
    assert_eq!(with(&[(32, "-1")]), Err(FibsError::DiceOfOther));
    let roll = Roll::new(6, 2).unwrap();
    assert_eq!(with(&[(40, "1")]), Err(FibsError::DiceAndDouble(roll)));
    let (player, score, length) = (Side::OnRoll, 3, 3);
    assert_eq!(with(&[(4, "3")]), Err(FibsError::Context(ContextError::MatchOver { player, score, length })));
    let (player, checkers) = (Side::OnRoll, 16);
    assert_eq!(with(&[(8, "1")]), Err(BoardError::TooManyCheckers { player, checkers }.into()));
}

#[test]
fn a_finished_game_is_read_with_the_loser_on_roll() {
    // Your last two checkers are on your 1 point, and your opponent has borne off all.
    let line = |turn: &str, off: [&str; 2]| {
        let zeros = (6..=31).map(|field| (field, if field == 7 { "2" } else { "0" }));
        let others = [(32, turn), (33, "0"), (34, "0"), (45, off[0]), (46, off[1])];
        with(&zeros.chain(others).collect::<Vec<_>>())
    };
    let over = line("0", ["13", "15"]).unwrap();
    assert_eq!(over.context().seat, Seat::Bottom);
    assert_eq!(over.board().own().checkers(), 2);
    assert_eq!(over.board().opponent().checkers(), 0);
    // GNU Backgammon names a player even then.
    assert_eq!(line("1", ["13", "15"]), Ok(over));
    assert_eq!(line("-1", ["13", "15"]).unwrap().board(), &over.board().swapped());
    // A side of a game of three checkers.
    assert_eq!(line("1", ["1", "3"]), Ok(over));
    assert!(matches!(line("1", ["13", "3"]), Err(FibsError::Field { field: 46, .. })));
}

#[test]
fn colour_and_direction_only_say_how_to_read() {
    let position = with(&[]).unwrap();
    let mut fields: Vec<String> = LINE.split(':').map(str::to_owned).collect();
    // As X: every checker and the turn change sign.
    for field in &mut fields[6..=32] {
        *field = (-field.parse::<i32>().unwrap()).to_string();
    }
    fields[41] = "-1".to_owned();
    assert_eq!(Position::from_fibs(&fields.join(":")), Ok(position));
    // From 1 to 24: every checker stands at the mirrored place.
    fields[6..=31].reverse();
    fields[42] = "1".to_owned();
    fields[43..=44].reverse();
    assert_eq!(Position::from_fibs(&fields.join(":")), Ok(position));
}

#[test]
fn a_line_in_which_nobody_may_double_is_a_double() {
    let not_rolled = [(33, "0"), (34, "0"), (38, "0"), (39, "0")];
    let position = with(&not_rolled).unwrap();
    assert_eq!(position.context().stage, TurnStage::Doubled);
    assert_eq!(position.context().cube.owner, None);
    let redoubled = with(&[&not_rolled[..], &[(37, "2")]].concat()).unwrap();
    assert_eq!(redoubled.context().cube.owner, Some(Side::OnRoll));
}

#[test]
fn the_crawford_game_is_found_out() {
    let crawford = |changes: &[(usize, &str)]| with(changes).unwrap().context().is_crawford();
    assert!(!crawford(&[]));
    assert!(crawford(&[(5, "2")]));
    assert!(!crawford(&[(5, "2"), (51, "1")]));
    assert!(!crawford(&[(5, "2"), (52, "3")]));
    assert!(!crawford(&[(4, "2"), (5, "2")]));
    assert!(!crawford(&[(3, "9999"), (5, "9998")]));
    assert!(!crawford(&[(3, "0"), (5, "2")]));
}
