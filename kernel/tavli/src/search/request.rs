//! What somebody asks to have searched.

use std::sync::Arc;

use tavli_backgammon::board::OtherRollError;
use tavli_backgammon::plays::Plays;
use tavli_backgammon::policies::{Players, Policy, Uniform};
use tavli_backgammon::{Board, Planes, PlayoutError, Position, Roll, RuleSet, Tier};
use tavli_run::{Cancel, Workers};
use tavli_search::{Backgammon, Ends, Guide, Progress, Search, Settings, SettingsError};
use thiserror::Error;

use super::found::Found;
use crate::rollout::Shard;

/// A search as it is asked for from outside, read and validated in one place for all programs.
///
/// ```
/// use tavli::run::{Cpus, Pinning, Placement, Workers};
/// use tavli::search::{Ends, Request};
/// use tavli::{Position, Tier};
///
/// let position: Position = "4HPwATDgc/ABMA".parse()?;
/// let request = Request {
///     roll: Some("31".parse()?),
///     ends: Ends::after(20_000),
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
    /// What ends it.
    pub ends: Ends,
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
            ends: Ends::after(Request::SIMULATIONS),
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

    /// The search in a position. The tier changes the speed only.
    ///
    /// # Errors
    /// [`RequestError`] names what is wrong.
    pub fn task(&self, position: &Position, tier: Tier) -> Result<Task, RequestError> {
        let roll = position.roll_or(self.roll)?.ok_or(RequestError::NoRoll)?;
        let (board, settings) = (*position.board(), self.settings);
        let players = Players::alike(Arc::clone(&self.policy));
        let game = Backgammon::new(self.rules, players, tier, settings.seed);
        let game = game.expect("the players are alike");
        let root = game.root(&board)?;
        let chance = Backgammon::chance(roll);
        let search = Search::new(Arc::new(game), root, chance, settings, self.ends)?;
        let trees = match self.shard {
            Some(_) if self.ends.gap.is_some() => return Err(RequestError::Gap),
            Some(shard) => {
                let wrong = RequestError::Shards {
                    trees: settings.trees,
                    shard,
                };
                shard.share(settings.trees.into()).ok_or(wrong)?
            }
            None => 0..settings.trees.into(),
        };
        let trees = trees.start as u32..trees.end as u32;
        Ok(Task {
            search: search.of_trees(trees.clone()),
            found: Found::nothing(board, roll, self, trees),
        })
    }
}

/// A search of backgammon that can be run.
#[derive(Debug)]
pub struct Task {
    search: Search<Backgammon>,
    /// What it has found before it begins.
    found: Found,
}

impl Task {
    /// The same search, ended by this switch.
    #[must_use]
    pub fn cancelled_by(self, cancel: &Cancel) -> Task {
        let search = self.search.cancelled_by(cancel);
        Task { search, ..self }
    }

    /// The same search, whose trees an evaluator guides. What it finds does not say so.
    ///
    /// # Errors
    /// As [`Search::guided`].
    pub fn guided(self, guide: Guide<Planes>) -> Result<Task, SettingsError> {
        let search = self.search.guided(guide)?;
        Ok(Task { search, ..self })
    }

    /// What it has found before it begins: the plays, without visits.
    #[must_use]
    pub fn found(&self) -> &Found {
        &self.found
    }

    /// Searches, and calls `progress` about ten times a second.
    ///
    /// # Panics
    /// If one of these workers calls this.
    #[must_use]
    pub fn run(self, workers: &Workers, progress: impl FnMut(&Progress<'_>)) -> Found {
        let report = self.search.run(workers, progress);
        self.found.with(report)
    }
}

/// The moves of the plays of a roll, in their order.
pub(super) fn moves(board: &Board, roll: Roll, rules: RuleSet) -> Vec<(String, Board)> {
    let plays = Plays::under(board, roll, rules);
    let named = |play| (plays.moves(play).to_string(), play.board());
    plays.to_vec().iter().map(named).collect()
}
