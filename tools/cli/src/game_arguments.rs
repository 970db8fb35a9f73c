//! Arguments that the commands of all games share.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use tavli::NO_STOP;
use tavli::file;
use tavli::games::{PlayableGame, SolvedPositions, built_in_nets, read_solved_positions};
use tavli_terminal::failure::Failure;

use crate::arguments::OTHER_GAMES_HEADING;

/// Solved positions.
#[derive(Args, Clone, Debug)]
pub(crate) struct Endgames {
    /// File of solved endgames, which tavli solve draughts wrote: games end, and searches take its values, where they
    /// reach a position of it
    #[arg(long, value_name = "FILE", help_heading = OTHER_GAMES_HEADING)]
    endgames: Option<PathBuf>,
}

/// The solved positions of a game, if a file has some.
pub(crate) type EndgameTables<G> = Option<Arc<dyn SolvedPositions<<G as tavli::games::Game>::Position>>>;

impl Endgames {
    /// Reads the file, if there is one.
    pub(crate) fn read<G: PlayableGame>(&self, game: &G) -> Result<EndgameTables<G>, Failure> {
        endgames(game, self.endgames.as_deref())
    }
}

/// Reads the solved positions in the file of `--endgames`, if there is one.
pub(crate) fn endgames<G: PlayableGame>(game: &G, path: Option<&Path>) -> Result<EndgameTables<G>, Failure> {
    let read = |path: &Path| {
        let cannot = |reason: String| Failure::usage(format_args!("--endgames {}: {reason}", path.display()));
        let file = file::read(path, file::MAX_TABLE_BYTES, NO_STOP).map_err(|error| cannot(error.to_string()))?;
        read_solved_positions(game, &file).map_err(|error| cannot(error.to_string()))
    };
    path.map(read).transpose()
}

/// The built-in nets, each with its games: `strong of plakoto, fevga`.
pub(crate) fn list_of_nets() -> String {
    let mut names: Vec<&str> = built_in_nets().map(|(_, name)| name).collect();
    names.dedup();
    let of_games = names.iter().map(|name| {
        let games = built_in_nets().filter(|(_, other)| other == name);
        let games: Vec<&str> = games.map(|(game, _)| game).collect();
        format!("{name} of {}", games.join(", "))
    });
    of_games.collect::<Vec<_>>().join("; ")
}

/// Refuses a position that is solved in the tables.
pub(crate) fn check_unsolved<G: PlayableGame>(
    game: &G,
    tables: &EndgameTables<G>,
    position: &G::Position,
) -> Result<(), Failure> {
    match tables.as_ref().and_then(|tables| tables.known(position)) {
        None => Ok(()),
        Some(_) => Err(Failure::usage(format_args!(
            "the file of --endgames has the value of {}: tavli solve {} --table FILE POSITION prints it",
            game.state(position),
            G::NAME
        ))),
    }
}
