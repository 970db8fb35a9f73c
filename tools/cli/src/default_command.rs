//! `tavli` without a command: both rules from the opening position, and the paper's rate next to ours.

use std::io::Write;
use std::time::Duration;

use clap::Args;
use serde::Serialize;
use tavli::policies::PolicyPair;
use tavli::run::{BackgammonPlayouts, Limit, Run};
use tavli::{Board, Playouts, RuleSet};
use tavli_terminal::failure::Failure;
use tavli_terminal::interrupt;
use tavli_terminal::output;
use tavli_terminal::progress::Bar;

use crate::arguments::{self, DEFAULT_SEED, Format, WorkerOptions};
use crate::mcgammon_rate::{self, PaperJson};
use crate::playout::{self, PlayoutDescription, RunJson, Summary};
use crate::run_header::RunHeader;
use crate::signature;

/// The arguments of `tavli` without a command.
#[derive(Args, Debug)]
pub(crate) struct DefaultArguments {
    /// Play for S seconds each of backgammon and mcgammon
    #[arg(long, value_name = "S", default_value = "3", allow_negative_numbers = true)]
    #[arg(value_parser = arguments::seconds)]
    seconds: Duration,
    #[command(flatten)]
    machine: WorkerOptions,
    #[command(flatten)]
    format: Format,
}

#[derive(Serialize)]
struct RunsJson<'a> {
    #[serde(flatten)]
    header: &'a RunHeader,
    /// One run for each rule played; an interrupt leaves out later ones.
    runs: Vec<RunJson>,
    paper: Option<PaperJson>,
    signature: Option<String>,
}

pub(crate) fn run(arguments: &DefaultArguments) -> Result<(), Failure> {
    let cancel = interrupt::cancel_on_interrupt()?;
    let (workers, header) = arguments.machine.start()?;
    let tier = arguments.machine.tier()?;
    let mut output = output::stdout();
    let text = !arguments.format.json;
    let mut document = RunsJson { header: &header, runs: Vec::new(), paper: None, signature: None };
    if text {
        writeln!(output, "{header}")?;
    }
    let players = PolicyPair::default();
    let mut games = 0;
    for rules in [RuleSet::Backgammon, RuleSet::McGammon] {
        let playouts = Playouts::new(Board::START, rules, DEFAULT_SEED).map_err(Failure::run)?;
        let played = BackgammonPlayouts::new(playouts, players.clone(), tier);
        let run = Run::new(played, Limit::Time(arguments.seconds)).cancelled_by(&cancel);
        if text {
            writeln!(output)?;
            playout::describe(&PlayoutDescription::for_backgammon(&playouts, &players), &mut output)?;
        }
        let bar = Bar::new();
        let report = run.play(&workers, |progress| bar.show(progress));
        drop(bar);
        let played = report.results.tally.games;
        games += played;
        let clock = workers.cycles_per_second();
        let report = report.map(|results| Summary::from_results(&results, false));
        if text {
            playout::print(&report, clock, &mut output)?;
        }
        if played > 0 && mcgammon_rate::compares(&playouts, &players) {
            document.paper = Some(PaperJson::new(&report));
            if text {
                writeln!(output)?;
                mcgammon_rate::print(&report, &mut output)?;
            }
        }
        let settings = PlayoutDescription::for_backgammon(&playouts, &players);
        document.runs.push(RunJson::new(settings, report, clock));
        if cancel.is_cancelled() {
            break;
        }
    }
    if !cancel.is_cancelled() {
        let signature = signature::signature_text(tier);
        if text {
            writeln!(output, "\nsignature {signature}")?;
        }
        document.signature = Some(signature);
    }
    if !text {
        output::json(&mut output, &document)?;
    }
    interrupt::check_has_result(games)
}
