//! 95 % intervals. They reach 95 % coverage as closely as whole counts allow; the worst cases measured, with few
//! trials, are in `docs/statistics.md` of tavli-rollout and in this table.
//!
//! | kind of games | interval | guard for few trials | measured coverage |
//! |---|---|---|---|
//! | a share | Wilson's | Agresti and Coull's, if fewer than `MIN_FOR_WILSON` trials had one of the two ends; Student's quantile for fewer than 36 trials | at least 91 % of samples of 1 to 7 trials, 93 % of 8 to 35 and 92 % of 36 and more, for every share from 0.0002 to 0.9998; with the normal quantile as few as 82 % of 2 trials and 91 % of 8, and with Wilson's alone 83 % of 8 |
//! | an equity | MOVER, from the intervals and the correlations of its shares | an outcome that was not seen and is not ruled out may have a share of up to about 3 over the number of trials; Student's quantile for fewer than 36 trials, if there are gammons | |
//! | a difference of equities on common dice | Agresti and Min's | MOVER at least, if fewer than `MIN_EXPECTED_AT_AN_END` pairs differ in one of the two ways; Student's quantile for fewer than 36 trials | |
//! | games cut off, or luck-adjusted | that of as many whole games as would have the same standard error | [four](#cut-off-or-luck-adjusted-games) | with 10 luck-adjusted games cut off after three plies and valued by one game each, 92 % by 1.96 standard errors alone |
//! | games [both cut off and luck-adjusted](#cut-off-games-less-their-luck), valued by a net | normal | coins, and skewness | 99, 97, 96 and 95 % of samples of 10, 36, 100 and 360 trials |
//! | a value with a cube | made like a difference's | Student's quantile; for fewer than `MIN_WITH_CUBE` trials two pseudo-trials as far from 0 as the values | 92 to 95 % of samples of 8 trials, 94 to 95 % of 36; the normal interval about the mean 80 to 83 % and 92 to 93 %. Of samples of 1 to 7 trials 92 % and more in nine positions, 87 % of 3 and 90 % of 4 in one; without the guard as few as 63 % of 2 and 76 % of 3 |
//! | a difference of two values with a cube | about the mean | Student's quantile | 86 to 95 % of samples of 5 to 36 trials, 92 % and more of 36 except of no double and a double; the normal one 83 to 84 % of 8 |
//!
//! For large numbers of trials, each of these intervals is the normal one, mean ± 1.96 standard errors. An outcome seen
//! in every trial still has an interval.
//!
//! # Whole games
//!
//! **Shares.** The source is E. B. Wilson, *Probable inference, the law of succession, and statistical inference*,
//! Journal of the American Statistical Association 22, 1927. Near 0 and 1 Wilson's interval holds the truth too seldom.
//! Agresti and Coull's has the same middle and contains Wilson's (*Approximate is better than "exact" for interval
//! estimation of binomial proportions*, The American Statistician 52, 1998).
//!
//! **Equities.** An equity is a sum of shares: of games won, won by gammon and won by backgammon, minus the same shares
//! of games lost. MOVER finds the ends of its interval (G. Y. Zou, W. Huang and X. Zhang, *A note on confidence
//! interval estimation for a linear function of binomial proportions*, Computational Statistics & Data Analysis 53,
//! 2009).
//!
//! **Differences.** Agresti and Min add half a trial to each way in which two games can be won and lost (*Simple
//! improved confidence intervals for comparing matched proportions*, Statistics in Medicine 24, 2005). If few pairs of
//! whole games differ in one of the two ways, the interval reaches at least as far as by MOVER from the intervals of
//! the shares of both ways.
//!
//! **Values with a cube** have no largest and no smallest value: some games with a cube turned often make much of the
//! variance, and a sample of few trials has none or too many of them. The coverage in the table is resampled from 2,500
//! games of each of three positions. The interval of a difference has the mean in the middle, since most trials lie on
//! the side of 0 and few far beyond the mean. No double and a double differ in one game of three, by much and mostly to
//! one side: their interval misses too often until some tens of games have differed.
//!
//! # Cut-off or luck-adjusted games
//!
//! Where an evaluator valued games that were cut off, or the luck of games is subtracted, trials scatter less than
//! whole games would. So their mean is as certain as that of a larger number of whole games, those that would have the
//! same standard error. Values that are all 0 or 1 are shares. Four rules keep the intervals wide enough:
//!
//! * Few trials: trials of a coin are added to both variances, so that values that happen to be alike are not certain.
//! * Rare ends: if fewer than `MIN_EXPECTED_AT_AN_END` trials of either end are expected, no more games are counted
//!   than were played. The roll that makes such a share may not have come up.
//! * Wide scatter: if values scatter more than whole games, as with the luck that a bad evaluator measures, the
//!   interval is at least 1.96 standard errors to either side, and for few trials as many as Student's quantile says:
//!   with 10 luck-adjusted games cut off after three plies and valued by one game each, 1.96 held the equity in 92 %.
//! * Rare values: luck-adjusted games of a player whose rolls the evaluator measures badly have a few values far from
//!   the others. Samples without enough of them have a mean on one side and too small an error. On the side of these
//!   values the interval reaches at least as far as Hall's, which by the values' skewness `g` is
//!   `g (1 + 2 z^2) / (6 sqrt(n))` standard errors further than the normal one (P. Hall, *On the removal of skewness by
//!   transformation*, Journal of the Royal Statistical Society B 54, 1992; N. J. Johnson, *Modified t tests and
//!   confidence intervals for asymmetrical populations*, Journal of the American Statistical Association 73, 1978). On
//!   the other side it stays, since few trials say little about the skewness.
//!
//! The `z^2` trials that Agresti and Coull add are whole games, and are not added to values that scatter little: they
//! would move the middle by more than a standard error. Of 1,000 rollouts of 100 trials with variance reduction, 63
//! intervals were then below the truth and none was above. Differences of such values have their interval about the
//! mean in the same way.
//!
//! # Cut-off games less their luck
//!
//! The luck-adjusted values of games that were cut off and valued by a net scatter about their mean as the net's errors
//! do, even for shares near 0 and 1: in the opening a share of backgammons by 0.0008. Whole games would say little
//! about them. Such a mean has the normal interval. Coins are added to the variance, for a value that has not come up
//! yet: their two sides are as far apart as such a value may be from the others. The interval reaches further to the
//! side of rare values, as above. If some games ended before they were cut off, each end of the interval is the mean of
//! this interval's end and of the end for whole luck-adjusted games, weighted by their shares of the games.
//!
//! The coverage in the table was measured with `fast` over 300 seeds, in six positions from the opening to a bear-off,
//! cut off after 3 and 11 plies, for the equity and the five shares. The intervals mostly reach 3.7, 2.3, 2.02 and 1.97
//! standard errors to either side in samples of 10, 36, 100 and 360 trials. Made as for whole games, they reached up to
//! 93 for an equity of 10 trials and 7 for one of 360, and up to 1,600 and 270 for a share of backgammons.

