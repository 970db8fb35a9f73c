//! The rate of the McGammon paper, the only one of its kind, next to ours.

use std::io::{self, Write};

use serde::Serialize;
use tavli::policies::PolicyPair;
use tavli::run::{GameCounts, PlayoutReport};
use tavli::{Board, Playouts, RuleSet};
use tavli_bench::record::PAPER_GAMES_PER_SECOND as GAMES_PER_SECOND;
use tavli_terminal::numbers::{grouped, rate};

/// Whether playouts are played as in the paper: whole games from the opening position under its simplified rule.
pub(crate) fn compares(playouts: &Playouts, players: &PolicyPair) -> bool {
    playouts.rules() == RuleSet::McGammon
        && *playouts.start() == Board::START
        && playouts.truncation().is_none()
        && players.are_uniform()
}

/// Prints both rates.
pub(crate) fn print<R: GameCounts>(report: &PlayoutReport<R>, output: &mut dyn Write) -> io::Result<()> {
    let ours = report.games_per_second();
    let paper = grouped(GAMES_PER_SECOND);
    let threads = match report.workers.len() {
        1 => "1 thread".to_owned(),
        n => format!("{n} threads"),
    };
    let times = rate(ours / f64::from(GAMES_PER_SECOND));
    writeln!(output, "  the same simplified rule, on other hardware:")?;
    writeln!(output, "  {paper:>16} games/s  McGammon 1.0, quad-Opteron 2.6 GHz, paper of 2007")?;
    writeln!(output, "  {:>16} games/s  here, {threads}: {times} times as many", rate(ours))
}

/// The paper's rate in JSON.
#[derive(Serialize)]
pub(crate) struct PaperJson {
    rules: &'static str,
    games_per_second: u32,
    hardware: &'static str,
    year: u32,
    /// Our rate over the paper's.
    ratio: f64,
}

impl PaperJson {
    pub(crate) fn new<R: GameCounts>(report: &PlayoutReport<R>) -> PaperJson {
        PaperJson {
            rules: RuleSet::McGammon.name(),
            games_per_second: GAMES_PER_SECOND,
            hardware: "quad-Opteron 2.6 GHz",
            year: 2007,
            ratio: report.games_per_second() / f64::from(GAMES_PER_SECOND),
        }
    }
}
