//! All plays of a non-double, one after another.

use super::masks::ByDie;
use super::non_double_plays::NonDoublePlays;
use crate::board::BAR_BIT;
use crate::plays::packed_side::MovedSide;
use crate::plays::side_deltas::SideDeltas;
use crate::plays::step_list::StepList;
use tavli_algebra::SecondDieBearOff;
use tavli_simd::{ScalarIsa, Vector, Word};

/// Plays next to each other in the order, by the checker that moves first. The moves can be played in this order.
#[derive(Clone, Copy)]
enum PlayKind {
    /// Rows of the table: the high die moves from the row, the low die from each of its columns.
    Rows,
    /// The checker on the bar enters by the low die, and the high die moves any other.
    WhileLowEnters,
    /// One checker runs, the high die first.
    HighRuns,
    /// One checker runs, the low die first.
    LowRuns,
    /// The low die moves the straggler, and the high die bears off.
    LowFirst,
    /// The high die moves the straggler, and the low die bears off.
    HighFirst,
}

/// The parts in their order.
const fn parts(entering: bool) -> [PlayKind; 7] {
    [
        PlayKind::Rows,
        PlayKind::Rows,
        PlayKind::Rows,
        if entering { PlayKind::WhileLowEnters } else { PlayKind::HighRuns },
        PlayKind::LowRuns,
        PlayKind::LowFirst,
        PlayKind::HighFirst,
    ]
}

impl<B: ScalarIsa> NonDoublePlays<Word<B>> {
    /// Calls `visit` with the mover's side after every play, in the order of the indices. `mover` is the side before.
    #[inline(always)]
    pub(crate) fn for_each<const ENTERING: bool, const BEAR_OFF: bool>(
        &self,
        mover: B::U32x8,
        mut visit: impl FnMut(MovedSide<B>),
    ) {
        let ByDie { high, low } = self.masks.dice;
        let start = SideDeltas::new(mover, high);
        let by_high = self.lists.high.sources;
        let by_low = self.lists.low.sources;
        if self.one_die {
            // If both masks are empty, the play is a pass.
            let die = low.blend(by_high.lanes_zero(), high);
            let mut sources = by_low.blend(by_high.lanes_zero(), by_high);
            loop {
                let source = sources.take_lowest().unwrap_or(high.splat(0));
                let mut moved = start.moved::<BEAR_OFF, _>(source, die);
                if source.lanes_zero() {
                    // A pass has no step.
                    moved.steps = StepList::NONE;
                }
                visit(moved);
                if sources.lanes_zero() {
                    return;
                }
            }
        }
        // All parts go through one loop, so that `visit` is compiled once.
        let table = &self.masks.table;
        let SecondDieBearOff { straggler, low_first, high_first } = self.masks.bear_off;
        let firsts = [
            table.rows[0],
            table.rows[1],
            table.rows[2],
            if ENTERING { high.splat(BAR_BIT).zero_unless(!by_high.lanes_zero()) } else { by_high },
            by_low,
            straggler.zero_unless(BEAR_OFF && low_first.lanes),
            straggler.zero_unless(BEAR_OFF && high_first.lanes),
        ];
        for (part, firsts) in const { &parts(ENTERING) }.iter().zip(&firsts) {
            let mut firsts = *firsts;
            while let Some(source) = firsts.take_lowest() {
                let to_high = source.shr(high);
                let (first_die, mut others) = match part {
                    PlayKind::Rows => (high, table.columns & !table.cells.missing(source, high)),
                    PlayKind::WhileLowEnters => (low, by_high),
                    PlayKind::HighRuns => (high, to_high),
                    PlayKind::LowRuns => (low, source.shr(low)),
                    PlayKind::LowFirst => (low, low_first.source),
                    PlayKind::HighFirst => (high, high_first.source),
                };
                let second_die = high ^ low ^ first_die;
                // A lone checker's pair with itself stands for its run.
                let itself = (source & table.cells.single).zero_unless(matches!(part, PlayKind::Rows));
                // The shared part of the plays of one first checker is worked out once.
                let first = start.moved::<BEAR_OFF, _>(source, first_die);
                let deltas = SideDeltas::new(first.words, high);
                while let Some(other) = others.take_lowest() {
                    let other = to_high.blend(itself.lanes_equal(other), other);
                    let second = deltas.moved::<BEAR_OFF, _>(other, second_die);
                    visit(MovedSide {
                        words: second.words,
                        landings: first.landings | second.landings,
                        steps: first.steps.and(other, second_die),
                    });
                }
            }
        }
    }
}
