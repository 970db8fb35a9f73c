//! Decisions as arrays: the dice, and the picked plays.

use numpy::{PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use tavli::Roll;

use crate::errors::{PlayError, RollError, bad_setting};
use crate::integers;
use crate::interrupt;

/// The two dice, the larger first.
pub(crate) fn dice(roll: &Roll) -> [u8; 2] {
    [roll.high(), roll.low()]
}

/// The picks of an array of whole numbers, one for each of `number` games.
pub(crate) fn read_picks(picks: &Bound<'_, PyAny>, number: usize) -> PyResult<Vec<u32>> {
    let array: PyReadonlyArray1<'_, i64> = match picks.extract() {
        Ok(array) => array,
        Err(_) => integers::read(picks, |found| {
            PyTypeError::new_err(format!("picks are an array of whole numbers of shape ({number},), not {found}"))
        })?,
    };
    let array = array.as_array();
    if array.len() != number {
        return Err(bad_setting(format_args!("{number} games need {number} picks, not {}", array.len())));
    }
    interrupt::collect(array, |game, &pick| {
        u32::try_from(pick)
            .map_err(|_| PlayError::new_err(format!("game {game} has no play {pick}: plays are numbered from 0")))
    })
}

/// The rolls of an array of whole numbers, one for each of `number` positions.
pub(crate) fn read_rolls(rolls: &Bound<'_, PyAny>, number: usize) -> PyResult<Vec<Roll>> {
    let array: PyReadonlyArray2<'_, i64> = integers::read(rolls, |found| {
        PyTypeError::new_err(format!("rolls are an array of whole numbers of shape ({number}, 2), not {found}"))
    })?;
    let array = array.as_array();
    if array.dim() != (number, 2) {
        return Err(bad_setting(format_args!(
            "{number} positions need rolls of shape ({number}, 2), not {:?}",
            array.dim()
        )));
    }
    interrupt::collect(array.rows(), |row, dice| {
        // A number beyond a byte becomes 0, which is as wrong.
        let die = |at: usize| u8::try_from(dice[at]).unwrap_or(0);
        Roll::new(die(0), die(1)).map_err(|_| {
            RollError::new_err(format!("row {row}: a die shows 1 to 6: ({}, {}) is not a roll", dice[0], dice[1]))
        })
    })
}
