//! `tavli train`: a net that learns to play.

mod learning_curves;

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args;
use serde::Serialize;
use tavli::NO_STOP;
use tavli::file::{self, Existing, Target};
use tavli::games::{PlayableGame, Visitor, net_bytes, visit, write_net};
use tavli_terminal::failure::Failure;
use tavli_terminal::interrupt;
use tavli_terminal::line_reader::is_same;
use tavli_terminal::numbers::{counted, decimals, grouped, rate, seconds, without_types};
use tavli_terminal::output;
use tavli_terminal::progress::Bar;
use tavli_train::{
    BackgammonNet, CheckpointError, NetFile, PlayerFile, Recipe, RecipeError, Strength, TrainableNet, TrainingProgress,
    TrainingReport, TrainingRun, TrainingStep, Unit, VariantNet, VariantRecipe,
};

use crate::arguments::{Format, Overwrite, WorkerOptions, check_nameable};

/// The time between two saves of an unfinished training: the most that a crash costs.
const SAVE_INTERVAL: Duration = Duration::from_secs(20);

/// Train a net by a recipe
///
/// The net plays games against itself and learns from them. If the recipe names a game, plakoto or fevga, the net is
/// for that game: play, duel, rollout and evaluate take it as FILE with --game.
///
/// tavli train profiles/recipes/smallest.toml --output smallest.player
///
/// A report has the games, games per second, the mean loss of a position, and the points per game against fixed
/// opponents, on dice that no training uses. At each report the net is written to --output, and the state of the
/// training to a file next to it, whose name ends with .training. At the end that file is deleted if the net is as
/// strong as the recipe demands.
///
/// After Ctrl-C or a crash, the same command with --resume continues. The same recipe gives the same weights, whatever
/// the machine, the number of threads and the interruptions.
#[derive(Args, Debug)]
pub(crate) struct TrainArguments {
    /// Recipe, a TOML file
    #[arg(value_name = "RECIPE")]
    recipe: PathBuf,
    /// Write the net to this file [default: named like the recipe, with .player, in the current folder]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// At the end, write a page with learning curves to this file
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Continue the interrupted training next to the output; begin if there is none
    #[arg(long)]
    resume: bool,
    #[command(flatten)]
    overwrite: Overwrite,
    #[command(flatten)]
    machine: WorkerOptions,
    #[command(flatten)]
    format: Format,
}

/// The JSON of a report, one a line.
#[derive(Serialize)]
struct ReportJson {
    phase: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    games: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    positions: Option<u64>,
    of: u64,
    seconds: f64,
    per_second: f64,
    loss: Option<f64>,
    strengths: Vec<StrengthJson>,
}

/// The JSON of the strength against an opponent.
#[derive(Serialize)]
struct StrengthJson {
    opponent: &'static str,
    games: u64,
    points_per_game: f64,
    standard_error: f64,
}

