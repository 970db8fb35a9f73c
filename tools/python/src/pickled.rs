//! The states that pickles hold.

use pyo3::prelude::*;
use pyo3::types::{PyAny, PyTuple};

use crate::errors::RecordError;

/// The version of all states that pickles hold. A change to any of them counts it up.
const VERSION: u32 = 2;

/// The state of an object as its pickle holds it, after the version of the format. Another version is refused.
pub(crate) struct Pickled<T>(pub(crate) T);

/// What `__reduce__` returns: the class method that makes an object of the state, and its argument.
pub(crate) type Reduced<'py, T> = PyResult<(Bound<'py, PyAny>, (Pickled<T>,))>;

/// What `__reduce__` returns for an object that its attributes `names` restore.
pub(crate) fn by_attributes<'py>(object: &Bound<'py, PyAny>, names: &[&str]) -> Reduced<'py, Bound<'py, PyTuple>> {
    let attributes: PyResult<Vec<_>> = names.iter().map(|name| object.getattr(name)).collect();
    let state = PyTuple::new(object.py(), attributes?)?;
    Ok((object.get_type().getattr("_of")?, (Pickled(state),)))
}

/// A class of Python whose attributes are its members, which its pickle holds in their order, and its further methods.
/// A class that is a member of another has the option `from_py_object`.
macro_rules! class_of_members {
    (
        $(#[$about:meta])*
        pub(crate) struct $class:ident $(: $option:ident)? {
            $($(#[$doc:meta])* $visible:vis $member:ident: $type:ty,)*
        }
        $($method:tt)*
    ) => {
        $(#[$about])*
        #[pyo3::pyclass(frozen, get_all, $($option,)? module = "tavli")]
        pub(crate) struct $class {
            $($(#[$doc])* $visible $member: $type,)*
        }

        #[pyo3::pymethods]
        impl $class {
            /// What was pickled.
            #[classmethod]
            fn _of(_: &Bound<'_, pyo3::types::PyType>, state: $crate::pickled::Pickled<($($type,)*)>) -> $class {
                let $crate::pickled::Pickled(($($member,)*)) = state;
                $class { $($member,)* }
            }

            fn __reduce__<'py>(slf: &Bound<'py, $class>) -> $crate::pickled::Reduced<'py, Bound<'py, pyo3::types::PyTuple>> {
                $crate::pickled::by_attributes(slf, &[$(stringify!($member)),*])
            }

            $($method)*
        }
    };
}
pub(crate) use class_of_members;

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
        let (version, state): (u32, Bound<'py, PyAny>) =
            value.extract().map_err(|_| RecordError::new_err("this is not the state of a pickle of tavli"))?;
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
