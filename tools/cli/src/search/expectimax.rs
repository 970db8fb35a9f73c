//! `tavli search` by expectimax: its options, the search, and its result as text and as JSON.

use std::fmt;
use std::io::{self, Write};
use std::str::FromStr;
use std::sync::Arc;
use std::time::Instant;

use clap::Args;
use serde::Serialize;
use tavli::evaluators::EquityHeuristic;
use tavli::games::PlayableGame;
use tavli::named;
use tavli::policies::{PolicyPair, Pubeval};
use tavli::search::{Expectimax, ExpectimaxReport, Method, NameError, NamedHeuristic, Pruning};
use tavli::{BackgammonGame, Board, NO_STOP, Roll, RuleSet};
use tavli_terminal::failure::Failure;
use tavli_terminal::interrupt::{self, NO_RESULT};
use tavli_terminal::numbers::{counted, rate, seconds};

use crate::arguments::{Format, WorkerOptions, player_lines};
use crate::game_turn::{PositionJson, TurnJson};
use crate::run_header::RunHeader;

/// The default of `--depth`.
const DEFAULT_DEPTH: u32 = 2;

/// The names of expectimax and Star1 in games without dice.
const NAMES_WITHOUT_DICE: [(&str, Pruning); 2] = [("minimax", Pruning::Expectimax), ("alphabeta", Pruning::Star1)];

/// What `--method` names: a search by random games, or one that looks ahead.
#[derive(Clone, Copy, Debug)]
pub(crate) enum SearchMethod {
    /// A search by random games.
    Playouts(Method),
    /// A search by an evaluator, a number of plays ahead, with the name of the method as given.
    Expectimax(Pruning, &'static str),
}

impl fmt::Display for SearchMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SearchMethod::Playouts(method) => method.fmt(f),
            SearchMethod::Expectimax(_, name) => name.fmt(f),
        }
    }
}

impl FromStr for SearchMethod {
    type Err = String;

    /// Looks up the name of a method.
    fn from_str(text: &str) -> Result<SearchMethod, String> {
        let ahead = Pruning::ALL.iter().map(|&pruning| (pruning.name(), pruning));
        let ahead: Vec<_> = ahead.chain(NAMES_WITHOUT_DICE).collect();
        if let Some(&(name, pruning)) = ahead.iter().find(|(name, _)| *name == text) {
            return Ok(SearchMethod::Expectimax(pruning, name));
        }
        text.parse().map(SearchMethod::Playouts).map_err(|_: NameError| {
            let games = Method::ALL.iter().map(|method| method.name());
            let names: Vec<&str> = games.chain(ahead.iter().map(|(name, _)| *name)).collect();
            format!("unknown method '{text}'; choose one of: {}", names.join(", "))
        })
    }
}

/// The depth and the evaluator. The evaluator also values plays for progressive bias.
#[derive(Args, Clone, Debug)]
pub(crate) struct ExpectimaxOptions {
    /// For methods without games: how many plays to look ahead, 1 to 11; with 1, each play is valued by the position
    /// after it [default: 2; in other games 3, or 64 with --seconds]
    ///
    /// alphabeta, in games without dice, takes 1 to 64.
    #[arg(long, value_name = "D", allow_negative_numbers = true)]
    pub(crate) depth: Option<u32>,
    #[arg(long, value_name = "NAME|FILE")]
    #[arg(help = "Evaluator of expectimax, star1, star2, --bias and --unprune [default: strong, with tables]")]
    #[arg(long_help = format!(
        "Evaluator of positions, for expectimax, star1, star2, --bias and --unprune\n\n{},\n  \
         or the file of a player\n  \
         pubeval: for --bias and --unprune only\n\n\
         Other games have their own evaluators and the nets of tavli evaluate. The evaluator ends values only finished \
         games.\n\n\
         Default:\n  \
         in backgammon: strong+bearoff:6+bearoff:6x6; sampled in mcgammon\n  \
         with --bias and --unprune: fast; sampled in mcgammon\n  \
         in other games: the first evaluator of the game",
        player_lines(&named::list_of_evaluators())
    ))]
    pub(crate) evaluator: Option<String>,
}

/// A position and a roll, whose best play is searched for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PositionAndRoll {
    pub(crate) board: Board,
    pub(crate) roll: Roll,
    pub(crate) rules: RuleSet,
}

#[derive(Serialize)]
struct ExpectimaxJson<'a> {
    #[serde(flatten)]
    header: &'a RunHeader,
    #[serde(flatten)]
    turn: TurnJson<'a>,
    method: &'static str,
    evaluator: &'a str,
    /// The plays looked ahead: fewer than asked for if the search was interrupted.
    depth: u32,
    plays: Vec<ValuedJson>,
    evaluations: u64,
    seconds: f64,
    evaluations_per_second: f64,
    interrupted: bool,
}

#[derive(Serialize)]
pub(crate) struct ValuedJson {
    pub(crate) moves: String,
    #[serde(flatten)]
    position: PositionJson,
    /// The mean points of the player who makes it.
    pub(crate) value: f64,
    /// Whether `value` is exact; if not, it is an upper bound.
    pub(crate) is_exact: bool,
}

