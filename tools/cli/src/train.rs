//! `tavli train`: a net that learns to play.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args;
use serde::Serialize;
use tavli::file::{self, Existing, Target};
use tavli_train::{
    Network, Opponent, PlayerFile, Progress, Recipe, Report, Strength, Training, Unit,
};

use crate::arguments::{Format, Machine, Overwrite};
use crate::failure::Failure;
use crate::interrupt;
use crate::learning_curves;
use crate::numbers::{counted, decimals, grouped, rate, seconds};
use crate::output;
use crate::progress::Bar;

/// The time between two saves of an unfinished training: what a crash costs.
const SAVE: Duration = Duration::from_secs(20);

/// Train a net by a recipe
///
/// Plays games of the net against itself, learns from them, and prints as it goes: games, games per second, the mean loss
/// of a position, and points per game against fixed opponents, by dice that the training never has. Writes the net to the
/// output at each report, and all that it needs to go on to a file beside it, whose name ends with .training; that file is
/// deleted at the end. After Ctrl-C or a crash the same command with --resume goes on. The same recipe gives the same
/// weights, whatever the machine, the number of threads and the interruptions.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// Recipe, a TOML file
    #[arg(value_name = "RECIPE")]
    recipe: PathBuf,
    /// Write the net to this file [default: named like the recipe, with .player, in the current folder]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Write a page with learning curves to this file at the end
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Go on with an interrupted training, if there is one
    #[arg(long)]
    resume: bool,
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
            loss: report.loss,
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
            "phase {}: {} of {of} in {}, {}/s",
            self.phase,
            grouped(done),
            seconds(self.seconds),
            rate(self.per_second),
        )?;
        if let Some(loss) = self.loss {
            write!(output, ", loss {loss:.5}")?;
        }
        for strength in &self.strengths {
            write!(
                output,
                ", {} {:+.3} [{}]",
                strength.opponent,
                strength.points_per_game,
                decimals(strength.standard_error, 3)
            )?;
        }
        writeln!(output)
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let path = &arguments.recipe;
    let text = file::read_text(path, file::TEXT).map_err(|error| unreadable(path, &error))?;
    let recipe = Recipe::parse(&text).map_err(|error| {
        Failure::usage(format_args!("invalid recipe {}: {error}", path.display()))
    })?;
    let tier = arguments.machine.tier()?;
    let output = arguments.output();
    if fs::canonicalize(&output).is_ok_and(|output| fs::canonicalize(path).ok() == Some(output)) {
        return Err(Failure::usage(format_args!(
            "the net would replace its recipe, {}; name another file with --output",
            path.display()
        )));
    }
    if arguments.has_ended(&output, &text) {
        output::complain(format_args!(
            "{} is the net of this recipe, and its training has ended; --force trains it anew without --resume",
            output.display()
        ));
        return Ok(());
    }
    let target = arguments.open(&output)?;
    let page = arguments.html.as_deref();
    let page = page
        .map(|path| Target::open(path, Existing::Replace))
        .transpose()?;
    let path = saved_beside(&output);
    let mut saves = Saves {
        target: Target::open(&path, Existing::Replace)?,
        last: Instant::now(),
        path,
    };
    let first = recipe.first.as_ref();
    let first = first.map(|first| read_net(Path::new(&first.player)));
    let first = first.transpose()?;
    let mut training = if arguments.resume && saves.path.exists() {
        let path = &saves.path;
        let bytes = file::read(path, file::RECORD).map_err(|error| unreadable(path, &error))?;
        let cannot = |error| {
            Failure::usage(format_args!(
                "cannot go on from {}: {error}",
                path.display()
            ))
        };
        Training::from_checkpoint(recipe, tier, &bytes).map_err(cannot)?
    } else {
        let from = recipe.net.from.clone().map(PathBuf::from);
        let from = from.map(|path| read_net(&path)).transpose()?;
        Training::new(recipe, tier, from).map_err(Failure::usage)?
    };
    if let Some(first) = first {
        training = training.with_first(first);
    }
    let (workers, _) = arguments.machine.start()?;
    let cancel = interrupt::cancel_on_interrupt()?;
    let mut printed = training.reports().len();
    let mut failure = None;
    let mut watch = Some(Watch::new());
    let ended = training.run(&workers, &cancel, |training| {
        let reports = &training.reports()[printed..];
        if !reports.is_empty() {
            // Reports are printed where the bar was.
            watch = None;
        }
        for report in reports {
            if let Err(error) = arguments.print(report) {
                failure = Some(error);
                cancel.cancel();
            }
        }
        // First what it needs to go on: a net without that is one whose training has ended.
        if !reports.is_empty() || cancel.is_cancelled() || saves.last.elapsed() >= SAVE {
            saves.save(training);
        }
        if !reports.is_empty()
            && let Err(error) = target.replace(&training.player_file().write())
        {
            output::complain(format_args!(
                "warning: cannot save the net: {error}; the training goes on"
            ));
        }
        printed = training.reports().len();
        watch
            .get_or_insert_with(Watch::new)
            .show(training.progress());
    });
    drop(watch);
    target.replace(&training.player_file().write())?;
    if let Some(page) = &page {
        page.replace(learning_curves::page(&training).as_bytes())?;
    }
    if training.has_ended() {
        fs::remove_file(&saves.path)
            .map_err(|error| Failure::writing(saves.path.display(), &error))?;
    }
    ended.map_err(Failure::run)?;
    if let Some(failure) = failure {
        return Err(failure);
    }
    check_strength(&training)
}

