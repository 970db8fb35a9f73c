//! The commands of every game by its name: `tavli perft POSITION 3 --game draughts`.
//!
//! Backgammon has commands and options of its own, which are defined elsewhere; those here are what any game has. Which
//! of the two a line is for is read off its `--game` before it is parsed.

mod arguments;
mod duel;
mod evaluate;
mod perft;
mod play;
mod playout;
mod plays;
mod position;
mod rollout;
mod search;
mod signature;

use std::ffi::OsString;

use clap::{CommandFactory, Parser, Subcommand};
use tavli::game::{NAMES, NamedGame, Visitor, visit};

use crate::failure::Failure;

/// Games by name, at random, exactly and fast
#[derive(Parser, Debug)]
#[command(name = "tavli", version = env!("TAVLI_VERSION"))]
#[command(
    after_help = "Exit status: 0 success, also of a run ended by Ctrl-C; 1 failure while running; 2 invalid arguments."
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    Playout(playout::Arguments),
    Plays(plays::Arguments),
    Perft(perft::Arguments),
    Position(position::Arguments),
    Rollout(rollout::Arguments),
    Evaluate(evaluate::Arguments),
    Search(search::Arguments),
    Play(play::Arguments),
    #[command(alias = "match")] // as backgammon's
    Duel(duel::Arguments),
    Signature(signature::Arguments),
}

impl Visitor for &Command {
    type Output = Result<(), Failure>;

    fn visit<G: NamedGame>(self) -> Result<(), Failure> {
        match self {
            Command::Playout(arguments) => playout::run::<G>(arguments),
            Command::Plays(arguments) => plays::run::<G>(arguments),
            Command::Perft(arguments) => perft::run::<G>(arguments),
            Command::Position(arguments) => position::run::<G>(arguments),
            Command::Rollout(arguments) => rollout::run::<G>(arguments),
            Command::Evaluate(arguments) => evaluate::run::<G>(arguments),
            Command::Search(arguments) => search::run::<G>(arguments),
            Command::Play(arguments) => play::run::<G>(arguments),
            Command::Duel(arguments) => duel::run::<G>(arguments),
            Command::Signature(arguments) => signature::run::<G>(arguments),
        }
    }
}

/// The game that arguments name, if it is not backgammon.
pub(crate) fn named(arguments: &[OsString]) -> Option<String> {
    let mut texts = arguments.iter().skip(1).filter_map(|argument| argument.to_str());
    let mut name = None;
    while let Some(text) = texts.next().filter(|&text| text != "--") {
        name = match text.strip_prefix("--game") {
            Some("") => texts.next(),
            Some(rest) => rest.strip_prefix('='),
            None => continue,
        };
        if name.is_some() {
            break;
        }
    }
    name.filter(|&name| name != NAMES[0]).map(str::to_owned)
}

/// Runs a command of the game of this name.
pub(crate) fn run(name: &str, given: &[OsString]) -> Result<(), Failure> {
    if !arguments::others().contains(&name) {
        let games = NAMES.join(", ");
        return Err(Failure::usage(format_args!(
            "'{name}' is no game: --game is one of {games}"
        )));
    }
    let given: Vec<OsString> = given.iter().map(shield).collect();
    let cli = match Cli::try_parse_from(&given) {
        Ok(cli) => cli,
        Err(error) => return Err(misplaced(name, &given).unwrap_or(Failure::Arguments(error))),
    };
    visit(name, &cli.command).expect("it was found among the names")
}

/// The failure of a command that backgammon has and this game has not.
fn misplaced(name: &str, given: &[OsString]) -> Option<Failure> {
    let asked = given.get(1)?.to_str()?;
    let ours = Cli::command();
    let is_backgammons = crate::Cli::command().find_subcommand(asked).is_some();
    if !is_backgammons || ours.find_subcommand(asked).is_some() {
        return None;
    }
    let commands: Vec<&str> = ours.get_subcommands().map(clap::Command::get_name).collect();
    Some(Failure::usage(format_args!(
        "tavli {asked} is for backgammon; {name} has {}",
        commands.join(", ")
    )))
}

/// Puts a blank before an argument that begins with a dash and is a drawing of points, so that it is no option.
fn shield(argument: &OsString) -> OsString {
    let is_points = |text: &str| {
        let is_point = |byte| matches!(byte, b'-' | b'*' | b'/' | b'A'..=b'Z' | b'a'..=b'o' | b' ');
        text.starts_with('-') && text.len() > 9 && text.bytes().all(is_point)
    };
    match argument.to_str() {
        Some(text) if is_points(text) && !text.starts_with("--") | text.contains("---") => format!(" {text}").into(),
        _ => argument.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_game_is_read_off_the_arguments() {
        let of = |line: &str| {
            let arguments: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            named(&arguments)
        };
        for line in [
            "tavli",
            "tavli perft X 3",
            "tavli perft X 3 --game backgammon",
            "tavli perft -- --game chess",
        ] {
            assert_eq!(of(line), None, "{line}");
        }
        for line in [
            "tavli perft X 3 --game draughts --json",
            "tavli --game=draughts perft X 3",
        ] {
            assert_eq!(of(line).as_deref(), Some("draughts"), "{line}");
        }
    }

    #[test]
    fn positions_that_begin_with_a_dash_are_no_options() {
        for text in ["-----------o-----------O", "---/---/--- X"] {
            assert_ne!(shield(&text.into()), *text);
        }
        for text in [
            "--truncate",
            "--random-plies",
            "-h",
            "--json",
            "o----------------------O",
        ] {
            assert_eq!(shield(&text.into()), *text);
        }
    }
}
