//! The mean of the last half of a method's points.

use crate::method::Point;

/// The sum of the points after each of the last half of the generations.
#[derive(Clone, Debug, Default)]
pub(crate) struct TailMean {
    sum: Point,
    number: u64,
}

impl TailMean {
    /// Adds the point after generation number `generation`, from 1 on, if it is in the last half.
    pub(crate) fn add(&mut self, generation: u64, of: u64, point: &[f64]) {
        if 2 * generation > of {
            self.sum.resize(point.len(), 0.0);
            self.sum.iter_mut().zip(point).for_each(|(sum, value)| *sum += value);
            self.number += 1;
        }
    }

    /// The mean of the points; `None` before the first.
    pub(crate) fn mean(&self) -> Option<Point> {
        let mean = || self.sum.iter().map(|sum| sum / self.number as f64).collect();
        (self.number > 0).then(mean)
    }
}
