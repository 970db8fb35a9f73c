//! Nets while they are trained: forward and backward passes over many positions, in rows padded to whole vectors.

mod encoding;
mod gradient;
mod learner;
mod minibatch_part;
mod optimiser;
mod padded;
mod product;
#[cfg(test)]
mod tests;
mod units;

pub(crate) use gradient::{Gradient, share};
pub(crate) use learner::Learner;
pub(crate) use minibatch_part::{LOSS_UNIT, MinibatchPart, to_units};
pub(crate) use optimiser::Moments;
pub(crate) use padded::{ForwardPass, PaddedNet};
