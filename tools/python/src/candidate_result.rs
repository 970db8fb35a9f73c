//! The results of a rollout by candidate.

use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyType};
use tavli::rollout::{Statistics, for_each_statistic};

use crate::pickled::{Pickled, Reduced};
use crate::position::Position;
use crate::tally::by_name;
use crate::uncertain::signed;

/// A mean over the trials of a rollout, with its errors.
#[pyclass(frozen, from_py_object, module = "tavli")]
#[derive(Clone, Debug)]
pub(crate) struct Statistic(tavli::rollout::Statistic);

/// A statistic as Python keeps it: the mean, standard deviation, standard error, both ends of the interval, and the
/// mean as the trials give it.
type Numbers = [f64; 6];

fn numbers(statistic: &tavli::rollout::Statistic) -> Numbers {
    [
        statistic.mean,
        statistic.standard_deviation,
        statistic.standard_error,
        statistic.low,
        statistic.high,
        statistic.raw_mean,
    ]
}

fn statistic_from(numbers: Numbers) -> tavli::rollout::Statistic {
    let [mean, standard_deviation, standard_error, low, high, raw_mean] = numbers;
    tavli::rollout::Statistic { mean, raw_mean, standard_deviation, standard_error, low, high }
}

/// The statistics of all values as Python keeps them.
type AllNumbers = [Numbers; Statistics::COUNT];

fn all_numbers(statistics: &Statistics) -> AllNumbers {
    statistics.to_array().each_ref().map(numbers)
}

fn statistics_from(all: AllNumbers) -> Statistics {
    Statistics::from_array(all.map(statistic_from))
}

impl Statistic {
    pub(crate) fn new(statistic: tavli::rollout::Statistic) -> Statistic {
        Statistic(statistic)
    }

    /// The mean with its error, to `decimals` decimals.
    pub(crate) fn text(&self, decimals: usize) -> String {
        signed(self.0.mean, self.0.standard_error, decimals)
    }
}

#[pymethods]
impl Statistic {
    /// The statistic that was pickled.
    #[classmethod]
    fn _of(_class: &Bound<'_, PyType>, state: Pickled<Numbers>) -> Statistic {
        Statistic(statistic_from(state.0))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Statistic>) -> Reduced<'py, Numbers> {
        let state = Pickled(numbers(&slf.get().0));
        Ok((slf.get_type().getattr("_of")?, (state,)))
    }

    /// The mean, in the range of the value; NaN without trials.
    #[getter]
    fn mean(&self) -> f64 {
        self.0.mean
    }

    /// The mean as the trials give it, without bias: with variance reduction it may by chance lie outside of the range,
    /// such as below 0 for a share. Everywhere else it is `mean`.
    #[getter]
    fn raw_mean(&self) -> f64 {
        self.0.raw_mean
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

    /// The 95 % confidence interval, which holds with few trials too: its lower and upper end.
    #[getter]
    fn interval(&self) -> (f64, f64) {
        (self.0.low, self.0.high)
    }

    fn __repr__(&self) -> String {
        format!("<tavli.Statistic {}>", self.text(5))
    }
}

