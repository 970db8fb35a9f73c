//! `tavli plays` of any game.

use std::io::{self, BufWriter, Write};

use clap::Args;
use serde::Serialize;
use tavli::Tier;
use tavli::game::NamedGame;
use tavli::text::Quoted;

use super::arguments::{Game, chance, goes_on, position, state};
use crate::arguments::Format;
use crate::failure::Failure;
use crate::lines::{self, Output, Unanswered};
use crate::output;

/// List the plays: the distinct positions that a turn can lead to
///
/// With a position, and a roll in a game with dice, prints each play in notation with the position after it, seen by
/// the other player. A roll that cannot be played has one play, which moves nothing.
///
/// Without, reads lines of a position from standard input, with a tab and a roll behind it in a game with dice. For
/// each line, prints the position, the roll if there is one, the number of plays and the positions after them, separated
/// by tabs; these are sorted and separated by commas. Reports bad lines with their numbers, answers the others, and then
/// exits with status 1.
#[derive(Args, Debug)]
pub(super) struct Arguments {
    /// A position as the game writes it; start is the start of a game
    #[arg(value_name = "POSITION")]
    position: Option<String>,
    /// Two digits 1 to 6, such as 31, in a game with dice
    #[arg(value_name = "ROLL", allow_negative_numbers = true)]
    roll: Option<String>,
    #[command(flatten)]
    game: Game,
    #[command(flatten)]
    format: Format,
}

/// The JSON of the plays.
#[derive(Serialize)]
struct Document<'a> {
    position: String,
    /// Absent in a game without dice.
    #[serde(skip_serializing_if = "Option::is_none")]
    roll: Option<String>,
    game: &'static str,
    rules: &'a str,
    n: usize,
    plays: Vec<PlayJson>,
}

/// The JSON of a play.
#[derive(Serialize)]
struct PlayJson {
    moves: String,
    /// The position after it, seen by the other player.
    position: String,
    /// Where the text of the position leaves something out: the text with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    state: Option<String>,
}

/// Runs the command.
pub(super) fn run<G: NamedGame>(arguments: &Arguments) -> Result<(), Failure> {
    let game: G = arguments.game.of_seed(Tier::best(), 0)?;
    let (rules, json) = (arguments.game.rules::<G>(), arguments.format.json);
    let Some(text) = &arguments.position else {
        let what = match game.chances().len() {
            1 => "positions",
            _ => "lines of a position, a tab and a roll",
        };
        return lines::answer(what, |line, output| answer(&game, rules, line, json, output));
    };
    let position = position(&game, Some(text))?;
    goes_on(&game, &position)?;
    let chance = chance(&game, arguments.roll.as_deref()).map_err(Failure::usage)?;
    let document = document(&game, rules, &position, chance);
    let mut output = BufWriter::new(io::stdout().lock());
    match json {
        true => output::json(&mut output, &document)?,
        false => print(&document, &mut output)?,
    }
    Ok(output.flush()?)
}

/// Answers a line of standard input.
fn answer<G: NamedGame>(game: &G, rules: &str, line: &str, json: bool, output: &mut Output) -> Result<(), Unanswered> {
    let mut columns = line.split('\t');
    let text = columns.next().unwrap_or_default();
    let roll = columns.next().filter(|roll| !roll.trim().is_empty());
    let position = game.read(text).map_err(|error| Unanswered::Line(error.to_string()))?;
    if game.points(&position).is_some() {
        let text = Quoted::new(text);
        return Err(Unanswered::Line(format!("the game is over in the position '{text}'")));
    }
    let chance = chance(game, roll).map_err(Unanswered::Line)?;
    let document = document(game, rules, &position, chance);
    if json {
        return Ok(output::json_line(output, &document)?);
    }
    write!(output, "{}\t", document.position)?;
    if let Some(roll) = &document.roll {
        write!(output, "{roll}\t")?;
    }
    let results: Vec<&str> = document.plays.iter().map(|play| play.position.as_str()).collect();
    Ok(writeln!(output, "{}\t{}", document.n, results.join(","))?)
}

fn document<'a, G: NamedGame>(game: &G, rules: &'a str, position: &G::Position, chance: usize) -> Document<'a> {
    let results = game.results(position, chance);
    let mut plays: Vec<PlayJson> = (0..)
        .zip(&results)
        .map(|(choice, result)| PlayJson {
            moves: game.moves(position, chance, choice),
            position: game.text(result),
            state: state(game, result),
        })
        .collect();
    plays.sort_unstable_by(|a, b| a.position.cmp(&b.position));
    Document {
        position: game.text(position),
        roll: (game.chances().len() > 1).then(|| game.chance_text(chance)),
        game: G::NAME,
        rules,
        n: plays.len(),
        plays,
    }
}

fn print(document: &Document<'_>, output: &mut dyn Write) -> io::Result<()> {
    let n = document.n;
    let plural = if n == 1 { "" } else { "s" };
    let of = document
        .roll
        .as_ref()
        .map_or_else(String::new, |roll| format!(" of {roll}"));
    writeln!(output, "{n} play{plural}{of} from {}\n", document.position)?;
    let width = document.plays.iter().map(|play| play.moves.len()).max().unwrap_or(0);
    for PlayJson { moves, position, .. } in &document.plays {
        writeln!(output, "  {moves:<width$}  {position}")?;
    }
    Ok(())
}
