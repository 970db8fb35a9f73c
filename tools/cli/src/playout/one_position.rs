//! `tavli playout` of one position.

use std::io::{self, Write};

use serde::Serialize;
use tavli::run::{Report, Run, Workers};

use super::arguments::Arguments;
use super::json::RunJson;
use super::per_game::PerGame;
use super::text::{describe, print};
use crate::arguments;
use crate::failure::Failure;
use crate::header::Header;
use crate::interrupt;
use crate::output;
use crate::paper;
use crate::player_options::UNIFORM;
use crate::progress::Bar;

/// The JSON of a run with its machine.
#[derive(Serialize)]
struct PlayoutJson<'a> {
    #[serde(flatten)]
    header: &'a Header,
    #[serde(flatten)]
    run: RunJson,
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let rules = arguments.game.rule_set()?;
    let position = arguments
        .position
        .as_deref()
        .map(|text| arguments::position_without_cube(text, rules))
        .transpose()?;
    let playouts = arguments.playouts(position.as_ref())?;
    // Before the switch: a signal ends the process while a large table is made.
    let players = arguments.policies.players(UNIFORM)?;
    let cancel = interrupt::cancel_on_interrupt()?;
    let run = Run::new(playouts, arguments.machine.tier()?, arguments.limit())
        .played_by(players.clone())
        .cancelled_by(&cancel)
        .from_game(arguments.first_game)
        .map_err(Failure::usage)?;
    arguments.overwrite.check(arguments.per_game.is_some())?;
    let mut records = arguments
        .per_game
        .as_deref()
        .map(|path| PerGame::create(path, arguments.overwrite, &cancel))
        .transpose()?;
    let (workers, header) = arguments.machine.start()?;
    let mut output: Box<dyn Write> = match &records {
        Some(records) if records.on_standard_output() => Box::new(io::stderr()),
        _ => Box::new(output::stdout()),
    };
    if !arguments.format.json {
        writeln!(output, "{header}\n")?;
        describe(&playouts, &players, &mut output)?;
        output.flush()?;
    }
    let (report, recorded) = match &mut records {
        None => (play(&run, &workers), Ok(())),
        Some(records) => records.play(&run, &cancel, &workers),
    };
    if let Err(Failure::ClosedPipe) = recorded {
        return recorded;
    }
    // The clock of the cores as they are now, warm from the run.
    let clock = workers.cycles_per_second();
    if arguments.format.json {
        let run = RunJson::new(&playouts, &players, &report, clock, arguments.occupancy);
        let header = &header;
        output::json(&mut output, &PlayoutJson { header, run })?;
    } else {
        print(&report, clock, arguments.occupancy, &mut output)?;
        if paper::compares(&playouts, &players) && report.results.tally.games > 0 {
            writeln!(output)?;
            paper::print(&report, &mut output)?;
        }
    }
    output.flush()?;
    recorded
}

/// Plays the games of a run.
pub(crate) fn play(run: &Run, workers: &Workers) -> Report {
    let bar = Bar::new();
    run.play(workers, |progress| bar.show(progress))
}
