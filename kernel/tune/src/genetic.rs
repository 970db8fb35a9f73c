//! A genetic algorithm.

use libm::sqrt;
use tavli_game::PairScore;

use crate::method::{Method, Pairing, Point};
use crate::pooled_variance::PooledVariance;
use crate::random::Random;
use crate::recipe::GeneticSettings;

/// The bits of a gene: a parameter has 1,024 values.
const BITS: usize = 10;

/// The genetic algorithm of a students' report on draughts: the best of a population stay, and have children by
/// single-point crossover. Some children have a bit switched.
///
/// Unlike in the report, each individual has its own parameters, the start values are in the first population,
/// survivors add up their games, and rank is by the mean minus one standard error, so that luck in few games makes no
/// parent. Bits are in Gray's code, in which neighbouring values differ by one bit.
#[derive(Clone, Debug)]
pub struct Genetic {
    settings: GeneticSettings,
    /// After [`Method::tell`] the best comes first.
    population: Vec<Individual>,
    random: Random,
}

#[derive(Clone, Debug)]
struct Individual {
    /// Gray's code of each parameter.
    genes: Vec<u16>,
    score: PairScore,
}

impl Individual {
    fn new(genes: Vec<u16>) -> Individual {
        let score = PairScore::default();
        Individual { genes, score }
    }

    fn point(&self) -> Point {
        let value = |gene: &u16| f64::from(from_gray(*gene)) / f64::from((1 << BITS) - 1);
        self.genes.iter().map(value).collect()
    }
}

fn to_gray(value: u16) -> u16 {
    value ^ value >> 1
}

fn from_gray(gene: u16) -> u16 {
    (0..BITS).fold(0, |value, shift| value ^ gene >> shift)
}

impl Genetic {
    /// A population that is drawn at random, with one individual at `start`.
    #[must_use]
    pub fn new(settings: GeneticSettings, start: &[f64], seed: u64) -> Genetic {
        let mut random = Random::new(seed, 0);
        let most = f64::from((1 << BITS) - 1);
        let first = start.iter().map(|share| to_gray((share * most).round() as u16));
        let mut population = vec![Individual::new(first.collect())];
        while population.len() < settings.population {
            let genes = start.iter().map(|_| random.below(1 << BITS) as u16);
            population.push(Individual::new(genes.collect()));
        }
        Genetic { settings, population, random }
    }

    /// A child of two survivors.
    fn child(&mut self) -> Individual {
        let parents = self.settings.keep;
        let one = self.random.below(parents);
        // Never the same parent twice: a child of one parent would be its copy.
        let other = (one + 1 + self.random.below(parents - 1)) % parents;
        let [one, other] = [one, other].map(|parent| &self.population[parent].genes);
        // From 1 on and below the last bit, so that each parent gives at least one.
        let cut = 1 + self.random.below(BITS * one.len() - 1);
        let mut genes: Vec<u16> = (0..one.len())
            .map(|gene| {
                // The number of this gene's bits before the cut: they come from the first parent.
                let before = cut.saturating_sub(gene * BITS).min(BITS);
                let mask = (1_u16 << before) - 1;
                one[gene] & mask | other[gene] & !mask
            })
            .collect();
        if self.random.share() < self.settings.mutation {
            let gene = self.random.below(genes.len());
            genes[gene] ^= 1 << self.random.below(BITS);
        }
        Individual::new(genes)
    }
}

impl Method for Genetic {
    fn ask(&mut self) -> Vec<Pairing> {
        // The first population has no scores to choose parents by: it plays as it was drawn.
        if self.population[0].score.pairs > 0 {
            self.population.truncate(self.settings.keep);
            while self.population.len() < self.settings.population {
                let child = self.child();
                self.population.push(child);
            }
        }
        let pairing = |individual: &Individual| Pairing { point: individual.point(), opponent: None };
        self.population.iter().map(pairing).collect()
    }

    fn tell(&mut self, scores: &[PairScore]) {
        for (individual, score) in self.population.iter_mut().zip(scores) {
            individual.score.merge(score);
        }
        // The variance is pooled over all individuals: the few pairs of one may be alike by chance, which would give an
        // error of 0.
        let mut pooled_variance = PooledVariance::default();
        self.population.iter().for_each(|individual| pooled_variance.add(&individual.score));
        let deviation = pooled_variance.deviation();
        let fitness = |individual: &Individual| {
            individual.score.per_game().mean - deviation / sqrt(individual.score.pairs as f64)
        };
        self.population.sort_by(|a, b| f64::total_cmp(&fitness(b), &fitness(a)));
    }

    fn best(&self) -> Point {
        self.population[0].point()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbouring_values_differ_by_a_bit() {
        for value in 0..1 << BITS {
            assert_eq!(from_gray(to_gray(value)), value);
            assert!(value == 0 || (to_gray(value) ^ to_gray(value - 1)).count_ones() == 1);
        }
    }

    #[test]
    fn a_child_has_the_bits_of_one_parent_before_a_cut_and_of_the_other_behind_it() {
        let settings = GeneticSettings { population: 4, keep: 2, mutation: 0.0, ..GeneticSettings::default() };
        let mut genetic = Genetic::new(settings, &[0.5, 0.5], 1);
        let all = (1 << BITS) - 1;
        for (individual, genes) in genetic.population.iter_mut().zip([[0, 0], [all, all]]) {
            individual.genes = genes.to_vec();
        }
        let mut cuts = [0; 2 * BITS];
        for _ in 0..1000 {
            let [low, high] = genetic.child().genes[..] else {
                panic!("two parameters");
            };
            let bits = u32::from(high) << BITS | u32::from(low);
            let cut = (bits ^ bits >> 1) & ((1 << (2 * BITS - 1)) - 1);
            assert_eq!(cut.count_ones(), 1, "{bits:b}");
            cuts[cut.trailing_zeros() as usize] += 1;
        }
        assert_eq!(cuts.iter().filter(|&&count| count > 20).count(), 2 * BITS - 1, "{cuts:?}");
    }
}
