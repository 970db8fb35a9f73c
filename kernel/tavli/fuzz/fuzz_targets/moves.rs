//! Move text: a play of the reference or a refusal, and every play is read back from its notation.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tavli::RuleSet;
use tavli::plays::{Moves, notation, reference};
use tavli_fuzz::board_and_roll;

/// Reads the text, and writes and reads the play of an index.
fn check(bytes: &[u8], rules: RuleSet) {
    let Some((board, roll, rest)) = board_and_roll(bytes) else {
        return;
    };
    let plays = reference::plays(&board, roll, rules);
    let text = String::from_utf8_lossy(rest);
    match notation::parse_play(&board, roll, &text, rules) {
        Ok(play) => assert!(plays.contains(&play), "'{text}'"),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
    if plays.is_empty() {
        return; // the game is over
    }
    let play = &plays[rest.len() % plays.len()];
    let moves = Moves::between(&board, roll, play).expect("a play has its moves");
    let read = notation::parse_play(&board, roll, &moves.to_string(), rules);
    assert_eq!(read.as_ref(), Ok(play), "'{moves}'");
}

fuzz_target!(|bytes: &[u8]| {
    check(bytes, RuleSet::Backgammon);
    check(bytes, RuleSet::McGammon);
});
