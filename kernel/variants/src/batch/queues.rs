//! Queues of lanes that roll a double, may bear off, or have a runner: they need more code than other lanes. Queued
//! lanes are packed, so that vectors are full.

use bytemuck::Zeroable;
use tavli_simd::{Isa, Lanes, Vector};

use super::capacity::{BLOCKS, MAX_LANES};
use crate::plays::{MoverMasks, NonDoubleMasks, PackedMasks, PlaneDelta, double_masks, sources_of};
use crate::position::ON_BOARD;
use tavli_algebra::planes::{CheckerPlanes, occupied_and_made};
use tavli_algebra::{BearIn, ranks_of, with_others};

/// The most lanes that wait in a queue, and room for the vector behind the last.
const CAPACITY: usize = (BLOCKS + 1) * MAX_LANES;

/// Words of one kind for each lane in a queue.
type Column = [u32; CAPACITY];

static LANE_NUMBERS: [u32; MAX_LANES] = {
    let mut lanes = [0; MAX_LANES];
    let mut lane = 0;
    while lane < MAX_LANES {
        lanes[lane] = lane as u32;
        lane += 1;
    }
    lanes
};

/// The queues of one ply of a pool, and the plays of the lanes in them, which the pool makes in its next ply.
#[derive(Zeroable)]
pub(super) struct Queues {
    /// Lanes that rolled a double.
    pub(super) doubles: Queue,
    /// Lanes with two different dice that may bear a checker off, or whose runner has not passed.
    pub(super) pairs: Queue,
    /// The doubles that bear off or whose runner has not passed, and the doubles that may bear the last checkers in.
    /// Each lane has its place in the queue of doubles.
    special: SubQueue,
    bear_ins: SubQueue,
    /// The steps of the doubles that do not depend on the choice of other towers, by the points they start from.
    steps: [Column; 3],
    /// The towers to choose from, then the chosen ones.
    towers: Column,
    /// The choices among them, as for [`ranks_of`].
    choices: Column,
}

/// Lanes in the order of the blocks.
#[derive(Zeroable)]
#[repr(C, align(64))]
pub(super) struct Queue {
    rolled: RolledLanes,
    /// The changes of the plays drawn.
    deltas: [Column; 4],
}

/// Lanes of a queue.
#[derive(Zeroable)]
#[repr(C, align(64))]
struct SubQueue {
    rolled: RolledLanes,
    /// The index of the lane in the queue.
    places: Column,
}

/// Masks, packed, and the fractions left of the words that drew their rolls.
#[derive(Zeroable)]
#[repr(C, align(64))]
struct RolledLanes {
    counts: [Column; 4],
    packed: Column,
    fraction: Column,
}

/// A vector of lanes from a queue.
struct Rolled<V: Vector> {
    masks: MoverMasks<V>,
    high: V,
    low: V,
    fraction: V,
}

/// Where the next vector of a queue begins, after `waiting` lanes. Clamped, so that a whole vector always fits.
///
/// [`assert_capacity`] asserts once a loop that no index was cut off.
#[inline(always)]
fn clamped_offset<V: Vector>(waiting: usize) -> usize {
    waiting.min(CAPACITY - V::LANES)
}

/// Panics if a queue has no room for this many lanes.
#[inline(always)]
pub(super) fn assert_capacity<V: Vector>(waiting: usize) {
    assert!(waiting <= CAPACITY - V::LANES, "more lanes wait than a queue has room for");
}

impl RolledLanes {
    /// Queues lanes behind those `queued` before.
    #[inline(always)]
    fn push<V: Vector>(
        &mut self,
        queued: &mut usize,
        lanes: V::Lanes,
        counts: &CheckerPlanes<V>,
        packed: V,
        fraction: V,
    ) {
        let at = clamped_offset::<V>(*queued);
        for bit in 0..4 {
            counts[bit].compress(lanes, &mut self.counts[bit][at..]);
        }
        packed.compress(lanes, &mut self.packed[at..]);
        fraction.compress(lanes, &mut self.fraction[at..]);
        *queued += V::count_lanes(lanes.to_bits());
    }

    /// The lanes from `at` on. `passed` are the points on which a runner has passed, or 0 if there are no runners.
    #[inline(always)]
    fn read<const HAS_RUNNER: bool, V: Vector>(&self, zero: V, at: usize, passed: u32) -> Rolled<V> {
        let counts = [
            zero.load_slice(&self.counts[0][at..]),
            zero.load_slice(&self.counts[1][at..]),
            zero.load_slice(&self.counts[2][at..]),
            zero.load_slice(&self.counts[3][at..]),
        ];
        let packed = PackedMasks(zero.load_slice(&self.packed[at..]));
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
            fraction: zero.load_slice(&self.fraction[at..]),
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
        self.rolled.push(queued, lanes, &masks.counts, packed, fraction);
    }

    /// Puts the next plays of the queue in the lanes of these bits.
    #[inline(always)]
    pub(super) fn pop<V: Vector>(&self, taken: &mut usize, lanes: u32, delta: &mut PlaneDelta<V>) {
        if V::skips_when_sequential(lanes) {
            return;
        }
        let at = clamped_offset::<V>(*taken);
        for bit in 0..4 {
            delta.0[bit] = delta.0[bit].expand(lanes, &self.deltas[bit][at..]);
        }
        *taken += V::count_lanes(lanes);
    }

