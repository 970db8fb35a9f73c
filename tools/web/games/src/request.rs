//! The requests of JavaScript.

use serde::{Deserialize, Serialize};
use tavli::Tier;
use tavli::games::{OTHER_NAMES, PlayableGame, Visitor, visit_other};
use tavli::search::SearchSettings;
use tavli_web_module::{Failure, answered};

use crate::decisions::{self, DecisionCall};
use crate::playouts::{self, Counts};
use crate::positions::{self, GamePosition, PositionJson};
use crate::searches::{self, SearchCall};
use crate::{nets, values};

/// A request: an object whose one key is its name, and whose value has the arguments. Rolls are two digits, seeds
/// decimal texts.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
pub(crate) enum Call {
    /// The version, the tier and the games.
    About,
    /// A position.
    Position { position: GamePosition },
    /// A drawing of a position in lines of text.
    Drawing { position: GamePosition },
    /// The plays of a roll.
    Plays { position: GamePosition, roll: Option<String> },
    /// The value of a position.
    Evaluate { position: GamePosition, player: Option<String> },
    /// The plays of a roll by their value.
    EvaluatePlays { position: GamePosition, roll: Option<String>, player: Option<String> },
    /// The file of a net, in the numbers.
    GivePlayer { game: String, name: String, length: usize },
    /// Games from a number on.
    CountGames { position: GamePosition, seed: Option<String>, first: u64, count: u64 },
    /// The sum of counts of games.
    AddGames { position: GamePosition, parts: Vec<Counts> },
    /// Trees of a search; their counts are in the numbers.
    CountTrees { search: SearchCall, first: u32, end: u32 },
    /// The result of a search; the counts of all its trees are in the numbers.
    SearchResult { search: SearchCall },
    /// Begins a decision, under a number.
    BeginDecision { number: u32, decision: DecisionCall },
    /// The next trials of a decision; the plays that are still played are in the numbers.
    NextTrials { number: u32 },
    /// Trials of a decision; the plays that are still played, and then their values, are in the numbers.
    CountTrials { number: u32, first: u64, end: u64 },
    /// Adds the values in the numbers to a decision.
    AddTrials { number: u32 },
    /// The result of a decision so far.
    RolloutResult { number: u32 },
    /// Forgets a decision.
    EndRollout { number: u32 },
}

/// The version, the tier and the games of the module.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct About {
    version: &'static str,
    tier: &'static str,
    games: Vec<GameJson>,
    /// The trees of a search.
    trees: u32,
}

/// A game.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct GameJson {
    name: &'static str,
    rules: &'static [&'static str],
    has_dice: bool,
    outcomes: Vec<&'static str>,
    evaluators: &'static [&'static str],
}

/// Describes the game that it visits.
struct Description;

impl Visitor for Description {
    type Output = GameJson;

    fn visit<G: PlayableGame>(self) -> GameJson {
        let game = G::by_rules(G::RULES[0], Tier::best(), 0).expect("its own rules");
        GameJson {
            name: G::NAME,
            rules: G::RULES,
            has_dice: game.chances().len() > 1,
            outcomes: G::OUTCOMES.iter().map(|outcome| outcome.name).collect(),
            evaluators: G::HEURISTICS,
        }
    }
}

/// The answer to a request, as JSON. Numbers come in `numbers`.
pub(crate) fn answer(request: &Call, numbers: &mut Vec<u64>) -> Result<Vec<u8>, Failure> {
    let given = core::mem::take(numbers);
    match request {
        Call::About => {
            let described = OTHER_NAMES.iter().map(|name| visit_other(name, Description));
            answered(About {
                version: env!("CARGO_PKG_VERSION"),
                tier: Tier::best().name(),
                games: described.map(|game| game.expect("its own name")).collect(),
                trees: SearchSettings::default().trees,
            })
        }
        Call::Position { position } => answered(PositionJson::new(&position.read()?)),
        Call::Drawing { position } => answered(position.read()?.drawing()),
        Call::Plays { position, roll } => answered(positions::plays(&position.read()?, roll.as_deref())?),
        Call::Evaluate { position, player } => answered(values::value(&position.read()?, player.as_deref())?),
        Call::EvaluatePlays { position, roll, player } => {
            answered(values::plays(&position.read()?, roll.as_deref(), player.as_deref())?)
        }
        Call::GivePlayer { game, name, length } => answered(nets::give(game, name, &given, *length)?),
        Call::CountGames { position, seed, first, count } => {
            answered(playouts::count(&position.read()?, seed.as_deref(), *first, *count)?)
        }
        Call::AddGames { position, parts } => answered(playouts::add(&position.read()?, parts)?),
        Call::CountTrees { search, first, end } => {
            *numbers = searches::count(search, *first..*end)?;
            answered(())
        }
        Call::SearchResult { search } => answered(searches::result(search, &given)?),
        Call::BeginDecision { number, decision } => answered(decisions::begin(*number, decision)?),
        Call::NextTrials { number } => answered(decisions::next(*number, numbers)?),
        Call::CountTrials { number, first, end } => {
            *numbers = decisions::count(*number, *first..*end, &given)?;
            answered(())
        }
        Call::AddTrials { number } => answered(decisions::add(*number, &given)?),
        Call::RolloutResult { number } => answered(decisions::result(*number)?),
        Call::EndRollout { number } => {
            decisions::end(*number);
            answered(())
        }
    }
}
