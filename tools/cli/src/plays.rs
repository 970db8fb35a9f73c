//! `tavli plays`: the plays of a turn.

use std::error::Error;
use std::fmt::Display;
use std::io::{self, Write};

use clap::Args;
use serde::Serialize;
use tavli::game::NamedGame;
use tavli::plays::Plays;
use tavli::text::Quoted;
use tavli::{Board, PlayoutError, Position, Roll, RuleSet, Tier};

use crate::answered_lines::{self, Unanswered};
use crate::arguments::{self, Format, Game};
use crate::failure::Failure;
use crate::game_arguments::{chance, goes_on, position, state};
use crate::output::{self, PositionJson};

/// List the plays: the distinct positions that a turn can lead to
///
/// With a position, and a roll in a game with dice, prints each play in notation with the position after it, seen by
/// the other player; in backgammon its Position ID. A roll that cannot be played has one play, which moves nothing.
///
/// Without, reads lines of a position from standard input, with a tab and a roll behind it in a game with dice. For
/// each line, prints the position, the roll if there is one, the number of plays and the positions after them,
/// separated by tabs; these are sorted and separated by commas. Skips further columns, empty lines and lines that begin
/// with #. Reports bad lines with their numbers, answers the others, and then exits with status 1.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    #[arg(value_name = "POSITION", help = arguments::POSITION)]
    position: Option<String>,
    /// Two digits 1 to 6, such as 31, in a game with dice [default: the dice of the position]
    #[arg(value_name = "ROLL", allow_negative_numbers = true)]
    roll: Option<String>,
    #[command(flatten)]
    game: Game,
    #[command(flatten)]
    format: Format,
}

/// The JSON of the plays.
#[derive(Serialize)]
struct PlaysJson<'a> {
    #[serde(flatten)]
    position: PositionJson,
    /// Where the text of the position leaves something out: the text with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    state: Option<String>,
    /// Absent in a game without dice.
    #[serde(skip_serializing_if = "Option::is_none")]
    roll: Option<String>,
    /// Absent in backgammon.
    #[serde(skip_serializing_if = "Option::is_none")]
    game: Option<&'static str>,
    rules: &'a str,
    n: usize,
    plays: Vec<PlayJson>,
}

/// The JSON of a play.
#[derive(Serialize)]
struct PlayJson {
    moves: String,
    /// The position after it, seen by the other player.
    #[serde(flatten)]
    position: PositionJson,
    /// Where the text of the position leaves something out: the text with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    state: Option<String>,
    /// Of backgammon.
    #[serde(skip_serializing_if = "Option::is_none")]
    hits: Option<usize>,
}

/// A bad line.
fn bad(message: impl Display) -> Unanswered {
    Unanswered::Line(message.to_string())
}

/// Runs the command for backgammon.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let (rules, json) = (arguments.game.rule_set()?, arguments.format.json);
    let Some(position) = &arguments.position else {
        return answered_lines::answer("lines of a position, a tab and a roll", |line, output| {
            let (position, given) = answered_lines::position_and_roll(line).map_err(bad)?;
            let (board, roll) = arguments::position(position, rules)
                .map_err(bad)
                .and_then(|position| turn(&position, given, rules).map_err(bad))?;
            let roll = roll.ok_or_else(|| {
                bad(format_args!(
                    "'{}' is not a position, a tab and a roll",
                    Quoted::new(line)
                ))
            })?;
            if json {
                return Ok(output::json_line(output, &document(&board, roll, rules))?);
            }
            // Without the moves in notation, which take longer than all else.
            let plays = Plays::new(&board, roll, rules);
            let ids = plays
                .to_vec()
                .iter()
                .map(|play| play.board().position_id().to_string())
                .collect();
            let roll = given.map_or_else(|| roll.to_string(), str::to_owned);
            Ok(write_line(
                output,
                Quoted::new(position).within(answered_lines::LONGEST),
                Some(&roll),
                ids,
            )?)
        });
    };
    let position = arguments::position_argument(position, rules)?;
    let (board, roll) = turn(&position, arguments.roll.as_deref(), rules).map_err(Failure::usage)?;
    let roll = roll.ok_or_else(|| Failure::usage("the position has no dice: write the ROLL after it"))?;
    arguments.format.write(&document(&board, roll, rules), PlaysJson::print)
}

