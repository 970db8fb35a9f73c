//! A play of a roll.

use pyo3::prelude::*;
use pyo3::types::PyType;

use super::Position;
use crate::pickled::{Pickled, Reduced};

/// A play: one of the distinct positions that a roll can lead to.
#[pyclass(frozen, eq, hash, get_all, module = "tavli")]
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Play {
    /// The play in notation, such as "8/5 6/5" or "bar/20*", or "cannot move".
    pub(crate) moves: String,
    /// The position after it, seen by the player next on roll, whose dice are not rolled; in a money game, since a play
    /// moves checkers only. After a play that wins, the opponent has none left.
    pub(crate) position: Position,
}

#[pymethods]
impl Play {
    /// The play that was pickled.
    #[classmethod]
    fn _of(_class: &Bound<'_, PyType>, state: Pickled<(String, Position)>) -> Play {
        let Pickled((moves, position)) = state;
        Play { moves, position }
    }

    fn __copy__(slf: Py<Play>) -> Py<Play> {
        slf
    }

    fn __deepcopy__(slf: Py<Play>, _memo: &Bound<'_, PyAny>) -> Py<Play> {
        slf
    }

    fn __reduce__<'py>(slf: &Bound<'py, Play>) -> Reduced<'py, (String, Position)> {
        let Play { moves, position } = slf.get().clone();
        let state = Pickled((moves, position));
        Ok((slf.get_type().getattr("_of")?, (state,)))
    }

    fn __repr__(&self) -> String {
        let position = match self.position.inner() {
            Ok(position) => position.position_id().to_string(),
            Err(_) => self.position.__str__(),
        };
        format!("<tavli.Play {}: {position}>", self.moves)
    }
}
