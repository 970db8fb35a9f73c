use tavli_backgammon::*;

/// Reads numbers as the text of a position.
fn read(text: &str) -> Result<Board, PointsError> {
    match text.parse::<Position>() {
        Ok(position) => Ok(*position.board()),
        Err(PositionError::Points(error)) => Err(error),
        Err(error) => panic!("'{text}' is not read as numbers: {error}"),
    }
}

#[test]
fn wrong_numbers_have_errors_of_their_kind() {
    let numbers = |points: &[i8]| {
        let items: Vec<String> = points.iter().map(i8::to_string).collect();
        read(&items.join(" "))
    };
    assert_eq!(numbers(&[0; 25]), Err(PointsError::Count { found: 25 }));
    assert_eq!(numbers(&[0; 27]), Err(PointsError::Count { found: 27 }));
    let mut points = Board::START.points();
    points[0] = 1;
    let (index, number) = (0, 1);
    assert_eq!(numbers(&points), Err(PointsError::Bar { index, number }));
    points[0] = 0;
    points[25] = -2;
    let (index, number) = (25, -2);
    assert_eq!(numbers(&points), Err(PointsError::Bar { index, number }));
    points[25] = 1;
    let (player, checkers) = (Side::OnRoll, 16);
    assert_eq!(numbers(&points), Err(BoardError::TooManyCheckers { player, checkers }.into()));
    points[25] = 0;
    points[3] = -128;
    let (player, checkers) = (Side::Opponent, 143);
    assert_eq!(numbers(&points), Err(BoardError::TooManyCheckers { player, checkers }.into()));
}

#[test]
fn separators_are_commas_or_white_space() {
    let points = Board::START.points().map(|n| n.to_string());
    for separator in [" ", ",", ", ", "\t", "  "] {
        assert_eq!(read(&points.join(separator)), Ok(Board::START));
    }
    let error = |text: String| read(&text).unwrap_err().to_string();
    assert_eq!(
        error(points.join(",").replacen(",0,", ",,", 1)),
        "'' at index 2 is not a number of checkers, -15 to 15"
    );
    assert_eq!(
        error(points.join(" ").replacen("-2", "two", 1)),
        "'two' at index 1 is not a number of checkers, -15 to 15"
    );
    assert_eq!(
        error(points.join(" ").replacen("-2", "999", 1)),
        "'999' at index 1 is not a number of checkers, -15 to 15"
    );
}
