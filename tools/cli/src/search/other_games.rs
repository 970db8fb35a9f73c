//! `tavli search` of a game other than backgammon.

use std::io::{self, Write};
use std::sync::Arc;
use std::time::Instant;

use serde::Serialize;
use tavli::games::{Heuristic, NamedNet, PlayableGame, ReadAgentError, evaluator_index, named_net};
use tavli::run::Cancel;
use tavli::search::{
    AlphaBeta, Expectimax, GameHeuristic, GameWithTables, HEAVY_SHARE, HeavyPlayouts, MINIMAX_DEPTH, Method, Pruning,
    Search, SearchReport, SearchSettings, SelectionBound, TablesAndHeavyPlayouts,
};
use tavli::text::Quoted;
use tavli_terminal::failure::Failure;
use tavli_terminal::interrupt::{self, NO_RESULT};
use tavli_terminal::numbers::{counted, grouped, plain, rate, seconds};
use tavli_terminal::progress::Bar;
use tavli_terminal::remarks::remark_on_net;

use super::expectimax::{SearchMethod, ValuedJson, deepened, valued};
use super::result::{SearchedPlayJson, print_counts, print_plays, remark_on_memory};
use super::{SearchArguments, check_has_begun};
use crate::arguments::DEFAULT_SEED;
use crate::game_arguments::{EndgameTables, check_unsolved};
use crate::game_turn::{PositionJson, Turn, TurnJson};
use crate::ordered_map::OrderedMap;
use crate::run_header::RunHeader;

/// The choices that alphabeta looks ahead at most within a time limit.
const MAX_DEPTH: u32 = 64;

/// The JSON of a search. All values are for the player on roll, or to move.
#[derive(Serialize)]
struct GameSearchJson<'a> {
    #[serde(flatten)]
    header: RunHeader,
    #[serde(flatten)]
    turn: TurnJson<'a>,
    method: String,
    #[serde(flatten)]
    found: FoundJson,
    /// The time of the search alone, from which the rates are computed.
    seconds: f64,
    interrupted: bool,
}

/// The members of each kind of search.
#[derive(Serialize)]
#[serde(untagged)]
enum FoundJson {
    Games(GamesJson),
    Ahead(AheadJson),
}

#[derive(Serialize)]
struct GamesJson {
    reward: &'static str,
    best_by: &'static str,
    c: f64,
    bound: &'static str,
    proofs: bool,
    /// The evaluator of heavy playouts, and their share of plies; absent of random ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    heavy: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    greed: Option<f64>,
    trees: u32,
    in_flight: u32,
    seed: u64,
    plays: Vec<SearchedPlayJson>,
    simulations: u64,
    simulations_per_second: f64,
    playout_plies: u64,
    depth: u32,
    nodes: u64,
    bytes: u64,
    /// Only if the system refused memory, and trees stopped growing.
    #[serde(skip_serializing_if = "core::ops::Not::not")]
    memory_refused: bool,
}

#[derive(Serialize)]
struct AheadJson {
    evaluator: String,
    /// The choices looked ahead: fewer than asked for if the search was interrupted.
    depth: u32,
    plays: Vec<ValuedJson>,
    evaluations: u64,
    evaluations_per_second: f64,
    /// The positions searched, the one given included.
    nodes: u64,
    /// The finished games among them, by outcome for the player on roll or to move in the position given.
    finished: OrderedMap<&'static str, u64>,
}

/// A position with its chance, whose best play is searched for.
struct PositionAndChance<G: PlayableGame> {
    game: Arc<G>,
    tables: EndgameTables<G>,
    position: G::Position,
    chance: usize,
}

impl<G: PlayableGame> PositionAndChance<G> {
    fn moves(&self, choice: usize) -> String {
        self.game.moves(&self.position, self.chance, choice)
    }

    /// The game with the tables, and with heavy playouts if there are any.
    fn aided(&self, playouts: Option<HeavyPlayouts>, seed: u64) -> Arc<GameWithTables<G>> {
        let tables = self.tables.clone();
        Arc::new(GameWithTables::new(Arc::clone(&self.game), TablesAndHeavyPlayouts { tables, playouts }, seed))
    }
}

