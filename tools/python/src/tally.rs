//! What playouts came to.

use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyDict};
use tavli::Outcome;
use tavli::run::Report;

/// A mean and its standard error.
#[pyclass(frozen, get_all, module = "tavli")]
#[derive(Clone, Debug)]
pub(crate) struct Estimate {
    /// The sample mean; NaN without samples.
    mean: f64,
    /// The standard deviation of the mean.
    standard_error: f64,
}

#[pymethods]
impl Estimate {
    fn __repr__(&self) -> String {
        format!(
            "<tavli.Estimate {:+.5} ± {:.5}>",
            self.mean, self.standard_error
        )
    }
}

impl From<tavli::Estimate> for Estimate {
    fn from(estimate: tavli::Estimate) -> Estimate {
        Estimate {
            mean: estimate.mean,
            standard_error: estimate.standard_error,
        }
    }
}

/// What a set of playouts came to, in exact counts for the player on roll in the first position.
#[pyclass(frozen, module = "tavli")]
#[derive(Debug)]
pub(crate) struct Tally {
    report: Box<Report>,
}

impl Tally {
    pub(crate) fn new(report: Report) -> Tally {
        Tally {
            report: Box::new(report),
        }
    }

    fn tally(&self) -> &tavli::Tally {
        &self.report.results.tally
    }
}

#[pymethods]
impl Tally {
    /// Games played.
    #[getter]
    fn games(&self) -> u64 {
        self.tally().games
    }

    /// The number of the first game; the others follow it without a gap.
    #[getter]
    fn first_game(&self) -> u64 {
        self.report.games.start
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
        shares(&self.tally().outcomes, self.tally().games)
            .to_vec()
            .into_pyarray(py)
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
        self.report.elapsed.as_secs_f64()
    }

    fn __repr__(&self) -> String {
        let (win, equity) = (self.tally().win(), self.tally().equity());
        format!(
            "<tavli.Tally {} games from {}: win {:.4} ± {:.4}, equity {:+.4} ± {:.4}>",
            self.tally().games,
            self.report.games.start,
            win.mean,
            win.standard_error,
            equity.mean,
            equity.standard_error
        )
    }
}

/// Counts of outcomes by name.
pub(crate) fn by_name<'py>(
    py: Python<'py>,
    outcomes: &[u64; Outcome::COUNT],
) -> PyResult<Bound<'py, PyDict>> {
    Outcome::ALL
        .iter()
        .map(|&outcome| (outcome.name(), outcomes[outcome as usize]))
        .into_py_dict(py)
}

/// The share of each outcome in so many games.
pub(crate) fn shares(outcomes: &[u64; Outcome::COUNT], games: u64) -> [f64; Outcome::COUNT] {
    outcomes.map(|count| count as f64 / games as f64)
}