use core::num::NonZeroU32;

use crate::estimate::students_t;

/// The points of the results whose shares make an equity, in the order of the shares. A draw, of 0 points, has none.
pub const RESULTS: [i32; 6] = [1, 2, 3, -1, -2, -3];

/// The results that games have if they count one point.
const SINGLE: [usize; 2] = [0, 3];

/// How many points a game won and a game lost differ by at least.
pub const WON_AND_LOST: f64 = 2.0;

/// The 97.5 % quantile of the normal distribution.
pub const NORMAL_QUANTILE: f64 = 1.959_963_984_540_054;

/// The probability that the truth lies below an interval, and that it lies above.
const TAIL: f64 = 0.025;

/// Means of fewer trials have wider intervals: see [`standard_errors`].
const SMALL_SAMPLE: f64 = 36.0;

/// The fewest trials at each end with which a share has Wilson's interval; with fewer it has Agresti and Coull's.
const MIN_FOR_WILSON: f64 = 6.0;

/// With fewer expected trials of an end, values prove no more than whole games would: one sample in 20 lacks an end
/// with 3 expected trials.
const MIN_EXPECTED_AT_AN_END: f64 = 3.0;

/// With fewer trials, values with a cube may all be alike by chance.
const MIN_WITH_CUBE: u64 = 8;

/// The variance of a fair coin of 0 and 1.
const COIN: f64 = 0.25;

/// The trials that are added, `z^2`: half of them with the event, half without.
const PSEUDO_TRIALS: f64 = NORMAL_QUANTILE * NORMAL_QUANTILE;

/// The events whose shares, with these signs, add up to the equity.
const EVENTS: [Event; 6] = [
    Event { sign: 1.0, points: 1 },
    Event { sign: 1.0, points: 2 },
    Event { sign: 1.0, points: 3 },
    Event { sign: -1.0, points: 1 },
    Event { sign: -1.0, points: 2 },
    Event { sign: -1.0, points: 3 },
];

/// Games that are won, or lost, by at least a number of points.
#[derive(Clone, Copy, PartialEq)]
struct Event {
    /// 1 if they are won, -1 if they are lost.
    sign: f64,
    points: i32,
}

impl Event {
    /// Whether a game with this result has the event.
    fn includes(self, result: usize) -> bool {
        f64::from(RESULTS[result]) * self.sign >= f64::from(self.points)
    }

    /// The share of games with the event.
    fn share(self, shares: &[f64; RESULTS.len()]) -> f64 {
        let results = shares.iter().enumerate();
        results.filter(|&(result, _)| self.includes(result)).map(|(_, share)| share).sum()
    }
}

/// The interval of a share, seen in a number of independent trials.
pub fn of_share(share: f64, trials: f64) -> [f64; 2] {
    of_share_by(standard_errors(trials), share, trials)
}

/// [`of_share`] with another quantile, of whose square half is added as trials with the event, and half without.
fn of_share_by(quantile: f64, share: f64, trials: f64) -> [f64; 2] {
    let added = quantile * quantile;
    let all = trials + added;
    let middle = (share * trials + added / 2.0) / all;
    let variance = if share.min(1.0 - share) * trials < MIN_FOR_WILSON {
        middle * (1.0 - middle) / all
    } else {
        (share * (1.0 - share) * trials + added / 4.0) / (all * all)
    };
    let half = quantile * variance.sqrt();
    [middle - half, middle + half].map(|end| end.clamp(0.0, 1.0))
}

/// The mean of the values of independent trials, which need not be values of whole games.
#[derive(Clone, Copy, Debug)]
pub struct MeanOfValues {
    /// The variance of the values in the sample.
    pub variance: f64,
    /// The standard error of their mean. NaN for one trial.
    pub error: f64,
    /// The number of independent trials that would have this error.
    pub trials: f64,
    /// The [skewness] of the values in the sample.
    pub skewness: f64,
    /// The values that scatter like a net's, if there are some.
    pub of_net: Option<ValuesOfNet>,
}

