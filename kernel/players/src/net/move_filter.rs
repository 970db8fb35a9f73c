//! Plays of decisions that are to be compared.

use core::num::NonZeroU32;
use core::ops::Range;

use tavli_backgammon::games::Decisions;

/// Which plays of a decision the net that decides values: those that another one ranks first.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MoveFilter {
    /// The most plays.
    pub plays: NonZeroU32,
    /// By how many points they may be behind the first, at least 0.
    pub margin: f32,
}

impl MoveFilter {
    /// Adds the plays that are kept, by their ranks, in their order.
    fn keep(self, plays: &[u32], ranks: &[f32], kept: &mut Vec<u32>) {
        let best = ranks[first_largest(ranks) as usize];
        let from = kept.len();
        let near = (0..).zip(ranks).filter(|&(_, &rank)| best - rank <= self.margin);
        kept.extend(near.map(|(at, _)| at));
        let most = self.plays.get() as usize;
        if kept.len() - from > most {
            let rank = |at: u32| ranks[at as usize];
            // Of equal ones the first, since the sort is stable.
            kept[from..].sort_by(|&a, &b| rank(b).total_cmp(&rank(a)));
            kept.truncate(from + most);
            kept[from..].sort_unstable();
        }
        for kept in &mut kept[from..] {
            *kept = plays[*kept as usize];
        }
    }
}

/// Some plays of each of many decisions, as indices in their order.
pub(super) struct Selection {
    plays: Vec<u32>,
    /// Where those of each decision are.
    ranges: Vec<Range<usize>>,
}

impl Selection {
    /// Every play.
    pub(super) fn all(decisions: &Decisions) -> Selection {
        let numbers = decisions.offsets().windows(2).map(|ends| ends[1] - ends[0]);
        let ranges: Vec<_> = numbers.map(|number| 0..number).collect();
        let most = ranges.iter().map(|range| range.end).max();
        Selection {
            plays: (0..most.unwrap_or(0) as u32).collect(),
            ranges,
        }
    }

    /// The same without the plays of decisions that have only one, which needs no value to be picked.
    pub(super) fn choices(&self) -> Selection {
        let choice = |range: &Range<usize>| if range.len() > 1 { range.clone() } else { 0..0 };
        Selection {
            plays: self.plays.clone(),
            ranges: self.ranges.iter().map(choice).collect(),
        }
    }

    /// The plays that are kept by the ranks of those of its [choices](Selection::choices).
    pub(super) fn filtered(&self, filter: MoveFilter, ranks: &[f32]) -> Selection {
        let mut kept = Selection {
            plays: Vec::with_capacity(4 * self.ranges.len()),
            ranges: Vec::with_capacity(self.ranges.len()),
        };
        let mut ranks = ranks;
        for plays in self.of_decisions() {
            let from = kept.plays.len();
            if plays.len() > 1 {
                let (of_decision, others) = ranks.split_at(plays.len());
                filter.keep(plays, of_decision, &mut kept.plays);
                ranks = others;
            } else {
                kept.plays.extend_from_slice(plays);
            }
            kept.ranges.push(from..kept.plays.len());
        }
        kept
    }

    /// How many plays of all decisions together.
    pub(super) fn len(&self) -> usize {
        self.ranges.iter().map(Range::len).sum()
    }

    /// The plays of each decision.
    #[inline(always)]
    pub(super) fn of_decisions(&self) -> impl Iterator<Item = &[u32]> {
        self.ranges.iter().map(
            #[inline(always)]
            |range| &self.plays[range.clone()],
        )
    }
}

/// The index of the largest number; of equal ones the first.
pub(super) fn first_largest(numbers: &[f32]) -> u32 {
    // Without branches, since numbers come in no order: the larger number first, then the lower index.
    let mut best = i64::MIN;
    for (index, number) in numbers.iter().enumerate() {
        let bits = number.to_bits().cast_signed();
        // Negative numbers are ordered the other way round.
        let ordered = bits ^ ((bits >> 31) & i32::MAX);
        best = best.max(i64::from(ordered) << 32 | i64::from(!(index as u32)));
    }
    !(best as u32)
}
