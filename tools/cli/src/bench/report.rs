//! `tavli bench report`: records as a page or a text.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use tavli_bench::{Record, report};

use crate::arguments::{self, Overwrite};
use crate::failure::Failure;

/// Write records as a page with charts, or as a text
///
/// The page is a single HTML file that loads nothing: figures, checks, scaling, the spread of the
/// repetitions, the rate of each worker, cycles by category and by stage of the batch, and records of one recipe
/// side by side.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// Records written by tavli bench --save, or folders of them
    #[arg(value_name = "RECORD.json", required = true)]
    records: Vec<PathBuf>,
    /// Write to a file, which must not exist yet, instead of standard output
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    overwrite: Overwrite,
    /// Write Markdown tables instead of a page; the first line is the command
    #[arg(long)]
    markdown: bool,
}

/// Runs the command.
pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let target = arguments
        .output
        .as_deref()
        .map(|path| arguments.overwrite.open(path));
    let target = target.transpose()?;
    let mut files = Vec::new();
    for path in &arguments.records {
        super::collect(path, &mut files)?;
    }
    if let Some(target) = &target {
        arguments::refuse_input(target, "record", &files)?;
    }
    let read = |file: &PathBuf| super::read(file);
    let records: Vec<Record> = files.iter().map(read).collect::<Result<_, _>>()?;
    if records.is_empty() {
        return Err(Failure::run(
            "the folders have no .json file: name a record, or a folder with records",
        ));
    }
    let command: Vec<String> = std::env::args().skip(1).collect();
    let command = format!("tavli {}", command.join(" "));
    let written = match arguments.markdown {
        true => report::text(&command, &records),
        false => report::page(&command, &records),
    };
    match target {
        Some(target) => Ok(target.replace(written.as_bytes())?),
        None => Ok(io::stdout().write_all(written.as_bytes())?),
    }
}
