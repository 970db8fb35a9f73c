//! Move text: a play of the reference or a refusal, and every play is read back from its notation.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tavli::plays::{Moves, notation, reference};
use tavli::{Backgammon, McGammon, Rules};
use tavli_fuzz::board_and_roll;

/// Reads the text, and writes and reads the play of an index.
fn check<R: Rules>(bytes: &[u8]) {
    let Some((board, roll, rest)) = board_and_roll(bytes) else {
        return;
    };
    let plays = reference::plays::<R>(&board, roll);
    let text = String::from_utf8_lossy(rest);
    match notation::parse_play::<R>(&board, roll, &text) {
        Ok(play) => assert!(plays.contains(&play), "'{text}'"),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
    if plays.is_empty() {
        return; // the game is over
    }
    let play = &plays[rest.len() % plays.len()];
    let moves = Moves::between(&board, roll, play).expect("a play has its moves");
    let read = notation::parse_play::<R>(&board, roll, &moves.to_string());
    assert_eq!(read.as_ref(), Ok(play), "'{moves}'");
}

fuzz_target!(|bytes: &[u8]| {
    check::<Backgammon>(bytes);
    check::<McGammon>(bytes);
});
