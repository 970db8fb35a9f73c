//! Match IDs: a context that is read comes back.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tavli::{Board, Context, Position};

fuzz_target!(|text: &str| {
    if let Ok(context) = Context::from_match_id(text) {
        let position = Position::new(Board::START, context).expect("a checked context");
        let written = position.match_id();
        assert_eq!(Context::from_match_id(&written), Ok(context));
    }
});