/// The methods of a class, and the values of its `statistics()`.
macro_rules! methods_and_values {
    ([$($(#[$doc:meta])* $value:ident,)+] impl $class:ident $($method:tt)*) => {
        #[pymethods]
        impl $class {
            $($method)*

            $(
                $(#[$doc])*
                #[getter]
                fn $value(&self) -> Statistic {
                    Statistic(self.statistics().$value)
                }
            )+
        }
    };
}

/// The result of one candidate, for the player on roll in the rollout's position.
///
/// Shares are 0 to 1, points -3 to 3.
#[pyclass(frozen, from_py_object, module = "tavli")]
#[derive(Clone, Debug)]
pub(crate) struct CandidateResult {
    moves: Option<String>,
    cube: Option<String>,
    position: Position,
    result: tavli::rollout::CandidateResult,
}

impl CandidateResult {
    pub(crate) fn new(rollout: &tavli::rollout::Rollout, result: tavli::rollout::CandidateResult) -> CandidateResult {
        let candidate = &rollout.candidates()[result.candidate];
        CandidateResult {
            moves: candidate.moves.map(|moves| moves.to_string()),
            cube: candidate.cube_choice().map(|choice| choice.name().to_owned()),
            position: Position::from_board(candidate.board),
            result,
        }
    }

    fn statistics(&self) -> &Statistics {
        &self.result.statistics
    }
}

/// A result as Python keeps it: moves, the action with the cube, and the equity with it, position, candidate, trials,
/// whether it was dropped, outcomes, games cut off, probabilities, its statistics, how far it is behind, and its joint
/// standard deviations.
type State = (
    (Option<String>, Option<String>, Option<Numbers>),
    Position,
    usize,
    u64,
    bool,
    [u64; tavli::Outcome::COUNT],
    u64,
    [f64; tavli::Outcome::COUNT],
    AllNumbers,
    Numbers,
    f64,
);

for_each_statistic! { methods_and_values!
    impl CandidateResult

    /// The result that was pickled.
    #[classmethod]
    fn _of(_class: &Bound<'_, PyType>, state: Pickled<State>) -> CandidateResult {
        let Pickled((
            (moves, cube, cubeful),
            position,
            candidate,
            trials,
            is_dropped,
            outcomes,
            unfinished,
            probabilities,
            statistics,
            behind,
            jsd,
        )) = state;
        CandidateResult {
            moves,
            cube,
            position,
            result: tavli::rollout::CandidateResult {
                candidate,
                trials,
                is_dropped,
                outcomes,
                unfinished,
                probabilities,
                statistics: statistics_from(statistics),
                cubeful: cubeful.map(statistic_from),
                behind: statistic_from(behind),
                jsd,
            },
        }
    }

    fn __reduce__<'py>(slf: &Bound<'py, CandidateResult>) -> Reduced<'py, State> {
        let CandidateResult {
            moves,
            cube,
            position,
            result,
        } = slf.get();
        let cubeful = result.cubeful.as_ref().map(numbers);
        let state = Pickled((
            (moves.clone(), cube.clone(), cubeful),
            position.clone(),
            result.candidate,
            result.trials,
            result.is_dropped,
            result.outcomes,
            result.unfinished,
            result.probabilities,
            all_numbers(&result.statistics),
            numbers(&result.behind),
            result.jsd,
        ));
        Ok((slf.get_type().getattr("_of")?, (state,)))
    }

    /// Games of this candidate. A dropped candidate has fewer than the best.
    #[getter]
    fn trials(&self) -> u64 {
        self.result.trials
    }

    /// Whether it was dropped before the end.
    #[getter]
    fn is_dropped(&self) -> bool {
        self.result.is_dropped
    }

    /// The result as a table for notebooks.
    fn _repr_html_(&self) -> String {
        table(std::slice::from_ref(self))
    }

    /// The play in notation; None if the position itself is rolled out.
    #[getter]
    fn moves(&self) -> Option<&str> {
        self.moves.as_deref()
    }

    /// The position whose games are played: after a play, the position of the player next on roll.
    #[getter]
    fn position(&self) -> Position {
        self.position.clone()
    }

    /// The candidate's index in the rollout.
    #[getter]
    fn candidate(&self) -> usize {
        self.result.candidate
    }

    /// Games by outcome, with the names of `tavli.OUTCOMES`.
    #[getter]
    fn outcomes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        by_name(py, &self.result.outcomes)
    }

    /// Games cut off; without an evaluator they count 0 points.
    #[getter]
    fn unfinished(&self) -> u64 {
        self.result.unfinished
    }

    /// The probability of each outcome, a float64 array of shape (6,) in the order of `tavli.OUTCOMES`: the share of
    /// the games with it. Games cut off count by the probabilities of the evaluator.
    #[getter]
    fn probabilities<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.result.probabilities.to_vec().into_pyarray(py)
    }

    /// The equity with the cube, in money games in units of the rollout's cube, in matches equivalent to that; None in
    /// rollouts without cube. Candidates are then ranked by it.
    #[getter]
    fn cubeful(&self) -> Option<Statistic> {
        self.result.cubeful.map(Statistic)
    }

    /// The action of the player on roll with the cube, "no_double" or "double_take"; None after a play, and without
    /// cube.
    #[getter]
    fn cube(&self) -> Option<&str> {
        self.cube.as_deref()
    }

    /// Points behind the best candidate, on the same dice, over the trials of both, with the error of the paired
    /// difference; 0 for the best.
    #[getter]
    fn behind(&self) -> Statistic {
        Statistic(self.result.behind)
    }

    /// How far this candidate is behind the best, in joint standard deviations.
    #[getter]
    fn jsd(&self) -> f64 {
        self.result.jsd
    }

    fn __repr__(&self) -> String {
        let equity = *self.result.value();
        let moves = self
            .moves
            .as_ref()
            .map_or_else(String::new, |moves| format!("{moves}: "));
        format!(
            "<tavli.CandidateResult {moves}equity {}>",
            signed(equity.mean, equity.standard_error, 4)
        )
    }
}

