//! `tavli playout`: games from a position, or from each position of a file.

mod arguments;
mod backgammon;
mod description;
mod json;
mod one_position;
mod other_games;
mod per_game;
mod playing;
mod positions_file;
mod summary;
mod text;

pub(crate) use arguments::PlayoutArguments;
pub(crate) use description::PlayoutDescription;
pub(crate) use json::RunJson;
pub(crate) use summary::Summary;
pub(crate) use text::{describe, print};

use tavli::games::PlayableGame;

use crate::game_turn::is_backgammon;
use backgammon::Backgammon;
use other_games::GameSetup;
use playing::PlayoutGame;
use tavli_terminal::failure::Failure;

pub(crate) fn run<G: PlayableGame>(arguments: &PlayoutArguments) -> Result<(), Failure> {
    match is_backgammon::<G>() {
        true => run_by(arguments, Backgammon::new(arguments)?),
        false => run_by(arguments, GameSetup::<G>::new(arguments)?),
    }
}

fn run_by(arguments: &PlayoutArguments, playing: impl PlayoutGame) -> Result<(), Failure> {
    match &arguments.positions {
        Some(path) => positions_file::run(arguments, playing, path),
        None => one_position::run(arguments, playing),
    }
}
