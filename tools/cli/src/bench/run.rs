//! `tavli bench RECIPE`: a recipe measured on this machine.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::str::FromStr;

use clap::Args;
use tavli::Tier;
use tavli::run::{Cpus, Pinning};
use tavli_bench::binding;
use tavli_bench::measure::{MeasureError, MeasureProgress, measure};
use tavli_bench::recipe::{BUILT_IN, Recipe, RecipeError};
use tavli_bench::record::{Program, Record, Verdict};
use tavli_bench::report::without_folders;
use tavli_terminal::failure::Failure;
use tavli_terminal::interrupt;
use tavli_terminal::numbers;
use tavli_terminal::output;
use tavli_terminal::progress::Bar;

use super::inputs::{self, command_line};
use super::print;
use crate::arguments::{self, Overwrite};
use crate::layout::csv_cell;
use crate::run_header;

/// The options of `tavli bench` without a subcommand.
#[derive(Args, Debug)]
pub(crate) struct Options {
    /// A built-in recipe: quick, node, scaling, sockets, movegen, policy, rollout, search, decide or soak; or the path
    /// of your own
    #[arg(value_name = "RECIPE", default_value = "quick")]
    recipe: String,
    /// List the recipes that are built in
    #[arg(long, conflicts_with_all = ["recipe", "save", "csv"])]
    list: bool,
    /// Measure each case N times [default: the recipe's]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    repetitions: Option<usize>,
    /// Let a repetition take about S seconds [default: the recipe's]
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    seconds: Option<f64>,
    /// Warm up for S seconds, which may be 0 [default: the recipe's]
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    warm_up: Option<f64>,
    /// End after S seconds with the repetitions that are complete [default: three times the expected time, and a
    /// minute]
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    time_limit: Option<f64>,
    /// Measure every case with T workers [default: the recipe's]
    #[arg(long, value_name = "T", allow_negative_numbers = true, value_parser = numbers::threads)]
    threads: Option<NonZeroUsize>,
    /// Bind the workers of every case to P, as tavli playout --pin does [default: the recipe's]
    #[arg(long, value_name = "P", allow_negative_numbers = true)]
    pin: Option<Pinning>,
    /// Instruction-set tier; all measures every tier of this CPU, in turns [default: the environment variable
    /// TAVLI_ISA, or the fastest that this CPU has]
    #[arg(long, value_name = "TIER")]
    isa: Option<Tiers>,
    /// Also write the record, as JSON, to a new file FILE.json
    #[arg(long, value_name = "FILE.json")]
    save: Option<PathBuf>,
    #[command(flatten)]
    overwrite: Overwrite,
    /// Write the record as JSON instead of text
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// Write CSV instead of text: a line for each repetition
    #[arg(long)]
    csv: bool,
}

/// The tiers to measure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Tiers {
    One(Tier),
    All,
}

impl FromStr for Tiers {
    type Err = String;

    fn from_str(text: &str) -> Result<Tiers, String> {
        match text {
            "all" => Ok(Tiers::All),
            text => match text.parse() {
                Ok(tier) => Ok(Tiers::One(tier)),
                Err(error) => Err(format!("{error}; all measures each of them")),
            },
        }
    }
}

impl Tiers {
    /// The tiers, for a text.
    fn names(self) -> String {
        match self {
            Tiers::One(tier) => tier.name().to_owned(),
            Tiers::All => {
                let names: Vec<&str> = Tier::available().iter().map(|tier| tier.name()).collect();
                names.join(", ")
            }
        }
    }
}

pub(super) fn run(options: &Options) -> Result<(), Failure> {
    if options.list {
        return list(options.json);
    }
    let recipe = recipe(options)?;
    let target = options.overwrite.open_named(options.save.as_deref())?;
    let cancel = interrupt::cancel_on_interrupt()?;
    let cpus = Cpus::allowed();
    let tiers = arguments::tier_or_environment(options.isa)?;
    let tiers = tiers.unwrap_or(Tiers::One(Tier::best()));
    let (tier, recipe) = match tiers {
        Tiers::One(tier) => (tier, recipe),
        Tiers::All => (Tier::best(), recipe.on_tiers(Tier::available())),
    };
    let command = without_folders(&command_line());
    let program = Program {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        commit: run_header::commit().map(str::to_owned),
        compiler: env!("TAVLI_COMPILER").to_owned(),
        flags: without_folders(env!("TAVLI_FLAGS")),
        isa: tiers.names(),
    };
    for remark in remarks(&recipe, &cpus) {
        output::write_message(remark);
    }
    let bar = Bar::with_template("  {bar:24} {elapsed} {msg}");
    let record = measure(&recipe, &cpus, tier, program, command, &cancel, |step| {
        show(&bar, &step);
    })
    .map_err(|error| match error {
        MeasureError::Signature { .. } => Failure::run(error),
        error => Failure::usage(error),
    })?;
    drop(bar);
    if let Some(limit) = record.ended_by_limit {
        output::write_message(format_args!(
            "the limit of {} s ended the measurement: it took longer than its recipe says; --time-limit sets another",
            numbers::plain(limit)
        ));
    }
    // The result is printed even if it cannot be saved.
    let saved = target.map_or(Ok(()), |target| {
        let text = serde_json::to_string(&record).expect("a record has plain keys") + "\n";
        target.replace(text.as_bytes())
    });
    let mut output = output::stdout();
    if options.json {
        output::json(&mut output, &record)?;
    } else if options.csv {
        csv(&record, &mut output)?;
    } else {
        print::record(&record, &mut output)?;
    }
    output.flush()?;
    saved.map_err(Failure::unwritten)?;
    match record.verdict() {
        Verdict::Passed => Ok(()),
        Verdict::Failed => Err(Failure::run("the verification FAILED: the rates mean nothing")),
        Verdict::NothingMeasured => Err(Failure::run(match record.ended_by_limit {
            Some(_) => "the limit of time ended it before the first repetition: nothing measured, nothing verified",
            None => "interrupted before the first repetition: nothing measured, nothing verified",
        })),
    }
}

