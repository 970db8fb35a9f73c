//! The options of a session: keys in version 0.2, names in version 0.1.

use std::fmt::Write;

use tavli::RuleSet;
use tavli::run::Placement;
use tavli::text::Quoted;

use crate::MAX_PLIES;
use crate::rollouts::MAX_TRIALS;

/// An option.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Id {
    Ply,
    Player,
    Method,
    Trials,
    Truncation,
    Cubeful,
    Threads,
    Seed,
    Variant,
}

/// An option: its names and its values.
pub(super) struct EngineOption {
    pub(super) id: Id,
    /// The key of the option in version 0.2.
    key: &'static str,
    /// The name of the option in version 0.1.
    name: &'static str,
    kind: Kind,
    /// Whether an engine plays as strongly with any value of the option.
    is_minor: bool,
    about: &'static str,
}

/// The values of an option.
enum Kind {
    /// Whole numbers between these.
    Number(u64, u64),
    Switch,
    Text,
    /// One of these.
    Words(fn() -> Vec<&'static str>),
}

/// How decisions are made.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Method {
    /// By the player's values, looking ahead.
    Plies,
    /// By a rollout of a given number of trials.
    Rollout,
    /// By a rollout until one play is the best.
    Decide,
}

/// The methods, by their names.
pub(super) const METHODS: [(&str, Method); 3] =
    [("plies", Method::Plies), ("rollout", Method::Rollout), ("decide", Method::Decide)];

/// The variants of the game, by the names of the protocol.
pub(super) const VARIANTS: [RuleSet; 4] =
    [RuleSet::Backgammon, RuleSet::Nackgammon, RuleSet::Hypergammon, RuleSet::Longgammon];

/// All options, in the order of the handshake: the key and the name of each, its values, and what it is.
#[rustfmt::skip] // a line or two to an option
const OPTIONS: [EngineOption; 9] = [
    option(Id::Ply, ["engine.ply", "Ply"], Kind::Number(1, MAX_PLIES as u64 + 1), "root-inclusive decision depth"),
    option(Id::Player, ["engine.player", "Player"], Kind::Text, "the name or the file of a player"),
    option(Id::Method, ["engine.method", "Method"], Kind::Words(|| METHODS.iter().map(|(name, _)| *name).collect()),
        "plies: look ahead by engine.ply; rollout: fixed trials; decide: roll out until one play is the best"),
    option(Id::Trials, ["engine.trials", "Trials"], Kind::Number(1, MAX_TRIALS), "trials of a rollout"),
    option(Id::Truncation, ["engine.truncation", "Truncation"], Kind::Number(0, u32::MAX as u64),
        "plies after which a rollout values its games, 0 to play them out"),
    option(Id::Cubeful, ["engine.cubeful", "Cubeful"], Kind::Switch, "values with the cube"),
    minor(option(Id::Threads, ["engine.threads", "Threads"], Kind::Number(1, Placement::MAX_WORKERS as u64),
        "worker threads")),
    minor(option(Id::Seed, ["engine.seed", "Seed"], Kind::Number(0, u64::MAX), "seed of rollouts")),
    option(Id::Variant, ["game.variant", "Variant"],
        Kind::Words(|| VARIANTS.iter().map(|rules| rules.name()).collect()), "rules"),
];

const fn option(id: Id, [key, name]: [&'static str; 2], kind: Kind, about: &'static str) -> EngineOption {
    EngineOption { id, key, name, kind, is_minor: false, about }
}

const fn minor(option: EngineOption) -> EngineOption {
    EngineOption { is_minor: true, ..option }
}

/// The option with the key `name`, or with that name, in any case of letters.
pub(super) fn find(name: &str) -> Option<&'static EngineOption> {
    OPTIONS.iter().find(|choice| choice.key == name || choice.name.eq_ignore_ascii_case(name))
}

/// The values of all options; `value` gives each.
pub(super) fn values(value: impl Fn(Id) -> String) -> Vec<(Id, String)> {
    OPTIONS.iter().map(|choice| (choice.id, value(choice.id))).collect()
}

/// The lines of version 0.2 that describe the options; `value` gives the value of each.
pub(super) fn keys(value: impl Fn(Id) -> String) -> Vec<String> {
    OPTIONS
        .iter()
        .map(|choice| {
            let kind = match choice.kind {
                Kind::Number(least, most) => format!("int {least}..{most}"),
                Kind::Switch => "bool".to_owned(),
                Kind::Text => "string *".to_owned(),
                Kind::Words(words) => format!("enum {}", words().join("|")),
            };
            let minor = if choice.is_minor { " !" } else { "" };
            let EngineOption { key, about, .. } = choice;
            format!("key {key} {kind} {}{minor} {about}", value(choice.id))
        })
        .collect()
}

/// The lines of version 0.1.
pub(super) fn names(value: impl Fn(Id) -> String) -> Vec<String> {
    OPTIONS
        .iter()
        .map(|choice| {
            let value = value(choice.id);
            let (kind, rest) = match choice.kind {
                Kind::Number(least, most) => ("spin", format!(" min {least} max {most}")),
                Kind::Switch => ("check", String::new()),
                Kind::Text => ("string", String::new()),
                Kind::Words(words) => {
                    let mut rest = String::new();
                    for word in words() {
                        let _ = write!(rest, " var {word}");
                    }
                    ("combo", rest)
                }
            };
            format!("option name {} type {kind} default {value}{rest}", choice.name)
        })
        .collect()
}

/// A whole number in a range of this unit.
///
/// # Errors
/// A message says what is wrong with it.
pub(super) fn whole_number(name: &str, value: &str, [least, most]: [u64; 2], unit: &str) -> Result<u64, String> {
    let number = value.parse().ok().filter(|number| (least..=most).contains(number));
    number.ok_or_else(|| {
        let found = found(value);
        format!("{name} is {found}: send a whole number{unit}, {least} to {most}")
    })
}

/// A value as errors name it.
fn found(value: &str) -> String {
    match value {
        "" => "nothing".to_owned(),
        value => format!("'{}'", Quoted::new(value).within(40)),
    }
}

impl EngineOption {
    /// The value as a number: the index of a word, 1 or 0 for a switch, 0 for text.
    ///
    /// # Errors
    /// A message says what values there are.
    pub(super) fn number(&self, name: &str, value: &str) -> Result<u64, String> {
        match self.kind {
            Kind::Number(least, most) => whole_number(name, value, [least, most], ""),
            Kind::Switch => match value {
                "true" | "on" => Ok(1),
                "false" | "off" => Ok(0),
                _ => Err(format!("{name} is {}: send true or false", found(value))),
            },
            Kind::Text => Ok(0),
            Kind::Words(words) => {
                let words = words();
                let place = (0..).zip(&words).find(|(_, word)| **word == value);
                place
                    .map(|(place, _)| place)
                    .ok_or_else(|| format!("{name} is {}: send one of {}", found(value), words.join(", ")))
            }
        }
    }
}