pub(crate) fn run<G: PlayableGame>(arguments: &SearchArguments) -> Result<(), Failure> {
    let seed = arguments.seed.unwrap_or(DEFAULT_SEED);
    let game: G = arguments.game.with_seed(arguments.machine.tier()?, seed)?;
    let turn = Turn::from_arguments(&game, &arguments.position, arguments.roll.as_deref())?;
    let position = turn.position;
    let tables = arguments.endgames.read(&game)?;
    check_unsolved(&game, &tables, &position)?;
    let decision = PositionAndChance { tables, chance: turn.rolled()?, game: Arc::new(game), position };
    let cancel = interrupt::cancel_on_interrupt()?;
    let turn = TurnJson::new(&*decision.game, &turn, arguments.game.rules::<G>());
    let document = match arguments.method {
        SearchMethod::Playouts(method) => by_games(arguments, &decision, turn, arguments.settings(method), &cancel)?,
        SearchMethod::Expectimax(pruning, _) => ahead(arguments, &decision, turn, pruning, &cancel)?,
    };
    arguments.format.write(&document, GameSearchJson::print)
}

/// Searches by games.
fn by_games<'a, G: PlayableGame>(
    arguments: &SearchArguments,
    decision: &PositionAndChance<G>,
    turn: TurnJson<'a>,
    settings: SearchSettings,
    cancel: &Cancel,
) -> Result<GameSearchJson<'a>, Failure> {
    if let Some(option) = arguments.expectimax.misplaced(false) {
        return Err(Failure::usage(format_args!(
            "{option} is for the methods minimax, alphabeta and their kin, not for {}: leave it out",
            settings.method
        )));
    }
    if arguments.plain {
        return Err(plain_is_for_alphabeta());
    }
    if arguments.chance_sampling.is_some() && decision.game.chances().len() == 1 {
        return Err(Failure::usage(format_args!(
            "--chance-sampling says how trees draw throws, and {} has no dice: leave it out",
            G::NAME
        )));
    }
    let budget = arguments.budget();
    let heavy = match arguments.heavy.as_deref() {
        None => None,
        Some(name) => Some(HeavyPlayouts {
            evaluator: evaluator_index::<G>(Some(name)).map_err(|_| {
                let names = G::HEURISTICS.join(" or ");
                Failure::usage(format_args!("'{}' guides no playouts of {}: give {names}", Quoted::new(name), G::NAME))
            })?,
            share: arguments.greed.unwrap_or(HEAVY_SHARE),
        }),
    };
    let bound = arguments.bound.unwrap_or(SelectionBound::Ucb1);
    let search =
        Search::new(decision.aided(heavy, settings.seed), decision.position, decision.chance, settings, budget);
    let mut search = search.and_then(|search| search.with_selection_bound(bound));
    if arguments.proofs {
        search = search.and_then(Search::with_proofs);
    }
    let search = search.map_err(Failure::usage)?.cancelled_by(cancel);
    let (workers, header) = arguments.machine.start()?;
    let choices = decision.game.choices(&decision.position, decision.chance);
    arguments.remark_on_trees(&settings, settings.trees as usize, choices, workers.count());
    let bar = Bar::new();
    let report = search.run(&workers, |progress| {
        let best = progress.root.ranking(settings.best_by)[0];
        bar.show_search(progress, &budget, &decision.moves(best));
    });
    drop(bar);
    check_has_begun(&report.root)?;
    remark_on_memory(report.memory_refused, report.bytes);
    Ok(GameSearchJson {
        header,
        turn,
        method: settings.method.to_string(),
        seconds: report.elapsed.as_secs_f64(),
        interrupted: report.interrupted,
        found: of_games(decision, &settings, (bound, arguments.proofs, heavy), report),
    })
}

fn plain_is_for_alphabeta() -> Failure {
    Failure::usage("--plain is for the method alphabeta in a game without dice: leave it out")
}

