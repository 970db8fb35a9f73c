//! `tavli search` of any game.

use std::io::{self, Write};
use std::num::{NonZeroU32, NonZeroU64};
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::{ArgGroup, Args};
use serde::Serialize;
use tavli::game::NamedGame;
use tavli::run::Cancel;
use tavli::search::{
    AlphaBeta, Arm, BestMoveRule, Budget, ChanceSampling, Equipment, Equipped, Expectimax, Heavy, NamedEvaluator,
    Pruning, Report, Reward, Search, SelectionBound, Settings,
};

use super::arguments::{Endgames, Game, Solved, chance, evaluator, goes_on, is_unsolved, position};
use crate::arguments::{self, Format, Machine};
use crate::expectimax::SearchMethod;
use crate::failure::Failure;
use crate::header::Header;
use crate::interrupt::{self, NO_RESULT};
use crate::numbers::{counted, decimals, grouped, rate, seconds};
use crate::output;
use crate::progress::Bar;
use crate::search::{exploration, simulations};

/// The share of greedy plies in heavy playouts.
const GREED: f64 = 0.5;
/// The choices that alphabeta may look ahead in a time.
const DEEPEST: u32 = 64;
/// Simulations without another end.
const SIMULATIONS: u64 = 1_000_000;
/// The choices looked ahead by minimax.
const DEPTH: u32 = 3;

/// Search for the best play by random games, or by minimax
///
/// Monte-Carlo tree search (uct), flat Monte Carlo (flat) or sequential halving (halving); or both sides play their best
/// for some choices, and an evaluator values the positions after them: minimax, or alphabeta, which skips what cannot
/// change the result, and goes deeper until --depth or --seconds. In a game with dice these are expectimax and star1;
/// star2 probes first. Ctrl-C ends a search and
/// prints its result so far (exit status 0).
#[derive(Args, Debug)]
#[command(group(ArgGroup::new("end").multiple(false)))]
pub(super) struct Arguments {
    /// A position as the game writes it; start is the start of a game
    #[arg(value_name = "POSITION")]
    position: String,
    /// Two digits 1 to 6, such as 31, in a game with dice
    #[arg(value_name = "ROLL", allow_negative_numbers = true)]
    roll: Option<String>,
    /// Simulations in all trees [default: 1000000]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = simulations, group = "end")]
    simulations: Option<NonZeroU64>,
    /// Search for about S seconds
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = arguments::seconds, group = "end")]
    seconds: Option<Duration>,
    /// The method: by random games uct, flat or halving; by an evaluator some choices ahead minimax or expectimax,
    /// alphabeta or star1, star2
    #[arg(long, value_name = "M", default_value = "uct")]
    method: SearchMethod,
    /// With minimax and its kin: the choices looked ahead, 1 to 11, or to 64 by alphabeta without dice [default: 3; 64
    /// with --seconds]
    #[arg(long, value_name = "D", allow_negative_numbers = true)]
    depth: Option<u32>,
    /// With minimax and its kin: the evaluator of the game; ends knows finished games only [default: the first of the
    /// game]
    #[arg(long, value_name = "NAME")]
    evaluator: Option<String>,
    /// With uct: the factor of exploration in v + C sqrt(ln n_p / n), 0 to 1000 [default: 1]
    #[arg(long = "c", value_name = "C", allow_negative_numbers = true, value_parser = exploration)]
    c: Option<f64>,
    /// The value of a game: points, or wins (1 and -1) [default: points]
    #[arg(long, value_name = "V")]
    value: Option<Reward>,
    /// With uct: how trees sample chances, random or stratified [default: random]
    #[arg(long, value_name = "D")]
    draw: Option<ChanceSampling>,
    /// The best play: by value, visits, or visits-then-value [default: value]
    #[arg(long, value_name = "F")]
    choice: Option<BestMoveRule>,
    /// With uct: choices join the tree after more than N visits to their position [default: 1]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    expand: Option<NonZeroU32>,
    /// The number of trees, whose visits are added up [default: 16]
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    trees: Option<u32>,
    /// The most playouts of one tree in flight [default: 256]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    in_flight: Option<u32>,
    /// With uct: the score of a play with n visits: ucb1; or own-visits, v + C sqrt(log2 n / n) [default: ucb1]
    #[arg(long, value_name = "S")]
    score: Option<SelectionBound>,
    /// With uct in a game without dice: prove wins, draws and losses, and end where the result is proven
    #[arg(long)]
    proofs: bool,
    /// Playouts that make the best play by this evaluator in a share of plies, in place of games at random
    #[arg(long, value_name = "EVALUATOR")]
    heavy: Option<String>,
    /// With --heavy: the share of plies, 0 to 1 [default: 0.5]
    #[arg(long, value_name = "SHARE", requires = "heavy", allow_negative_numbers = true, value_parser = greed)]
    greed: Option<f64>,
    /// With uct: bytes for all trees [default: 2000000000]
    #[arg(long, value_name = "BYTES", allow_negative_numbers = true)]
    memory: Option<u64>,
    /// Seed of the random streams, 0 to 18446744073709551615 [default: 1]
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    seed: Option<u64>,
    #[command(flatten)]
    game: Game,
    #[command(flatten)]
    endgames: Endgames,
    #[command(flatten)]
    machine: Machine,
    #[command(flatten)]
    format: Format,
}

