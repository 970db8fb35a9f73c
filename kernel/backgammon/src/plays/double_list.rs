//! All plays of a double, one after another.

use tavli_algebra::{
    DoubleMasks, DoublePlays, Pattern, RUN_EACH, SUBSET_STARTS, SUBSETS, TWICE_EACH, TowerUses, by_larger_die,
};
use tavli_simd::{ScalarIsa, Vector, Word};

use super::board_delta::BoardDelta;
use super::packed_side::{self, MovedSide};
use super::planes::{self, Steps};
use super::side_deltas::{SideDeltas, landings};
use super::step_list::StepList;

/// Calls `visit` with the mover's side after every play, in the order of the indices, and with its steps if `STEPS`.
/// `mover` is the side before.
#[inline(always)]
pub(crate) fn for_each_double<B: ScalarIsa, const BEAR_OFF: bool, const STEPS: bool>(
    plays: &DoublePlays<Word<B>>,
    mover: B::U32x8,
    mut visit: impl FnMut(MovedSide<B>),
) {
    // Nothing is borne off from the bar.
    let masks = plays.masks();
    let DoubleMasks { die, forced: entry, .. } = *masks;
    let entered = BoardDelta::from_steps::<false>(entry, die).moved(&packed_side::counts(mover, die));
    let start = SideDeltas::new(entered.words, die);
    let entry_steps = with_all::<STEPS, _>(StepList::NONE, entry, die);
    let left = masks.by_larger_die();
    for (pattern, plays) in plays.by_pattern() {
        if plays.count.lanes_zero() {
            continue;
        }
        // Plays of one pattern and one special point differ in the choice of other towers only.
        let mut special = plays.special;
        let choices = if special.lanes_zero() { plays.count.get() } else { plays.choices.get() };
        let second_step = die.zero_unless(pattern.has(RUN_EACH));
        loop {
            let x = special.take_lowest().unwrap_or(die.splat(0));
            let (uses, fixed) = fixed::<B, BEAR_OFF>(masks, pattern, x, &start);
            let [ones, twos, fours] = uses.fixed;
            let fixed_landings = entered.landings | landings::<BEAR_OFF, _>(ones | twos | fours, die);
            let fixed_steps = with_all::<STEPS, _>(entry_steps, uses.fixed, die);
            let first = SUBSET_STARTS[uses.chosen.get() as usize] as usize;
            // From a table: found by Gosper's steps, plays came 7 % slower (profiles/LOG.md, 2026-11-20).
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
                if BEAR_OFF && !left.lanes_zero() {
                    let mut counts = packed_side::counts(words, x);
                    let last = by_larger_die(&counts, left, die);
                    planes::move_checkers(&mut counts, &last, &[die.splat(0); 3]);
                    words = packed_side::from_counts(&counts);
                    steps = with_all::<STEPS, _>(steps, last, die);
                }
                visit(MovedSide { words, landings: fixed_landings | under_way | landings, steps });
            }
            if special.lanes_zero() {
                break;
            }
        }
    }
}

/// The uses of towers of a pattern with a special point `x`, and the side after those that do not depend on the
/// choice.
#[inline(always)]
fn fixed<B: ScalarIsa, const BEAR_OFF: bool>(
    masks: &DoubleMasks<Word<B>>,
    pattern: Pattern,
    x: Word<B>,
    start: &SideDeltas<B::U32x8>,
) -> (TowerUses<Word<B>>, SideDeltas<B::U32x8>) {
    // Not inlined: in each of the loops over plays, this code took three quarters of the time to compile this crate.
    x.isa().with_features(
        #[inline(always)]
        || {
            as_constant(
                pattern,
                #[inline(always)]
                |pattern| fixed_of::<B, BEAR_OFF>(pattern, masks, x, start),
            )
        },
    )
}

/// [`fixed`] of a pattern that is a constant.
#[inline(always)]
fn fixed_of<B: ScalarIsa, const BEAR_OFF: bool>(
    pattern: Pattern,
    masks: &DoubleMasks<Word<B>>,
    x: Word<B>,
    start: &SideDeltas<B::U32x8>,
) -> (TowerUses<Word<B>>, SideDeltas<B::U32x8>) {
    let number = x.splat(pattern as u32);
    let uses = TowerUses::new(masks, number, x, x.splat(0));
    let fixed = if !pattern.has_special_point() {
        *start
    } else if !pattern.has_others() {
        let counts = packed_side::counts(start.words(), x);
        let fixed = BoardDelta::from_steps::<BEAR_OFF>(uses.fixed, masks.die);
        SideDeltas::at_rest(fixed.moved(&counts).words)
    } else {
        stepped::<B, BEAR_OFF>(masks.die, start, &uses.fixed)
    };
    (uses, fixed)
}

/// The side after these steps. No point is used four times, and the steps from points used once come first.
#[inline(always)]
fn stepped<B: ScalarIsa, const BEAR_OFF: bool>(
    die: Word<B>,
    start: &SideDeltas<B::U32x8>,
    [ones, twos, _]: &Steps<Word<B>>,
) -> SideDeltas<B::U32x8> {
    let mut side = *start;
    if !ones.lanes_zero() {
        side = side.stepped::<BEAR_OFF, _>(*ones, die);
    }
    if !twos.lanes_zero() {
        side = side.stepped::<BEAR_OFF, _>(*twos, die);
        side = side.stepped::<BEAR_OFF, _>(*twos, die);
    }
    side
}

/// Calls `body` with this pattern as a constant, so that it is compiled for each pattern separately.
#[inline(always)]
fn as_constant<R>(pattern: Pattern, body: impl FnOnce(Pattern) -> R) -> R {
    // Found at run time, patterns cost 10 % more instructions of listing doubles (profiles/LOG.md, 2026-11-22).
    use Pattern::{
        FourTimes, Joins, LoneJoins, LoneRunAndTwice, LongRun, Once, Run, RunAndTwice, Thrice, ThriceAndRun, Through,
        Twice, TwoRuns, TwoTowersRun, TwoTwice,
    };
    match pattern {
        Once => body(Once),
        Twice => body(Twice),
        Run => body(Run),
        LoneRunAndTwice => body(LoneRunAndTwice),
        RunAndTwice => body(RunAndTwice),
        Thrice => body(Thrice),
        LoneJoins => body(LoneJoins),
        Joins => body(Joins),
        LongRun => body(LongRun),
        Through => body(Through),
        FourTimes => body(FourTimes),
        TwoRuns => body(TwoRuns),
        ThriceAndRun => body(ThriceAndRun),
        TwoTwice => body(TwoTwice),
        TwoTowersRun => body(TwoTowersRun),
    }
}

/// The list with all of these steps added, if steps are asked for.
#[inline(always)]
fn with_all<const STEPS: bool, B: ScalarIsa>(list: StepList, steps: Steps<Word<B>>, die: Word<B>) -> StepList {
    if STEPS { list.and_all(steps, die) } else { list }
}
