//! Neural nets that value positions.
//!
//! An [`Encoder`] turns a position into inputs, most of which are 0. A [`Network`] turns the inputs into the
//! probabilities of the outcomes, for the player who is about to roll. It is kept in 32-bit floats here: what training
//! changes, and what faster twins are held against. An [`IntegerNetwork`] is what plays, and a [`PlayerFile`]
//! holds the nets of a [`NetPlayer`].

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

/// A name that nothing has.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("unknown {kind} '{}'; choose one of: {}", Quoted::new(name), names.join(", "))]
pub struct UnknownNameError {
    /// What was looked for, such as `encoder`.
    pub kind: &'static str,
    /// The name.
    pub name: String,
    /// The names that there are.
    pub names: Vec<&'static str>,
}
