//! `tavli position`: draws a position, and prints it in every format.

use std::io::{self, Write};
use std::mem;

use clap::Args;
use serde::Serialize;
use tavli::games::PlayableGame;
use tavli::playout::PlayoutError;
use tavli::{Outcome, Position, RuleSet, Stakes, Tier};
use tavli_terminal::answered_lines::{self, Unanswered};
use tavli_terminal::failure::Failure;
use tavli_terminal::interrupt;
use tavli_terminal::output;
use tavli_terminal::remarks;

use crate::arguments::{self, Format, GameOptions};
use crate::game_turn::{TurnJson, position};
use crate::ordered_map::OrderedMap;

/// Draw a position and print it in every format
///
/// A side has 15 checkers, in hypergammon three; checkers that the position lacks are drawn as borne off.
///
/// Without a position, reads positions from standard input, one a line. Empty lines and lines that begin with # are
/// skipped. Bad lines are reported with their numbers, the others are answered, and the exit status is then 1.
#[derive(Args, Debug)]
pub(crate) struct PositionArguments {
    #[arg(value_name = "POSITION", help = arguments::POSITION)]
    position: Option<String>,
    #[command(flatten)]
    game: GameOptions,
    #[command(flatten)]
    format: Format,
}

/// The JSON of a position of backgammon.
#[derive(Serialize)]
struct DrawnPositionJson {
    position_id: String,
    match_id: String,
    xgid: String,
    ogid: String,
    fibs: String,
    /// Index 0 is the opponent's bar as a number <= 0, 1 to 24 are the points as the player on roll counts them, his
    /// checkers positive, and 25 is his bar.
    points: Vec<i8>,
    pips: u16,
    opponent_pips: u16,
    /// The points of the player on roll, not counting the cube, if the game is over by the rules asked for.
    points_won: Option<i32>,
}

/// The JSON of a position of another game.
#[derive(Serialize)]
struct GamePositionJson<'a> {
    #[serde(flatten)]
    turn: TurnJson<'a>,
    /// The points of the player on roll or to move, if the game is over.
    points_won: Option<i32>,
    /// Numbers of the position, in a game that has them.
    #[serde(flatten)]
    numbers: OrderedMap<&'static str, Vec<i32>>,
}

/// Runs the command for backgammon.
pub(crate) fn run(arguments: &PositionArguments) -> Result<(), Failure> {
    let rules = arguments.game.rule_set()?;
    arguments.answer(
        |text| {
            let position = remarks::position(text, rules).map_err(Failure::usage)?;
            match PlayoutError::check(position.board(), rules) {
                Err(error @ PlayoutError::TooManyCheckers { .. }) => Err(Failure::usage(error)),
                _ => {
                    remark_on_lost_rules(&position);
                    Ok(position)
                }
            }
        },
        |position| DrawnPositionJson::new(position, rules),
        |position, document, output| document.print(position, rules, output),
    )
}

/// Remarks on the rules of a money game that not all formats can say: read again, they ask another question.
fn remark_on_lost_rules(position: &Position) {
    let rules = |position: &Position| match position.context().stakes {
        Stakes::Money { jacoby, beavers } => Some([jacoby, beavers]),
        Stakes::Match { .. } => None,
    };
    let Some(own) = rules(position) else {
        return;
    };
    let match_id = format!("{}:{}", position.position_id(), position.match_id());
    let texts =
        [("the Match ID", match_id), ("the OGID", position.ogid()), ("the FIBS line", position.fibs().to_string())];
    for (rule, name) in ["the Jacoby rule holds", "beavers are allowed"].into_iter().enumerate() {
        let is_lost = |text: &str| {
            let again = text.parse().ok().and_then(|again| rules(&again));
            again.is_some_and(|again| again[rule] != own[rule])
        };
        let lost: Vec<&str> = texts.iter().filter(|(_, text)| is_lost(text)).map(|(format, _)| *format).collect();
        if !lost.is_empty() {
            let (verb, pronoun) = if lost.len() == 1 { ("does", "it is") } else { ("do", "they are") };
            output::remark(format_args!(
                "remark: {} {verb} not say whether {name}, and {pronoun} read as another game; the XGID says so",
                lost.join(" and ")
            ));
        }
    }
}

