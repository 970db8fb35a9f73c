//! `tavli playout` of a game other than backgammon.

use std::io::{self, Write};
use std::sync::Arc;

use serde::Serialize;
use tavli::FirstRoll;
use tavli::game::{NamedGame, Outcome, Tally};
use tavli::run::{GameRun, Report};
use tavli::search::{AidedGame, HeavyPlayouts, SearchAids};

use super::arguments::Arguments;
use super::json::{EndsJson, LengthsJson, SpeedJson};
use super::text::{print_means, print_run};
use crate::failure::Failure;
use crate::game_arguments::is_unsolved;
use crate::game_turn::{chance, goes_on, position};
use crate::header::Header;
use crate::interrupt;
use crate::ordered_map::OrderedMap;
use crate::output;
use crate::progress::Bar;

/// The JSON of a run with its machine.
#[derive(Serialize)]
pub(crate) struct GamePlayoutJson<'a> {
    /// Absent in the answers of a server.
    #[serde(flatten)]
    header: Option<&'a Header>,
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
    #[serde(flatten)]
    lengths: LengthsJson,
    #[serde(flatten)]
    ends: EndsJson,
}

/// Runs the command for another game.
pub(crate) fn run<G: NamedGame>(arguments: &Arguments) -> Result<(), Failure> {
    let game: G = arguments.game.of_seed(arguments.machine.tier()?, arguments.seed)?;
    let position = position(&game, arguments.position.as_deref())?;
    goes_on(&game, &position)?;
    let first_roll = match arguments.first_roll {
        None | Some(FirstRoll::Any) => None,
        Some(roll) => Some(
            chance(&game, &roll.to_string()).map_err(|error| Failure::usage(format_args!("--first-roll: {error}")))?,
        ),
    };
    let rolls = first_rolls(&game, first_roll);
    let (text, is_start) = (game.text(&position), game.text(&position) == game.text(&game.start()));
    let cancel = interrupt::cancel_on_interrupt()?;
    let tables = arguments.endgames.read(&game)?;
    is_unsolved(&game, &tables, &position)?;
    // The game's own playouts do not use tables. Heavy playouts without greed are the same games, but end in solved
    // positions.
    let playouts = tables.is_some().then_some(HeavyPlayouts {
        evaluator: 0,
        greed: 0.0,
    });
    let game = AidedGame::new(Arc::new(game), SearchAids { tables, playouts }, arguments.seed);
    let run = GameRun::new(Arc::new(game), position, arguments.limit()).cancelled_by(&cancel);
    let run = run.from_game(arguments.first_game).map_err(Failure::usage)?;
    let run = match first_roll {
        Some(chance) => run.after_chance(chance),
        None => run,
    };
    let (name, rules, seed) = (G::NAME, arguments.game.rules::<G>(), arguments.seed);
    let from = if is_start { "the start" } else { &text };
    let first = rolls
        .as_ref()
        .map_or_else(String::new, |roll| format!(", first roll {roll}"));
    let line = format_args!("{name}, {rules} rules, from {from}{first}, seed {seed}");
    let (workers, header) = arguments.machine.start_on_task(arguments.format, line)?;
    let bar = Bar::new();
    let report = run.play(&workers, |progress| bar.show(progress));
    drop(bar);
    // The clock of the cores as they are now, warm from the run.
    let clock = workers.cycles_per_second();
    let mut output = output::stdout();
    if !arguments.format.json {
        return Ok(print::<G>(&report, clock, &mut output)?);
    }
    let document = GamePlayoutJson::new::<G>(Some(&header), (text, rules), (seed, rolls), &report, clock);
    Ok(output::json(&mut output, &document)?)
}

impl<'a> GamePlayoutJson<'a> {
    /// The JSON of playouts from the position of this text, with this text of their first rolls.
    pub(crate) fn new<G: NamedGame>(
        header: Option<&'a Header>,
        (position, rules): (String, &'a str),
        (seed, first_roll): (u64, Option<String>),
        report: &Report<Tally>,
        clock: f64,
    ) -> GamePlayoutJson<'a> {
        let tally = &report.results;
        GamePlayoutJson {
            header,
            position,
            game: G::NAME,
            games: tally.games,
            first_game: report.games.start,
            seed,
            rules,
            first_roll,
            policy: "uniform",
            speed: SpeedJson::new(report, clock),
            lengths: LengthsJson::new(tally.mean_plies(), tally.longest),
            ends: EndsJson::of(outcomes::<G>(tally), None, tally.win(), tally.points()),
        }
    }
}

/// The text of the first rolls of games that begin with a chance, or with any; `None` in a game without dice.
pub(crate) fn first_rolls<G: NamedGame>(game: &G, chance: Option<usize>) -> Option<String> {
    (game.chances().len() > 1).then(|| chance.map_or_else(|| "any".to_owned(), |chance| game.chance_text(chance)))
}

/// The games of each outcome.
pub(crate) fn outcomes<G: NamedGame>(tally: &Tally) -> OrderedMap<&'static str, u64> {
    let counts = G::OUTCOMES.iter();
    OrderedMap::new(counts.map(|outcome| (outcome.name, tally.count(outcome.points))))
}

/// Prints the results.
fn print<G: NamedGame>(report: &Report<Tally>, clock: f64, output: &mut dyn Write) -> io::Result<()> {
    let tally = &report.results;
    let outcomes = G::OUTCOMES.iter();
    let row = |outcome: &Outcome| (outcome.name, tally.count(outcome.points), tally.share(outcome.points));
    let rows: Vec<_> = outcomes.map(row).collect();
    print_run(report, clock, &rows, output, |output| {
        print_means(tally.points(), tally.mean_plies(), tally.longest, output)
    })
}
