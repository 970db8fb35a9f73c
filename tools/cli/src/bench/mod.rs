//! `tavli bench`: recipes measured, compared and reported.

mod compare;
mod files;
mod inputs;
mod interleaved;
mod legend;
mod print;
mod report;
mod run;
mod table;

use clap::{Args, Subcommand};
use tavli_terminal::failure::Failure;

/// Measure how fast this machine plays, by a recipe
///
/// A recipe says what to measure and how often; its cases take turns. Every run checks that the right games were
/// played. If they were not, the run fails with exit status 1, whatever the rates.
///
/// Ctrl-C ends a run with the repetitions that are complete. A run that ends before its first repetition verifies
/// nothing, and fails.
#[derive(Args, Debug)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(crate) struct BenchArguments {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    run: run::Options,
}

#[derive(Subcommand, Debug)]
enum Command {
    Compare(compare::BenchCompareArguments),
    Report(report::BenchReportArguments),
    Table(table::BenchTableArguments),
}

pub(crate) fn run(arguments: &BenchArguments) -> Result<(), Failure> {
    match &arguments.command {
        None => run::run(&arguments.run),
        Some(Command::Compare(arguments)) => compare::run(arguments),
        Some(Command::Report(arguments)) => report::run(arguments),
        Some(Command::Table(arguments)) => table::run(arguments),
    }
}
