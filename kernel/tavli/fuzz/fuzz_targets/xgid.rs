//! XGIDs: a position that is read comes back, with or without the prefix.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tavli::Position;

fuzz_target!(|text: &str| {
    if let Ok(position) = Position::from_xgid(text) {
        assert_eq!(Position::from_xgid(&position.xgid()), Ok(position));
    }
});
