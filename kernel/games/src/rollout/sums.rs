//! Exact sums over the games of a candidate.

use serde::{Deserialize, Serialize};
use tavli_game::{POINT, PlayableGame};
use tavli_trials::{Statistic, ValueSums, WholeGames};

/// Sums over the games of a candidate, for the player whose turn it is in its position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CandidateSums {
    /// How many games had each outcome, in the order of [`PlayableGame::OUTCOMES`].
    pub(super) outcomes: Vec<u64>,
    /// The sums of their points with their luck subtracted, if luck is measured.
    pub(super) less_luck: Option<LuckSums>,
}

/// Sums of values, of their squares and of their cubes, which add up to the same in any order. A saved rollout has them
/// under these names.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LuckSums {
    pub(super) values: i128,
    pub(super) squares: i128,
    pub(super) cubes: i128,
}

impl LuckSums {
    /// Adds others; `None` if that overflows.
    fn add(&mut self, other: &LuckSums) -> Option<()> {
        *self = LuckSums {
            values: self.values.checked_add(other.values)?,
            squares: self.squares.checked_add(other.squares)?,
            cubes: self.cubes.checked_add(other.cubes)?,
        };
        Some(())
    }

    /// The sums with a sign: -1 for the other player.
    pub(super) fn in_points(&self, sign: i32) -> ValueSums {
        ValueSums {
            sum: i128::from(sign) * self.values,
            squares: self.squares,
            cubes: i128::from(sign) * self.cubes,
            unit: POINT,
        }
    }
}

/// The index of the outcome of these points.
fn outcome_of<G: PlayableGame>(points: i32) -> usize {
    let found = G::OUTCOMES.iter().position(|outcome| outcome.points == points);
    found.expect("a game ends with the points of an outcome")
}

impl CandidateSums {
    /// No games yet.
    pub(super) fn new<G: PlayableGame>(measures_luck: bool) -> CandidateSums {
        CandidateSums { outcomes: vec![0; G::OUTCOMES.len()], less_luck: measures_luck.then(LuckSums::default) }
    }

    /// Adds games with these points, without luck.
    pub(super) fn add_games<G: PlayableGame>(&mut self, points: i32, games: u64) {
        self.outcomes[outcome_of::<G>(points)] += games;
    }

    /// Adds the value of a game whose luck was measured.
    pub(super) fn add_value(&mut self, value: i64) {
        let value = i128::from(value);
        let sums = self.less_luck.get_or_insert_default();
        let added = sums.add(&LuckSums { values: value, squares: value * value, cubes: value * value * value });
        added.expect("games do not overflow");
    }

    /// Adds the sums of other games; `None` if that overflows, which no games do.
    pub(super) fn merge(&mut self, other: &CandidateSums) -> Option<()> {
        for (games, more) in self.outcomes.iter_mut().zip(&other.outcomes) {
            *games += more;
        }
        match (&mut self.less_luck, &other.less_luck) {
            (Some(sums), Some(more)) => sums.add(more),
            _ => Some(()),
        }
    }

    /// How many games ended with these points.
    pub(super) fn count<G: PlayableGame>(&self, points: i32) -> u64 {
        self.outcomes[outcome_of::<G>(points)]
    }

    /// The share of games won, and the mean points, for the player whose turn it is in the position, or with
    /// `is_after_play` for the other player. If luck was measured it is subtracted from the points. Both are within the
    /// range that the rules [allow](tavli_game::Game::possible_points).
    pub(super) fn win_and_equity<G: PlayableGame>(
        &self,
        game: &G,
        position: &G::Position,
        is_after_play: bool,
    ) -> [Statistic; 2] {
        let sign = if is_after_play { -1 } else { 1 };
        let [least, most] = game.possible_points(position);
        let points = G::OUTCOMES.iter().map(|outcome| outcome.points);
        let possible = points.filter(|points| (least..=most).contains(&(sign * points)));
        let games = WholeGames::new(possible.map(|points| (points, self.count::<G>(sign * points))));
        let equity = match &self.less_luck {
            None => games.equity(),
            Some(sums) => games.luck_adjusted_equity(sums.in_points(sign)),
        };
        [games.wins(), equity]
    }
}
