use core::num::NonZeroU32;
use tavli_backgammon::*;

#[test]
fn planes_are_the_board_and_its_numbers() {
    let playouts = Playouts::new(Board::START, RuleSet::Backgammon, 3).expect("a game");
    for plies in 1..200 {
        let playouts = playouts.truncated_after(NonZeroU32::new(plies).expect("not 0"));
        let board = playouts.play(u64::from(plies)).board;
        let planes = Planes::from(board);
        assert_eq!(Board::from(planes), board);
        assert_eq!(planes.points(), board.points());
        let positions = [planes, board.swapped().into(), planes, planes];
        let rows: Vec<[i8; 26]> = Planes::rows(&positions).collect();
        assert_eq!(rows, positions.map(|planes| Board::from(planes).points()));
    }
}
