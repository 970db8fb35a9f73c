//! Positions whose values are known.

use core::any::Any;
use core::fmt;

use crate::board::Planes;
use crate::probabilities::Probabilities;
use crate::rules::RuleSet;

/// Positions with known values, of perfect play or nearly so: no game needs to be played on from there.
pub trait KnownValues: Any + fmt::Debug + Send + Sync {
    /// The name of the table or formula, with all that decides its values.
    fn name(&self) -> &str;

    /// The value for the player on roll; `None` if it is not known. The game goes on in the position.
    fn value(&self, rules: RuleSet, position: &Planes) -> Option<Probabilities>;

    /// Whether the value may be known after a play from this position. If `false`, a choice between the plays need not
    /// ask about each.
    fn may_know_after_play(&self, rules: RuleSet, position: &Planes) -> bool {
        let _ = (rules, position);
        true
    }
}