/// The JSON of a search. All values are those of the player on roll or to move.
#[derive(Serialize)]
struct Document<'a> {
    #[serde(flatten)]
    header: &'a Header,
    position: String,
    /// Absent in a game without dice.
    #[serde(skip_serializing_if = "Option::is_none")]
    roll: Option<String>,
    game: &'static str,
    rules: &'a str,
    method: String,
    #[serde(flatten)]
    found: FoundJson,
    seconds: f64,
    interrupted: bool,
}

/// What each kind of search has.
#[derive(Serialize)]
#[serde(untagged)]
enum FoundJson {
    Games {
        value: &'static str,
        choice: &'static str,
        c: f64,
        trees: u32,
        in_flight: u32,
        seed: u64,
        plays: Vec<PlayedJson>,
        simulations: u64,
        simulations_per_second: f64,
        playout_plies: u64,
        depth: u32,
        nodes: u64,
        bytes: u64,
    },
    Ahead {
        evaluator: &'static str,
        /// The choices looked ahead: fewer than asked for if the search was interrupted.
        depth: u32,
        plays: Vec<ValuedJson>,
        evaluations: u64,
        evaluations_per_second: f64,
    },
}

/// A play of a search by games.
#[derive(Serialize)]
struct PlayedJson {
    moves: String,
    position: String,
    visits: u64,
    sum: i64,
    squares: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    se_value: Option<f64>,
    /// The points that are proven.
    #[serde(skip_serializing_if = "Option::is_none")]
    proven: Option<i32>,
}

/// A play of a search by an evaluator.
#[derive(Serialize)]
struct ValuedJson {
    moves: String,
    position: String,
    value: f64,
    /// Whether `value` is exact; if not, it is an upper bound.
    is_exact: bool,
}

/// A position with its chance, of which the best play is asked.
struct Decision<G: NamedGame> {
    game: Arc<G>,
    tables: Solved<G>,
    position: G::Position,
    chance: usize,
}

impl<G: NamedGame> Decision<G> {
    fn moves(&self, choice: usize) -> String {
        self.game.moves(&self.position, self.chance, choice)
    }

    /// The game with the tables, and with heavy playouts if there are any.
    fn equipped(&self, playouts: Option<Heavy>, seed: u64) -> Arc<Equipped<G>> {
        let tables = self.tables.clone();
        Arc::new(Equipped::new(
            Arc::clone(&self.game),
            Equipment { tables, playouts },
            seed,
        ))
    }

