//! `tavli evaluate` of any game.

use std::io::{self, Write};
use std::path::Path;

use clap::Args;
use serde::Serialize;
use tavli::Tier;
use tavli::game::{NamedGame, POINT};

use super::arguments::{chance, evaluator, goes_on, net, position};
use crate::arguments::{Format, Game};
use crate::failure::Failure;

/// Value a position by an evaluator of the game, or rank the plays
///
/// In a game with dice, a roll asks for the plays; without dice the plays are ranked beside the position. Values are
/// points of the player on roll or to move; what an evaluator knows, the game's guide says.
#[derive(Args, Debug)]
pub(super) struct Arguments {
    /// A position as the game writes it; start is the start of a game
    #[arg(value_name = "POSITION")]
    position: String,
    /// Two digits 1 to 6, such as 31, in a game with dice
    #[arg(value_name = "ROLL", allow_negative_numbers = true)]
    roll: Option<String>,
    /// The evaluator, or the file of a net that tavli train wrote [default: the first of the game]
    #[arg(long, value_name = "NAME")]
    evaluator: Option<String>,
    #[command(flatten)]
    game: Game,
    #[command(flatten)]
    format: Format,
}

/// The JSON of a position and its plays.
#[derive(Serialize)]
struct Document<'a> {
    position: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    roll: Option<String>,
    game: &'static str,
    rules: &'a str,
    evaluator: &'a str,
    equity: f64,
    /// Absent before a roll.
    #[serde(skip_serializing_if = "Option::is_none")]
    plays: Option<Vec<PlayJson>>,
}

/// The JSON of a play, for the player who makes it.
#[derive(Serialize)]
struct PlayJson {
    rank: usize,
    moves: String,
    position: String,
    equity: f64,
    behind: f64,
}

pub(super) fn run<G: NamedGame>(arguments: &Arguments) -> Result<(), Failure> {
    let game: G = arguments.game.of_seed(Tier::best(), 0)?;
    let position = position(&game, Some(&arguments.position))?;
    goes_on(&game, &position)?;
    let (by, value) = valuer(&game, arguments.evaluator.as_deref())?;
    let has_dice = game.chances().len() > 1;
    let chance = match (&arguments.roll, has_dice) {
        (None, true) => None,
        (roll, _) => Some(chance(&game, roll.as_deref()).map_err(Failure::usage)?),
    };
    let document = Document {
        position: game.text(&position),
        roll: chance.filter(|_| has_dice).map(|chance| game.chance_text(chance)),
        game: G::NAME,
        rules: arguments.game.rules::<G>(),
        evaluator: by,
        // Not -0, which would be printed, and sorted below 0.
        equity: value(&position) + 0.0,
        plays: chance.map(|chance| ranked(&game, &position, chance, &*value)),
    };
    arguments.format.write(&document, Document::print)
}

/// What values a position in points for the player on roll or to move.
type Valuer<'a, P> = Box<dyn Fn(&P) -> f64 + 'a>;

/// What values positions by the evaluator or the net of a name, and the name.
fn valuer<'a, G: NamedGame>(game: &'a G, name: Option<&'a str>) -> Result<(&'a str, Valuer<'a, G::Position>), Failure> {
    match name {
        Some(path) if !G::EVALUATORS.contains(&path) && Path::new(path).exists() => {
            let net = net(game, path)?;
            let value = move |position: &G::Position| {
                let mut value = [0];
                net.values(&[*position], &mut value, &|| false)
                    .expect("nothing stops it");
                value[0] as f64 / POINT as f64
            };
            Ok((path, Box::new(value)))
        }
        name => {
            let by = evaluator::<G>(name)?;
            Ok((G::EVALUATORS[by], Box::new(move |position| game.value(position, by))))
        }
    }
}

/// The plays by the value of the position after them, or by its points where the game is over.
fn ranked<G: NamedGame>(
    game: &G,
    position: &G::Position,
    chance: usize,
    value: &dyn Fn(&G::Position) -> f64,
) -> Vec<PlayJson> {
    let results = game.results(position, chance);
    let mut plays: Vec<PlayJson> = results
        .iter()
        .enumerate()
        .map(|(choice, result)| PlayJson {
            rank: 0,
            moves: game.moves(position, chance, choice),
            position: game.text(result),
            equity: 0.0 - game.points(result).map_or_else(|| value(result), f64::from),
            behind: 0.0,
        })
        .collect();
    plays.sort_by(|a, b| b.equity.total_cmp(&a.equity));
    let best = plays.first().map_or(0.0, |play| play.equity);
    for (rank, play) in (1..).zip(&mut plays) {
        play.rank = rank;
        play.behind = best - play.equity;
    }
    plays
}

impl Document<'_> {
    fn print(&self, output: &mut dyn Write) -> io::Result<()> {
        writeln!(output, "{}, {} rules, {}", self.game, self.rules, self.position)?;
        writeln!(
            output,
            "valued by {}\n\n  position  {:+.4}",
            self.evaluator, self.equity
        )?;
        let Some(plays) = &self.plays else {
            return Ok(());
        };
        writeln!(output)?;
        let width = plays.iter().map(|play| play.moves.len()).max().unwrap_or(0);
        for PlayJson {
            rank, moves, equity, ..
        } in plays
        {
            writeln!(output, "  {rank:>3}. {moves:<width$}  {equity:+.4}")?;
        }
        Ok(())
    }
}