/// Luck-adjusted values of games that a net valued where they were cut off.
#[derive(Clone, Copy, Debug)]
pub struct ValuesOfNet {
    /// Their share of all trials.
    pub share: f64,
    /// How far a value that has not come up may be from the others.
    pub difference: f64,
}

/// The third central moment over the cube of the standard deviation, from the means of values, of their squares and of
/// their cubes; 0 if hardly two values differ.
pub fn skewness(mean: f64, mean_square: f64, mean_cube: f64) -> f64 {
    let variance = mean_square - mean * mean;
    // Values are rounded to 2^-30, and cubed to 2^-20: below this, the moments come from rounding.
    if variance.is_nan() || variance < 1e-8 {
        return 0.0;
    }
    let third = mean_cube - 3.0 * mean * mean_square + 2.0 * mean.powi(3);
    third / libm::pow(variance, 1.5)
}

impl MeanOfValues {
    /// How many trials of a coin are added: one, and nearly as many as Agresti and Coull add until each roll is likely
    /// to have come up. A double that decides the game is missing from n trials with the probability (35/36)^n.
    // In a late position in which one roll of 20 hits and turns 0.94 points into -0.32, one coin alone holds the truth
    // in 87 % of samples of 36 trials and 92 % of 72, this number of coins in 99.5 and 94 %. Beyond 144 trials both are
    // the same.
    fn coins(&self) -> f64 {
        1.0 + (PSEUDO_TRIALS - 1.0) * libm::pow(35.0 / 36.0, self.trials)
    }

    /// The number of whole games with this variance whose mean is as certain. `coin` is the variance of a coin.
    fn whole_games(&self, variance: f64, coin: f64) -> f64 {
        let all = |variance: f64| variance * self.trials + self.coins() * coin;
        self.trials * all(variance) / all(self.variance)
    }

    /// The least half-width of the interval of a mean that is as certain as the mean of `games` whole games.
    fn least_reach(&self, games: f64) -> f64 {
        // Values that are all 0 or 1 give the number of trials, up to rounding.
        match games < self.trials * (1.0 - 1e-9) {
            true => standard_errors(self.trials) * self.error,
            false => 0.0,
        }
    }

    /// An interval about a mean that is as certain as `games` whole games, wider on the side of the rarer values where
    /// Hall's interval reaches further.
    fn skewed(&self, mean: f64, games: f64, [low, high]: [f64; 2]) -> [f64; 2] {
        // Whole games have an interval by their own skewness.
        if (games - self.trials).abs() < self.trials * 1e-9 {
            return [low, high];
        }
        self.further_to_rare_values(mean, [low, high])
    }

    /// An interval about a mean that reaches at least as far as Hall's to the side of the rarer values.
    fn further_to_rare_values(&self, mean: f64, [low, high]: [f64; 2]) -> [f64; 2] {
        let shift = self.skewness * (1.0 + 2.0 * PSEUDO_TRIALS) / (6.0 * self.trials.sqrt());
        let [below, above] = [-shift, shift].map(|shift| self.error * (NORMAL_QUANTILE + shift));
        // An error of one trial is NaN, and leaves the interval.
        match shift < 0.0 {
            true => [low.min(mean - below), high],
            false => [low, high.max(mean + above)],
        }
    }

    /// The interval of a share.
    pub fn of_share(&self, share: f64) -> [f64; 2] {
        let games = self.whole_games(share * (1.0 - share), COIN);
        let is_rare = share.min(1.0 - share) * self.trials < MIN_EXPECTED_AT_AN_END;
        let counted = if is_rare || games < self.trials { self.trials } else { games };
        let [low, high] = of_share(share, counted);
        let least = self.least_reach(games);
        let of_games = self.skewed(share, games, [low.min(share - least), high.max(share + least)]);
        self.in_proportion(share, of_games)
    }

    /// The interval of a mean: from `of_games`, the interval of whole games, and the interval of a net's values, in
    /// proportion to both.
    fn in_proportion(&self, mean: f64, of_games: [f64; 2]) -> [f64; 2] {
        let Some(ValuesOfNet { share, difference }) = self.of_net else {
            return of_games;
        };
        let coin = COIN * difference * difference;
        let variance = self.variance * self.trials + self.coins() * coin;
        // The error of one trial is NaN, which `max` passes over.
        let reach = (standard_errors(self.trials) * variance.sqrt() / self.trials).max(NORMAL_QUANTILE * self.error);
        let of_net = self.further_to_rare_values(mean, [mean - reach, mean + reach]);
        [0, 1].map(|side| share * of_net[side] + (1.0 - share) * of_games[side])
    }

    /// The interval of an equity, from the shares of the [results](RESULTS), of which some are `possible`.
    pub fn of_equity(&self, equity: f64, shares: &[f64; RESULTS.len()], possible: impl Fn(usize) -> bool) -> [f64; 2] {
        let moment = |power: i32| -> f64 {
            let results = shares.iter().enumerate();
            results.map(|(result, share)| f64::from(RESULTS[result]).powi(power) * share).sum()
        };
        // A coin whose sides are a game won and a game lost has four times the variance of a share.
        let games = self.whole_games(moment(2) - moment(1) * moment(1), 4.0 * COIN);
        let counted = games.max(self.trials);
        let least = self.least_reach(games);
        let [below, above] = about_equity(shares, counted, counted, possible).map(|distance| distance.max(least));
        let of_games = self.skewed(equity, games, [equity - below, equity + above]);
        self.in_proportion(equity, of_games)
    }
}

