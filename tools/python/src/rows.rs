//! Rows of an array, such as positions of 26 numbers, and columns, such as a number of each game.

use numpy::{Element, IntoPyArray, PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;

use crate::interrupt;

/// An array with the given rows, without copying them.
pub(crate) fn into_array<T: Element + Copy, const N: usize>(
    py: Python<'_>,
    rows: Vec<[T; N]>,
) -> PyResult<Bound<'_, PyArray2<T>>> {
    let number = rows.len();
    rows.into_flattened().into_pyarray(py).reshape([number, N])
}

/// An array with a row for each game.
pub(crate) fn array<T: Element + Copy, const N: usize>(
    py: Python<'_>,
    rows: impl ExactSizeIterator<Item = [T; N]>,
) -> PyResult<Bound<'_, PyArray2<T>>> {
    into_array(py, interrupt::gather(rows)?)
}

/// An array with a value for each game.
pub(crate) fn column<T: Element>(
    py: Python<'_>,
    values: impl ExactSizeIterator<Item = T>,
) -> PyResult<Py<PyArray1<T>>> {
    Ok(interrupt::gather(values)?.into_pyarray(py).unbind())
}
