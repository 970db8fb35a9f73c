//! The counts of playouts.

use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyDict, PyType};
use tavli::Outcome;
use tavli::run::PlayoutReport;

use crate::pickled::{Pickled, Reduced, class_of_members};
use crate::uncertain::{counted, plus_minus, signed};

class_of_members! {
    /// A mean and its standard error.
    #[derive(Clone, Debug)]
    pub(crate) struct Estimate {
        /// The sample mean; NaN without samples.
        mean: f64,
        /// The standard deviation of the mean; NaN below two samples.
        standard_error: f64,
    }

    fn __repr__(&self) -> String {
        format!("<tavli.Estimate {}>", signed(self.mean, self.standard_error, 5))
    }
}

impl From<tavli::Estimate> for Estimate {
    fn from(estimate: tavli::Estimate) -> Estimate {
        Estimate { mean: estimate.mean, standard_error: estimate.standard_error }
    }
}

/// The counts of a set of playouts, exact and for the player on roll in the first position.
#[pyclass(frozen, module = "tavli")]
#[derive(Debug)]
pub(crate) struct Tally {
    tally: Box<tavli::Tally>,
    first_game: u64,
    seconds: f64,
}

impl Tally {
    pub(crate) fn new(report: &PlayoutReport) -> Tally {
        Tally {
            tally: Box::new(report.results.tally),
            first_game: report.games.start,
            seconds: report.elapsed.as_secs_f64(),
        }
    }

    fn tally(&self) -> &tavli::Tally {
        &self.tally
    }
}

/// The counts of a tally as pickles hold them: games, outcomes, plies, their squares, plays, and the longest game.
pub(crate) type Counts = (u64, [u64; Outcome::COUNT], u128, u128, u128, u32);

pub(crate) fn counts(tally: &tavli::Tally) -> Counts {
    (tally.games, tally.outcomes, tally.plies, tally.plies_squared, tally.plays, tally.longest)
}

pub(crate) fn tally_from_counts(counts: Counts) -> tavli::Tally {
    let mut tally = tavli::Tally::default();
    (tally.games, tally.outcomes, tally.plies, ..) = counts;
    (.., tally.plies_squared, tally.plays, tally.longest) = counts;
    tally
}

/// A tally as pickles hold it: the first game, the seconds, and the counts.
type State = (u64, f64, Counts);

#[pymethods]
impl Tally {
    /// The tally that was pickled.
    #[classmethod]
    fn _of(_class: &Bound<'_, PyType>, state: Pickled<State>) -> Tally {
        let Pickled((first_game, seconds, counts)) = state;
        Tally { tally: Box::new(tally_from_counts(counts)), first_game, seconds }
    }

