//! `tavli evaluate` of a game other than backgammon.

use std::io::{self, Write};
use std::sync::Arc;

use serde::Serialize;
use tavli::games::{
    ChoiceEvaluator, PlayableGame, RankedChoice, WinProbabilities, default_evaluator, evaluator_index, named_net,
};
use tavli::run::Cancel;
use tavli::{NO_STOP, Stopped};
use tavli_terminal::answered_lines::{self, Unanswered};
use tavli_terminal::failure::Failure;
use tavli_terminal::interrupt;
use tavli_terminal::output;
use tavli_terminal::remarks::remark_on_net;

use super::EvaluateArguments;
use crate::game_turn::{PositionJson, Turn, TurnJson, read, read_argument};

/// The JSON of a position and its plays.
#[derive(Serialize)]
pub(crate) struct GameValueJson<'a> {
    #[serde(flatten)]
    turn: TurnJson<'a>,
    evaluator: &'a str,
    /// Plies ahead.
    plies: u32,
    equity: f64,
    /// Absent if the evaluator gives values only.
    #[serde(flatten)]
    probabilities: Option<ProbabilitiesJson>,
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
    #[serde(flatten)]
    probabilities: Option<ProbabilitiesJson>,
}

/// The probabilities of the outcomes under backgammon's keys. A gammon is a win of two points, and a tie counts as half
/// a win.
#[derive(Clone, Copy, Serialize)]
struct ProbabilitiesJson {
    win: f64,
    win_gammon: f64,
    lose: f64,
    lose_gammon: f64,
}

impl From<WinProbabilities> for ProbabilitiesJson {
    fn from(probabilities: WinProbabilities) -> ProbabilitiesJson {
        let WinProbabilities { win, double_win, loss, double_loss } = probabilities;
        ProbabilitiesJson { win, win_gammon: double_win, lose: loss, lose_gammon: double_loss }
    }
}

impl ProbabilitiesJson {
    fn all(&self) -> [f64; 4] {
        [self.win, self.win_gammon, self.lose, self.lose_gammon]
    }
}

pub(crate) fn run<G: PlayableGame>(arguments: &EvaluateArguments) -> Result<(), Failure> {
    let game: G = arguments.game.with_seed(arguments.machine.tier()?, 0)?;
    let read = arguments.position.as_deref().map(|position| read_argument(&game, position)).transpose()?;
    let turn = read.map(|read| Turn::from_read_or_end(&game, read, arguments.roll.as_deref())).transpose()?;
    let game = Arc::new(game);
    let rules = arguments.game.rules::<G>();
    let (by, evaluator) = choice_evaluator(&game, arguments.evaluator.evaluator.as_deref())?;
    if !G::HEURISTICS.contains(&by) {
        remark_on_net(&*game, by, rules);
    }
    let cancel = interrupt::cancel_on_interrupt()?;
    let Some(turn) = turn else {
        return lines(arguments, &game, (by, &evaluator), rules, &cancel);
    };
    let stop = || cancel.is_cancelled();
    let document = GameValueJson::new(&game, &turn, (by, &evaluator), rules, &stop);
    let document = document.map_err(|Stopped| Failure::run(interrupt::NO_RESULT))?;
    arguments.format.write(&document, GameValueJson::print)
}

/// Answers the lines of standard input: a position, and if there is a roll a tab and the roll.
fn lines<G: PlayableGame>(
    arguments: &EvaluateArguments,
    game: &Arc<G>,
    by: (&str, &ChoiceEvaluator<G>),
    rules: &str,
    cancel: &Cancel,
) -> Result<(), Failure> {
    let stop = || cancel.is_cancelled();
    answered_lines::answer("lines of a position and a roll", cancel, |line, output| {
        let (position, roll) = answered_lines::position_and_roll(line).map_err(Unanswered::Line)?;
        let read = read(&**game, position).map_err(Failure::usage);
        let turn = read.and_then(|read| Turn::from_read_or_end(&**game, read, roll));
        let turn = turn.map_err(|failure| Unanswered::Line(failure.to_string()))?;
        let document = GameValueJson::new(game, &turn, by, rules, &stop)?;
        match arguments.format.json {
            true => output::json_line(output, &document)?,
            false => document.print_line(output)?,
        }
        Ok(())
    })
}

/// The evaluator or the net of a name, or the game's default, with its name.
pub(crate) fn choice_evaluator<'a, G: PlayableGame>(
    game: &Arc<G>,
    name: Option<&'a str>,
) -> Result<(&'a str, ChoiceEvaluator<G>), Failure> {
    let game = Arc::clone(game);
    let name = name.or(default_evaluator(G::NAME));
    let text = name.filter(|name| !G::HEURISTICS.contains(name));
    let net = text.map(|text| named_net(&*game, text, NO_STOP)).transpose().map_err(Failure::usage)?;
    match text.zip(net.flatten()) {
        Some((name, found)) => Ok((name, ChoiceEvaluator::with_net(game, found.net, found.plies))),
        None => {
            let by = evaluator_index::<G>(name).map_err(Failure::usage)?;
            Ok((G::HEURISTICS[by], ChoiceEvaluator::with_evaluator(game, by)))
        }
    }
}

