//! Values of GNU Backgammon's settings, and its settings that change nothing here.

use std::io::{self, Write};

use tavli::text::Quoted;

use super::engine_settings::MAX_PLIES;

/// The settings that are accepted and change nothing here, each with the words that may follow it. An empty list allows
/// any words.
const PASSED_OVER: [(&str, &[&str]); 14] = [
    (
        "analysis",
        &[
            "background",
            "chequerplay",
            "cube",
            "cubedecision",
            "limit",
            "luck",
            "luckanalysis",
            "movefilter",
            "moves",
            "player",
            "threshold",
        ],
    ),
    ("automatic", &["bearoff", "crawford", "doubles", "game", "move", "roll"]),
    ("cache", &[]),
    ("confirm", &["default", "new", "save"]),
    ("evaluation", &["chequerplay", "cubedecision", "movefilter"]),
    ("export", &["cube", "folder", "html", "include", "moves", "parameters", "png", "show"]),
    ("lang", &[]),
    ("output", &["digits", "errorratefactor", "matchpc", "mwc", "rawboard", "winpc"]),
    ("player", &["chequerplay", "cubedecision", "movefilter"]),
    ("prompt", &[]),
    ("rng", &GENERATORS),
    (
        "rollout",
        &[
            "bearofftruncation",
            "chequerplay",
            "cube-equal-chequer",
            "cubedecision",
            "initial",
            "jsd",
            "late",
            "later",
            "limit",
            "log",
            "logfile",
            "movefilter",
            "player",
            "players-are-same",
            "quasirandom",
            "rng",
            "rotate",
            "truncate-equal-player0",
            "truncation",
        ],
    ),
    ("seed", &[]),
    ("sound", &[]),
];

/// The random generators.
const GENERATORS: [&str; 10] =
    ["ansi", "bbs", "bsd", "file", "isaac", "manual", "md5", "mersenne", "random.org", "user"];

/// Words that must be followed by other words.
const OPEN: [&str; 5] = ["chequerplay", "cubedecision", "evaluation", "jsd", "movefilter"];

/// Endings of the names of settings that are on or off.
const TOGGLES: [&str; 29] = [
    "analysis cube",
    "analysis luck",
    "analysis moves",
    "automatic bearoff",
    "automatic crawford",
    "automatic game",
    "automatic move",
    "automatic roll",
    "confirm default",
    "confirm new",
    "confirm save",
    "cubeful",
    "deterministic",
    "enable",
    "exact",
    "onesided",
    "output matchpc",
    "output mwc",
    "output rawboard",
    "output winpc",
    "prune",
    "rollout cube-equal-chequer",
    "rollout initial",
    "rollout log",
    "rollout players-are-same",
    "rollout quasirandom",
    "rollout rotate",
    "rollout truncate-equal-player0",
    "stop",
];

/// The words after an evaluation of plays or of the cube. GNU Backgammon also takes the beginnings of these words. They
/// are errors here, as they would change nothing.
const OF_EVALUATIONS: [&str; 4] = ["evaluation", "movefilter", "rollout", "type"];

/// Endings of the names of settings that are numbers.
const NUMBERS: [&str; 4] = ["errorratefactor", "jsd limit", "maxerror", "noise"];

/// Endings of the names of settings that are whole numbers from 0.
const WHOLE_NUMBERS: [&str; 6] = ["cache", "digits", "doubles", "minimumgames", "plies", "seed"];

/// Reads the value of a setting that is on or off, by the words that GNU Backgammon takes. `None`, with an error, for
/// another word, or none.
pub(super) fn toggle(words: &[&str], name: &str, output: &mut dyn Write) -> io::Result<Option<bool>> {
    // As in GNU Backgammon, any beginning of yes and true will do.
    let begins = |word: &str, names: [&str; 2]| names.iter().any(|name| name.starts_with(word));
    match *words {
        [] => writeln!(output, "You must specify whether to set `{name}' on or off.")?,
        [word, ..] if word == "on" || begins(word, ["yes", "true"]) => return Ok(Some(true)),
        [word, ..] if word == "off" || begins(word, ["no", "false"]) => return Ok(Some(false)),
        [word, ..] => {
            let word = Quoted::new(word).within(60);
            writeln!(output, "Illegal keyword `{word}': set {name} is on or off.")?;
        }
    }
    Ok(None)
}

/// Checks the words after `set` for a setting that changes nothing here. Writes an error for words that GNU Backgammon
/// would not take either.
pub(super) fn pass_over(words: &[&str], output: &mut dyn Write) -> io::Result<()> {
    let unknown = |output: &mut dyn Write| {
        let command = format!("set {}", words.join(" "));
        let command = Quoted::new(&command).within(60);
        writeln!(output, "Unknown keyword `{command}' (try `help').")
    };
    let [setting, rest @ ..] = words else {
        return writeln!(output, "Incomplete command.");
    };
    let Some((_, following)) = PASSED_OVER.iter().find(|(name, _)| name == setting) else {
        return unknown(output);
    };
    // The words of a player follow its name.
    let first = rest.get(usize::from(*setting == "player"));
    match first {
        None if !following.is_empty() => return writeln!(output, "Incomplete command."),
        Some(first) if !following.is_empty() && !following.contains(first) => {
            return unknown(output);
        }
        _ => {}
    }
    let is_unknown = match words {
        ["evaluation" | "analysis", "chequerplay" | "cubedecision", word, ..] => !OF_EVALUATIONS.contains(word),
        ["rollout", "jsd", word, ..] => !["limit", "minimumgames", "move", "stop"].contains(word),
        ["rollout", "rng", word, ..] => !GENERATORS.contains(word),
        _ => false,
    };
    if is_unknown {
        return unknown(output);
    }
    if words.last().is_some_and(|last| OPEN.contains(last)) && !words.contains(&"type") {
        return writeln!(output, "Incomplete command.");
    }
    let [before @ .., name, value] = words else {
        return Ok(());
    };
    let is_number = |value: &str| value.parse().is_ok_and(f64::is_finite);
    let of_filter = words.iter().skip_while(|&&word| word != "movefilter").skip(1);
    if let Some(wrong) = of_filter.copied().find(|value| !is_number(value)) {
        let wrong = Quoted::new(wrong).within(60);
        return writeln!(output, "Error: set {}: `{wrong}' is not a number", words.join(" "));
    }
    let path = [before, &[*name]].concat().join(" ");
    let shown = Quoted::new(value).within(60);
    let ends_with = |end: &&str| path.strip_suffix(*end).is_some_and(|rest| rest.is_empty() || rest.ends_with(' '));
    match *name {
        "type" if !["rollout", "evaluation"].contains(value) => {
            writeln!(output, "Illegal keyword `{shown}': set {path} is rollout or evaluation.")
        }
        _ if TOGGLES.iter().any(ends_with) => toggle(&[*value], &path, output).map(|_| ()),
        "plies" if !before.contains(&"late") && !value.parse().is_ok_and(|plies: u32| plies <= MAX_PLIES) => {
            writeln!(output, "Error: set {path}: plies are 0 to {MAX_PLIES}, and not `{shown}'")
        }
        _ if WHOLE_NUMBERS.iter().any(ends_with) && !value.bytes().all(|byte| byte.is_ascii_digit()) => {
            writeln!(output, "Error: set {path}: `{shown}' is not a whole number from 0")
        }
        _ if (NUMBERS.iter().any(ends_with) || before.contains(&"threshold")) && !is_number(value) => {
            writeln!(output, "Error: set {path}: `{shown}' is not a number")
        }
        _ => Ok(()),
    }
}
