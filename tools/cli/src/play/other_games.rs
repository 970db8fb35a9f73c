//! `tavli play` at a game other than backgammon.

use std::fmt;
use std::io::Write;
use std::sync::Arc;

use tavli::NO_STOP;
use tavli::games::streams::seed_of_game;
use tavli::games::{
    ChoiceEvaluator, GameTranscript, MovesError, PlayableGame, default_evaluator, default_net, draw, read_agent,
};
use tavli::run::Cancel;
use tavli::search::{Agent, AgentContext, Nets};
use tavli_terminal::failure::Failure;
use tavli_terminal::interrupt;
use tavli_terminal::output::{self, TextOutput};
use tavli_terminal::remarks::remark_on_net;

use super::order::{Order, RESIGN};
use super::person::{Person, Said};
use super::terminal_game::{HINTS, points};
use super::{HINTS_OPTION, PlayArguments};
use crate::arguments::{invalid, shell_word};
use crate::evaluate::other_games::{choice_evaluator, decimals};
use crate::game_turn::{check_goes_on, position};
use crate::saved_games::{GamesFile, told_apart};

/// The default player of a game without a net, and the one that gives its hints.
const SEARCH: &str = "uct";
const SEARCH_OF_HINTS: &str = "uct:100000";

/// The orders, for a person who asks.
fn help(hint: &str) -> String {
    format!(
        "  a play    as plays lists it, or its number
  plays     list the plays
  hint      {hint}
  undo      take back your last play and the reply
  board     draw the board again
  quit      leave the game"
    )
}

/// Where hints come from.
enum Hints<G: PlayableGame> {
    /// The play of a search.
    Search(Agent),
    /// The plays that the named evaluator values highest.
    Values(String, ChoiceEvaluator<G>),
}

impl<G: PlayableGame> Hints<G> {
    /// The hints by the evaluator of `--hints`, or by the game's default.
    fn read(game: &Arc<G>, named: Option<&str>) -> Result<Hints<G>, Failure> {
        let Some(name) = named.or(default_evaluator(G::NAME)) else {
            return Ok(Hints::Search(Agent::read::<G>(SEARCH_OF_HINTS).expect("a search")));
        };
        let (name, evaluator) =
            choice_evaluator(game, Some(name)).map_err(|failure| invalid(HINTS_OPTION, name, failure))?;
        Ok(Hints::Values(name.to_owned(), evaluator))
    }

    /// What the order does, for the list of orders.
    fn help(&self) -> String {
        match self {
            Hints::Search(agent) => format!("the play that {agent} would make"),
            Hints::Values(name, _) => format!("list the five best plays, as {name} values them"),
        }
    }
}

/// A player at the table.
enum Seat {
    Person,
    Agent(Agent),
}

impl Seat {
    fn read<G: PlayableGame>(game: &G, text: &str, nets: &mut Nets<G::Position>) -> Result<Seat, Failure> {
        match text {
            "me" => Ok(Seat::Person),
            _ => read_agent(game, text, nets, NO_STOP)
                .map(Seat::Agent)
                .map_err(|failure| Failure::usage(format_args!("{failure}; or me"))),
        }
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Seat::Person => f.pad("you"),
            Seat::Agent(agent) => agent.fmt(f),
        }
    }
}

/// A person's decision.
enum PersonAction {
    Play(usize),
    Undo,
    Leave,
}

/// A game at the terminal.
struct Table<G: PlayableGame> {
    game: Arc<G>,
    context: AgentContext<G::Position>,
    seed: u64,
    /// A, who begins, and B.
    seats: [Seat; 2],
    /// Their names.
    names: [String; 2],
    /// `None` if no person plays.
    hints: Option<Hints<G>>,
    person: Person,
    cancel: Cancel,
    output: TextOutput,
}

/// A game so far.
struct Course<P> {
    /// The positions, the first one included.
    positions: Vec<P>,
    /// The chance and the choice between each position and the next.
    turns: Vec<(usize, usize)>,
}

/// A position with its chance.
#[derive(Clone, Copy)]
struct RolledPosition<P> {
    position: P,
    chance: usize,
}