/// How many standard errors the interval of a mean or a difference reaches to either side: for few trials Student's
/// quantile, with the degrees of freedom of the trials and two more.
// Random games of backgammon, samples of 3, 4 and 8 trials: by the normal quantile, intervals of equities miss the
// truth in 16, 13 and 9 %, of differences in 7, 9 and 8 %; by Student's, both miss it in 0, 2 and 5 %. From 36 trials
// on either quantile serves. Races have bounds of their own, and no look before 36 trials.
fn standard_errors(trials: f64) -> f64 {
    match trials < SMALL_SAMPLE {
        true => students_t::quantile(TAIL, trials + 1.0),
        false => NORMAL_QUANTILE,
    }
}

/// The largest share of an event that stays unseen in one sample of 20 with this number of trials: about 3 over it.
fn unseen(trials: f64) -> f64 {
    1.0 - libm::pow(0.05, 1.0 / trials)
}

/// How far the interval of mean points reaches below and above the mean, from the shares of the outcomes of `number`
/// games. The mean is as certain as the mean of `trials` independent trials. Only `possible` [results](RESULTS) may have been
/// missed by chance.
pub fn about_equity(
    shares: &[f64; RESULTS.len()],
    number: f64,
    trials: f64,
    possible: impl Fn(usize) -> bool,
) -> [f64; 2] {
    let mut smoothed = shares.map(|share| share * number / (number + PSEUDO_TRIALS));
    for result in SINGLE {
        smoothed[result] += PSEUDO_TRIALS / 2.0 / (number + PSEUDO_TRIALS);
    }
    let has_gammons = (0..RESULTS.len()).any(|result| RESULTS[result].abs() > 1 && possible(result));
    // Where all games count one point, an equity has the interval of a share.
    let quantile = if has_gammons { NORMAL_QUANTILE } else { standard_errors(trials) };
    let below_and_above = EVENTS.map(|event| {
        let share = event.share(shares);
        if !(0..RESULTS.len()).any(|result| possible(result) && event.includes(result)) {
            return [0.0; 2];
        }
        let [low, high] =
            if share == 0.0 && event.points > 1 { [0.0, unseen(trials)] } else { of_share_by(quantile, share, trials) };
        if event.sign > 0.0 { [share - low, high - share] } else { [high - share, share - low] }
    });
    let widened = standard_errors(trials) / quantile;
    [0, 1].map(|side| {
        let mut square = 0.0;
        for (a, of_a) in EVENTS.iter().zip(&below_and_above) {
            for (b, of_b) in EVENTS.iter().zip(&below_and_above) {
                square += a.sign * b.sign * correlation(*a, *b, &smoothed) * of_a[side] * of_b[side];
            }
        }
        // Rounding may leave a sum of 0 below it.
        widened * square.max(0.0).sqrt()
    })
}

/// The correlation of two events in one trial; 0 if one of them never or always happens.
fn correlation(a: Event, b: Event, shares: &[f64; RESULTS.len()]) -> f64 {
    if a == b {
        return 1.0;
    }
    let [of_a, of_b] = [a, b].map(|event| event.share(shares));
    let of_both = if a.sign != b.sign { 0.0 } else { of_a.min(of_b) };
    let scale = of_a * (1.0 - of_a) * of_b * (1.0 - of_b);
    if scale > 0.0 { (of_both - of_a * of_b) / scale.sqrt() } else { 0.0 }
}

/// The largest plausible difference of two short games with this standard deviation, in points: at least a quarter point,
/// or the deviation of values that are the means of `games` games, and at most `most`, the difference of whole games.
/// Of 2,400 differences of two plays of backgammon after five plies, none was more than six standard deviations, or 0.53
/// points, from the mean.
// With values of 1, 4 and 16 games, differences that happened to be alike had intervals as for a quarter point: for
// luck-adjusted games cut off after 1 and 3 plies in two bear-offs, they held the truth in as few as 70, 85 and 95
// %.
pub fn difference_of_short(most: f64, standard_deviation: f64, games: Option<NonZeroU32>) -> f64 {
    let of_games = games.map_or(0.0, |games| most / f64::from(games.get()).sqrt());
    // `games` is at least 1, so the lower bound is at most the upper one: the clamp cannot panic.
    (5.0 * standard_deviation).clamp(of_games.max(most / 8.0), most)
}

/// The interval of the mean of differences between a value of two games, from their mean square, seen in a number of
/// independent trials. Two games differ by `typical`: by 1 if the value is whether something happened, by 2 points if
/// one is won and the other lost. `likeness` says how much the values scatter like whole games: 1, or from
/// [`likeness_of_difference`].
pub fn of_difference(mean: f64, mean_square: f64, trials: f64, typical: f64, likeness: f64) -> [f64; 2] {
    let [low, high] = of_difference_by(standard_errors(trials), mean, mean_square, trials, typical, likeness);
    if likeness < 1.0 {
        return [low, high];
    }
    let [below, above] = about_rare_differences(mean / typical, mean_square / (typical * typical), trials);
    [low.min(mean - typical * below), high.max(mean + typical * above)]
}