impl ReportJson {
    fn new(report: &TrainingReport) -> ReportJson {
        let seconds = report.elapsed.as_secs_f64();
        let of_opponent = |strength: &Strength| StrengthJson {
            opponent: strength.opponent.name(),
            games: strength.games,
            points_per_game: strength.points.mean,
            standard_error: strength.points.standard_error,
        };
        let of_unit = |unit| (report.unit == unit).then_some(report.done);
        ReportJson {
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
            (None, positions) => (positions.unwrap_or_default(), counted(self.of, "position", "positions")),
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

pub(crate) fn run(arguments: &TrainArguments) -> Result<(), Failure> {
    let path = &arguments.recipe;
    let text = file::read_text(path, file::MAX_TEXT_BYTES).map_err(|error| Failure::unreadable(path, error))?;
    match VariantRecipe::is_meant(&text) {
        true => train::<VariantNet>(arguments, &text),
        false => train::<BackgammonNet>(arguments, &text),
    }
}

/// A trainee whose nets the command reads and writes as files.
trait TrainingFiles: TrainableNet {
    /// Reads a recipe.
    fn parse(text: &str) -> Result<Self::Recipe, RecipeError>;

    /// Whether one of the files that a recipe names satisfies `is_file`.
    fn names(_: &Self::Recipe, _: impl Fn(&str) -> bool) -> bool {
        false
    }

    /// The file of a net by a recipe.
    fn to_bytes(recipe: &Self::Recipe, net: &Self::File) -> Vec<u8>;

    /// The net in a file, if there is one.
    fn read(recipe: &Self::Recipe, bytes: &[u8]) -> Option<Self::File>;
}

impl TrainingFiles for BackgammonNet {
    fn parse(text: &str) -> Result<Recipe, RecipeError> {
        Recipe::parse(text)
    }

    fn names(recipe: &Recipe, is_file: impl Fn(&str) -> bool) -> bool {
        recipe.names(is_file)
    }

    fn to_bytes(_: &Recipe, net: &PlayerFile) -> Vec<u8> {
        net.write()
    }

    fn read(_: &Recipe, bytes: &[u8]) -> Option<PlayerFile> {
        PlayerFile::read(bytes).ok()
    }
}

impl TrainingFiles for VariantNet {
    fn parse(text: &str) -> Result<VariantRecipe, RecipeError> {
        VariantRecipe::parse(text)
    }

    fn to_bytes(recipe: &VariantRecipe, net: &NetFile) -> Vec<u8> {
        visit(recipe.game(), WriteNet(&net.write())).expect("a game of the list")
    }

    fn read(recipe: &VariantRecipe, bytes: &[u8]) -> Option<NetFile> {
        visit(recipe.game(), ReadNet(bytes)).expect("a game of the list")
    }
}

/// The file of the net of a training as it is now.
fn file<T: TrainingFiles>(training: &TrainingRun<T>) -> Vec<u8> {
    T::to_bytes(training.recipe(), &training.file())
}

/// Writes the file of a net of the game that it visits.
struct WriteNet<'a>(&'a [u8]);

impl Visitor for WriteNet<'_> {
    type Output = Vec<u8>;

    fn visit<G: PlayableGame>(self) -> Vec<u8> {
        let mut file = Vec::new();
        write_net::<G>(self.0, &mut file).expect("memory takes it");
        file
    }
}

/// Reads the file of a net of the game that it visits.
struct ReadNet<'a>(&'a [u8]);

impl Visitor for ReadNet<'_> {
    type Output = Option<NetFile>;

    fn visit<G: PlayableGame>(self) -> Option<NetFile> {
        NetFile::read(net_bytes::<G>(self.0).ok()?).ok()
    }
}