pub(crate) fn run<G: PlayableGame>(arguments: &PlayArguments) -> Result<(), Failure> {
    let tier = arguments.machine.tier()?;
    let game: Arc<G> = Arc::new(arguments.game.with_seed(tier, arguments.seed)?);
    let start = position(&*game, arguments.position.as_deref())?;
    check_goes_on(&*game, &start)?;
    let mut nets = Nets::new();
    let default = default_net(G::NAME).unwrap_or(SEARCH);
    let a = Seat::read(&*game, arguments.a.as_deref().unwrap_or(default), &mut nets)?;
    let seats = match &arguments.b {
        Some(b) => [a, Seat::read(&*game, b, &mut nets)?],
        None => [Seat::Person, a],
    };
    let hints = match seats.iter().any(|seat| matches!(seat, Seat::Person)) {
        true => Some(Hints::read(&game, arguments.hints.as_deref())?),
        false if arguments.hints.is_some() => {
            return Err(Failure::usage(
                "--hints is for a person, and none plays here: leave it out, or name me as a player",
            ));
        }
        false => None,
    };
    let rules = arguments.game.rules::<G>();
    for net in nets.keys() {
        remark_on_net(&*game, net, rules);
    }
    // One remark is enough if the opponent is a net, too.
    if let Some(Hints::Values(name, _)) = &hints
        && !G::HEURISTICS.contains(&&**name)
        && nets.is_empty()
    {
        remark_on_net(&*game, name, rules);
    }
    let context = AgentContext { rules: rules.to_owned(), tier, tables: arguments.endgames.read(&*game)?, nets };
    let saved = arguments.save.open_of(&*game)?;
    let mut table = Table {
        game,
        context,
        seed: arguments.seed,
        names: told_apart(seats.each_ref().map(Seat::to_string)),
        seats,
        hints,
        person: Person::default(),
        cancel: interrupt::cancel_on_interrupt()?,
        output: output::stdout(),
    };
    let mut course = Course { positions: vec![start], turns: Vec::new() };
    let ended = table.play(&mut course);
    // A terminal that is closed ends the game, and does not lose it.
    saved.map_or(Ok(()), |saved| table.save(saved, &course)).and(ended)
}

impl<G: PlayableGame> Table<G> {
    /// Writes the game, if it has begun.
    fn save(&self, mut saved: GamesFile, course: &Course<G::Position>) -> Result<(), Failure> {
        if !course.turns.is_empty() {
            let record = GameTranscript {
                players: self.names.each_ref().map(String::as_str),
                start: course.positions[0],
                turns: &course.turns,
            };
            saved.add(&*self.game, &record);
        }
        saved.finish(1)
    }

    fn play(&mut self, course: &mut Course<G::Position>) -> Result<(), Failure> {
        loop {
            let ply = course.turns.len() as u32;
            let position = course.positions[ply as usize];
            if let Some(points) = self.game.points(&position) {
                return self.over(&position, ply, points);
            }
            // Undone plies that are played again get the same dice.
            let word = (seed_of_game(self.seed, u64::from(ply)) >> 32) as u32;
            let (chance, _) = draw(self.game.chances(), word);
            let rolled = RolledPosition { position, chance };
            let mover = ply as usize % 2;
            let agent = match &self.seats[mover] {
                Seat::Person => None,
                Seat::Agent(agent) => Some(agent.clone()),
            };
            let choice = match agent {
                Some(agent) => {
                    let seed = seed_of_game(self.seed, u64::from(ply));
                    let found = agent.choose::<G>(&self.context, &position, chance, seed, &self.cancel);
                    match found.filter(|_| !self.cancel.is_cancelled()) {
                        Some(choice) => choice,
                        None => {
                            self.left(&position, mover)?;
                            return Ok(());
                        }
                    }
                }
                None => match self.ask(rolled)? {
                    PersonAction::Play(choice) => choice,
                    PersonAction::Undo if ply > 1 => {
                        course.positions.truncate(ply as usize - 1);
                        course.turns.truncate(ply as usize - 2);
                        continue;
                    }
                    PersonAction::Undo => {
                        writeln!(self.output, "there is nothing to undo")?;
                        continue;
                    }
                    PersonAction::Leave => return Ok(()),
                },
            };
            let roll = self.roll(chance);
            let moves = self.game.moves(&position, chance, choice);
            writeln!(self.output, "{}: {roll}{moves}", self.names[mover])?;
            self.output.flush()?;
            course.positions.push(self.game.result(&position, chance, choice));
            course.turns.push((chance, choice));
        }
    }

    /// Says how to go on from the position, in which the player of this index is on roll or to move.
    fn left(&mut self, position: &G::Position, mover: usize) -> Result<(), Failure> {
        // The player on roll in the position is the first that the command names.
        let [mover, other] = [mover, 1 - mover].map(|player| match &self.seats[player] {
            Seat::Person => "me".to_owned(),
            seat => shell_word(&seat.to_string()),
        });
        let (state, game) = (shell_word(&self.game.state(position)), G::NAME);
        let rules = match &*self.context.rules {
            rules if rules == G::RULES[0] => String::new(),
            rules => format!(" --rules {rules}"),
        };
        let dice = match self.game.chances().len() {
            1 => "",
            _ => " with new dice",
        };
        Ok(writeln!(
            self.output,
            "the game stops here; tavli play {mover} {other} --game {game}{rules} --position {state} goes on from it{dice}"
        )?)
    }

    /// The roll and a blank; nothing in a game without dice.
    fn roll(&self, chance: usize) -> String {
        match self.game.chances().len() {
            1 => String::new(),
            _ => format!("{} ", self.game.chance_text(chance)),
        }
    }