/// How far the interval of a difference reaches below and above the mean of differences of -1, 0 and 1, where one of
/// the two ways to differ came up in few trials: by the intervals of the shares of both. Otherwise 0.
// Where two plays differ in one game of 18, half a pseudo-trial for each way holds the truth in 87 % of samples of 36
// trials: in 13 % no pair differs at all.
fn about_rare_differences(mean: f64, mean_square: f64, trials: f64) -> [f64; 2] {
    let ways = [mean_square + mean, mean_square - mean].map(|share| (share / 2.0).clamp(0.0, 1.0));
    if ways.iter().all(|share| share * trials >= MIN_EXPECTED_AT_AN_END) {
        return [0.0; 2];
    }
    let [up, down] = ways.map(|share| of_share_by(NORMAL_QUANTILE, share, trials).map(|end| (end - share).abs()));
    // Not `hypot`, whose last digit depends on the system's C library.
    let root_of_squares = |a: f64, b: f64| (a * a + b * b).sqrt();
    [root_of_squares(up[0], down[1]), root_of_squares(up[1], down[0])]
}

/// [`of_difference`] with another quantile than the normal one.
fn of_difference_by(quantile: f64, mean: f64, mean_square: f64, trials: f64, typical: f64, likeness: f64) -> [f64; 2] {
    // Two pseudo-trials are added: one in which both games are alike, and half a trial each in which only the first or
    // only the second game has the value. Their mean is 0 for whole games, and otherwise near the values' mean.
    let all = trials + 2.0;
    let shift = likeness * mean;
    let middle = mean - 2.0 * shift / all;
    let variance = (mean_square - mean * mean) * trials + typical * typical;
    let variance = variance / all + shift * shift * 2.0 * trials / (all * all);
    let half = quantile * (variance / all).sqrt();
    [middle - half, middle + half]
}

/// The interval of a value with a cube, from the mean of its squares. `independent` trials would be as certain as the
/// `trials` that were made.
pub fn of_unbounded(mean: f64, mean_square: f64, independent: f64, trials: u64) -> [f64; 2] {
    if trials < MIN_WITH_CUBE {
        // A game won and a game lost by the root of the values' mean square, or by a point.
        let apart = core::f64::consts::SQRT_2 * mean_square.sqrt().max(1.0);
        return of_difference_by(standard_errors(independent), mean, mean_square, independent, apart, 1.0);
    }
    // A game won and one lost differ by this at least.
    let typical = WON_AND_LOST;
    let coin = COIN * typical * typical;
    let all = |variance: f64| variance * independent + coin;
    let likeness = (all(mean_square - mean * mean) / all(typical * typical)).min(1.0);
    let quantile = students_t::quantile(TAIL, trials as f64);
    of_difference_by(quantile, mean, mean_square, independent, typical, likeness)
}

/// The interval of a difference of two values with a cube, as by [`of_unbounded`].
pub fn of_unbounded_difference(mean: f64, mean_square: f64, independent: f64, trials: u64) -> [f64; 2] {
    let quantile = students_t::quantile(TAIL, trials as f64);
    of_difference_by(quantile, mean, mean_square, independent, WON_AND_LOST, 0.0)
}

