//! Positions as callers write them.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use tavli::{Board, PointsError};

use super::{Play, Position};
use crate::errors::{PositionError, raise};

/// A position in any of its forms: a `Position`, a `Play` for the position after it, text in any format, or 26 numbers.
pub(crate) struct AnyPosition(pub(crate) tavli::Position);

impl<'py> FromPyObject<'_, 'py> for AnyPosition {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<AnyPosition> {
        if let Ok(position) = value.cast::<Position>() {
            return position.get().inner().copied().map(AnyPosition);
        }
        if let Ok(play) = value.cast::<Play>() {
            return play.get().position.inner().copied().map(AnyPosition);
        }
        if let Ok(text) = value.extract::<&str>() {
            return text.parse().map(AnyPosition).map_err(raise(PositionError::new_err));
        }
        let Ok(numbers) = value.try_iter() else {
            return Err(PyTypeError::new_err(format!(
                "a position is a tavli.Position, text in any format, or 26 numbers, not {}",
                value.get_type().name()?
            )));
        };
        let numbers = numbers.collect::<PyResult<Vec<_>>>()?;
        board_of(&numbers).map(|board| AnyPosition(board.into()))
    }
}

/// The position of 26 Python numbers.
fn board_of(numbers: &[Bound<'_, PyAny>]) -> PyResult<Board> {
    let wrong = raise(PositionError::new_err);
    let mut points = [0; 26];
    if numbers.len() != points.len() {
        let found = numbers.len();
        return Err(wrong(PointsError::Count { found }));
    }
    for (index, (point, number)) in points.iter_mut().zip(numbers).enumerate() {
        *point = match number.extract::<i8>() {
            Ok(number) => number,
            Err(_) => {
                let text = number.to_string();
                return Err(wrong(PointsError::Number { index, text }));
            }
        };
    }
    Board::from_points(&points).map_err(wrong)
}
