//! `tavli completions` and `tavli man`, from the same definition as the commands.

use std::io::{self, Write};

use clap::{Args, Command, CommandFactory};
use clap_complete::Shell;
use tavli_terminal::failure::Failure;

use crate::Cli;

/// Write the completions of a shell
///
/// For bash: tavli completions bash > ~/.local/share/bash-completion/completions/tavli
#[derive(Args, Debug)]
pub(crate) struct Completions {
    shell: Shell,
}

/// Write the manual page of tavli or of a command
///
/// To read one: tavli man playout | man -l -
#[derive(Args, Debug)]
pub(crate) struct Page {
    /// The command [default: tavli itself]
    #[arg(value_name = "COMMAND")]
    command: Option<String>,
}

pub(crate) fn complete(arguments: &Completions) -> Result<(), Failure> {
    // The generator does not return errors of its output, so it writes to memory first.
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Cli::command(), "tavli", &mut script);
    io::stdout().write_all(&script)?;
    Ok(())
}

pub(crate) fn page(arguments: &Page) -> Result<(), Failure> {
    let mut tavli = Cli::command();
    tavli.build();
    let command = match &arguments.command {
        None => tavli,
        Some(name) => tavli.find_subcommand(name).cloned().ok_or_else(|| {
            let names: Vec<&str> = tavli.get_subcommands().map(Command::get_name).collect();
            let names = names.join(", ");
            Failure::usage(format_args!("'{name}' is not a command; the commands are {names}"))
        })?,
    };
    clap_mangen::Man::new(command).render(&mut io::stdout())?;
    Ok(())
}