/// The plays by the value of the position after them, or by its points if the game is over.
fn plays<G: PlayableGame>(
    game: &G,
    evaluator: &ChoiceEvaluator<G>,
    (position, chance): (&G::Position, usize),
    stop: &dyn Fn() -> bool,
) -> Result<Vec<GamePlayJson>, Stopped> {
    let choices = evaluator.ranked(position, chance, stop)?;
    let best = choices.first().map_or(0.0, |best| best.value);
    let play = |(rank, RankedChoice { choice, value, plies })| {
        let after = game.result(position, chance, choice);
        let probabilities = evaluator.probabilities(&after, plies, stop)?;
        Ok(GamePlayJson {
            rank,
            moves: game.moves(position, chance, choice),
            position: PositionJson::new(game, &after),
            plies,
            equity: value,
            behind: best - value,
            probabilities: probabilities.map(|of_opponent| of_opponent.reversed().into()),
        })
    };
    (1..).zip(choices).map(play).collect()
}

/// The decimals of an evaluator's values: by Tavli3D's rating plays differ by millionths of a point.
pub(crate) fn decimals(evaluator: &str) -> usize {
    if evaluator == "tavli3d" { 6 } else { 4 }
}

impl<'a> GameValueJson<'a> {
    /// The values of a position and, if there is a chance and the game goes on, of the choices after it, by an
    /// evaluator with the name `by`.
    pub(crate) fn new<G: PlayableGame>(
        game: &Arc<G>,
        turn: &Turn<G::Position>,
        (by, evaluator): (&'a str, &ChoiceEvaluator<G>),
        rules: &'a str,
        stop: &dyn Fn() -> bool,
    ) -> Result<GameValueJson<'a>, Stopped> {
        let Turn { position, chance } = turn;
        let points = game.points(position);
        let chance = chance.filter(|_| points.is_none());
        let plays = chance.map(|chance| plays(&**game, evaluator, (position, chance), stop));
        Ok(GameValueJson {
            turn: TurnJson::new(&**game, turn, rules),
            evaluator: by,
            plies: evaluator.plies(),
            equity: match points {
                Some(points) => points.into(),
                None => evaluator.value(position, stop)?,
            },
            probabilities: evaluator.probabilities(position, evaluator.plies(), stop)?.map(ProbabilitiesJson::from),
            plays: plays.transpose()?,
        })
    }

    /// Keeps the best `most` plays; a finished position gets an empty list.
    pub(crate) fn keep(&mut self, most: usize) {
        self.plays.get_or_insert_default().truncate(most);
    }
}

impl GameValueJson<'_> {
    /// The columns of a line: position, roll, best play, equity, and probabilities if there are any.
    fn print_line(&self, output: &mut dyn Write) -> io::Result<()> {
        let best = self.plays.as_ref().and_then(|plays| plays.first());
        let moves = best.map_or("", |best| &best.moves);
        let (equity, probabilities) = match best {
            Some(best) => (best.equity, best.probabilities),
            None => (self.equity, self.probabilities),
        };
        let (position, roll) = (&*self.turn.position, self.turn.roll.as_deref().unwrap_or_default());
        let decimals = decimals(self.evaluator).max(5);
        write!(output, "{position}\t{roll}\t{moves}\t{equity:+.decimals$}")?;
        for probability in probabilities.iter().flat_map(ProbabilitiesJson::all) {
            write!(output, "\t{probability:.5}")?;
        }
        writeln!(output)
    }

    fn print(&self, output: &mut dyn Write) -> io::Result<()> {
        let decimals = decimals(self.evaluator);
        let plays = self.plays.as_deref().unwrap_or_default();
        let name = |play: &GamePlayJson| format!("{:>3}. {}", play.rank, play.moves);
        let width = plays.iter().map(|play| name(play).len()).max().unwrap_or(0).max(8);
        writeln!(output, "{}\nvalued by {}\n", self.turn.heading(), self.evaluator)?;
        if self.probabilities.is_some() {
            writeln!(
                output,
                "  {:<width$}  {:>7}  {:>8}{:>8}{:>8}{:>8}",
                "", "equity", "wins", "double", "loses", "double"
            )?;
        }
        let row = |output: &mut dyn Write, name: &str, equity, probabilities: Option<ProbabilitiesJson>, note: &str| {
            write!(output, "  {name:<width$}  {equity:>+7.decimals$}")?;
            for (place, probability) in probabilities.iter().flat_map(ProbabilitiesJson::all).enumerate() {
                let gap = if place == 0 { "  " } else { "" };
                write!(output, "{gap}{:>7.2}%", 100.0 * probability)?;
            }
            writeln!(output, "{note}")
        };
        row(output, "position", self.equity, self.probabilities, "")?;
        if !plays.is_empty() {
            writeln!(output)?;
        }
        for play in plays {
            let note = match play.plies == self.plies {
                true => String::new(),
                false => format!("  {}-ply", play.plies),
            };
            row(output, &name(play), play.equity, play.probabilities, &note)?;
        }
        Ok(())
    }
}
