//! A game at the terminal, ply by ply.

use std::fmt::Display;
use std::io::Write;
use std::sync::Arc;

use tavli::board::Side;
use tavli::cube::{self, CubeInPlay, CubeState};
use tavli::duel::GameActions;
use tavli::evaluation::Evaluation;
use tavli::evaluators::Evaluator;
use tavli::plays::Plays;
use tavli::plays::notation::parse_play;
use tavli::run::{Cancel, Workers};
use tavli::stepping::SteppedGame;
use tavli::transcript::Action;
use tavli::{Context, Cube, FirstRoll, Outcome, Playouts, Position, RuleSet, Stakes, Throw, Tier, Win};
use tavli_terminal::failure::Failure;
use tavli_terminal::numbers::counted;

use super::order::{HELP, Order};
use super::person::{Person, Said};
use super::seat::{self, Seat};
use crate::arguments::shell_word;

/// The plays of a hint.
pub(super) const HINTS: usize = 5;

/// How a game ended.
pub(super) enum End {
    /// With a number of points for A.
    Points(i32),
    /// The person left it.
    Left,
}

/// The cube of a game, and by whose values the seats decide about it.
#[derive(Clone, Debug)]
pub(super) struct TableCube {
    /// The length of the match; `None` in money games.
    pub(super) length: Option<u16>,
    /// The values of A and of B.
    pub(super) deciders: [Arc<dyn Evaluator>; 2],
}

/// A person's decision.
enum PersonAction {
    /// The play of an index.
    Play(usize),
    Undo,
    Resign(Win),
    Leave,
}

/// A game between two seats, and its settings.
pub(super) struct TerminalGame<'a, W> {
    pub(super) playouts: &'a Playouts,
    /// A and B.
    pub(super) seats: &'a [Seat; 2],
    /// Their names.
    pub(super) names: &'a [String; 2],
    /// The evaluator of the plays of a hint.
    pub(super) hints: &'a Evaluation,
    /// A search resigns below this share of wins, if it can lose a single game at most; 0: never.
    pub(super) resign: f64,
    /// The cube, if there is one; `state` is as the player on roll sees it.
    pub(super) cube: Option<TableCube>,
    pub(super) state: CubeState,
    pub(super) tier: Tier,
    pub(super) workers: &'a Workers,
    pub(super) cancel: &'a Cancel,
    pub(super) person: &'a mut Person,
    pub(super) output: &'a mut W,
    /// The actions of the game so far.
    pub(super) actions: GameActions,
}