/// The variance of differences of values as a part, 0 to 1, of the largest variance that whole games with the same mean
/// can have. Two whole games differ by 0 or by `most`.
pub fn likeness_of_difference(mean: f64, mean_square: f64, trials: f64, most: f64) -> f64 {
    let coin = COIN * most * most;
    let of_games = (mean.abs() * (most - mean.abs())).max(0.0);
    let all = |variance: f64| variance * trials + coin;
    (all(mean_square - mean * mean) / all(of_games)).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use tavli_testing::random::Random;

    use super::*;

    fn assert_near(found: [f64; 2], expected: [f64; 2]) {
        for (found, expected) in found.into_iter().zip(expected) {
            assert!((found - expected).abs() < 5e-5, "{found} {expected}");
        }
    }

    /// The intervals worked out by hand.
    #[test]
    fn shares_have_the_interval_of_wilson_or_of_agresti_and_coull() {
        assert_near(of_share(0.2, 50.0), [0.112_4, 0.330_4]);
        assert_near(of_share(0.0, 100.0), [0.0, 0.044_4]);
        assert_near(of_share(0.5, 10.0), [0.214_4, 0.785_6]);
        let [low, high] = of_share(1.0, 36.0);
        assert!((0.88..0.90).contains(&low) && high == 1.0, "{low} {high}");
    }

    /// The probability that the interval of a share holds it.
    fn coverage(share: f64, trials: u32) -> f64 {
        let of_none = (1.0 - share).powi(trials as i32);
        let counts = (1..=trials).scan(of_none, |probability, count| {
            *probability *= f64::from(trials - count + 1) / f64::from(count) * share / (1.0 - share);
            Some(*probability)
        });
        let counts = (0..).zip(core::iter::once(of_none).chain(counts));
        let holds = |count: u32| {
            let [low, high] = of_share(f64::from(count) / f64::from(trials), f64::from(trials));
            low <= share && share <= high
        };
        counts.filter(|&(count, _)| holds(count)).map(|(_, probability)| probability).sum()
    }

    /// With the normal quantile as few as 82 % of two trials.
    #[test]
    fn intervals_of_shares_hold_at_every_number_of_trials() {
        for trials in 1..=100 {
            // A share and the rest of the trials have the same intervals.
            let least = (1..=2500).map(|at| coverage(f64::from(at) / 5000.0, trials)).fold(1.0, f64::min);
            let expected = if (8..36).contains(&trials) { 0.938 } else { 0.909 };
            assert!(least > expected, "{trials}: {least}");
        }
    }

    /// Values of independent trials with this mean.
    fn valued(mean: f64, values: &[f64]) -> MeanOfValues {
        let trials = values.len() as f64;
        let squares: f64 = values.iter().map(|value| value * value).sum();
        let variance = squares / trials - mean * mean;
        let cubes: f64 = values.iter().map(|value| value.powi(3)).sum();
        MeanOfValues {
            variance,
            error: (variance / (trials - 1.0)).sqrt(),
            trials,
            skewness: skewness(mean, squares / trials, cubes / trials),
            of_net: None,
        }
    }

    #[test]
    fn values_of_0_and_1_have_the_interval_of_a_share() {
        for ones in [0, 4, 18, 36] {
            let values: Vec<f64> = (0..36).map(|at| f64::from(u8::from(at < ones))).collect();
            let share = f64::from(ones) / 36.0;
            let found = valued(share, &values).of_share(share);
            assert_near(found, of_share(share, 36.0));
        }
        // By hand: 1.169_86 coins have the variance 0.292_465, so 98 of 0.5, one of 0 and one of 1 are as certain as
        // (25 + 0.292_465) / (0.5 + 0.292_465) whole games.
        let values: Vec<f64> = [0.0, 1.0].into_iter().chain([0.5; 98]).collect();
        let found = valued(0.5, &values).of_share(0.5);
        assert_near(found, of_share(0.5, 100.0 * 25.292_465 / 0.792_465));
    }

    /// The shares of these counts.
    fn shares(counts: [u64; RESULTS.len()]) -> [f64; RESULTS.len()] {
        let number: u64 = counts.iter().sum();
        counts.map(|count| count as f64 / number as f64)
    }

    /// The interval of the equity of whole games.
    fn of_equity(counts: [u64; RESULTS.len()], trials: f64, possible: impl Fn(usize) -> bool) -> [f64; 2] {
        let (number, shares) = (counts.iter().sum::<u64>() as f64, shares(counts));
        let equity = shares.iter().enumerate();
        let equity: f64 = equity.map(|(result, share)| f64::from(RESULTS[result]) * share).sum();
        let [below, above] = about_equity(&shares, number, trials, possible);
        [equity - below, equity + above]
    }

    #[test]
    fn an_equity_of_two_outcomes_is_a_share() {
        let single = |result: usize| RESULTS[result].abs() == 1;
        for won in [0_u32, 7, 36] {
            let [low, high] = of_share(f64::from(won) / 36.0, 36.0);
            let counts = [u64::from(won), 0, 0, u64::from(36 - won), 0, 0];
            assert_near(of_equity(counts, 36.0, single), [2.0 * low - 1.0, 2.0 * high - 1.0]);
        }
    }

    #[test]
    fn an_outcome_that_was_not_seen_may_still_happen() {
        let no_backgammon = |result: usize| RESULTS[result].abs() < 3;
        let [low, high] = of_equity([8, 0, 0, 0, 0, 0], 8.0, no_backgammon);
        // By hand: 0.312_3 by the normal quantile, and 2.262_2 standard errors instead of 1.960_0.
        assert_near([low, high], [low, 1.360_5]);
        assert!(low < 0.3, "{low}");
    }

    #[test]
    fn an_equity_of_many_trials_has_the_normal_interval() {
        let counts = [192_740, 188_710, 134_244, 186_617, 175_549, 122_141];
        let trials = counts.iter().sum::<u64>() as f64;
        let sum = |power: i32| -> f64 {
            let results = counts.iter().enumerate();
            results.map(|(result, &count)| f64::from(RESULTS[result]).powi(power) * count as f64).sum()
        };
        let mean = sum(1) / trials;
        let half = NORMAL_QUANTILE * ((sum(2) / trials - mean * mean) / trials).sqrt();
        assert_near(of_equity(counts, trials, |_| true), [mean - half, mean + half]);
    }

    /// A number of a nearly normal distribution with the mean 0 and the deviation 1: a sum of 12 even ones.
    fn drawn(state: &mut u64) -> f64 {
        let sum: f64 = (0..12)
            .map(|_| {
                *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                (*state >> 11) as f64 / (1_u64 << 53) as f64
            })
            .sum();
        sum - 6.0
    }

    /// One in 40 intervals of 95 % misses on either side: 100 of 4,000, and by chance up to 140. The values are like
    /// those of variance-reduced games: an equity of 0.83 that scatters by 0.25, a share of 0.85 that scatters by 0.11.
    #[test]
    fn intervals_of_values_miss_as_seldom_on_either_side() {
        let mut state = 1;
        for trials in [36, 100, 400] {
            let (mut equities, mut wins, mut widths) = ([0; 2], [0; 2], 0.0);
            for _ in 0..4000 {
                let drawn: Vec<f64> = (0..trials).map(|_| drawn(&mut state)).collect();
                let mean = drawn.iter().sum::<f64>() / f64::from(trials);
                let interval = |middle: f64, scatter: f64, of_equity: bool| {
                    let values: Vec<f64> = drawn.iter().map(|by| middle + scatter * by).collect();
                    let mean = middle + scatter * mean;
                    let valued = valued(mean, &values);
                    match of_equity {
                        true => {
                            let shares = [0.72, 0.13, 0.0, 0.15, 0.0, 0.0];
                            valued.of_equity(mean, &shares, |result| RESULTS[result] > -2)
                        }
                        false => valued.of_share(mean),
                    }
                };
                let [low, high] = interval(0.83, 0.25, true);
                widths += (high - low) / 4000.0;
                for (missed, [low, high], middle) in
                    [(&mut equities, [low, high], 0.83), (&mut wins, interval(0.85, 0.11, false), 0.85)]
                {
                    missed[0] += u32::from(middle < low);
                    missed[1] += u32::from(middle > high);
                }
            }
            for missed in [equities, wins] {
                assert!(missed.iter().all(|&side| side <= 140), "{trials}: {missed:?}");
            }
            // Where trials are not few, hardly wider than 1.96 standard errors to either side.
            let typical = 2.0 * NORMAL_QUANTILE * 0.25 / f64::from(trials).sqrt();
            let wider = widths / typical;
            let most = if trials < 100 { 1.45 } else { 1.1 };
            assert!((0.95..most).contains(&wider), "{trials}: {wider}");
        }
    }

    fn mean_of(values: &[f64]) -> f64 {
        values.iter().sum::<f64>() / values.len() as f64
    }

    /// Draws 4,000 samples of each number of trials from values with their counts. At most the given number of
    /// intervals may miss the mean of all.
    fn assert_hold(values: &[(f64, u32)], limits: &[(u64, u32)], interval: impl Fn(&[f64]) -> [f64; 2]) {
        let values = values.iter().flat_map(|&(value, times)| vec![value; times as usize]);
        let values: Vec<f64> = values.collect();
        let truth = mean_of(&values);
        let mut random = Random(1);
        for &(trials, most) in limits {
            let mut missed = 0;
            for _ in 0..4000 {
                let sample: Vec<f64> = (0..trials).map(|_| values[random.below(values.len())]).collect();
                let [low, high] = interval(&sample);
                missed += u32::from(truth < low || truth > high);
            }
            assert!(missed <= most, "{trials}: {missed}");
        }
    }

    /// The values with a cube of 2,500 games of a position in a match, as often as they came up: 34 of them
    /// make a fifth of the variance. Of 4,000 samples of up to 8 trials 8.0 % miss at most, of more 5.0 %, and by chance
    /// more.
    #[test]
    fn intervals_with_a_cube_hold_where_trials_are_few() {
        const GAMES: [(f64, u32); 8] = [
            (-11.782, 31),
            (-8.669, 3),
            (-4.595, 177),
            (-2.099, 259),
            (-1.0, 105),
            (1.0, 321),
            (2.345, 266),
            (4.990, 1338),
        ];
        let limits: Vec<(u64, u32)> = (1..=8).map(|trials| (trials, 380)).chain([(36, 260), (144, 250)]).collect();
        assert_hold(&GAMES, &limits, |sample| {
            let squares: Vec<f64> = sample.iter().map(|value| value * value).collect();
            let trials = sample.len();
            of_unbounded(mean_of(sample), mean_of(&squares), trials as f64, trials as u64)
        });
    }

    /// Equities of random games of backgammon, and their differences, miss in at most 5.5 % of samples, and by chance
    /// more.
    #[test]
    fn intervals_of_few_games_hold() {
        const GAMES: [(f64, u32); 6] = [(1.0, 19), (2.0, 19), (3.0, 13), (-1.0, 19), (-2.0, 18), (-3.0, 12)];
        let limits = [2, 3, 4, 5, 6, 8, 12, 20, 35, 36].map(|trials| (trials, 260));
        assert_hold(&GAMES, &limits, |sample| {
            let counts = RESULTS.map(|result| {
                let is_one = |points: &&f64| **points == f64::from(result);
                sample.iter().filter(is_one).count() as u64
            });
            of_equity(counts, sample.len() as f64, |_| true)
        });
        let differences = GAMES.map(|(one, times)| GAMES.map(|(other, of_other)| (one - other, times * of_other)));
        assert_hold(differences.as_flattened(), &limits, |sample| {
            let squares: Vec<f64> = sample.iter().map(|value| value * value).collect();
            of_difference(mean_of(sample), mean_of(&squares), sample.len() as f64, 2.0, 1.0)
        });
    }

    /// Two plays whose games differ in one pair of 18: the first wins, the second loses. Where half a pseudo-trial for
    /// each way was all that was added, 13, 13 and 9 % of intervals missed.
    #[test]
    fn differences_that_are_rare_may_not_have_come_up() {
        let limits = [(8, 200), (20, 200), (35, 200), (36, 200), (72, 200), (144, 200), (360, 200)];
        for typical in [1.0, 2.0] {
            assert_hold(&[(0.0, 17), (typical, 1)], &limits, |sample| {
                let squares: Vec<f64> = sample.iter().map(|value| value * value).collect();
                of_difference(mean_of(sample), mean_of(&squares), sample.len() as f64, typical, 1.0)
            });
        }
    }

    /// The values of 2,000 games of a late position that are cut off after two plies, as often as they came up: one
    /// roll of 20 hits. Of 36 trials 2 % miss, of 72 and 144 6 and 7 %, and by chance more.
    #[test]
    fn what_a_single_roll_decides_may_not_have_come_up() {
        const EQUITIES: [(f64, u32); 7] =
            [(-0.55, 25), (-0.284, 75), (0.859, 190), (0.907, 570), (0.941, 570), (0.972, 380), (1.018, 190)];
        assert_hold(&EQUITIES, &[(8, 60), (36, 150), (72, 300), (144, 340)], |sample| {
            let mean = mean_of(sample);
            let won = f64::midpoint(mean, 1.0);
            let shares = [won, 0.0, 0.0, 1.0 - won, 0.0, 0.0];
            valued(mean, sample).of_equity(mean, &shares, |result| RESULTS[result].abs() == 1)
        });
    }

    /// Values like luck-adjusted random games give in two bear-offs: one in 11 or 14 is far above the others. With the
    /// skewness left out, 84 to 93 % of intervals hold the mean.
    #[test]
    fn a_few_values_far_from_the_others_are_looked_for_on_their_side() {
        for (values, limits) in [
            ([(0.75, 910), (1.75, 90)], [(36, 200), (100, 220), (400, 240)]),
            ([(0.5, 930), (1.1, 70)], [(36, 400), (100, 240), (400, 240)]),
        ] {
            assert_hold(&values, &limits, |sample| {
                let mean = mean_of(sample);
                valued(mean, sample).of_share(mean)
            });
        }
    }

    /// Values of a net have nearly the normal interval, also near 0. The part of the games that ended has the interval
    /// of whole games.
    #[test]
    fn values_of_a_net_are_no_whole_games() {
        let values: Vec<f64> = (0..100).map(|at| 0.004 + f64::from(at % 2) * 0.002).collect();
        let interval = |share: f64| {
            let of_net =
                MeanOfValues { of_net: Some(ValuesOfNet { share, difference: 1.0 / 64.0 }), ..valued(0.005, &values) };
            of_net.of_share(0.005)
        };
        // By hand: 1.169_86 coins with sides a sixty-fourth apart add 0.000_071_4 to the sum of squares of 0.000_1.
        let [low, high] = interval(1.0);
        assert!((high - 0.005 - 0.000_256_6).abs() < 1e-6 && (0.005 - low - 0.000_256_6).abs() < 1e-6, "{low} {high}");
        let whole = valued(0.005, &values).of_share(0.005);
        assert_eq!(interval(0.0), whole);
        assert_near(interval(0.5), [(low + whole[0]) / 2.0, (high + whole[1]) / 2.0]);
        assert!(whole[1] > 0.03, "{whole:?}");
    }

    /// Values that are all alike are not certain, and neither is a share that its rare values have not shown.
    #[test]
    fn values_of_few_trials_are_not_certain() {
        for (value, least) in [(0.3, 0.009), (0.0, 0.03), (0.02, 0.03)] {
            let [low, high] = valued(value, &[value; 100]).of_share(value);
            assert!(low <= value && high >= value + least, "{value}: {low} {high}");
        }
        let shares = [0.7, 0.0, 0.0, 0.3, 0.0, 0.0];
        let [low, high] = valued(0.4, &[0.4; 100]).of_equity(0.4, &shares, |_| true);
        assert!(low < 0.385 && high > 0.415, "{low} {high}");
        // Values wilder than whole games.
        let wild: Vec<f64> = (0..100).map(|at| f64::from(at % 2) * 4.0 - 1.5).collect();
        let [low, high] = valued(0.5, &wild).of_share(0.5);
        assert_near([low, high], [0.5 - 1.96 * 0.201, 0.5 + 1.96 * 0.201]);
    }

    /// The interval worked out by hand: of 100 pairs of games that win or lose a point, 6 go one way and 3 the other.
    #[test]
    fn differences_have_the_interval_of_agresti_and_min() {
        let found = of_difference(0.06, 36.0 / 100.0, 100.0, 2.0, 1.0);
        assert_near(found, [-0.062_2, 0.179_8]);
        // The same pairs as shares: 0.03, with a mean square of 9 in 100.
        let value_of_shares = of_difference(0.03, 9.0 / 100.0, 100.0, 1.0, 1.0);
        assert_near(value_of_shares, [-0.062_2 / 2.0, 0.179_8 / 2.0]);
        let [low, high] = of_difference(0.0, 0.0, 36.0, 2.0, 1.0);
        assert!(low < -0.1 && high > 0.1, "36 trials that ended alike prove little");
        let [low, high] = of_difference(3.0, 9.0, 1296.0, 2.0, 1.0);
        assert!(low < 3.0 && high > 3.0 && high - low < 0.02, "{low} {high}");
    }

    /// Luck-adjusted, 100 pairs of games differ by 0.5 points, some by 0.1 more and some less: the mean is the middle.
    #[test]
    fn differences_of_values_have_their_mean_in_the_middle() {
        let square = 0.25 + 0.01;
        let likeness = likeness_of_difference(0.5, square, 100.0, 6.0);
        let [low, high] = of_difference(0.5, square, 100.0, 2.0, likeness);
        assert!(((low + high) / 2.0 - 0.5).abs() < 0.001, "{low} {high}");
        assert!((0.04..0.1).contains(&(high - low)), "{low} {high}");
        // Whole games: each share happened or did not.
        assert_eq!(likeness_of_difference(0.1, 0.3, 100.0, 1.0), 1.0);
    }
}