    fn __reduce__<'py>(slf: &Bound<'py, Tally>) -> Reduced<'py, State> {
        let Tally { tally, first_game, seconds } = slf.get();
        let state = Pickled((*first_game, *seconds, counts(tally)));
        Ok((slf.get_type().getattr("_of")?, (state,)))
    }

    /// The outcomes as a table for notebooks.
    fn _repr_html_(&self) -> String {
        let mut html = "<table><thead><tr><th>outcome</th><th>games</th><th>share</th></tr></thead><tbody>".to_owned();
        for &outcome in Outcome::ALL {
            let (count, share) = (self.tally.count(outcome), self.tally.share(outcome));
            let name = outcome.name().replace('_', " ");
            html.push_str(&format!(
                "<tr><td>{name}</td><td>{count}</td><td>{:.2} %{}</td></tr>",
                100.0 * share.mean,
                plus_minus(100.0 * share.standard_error, 2)
            ));
        }
        if self.tally.unfinished() > 0 {
            let share = self.tally.unfinished_share();
            html.push_str(&format!(
                "<tr><td>unfinished</td><td>{}</td><td>{:.2} %{}</td></tr>",
                self.tally.unfinished(),
                100.0 * share.mean,
                plus_minus(100.0 * share.standard_error, 2)
            ));
        }
        let equity = self.tally.equity();
        html.push_str(&format!(
            "</tbody><tfoot><tr><td>equity</td><td>{}</td><td>{}</td></tr></tfoot></table>",
            self.tally.games,
            signed(equity.mean, equity.standard_error, 4)
        ));
        html
    }

    /// Games played.
    #[getter]
    fn games(&self) -> u64 {
        self.tally().games
    }

    /// The number of the first game; the others follow it without a gap.
    #[getter]
    fn first_game(&self) -> u64 {
        self.first_game
    }

    /// Games by outcome, with the names of `tavli.OUTCOMES`.
    #[getter]
    fn outcomes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        by_name(py, &self.tally().outcomes)
    }

    /// Games cut off before they ended.
    #[getter]
    fn unfinished(&self) -> u64 {
        self.tally().unfinished()
    }

    /// Plies of all games, passes and the winning ones included.
    #[getter]
    fn plies(&self) -> u128 {
        self.tally().plies
    }

    /// The sum over the games of the square of their plies.
    #[getter]
    fn plies_squared(&self) -> u128 {
        self.tally().plies_squared
    }

    /// Distinct plays offered, summed over all plies; a forced pass offers one.
    #[getter]
    fn plays(&self) -> u128 {
        self.tally().plays
    }

    /// Plies of the longest game.
    #[getter]
    fn longest(&self) -> u32 {
        self.tally().longest
    }

    /// The share of each outcome, a float64 array of shape (6,) in the order of `tavli.OUTCOMES`.
    #[getter]
    fn probabilities<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        shares(&self.tally().outcomes, self.tally().games).to_vec().into_pyarray(py)
    }

    /// The share of games won, 0 to 1.
    #[getter]
    fn win(&self) -> Estimate {
        self.tally().win().into()
    }

    /// Mean points without cube, -3 to 3; games cut off count 0.
    #[getter]
    fn equity(&self) -> Estimate {
        self.tally().equity().into()
    }

    /// Mean plies of a game.
    #[getter]
    fn mean_plies(&self) -> Estimate {
        self.tally().mean_plies().into()
    }

    /// Distinct plays offered per ply.
    #[getter]
    fn mean_plays(&self) -> f64 {
        self.tally().mean_plays()
    }

    /// Seconds that the games took.
    #[getter]
    fn seconds(&self) -> f64 {
        self.seconds
    }

    fn __repr__(&self) -> String {
        let (win, equity) = (self.tally().win(), self.tally().equity());
        format!(
            "<tavli.Tally {} from {}: win {:.4}{}, equity {}{}>",
            counted(self.tally().games, "game"),
            self.first_game,
            win.mean,
            plus_minus(win.standard_error, 4),
            signed(equity.mean, equity.standard_error, 4),
            cut_off(self.tally().unfinished())
        )
    }
}

/// The end of a text on games: how many were cut off, and count neither as won nor as lost.
pub(crate) fn cut_off(games: u64) -> String {
    match games {
        0 => String::new(),
        games => format!(", {games} cut off: neither won nor lost"),
    }
}

/// An outcome where outcomes are numbers: -1 for a game that was cut off.
pub(crate) fn outcome_number(outcome: Option<Outcome>) -> i8 {
    outcome.map_or(-1, |outcome| outcome as i8)
}

pub(crate) fn by_name<'py>(py: Python<'py>, outcomes: &[u64; Outcome::COUNT]) -> PyResult<Bound<'py, PyDict>> {
    Outcome::ALL.iter().map(|&outcome| (outcome.name(), outcomes[outcome as usize])).into_py_dict(py)
}

/// The share of each outcome in a number of games.
pub(crate) fn shares(outcomes: &[u64; Outcome::COUNT], games: u64) -> [f64; Outcome::COUNT] {
    outcomes.map(|count| count as f64 / games as f64)
}