/// Fails if a training that has ended is weaker than its recipe demands.
fn check_strength(training: &Training) -> Result<(), Failure> {
    let last = training.reports().last();
    let strengths = last.into_iter().flat_map(|report| &report.strengths);
    let pubeval = strengths.filter(|strength| strength.opponent == Opponent::Pubeval);
    let points = pubeval.map(|strength| strength.points.mean).next();
    match (points, training.recipe().report.pubeval_at_least) {
        (Some(points), Some(least)) if training.has_ended() && points < least => {
            Err(Failure::run(format_args!(
                "the net makes {points:+.3} points per game against pubeval; its recipe demands {least:+.3}"
            )))
        }
        _ => Ok(()),
    }
}

impl Arguments {
    /// The file of the net.
    fn output(&self) -> PathBuf {
        let named_like_recipe = || {
            let name = self.recipe.file_name().unwrap_or_default();
            Path::new(name).with_extension("player")
        };
        self.output.clone().unwrap_or_else(named_like_recipe)
    }

    /// Whether there is nothing left to go on with: a net by this recipe, and no training that was interrupted.
    fn has_ended(&self, net: &Path, recipe: &str) -> bool {
        let by_recipe =
            |bytes: Vec<u8>| PlayerFile::read(&bytes).is_ok_and(|net| net.recipe == recipe);
        self.resume
            && !saved_beside(net).exists()
            && file::read(net, file::RECORD).is_ok_and(by_recipe)
    }

    /// Opens the file of the net; that of a training that goes on exists.
    fn open(&self, path: &Path) -> Result<Target, Failure> {
        let saved = saved_beside(path);
        if self.resume && saved.exists() {
            return Ok(Target::open(path, Existing::Replace)?);
        }
        if saved.exists() && !self.overwrite.force {
            return Err(Failure::usage(format_args!(
                "{} has an interrupted training; --resume goes on from it, --force begins anew",
                saved.display()
            )));
        }
        self.overwrite.open(path)
    }

    /// Prints a report.
    fn print(&self, report: &Report) -> Result<(), Failure> {
        let document = Document::new(report);
        let mut output = io::stdout();
        if self.format.json {
            return Ok(output::json_line(&mut output, &document)?);
        }
        Ok(document.write(&mut output)?)
    }
}

/// The bar of a training, and where its present step was when the bar began.
struct Watch {
    bar: Bar,
    begun: Option<(Progress, Instant)>,
}

impl Watch {
    fn new() -> Watch {
        Watch {
            bar: Bar::new(),
            begun: None,
        }
    }

    fn show(&mut self, progress: Option<Progress>) {
        let Some(progress) = progress else { return };
        let place = |progress: &Progress| (progress.phase, progress.step);
        let (first, start) = match self.begun {
            Some(begun) if place(&begun.0) == place(&progress) => begun,
            _ => *self.begun.insert((progress, Instant::now())),
        };
        let done = progress.done - first.done;
        self.bar.show_training(&progress, done, start.elapsed());
    }
}

/// The file of an unfinished training.
struct Saves {
    path: PathBuf,
    target: Target,
    last: Instant,
}

impl Saves {
    fn save(&mut self, training: &Training) {
        if let Err(error) = self.target.replace(&training.to_checkpoint()) {
            output::complain(format_args!(
                "warning: cannot save the training: {error}; it goes on"
            ));
        }
        self.last = Instant::now();
    }
}

/// The file of the unfinished training of a net.
fn saved_beside(net: &Path) -> PathBuf {
    let mut name = net.as_os_str().to_owned();
    name.push(".training");
    name.into()
}

fn read_net(path: &Path) -> Result<Network, Failure> {
    let bytes = file::read(path, file::RECORD).map_err(|error| unreadable(path, &error))?;
    let player = PlayerFile::read(&bytes).map_err(|error| unreadable(path, &error))?;
    Ok(player.net)
}

fn unreadable(path: &Path, error: &dyn std::fmt::Display) -> Failure {
    Failure::usage(format_args!("cannot read {}: {error}", path.display()))
}
