//! Queues of lanes that roll a double, may bear off, or have a runner: they need more code than other lanes. Queued
//! lanes are packed, so that vectors are full.
//!
//! Tested by `tests/suite/playouts.rs`.

use bytemuck::Zeroable;
use tavli_simd::{Isa, Lanes, Vector};

use crate::plays::{MoverMasks, NonDoubleMasks, PackedMasks, PlaneDelta, double_masks, sources_of};
use crate::position::ON_BOARD;
use tavli_algebra::BearIn;
use tavli_algebra::planes::occupied_and_made;
use tavli_lanes::{Deltas, SubQueue, TowerColumns, WaitingLanes, assert_capacity, clamped_offset};

/// The queues of one ply of a pool, and the plays of the lanes in them, which the pool makes in its next ply.
#[derive(Zeroable)]
pub(super) struct Queues {
    /// Lanes that rolled a double.
    pub(super) doubles: Queue,
    /// Lanes with two different dice that may bear a checker off, or whose runner has not passed.
    pub(super) pairs: Queue,
    /// The doubles that bear off or whose runner has not passed, and the doubles that may bear the last checkers in.
    special: SubQueue,
    bear_ins: SubQueue,
    /// The towers of the doubles.
    towers: TowerColumns,
}

/// Lanes in the order of the blocks. The word of the game's own has their masks, packed.
#[derive(Zeroable)]
#[repr(C, align(64))]
pub(super) struct Queue {
    waiting: WaitingLanes,
    /// The changes of the plays drawn.
    deltas: Deltas<4>,
}

/// A vector of lanes from a queue.
struct Rolled<V: Vector> {
    masks: MoverMasks<V>,
    high: V,
    low: V,
    fraction: V,
}

impl<V: Vector> Rolled<V> {
    /// The lanes from `at` on. `passed` are the points on which a runner has passed, or 0 if there are no runners.
    #[inline(always)]
    fn read<const HAS_RUNNER: bool>(waiting: &WaitingLanes, zero: V, at: usize, passed: u32) -> Rolled<V> {
        let counts = waiting.counts(zero, at);
        let packed = PackedMasks(waiting.packed(zero, at));
        let (occupied, made) = occupied_and_made(&counts);
        let mut runner = zero.splat(0);
        if HAS_RUNNER {
            // Found again: queued, it would be one more word for each lane.
            let lowest = occupied & runner.wrapping_sub(occupied);
            runner = lowest.zero_unless((occupied & passed).lanes_zero());
        }
        let (high, low) = packed.dice();
        Rolled {
            masks: MoverMasks {
                counts,
                occupied,
                made,
                open: packed.open(),
                unpinned: packed.unpinned(),
                runner,
                passed,
            },
            high,
            low,
            fraction: waiting.fraction(zero, at),
        }
    }
}

impl Queue {
    /// Queues lanes behind those `queued` before.
    #[inline(always)]
    pub(super) fn push<V: Vector>(
        &mut self,
        queued: &mut usize,
        lanes: V::Lanes,
        masks: &MoverMasks<V>,
        dice: [V; 2],
        fraction: V,
    ) {
        if V::skips_when_sequential(lanes.to_bits()) {
            return;
        }
        let PackedMasks(packed) = PackedMasks::new(masks, dice);
        self.waiting.push(queued, lanes, &masks.counts, packed, fraction);
    }

    /// Puts the next plays of the queue in the lanes of these bits.
    #[inline(always)]
    pub(super) fn pop<V: Vector>(&self, taken: &mut usize, lanes: u32, delta: &mut PlaneDelta<V>) {
        delta.0 = self.deltas.take(taken, lanes, delta.0);
    }

    /// Draws a play of two different dice for each of the `queued` lanes.
    fn play_pairs<const HAS_RUNNER: bool, I: Isa>(&mut self, isa: I, queued: usize, passed: u32) {
        isa.with_features(
            #[inline(always)]
            || {
                let zero = isa.splat(0);
                for at in (0..queued).step_by(I::Vector::LANES) {
                    let at = clamped_offset::<I::Vector>(at);
                    let rolled = Rolled::read::<HAS_RUNNER>(&self.waiting, zero, at, passed);
                    let Rolled { masks, high, low, .. } = rolled;
                    let plays = NonDoubleMasks::new::<HAS_RUNNER, true>(&masks, high, low).count::<true>();
                    let (index, _) = rolled.fraction.mul_wide(plays.plays());
                    let [sources] = sources_of([&plays.slot::<true>(index)], [(high, low)]);
                    self.deltas.write(at, &PlaneDelta::from_pair::<true>(sources, high, low).0);
                }
            },
        );
    }
}

