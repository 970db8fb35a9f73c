//! Nets as training computes with them: many positions at a time, in rows padded to whole vectors.

mod learner;
mod loops;
mod padded;
mod product;
mod sparse;
mod steps;
mod units;

pub(crate) use learner::Learner;
pub(crate) use padded::{Forward, Padded};
pub(crate) use sparse::Sparse;
