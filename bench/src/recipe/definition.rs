//! A recipe: its cases, their work, and the results they must give.

use core::num::NonZeroUsize;

use serde::Deserialize;
use tavli::policies::PolicyPair;
use tavli::run::Pinning;
use tavli::search::SearchSettings;
use tavli::{Board, Roll, RuleSet, Tier};
use thiserror::Error;

use crate::situations::Category;

/// The recipes that are part of the program: name and text.
pub const BUILT_IN: [(&str, &str); 10] = [
    ("quick", include_str!("../../recipes/quick.toml")),
    ("node", include_str!("../../recipes/node.toml")),
    ("scaling", include_str!("../../recipes/scaling.toml")),
    ("sockets", include_str!("../../recipes/sockets.toml")),
    ("movegen", include_str!("../../recipes/movegen.toml")),
    ("policy", include_str!("../../recipes/policy.toml")),
    ("rollout", include_str!("../../recipes/rollout.toml")),
    ("search", include_str!("../../recipes/search.toml")),
    ("decide", include_str!("../../recipes/decide.toml")),
    ("soak", include_str!("../../recipes/soak.toml")),
];

/// What to measure.
#[derive(Clone, PartialEq, Debug)]
pub struct Recipe {
    /// The name of the recipe.
    pub name: String,
    /// Its purpose, in a line.
    pub description: String,
    /// The signature that the build must have, as 16 hexadecimal digits; empty if it is not checked.
    pub signature: String,
    /// Seconds of work before each case is measured, which also set the work of a repetition.
    pub warm_up_seconds: f64,
    /// The number of times that each case is measured.
    pub repetitions: usize,
    /// The approximate time of a repetition, in seconds.
    pub seconds: f64,
    /// The seed of the games.
    pub seed: u64,
    /// The seconds after which the measurement ends with the repetitions done so far; by default three times the
    /// approximate time and a minute.
    pub time_limit_seconds: Option<f64>,
    /// The cases, which take turns.
    pub cases: Vec<Case>,
}

/// One thing to measure.
#[derive(Clone, PartialEq, Debug)]
pub struct Case {
    /// The unique name of the case.
    pub name: String,
    /// The work.
    pub workload: Workload,
    /// The rules.
    pub rules: RuleSet,
    /// How workers are bound.
    pub placement: Pinning,
    /// The number of workers.
    pub threads: Threads,
    /// The instruction-set tier, in a recipe of several tiers; else the run's tier applies.
    pub tier: Option<Tier>,
}

/// Work to be measured.
#[derive(Clone, PartialEq, Debug)]
pub enum Workload {
    /// Whole games: one run over all workers in a repetition.
    Playouts {
        /// Where the games start; each position gets an equal share.
        positions: Vec<Board>,
        /// The policies of both sides.
        players: PolicyPair,
        /// The expected results of the first games from the first position.
        expected: Option<Expected>,
    },
    /// Whole games in short runs, as a search or a rollout of many candidates plays them.
    Rollout {
        /// Where the games start, in turns.
        positions: Vec<Board>,
        /// Games of each run.
        batch: u64,
        /// The expected results of the first games from the first position.
        expected: Option<Expected>,
    },
    /// Searches for the best play of a roll, with uniform playouts. Each worker grows as many trees as the settings
    /// name; the trees of all workers together are one search. The first worker's trees are the same for any number of
    /// workers.
    Search {
        /// Where the searches start; each position gets an equal share.
        positions: Vec<Board>,
        /// The roll in each position, whose best play is searched for.
        roll: Roll,
        /// How it is searched. The seed is the recipe's; the trees and the memory are for each worker.
        settings: SearchSettings,
        /// The results of the first worker's trees with few simulations.
        expected: Option<ExpectedRoots>,
    },
    /// Decisions of good games, whose plays have known values. The workers share them.
    Decide {
        /// The number of stored decisions.
        decisions: usize,
        /// How plays are chosen.
        chooser: Chooser,
        /// The expected choices in the first decisions.
        expected: Option<ExpectedChoices>,
    },
    /// Whole games with the time of each stage. Each worker plays one batch. Clock readings take part of the time.
    Stages {
        /// Where the games start; each position gets an equal share.
        positions: Vec<Board>,
        /// The policies of both sides.
        players: PolicyPair,
    },
    /// Plays of situations of random play; each worker does all of them.
    Plays {
        /// The operation.
        operation: Operation,
        /// The situations.
        category: Category,
    },
}

/// How a play is chosen in the decisions of a recipe.
#[derive(Clone, PartialEq, Debug)]
pub enum Chooser {
    /// Rollouts of the plays, as a [request to decide](tavli::rollout::RolloutRequest::decision) asks for them.
    Rollouts {
        /// Plays that differ by at most `within` points count as equally good; `None` takes the request's points.
        within: Option<f64>,
    },
    /// At once, by a player.
    Player(PolicyPair),
}

