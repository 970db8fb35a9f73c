//! `tavli bench report`: records as a page or a text.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use tavli_bench::report::{self, Table};
use tavli_terminal::failure::Failure;
use tavli_terminal::output;

use super::files;
use super::inputs::command_line;
use crate::arguments::Overwrite;

/// Write records as a page with charts, or as a text
///
/// The page is a single HTML file that loads nothing. It has the score with its workload, figures, checks, scaling, the
/// spread of the repetitions, the rate of each worker, and cycles by category and by stage of the batch. Records of one
/// recipe are side by side.
///
/// A file MACHINE/DATE/RECIPE.json is a record of the machine MACHINE.
#[derive(Args, Debug)]
pub(crate) struct BenchReportArguments {
    /// Records that tavli bench --save wrote, or folders of them
    #[arg(value_name = "RECORD.json", required = true)]
    records: Vec<PathBuf>,
    /// Write to a new FILE instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    overwrite: Overwrite,
    /// Write Markdown tables instead of a page; the first line is the command
    #[arg(long)]
    markdown: bool,
}

pub(super) fn run(arguments: &BenchReportArguments) -> Result<(), Failure> {
    let (files, target) = files::collect_for(&arguments.records, arguments.output.as_deref(), arguments.overwrite)?;
    let entries = files::read(&files)?;
    let command = command_line();
    let written = match arguments.markdown {
        true => report::text(&command, &Table::default(), &entries),
        false => report::page(&command, &entries),
    };
    match target {
        Some(target) => target.replace(written.as_bytes()).map_err(Failure::unwritten),
        None => Ok(output::stdout().write_all(written.as_bytes())?),
    }
}
