//! `tavli merge`: merges the shards of a rollout or of a search.

use std::fmt::Display;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use tavli::Tier;
use tavli::file::Target;
use tavli::games::{GameRollout, PlayableGame, Visitor, visit_other};
use tavli::rollout::{EndReason, MergeError, ResumableRollout, Rollout};
use tavli::search::SearchResult;
use tavli_terminal::failure::Failure;
use tavli_terminal::output;

use crate::arguments::{self, Format, Overwrite};
use crate::layout::{Layout, Style, Text};
use crate::record_kind::RecordKind;
use crate::rollout::output::form::Form;
use crate::rollout::question::Question;
use crate::search;

/// Merge the shards of a rollout or of a search
///
/// The files are those that tavli rollout or tavli search saved with --shard. Give all shards of one rollout, or of one
/// search. The result equals that of one process.
///
/// Together the files must hold each trial of the rollout, or each tree of the search, once. Otherwise nothing is
/// written, and the error names the conflict. A merged rollout can be continued by tavli rollout --resume.
#[derive(Args, Debug)]
pub(crate) struct MergeArguments {
    /// Saved rollouts, or saved searches, in any order
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Save the merged result as a new FILE
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    overwrite: Overwrite,
    #[command(flatten)]
    format: Format,
    #[command(flatten)]
    style: Style,
}

pub(crate) fn run(arguments: &MergeArguments) -> Result<(), Failure> {
    let target = arguments.overwrite.open(&arguments.output)?;
    arguments::refuse_input(&target, "shard", &arguments.files)?;
    // The first file decides.
    let first = arguments.files.first().expect("one is required");
    let kind = RecordKind::read(first)?;
    arguments.refuse_other_game(first, &kind)?;
    match kind {
        RecordKind::Rollout => arguments.finish(Rollout::merge(&arguments.load(Rollout::load)?), &target),
        RecordKind::GameRollout(game) => {
            let merge = MergeGameRollouts(arguments, &target);
            visit_other(&game, merge).map_err(|error| Failure::usage(format_args!("{}: {error}", first.display())))?
        }
        RecordKind::Search => arguments.merge_searches(&target),
    }
}

impl MergeArguments {
    /// Saves and prints a merged rollout.
    fn finish<R: ResumableRollout + Question>(
        &self,
        whole: Result<R, MergeError>,
        target: &Target,
    ) -> Result<(), Failure> {
        let whole = whole.map_err(|error| self.conflict(&error))?;
        // The result is printed even if it cannot be saved.
        let saved = whole.save_to(target);
        let mut output = output::stdout();
        let form = Form::Whole(Layout::new(self.format, self.style), None);
        whole.write(EndReason::Trials, form, &mut output)?;
        output.flush()?;
        saved.map_err(Failure::unwritten)
    }

    fn merge_searches(&self, target: &Target) -> Result<(), Failure> {
        self.refuse_style("searches")?;
        let whole = SearchResult::merge(&self.load(SearchResult::load)?).map_err(|error| self.conflict(&error))?;
        let saved = whole.save_to(target);
        let mut output = output::stdout();
        if self.format.json {
            search::result::write_json(&whole, None, &mut output)?;
        } else {
            search::result::print_head(&whole, None, &mut output)?;
            search::result::print(&whole, &mut output)?;
        }
        output.flush()?;
        saved.map_err(Failure::unwritten)
    }

    /// Refuses a rollout of another game than the first file's.
    fn refuse_other_game(&self, first: &Path, kind: &RecordKind) -> Result<(), Failure> {
        for file in &self.files {
            // A file that cannot be read is reported when it is loaded.
            let other = RecordKind::read(file).ok();
            let games = [Some(kind), other.as_ref()].map(|kind| kind.and_then(RecordKind::game_of_rollout));
            if let [Some(game), Some(found)] = games
                && game != found
            {
                return Err(Failure::usage(format_args!(
                    "{} and {}: the game is {game} in one, {found} in the other; merge shards of one rollout",
                    first.display(),
                    file.display()
                )));
            }
        }
        Ok(())
    }

    /// Refuses the style of results that only backgammon has.
    fn refuse_style(&self, kind: &str) -> Result<(), Failure> {
        let option = match Layout::new(self.format, self.style) {
            Layout::Csv => "--csv",
            Layout::Text(Text::Gnubg | Text::Xg) => "--layout",
            Layout::Json | Layout::Text(Text::Both) => return Ok(()),
        };
        Err(Failure::usage(format_args!("{kind} are written as text or with --json: leave {option} out")))
    }

    /// Loads all files.
    fn load<T, E: Display>(&self, load: impl Fn(&Path) -> Result<T, E>) -> Result<Vec<T>, Failure> {
        let parts = self.files.iter().map(|path| load(path));
        parts.map(|part| part.map_err(|error| Failure::usage(error))).collect()
    }

    /// The failure of shards that do not fit together, with the names of the files concerned.
    fn conflict(&self, error: &MergeError) -> Failure {
        let files = error.parts().into_iter().map(|part| self.files[part].display());
        let files: Vec<String> = files.map(|file| file.to_string()).collect();
        match files.is_empty() {
            true => Failure::usage(error),
            false => Failure::usage(format_args!("{}: {error}", files.join(" and "))),
        }
    }
}

struct MergeGameRollouts<'a>(&'a MergeArguments, &'a Target);

impl Visitor for MergeGameRollouts<'_> {
    type Output = Result<(), Failure>;

    fn visit<G: PlayableGame>(self) -> Result<(), Failure> {
        let MergeGameRollouts(arguments, target) = self;
        arguments.refuse_style("rollouts of games other than backgammon")?;
        let parts = arguments.load(|path| GameRollout::<G>::load(path, Tier::best()))?;
        arguments.finish(GameRollout::merge(parts), target)
    }
}