impl Chooser {
    /// `rollouts`, `rollouts within 0.005`, or the name of the player.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Chooser::Rollouts { within: None } => "rollouts".to_owned(),
            Chooser::Rollouts { within: Some(within) } => format!("rollouts within {within}"),
            Chooser::Player(players) => players.to_string(),
        }
    }
}

/// An operation of the move generator.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Operation {
    /// Counts the plays of a roll.
    Count,
    /// Makes one play from its index.
    Unrank,
    /// Makes every play.
    Enumerate,
}

tavli::named_values!(Operation: Count "count", Unrank "unrank", Enumerate "enumerate");

/// The expected results of the first games of a case.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expected {
    /// The number of games.
    pub games: u64,
    /// Their plies.
    pub plies: u64,
    /// Plays offered, over all their plies.
    pub plays: u64,
}

/// The results of a worker's trees with few simulations.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExpectedRoots {
    /// The simulations of each tree.
    pub simulations: u64,
    /// The plies of all playouts, from all positions.
    pub plies: u64,
    /// The checksum of the counts of all plays at the roots, as 8 hexadecimal digits.
    pub roots: String,
}

/// The choices in the first of the decisions of a case.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExpectedChoices {
    /// The number of decisions.
    pub decisions: usize,
    /// The games of their rollouts.
    pub games: u64,
    /// The checksum of the positions after the plays, as 8 hexadecimal digits.
    pub plays: String,
}

/// The number of workers of a case.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Threads {
    /// One per place of the placement.
    All,
    /// This number.
    Number(NonZeroUsize),
    /// A case each for 1, 2, 4, ... and all cores, and for all CPUs if cores have several.
    Doubling,
    /// One per core of the first socket.
    Socket,
}

impl Threads {
    /// The number of the name `NAME/NUMBER`, which says how many workers a case has.
    pub(super) fn in_name(name: &str) -> Option<(&str, NonZeroUsize)> {
        let (family, number) = name.rsplit_once('/')?;
        Some((family, number.parse().ok()?))
    }
}

/// Why a text is not a recipe.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum RecipeError {
    /// It is not TOML, or does not have the form of a recipe.
    #[error("{0}")]
    Form(String),
    /// An invalid value.
    #[error("{place}: {message}")]
    Value {
        /// The value and its case.
        place: String,
        /// The fault.
        message: String,
    },
}

impl Workload {
    /// `playouts`, `rollout`, `search`, `decide`, `stages`, or the name of an operation.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Workload::Playouts { .. } => "playouts",
            Workload::Rollout { .. } => "rollout",
            Workload::Search { .. } => "search",
            Workload::Decide { .. } => "decide",
            Workload::Stages { .. } => "stages",
            Workload::Plays { operation, .. } => operation.name(),
        }
    }

    /// The players of its games, if the recipe may name them.
    #[must_use]
    pub fn players(&self) -> Option<&PolicyPair> {
        match self {
            Workload::Playouts { players, .. } | Workload::Stages { players, .. } => Some(players),
            Workload::Rollout { .. } | Workload::Search { .. } | Workload::Decide { .. } | Workload::Plays { .. } => {
                None
            }
        }
    }

    /// Whether it depends on the instruction-set tier: whole games drawn evenly do.
    #[must_use]
    pub(crate) fn has_tiers(&self) -> bool {
        match self {
            Workload::Playouts { players, .. } | Workload::Stages { players, .. } => players.are_uniform(),
            Workload::Rollout { .. } | Workload::Search { .. } | Workload::Decide { .. } => true,
            Workload::Plays { .. } => false,
        }
    }

    /// The unit of its rate: `games`, `simulations`, `decisions`, `rolls` (counted), `plays` (made from an
    /// index) or `results` (enumerated).
    #[must_use]
    pub const fn unit(&self) -> &'static str {
        match self {
            Workload::Playouts { .. } | Workload::Rollout { .. } | Workload::Stages { .. } => "games",
            Workload::Search { .. } => "simulations",
            Workload::Decide { .. } => "decisions",
            Workload::Plays { operation, .. } => match operation {
                Operation::Count => "rolls",
                Operation::Unrank => "plays",
                Operation::Enumerate => "results",
            },
        }
    }

    /// Its input: Position IDs, the number of stored decisions, or a category of situations.
    #[must_use]
    pub fn positions(&self) -> Vec<String> {
        match self {
            Workload::Playouts { positions, .. }
            | Workload::Rollout { positions, .. }
            | Workload::Search { positions, .. }
            | Workload::Stages { positions, .. } => {
                positions.iter().map(|board| board.position_id().to_string()).collect()
            }
            Workload::Decide { decisions, .. } => vec![format!("{decisions} stored decisions")],
            Workload::Plays { category, .. } => vec![category.name().to_owned()],
        }
    }
}
