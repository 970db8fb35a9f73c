//! The decision of a rollout.

use pyo3::prelude::*;
use pyo3::types::PyType;
use tavli::rollout;

use crate::pickled::{Pickled, Reduced};

/// Which play to make, and how sure that is: the answer of a rollout whose plays race with a confidence.
///
/// The answer holds among the plays that raced, if the rollout's players play on for both sides.
#[pyclass(frozen, from_py_object, module = "tavli")]
#[derive(Clone, Debug)]
pub(crate) struct Decision {
    play: Option<String>,
    verdict: String,
    sure: f64,
    within: f64,
    at_most_better: f64,
    equal_plays: Vec<String>,
    left_out: usize,
    equivalent_games: Option<f64>,
}

/// A decision as Python keeps it, in the order of its members.
type State = (Option<String>, String, f64, f64, f64, Vec<String>, usize, Option<f64>);

impl Decision {
    pub(crate) fn of(rollout: &rollout::Rollout) -> Option<Decision> {
        let decision = rollout.decision()?;
        let play = |candidate: usize| rollout.candidates()[candidate].moves.map(|moves| moves.to_string());
        Some(Decision {
            play: play(decision.candidate),
            verdict: decision.verdict.name().to_owned(),
            sure: decision.sure,
            within: decision.within,
            at_most_better: decision.at_most_better,
            equal_plays: decision.rivals.iter().filter_map(|&rival| play(rival)).collect(),
            left_out: decision.left_out,
            equivalent_games: decision.equivalent_games,
        })
    }
}

#[pymethods]
impl Decision {
    /// The decision that was pickled.
    #[classmethod]
    fn _of(_class: &Bound<'_, PyType>, state: Pickled<State>) -> Decision {
        let Pickled((play, verdict, sure, within, at_most_better, equal_plays, left_out, equivalent_games)) = state;
        Decision {
            play,
            verdict,
            sure,
            within,
            at_most_better,
            equal_plays,
            left_out,
            equivalent_games,
        }
    }

    fn __reduce__<'py>(slf: &Bound<'py, Decision>) -> Reduced<'py, State> {
        let decision = slf.get().clone();
        let state = Pickled((
            decision.play,
            decision.verdict,
            decision.sure,
            decision.within,
            decision.at_most_better,
            decision.equal_plays,
            decision.left_out,
            decision.equivalent_games,
        ));
        Ok((slf.get_type().getattr("_of")?, (state,)))
    }

    /// The play to make, such as "8/5 6/5".
    #[getter]
    fn play(&self) -> Option<&str> {
        self.play.as_deref()
    }

    /// "best": it is the best of the plays that raced; "none_better": no such play is better by more than `within`;
    /// "open": neither is known yet.
    #[getter]
    fn verdict(&self) -> &str {
        &self.verdict
    }

    /// How sure the verdict is, 0 to 1; while it is open, how sure it is that no play is better by more than `within`.
    #[getter]
    fn sure(&self) -> f64 {
        self.sure
    }

    /// Plays that differ by at most so many points count as equally good.
    #[getter]
    fn within(&self) -> f64 {
        self.within
    }

    /// With the race's confidence, no other play is better by more than this many points; infinite before two trials.
    #[getter]
    fn at_most_better(&self) -> f64 {
        self.at_most_better
    }

    /// The other plays that may be as good, the nearest first.
    #[getter]
    fn equal_plays(&self) -> Vec<String> {
        self.equal_plays.clone()
    }

    /// How many plays of the roll did not race, since their value is too far below the best.
    #[getter]
    fn left_out(&self) -> usize {
        self.left_out
    }

    /// How many games without variance reduction would give the equity of the play with as much certainty; None where
    /// no luck is subtracted.
    #[getter]
    fn equivalent_games(&self) -> Option<f64> {
        self.equivalent_games
    }

    fn __repr__(&self) -> String {
        let play = self.play.as_deref().unwrap_or("no play");
        format!("<tavli.Decision {play}: {}, {:.3} sure>", self.verdict, self.sure)
    }
}
