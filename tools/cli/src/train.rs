//! `tavli train`: a net that learns to play.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;
use tavli_train::{Recipe, Report, Strength, Training, Unit, from_file, to_file};

use crate::arguments::{Format, Machine, Overwrite};
use crate::failure::Failure;
use crate::interrupt;
use crate::numbers::{counted, grouped, rate, seconds};
use crate::output;

/// Train a net by a recipe
///
/// Plays games of the net against itself, learns from them, and prints as it goes: games, games per second, the mean loss
/// of a position, and points per game against fixed opponents, by dice that the training never has. Writes the net to the
/// output at each report. The same recipe gives the same weights, whatever the machine and the number of threads. Ctrl-C
/// ends the training and keeps the net as it is.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// Recipe, a TOML file
    #[arg(value_name = "RECIPE")]
    recipe: PathBuf,
    /// Write the net to this file
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    overwrite: Overwrite,
    #[command(flatten)]
    machine: Machine,
    #[command(flatten)]
    format: Format,
}

/// The JSON of a report, one a line.
#[derive(Serialize)]
struct Document {
    phase: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    games: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    positions: Option<u64>,
    of: u64,
    seconds: f64,
    per_second: f64,
    loss: Option<f64>,
    strengths: Vec<OfOpponent>,
}

/// The JSON of the strength against an opponent.
#[derive(Serialize)]
struct OfOpponent {
    opponent: &'static str,
    games: u64,
    points_per_game: f64,
    standard_error: f64,
}

impl Document {
    fn new(report: &Report) -> Document {
        let seconds = report.elapsed.as_secs_f64();
        let of_opponent = |strength: &Strength| OfOpponent {
            opponent: strength.opponent.name(),
            games: strength.games,
            points_per_game: strength.points.mean,
            standard_error: strength.points.standard_error,
        };
        let of_unit = |unit| (report.unit == unit).then_some(report.done);
        Document {
            phase: report.phase,
            games: of_unit(Unit::Games),
            positions: of_unit(Unit::Positions),
            of: report.of,
            seconds,
            per_second: report.done as f64 / seconds,
            loss: Some(report.loss).filter(|loss| loss.is_finite()),
            strengths: report.strengths.iter().map(of_opponent).collect(),
        }
    }

    fn write(&self, output: &mut dyn Write) -> io::Result<()> {
        let (done, of) = match (self.games, self.positions) {
            (Some(games), _) => (games, counted(self.of, "game", "games")),
            (None, positions) => (
                positions.unwrap_or_default(),
                counted(self.of, "position", "positions"),
            ),
        };
        write!(
            output,
            "phase {}: {} of {of}, {}/s, {}",
            self.phase,
            grouped(done),
            rate(self.per_second),
            seconds(self.seconds),
        )?;
        if let Some(loss) = self.loss {
            write!(output, ", loss {loss:.5}")?;
        }
        for strength in &self.strengths {
            write!(
                output,
                ", {} {:+.3} [{:.3}]",
                strength.opponent, strength.points_per_game, strength.standard_error
            )?;
        }
        writeln!(output)
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let path = &arguments.recipe;
    let text = fs::read_to_string(path).map_err(|error| unreadable(path, &error))?;
    let recipe = Recipe::parse(&text).map_err(|error| {
        Failure::usage(format_args!("invalid recipe {}: {error}", path.display()))
    })?;
    let from = recipe.net.from.as_ref().map(Path::new);
    let from = from
        .map(|path| {
            let bytes = fs::read(path).map_err(|error| unreadable(path, &error))?;
            from_file(&bytes).map_err(|error| unreadable(path, &error))
        })
        .transpose()?;
    let tier = arguments.machine.tier();
    let mut training = Training::new(recipe, tier, from).map_err(Failure::usage)?;
    let target = arguments.output.as_deref();
    let target = target
        .map(|path| arguments.overwrite.open(path))
        .transpose()?;
    let (workers, _) = arguments.machine.start()?;
    let cancel = interrupt::cancel_on_interrupt()?;
    let mut printed = 0;
    let mut failure = None;
    let ended = training.run(&workers, &cancel, |training| {
        for report in &training.reports()[printed..] {
            printed += 1;
            let document = Document::new(report);
            let mut output = io::stdout();
            let written = if arguments.format.json {
                output::json_line(&mut output, &document)
            } else {
                document.write(&mut output)
            };
            if let Err(error) = written {
                failure = Some(Failure::from(error));
                cancel.cancel();
            }
            if let Some(target) = &target
                && let Err(error) = target.replace(&to_file(&training.network()))
            {
                output::complain(format_args!(
                    "warning: cannot save the net: {error}; the training goes on"
                ));
            }
        }
    });
    if let Some(target) = &target {
        target.replace(&to_file(&training.network()))?;
    }
    ended.map_err(Failure::run)?;
    failure.map_or(Ok(()), Err)
}

fn unreadable(path: &Path, error: &dyn std::fmt::Display) -> Failure {
    Failure::usage(format_args!("cannot read {}: {error}", path.display()))
}
