//! Boards from 26 numbers: either they are refused, or the same numbers come back.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tavli::{Board, Position};

fuzz_target!(|numbers: [i8; 26]| {
    if let Ok(board) = Board::from_points(&numbers) {
        assert_eq!(board.points(), numbers);
        let text = numbers.map(|number| number.to_string()).join(" ");
        assert_eq!(text.parse(), Ok(Position::from(board)));
    }
});
