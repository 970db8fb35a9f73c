//! `tavli rollout`: games from a position or its candidate plays, with statistics, or from each position of a file.
//!
//! The arguments are read into a [`Task`], whose parts are handed on. What is asked begins a
//! [`Question`](question::Question), of one position or of each line of a file, which is played and written alike in
//! every game.

use tavli::games::PlayableGame;
use tavli_terminal::failure::Failure;

mod arguments;
mod backgammon;
mod one_position;
mod other_games;
pub(crate) mod output;
pub(crate) mod question;
mod save_options;
mod saved;
mod table;
mod task;

pub use arguments::RolloutArguments;
pub use backgammon::request::BackgammonRequest;
pub use task::Task;

use backgammon::lines::BackgammonLines;
use other_games::lines::GameLines;
use table::each_line;

pub(crate) fn run(arguments: &RolloutArguments) -> Result<(), Failure> {
    let task = Task::read(arguments)?;
    match &task.positions {
        Some(path) => each_line::run(&task, path, || BackgammonLines::new(&task.request)),
        None => {
            let (rollout, checkpoint) = task.begin()?;
            task.play(Box::new(rollout), checkpoint)
        }
    }
}

pub(crate) fn run_other_game<G: PlayableGame>(arguments: &RolloutArguments) -> Result<(), Failure> {
    let task = Task::read_game(arguments)?;
    match &task.positions {
        Some(path) => each_line::run(&task, path, || GameLines::<G>::new(&task.request)),
        None => {
            let (question, checkpoint) = task.begin_game::<G>()?;
            task.play(question, checkpoint)
        }
    }
}