/// Runs the command for another game.
pub(crate) fn run_other_game<G: PlayableGame>(arguments: &PositionArguments) -> Result<(), Failure> {
    let game: G = arguments.game.with_seed(Tier::best(), 0)?;
    let document = |position: &G::Position| GamePositionJson {
        turn: TurnJson::from_position(&game, position, arguments.game.rules::<G>()),
        points_won: game.points(position),
        numbers: OrderedMap::new(game.numbers(position).into_iter()),
    };
    arguments.answer(
        |text| position(&game, Some(text)),
        document,
        |position, document, output| document.print(&game, position, output),
    )
}

impl PositionArguments {
    /// Writes the document of the position that the arguments name, or of each line of standard input.
    fn answer<P, D: Serialize>(
        &self,
        read: impl Fn(&str) -> Result<P, Failure>,
        document: impl Fn(&P) -> D,
        print: impl Fn(&P, &D, &mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Failure> {
        if let Some(text) = &self.position {
            let position = read(text).map_err(|failure| arguments::invalid_position(text, failure))?;
            let print = |document: &D, output: &mut dyn Write| print(&position, document, output);
            return self.format.write(&document(&position), print);
        }
        let mut is_first = true;
        let cancel = interrupt::cancel_on_interrupt()?;
        answered_lines::answer("positions", &cancel, |line, output| {
            let position = read(line).map_err(|failure| Unanswered::Line(failure.to_string()))?;
            let document = document(&position);
            if self.format.json {
                return Ok(output::json_line(output, &document)?);
            }
            if !mem::replace(&mut is_first, false) {
                writeln!(output)?;
            }
            Ok(print(&position, &document, output)?)
        })
    }
}

impl DrawnPositionJson {
    fn new(position: &Position, rules: RuleSet) -> DrawnPositionJson {
        let board = position.board();
        DrawnPositionJson {
            position_id: position.position_id().to_string(),
            match_id: position.match_id().to_string(),
            xgid: position.xgid(),
            ogid: position.ogid(),
            fibs: position.fibs().to_string(),
            points: position.points().to_vec(),
            pips: board.own().pips(),
            opponent_pips: board.opponent().pips(),
            points_won: rules.outcome(board).map(Outcome::points),
        }
    }

    fn print(&self, position: &Position, rules: RuleSet, output: &mut dyn Write) -> io::Result<()> {
        writeln!(output, "{}\n", position.diagram().with_checkers(rules.checkers()))?;
        writeln!(output, "Position ID  {}", self.position_id)?;
        writeln!(output, "Match ID     {}", self.match_id)?;
        writeln!(output, "XGID         {}", self.xgid)?;
        writeln!(output, "OGID         {}", self.ogid)?;
        writeln!(output, "FIBS         {}", self.fibs)?;
        writeln!(output, "points       {}", joined(&self.points))?;
        let (pips, opponent_pips) = (self.pips, self.opponent_pips);
        writeln!(output, "pips         {pips} on roll, {opponent_pips} opponent")?;
        print_end(self.points_won, output)
    }
}

impl GamePositionJson<'_> {
    fn print<G: PlayableGame>(&self, game: &G, position: &G::Position, output: &mut dyn Write) -> io::Result<()> {
        let (text, state) = (game.text(position), &*self.turn.position);
        writeln!(output, "{}\n\nposition     {text}", game.drawing(position))?;
        if *state != *text {
            writeln!(output, "state        {state}")?;
        }
        for (name, numbers) in game.numbers(position) {
            writeln!(output, "{name:<12} {}", joined(&numbers))?;
        }
        print_end(self.points_won, output)
    }
}

/// Prints the points of the player on roll or to move, if the game is over.
fn print_end(points_won: Option<i32>, output: &mut dyn Write) -> io::Result<()> {
    match points_won {
        None => Ok(()),
        Some(points) => writeln!(output, "over         {points:+} points"),
    }
}

/// Numbers with blanks between them.
fn joined(numbers: &[impl ToString]) -> String {
    numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}
