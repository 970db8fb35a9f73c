//! The decision of a rollout.

use pyo3::prelude::*;
use tavli::rollout;

use crate::pickled::class_of_members;

class_of_members! {
    /// Which play to make, and how sure that is: the answer of a rollout whose plays race with a confidence, and of
    /// a GameDecision.
    ///
    /// It holds for the plays that raced, if both sides continue as the rollout's players do.
    #[derive(Clone, Debug)]
    pub(crate) struct Decision: from_py_object {
        /// The play to make, such as "8/5 6/5".
        play: Option<String>,
        /// "best": it is the best of the plays that raced; "none_better": none is better by more than `within`; "open":
        /// neither is known yet.
        verdict: String,
        /// How sure the verdict is, 0 to 1; if it is open, how sure it is that no play is better by more than `within`.
        sure: f64,
        /// The points by which plays may differ that count as equally good.
        within: f64,
        /// With the race's confidence, no other play is better by more points than this; infinite before two trials.
        at_most_better: f64,
        /// The other plays that may be as good, the nearest first.
        equal_plays: Vec<String>,
        /// How many plays of the roll did not race, since their value is too far below the best.
        left_out: usize,
        /// How many games without variance reduction would give an interval as narrow; None without variance reduction.
        equivalent_games: Option<f64>,
    }

    fn __repr__(&self) -> String {
        let play = self.play.as_deref().unwrap_or("no play");
        format!("<tavli.Decision {play}: {}, {:.3} sure>", self.verdict, self.sure)
    }
}

impl Decision {
    pub(crate) fn from_rollout(rollout: &rollout::Rollout) -> Option<Decision> {
        let decision = rollout.decision()?;
        let play = |candidate: usize| rollout.candidates()[candidate].moves.map(|moves| moves.to_string());
        Some(Decision::new(&decision, play))
    }

    /// A decision between candidates with these moves.
    pub(crate) fn new(decision: &rollout::Decision, play: impl Fn(usize) -> Option<String>) -> Decision {
        Decision {
            play: play(decision.candidate),
            verdict: decision.verdict.name().to_owned(),
            sure: decision.sure,
            within: decision.within,
            at_most_better: decision.at_most_better,
            equal_plays: decision.rivals.iter().filter_map(|&rival| play(rival)).collect(),
            left_out: decision.left_out,
            equivalent_games: decision.equivalent_games,
        }
    }
}
