//! Arrays of whole numbers of any width.

use numpy::ndarray::Dimension;
use numpy::{PyArrayDescrMethods, PyReadonlyArray, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::prelude::*;

/// The array with 64 bits a number; `None` if it does not hold whole numbers or has another number of dimensions.
pub(crate) fn array<'py, D: Dimension>(array: &Bound<'py, PyUntypedArray>) -> Option<PyReadonlyArray<'py, i64, D>> {
    if !matches!(array.dtype().kind(), b'i' | b'u') || too_large(array).is_some() {
        return None;
    }
    let array = array.call_method1("astype", ("int64",)).ok()?;
    array.extract().ok()
}

/// The type of an array's elements and its shape, for errors.
pub(crate) fn describe(array: &Bound<'_, PyUntypedArray>) -> String {
    let shape = array.getattr("shape");
    let shape = shape.map_or_else(|error| error.to_string(), |shape| shape.to_string());
    let number = too_large(array).map_or_else(String::new, |number| format!(" with the number {number}"));
    format!("{} of shape {shape}{number}", array.dtype())
}

/// The largest number of an array, if it does not fit 64 bits with a sign: `astype` would change it.
fn too_large(array: &Bound<'_, PyUntypedArray>) -> Option<u64> {
    if array.dtype().kind() != b'u' || array.is_empty() {
        return None;
    }
    let largest: u64 = array.call_method0("max").and_then(|most| most.extract()).ok()?;
    (largest > i64::MAX as u64).then_some(largest)
}

/// The array that NumPy makes of a value, with 64 bits a number; otherwise the error that `wrong` makes from a
/// description of the value.
pub(crate) fn read<'py, D: Dimension>(
    value: &Bound<'py, PyAny>,
    wrong: impl FnOnce(String) -> PyErr,
) -> PyResult<PyReadonlyArray<'py, i64, D>> {
    let numpy = value.py().import("numpy")?;
    let made = numpy.call_method1("asarray", (value,))?;
    let made = made.cast::<PyUntypedArray>()?;
    array(made).ok_or_else(|| wrong(describe(made)))
}
