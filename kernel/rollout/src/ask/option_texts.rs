//! The options of a rollout as texts.

use core::fmt::{self, Display};
use core::num::NonZeroU32;
use core::str::FromStr;
use std::collections::BTreeMap;
use std::sync::Arc;
use tavli_backgammon::NO_STOP;
use tavli_trials::MAX_TRIALS;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};
use tavli_backgammon::evaluators::Evaluator;
use tavli_backgammon::policies::Policy;
use tavli_players::named::{self, rollout_players};

use crate::ask::error::RolloutError;
use crate::ask::options::{OptionValue, Options};
use crate::ask::request::RequestedPlay;

/// The options of a rollout as texts, under the names of `tavli rollout`, with `_` for `-`. It reads requests in JSON
/// and keyword arguments of other languages. [`OptionTexts::names`] lists the names, including the names that results
/// use.
///
/// In JSON they are an object. A value is a text, a number, `true` or `false`; `plays` is an array of texts, and `null`
/// leaves an option out.
///
/// ```
/// use tavli_rollout::{OptionValue, OptionTexts};
///
/// let texts: OptionTexts = serde_json::from_str(r#"{"roll": "31", "truncate": 7, "stop_se": 0.01, "seed": null}"#)?;
/// let options = texts.options()?;
/// assert_eq!((options.truncation, options.seed), (OptionValue::Set(7.try_into()?), None));
/// assert_eq!(options.end_rules.standard_error, Some(0.01));
///
/// let mut texts = OptionTexts::default();
/// texts.set("truncate", 0);
/// let error = texts.options().expect_err("no plies");
/// assert_eq!(error.to_string(), "truncate: write a whole number from 1 to 4294967295, or none, not 0");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct OptionTexts {
    texts: BTreeMap<String, String>,
    plays: Option<Vec<String>>,
}

/// Options, and the policies that become their players once the rules are known.
#[derive(Default)]
struct Reading {
    options: Options,
    policies: [Option<Arc<dyn Policy>>; 2],
}

/// Reads the text of an option.
type Read = fn(&mut Reading, &str) -> Result<(), String>;

/// The one table of the options: their names, the command's first, and how their texts are read.
#[rustfmt::skip] // a line to an option
const OPTIONS: &[(&[&str], Read)] = &[
    (&["roll"], |to, text| put(&mut to.options.roll, word(text))),
    (&["filter"], |to, text| or_off(&mut to.options.filter, text, "all", margin)),
    (&["rules"], |to, text| word(text).map(|rules| to.options.rules = rules)),
    (&["seed"], |to, text| put(&mut to.options.seed, whole(text, 0, u64::MAX))),
    (&["first_roll"], |to, text| put(&mut to.options.first_roll, word(text))),
    (&["truncate"], |to, text| or_off(&mut to.options.truncation, text, "none", plies)),
    (&["allocate"], |to, text| put(&mut to.options.allocation, word(text))),
    (&["within"], |to, text| put(&mut to.options.within, number(text))),
    (&["trials"], |to, text| put(&mut to.options.end_rules.trials, whole(text, 1, MAX_TRIALS))),
    (&["stop_se", "standard_error"], |to, text| put(&mut to.options.end_rules.standard_error, number(text))),
    (&["stop_jsd", "jsd"], |to, text| put(&mut to.options.end_rules.jsd, number(text))),
    (&["seconds"], |to, text| put(&mut to.options.end_rules.seconds, number(text))),
    (&["shard"], |to, text| put(&mut to.options.shard, word(text))),
    (&["policy"], |to, text| put(&mut to.policies[0], policy(text))),
    (&["policy_opponent", "opponent_policy"], |to, text| put(&mut to.policies[1], policy(text))),
    (&["evaluator"], |to, text| or_off(&mut to.options.evaluator, text, "none", evaluator)),
    (&["variance_reduction"], |to, text| flag(text).map(|is_on| to.options.variance_reduction = is_on)),
    (&["luck"], |to, text| put(&mut to.options.luck, evaluator(text))),
];

