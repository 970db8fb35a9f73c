//! Positions from any text: a position that is read comes back from every format that can hold it.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tavli::{Board, Context, GameState, Position, text};

fuzz_target!(|pasted: &str| {
    let position = match pasted.parse::<Position>() {
        Ok(position) => position,
        Err(error) => {
            let error = error.to_string();
            return assert!(!error.is_empty() && text::is_printable(&error));
        }
    };
    let reading = Position::read(pasted).expect("it was read");
    assert_eq!(reading.position, position);
    let board = position.board();
    // With a label and words around them, the IDs stand for the same position.
    let ids = format!("{}:{}", position.match_id(), position.position_id());
    let again: Position = format!("see GNUID={ids}, please").parse().expect("IDs of our own");
    assert_eq!(again.position_id(), position.position_id());
    assert_eq!(again.match_id(), position.match_id());
    assert_eq!(Board::from_position_id(&position.position_id()), Ok(*board));
    assert_eq!(Board::from_points(&position.points()), Ok(*board));
    assert!(Context::from_match_id(&position.match_id()).is_ok());
    // Drawing must not fail.
    assert_eq!(position.diagram().to_string().lines().count(), 13);
    // A Match ID holds games that are not in progress, which the other formats do not.
    if position.context().state == GameState::Playing {
        let xgid: Position = position.xgid().parse().expect("an XGID of our own");
        assert_eq!(xgid.board(), board);
        assert_eq!(xgid.xgid(), position.xgid());
        let fibs: Position = position.fibs().parse().expect("a FIBS line of our own");
        assert_eq!(fibs.board(), board);
        let ogid: Position = position.ogid().parse().expect("an OGID of our own");
        assert_eq!(ogid.board(), board);
        assert_eq!(ogid.ogid(), position.ogid());
        // A FIBS line does not hold all that an XGID does: see its documentation.
        assert_eq!(fibs.fibs().parse(), Ok(fibs));
    }
});
