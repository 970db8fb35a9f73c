//! `tavli merge`: merges the parts of a rollout.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use tavli::rollout::{MergeError, Rollout};

use crate::arguments::{self, Overwrite};
use crate::failure::Failure;
use crate::standings::{self, Layout, Style};

/// Merge the parts of a rollout
///
/// The files are those saved by tavli rollout --shard. They must be parts of one rollout and hold each of its trials
/// once; otherwise nothing is written, and the error names the conflict. The result equals the rollout played as a
/// whole; tavli rollout --resume continues it.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// Saved rollouts, in any order
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Save the merged rollout as FILE, which must not exist yet
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    overwrite: Overwrite,
    #[command(flatten)]
    style: Style,
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let target = arguments.overwrite.open(&arguments.output)?;
    arguments::refuse_input(&target, "part", &arguments.files)?;
    let parts = arguments
        .files
        .iter()
        .map(|path| Rollout::load(path).map_err(Failure::run));
    let parts = parts.collect::<Result<Vec<Rollout>, Failure>>()?;
    let whole = Rollout::merge(&parts).map_err(|error| {
        let file = |part: usize| arguments.files[part].display();
        match error {
            MergeError::Different { one, other, .. } | MergeError::Overlap { one, other, .. } => {
                Failure::run(format_args!("{} and {}: {error}", file(one), file(other)))
            }
            _ => Failure::run(error),
        }
    })?;
    // The result is printed even if it cannot be saved.
    let saved = whole.save_to(&target);
    let mut output = io::stdout();
    standings::write(
        &whole,
        None,
        None,
        Layout::new(&arguments.style),
        &mut output,
    )?;
    output.flush()?;
    Ok(saved?)
}
