//! Position IDs: each ID that is read is written as it was.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tavli::Board;

fuzz_target!(|text: &str| {
    if let Ok(board) = Board::from_position_id(text) {
        assert_eq!(board.position_id().as_str(), text);
    }
});
