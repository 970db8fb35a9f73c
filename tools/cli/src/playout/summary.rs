//! The results of playouts, in any game.

use serde::Serialize;
use tavli::games::{self, PlayableGame};
use tavli::run::GameCounts;
use tavli::{BackgammonGame, Estimate, Outcome, Results, Tally};

/// The results of playouts from a position, for the player on roll or to move.
pub(crate) struct Summary {
    pub(super) games: u64,
    plies: u128,
    /// In the order of results.
    pub(super) outcomes: Vec<Outcomes>,
    /// The games that were cut off.
    pub(super) unfinished: u64,
    pub(super) unfinished_share: Estimate,
    pub(super) wins: u64,
    pub(super) win: Estimate,
    pub(super) equity: Estimate,
    pub(super) mean_plies: Estimate,
    pub(super) longest: u32,
    /// Counted in backgammon only.
    pub(super) mean_plays: Option<f64>,
    pub(super) occupancy: Option<MeanOccupancy>,
}

/// The games of an outcome.
pub(super) struct Outcomes {
    pub(super) name: &'static str,
    pub(super) games: u64,
    pub(super) share: Estimate,
}

/// Expected checkers at truncation, defined as in [`tavli::Occupancy`].
#[derive(Serialize)]
pub(super) struct MeanOccupancy {
    /// The share of games that were over before the cut.
    #[serde(rename = "p_over")]
    pub(super) over: f64,
    #[serde(rename = "next_player_occupancy")]
    pub(super) next_player: Vec<f64>,
    #[serde(rename = "other_player_occupancy")]
    pub(super) other_player: Vec<f64>,
}

impl Outcomes {
    /// Whether games may end so only by some rules.
    pub(super) fn is_gammon(&self) -> bool {
        self.name.ends_with("gammon")
    }

    pub(super) fn is_win(&self) -> bool {
        self.name.starts_with("win")
    }
}

impl Summary {
    /// The results of a run of backgammon.
    pub(crate) fn from_results(results: &Results, occupancy: bool) -> Summary {
        let tally = &results.tally;
        let games = tally.games as f64;
        let means = |sums: &[u64; 25]| sums.iter().map(|&sum| sum as f64 / games).collect();
        Summary {
            mean_plays: Some(tally.mean_plays()),
            occupancy: occupancy.then(|| MeanOccupancy {
                over: tally.finished() as f64 / games,
                next_player: means(&results.occupancy.next_player),
                other_player: means(&results.occupancy.other_player),
            }),
            ..Summary::from_tally(tally)
        }
    }

    /// The results of one of many positions of backgammon.
    pub(super) fn from_tally(tally: &Tally) -> Summary {
        let mut counts = games::Tally::default();
        for &outcome in Outcome::ALL {
            counts.merge(&games::Tally::certain(outcome.points(), tally.count(outcome)));
        }
        (counts.games, counts.unfinished) = (tally.games, tally.unfinished());
        (counts.plies, counts.plies_squared, counts.longest) = (tally.plies, tally.plies_squared, tally.longest);
        Summary::from_game_tally::<BackgammonGame>(&counts)
    }

    /// The results of any game.
    pub(crate) fn from_game_tally<G: PlayableGame>(tally: &games::Tally) -> Summary {
        let outcomes = G::OUTCOMES.iter().map(|outcome| Outcomes {
            name: outcome.name,
            games: tally.count(outcome.points),
            share: tally.share(outcome.points),
        });
        Summary {
            games: tally.games,
            plies: tally.plies,
            outcomes: outcomes.collect(),
            unfinished: tally.unfinished,
            unfinished_share: tally.unfinished_share(),
            wins: tally.wins(),
            win: tally.win(),
            equity: tally.points(),
            mean_plies: tally.mean_plies(),
            longest: tally.longest,
            mean_plays: None,
            occupancy: None,
        }
    }
}

impl GameCounts for Summary {
    fn games(&self) -> u64 {
        self.games
    }

    fn plies(&self) -> u128 {
        self.plies
    }
}
