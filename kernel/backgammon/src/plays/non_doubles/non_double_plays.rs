//! The plays of a non-double: their number, and any one by its index.
//!
//! Tested by `tests/suite/plays.rs`, `specification.rs` and `tiers.rs`.

use super::masks::{ByDie, NonDoubleMasks};
use crate::board::BAR_BIT;
use crate::plays::masks::Masks;
use tavli_algebra::{PairPlace, PairSlot, PairTableSize};
use tavli_simd::Vector;

/// A width that no place reaches. With it, a place is a rank in the column mask.
const ALL_COLUMNS: u32 = 15;

#[derive(Clone, Copy)]
pub(crate) struct NonDoublePlays<V: Vector> {
    pub(super) masks: NonDoubleMasks<V>,
    size: PairTableSize<V>,
    /// The plays after the table, by the die that is played first. If only one die can be played, each list holds the
    /// sources of its die, and the low die's list counts only if the high die has no source.
    pub(super) lists: ByDie<List<V>>,
    /// The checker that enters by the low die while one of the list of the high die moves.
    beside: V,
    /// Lanes in which only one die, or none, can be played.
    pub(super) one_die: V::Lanes,
    plays: V,
}

/// Plays that need one source only.
#[derive(Clone, Copy)]
pub(super) struct List<V> {
    pub(super) sources: V,
    count: V,
}

impl<V: Vector> List<V> {
    #[inline(always)]
    fn new(sources: V) -> Self {
        List { sources, count: sources.count_ones() }
    }
}

impl<V: Vector> NonDoubleMasks<V> {
    /// Counts the plays; `BEAR_OFF` as in [`NonDoubleMasks::new`].
    #[inline(always)]
    pub(crate) fn count<const BEAR_OFF: bool>(self) -> NonDoublePlays<V> {
        let size = self.table.size();
        let end_2 = size.ends[2];
        let one = end_2.splat(1);
        let by_high = self.runs.high | self.entry.while_low_enters;
        let by_low = self.runs.low;
        let ByDie { high, low } = self.sources;
        // Only one die can be played: the larger if it can be, else the smaller. If either can be, both move the same
        // lone checker. A pass is one play: slot 0 is then empty and moves nothing.
        let (one_die, by_high, by_low, plays) = if V::ONE_LANE {
            // A branch passes over the lists of one die.
            let (mut by_high, mut by_low) = (List::new(by_high), List::new(by_low));
            let plays = end_2.wrapping_add(by_high.count.wrapping_add(by_low.count));
            let mut plays = self.with_bear_off::<BEAR_OFF>(plays);
            let one_die = plays.lanes_zero();
            if !V::skips_on_one_lane(one_die) {
                let number = high.count_ones();
                let alone = number.max(low.count_ones()).max(one);
                plays = alone.blend(one_die, plays);
                by_high =
                    List { sources: high.blend(one_die, by_high.sources), count: number.blend(one_die, by_high.count) };
                by_low.sources = low.blend(one_die, by_low.sources);
            }
            (one_die, by_high, by_low, plays)
        } else {
            // Lists of either sort are counted once.
            let mut one_die = (end_2 | by_high | by_low).lanes_zero();
            if BEAR_OFF {
                one_die = one_die & !self.bear_off.lanes();
            }
            let by_high = List::new(high.blend(one_die, by_high));
            let by_low = List::new((low & !high).blend(one_die, by_low));
            let plays = end_2.wrapping_add(by_high.count.wrapping_add(by_low.count));
            let plays = self.with_bear_off::<BEAR_OFF>(plays).max(one);
            (one_die, by_high, by_low, plays)
        };
        NonDoublePlays {
            masks: self,
            size,
            // With more than one checker on the bar there are no other sources by the high die.
            beside: self.entry.one & !by_high.sources,
            lists: ByDie { high: by_high, low: by_low },
            one_die,
            plays,
        }
    }

