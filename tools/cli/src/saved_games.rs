//! Files of games: backgammon as a Jellyfish match (`.mat`) or SGF, other games in their own form.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use clap::Args;
use tavli::RuleSet;
use tavli::duel::GameActions;
use tavli::file::Target;
use tavli::games::{GameTranscript, PlayableGame};
use tavli::transcript::{Match, Recording, StepError};
use tavli_terminal::failure::Failure;
use tavli_terminal::numbers::{counted, grouped};
use tavli_terminal::output;

use crate::arguments::Overwrite;

/// Where games are saved.
#[derive(Args, Clone, Debug)]
pub(crate) struct Save {
    /// Save the games as FILE.mat, FILE.txt or FILE.sgf; in draughts as FILE.pdn
    #[arg(long, value_name = "FILE")]
    #[arg(long_help = "Save the games; the end of the name says in which form\n\n  \
        .mat, .txt: the text form of Jellyfish, which tavli analyze and tavli gnubg read\n  \
        .sgf: for GNU Backgammon\n  \
        .pdn: games of draughts")]
    save: Option<PathBuf>,
    #[command(flatten)]
    overwrite: Overwrite,
}

/// The stakes of saved games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Played {
    /// Games without a cube.
    Cubeless,
    /// Money games, gammons counting only once the cube has been turned, or always.
    Money { jacoby: bool },
    /// A match to a number of points.
    Match(u16),
    /// Matches to `length` points, of which the first `first` are saved, each in a file of its own.
    Matches { length: u16, first: u64 },
}

/// Games on their way into files.
pub(crate) struct SavedGames {
    path: PathBuf,
    overwrite: Overwrite,
    played: Played,
    players: [String; 2],
    recording: Recording,
    /// The file; `None` if each match has its own.
    target: Option<Target>,
    /// Money games or matches that are saved.
    number: u64,
    /// Whether a session has as many points as a file can hold.
    is_full: bool,
    failure: Option<Failure>,
}

impl Save {
    /// Opens the file that the options name, if they name one, for a game other than backgammon.
    pub(crate) fn open_of<G: PlayableGame>(&self, game: &G) -> Result<Option<GamesFile>, Failure> {
        self.overwrite.check(self.save.is_some())?;
        let open = |path: &PathBuf| GamesFile::open(path.clone(), self.overwrite, game);
        self.save.as_ref().map(open).transpose()
    }

    /// Opens the file that the options name, if any.
    pub(crate) fn open(
        &self,
        played: Played,
        rules: RuleSet,
        players: [String; 2],
    ) -> Result<Option<SavedGames>, Failure> {
        let Some(path) = &self.save else {
            self.overwrite.check(false)?;
            return Ok(None);
        };
        if rules != RuleSet::Backgammon {
            let reason = format_args!("such files have games of backgammon, not of {rules}: leave --save out");
            return Err(refusal(path, reason));
        }
        if !["mat", "txt", "sgf"].iter().any(|ending| has_ending(path, ending)) {
            return Err(refusal(path, "games of backgammon are saved as FILE.mat, FILE.txt or FILE.sgf"));
        }
        let players = told_apart(players);
        let saved = |target| SavedGames {
            path: path.clone(),
            overwrite: self.overwrite,
            played,
            recording: recording(played, &players),
            players,
            target,
            number: 0,
            is_full: false,
            failure: None,
        };
        Ok(Some(match played {
            Played::Matches { first, .. } => {
                // Refused before hours of games. The files are not held open: a process may have a thousand or so.
                for number in 1..=first {
                    self.overwrite.open(&numbered(path, number))?;
                }
                saved(None)
            }
            _ => saved(Some(self.overwrite.open(path)?)),
        }))
    }
}

/// The failure of a file that games are not saved in.
fn refusal(path: &Path, reason: impl Display) -> Failure {
    Failure::usage(format_args!("--save {}: {reason}", path.display()))
}

/// The names of A and B, told apart if they are the same.
pub(crate) fn told_apart([a, b]: [String; 2]) -> [String; 2] {
    match a == b {
        true => [format!("{a} (A)"), format!("{b} (B)")],
        false => [a, b],
    }
}

fn recording(played: Played, players: &[String; 2]) -> Recording {
    let new = |length| Recording::new(length, players.clone());
    match played {
        Played::Cubeless => new(None).without_cube(),
        Played::Money { jacoby: true } => new(None).with_jacoby(),
        Played::Money { jacoby: false } => new(None),
        Played::Match(length) | Played::Matches { length, .. } => new(Some(length)),
    }
}

/// The name of the file of a match of several: `duel-7.mat`.
fn numbered(path: &Path, number: u64) -> PathBuf {
    let mut name = path.file_stem().unwrap_or_default().to_owned();
    name.push(format!("-{number}"));
    if let Some(extension) = path.extension() {
        name.push(".");
        name.push(extension);
    }
    path.with_file_name(name)
}

/// The text of a match, in the form that the ending of its file names.
fn text(path: &Path, played: &Match) -> String {
    match has_ending(path, "sgf") {
        true => played.sgf(),
        false => played.mat(),
    }
}

/// Whether a file has this extension, in capitals or not.
fn has_ending(path: &Path, ending: &str) -> bool {
    path.extension().is_some_and(|found| found.eq_ignore_ascii_case(ending))
}

