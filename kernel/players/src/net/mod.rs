//! Neural nets that value positions.
//!
//! An [`Encoder`] turns a position into inputs, most of which are 0. A [`Network`] turns inputs into probabilities of
//! the outcomes, for the player about to roll; it has 32-bit floats, is what training changes, and is the reference for
//! faster nets. An [`IntegerNetwork`], made from it, plays. A [`PlayerFile`] holds the nets of a [`NetPlayer`].

mod activation;
mod encoder;
mod file;
mod integer;
mod move_filter;
mod network;
mod outputs;
mod player;

pub use activation::{Activation, logistic};
pub use encoder::{Encoder, Place};
pub use file::{PlayerFile, PlayerFileError};
pub use integer::{IntegerError, IntegerNetwork};
pub use move_filter::MoveFilter;
pub use network::{Layer, Network, ShapeError};
pub use outputs::Outputs;
pub use player::NetPlayer;

use tavli_backgammon::text::Quoted;
use thiserror::Error;

/// An unknown name of an encoder, activation function or kind of outputs.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("unknown {kind} '{}'; choose one of: {}", Quoted::new(name), names.join(", "))]
pub struct UnknownNameError {
    /// What was looked for, such as `encoder`.
    pub kind: &'static str,
    /// The name.
    pub name: String,
    /// The names to choose from.
    pub names: Vec<&'static str>,
}
