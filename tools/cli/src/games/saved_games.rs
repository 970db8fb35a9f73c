//! Games other than backgammon's, saved in the form of their own files.

use std::path::PathBuf;

use tavli::file::Target;
use tavli::game::{GameRecord, NamedGame};

use crate::arguments::Overwrite;
use crate::failure::Failure;
use crate::numbers::{counted, grouped};
use crate::output;

/// Games on their way into a file.
pub(crate) struct GamesFile {
    path: PathBuf,
    target: Target,
    text: String,
    number: u64,
}

impl GamesFile {
    /// Opens the file for games of `game`.
    pub(crate) fn open<G: NamedGame>(path: PathBuf, overwrite: Overwrite, game: &G) -> Result<GamesFile, Failure> {
        let (start, players, turns) = (game.start(), ["", ""], &[][..]);
        if game.record(&GameRecord { players, start, turns }).is_none() {
            return Err(Failure::usage(format_args!(
                "--save {}: {} has no files of games",
                path.display(),
                G::NAME
            )));
        }
        Ok(GamesFile {
            target: overwrite.open(&path)?,
            path,
            text: String::new(),
            number: 0,
        })
    }

    /// Adds a game, which may have been left before its end.
    pub(crate) fn add<G: NamedGame>(&mut self, game: &G, record: &GameRecord<'_, G::Position>) {
        self.text.extend(game.record(record));
        self.number += 1;
    }

    /// Writes the games, and says what is missing of `all`.
    pub(crate) fn finish(self, all: u64) -> Result<(), Failure> {
        let path = self.path.display();
        if self.number == 0 {
            output::complain(format_args!("remark: no game to save in {path}"));
            return Ok(());
        }
        self.target.replace(self.text.as_bytes())?;
        if self.number < all {
            output::complain(format_args!(
                "remark: --save {path} has the first {} of {}: --save-first saves more",
                grouped(self.number),
                counted(all, "game", "games")
            ));
        }
        Ok(())
    }
}
