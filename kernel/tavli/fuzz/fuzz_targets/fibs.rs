//! FIBS board lines: a position that is read comes back.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tavli::Position;

fuzz_target!(|text: &str| {
    if let Ok(position) = Position::from_fibs(text) {
        assert_eq!(Position::from_fibs(&position.fibs()), Ok(position));
    }
});