/// Trains a net by the recipe of a text.
fn train<T: TrainingFiles>(arguments: &TrainArguments, text: &str) -> Result<(), Failure> {
    let path = &arguments.recipe;
    let recipe = T::parse(text)
        .map_err(|error| without_types(&error.to_string()))
        .map_err(|error| Failure::usage(format_args!("invalid recipe {}: {error}", path.display())))?;
    let tier = arguments.machine.tier()?;
    let output = arguments.output();
    check_nameable(&output)?;
    let saved = saved_beside(&output);
    let found_training = arguments.state::<T>(&recipe, &output)?;
    if found_training == FoundTraining::Done {
        output::write_message(format_args!(
            "{} is the net of this recipe, and its training has ended; --force trains it anew without --resume",
            output.display()
        ));
        return Ok(());
    }
    let page = arguments.html.as_deref();
    for (written, what) in [(Some(&*output), "net"), (Some(&*saved), "training"), (page, "page")] {
        refuse_inputs::<T>(written, what, path, &recipe)?;
    }
    if let Some(page) = page
        && [&output, &saved].into_iter().any(|other| is_same(page, other))
    {
        return Err(Failure::usage(format_args!(
            "the page would replace the net or the training, {}; name another file with --html",
            page.display()
        )));
    }
    let target = match found_training {
        FoundTraining::Unfinished => Target::open(&output, Existing::Replace).map_err(Failure::unwritable)?,
        _ => arguments.overwrite.open(&output)?,
    };
    let page = page.map(|page| arguments.overwrite.open(page)).transpose()?;
    let mut saves = Saves {
        target: Target::open(&saved, Existing::Replace).map_err(Failure::unwritable)?,
        last: Instant::now(),
        path: saved,
    };
    let mut training = if found_training == FoundTraining::Unfinished {
        let path = &saves.path;
        let bytes =
            file::read(path, file::MAX_RECORD_BYTES, NO_STOP).map_err(|error| Failure::unreadable(path, error))?;
        let cannot = |error: CheckpointError| {
            let path = path.display();
            Failure::usage(format_args!("cannot go on from {path}: {error}; --force without --resume begins anew"))
        };
        TrainingRun::<T>::from_checkpoint(recipe, tier, &bytes).map_err(cannot)?
    } else {
        TrainingRun::begin(recipe, tier).map_err(Failure::usage)?
    };
    let (workers, _) = arguments.machine.start()?;
    let cancel = interrupt::cancel_on_interrupt()?;
    // A full disk is better found now than after the first phase.
    saves.target.replace(&training.to_checkpoint()).map_err(Failure::unwritten)?;
    let mut printed = training.reports().len();
    let mut failure = None;
    let mut watch = Some(TrainingBar::new());
    let mut remarked = training.remarks();
    remarked.iter().for_each(|remark| output::remark(format_args!("remark: {remark}")));
    let ran = training.run(&workers, &cancel, |training| {
        let reports = &training.reports()[printed..];
        let mut remarks = training.remarks();
        remarks.retain(|remark| !remarked.contains(remark));
        if !(reports.is_empty() && remarks.is_empty()) {
            // Reports and remarks are printed in the place of the bar.
            watch = None;
        }
        for remark in &remarks {
            output::remark(format_args!("remark: {remark}"));
        }
        remarked.extend(remarks);
        for report in reports {
            if let Err(error) = arguments.print(report) {
                failure = Some(error);
                cancel.cancel();
            }
        }
        // The state first: a net without it cannot be trained further.
        if !reports.is_empty() || saves.last.elapsed() >= SAVE_INTERVAL {
            saves.save(training);
        }
        if !reports.is_empty()
            && !training.has_ended()
            && let Err(error) = target.replace(&file(training))
        {
            output::write_message(format_args!("warning: cannot save the net: {error}; the training goes on"));
        }
        printed = training.reports().len();
        watch.get_or_insert_with(TrainingBar::new).show(training.progress());
    });
    drop(watch);
    // Weights that have grown beyond all bounds are not saved: the files stay as they were.
    ran.map_err(Failure::run)?;
    if !training.is_done() {
        // Saved at the end, too: without it, a net that misses a demand would pass for one that meets it.
        saves.target.replace(&training.to_checkpoint()).map_err(Failure::unwritten)?;
    }
    target.replace(&file(&training)).map_err(Failure::unwritten)?;
    if let Some(progress) = training.progress() {
        if let Some(failure) = failure {
            return Err(failure);
        }
        output::write_message(interrupted(&progress));
        return Ok(());
    }
    if let Some(page) = &page {
        let text = learning_curves::page(&training.plan(), training.reports());
        page.replace(text.as_bytes()).map_err(Failure::unwritten)?;
    }
    if let Some(missed) = training.missed_demand() {
        return Err(Failure::run(missed));
    }
    fs::remove_file(&saves.path).map_err(|error| Failure::writing(saves.path.display(), &error))?;
    failure.map_or(Ok(()), Err)
}

/// The line that says how far an interrupted training is.
fn interrupted(progress: &TrainingProgress) -> String {
    let TrainingProgress { phase, phases, step, done, of } = *progress;
    let of = match step {
        TrainingStep::Play => counted(of, "game", "games"),
        TrainingStep::Value => counted(of, "position to be valued", "positions to be valued"),
        TrainingStep::Learn => counted(of, "position", "positions"),
    };
    let done = grouped(done);
    format!("interrupted in phase {phase} of {phases} after {done} of {of}; --resume goes on")
}

