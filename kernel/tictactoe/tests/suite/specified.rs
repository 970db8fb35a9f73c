//! The game against its specification, position by position and game by game.

use tavli_base::NO_STOP;

use tavli_game::{Game, PlayableGame, PlayoutStart};
use tavli_tictactoe::Board;

use super::game;
use specification::{Mark, Position};

#[path = "../../specification.rs"]
#[allow(unreachable_pub, dead_code, reason = "a single file that is not part of a library")]
mod specification;

/// The text of a position.
fn text(position: &Position) -> String {
    let letter = |mark: Option<Mark>| match mark {
        Some(Mark::X) => 'X',
        Some(Mark::O) => 'O',
        None => '-',
    };
    let rows = position.rows.map(|row| row.map(letter).iter().collect::<String>());
    format!("{} {}", rows.join("/"), letter(Some(position.to_move)))
}

/// The number of a mark, as programs read it.
fn number(mark: Option<Mark>) -> i32 {
    match mark {
        Some(Mark::X) => 1,
        Some(Mark::O) => -1,
        None => 0,
    }
}

/// Compares a position and all positions that follow from it.
fn compare(position: &Position, board: &Board) {
    assert_eq!(board.text(), text(position));
    assert_eq!(board.squares().to_vec(), position.rows.concat().into_iter().map(number).collect::<Vec<_>>());
    assert_eq!(board.side(), number(Some(position.to_move)));
    assert_eq!(board.points(), specification::points(position), "{}", board.text());
    if board.points().is_none() {
        let plays = specification::plays(position);
        let results = game(1).results(board, 0);
        assert_eq!(results.len(), plays.len());
        plays.iter().zip(&results).for_each(|(play, result)| compare(play, result));
    }
}

#[test]
fn every_position_has_the_specified_plays_and_points() {
    compare(&specification::START, &Board::START);
}

#[test]
fn games_are_those_of_the_specification() {
    let mut position = specification::START;
    for seed in [1, 0xdead_beef, u64::MAX] {
        for number in (0..300).chain([1 << 40, u64::MAX - 1]) {
            let board = game(seed).read(&text(&position)).expect("a position");
            let tally =
                PlayoutStart::new(board).run(&game(seed), number..number + 1, NO_STOP).expect("nothing stops it");
            let (points, plies) = specification::play(&position, seed, number);
            assert_eq!((tally.count(points), tally.plies), (1, u128::from(plies)), "game {number} of {seed}");
        }
        position = specification::plays(&position)[4];
    }
}
