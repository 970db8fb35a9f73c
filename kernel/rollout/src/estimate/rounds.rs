//! The games of a rollout, round by round: in a round the same candidates are played.

use core::ops::{AddAssign, Range};

use crate::ask::evaluators::ValueKinds;
use crate::estimate::corrections::{self, Cubes, Squares};
use crate::estimate::counts::{CountedValues, Products, RolloutCounts};
use crate::estimate::cubeful_sums::{self, CubefulSums};
use crate::estimate::pairs::pair;
use crate::estimate::strata::{DOUBLES_CLASSES, Sample, Strata};
use crate::game_value::{GameValue, RESULTS, UNFINISHED};

use tavli_backgammon::Outcome;
use tavli_trials::{
    Variance,
    interval::{self, ValuesOfNet},
};

/// Consecutive trials in which the same candidates were played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct RolloutRound {
    /// The candidates by their index in the rollout, ascending.
    pub(crate) candidates: Vec<usize>,
    /// The number of its first trial.
    pub(crate) first_trial: u64,
    /// Counts of these candidates, in this order.
    pub(crate) counts: RolloutCounts,
}

impl RolloutRound {
    /// Where a candidate stands in its counts.
    fn index(&self, candidate: usize) -> Option<usize> {
        self.candidates.binary_search(&candidate).ok()
    }
}

/// The rounds of a rollout, at least one. The candidates of each are among the candidates of the round before.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct RolloutRounds {
    counted_values: CountedValues,
    rounds: Vec<RolloutRound>,
}

impl RolloutRounds {
    /// Rounds before the first trial.
    pub(crate) fn new(counted_values: CountedValues, candidates: usize) -> RolloutRounds {
        let mut rounds = RolloutRounds { counted_values, rounds: Vec::new() };
        rounds.begin((0..candidates).collect(), 0);
        rounds
    }

    /// These rounds.
    ///
    /// # Panics
    /// If there are none.
    pub(crate) fn from_rounds(counted_values: CountedValues, rounds: Vec<RolloutRound>) -> RolloutRounds {
        assert!(!rounds.is_empty(), "a rollout has a round");
        RolloutRounds { counted_values, rounds }
    }

    pub(crate) fn counted_values(&self) -> CountedValues {
        self.counted_values
    }

    /// All rounds, in their order.
    pub(crate) fn as_slice(&self) -> &[RolloutRound] {
        &self.rounds
    }

    /// The round that is being played.
    pub(crate) fn last(&self) -> &RolloutRound {
        self.rounds.last().expect("a rollout has a round")
    }

    /// The candidates that are still played, by index, ascending.
    pub(crate) fn playing(&self) -> &[usize] {
        &self.last().candidates
    }

    /// Adds games of the candidates that are still played.
    pub(crate) fn add(&mut self, counts: &RolloutCounts) {
        let last = self.rounds.last_mut().expect("a rollout has a round");
        last.counts.merge(counts);
    }

    /// Goes on with only these candidates, from trial number `first` on.
    pub(crate) fn begin(&mut self, candidates: Vec<usize>, first_trial: u64) {
        self.rounds.push(RolloutRound {
            counts: RolloutCounts::new(self.counted_values, candidates.len()),
            candidates,
            first_trial,
        });
    }

    /// Lets the first round begin with this trial, before anything has been played in it.
    pub(crate) fn start_at(&mut self, first_trial: u64) {
        self.rounds[0].first_trial = first_trial;
    }

    /// The trials of each round. The last trial of the last round is number `end - 1`.
    pub(crate) fn trials(&self, end: u64) -> impl Iterator<Item = Range<u64>> {
        let ends = self.rounds.iter().skip(1).map(|round| round.first_trial);
        let firsts = self.rounds.iter().map(|round| round.first_trial);
        firsts.zip(ends.chain([end])).map(|(first, end)| first..end)
    }

