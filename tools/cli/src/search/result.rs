//! The result of a search as text and as JSON.

use std::io::{self, Write};

use serde::Serialize;
use tavli::search::{FoundPlay, Method, RootChoice, SearchResult};
use tavli_terminal::numbers::{self, counted, decimals, grouped, plain, rate};
use tavli_terminal::output;

use crate::game_turn::{PositionJson, TurnJson};
use crate::run_header::RunHeader;

/// The JSON of a search. All values are for the player on roll.
#[derive(Serialize)]
struct SearchJson<'a> {
    /// Absent if shards are merged.
    #[serde(flatten)]
    header: Option<&'a RunHeader>,
    #[serde(flatten)]
    turn: TurnJson<'a>,
    method: &'static str,
    policy: &'a str,
    reward: &'static str,
    best_by: &'static str,
    /// The settings of trees; absent for methods that grow none.
    #[serde(flatten)]
    growth: Option<GrowthJson>,
    /// Absent without progressive bias or unpruning.
    #[serde(skip_serializing_if = "Option::is_none")]
    progressive_bias: Option<ProgressiveBiasJson<'a>>,
    trees: u32,
    /// The first tree of a shard of a search, and the one after its last; absent for a whole search.
    #[serde(skip_serializing_if = "Option::is_none")]
    held: Option<[u32; 2]>,
    in_flight: u32,
    seed: u64,
    plays: Vec<SearchedPlayJson>,
    /// The expected line: rolls, each with a play.
    line: Vec<String>,
    simulations: u64,
    seconds: f64,
    simulations_per_second: f64,
    playout_plies: u64,
    playout_plies_per_second: f64,
    depth: u32,
    nodes: u64,
    bytes: u64,
    /// Only if the system refused memory, and trees stopped growing.
    #[serde(skip_serializing_if = "core::ops::Not::not")]
    memory_refused: bool,
    interrupted: bool,
}

/// Says that trees stopped growing since the system refused memory, if it did.
pub(crate) fn remark_on_memory(memory_refused: bool, bytes: u64) {
    if memory_refused {
        output::remark(format_args!(
            "warning: the system refused memory: trees stopped growing at {} bytes; raise its limit, or \
             give a smaller --memory or fewer simulations",
            grouped(bytes)
        ));
    }
}

#[derive(Serialize)]
struct GrowthJson {
    c: f64,
    chance_sampling: &'static str,
    expand: u32,
}

#[derive(Serialize)]
struct ProgressiveBiasJson<'a> {
    evaluator: &'a str,
    bias: f64,
    unprune: bool,
}

/// The JSON of a play. The integers of trees of the same root add up.
#[derive(Serialize)]
pub(crate) struct SearchedPlayJson {
    moves: String,
    #[serde(flatten)]
    position: PositionJson,
    visits: u64,
    /// The sum of the values, and of their squares.
    sum: i64,
    squares: u64,
    /// Absent without visits.
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<f64>,
    /// Absent below two visits.
    #[serde(skip_serializing_if = "Option::is_none")]
    se_value: Option<f64>,
    /// The points that are proven.
    #[serde(skip_serializing_if = "Option::is_none")]
    proven: Option<i32>,
}

impl SearchedPlayJson {
    pub(crate) fn new(
        moves: String,
        position: PositionJson,
        root_choice: &RootChoice,
        proven: Option<i32>,
    ) -> SearchedPlayJson {
        SearchedPlayJson {
            moves,
            position,
            visits: root_choice.visits,
            sum: root_choice.sum,
            squares: root_choice.squares,
            value: (root_choice.visits > 0).then(|| root_choice.value()),
            se_value: root_choice.standard_error(),
            proven,
        }
    }
}

impl<'a> SearchJson<'a> {
    fn new(found: &'a SearchResult, header: Option<&'a RunHeader>) -> SearchJson<'a> {
        let settings = found.settings();
        let trees = found.trees();
        SearchJson {
            header,
            turn: TurnJson::from_board(found.board(), Some(found.roll()), found.rules()),
            method: settings.method.name(),
            policy: found.policy(),
            reward: settings.reward.name(),
            best_by: settings.best_by.name(),
            growth: (settings.method == Method::Uct).then(|| GrowthJson {
                c: settings.c,
                chance_sampling: settings.chance_sampling.name(),
                expand: settings.expand.get(),
            }),
            progressive_bias: found.progressive_bias().map(|record| ProgressiveBiasJson {
                evaluator: &record.heuristic,
                bias: record.bias,
                unprune: record.unprunes,
            }),
            trees: settings.trees,
            held: (!found.is_whole()).then_some([trees.start, trees.end]),
            in_flight: settings.in_flight,
            seed: settings.seed,
            plays: searched_plays(found),
            line: found.line(found.best().choice),
            simulations: found.root().simulations(),
            seconds: found.elapsed().as_secs_f64(),
            simulations_per_second: found.simulations_per_second(),
            playout_plies: found.plies(),
            playout_plies_per_second: found.plies_per_second(),
            depth: found.depth(),
            nodes: found.nodes(),
            bytes: found.bytes(),
            memory_refused: found.memory_refused(),
            interrupted: found.interrupted(),
        }
    }
}

