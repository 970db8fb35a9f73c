//! Playouts.

use serde::{Deserialize, Serialize, Serializer};
use tavli::games::{AnyPosition, Tally};
use tavli::{NO_STOP, Tier};
use tavli_web_module::{EstimateJson, Failure, exact, last_game, seed, too_many};

/// Exact counts of games, which add up.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Counts {
    games: u64,
    /// In the order of the game's outcomes.
    outcomes: Vec<u64>,
    plies: u64,
    plies_squared: u64,
    longest: u32,
}

/// The counts and means of games, for the player whose turn it is in the position.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PlayoutsJson {
    counts: Counts,
    outcomes: Outcomes,
    win: EstimateJson,
    equity: EstimateJson,
    mean_plies: EstimateJson,
}

/// Games by the name of their outcome.
#[derive(Debug)]
struct Outcomes(Vec<(&'static str, u64)>);

impl Serialize for Outcomes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().copied())
    }
}

impl Counts {
    fn new(position: &AnyPosition, tally: &Tally) -> Result<Counts, Failure> {
        let outcomes = position.outcomes().iter();
        let counts = || {
            Some(Counts {
                games: tally.games,
                outcomes: outcomes.map(|outcome| tally.count(outcome.points)).collect(),
                plies: exact(tally.plies)?,
                plies_squared: exact(tally.plies_squared)?,
                longest: tally.longest,
            })
        };
        counts().ok_or_else(too_many)
    }

    fn tally(&self, position: &AnyPosition) -> Tally {
        let mut tally = Tally::default();
        for (outcome, &games) in position.outcomes().iter().zip(&self.outcomes) {
            tally.merge(&Tally::certain(outcome.points, games));
        }
        tally.games = self.games;
        tally.plies = self.plies.into();
        tally.plies_squared = self.plies_squared.into();
        tally.longest = self.longest;
        tally
    }
}

/// Plays games from number `first` on.
pub(crate) fn count(position: &AnyPosition, of: Option<&str>, first: u64, games: u64) -> Result<Counts, Failure> {
    let last = last_game(first, games)?;
    let tally = position.playouts(Tier::best(), seed(of)?, first..last, NO_STOP)?;
    Counts::new(position, &tally)
}

/// The sum of the counts, with its means.
pub(crate) fn add(position: &AnyPosition, parts: &[Counts]) -> Result<PlayoutsJson, Failure> {
    let mut tally = Tally::default();
    for part in parts {
        tally.merge(&part.tally(position));
    }
    let counts = Counts::new(position, &tally)?;
    let names = position.outcomes().iter().map(|outcome| outcome.name);
    Ok(PlayoutsJson {
        outcomes: Outcomes(names.zip(counts.outcomes.iter().copied()).collect()),
        counts,
        win: tally.win().into(),
        equity: tally.points().into(),
        mean_plies: tally.mean_plies().into(),
    })
}
