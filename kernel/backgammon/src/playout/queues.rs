//! Queues of the lanes that rolled a double, and of those among them whose last checkers may come home. They need other
//! code than two different dice do. Queued lanes are packed, so that vectors are full.

use core::cell::Cell;

use bytemuck::Zeroable;

use crate::board::POINTS;
use crate::plays::{CheckerPlanes, PlaneDelta, Steps, double_masks};
use crate::rules::Goal;
use tavli_algebra::{BearIn, DoubleMasks, DoubleSlot, TowerUses, ranks_of, with_larger_die, with_others};
use tavli_simd::{Isa, Lanes, Schedule, Vector};

use super::capacity::{BLOCKS, MAX_LANES};
use super::stages::{BatchStage, BatchStopwatch};

/// The lowest bit of a die beside a mask of points in one word.
// In one word, since a queue compresses, stores and reads each word of a lane by itself.
const DIE_SHIFT: u32 = 28;

thread_local! {
    /// The queues of the last batch: some 240 kB for each thread that has played one, as long as the thread lives.
    // With queues made for each batch, 36 games took 1.45 times as long (profiles/LOG.md, 2026-11-21).
    static SPARE: Cell<Option<Box<Queues>>> = const { Cell::new(None) };
}

/// The queues of one ply of a pool, and the plays of doubles that each pool makes in its next ply.
#[derive(Zeroable)]
pub(super) struct Queues {
    doubles: Doubles,
    bear_ins: BearIns,
}

impl Queues {
    /// The queues that this thread [kept](Queues::return_to_thread), or new ones: making them would take much of the
    /// time of a batch of few games.
    pub(super) fn reuse_or_new() -> Box<Queues> {
        let spare = SPARE.try_with(Cell::take).ok().flatten();
        // `Box::new` may first make all of it on the stack.
        spare.unwrap_or_else(bytemuck::allocation::zeroed_box)
    }

    /// Keeps the queues for the next batch of this thread.
    pub(super) fn return_to_thread(self: Box<Queues>) {
        // A thread that is about to end keeps nothing.
        let _ = SPARE.try_with(|spare| spare.set(Some(self)));
    }

    /// Queues lanes that rolled a double, behind those `queued` before, and counts them.
    #[inline(always)]
    pub(super) fn push_doubles<V: Vector>(
        &mut self,
        queued: &mut usize,
        lanes: V::Lanes,
        counts: &CheckerPlanes<V>,
        blocked: V,
        die: V,
        fraction: V,
    ) {
        self.doubles.push(queued, lanes, counts, blocked, die, fraction);
    }

    /// Draws a play for each of the `queued` lanes. Returns the number of plays offered.
    #[inline(always)]
    pub(super) fn draw_doubles<G: Goal, const MAY_BEAR_OFF: bool, I: Isa>(
        &mut self,
        isa: I,
        queued: usize,
        stopwatch: &mut BatchStopwatch,
    ) -> u64 {
        assert_capacity::<I::Vector>(queued);
        let mut plays = self.doubles.draw::<G, MAY_BEAR_OFF, I>(isa, queued, &mut self.bear_ins);
        stopwatch.end_of(MAY_BEAR_OFF, BatchStage::Doubles);
        if G::BEAR_OFF {
            // Last: a bear-in's delta replaces the one that `doubles.draw` wrote for its lane.
            plays += self.bear_ins.draw(isa, &mut self.doubles.deltas[usize::from(MAY_BEAR_OFF)]);
            stopwatch.end_of(MAY_BEAR_OFF, BatchStage::BearIn);
        }
        plays
    }

    /// Puts the next plays of doubles in the lanes of these bits.
    #[inline(always)]
    pub(super) fn pop_doubles<const MAY_BEAR_OFF: bool, V: Vector>(
        &self,
        taken: &mut usize,
        lanes: u32,
        delta: &mut PlaneDelta<V>,
    ) {
        self.doubles.pop::<MAY_BEAR_OFF, V>(taken, lanes, delta);
    }
}

/// The most lanes that wait in a queue, and room for the vector behind the last.
const CAPACITY: usize = (BLOCKS + 1) * MAX_LANES;

/// The number of each lane of a vector.
static LANE_NUMBERS: [u32; MAX_LANES] = {
    let mut lanes = [0; MAX_LANES];
    let mut lane = 0;
    while lane < MAX_LANES {
        lanes[lane] = lane as u32;
        lane += 1;
    }
    lanes
};

/// Words of one kind for each lane in a queue.
type Column = [u32; CAPACITY];

