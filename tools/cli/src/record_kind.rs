//! The kind of a saved result, by the first bytes of its file.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use tavli::games::NAMES;
use tavli::text::{Quoted, without_mark};

use tavli_terminal::failure::Failure;

/// The kind of record in a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum RecordKind {
    /// A rollout of backgammon.
    Rollout,
    /// A rollout of the named game.
    GameRollout(String),
    Search,
}

/// The bytes of a record before and in its format and its game, blanks included.
const MAX_BYTES: u64 = 1024;

/// The text of the member `name` that follows the tokens at the beginning of `text`, and the rest.
fn text_after<'a>(text: &'a str, tokens: &[&str]) -> Option<(&'a str, &'a str)> {
    let mut left = text;
    for token in tokens {
        left = left.trim_start().strip_prefix(token)?;
    }
    left.split_once('"')
}

impl RecordKind {
    /// Reads the kind of a file from its first members, so that the error of a file that is cut short or damaged after
    /// them still names its kind.
    pub(crate) fn read(path: &Path) -> Result<RecordKind, Failure> {
        let name = path.display();
        let mut begin = Vec::new();
        File::open(path)
            .and_then(|file| file.take(MAX_BYTES).read_to_end(&mut begin))
            .map_err(|error| Failure::unreadable(path, error))?;
        let begin = String::from_utf8_lossy(without_mark(&begin));
        match text_after(&begin, &["{", "\"format\"", ":", "\""]) {
            Some(("tavli rollout", _)) => Ok(RecordKind::Rollout),
            Some(("tavli search", _)) => Ok(RecordKind::Search),
            Some(("tavli game rollout", rest)) => {
                let game = rest.split_once("\"game\"");
                let game = game.and_then(|(_, rest)| text_after(rest, &[":", "\""]));
                // The reader of the record says what is wrong with it.
                Ok(RecordKind::GameRollout(game.map_or("", |(game, _)| game).to_owned()))
            }
            _ => Err(Failure::usage(format_args!(
                "cannot use {name}: it is the record of neither a rollout nor a search; name files that --save wrote"
            ))),
        }
    }

    /// The game of a rollout; `None` if this program has no such game.
    pub(crate) fn game_of_rollout(&self) -> Option<&str> {
        match self {
            RecordKind::Rollout => Some(NAMES[0]),
            RecordKind::GameRollout(found) => NAMES.contains(&found.as_str()).then_some(found),
            RecordKind::Search => None,
        }
    }

    /// Refuses a rollout of another game than `game`.
    pub(crate) fn check_game(&self, path: &Path, game: &str) -> Result<(), Failure> {
        match self.game_of_rollout() {
            // Other faults are reported when the record is read.
            None => Ok(()),
            Some(found) if found == game => Ok(()),
            Some(found) => Err(Failure::usage(format_args!(
                "{} is a rollout of {found}, not of {game}: leave --game out, or write --game {found}",
                Quoted::new(&path.display().to_string())
            ))),
        }
    }
}
