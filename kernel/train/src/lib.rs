//! Training of backgammon nets: self-play by TD(lambda), and what else a [`Recipe`] asks for.
//!
//! The same recipe gives the same weights, bit for bit, whatever the machine, the instruction set and the number of
//! threads. Games are played in rounds. While the players play a round, the net learns from the round before; they play
//! with the weights that it had when that one began.
#![deny(missing_docs)]
#![forbid(unsafe_code)]

mod examples;
mod games;
mod initial;
mod net;
mod player;
mod recipe;
mod returns;
mod rounds;
mod strength;
mod training;
mod weights;

pub use recipe::{
    Curve, Learning, Loss, Method, Moving, Phase, Recipe, RecipeError, Report, Schedule, SelfPlay,
    Shape,
};
pub use strength::{Opponent, Strength};
pub use training::{Progress, Training, TrainingError};
pub use weights::{WeightsError, from_file, to_file};