/// The place in a queue behind this many lanes, clamped so that a whole vector fits.
///
/// [`assert_capacity`] checks once, beside the loop, that nothing was clamped. A check inside the loop is a second exit
/// from it: engines of WebAssembly then reload the loop's constants in each iteration.
#[inline(always)]
fn clamped_offset<V: Vector>(waiting: usize) -> usize {
    debug_assert!(waiting <= CAPACITY - V::LANES, "{waiting} lanes wait in a queue of {CAPACITY}");
    waiting.min(CAPACITY - V::LANES)
}

/// Panics if a queue has no room for this many lanes.
#[inline(always)]
pub(super) fn assert_capacity<V: Vector>(waiting: usize) {
    assert!(waiting <= CAPACITY - V::LANES, "more lanes wait than a queue has room for");
}

/// The counts of the lanes behind `at`.
#[inline(always)]
fn load_planes<V: Vector>(zero: V, counts: &[Column; 4], at: usize) -> CheckerPlanes<V> {
    [
        zero.load_slice(&counts[0][at..]),
        zero.load_slice(&counts[1][at..]),
        zero.load_slice(&counts[2][at..]),
        zero.load_slice(&counts[3][at..]),
    ]
}

/// Lanes that rolled a double.
#[derive(Zeroable)]
#[repr(C, align(64))]
struct Doubles {
    counts: [Column; 4],
    /// The points that the opponent has made, and the die.
    blocked: Column,
    fraction: Column,
    /// The changes of the plays drawn in the early and in the late pool.
    // Two, as the other pool may play a ply before one makes its plays.
    deltas: [PlaneDeltas; 2],
    /// The steps that do not depend on the choice of other towers, by the points they start from.
    steps: [Column; 3],
    /// The towers to choose from, then the chosen ones.
    towers: Column,
    /// The choices among them, as for [`ranks_of`].
    choices: Column,
    /// How many steps a larger die may bear off.
    by_larger_die: Column,
}

impl Doubles {
    #[inline(always)]
    fn push<V: Vector>(
        &mut self,
        queued: &mut usize,
        lanes: V::Lanes,
        counts: &CheckerPlanes<V>,
        blocked: V,
        die: V,
        fraction: V,
    ) {
        if V::skips_when_sequential(lanes.to_bits()) {
            return;
        }
        let offset = clamped_offset::<V>(*queued);
        for bit in 0..4 {
            counts[bit].compress(lanes, &mut self.counts[bit][offset..]);
        }
        (blocked | die.shl_by::<DIE_SHIFT>()).compress(lanes, &mut self.blocked[offset..]);
        fraction.compress(lanes, &mut self.fraction[offset..]);
        *queued += V::count_lanes(lanes.to_bits());
    }

    #[inline(always)]
    fn draw<G: Goal, const MAY_BEAR_OFF: bool, I: Isa>(
        &mut self,
        isa: I,
        queued: usize,
        bear_ins: &mut BearIns,
    ) -> u64 {
        bear_ins.waiting = 0;
        if queued == 0 {
            return 0;
        }
        if I::Vector::SCHEDULE != Schedule::Interleaved {
            return self.draw_sequential::<G, MAY_BEAR_OFF, I>(isa, queued, bear_ins);
        }
        let zero = isa.splat(0);
        // The plays drawn in one vector are selected while those of the next are counted. Either by itself is a long
        // chain of operations that wait for each other.
        let rolled = self.read::<G, I>(isa, 0, queued, bear_ins);
        let mut plays = isa.splat(0);
        let mut slot = self.draw_vector::<MAY_BEAR_OFF, _>(0, &rolled, rolled.masks::<MAY_BEAR_OFF>(), &mut plays);
        let mut before = 0;
        for at in (0..queued).step_by(I::Vector::LANES).skip(1) {
            let at = clamped_offset::<I::Vector>(at);
            let rolled = self.read::<G, I>(isa, at, queued, bear_ins);
            let masks = rolled.masks::<MAY_BEAR_OFF>();
            let (point, number) = slot.point_and_number();
            // Held in step as in the pool. Four other places were no better (profiles/LOG.md, 2026-11-22).
            let (masks, point) = masks.keep_both_live(point);
            let uses = slot.uses(point, number);
            slot = self.draw_vector::<MAY_BEAR_OFF, _>(at, &rolled, masks, &mut plays);
            self.write(before, &uses);
            before = at;
        }
        let (point, number) = slot.point_and_number();
        self.write(before, &slot.uses(point, number));
        // In stages over all lanes, so no load waits for a store of another width (store forwarding).
        let lanes = self.towers.iter_mut().zip(&self.choices);
        for (towers, &choice) in lanes.take(queued) {
            *towers = isa.deposit_word(ranks_of(choice), *towers);
        }
        for at in (0..queued).step_by(I::Vector::LANES) {
            let at = clamped_offset::<I::Vector>(at);
            let die = zero.load_slice(&self.blocked[at..]).shr_by::<DIE_SHIFT>();
            let fixed = [
                zero.load_slice(&self.steps[0][at..]),
                zero.load_slice(&self.steps[1][at..]),
                zero.load_slice(&self.steps[2][at..]),
            ];
            let others = zero.load_slice(&self.towers[at..]);
            let mut steps = with_others(&fixed, others, zero.load_slice(&self.choices[at..]), die);
            if MAY_BEAR_OFF {
                let left = zero.load_slice(&self.by_larger_die[at..]);
                steps = with_larger_die(&load_planes(zero, &self.counts, at), steps, left, die);
            }
            let delta = delta_of::<G, _>(steps, die);
            self.deltas[usize::from(MAY_BEAR_OFF)].write(at, &delta);
        }
        plays.sum()
    }

