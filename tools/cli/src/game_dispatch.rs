//! The game that a command is for: `tavli perft POSITION 3 --game draughts`.

use std::ffi::OsString;
use std::path::PathBuf;
use std::slice;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches};
use tavli::games::NAMES;
use tavli::text::Quoted;
use tavli_terminal::failure::Failure;

use crate::arguments::{BACKGAMMON_HEADING, CUBE_AND_SCORE, OTHER_GAMES_HEADING};
use crate::old_names;
use crate::record_kind::RecordKind;

/// The game of a command: the one that it names, that of the saved rollout that it resumes, or backgammon. Refuses
/// options that the game lacks, by the names `given`.
pub fn game_of_command<'a>(
    tavli: &clap::Command,
    given: &[OsString],
    found: &'a ArgMatches,
) -> Result<&'a str, Failure> {
    let Some((name, found)) = found.subcommand() else {
        return Ok(NAMES[0]);
    };
    // Commands that are for backgammon only have no such text.
    let game = found.try_get_one::<String>("game").ok().flatten();
    let game = match game {
        Some(_) if found.value_source("game") == Some(ValueSource::DefaultValue) => game_of_saved(found),
        game => game.map(String::as_str),
    };
    let game = game.unwrap_or(NAMES[0]);
    let foreign: &[&str] = match game == NAMES[0] {
        true => &[OTHER_GAMES_HEADING],
        false => &[BACKGAMMON_HEADING, CUBE_AND_SCORE],
    };
    let is_given = |id: &str| found.value_source(id) == Some(ValueSource::CommandLine);
    let is_foreign = |option: &&Arg| {
        let heading = option.get_help_heading();
        heading.is_some_and(|heading| foreign.contains(&heading)) && is_given(option.get_id().as_str())
    };
    let mut options = tavli.find_subcommand(name).into_iter().flat_map(clap::Command::get_arguments);
    match options.find(is_foreign).and_then(|option| name_in_use(option, given)) {
        Some(option) => Err(Failure::usage(format_args!(
            "--{option} is not an option of {game}: tavli {name} --help says which games it is for"
        ))),
        None => Ok(game),
    }
}

/// The game of the saved rollout that a command resumes.
fn game_of_saved(found: &ArgMatches) -> Option<&'static str> {
    // Where it is no file, or no rollout, the command says so itself.
    let path = found.try_get_one::<PathBuf>("resume").ok().flatten()?;
    let kind = path.is_file().then(|| RecordKind::read(path))?.ok()?;
    NAMES.iter().copied().find(|&name| kind.game_of_rollout() == Some(name))
}

/// The name by which an option is given: its own, or another that is given in place of it.
fn name_in_use<'a>(option: &'a Arg, given: &[OsString]) -> Option<&'a str> {
    let is_given = |name: &&str| {
        let texts = given.iter().filter_map(|text| text.to_str()?.strip_prefix("--"));
        texts.into_iter().any(|text| text.split('=').next() == Some(name))
    };
    let aliases = option.get_all_aliases().into_iter().flatten();
    let mut names = option.get_long().into_iter().chain(aliases);
    names.find(is_given).or(option.get_long())
}

/// The message about options that stand before a command: clap says only that they conflict.
fn options_before_command(error: &clap::Error) -> Option<String> {
    let command = error.get(ContextKind::InvalidSubcommand)?;
    let options = match error.get(ContextKind::PriorArg)? {
        ContextValue::String(option) => slice::from_ref(option),
        ContextValue::Strings(options) => options,
        _ => return None,
    };
    let are_options = options.iter().all(|option| option.starts_with("--"));
    (error.kind() == ErrorKind::ArgumentConflict && are_options).then(|| {
        let [named, given] = ["' and '", " "].map(|between| options.join(between));
        format!("write '{named}' after the command: tavli {command} {given}")
    })
}

/// The failure of arguments that cannot be read, with its own message if a command without `--game` is given one.
pub(crate) fn explain_parse_error(tavli: &clap::Command, given: &[OsString], mut error: clap::Error) -> Failure {
    old_names::remove_suggestions(tavli, given, &mut error);
    if let Some(message) = options_before_command(&error) {
        return Failure::Arguments(tavli.clone().error(ErrorKind::ArgumentConflict, message));
    }
    let unknown = error.get(ContextKind::InvalidArg).map(ToString::to_string);
    let command = given.get(1).and_then(|name| tavli.find_subcommand(name));
    match (command, unknown.as_deref()) {
        (Some(command), Some("--game")) if error.kind() == ErrorKind::UnknownArgument => {
            let has_games = |command: &&clap::Command| command.get_arguments().any(|option| option.get_id() == "game");
            let commands: Vec<&str> = tavli.get_subcommands().filter(has_games).map(clap::Command::get_name).collect();
            Failure::usage(format_args!(
                "tavli {} has no --game; these commands have it: {}",
                command.get_name(),
                commands.join(", ")
            ))
        }
        _ if error.kind() == ErrorKind::InvalidUtf8 => {
            let texts = given.iter().filter(|text| text.to_str().is_none());
            let texts: Vec<String> = texts.map(|text| format!("'{}'", Quoted::new(&text.to_string_lossy()))).collect();
            let texts = texts.join(", ");
            Failure::usage(format_args!(
                "{texts}: it is not UTF-8 text, as every argument except the name of a file must be"
            ))
        }
        _ if matches!(error.kind(), ErrorKind::MissingRequiredArgument | ErrorKind::ArgumentConflict) => {
            // If the game lacks one of the options, advice to add or leave out another does not help.
            let found = tavli.clone().ignore_errors(true).try_get_matches_from(given);
            let foreign = found.ok().and_then(|found| game_of_command(tavli, given, &found).err());
            foreign.unwrap_or_else(|| Failure::arguments(error))
        }
        _ => Failure::arguments(error),
    }
}
