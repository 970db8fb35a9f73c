//! The doubling cube.

use numpy::{IntoPyArray, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use tavli::cube::{self, CubeValues, OutcomeProbabilities};

use crate::boards;
use crate::errors::{PositionError, SettingsError, unless_raised};
use crate::interrupt;

/// The chances of a row: to win, win a gammon, win a backgammon, lose a gammon, lose a backgammon.
const CHANCES: usize = 5;

/// Value positions with the doubling cube, and find the right action.
///
/// The values come from Janowski's model with the efficiencies and the match equity table of GNU Backgammon. Bear-offs
/// of at most six checkers a side have exact equities in money games, to 0.0001 of a cube: their table has steps of 16
/// bits.
///
/// Ctrl-C is raised here; the attribute `result` of the exception has the first rows, which are valued.
///
/// Args:
///     probabilities: An array of shape (n, 5): the chances of the player on roll, before the roll, to win, win a
///         gammon, win a backgammon, lose a gammon and lose a backgammon, where wins count gammons, and
///         gammons count backgammons. For no positions [] will do.
///     ids: A sequence of n positions with their cube and score in any form, such as "PositionID:MatchID", an XGID or a
///         Position.
///
/// Returns:
///     A dict of arrays of shape (n,): `no_double`, `double_take`, `double_pass` and `cubeless`, in money games as
///     shares of the cube, in matches equivalent to that; and `action`, the right one in GNU Backgammon's words.
///
/// Raises:
///     SettingsError: The array has another shape, or a row does not hold chances; the message names the row.
///     PositionError: A text is not a position, it has dice, or its match is over; the message names the row.
///
/// Examples:
///     >>> values = tavli.cube_values([[0.7, 0.2, 0.01, 0.1, 0.0]], ["4HPwATDgc/ABMA:cAkAAAAAAAAE"])
///     >>> values["action"].tolist(), round(float(values["double_take"][0]), 3)
///     (['Double, take'], 0.852)
#[pyfunction]
pub(crate) fn cube_values<'py>(
    py: Python<'py>,
    probabilities: &Bound<'py, PyAny>,
    ids: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyDict>> {
    let positions = boards::with_contexts(ids)?;
    let numpy = py.import("numpy")?;
    let array = numpy.call_method1("asarray", (probabilities, "float64"))?;
    let shape: Vec<usize> = array.getattr("shape")?.extract()?;
    if positions.is_empty() && shape == [0] {
        return columns(py, &[], Ok(()));
    }
    if shape != [positions.len(), CHANCES] {
        return Err(SettingsError::new_err(format!(
            "probabilities have the shape {}: for {} ids it is ({}, {CHANCES})",
            array.getattr("shape")?,
            positions.len(),
            positions.len()
        )));
    }
    let array: PyReadonlyArray2<'py, f64> = array.extract()?;
    let rows = array.as_array();
    let (values, heard) =
        interrupt::collect_first(rows.rows().into_iter().zip(&positions), |row, (chances, position)| {
            let chances = OutcomeProbabilities::new(core::array::from_fn(|column| chances[column]));
            let chances = chances.map_err(|error| SettingsError::new_err(format!("row {row}: {error}")))?;
            cube::values(position, &chances).map_err(|error| PositionError::new_err(format!("row {row}: {error}")))
        })?;
    columns(py, &values, heard)
}

/// The values as arrays by their names, or the exception that `heard` is or that Ctrl-C raises meanwhile, with these
/// arrays.
pub(crate) fn columns<'py>(
    py: Python<'py>,
    values: &[CubeValues],
    heard: PyResult<()>,
) -> PyResult<Bound<'py, PyDict>> {
    let column = |of: fn(&CubeValues) -> f64| {
        let values = values.iter().map(of);
        values.collect::<Vec<f64>>().into_pyarray(py)
    };
    let result = PyDict::new(py);
    result.set_item("no_double", column(|values| values.no_double))?;
    result.set_item("double_take", column(|values| values.double_take))?;
    result.set_item("double_pass", column(|values| values.double_pass))?;
    result.set_item("cubeless", column(|values| values.cubeless))?;
    // NumPy takes a third of a second to make an array of a million texts of Python, and a hundredth to pick them from
    // an array of a few.
    let mut texts: Vec<&str> = Vec::new();
    let indices = values.iter().map(|values| {
        let text = values.action.text();
        let index = texts.iter().position(|known| *known == text);
        index.unwrap_or_else(|| {
            texts.push(text);
            texts.len() - 1
        }) as isize
    });
    let indices = indices.collect::<Vec<isize>>().into_pyarray(py);
    let texts = py.import("numpy")?.call_method1("array", (texts, "str"))?;
    result.set_item("action", texts.call_method1("take", (indices,))?)?;
    unless_raised(py, heard.and_then(|()| py.check_signals()), result)
}