impl SavedGames {
    /// Adds the games of a money game or a match that was played to its end. [`SavedGames::finish`] reports a failure.
    pub(crate) fn add(&mut self, games: Vec<GameActions>) {
        if self.failure.is_some() || self.is_full {
            return;
        }
        for game in games {
            self.game(&game, None);
        }
        if let Played::Matches { .. } = self.played
            && self.failure.is_none()
        {
            let path = numbered(&self.path, self.number + 1);
            let written = recording(self.played, &self.players);
            let written = std::mem::replace(&mut self.recording, written);
            let replaced = self.overwrite.open(&path).and_then(|target| {
                let saved = target.replace(text(&path, written.played()).as_bytes());
                saved.map_err(Failure::unwritten)
            });
            self.failure = replaced.err();
        }
        self.number += u64::from(self.failure.is_none() && !self.is_full);
    }

    /// Adds a game that ended by its last step, was given up (`given_up` has the winner and the points), or was left.
    pub(crate) fn game(&mut self, actions: &GameActions, given_up: Option<(usize, u16)>) {
        if self.failure.is_some() || self.is_full || actions.is_empty() && given_up.is_none() {
            return;
        }
        let mut record = || {
            self.recording.begin()?;
            for &(player, action) in actions {
                self.recording.act(player, action)?;
            }
            if let Some((winner, points)) = given_up {
                self.recording.give_up(winner, points);
            }
            Ok(())
        };
        match record() {
            Ok(()) => {}
            Err(StepError::Points) => self.is_full = true,
            Err(error) => self.failure = Some(Failure::run(format_args!("{}: {error}", self.path.display()))),
        }
    }

    /// Writes the rest, and reports how many of `all` money games or matches are missing.
    pub(crate) fn finish(self, all: u64) -> Result<(), Failure> {
        if let Some(failure) = self.failure {
            return Err(failure);
        }
        let path = self.path.display();
        if let Some(target) = &self.target {
            if self.recording.played().games.is_empty() {
                remark_on_no_game(&self.path);
                return Ok(());
            }
            target.replace(text(&self.path, self.recording.played()).as_bytes()).map_err(Failure::unwritten)?;
        }
        if self.is_full {
            output::remark(format_args!(
                "remark: {path} ends where a player would have more points than a file can hold"
            ));
        } else if self.number < all {
            let (saved, unit) = match self.played {
                Played::Matches { .. } => {
                    let [first, last] = [1, self.number].map(|number| numbered(&self.path, number));
                    let saved = format!("{} to {} have", first.display(), last.display());
                    (saved, counted(all, "match", "matches"))
                }
                _ => (format!("{path} has"), counted(all, "game", "games")),
            };
            remark_on_rest(&saved, self.number, &unit);
        }
        Ok(())
    }
}

/// Games other than backgammon's on their way into a file, in the form of their own files.
pub(crate) struct GamesFile {
    path: PathBuf,
    target: Target,
    text: String,
    number: u64,
}

impl GamesFile {
    pub(crate) fn open<G: PlayableGame>(path: PathBuf, overwrite: Overwrite, game: &G) -> Result<GamesFile, Failure> {
        let (start, players, turns) = (game.start(), ["", ""], &[][..]);
        if game.transcript(&GameTranscript { players, start, turns }).is_none() {
            let reason = format_args!("{} has no files of games: leave --save out", G::NAME);
            return Err(refusal(&path, reason));
        }
        if !has_ending(&path, "pdn") {
            return Err(refusal(&path, format_args!("games of {} are saved as FILE.pdn", G::NAME)));
        }
        Ok(GamesFile { target: overwrite.open(&path)?, path, text: String::new(), number: 0 })
    }

    /// Adds a game, which may have been left before its end.
    pub(crate) fn add<G: PlayableGame>(&mut self, game: &G, record: &GameTranscript<'_, G::Position>) {
        self.text.extend(game.transcript(record));
        self.number += 1;
    }

    /// Writes the games, and reports how many of `all` are missing.
    pub(crate) fn finish(self, all: u64) -> Result<(), Failure> {
        let path = self.path.display();
        if self.number == 0 {
            remark_on_no_game(&self.path);
            return Ok(());
        }
        self.target.replace(self.text.as_bytes()).map_err(Failure::unwritten)?;
        if self.number < all {
            remark_on_rest(&format!("{path} has"), self.number, &counted(all, "game", "games"));
        }
        Ok(())
    }
}

fn remark_on_no_game(path: &Path) {
    output::remark(format_args!("remark: no game to save in {}", path.display()));
}

/// Says that the files have the first `number` of all games or matches only.
fn remark_on_rest(files: &str, number: u64, all: &str) {
    output::remark(format_args!(
        "remark: --save {files} the first {} of {all}: --save-first saves more",
        grouped(number)
    ));
}

/// The games that a duel saves by default.
// 1 to 2 MB, where `tavli analyze` reads up to 16 MB; until the file is written, 20 MB of memory.
pub(crate) const FIRST_GAMES: u64 = 1000;
/// The matches that a duel saves by default. Each is a file: nobody who names one file expects hundreds.
pub(crate) const FIRST_MATCHES: u64 = 10;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_matches_are_numbered_before_their_ending() {
        for (name, expected) in [("duel.mat", "duel-7.mat"), ("a.b/duel", "a.b/duel-7"), ("x.y.mat", "x.y-7.mat")] {
            assert_eq!(numbered(Path::new(name), 7), Path::new(expected));
        }
    }
}