impl Queues {
    pub(super) fn new() -> Box<Queues> {
        // Some 320 kB, which `Box::new` may first make on the stack.
        bytemuck::allocation::zeroed_box()
    }

    /// Draws a play for each of the queued lanes. `passed` as in [`MoverMasks::passed`].
    pub(super) fn play<const HAS_RUNNER: bool, I: Isa>(&mut self, isa: I, doubles: usize, pairs: usize, passed: u32) {
        assert_capacity::<I::Vector>(doubles);
        assert_capacity::<I::Vector>(pairs);
        // In this order: plain plays are drawn for all doubles, and the plays that need more are written over them.
        let (special, bear_ins) = self.play_doubles::<HAS_RUNNER, I>(isa, doubles, passed);
        self.play_special_doubles::<HAS_RUNNER, I>(isa, special, passed);
        self.play_bear_ins(isa, bear_ins);
        self.pairs.play_pairs::<HAS_RUNNER, I>(isa, pairs, passed);
    }

    /// Draws the plays of doubles, and queues those that need more. Returns how many bear off or have a runner, and how
    /// many may bear the last checkers in.
    fn play_doubles<const HAS_RUNNER: bool, I: Isa>(&mut self, isa: I, queued: usize, passed: u32) -> (usize, usize) {
        let (mut special, mut bear_ins) = (0, 0);
        isa.with_features(
            #[inline(always)]
            || {
                let zero = isa.splat(0);
                let Queue { waiting: lanes, deltas } = &mut self.doubles;
                for at in (0..queued).step_by(I::Vector::LANES) {
                    let at = clamped_offset::<I::Vector>(at);
                    let rolled = Rolled::read::<HAS_RUNNER>(lanes, zero, at, passed);
                    let masks = &rolled.masks;
                    let waiting = zero.first_lanes(queued - at);
                    let mut is_special = masks.bears_off() & waiting;
                    if HAS_RUNNER {
                        is_special = is_special | (!masks.runner.lanes_zero() & waiting);
                    }
                    self.special.push(&mut special, is_special, lanes, at, zero);
                    let bears_in = BearIn::applies(&masks.counts, rolled.high) & masks.unpinned & waiting;
                    self.bear_ins.push(&mut bear_ins, bears_in, lanes, at, zero);

                    let plays = double_masks::<_, false, false>(masks, rolled.high).count();
                    let (index, _) = rolled.fraction.mul_wide(plays.plays());
                    let slot = plays.slot(index);
                    let (point, number) = slot.point_and_number();
                    let uses = slot.uses(point, number);
                    self.towers.write(at, &uses);
                }
                self.towers.choose(isa, queued);
                for at in (0..queued).step_by(I::Vector::LANES) {
                    let at = clamped_offset::<I::Vector>(at);
                    let (die, _) = PackedMasks(lanes.packed(zero, at)).dice();
                    deltas.write(at, &PlaneDelta::from_steps(&self.towers.steps(at, die), die).0);
                }
            },
        );
        (special, bear_ins)
    }

    /// Draws the plays of doubles that bear off, or whose runner has not passed.
    fn play_special_doubles<const HAS_RUNNER: bool, I: Isa>(&mut self, isa: I, queued: usize, passed: u32) {
        isa.with_features(
            #[inline(always)]
            || {
                for at in (0..queued).step_by(I::Vector::LANES) {
                    let at = clamped_offset::<I::Vector>(at);
                    let rolled = Rolled::read::<HAS_RUNNER>(&self.special.waiting, isa.splat(0), at, passed);
                    let plays = double_masks::<_, HAS_RUNNER, true>(&rolled.masks, rolled.high).count();
                    let (index, _) = rolled.fraction.mul_wide(plays.plays());
                    let steps = plays.steps::<true>(&plays.uses(index));
                    let delta = PlaneDelta::from_steps(&steps, rolled.high);
                    self.special.scatter(at, queued, &delta.0, &mut self.doubles.deltas);
                }
            },
        );
    }

    /// Draws the plays of doubles that may bear the last checkers in.
    fn play_bear_ins<I: Isa>(&mut self, isa: I, queued: usize) {
        isa.with_features(
            #[inline(always)]
            || {
                for at in (0..queued).step_by(I::Vector::LANES) {
                    let at = clamped_offset::<I::Vector>(at);
                    let rolled = Rolled::read::<false>(&self.bear_ins.waiting, isa.splat(0), at, ON_BOARD);
                    let plays = BearIn::new(&rolled.masks.counts, rolled.masks.open, rolled.high);
                    let (index, _) = rolled.fraction.mul_wide(plays.plays());
                    let delta = PlaneDelta::from_steps(&plays.steps(index), rolled.high);
                    self.bear_ins.scatter(at, queued, &delta.0, &mut self.doubles.deltas);
                }
            },
        );
    }
}
