//! Nets that value positions of Plakoto and Fevga: the players of Papahristou and Refanidis.
//!
//! An [`Encoder`] turns a position into inputs, most of which are 0. A [`Net`] has a layer of logistic units and three
//! outputs. A [`NetFile`] holds one with the recipe that trained it, and a [`NetEvaluator`] plays by it.

mod encoder;
mod evaluator;
mod features;
mod file;
mod net;

pub use encoder::Encoder;
pub use evaluator::NetEvaluator;
pub use features::{Primes, is_past, pinning_chances};
pub use file::NetFile;
pub use net::{Net, NetBuffers, Outputs};