    /// The rounds in which a candidate was played.
    fn rounds_with(&self, candidate: usize) -> impl Iterator<Item = (&RolloutRound, usize)> {
        let index = move |round: &'_ RolloutRound| round.index(candidate);
        self.rounds
            .iter()
            // A dropped candidate never comes back, so the first round without it ends the search.
            .map_while(move |round| index(round).map(|index| (round, index)))
    }

    pub(crate) fn candidate_totals(&self, candidate: usize) -> CandidateTotals {
        self.totals_in_rounds_with(candidate, candidate)
    }

    /// The trials in which both candidates were played.
    fn totals_in_rounds_with(&self, candidate: usize, other: usize) -> CandidateTotals {
        let strata = self.counted_values.strata;
        let mut totals = CandidateTotals {
            strata,
            results: vec![[0; RESULTS]; strata.count()],
            valued: self.counted_values.value_kinds.is_any().then(|| Corrections {
                outcomes: vec![[0; Outcome::COUNT]; strata.count()],
                squares: Squares::default(),
                cubes: Cubes::default(),
            }),
            value_kinds: self.counted_values.value_kinds,
            cubeful: self.counted_values.value_kinds.cube.then(|| CubefulSums::new(strata.count(), 1)),
        };
        // Both begin in the first round and leave once at most, so the two sequences are in step.
        for ((round, index), _) in self.rounds_with(candidate).zip(self.rounds_with(other)) {
            let of_round = &round.counts.results[index];
            add(&mut totals.results, of_round);
            if let (Some(valued), Some(corrections)) = (&mut totals.valued, &round.counts.corrections) {
                add(&mut valued.outcomes, &corrections.outcomes[index]);
                add(&mut valued.squares, &corrections.squares[index]);
                let cubes = valued.cubes.iter_mut().zip(&corrections.cubes[index]);
                cubes.for_each(|(sum, more)| *sum += more);
            }
            if let (Some(cubeful), Some(sums)) = (&mut totals.cubeful, &round.counts.cubeful) {
                let all = cubeful.values[0].iter_mut().zip(&sums.values[index]);
                all.for_each(|(sum, more)| *sum += more);
                add(&mut cubeful.squares, &sums.squares[index..=index]);
            }
        }
        totals
    }

    /// The number of whole games without variance reduction whose mean points would have the standard error `error`, by
    /// the outcomes of a candidate. `None` if cut-off games have no values, or the number is not finite.
    pub(crate) fn whole_games(&self, candidate: usize, error: f64) -> Option<f64> {
        let totals = self.candidate_totals(candidate);
        let total = totals.total();
        let trials = totals.trials() as f64;
        let variance_of_games = match (total[UNFINISHED], self.counted_values.value_kinds.cut_off) {
            (0, _) => {
                let mean = GameValue::Equity.sum(&total) / trials;
                let square = GameValue::Equity.sum_of_squares(&total) / trials;
                (square - mean * mean) * trials / (trials - 1.0)
            }
            // Whole games would have each outcome with its mean probability.
            (_, true) => {
                let shares = totals.probabilities();
                let power = |power: i32| -> f64 {
                    let results = shares.iter().enumerate();
                    results
                        .map(|(result, share)| {
                            share * f64::from(GameValue::Equity.points_of_result(result)).powi(power)
                        })
                        .sum()
                };
                power(2) - power(1) * power(1)
            }
            (_, false) => return None,
        };
        let games = variance_of_games / (error * error);
        (games.is_finite() && games > 0.0).then_some(games)
    }

