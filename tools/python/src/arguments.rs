//! Arguments that several functions share, and how their values are read.

use std::env;
use std::fmt::Display;
use std::num::{NonZeroU32, NonZeroUsize};
use std::str::FromStr;
use std::time::Duration;

use pyo3::exceptions::{PyOverflowError, PyRuntimeError, PyTypeError};
use pyo3::prelude::*;
use tavli::run::{Cpus, Placement, Workers};
use tavli::{Board, PointsError, Roll, Tier};

use crate::errors::{PositionError, RollError, bad_setting, raise};
use crate::position::Position;

/// A position in any of its forms: a `Position`, text in any format, or 26 numbers.
pub(crate) struct AnyPosition(pub(crate) tavli::Position);

impl<'py> FromPyObject<'_, 'py> for AnyPosition {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<AnyPosition> {
        if let Ok(position) = value.cast::<Position>() {
            return Ok(AnyPosition(*position.get().inner()));
        }
        if let Ok(text) = value.extract::<&str>() {
            return text
                .parse()
                .map(AnyPosition)
                .map_err(raise(PositionError::new_err));
        }
        let Ok(numbers) = value.try_iter() else {
            return Err(PyTypeError::new_err(format!(
                "a position is a tavli.Position, text in any format, or 26 numbers, not {}",
                value.get_type().name()?
            )));
        };
        let numbers = numbers.collect::<PyResult<Vec<_>>>()?;
        board_of(&numbers).map(|board| AnyPosition(board.into()))
    }
}

/// The position of 26 Python numbers.
fn board_of(numbers: &[Bound<'_, PyAny>]) -> PyResult<Board> {
    let wrong = raise(PositionError::new_err);
    let mut points = [0; 26];
    if numbers.len() != points.len() {
        let found = numbers.len();
        return Err(wrong(PointsError::Count { found }));
    }
    for (index, (point, number)) in points.iter_mut().zip(numbers).enumerate() {
        *point = match number.extract::<i8>() {
            Ok(number) => number,
            Err(_) => {
                let text = number.to_string();
                return Err(wrong(PointsError::Number { index, text }));
            }
        };
    }
    Board::from_points(&points).map_err(wrong)
}

/// A roll: two digits as text, or two numbers.
pub(crate) struct AnyRoll(pub(crate) Roll);

impl<'py> FromPyObject<'_, 'py> for AnyRoll {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<AnyRoll> {
        let roll = if let Ok(text) = value.extract::<&str>() {
            text.parse()
        } else if let Ok((a, b)) = value.extract::<(i64, i64)>() {
            // A number beyond a byte is as wrong as 0.
            let die = |number: i64| u8::try_from(number).unwrap_or(0);
            match Roll::new(die(a), die(b)) {
                Err(_) => {
                    return Err(RollError::new_err(format!(
                        "a die shows 1 to 6: ({a}, {b}) is no roll"
                    )));
                }
                roll => roll,
            }
        } else {
            return Err(PyTypeError::new_err(format!(
                "a roll is two digits as text, such as '31', or two numbers, such as (3, 1), not {}",
                value.get_type().name()?
            )));
        };
        roll.map(AnyRoll).map_err(raise(RollError::new_err))
    }
}

/// A setting that is written as a word.
pub(crate) fn word<T>(text: &str) -> PyResult<T>
where
    T: FromStr<Err: Display>,
{
    text.parse().map_err(bad_setting)
}

/// A whole number within bounds; `what` begins the message, such as "trials are".
pub(crate) fn whole(value: &Bound<'_, PyAny>, what: &str, least: u64, most: u64) -> PyResult<u64> {
    let number = match value.extract::<u64>() {
        Err(error) if !error.is_instance_of::<PyOverflowError>(value.py()) => return Err(error),
        number => number.ok(),
    };
    number
        .filter(|number| (least..=most).contains(number))
        .ok_or_else(|| {
            bad_setting(format_args!(
                "{what} a whole number {least} to {most}, not {value}"
            ))
        })
}

/// A seed.
pub(crate) fn seed(value: Option<&Bound<'_, PyAny>>) -> PyResult<u64> {
    value.map_or(Ok(1), |value| whole(value, "a seed is", 0, u64::MAX))
}

/// A number of plies.
pub(crate) fn plies(value: Option<&Bound<'_, PyAny>>) -> PyResult<Option<NonZeroU32>> {
    let plies = value
        .map(|value| whole(value, "plies are", 1, u32::MAX.into()))
        .transpose()?;
    Ok(plies.and_then(|plies| NonZeroU32::new(plies as u32)))
}

/// A time.
pub(crate) fn seconds(value: f64) -> PyResult<Duration> {
    let time = Duration::try_from_secs_f64(value)
        .ok()
        .filter(|time| !time.is_zero());
    time.ok_or_else(|| bad_setting(format_args!("seconds are a number above 0, not {value}")))
}

/// An instruction-set tier.
pub(crate) fn tier(name: Option<&str>) -> PyResult<Tier> {
    let forced = env::var("TAVLI_ISA").ok();
    match name.or(forced.as_deref()) {
        Some(name) => word(name),
        None => Ok(Tier::best()),
    }
}

/// Where and how games are played.
pub(crate) struct Machine {
    placement: Placement,
    pub(crate) tier: Tier,
}

impl Machine {
    pub(crate) fn new(
        threads: Option<&Bound<'_, PyAny>>,
        pin: &str,
        isa: Option<&str>,
    ) -> PyResult<Machine> {
        let most = Placement::MOST as u64;
        let threads = threads
            .map(|threads| whole(threads, "threads are", 1, most))
            .transpose()?;
        let threads = threads.and_then(|threads| NonZeroUsize::new(threads as usize));
        let placement =
            Placement::new(&Cpus::allowed(), word(pin)?, threads).map_err(bad_setting)?;
        Ok(Machine {
            placement,
            tier: tier(isa)?,
        })
    }

    pub(crate) fn start(&self) -> PyResult<Workers> {
        Workers::start(&self.placement).map_err(raise(PyRuntimeError::new_err))
    }
}