impl<W: Write> TerminalGame<'_, W> {
    pub(super) fn play(&mut self, number: u64) -> Result<End, Failure> {
        let mut game = SteppedGame::new(self.playouts, number);
        // For undo: the game, its cube and the number of actions before each of the person's decisions.
        let mut before: Vec<(SteppedGame, CubeState, usize)> = Vec::new();
        let [a, b] = self.names;
        let (rules, seed) = (self.playouts.rules(), self.playouts.seed());
        writeln!(self.output, "game {number}: {a} against {b}, {rules}, seed {seed}")?;
        loop {
            // The first roll of a game has decided who begins: nobody doubles before it, nor before dice that the
            // position has.
            let is_turn = game.plies() > 0 || self.playouts.first_roll() == FirstRoll::Any;
            let is_thrown = game.plays().is_some();
            if self.cube.is_some()
                && is_turn
                && !is_thrown
                && !game.has_ended()
                && let Some(end) = self.turn_cube(&game)?
            {
                return Ok(end);
            }
            let Some(throw) = game.roll() else {
                break;
            };
            if self.cancel.is_cancelled() {
                return self.left(&game);
            }
            let plays = game.plays().expect("the dice are thrown");
            let seats = self.seats;
            let choice = match &seats[self.mover(&game)] {
                Seat::Person => {
                    // If there is one play only, there is nothing to decide again.
                    if plays.len() > 1 {
                        before.push((game.clone(), self.state, self.actions.len()));
                    }
                    match self.decide(&game, throw, &plays, before.len() > 1)? {
                        PersonAction::Play(choice) => choice,
                        PersonAction::Undo => {
                            before.pop();
                            let (then, state, done) = before.pop().expect("there is one to go back to");
                            (game, self.state) = (then, state);
                            self.actions.truncate(done);
                            writeln!(self.output, "back to your decision before\n")?;
                            continue;
                        }
                        PersonAction::Resign(win) => {
                            return self.resigned(&game, win).map(End::Points);
                        }
                        PersonAction::Leave => return self.left(&game),
                    }
                }
                Seat::Player(policy) => {
                    self.draw_for_nobody(&game)?;
                    let cube = self.cube.is_some().then_some(self.state);
                    match seat::play_of_policy(&**policy, &game, throw, cube, self.tier, self.cancel) {
                        Some(choice) => choice,
                        None => return self.left(&game),
                    }
                }
                Seat::Search(simulations) => {
                    self.draw_for_nobody(&game)?;
                    let seed = self.playouts.seed().wrapping_add(game.plies().into());
                    let (tier, workers) = (self.tier, self.workers);
                    let resign = match can_lose_a_gammon(&game) {
                        true => 0.0,
                        false => self.resign,
                    };
                    let cancel = self.cancel;
                    match seat::play_of_search(*simulations, seed, resign, &game, throw, tier, workers, cancel) {
                        // An interrupted search has not decided.
                        _ if cancel.is_cancelled() => return self.left(&game),
                        Some(choice) => choice,
                        None => return self.resigned(&game, Win::Single).map(End::Points),
                    }
                }
            };
            let player = self.mover(&game);
            let (ply, mover) = (game.plies() + 1, &self.names[player]);
            let play =
                game.make(choice).map_err(|error| Failure::run(format_args!("{mover} picked no play: {error}")))?;
            let moves = plays.moves(&play);
            writeln!(self.output, "{ply:>3}. {mover} {}: {moves}", throw.roll)?;
            let (roll, after) = (throw.roll, play.board());
            self.actions.push((player, Action::Play { roll, after }));
            self.state = self.state.reversed();
        }
        let outcome = game.outcome().expect("games at the table are not cut off");
        self.over(&game, outcome).map(End::Points)
    }

    /// Leaves a game, and says how to go on.
    pub(super) fn left(&mut self, game: &SteppedGame) -> Result<End, Failure> {
        let position = game.board().position_id();
        let (what, money, position) = match &self.cube {
            None => ("game", "", position.to_string()),
            Some(TableCube { length, .. }) => {
                let position = format!("{position}:{}", self.position(game).match_id());
                match length {
                    Some(_) => ("match", "", position),
                    None => ("game", "--money ", position),
                }
            }
        };
        let rules = match game.rules() {
            RuleSet::Backgammon => String::new(),
            rules => format!("--rules {rules} "),
        };
        // The player on roll in the position is the first that the command names.
        let mover = self.mover(game);
        let [mover, other] = [mover, 1 - mover].map(|player| match &self.seats[player] {
            Seat::Person => "me".to_owned(),
            seat => shell_word(&seat.to_string()),
        });
        writeln!(
            self.output,
            "the {what} stops here; tavli play {mover} {other} {rules}{money}--position {position} goes on from it with \
             new dice"
        )?;
        Ok(End::Left)
    }

    /// The index of the seat on roll.
    pub(super) fn mover(&self, game: &SteppedGame) -> usize {
        let second = game.turn() == Side::Opponent;
        // A begins in games of even numbers.
        usize::from(second ^ !game.number().is_multiple_of(2))
    }

    /// Draws the position before a player's play, if no person is at the table.
    fn draw_for_nobody(&mut self, game: &SteppedGame) -> Result<(), Failure> {
        let is_person = |seat: &Seat| matches!(seat, Seat::Person);
        if self.seats.iter().any(is_person) {
            return Ok(());
        }
        self.draw(game)
    }

    /// The position with its cube and the score.
    fn position(&self, game: &SteppedGame) -> Position {
        let Some(table) = &self.cube else {
            return Position::from(*game.board());
        };
        let CubeState { log2, max_log2, owner, stakes } = self.state;
        let (stakes, [score, opponent_score]) = match (stakes, table.length) {
            (cube::Stakes::Match(at), Some(length)) => {
                let stakes = Stakes::Match { length, crawford: at.crawford };
                (stakes, [at.away, at.opponent_away].map(|away| length - away))
            }
            (cube::Stakes::Money { jacoby, beavers }, _) => (Stakes::Money { jacoby, beavers }, [0; 2]),
            (cube::Stakes::Match(_), None) => (Stakes::default(), [0; 2]),
        };
        let context =
            Context { cube: Cube { log2, owner, max_log2 }, stakes, score, opponent_score, ..Context::default() };
        Position::new(*game.board(), context).unwrap_or_else(|_| Position::from(*game.board()))
    }

    /// Draws the position as the player on roll sees it: he has the X and sits at the bottom.
    pub(super) fn draw(&mut self, game: &SteppedGame) -> Result<(), Failure> {
        let position = self.position(game);
        let diagram = position.diagram();
        let checkers = self.playouts.rules().checkers();
        writeln!(self.output, "\n{}\n", diagram.with_checkers(checkers))?;
        Ok(())
    }

    /// Asks a person for a play.
    fn decide(
        &mut self,
        game: &SteppedGame,
        throw: Throw,
        plays: &Plays,
        can_undo: bool,
    ) -> Result<PersonAction, Failure> {
        self.draw(game)?;
        if plays.len() == 1 {
            let only = plays.get(0).expect("there is one");
            let moves = plays.moves(&only);
            match moves.steps().is_empty() {
                true => writeln!(self.output, "{}: you cannot move", throw.roll)?,
                false => writeln!(self.output, "{}: your only play is {moves}", throw.roll)?,
            }
            return Ok(PersonAction::Play(0));
        }
        loop {
            let number = counted(plays.len() as u64, "play", "plays");
            let Some(order) = self.order(format_args!("{}: {number}; your play, or help?", throw.roll))? else {
                return Ok(PersonAction::Leave);
            };
            match order {
                Ok(Order::Help) => writeln!(self.output, "{HELP}")?,
                Ok(Order::Plays) => {
                    for play in plays.to_vec() {
                        writeln!(self.output, "  {}", plays.moves(&play))?;
                    }
                }
                Ok(Order::Hint) => self.hint(game, throw)?,
                Ok(Order::Board) => self.draw(game)?,
                Ok(Order::Undo) if can_undo => return Ok(PersonAction::Undo),
                Ok(Order::Undo) => writeln!(self.output, "there is no play of yours to take back")?,
                Ok(Order::Resign(win)) if win > game.rules().largest_win() => {
                    let (rules, most) = (game.rules(), game.rules().largest_win());
                    let (points, resign) = match most {
                        Win::Single => ("1 point", "resign"),
                        Win::Gammon | Win::Backgammon => ("2 points", "resign gammon"),
                    };
                    writeln!(self.output, "a game of {rules} is worth {points} at most: {resign}")?;
                }
                Ok(Order::Resign(win)) => return Ok(PersonAction::Resign(win)),
                Ok(Order::Quit) => return Ok(PersonAction::Leave),
                Ok(Order::Roll | Order::Double | Order::Take | Order::Pass) => {
                    writeln!(self.output, "the dice are thrown: write a play")?;
                }
                Ok(Order::Play(text)) => match parse_play(game.board(), throw.roll, &text, game.rules()) {
                    Ok(board) => {
                        let is_it = |play: &tavli::plays::Play| play.board() == board;
                        let choice = plays.to_vec().iter().position(is_it);
                        return Ok(PersonAction::Play(choice.expect("it was read as a play")));
                    }
                    Err(error) => writeln!(self.output, "{error}")?,
                },
                Err(message) => writeln!(self.output, "{message}")?,
            }
        }
    }

    /// Asks a person a question: the order that is given, or the fault of the line. `None` at the end of the input.
    pub(super) fn order(&mut self, question: impl Display) -> Result<Option<Result<Order, String>>, Failure> {
        writeln!(self.output, "{question}")?;
        self.output.flush()?;
        let end = match self.person.line(self.cancel)? {
            Said::Line(line) => return Ok(Some(line.and_then(|line| Order::read(&line).map_err(str::to_owned)))),
            Said::End => "end of the input",
            Said::Interrupted => "interrupted",
        };
        writeln!(self.output, "{end}")?;
        Ok(None)
    }

    /// Lists the best plays, ranked with the cube if there is one.
    fn hint(&mut self, game: &SteppedGame, throw: Throw) -> Result<(), Failure> {
        let (state, efficiency) = (self.state, None);
        let cube = self.cube.as_ref().map(|_| CubeInPlay { state, efficiency });
        let (board, roll) = (game.board(), throw.roll);
        let ranked = self.hints.ranked(board, roll, cube.as_ref(), self.tier, self.workers, self.cancel);
        let ranked = ranked.map_err(Failure::run)?;
        for (rank, play) in (1..).zip(ranked.plays.iter().take(HINTS)) {
            writeln!(self.output, "  {rank}. {:+.4}  {}", play.equity(), play.play.moves)?;
        }
        Ok(())
    }

    /// The points of a game that counts `points` without the cube.
    fn worth(&self, points: i32) -> i32 {
        match self.cube {
            Some(_) => self.state.points(points),
            None => points,
        }
    }

    /// The points of A after the person on roll has resigned.
    fn resigned(&mut self, game: &SteppedGame, win: Win) -> Result<i32, Failure> {
        let worth = self.worth(win.points());
        let mover = self.mover(game);
        let (gives_up, wins) = (self.seats[mover].verb("resign"), self.seats[1 - mover].verb("win"));
        let [loser, winner] = [&self.names[mover], &self.names[1 - mover]];
        writeln!(self.output, "{loser} {gives_up}; {winner} {wins} {}", points(worth))?;
        Ok(if mover == 0 { -worth } else { worth })
    }

    /// The points of A at the end of a game.
    fn over(&mut self, game: &SteppedGame, outcome: Outcome) -> Result<i32, Failure> {
        let begins = usize::from(!game.number().is_multiple_of(2));
        let winner = if outcome.is_win() { begins } else { 1 - begins };
        let name = &self.names[winner];
        let worth = self.worth(outcome.points().abs());
        let kind = match outcome.points().abs() {
            1 => "a single game",
            2 => "a gammon",
            _ => "a backgammon",
        };
        let verb = self.seats[winner].verb("win");
        writeln!(self.output, "\n{name} {verb} {kind}, {}, after {} plies", points(worth), game.plies())?;
        Ok(if winner == 0 { worth } else { -worth })
    }
}

/// Whether the player on roll can lose more than a single game: he has borne off no checker, and the rules know more.
fn can_lose_a_gammon(game: &SteppedGame) -> bool {
    let rules = game.rules();
    rules.largest_win() > Win::Single && game.board().own().borne_off(rules.checkers()) == 0
}

pub(super) fn points(number: i32) -> String {
    counted(number.unsigned_abs(), "point", "points")
}
