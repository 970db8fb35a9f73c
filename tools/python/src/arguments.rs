//! Arguments that several functions share, and how their values are read.

use std::fmt::Display;
use std::num::NonZeroU32;
use std::ops::Range;
use std::str::FromStr;
use std::time::Duration;

use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyType};
use tavli::rollout::PlayoutSettings;
use tavli::run::{GameNumbersError, Pinning};
use tavli::text::printable;
use tavli::{FirstRoll, OtherFirstRollError, Roll, RuleSet, Tier};

use crate::errors::{RollError, bad_setting, raise};

/// A roll: two digits as text, or two whole numbers in a sequence or an array.
pub(crate) struct RollArgument(pub(crate) Roll);

impl<'py> FromPyObject<'_, 'py> for RollArgument {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<RollArgument> {
        let roll = if let Ok(text) = value.extract::<&str>() {
            text.parse()
        } else if let Some((a, b)) = two_numbers(&value)? {
            // A number beyond a byte becomes 0, which is as wrong.
            let die = |number: i64| u8::try_from(number).unwrap_or(0);
            match Roll::new(die(a), die(b)) {
                Err(_) => {
                    return Err(RollError::new_err(format!("a die shows 1 to 6: ({a}, {b}) is not a roll")));
                }
                roll => roll,
            }
        } else {
            return Err(PyTypeError::new_err(format!(
                "a roll is two digits as text, such as '31', or two numbers, such as (3, 1), not {}",
                value.get_type().name()?
            )));
        };
        roll.map(RollArgument).map_err(raise(RollError::new_err))
    }
}

/// A whole number. Python counts a bool among them; here it is a mistake.
pub(crate) struct WholeNumber<T>(pub(crate) T);

impl<'a, 'py, T: FromPyObject<'a, 'py, Error = PyErr>> FromPyObject<'a, 'py> for WholeNumber<T> {
    type Error = PyErr;

    fn extract(value: Borrowed<'a, 'py, PyAny>) -> PyResult<WholeNumber<T>> {
        match value.is_instance_of::<PyBool>() {
            true => Err(PyTypeError::new_err(format!("{} is not a whole number", &*value))),
            false => value.extract().map(WholeNumber),
        }
    }
}

/// The two whole numbers of a sequence or an array; `None` of other values.
fn two_numbers(value: &Bound<'_, PyAny>) -> PyResult<Option<(i64, i64)>> {
    static MAPPING: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let Ok(2) = value.len() else { return Ok(None) };
    // A mapping has items, too, and no order. The check runs Python code, in which Ctrl-C may be heard: `PyMapping`'s
    // cast would lose it.
    if value.is_instance(MAPPING.import(value.py(), "collections.abc", "Mapping")?)? {
        return Ok(None);
    }
    let number = |at: usize| {
        let item = value.get_item(at).ok()?;
        item.extract().ok().map(|WholeNumber(number)| number)
    };
    Ok(number(0).zip(number(1)))
}

/// A setting that is written as one of the words of its type.
pub(crate) struct Word<T>(pub(crate) T);

/// A type whose values are words.
pub(crate) trait Words: FromStr<Err: Display> {
    /// The beginning of a message about the argument, such as "pin is".
    const WHAT: &str;

    /// The words, as a message lists them.
    fn known() -> String;
}

/// The words in a list.
fn listed<'a>(words: impl Iterator<Item = &'a str>) -> String {
    words.collect::<Vec<_>>().join(", ")
}

impl Words for RuleSet {
    const WHAT: &str = "rules are";

    fn known() -> String {
        listed(RuleSet::ALL.iter().map(|rules| rules.name()))
    }
}

impl Words for Pinning {
    const WHAT: &str = "pin is";

    fn known() -> String {
        "auto, none, cores, threads, l3, numa, sockets or a list of CPUs such as 0,2-5".to_owned()
    }
}

impl Words for Tier {
    const WHAT: &str = "isa is";

    fn known() -> String {
        listed(Tier::ALL.iter().map(|tier| tier.name()))
    }
}

impl<'py, T: Words> FromPyObject<'_, 'py> for Word<T> {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<Word<T>> {
        word(text(&value, T::WHAT, &T::known())?).map(Word)
    }
}

/// The rules of any game, as text.
pub(crate) struct RulesArgument<'a>(pub(crate) &'a str);

