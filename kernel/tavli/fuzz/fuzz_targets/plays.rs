//! The fast generator against the reference. The first byte is the roll: the fuzzer varies it where that pays, instead
//! of trying every roll for each board.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tavli::plays::{Plays, reference};
use tavli::{Board, Roll, RuleSet};
use tavli_fuzz::board_and_roll;

fn check(board: &Board, roll: Roll, rules: RuleSet) {
    let plays = Plays::new(board, roll, rules);
    let listed = plays.to_vec();
    assert_eq!(listed.len(), plays.len());
    for (index, play) in listed.iter().enumerate() {
        assert_eq!(plays.get(index).as_ref(), Some(play));
    }
    let order = |board: &Board| (board.own().counts(), board.opponent().counts());
    let mut results: Vec<Board> = listed.iter().map(|play| play.board()).collect();
    results.sort_by_key(order);
    let mut expected = reference::plays(board, roll, rules);
    expected.sort_by_key(order);
    assert_eq!(results, expected);
}

fuzz_target!(|bytes: &[u8]| {
    if let Some((board, roll, _)) = board_and_roll(bytes) {
        check(&board, roll, RuleSet::Backgammon);
        check(&board, roll, RuleSet::McGammon);
    }
});
