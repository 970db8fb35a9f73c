//! `tavli bench compare`: two records side by side.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use tavli_bench::compare::{Compared, Comparison};

use crate::arguments::Format;
use crate::failure::Failure;
use crate::output;

/// Compare two records: how many times as fast the second is, case by case
///
/// The estimate is that of Hodges and Lehmann with an interval of at least 95 % that assumes no distribution. It cannot
/// see what changed on the machine between the two: to compare two builds, let them take turns.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// The record to compare with, as written by tavli bench --save or --json
    #[arg(value_name = "OLD.json")]
    old: PathBuf,
    /// The record to compare
    #[arg(value_name = "NEW.json")]
    new: PathBuf,
    /// Fail with exit status 1 if a case is less than R times as fast, missing or not comparable
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

/// Runs the command.
pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let (old, new) = (super::read(&arguments.old)?, super::read(&arguments.new)?);
    let comparison = Comparison::of(&old, &new);
    let mut output = io::stdout();
    if arguments.format.json {
        output::json(&mut output, &comparison)?;
    } else {
        print(&comparison, &mut output)?;
    }
    output.flush()?;
    match arguments.fail_below {
        Some(least) if !comparison.passes(least) => Err(Failure::run(format_args!(
            "not every case is in both records, comparable and at least {least} times as fast"
        ))),
        _ => Ok(()),
    }
}

fn print(comparison: &Comparison, output: &mut dyn Write) -> io::Result<()> {
    for difference in &comparison.differences {
        writeln!(output, "other {difference}")?;
    }
    if !comparison.differences.is_empty() {
        writeln!(output)?;
    }
    let names = comparison.cases.iter().map(|case| case.name.len());
    let width = names.max().unwrap_or(0);
    for Compared {
        name,
        ratio,
        obstacles,
    } in &comparison.cases
    {
        match ratio {
            Some(ratio) => {
                let (low, high) = (ratio.interval.low, ratio.interval.high);
                let confidence = 100.0 * ratio.interval.confidence;
                let ratio = ratio.ratio;
                writeln!(
                    output,
                    "{name:<width$}  {ratio:.4} times as fast ({low:.4} to {high:.4}, {confidence:.1} %)"
                )?;
            }
            None => writeln!(
                output,
                "{name:<width$}  not comparable: {}",
                obstacles.join("; ")
            )?,
        }
    }
    for name in &comparison.unmatched {
        writeln!(output, "{name}")?;
    }
    Ok(())
}
