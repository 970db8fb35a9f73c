use tavli_players::net::Activation;
use tavli_simd::loops::call_on;
use tavli_simd::{Tier, logistic};

use crate::recipe::Loss;

/// Turns sums, by rows of `columns`, into activations in place, and sets the padding of each row, beyond `units`, to 0.
pub(super) fn activate(tier: Tier, sums: &mut [f32], [columns, units]: [usize; 2], activation: Activation) {
    call_on(
        tier,
        #[inline(always)]
        move || {
            match activation {
                Activation::Logistic => {
                    for sum in &mut *sums {
                        *sum = logistic(*sum);
                    }
                }
                activation => {
                    for sum in &mut *sums {
                        *sum = activation.apply(*sum);
                    }
                }
            }
            // The logistic function of the sum of padding, 0, is 1/2. Left there, the rows of padding after it would
            // learn.
            if units < columns {
                for row in sums.chunks_exact_mut(columns) {
                    row[units..].fill(0.0);
                }
            }
        },
    );
}

/// Multiplies errors by the slopes of the activation function.
pub(super) fn multiply_by_slopes(tier: Tier, errors: &mut [f32], activations: &[f32], activation: Activation) {
    call_on(
        tier,
        #[inline(always)]
        move || {
            for (error, &value) in errors.iter_mut().zip(activations) {
                *error *= activation.slope(value);
            }
        },
    );
}

/// Writes the gradient of the loss with respect to the sum of each output. `points` has the equity that each output of
/// a row adds, in points.
pub(super) fn write_output_errors(
    tier: Tier,
    errors: &mut [f32],
    (outputs, targets): (&[f32], &[f32]),
    points: &[f32],
    loss: Loss,
) {
    call_on(
        tier,
        #[inline(always)]
        move || {
            let pairs = outputs.iter().zip(targets);
            match loss {
                Loss::Squared => {
                    for (error, (&output, &target)) in errors.iter_mut().zip(pairs) {
                        *error = (output - target) * (output * (1.0 - output));
                    }
                }
                Loss::CrossEntropy => {
                    for (error, (&output, &target)) in errors.iter_mut().zip(pairs) {
                        // Without the slope of the logistic function: it cancels out against the derivative of the
                        // cross-entropy.
                        *error = output - target;
                    }
                }
                Loss::Equity => {
                    let columns = points.len();
                    let rows = errors.chunks_exact_mut(columns);
                    let rows = rows.zip(outputs.chunks_exact(columns));
                    for ((errors, outputs), targets) in rows.zip(targets.chunks_exact(columns)) {
                        let mut equity = 0.0;
                        let outputs = outputs.iter().zip(targets).zip(points);
                        for ((&output, &target), points) in outputs.clone() {
                            equity += points * (output - target);
                        }
                        for (error, ((&output, &target), points)) in errors.iter_mut().zip(outputs) {
                            let slope = output * (1.0 - output);
                            *error = (equity * points + output - target) * slope;
                        }
                    }
                }
            }
        },
    );
}

/// Adds rows as long as `sum` to it, in order.
pub(super) fn add_rows(tier: Tier, sum: &mut [f32], rows: &[f32]) {
    call_on(
        tier,
        #[inline(always)]
        move || {
            for row in rows.chunks_exact(sum.len()) {
                for (sum, &value) in sum.iter_mut().zip(row) {
                    *sum += value;
                }
            }
        },
    );
}
