//! What JavaScript asks for.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tavli::{RuleSet, Tier, named};

use crate::failure::{Failure, Kind};
use crate::games::{Games, RolloutRequest, rules};
use crate::playouts::Counts;
use crate::positions::{AnyPosition, PositionJson};
use crate::{players, playouts, plays, rollouts, values};

/// A request, with its arguments. Positions are texts or 26 numbers, rolls two digits, seeds decimal texts.
#[derive(Debug, Deserialize)]
#[serde(tag = "do", rename_all = "camelCase", rename_all_fields = "camelCase")]
enum Request {
    /// The version, the tier, the rules and the built-in players.
    About,
    /// A position in every format.
    Position {
        position: AnyPosition,
        rules: Option<String>,
    },
    /// The plays of a roll.
    Plays {
        position: AnyPosition,
        roll: Option<String>,
        rules: Option<String>,
    },
    /// The value of a position, or with `roll` of its plays.
    Evaluate {
        position: AnyPosition,
        rules: Option<String>,
        player: String,
    },
    /// The plays of a roll by their value.
    EvaluatePlays {
        position: AnyPosition,
        roll: Option<String>,
        rules: Option<String>,
        player: String,
    },
    /// The file of a player, in the numbers.
    GivePlayer { name: String, length: usize },
    /// Games from a number on.
    CountGames {
        #[serde(flatten)]
        games: Games,
        first: u64,
        count: u64,
    },
    /// The sum of counts of games.
    AddGames { parts: Vec<Counts> },
    /// Begins a rollout.
    BeginRollout {
        number: u32,
        #[serde(flatten)]
        rollout: RolloutRequest,
    },
    /// What comes next in it.
    NextTrials { number: u32 },
    /// Plays a piece; what it counts is in the numbers.
    CountTrials { number: u32, first: u64, end: u64 },
    /// Adds a piece; what it counted is in the numbers.
    AddTrials { number: u32, first: u64, end: u64 },
    /// The result of a rollout so far.
    RolloutResult { number: u32 },
    /// Forgets a rollout.
    EndRollout { number: u32 },
}

/// The answer to a request, both as JSON: `{"answer": ..}`, or `{"error": {"kind", "message"}}`. Numbers of a piece come and
/// go beside it.
pub(crate) fn answer(request: &[u8], numbers: &mut Vec<u64>) -> Vec<u8> {
    let request = serde_json::from_slice(request);
    let request = request.map_err(|error| Failure::new(Kind::Settings, error));
    let answer = match request.and_then(|request| request_answer(&request, numbers)) {
        Ok(answer) => json!({ "answer": answer }),
        Err(failure) => json!({ "error": failure }),
    };
    answer.to_string().into_bytes()
}

fn request_answer(request: &Request, numbers: &mut Vec<u64>) -> Result<Value, Failure> {
    let given = core::mem::take(numbers);
    match request {
        Request::About => to_json(json!({
            "version": env!("CARGO_PKG_VERSION"),
            "tier": Tier::best().name(),
            "rules": RuleSet::ALL.iter().map(|rules| rules.name()).collect::<Vec<_>>(),
            "players": named::names().collect::<Vec<_>>(),
        })),
        Request::Position {
            position,
            rules: of,
        } => {
            let position = position.read()?;
            to_json(PositionJson::new(&position, rules(of.as_deref())?)?)
        }
        Request::Plays {
            position,
            roll,
            rules: of,
        } => {
            let position = position.read()?;
            let roll = plays::roll(&position, roll.as_deref())?;
            to_json(plays::plays(&position, roll, rules(of.as_deref())?)?)
        }
        Request::Evaluate {
            position,
            rules: of,
            player,
        } => {
            let rules = rules(of.as_deref())?;
            to_json(values::value(&position.read()?, player, rules)?)
        }
        Request::EvaluatePlays {
            position,
            roll,
            rules: of,
            player,
        } => {
            let (position, rules) = (position.read()?, rules(of.as_deref())?);
            let roll = plays::roll(&position, roll.as_deref())?;
            to_json(values::plays(&position, roll, player, rules)?)
        }
        Request::GivePlayer { name, length } => to_json(players::give(name, &given, *length)?),
        Request::CountGames {
            games,
            first,
            count,
        } => to_json(playouts::count(games, *first, *count)?),
        Request::AddGames { parts } => to_json(playouts::add(parts)?),
        Request::BeginRollout { number, rollout } => to_json(rollouts::begin(*number, rollout)?),
        Request::NextTrials { number } => to_json(rollouts::next(*number)?),
        Request::CountTrials { number, first, end } => {
            *numbers = rollouts::count(*number, *first..*end)?;
            to_json(())
        }
        Request::AddTrials { number, first, end } => {
            to_json(rollouts::add(*number, *first..*end, &given)?)
        }
        Request::RolloutResult { number } => to_json(rollouts::result(*number)?),
        Request::EndRollout { number } => {
            rollouts::end(*number);
            to_json(())
        }
    }
}

fn to_json(value: impl Serialize) -> Result<Value, Failure> {
    Ok(serde_json::to_value(value).expect("answers have no keys but texts"))
}
