//! The decision of a race of fixed confidence.

use tavli_backgammon::named_values;

use crate::ask::allocation::Allocation;
use crate::ask::checked_request::CheckedRequest;
use crate::estimate::confidence::RaceBound;
use crate::estimate::rounds::RolloutRounds;
use crate::estimate::statistic::Statistic;
use crate::estimate::summary::Summary;

/// How a decision stands, as a race sees it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Verdict {
    /// One candidate is the best of those in the race.
    Best,
    /// No candidate is better than the best by more than the points that do not matter.
    NoneBetter,
    /// Neither is known yet.
    Open,
}

named_values!(Verdict: Best "best", NoneBetter "none_better", Open "open");

/// The answer of a race of [fixed confidence](Allocation::FixedConfidence): which candidate to take, and how sure the
/// answer is. It holds for the candidates that raced, if the rollout's players play them on.
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

impl Decision {
    /// The decision by the results of a rollout and the rounds in which plays were dropped; `None` without a race of
    /// fixed confidence.
    pub(crate) fn new(specification: &CheckedRequest, rounds: &RolloutRounds, summary: &Summary) -> Option<Decision> {
        let Allocation::FixedConfidence { within, .. } = specification.allocation else {
            return None;
        };
        let Standing { verdict, sure, at_most_better } = standing(summary, specification.allocation)?;
        let best = summary.best().candidate;
        let has_luck = specification.luck.is_some();
        Some(Decision {
            candidate: best,
            verdict,
            sure,
            within,
            at_most_better,
            rivals: summary.playing().skip(1).map(|other| other.candidate).collect(),
            left_out: specification.left_out(),
            equivalent_games: has_luck.then(|| rounds.whole_games(best, summary.best().equity.error())).flatten(),
        })
    }
}

/// How a race stands after the trials of a summary; `None` without a race of fixed confidence.
pub(crate) fn standing(summary: &Summary, allocation: Allocation) -> Option<Standing> {
    let Allocation::FixedConfidence { percent, within } = allocation else {
        return None;
    };
    let others = summary.standings[1..].iter().map(|result| Other {
        behind: result.behind,
        trials: result.trials,
        is_dropped: result.is_dropped,
    });
    Some(Standing::new(&others.collect::<Vec<_>>(), summary.trials, percent, within))
}

/// A candidate that is not the best.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Other {
    /// The points by which it is behind the best.
    pub(crate) behind: Statistic,
    /// The trials in which both were played.
    pub(crate) trials: u64,
    pub(crate) is_dropped: bool,
}

impl Other {
    /// [`RaceBound::error_probability`]; the difference of two known values has no error.
    fn error_probability(&self, bound: RaceBound, within: f64) -> f64 {
        match self.behind.error() == 0.0 && -self.behind.mean <= within {
            true => 0.0,
            false => bound.error_probability(&self.behind, within),
        }
    }
}

/// How a race stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Standing {
    pub(crate) verdict: Verdict,
    pub(crate) sure: f64,
    pub(crate) at_most_better: f64,
}

impl Standing {
    /// How a race of these candidates with the best stands after `trials` trials of the best.
    pub(crate) fn new(others: &[Other], trials: u64, percent: f64, within: f64) -> Standing {
        let doubt = 1.0 - percent / 100.0;
        let bound = |other: &Other| RaceBound { trials: other.trials, candidates: others.len() + 1 };
        let playing = || others.iter().filter(|other| !other.is_dropped);
        let is_near = |other: &Other| other.error_probability(bound(other), within) <= doubt;
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
        Standing { verdict, sure, at_most_better }
    }
}
