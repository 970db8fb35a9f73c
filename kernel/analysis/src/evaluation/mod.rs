//! The values of positions and plays by an evaluator, computed on every core: [`Evaluation`] values them without a
//! cube, and [ranks](Evaluation::ranked) plays with one.

mod ranked;
mod valued;

pub use ranked::{PositionValue, RankedPlay, RankedPlays, RolledError};
pub use valued::{Evaluation, ValuedPlay, ValuedPlays};
