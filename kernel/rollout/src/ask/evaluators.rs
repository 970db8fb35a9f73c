//! The evaluators of a rollout: where games have other values than the points of their results.

use core::num::NonZeroU32;
use std::sync::Arc;

use tavli_backgammon::evaluators::{Evaluator, KnownValues};
use tavli_players::Luck;

/// The most plies of short games.
// Differences were measured after five plies (`statistics.md`, *Races*); the few plies beyond were not.
const SHORT_GAME_PLIES: u32 = 8;

/// Which games count with a value instead of the points that they ended with, and how their values spread.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct ValueKinds {
    /// Games that are cut off.
    pub(crate) cut_off: bool,
    /// All games, by variance reduction.
    pub(crate) luck: bool,
    /// All games, with a cube: they have a second value.
    pub(crate) cube: bool,
    /// All games are luck-adjusted and cut off within [`SHORT_GAME_PLIES`] plies: they spread as the evaluator's values
    /// do, not as whole games do.
    pub(crate) short_luck_adjusted: bool,
    /// All games are luck-adjusted, and cut off and valued by a net after any number of plies.
    pub(crate) net_valued_luck_adjusted: bool,
    /// The number of games that the value of a cut-off game averages; `None` if values are not means of games.
    pub(crate) games_per_value: Option<NonZeroU32>,
}

impl ValueKinds {
    /// Whether any games have other values than the points of their results. Values with the cube do not count.
    pub(crate) fn is_any(self) -> bool {
        self.cut_off || self.luck
    }
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Evaluators {
    /// For truncated games.
    pub(crate) truncated_games: Option<Arc<dyn Evaluator>>,
    /// After how many plies games are cut off.
    pub(crate) truncation: Option<NonZeroU32>,
    /// For positions with known value: games are cut off there.
    pub(crate) known_values: Option<Arc<dyn KnownValues>>,
    /// For variance reduction.
    pub(crate) luck: Option<Luck>,
    /// For decisions about the cube, if there is one: the evaluator of the player whose rollout it is, and his
    /// opponent's.
    pub(crate) cube_decisions: Option<[Arc<dyn Evaluator>; 2]>,
}

impl Evaluators {
    /// Which games these evaluators give other values than points, and how such values spread.
    pub(crate) fn value_kinds(&self) -> ValueKinds {
        let games_per_value = self.truncated_games.as_ref().and_then(|evaluator| evaluator.games());
        ValueKinds {
            // A passed double cuts its game off.
            cut_off: self.truncated_games.is_some() || self.known_values.is_some() || self.cube_decisions.is_some(),
            luck: self.luck.is_some(),
            cube: self.cube_decisions.is_some(),
            short_luck_adjusted: self.luck.is_some()
                && self.truncated_games.is_some()
                && self.truncation.is_some_and(|plies| plies.get() <= SHORT_GAME_PLIES),
            net_valued_luck_adjusted: self.luck.is_some()
                && self.truncated_games.is_some()
                && games_per_value.is_none(),
            games_per_value,
        }
    }
}
