//! The requests of JavaScript.

use serde::{Deserialize, Serialize};
use tavli::{RuleSet, Tier, named};
use tavli_web_module::{Failure, answered};

use crate::cube::{self, CubeRow};
use crate::game_requests::{DecisionRequest, Games, RolloutRequest, rules};
use crate::playouts::Counts;
use crate::positions::{PositionInput, PositionJson};
use crate::{players, playouts, plays, rollouts, values};

/// A request: an object whose one key is its name, and whose value has the arguments. Rolls are two digits, seeds
/// decimal texts.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
pub(crate) enum Request {
    /// The version, the tier, the rules and the built-in players.
    About,
    /// A position in every format.
    Position {
        position: PositionInput,
        rules: Option<String>,
    },
    /// The plays of a roll.
    Plays {
        position: PositionInput,
        roll: Option<String>,
        rules: Option<String>,
    },
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
    BeginRollout { number: u32, rollout: RolloutRequest },
    /// Begins a rollout that decides.
    BeginDecision { number: u32, decision: DecisionRequest },
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
pub(crate) fn answer(request: &Request, numbers: &mut Vec<u64>) -> Result<Vec<u8>, Failure> {
    let given = core::mem::take(numbers);
    match request {
        Request::About => answered(About {
            version: env!("CARGO_PKG_VERSION"),
            tier: Tier::best().name(),
            rules: RuleSet::ALL.iter().map(|rules| rules.name()).collect(),
            players: named::names().collect(),
        }),
        Request::Position { position, rules: of } => {
            let position = position.read()?;
            answered(PositionJson::new(&position, rules(of.as_deref())?)?)
        }
        Request::Plays {
            position,
            roll,
            rules: of,
        } => {
            let position = position.read()?;
            let roll = plays::roll(&position, roll.as_deref())?;
            answered(plays::plays(&position, roll, rules(of.as_deref())?)?)
        }
        Request::Evaluate {
            position,
            rules: of,
            player,
            cube,
        } => {
            let rules = rules(of.as_deref())?;
            answered(values::value(&position.read()?, player.as_deref(), rules, *cube)?)
        }
        Request::EvaluatePlays {
            position,
            roll,
            rules: of,
            player,
            cube,
        } => {
            let (position, rules) = (position.read()?, rules(of.as_deref())?);
            let roll = plays::roll(&position, roll.as_deref())?;
            answered(values::plays(&position, roll, player.as_deref(), rules, *cube)?)
        }
        Request::CubeValues { rows } => answered(cube::values(rows)?),
        Request::GivePlayer { name, length } => answered(players::give(name, &given, *length)?),
        Request::CountGames { games, first, count } => answered(playouts::count(games, *first, *count)?),
        Request::AddGames { parts } => answered(playouts::add(parts)?),
        Request::BeginRollout { number, rollout } => answered(rollouts::begin(*number, rollout)?),
        Request::BeginDecision { number, decision } => answered(rollouts::begin_decision(*number, decision)?),
        Request::NextTrials { number } => answered(rollouts::next(*number, numbers)?),
        Request::CountTrials { number, first, end } => {
            *numbers = rollouts::count(*number, *first..*end, &given)?;
            answered(())
        }
        Request::AddTrials { number, first, end } => answered(rollouts::add(*number, *first..*end, &given)?),
        Request::RolloutResult { number } => answered(rollouts::result(*number)?),
        Request::EndRollout { number } => {
            rollouts::end(*number);
            answered(())
        }
    }
}