    fn after(&self, choice: usize) -> String {
        self.game.text(&self.game.result(&self.position, self.chance, choice))
    }
}

/// Reads a share of plies.
fn greed(text: &str) -> Result<f64, String> {
    let greed = text.parse().ok().filter(|greed| (0.0..=1.0).contains(greed));
    greed.ok_or_else(|| "a share of plies is a number from 0 to 1, such as 0.5".to_owned())
}

/// Runs the command.
pub(super) fn run<G: NamedGame>(arguments: &Arguments) -> Result<(), Failure> {
    let settings = arguments.settings();
    let game: G = arguments.game.of_seed(arguments.machine.tier()?, settings.seed)?;
    let position = position(&game, Some(&arguments.position))?;
    goes_on(&game, &position)?;
    let tables = arguments.endgames.read(&game)?;
    is_unsolved(&game, &tables, &position)?;
    let decision = Decision {
        tables,
        chance: chance(&game, arguments.roll.as_deref()).map_err(Failure::usage)?,
        game: Arc::new(game),
        position,
    };
    let cancel = interrupt::cancel_on_interrupt()?;
    let start = Instant::now();
    let (found, header, interrupted) = match arguments.method {
        SearchMethod::Playouts(method) => {
            let settings = Settings { method, ..settings };
            arguments.by_games(&decision, settings, &cancel)?
        }
        SearchMethod::Expectimax(pruning) => arguments.ahead(&decision, pruning, &cancel)?,
    };
    let document = Document {
        header: &header,
        position: decision.game.text(&decision.position),
        roll: (decision.game.chances().len() > 1).then(|| decision.game.chance_text(decision.chance)),
        game: G::NAME,
        rules: arguments.game.rules::<G>(),
        method: arguments.method.to_string(),
        found,
        seconds: start.elapsed().as_secs_f64(),
        interrupted,
    };
    let mut output = io::stdout();
    match arguments.format.json {
        true => Ok(output::json(&mut output, &document)?),
        false => Ok(document.print(&mut output)?),
    }
}

impl Arguments {
    fn settings(&self) -> Settings {
        let default = Settings::default();
        Settings {
            c: self.c.unwrap_or(default.c),
            value: self.value.unwrap_or(default.value),
            draw: self.draw.unwrap_or(default.draw),
            choice: self.choice.unwrap_or(default.choice),
            expand: self.expand.unwrap_or(default.expand),
            trees: self.trees.unwrap_or(default.trees),
            in_flight: self.in_flight.unwrap_or(default.in_flight),
            memory: self.memory.unwrap_or(default.memory),
            seed: self.seed.unwrap_or(default.seed),
            ..default
        }
    }

    /// Searches by games.
    fn by_games<G: NamedGame>(
        &self,
        decision: &Decision<G>,
        settings: Settings,
        cancel: &Cancel,
    ) -> Result<(FoundJson, Header, bool), Failure> {
        let of_evaluators = [
            (self.depth.is_some(), "--depth"),
            (self.evaluator.is_some(), "--evaluator"),
        ];
        if let Some((_, option)) = of_evaluators.into_iter().find(|(is_given, _)| *is_given) {
            return Err(Failure::usage(format_args!(
                "{option} is for the methods minimax, alphabeta and their kin, not for {}",
                settings.method
            )));
        }
        let budget = match self.seconds {
            Some(time) => Budget::time(time),
            None => Budget::simulations(self.simulations.map_or(SIMULATIONS, NonZeroU64::get)),
        };
        let heavy = match self.heavy.as_deref() {
            None => None,
            name => Some(Heavy {
                evaluator: evaluator::<G>(name)?,
                greed: self.greed.unwrap_or(GREED),
            }),
        };
        let search = Search::new(
            decision.equipped(heavy, settings.seed),
            decision.position,
            decision.chance,
            settings,
            budget,
        );
        let mut search =
            search.and_then(|search| search.with_selection_bound(self.score.unwrap_or(SelectionBound::Ucb1)));
        if self.proofs {
            search = search.and_then(Search::with_proofs);
        }
        let search = search.map_err(Failure::usage)?.cancelled_by(cancel);
        let (workers, header) = self.machine.start()?;
        let bar = Bar::new();
        let report = search.run(&workers, |progress| {
            let best = progress.root.ranking(settings.choice)[0];
            bar.show_search(progress, &budget, &decision.moves(best));
        });
        drop(bar);
        let interrupted = report.interrupted;
        Ok((of_games(decision, &settings, report), header, interrupted))
    }

