//! The rules of a game: the start, the goal, and the points of a win.
//!
//! The games here share the moves of backgammon, so each is a row of the table of rule sets. The [`Goal`] alone decides
//! how checkers move, and code that counts plays is built once for each goal; the points of a win are found when a game
//! has ended.

mod goal;
mod rule_set;

pub use goal::{AllHome, BearOff, Goal};
pub use rule_set::{RuleSet, RuleSetError};
