//! Optimisers: stochastic gradient descent and Adam.

use tavli_simd::Tier;
use tavli_simd::loops::call_on;

use crate::recipe::Method;

/// Decay of Adam's mean gradient: Kingma and Ba, 2015.
const MEAN_DECAY: f32 = 0.9;
/// Decay of Adam's mean squared gradient: Kingma and Ba, 2015.
const SQUARE_DECAY: f32 = 0.999;
/// Added to the root of the mean squared gradient: Kingma and Ba, 2015.
const EPSILON: f64 = 1e-8;

/// One step of all weights of a net, given the sums of their gradients over a minibatch.
#[derive(Clone, Copy, Debug)]
pub(super) struct OptimiserStep {
    method: Method,
    /// The factor from a sum of gradients to the gradient that the method uses.
    share: f32,
    /// The rate; for Adam corrected for moments that began at 0.
    rate: f32,
    epsilon: f32,
}

impl OptimiserStep {
    /// Step `number`, from 1 on.
    pub(super) fn new(method: Method, number: u64, rate: f64, positions: usize) -> OptimiserStep {
        let share = 1.0 / positions as f64;
        match method {
            Method::Sgd => OptimiserStep {
                method,
                // The rate has the mean in it: a step is linear in its gradient, which Adam's is not.
                share: 1.0,
                rate: (rate * share) as f32,
                epsilon: 0.0,
            },
            Method::Adam => {
                // The bias corrections are made once a step, in the rate, not once a weight: the authors propose this
                // for speed. Epsilon then needs the same factor as the root to which it is added.
                let known = |decay: f32| 1.0 - power(f64::from(decay), number);
                let root = known(SQUARE_DECAY).sqrt();
                OptimiserStep {
                    method,
                    share: share as f32,
                    rate: (rate * root / known(MEAN_DECAY)) as f32,
                    epsilon: (EPSILON * root) as f32,
                }
            }
        }
    }

    /// Adam's step of a weight, against its gradient.
    #[inline(always)]
    fn adam(self, gradient: f32, Moments { mean, square }: &mut Moments) -> f32 {
        let gradient = gradient * self.share;
        *mean = MEAN_DECAY * *mean + (1.0 - MEAN_DECAY) * gradient;
        *square = SQUARE_DECAY * *square + (1.0 - SQUARE_DECAY) * (gradient * gradient);
        self.rate * *mean / (square.sqrt() + self.epsilon)
    }

    /// Moves weights by Adam against centred gradients, in which activations count minus their means. Adds to `moved`
    /// the change of the next layer's sums at the mean activations.
    pub(super) fn make_centred(
        self,
        tier: Tier,
        weights: &mut [f32],
        (gradients, of_biases): (&[f32], &[f32]),
        moments: &mut [Moments],
        (means, moved): (&[f32], &mut [f32]),
    ) {
        call_on(
            tier,
            #[inline(always)]
            move || {
                let columns = moved.len();
                let weights = weights.chunks_exact_mut(columns);
                let gradients = gradients.chunks_exact(columns);
                let moments = moments.chunks_exact_mut(columns);
                let rows = weights.zip(gradients).zip(moments).zip(means);
                for (((weights, gradients), moments), &mean) in rows {
                    let row = weights.iter_mut().zip(gradients).zip(moments);
                    let columns = of_biases.iter().zip(&mut *moved);
                    for (((weight, gradient), moments), (of_bias, moved)) in row.zip(columns) {
                        let step = self.adam(gradient - mean * of_bias, moments);
                        *weight -= step;
                        *moved -= mean * step;
                    }
                }
            },
        );
    }

    /// Moves weights against their gradients.
    pub(super) fn make(self, tier: Tier, weights: &mut [f32], gradients: &[f32], moments: &mut [Moments]) {
        call_on(
            tier,
            #[inline(always)]
            move || {
                let steps = weights.iter_mut().zip(gradients);
                match self.method {
                    Method::Sgd => {
                        for (weight, &gradient) in steps {
                            *weight -= self.rate * gradient;
                        }
                    }
                    Method::Adam => {
                        for ((weight, &gradient), moments) in steps.zip(moments) {
                            *weight -= self.adam(gradient, moments);
                        }
                    }
                }
            },
        );
    }
}

/// Adam's moments of a weight.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct Moments {
    /// The decaying mean of the gradients.
    pub(crate) mean: f32,
    /// The decaying mean of their squares.
    pub(crate) square: f32,
}

/// `base` to the power of `exponent`. Unlike `f64::powi`, it is the same to the last bit on every machine.
fn power(base: f64, mut exponent: u64) -> f64 {
    let (mut power, mut square) = (1.0, base);
    while exponent > 0 {
        if exponent % 2 == 1 {
            power *= square;
        }
        square *= square;
        exponent /= 2;
    }
    power
}