    /// Searches some choices ahead: first one, then two, up to the depth, so that there is a result when it is
    /// interrupted.
    fn ahead<G: NamedGame>(
        &self,
        decision: &Decision<G>,
        pruning: Pruning,
        cancel: &Cancel,
    ) -> Result<(FoundJson, Header, bool), Failure> {
        let is_alpha_beta = pruning == Pruning::Star1 && decision.game.chances().len() == 1;
        let of_games = [
            (self.simulations.is_some(), "--simulations"),
            (self.seconds.is_some() && !is_alpha_beta, "--seconds"),
            (self.c.is_some(), "--c"),
            (self.value.is_some(), "--value"),
            (self.draw.is_some(), "--draw"),
            (self.choice.is_some(), "--choice"),
            (self.expand.is_some(), "--expand"),
            (self.trees.is_some(), "--trees"),
            (self.in_flight.is_some(), "--in-flight"),
            (self.memory.is_some(), "--memory"),
            (self.score.is_some(), "--score"),
            (self.proofs, "--proofs"),
            (self.heavy.is_some(), "--heavy"),
            (self.seed.is_some(), "--seed"),
        ];
        if let Some((_, option)) = of_games.into_iter().find(|(is_given, _)| *is_given) {
            return Err(Failure::usage(format_args!(
                "{option} is for the methods uct, flat and halving, not for {pruning}, which plays no games: give --depth"
            )));
        }
        let index = evaluator::<G>(self.evaluator.as_deref())?;
        let heuristic = Arc::new(NamedEvaluator::new(Arc::clone(&decision.game), index));
        let game = decision.equipped(None, 0);
        let search = |depth| Expectimax::new(Arc::clone(&game), Arc::clone(&heuristic), depth, pruning);
        let most = self
            .depth
            .unwrap_or(if self.seconds.is_some() { DEEPEST } else { DEPTH });
        let start;
        let (found, header) = if is_alpha_beta {
            let search = AlphaBeta::new(Arc::clone(&game), heuristic, most).map_err(Failure::usage)?;
            let (_, header) = self.machine.start()?;
            start = Instant::now();
            let is_late = || self.seconds.is_some_and(|time| start.elapsed() >= time);
            let found = search.run(decision.position, &|| cancel.is_cancelled() || is_late());
            (found.map(|found| (found.depth, found.report)), header)
        } else {
            search(most).map_err(Failure::usage)?;
            let (_, header) = self.machine.start()?;
            start = Instant::now();
            let mut found = None;
            for depth in 1..=most {
                let search = search(depth).map_err(Failure::usage)?;
                match search.run(decision.position, decision.chance, cancel) {
                    Some(deeper) => found = Some((depth, deeper)),
                    None => break,
                }
            }
            (found, header)
        };
        let (depth, found) = found.ok_or_else(|| Failure::run(NO_RESULT))?;
        let plays = found.choices.iter().map(|choice| ValuedJson {
            moves: decision.moves(choice.choice),
            position: decision.after(choice.choice),
            value: choice.value,
            is_exact: choice.is_exact,
        });
        let json = FoundJson::Ahead {
            evaluator: G::EVALUATORS[index],
            depth,
            plays: plays.collect(),
            evaluations: found.evaluations,
            evaluations_per_second: found.evaluations as f64 / start.elapsed().as_secs_f64(),
        };
        Ok((json, header, depth < most && cancel.is_cancelled()))
    }
}

