//! What a rollout says of one candidate.

use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::position::Position;
use crate::tally::{by_name, shares};

/// The mean over the trials of a rollout, and how sure it is.
#[pyclass(frozen, module = "tavli")]
#[derive(Debug)]
pub(crate) struct Statistic(tavli::rollout::Statistic);

#[pymethods]
impl Statistic {
    /// The mean; NaN without trials.
    #[getter]
    fn mean(&self) -> f64 {
        self.0.mean
    }

    /// The standard deviation of one trial; NaN below two trials.
    #[getter]
    fn standard_deviation(&self) -> f64 {
        self.0.standard_deviation
    }

    /// The standard deviation of the mean; stratified first rolls make it smaller. NaN below two trials.
    #[getter]
    fn standard_error(&self) -> f64 {
        self.0.standard_error
    }

    /// The 95 % confidence interval, which holds at any number of trials: its lower and upper end.
    #[getter]
    fn interval(&self) -> (f64, f64) {
        (self.0.low, self.0.high)
    }

    fn __repr__(&self) -> String {
        format!(
            "<tavli.Statistic {:+.5} ± {:.5}>",
            self.0.mean, self.0.standard_error
        )
    }
}

/// What a rollout says of one candidate, for the player on roll in the rollout's position.
///
/// Shares are 0 to 1, points -3 to 3.
#[pyclass(frozen, module = "tavli")]
#[derive(Debug)]
pub(crate) struct Standing {
    moves: Option<String>,
    position: Position,
    standing: tavli::rollout::Standing,
}

impl Standing {
    pub(crate) fn new(
        rollout: &tavli::rollout::Rollout,
        standing: tavli::rollout::Standing,
    ) -> Standing {
        let candidate = &rollout.candidates()[standing.candidate];
        Standing {
            moves: candidate.moves.map(|moves| moves.to_string()),
            position: Position::of_board(candidate.board),
            standing,
        }
    }
}

#[pymethods]
impl Standing {
    /// The play in notation; None where the position itself is rolled out.
    #[getter]
    fn moves(&self) -> Option<&str> {
        self.moves.as_deref()
    }

    /// The position whose games are played: after a play, that of the player next on roll.
    #[getter]
    fn position(&self) -> Position {
        self.position.clone()
    }

    /// The candidate's index in the rollout.
    #[getter]
    fn candidate(&self) -> usize {
        self.standing.candidate
    }

    /// Games by outcome, with the names of `tavli.OUTCOMES`.
    #[getter]
    fn outcomes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        by_name(py, &self.standing.outcomes)
    }

    /// Games cut off, which count 0 points.
    #[getter]
    fn unfinished(&self) -> u64 {
        self.standing.unfinished
    }

    /// The share of each outcome, a float64 array of shape (6,) in the order of `tavli.OUTCOMES`.
    #[getter]
    fn probabilities<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        let trials = self.standing.outcomes.iter().sum::<u64>() + self.standing.unfinished;
        shares(&self.standing.outcomes, trials)
            .to_vec()
            .into_pyarray(py)
    }

    /// The share of games won, gammons and backgammons included.
    #[getter]
    fn win(&self) -> Statistic {
        Statistic(self.standing.win)
    }

    /// The share of games won by a gammon or backgammon.
    #[getter]
    fn win_gammon(&self) -> Statistic {
        Statistic(self.standing.win_gammon)
    }

    /// The share of games won by a backgammon.
    #[getter]
    fn win_backgammon(&self) -> Statistic {
        Statistic(self.standing.win_backgammon)
    }

    /// The share of games lost, gammons and backgammons included.
    #[getter]
    fn lose(&self) -> Statistic {
        Statistic(self.standing.lose)
    }

    /// The share of games lost by a gammon or backgammon.
    #[getter]
    fn lose_gammon(&self) -> Statistic {
        Statistic(self.standing.lose_gammon)
    }

    /// The share of games lost by a backgammon.
    #[getter]
    fn lose_backgammon(&self) -> Statistic {
        Statistic(self.standing.lose_backgammon)
    }

    /// Mean points of a game without cube.
    #[getter]
    fn equity(&self) -> Statistic {
        Statistic(self.standing.equity)
    }

    /// Points behind the best candidate, on the same dice, with the error of the paired difference; 0 for the best.
    #[getter]
    fn behind(&self) -> Statistic {
        Statistic(self.standing.behind)
    }

    /// How far it is behind the best, in joint standard deviations.
    #[getter]
    fn jsd(&self) -> f64 {
        self.standing.jsd
    }

    fn __repr__(&self) -> String {
        let equity = self.standing.equity;
        let moves = self
            .moves
            .as_ref()
            .map_or_else(String::new, |moves| format!("{moves}: "));
        format!(
            "<tavli.Standing {moves}equity {:+.4} ± {:.4}>",
            equity.mean, equity.standard_error
        )
    }
}
