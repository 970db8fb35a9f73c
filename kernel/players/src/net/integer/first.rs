//! The first layer: sums of steps.

use tavli_simd::{Isa, Tier, on_tier};

use super::IntegerError;
use super::activations::{Activations, ROOM};
use super::counts::{CHECKERS, PLACES_A_SIDE};
use super::line::{LINE, Line, value};
use super::moves::Moves;
use super::steps::{BEGIN, Steps};
use crate::net::{Activation, Encoder, Layer};

/// The first layer: for each step a row of 16-bit weights.
///
/// Sums wrap around on the way, and end in range: each unit's scale is such that no legal position's sum leaves it.
#[derive(Clone, Debug)]
pub(super) struct First {
    pub(super) steps: &'static Steps,
    units: usize,
    /// The lines of a row.
    pub(super) width: usize,
    /// Row by row.
    rows: Vec<Line>,
    /// For each side, place and number of checkers there a row: the sum of the steps to that number.
    places: Vec<Line>,
    pub(super) moves: Moves,
    pub(super) activations: Activations,
}

impl First {
    pub(super) fn new(encoder: Encoder, activation: Activation, layer: &Layer) -> Result<First, IntegerError> {
        let steps = Steps::of(encoder);
        let units = layer.outputs();
        let exact = exact_rows(steps, layer);
        let most = largest_sums(steps, &exact, units);
        for (unit, &most) in (1..).zip(&most) {
            IntegerError::check(1, unit, most, ROOM)?;
        }
        let (activations, scales) = Activations::new(activation, &most);
        let scaled = |row: &[f32]| {
            let values = row.iter().zip(&scales);
            let values: Vec<i16> = values
                .map(|(&weight, &scale)| (f64::from(weight) * scale).round() as i16)
                .collect();
            Line::of(&values)
        };
        let width = units.div_ceil(LINE);
        let rows: Vec<Line> = exact.chunks(units).flat_map(scaled).collect();
        let mut first = First {
            steps,
            units,
            width,
            moves: Moves::new(steps, width, &rows),
            rows,
            places: Vec::new(),
            activations,
        };
        first.places = first.sums_of_places();
        Ok(first)
    }

    fn sums_of_places(&self) -> Vec<Line> {
        let mut sums = Vec::with_capacity(2 * PLACES_A_SIDE * (CHECKERS + 1) * self.width);
        for side in 0..2 {
            for place in self.steps.of_side(side) {
                let mut sum = vec![Line::ZERO; self.width];
                for &step in place {
                    sums.extend_from_slice(&sum);
                    for (sum, more) in sum.iter_mut().zip(self.row(step)) {
                        for (sum, more) in sum.0.iter_mut().zip(more.0) {
                            *sum = sum.wrapping_add(more);
                        }
                    }
                }
            }
        }
        sums
    }

    /// The sums of the steps to a number of checkers on a place.
    #[inline(always)]
    pub(super) fn place(&self, side: usize, place: usize, checkers: u8) -> &[Line] {
        let number = (side * PLACES_A_SIDE + place) * (CHECKERS + 1) + usize::from(checkers);
        &self.places[number * self.width..][..self.width]
    }

    /// What stands for 1 in each activation.
    pub(super) fn ones(&self) -> Vec<f64> {
        self.activations.ones(self.units)
    }

    /// The row of a step.
    #[inline(always)]
    pub(super) fn row(&self, step: u16) -> &[Line] {
        &self.rows[usize::from(step) * self.width..][..self.width]
    }

    /// The activations of the sums of these steps, as plainly as can be.
    pub(super) fn plain(&self, steps: &[u16]) -> Vec<i16> {
        let activation = |unit| {
            let weights = steps.iter().map(|&step| i64::from(value(self.row(step), unit)));
            let sum = i16::try_from(weights.sum::<i64>()).expect("the scale leaves room");
            self.activations.plain(sum, unit)
        };
        (0..self.units).map(activation).collect()
    }
}

/// The weights of each step, row by row.
fn exact_rows(steps: &Steps, layer: &Layer) -> Vec<f32> {
    let units = layer.outputs();
    let mut rows = vec![0.0; steps.count() * units];
    for (step, row) in rows.chunks_mut(units).enumerate() {
        if step == usize::from(BEGIN) {
            row.copy_from_slice(&layer.biases);
        }
        for &(input, value) in steps.inputs(step) {
            for (sum, &weight) in row.iter_mut().zip(layer.row(input)) {
                *sum += value * weight;
            }
        }
    }
    rows
}

/// For each unit the largest magnitude of its sum over all ways to put fifteen checkers of each side on its places; NaN if
/// it is not a finite number. The sides' places are taken as if they did not depend on each other, so it may be a
/// little more than any position reaches.
fn largest_sums(steps: &Steps, rows: &[f32], units: usize) -> Vec<f64> {
    if !rows.iter().all(|weight| weight.is_finite()) {
        return vec![f64::NAN; units];
    }
    #[inline(always)]
    fn sides(steps: &Steps, rows: &[f32], units: usize) -> [Vec<f32>; 2] {
        let begin = &rows[usize::from(BEGIN) * units..][..units];
        let (mut least, mut most) = (begin.to_vec(), begin.to_vec());
        for side in 0..2 {
            let [low, high] = extremes(steps, side, rows, units);
            for unit in 0..units {
                least[unit] += low[unit];
                most[unit] += high[unit];
            }
        }
        [least, most]
    }
    let [least, most] = on_tier!(Tier::best(), isa => isa.call(
        #[inline(always)]
        || sides(steps, rows, units),
    ));
    let magnitudes = least.iter().zip(&most);
    magnitudes.map(|(&least, &most)| f64::from(most.max(-least))).collect()
}

/// The least and the largest sum of each unit over the ways to put a side's fifteen checkers on its places, by dynamic
/// programming over the places.
#[inline(always)]
fn extremes(steps: &Steps, side: usize, rows: &[f32], units: usize) -> [Vec<f32>; 2] {
    // By the number of checkers that stand on the places so far.
    let mut least = vec![f32::INFINITY; (CHECKERS + 1) * units];
    let mut most = vec![f32::NEG_INFINITY; (CHECKERS + 1) * units];
    least[..units].fill(0.0);
    most[..units].fill(0.0);
    let mut sum = vec![0.0; (CHECKERS + 1) * units];
    for place in steps.of_side(side) {
        for (checkers, &step) in place[..CHECKERS].iter().enumerate() {
            let row = &rows[usize::from(step) * units..][..units];
            let (before, after) = sum.split_at_mut((checkers + 1) * units);
            let before = &before[checkers * units..];
            for unit in 0..units {
                after[unit] = before[unit] + row[unit];
            }
        }
        for all in (1..=CHECKERS).rev() {
            let (least_before, least) = least.split_at_mut(all * units);
            let (most_before, most) = most.split_at_mut(all * units);
            let (least, most) = (&mut least[..units], &mut most[..units]);
            for here in 1..=all {
                let sum = &sum[here * units..][..units];
                let least_before = &least_before[(all - here) * units..][..units];
                let most_before = &most_before[(all - here) * units..][..units];
                for unit in 0..units {
                    let (low, high) = (least_before[unit] + sum[unit], most_before[unit] + sum[unit]);
                    least[unit] = if low < least[unit] { low } else { least[unit] };
                    most[unit] = if high > most[unit] { high } else { most[unit] };
                }
            }
        }
    }
    [least, most].map(|sums| sums[CHECKERS * units..].to_vec())
}