/// Runs the command for another game.
pub(crate) fn run_game<G: NamedGame>(arguments: &Arguments) -> Result<(), Failure> {
    let game: G = arguments.game.of_seed(Tier::best(), 0)?;
    let (rules, json) = (arguments.game.rules::<G>(), arguments.format.json);
    let document = |text: &str, roll: Option<&str>| {
        let position = position(&game, Some(text))?;
        goes_on(&game, &position)?;
        let chance = chance(&game, roll).map_err(Failure::usage)?;
        Ok(document_of_game(&game, rules, &position, chance))
    };
    let Some(position) = &arguments.position else {
        let what = match game.chances().len() {
            1 => "positions",
            _ => "lines of a position, a tab and a roll",
        };
        return answered_lines::answer(what, |line, output| {
            let (position, roll) = answered_lines::position_and_roll(line).map_err(bad)?;
            let document = document(position, roll).map_err(|failure: Failure| bad(failure))?;
            if json {
                return Ok(output::json_line(output, &document)?);
            }
            let results = document
                .plays
                .into_iter()
                .map(|play| play.position.into_text())
                .collect();
            Ok(write_line(
                output,
                &*document.position,
                document.roll.as_deref(),
                results,
            )?)
        });
    };
    arguments
        .format
        .write(&document(position, arguments.roll.as_deref())?, PlaysJson::print)
}

/// A position of backgammon, from which a game starts, and its roll.
fn turn(position: &Position, roll: Option<&str>, rules: RuleSet) -> Result<(Board, Option<Roll>), Box<dyn Error>> {
    PlayoutError::check(position.board(), rules)?;
    let roll = roll.map(|roll| roll.trim().parse()).transpose()?;
    Ok((*position.board(), position.roll_or(roll)?))
}

/// Writes the answer to a line of standard input.
fn write_line(
    output: &mut dyn Write,
    position: impl Display,
    roll: Option<&str>,
    mut results: Vec<String>,
) -> io::Result<()> {
    results.sort_unstable();
    write!(output, "{position}\t")?;
    if let Some(roll) = roll {
        write!(output, "{roll}\t")?;
    }
    writeln!(output, "{}\t{}", results.len(), results.join(","))
}

fn document(board: &Board, roll: Roll, rules: RuleSet) -> PlaysJson<'static> {
    let of_roll = Plays::new(board, roll, rules);
    let plays = of_roll.to_vec();
    let plays = plays.iter().map(|play| PlayJson {
        moves: of_roll.moves(play).to_string(),
        position: PositionJson::of_board(play.board()),
        state: None,
        hits: Some(play.hits().len()),
    });
    PlaysJson {
        position: PositionJson::of_board(*board),
        state: None,
        roll: Some(roll.to_string()),
        game: None,
        rules: rules.name(),
        n: plays.len(),
        plays: sorted(plays.collect()),
    }
}

fn document_of_game<'a, G: NamedGame>(
    game: &G,
    rules: &'a str,
    position: &G::Position,
    chance: usize,
) -> PlaysJson<'a> {
    let results = game.results(position, chance);
    let plays = (0..).zip(&results).map(|(choice, result)| PlayJson {
        moves: game.moves(position, chance, choice),
        position: PositionJson::Text(game.text(result)),
        state: state(game, result),
        hits: None,
    });
    let roll = (game.chances().len() > 1).then(|| game.chance_text(chance));
    PlaysJson {
        position: PositionJson::Text(game.text(position)),
        state: state(game, position),
        roll,
        game: Some(G::NAME),
        rules,
        n: results.len(),
        plays: sorted(plays.collect()),
    }
}

/// The plays in the order of the positions after them.
fn sorted(mut plays: Vec<PlayJson>) -> Vec<PlayJson> {
    plays.sort_unstable_by(|a, b| a.position.cmp(&b.position));
    plays
}

impl PlaysJson<'_> {
    fn print(&self, output: &mut dyn Write) -> io::Result<()> {
        let n = self.n;
        let plural = if n == 1 { "" } else { "s" };
        let of = self
            .roll
            .as_ref()
            .map_or_else(String::new, |roll| format!(" of {roll}"));
        let from = self.state.as_deref().unwrap_or(&*self.position);
        writeln!(output, "{n} play{plural}{of} from {from}\n")?;
        let width = self.plays.iter().map(|play| play.moves.len()).max().unwrap_or(0);
        for PlayJson {
            moves, position, state, ..
        } in &self.plays
        {
            let position = state.as_deref().unwrap_or(&**position);
            writeln!(output, "  {moves:<width$}  {position}")?;
        }
        Ok(())
    }
}
