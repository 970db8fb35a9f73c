//! Merging the parts of a search.

use core::ops::Range;

use tavli_players::named;
use tavli_search::{Budget, Settings};
use thiserror::Error;

use super::found::Found;

/// Why parts of a search cannot be merged. Parts are given by their index.
#[derive(Clone, PartialEq, Debug, Error)]
#[non_exhaustive]
pub enum MergeError {
    /// There are no parts.
    #[error("there is nothing to merge")]
    Nothing,
    /// Two parts are of different searches.
    #[error("the parts are of different searches: {what} is {one_has} in one, {other_has} in the other")]
    Different {
        /// The first part.
        one: usize,
        /// The part that differs from the first.
        other: usize,
        /// The name of what differs.
        what: &'static str,
        /// Its value in the first part.
        one_has: String,
        /// Its value in the other part.
        other_has: String,
    },
    /// A part was interrupted.
    #[error("it was interrupted: run this part again")]
    Interrupted {
        /// The part.
        part: usize,
    },
    /// Two parts have the same trees.
    #[error("both hold trees {} to {}", trees.start, trees.end - 1)]
    Overlap {
        /// A part.
        one: usize,
        /// Another part with some of its trees.
        other: usize,
        /// The trees in both.
        trees: Range<u32>,
    },
    /// Some trees are in no part.
    #[error(
        "trees {} to {} are in no part: of {of} trees, each must be in one",
        trees.start, trees.end - 1
    )]
    Missing {
        /// The missing trees.
        trees: Range<u32>,
        /// Trees of the whole search.
        of: u32,
    },
}

impl Found {
    /// Merges the parts of a search, in any order. Together they must have each of its trees once. The result equals
    /// that of the search run as a whole, except for the time, which is the sum.
    ///
    /// # Errors
    /// [`MergeError`] names the first conflict.
    pub fn merge(parts: &[Found]) -> Result<Found, MergeError> {
        match parts.iter().position(|part| part.report.interrupted) {
            Some(part) => Err(MergeError::Interrupted { part }),
            None => Found::sum(parts),
        }
    }

    /// Merges parts as [`Found::merge`] does, but allows interrupted ones, as of processes that were ended together.
    /// The sum is then interrupted, too.
    ///
    /// # Errors
    /// [`MergeError`] names the first conflict.
    pub fn sum(parts: &[Found]) -> Result<Found, MergeError> {
        let first = parts.first().ok_or(MergeError::Nothing)?;
        for (other, part) in parts.iter().enumerate() {
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
        let mut order: Vec<usize> = (0..parts.len()).collect();
        order.sort_by_key(|&part| parts[part].trees.start);
        let of = first.settings.trees;
        let mut whole = parts[order[0]].clone();
        let mut end = 0;
        for (at, &part) in order.iter().enumerate() {
            let trees = &parts[part].trees;
            if trees.start < end {
                return Err(MergeError::Overlap {
                    one: order[at - 1],
                    other: part,
                    trees: trees.start..trees.end.min(end),
                });
            }
            if trees.start > end {
                let trees = end..trees.start;
                return Err(MergeError::Missing { trees, of });
            }
            end = trees.end;
            if at > 0 {
                whole.add(&parts[part]);
            }
        }
        if end < of {
            let trees = end..of;
            return Err(MergeError::Missing { trees, of });
        }
        Ok(whole)
    }

    /// Adds the part with the trees that follow.
    fn add(&mut self, other: &Found) {
        self.trees.end = other.trees.end;
        let (sum, other) = (&mut self.report, &other.report);
        sum.root.merge(&other.root);
        for (branch, other) in sum.branches.iter_mut().zip(&other.branches) {
            branch.merge(other);
        }
        sum.nodes += other.nodes;
        sum.bytes += other.bytes;
        sum.memory_refused |= other.memory_refused;
        sum.depth = sum.depth.max(other.depth);
        sum.plies += other.plies;
        sum.elapsed += other.elapsed;
        sum.interrupted |= other.interrupted;
    }

    /// The first difference between two searches that changes values: its name, and both values as text.
    fn conflict(&self, other: &Found) -> Option<(&'static str, String, String)> {
        let parts = |found: &Found| {
            let Settings {
                method,
                c,
                value,
                draw,
                choice,
                expand,
                trees,
                in_flight,
                seed,
                memory,
            } = found.settings;
            let Budget { simulations, time, gap } = found.budget;
            let number = |number: Option<f64>| number.map_or_else(|| "none".to_owned(), |number| number.to_string());
            let guide = |found: &Found| match &found.progressive_bias {
                None => "none".to_owned(),
                Some(record) => format!(
                    "{} with bias {}, {} unpruning",
                    named::identity(&record.heuristic),
                    record.bias,
                    if record.unprunes { "with" } else { "without" }
                ),
            };
            [
                ("the position", found.board.position_id().to_string()),
                ("the roll", found.roll.to_string()),
                ("the rule set", found.rules.to_string()),
                ("the policy", found.policy.clone()),
                ("the method", method.to_string()),
                ("C", c.to_string()),
                ("the value", value.to_string()),
                ("the draw", draw.to_string()),
                ("the choice", choice.to_string()),
                ("the number of visits to expand", expand.to_string()),
                ("the number of trees", trees.to_string()),
                ("the number of playouts in flight", in_flight.to_string()),
                ("the seed", seed.to_string()),
                ("the memory", memory.to_string()),
                (
                    "the number of simulations",
                    simulations.map_or_else(|| "none".to_owned(), |number| number.to_string()),
                ),
                ("the time", number(time.map(|time| time.as_secs_f64()))),
                ("the gap", number(gap)),
                ("the guide", guide(found)),
            ]
        };
        // Nets are compared without their paths: parts may have been searched on different machines.
        let is_other = |one: &str, other: &str| named::identity(one) != named::identity(other);
        let pairs = parts(self).into_iter().zip(parts(other));
        pairs
            .filter(|(one, other)| is_other(&one.1, &other.1))
            .map(|((what, one), (_, other))| (what, one, other))
            .next()
    }
}
