//! `tavli playout` of one position.

use std::io::{self, Write};

use serde::Serialize;
use tavli::run::Limit;
use tavli_terminal::failure::Failure;
use tavli_terminal::interrupt;
use tavli_terminal::output;
use tavli_terminal::progress::Bar;

use super::arguments::PlayoutArguments;
use super::json::RunJson;
use super::per_game::PerGame;
use super::playing::PlayoutGame;
use super::text::{describe, print};
use crate::run_header::RunHeader;

/// The JSON of a run with its machine.
#[derive(Serialize)]
struct PlayoutJson<'a> {
    #[serde(flatten)]
    header: &'a RunHeader,
    #[serde(flatten)]
    run: RunJson,
}

pub(super) fn run(arguments: &PlayoutArguments, mut playing: impl PlayoutGame) -> Result<(), Failure> {
    let start = playing.start(arguments.position.as_deref())?;
    // Before the switch: a signal ends the process while a large table is made.
    playing.load()?;
    let cancel = interrupt::cancel_on_interrupt()?;
    let run = playing.prepare(&start, arguments.limit(), &cancel)?;
    arguments.overwrite.check(arguments.per_game.is_some())?;
    let mut records =
        arguments.per_game.as_deref().map(|path| PerGame::create(path, arguments.overwrite, &cancel)).transpose()?;
    let (workers, header) = arguments.machine.start()?;
    let mut output: Box<dyn Write> = match &records {
        Some(records) if records.on_standard_output() => Box::new(io::stderr()),
        _ => Box::new(output::stdout()),
    };
    let settings = playing.settings(&start);
    if !arguments.format.json {
        writeln!(output, "{header}\n")?;
        describe(&settings, &mut output)?;
        output.flush()?;
    }
    let (report, recorded) = match &mut records {
        None => {
            let bar = Bar::new();
            (run(&workers, &mut |progress| bar.show(progress), None)?, Ok(()))
        }
        Some(records) => records.play(run, &cancel, &workers),
    };
    if let Err(Failure::ClosedPipe) = recorded {
        return recorded;
    }
    if matches!(arguments.limit(), Limit::Time(_)) && report.games.end == u64::MAX {
        output::remark("remark: the run ended before its time: it played the last game number, 2^64 - 2");
    }
    // The clock of the cores as they are now, warm from the run.
    let clock = workers.cycles_per_second();
    let games = report.results.games;
    if arguments.format.json {
        let run = RunJson::new(settings, report, clock);
        let header = &header;
        output::json(&mut output, &PlayoutJson { header, run })?;
    } else {
        print(&report, clock, &mut output)?;
        playing.compare(&start, &report, &mut output)?;
    }
    output.flush()?;
    recorded?;
    interrupt::check_has_result(games)
}
