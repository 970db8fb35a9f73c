//! `tavli rollout`: games from a position or its candidate plays, with statistics, or from each position of a file.
//!
//! The arguments are read into a [`Task`], whose parts are handed on: what is asked begins a [`Question`], of one
//! position or of each line of a file, which is played and written alike in every game.

use tavli::game::PlayableGame;
use tavli_terminal::failure::Failure;

mod arguments;
mod backgammon_lines;
mod backgammon_question;
mod cells;
mod csv_table;
mod decision;
pub(crate) mod game_decision;
mod game_lines;
mod game_question;
mod game_request;
pub(crate) mod game_result;
mod one_position;
mod positions_file;
pub(crate) mod question;
mod request;
pub(crate) mod result;
mod save_options;
mod saved;
mod saved_rollout;
mod task;

pub use arguments::RolloutArguments;
pub use request::BackgammonRequest;
pub use task::Task;

use backgammon_lines::BackgammonLines;
use game_lines::GameLines;

pub(crate) fn run(arguments: &RolloutArguments) -> Result<(), Failure> {
    let task = Task::read(arguments)?;
    match &task.positions {
        Some(path) => positions_file::run(&task, path, || BackgammonLines::new(&task.request)),
        None => {
            let (rollout, checkpoint) = task.begin()?;
            task.play(Box::new(rollout), checkpoint)
        }
    }
}

pub(crate) fn run_other_game<G: PlayableGame>(arguments: &RolloutArguments) -> Result<(), Failure> {
    let task = Task::read_game(arguments)?;
    match &task.positions {
        Some(path) => positions_file::run(&task, path, || GameLines::<G>::new(&task.request)),
        None => {
            let (question, checkpoint) = task.begin_game::<G>()?;
            task.play(question, checkpoint)
        }
    }
}