/// The name of the one option that is a list.
const PLAYS: &str = "plays";

fn put<T>(place: &mut Option<T>, read: Result<T, String>) -> Result<(), String> {
    *place = Some(read?);
    Ok(())
}

fn or_off<T>(
    place: &mut OptionValue<T>,
    text: &str,
    off: &str,
    read: impl Fn(&str) -> Result<T, String>,
) -> Result<(), String> {
    *place = match text == off {
        true => OptionValue::Off,
        false => OptionValue::Set(read(text)?),
    };
    Ok(())
}

fn word<T: FromStr<Err: Display>>(text: &str) -> Result<T, String> {
    text.parse().map_err(|error: T::Err| error.to_string())
}

/// Parses a text; the error says what to write instead.
fn expected<T: FromStr>(text: &str, expected: impl Display) -> Result<T, String> {
    text.parse().map_err(|_| format!("write {expected}, not {text}"))
}

fn whole(text: &str, least: u64, most: u64) -> Result<u64, String> {
    expected(text, format_args!("a whole number from {least} to {most}"))
}

fn plies(text: &str) -> Result<NonZeroU32, String> {
    expected(text, format_args!("a whole number from 1 to {}, or none", u32::MAX))
}

fn number(text: &str) -> Result<f64, String> {
    expected(text, "a number")
}

fn margin(text: &str) -> Result<f64, String> {
    expected(text, "a number, or all")
}

fn flag(text: &str) -> Result<bool, String> {
    expected(text, "true or false")
}

fn policy(text: &str) -> Result<Arc<dyn Policy>, String> {
    named::policy(text).map_err(|error| error.to_string())
}

fn evaluator(text: &str) -> Result<Arc<dyn Evaluator>, String> {
    named::evaluator(text, NO_STOP).map_err(|error| error.to_string())
}

fn wrong_option(option: &str, reason: String) -> RolloutError {
    RolloutError::Option { option: option.to_owned(), reason }
}

/// The row of an option. The error also lists the names in `beside`.
fn entry(name: &str, beside: &[&str]) -> Result<&'static (&'static [&'static str], Read), RolloutError> {
    let row = OPTIONS.iter().find(|(names, _)| names.contains(&name));
    row.ok_or_else(|| {
        let names = [beside, &OptionTexts::names().collect::<Vec<_>>()].concat();
        wrong_option(name, format!("there is no such option; choose from {}", names.join(", ")))
    })
}

