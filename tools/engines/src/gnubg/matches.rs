//! Commands about a match: reading it, writing it and its analysis.

use std::io::{self, Write};
use std::path::Path;

use tavli::file::{Existing, Target};
use tavli::run::Cancel;
use tavli::transcript::{Analysis, Match, ValuedBy};

use super::session::Session;
use super::texts::{seated, unquoted};
use crate::{match_file, statistics};

impl Session {
    /// Reads a match, and shows the position before its last step.
    pub(super) fn import(&mut self, path: &str, cancel: &Cancel) -> io::Result<()> {
        let path = unquoted(path);
        match match_file::read(Path::new(path), cancel) {
            Ok(None) => Ok(()),
            Ok(Some(played)) => {
                let last = played.games.iter().enumerate().rev().find(|(_, game)| !game.steps.is_empty());
                let last = last.map(|(number, game)| (number, game.steps.len() - 1));
                self.names = played.players.clone();
                (self.played, self.analysis) = (Some(played), None);
                self.go_to(last.unwrap_or_default());
                self.draw()
            }
            Err(error) => writeln!(self.output, "Error: {error}"),
        }
    }

    /// Shows the position before a step of the match.
    pub(super) fn go_to(&mut self, (game, step): (usize, usize)) {
        let played = self.played.as_ref().and_then(|played| played.games.get(game)?.steps.get(step));
        self.position = played.map(seated);
        self.at = (game, step);
    }

    /// Writes the match in a form, and replaces a file of that name.
    pub(super) fn export(&mut self, path: &str, form: fn(&Match) -> String) -> io::Result<()> {
        let path = unquoted(path);
        let Some(played) = &self.played else {
            return writeln!(self.output, "No match to write: import one.");
        };
        let text = form(played);
        self.write(Path::new(path), &text)
    }

    /// Writes a file, and replaces one of that name.
    pub(super) fn write(&mut self, path: &Path, text: &str) -> io::Result<()> {
        let target = Target::open(path, Existing::Replace);
        match target.and_then(|target| target.replace(text.as_bytes())) {
            Ok(()) => Ok(()),
            Err(error) => writeln!(self.output, "Error: {error}"),
        }
    }

    /// Analyses the match if it is not yet analysed.
    pub(super) fn analyse(&mut self, cancel: &Cancel) -> io::Result<()> {
        if !self.start_workers()? {
            return Ok(());
        }
        let Some(played) = &self.played else {
            return writeln!(self.output, "No match to analyse: import one.");
        };
        if self.analysis.is_none() {
            match Analysis::new(played, &self.engine, ValuedBy::Player, |_, _| ()) {
                // A partial analysis would pass for a whole one.
                Ok(analysis) if analysis.cancelled && !cancel.is_cancelled() => {
                    writeln!(self.output, "Error: interrupted")?;
                }
                Ok(analysis) if analysis.cancelled => {}
                Ok(analysis) => self.analysis = Some(analysis),
                Err(error) => writeln!(self.output, "Error: {error}")?,
            }
        }
        Ok(())
    }

    /// Shows the statistics of the match, or of its last game, which it analyses first.
    pub(super) fn show_statistics(&mut self, of_game: bool, cancel: &Cancel) -> io::Result<()> {
        self.analyse(cancel)?;
        let (Some(played), Some(analysis)) = (&self.played, &self.analysis) else {
            return Ok(());
        };
        let game = of_game.then(|| played.games.len() - 1);
        statistics::write(played, analysis, game, &mut self.output)
    }
}
