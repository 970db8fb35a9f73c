//! `tavli merge`: merges the parts of a rollout or of a search.

use std::fmt::Display;
use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use tavli::file::Target;
use tavli::rollout::{MergeError, Rollout, StopReason};
use tavli::search::SearchResult;
use tavli_terminal::failure::Failure;
use tavli_terminal::output;

use crate::arguments::{self, Format, Overwrite};
use crate::layout::{Layout, Style};
use crate::{rollout, search};

/// Merge the parts of a rollout or of a search
///
/// The files are those saved by --shard of tavli rollout or of tavli search. They must be parts of one rollout and hold
/// each of its trials once, or of one search and hold each of its trees once; otherwise nothing is written, and the
/// error names the conflict. The result equals the rollout, or the search, of one process; tavli rollout --resume
/// continues a rollout.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// Saved rollouts, or saved searches, in any order
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Save the merged result as FILE, which must not exist yet
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    overwrite: Overwrite,
    #[command(flatten)]
    format: Format,
    #[command(flatten)]
    style: Style,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let target = arguments.overwrite.open(&arguments.output)?;
    arguments::refuse_input(&target, "part", &arguments.files)?;
    // The first file decides.
    let first = arguments.files.first().expect("one is required");
    match Kind::of(first)? {
        Kind::Rollout => arguments.merge_rollouts(&target),
        Kind::Search => arguments.merge_searches(&target),
    }
}

/// The kind of record in a file.
#[derive(Clone, Copy)]
enum Kind {
    Rollout,
    Search,
}

impl Kind {
    /// Reads the kind of a file from its first member, so that a file that is cut short or damaged behind it is still
    /// reported by its kind.
    fn of(path: &Path) -> Result<Kind, Failure> {
        let name = path.display();
        let mut begin = Vec::new();
        File::open(path)
            .and_then(|file| file.take(MOST_BEFORE_FORMAT).read_to_end(&mut begin))
            .map_err(|error| Failure::usage(format_args!("cannot read {name}: {error}")))?;
        let begin = String::from_utf8_lossy(&begin);
        let mut left = begin.as_ref();
        for token in ["{", "\"format\"", ":", "\""] {
            left = left.trim_start().strip_prefix(token).unwrap_or_default();
        }
        match left.split_once('"') {
            Some(("tavli rollout", _)) => Ok(Kind::Rollout),
            Some(("tavli search", _)) => Ok(Kind::Search),
            _ => Err(Failure::usage(format_args!(
                "cannot use {name}: it is the record of neither a rollout nor a search; name files that --save wrote"
            ))),
        }
    }
}

/// The bytes of a record before and in its format, blanks included.
const MOST_BEFORE_FORMAT: u64 = 1024;

impl Arguments {
    fn merge_rollouts(&self, target: &Target) -> Result<(), Failure> {
        let whole = Rollout::merge(&self.load(Rollout::load)?).map_err(|error| self.conflict(&error))?;
        // The result is printed even if it cannot be saved.
        let saved = whole.save_to(target);
        let mut output = output::stdout();
        let layout = Layout::new(self.format, self.style);
        rollout::result::write(&whole, StopReason::Trials, None, layout, &mut output)?;
        output.flush()?;
        saved.map_err(Failure::unwritten)
    }

    fn merge_searches(&self, target: &Target) -> Result<(), Failure> {
        let layout = Layout::new(self.format, self.style);
        if layout == Layout::Csv {
            return Err(Failure::usage(
                "searches are written as text or with --json: leave --csv out",
            ));
        }
        let whole = SearchResult::merge(&self.load(SearchResult::load)?).map_err(|error| self.conflict(&error))?;
        let saved = whole.save_to(target);
        let mut output = output::stdout();
        if layout == Layout::Json {
            search::result::write_json(&whole, None, &mut output)?;
        } else {
            search::result::print_head(&whole, None, &mut output)?;
            search::result::print(&whole, &mut output)?;
        }
        output.flush()?;
        saved.map_err(Failure::unwritten)
    }

    /// Loads all files.
    fn load<T, E: Display>(&self, load: impl Fn(&Path) -> Result<T, E>) -> Result<Vec<T>, Failure> {
        let parts = self.files.iter().map(|path| load(path));
        parts.map(|part| part.map_err(|error| Failure::usage(error))).collect()
    }

    /// The failure of parts that do not fit together, with the names of the files concerned.
    fn conflict(&self, error: &MergeError) -> Failure {
        let files = error.parts().into_iter().map(|part| self.files[part].display());
        let files: Vec<String> = files.map(|file| file.to_string()).collect();
        match files.is_empty() {
            true => Failure::usage(error),
            false => Failure::usage(format_args!("{}: {error}", files.join(" and "))),
        }
    }
}