    fn draw(&mut self, rolled: RolledPosition<G::Position>) -> Result<(), Failure> {
        let drawing = self.game.drawing(&rolled.position);
        let roll = self.roll(rolled.chance);
        writeln!(self.output, "\n{drawing}\n")?;
        if !roll.is_empty() {
            writeln!(self.output, "you roll {roll}")?;
        }
        Ok(())
    }

    fn moves_of(&self, rolled: RolledPosition<G::Position>) -> Vec<String> {
        let plays = self.game.plays(&rolled.position, rolled.chance).into_iter();
        plays.map(|play| play.moves).collect()
    }

    /// Asks a person for a play.
    fn ask(&mut self, rolled: RolledPosition<G::Position>) -> Result<PersonAction, Failure> {
        self.draw(rolled)?;
        let plays = self.moves_of(rolled);
        loop {
            write!(self.output, "your play> ")?;
            self.output.flush()?;
            let line = match self.person.line(&self.cancel)? {
                Said::Line(Ok(line)) => line,
                Said::Line(Err(message)) => {
                    writeln!(self.output, "{message}")?;
                    continue;
                }
                Said::End | Said::Interrupted => {
                    writeln!(self.output)?;
                    return Ok(PersonAction::Leave);
                }
            };
            match Order::read(&line) {
                Ok(Order::Help) => {
                    let hint = self.hints.as_ref().map_or_else(String::new, Hints::help);
                    writeln!(self.output, "{}", help(&hint))?;
                }
                Ok(Order::Plays) => {
                    for (number, moves) in (1..).zip(&plays) {
                        writeln!(self.output, "  {number:>3}. {moves}")?;
                    }
                }
                Ok(Order::Hint) => self.hint(rolled, &plays)?,
                Ok(Order::Board) => self.draw(rolled)?,
                Ok(Order::Undo) => return Ok(PersonAction::Undo),
                Ok(Order::Quit) => return Ok(PersonAction::Leave),
                Ok(Order::Resign(_)) | Err(RESIGN) => {
                    writeln!(self.output, "games of {} are not resigned: quit leaves the game", G::NAME)?;
                }
                Ok(Order::Roll | Order::Double | Order::Take | Order::Pass) => {
                    writeln!(self.output, "games of {} have no cube: write a play", G::NAME)?;
                }
                Ok(Order::Play(text)) => match self.chosen(rolled, plays.len(), &text) {
                    Ok(choice) => return Ok(PersonAction::Play(choice)),
                    Err(error) => writeln!(self.output, "{error}; plays lists them")?,
                },
                Err(message) => writeln!(self.output, "{message}")?,
            }
        }
    }

    /// The choice that a text names: by its number of `number`, or by its moves.
    fn chosen(&self, rolled: RolledPosition<G::Position>, number: usize, text: &str) -> Result<usize, MovesError> {
        match text.parse::<usize>() {
            Ok(one) if (1..=number).contains(&one) => Ok(one - 1),
            Ok(one) => Err(MovesError::new(format_args!("{one} is not one of the {number} plays: plays lists them"))),
            Err(_) => self.game.choice_named(&rolled.position, rolled.chance, text),
        }
    }

    /// Prints the best plays, or nothing if it is interrupted.
    fn hint(&mut self, rolled: RolledPosition<G::Position>, plays: &[String]) -> Result<(), Failure> {
        let (position, chance) = (&rolled.position, rolled.chance);
        match &self.hints {
            None => {}
            Some(Hints::Search(agent)) => {
                let found = agent.choose::<G>(&self.context, position, chance, self.seed, &self.cancel);
                if let Some(choice) = found {
                    writeln!(self.output, "  {}", plays[choice])?;
                }
            }
            Some(Hints::Values(name, evaluator)) => {
                let ranked = evaluator.ranked(position, chance, &|| self.cancel.is_cancelled());
                let decimals = decimals(name);
                for (rank, ranked) in (1..).zip(ranked.into_iter().flatten().take(HINTS)) {
                    let (value, moves) = (ranked.value, &plays[ranked.choice]);
                    writeln!(self.output, "  {rank}. {value:+.decimals$}  {moves}")?;
                }
            }
        }
        Ok(())
    }

    /// Says how the game ended; `won` are the points of the player whose turn it would be.
    fn over(&mut self, position: &G::Position, ply: u32, won: i32) -> Result<(), Failure> {
        let mover = ply as usize % 2;
        let winner = if won > 0 { mover } else { 1 - mover };
        writeln!(self.output, "\n{}\n", self.game.drawing(position))?;
        let verb = if matches!(self.seats[winner], Seat::Person) { "win" } else { "wins" };
        let name = &self.names[winner];
        let end = match won.abs() {
            0 => "a draw".to_owned(),
            // If every win has one point, the points say nothing.
            _ if self.game.max_points() == 1 => format!("{name} {verb}"),
            won => format!("{name} {verb} {}", points(won)),
        };
        Ok(writeln!(self.output, "{end} after {ply} plies")?)
    }
}