/// The recipe, changed by the options.
fn recipe(options: &Options) -> Result<Recipe, Failure> {
    let mut recipe = inputs::recipe(&options.recipe)?;
    if let Some(repetitions) = options.repetitions {
        recipe = recipe.with_repetitions(repetitions).map_err(Failure::usage)?;
    }
    let changed = || -> Result<Recipe, RecipeError> {
        if let Some(seconds) = options.seconds {
            recipe = recipe.with_seconds(seconds)?;
        }
        if let Some(seconds) = options.warm_up {
            recipe = recipe.with_warm_up(seconds)?;
        }
        if let Some(seconds) = options.time_limit {
            recipe = recipe.with_time_limit(seconds)?;
        }
        if let Some(threads) = options.threads {
            recipe = recipe.with_threads(threads)?;
        }
        Ok(recipe)
    };
    let mut recipe = changed().map_err(Failure::usage)?;
    if let Some(pin) = &options.pin {
        for case in &mut recipe.cases {
            case.placement = pin.clone();
        }
    }
    Ok(recipe)
}

/// Remarks on the placements of the cases, each once. The measurement reports impossible placements.
fn remarks(recipe: &Recipe, cpus: &Cpus) -> BTreeSet<String> {
    let Ok(placed) = recipe.placed(cpus) else {
        return BTreeSet::new();
    };
    let placements = placed.iter().flat_map(|placed| &placed.placements);
    let crowded = placements.filter_map(|placement| binding::remark(placement.cpus(), cpus));
    crowded.chain(Recipe::repeats(&placed, cpus)).collect()
}

fn list(json: bool) -> Result<(), Failure> {
    let recipes = BUILT_IN.map(|(name, _)| {
        let recipe = Recipe::built_in(name).expect("it is built in");
        (name, recipe.description)
    });
    let mut output = output::stdout();
    if json {
        let recipes: serde_json::Map<String, serde_json::Value> =
            recipes.into_iter().map(|(name, description)| (name.to_owned(), description.into())).collect();
        return Ok(output::json(&mut output, &recipes)?);
    }
    for (name, description) in recipes {
        writeln!(output, "{name:<8}  {description}")?;
    }
    Ok(())
}

/// Writes one line per repetition.
fn csv(record: &Record, output: &mut dyn Write) -> io::Result<()> {
    writeln!(
        output,
        "recipe,case,workload,rules,placement,threads,isa,repetition,seconds,cpu_seconds,units,unit,\
         plies,units_per_second,ns_per_ply_and_thread,cycles_per_ply,clock,busy"
    )?;
    for case in &record.cases {
        for (number, one) in case.repetitions.iter().enumerate() {
            writeln!(
                output,
                "{},{},{},{},{},{},{},{},{:.6},{},{},{},{},{:.1},{:.4},{:.2},{:.0},{:.5}",
                csv_cell(&record.recipe),
                csv_cell(&case.name),
                case.workload,
                case.rules,
                csv_cell(&case.placement),
                case.workers.len(),
                csv_cell(case.tier(&record.program)),
                number + 1,
                one.seconds,
                one.cpu_seconds.map_or(String::new(), |seconds| format!("{seconds:.6}")),
                one.units,
                case.unit,
                one.plies,
                one.rate(),
                one.ns_per_ply(),
                one.cycles_per_ply(),
                one.clock,
                one.busy(),
            )?;
        }
    }
    Ok(())
}

/// Shows how far the measurement is.
fn show(bar: &Bar, step: &MeasureProgress<'_>) {
    let stage = match step.round {
        0 => "warming up".to_owned(),
        round => format!("round {round}"),
    };
    let left = step.left.map_or(String::new(), |left| format!(", about {} left", numbers::wait(left.as_secs())));
    bar.show_text(step.fraction, format!("{stage}: {}{left}", step.case));
}
