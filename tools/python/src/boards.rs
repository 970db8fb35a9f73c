//! Positions of an array or a sequence.

use std::fmt::Display;

use numpy::ndarray::ArrayView2;
use numpy::{PyArrayDescrMethods, PyReadonlyArray2, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use tavli::{Board, PlayoutError, PointsError, Position, Roll, RuleSet};

use crate::errors::{PositionError, bad_setting};
use crate::integers;
use crate::position::AnyPosition;

/// The positions of an array of whole numbers of shape (n, 26), or of a sequence of positions in any of their forms,
/// whose dice are passed over.
pub(crate) fn read(positions: &Bound<'_, PyAny>) -> PyResult<Vec<Board>> {
    Ok(read_rows(positions)?.into_iter().map(|(board, _)| board).collect())
}

/// The same positions, and the dice that all of them have.
pub(crate) fn with_dice(positions: &Bound<'_, PyAny>) -> PyResult<(Vec<Board>, Option<Roll>)> {
    let rows = read_rows(positions)?;
    let dice = rows.first().and_then(|&(_, dice)| dice);
    if let Some(row) = rows.iter().position(|&(_, other)| other != dice) {
        let text = |dice: Option<Roll>| dice.map_or_else(|| "no dice".to_owned(), |dice| format!("the dice {dice}"));
        let message = format!(
            "{}, and row 0 {}: all games of a call begin with the same dice; call for each roll, or give positions \
             without dice, such as Position(position.position_id)",
            text(rows[row].1),
            text(dice)
        );
        return Err(of_row(row, message));
    }
    Ok((rows.into_iter().map(|(board, _)| board).collect(), dice))
}

/// The positions with the dice of each.
fn read_rows(positions: &Bound<'_, PyAny>) -> PyResult<Vec<(Board, Option<Roll>)>> {
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
    if positions.extract::<&str>().is_ok() {
        return Err(no_positions(&kind()));
    }
    let items = positions.try_iter().map_err(|_| no_positions(&kind()))?;
    let boards = items.enumerate().map(|(row, item)| {
        let position = item?.extract::<AnyPosition>();
        let position = position.map_err(|error| in_row(positions.py(), row, error))?;
        Ok((*position.0.board(), position.0.roll()))
    });
    boards.collect()
}

/// The positions of a sequence in any of their forms, with the cubes and scores that they name.
pub(crate) fn with_contexts(positions: &Bound<'_, PyAny>) -> PyResult<Vec<Position>> {
    if positions.extract::<&str>().is_ok() {
        return Err(no_positions("str"));
    }
    let items = positions.try_iter()?.enumerate().map(|(row, item)| {
        let position = item?.extract::<AnyPosition>();
        position.map_or_else(
            |error| Err(in_row(positions.py(), row, error)),
            |position| Ok(position.0),
        )
    });
    items.collect()
}

/// Checks that no row has more checkers than the rules.
pub(crate) fn check_checkers(boards: &[Board], rules: RuleSet) -> PyResult<()> {
    for (row, board) in boards.iter().enumerate() {
        PlayoutError::check_checkers(board, rules).map_err(|error| of_row(row, error))?;
    }
    Ok(())
}

/// An error in a row.
pub(crate) fn of_row(row: usize, error: impl Display) -> PyErr {
    PositionError::new_err(format!("row {row}: {error}"))
}

/// The positions of the rows of an array, which has no dice.
fn rows<T: Copy + Into<i64>>(array: ArrayView2<'_, T>) -> PyResult<Vec<(Board, Option<Roll>)>> {
    let shape = array.dim();
    if shape.1 != 26 {
        return Err(bad_setting(format_args!(
            "positions are an array of shape (n, 26), not {shape:?}"
        )));
    }
    let rows = array.rows().into_iter().enumerate();
    rows.map(|(row, numbers)| {
        let mut points = [0; 26];
        for (index, (point, &number)) in points.iter_mut().zip(numbers).enumerate() {
            let number: i64 = number.into();
            *point = i8::try_from(number).map_err(|_| {
                let text = number.to_string();
                of_row(row, PointsError::Number { index, text })
            })?;
        }
        let board = Board::from_points(&points).map_err(|error| of_row(row, error))?;
        Ok((board, None))
    })
    .collect()
}

fn no_positions(found: &str) -> PyErr {
    PyTypeError::new_err(format!(
        "positions are an array of integers of shape (n, 26), such as numpy.stack([position.points]), or a sequence of \
         positions, not {found}"
    ))
}

/// An error with the number of the row that it is about.
fn in_row(py: Python<'_>, row: usize, error: PyErr) -> PyErr {
    if error.is_instance_of::<PositionError>(py) {
        of_row(row, error.value(py))
    } else {
        error
    }
}
