//! Functions of Python that workers call.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pyo3::exceptions::{PyException, PyTypeError};
use pyo3::prelude::*;
use tavli::named;
use tavli::run::Cancel;
use tavli::text::is_printable;

use crate::ending;
use crate::errors::bad_setting;

/// A Python function for a series of games, which its first exception ends.
#[derive(Debug)]
pub(crate) struct Callback {
    function: Py<PyAny>,
    name: String,
    /// Its first exception. The function is not called again until this is raised.
    raised: Mutex<Option<PyErr>>,
    /// The switch that ends the games.
    cancel: Mutex<Option<Cancel>>,
}

/// A policy or an evaluator that was made in Python: found by its name, or a function.
#[derive(Clone, Debug)]
pub(crate) enum NamedOrFunction<N> {
    Named(N),
    Function(Arc<Callback>),
}

impl<N: Clone> NamedOrFunction<N> {
    /// The same for a series of games of its own: an exception of a function ends those games only.
    pub(crate) fn for_games(&self, py: Python<'_>) -> NamedOrFunction<N> {
        match self {
            NamedOrFunction::Named(named) => NamedOrFunction::Named(named.clone()),
            NamedOrFunction::Function(function) => NamedOrFunction::Function(function.anew(py)),
        }
    }

    /// The function; `None` if it is found by its name.
    pub(crate) fn function(&self) -> Option<&Arc<Callback>> {
        match self {
            NamedOrFunction::Named(_) => None,
            NamedOrFunction::Function(function) => Some(function),
        }
    }

    /// Lets an exception of the function end games.
    pub(crate) fn end_by(&self, cancel: &Cancel) {
        if let Some(function) = self.function() {
            function.end_by(cancel);
        }
    }

    /// Raises the exception of the function, if there is one.
    pub(crate) fn raised(&self) -> PyResult<()> {
        self.function().map_or(Ok(()), |function| function.raised())
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Callback {
    /// The function, under `name` or its own name; `what` begins the error if it cannot be called.
    ///
    /// A SettingsError if a player that is found by its name may have the name: results by the function would be
    /// continued, and merged, as that player's.
    pub(crate) fn new(function: &Bound<'_, PyAny>, name: Option<String>, what: &str) -> PyResult<Arc<Callback>> {
        if !function.is_callable() {
            let kind = function.get_type().name()?;
            return Err(PyTypeError::new_err(format!("{what}, not {kind}")));
        }
        let name = match name {
            Some(name) => name,
            None => function
                .getattr("__qualname__")
                .and_then(|name| name.extract())
                .or_else(|_| function.get_type().name()?.extract())?,
        };
        let reason = match name.is_empty() || !is_printable(&name) {
            true => "a name has at least one character, and all of them can be printed",
            false if named::is_taken(&name) => "saved results would be taken for those of the player of this name",
            false => return Ok(Callback::named(function.clone().unbind(), name)),
        };
        Err(bad_setting(format_args!(
            "a function cannot have the name '{name}': {reason}; rename the function, or name its policy, as in \
             tavli.Player(function, name='mine')"
        )))
    }

    fn named(function: Py<PyAny>, name: String) -> Arc<Callback> {
        Arc::new(Callback { function, name, raised: Mutex::new(None), cancel: Mutex::new(None) })
    }

    /// The same function for another series.
    pub(crate) fn anew(&self, py: Python<'_>) -> Arc<Callback> {
        Callback::named(self.function.clone_ref(py), self.name.clone())
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// The function, for a pickle.
    ///
    /// A TypeError if `pickle` holds no such function. It is tried here, since the error of `pickle` itself names
    /// neither the player nor the remedy.
    pub(crate) fn picklable(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let tried = py.import("pickle")?.call_method1("dumps", (&self.function,));
        match tried {
            Ok(_) => Ok(self.function.clone_ref(py)),
            Err(error) if error.is_instance_of::<PyException>(py) => {
                let refused = PyTypeError::new_err(format!(
                    "'{}' cannot be pickled: make it anew in each process, or of a function that stands at the top level \
                     of a module ({})",
                    self.name,
                    error.value(py)
                ));
                refused.set_cause(py, Some(error));
                Err(refused)
            }
            Err(error) => Err(error),
        }
    }

    /// Lets an exception of the function end games.
    pub(crate) fn end_by(&self, cancel: &Cancel) {
        *lock(&self.cancel) = Some(cancel.clone());
    }

    /// Raises the exception of the function, if there is one.
    pub(crate) fn raised(&self) -> PyResult<()> {
        lock(&self.raised).take().map_or(Ok(()), Err)
    }

    /// Calls the function. After an exception the games are ended and not counted, so any answer will do, and the
    /// function is not called again.
    pub(crate) fn call(&self, call: impl FnOnce(Python<'_>, &Bound<'_, PyAny>) -> PyResult<()>) {
        if lock(&self.raised).is_some() {
            return;
        }
        if let Err(error) = ending::attach(|py| call(py, self.function.bind(py))) {
            lock(&self.raised).get_or_insert(error);
            if let Some(cancel) = &*lock(&self.cancel) {
                cancel.cancel();
            }
        }
    }
}
