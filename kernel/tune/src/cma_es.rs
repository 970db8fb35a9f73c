//! CMA-ES.

use libm::{exp, log, pow, sqrt};
use tavli_game::PairScore;

use crate::method::{Method, Pairing, Point};
use crate::random::Random;
use crate::recipe::CmaEsSettings;
use crate::tail_mean::TailMean;

/// CMA-ES (Hansen, The CMA evolution strategy: a tutorial, 2016): points are drawn from a normal distribution; its
/// mean, step size and covariance follow the better half of the points. Scores count only by their ranks. The result is
/// the mean of the means of the last half of the generations, which averages out more noise than the last mean. Steps
/// are drawn by the Cholesky factor of the covariance, which needs no eigenvectors. The words are the tutorial's.
// Written here: crates of CMA-ES call a function point by point or on threads of their own. A generation here is played
// by one scheduler, and can be interrupted and saved.
#[derive(Clone, Debug)]
pub struct CmaEs {
    mean: Point,
    step_size: f64,
    /// A row for each parameter.
    covariance: Vec<Vec<f64>>,
    /// The evolution paths.
    step_size_path: Vec<f64>,
    covariance_path: Vec<f64>,
    points: Vec<Point>,
    population: usize,
    generations: u64,
    generation: u64,
    tail_mean: TailMean,
    random: Random,
}

impl CmaEs {
    /// A distribution around `start`, for a search of `generations`.
    #[must_use]
    pub fn new(settings: CmaEsSettings, start: &[f64], generations: u64, seed: u64) -> CmaEs {
        let n = start.len();
        let row = |place: usize| (0..n).map(|other| f64::from(u8::from(other == place))).collect();
        CmaEs {
            mean: start.to_vec(),
            step_size: settings.spread,
            covariance: (0..n).map(row).collect(),
            step_size_path: vec![0.0; n],
            covariance_path: vec![0.0; n],
            points: Vec::new(),
            population: settings.population,
            generations,
            generation: 0,
            tail_mean: TailMean::default(),
            random: Random::new(seed, 0),
        }
    }

    /// The lower triangular factor of the covariance.
    fn cholesky(&self) -> Vec<Vec<f64>> {
        let n = self.mean.len();
        let mut root = vec![vec![0.0; n]; n];
        for row in 0..n {
            for column in 0..=row {
                let sum: f64 = (0..column).map(|k| root[row][k] * root[column][k]).sum();
                let rest = self.covariance[row][column] - sum;
                root[row][column] = match row == column {
                    // The covariance is positive definite except for rounding.
                    true => sqrt(rest.max(1e-12)),
                    false => rest / root[column][column],
                };
            }
        }
        root
    }
}

/// The weighted mean of some vectors.
fn mean(vectors: &[Vec<f64>], weights: &[f64]) -> Vec<f64> {
    let of = |place: usize| vectors.iter().zip(weights).map(|(vector, weight)| weight * vector[place]).sum();
    (0..vectors[0].len()).map(of).collect()
}

impl Method for CmaEs {
    fn ask(&mut self) -> Vec<Pairing> {
        let (root, n) = (self.cholesky(), self.mean.len());
        let mut point = || {
            let drawn: Vec<f64> = (0..n).map(|_| self.random.normal()).collect();
            let at = |row: usize| {
                let step: f64 = root[row].iter().zip(&drawn).map(|(a, b)| a * b).sum();
                // A point beyond the end of a range is moved to the end, for its games and for learning.
                (self.mean[row] + self.step_size * step).clamp(0.0, 1.0)
            };
            (0..n).map(at).collect()
        };
        self.points = (0..self.population).map(|_| point()).collect();
        let pairing = |point: &Point| Pairing { point: point.clone(), opponent: None };
        self.points.iter().map(pairing).collect()
    }

