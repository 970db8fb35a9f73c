//! Why a net cannot be computed in whole numbers.

use thiserror::Error;

/// Why a net cannot be turned into integers.
#[derive(Clone, Copy, PartialEq, Debug, Error)]
#[non_exhaustive]
pub enum IntegerError {
    /// The net has no hidden layer.
    #[error("the net has no hidden layer; one that plays has at least one")]
    NoHiddenLayer,
    /// Weights are too large, or not finite.
    #[error(
        "the sums of unit {unit} in layer {layer} reach {reach}, but integers hold at most {most}; use smaller weights"
    )]
    Range {
        /// Which layer, from 1 on.
        layer: usize,
        /// Which unit of the layer, from 1 on.
        unit: usize,
        /// The largest magnitude that the unit's sum can have; NaN if a weight is not finite.
        reach: f64,
        /// The largest magnitude that integers hold.
        most: f64,
    },
}

impl IntegerError {
    /// Fails if sums reach a magnitude above `most`, or NaN.
    pub(super) fn check(layer: usize, unit: usize, reach: f64, most: f64) -> Result<(), IntegerError> {
        if reach <= most {
            return Ok(());
        }
        Err(IntegerError::Range { layer, unit, reach, most })
    }
}
