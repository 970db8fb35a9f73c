//! Nets in integers, which play.
//!
//! An evaluation goes through the files in this order: the feature transformer refreshes a position's accumulator from
//! feature deltas, or updates it by the changes of a play; activations of the accumulator go through dense layers, if
//! the net has any, and through the output layer. `eval_pass` does this for many positions at a time.

mod activations;
mod dense_layer;
mod error;
mod eval_pass;
mod feature_deltas;
mod feature_transformer;
mod network;
mod output_layer;
mod settled_outputs;

pub use error::IntegerError;
pub use network::IntegerNetwork;
