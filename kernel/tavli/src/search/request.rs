//! What somebody asks to have searched.

use std::sync::Arc;

use tavli_backgammon::board::OtherRollError;
use tavli_backgammon::plays::Plays;
use tavli_backgammon::policies::{Policy, Uniform};
use tavli_backgammon::{Board, PlayoutError, Roll, RuleSet};
use tavli_search::{Budget, Settings, SettingsError};
use thiserror::Error;

use super::progressive_bias::ProgressiveBiasRequest;
use crate::rollout::Shard;

/// A search as it is asked for from outside, read and validated in one place for all programs.
///
/// ```
/// use tavli::run::{Cpus, Pinning, Placement, Workers};
/// use tavli::search::{Budget, Request};
/// use tavli::{Position, Tier};
///
/// let position: Position = "4HPwATDgc/ABMA".parse()?;
/// let request = Request {
///     roll: Some("31".parse()?),
///     budget: Budget::simulations(20_000),
///     ..Request::default()
/// };
/// let workers = Workers::start(&Placement::new(&Cpus::allowed(), Pinning::CORES, None)?)?;
/// let found = request.task(&position, Tier::best())?.run(&workers, |_| ());
/// assert_eq!(found.root().simulations(), 20_000);
/// assert_eq!(found.plays().len(), 16);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Request {
    /// The roll; `None` for the dice of the position.
    pub roll: Option<Roll>,
    /// The rules.
    pub rules: RuleSet,
    /// Who plays the playouts, for both sides.
    pub policy: Arc<dyn Policy>,
    /// How it is searched.
    pub settings: Settings,
    /// Who guides its trees, and how; `None` for nobody.
    pub progressive_bias: Option<ProgressiveBiasRequest>,
    /// What ends it.
    pub budget: Budget,
    /// Which of its trees are grown; `None` for all.
    pub shard: Option<Shard>,
}

impl Default for Request {
    /// A million simulations with uniform playouts under full rules.
    fn default() -> Request {
        Request {
            roll: None,
            rules: RuleSet::Backgammon,
            policy: Arc::new(Uniform),
            settings: Settings::default(),
            progressive_bias: None,
            budget: Budget::simulations(Request::SIMULATIONS),
            shard: None,
        }
    }
}

/// Why a request is not a search. A program may report it in its own terms.
#[derive(Clone, PartialEq, Debug, Error)]
#[non_exhaustive]
pub enum RequestError {
    /// A roll other than the dice of the position.
    #[error(transparent)]
    Roll(#[from] OtherRollError),
    /// No roll.
    #[error("the position has no dice: name the roll too")]
    NoRoll,
    /// No game can be played from the position.
    #[error(transparent)]
    Position(#[from] PlayoutError),
    /// Settings with which there is nothing to search.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// More shards than trees.
    #[error(
        "{trees} trees are too few for {} shards: ask for at most {trees} shards, or more trees", shard.of()
    )]
    Shards {
        /// The trees of the whole search.
        trees: u32,
        /// The shard asked for.
        shard: Shard,
    },
    /// A part of a search that is to end by a gap.
    #[error("a gap ends a search as a whole: shards need a number of simulations or a time")]
    Gap,
}

impl Request {
    /// The simulations of a search for which nobody names an end.
    pub const SIMULATIONS: u64 = 1_000_000;
}

/// The moves of the plays of a roll, in their order.
pub(super) fn moves(board: &Board, roll: Roll, rules: RuleSet) -> Vec<(String, Board)> {
    let plays = Plays::under(board, roll, rules);
    let named = |play| (plays.moves(play).to_string(), play.board());
    plays.to_vec().iter().map(named).collect()
}
