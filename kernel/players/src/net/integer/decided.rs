//! Outputs that the rules decide, whatever the net says.

use core::ops::Range;

use tavli_backgammon::evaluators::OutcomeSet;
use tavli_backgammon::games::Decisions;
use tavli_backgammon::{Planes, RuleSet};

use super::IntegerNetwork;
use super::rank::OutputSums;
use crate::net::logistic;
use crate::net::move_filter::Selection;

/// In place of the sum of an output that is 0 for certain. The scale of a column leaves room: no sum is this or
/// [`ONE`].
const ZERO: i32 = i32::MIN;
/// In place of the sum of an output that is 1 for certain.
const ONE: i32 = i32::MAX;

/// The probability that a sum stands for.
#[inline(always)]
pub(super) fn probability(sum: i32, unit: f32) -> f32 {
    // Without branches, so that loops become vector code.
    let probability = logistic(sum as f32 * unit);
    let probability = if sum == ZERO { 0.0 } else { probability };
    if sum == ONE { 1.0 } else { probability }
}

impl IntegerNetwork {
    /// Decides outputs of positions.
    #[inline(always)]
    pub(super) fn decide(&self, rules: RuleSet, positions: &[Planes], sums: &mut OutputSums) {
        for (at, position) in positions.iter().enumerate() {
            let possible = OutcomeSet::possible(rules, position);
            self.decide_some(possible, at..at + 1, sums);
        }
    }

    /// Decides outputs of the positions after some plays.
    #[inline(always)]
    pub(super) fn decide_after_plays(&self, decisions: &Decisions, some: &Selection, sums: &mut OutputSums) {
        let rules = decisions.rules();
        let rolls = decisions.positions().iter().zip(decisions.rolls());
        let mut end = 0;
        for (decision, ((position, &roll), plays)) in rolls.zip(some.of_decisions()).enumerate() {
            if plays.is_empty() {
                continue;
            }
            let from = end;
            end += plays.len();
            match OutcomeSet::possible_after_plays(rules, position, roll) {
                Some(possible) => self.decide_some(possible, from..end, sums),
                None => {
                    let changes = decisions.changes_of(decision);
                    for (at, &play) in (from..).zip(plays) {
                        let result = changes[play as usize].made_in(position);
                        let possible = OutcomeSet::possible(rules, &result);
                        self.decide_some(possible, at..at + 1, sums);
                    }
                }
            }
        }
    }

    /// Decides outputs of positions with the same possible outcomes.
    #[inline(always)]
    fn decide_some(&self, possible: OutcomeSet, positions: Range<usize>, sums: &mut OutputSums) {
        if possible == OutcomeSet::ALL {
            return;
        }
        for (sums, decided) in sums.iter_mut().zip(self.outputs.decided(possible)) {
            if let Some(certain) = decided {
                let sum = if certain { ONE } else { ZERO };
                sums[positions.clone()].fill(sum);
            }
        }
    }
}