    /// The trials in which two candidates were played.
    pub(crate) fn pair_totals(&self, a: usize, b: usize) -> PairTotals {
        let (mut products, mut valued, mut cubeful) = (Products::default(), Squares::default(), [0; DOUBLES_CLASSES]);
        for ((round, index), (_, other)) in self.rounds_with(a).zip(self.rounds_with(b)) {
            let pair_index = pair(index, other);
            add(&mut products, &round.counts.products[pair_index]);
            if let Some(corrections) = &round.counts.corrections {
                add(&mut valued, &corrections.products[pair_index]);
            }
            if let Some(sums) = &round.counts.cubeful {
                let all = cubeful.iter_mut().zip(&sums.products[pair_index]);
                all.for_each(|(sum, more)| *sum += more);
            }
        }
        PairTotals {
            a: self.totals_in_rounds_with(a, b),
            b: self.totals_in_rounds_with(b, a),
            value_kinds: self.counted_values.value_kinds,
            products,
            valued,
            cubeful,
        }
    }
}

/// Adds `more` to `sums`, number by number.
fn add<T: Copy + AddAssign, const N: usize>(sums: &mut [[T; N]], more: &[[T; N]]) {
    let sums = sums.as_flattened_mut().iter_mut();
    for (sum, &more) in sums.zip(more.as_flattened()) {
        *sum += more;
    }
}

/// Trials of a candidate, by stratum and result.
pub(crate) struct CandidateTotals {
    strata: Strata,
    results: Vec<[u64; RESULTS]>,
    valued: Option<Corrections>,
    value_kinds: ValueKinds,
    /// The values with the cube, of this one candidate.
    cubeful: Option<CubefulSums>,
}

struct Corrections {
    /// The sums of the shares of outcomes by stratum, in units.
    outcomes: Vec<[i128; Outcome::COUNT]>,
    /// The sums of the squares of each value by class, in the square of the unit.
    squares: Squares,
    /// The sums of the cubes of each value.
    cubes: Cubes,
}

impl CandidateTotals {
    /// Trials by result.
    pub(crate) fn total(&self) -> [u64; RESULTS] {
        let mut total = [0; RESULTS];
        for results in &self.results {
            for (sum, count) in total.iter_mut().zip(results) {
                *sum += count;
            }
        }
        total
    }

    pub(crate) fn trials(&self) -> u64 {
        self.total().iter().sum()
    }

    /// The mean of a value; NaN without trials.
    pub(crate) fn mean(&self, value: GameValue) -> f64 {
        let total = self.total();
        let valued = self.valued.as_ref().map_or(0, |valued| {
            let outcomes = valued.outcomes.iter();
            outcomes.map(|sums| sum_of_value(value, sums)).sum()
        });
        (value.sum(&total) + corrections::units_to_f64(valued)) / total.iter().sum::<u64>() as f64
    }

    /// The mean of the square of a value; NaN without trials.
    pub(crate) fn mean_square(&self, value: GameValue) -> f64 {
        self.squares(value).iter().sum::<f64>() / self.trials() as f64
    }

    /// The third central moment of a value over the cube of its standard deviation; 0 if no two trials differ.
    pub(crate) fn skewness(&self, value: GameValue) -> f64 {
        let mean_cube = self.cubes(value) / self.trials() as f64;
        interval::skewness(self.mean(value), self.mean_square(value), mean_cube)
    }

    /// The sum of the cube of a value.
    pub(crate) fn cubes(&self, value: GameValue) -> f64 {
        let of_cubes = self.valued.as_ref().map_or(0, |valued| valued.cubes[value as usize]);
        value.sum_of_cubes(&self.total()) + corrections::cube_units_to_f64(of_cubes)
    }

    /// The mean probability of each outcome; NaN without trials.
    pub(crate) fn probabilities(&self) -> [f64; Outcome::COUNT] {
        let total = self.total();
        let trials = total.iter().sum::<u64>() as f64;
        core::array::from_fn(|outcome| {
            let valued = self.valued.as_ref().map_or(0, |valued| {
                let outcomes = valued.outcomes.iter();
                outcomes.map(|sums| sums[outcome]).sum()
            });
            (total[outcome] as f64 + corrections::units_to_f64(valued)) / trials
        })
    }

    /// Whether their luck is subtracted.
    pub(crate) fn has_luck(&self) -> bool {
        self.value_kinds.luck
    }

