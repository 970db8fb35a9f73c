//! `tavli evaluate` of a game other than backgammon.

use std::io::{self, Write};
use std::sync::Arc;

use serde::Serialize;
use tavli::Stopped;
use tavli::game::{ChoiceEvaluator, NamedGame, RankedChoice, default_evaluator, named_net};
use tavli_terminal::failure::Failure;
use tavli_terminal::interrupt;
use tavli_terminal::remarks::remark_on_net;

use super::Arguments;
use crate::game_arguments::evaluator;
use crate::game_turn::{PositionJson, Turn, TurnJson};

/// The JSON of a position and its plays.
#[derive(Serialize)]
pub(crate) struct GameValueJson<'a> {
    #[serde(flatten)]
    turn: TurnJson<'a>,
    evaluator: &'a str,
    /// Plies ahead.
    plies: u32,
    equity: f64,
    /// Absent before a roll.
    #[serde(skip_serializing_if = "Option::is_none")]
    plays: Option<Vec<GamePlayJson>>,
}

/// The JSON of a play, for the player who makes it.
#[derive(Serialize)]
struct GamePlayJson {
    rank: usize,
    moves: String,
    #[serde(flatten)]
    position: PositionJson,
    plies: u32,
    equity: f64,
    behind: f64,
}

pub(crate) fn run<G: NamedGame>(arguments: &Arguments) -> Result<(), Failure> {
    let Some(position) = &arguments.position else {
        return Err(Failure::usage(format_args!(
            "name a position of {}, or start: lines of positions are read in backgammon alone",
            G::NAME
        )));
    };
    let game: G = arguments.game.of_seed(arguments.machine.tier()?, 0)?;
    let turn = Turn::of_arguments_or_end(&game, position, arguments.roll.as_deref())?;
    let game = Arc::new(game);
    let rules = arguments.game.rules::<G>();
    let (by, evaluator) = choice_evaluator(&game, arguments.evaluator.player.as_deref())?;
    if !G::EVALUATORS.contains(&by) {
        remark_on_net(&*game, by, rules);
    }
    let cancel = interrupt::cancel_on_interrupt()?;
    let stop = || cancel.is_cancelled();
    let document = GameValueJson::new(&game, &turn, (by, &evaluator), rules, &stop);
    let document = document.map_err(|Stopped| Failure::run(interrupt::NO_RESULT))?;
    arguments.format.write(&document, GameValueJson::print)
}

/// The evaluator or the net of a name, or the game's default, with its name.
pub(crate) fn choice_evaluator<'a, G: NamedGame>(
    game: &Arc<G>,
    name: Option<&'a str>,
) -> Result<(&'a str, ChoiceEvaluator<G>), Failure> {
    let game = Arc::clone(game);
    let name = name.or(default_evaluator(G::NAME));
    let net = match name.filter(|name| !G::EVALUATORS.contains(name)) {
        Some(name) => {
            let found = named_net(&*game, name).map_err(Failure::usage)?;
            found.map(|found| (name, found))
        }
        None => None,
    };
    match net {
        Some((name, found)) => Ok((name, ChoiceEvaluator::of_net(game, found.net, found.plies))),
        None => {
            let by = evaluator::<G>(name)?;
            Ok((G::EVALUATORS[by], ChoiceEvaluator::of_game(game, by)))
        }
    }
}

/// The plays by the value of the position after them, or by its points where the game is over.
fn plays<G: NamedGame>(
    game: &G,
    position: &G::Position,
    chance: usize,
    choices: Vec<RankedChoice>,
) -> Vec<GamePlayJson> {
    let best = choices.first().map_or(0.0, |best| best.value);
    let play = |(rank, RankedChoice { choice, value, plies })| GamePlayJson {
        rank,
        moves: game.moves(position, chance, choice),
        position: PositionJson::of(game, &game.result(position, chance, choice)),
        plies,
        equity: value,
        behind: best - value,
    };
    (1..).zip(choices).map(play).collect()
}

/// The decimals of values by an evaluator: those by Tavli3D's rating are apart by some millionths of a point.
pub(crate) fn decimals(evaluator: &str) -> usize {
    if evaluator == "tavli3d" { 6 } else { 4 }
}

impl<'a> GameValueJson<'a> {
    /// The values of a position and, if there is a chance, of the choices after it, by an evaluator of this name.
    pub(crate) fn new<G: NamedGame>(
        game: &Arc<G>,
        turn: &Turn<G::Position>,
        (by, evaluator): (&'a str, &ChoiceEvaluator<G>),
        rules: &'a str,
        stop: &dyn Fn() -> bool,
    ) -> Result<GameValueJson<'a>, Stopped> {
        let Turn { position, chance } = turn;
        let choices = chance.map(|chance| Ok((chance, evaluator.ranked(position, chance, stop)?)));
        let choices = choices.transpose()?;
        Ok(GameValueJson {
            turn: TurnJson::new(&**game, turn, rules),
            evaluator: by,
            plies: evaluator.plies(),
            equity: match game.points(position) {
                Some(points) => points.into(),
                None => evaluator.value(position, stop)?,
            },
            plays: choices.map(|(chance, choices)| plays(&**game, position, chance, choices)),
        })
    }

    /// Keeps this many of the plays, the best.
    pub(crate) fn keep(&mut self, most: usize) {
        if let Some(plays) = &mut self.plays {
            plays.truncate(most);
        }
    }
}

impl GameValueJson<'_> {
    fn print(&self, output: &mut dyn Write) -> io::Result<()> {
        let decimals = decimals(self.evaluator);
        writeln!(output, "{}", self.turn.heading())?;
        writeln!(
            output,
            "valued by {}\n\n  position  {:+.decimals$}",
            self.evaluator, self.equity
        )?;
        let Some(plays) = &self.plays else {
            return Ok(());
        };
        writeln!(output)?;
        let width = plays.iter().map(|play| play.moves.len()).max().unwrap_or(0);
        for GamePlayJson {
            rank,
            moves,
            equity,
            plies,
            ..
        } in plays
        {
            let left_out = match *plies == self.plies {
                true => String::new(),
                false => format!("  {plies}-ply"),
            };
            writeln!(output, "  {rank:>3}. {moves:<width$}  {equity:+.decimals$}{left_out}")?;
        }
        Ok(())
    }
}
