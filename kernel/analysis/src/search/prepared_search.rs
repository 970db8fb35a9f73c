//! A search of backgammon that can be run.

use std::sync::Arc;

use tavli_backgammon::policies::PolicyPair;
use tavli_backgammon::{BackgammonGame, Position, Tier};
use tavli_run::{Cancel, Workers};
use tavli_search::{Search, SearchProgress};

use super::request::{RequestError, SearchRequest};
use super::search_result::SearchResult;

impl SearchRequest {
    /// Checks the request, and makes the search of a position. The tier changes only the speed.
    ///
    /// # Errors
    /// [`RequestError`] names the option that is wrong.
    pub fn prepare(&self, position: &Position, tier: Tier) -> Result<PreparedSearch, RequestError> {
        let roll = position.roll_or(self.roll)?.ok_or(RequestError::NoRoll)?;
        let (board, settings) = (*position.board(), self.settings);
        let players = PolicyPair::alike(Arc::clone(&self.policy));
        let game = BackgammonGame::new(self.rules, players, tier, settings.seed);
        let game = game.expect("the players are alike");
        let root = game.root(&board)?;
        let chance = BackgammonGame::chance(roll);
        let mut search = Search::new(Arc::new(game), root, chance, settings, self.budget)?;
        if let Some(bias) = &self.progressive_bias {
            search = search.with_progressive_bias(bias.with_heuristic(bias.heuristic.heuristic(self.rules, tier)))?;
        }
        let trees = match self.shard {
            Some(_) if self.budget.gap.is_some() => return Err(RequestError::Gap),
            Some(shard) => {
                let wrong = RequestError::Shards { trees: settings.trees, shard };
                shard.share(settings.trees.into()).ok_or(wrong)?
            }
            None => 0..settings.trees.into(),
        };
        let trees = trees.start as u32..trees.end as u32;
        Ok(PreparedSearch {
            search: search.of_trees(trees.clone()),
            unsearched: SearchResult::unsearched(board, roll, self, trees),
        })
    }
}

/// A search of backgammon that can be run.
#[derive(Debug)]
pub struct PreparedSearch {
    search: Search<BackgammonGame>,
    /// The result before the search.
    unsearched: SearchResult,
}

impl PreparedSearch {
    /// Lets this switch end the search.
    #[must_use]
    pub fn cancelled_by(self, cancel: &Cancel) -> PreparedSearch {
        let search = self.search.cancelled_by(cancel);
        PreparedSearch { search, ..self }
    }

    /// The result before the search: the plays, without visits.
    #[must_use]
    pub fn unsearched(&self) -> &SearchResult {
        &self.unsearched
    }

    /// Searches, and calls `progress` about ten times a second.
    ///
    /// # Panics
    /// If called from one of `workers`.
    #[must_use]
    pub fn run(self, workers: &Workers, progress: impl FnMut(&SearchProgress<'_>)) -> SearchResult {
        let report = self.search.run(workers, progress);
        self.unsearched.with_report(report)
    }
}
