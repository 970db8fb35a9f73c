//! The doubling cube at the terminal: doubles, takes and passes before a roll.

use std::io::Write;
use std::sync::Arc;

use tavli::cube::{self, CubePosition, OutcomeProbabilities, Turn};
use tavli::evaluators::{self, EvaluationConditions, Evaluator, EvaluatorError};
use tavli::stepping::SteppedGame;
use tavli::transcript::Action;
use tavli::{Planes, Stopped};
use tavli_terminal::failure::Failure;

use super::order::{HELP, Order};
use super::seat::Seat;
use super::terminal_game::{End, TerminalGame};
use crate::cube::print;
use crate::layout::Text;

/// A person's answer before the roll, or to a double.
enum Answer {
    /// No double, or a take.
    GoOn,
    Double,
    Pass,
    Leave,
}

/// The evaluator by which a seat decides about the cube: a person's is for hints.
pub(super) fn decider(seat: &Seat, hints: &Arc<dyn Evaluator>) -> Result<Arc<dyn Evaluator>, Failure> {
    match seat {
        Seat::Player(policy) => {
            let no_values = || Failure::usage(EvaluatorError::Policy(policy.name().to_owned()));
            Arc::clone(policy).evaluator().ok_or_else(no_values)
        }
        Seat::Person | Seat::Search(_) => Ok(Arc::clone(hints)),
    }
}

impl<W: Write> TerminalGame<'_, W> {
    /// Asks the player on roll whether to double, and his opponent whether to take. Returns the end of the game, with
    /// the points for A, if the double was passed or a person left.
    pub(super) fn turn_cube(&mut self, game: &SteppedGame) -> Result<Option<End>, Failure> {
        let state = self.state;
        if !state.is_double_allowed() {
            return Ok(None);
        }
        let seats = self.seats;
        let mover = self.mover(game);
        let [player, opponent] = [&seats[mover], &seats[1 - mover]];
        let [name, name_of_opponent] = [&self.names[mover], &self.names[1 - mover]];
        let doubles = match player {
            Seat::Person => match self.ask(game, mover, false)? {
                Answer::Double => true,
                Answer::Leave => return self.left(game).map(Some),
                Answer::GoOn | Answer::Pass => false,
            },
            _ => {
                let Ok((probabilities, model)) = self.probabilities(game, mover) else {
                    return self.left(game).map(Some);
                };
                model.turn(&probabilities, &state) != Turn::Roll
            }
        };
        if !doubles {
            return Ok(None);
        }
        self.actions.push((mover, Action::Double));
        let doubled = state.doubled();
        writeln!(self.output, "     {name} {} to {}", player.verb("double"), doubled.cube())?;
        let takes = match opponent {
            Seat::Person => match self.ask(game, 1 - mover, true)? {
                Answer::Leave => return self.left(game).map(Some),
                answer => !matches!(answer, Answer::Pass),
            },
            _ => {
                let Ok((probabilities, model)) = self.probabilities(game, 1 - mover) else {
                    return self.left(game).map(Some);
                };
                model.cubeful_value(&probabilities, &doubled) < model.value_of_pass(&state)
            }
        };
        if takes {
            writeln!(self.output, "     {name_of_opponent} {}", opponent.verb("take"))?;
            self.state = doubled;
            self.actions.push((1 - mover, Action::Take));
            return Ok(None);
        }
        self.actions.push((1 - mover, Action::Pass));
        let points = state.cube() as i32;
        writeln!(
            self.output,
            "\n{name_of_opponent} {}; {name} {} {}",
            opponent.verb("pass"),
            player.verb("win"),
            super::terminal_game::points(points)
        )?;
        Ok(Some(End::Points(if mover == 0 { points } else { -points })))
    }

    /// The probabilities of the player on roll by the values of a seat, and the model of the position.
    fn probabilities(
        &self,
        game: &SteppedGame,
        seat: usize,
    ) -> Result<(OutcomeProbabilities, cube::CubeModel<'static>), Stopped> {
        let decider = &self.cube.as_ref().expect("a game with a cube").deciders[seat];
        let stop = || self.cancel.is_cancelled();
        let conditions = EvaluationConditions::new(game.rules(), self.tier).with_stop(&stop);
        let values = evaluators::values(&**decider, &conditions, &[Planes::from(*game.board())])?;
        Ok((OutcomeProbabilities::from(values[0]), cube::model(game.board())))
    }

    /// Asks a person whether to double, or whether to take a double.
    fn ask(&mut self, game: &SteppedGame, seat: usize, is_doubled: bool) -> Result<Answer, Failure> {
        let question = match is_doubled {
            true => "take or pass, or help?",
            false => "roll or double, or help?",
        };
        self.draw(game)?;
        if is_doubled {
            writeln!(self.output, "as the player on roll sees it, who has doubled to {}", self.state.doubled().cube())?;
        }
        loop {
            let Some(order) = self.order(question)? else {
                return Ok(Answer::Leave);
            };
            match order {
                Ok(Order::Roll) if !is_doubled => return Ok(Answer::GoOn),
                Ok(Order::Double) if !is_doubled => return Ok(Answer::Double),
                Ok(Order::Take) if is_doubled => return Ok(Answer::GoOn),
                Ok(Order::Pass) if is_doubled => return Ok(Answer::Pass),
                Ok(Order::Quit) => return Ok(Answer::Leave),
                Ok(Order::Help) => writeln!(self.output, "{HELP}")?,
                Ok(Order::Board) => self.draw(game)?,
                Ok(Order::Hint) => {
                    let Ok((probabilities, _)) = self.probabilities(game, seat) else {
                        continue;
                    };
                    let position = CubePosition {
                        board: *game.board(),
                        state: self.state,
                        probabilities,
                        plies: 0,
                        efficiency: None,
                    };
                    print(&position.values_here(), Text::Gnubg, self.output)?;
                }
                Ok(_) if is_doubled => writeln!(self.output, "you are doubled: take or pass first")?,
                Ok(_) => writeln!(self.output, "the dice are not thrown yet: roll or double first")?,
                Err(message) => writeln!(self.output, "{message}")?,
            }
        }
    }
}
