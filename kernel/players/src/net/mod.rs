//! Neural nets that value positions.
//!
//! An [`Encoder`] turns a position into inputs, most of which are 0. A [`Network`] turns inputs into probabilities of
//! the outcomes, for the player about to roll; it has 32-bit floats, is changed by training, and is the reference for
//! faster nets. An [`IntegerNetwork`], made from it, plays. A [`PlayerFile`] holds the nets of a [`NetPlayer`].

mod activation;
mod encoder;
mod file;
mod integer;
mod move_filter;
mod network;
mod outputs;
mod player;

pub use activation::Activation;
pub use encoder::{Encoder, Point};
pub use file::{PlayerFile, PlayerFileError};
pub use integer::{IntegerError, IntegerNetwork};
pub use move_filter::MoveFilter;
pub use network::{Layer, Network, ShapeError};
pub use outputs::Outputs;
pub use player::NetPlayer;
pub use tavli_backgammon::UnknownNameError;