/// Refuses to write a file that is the recipe, or one that the recipe names.
fn refuse_inputs<T: TrainingFiles>(
    written: Option<&Path>,
    what: &str,
    path: &Path,
    recipe: &T::Recipe,
) -> Result<(), Failure> {
    let Some(written) = written else {
        return Ok(());
    };
    let refuse = |input: &str| {
        Err(Failure::usage(format_args!("the {what} would replace {input}, {}; name another file", written.display())))
    };
    if is_same(written, path) {
        return refuse("its recipe");
    }
    match T::names(recipe, |input| is_same(written, Path::new(input))) {
        true => refuse("a file that its recipe names"),
        false => Ok(()),
    }
}

/// The state of the training that a command names, before it begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum FoundTraining {
    /// Nothing, or files to be replaced.
    Nothing,
    /// An unfinished training, to be continued.
    Unfinished,
    /// A net that the recipe has made.
    Done,
}

impl TrainArguments {
    /// The file of the net.
    fn output(&self) -> PathBuf {
        let named_like_recipe = || {
            let name = self.recipe.file_name().unwrap_or_default();
            Path::new(name).with_extension("player")
        };
        self.output.clone().unwrap_or_else(named_like_recipe)
    }

    /// Finds out how far the training is.
    fn state<T: TrainingFiles>(&self, recipe: &T::Recipe, net: &Path) -> Result<FoundTraining, Failure> {
        let saved = saved_beside(net);
        if saved.exists() {
            return match (self.resume, self.overwrite.force) {
                (true, _) => Ok(FoundTraining::Unfinished),
                (false, true) => Ok(FoundTraining::Nothing),
                (false, false) => Err(Failure::usage(format_args!(
                    "{} has an interrupted training; --resume goes on from it, --force begins anew",
                    saved.display()
                ))),
            };
        }
        let file = file::read(net, file::MAX_RECORD_BYTES, NO_STOP).unwrap_or_default();
        match T::read(recipe, &file) {
            Some(file) if self.resume && TrainingRun::<T>::made(recipe, &file) => Ok(FoundTraining::Done),
            Some(file) if self.resume && !self.overwrite.force && TrainingRun::<T>::began(recipe, &file) => {
                Err(Failure::usage(format_args!(
                    "{} is the net of an unfinished training, and {}, from which it would go on, is missing; \
                     --force begins anew",
                    net.display(),
                    saved.display()
                )))
            }
            _ => Ok(FoundTraining::Nothing),
        }
    }

    fn print(&self, report: &TrainingReport) -> Result<(), Failure> {
        let document = ReportJson::new(report);
        let mut output = output::stdout();
        if self.format.json {
            return Ok(output::json_line(&mut output, &document)?);
        }
        Ok(document.write(&mut output)?)
    }
}

/// The bar of a training, and the progress in its present step when the bar began.
struct TrainingBar {
    bar: Bar,
    begun: Option<(TrainingProgress, Instant)>,
}

impl TrainingBar {
    fn new() -> TrainingBar {
        TrainingBar { bar: Bar::new(), begun: None }
    }

    fn show(&mut self, progress: Option<TrainingProgress>) {
        let Some(progress) = progress else { return };
        let place = |progress: &TrainingProgress| (progress.phase, progress.step);
        let (first, start) = match self.begun {
            Some(begun) if place(&begun.0) == place(&progress) => begun,
            _ => *self.begun.insert((progress, Instant::now())),
        };
        let what = match progress.step {
            TrainingStep::Play => counted(progress.done, "game", "games"),
            TrainingStep::Value => counted(progress.done, "position valued", "positions valued"),
            TrainingStep::Learn => counted(progress.done, "position learned", "positions learned"),
        };
        let per_second = (progress.done - first.done) as f64 / start.elapsed().as_secs_f64();
        let left = (progress.of - progress.done) as f64 / per_second;
        self.bar.show_share(
            &format!("phase {} of {}: {what}", progress.phase, progress.phases),
            per_second,
            Duration::try_from_secs_f64(left).ok(),
            progress.done as f64 / progress.of as f64,
        );
    }
}

/// The file of an unfinished training.
struct Saves {
    path: PathBuf,
    target: Target,
    last: Instant,
}

impl Saves {
    fn save(&mut self, training: &TrainingRun<impl TrainableNet>) {
        if let Err(error) = self.target.replace(&training.to_checkpoint()) {
            output::write_message(format_args!("warning: cannot save the training: {error}; it goes on"));
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