fn of_games<G: NamedGame>(decision: &Decision<G>, settings: &Settings, report: Report) -> FoundJson {
    let ranking = report.ranking(settings.choice);
    let plays = ranking.into_iter().map(|choice| {
        let arm: &Arm = &report.root.arms[choice];
        PlayedJson {
            moves: decision.moves(choice),
            position: decision.after(choice),
            visits: arm.visits,
            sum: arm.sum,
            squares: arm.squares,
            value: (arm.visits > 0).then(|| arm.value()),
            se_value: arm.standard_error(),
            proven: report.proofs[choice],
        }
    });
    let simulations = report.root.simulations();
    FoundJson::Games {
        value: settings.value.name(),
        choice: settings.choice.name(),
        c: settings.c,
        trees: settings.trees,
        in_flight: settings.in_flight,
        seed: settings.seed,
        plays: plays.collect(),
        simulations,
        simulations_per_second: simulations as f64 / report.elapsed.as_secs_f64(),
        playout_plies: report.plies,
        depth: report.depth,
        nodes: report.nodes,
        bytes: report.bytes,
    }
}

impl Document<'_> {
    fn print(&self, output: &mut dyn Write) -> io::Result<()> {
        let roll = self
            .roll
            .as_ref()
            .map_or_else(String::new, |roll| format!("{roll} from "));
        writeln!(output, "{}\n", self.header)?;
        writeln!(
            output,
            "{}, {} rules, {roll}{}, {}\n",
            self.game, self.rules, self.position, self.method
        )?;
        if self.interrupted {
            writeln!(output, "interrupted; the result so far:\n")?;
        }
        match &self.found {
            FoundJson::Games {
                plays,
                simulations,
                simulations_per_second,
                depth,
                nodes,
                bytes,
                ..
            } => {
                let width = plays.iter().map(|play| play.moves.len()).max().unwrap_or(0).max(4);
                writeln!(
                    output,
                    "  {:<width$}  {:>14}  {:>8}  {:>7}",
                    "play", "visits", "value", "± se"
                )?;
                for play in plays {
                    let value = play
                        .value
                        .map_or_else(|| "-".to_owned(), |value| format!("{value:+.4}"));
                    let error = decimals(play.se_value.unwrap_or(f64::NAN), 4);
                    let visits = grouped(play.visits);
                    let proven = match play.proven {
                        None => String::new(),
                        Some(points) => format!("  proven {points:+}"),
                    };
                    writeln!(
                        output,
                        "  {:<width$}  {visits:>14}  {value:>8}  {error:>7}{proven}",
                        play.moves
                    )?;
                }
                writeln!(
                    output,
                    "\n  {} of up to {} in {}; {}, {} bytes\n  {} simulations/s",
                    counted(*simulations, "simulation", "simulations"),
                    counted(*depth, "play before the playout", "plays before the playout"),
                    seconds(self.seconds),
                    counted(*nodes, "position", "positions"),
                    grouped(*bytes),
                    rate(*simulations_per_second),
                )
            }
            FoundJson::Ahead {
                plays,
                evaluator,
                depth,
                evaluations,
                evaluations_per_second,
            } => {
                let width = plays.iter().map(|play| play.moves.len()).max().unwrap_or(0).max(4);
                for play in plays {
                    let bound = if play.is_exact { "" } else { "at most " };
                    writeln!(
                        output,
                        "  {:<width$}  {:>16}",
                        play.moves,
                        format!("{bound}{:+.4}", play.value)
                    )?;
                }
                writeln!(
                    output,
                    "\n  {} ahead by {evaluator}: {} in {}, {}/s",
                    counted(*depth, "choice", "choices"),
                    counted(*evaluations, "evaluation", "evaluations"),
                    seconds(self.seconds),
                    rate(*evaluations_per_second),
                )
            }
        }
    }
}
