//! Playouts.

use serde::{Deserialize, Serialize};
use tavli::{NO_STOP, Outcome, Tally, Tier};
use tavli_web_module::{EstimateJson, Failure, exact, last_game, number, too_many};

use crate::game_requests::Games;

/// Exact counts of games, which add up.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Counts {
    games: u64,
    /// In the order of [`Outcome::ALL`].
    outcomes: [u64; Outcome::COUNT],
    plies: u64,
    plies_squared: u64,
    plays: u64,
    longest: u32,
}

/// The counts and means of games.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PlayoutsJson {
    counts: Counts,
    /// Games that were cut off.
    unfinished: u64,
    win: EstimateJson,
    equity: EstimateJson,
    mean_plies: EstimateJson,
    mean_plays: Option<f64>,
}

impl Counts {
    fn new(tally: &Tally) -> Result<Counts, Failure> {
        let counts = || {
            Some(Counts {
                games: tally.games,
                outcomes: tally.outcomes,
                plies: exact(tally.plies)?,
                plies_squared: exact(tally.plies_squared)?,
                plays: exact(tally.plays)?,
                longest: tally.longest,
            })
        };
        counts().ok_or_else(too_many)
    }

    fn tally(&self) -> Tally {
        let mut tally = Tally::default();
        tally.games = self.games;
        tally.outcomes = self.outcomes;
        tally.plies = self.plies.into();
        tally.plies_squared = self.plies_squared.into();
        tally.plays = self.plays.into();
        tally.longest = self.longest;
        tally
    }
}

/// Plays games from number `first` on.
pub(crate) fn count(asked: &Games, first: u64, games: u64) -> Result<Counts, Failure> {
    let last = last_game(first, games)?;
    let (playouts, players) = (asked.playouts()?, asked.playout_players()?);
    let results = players.run(&playouts, Tier::best(), first..last, NO_STOP)?;
    Counts::new(&results.tally)
}

/// The sum of the counts, with its means.
pub(crate) fn add(parts: &[Counts]) -> Result<PlayoutsJson, Failure> {
    let mut tally = Tally::default();
    for part in parts {
        tally.merge(&part.tally());
    }
    Ok(PlayoutsJson {
        counts: Counts::new(&tally)?,
        unfinished: tally.unfinished(),
        win: tally.win().into(),
        equity: tally.equity().into(),
        mean_plies: tally.mean_plies().into(),
        mean_plays: number(tally.mean_plays()),
    })
}
