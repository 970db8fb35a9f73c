//! Training of nets as a [`Recipe`] or a [`VariantRecipe`] asks for: self-play by TD(lambda), and learning from other
//! players.
//!
//! The same recipe gives the same weights, bit for bit, whatever the machine, the instruction set and the number of
//! threads. Self-play goes in rounds: while a round is played, the net learns from the round before. Games are played
//! with the weights that the net had when their round began. An online phase steps after each ply of one game at a
//! time. Nets of Plakoto and Fevga learn online, by recipes of their own.
#![deny(missing_docs)]
#![forbid(unsafe_code)]

mod backgammon_training;
mod checkpoint;
mod error;
mod example_builder;
mod examples;
mod initial_weights;
mod inputs;
mod minibatch_plan;
mod net;
mod one_by_one;
mod online;
mod panic_safe_barrier;
mod parallel_parts;
mod progress;
mod recipe;
mod returns;
mod saved_examples;
mod self_play_games;
mod self_play_rounds;
mod strength;
mod teachers;
mod training;
mod variants;

pub use backgammon_training::{BackgammonNet, Training};
pub use error::{CheckpointError, Divergence, MissedDemand, TrainingError};
pub use inputs::InputError;
pub use progress::{TrainingProgress, TrainingStep};
pub use recipe::{
    Curve, Learning, Loss, Method, Online, Phase, Ramp, RankingNet, Recipe, Reporting, Schedule, SelfPlay, Shape,
    StepSchedule, Supervised, Targets,
};
pub use strength::{Opponent, Strength};
pub use tavli_file::recipe::RecipeError;
pub use tavli_players::net::{Network, PlayerFile};
pub use tavli_variants::nets::NetFile;
pub use training::{Plan, TrainableNet, TrainingReport, TrainingRun, TrainingState, Unit};
pub use variants::{VariantLearning, VariantNet, VariantRecipe, VariantReporting, VariantShape, VariantTraining};
