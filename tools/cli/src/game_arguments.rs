//! Arguments that the commands of all games share.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use tavli::NO_STOP;
use tavli::file;
use tavli::game::{NamedGame, SolvedPositions, built_in_nets, names_of_nets, read_solved_positions};
use tavli::text::Quoted;

use crate::arguments::{OF_OTHERS, START};
use crate::failure::Failure;

/// Solved positions.
#[derive(Args, Clone, Debug)]
pub(crate) struct Endgames {
    /// Solved endgames, a file of tavli solve: searches take their values where they reach them
    #[arg(long, value_name = "FILE", help_heading = OF_OTHERS)]
    endgames: Option<PathBuf>,
}

/// The solved positions of a game.
pub(crate) type Solved<G> = Option<Arc<dyn SolvedPositions<<G as tavli::game::Game>::Position>>>;

impl Endgames {
    /// Reads the file, if there is one.
    pub(crate) fn read<G: NamedGame>(&self, game: &G) -> Result<Solved<G>, Failure> {
        endgames(game, self.endgames.as_deref())
    }
}

/// Reads the solved positions in the file of `--endgames`, if there is one.
pub(crate) fn endgames<G: NamedGame>(game: &G, path: Option<&Path>) -> Result<Solved<G>, Failure> {
    let read = |path: &Path| {
        let cannot = |reason: String| Failure::usage(format_args!("--endgames {}: {reason}", path.display()));
        let file = file::read(path, file::TABLE, NO_STOP).map_err(|error| cannot(error.to_string()))?;
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

/// Refuses a position whose value the tables have.
pub(crate) fn is_unsolved<G: NamedGame>(game: &G, tables: &Solved<G>, position: &G::Position) -> Result<(), Failure> {
    match tables.as_ref().and_then(|tables| tables.known(position)) {
        None => Ok(()),
        Some(_) => Err(Failure::usage(format_args!(
            "the file of --endgames has the value of {}: tavli solve {} --table FILE POSITION prints it",
            game.text(position),
            G::NAME
        ))),
    }
}

/// Reads a position, or takes the start of a game if there is none, or [`START`].
pub(crate) fn position<G: NamedGame>(game: &G, text: Option<&str>) -> Result<G::Position, Failure> {
    match text {
        None => Ok(game.start()),
        Some(text) if text.trim() == START => Ok(game.start()),
        Some(text) => game.read(text.trim()).map_err(Failure::usage),
    }
}

/// The text of all that a position holds, if its usual text leaves something out.
pub(crate) fn state<G: NamedGame>(game: &G, position: &G::Position) -> Option<String> {
    let state = game.state(position);
    (state != game.text(position)).then_some(state)
}

/// The index of an evaluator of the game, the first if none is named.
pub(crate) fn evaluator<G: NamedGame>(name: Option<&str>) -> Result<usize, Failure> {
    let name = name.unwrap_or(G::EVALUATORS[0]);
    let index = G::EVALUATORS.iter().position(|&evaluator| evaluator == name);
    index.ok_or_else(|| {
        let names = G::EVALUATORS.join(", ");
        let nets = names_of_nets::<G>().map(|nets| format!(", {nets}"));
        Failure::usage(format_args!(
            "'{}' is no evaluator of {}, which has: {names}{}",
            Quoted::new(name),
            G::NAME,
            nets.unwrap_or_default()
        ))
    })
}

/// Refuses a position in which the game is over.
pub(crate) fn goes_on<G: NamedGame>(game: &G, position: &G::Position) -> Result<(), Failure> {
    match game.points(position) {
        None => Ok(()),
        Some(_) => Err(Failure::usage(format_args!(
            "the game is over in the position {}",
            game.text(position)
        ))),
    }
}

/// The chance that a text names: the roll, or the only one of a game without dice.
pub(crate) fn chance<G: NamedGame>(game: &G, text: Option<&str>) -> Result<usize, String> {
    let name = G::NAME;
    match (game.chances().len(), text) {
        (1, None) => Ok(0),
        (1, Some(roll)) => Err(format!(
            "{name} has no dice: leave '{}' out, or write the whole position as one argument",
            Quoted::new(roll)
        )),
        (_, None) => Err(format!(
            "{name} has dice: write the ROLL, such as 31, after the position"
        )),
        (_, Some(roll)) => game.chance(roll.trim()).ok_or_else(|| {
            format!(
                "'{}' is no roll: write two digits 1 to 6, such as 31",
                Quoted::new(roll)
            )
        }),
    }
}
