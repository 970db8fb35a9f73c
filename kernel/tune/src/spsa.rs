//! Simultaneous perturbation stochastic approximation.

use libm::pow;
use tavli_game::PairScore;

use crate::method::{Method, Pairing, Point};
use crate::pooled_variance::PooledVariance;
use crate::random::Random;
use crate::recipe::SpsaSettings;
use crate::tail_mean::TailMean;

/// How fast perturbations and steps become smaller: the exponents that Spall recommends.
const PERTURBATION: f64 = 0.101;
const RATE: f64 = 0.602;

/// Spall's constant `A` as a share of all steps: with it the first steps are smaller.
// Spall (1998) recommends at most a tenth.
const DELAY: f64 = 0.1;

/// SPSA (Spall 1992): each generation is a step. All parameters are moved at once by a perturbation of random signs,
/// and by the opposite one; the two agents play each other, or both play the recipe's opponent, and the parameters move
/// towards the better one. Tuners of chess programs work so, but here points count in standard deviations of a pair, so
/// that a rate suits any game. The result is the mean of the last half of the steps.
#[derive(Clone, Debug)]
pub struct Spsa {
    settings: SpsaSettings,
    has_opponent: bool,
    steps: u64,
    step: u64,
    point: Point,
    signs: Vec<f64>,
    /// The pooled variance of all steps.
    pooled_variance: PooledVariance,
    /// The sum of the weights of all steps.
    weights: f64,
    tail_mean: TailMean,
    random: Random,
}

/// The relative size of a step.
fn weight(step: u64, steps: u64) -> f64 {
    pow((step + 1) as f64 + DELAY * steps as f64, -RATE)
}

impl Spsa {
    /// A search of `steps` generations.
    #[must_use]
    pub fn new(settings: SpsaSettings, start: &[f64], has_opponent: bool, steps: u64, seed: u64) -> Spsa {
        Spsa {
            settings,
            has_opponent,
            steps,
            step: 0,
            point: start.to_vec(),
            signs: Vec::new(),
            pooled_variance: PooledVariance::default(),
            weights: (0..steps).map(|step| weight(step, steps)).sum(),
            tail_mean: TailMean::default(),
            random: Random::new(seed, 0),
        }
    }

    /// The perturbation of this step: the recipe's at the end.
    fn perturbation(&self) -> f64 {
        self.settings.perturbation * pow((self.step + 1) as f64 / self.steps as f64, -PERTURBATION)
    }

    fn rate(&self) -> f64 {
        self.settings.rate * weight(self.step, self.steps) / self.weights
    }

    /// The point, moved by a number of perturbations.
    fn moved(&self, by: f64) -> Point {
        let moved = |(value, sign): (&f64, &f64)| (value + by * sign).clamp(0.0, 1.0);
        self.point.iter().zip(&self.signs).map(moved).collect()
    }
}

impl Method for Spsa {
    fn ask(&mut self) -> Vec<Pairing> {
        let random = &mut self.random;
        let sign = |_: &f64| if random.below(2) == 0 { 1.0 } else { -1.0 };
        self.signs = self.point.iter().map(sign).collect();
        let by = self.perturbation();
        let [plus, minus] = [by, -by].map(|by| self.moved(by));
        match self.has_opponent {
            true => [plus, minus].map(|point| Pairing { point, opponent: None }).to_vec(),
            false => vec![Pairing { point: plus, opponent: Some(minus) }],
        }
    }

    fn tell(&mut self, scores: &[PairScore]) {
        scores.iter().for_each(|score| self.pooled_variance.add(score));
        let mut means = scores.iter().map(|score| score.per_game().mean);
        // If the two met in one pairing, the mean is the difference itself.
        let difference = means.next().unwrap_or_default() - means.next().unwrap_or_default();
        let difference = difference / self.pooled_variance.deviation();
        self.point = self.moved(self.rate() * self.perturbation() * difference);
        self.step += 1;
        self.tail_mean.add(self.step, self.steps, &self.point);
    }

    fn best(&self) -> Point {
        self.tail_mean.mean().unwrap_or_else(|| self.point.clone())
    }
}
