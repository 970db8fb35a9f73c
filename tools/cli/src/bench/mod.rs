//! `tavli bench`: recipes measured, compared and reported.

mod compare;
mod files;
mod legend;
mod print;
mod report;
mod run;
mod table;
mod turns;

use std::env;
use std::path::Path;

use clap::{Args, Subcommand};
use tavli::file;
use tavli::text::Quoted;
use tavli_bench::recipe::BUILT_IN;
use tavli_bench::{Recipe, Record};

use crate::failure::Failure;

/// Measure how fast this machine plays, by a recipe
///
/// A recipe defines what to measure and how often; its cases take turns. Every run checks that the right games were
/// played, and otherwise fails with exit status 1, whatever the rates. Ctrl-C ends a run with the repetitions done so
/// far; a run that ends before its first repetition verifies nothing and fails.
#[derive(Args, Debug)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    run: run::Options,
}

#[derive(Subcommand, Debug)]
enum Command {
    Compare(compare::Arguments),
    Report(report::Arguments),
    Table(table::Arguments),
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    match &arguments.command {
        None => run::run(&arguments.run),
        Some(Command::Compare(arguments)) => compare::run(arguments),
        Some(Command::Report(arguments)) => report::run(arguments),
        Some(Command::Table(arguments)) => table::run(arguments),
    }
}

/// The whole command line, as records, pages and texts name it.
fn command_line() -> String {
    let arguments: Vec<String> = env::args_os()
        .skip(1)
        .map(|argument| Quoted::new(&argument.to_string_lossy()).within(usize::MAX).to_string())
        .collect();
    format!("tavli {}", arguments.join(" "))
}

/// Reads a record from a file.
fn read(path: &Path) -> Result<Record, Failure> {
    let text = file::read_text(path, file::RECORD)
        .map_err(|error| Failure::run(format_args!("cannot read {}: {error}", path.display())))?;
    Record::parse(&text).map_err(|error| Failure::run(format_args!("{}: {error}", path.display())))
}

/// The records of a file, or of the `.json` files of a folder and those below it, in the order of their names.
fn read_all(path: &Path) -> Result<Vec<Record>, Failure> {
    let files = files::collect(&[path.to_owned()])?;
    files.iter().map(|file| read(file)).collect()
}

/// The recipe that is built in under this name, or written in the file of this name.
fn recipe(name: &str) -> Result<Recipe, Failure> {
    if let Some(recipe) = Recipe::built_in(name) {
        return Ok(recipe);
    }
    let names = BUILT_IN.map(|recipe| recipe.0).join(", ");
    let text = file::read_text(Path::new(name), file::TEXT).map_err(|error| {
        Failure::usage(format_args!(
            "'{name}' is not one of the recipes {names}, and cannot be read as a file: {error}"
        ))
    })?;
    let stem = Path::new(name).file_stem().unwrap_or_default();
    Recipe::parse(&stem.to_string_lossy(), &text).map_err(|error| Failure::usage(format_args!("{name}: {error}")))
}
