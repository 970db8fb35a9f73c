//! `tavli signature` of any game.

use std::io::{self, Write};

use clap::Args;
use serde::Serialize;
use tavli::game::{NamedGame, signature};

use super::arguments::Game;
use crate::arguments::{Format, Isa};
use crate::failure::Failure;
use crate::output;

/// Print one number over a fixed set of games, equal on every machine
///
/// The number covers all named rules of the game, several seeds and game numbers. It changes only if the games change,
/// which the changelog then reports.
#[derive(Args, Debug)]
pub(super) struct Arguments {
    #[command(flatten)]
    game: Game,
    #[command(flatten)]
    isa: Isa,
    #[command(flatten)]
    format: Format,
}

/// The JSON of the command.
#[derive(Serialize)]
struct Document {
    game: &'static str,
    /// 16 hexadecimal digits: some JSON readers round numbers of 64 bits.
    signature: String,
    isa: &'static str,
}

/// Runs the command.
pub(super) fn run<G: NamedGame>(arguments: &Arguments) -> Result<(), Failure> {
    let tier = arguments.isa.tier()?;
    let signature = format!("{:016x}", signature::<G>(tier));
    let mut output = io::stdout();
    if arguments.format.json {
        let (game, isa) = (G::NAME, tier.name());
        output::json(&mut output, &Document { game, signature, isa })?;
    } else {
        writeln!(output, "{signature}")?;
    }
    Ok(())
}