    /// Draws a play of two different dice for each of the `queued` lanes.
    fn play_pairs<const HAS_RUNNER: bool, I: Isa>(&mut self, isa: I, queued: usize, passed: u32) {
        isa.with_features(
            #[inline(always)]
            || {
                let zero = isa.splat(0);
                for at in (0..queued).step_by(I::Vector::LANES) {
                    let at = clamped_offset::<I::Vector>(at);
                    let rolled = self.rolled.read::<HAS_RUNNER, _>(zero, at, passed);
                    let Rolled { masks, high, low, .. } = rolled;
                    let plays = NonDoubleMasks::new::<HAS_RUNNER, true>(&masks, high, low).count::<true>();
                    let (index, _) = rolled.fraction.mul_wide(plays.plays());
                    let [sources] = sources_of([&plays.slot::<true>(index)], [(high, low)]);
                    write(&mut self.deltas, at, &PlaneDelta::from_pair::<true>(sources, high, low));
                }
            },
        );
    }
}

impl SubQueue {
    #[inline(always)]
    fn push<V: Vector>(&mut self, queued: &mut usize, lanes: V::Lanes, from: &RolledLanes, at: usize, zero: V) {
        if lanes.is_empty() {
            return;
        }
        let places = zero.splat(at as u32).wrapping_add(zero.load_slice(&LANE_NUMBERS));
        places.compress(lanes, &mut self.places[clamped_offset::<V>(*queued)..]);
        let counts = [
            zero.load_slice(&from.counts[0][at..]),
            zero.load_slice(&from.counts[1][at..]),
            zero.load_slice(&from.counts[2][at..]),
            zero.load_slice(&from.counts[3][at..]),
        ];
        let (packed, fraction) = (zero.load_slice(&from.packed[at..]), zero.load_slice(&from.fraction[at..]));
        self.rolled.push(queued, lanes, &counts, packed, fraction);
    }

    /// Writes the plays of the lanes from `at` on, of those `queued`, to their places.
    #[inline(always)]
    fn scatter<V: Vector>(&self, at: usize, queued: usize, delta: &PlaneDelta<V>, deltas: &mut [Column; 4]) {
        let more = [delta.0[0].store(), delta.0[1].store(), delta.0[2].store(), delta.0[3].store()];
        let lanes = V::LANES.min(queued - at);
        for (lane, &place) in self.places[at..at + lanes].iter().enumerate() {
            for (column, more) in deltas.iter_mut().zip(&more) {
                column[place as usize] = more.as_ref()[lane];
            }
        }
    }
}

/// Writes the changes of the lanes from `at` on.
#[inline(always)]
fn write<V: Vector>(deltas: &mut [Column; 4], at: usize, delta: &PlaneDelta<V>) {
    for bit in 0..4 {
        delta.0[bit].store_slice(&mut deltas[bit][at..]);
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
                let Queue { rolled: lanes, deltas } = &mut self.doubles;
                for at in (0..queued).step_by(I::Vector::LANES) {
                    let at = clamped_offset::<I::Vector>(at);
                    let rolled = lanes.read::<HAS_RUNNER, _>(zero, at, passed);
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
                    for bit in 0..3 {
                        uses.fixed[bit].store_slice(&mut self.steps[bit][at..]);
                    }
                    uses.from.store_slice(&mut self.towers[at..]);
                    uses.packed_choice.store_slice(&mut self.choices[at..]);
                }
                // In stages over all lanes, so no load waits for a store of another width (store forwarding).
                for (towers, &choice) in self.towers.iter_mut().zip(&self.choices).take(queued) {
                    *towers = isa.deposit_word(ranks_of(choice), *towers);
                }
                for at in (0..queued).step_by(I::Vector::LANES) {
                    let at = clamped_offset::<I::Vector>(at);
                    let (die, _) = PackedMasks(zero.load_slice(&lanes.packed[at..])).dice();
                    let fixed = [
                        zero.load_slice(&self.steps[0][at..]),
                        zero.load_slice(&self.steps[1][at..]),
                        zero.load_slice(&self.steps[2][at..]),
                    ];
                    let (others, choices) = (zero.load_slice(&self.towers[at..]), zero.load_slice(&self.choices[at..]));
                    let steps = with_others(&fixed, others, choices, die);
                    write(deltas, at, &PlaneDelta::from_steps(&steps, die));
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
                    let rolled = self.special.rolled.read::<HAS_RUNNER, _>(isa.splat(0), at, passed);
                    let plays = double_masks::<_, HAS_RUNNER, true>(&rolled.masks, rolled.high).count();
                    let (index, _) = rolled.fraction.mul_wide(plays.plays());
                    let steps = plays.steps::<true>(&plays.uses(index));
                    let delta = PlaneDelta::from_steps(&steps, rolled.high);
                    self.special.scatter(at, queued, &delta, &mut self.doubles.deltas);
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
                    let rolled = self.bear_ins.rolled.read::<false, _>(isa.splat(0), at, ON_BOARD);
                    let plays = BearIn::new(&rolled.masks.counts, rolled.masks.open, rolled.high);
                    let (index, _) = rolled.fraction.mul_wide(plays.plays());
                    let delta = PlaneDelta::from_steps(&plays.steps(index), rolled.high);
                    self.bear_ins.scatter(at, queued, &delta, &mut self.doubles.deltas);
                }
            },
        );
    }
}