/// The difference of two candidates on the same dice, over the trials in which both were played.
///
/// It is for the player on roll in the rollout's position. The errors belong to paired differences.
#[pyclass(frozen, module = "tavli")]
#[derive(Debug)]
pub(crate) struct Difference(tavli::rollout::Difference);

impl Difference {
    pub(crate) fn new(difference: tavli::rollout::Difference) -> Difference {
        Difference(difference)
    }

    fn statistics(&self) -> &Statistics {
        &self.0.statistics
    }
}

/// A difference as Python keeps it: both candidates, the trials, the statistics, the equities with the cube, and the
/// difference of the equities in joint standard deviations.
type DifferenceState = (usize, usize, u64, AllNumbers, Option<Numbers>, f64);

for_each_statistic! { methods_and_values!
    impl Difference

    /// The difference that was pickled.
    #[classmethod]
    fn _of(_class: &Bound<'_, PyType>, state: Pickled<DifferenceState>) -> Difference {
        let Pickled((candidate, other, trials, statistics, cubeful, jsd)) = state;
        Difference(tavli::rollout::Difference {
            candidate,
            other,
            trials,
            statistics: statistics_from(statistics),
            cubeful: cubeful.map(statistic_from),
            jsd,
        })
    }

    fn __reduce__<'py>(slf: &Bound<'py, Difference>) -> Reduced<'py, DifferenceState> {
        let difference = &slf.get().0;
        let state = Pickled((
            difference.candidate,
            difference.other,
            difference.trials,
            all_numbers(&difference.statistics),
            difference.cubeful.as_ref().map(numbers),
            difference.jsd,
        ));
        Ok((slf.get_type().getattr("_of")?, (state,)))
    }

    /// The first candidate's index in the rollout.
    #[getter]
    fn candidate(&self) -> usize {
        self.0.candidate
    }

    /// The second candidate's index. Its values are subtracted from the first's.
    #[getter]
    fn other(&self) -> usize {
        self.0.other
    }

    /// The trials in which both were played.
    #[getter]
    fn trials(&self) -> u64 {
        self.0.trials
    }

    /// The equity with the cube, as in CandidateResult; None in rollouts without cube.
    #[getter]
    fn cubeful(&self) -> Option<Statistic> {
        self.0.cubeful.map(Statistic)
    }

    /// The difference of the equities in joint standard deviations: of `cubeful`, or in rollouts without cube of
    /// `equity`; infinite if it has no error.
    #[getter]
    fn jsd(&self) -> f64 {
        self.0.jsd
    }

    fn __repr__(&self) -> String {
        format!(
            "<tavli.Difference {} minus {}: equity {}>",
            self.0.candidate,
            self.0.other,
            signed(self.0.equity.mean, self.0.equity.standard_error, 4)
        )
    }
}

/// Results of candidates as a table of HTML. Nothing in it needs escaping: moves are digits, letters, blanks, slashes
/// and stars.
pub(crate) fn table(standings: &[CandidateResult]) -> String {
    let mut html = "<table><thead><tr><th>play</th><th>equity</th><th>95 %</th><th>behind</th><th>JSD</th>\
        <th>win</th><th>gammon</th><th>backgammon</th><th>lose</th><th>gammon</th><th>backgammon</th>\
        <th>trials</th></tr></thead><tbody>"
        .to_owned();
    for CandidateResult { moves, result, .. } in standings {
        let moves = moves.as_deref().unwrap_or("the position");
        let equity = result.equity;
        // Without any game there is nothing to show.
        let known = |number: f64, text| if number.is_nan() { String::new() } else { text };
        let mut cells = vec![
            moves.to_owned(),
            signed(equity.mean, equity.standard_error, 4),
            known(equity.low, format!("{:+.4} … {:+.4}", equity.low, equity.high)),
            known(result.behind.mean, format!("{:.4}", result.behind.mean)),
            known(result.jsd, format!("{:.2}", result.jsd)),
        ];
        let [shares @ .., _] = result.statistics.to_array();
        cells.extend(shares.map(|share| known(share.mean, format!("{:.2} %", 100.0 * share.mean))));
        let dropped = if result.is_dropped { ", dropped" } else { "" };
        // The shares of games won and lost lack the games that were cut off without a value.
        let left = 1.0 - result.probabilities.iter().sum::<f64>();
        let cut_off = match left > 1e-9 {
            true => format!(", {:.2} % cut off", 100.0 * left),
            false => String::new(),
        };
        cells.push(format!("{}{dropped}{cut_off}", result.trials));
        html.push_str("<tr>");
        for cell in cells {
            html.push_str(&format!("<td>{cell}</td>"));
        }
        html.push_str("</tr>");
    }
    html.push_str("</tbody></table>");
    html
}