/// Searches some choices ahead: first one, then two, up to the depth, so that there is a result when it is
/// interrupted.
fn ahead<'a, G: PlayableGame>(
    arguments: &SearchArguments,
    decision: &PositionAndChance<G>,
    turn: TurnJson<'a>,
    pruning: Pruning,
    cancel: &Cancel,
) -> Result<GameSearchJson<'a>, Failure> {
    let is_alpha_beta = pruning == Pruning::Star1 && decision.game.chances().len() == 1;
    arguments.check_plays_no_games(is_alpha_beta)?;
    if arguments.plain && !is_alpha_beta {
        return Err(plain_is_for_alphabeta());
    }
    if arguments.plain && arguments.seconds.is_some() {
        return Err(Failure::usage(
            "--plain searches once, to --depth, and --seconds would leave no result: leave one of them out",
        ));
    }
    let named = arguments.expectimax.evaluator.as_deref();
    let stop = || cancel.is_cancelled();
    let net = named.map(|name| named_net(&*decision.game, name, &stop)).transpose();
    let net = net.map_err(|error| match error {
        ReadAgentError::Stopped(_) => Failure::run(NO_RESULT),
        error => Failure::usage(error),
    });
    let net = net?.flatten();
    if let Some(NamedNet { name, plies: 1.., .. }) = net {
        return Err(Failure::usage(format_args!(
            "the search looks ahead itself: give {} as --evaluator, and --depth",
            Quoted::new(name)
        )));
    }
    let (name, heuristic): (_, Arc<dyn Heuristic<G::Position>>) = match net {
        Some(NamedNet { name, net, .. }) => {
            remark_on_net(&*decision.game, name, arguments.game.rules::<G>());
            (name, net)
        }
        None => {
            let index = evaluator_index::<G>(named).map_err(Failure::usage)?;
            let values = GameHeuristic::new(Arc::clone(&decision.game), index);
            (G::HEURISTICS[index], Arc::new(values))
        }
    };
    let game = decision.aided(None, 0);
    let search = |depth| Expectimax::new(Arc::clone(&game), Arc::clone(&heuristic), depth, pruning);
    let furthest = if arguments.seconds.is_some() { MAX_DEPTH } else { MINIMAX_DEPTH };
    let most = arguments.expectimax.depth.unwrap_or(furthest);
    let start;
    let ((depth, found), header) = if is_alpha_beta {
        let mut search = AlphaBeta::new(Arc::clone(&game), heuristic, most).map_err(Failure::usage)?;
        if arguments.plain {
            search = search.plain();
        }
        let (_, header) = arguments.machine.start()?;
        start = Instant::now();
        let is_late = || arguments.seconds.is_some_and(|time| start.elapsed() >= time);
        let found = search.run(decision.position, &|| cancel.is_cancelled() || is_late());
        let found = found.ok_or_else(|| Failure::run(NO_RESULT))?;
        ((found.depth, found.report), header)
    } else {
        search(most).map_err(Failure::usage)?;
        let (_, header) = arguments.machine.start()?;
        start = Instant::now();
        let look = |depth| {
            Ok(search(depth)
                .map_err(Failure::usage)?
                .run(decision.position, decision.chance, &|| cancel.is_cancelled()))
        };
        (deepened(most, look)?, header)
    };
    let elapsed = start.elapsed().as_secs_f64();
    Ok(GameSearchJson {
        header,
        turn,
        method: arguments.method.to_string(),
        found: FoundJson::Ahead(AheadJson {
            evaluator: name.to_owned(),
            depth,
            plays: valued(&*decision.game, &decision.position, decision.chance, &found),
            evaluations: found.evaluations,
            evaluations_per_second: found.evaluations as f64 / elapsed,
            nodes: found.met.nodes(),
            finished: OrderedMap::by_outcome::<G>(|points| found.met.finished(points)),
        }),
        seconds: elapsed,
        interrupted: depth < most && cancel.is_cancelled(),
    })
}

