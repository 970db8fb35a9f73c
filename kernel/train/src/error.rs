//! Why a training does not begin, go on, or meet the demand of its recipe.

use tavli_players::net::IntegerError;
use thiserror::Error;

use crate::inputs::InputError;

/// Why a training cannot begin or go on.
#[derive(Clone, PartialEq, Debug, Error)]
#[non_exhaustive]
pub enum TrainingError {
    /// Something that the recipe names cannot be used.
    #[error(transparent)]
    Input(#[from] InputError),
    /// The net to start from has another shape.
    #[error("the net to start from has {found}; the recipe asks for {expected}")]
    Shape {
        /// The shape of that net.
        found: String,
        /// The shape that the recipe asks for.
        expected: String,
    },
    /// The weights or the loss have grown beyond all bounds.
    #[error("phase {phase}, step {step}: {reason}; a lower rate may help")]
    Diverged {
        /// The phase, from 1 on.
        phase: usize,
        /// The steps of the phase so far: minibatches learned from, or plies in a phase that learns after each.
        step: u64,
        /// The reason.
        reason: Divergence,
    },
}

/// The largest weight of a net for Plakoto and Fevga that goes on training.
// Trained nets stay below a hundred. The loss does not tell: at a rate of 1e30 a net of Fevga ended with a loss of
// 1.49.
pub(crate) const LARGEST_WEIGHT: f32 = 16_384.0;

/// How weights have grown beyond all bounds.
#[derive(Clone, PartialEq, Debug, Error)]
#[non_exhaustive]
pub enum Divergence {
    /// The loss is infinite or not a number.
    #[error("the loss is not a finite number")]
    Loss,
    /// A weight is infinite or not a number.
    #[error("a weight is not a finite number")]
    Weight,
    /// A weight has grown so large that the values of the net mean nothing.
    #[error("a weight has grown beyond {LARGEST_WEIGHT}, and the values of the net mean nothing")]
    LargeWeight,
    /// The weights are too large to play with.
    #[error(transparent)]
    Integers(#[from] IntegerError),
}

/// A net that is weaker than its recipe demands.
#[derive(Clone, Copy, PartialEq, Debug, Error)]
#[error("the net makes {points:+.3} points per game against pubeval; its recipe demands {least:+.3}")]
pub struct MissedDemand {
    /// Points per game against pubeval at the end.
    pub points: f64,
    /// The points that the recipe demands.
    pub least: f64,
}

/// Why a file is not a training that can go on.
#[derive(Clone, PartialEq, Debug, Error)]
#[non_exhaustive]
pub enum CheckpointError {
    /// Not a saved training.
    #[error("it is not a saved training")]
    Magic,
    /// The checksum does not match.
    #[error("it is damaged: its checksum is {found:08x}, and the bytes before have {expected:08x}")]
    Checksum {
        /// The checksum in the file.
        found: u32,
        /// The checksum of the bytes before it.
        expected: u32,
    },
    /// Saved from another recipe.
    #[error("it is the training of another recipe, or of this one before it was changed")]
    Recipe,
    /// Another version wrote it.
    #[error("another version of this program wrote it; begin the training anew")]
    Version,
    /// Its line of JSON or its weights are malformed.
    #[error("it has another form: {0}")]
    Form(String),
    /// Something that the recipe names cannot be used.
    #[error(transparent)]
    Input(#[from] InputError),
    /// Something that the recipe names has changed since the training began.
    #[error(
        "{place} is {found} now, and the training began with {expected}: put that back, or begin the training anew"
    )]
    Replaced {
        /// Where the recipe names it.
        place: String,
        /// The present name, with the checksum of each file.
        found: String,
        /// The name when the training began.
        expected: String,
    },
}
