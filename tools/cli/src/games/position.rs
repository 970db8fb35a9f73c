//! `tavli position` of any game.

use std::io::{self, Write};

use clap::Args;
use serde::Serialize;
use tavli::Tier;
use tavli::game::NamedGame;

use super::arguments::{Game, position, state};
use crate::arguments::Format;
use crate::failure::Failure;
use crate::lines::{self, Unanswered};
use crate::ordered_map::OrderedMap;
use crate::output;

/// Draw a position
///
/// Without a position, reads positions from standard input, one per line. Skips empty lines and lines that begin with
/// #. Reports bad lines with their numbers, answers the others, and then exits with status 1.
#[derive(Args, Debug)]
pub(super) struct Arguments {
    /// A position as the game writes it; start is the start of a game
    #[arg(value_name = "POSITION")]
    position: Option<String>,
    #[command(flatten)]
    game: Game,
    #[command(flatten)]
    format: Format,
}

/// The JSON of a position.
#[derive(Serialize)]
struct Document<'a> {
    position: String,
    /// Where the text of the position leaves something out: the text with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    state: Option<String>,
    game: &'static str,
    rules: &'a str,
    /// The points of the player on roll or to move, if the game is over.
    points: Option<i32>,
    /// Numbers of the position, in a game that has them.
    #[serde(flatten)]
    numbers: OrderedMap<&'static str, Vec<i32>>,
}

/// Runs the command.
pub(super) fn run<G: NamedGame>(arguments: &Arguments) -> Result<(), Failure> {
    let game: G = arguments.game.of_seed(Tier::best(), 0)?;
    let (rules, json) = (arguments.game.rules::<G>(), arguments.format.json);
    if let Some(text) = &arguments.position {
        let position = position(&game, Some(text))?;
        return Ok(write(&game, rules, &position, json, true, &mut io::stdout())?);
    }
    let mut first = true;
    lines::answer("positions", |line, output| {
        let position = game.read(line).map_err(|error| Unanswered::Line(error.to_string()))?;
        if !json && !first {
            writeln!(output)?;
        }
        first = false;
        Ok(write(&game, rules, &position, json, false, output)?)
    })
}

/// Writes a position; as JSON over several lines if it stands alone.
fn write<G: NamedGame>(
    game: &G,
    rules: &str,
    position: &G::Position,
    json: bool,
    alone: bool,
    output: &mut dyn Write,
) -> io::Result<()> {
    let document = Document {
        position: game.text(position),
        state: state(game, position),
        game: G::NAME,
        rules,
        points: game.points(position),
        numbers: OrderedMap::new(game.numbers(position).into_iter()),
    };
    match (json, alone) {
        (true, true) => output::json(output, &document),
        (true, false) => output::json_line(output, &document),
        (false, _) => {
            writeln!(
                output,
                "{}\n\nposition     {}",
                game.drawing(position),
                document.position
            )?;
            if let Some(state) = &document.state {
                writeln!(output, "state        {state}")?;
            }
            for (name, numbers) in game.numbers(position) {
                let numbers: Vec<String> = numbers.iter().map(ToString::to_string).collect();
                writeln!(output, "{name:<12} {}", numbers.join(" "))?;
            }
            match document.points {
                None => Ok(()),
                Some(points) => writeln!(output, "over         {points:+} points"),
            }
        }
    }
}
