//! All plays of a double, one after another.

use super::larger_die::by_larger_die;
use super::masks::DoubleMasks;
use super::pattern::{NO_OTHERS, NO_SPECIAL_POINT, Pattern, RUN_EACH, TWICE_EACH};
use super::plays::DoublePlays;
use super::subsets::{SUBSET_STARTS, SUBSETS};
use super::uses::TowerUses;
use crate::plays::board_delta::BoardDelta;
use crate::plays::packed_side::{self, MovedSide};
use crate::plays::planes::{self, Steps};
use crate::plays::side_deltas::{SideDeltas, landings};
use crate::plays::step_list::StepList;
use tavli_simd::{ScalarIsa, Vector, Word};

impl<B: ScalarIsa> DoublePlays<Word<B>> {
    /// Calls `visit` with the mover's side after every play, in the order of the indices, and with its steps if `STEPS`.
    /// `mover` is the side before.
    #[inline(always)]
    pub(crate) fn for_each<const BEAR_OFF: bool, const STEPS: bool>(
        &self,
        mover: B::U32x8,
        mut visit: impl FnMut(MovedSide<B>),
    ) {
        // Nothing is borne off from the bar.
        let DoubleMasks { die, entry, .. } = self.masks;
        let entered = BoardDelta::from_steps::<false>(entry, die).moved(&packed_side::counts(mover, die));
        let start = SideDeltas::new(entered.words, die);
        let entry_steps = with_all::<STEPS, _>(StepList::NONE, entry, die);
        let left = self.by_larger_die();
        for (&pattern, plays) in Pattern::ALL.iter().zip(&self.patterns.0) {
            if plays.number.is_zero() {
                continue;
            }
            // Plays of one pattern and one special point differ in the choice of other towers only.
            let mut special = plays.special;
            let choices = if special.is_zero() {
                plays.number.get()
            } else {
                plays.choices.get()
            };
            let second_step = die.zero_unless(pattern.has(RUN_EACH));
            loop {
                let x = special.take_lowest().unwrap_or(die.splat(0));
                let (uses, fixed) = self.fixed::<BEAR_OFF>(pattern, x, &start);
                let [ones, twos, fours] = uses.fixed;
                let fixed_landings = entered.landings | landings::<BEAR_OFF, _>(ones | twos | fours, die);
                let fixed_steps = with_all::<STEPS, _>(entry_steps, uses.fixed, die);
                let first = SUBSET_STARTS[uses.chosen.get() as usize] as usize;
                for &ranks in &SUBSETS[first..first + choices as usize] {
                    let others = uses.from.with_ranks(u32::from(ranks));
                    let under_way = landings::<BEAR_OFF, _>(others, die);
                    let landings = landings::<BEAR_OFF, _>(under_way, second_step);
                    let (taken, put) = (others & !landings, landings & !others);
                    let mut words = fixed.moved_between(taken, put);
                    if pattern.has(TWICE_EACH) {
                        words = SideDeltas::new(words, x).moved_between(taken, put);
                    }
                    let mut steps = fixed_steps;
                    if STEPS {
                        let mut sources = others;
                        while let Some(source) = sources.take_lowest() {
                            steps = steps.and(source, die);
                            if pattern.has(RUN_EACH) {
                                steps = steps.and(source.shr(die), die);
                            }
                            if pattern.has(TWICE_EACH) {
                                steps = steps.and(source, die);
                            }
                        }
                    }
                    if BEAR_OFF && !left.is_zero() {
                        let mut counts = packed_side::counts(words, x);
                        let last = by_larger_die(&counts, left, die);
                        planes::move_checkers(&mut counts, &last, &[die.splat(0); 3]);
                        words = packed_side::of_counts(&counts);
                        steps = with_all::<STEPS, _>(steps, last, die);
                    }
                    visit(MovedSide {
                        words,
                        landings: fixed_landings | under_way | landings,
                        steps,
                    });
                }
                if special.is_zero() {
                    break;
                }
            }
        }
    }

    /// The uses of towers of a pattern with a special point `x`, and the side after those that do not depend on the
    /// choice.
    #[inline(always)]
    fn fixed<const BEAR_OFF: bool>(
        &self,
        pattern: Pattern,
        x: Word<B>,
        start: &SideDeltas<B::U32x8>,
    ) -> (TowerUses<Word<B>>, SideDeltas<B::U32x8>) {
        pattern.as_constant(
            #[inline(always)]
            |pattern| {
                let number = x.splat(pattern as u32);
                let uses = TowerUses::new(&self.masks, number, x, x.splat(0));
                let fixed = if pattern.has(NO_SPECIAL_POINT) {
                    *start
                } else if pattern.has(NO_OTHERS) {
                    let counts = packed_side::counts(start.words(), x);
                    let fixed = BoardDelta::from_steps::<BEAR_OFF>(uses.fixed, self.masks.die);
                    SideDeltas::at_rest(fixed.moved(&counts).words)
                } else {
                    self.stepped::<BEAR_OFF>(start, &uses.fixed)
                };
                (uses, fixed)
            },
        )
    }

    /// The side after steps of which those from points used once can be played first, and no point is used
    /// four times.
    #[inline(always)]
    fn stepped<const BEAR_OFF: bool>(
        &self,
        start: &SideDeltas<B::U32x8>,
        [ones, twos, _]: &Steps<Word<B>>,
    ) -> SideDeltas<B::U32x8> {
        let mut side = *start;
        if !ones.is_zero() {
            side = side.stepped::<BEAR_OFF, _>(*ones, self.masks.die);
        }
        if !twos.is_zero() {
            side = side.stepped::<BEAR_OFF, _>(*twos, self.masks.die);
            side = side.stepped::<BEAR_OFF, _>(*twos, self.masks.die);
        }
        side
    }
}

/// The list with all of these steps more, if it is asked for.
#[inline(always)]
fn with_all<const STEPS: bool, B: ScalarIsa>(list: StepList, steps: Steps<Word<B>>, die: Word<B>) -> StepList {
    if STEPS { list.and_all(steps, die) } else { list }
}
