//! The bound of a race of fixed confidence, which holds at all of its looks together.
//!
//! `docs/statistics.md` of tavli-rollout says why it holds.

use crate::estimate::statistic::Statistic;
use crate::estimate::students_t;

/// The trials before the first look.
// Not 1,296 trials, the block of shards and of the looks of other rules: a decision has at most 2,304 trials and would
// be looked at once.
const FIRST_LOOK: u64 = 36;

/// The number of trials, above `trials`, at which a race is looked at next: 36, 72, 144, and so on.
pub fn next_look(trials: u64) -> u64 {
    let mut look = FIRST_LOOK;
    while look <= trials {
        look *= 2;
    }
    look
}

/// The share of the allowed error probability for the look after this number of trials; between two looks, for the
/// later one. All shares add up to 1.
fn share_of_look(trials: u64) -> f64 {
    let doublings = f64::from((next_look(trials.saturating_sub(1)) / FIRST_LOOK).ilog2());
    // 1/3, 1/6, 1/10, 1/15: a race is decided after a few looks, mostly not at the first.
    2.0 / ((doublings + 2.0) * (doublings + 3.0))
}

/// The state of a race with some candidates after some trials.
#[derive(Clone, Copy, Debug)]
pub struct RaceBound {
    /// The trials in which a pair was played.
    pub trials: u64,
    /// All candidates of the race, dropped ones too.
    pub candidates: usize,
}

impl RaceBound {
    /// An upper bound on the probability that, at any look, a candidate that is truly better than another one of the
    /// race by `within` is this far `behind` it. A bound above 1 says nothing.
    pub fn error_probability(self, behind: &Statistic, within: f64) -> f64 {
        if self.trials < 2 {
            return 1.0;
        }
        let distance = behind.mean + within;
        // A difference of 0 may have no error either, and 0 / 0 is NaN.
        let t = if distance == 0.0 { 0.0 } else { distance / behind.error() };
        students_t::tail(t, self.freedom()) * self.comparisons() / share_of_look(self.trials)
    }

    /// The upper confidence bound, at error probability `doubt`, on how much better the candidate may be; negative if
    /// it is known to be worse.
    pub fn upper_bound(self, behind: &Statistic, doubt: f64) -> f64 {
        if self.trials < 2 {
            return f64::INFINITY;
        }
        self.critical_value(doubt) * behind.error() - behind.mean
    }

    /// How many standard errors a difference must have for this much doubt.
    pub fn critical_value(self, doubt: f64) -> f64 {
        let probability = doubt * share_of_look(self.trials) / self.comparisons();
        students_t::quantile(probability, self.freedom())
    }

    fn freedom(self) -> f64 {
        (self.trials - 1) as f64
    }

    /// The comparisons that may drop the best candidate: one with each other candidate.
    fn comparisons(self) -> f64 {
        // A race may have a single candidate, and the probability is divided by this number.
        (self.candidates - 1).max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_are_fixed_and_their_shares_add_up_to_1() {
        let (mut look, mut shares) = (0, 0.0);
        for doublings in 0..50 {
            look = next_look(look);
            assert_eq!(look, 36 << doublings);
            assert_eq!(next_look(look - 1), look);
            assert_eq!(share_of_look(look - 1), share_of_look(look));
            shares += share_of_look(look);
        }
        assert!(shares < 1.0 && shares > 0.95, "{shares}");
        assert!((share_of_look(36) - 1.0 / 3.0).abs() < 1e-15);
        assert!((share_of_look(72) - 1.0 / 6.0).abs() < 1e-15);
    }

    #[test]
    fn doubt_and_the_most_that_it_leaves_agree() {
        let behind = Statistic { mean: 0.1, standard_error: 0.03, ..Statistic::default() };
        let bound = RaceBound { trials: 144, candidates: 5 };
        for doubt in [0.2, 0.05, 1e-4] {
            let better = bound.upper_bound(&behind, doubt);
            assert!((bound.error_probability(&behind, better) - doubt).abs() < 1e-9 * doubt.sqrt());
        }
        // Four comparisons; the third look has a tenth of the error probability: by hand, P(T > 10 / 3) with 143
        // degrees of freedom is 0.000_546.
        let found = bound.error_probability(&behind, 0.0);
        assert!((found - 40.0 * 0.000_546).abs() < 4e-5, "{found}");
    }
}
