//! The commands for games other than backgammon: `tavli perft POSITION 3 --game draughts`.

pub(crate) mod arguments;
mod duel;
mod evaluate;
mod play;
mod rollout;
mod search;

use std::ffi::OsString;

use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, CommandFactory, Parser, Subcommand};
use tavli::game::{NAMES, NamedGame, Visitor, visit};

use crate::arguments::{OF_BACKGAMMON, OF_OTHERS};
use crate::failure::Failure;
use crate::{perft, playout, plays, position, signature};

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
    Rollout(rollout::Arguments),
    Evaluate(evaluate::Arguments),
}

impl Visitor for &Command {
    type Output = Result<(), Failure>;

    fn visit<G: NamedGame>(self) -> Result<(), Failure> {
        match self {
            Command::Rollout(arguments) => rollout::run::<G>(arguments),
            Command::Evaluate(arguments) => evaluate::run::<G>(arguments),
        }
    }
}

impl Visitor for &crate::Command {
    type Output = Result<(), Failure>;

    fn visit<G: NamedGame>(self) -> Result<(), Failure> {
        match self {
            crate::Command::Playout(arguments) => playout::run_game::<G>(arguments),
            crate::Command::Plays(arguments) => plays::run_game::<G>(arguments),
            crate::Command::Perft(arguments) => perft::run_game::<G>(arguments),
            crate::Command::Position(arguments) => position::run_game::<G>(arguments),
            crate::Command::Signature(arguments) => signature::run_game::<G>(arguments),
            crate::Command::Search(arguments) => search::run::<G>(arguments),
            crate::Command::Play(arguments) => play::run::<G>(arguments),
            crate::Command::Duel(arguments) => duel::run::<G>(arguments),
            _ => Err(Failure::usage("this command is for backgammon")),
        }
    }
}

/// The game of a command, backgammon if it names none. Refuses options that the game has not.
pub(crate) fn of<'a>(tavli: &clap::Command, found: &'a ArgMatches) -> Result<&'a str, Failure> {
    let Some((name, found)) = found.subcommand() else {
        return Ok(NAMES[0]);
    };
    // Commands that are for backgammon only have no such text.
    let game = found.try_get_one::<String>("game").ok().flatten();
    let game = game.map_or(NAMES[0], String::as_str);
    let foreign = if game == NAMES[0] { OF_OTHERS } else { OF_BACKGAMMON };
    let is_given = |id: &str| found.value_source(id) == Some(ValueSource::CommandLine);
    let is_foreign = |option: &&Arg| option.get_help_heading() == Some(foreign) && is_given(option.get_id().as_str());
    let mut options = tavli
        .find_subcommand(name)
        .into_iter()
        .flat_map(clap::Command::get_arguments);
    match options.find(is_foreign).and_then(Arg::get_long) {
        Some(option) => Err(Failure::usage(format_args!(
            "--{option} is not an option of {game}: tavli {name} --help says which games it is for"
        ))),
        None => Ok(game),
    }
}

/// The failure of a command that another game is asked of and only backgammon has.
pub(crate) fn misplaced(tavli: &clap::Command, given: &[OsString]) -> Option<Failure> {
    let game = named(given)?;
    let apart = Cli::command();
    let has_games = |command: &&clap::Command| {
        let mut options = command.get_arguments();
        options.any(|option| option.get_id() == "game" && option.get_possible_values().is_empty())
            || apart.find_subcommand(command.get_name()).is_some()
    };
    let asked = tavli.find_subcommand(given.get(1)?).filter(|asked| !has_games(asked))?;
    let commands = tavli.get_subcommands().filter(has_games).map(clap::Command::get_name);
    let commands: Vec<&str> = commands.collect();
    Some(Failure::usage(format_args!(
        "tavli {} is for backgammon; {game} has {}",
        asked.get_name(),
        commands.join(", ")
    )))
}

/// The game that arguments name, if it is not backgammon.
fn named(arguments: &[OsString]) -> Option<String> {
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

/// The game that arguments name, if its command has options apart.
pub(crate) fn apart(arguments: &[OsString]) -> Option<String> {
    let is_apart = |name: &str| Cli::command().find_subcommand(name).is_some();
    let game = named(arguments)?;
    arguments
        .iter()
        .skip(1)
        .any(|name| name.to_str().is_some_and(is_apart))
        .then_some(game)
}

/// Runs a command of the game of this name.
pub(crate) fn run(name: &str, given: &[OsString]) -> Result<(), Failure> {
    let cli = Cli::try_parse_from(given).map_err(Failure::Arguments)?;
    visit(name, &cli.command).map_err(Failure::usage)?
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
}
