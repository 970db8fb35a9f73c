//! Move filters, and the plays that pass them.

use core::num::NonZeroU32;
use core::ops::Range;

use tavli_backgammon::stepping::RollBatch;

/// A move filter, as GNU Backgammon calls it. It passes plays by the ranks of a fast net to the net that decides, or by
/// their values so far to [looking further ahead](crate::MoveFilters).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MoveFilter {
    /// The most plays that pass.
    pub plays: NonZeroU32,
    /// The points that they may be behind the best, at least 0.
    pub margin: f32,
}

impl MoveFilter {
    /// The least plays and the least margin of both.
    pub(super) fn and(self, other: MoveFilter) -> MoveFilter {
        MoveFilter { plays: self.plays.min(other.plays), margin: self.margin.min(other.margin) }
    }

    /// The indices of the plays that pass, given the equity of each play. There is at least one.
    pub(crate) fn passing(self, equities: &[f64]) -> Vec<usize> {
        let ranks: Vec<f32> = equities.iter().map(|&equity| equity as f32).collect();
        let plays: Vec<u32> = (0..ranks.len() as u32).collect();
        let mut kept = Vec::new();
        self.keep(&plays, &ranks, &mut kept);
        kept.into_iter().map(|play| play as usize).collect()
    }

    /// Appends the plays that pass, in their order, to `kept`. `ranks` has the equity of each play.
    fn keep(self, plays: &[u32], ranks: &[f32], kept: &mut Vec<u32>) {
        debug_assert_eq!(plays.len(), ranks.len());
        debug_assert!(self.margin >= 0.0, "the best play passes");
        let best = ranks[first_largest(ranks) as usize];
        let from = kept.len();
        let near = (0..).zip(ranks).filter(|&(_, &rank)| best - rank <= self.margin);
        kept.extend(near.map(|(at, _)| at));
        let most = self.plays.get() as usize;
        if kept.len() - from > most {
            let rank = |at: u32| ranks[at as usize];
            // A stable sort, so that the first of equally good plays pass.
            kept[from..].sort_by(|&a, &b| rank(b).total_cmp(&rank(a)));
            kept.truncate(from + most);
            // In the order of the plays again, since of equally good ones the first is picked.
            kept[from..].sort_unstable();
        }
        for kept in &mut kept[from..] {
            *kept = plays[*kept as usize];
        }
    }
}

/// Some plays of each of many decisions, as rising indices.
pub(super) struct Selection {
    plays: Vec<u32>,
    /// For each decision the range of its plays in `plays`.
    ranges: Vec<Range<usize>>,
}

impl Selection {
    /// Selects every play.
    pub(super) fn all(decisions: &RollBatch) -> Selection {
        let numbers = decisions.offsets().windows(2).map(|ends| ends[1] - ends[0]);
        let ranges: Vec<_> = numbers.map(|number| 0..number).collect();
        let most = ranges.iter().map(|range| range.end).max();
        Selection {
            // One list for all decisions: each takes its beginning.
            plays: (0..most.unwrap_or(0) as u32).collect(),
            ranges,
        }
    }

    /// The selection without decisions that have a single play: such a play is picked without a value.
    // They are 21 % of the decisions of games of `fast` (profiles/LOG.md, 2026-11-24).
    pub(super) fn choices(&self) -> Selection {
        let choice = |range: &Range<usize>| if range.len() > 1 { range.clone() } else { 0..0 };
        Selection { plays: self.plays.clone(), ranges: self.ranges.iter().map(choice).collect() }
    }

    /// The plays that pass a filter, by the ranks of the selection's [choices](Selection::choices); single plays always
    /// pass.
    pub(super) fn filtered(&self, filter: MoveFilter, ranks: &[f32]) -> Selection {
        let mut kept = Selection {
            plays: Vec::with_capacity(4 * self.ranges.len()),
            ranges: Vec::with_capacity(self.ranges.len()),
        };
        let mut ranks = ranks;
        for plays in self.plays_by_decision() {
            let from = kept.plays.len();
            if plays.len() > 1 {
                let (decision_ranks, others) = ranks.split_at(plays.len());
                filter.keep(plays, decision_ranks, &mut kept.plays);
                ranks = others;
            } else {
                kept.plays.extend_from_slice(plays);
            }
            kept.ranges.push(from..kept.plays.len());
        }
        kept
    }

    /// The number of plays of all decisions.
    pub(super) fn len(&self) -> usize {
        self.ranges.iter().map(Range::len).sum()
    }

    /// The plays of each decision.
    #[inline(always)]
    pub(super) fn plays_by_decision(&self) -> impl Iterator<Item = &[u32]> {
        self.ranges.iter().map(
            #[inline(always)]
            |range| &self.plays[range.clone()],
        )
    }
}

/// The index of the largest number; of equal ones the first.
pub(super) fn first_largest(numbers: &[f32]) -> u32 {
    // Numbers come in no order, so branches would be mispredicted. One integer compares the number, then the lower
    // index.
    let mut best = i64::MIN;
    for (index, number) in numbers.iter().enumerate() {
        let bits = number.to_bits().cast_signed();
        // The bits of negative floats rise as the floats fall, so all bits except the sign are flipped.
        let ordered = bits ^ ((bits >> 31) & i32::MAX);
        best = best.max(i64::from(ordered) << 32 | i64::from(!(index as u32)));
    }
    !(best as u32)
}