    /// Whether some trials have other values than the points of their results.
    pub(crate) fn has_valued(&self) -> bool {
        self.has_luck() || self.valued.is_some() && self.total()[UNFINISHED] > 0
    }

    /// The trials whose values scatter like a net's. `of_trial` is the variance of all trials, NaN if there is only
    /// one.
    pub(crate) fn values_of_net(&self, value: GameValue, of_trial: f64) -> Option<ValuesOfNet> {
        let is_known = self.value_kinds.net_valued_luck_adjusted && of_trial.is_finite();
        is_known.then(|| ValuesOfNet {
            share: self.total()[UNFINISHED] as f64 / self.trials() as f64,
            difference: value.prior_difference_of_net(of_trial.max(0.0).sqrt()),
        })
    }

    pub(crate) fn variance(&self, value: GameValue) -> Variance {
        self.strata.variance(&Sample { sizes: &self.sizes(), sums: &self.sums(value), squares: self.squares(value) })
    }

    /// The mean of the value with the cube, the variance, and the mean of its square; `None` without a cube.
    pub(crate) fn cubeful(&self) -> Option<(f64, Variance, f64)> {
        let cubeful = self.cubeful.as_ref()?;
        let sums: Vec<f64> = cubeful.values[0].iter().map(|&sum| cubeful_sums::units_to_f64(sum)).collect();
        let squares = cubeful.squares[0].map(cubeful_sums::square_units_to_f64);
        let sum = cubeful_sums::units_to_f64(cubeful.values[0].iter().sum());
        Some(self.mean_and_variance(sum, &sums, squares))
    }

    /// The mean of a value, the variance, and the mean of its square, from its sum, its sums by stratum and the sums of
    /// its square by class.
    fn mean_and_variance(&self, sum: f64, sums: &[f64], squares: [f64; DOUBLES_CLASSES]) -> (f64, Variance, f64) {
        let sizes = self.sizes();
        let trials = self.trials() as f64;
        let sample = Sample { sizes: &sizes, sums, squares };
        let mean_square = squares.iter().sum::<f64>() / trials;
        (sum / trials, self.strata.variance(&sample), mean_square)
    }

    /// Trials by stratum.
    pub(crate) fn sizes(&self) -> Vec<u64> {
        self.results.iter().map(|results| results.iter().sum()).collect()
    }

    /// The sums of a value by stratum.
    pub(crate) fn sums(&self, value: GameValue) -> Vec<f64> {
        let mut sums: Vec<f64> = self.results.iter().map(|results| value.sum(results)).collect();
        if let Some(valued) = &self.valued {
            for (sum, outcomes) in sums.iter_mut().zip(&valued.outcomes) {
                *sum += corrections::units_to_f64(sum_of_value(value, outcomes));
            }
        }
        sums
    }

    /// The sums of the square of a value by class of strata.
    pub(crate) fn squares(&self, value: GameValue) -> [f64; DOUBLES_CLASSES] {
        let mut squares = [0.0; DOUBLES_CLASSES];
        for (stratum, results) in self.results.iter().enumerate() {
            squares[self.strata.class(stratum)] += value.sum_of_squares(results);
        }
        if let Some(valued) = &self.valued {
            for (sum, &more) in squares.iter_mut().zip(&valued.squares[value as usize]) {
                *sum += corrections::square_units_to_f64(more);
            }
        }
        squares
    }
}

/// The sums of the products of two candidates' values by class of strata: those of their results, and the corrections.
pub(crate) fn products(value: GameValue, of_ends: &Products, valued: Option<&Squares>) -> [f64; DOUBLES_CLASSES] {
    core::array::from_fn(|class| {
        let valued = valued.map_or(0, |valued| valued[value as usize][class]);
        of_ends[value as usize][class] as f64 + corrections::square_units_to_f64(valued)
    })
}

/// The sum of a value over trials, from the sums of their outcomes' numbers.
fn sum_of_value(value: GameValue, outcomes: &[i128; Outcome::COUNT]) -> i128 {
    let outcomes = outcomes.iter().enumerate();
    outcomes.map(|(result, sum)| i128::from(value.points_of_result(result)) * sum).sum()
}

