//! Evaluators of positions: built-in ones, and functions on arrays.

use std::sync::Arc;

use numpy::PyReadonlyArray2;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use tavli::evaluators::{EvaluationConditions, Evaluator, Probabilities};
use tavli::{Outcome, Planes, Stopped};

use crate::callback::{Callback, NamedOrFunction};
use crate::errors::bad_setting;
use crate::named;
use crate::rows;

/// An evaluator that was made in Python.
pub(crate) type EvaluatorArgument = NamedOrFunction<Arc<dyn Evaluator>>;

impl EvaluatorArgument {
    pub(crate) fn evaluator(&self) -> Arc<dyn Evaluator> {
        match self {
            EvaluatorArgument::Named(evaluator) => Arc::clone(evaluator),
            EvaluatorArgument::Function(function) => Arc::new(Function(Arc::clone(function))),
        }
    }
}

impl<'py> FromPyObject<'_, 'py> for EvaluatorArgument {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<EvaluatorArgument> {
        if let Ok(name) = value.extract::<&str>() {
            return named::evaluator(value.py(), name).map(EvaluatorArgument::Named);
        }
        let what = "an evaluator is the name of one, such as 'sampled:36', or a function of an array";
        Callback::new(&value.to_owned(), None, what).map(EvaluatorArgument::Function)
    }
}

/// A Python function as an evaluator.
#[derive(Debug)]
struct Function(Arc<Callback>);

impl Evaluator for Function {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn estimate(
        &self,
        _: &EvaluationConditions<'_>,
        positions: &[Planes],
        values: &mut [Probabilities],
    ) -> Result<(), Stopped> {
        self.0.call(|py, function| {
            let points: Vec<_> = Planes::rows(positions).collect();
            let found = function.call1((rows::into_array(py, points)?,))?;
            let found = py.import("numpy")?.call_method1("asarray", (found, "float64"))?;
            let shape = (positions.len(), Outcome::COUNT);
            let wrong = |found: &dyn std::fmt::Display| {
                PyTypeError::new_err(format!(
                    "evaluator '{}' has to return an array of shape {shape:?}, not {found}",
                    self.name()
                ))
            };
            let array: PyReadonlyArray2<'_, f64> = found.extract().map_err(|_| wrong(&found))?;
            let array = array.as_array();
            if array.dim() != shape {
                return Err(wrong(&format_args!("{:?}", array.dim())));
            }
            for (row, (value, numbers)) in values.iter_mut().zip(array.rows()).enumerate() {
                let numbers = std::array::from_fn(|outcome| numbers[outcome]);
                *value = Probabilities::new(numbers)
                    .map_err(|error| bad_setting(format_args!("evaluator '{}', row {row}: {error}", self.name())))?;
            }
            Ok(())
        });
        Ok(())
    }
}