impl ExpectimaxOptions {
    /// The first of these options that is given to a search by games. It may have an evaluator only with progressive
    /// bias.
    pub(crate) fn misplaced(&self, has_progressive_bias: bool) -> Option<&'static str> {
        let depth = self.depth.map(|_| "--depth");
        let evaluator = self.evaluator.as_ref().filter(|_| !has_progressive_bias);
        depth.or(evaluator.map(|_| "--evaluator"))
    }

    /// The heuristic of `--evaluator`, or of the name `default`.
    pub(crate) fn heuristic(&self, default: &str) -> Result<NamedHeuristic, Failure> {
        NamedHeuristic::named(self.evaluator.as_deref().unwrap_or(default), NO_STOP).map_err(Failure::usage)
    }

    /// Searches and prints the result.
    pub(crate) fn search(
        &self,
        decision: &PositionAndRoll,
        heuristic: NamedHeuristic,
        pruning: Pruning,
        machine: &WorkerOptions,
        format: Format,
    ) -> Result<(), Failure> {
        let PositionAndRoll { board, roll, rules } = *decision;
        let (tier, most) = (machine.tier()?, self.depth.unwrap_or(DEFAULT_DEPTH));
        let evaluator = match heuristic {
            NamedHeuristic::Evaluator(evaluator) => evaluator,
            NamedHeuristic::Pubeval => named::evaluator(Pubeval::NAME, NO_STOP).map_err(Failure::usage)?,
        };
        let game = BackgammonGame::new(rules, PolicyPair::default(), tier, 0).map_err(Failure::usage)?;
        let root = game.root(&board).map_err(Failure::usage)?;
        let (game, chance) = (Arc::new(game), BackgammonGame::chance(roll));
        let values = Arc::new(EquityHeuristic::new(rules, tier, Arc::clone(&evaluator)));
        let search = |depth| Expectimax::new(Arc::clone(&game), Arc::clone(&values), depth, pruning);
        search(most).map_err(Failure::usage)?;
        let cancel = interrupt::cancel_on_interrupt()?;
        let (_, header) = machine.start()?;
        let start = Instant::now();
        let look = |depth| Ok(search(depth).map_err(Failure::usage)?.run(root, chance, &|| cancel.is_cancelled()));
        let (depth, found) = deepened(most, look)?;
        let elapsed = start.elapsed().as_secs_f64();
        let document = ExpectimaxJson {
            header: &header,
            turn: TurnJson::from_board(&board, Some(roll), rules),
            method: pruning.name(),
            evaluator: evaluator.name(),
            depth,
            plays: valued(&*game, &root, chance, &found),
            evaluations: found.evaluations,
            seconds: elapsed,
            evaluations_per_second: found.evaluations as f64 / elapsed,
            interrupted: depth < most,
        };
        format.write(&document, ExpectimaxJson::print)
    }
}

/// Looks one play ahead, then two, up to `most`, so that there is a result when it is interrupted.
pub(crate) fn deepened(
    most: u32,
    look: impl Fn(u32) -> Result<Option<ExpectimaxReport>, Failure>,
) -> Result<(u32, ExpectimaxReport), Failure> {
    let mut found = None;
    for depth in 1..=most {
        match look(depth)? {
            Some(deeper) => found = Some((depth, deeper)),
            None => break,
        }
    }
    found.ok_or_else(|| Failure::run(NO_RESULT))
}

/// The plays in the order of the report, the best first.
pub(crate) fn valued<G: PlayableGame>(
    game: &G,
    position: &G::Position,
    chance: usize,
    found: &ExpectimaxReport,
) -> Vec<ValuedJson> {
    let choices = found.choices.iter();
    let of_choice = choices.map(|looked| ValuedJson {
        moves: game.moves(position, chance, looked.choice),
        position: PositionJson::new(game, &game.result(position, chance, looked.choice)),
        value: looked.value,
        is_exact: looked.is_exact,
    });
    of_choice.collect()
}

impl ExpectimaxJson<'_> {
    fn print(&self, output: &mut dyn Write) -> io::Result<()> {
        let ExpectimaxJson { header, plays, .. } = self;
        writeln!(output, "{header}\n")?;
        writeln!(
            output,
            "{} from {}, {}, {} by {}, {} ahead\n",
            self.turn.roll.as_deref().unwrap_or_default(),
            &*self.turn.position,
            self.turn.rules,
            self.method,
            self.evaluator,
            counted(self.depth, "play", "plays")
        )?;
        if self.interrupted {
            writeln!(output, "interrupted; the result of the depth before:\n")?;
        }
        let width = plays.iter().map(|play| play.moves.len()).max().unwrap_or(0).max(4);
        writeln!(output, "  {:<width$}  {:>8}", "play", "value")?;
        for play in plays {
            let bound = if play.is_exact { "" } else { "  at most" };
            writeln!(output, "  {:<width$}  {:>+8.4}{bound}", play.moves, play.value)?;
        }
        writeln!(
            output,
            "\n  {} valued in {}, {}/s",
            counted(self.evaluations, "position", "positions"),
            seconds(self.seconds),
            rate(self.evaluations_per_second)
        )
    }
}