/// Trials of two candidates on the same dice.
pub(crate) struct PairTotals {
    a: CandidateTotals,
    b: CandidateTotals,
    value_kinds: ValueKinds,
    products: Products,
    /// The corrections of the products, in the square of the unit.
    valued: Squares,
    /// The products of the values with the cube, in the square of the unit.
    cubeful: [i128; DOUBLES_CLASSES],
}

impl PairTotals {
    pub(crate) fn trials(&self) -> u64 {
        self.a.trials()
    }

    /// Whether some trials have other values than the points of their results.
    pub(crate) fn has_valued(&self) -> bool {
        self.a.has_valued() || self.b.has_valued()
    }

    /// How far a trial that has not come up may differ from the others, which have the variance `of_trial`.
    pub(crate) fn prior_difference(&self, value: GameValue, of_trial: f64) -> f64 {
        let whole = value.prior_difference();
        if !self.value_kinds.short_luck_adjusted || !of_trial.is_finite() {
            return whole;
        }
        let cut_off = value.prior_difference_short(of_trial.max(0.0).sqrt(), self.value_kinds.games_per_value);
        // Short games that came to their ends differ like whole games: in a bear-off that 8 plies finish, intervals of
        // cut-off games held the truth in 88 % of samples of 36 trials.
        let unfinished = [&self.a, &self.b].map(|totals| totals.total()[UNFINISHED]);
        let share = unfinished.iter().sum::<u64>() as f64 / (2 * self.trials()) as f64;
        (share * cut_off * cut_off + (1.0 - share) * whole * whole).sqrt()
    }

    /// The mean of the first candidate's value minus the second's.
    pub(crate) fn mean(&self, value: GameValue) -> f64 {
        self.a.mean(value) - self.b.mean(value)
    }

    /// The mean of the first candidate's value with the cube minus the second's, the variance, and the mean of its
    /// square; `None` without a cube.
    pub(crate) fn cubeful(&self) -> Option<(f64, Variance, f64)> {
        let [a, b] = [self.a.cubeful.as_ref()?, self.b.cubeful.as_ref()?];
        // Subtracted as integers: of two large sums that nearly agree, floats would lose the difference.
        let sums = a.values[0].iter().zip(&b.values[0]).map(|(a, b)| a - b);
        let sums: Vec<i128> = sums.collect();
        let squares = core::array::from_fn(|class| {
            let square = a.squares[0][class] + b.squares[0][class] - 2 * self.cubeful[class];
            cubeful_sums::square_units_to_f64(square)
        });
        let sum = cubeful_sums::units_to_f64(sums.iter().sum());
        let sums: Vec<f64> = sums.into_iter().map(cubeful_sums::units_to_f64).collect();
        Some(self.a.mean_and_variance(sum, &sums, squares))
    }

    /// The variance of the difference between the two candidates' values, trial by trial, and the mean of its square.
    pub(crate) fn variance(&self, value: GameValue) -> (Variance, f64) {
        let sums = self.a.sums(value).into_iter().zip(self.b.sums(value));
        let sums: Vec<f64> = sums.map(|(a, b)| a - b).collect();
        let [of_a, of_b] = [&self.a, &self.b].map(|totals| totals.squares(value));
        let products = products(value, &self.products, Some(&self.valued));
        let squares: [f64; DOUBLES_CLASSES] =
            core::array::from_fn(|class| of_a[class] + of_b[class] - 2.0 * products[class]);
        // Both candidates were played in these trials, so either one's sizes hold for both.
        let sizes = self.a.sizes();
        let sample = Sample { sizes: &sizes, sums: &sums, squares };
        let trials: u64 = sizes.iter().sum();
        let mean_square = squares.iter().sum::<f64>() / trials as f64;
        (self.a.strata.variance(&sample), mean_square)
    }
}
