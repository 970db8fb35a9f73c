//! The requests of JavaScript.

use serde::{Deserialize, Serialize};
use tavli::{RuleSet, Tier, named};
use tavli_web_module::{Failure, answered};

use crate::cube::{self, CubeRow};
use crate::game_requests::{DecisionCall, Games, RolloutCall, rules};
use crate::playouts::Counts;
use crate::positions::{PositionInput, PositionJson};
use crate::{players, playouts, plays, rollouts, values};

/// A request: an object whose one key is its name, and whose value has the arguments. Rolls are two digits, seeds
/// decimal texts.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
pub(crate) enum Call {
    /// The version, the tier, the rules and the built-in players.
    About,
    /// A position in every format.
    Position { position: PositionInput, rules: Option<String> },
    /// The plays of a roll.
    Plays { position: PositionInput, roll: Option<String>, rules: Option<String> },
    /// The value of a position.
    Evaluate {
        position: PositionInput,
        rules: Option<String>,
        player: Option<String>,
        #[serde(default)]
        cube: bool,
    },
    /// The plays of a roll by their value.
    EvaluatePlays {
        position: PositionInput,
        roll: Option<String>,
        rules: Option<String>,
        player: Option<String>,
        #[serde(default)]
        cube: bool,
    },
    /// The values of positions with their cubes, from chances.
    CubeValues { rows: Vec<CubeRow> },
    /// The file of a player, in the numbers.
    GivePlayer { name: String, length: usize },
    /// Games from a number on.
    CountGames { games: Games, first: u64, count: u64 },
    /// The sum of counts of games.
    AddGames { parts: Vec<Counts> },
    /// Begins a rollout.
    BeginRollout { number: u32, rollout: RolloutCall },
    /// Begins a rollout that decides.
    BeginDecision { number: u32, decision: DecisionCall },
    /// The next trials of a rollout.
    NextTrials { number: u32 },
    /// Plays a chunk; its counts are in the numbers.
    CountTrials { number: u32, first: u64, end: u64 },
    /// Adds a chunk; its counts are in the numbers.
    AddTrials { number: u32, first: u64, end: u64 },
    /// The result of a rollout so far.
    RolloutResult { number: u32 },
    /// Forgets a rollout.
    EndRollout { number: u32 },
}

/// The version, the tier, the rules and the built-in players of the module.
#[derive(Debug, Serialize)]
struct About {
    version: &'static str,
    tier: &'static str,
    rules: Vec<&'static str>,
    players: Vec<&'static str>,
}

/// The answer to a request, as JSON. Numbers of a chunk come and go in `numbers`.
pub(crate) fn answer(request: &Call, numbers: &mut Vec<u64>) -> Result<Vec<u8>, Failure> {
    let given = core::mem::take(numbers);
    match request {
        Call::About => answered(About {
            version: env!("CARGO_PKG_VERSION"),
            tier: Tier::best().name(),
            rules: RuleSet::ALL.iter().map(|rules| rules.name()).collect(),
            players: named::names().collect(),
        }),
        Call::Position { position, rules: of } => {
            let position = position.read()?;
            answered(PositionJson::new(&position, rules(of.as_deref())?)?)
        }
        Call::Plays { position, roll, rules: of } => {
            let position = position.read()?;
            let roll = plays::roll(&position, roll.as_deref())?;
            answered(plays::plays(&position, roll, rules(of.as_deref())?)?)
        }
        Call::Evaluate { position, rules: of, player, cube } => {
            let rules = rules(of.as_deref())?;
            answered(values::value(&position.read()?, player.as_deref(), rules, *cube)?)
        }
        Call::EvaluatePlays { position, roll, rules: of, player, cube } => {
            let (position, rules) = (position.read()?, rules(of.as_deref())?);
            let roll = plays::roll(&position, roll.as_deref())?;
            answered(values::plays(&position, roll, player.as_deref(), rules, *cube)?)
        }
        Call::CubeValues { rows } => answered(cube::values(rows)?),
        Call::GivePlayer { name, length } => answered(players::give(name, &given, *length)?),
        Call::CountGames { games, first, count } => answered(playouts::count(games, *first, *count)?),
        Call::AddGames { parts } => answered(playouts::add(parts)?),
        Call::BeginRollout { number, rollout } => answered(rollouts::begin(*number, rollout)?),
        Call::BeginDecision { number, decision } => answered(rollouts::begin_decision(*number, decision)?),
        Call::NextTrials { number } => answered(rollouts::next(*number, numbers)?),
        Call::CountTrials { number, first, end } => {
            *numbers = rollouts::count(*number, *first..*end, &given)?;
            answered(())
        }
        Call::AddTrials { number, first, end } => answered(rollouts::add(*number, *first..*end, &given)?),
        Call::RolloutResult { number } => answered(rollouts::result(*number)?),
        Call::EndRollout { number } => {
            rollouts::end(*number);
            answered(())
        }
    }
}
