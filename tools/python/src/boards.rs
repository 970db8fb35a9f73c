//! Positions of an array or a sequence.

use std::fmt::Display;

use numpy::ndarray::ArrayView2;
use numpy::{PyArrayDescrMethods, PyReadonlyArray2, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyString;
use tavli::evaluation::RolledError;
use tavli::{Board, PlayoutError, PointsError, Position, Roll, RuleSet};

use crate::errors::{PositionError, bad_setting};
use crate::integers;
use crate::interrupt;
use crate::position::AnyPosition;

/// The positions of many rows, and their dice.
struct Rows {
    boards: Vec<Board>,
    /// The dice of row 0.
    dice: Option<Roll>,
    /// The first row with other dice, and its dice.
    other: Option<(usize, Option<Roll>)>,
}

/// The positions of an array of whole numbers of shape (n, 26), or of a sequence of positions in any of their forms,
/// whose dice are passed over.
pub(crate) fn read(positions: &Bound<'_, PyAny>) -> PyResult<Vec<Board>> {
    Ok(read_rows(positions)?.boards)
}

/// The positions as by [`read`], and the dice that all of them share.
pub(crate) fn with_dice(positions: &Bound<'_, PyAny>) -> PyResult<(Vec<Board>, Option<Roll>)> {
    let Rows { boards, dice, other } = read_rows(positions)?;
    let Some((row, other)) = other else {
        return Ok((boards, dice));
    };
    let text = |dice: Option<Roll>| dice.map_or_else(|| "no dice".to_owned(), |dice| format!("the dice {dice}"));
    let message = format!(
        "{}, and row 0 {}: all games of a call begin with the same dice; call for each roll, or give positions without \
         dice, such as Position(position.position_id)",
        text(other),
        text(dice)
    );
    Err(row_error(row, message))
}

/// The positions with their dice.
fn read_rows(positions: &Bound<'_, PyAny>) -> PyResult<Rows> {
    if let Ok(array) = positions.extract::<PyReadonlyArray2<'_, i8>>() {
        return rows(array.as_array());
    }
    if let Ok(array) = positions.cast::<PyUntypedArray>()
        && array.dtype().kind() != b'O'
    {
        let array: PyReadonlyArray2<'_, i64> =
            integers::array(array).ok_or_else(|| no_positions(&integers::describe(array)))?;
        return rows(array.as_array());
    }
    let kind = || {
        let name = positions.get_type().name();
        name.map_or_else(|error| error.to_string(), |name| name.to_string())
    };
    if positions.is_instance_of::<PyString>() {
        return Err(no_positions(&kind()));
    }
    let items = positions.try_iter().map_err(|_| no_positions(&kind()))?;
    let (mut dice, mut other) = (None, None);
    let boards = interrupt::collect(items, |row, item| {
        let position = item?.extract::<AnyPosition>();
        let position = position.map_err(|error| in_row(positions.py(), row, error))?.0;
        match position.roll() {
            roll if row == 0 => dice = roll,
            roll if roll != dice && other.is_none() => other = Some((row, roll)),
            _ => {}
        }
        Ok(*position.board())
    })?;
    Ok(Rows { boards, dice, other })
}

/// The positions of a sequence in any of their forms, with the cubes and scores that they name. One with dice is
/// refused.
pub(crate) fn with_contexts(positions: &Bound<'_, PyAny>) -> PyResult<Vec<Position>> {
    if positions.is_instance_of::<PyString>() {
        return Err(no_positions("str"));
    }
    interrupt::collect(positions.try_iter()?, |row, item| {
        let position = item?.extract::<AnyPosition>();
        let position = position.map_err(|error| in_row(positions.py(), row, error))?.0;
        RolledError::check(&position).map_err(|error| row_error(row, error))?;
        Ok(position)
    })
}

/// Checks that no row has more checkers than the rules.
pub(crate) fn check_checkers(boards: &[Board], rules: RuleSet) -> PyResult<()> {
    interrupt::for_each(boards, |row, board| {
        PlayoutError::check_checkers(board, rules).map_err(|error| row_error(row, error))
    })
}

pub(crate) fn row_error(row: usize, error: impl Display) -> PyErr {
    PositionError::new_err(format!("row {row}: {error}"))
}

/// The positions of the rows of an array, which has no dice.
fn rows<T: Copy + Into<i64>>(array: ArrayView2<'_, T>) -> PyResult<Rows> {
    let shape = array.dim();
    if shape.1 != 26 {
        return Err(bad_setting(format_args!("positions are an array of shape (n, 26), not {shape:?}")));
    }
    let boards = interrupt::collect(array.rows(), |row, numbers| {
        let mut points = [0; 26];
        for (index, (point, &number)) in points.iter_mut().zip(numbers).enumerate() {
            let number: i64 = number.into();
            *point = i8::try_from(number).map_err(|_| {
                let text = number.to_string();
                row_error(row, PointsError::Number { index, text })
            })?;
        }
        Board::from_points(&points).map_err(|error| row_error(row, error))
    })?;
    Ok(Rows { boards, dice: None, other: None })
}

fn no_positions(found: &str) -> PyErr {
    PyTypeError::new_err(format!(
        "positions are an array of integers of shape (n, 26), such as numpy.stack([position.points]), or a sequence of \
         positions, not {found}"
    ))
}

/// An error, with the number of its row.
fn in_row(py: Python<'_>, row: usize, error: PyErr) -> PyErr {
    if error.is_instance_of::<PositionError>(py) { row_error(row, error.value(py)) } else { error }
}
