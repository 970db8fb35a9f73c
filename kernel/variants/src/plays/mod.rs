//! Plays: the distinct positions that a roll can be played to.
//!
//! A play is a distinct resulting position, whatever the order or the checkers that reach it. Plays are not listed:
//! they are *counted* in closed form from bit masks, and the one of a given index is *unranked*. `specification.rs`,
//! beside the sources of this package, lists all plays in the same order by plain loops.
//!
//! # Why each play has exactly one index
//! During a play neither the open points nor the pins of the mover's own checkers change. So a play is determined by
//! the mover's free checkers after it, and those by the *steps*: how often a checker goes from each point by each die.
//!
//! *Two different dice.* A play is a pair of a source `x` by the high die `a` and a source `y` by the low die `b`, or
//! the run of one checker. The pairs (x, y) and (x', y') end alike only if both are the run from one point: (x, x - a)
//! and (x + b, x). Cancelling the terms of the sum of changes leaves no other case, since a and b differ. So the table
//! of all pairs has two sorts of holes: (x, x) where only one checker stands, and (x, x - a) where (x - b, x) is the
//! same run.
//!
//! *Doubles.* A play is a flow: each point is used at most as often as it has checkers and gets some. Different flows
//! end differently, since the highest point at which they differ has different counts, and any flow can be played from
//! the rear to the front. So plays are counted by how four steps are spread: [`tavli_algebra`].
//!
//! *Bearing off* adds the plays that only become possible when the last checker has come home:
//! [`SecondDieBearOff`](tavli_algebra::SecondDieBearOff) and [`BearIn`].

mod delta;
mod double_masks;
mod mover_masks;
mod pairs;
mod sequences;

pub(crate) use delta::PlaneDelta;
pub(crate) use double_masks::double_masks;
pub(crate) use mover_masks::{MoverMasks, PackedMasks};
pub(crate) use pairs::{NonDoubleMasks, sources_of};
pub(crate) use sequences::{Counts, StepRules, counts_of, sequences};

use pairs::PairPlays;
use tavli_algebra::{BearIn, DoublePlays};
use tavli_simd::{ScalarIsa, Vector, Word};

/// The plays of one roll in one position before any is forbidden, in the order of their indices.
pub(crate) trait PlaySet<V> {
    /// The number of plays. A pass is one play.
    fn plays(&self) -> V;

    /// The play of an index below [`PlaySet::plays`].
    fn delta(&self, index: V) -> PlaneDelta<V>;
}

/// A callback that is compiled for each kind of play set.
pub(crate) trait Visit<V: Vector> {
    /// The visitor's result.
    type Output;

    fn visit(self, set: &impl PlaySet<V>, turn: &MoverMasks<V>) -> Self::Output;
}

/// Counts the plays of `high` and `low` and passes their set to `visitor`.
#[inline(always)]
pub(crate) fn visit_plays<B: ScalarIsa, T: Visit<Word<B>>>(
    turn: &MoverMasks<Word<B>>,
    [high, low]: [Word<B>; 2],
    visitor: T,
) -> T::Output {
    // Each test saves the work of the cases that it rules out.
    if high.lanes_equal(low) {
        if BearIn::applies(&turn.counts, high) & turn.unpinned {
            let set = BearInSet { plays: BearIn::new(&turn.counts, turn.open, high), die: high };
            visitor.visit(&set, turn)
        } else if turn.bears_off() {
            let plays = double_masks::<_, true, true>(turn, high).count();
            visitor.visit(&DoubleSet::<_, true>(plays), turn)
        } else {
            let plays = double_masks::<_, true, false>(turn, high).count();
            visitor.visit(&DoubleSet::<_, false>(plays), turn)
        }
    } else if turn.may_bear_off() {
        let plays = NonDoubleMasks::new::<true, true>(turn, high, low).count::<true>();
        visitor.visit(&PairSet::<_, true> { plays, high, low }, turn)
    } else {
        let plays = NonDoubleMasks::new::<true, false>(turn, high, low).count::<false>();
        visitor.visit(&PairSet::<_, false> { plays, high, low }, turn)
    }
}

struct PairSet<V: Vector, const BEAR_OFF: bool> {
    plays: PairPlays<V>,
    high: V,
    low: V,
}

impl<V: Vector, const BEAR_OFF: bool> PlaySet<V> for PairSet<V, BEAR_OFF> {
    #[inline(always)]
    fn plays(&self) -> V {
        self.plays.plays()
    }

    #[inline(always)]
    fn delta(&self, index: V) -> PlaneDelta<V> {
        PlaneDelta::from_pair::<BEAR_OFF>(self.plays.sources::<BEAR_OFF>(index), self.high, self.low)
    }
}

struct DoubleSet<V: Vector, const BEAR_OFF: bool>(DoublePlays<V>);

impl<V: Vector, const BEAR_OFF: bool> PlaySet<V> for DoubleSet<V, BEAR_OFF> {
    #[inline(always)]
    fn plays(&self) -> V {
        self.0.plays()
    }

    #[inline(always)]
    fn delta(&self, index: V) -> PlaneDelta<V> {
        PlaneDelta::from_steps(&self.0.steps::<BEAR_OFF>(&self.0.uses(index)), self.0.masks().die)
    }
}

struct BearInSet<V: Vector> {
    plays: BearIn<V>,
    die: V,
}

impl<V: Vector> PlaySet<V> for BearInSet<V> {
    #[inline(always)]
    fn plays(&self) -> V {
        self.plays.plays()
    }

    #[inline(always)]
    fn delta(&self, index: V) -> PlaneDelta<V> {
        PlaneDelta::from_steps(&self.plays.steps(index), self.die)
    }
}

/// The points that have checkers, or that some step of a roll can reach.
#[inline(always)]
pub(crate) fn reached<V: Vector>(turn: &MoverMasks<V>, [high, low]: [V; 2]) -> V {
    let by_high = turn.occupied.shr(high) & turn.open;
    let by_low = turn.occupied.shr(low) & turn.open;
    turn.occupied | by_high | by_low | ((by_high.shr(low) | by_low.shr(high)) & turn.open)
}

/// The points that have checkers or that some step of a double can reach.
#[inline(always)]
pub(crate) fn reached_by_double<V: Vector>(turn: &MoverMasks<V>, die: V) -> V {
    let mut reached = turn.occupied;
    for _ in 0..4 {
        reached = reached | (reached.shr(die) & turn.open);
    }
    reached
}
