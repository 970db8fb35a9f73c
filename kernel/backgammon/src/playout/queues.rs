//! Queues of the lanes that rolled a double, and of those among them whose last checkers may come home. They need other
//! code than two different dice do. Queued lanes are packed, so that vectors are full.
//!
//! Tested by `tests/suite/tiers.rs`, against the scalar path, and `tests/suite/playouts.rs`, against the specification.

use core::cell::Cell;

use bytemuck::Zeroable;

use crate::board::POINTS;
use crate::plays::{CheckerPlanes, PlaneDelta, Steps, double_masks};
use crate::rules::Goal;
use tavli_algebra::{BearIn, DoubleMasks, DoubleSlot, with_larger_die};
use tavli_lanes::{Column, Deltas, SubQueue, TowerColumns, WaitingLanes, assert_capacity, clamped_offset};
use tavli_simd::{Isa, Lanes, Schedule, Vector};

use super::stages::{BatchStage, BatchStopwatch};

/// The lowest bit of a die beside the points that the opponent has made, in the word of a waiting lane.
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

/// The queue of doubles while lanes are put into it.
// The number of lanes is not a field of the queues, since the compiler keeps a field that is written through a
// reference in memory.
pub(super) struct DoublesQueue<'a> {
    pub(super) queues: &'a mut Queues,
    /// How many lanes are queued.
    pub(super) queued: usize,
}

impl DoublesQueue<'_> {
    /// Queues lanes that rolled a double.
    #[inline(always)]
    pub(super) fn push<V: Vector>(
        &mut self,
        lanes: V::Lanes,
        counts: &CheckerPlanes<V>,
        blocked: V,
        die: V,
        fraction: V,
    ) {
        if V::skips_when_sequential(lanes.to_bits()) {
            return;
        }
        let packed = blocked | die.shl_by::<DIE_SHIFT>();
        self.queues.doubles.waiting.push(&mut self.queued, lanes, counts, packed, fraction);
    }
}

/// Lanes that rolled a double.
#[derive(Zeroable)]
#[repr(C, align(64))]
struct Doubles {
    waiting: WaitingLanes,
    /// The changes of the plays drawn in the early and in the late pool.
    // Two, as the other pool may play a ply before one makes its plays.
    deltas: [Deltas<5>; 2],
    towers: TowerColumns,
    /// How many steps a larger die may bear off.
    by_larger_die: Column,
}

impl Doubles {
    #[inline(always)]
    fn draw<G: Goal, const MAY_BEAR_OFF: bool, I: Isa>(
        &mut self,
        isa: I,
        queued: usize,
        bear_ins: &mut BearIns,
    ) -> u64 {
        bear_ins.queued = 0;
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
            // A barrier, as in `Pool::draw_interleaved`; four other positions of it were no faster (profiles/LOG.md,
            // 2026-11-22).
            let (masks, point) = masks.keep_both_live(point);
            let uses = slot.uses(point, number);
            slot = self.draw_vector::<MAY_BEAR_OFF, _>(at, &rolled, masks, &mut plays);
            self.towers.write(before, &uses);
            before = at;
        }
        let (point, number) = slot.point_and_number();
        self.towers.write(before, &slot.uses(point, number));
        self.towers.choose(isa, queued);
        for at in (0..queued).step_by(I::Vector::LANES) {
            let at = clamped_offset::<I::Vector>(at);
            let die = self.waiting.packed(zero, at).shr_by::<DIE_SHIFT>();
            let mut steps = self.towers.steps(at, die);
            if MAY_BEAR_OFF {
                let left = zero.load_slice(&self.by_larger_die[at..]);
                steps = with_larger_die(&self.waiting.counts(zero, at), steps, left, die);
            }
            let delta = delta_of::<G, _>(steps, die);
            self.deltas[usize::from(MAY_BEAR_OFF)].write(at, &delta.words());
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
            self.deltas[usize::from(MAY_BEAR_OFF)].write(at, &delta.words());
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
        let counts = self.waiting.counts(zero, at);
        let (blocked, die) = blocked_and_die(self.waiting.packed(zero, at));
        let fraction = self.waiting.fraction(zero, at);
        let mut lanes = zero.first_lanes(queued - at);
        if G::BEAR_OFF {
            let bears_in = BearIn::applies(&counts, die) & lanes;
            bear_ins.queue.push(&mut bear_ins.queued, bears_in, &self.waiting, at, zero);
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

    /// Puts the next plays of the queue in the lanes of these bits.
    #[inline(always)]
    fn pop<const MAY_BEAR_OFF: bool, V: Vector>(&self, taken: &mut usize, lanes: u32, delta: &mut PlaneDelta<V>) {
        let deltas = &self.deltas[usize::from(MAY_BEAR_OFF)];
        *delta = PlaneDelta::from_words(deltas.take(taken, lanes, delta.words()));
    }
}

/// The points that the opponent has made, and the die, of a waiting lane.
#[inline(always)]
fn blocked_and_die<V: Vector>(packed: V) -> (V, V) {
    (packed & POINTS, packed.shr_by::<DIE_SHIFT>())
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
    queue: SubQueue,
    queued: usize,
}

impl BearIns {
    /// Draws the plays and writes their changes to their places in the queue of doubles.
    #[inline(always)]
    fn draw<I: Isa>(&mut self, isa: I, deltas: &mut Deltas<5>) -> u64 {
        assert_capacity::<I::Vector>(self.queued);
        let mut plays = isa.splat(0);
        let zero = isa.splat(0);
        for at in (0..self.queued).step_by(I::Vector::LANES) {
            let at = clamped_offset::<I::Vector>(at);
            let waiting = &self.queue.waiting;
            let (blocked, die) = blocked_and_die(waiting.packed(zero, at));
            let table = BearIn::new(&waiting.counts(zero, at), !blocked & POINTS, die);
            let (index, _) = waiting.fraction(zero, at).mul_wide(table.plays());
            let delta = PlaneDelta::from_steps::<true>(table.steps(index), die);
            self.queue.scatter(at, self.queued, &delta.words(), deltas);
            plays = plays.wrapping_add(table.plays().zero_unless(zero.first_lanes(self.queued - at)));
        }
        plays.sum()
    }
}
