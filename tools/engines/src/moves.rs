//! Moves as protocols write them.

use std::fmt::Write;

use tavli::plays::Moves;

/// Every step of every checker by itself, such as `bar/24 24/20`, with bar and off in words and hits unmarked; empty if
/// nothing moves.
pub(super) fn by_steps(moves: &Moves) -> String {
    let point = |point: u8, end: &str| match point {
        0 | 25 => end.to_owned(),
        _ => point.to_string(),
    };
    let mut text = String::new();
    for step in moves.steps() {
        let blank = if text.is_empty() { "" } else { " " };
        let (from, to) = (point(step.from, "bar"), point(step.to, "off"));
        let _ = write!(text, "{blank}{from}/{to}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use tavli::{Plays, Position, RuleSet};

    #[test]
    fn steps_are_written_one_by_one() {
        for (position, roll, expected) in [
            ("4HPwATDgc/ABMA", "65", "24/18 18/13"),
            ("Np7BQSCYZ/AAWA", "53", "bar/"),
            ("/z0AADDeaxsAAA", "55", "/off"),
        ] {
            let position: Position = position.parse().expect("a position");
            let plays = Plays::new(position.board(), roll.parse().expect("a roll"), RuleSet::Backgammon);
            let written: Vec<String> = plays.to_vec().iter().map(|play| by_steps(&plays.moves(play))).collect();
            assert!(written.iter().any(|moves| moves.contains(expected)), "{written:?}");
            assert!(written.iter().all(|moves| !moves.contains(['(', '*'])), "{written:?}");
        }
        assert_eq!(by_steps(&Moves::default()), "");
    }
}
