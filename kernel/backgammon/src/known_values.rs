//! Positions whose values are known.

use core::any::Any;
use core::fmt;

use crate::board::Planes;
use crate::probabilities::Probabilities;
use crate::rules::RuleSet;

/// How well a value is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Knowledge {
    /// The value is not known.
    Unknown,
    /// The value may be known, and may have an error.
    Approximate,
    /// The value is known, and is that of perfect play.
    Exact,
}

/// Positions with known values, of perfect play or nearly so: no game needs to be played on from there.
pub trait KnownValues: Any + fmt::Debug + Send + Sync {
    /// The name of the table or formula, with all that decides its values.
    fn name(&self) -> &str;

    /// The value for the player on roll; `None` if it is not known. The game goes on in the position.
    fn value(&self, rules: RuleSet, position: &Planes) -> Option<Probabilities>;

    /// How well the value of a position is known. The answer takes no time, even where a first value takes minutes, in
    /// which a table is solved.
    fn knowledge(&self, rules: RuleSet, position: &Planes) -> Knowledge {
        let _ = (rules, position);
        Knowledge::Approximate
    }

    /// Whether the value may be known after a play from this position. If `false`, a choice between the plays need not
    /// ask about each.
    fn may_know_after_play(&self, rules: RuleSet, position: &Planes) -> bool {
        let _ = (rules, position);
        true
    }
}
