//! `tavli playout` of any game.

use std::io::{self, Write};
use std::num::NonZeroU64;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use serde::Serialize;
use tavli::game::{NamedGame, Tally};
use tavli::run::{GameRun, Limit, Report};
use tavli::search::{Equipment, Equipped, Heavy};

use super::arguments::{Endgames, Game, chance, goes_on, is_unsolved, position};
use crate::arguments::{self, DEFAULT_SEED, Format, Machine};
use crate::failure::Failure;
use crate::header::Header;
use crate::interrupt;
use crate::numbers::{decimals, grouped};
use crate::ordered_map::OrderedMap;
use crate::output;
use crate::playout::{SpeedJson, print_speed, share_row};
use crate::progress::Bar;

/// The time of a run that names no end.
const DEFAULT_TIME: Duration = Duration::from_secs(3);

/// Play games from a position at random
///
/// Every distinct result of a turn is as likely as any other. Each game depends only on the position, the rules, the
/// first roll, the seed and the game's number; threads, CPUs and instruction set change the speed. Without --games and
/// --seconds a run takes 3 seconds. Ctrl-C ends a run with the result so far (exit status 0).
#[derive(Args, Debug)]
pub(super) struct Arguments {
    /// A position as the game writes it [default: the start of a game]
    #[arg(value_name = "POSITION")]
    position: Option<String>,
    /// Play N games
    #[arg(long, value_name = "N", conflicts_with = "seconds", allow_negative_numbers = true)]
    #[arg(value_parser = arguments::games)]
    games: Option<NonZeroU64>,
    /// Play for S seconds; the games played are one unbroken range of numbers [default: 3]
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = arguments::seconds)]
    seconds: Option<Duration>,
    /// Seed of the random streams, 0 to 18446744073709551615
    #[arg(long, value_name = "S", default_value_t = DEFAULT_SEED, allow_negative_numbers = true)]
    seed: u64,
    /// Number of the first game
    #[arg(long, value_name = "G", default_value_t = 0, allow_negative_numbers = true)]
    first_game: u64,
    /// First roll, such as 31, or any, in a game with dice [default: any]
    #[arg(long, value_name = "ROLL", allow_negative_numbers = true)]
    first_roll: Option<String>,
    #[command(flatten)]
    game: Game,
    #[command(flatten)]
    endgames: Endgames,
    #[command(flatten)]
    machine: Machine,
    #[command(flatten)]
    format: Format,
}

/// The JSON of a run with its machine.
#[derive(Serialize)]
struct Document<'a> {
    #[serde(flatten)]
    header: &'a Header,
    position: String,
    game: &'static str,
    games: u64,
    first_game: u64,
    seed: u64,
    rules: &'a str,
    /// Absent in a game without dice.
    #[serde(skip_serializing_if = "Option::is_none")]
    first_roll: Option<String>,
    policy: &'static str,
    #[serde(flatten)]
    speed: SpeedJson,
    mean_plies: f64,
    se_plies: f64,
    longest_game: u32,
    /// Games by outcome for the player on roll or to move.
    outcomes: OrderedMap<&'static str, u64>,
    win: f64,
    se_win: f64,
    equity: f64,
    se_equity: f64,
}