/// The plays of a search of backgammon, the best first.
fn searched_plays(found: &SearchResult) -> Vec<SearchedPlayJson> {
    let plays = found.plays().into_iter();
    let plays = plays.map(|play: FoundPlay<'_>| {
        SearchedPlayJson::new(play.moves.to_owned(), PositionJson::from_board(*play.board), play.root_choice, None)
    });
    plays.collect()
}

/// Writes a search as JSON, with the machine of a header.
pub(crate) fn write_json(found: &SearchResult, header: Option<&RunHeader>, output: &mut dyn Write) -> io::Result<()> {
    output::json(output, &SearchJson::new(found, header))
}

/// Prints the position, the method and the machine of a header.
pub(crate) fn print_head(found: &SearchResult, header: Option<&RunHeader>, output: &mut dyn Write) -> io::Result<()> {
    if let Some(header) = header {
        writeln!(output, "{header}\n")?;
    }
    let (settings, trees) = (found.settings(), found.trees());
    let number = counted(settings.trees, "tree", "trees");
    let trees = match found.is_whole() {
        true => number,
        false => format!("trees {} to {} of {number}", trees.start, trees.end - 1),
    };
    let progressive_bias = found.progressive_bias().map_or_else(String::new, |record| {
        let unpruning = if record.unprunes { " and unpruning" } else { "" };
        format!(" with progressive bias {} by {}{unpruning},", record.bias, record.heuristic)
    });
    let exploration = match settings.method {
        Method::Uct => format!(" C {},", plain(settings.c)),
        _ => String::new(),
    };
    writeln!(
        output,
        "{} from {}, {}, {}{progressive_bias} by {} playouts,{exploration} {}, {trees}, seed {}\n",
        found.roll(),
        found.board().position_id(),
        found.rules(),
        settings.method,
        found.policy(),
        settings.reward,
        settings.seed
    )
}

/// Prints the plays, the expected line and the counts.
pub(crate) fn print(found: &SearchResult, output: &mut dyn Write) -> io::Result<()> {
    let simulations = found.root().simulations();
    if found.interrupted() {
        writeln!(output, "interrupted; the result so far:\n")?;
    }
    print_plays(&searched_plays(found), Some(simulations), output)?;
    let line = found.line(found.best().choice).join(", ");
    writeln!(output, "\n  expected {line}")?;
    let seconds = found.elapsed().as_secs_f64();
    print_counts(simulations, found.depth(), seconds, found.nodes(), found.bytes(), output)?;
    writeln!(
        output,
        "  {} simulations/s, {} playout plies/s",
        rate(found.simulations_per_second()),
        rate(found.plies_per_second()),
    )
}

/// Prints a row for each play; with the number of all simulations, also its share of them.
pub(crate) fn print_plays(
    plays: &[SearchedPlayJson],
    simulations: Option<u64>,
    output: &mut dyn Write,
) -> io::Result<()> {
    let width = plays.iter().map(|play| play.moves.len()).max().unwrap_or(0).max(4);
    let share = simulations.map_or("", |_| "    share");
    writeln!(output, "  {:<width$}  {:>14}{share}  {:>8}  {:>7}", "play", "visits", "value", "± se")?;
    for play in plays {
        let share = |all: u64| format!("  {:>6.2}%", 100.0 * play.visits as f64 / all.max(1) as f64);
        let share = simulations.map_or_else(String::new, share);
        let value = play.value.map_or_else(|| "-".to_owned(), |value| format!("{value:+.4}"));
        let error = decimals(play.se_value.unwrap_or(f64::NAN), 4);
        let proven = play.proven.map_or_else(String::new, |points| format!("  proven {points:+}"));
        let (moves, visits) = (&play.moves, grouped(play.visits));
        writeln!(output, "  {moves:<width$}  {visits:>14}{share}  {value:>8}  {error:>7}{proven}")?;
    }
    Ok(())
}

/// Prints the number of simulations, and the size of their trees.
pub(crate) fn print_counts(
    simulations: u64,
    depth: u32,
    seconds: f64,
    nodes: u64,
    bytes: u64,
    output: &mut dyn Write,
) -> io::Result<()> {
    writeln!(
        output,
        "  {} of up to {} in {}; {}, {} bytes",
        counted(simulations, "simulation", "simulations"),
        counted(depth, "play before the playout", "plays before the playout"),
        numbers::seconds(seconds),
        counted(nodes, "position", "positions"),
        grouped(bytes),
    )
}