fn of_games<G: PlayableGame>(
    decision: &PositionAndChance<G>,
    settings: &SearchSettings,
    (bound, proofs, heavy): (SelectionBound, bool, Option<HeavyPlayouts>),
    report: SearchReport,
) -> FoundJson {
    let ranking = report.ranking(settings.best_by);
    let plays = ranking.into_iter().map(|choice| {
        let result = decision.game.result(&decision.position, decision.chance, choice);
        let position = PositionJson::new(&*decision.game, &result);
        let (root_choice, proven) = (&report.root.choices[choice], report.proofs[choice]);
        SearchedPlayJson::new(decision.moves(choice), position, root_choice, proven)
    });
    let simulations = report.root.simulations();
    FoundJson::Games(GamesJson {
        reward: settings.reward.name(),
        best_by: settings.best_by.name(),
        c: settings.c,
        bound: bound.name(),
        proofs,
        heavy: heavy.map(|heavy| G::HEURISTICS[heavy.evaluator]),
        greed: heavy.map(|heavy| heavy.share),
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
        memory_refused: report.memory_refused,
    })
}

impl GamesJson {
    /// The settings of a search by this method, in words.
    fn settings(&self, method: &str) -> String {
        let playouts = match (self.heavy, self.greed) {
            (Some(evaluator), Some(greed)) => format!("playouts with a share {greed} by {evaluator}"),
            _ => "uniform playouts".to_owned(),
        };
        let of_trees = match method == Method::Uct.name() {
            true => format!(" C {}, bound {},{}", plain(self.c), self.bound, if self.proofs { " proofs," } else { "" }),
            false => String::new(),
        };
        let trees = counted(self.trees, "tree", "trees");
        format!(" by {playouts},{of_trees} {}, {trees}, seed {}", self.reward, self.seed)
    }

    fn print(&self, elapsed: f64, output: &mut dyn Write) -> io::Result<()> {
        print_plays(&self.plays, None, output)?;
        writeln!(output)?;
        print_counts(self.simulations, self.depth, elapsed, self.nodes, self.bytes, output)?;
        writeln!(output, "  {} simulations/s", rate(self.simulations_per_second))
    }
}

impl AheadJson {
    fn print(&self, elapsed: f64, output: &mut dyn Write) -> io::Result<()> {
        let width = self.plays.iter().map(|play| play.moves.len()).max().unwrap_or(0).max(4);
        for play in &self.plays {
            let bound = if play.is_exact { "" } else { "at most " };
            let value = format!("{bound}{:+.4}", play.value);
            writeln!(output, "  {:<width$}  {value:>16}", play.moves)?;
        }
        writeln!(
            output,
            "\n  {} ahead by {}: {} in {}, {}/s",
            counted(self.depth, "choice", "choices"),
            self.evaluator,
            counted(self.evaluations, "evaluation", "evaluations"),
            seconds(elapsed),
            rate(self.evaluations_per_second),
        )?;
        let (mut all, mut by_outcome) = (0, String::new());
        for (outcome, games) in self.finished.iter() {
            all += games;
            by_outcome += &format!(", {} {}", grouped(*games), outcome.replace('_', " "));
        }
        writeln!(
            output,
            "  {}, the one given included; {}{by_outcome}",
            counted(self.nodes, "position searched", "positions searched"),
            counted(all, "finished game", "finished games"),
        )
    }
}

impl GameSearchJson<'_> {
    fn print(&self, output: &mut dyn Write) -> io::Result<()> {
        let settings = match &self.found {
            FoundJson::Games(found) => found.settings(&self.method),
            FoundJson::Ahead(found) => format!(" by {}", found.evaluator),
        };
        writeln!(output, "{}\n", self.header)?;
        writeln!(output, "{}, {}{settings}\n", self.turn.heading_of_roll(), self.method)?;
        if self.interrupted {
            writeln!(output, "interrupted; the result so far:\n")?;
        }
        match &self.found {
            FoundJson::Games(found) => found.print(self.seconds, output),
            FoundJson::Ahead(found) => found.print(self.seconds, output),
        }
    }
}