/// Runs the command.
pub(super) fn run<G: NamedGame>(arguments: &Arguments) -> Result<(), Failure> {
    let game: G = arguments.game.of_seed(arguments.machine.tier()?, arguments.seed)?;
    let position = position(&game, arguments.position.as_deref())?;
    goes_on(&game, &position)?;
    let first_roll = match arguments.first_roll.as_deref() {
        None | Some("any") => None,
        roll => Some(chance(&game, roll).map_err(|error| Failure::usage(format_args!("--first-roll: {error}")))?),
    };
    let limit = match arguments.games {
        Some(games) => Limit::Games(games.get()),
        None => Limit::Time(arguments.seconds.unwrap_or(DEFAULT_TIME)),
    };
    let rolls = (game.chances().len() > 1)
        .then(|| first_roll.map_or_else(|| "any".to_owned(), |chance| game.chance_text(chance)));
    let (text, is_start) = (game.text(&position), game.text(&position) == game.text(&game.start()));
    let cancel = interrupt::cancel_on_interrupt()?;
    let tables = arguments.endgames.read(&game)?;
    is_unsolved(&game, &tables, &position)?;
    // The game's own playouts do not ask tables; those without greed are the same games, which end in solved positions.
    let playouts = tables.is_some().then_some(Heavy {
        evaluator: 0,
        greed: 0.0,
    });
    let game = Equipped::new(Arc::new(game), Equipment { tables, playouts }, arguments.seed);
    let run = GameRun::new(Arc::new(game), position, limit).cancelled_by(&cancel);
    let run = run.from_game(arguments.first_game).map_err(Failure::usage)?;
    let run = match first_roll {
        Some(chance) => run.after_chance(chance),
        None => run,
    };
    let (workers, header) = arguments.machine.start()?;
    let mut output = io::stdout();
    let rules = arguments.game.rules::<G>();
    if !arguments.format.json {
        let from = if is_start { "the start" } else { &text };
        let rolls = rolls
            .as_ref()
            .map_or_else(String::new, |roll| format!(", first roll {roll}"));
        writeln!(
            output,
            "{header}\n\n{}, {rules} rules, from {from}{rolls}, seed {}\n",
            G::NAME,
            arguments.seed
        )?;
        output.flush()?;
    }
    let bar = Bar::new();
    let report = run.play(&workers, |progress| bar.show(progress));
    drop(bar);
    // The clock of the cores as they are now, warm from the run.
    let clock = workers.cycles_per_second();
    if !arguments.format.json {
        return Ok(print::<G>(&report, clock, &mut output)?);
    }
    let tally = &report.results;
    let (plies, win, equity) = (tally.mean_plies(), tally.win(), tally.points());
    let document = Document {
        header: &header,
        position: text,
        game: G::NAME,
        games: tally.games,
        first_game: report.games.start,
        seed: arguments.seed,
        rules,
        first_roll: rolls,
        policy: "uniform",
        speed: SpeedJson::new(&report, clock),
        mean_plies: plies.mean,
        se_plies: plies.standard_error,
        longest_game: tally.longest,
        outcomes: outcomes::<G>(tally),
        win: win.mean,
        se_win: win.standard_error,
        equity: equity.mean,
        se_equity: equity.standard_error,
    };
    Ok(output::json(&mut output, &document)?)
}

/// The games of each outcome.
pub(super) fn outcomes<G: NamedGame>(tally: &Tally) -> OrderedMap<&'static str, u64> {
    let counts = G::OUTCOMES.iter();
    OrderedMap::new(counts.map(|outcome| (outcome.name, tally.count(outcome.points))))
}

/// Prints the results.
fn print<G: NamedGame>(report: &Report<Tally>, clock: f64, output: &mut dyn Write) -> io::Result<()> {
    let tally = &report.results;
    if report.cancelled {
        writeln!(output, "  interrupted; the games before it\n")?;
    }
    if tally.games == 0 {
        return writeln!(output, "  no games were played");
    }
    writeln!(output, "  {:<16}{:>20}    share ± standard error", "outcome", "games")?;
    for outcome in G::OUTCOMES {
        let name = outcome.name.replace('_', " ");
        share_row(output, &name, tally.count(outcome.points), tally.share(outcome.points))?;
    }
    let (points, plies) = (tally.points(), tally.mean_plies());
    let (mean, error) = (points.mean, decimals(points.standard_error, 5));
    writeln!(output, "\n  equity {mean:+.5} ± {error} points")?;
    let (mean, error) = (plies.mean, decimals(plies.standard_error, 3));
    writeln!(
        output,
        "  plies a game {mean:.3} ± {error}, the longest {}\n",
        grouped(tally.longest)
    )?;
    print_speed(report, clock, output)
}