impl OptionTexts {
    /// The names of the options.
    pub fn names() -> impl Iterator<Item = &'static str> {
        OPTIONS.iter().flat_map(|(names, _)| *names).copied().chain([PLAYS])
    }

    /// Sets an option by its name. Plays are a list, which [`Options::plays`] takes.
    pub fn set(&mut self, name: &str, value: impl Display) {
        self.texts.insert(name.to_owned(), value.to_string());
    }

    /// The text of an option, if it is set.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.texts.get(name).map(String::as_str)
    }

    /// The names of the options that are set.
    pub fn names_set(&self) -> impl Iterator<Item = &str> {
        let plays = self.plays.as_ref().map(|_| PLAYS);
        self.texts.keys().map(String::as_str).chain(plays)
    }

    /// Takes the text of an option out: the caller reads it itself.
    pub fn take(&mut self, name: &str) -> Option<String> {
        self.texts.remove(name)
    }

    /// Takes the texts of the plays out.
    pub fn take_plays(&mut self) -> Option<Vec<String>> {
        self.plays.take()
    }

    /// Sets the texts of the plays.
    pub fn set_plays(&mut self, plays: Vec<String>) {
        self.plays = Some(plays);
    }

    /// Checks that each name is the name of an option.
    ///
    /// # Errors
    /// [`RolloutError::Option`] has the first unknown name. It lists the names of the options and the names in
    /// `beside`, which the caller reads itself.
    pub fn check_names(&self, beside: &[&str]) -> Result<(), RolloutError> {
        self.texts.keys().try_for_each(|name| entry(name, beside).map(drop))
    }

    /// The name under which an option is set, which may be its second name; `option` itself if it is not set.
    #[must_use]
    pub fn name_in_use<'a>(&self, option: &'a str) -> &'a str {
        let of_name = OPTIONS.iter().find(|(names, _)| names.contains(&option));
        let mut names = of_name.map_or(&[][..], |(names, _)| names).iter();
        names.find(|name| self.texts.contains_key(**name)).copied().unwrap_or(option)
    }

    /// The options that the texts name; others are left out.
    ///
    /// # Errors
    /// [`RolloutError::Option`] names an option that does not exist, is set under two names, or has an invalid text;
    /// [`RolloutError::Players`] as [`Options::request`].
    pub fn options(&self) -> Result<Options, RolloutError> {
        let mut reading = Reading::default();
        for (name, text) in &self.texts {
            let (names, read) = entry(name, &[])?;
            if let Some(other) = names.iter().find(|&&other| other != name && self.texts.contains_key(other)) {
                return Err(wrong_option(name, format!("{other} is another name of this option: write one of them")));
            }
            read(&mut reading, text).map_err(|reason| wrong_option(name, reason))?;
        }
        let Reading { mut options, policies } = reading;
        if let [policy, opponent] = policies
            && (policy.is_some() || opponent.is_some())
        {
            options.players = Some(rollout_players(policy, opponent, options.rules)?);
        }
        let plays = self.plays.as_deref();
        options.plays = plays.map(|plays| plays.iter().map(|play| RequestedPlay::from(play.as_str())).collect());
        Ok(options)
    }
}

impl<'de> Deserialize<'de> for OptionTexts {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<OptionTexts, D::Error> {
        struct Object;

        impl<'de> Visitor<'de> for Object {
            type Value = OptionTexts;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object of options")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<OptionTexts, A::Error> {
                let mut texts = OptionTexts::default();
                while let Some(name) = object.next_key::<String>()? {
                    let of_name = |error: A::Error| A::Error::custom(format_args!("{name}: {error}"));
                    // The map would silently take the later one.
                    if texts.get(&name).is_some() || name == PLAYS && texts.plays.is_some() {
                        return Err(A::Error::custom(format_args!("duplicate field `{name}`")));
                    }
                    if name == PLAYS {
                        texts.plays = object.next_value().map_err(of_name)?;
                    } else if let Some(Text(text)) = object.next_value().map_err(of_name)? {
                        texts.texts.insert(name, text);
                    }
                }
                Ok(texts)
            }
        }

        deserializer.deserialize_map(Object)
    }
}

/// The text of a JSON value: a text, a number, or true or false.
struct Text(String);

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Text, D::Error> {
        struct Scalar;

        impl Visitor<'_> for Scalar {
            type Value = Text;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a text, a number, true or false")
            }

            fn visit_bool<E>(self, value: bool) -> Result<Text, E> {
                Ok(Text(value.to_string()))
            }

            fn visit_i64<E>(self, value: i64) -> Result<Text, E> {
                Ok(Text(value.to_string()))
            }

            fn visit_u64<E>(self, value: u64) -> Result<Text, E> {
                Ok(Text(value.to_string()))
            }

            fn visit_f64<E>(self, value: f64) -> Result<Text, E> {
                // JSON has such a number as a float: its full digits would differ from the written ones.
                let is_rounded = value.abs() >= 18_446_744_073_709_551_616.0;
                Ok(Text(if is_rounded { format!("{value:e}") } else { value.to_string() }))
            }

            fn visit_str<E>(self, value: &str) -> Result<Text, E> {
                Ok(Text(value.to_owned()))
            }
        }

        deserializer.deserialize_any(Scalar)
    }
}