    /// [`Doubles::draw`] under [`Schedule::Sequential`]: each vector from its counts to its steps.
    #[inline(always)]
    fn draw_sequential<G: Goal, const MAY_BEAR_OFF: bool, I: Isa>(
        &mut self,
        isa: I,
        queued: usize,
        bear_ins: &mut BearIns,
    ) -> u64 {
        let mut plays = isa.splat(0);
        for at in (0..queued).step_by(I::Vector::LANES) {
            let at = clamped_offset::<I::Vector>(at);
            let rolled = self.read::<G, I>(isa, at, queued, bear_ins);
            let counted = rolled.masks::<MAY_BEAR_OFF>().count();
            let (index, _) = rolled.fraction.mul_wide(counted.plays());
            plays = plays.wrapping_add(counted.plays().zero_unless(rolled.lanes));
            let steps = counted.steps::<MAY_BEAR_OFF>(&counted.uses(index));
            let delta = delta_of::<G, _>(steps, rolled.die);
            self.deltas[usize::from(MAY_BEAR_OFF)].write(at, &delta);
        }
        plays.sum()
    }

    /// The `queued` lanes from `at` on. Lanes that bear in go to the queue for that, and do not count here.
    #[inline(always)]
    fn read<G: Goal, I: Isa>(
        &self,
        isa: I,
        at: usize,
        queued: usize,
        bear_ins: &mut BearIns,
    ) -> RolledDoubles<I::Vector> {
        let zero = isa.splat(0);
        let counts = load_planes(zero, &self.counts, at);
        let blocked = zero.load_slice(&self.blocked[at..]);
        let die = blocked.shr_by::<DIE_SHIFT>();
        let blocked = blocked & POINTS;
        let fraction = zero.load_slice(&self.fraction[at..]);
        let mut lanes = zero.first_lanes(queued - at);
        if G::BEAR_OFF {
            let bears_in = BearIn::applies(&counts, die) & lanes;
            bear_ins.push(at, bears_in, &counts, blocked, die, fraction);
            lanes = lanes & !bears_in;
        }
        RolledDoubles { counts, blocked, die, fraction, lanes }
    }

    /// Draws a play in each of the lanes from `at` on, and adds the numbers of plays offered.
    #[inline(always)]
    fn draw_vector<const MAY_BEAR_OFF: bool, V: Vector>(
        &mut self,
        at: usize,
        rolled: &RolledDoubles<V>,
        masks: DoubleMasks<V>,
        plays: &mut V,
    ) -> DoubleSlot<V> {
        let counted = masks.count();
        let (index, _) = rolled.fraction.mul_wide(counted.plays());
        if MAY_BEAR_OFF {
            counted.masks().by_larger_die().store_slice(&mut self.by_larger_die[at..]);
        }
        *plays = plays.wrapping_add(counted.plays().zero_unless(rolled.lanes));
        counted.slot(index)
    }

    /// Keeps the uses of towers in the lanes from `at` on.
    #[inline(always)]
    fn write<V: Vector>(&mut self, at: usize, uses: &TowerUses<V>) {
        for bit in 0..3 {
            uses.fixed[bit].store_slice(&mut self.steps[bit][at..]);
        }
        uses.from.store_slice(&mut self.towers[at..]);
        uses.packed_choice.store_slice(&mut self.choices[at..]);
    }

    /// Puts the next plays of the queue in the lanes of these bits.
    #[inline(always)]
    fn pop<const MAY_BEAR_OFF: bool, V: Vector>(&self, taken: &mut usize, lanes: u32, delta: &mut PlaneDelta<V>) {
        if V::skips_when_sequential(lanes) {
            return;
        }
        let offset = clamped_offset::<V>(*taken);
        let PlaneDeltas { gain, landings } = &self.deltas[usize::from(MAY_BEAR_OFF)];
        for bit in 0..4 {
            delta.gain[bit] = delta.gain[bit].expand(lanes, &gain[bit][offset..]);
        }
        delta.landings = delta.landings.expand(lanes, &landings[offset..]);
        *taken += V::count_lanes(lanes);
    }
}

