//! Nets while they are trained: forward and backward passes over many positions, in rows padded to whole vectors.

mod encoding;
mod gradient;
mod learner;
mod optimiser;
mod padded;
mod part;
mod product;
#[cfg(test)]
mod tests;
mod units;

pub(crate) use gradient::{Gradient, share};
pub(crate) use learner::Learner;
pub(crate) use optimiser::Moments;
pub(crate) use padded::{ForwardPass, PaddedNet};
pub(crate) use part::{LOSS_UNIT, MinibatchPart, to_units};
