//! Warnings, which are shown at the line of the caller.

use std::ffi::CString;
use std::fmt::Display;

use pyo3::PyTypeInfo;
use pyo3::prelude::*;

use tavli::text::printable;

/// Issues a warning of a category.
///
/// # Errors
/// The warning, if Python's filters turn it into an exception.
pub(crate) fn warn<W: PyTypeInfo>(py: Python<'_>, message: impl Display) -> PyResult<()> {
    let message = CString::new(printable(message)).expect("control characters are escaped");
    // Called without Python code, there is no frame to skip.
    let level = stack_level(py).unwrap_or(1);
    PyErr::warn(py, &py.get_type::<W>(), &message, level)
}

/// The level of the caller: this package's own Python code has lines that say nothing to the user.
fn stack_level(py: Python<'_>) -> PyResult<i32> {
    let mut frame = py.import("sys")?.call_method0("_getframe")?;
    let mut level = 1;
    while is_of_package(&frame)? {
        frame = frame.getattr("f_back")?;
        level += 1;
    }
    Ok(level)
}

/// Whether a frame runs a module of this package.
fn is_of_package(frame: &Bound<'_, PyAny>) -> PyResult<bool> {
    if frame.is_none() {
        return Ok(false);
    }
    let module = frame.getattr("f_globals")?.call_method1("get", ("__name__", ""))?;
    let module: String = module.extract()?;
    Ok(module == "tavli" || module.starts_with("tavli."))
}
