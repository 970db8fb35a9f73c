//! The legend below the intervals of a comparison.

use std::io::{self, Write};

/// Says how to read the intervals and what they show.
pub(super) fn print(confidence: f64, margin: f64, output: &mut dyn Write) -> io::Result<()> {
    let (confidence, margin) = (100.0 * confidence, 100.0 * margin);
    writeln!(
        output,
        "  all intervals hold together with {confidence} %; the same: a whole interval within {margin} %; no difference\n  \
         shown: an interval that contains 1 and reaches further, or none"
    )
}