    /// A number of plays with those that bear a checker off by the second die, which are none without `BEAR_OFF`.
    #[inline(always)]
    fn with_bear_off<const BEAR_OFF: bool>(&self, plays: V) -> V {
        if BEAR_OFF { self.bear_off.added_to(plays) } else { plays }
    }
}

impl<V: Vector> NonDoublePlays<V> {
    /// Counts the plays of `high` and `low`; see [`NonDoubleMasks::new`].
    #[inline(always)]
    pub(crate) fn new<const ENTERING: bool, const BEAR_OFF: bool>(
        masks: &Masks<V>,
        high: V,
        low: V,
    ) -> NonDoublePlays<V> {
        NonDoubleMasks::new::<ENTERING, BEAR_OFF>(masks, high, low).count::<BEAR_OFF>()
    }

    /// The number of plays. A pass is one play.
    #[inline(always)]
    pub(crate) fn plays(&self) -> V {
        self.plays
    }

    /// The checkers moved in the play of this index; see [`PairSlot::sources_of`].
    #[inline(always)]
    pub(crate) fn sources<const ENTERING: bool, const BEAR_OFF: bool>(&self, index: V) -> (V, V) {
        if ENTERING && V::skips_on_one_lane(self.one_die) {
            // The bar checker enters by one die, and a checker of a mask moves by the other.
            let bar = index.splat(BAR_BIT);
            let high_enters = index.lanes_less(self.size.ends[2]);
            let mask = self.masks.table.columns.blend(high_enters, self.lists.high.sources);
            let rank = index.wrapping_sub(self.size.ends[2].zero_unless(!high_enters));
            let other = mask.nth_bit(rank);
            return (bar.blend(high_enters, other), other.blend(high_enters, bar));
        }
        if V::skips_on_one_lane(!index.lanes_less(self.size.ends[0])) {
            return self.masks.table.sources_in_whole_row(&self.size, index, self.masks.dice.high);
        }
        if V::skips_on_one_lane(!index.lanes_less(self.size.ends[2])) {
            return self.sources_at(self.masks.table.place(&self.size, index));
        }
        self.sources_at(self.place::<BEAR_OFF>(index))
    }

    #[inline(always)]
    fn sources_at(&self, place: PairPlace<V>) -> (V, V) {
        let dice = self.masks.dice;
        let cells = self.masks.table.cells;
        let [sources] = PairSlot::sources_of::<1, true>([&PairSlot { cells, place }], [(dice.high, dice.low)]);
        sources
    }

    /// Where the play of this index stands; the index must be below [`NonDoublePlays::plays`].
    #[inline(always)]
    pub(crate) fn place<const BEAR_OFF: bool>(&self, index: V) -> PairPlace<V> {
        let end_2 = self.size.ends[2];
        let in_table = index.lanes_less(end_2);
        let mut place = self.masks.table.place(&self.size, index);

        // After the table comes the list of the high die, then the list of the low die.
        let after_table = index.wrapping_sub(end_2);
        let low_rank = after_table.wrapping_sub(self.lists.high.count);
        let in_high_list = after_table.lanes_less(self.lists.high.count);
        let row_mask = self.lists.high.sources.zero_unless(in_high_list);
        let column_mask = self.beside.blend(in_high_list, self.lists.low.sources);
        let width = index.splat(1).blend(in_high_list, index.splat(ALL_COLUMNS));
        place.row_mask = place.row_mask.blend(in_table, row_mask);
        place.column_mask = place.column_mask.blend(in_table, column_mask);
        // A negative rank is a large number.
        place.ranks = place.ranks.min(after_table).min(low_rank);
        place.width = place.width.blend(in_table, width);
        // One word serves both: the list of the low die has no row, and beside the list of the high die there is only
        // the bar, where no run begins.
        let runs = self.masks.runs.high.blend(in_high_list, self.masks.runs.low);
        place.runs = runs.zero_unless(!in_table);
        if BEAR_OFF {
            // These plays have the last indices.
            let after_lists = low_rank.wrapping_sub(self.lists.low.count);
            place = self.masks.bear_off.place_or(after_lists, place);
        }
        place
    }
}
