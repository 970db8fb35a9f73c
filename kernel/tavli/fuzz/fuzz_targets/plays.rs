//! The fast generator against the reference. The first byte is the roll: the fuzzer tries all of them,
//! where it pays, instead of every one for each board.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tavli::plays::{Plays, reference};
use tavli::{Backgammon, Board, McGammon, Roll, Rules};
use tavli_fuzz::board_and_roll;

fn check<R: Rules>(board: &Board, roll: Roll) {
    let plays = Plays::new::<R>(board, roll);
    let listed = plays.to_vec();
    assert_eq!(listed.len(), plays.len());
    for (index, play) in listed.iter().enumerate() {
        assert_eq!(plays.get(index).as_ref(), Some(play));
    }
    let order = |board: &Board| (board.own().counts(), board.opponent().counts());
    let mut results: Vec<Board> = listed.iter().map(|play| play.board()).collect();
    results.sort_by_key(order);
    let mut expected = reference::plays::<R>(board, roll);
    expected.sort_by_key(order);
    assert_eq!(results, expected);
}

fuzz_target!(|bytes: &[u8]| {
    if let Some((board, roll, _)) = board_and_roll(bytes) {
        check::<Backgammon>(&board, roll);
        check::<McGammon>(&board, roll);
    }
});
