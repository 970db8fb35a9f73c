//! The file in which a rollout, or a table of rollouts, is saved.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{ArgGroup, Args};
use tavli::file::{Existing, FileError, Target};
use tavli::rollout::Checkpoint;
use tavli_terminal::failure::Failure;

use crate::arguments;

/// The options of the saved file.
#[derive(Args, Clone, Debug)]
#[command(group = ArgGroup::new("file").args(["save", "resume"]))]
pub(crate) struct SaveOptions {
    /// Save the rollout, or the table of --positions, as a new FILE
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Replace the file of --save if it exists
    #[arg(long, requires = "save", conflicts_with = "resume")]
    force: bool,
    /// Continue the rollout or table saved as FILE; with a position or --positions, begin FILE if it does not exist
    ///
    /// It ends by the rules that it was saved with, or by those that are given now.
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
    /// Save the rollout every S seconds, with --save or --resume
    #[arg(long, value_name = "S", default_value = "10", allow_negative_numbers = true, requires = "file")]
    #[arg(value_parser = arguments::seconds)]
    pub(super) checkpoint: Duration,
}

impl SaveOptions {
    /// The options that name the file, and whether each is given.
    pub(super) fn given(&self) -> [(&'static str, bool); 2] {
        [("--save", self.save.is_some()), ("--resume", self.resume.is_some())]
    }

    /// Whether a saved file is to be continued.
    pub(super) fn resumes(&self) -> bool {
        self.resume.is_some()
    }

    /// The saved rollout that is to be continued, if there is one: with a position, FILE may not exist yet.
    pub(super) fn saved(&self, has_position: bool) -> Option<&Path> {
        self.resume.as_deref().filter(|path| !has_position || path.exists())
    }

    /// Where a rollout is saved, and how often. The file is locked before it is read, so that nobody writes it in
    /// between.
    pub(super) fn checkpoint(&self) -> Result<Option<Checkpoint>, Failure> {
        let target = self.target(&[])?;
        Ok(target.map(|target| Checkpoint { target, interval: self.checkpoint }))
    }

    /// The file to write, which must be none of the `inputs`.
    pub(super) fn target(&self, inputs: &[PathBuf]) -> Result<Option<Target>, Failure> {
        let (path, existing) = match (&self.save, &self.resume) {
            (Some(path), _) if !self.force => (path, Existing::Refuse),
            (Some(path), _) | (None, Some(path)) => (path, Existing::Replace),
            (None, None) => return Ok(None),
        };
        arguments::check_file(path)?;
        if self.force {
            arguments::refuse_named_twice(path)?;
        }
        let target = Target::open(path, existing).map_err(|error| match error {
            FileError::Exists { .. } => Failure::usage(format_args!(
                "{error}; --resume continues it if it is a saved rollout, --force replaces it"
            )),
            error => Failure::unwritable(error),
        })?;
        arguments::refuse_input(&target, "input", inputs)?;
        Ok(Some(target))
    }
}
