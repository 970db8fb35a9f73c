//! The decision of a race of fixed confidence.

use tavli_base::named_values;

use crate::estimate::confidence::{self, RaceBound};
use crate::estimate::statistic::Statistic;

/// How a decision stands, as a race sees it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Verdict {
    /// One candidate is the best of those in the race.
    Best,
    /// No candidate beats the leader by more than the tolerance `within`.
    NoneBetter,
    /// Neither is known yet.
    Open,
}

named_values!(Verdict: Best "best", NoneBetter "none_better", Open "open");

/// The answer of a race of [fixed confidence](crate::Allocation::FixedConfidence): which candidate to take, and how
/// sure the answer is. It holds for the candidates that raced, if the rollout's players play them on.
#[derive(Clone, PartialEq, Debug)]
pub struct Decision {
    /// The index of the candidate to take: the one with the highest equity; before the first trial, the one with the
    /// highest value.
    pub candidate: usize,
    /// How the decision stands.
    pub verdict: Verdict,
    /// How sure the verdict is, 0..=1. If it is open, how sure it is that no other candidate is better by more than
    /// [`Decision::within`].
    pub sure: f64,
    /// Candidates that differ by at most `within` points count as equally good.
    pub within: f64,
    /// With the race's confidence, no other candidate is better than the best by more than `at_most_better` points. 0
    /// for the verdict [`Verdict::Best`], infinite before two trials.
    pub at_most_better: f64,
    /// The other candidates that may be as good, by index, the nearest first. With [`Verdict::Best`] there are none.
    pub rivals: Vec<usize>,
    /// Plays of the roll that a filter left out; 0 if plays were named.
    pub left_out: usize,
    /// The number of games without variance reduction whose mean would have as wide an interval as the best candidate's
    /// equity; `None` without variance reduction, or if the number is unknown.
    pub equivalent_games: Option<f64>,
}

/// A candidate of a rollout by its trials so far.
#[derive(Clone, Copy, Debug)]
pub struct RankedCandidate {
    /// Its index in the rollout.
    pub candidate: usize,
    /// Its trials.
    pub trials: u64,
    /// Whether it was dropped.
    pub is_dropped: bool,
    /// The value that candidates are ranked by.
    pub value: Statistic,
    /// The points by which it is behind the best, over the trials that both have.
    pub behind: Statistic,
}

impl RankedCandidate {
    /// Whether it is at least `jsd` joint standard deviations behind the best.
    pub(crate) fn is_behind(&self, jsd: f64) -> bool {
        self.behind.mean >= jsd * self.behind.error()
    }

    /// [`RaceBound::error_probability`]; the difference of two known values has no error.
    fn error_probability(&self, bound: RaceBound, within: f64) -> f64 {
        match self.behind.error() == 0.0 && -self.behind.mean <= within {
            true => 0.0,
            false => bound.error_probability(&self.behind, within),
        }
    }
}

/// The candidates of a rollout by their trials so far: first the best of those that are still played. At a look there
/// is one at least.
#[derive(Clone, Debug)]
pub struct Ranking(pub Vec<RankedCandidate>);

impl Ranking {
    /// The trials of each candidate that is still played.
    pub(crate) fn trials(&self) -> u64 {
        self.0[0].trials
    }

    /// All candidates, dropped ones too.
    pub(crate) fn candidates(&self) -> usize {
        self.0.len()
    }

    /// The candidates that are still played, the best first.
    pub(crate) fn playing(&self) -> impl Iterator<Item = &RankedCandidate> {
        self.0.iter().filter(|ranked| !ranked.is_dropped)
    }

    /// The bound of a race between them.
    pub(crate) fn bound(&self) -> RaceBound {
        RaceBound { trials: self.trials(), candidates: self.candidates() }
    }

    /// The candidates that are still played, by their indices, without those that are known at a look to be worse than
    /// another one, with `percent` confidence.
    pub(crate) fn not_worse(&self, percent: f64) -> Vec<usize> {
        let (trials, bound) = (self.trials(), self.bound());
        // Between its looks the bound does not hold.
        let is_look = trials > 0 && confidence::next_look(trials - 1) == trials;
        let is_worse =
            |ranked: &RankedCandidate| is_look && bound.error_probability(&ranked.behind, 0.0) <= 1.0 - percent / 100.0;
        let left = self.playing().enumerate().filter(|&(rank, ranked)| rank == 0 || !is_worse(ranked));
        left.map(|(_, ranked)| ranked.candidate).collect()
    }

    /// The decision of a race of [fixed confidence](crate::Allocation::FixedConfidence), to `percent` and `within`.
    #[must_use]
    pub fn decision(&self, percent: f64, within: f64) -> Decision {
        let (trials, others) = (self.trials(), &self.0[1..]);
        let doubt = 1.0 - percent / 100.0;
        let bound = |other: &RankedCandidate| RaceBound { trials: other.trials, candidates: self.candidates() };
        let playing = || others.iter().filter(|other| !other.is_dropped);
        let is_near = |other: &RankedCandidate| other.error_probability(bound(other), within) <= doubt;
        // Before the first trial nothing is known, even of a candidate without rivals.
        let verdict = if playing().next().is_none() && trials > 0 {
            Verdict::Best
        } else if trials > 0 && playing().all(is_near) {
            Verdict::NoneBetter
        } else {
            Verdict::Open
        };
        let most_better = playing().map(|other| bound(other).upper_bound(&other.behind, doubt));
        // Dropped candidates were proven worse, so the bound over the candidates that are still played holds for all.
        let at_most_better = most_better.fold(0.0, f64::max);
        let margin = match verdict {
            Verdict::Best => 0.0,
            Verdict::NoneBetter | Verdict::Open => within,
        };
        let doubts = others.iter();
        let doubts = doubts.map(|other| other.error_probability(bound(other), margin));
        let confidence = 1.0 - doubts.fold(0.0, f64::max).min(1.0);
        let sure = match verdict {
            // Dropped candidates were behind another one, which may have been dropped since.
            Verdict::Best | Verdict::NoneBetter => confidence.max(percent / 100.0),
            Verdict::Open => confidence,
        };
        Decision {
            candidate: self.0[0].candidate,
            verdict,
            sure,
            within,
            at_most_better,
            rivals: playing().map(|other| other.candidate).collect(),
            left_out: 0,
            equivalent_games: None,
        }
    }
}
