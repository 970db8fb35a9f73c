//! `tavli bench compare`: two builds or their records, side by side.

use std::io::{self, Write};
use std::path::Path;

use clap::Args;
use tavli_bench::compare::Comparison;
use tavli_bench::finding::{Compared, Gate};
use tavli_terminal::failure::Failure;

use super::files::read_all;
use super::{interleaved, legend};
use crate::arguments::{self, Format};

/// Compare two builds, or stored records: how many times as fast the second is, case by case
///
/// With --run, OLD and NEW are programs, or git revisions, which are built first. Short runs of both alternate, in
/// random order and in fresh processes, until the intervals are narrow enough or time is over. Every run must play the
/// right games.
///
/// Without --run, OLD and NEW are records, or folders of records. They tell two builds apart only if there are several
/// records of each, measured alternately.
///
/// The intervals of all cases hold together with 95 % confidence.
#[derive(Args, Debug)]
pub(crate) struct BenchCompareArguments {
    /// What to compare with: a record of tavli bench --save, or a folder of records; with --run a program or a revision
    #[arg(value_name = "OLD")]
    old: String,
    /// What to compare, of the same kind as OLD
    #[arg(value_name = "NEW")]
    new: String,
    /// Measure two builds, rather than read records
    #[arg(long)]
    run: bool,
    #[command(flatten)]
    interleaved: interleaved::Options,
    /// Call two rates the same if the interval of their ratio lies within M of 1
    #[arg(long, value_name = "M", default_value_t = 0.02, allow_negative_numbers = true, value_parser = arguments::share)]
    margin: f64,
    /// Fail, with exit status 1, if the interval of a case lies below R; 3 says that it is undecided
    ///
    /// The exit status is 0 if no interval reaches below R.
    #[arg(long, value_name = "R", allow_negative_numbers = true, value_parser = ratio)]
    fail_below: Option<f64>,
    #[command(flatten)]
    format: Format,
}

fn ratio(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|ratio: &f64| ratio.is_finite() && *ratio > 0.0)
        .ok_or_else(|| "a ratio must be a number above 0, such as 0.97".to_owned())
}

pub(super) fn run(arguments: &BenchCompareArguments) -> Result<(), Failure> {
    let (old, new, margin) = (&arguments.old, &arguments.new, arguments.margin);
    if arguments.run {
        let interleaved = interleaved::run(old, new, &arguments.interleaved, margin)?;
        arguments.format.write(&interleaved, interleaved::print)?;
        return gate(arguments.fail_below, interleaved.cases.iter().map(|case| &case.compared), &[]);
    }
    let (old, new) = (read_all(Path::new(old))?, read_all(Path::new(new))?);
    let comparison = Comparison::from_records(&old, &new, margin);
    arguments.format.write(&comparison, print)?;
    let cases = comparison.cases.iter().map(|case| &case.compared);
    gate(arguments.fail_below, cases, &comparison.unmatched)
}

/// Fails unless every case reaches the lowest ratio.
fn gate<'a>(
    least: Option<f64>,
    cases: impl Iterator<Item = &'a Compared>,
    unmatched: &[String],
) -> Result<(), Failure> {
    let Some(least) = least else {
        return Ok(());
    };
    let listed = |evidence: Vec<String>| evidence.join("\n  ");
    match Gate::from_cases(cases, least) {
        Gate::Fails(evidence) => {
            Err(Failure::run(format_args!("less than {least} times as fast:\n  {}", listed(evidence))))
        }
        Gate::Undecided(evidence) => Err(Failure::Undecided(format!(
            "these may be less than {least} times as fast, or not:\n  {}",
            listed(evidence)
        ))),
        Gate::Holds if !unmatched.is_empty() => {
            Err(Failure::Undecided(format!("not measured on both sides:\n  {}", unmatched.join("\n  "))))
        }
        Gate::Holds => Ok(()),
    }
}

fn print(comparison: &Comparison, output: &mut dyn Write) -> io::Result<()> {
    for note in &comparison.notes {
        writeln!(output, "note: {note}")?;
    }
    for difference in &comparison.differences {
        writeln!(output, "other {difference}")?;
    }
    writeln!(output)?;
    let names = comparison.cases.iter().map(|case| case.compared.name.len());
    let width = names.max().unwrap_or(0);
    for case in &comparison.cases {
        let [old, new] = case.records;
        let records = format!("records {old} and {new}");
        let Compared { name, .. } = &case.compared;
        writeln!(output, "{name:<width$}  {}  [{records}]", case.compared.words())?;
    }
    for name in &comparison.unmatched {
        writeln!(output, "{name}")?;
    }
    legend::print(comparison.confidence, comparison.margin, output)
}
