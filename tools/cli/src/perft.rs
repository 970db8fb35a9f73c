//! `tavli perft`: nodes of the game tree, ply by ply.

use std::io::{self, Write};
use std::thread;
use std::time::{Duration, Instant};

use clap::Args;
use crossbeam_channel::{RecvTimeoutError, bounded};
use serde::Serialize;
use tavli::Tier;
use tavli::games::{Nodes, PlayableGame};
use tavli_terminal::failure::Failure;
use tavli_terminal::interrupt;
use tavli_terminal::numbers::{grouped, rate, seconds, whole_in};
use tavli_terminal::output;

use crate::arguments::{self, Format, GameOptions};
use crate::game_turn::{self, TurnJson, is_backgammon};

/// The deepest perft: counting the nodes of the next ply would take more than a lifetime.
const MAX_DEPTH: u64 = 12;

/// How often a signal is looked for while a depth is counted.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// Count the sequences of rolls and plays, ply by ply
///
/// At every ply, counts each of the 21 rolls, in a game with dice, with each of its plays; plays with the same result
/// count once. The weighted count has each roll as often as it comes up in 36 throws: non-doubles twice, doubles once.
///
/// tavli perft start 2
///
/// A finished game has no further plays. Ctrl-C ends the command with the counts of the depths that are complete.
#[derive(Args, Debug)]
pub(crate) struct PerftArguments {
    #[arg(value_name = "POSITION", help = arguments::POSITION)]
    position: String,
    /// Number of plies, 1 to 12
    #[arg(value_name = "DEPTH", allow_negative_numbers = true)]
    #[arg(value_parser = whole_in::<u32>(1..=MAX_DEPTH))]
    depth: u32,
    #[command(flatten)]
    game: GameOptions,
    #[command(flatten)]
    format: Format,
}

/// The counts of the depths that were finished before a signal.
#[derive(Serialize)]
struct PerftJson<'a> {
    #[serde(flatten)]
    position: TurnJson<'a>,
    depths: Vec<Depth>,
    interrupted: bool,
}

#[derive(Serialize)]
struct Depth {
    depth: u32,
    nodes: u128,
    weighted: u128,
    seconds: f64,
    nodes_per_second: f64,
}

pub(crate) fn run<G: PlayableGame>(arguments: &PerftArguments) -> Result<(), Failure> {
    let game: G = arguments.game.with_seed(Tier::best(), 0)?;
    let position = game_turn::read_argument(&game, &arguments.position)?.position;
    // A position without a play has a count of 0; in backgammon a side that is borne off would leave the other side's
    // plays.
    if is_backgammon::<G>() {
        game_turn::check_goes_on(&game, &position)?;
    }
    let text = TurnJson::from_position(&game, &position, arguments.game.rules::<G>());
    let mut document = PerftJson { position: text, depths: Vec::new(), interrupted: false };
    document.count(arguments.depth, arguments.format.json, move |depth| game.perft(&position, depth))?;
    if arguments.format.json {
        output::json(&mut output::stdout(), &document)?;
    }
    Ok(())
}

impl PerftJson<'_> {
    /// Counts depth by depth, and prints each count unless the result is to be JSON. A signal ends it.
    // On another thread, which ends with the program: the last depth may take years, and its loops check no switch.
    fn count(
        &mut self,
        deepest: u32,
        is_json: bool,
        count: impl Fn(u32) -> Nodes + Send + 'static,
    ) -> Result<(), Failure> {
        let cancel = interrupt::cancel_on_interrupt()?;
        let (sender, counts) = bounded(1);
        let count_all = move || {
            for depth in 1..=deepest {
                let start = Instant::now();
                let depth = Depth::new(depth, count(depth), start.elapsed());
                if sender.send(depth).is_err() {
                    break;
                }
            }
        };
        let thread = thread::Builder::new().name("perft".to_owned()).spawn(count_all);
        thread.map_err(|error| Failure::run(format_args!("cannot start a thread: {error}")))?;
        let mut output = output::stdout();
        if !is_json {
            print_head(&mut output)?;
        }
        while self.depths.len() < deepest as usize && !self.interrupted {
            match counts.recv_timeout(POLL_INTERVAL) {
                Ok(depth) => {
                    if !is_json {
                        depth.print(&mut output)?;
                        output.flush()?;
                    }
                    self.depths.push(depth);
                }
                Err(RecvTimeoutError::Timeout) => self.interrupted = cancel.is_cancelled(),
                Err(RecvTimeoutError::Disconnected) => return Err(Failure::run("the count has failed")),
            }
        }
        if self.interrupted {
            output::write_message(format_args!("interrupted before depth {}", self.depths.len() + 1));
        }
        Ok(())
    }
}

/// Prints the head of the table of counts.
fn print_head(output: &mut dyn Write) -> io::Result<()> {
    writeln!(output, "{:>5}{:>22}{:>26}{:>10}{:>16}", "depth", "nodes", "weighted", "time", "nodes/s")
}

impl Depth {
    fn new(depth: u32, counted: Nodes, time: Duration) -> Depth {
        let Nodes { nodes, weighted } = counted;
        let seconds = time.as_secs_f64();
        Depth { depth, nodes, weighted, seconds, nodes_per_second: nodes as f64 / seconds }
    }

    fn print(&self, output: &mut dyn Write) -> io::Result<()> {
        let Depth { depth, nodes, weighted, .. } = *self;
        let (nodes, weighted) = (grouped(nodes), grouped(weighted));
        let (time, rate) = (seconds(self.seconds), rate(self.nodes_per_second));
        writeln!(output, "{depth:>5}{nodes:>22}{weighted:>26}{time:>10}{rate:>16}")
    }
}
