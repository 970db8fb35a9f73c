//! Nets as training computes with them: many positions at a time, in rows padded to whole vectors.

mod encoding;
mod gradient;
mod learner;
mod loops;
mod padded;
mod part;
mod product;
mod sparse;
mod steps;
#[cfg(test)]
mod tests;
mod units;

pub(crate) use gradient::{Gradient, share};
pub(crate) use learner::Learner;
pub(crate) use padded::{Forward, Padded};
pub(crate) use part::{LOSS, Part, to_units};
pub(crate) use steps::Moments;
