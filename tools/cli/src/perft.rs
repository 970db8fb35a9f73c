//! `tavli perft`: nodes of the game tree, ply by ply.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use clap::Args;
use serde::Serialize;
use tavli::PlayoutError;
use tavli::plays::{Nodes, perft};

use crate::arguments::{Format, OnePosition, Rule};
use crate::failure::Failure;
use crate::numbers::{grouped, rate, seconds};
use crate::output;

/// The deepest perft: counting the nodes of the next ply would take more than a lifetime.
pub(crate) const DEEPEST: i64 = 12;

/// Count the positions after each roll and play, ply by ply
///
/// Every ply has each of the 21 rolls with each of its plays. The weighted count counts non-doubles twice, as they come
/// up in 36 throws. A finished game has no further plays.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    #[command(flatten)]
    position: OnePosition,
    /// Plies, 1 to 12
    #[arg(value_name = "DEPTH", allow_negative_numbers = true)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=DEEPEST))]
    depth: u32,
    #[command(flatten)]
    rule: Rule,
    #[command(flatten)]
    format: Format,
}

/// The JSON of the command.
#[derive(Serialize)]
struct Document {
    position_id: String,
    rules: &'static str,
    depths: Vec<Depth>,
}

/// The counts of a depth.
#[derive(Serialize)]
pub(crate) struct Depth {
    depth: u32,
    nodes: u128,
    weighted: u128,
    seconds: f64,
    nodes_per_second: f64,
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let board = arguments.position.position.board();
    let rules = arguments.rule.rules;
    PlayoutError::check(board, rules).map_err(Failure::usage)?;
    let mut output = io::stdout();
    let text = !arguments.format.json;
    if text {
        print_head(&mut output)?;
    }
    let mut depths = Vec::new();
    for depth in 1..=arguments.depth {
        let start = Instant::now();
        let depth = Depth::new(depth, perft(board, rules, depth), start.elapsed());
        if text {
            depth.print(&mut output)?;
        }
        depths.push(depth);
    }
    if !text {
        let position_id = board.position_id().to_string();
        let rules = rules.name();
        output::json(
            &mut output,
            &Document {
                position_id,
                rules,
                depths,
            },
        )?;
    }
    Ok(())
}

/// Prints the head of the table of counts.
pub(crate) fn print_head(output: &mut dyn Write) -> io::Result<()> {
    writeln!(
        output,
        "{:>5}{:>22}{:>26}{:>10}{:>16}",
        "depth", "nodes", "weighted", "time", "nodes/s"
    )
}

impl Depth {
    pub(crate) fn new(depth: u32, counted: Nodes, time: Duration) -> Depth {
        let Nodes { nodes, weighted } = counted;
        let seconds = time.as_secs_f64();
        Depth {
            depth,
            nodes,
            weighted,
            seconds,
            nodes_per_second: nodes as f64 / seconds,
        }
    }

    pub(crate) fn print(&self, output: &mut dyn Write) -> io::Result<()> {
        let Depth {
            depth, nodes, weighted, ..
        } = *self;
        let (nodes, weighted) = (grouped(nodes), grouped(weighted));
        let (time, rate) = (seconds(self.seconds), rate(self.nodes_per_second));
        writeln!(output, "{depth:>5}{nodes:>22}{weighted:>26}{time:>10}{rate:>16}")
    }
}
