//! Positions as the rows of arrays.

use numpy::{
    Element, IntoPyArray, PyArray2, PyArrayMethods, PyReadonlyArray2, PyUntypedArray,
    PyUntypedArrayMethods,
};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use tavli::Board;

use crate::errors::{PositionError, bad_setting};

/// An array whose rows are these, without copying them.
pub(crate) fn into_array<T: Element + Copy, const N: usize>(
    py: Python<'_>,
    rows: Vec<[T; N]>,
) -> PyResult<Bound<'_, PyArray2<T>>> {
    let number = rows.len();
    rows.into_flattened().into_pyarray(py).reshape([number, N])
}

/// A two-dimensional array that was passed as `name`.
pub(crate) fn read<'py, T: Element>(
    array: &Bound<'py, PyAny>,
    name: &str,
) -> PyResult<PyReadonlyArray2<'py, T>> {
    if let Ok(array) = array.extract::<PyReadonlyArray2<'py, T>>() {
        return Ok(array);
    }
    let found = match array.cast::<PyUntypedArray>() {
        Ok(array) => format!("{} dimensions of {}", array.ndim(), array.dtype()),
        Err(_) => array.get_type().name()?.to_string(),
    };
    let wanted = T::get_dtype(array.py());
    Err(PyTypeError::new_err(format!(
        "{name} are an {wanted} array of two dimensions, not {found}"
    )))
}

/// The position of a row.
pub(crate) fn board(numbers: impl ExactSizeIterator<Item = i8>) -> Result<Board, String> {
    let found = numbers.len();
    let numbers: Vec<i8> = numbers.collect();
    let Ok(points) = <[i8; 26]>::try_from(numbers) else {
        return Err(format!("a position is 26 numbers, not {found}"));
    };
    Board::from_points(&points).map_err(|error| error.to_string())
}

/// The positions of an array of shape (n, 26).
pub(crate) fn boards(array: &PyReadonlyArray2<'_, i8>) -> PyResult<Vec<Board>> {
    let array = array.as_array();
    if array.ncols() != 26 {
        return Err(bad_setting(format_args!(
            "positions are an array of shape (n, 26), not {:?}",
            array.dim()
        )));
    }
    let boards = array.rows().into_iter().enumerate().map(|(row, numbers)| {
        board(numbers.iter().copied())
            .map_err(|error| PositionError::new_err(format!("row {row}: {error}")))
    });
    boards.collect()
}
