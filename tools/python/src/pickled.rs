//! The states that pickles hold.

use pyo3::prelude::*;
use pyo3::types::{PyAny, PyTuple};

use crate::errors::RecordError;

/// The version of all states that pickles hold. A change to any of them counts it up.
const VERSION: u32 = 2;

/// The state of an object as its pickle holds it: behind the version of the format. Another version is refused.
pub(crate) struct Pickled<T>(pub(crate) T);

/// What `__reduce__` returns: the class method that makes an object of the state, and its argument.
pub(crate) type Reduced<'py, T> = PyResult<(Bound<'py, PyAny>, (Pickled<T>,))>;

impl<'py, T: IntoPyObject<'py>> IntoPyObject<'py> for Pickled<T> {
    type Target = PyTuple;
    type Output = Bound<'py, PyTuple>;
    type Error = PyErr;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        (VERSION, self.0).into_pyobject(py)
    }
}

impl<'py, T: for<'a> FromPyObject<'a, 'py, Error: Into<PyErr>>> FromPyObject<'_, 'py> for Pickled<T> {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<Pickled<T>> {
        let (version, state): (u32, Bound<'py, PyAny>) = value
            .extract()
            .map_err(|_| RecordError::new_err("this is not the state of a pickle of tavli"))?;
        if version != VERSION {
            return Err(RecordError::new_err(format!(
                "this pickle has the format {version}, and this version of tavli, {}, reads the format {VERSION}: read \
                 it with the version of tavli that wrote it",
                env!("CARGO_PKG_VERSION")
            )));
        }
        state.extract().map(Pickled).map_err(Into::into)
    }
}