    fn tell(&mut self, scores: &[PairScore]) {
        let n = self.mean.len() as f64;
        let mut order: Vec<usize> = (0..self.population).collect();
        let value = |index: usize| scores[index].per_game().mean;
        // Stable, as few games often score alike: equal points stay in the order of drawing.
        order.sort_by(|&a, &b| f64::total_cmp(&value(b), &value(a)));
        let parents = self.population / 2;
        let weight = |rank: usize| log((self.population as f64 + 1.0) / 2.0) - log(rank as f64 + 1.0);
        let sum: f64 = (0..parents).map(weight).sum();
        let weights: Vec<f64> = (0..parents).map(|rank| weight(rank) / sum).collect();
        let effective = 1.0 / weights.iter().map(|weight| weight * weight).sum::<f64>();

        // The rates of the tutorial's table 1.
        let size_rate = (effective + 2.0) / (n + effective + 5.0);
        let damping = 1.0 + 2.0 * (sqrt((effective - 1.0) / (n + 1.0)) - 1.0).max(0.0) + size_rate;
        let path_rate = (4.0 + effective / n) / (n + 4.0 + 2.0 * effective / n);
        let rank_one = 2.0 / ((n + 1.3) * (n + 1.3) + effective);
        let rank_more = 2.0 * (effective - 2.0 + 1.0 / effective) / ((n + 2.0) * (n + 2.0) + effective);
        let rank_more = rank_more.clamp(0.0, 1.0 - rank_one);

        // The steps of the parents, and the mean step as it was before the factor was applied.
        let step = |&index: &usize| self.points[index].iter().zip(&self.mean).map(|(a, b)| (a - b) / self.step_size);
        let steps: Vec<Vec<f64>> = order[..parents].iter().map(|index| step(index).collect()).collect();
        let mean_step = mean(&steps, &weights);
        let root = self.cholesky();
        // The normal numbers of the mean step, solved from the step. The numbers that drew the points would be wrong
        // for a point that was moved to the end of a range.
        let mut drawn: Vec<f64> = Vec::new();
        for (row, step) in root.iter().zip(&mean_step) {
            let known: f64 = row.iter().zip(&drawn).map(|(a, b)| a * b).sum();
            drawn.push((step - known) / row[drawn.len()]);
        }

        self.generation += 1;
        for (path, drawn) in self.step_size_path.iter_mut().zip(&drawn) {
            *path = (1.0 - size_rate) * *path + sqrt(size_rate * (2.0 - size_rate) * effective) * drawn;
        }
        let length = sqrt(self.step_size_path.iter().map(|path| path * path).sum());
        let expected = sqrt(n) * (1.0 - 1.0 / (4.0 * n) + 1.0 / (21.0 * n * n));
        let begun = sqrt(1.0 - pow(1.0 - size_rate, 2.0 * self.generation as f64));
        let is_short = length / begun < (1.4 + 2.0 / (n + 1.0)) * expected;
        for (path, step) in self.covariance_path.iter_mut().zip(&mean_step) {
            let new = sqrt(path_rate * (2.0 - path_rate) * effective) * step;
            *path = (1.0 - path_rate) * *path + if is_short { new } else { 0.0 };
        }
        for row in 0..self.mean.len() {
            for column in 0..self.mean.len() {
                let path = self.covariance_path[row] * self.covariance_path[column];
                let of_steps = steps.iter().zip(&weights).map(|(step, weight)| weight * step[row] * step[column]);
                let old = &mut self.covariance[row][column];
                *old = (1.0 - rank_one - rank_more) * *old + rank_one * path + rank_more * of_steps.sum::<f64>();
            }
        }
        for (value, step) in self.mean.iter_mut().zip(&mean_step) {
            *value += self.step_size * step;
        }
        self.step_size *= exp(size_rate / damping * (length / expected - 1.0));
        // A distribution wider than its ranges says nothing.
        self.step_size = self.step_size.min(1.0);
        self.tail_mean.add(self.generation, self.generations, &self.mean);
    }

    fn best(&self) -> Point {
        self.tail_mean.mean().unwrap_or_else(|| self.mean.clone())
    }
}