impl<'a> RulesArgument<'a> {
    /// The text of the rules, if there are some.
    pub(crate) fn text(rules: Option<RulesArgument<'a>>) -> Option<&'a str> {
        rules.map(|rules| rules.0)
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for RulesArgument<'a> {
    type Error = PyErr;

    fn extract(value: Borrowed<'a, 'py, PyAny>) -> PyResult<RulesArgument<'a>> {
        let text = value.extract::<&'a str>();
        text.map(RulesArgument).map_err(|_| no_text(&value, RuleSet::WHAT, "the name of rules of the game"))
    }
}

/// Reads a word.
pub(crate) fn word<T>(text: &str) -> PyResult<T>
where
    T: FromStr<Err: Display>,
{
    text.parse().map_err(bad_setting)
}

/// A whole number within bounds; `what` begins the message, such as "trials are".
pub(crate) fn whole(value: &Bound<'_, PyAny>, what: &str, least: u64, most: u64) -> PyResult<u64> {
    let number = match value.extract().map(|WholeNumber(number)| number) {
        Err(error) if error.is_instance_of::<PyTypeError>(value.py()) => {
            let kind = value.get_type().name()?;
            return Err(PyTypeError::new_err(printable(format_args!(
                "{what} a whole number {least} to {most}, an int, not {value} of type {kind}"
            ))));
        }
        Err(error) if !error.is_instance_of::<PyOverflowError>(value.py()) => return Err(error),
        number => number.ok(),
    };
    number
        .filter(|number: &u64| (least..=most).contains(number))
        .ok_or_else(|| bad_setting(format_args!("{what} a whole number {least} to {most}, not {value}")))
}

/// A text; `what` begins the message, and `known` are the texts that there are.
fn text<'a>(value: &'a Bound<'_, PyAny>, what: &str, known: &str) -> PyResult<&'a str> {
    let read = value.extract::<&str>();
    read.map_err(|_| no_text(value, what, known))
}

/// The error of a value that is no text, as of [`text`].
fn no_text(value: &Bound<'_, PyAny>, what: &str, known: &str) -> PyErr {
    let kind = value.get_type().name();
    let kind = kind.map_or_else(|error| error.to_string(), |name| name.to_string());
    PyTypeError::new_err(printable(format_args!("{what} a text, {known}, not {value} of type {kind}")))
}

/// The seed of the random streams. None, which elsewhere means any seed, is refused: a call has the same games each
/// time.
#[derive(Clone, Copy)]
pub(crate) struct Seed(pub(crate) u64);

impl Seed {
    pub(crate) const DEFAULT: Seed = Seed(1);
}

impl<'py> FromPyObject<'_, 'py> for Seed {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<Seed> {
        whole(&value, "a seed is", 0, u64::MAX).map(Seed)
    }
}

/// The plies after which games are cut off.
pub(crate) fn truncation(value: Option<&Bound<'_, PyAny>>) -> PyResult<Option<NonZeroU32>> {
    let plies = value.map(|value| whole(value, "plies are", 1, u32::MAX.into())).transpose()?;
    Ok(plies.and_then(|plies| NonZeroU32::new(plies as u32)))
}

pub(crate) fn seconds(value: f64) -> PyResult<Duration> {
    tavli::run::seconds(value).map_err(bad_setting)
}

/// How games begin: as asked, or with the dice of their positions, or else with any roll.
fn first_roll(asked: Option<&Bound<'_, PyAny>>, dice: Option<Roll>) -> PyResult<FirstRoll> {
    let read = |asked: &Bound<'_, PyAny>| {
        let read = text(asked, "first_roll is", "any, open, stratified or a roll such as 31")?.parse::<FirstRoll>();
        read.map_err(|error| bad_setting(format_args!("{error}, or any, open or stratified")))
    };
    let asked = asked.map(read).transpose()?;
    FirstRoll::from_position(dice, asked).map_err(|OtherFirstRollError { dice, given, .. }| {
        bad_setting(format_args!(
            "the position has the roll {dice}, and first_roll is '{given}': leave first_roll out, or give the position \
             without dice, such as Position(position.position_id)"
        ))
    })
}

/// The settings of games from positions with these dice.
pub(crate) fn settings(
    seed: Seed,
    rules: RuleSet,
    first_roll: Option<&Bound<'_, PyAny>>,
    dice: Option<Roll>,
    truncate: Option<&Bound<'_, PyAny>>,
) -> PyResult<PlayoutSettings> {
    Ok(PlayoutSettings {
        rules,
        seed: seed.0,
        first_roll: self::first_roll(first_roll, dice)?,
        truncation: truncation(truncate)?,
    })
}

/// The numbers of games side by side, from `first` on, or from 0.
pub(crate) fn numbers(first: Option<&Bound<'_, PyAny>>, games: u64) -> PyResult<Range<u64>> {
    GameNumbersError::numbers(first_game(first)?, games).map_err(bad_setting)
}

/// The number of the first game.
pub(crate) fn first_game(value: Option<&Bound<'_, PyAny>>) -> PyResult<u64> {
    value.map_or(Ok(0), |game| whole(game, "the number of a game is", 0, u64::MAX - 1))
}
