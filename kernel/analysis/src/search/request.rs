//! The options of a search.

use std::sync::Arc;

use tavli_backgammon::board::OtherRollError;
use tavli_backgammon::plays::Plays;
use tavli_backgammon::policies::{Policy, Uniform};
use tavli_backgammon::{Board, PlayoutError, Roll, RuleSet};
use tavli_search::{Budget, ProgressiveBias, SearchSettings, SettingsError};
use tavli_trials::Shard;
use thiserror::Error;

use super::named_heuristic::NamedHeuristic;

/// The options of a search, for all programs: [`SearchRequest::prepare`] checks them in one place.
///
/// ```
/// use tavli_analysis::search::{Budget, SearchRequest};
/// use tavli_backgammon::{Position, Tier};
/// use tavli_run::{Cpus, Pinning, Placement, Workers};
///
/// let position: Position = "4HPwATDgc/ABMA".parse()?;
/// let request = SearchRequest {
///     roll: Some("31".parse()?),
///     budget: Budget::simulations(20_000),
///     ..SearchRequest::default()
/// };
/// let workers = Workers::start(&Placement::new(&Cpus::allowed(), Pinning::CORES, None)?)?;
/// let found = request.prepare(&position, Tier::best())?.run(&workers, |_| ());
/// assert_eq!(found.root().simulations(), 20_000);
/// assert_eq!(found.plays().len(), 16);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct SearchRequest {
    /// The roll; `None` takes the dice of the position.
    pub roll: Option<Roll>,
    /// The rules.
    pub rules: RuleSet,
    /// The policy of the playouts, for both sides.
    pub policy: Arc<dyn Policy>,
    /// The settings of the search.
    pub settings: SearchSettings,
    /// Progressive bias and unpruning; `None` for neither.
    pub progressive_bias: Option<ProgressiveBias<NamedHeuristic>>,
    /// When the search ends.
    pub budget: Budget,
    /// Which of the trees are searched; `None` for all.
    pub shard: Option<Shard>,
}

impl Default for SearchRequest {
    /// A million simulations with uniform playouts under full rules.
    fn default() -> SearchRequest {
        SearchRequest {
            roll: None,
            rules: RuleSet::Backgammon,
            policy: Arc::new(Uniform),
            settings: SearchSettings::default(),
            progressive_bias: None,
            budget: Budget::simulations(SearchRequest::SIMULATIONS),
            shard: None,
        }
    }
}

/// Why a request cannot be searched. Programs may report it with the names of their own options.
#[derive(Clone, PartialEq, Debug, Error)]
#[non_exhaustive]
pub enum RequestError {
    /// The roll differs from the position's dice.
    #[error(transparent)]
    Roll(#[from] OtherRollError),
    /// Neither the request nor the position has a roll.
    #[error("the position has no dice: name the roll too")]
    NoRoll,
    /// No game can be played from the position.
    #[error(transparent)]
    Position(#[from] PlayoutError),
    /// Settings that leave nothing to search.
    #[error(transparent)]
    SearchSettings(#[from] SettingsError),
    /// There are more shards than trees.
    #[error(
        "{trees} trees are too few for {} shards: ask for at most {trees} shards, or more trees", shard.count()
    )]
    Shards {
        /// The trees of the whole search.
        trees: u32,
        /// The shard asked for.
        shard: Shard,
    },
    /// A shard has a gap in its budget, but only a part of the counts that decide it.
    #[error("a shard cannot end by the gap, which depends on all shards: give it a number of simulations or a time")]
    Gap,
}

impl SearchRequest {
    /// The default number of simulations.
    pub const SIMULATIONS: u64 = 1_000_000;
}

/// The plays of a roll in notation, each with the position after it, in the order of [`Plays`].
pub(super) fn moves(board: &Board, roll: Roll, rules: RuleSet) -> Vec<(String, Board)> {
    let plays = Plays::new(board, roll, rules);
    let named = |play| (plays.moves(play).to_string(), play.board());
    plays.to_vec().iter().map(named).collect()
}
