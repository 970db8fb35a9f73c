//! `tavli bench compare --run`: two builds, measured in interleaved runs.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Write};
use std::num::{NonZeroU8, NonZeroUsize};
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, ValueEnum};
use tavli::run::{Cpus, Pinning};
use tavli_bench::Recipe;
use tavli_bench::interleaved::{
    Build, BuildError, BuildInfo, Clock, ComparisonProgress, ComparisonSettings, End, InterleavedRuns, Precision,
    RunProgram, run_interleaved,
};
use tavli_bench::paired::Paired;
use tavli_bench::recipe::BUILT_IN;
use tavli_bench::statistics::CONFIDENCE;
use tavli_terminal::failure::Failure;
use tavli_terminal::interrupt;
use tavli_terminal::numbers::{self, counted, seconds, wait};
use tavli_terminal::progress::Bar;
use tempfile::TempDir;

use super::inputs;
use super::legend;
use crate::arguments::{self, TierOption};

/// The options of `tavli bench compare --run`.
#[derive(Args, Debug)]
pub(super) struct Options {
    /// The recipe of the cases: a built-in one, or the path of your own
    #[arg(long, value_name = "RECIPE", default_value = "quick", requires = "run")]
    recipe: String,
    /// End after S seconds at the latest; building is not counted
    #[arg(long, value_name = "S", default_value = "120", value_parser = arguments::seconds)]
    #[arg(requires = "run", allow_negative_numbers = true)]
    seconds: Duration,
    /// End when the interval of each ratio reaches at most the share W to either side
    #[arg(long, alias = "width", value_name = "W", default_value_t = 0.01, value_parser = arguments::share)]
    #[arg(requires = "run", allow_negative_numbers = true)]
    precision: f64,
    /// Let each case of a run take about S seconds
    #[arg(long, alias = "each", value_name = "S", default_value = "0.2", value_parser = arguments::seconds)]
    #[arg(requires = "run", allow_negative_numbers = true)]
    case_seconds: Duration,
    /// Clock of the rates: processor (the workers' CPU time) or wall (includes the time that other programs take)
    #[arg(long, value_name = "CLOCK", value_enum, default_value_t = ByClock::Processor, requires = "run")]
    clock: ByClock,
    /// Link each revision N times, with its functions in random orders, so that intervals include the effect of code
    /// layout
    #[arg(long, value_name = "N", default_value = "1", requires = "run", allow_negative_numbers = true)]
    layouts: NonZeroU8,
    /// Measure every case with T workers [default: the recipe's]
    #[arg(long, value_name = "T", requires = "run", allow_negative_numbers = true, value_parser = numbers::threads)]
    threads: Option<NonZeroUsize>,
    /// Bind the workers of every case to P, as tavli playout --pin does [default: the recipe's]
    #[arg(long, value_name = "P", requires = "run", allow_negative_numbers = true)]
    pin: Option<Pinning>,
    #[command(flatten)]
    isa: TierOption,
}

/// The clock of the rates.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum ByClock {
    Processor,
    Wall,
}

/// The shortest time of a case in a run: a millisecond for each of its repetitions.
const MIN_CASE_TIME: Duration = Duration::from_millis(8);
/// The approximate time to start a process, compute its signature and end it.
const PROCESS_OVERHEAD: Duration = Duration::from_secs(1);
/// The time of warming up and measuring, over the time of measuring.
const WITH_WARMING_UP: f64 = 2.0;

