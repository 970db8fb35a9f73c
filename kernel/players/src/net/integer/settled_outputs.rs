//! The outputs that the rules settle.

use core::ops::Range;

use tavli_backgammon::evaluators::{OutcomeSet, OutcomesAfterPlay};
use tavli_backgammon::stepping::RollBatch;
use tavli_backgammon::{Outcome, Planes, RuleSet};

use super::network::IntegerNetwork;
use super::output_layer::{ALWAYS, NEVER, OutputSums, TRIPLE};
use crate::net::move_filter::Selection;
use crate::net::outputs::Outputs;

impl IntegerNetwork {
    /// Overwrites the sums of outputs that the rules settle, whatever the net says.
    #[inline(always)]
    pub(super) fn settle(&self, rules: RuleSet, positions: &[Planes], sums: &mut OutputSums) {
        for (at, position) in positions.iter().enumerate() {
            let possible = OutcomeSet::possible(rules, position);
            self.settle_range(possible, at..at + 1, sums);
        }
    }

    /// [`settle`](IntegerNetwork::settle) for the positions after some plays.
    #[inline(always)]
    pub(super) fn settle_after_plays(&self, decisions: &RollBatch, some: &Selection, sums: &mut OutputSums) {
        let rules = decisions.rules();
        let rolls = decisions.positions().iter().zip(decisions.rolls());
        let mut end = 0;
        for (decision, ((position, &roll), plays)) in rolls.zip(some.plays_by_decision()).enumerate() {
            if plays.is_empty() {
                continue;
            }
            let from = end;
            end += plays.len();
            if let Some(possible) = OutcomeSet::possible_after_plays(rules, position, roll) {
                self.settle_range(possible, from..end, sums);
                continue;
            }
            let after = OutcomesAfterPlay::new(rules, position);
            let changes = decisions.changes_of(decision);
            for (at, &play) in (from..).zip(plays) {
                let result = changes[play as usize].made_in(position);
                self.settle_range(after.possible(&result), at..at + 1, sums);
            }
        }
    }

    /// [`settle`](IntegerNetwork::settle) for positions with the same possible outcomes.
    #[inline(always)]
    fn settle_range(&self, possible: OutcomeSet, positions: Range<usize>, sums: &mut OutputSums) {
        if possible == OutcomeSet::ALL {
            return;
        }
        for (sums, settled) in sums.iter_mut().zip(self.outputs.settled(possible)) {
            if let Some(certain) = settled {
                let sum = if certain { ALWAYS } else { NEVER };
                sums[positions.clone()].fill(sum);
            }
        }
        if self.outputs == Outputs::Doubles {
            let [_, win_gammon, lose_gammon, ..] = sums;
            for (sums, outcome) in [(win_gammon, Outcome::WinBackgammon), (lose_gammon, Outcome::LoseBackgammon)] {
                if possible == OutcomeSet::from_outcomes(&[outcome]) {
                    sums[positions.clone()].fill(TRIPLE);
                }
            }
        }
    }
}
