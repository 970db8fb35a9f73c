//! Scales of sums of 32 bits.

use crate::net::{IntegerError, Layer};

/// The weights of a unit in 16-bit integers.
pub(super) struct Column {
    /// What stands for 1 in its sums.
    pub(super) scale: f64,
    /// The weight of each unit before.
    pub(super) weights: Vec<i16>,
    pub(super) bias: i32,
}

impl Column {
    /// Of a unit fed by others in each of which `ones` stands for 1, its sums at the largest scale up to `most` by which no
    /// sum of products overflows, whatever the activations, as `round` rounds it down.
    pub(super) fn new(
        layer: &Layer,
        number: usize,
        unit: usize,
        ones: &[f64],
        most: f64,
        round: impl Fn(f64) -> f64,
    ) -> Result<Column, IntegerError> {
        let exact = || {
            let weights = (0..ones.len()).map(|input| f64::from(layer.row(input)[unit]));
            weights.zip(ones)
        };
        let bias = f64::from(layer.biases[unit]);
        let largest_sum = exact().map(|(weight, _)| weight.abs()).sum::<f64>() + bias.abs();
        IntegerError::check(number, unit + 1, largest_sum, ROOM)?;
        // A weight is a product of its unit's one, rounded.
        let largest_weight = exact().map(|(weight, one)| weight.abs() / one).fold(0.0, f64::max);
        let rounding: f64 = ones.iter().sum();
        let limits = [
            most,
            (f64::from(i16::MAX) - 1.0) / largest_weight,
            (f64::from(i32::MAX) * 0.999 - rounding) / largest_sum,
        ];
        let scale = round(limits.into_iter().fold(f64::INFINITY, f64::min));
        Ok(Column {
            scale,
            weights: exact()
                .map(|(weight, one)| (weight * scale / one).round() as i16)
                .collect(),
            bias: (bias * scale).round() as i32,
        })
    }
}

/// The largest sum for which there is room: activations of 1 then are a thousand and more.
const ROOM: f64 = 4_000.0;
