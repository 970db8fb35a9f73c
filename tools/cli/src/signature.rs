//! `tavli signature`: one number that shows whether this build plays the same games as every other.

use clap::Args;
use serde::Serialize;
use tavli::Tier;
use tavli::games::{self, PlayableGame};
use tavli::policies::Uniform;
use tavli_terminal::failure::Failure;

use crate::arguments::{BACKGAMMON_HEADING, Format, GameName, TierOption};
use crate::player_options::Policies;

/// Print one number over a fixed set of games, equal on every machine
///
/// The number covers a fixed set of positions, rules, seeds and game numbers. It changes only if the games change,
/// which the changelog then reports.
#[derive(Args, Debug)]
pub(crate) struct SignatureArguments {
    #[command(flatten)]
    game: GameName,
    #[command(flatten)]
    isa: TierOption,
    #[command(flatten)]
    format: Format,
    #[command(flatten, next_help_heading = BACKGAMMON_HEADING)]
    policies: Policies,
}

#[derive(Serialize)]
struct SignatureJson {
    /// Absent in backgammon.
    #[serde(skip_serializing_if = "Option::is_none")]
    game: Option<&'static str>,
    /// 16 hexadecimal digits: some JSON readers round numbers of 64 bits.
    signature: String,
    isa: &'static str,
}

pub(crate) fn run(arguments: &SignatureArguments) -> Result<(), Failure> {
    let players = arguments.policies.players(Uniform::NAME)?;
    arguments.write(None, |tier| players.signature(tier))
}

/// Runs the command for another game.
pub(crate) fn run_other_game<G: PlayableGame>(arguments: &SignatureArguments) -> Result<(), Failure> {
    arguments.write(Some(G::NAME), games::signature::<G>)
}

impl SignatureArguments {
    fn write(&self, game: Option<&'static str>, signature: impl Fn(Tier) -> u64) -> Result<(), Failure> {
        let tier = self.isa.tier()?;
        let (signature, isa) = (text(signature(tier)), tier.name());
        let document = SignatureJson { game, signature, isa };
        self.format.write(&document, |document, output| writeln!(output, "{}", document.signature))
    }
}

/// The signature of a tier, as 16 hexadecimal digits.
pub(crate) fn signature_text(tier: Tier) -> String {
    text(tavli::playout::signature(tier))
}

/// A signature as 16 hexadecimal digits.
fn text(signature: u64) -> String {
    format!("{signature:016x}")
}
