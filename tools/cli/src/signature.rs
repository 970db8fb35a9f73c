//! `tavli signature`: one number that shows whether this build plays the same games as every other.

use std::io::{self, Write};

use clap::Args;
use serde::Serialize;
use tavli::Tier;

use crate::arguments::{Format, Isa, OfBackgammon};
use crate::failure::Failure;
use crate::output;
use crate::policies::Policies;

/// Print one number over a fixed set of games, equal on every machine
///
/// The number covers a fixed set of positions, rules, seeds and game numbers. It changes only if the games change,
/// which the changelog then reports.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    #[command(flatten)]
    policies: Policies,
    #[command(flatten)]
    game: OfBackgammon,
    #[command(flatten)]
    isa: Isa,
    #[command(flatten)]
    format: Format,
}

/// The JSON of the command.
#[derive(Serialize)]
struct Document {
    /// 16 hexadecimal digits: some JSON readers round numbers of 64 bits.
    signature: String,
    isa: &'static str,
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let tier = arguments.isa.tier()?;
    let signature = text(arguments.policies.players().signature(tier));
    let mut output = io::stdout();
    if arguments.format.json {
        let isa = tier.name();
        output::json(&mut output, &Document { signature, isa })?;
    } else {
        writeln!(output, "{signature}")?;
    }
    Ok(())
}

/// The signature of a tier, as 16 hexadecimal digits.
pub(crate) fn of(tier: Tier) -> String {
    text(tavli::playout::signature(tier))
}

/// A signature as 16 hexadecimal digits.
fn text(signature: u64) -> String {
    format!("{signature:016x}")
}
