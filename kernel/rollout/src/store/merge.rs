//! Parts of a rollout put together.

use core::ops::Range;
use std::sync::OnceLock;

use thiserror::Error;

use crate::ask::allocation::Allocation;
use crate::ask::specification::Specification;
use crate::estimate::rounds::Rounds;
use crate::rollout::Rollout;
use tavli_players::named;

/// Why parts of a rollout do not make a whole. Parts are named by their index.
#[derive(Clone, PartialEq, Debug, Error)]
#[non_exhaustive]
pub enum MergeError {
    /// There are none.
    #[error("there is nothing to merge")]
    Nothing,
    /// Two are of different rollouts.
    #[error("the parts are of different rollouts: {what} is {one_has} in one, {other_has} in the other")]
    Different {
        /// The first part.
        one: usize,
        /// The part that differs from it.
        other: usize,
        /// What differs.
        what: &'static str,
        /// The first part's.
        one_has: String,
        /// The other's.
        other_has: String,
    },
    /// They are not shards: candidates may have been dropped.
    #[error("the parts drop candidates by {0}, which shares of fixed games do not: merge shards of an even rollout")]
    Allocation(Allocation),
    /// Two hold the same games.
    #[error("both hold games {} to {}", games.start, games.end - 1)]
    Overlap {
        /// A part.
        one: usize,
        /// Another that holds some of its games.
        other: usize,
        /// Those games.
        games: Range<u64>,
    },
    /// Games are in no part.
    #[error(
        "games {} to {} are in no part: of {trials} trials, each must be in one",
        games.start, games.end - 1
    )]
    Missing {
        /// Those games.
        games: Range<u64>,
        /// Trials of the whole rollout.
        trials: u64,
    },
}

impl Rollout {
    /// Puts the parts of a rollout together, in any order. They must hold each of its trials once. Equal to the
    /// rollout played as a whole, but for the time, which is the sum.
    ///
    /// # Errors
    /// [`MergeError`] names the first conflict.
    pub fn merge(parts: &[Rollout]) -> Result<Rollout, MergeError> {
        let first = parts.first().ok_or(MergeError::Nothing)?;
        for (other, part) in parts.iter().enumerate().skip(1) {
            if let Some((what, one_has, other_has)) = first.conflict(part) {
                return Err(MergeError::Different {
                    one: 0,
                    other,
                    what,
                    one_has,
                    other_has,
                });
            }
        }
        if first.specification.allocation != Allocation::Even {
            return Err(MergeError::Allocation(first.specification.allocation));
        }
        let mut order: Vec<usize> = (0..parts.len())
            .filter(|&part| !parts[part].trials.is_empty())
            .collect();
        order.sort_by_key(|&part| parts[part].trials.start);
        let trials = first.specification.stop.trials;
        let mut end = 0;
        let mut last = None;
        for &part in &order {
            let games = &parts[part].trials;
            if let Some(one) = last
                && games.start < end
            {
                return Err(MergeError::Overlap {
                    one,
                    other: part,
                    games: games.start..games.end.min(end),
                });
            }
            if games.start > end {
                return Err(MergeError::Missing {
                    games: end..games.start,
                    trials,
                });
            }
            (end, last) = (games.end, Some(part));
        }
        if end < trials {
            return Err(MergeError::Missing {
                games: end..trials,
                trials,
            });
        }
        let mut whole = Rollout {
            specification: Specification {
                shard: None,
                ..first.specification.clone()
            },
            trials: 0..end,
            rounds: Rounds::new(first.rounds.shape(), first.specification.candidates.len()),
            elapsed: parts.iter().map(|part| part.elapsed).sum(),
            summary: OnceLock::new(),
        };
        for &part in &order {
            whole.rounds.add(&parts[part].rounds.last().counts);
        }
        Ok(whole)
    }

    /// What decides the values of this rollout and differs in another: its name, and both values as text.
    fn conflict(&self, other: &Rollout) -> Option<(&'static str, String, String)> {
        let parts = |rollout: &Specification| {
            let roll = rollout.roll.map_or("none".to_owned(), |roll| roll.to_string());
            let plies = rollout.settings.truncation;
            let evaluator = rollout.evaluator.as_ref();
            let evaluator = evaluator.map_or("none", |evaluator| evaluator.name());
            let luck = rollout.luck.as_ref();
            let luck = luck.map_or("none", |luck| luck.evaluator().name());
            let cube = rollout.cube.as_ref();
            let cube = cube.map_or("none".to_owned(), |cube| cube.in_play.to_string());
            let boards = rollout.candidates.iter().map(|c| c.board.position_id().to_string());
            [
                ("the position", rollout.position.position_id().to_string()),
                ("the roll", roll),
                ("the list of candidates", boards.collect::<Vec<_>>().join(" ")),
                ("the rule set", rollout.settings.rules.to_string()),
                ("the seed", rollout.settings.seed.to_string()),
                ("the first roll", rollout.settings.first_roll.to_string()),
                (
                    "the truncation",
                    plies.map_or("none".to_owned(), |plies| format!("{plies} plies")),
                ),
                ("the allocation", rollout.allocation.to_string()),
                ("the policy", rollout.players.names()[0].to_owned()),
                ("the policy of the opponent", rollout.players.names()[1].to_owned()),
                ("the evaluator", evaluator.to_owned()),
                ("the evaluator of luck", luck.to_owned()),
                ("the cube", cube),
                ("the number of trials", rollout.stop.trials.to_string()),
            ]
        };
        // The same net under two paths is the same.
        let is_other = |one: &str, other: &str| named::identity(one) != named::identity(other);
        let pairs = parts(&self.specification).into_iter().zip(parts(&other.specification));
        pairs
            .filter(|(one, other)| is_other(&one.1, &other.1))
            .map(|((what, one), (_, other))| (what, one, other))
            .next()
    }
}
