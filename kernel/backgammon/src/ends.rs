//! Positions whose worth is known.

use core::any::Any;
use core::fmt;

use crate::board::Planes;
use crate::probabilities::Probabilities;
use crate::rules::RuleSet;

/// Positions in which perfect play of both sides is known, so that no game needs to be played on from there.
pub trait Ends: Any + fmt::Debug + Send + Sync {
    /// Names the ends with all that decides their values.
    fn name(&self) -> &str;

    /// What perfect play of both sides is worth to the player on roll; `None` if that is not known. The game goes on in
    /// the position.
    fn value(&self, rules: RuleSet, position: &Planes) -> Option<Probabilities>;
}