/// Measures the builds.
pub(super) fn run(old: &str, new: &str, options: &Options, margin: f64) -> Result<InterleavedRuns, Failure> {
    if options.case_seconds < MIN_CASE_TIME {
        return Err(Failure::usage(format_args!(
            "--case-seconds must be at least {} s: shorter times measure timers",
            MIN_CASE_TIME.as_secs_f64()
        )));
    }
    let recipe = inputs::recipe(&options.recipe)?;
    let cpus = Cpus::allowed();
    let cases: usize =
        recipe.cases.iter().map(|case| case.placements(&cpus).map_or(1, |placements| placements.len())).sum();
    let precision = Precision { confidence: CONFIDENCE, width: options.precision, margin };
    let layouts = usize::from(options.layouts.get());
    let fewest = Paired::fewest_layouts(precision.case_precision(cases));
    if (2..fewest).contains(&layouts) {
        return Err(Failure::usage(format_args!(
            "{layouts} layouts show nothing about {}: give --layouts at least {fewest}, or 1",
            counted(cases as u64, "case", "cases")
        )));
    }
    let tier = options.isa.tier()?;
    let cancel = interrupt::cancel_on_interrupt()?;
    let build = |name: &str| {
        Build::by_name(name, layouts).map_err(|error| match error {
            BuildError::Unknown(_) | BuildError::Layouts(_) => Failure::usage(error),
            error => Failure::run(error),
        })
    };
    let (old, new) = (build(old)?, build(new)?);
    let folder =
        tempfile::tempdir().map_err(|error| Failure::run(format_args!("cannot make a temporary folder: {error}")))?;
    let mut further: Vec<OsString> = vec!["--isa".into(), tier.name().into()];
    if let Some(threads) = options.threads {
        further.extend(["--threads".into(), threads.to_string().into()]);
    }
    if let Some(pin) = &options.pin {
        further.extend(["--pin".into(), pin.to_string().into()]);
    }
    let settings = ComparisonSettings {
        recipe: file(&options.recipe, &recipe, &folder)?,
        signature: recipe.signature,
        time_of_case: options.case_seconds,
        expected: PROCESS_OVERHEAD + options.case_seconds.mul_f64(WITH_WARMING_UP * cases as f64),
        options: further,
        limit: options.seconds,
        precision,
        clock: match options.clock {
            ByClock::Processor => Clock::Processor,
            ByClock::Wall => Clock::Wall,
        },
    };
    let bar = Bar::new();
    run_interleaved(&old, &new, &settings, &cancel, |progress| show(&bar, &progress)).map_err(Failure::run)
}

/// The file of a recipe, which both builds read: an older build may have another recipe under the same name.
fn file(name: &str, recipe: &Recipe, folder: &TempDir) -> Result<PathBuf, Failure> {
    let Some((_, text)) = BUILT_IN.into_iter().find(|built_in| built_in.0 == name) else {
        let path = Path::new(name);
        return path.canonicalize().map_err(|error| Failure::unreadable(path, error));
    };
    let file = folder.path().join(format!("{}.toml", recipe.name));
    fs::write(&file, text).map_err(|error| Failure::writing(file.display(), &error))?;
    Ok(file)
}

pub(super) fn print(interleaved: &InterleavedRuns, output: &mut dyn Write) -> io::Result<()> {
    for (which, build) in [("old", &interleaved.old), ("new", &interleaved.new)] {
        let BuildInfo { name, layouts, program } = build;
        let RunProgram { version, commit, compiler, flags, isa } = program;
        let commit = commit.as_deref().unwrap_or("unknown");
        let layouts = match layouts {
            1 => String::new(),
            several => format!(", {several} layouts"),
        };
        writeln!(
            output,
            "{which}  {name}: tavli {version}, commit {commit}, {compiler}{layouts}\n     {flags}; tier {isa}"
        )?;
    }
    writeln!(output)?;
    let names = interleaved.cases.iter().map(|case| case.compared.name.len());
    let width = names.max().unwrap_or(0);
    for case in &interleaved.cases {
        let rounds = counted(case.rounds as u64, "round", "rounds");
        let autocorrelation =
            case.autocorrelation.map_or(String::new(), |found| format!(", autocorrelation {found:+.2}"));
        let (name, words) = (&case.compared.name, case.compared.words());
        writeln!(output, "{name:<width$}  {words}  [{rounds}{autocorrelation}]")?;
    }
    legend::print(interleaved.confidence, interleaved.margin, output)?;
    let (time, width) = (seconds(interleaved.seconds), percent(interleaved.width));
    let end = match interleaved.end {
        End::Precise => format!("every interval reaches at most {width} % to either side"),
        End::Time => format!("time is over; {width} % to either side was asked for"),
        End::Rounds => "no more rounds can be evaluated".to_owned(),
        End::Cancelled => "interrupted; the rounds before it".to_owned(),
    };
    let clock = match interleaved.clock {
        Clock::Processor => "processor time",
        Clock::Wall => "wall-clock time",
    };
    writeln!(output, "by {clock}; {time}: {end}")
}

/// A share in percent, without the digits that multiplying adds.
fn percent(share: f64) -> f64 {
    (1e6 * share).round() / 1e4
}

/// Shows how far the comparison is.
fn show(bar: &Bar, progress: &ComparisonProgress) {
    let width = progress.width.map_or(String::new(), |width| format!(", ±{:.2} %", 100.0 * width));
    let rounds = counted(progress.rounds as u64, "round", "rounds");
    let left = wait(progress.left.as_secs_f64().ceil() as u64);
    bar.show_text(progress.fraction, format!("{rounds}{width}, at most {left} left"));
}