/// The changes of plays, a column a plane.
#[derive(Zeroable)]
#[repr(C, align(64))]
struct PlaneDeltas {
    gain: [Column; 4],
    landings: Column,
}

impl PlaneDeltas {
    #[inline(always)]
    fn write<V: Vector>(&mut self, at: usize, delta: &PlaneDelta<V>) {
        for bit in 0..4 {
            delta.gain[bit].store_slice(&mut self.gain[bit][at..]);
        }
        delta.landings.store_slice(&mut self.landings[at..]);
    }
}

/// The change of a double's steps.
#[inline(always)]
fn delta_of<G: Goal, V: Vector>(steps: Steps<V>, die: V) -> PlaneDelta<V> {
    if G::BEAR_OFF { PlaneDelta::from_steps::<true>(steps, die) } else { PlaneDelta::from_steps::<false>(steps, die) }
}

/// A vector of lanes that rolled a double.
struct RolledDoubles<V: Vector> {
    counts: CheckerPlanes<V>,
    /// The points that the opponent has made.
    blocked: V,
    die: V,
    fraction: V,
    /// Lanes that draw their play here, not among the bear-ins.
    lanes: V::Lanes,
}

impl<V: Vector> RolledDoubles<V> {
    /// The masks that the plays are counted from.
    #[inline(always)]
    fn masks<const MAY_BEAR_OFF: bool>(&self) -> DoubleMasks<V> {
        double_masks::<_, true, MAY_BEAR_OFF>(&self.counts, self.blocked, self.die)
    }
}

/// Lanes with a double that may bring the last checkers home.
#[derive(Zeroable)]
#[repr(C, align(64))]
struct BearIns {
    /// The index of the lane in the queue of doubles.
    places: Column,
    counts: [Column; 4],
    /// The points that the opponent has made, and the die.
    blocked: Column,
    fraction: Column,
    waiting: usize,
}

impl BearIns {
    #[inline(always)]
    fn push<V: Vector>(
        &mut self,
        place: usize,
        lanes: V::Lanes,
        counts: &CheckerPlanes<V>,
        blocked: V,
        die: V,
        fraction: V,
    ) {
        if lanes.is_empty() {
            return;
        }
        let offset = clamped_offset::<V>(self.waiting);
        let places = die.splat(place as u32).wrapping_add(die.load_slice(&LANE_NUMBERS));
        places.compress(lanes, &mut self.places[offset..]);
        self.waiting += V::count_lanes(lanes.to_bits());
        for bit in 0..4 {
            counts[bit].compress(lanes, &mut self.counts[bit][offset..]);
        }
        (blocked | die.shl_by::<DIE_SHIFT>()).compress(lanes, &mut self.blocked[offset..]);
        fraction.compress(lanes, &mut self.fraction[offset..]);
    }

    /// Draws the plays and writes their changes to their places in the queue of doubles.
    #[inline(always)]
    fn draw<I: Isa>(&mut self, isa: I, deltas: &mut PlaneDeltas) -> u64 {
        assert_capacity::<I::Vector>(self.waiting);
        let mut plays = isa.splat(0);
        let zero = isa.splat(0);
        for at in (0..self.waiting).step_by(I::Vector::LANES) {
            let at = clamped_offset::<I::Vector>(at);
            let counts = load_planes(zero, &self.counts, at);
            let blocked = zero.load_slice(&self.blocked[at..]);
            let die = blocked.shr_by::<DIE_SHIFT>();
            let table = BearIn::new(&counts, !blocked & POINTS, die);
            let (index, _) = zero.load_slice(&self.fraction[at..]).mul_wide(table.plays());
            let delta = PlaneDelta::from_steps::<true>(table.steps(index), die);
            let gain = delta.gain.map(Vector::store);
            let landings = delta.landings.store();
            let lanes = I::Vector::LANES.min(self.waiting - at);
            for (lane, &place) in self.places[at..at + lanes].iter().enumerate() {
                for (column, gain) in deltas.gain.iter_mut().zip(&gain) {
                    column[place as usize] = gain.as_ref()[lane];
                }
                deltas.landings[place as usize] = landings.as_ref()[lane];
            }
            plays = plays.wrapping_add(table.plays().zero_unless(zero.first_lanes(self.waiting - at)));
        }
        plays.sum()
    }
}
