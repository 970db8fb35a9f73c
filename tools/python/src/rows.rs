//! Rows of an array, such as positions of 26 numbers.

use numpy::{Element, IntoPyArray, PyArray2, PyArrayMethods};
use pyo3::prelude::*;

/// An array whose rows are these, without copying them.
pub(crate) fn into_array<T: Element + Copy, const N: usize>(
    py: Python<'_>,
    rows: Vec<[T; N]>,
) -> PyResult<Bound<'_, PyArray2<T>>> {
    let number = rows.len();
    rows.into_flattened().into_pyarray(py).reshape([number, N])
}
