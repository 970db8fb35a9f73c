//! Merging the shards of a search.

use tavli_file::saved_parts::{MergeError, PartKind};
use tavli_players::named;
use tavli_search::{Budget, SearchSettings};

use super::search_result::SearchResult;

static SEARCHES: PartKind = PartKind { plural: "searches", items: "trees" };

impl SearchResult {
    /// Merges the shards of a search, in any order. Together they must have each of its trees once. The result equals
    /// the result of the search run as a whole, except for the time, which is the sum.
    ///
    /// # Errors
    /// [`MergeError`] names the first conflict.
    pub fn merge(parts: &[SearchResult]) -> Result<SearchResult, MergeError> {
        match parts.iter().position(|part| part.report.interrupted) {
            Some(part) => Err(MergeError::Interrupted { part }),
            None => SearchResult::sum(parts),
        }
    }

    /// Merges shards as [`SearchResult::merge`] does, but allows interrupted ones, such as those of processes that were
    /// stopped together. The sum is then interrupted as well.
    ///
    /// # Errors
    /// [`MergeError`] names the first conflict.
    pub fn sum(parts: &[SearchResult]) -> Result<SearchResult, MergeError> {
        // Nets are compared without their paths: parts may have been searched on different machines.
        SEARCHES.check_same(parts.iter().map(SearchResult::deciding_settings), named::identity)?;
        let ranges: Vec<_> = parts.iter().map(|part| part.trees.start.into()..part.trees.end.into()).collect();
        let order = SEARCHES.order(&ranges, parts[0].settings.trees.into())?;
        // A search has a tree, and each is in a part: so there is a first one.
        let mut whole = parts[order[0]].clone();
        for &part in &order[1..] {
            // In the order of the trees, since the line of a play is from the first tree that has one.
            whole.add(&parts[part]);
        }
        Ok(whole)
    }

    /// Adds the part with the trees that follow.
    fn add(&mut self, other: &SearchResult) {
        self.trees.end = other.trees.end;
        let (sum, other) = (&mut self.report, &other.report);
        sum.root.merge(&other.root);
        for (line_and_replies, other) in sum.lines_and_replies.iter_mut().zip(&other.lines_and_replies) {
            line_and_replies.merge(other);
        }
        sum.nodes += other.nodes;
        sum.bytes += other.bytes;
        sum.memory_refused |= other.memory_refused;
        sum.depth = sum.depth.max(other.depth);
        sum.plies += other.plies;
        sum.elapsed = sum.elapsed.saturating_add(other.elapsed);
        sum.interrupted |= other.interrupted;
    }

    /// The settings on which the values of a search depend, by name and as text.
    fn deciding_settings(&self) -> [(&'static str, String); 18] {
        // By name: a new setting does not compile until it is compared here.
        let SearchSettings { method, c, reward, chance_sampling, best_by, expand, trees, in_flight, seed, memory } =
            self.settings;
        let Budget { simulations, time, gap } = self.budget;
        let number = |number: Option<f64>| number.map_or_else(|| "none".to_owned(), |number| number.to_string());
        let progressive_bias = match &self.progressive_bias {
            None => "none".to_owned(),
            Some(record) => format!(
                "{} with bias {}, {} unpruning",
                named::identity(&record.heuristic),
                record.bias,
                if record.unprunes { "with" } else { "without" }
            ),
        };
        [
            ("the position", self.board.position_id().to_string()),
            ("the roll", self.roll.to_string()),
            ("the rule set", self.rules.to_string()),
            ("the policy", self.policy.clone()),
            ("the method", method.to_string()),
            ("C", c.to_string()),
            ("the reward", reward.to_string()),
            ("the chance sampling", chance_sampling.to_string()),
            ("the rule of the best play", best_by.to_string()),
            ("the number of visits to expand", expand.to_string()),
            ("the number of trees", trees.to_string()),
            ("the number of playouts in flight", in_flight.to_string()),
            ("the seed", seed.to_string()),
            ("the memory", memory.to_string()),
            ("the number of simulations", simulations.map_or_else(|| "none".to_owned(), |number| number.to_string())),
            ("the time", number(time.map(|time| time.as_secs_f64()))),
            ("the gap", number(gap)),
            ("the progressive bias", progressive_bias),
        ]
    }
}
