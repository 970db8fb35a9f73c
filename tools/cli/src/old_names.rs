//! Old names of commands and options. clap's definition is their only list: an old name is a hidden alias of a command
//! or an option, or a hidden option whose help names the new one.

use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue};
use clap::{Arg, Command};
use tavli_terminal::output;

/// Writes a remark on each old name among the arguments of a command to standard error. No release had these names;
/// scripts that were written for earlier commits keep working.
pub fn remark_on_old_names(program: &Command, arguments: &[OsString]) {
    for remark in remarks(program, arguments) {
        output::write_message(format_args!("note: {remark}"));
    }
}

/// `tavli play --game N` is now `--first-game N`, since `--game` names a game.
pub(crate) fn replace_first_game(arguments: &mut [OsString]) {
    if arguments.get(1).is_none_or(|command| command != "play") {
        return;
    }
    let is_number = |text: &OsString| text.to_str().is_some_and(|text| text.parse::<u64>().is_ok());
    for index in 2..arguments.len() {
        let joined = arguments[index].to_str().and_then(|text| text.strip_prefix("--game="));
        let joined = joined.map(OsString::from).filter(is_number);
        if let Some(number) = joined {
            let mut option = OsString::from("--first-game=");
            option.push(number);
            arguments[index] = option;
        } else if arguments[index] == "--game" && arguments.get(index + 1).is_some_and(is_number) {
            arguments[index] = "--first-game".into();
        } else {
            continue;
        }
        output::write_message("note: --game of tavli play is now --first-game");
    }
}

/// Takes suggestions of old names out of an error of the parser, which takes them for names in use.
pub(crate) fn remove_suggestions(program: &Command, arguments: &[OsString], error: &mut clap::Error) {
    let command = arguments.get(1).and_then(|name| program.find_subcommand(name));
    let is_old_option = |text: &str| {
        let name = text.strip_prefix("--");
        command.zip(name).is_some_and(|(command, name)| option_remark(command, name).is_some())
    };
    let is_old_command = |name: &str| program.find_subcommand(name).is_some_and(|found| found.get_name() != name);
    for kind in [ContextKind::SuggestedArg, ContextKind::SuggestedSubcommand] {
        let is_old = |text: &String| match kind {
            ContextKind::SuggestedArg => is_old_option(text),
            _ => is_old_command(text),
        };
        let kept = match error.get(kind) {
            Some(ContextValue::String(text)) if is_old(text) => None,
            Some(ContextValue::Strings(texts)) if texts.iter().any(is_old) => {
                let kept: Vec<String> = texts.iter().filter(|text| !is_old(text)).cloned().collect();
                (!kept.is_empty()).then_some(ContextValue::Strings(kept))
            }
            _ => continue,
        };
        error.remove(kind);
        if let Some(kept) = kept {
            error.insert(kind, kept);
        }
    }
}

fn remarks(program: &Command, arguments: &[OsString]) -> Vec<String> {
    let mut texts = arguments.iter().skip(1).map_while(|argument| argument.to_str());
    let Some((name, command)) = texts.next().and_then(|name| Some((name, program.find_subcommand(name)?))) else {
        return Vec::new();
    };
    let mut remarks = Vec::new();
    if command.get_name() != name {
        let program = program.get_name();
        remarks.push(format!("{program} {name} is now {program} {}", command.get_name()));
    }
    // Values are not told from options here: clap takes no value that begins with two dashes.
    for text in texts.take_while(|&text| text != "--") {
        let option = text.split_once('=').map_or(text, |(option, _)| option);
        let remark = option.strip_prefix("--").and_then(|name| option_remark(command, name));
        if let Some(remark) = remark.filter(|remark| !remarks.contains(remark)) {
            remarks.push(remark);
        }
    }
    remarks
}

/// The remark on an option, if its name is an old one.
fn option_remark(command: &Command, name: &str) -> Option<String> {
    let mut options = command.get_arguments();
    let is_alias = |option: &&Arg| option.get_all_aliases().is_some_and(|aliases| aliases.contains(&name));
    let is_hidden = |option: &&Arg| option.is_hide_set() && option.get_long() == Some(name);
    let option = options.find(|option| is_alias(option) || is_hidden(option))?;
    match option.is_hide_set() {
        true => option.get_help().map(ToString::to_string),
        false => option.get_long().map(|new| format!("--{name} is now --{new}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    fn remarks_on(line: &str) -> Vec<String> {
        let arguments: Vec<OsString> = line.split(' ').map(OsString::from).collect();
        remarks(&crate::Cli::command(), &arguments)
    }

    #[test]
    fn an_old_name_is_remarked_on_once() {
        for (line, remark) in [
            ("tavli match fast strong", "tavli match is now tavli duel"),
            ("tavli playout --plies 3 --plies=4", "--plies is now --truncate"),
            ("tavli rollout --plies=3", "--plies D is now --truncate D --evaluator none"),
            ("tavli rollout --luck-adjusted", "--luck-adjusted is now --variance-reduction"),
            ("tavli evaluate --plies 1", "--plies is now --look-ahead"),
            ("tavli evaluate --player fast", "--player is now --evaluator"),
            ("tavli playout --player=fast", "--player is now --policy"),
            ("tavli rollout --player fast", "--player is now --policy"),
            ("tavli analyze a.mat --level 2ply", "--level is now --look-ahead"),
            ("tavli search --value wins", "--value is now --reward"),
            ("tavli search --output a.search", "--output is now --save"),
            ("tavli search --draw random", "--draw is now --chance-sampling"),
            ("tavli search --choice visits", "--choice is now --best-by"),
        ] {
            assert_eq!(remarks_on(line), [remark], "{line}");
        }
    }

    #[test]
    fn the_number_of_the_first_game_is_no_name_of_a_game() {
        for (line, replaced) in [
            ("tavli play --game 7 fast", "tavli play --first-game 7 fast"),
            ("tavli play --game=7", "tavli play --first-game=7"),
            ("tavli play --game tictactoe", "tavli play --game tictactoe"),
            ("tavli perft --game 7", "tavli perft --game 7"),
        ] {
            let mut arguments: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            replace_first_game(&mut arguments);
            assert_eq!(arguments.join(std::ffi::OsStr::new(" ")), *replaced, "{line}");
        }
    }

    #[test]
    fn new_names_are_not_remarked_on() {
        for line in [
            "tavli",
            "tavli --seconds 3",
            "tavli duel fast strong",
            "tavli rollout --truncate 3 --evaluator none --variance-reduction",
            "tavli evaluate --evaluator fast --keep-by fast",
            "tavli evaluate -- --plies",
            "tavli gnubg --player fast",
        ] {
            assert!(remarks_on(line).is_empty(), "{line}");
        }
    }
}
