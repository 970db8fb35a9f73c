//! Vectors of games that are played a ply at a time.
//!
//! A block holds one game in each lane of a vector. [`Pool::play_ply`] finishes the ply of every game that the last
//! call began, and begins the next one, so that a game leaves as soon as its last play is made:
//!
//! 1. [`Pool::make`] makes the plays drawn in the last call, and finds the games that leave the pool.
//! 2. [`LanePool::leave`] and [`LanePool::fill`] hand these games on, and give their lanes and idle ones to others.
//! 3. [`Pool::choose`] rolls, makes masks, counts, draws and selects a play. Every lane is treated as a roll of two
//!    different dice; lanes with doubles are queued as well.
//! 4. [`queues`](super::queues) draws the plays of the doubles of all blocks, in dense vectors.
//!
//! [`Block`] has the games of a vector, and [`RolledBlock`] draws the plays of two different dice from it. The
//! stages 1 to 3 go through a group of blocks while it is in the first cache. When no more games come, they go
//! through all blocks at once, and [`LanePool::compact`] moves games of the last blocks up before the next plays are
//! drawn. A [`BatchStopwatch`] notes where each stage ends, and while it runs each stage goes through all blocks at
//! once, too.
//!
//! Tested by `tests/suite/tiers.rs`, against the scalar path, and `tests/suite/playouts.rs`, against the specification.

use core::array;
use core::ops::Range;

use super::batch_game::BatchGame;
use super::block::{Block, Rolls, store};
use super::drawn::{Drawn, select_together};
use super::presets::Presets;
use super::queues::{DoublesQueue, Queues};
use super::rolled_block::RolledBlock;
use super::stages::{BatchStage, BatchStopwatch};
use crate::plays::{at_most_one_outside, occupied_and_made};
use crate::rules::Goal;
use tavli_lanes::{BLOCKS_PER_PASS, DRAWN_TOGETHER, LaneFeed, LanePool, SELECTED_TOGETHER, assert_capacity};
use tavli_simd::{Isa, LaneArray, Lanes, Schedule, Vector};

/// [`BLOCKS_PER_PASS`] under [`Schedule::Sequential`]: vectors are short, and each group costs instructions of its own.
const BLOCKS_PER_PASS_SEQUENTIAL: usize = 64;

/// [`SELECTED_TOGETHER`] under [`Schedule::Staged`]: fewer, as fewer registers are free.
const SELECTED_TOGETHER_STAGED: usize = 4;

/// Games that are played together.
pub(super) struct Pool<I: Isa> {
    isa: I,
    lanes: LanePool<Block<I>>,
    /// The ply after which games are cut off.
    max_plies: Option<u32>,
    drawn: Drawn<I::Vector>,
    plays: u64,
}

impl<I: Isa> Pool<I> {
    /// A pool without games, which cuts games off after this many plies.
    #[inline(always)]
    pub(super) fn new(isa: I, max_plies: Option<u32>) -> Pool<I> {
        Pool {
            isa,
            lanes: LanePool::new(isa, Presets::new(isa)),
            max_plies,
            drawn: Drawn::nothing(isa.splat(0)),
            plays: 0,
        }
    }

    /// The sum, over all plies that were begun, of how many plays there were to choose from.
    pub(super) fn plays(&self) -> u64 {
        self.plays
    }

    pub(super) fn games(&self) -> usize {
        self.lanes.games()
    }

    /// Finishes the ply begun by the last call, then begins the next. Games leave if they have ended, were cut off, or,
    /// in the early pool, may now bear off. Idle lanes take games of `feed` while there are some. If a lane stays idle
    /// and `more_later` is false, the pool is compacted. `MAY_BEAR_OFF` is whether this is the late pool, in which two
    /// different dice may bear off.
    #[inline(always)]
    pub(super) fn play_ply<G: Goal, const MAY_BEAR_OFF: bool>(
        &mut self,
        queues: &mut Queues,
        more_later: bool,
        mut feed: impl LaneFeed<BatchGame>,
        stopwatch: &mut BatchStopwatch,
    ) {
        let isa = self.isa;
        self.lanes.begin_ply();
        // `make` swaps the sides before each ply, so a new game enters swapped.
        let new = self.lanes.grow(&mut feed);
        for block in &mut self.lanes.blocks[new] {
            block.sides.swap(0, 1);
        }
        // Compact only between plies: a lane must not move while it holds an unmade play. A running stopwatch takes all
        // blocks through a stage at once: by groups, its clock would be read two to four times as often, and timing
        // already costs 3 to 5 % (profiles/README.md).
        let count = self.lanes.blocks.len();
        let group = match I::Vector::SCHEDULE {
            Schedule::Interleaved | Schedule::Staged => BLOCKS_PER_PASS,
            Schedule::Sequential => BLOCKS_PER_PASS_SEQUENTIAL,
        };
        let in_one_pass = count <= group || (self.lanes.has_idle() && !more_later) || stopwatch.runs();
        let step = if in_one_pass { count } else { group };
        // How many lanes this ply has taken from the queue of doubles and has put into it so far. They are locals, not
        // fields of the queues, since the compiler keeps a field that is written through a reference in memory.
        let (mut taken, mut queued) = (0, 0);
        for start in (0..count).step_by(step.max(1)) {
            let end = count.min(start + step);
            let (leaving_blocks, taken_so_far) = isa.with_features(
                #[inline(always)]
                || self.make::<G, MAY_BEAR_OFF>(start..end, queues, taken),
            );
            taken = taken_so_far;
            stopwatch.end_of(MAY_BEAR_OFF, BatchStage::Make);
            self.lanes.leave(
                leaving_blocks,
                &mut feed,
                #[inline(always)]
                |game| stopwatch.leaves(MAY_BEAR_OFF, game.plies),
            );
            stopwatch.end_of(MAY_BEAR_OFF, BatchStage::Leave);
            self.lanes.fill(start..end, &mut feed);
            if in_one_pass && self.lanes.has_idle() && !more_later {
                self.lanes.compact();
            }
            stopwatch.end_of(MAY_BEAR_OFF, BatchStage::Fill);
            let blocks = start..end.min(self.lanes.blocks.len());
            queued = isa.with_features(
                #[inline(always)]
                || self.choose::<MAY_BEAR_OFF>(blocks, queues, queued),
            );
            stopwatch.end_of(MAY_BEAR_OFF, BatchStage::Choose);
        }
        self.lanes.extras.end_ply();
        self.plays += isa.with_features(
            #[inline(always)]
            || queues.draw_doubles::<G, MAY_BEAR_OFF, I>(isa, queued, stopwatch),
        );
    }

    /// Draws a roll and a play for every lane of some blocks, or queues the lane. Returns the length of the queue,
    /// which was `queued` before.
    #[inline(always)]
    fn choose<const MAY_BEAR_OFF: bool>(&mut self, range: Range<usize>, queues: &mut Queues, queued: usize) -> usize {
        let isa = self.isa;
        let count = self.lanes.blocks.len();
        debug_assert!(range.end <= count, "blocks {range:?} of {count}");
        let mut queue = DoublesQueue { queues, queued };
        let mut presets = self.lanes.extras.of_blocks(range.clone());
        let blocks = &mut self.lanes.blocks[range];
        let drawn = &mut self.drawn;
        let mut plays = isa.splat(0);
        // Not split by schedule: separate functions reload the constants (0.2 % more instructions on neon).
        if let Schedule::Sequential = I::Vector::SCHEDULE {
            plays = Self::choose_sequential::<MAY_BEAR_OFF>(isa, blocks, presets, &mut queue);
        } else {
            for blocks in blocks.chunks_mut(DRAWN_TOGETHER) {
                let (block_presets, others) = presets.split_at_mut(presets.len().min(DRAWN_TOGETHER));
                presets = others;
                let offered = if let Schedule::Interleaved = I::Vector::SCHEDULE {
                    let offered = Self::draw_interleaved::<MAY_BEAR_OFF>(isa, blocks, block_presets, drawn, &mut queue);
                    drawn.select::<I, MAY_BEAR_OFF, SELECTED_TOGETHER>(blocks);
                    offered
                } else {
                    let offered = Self::draw_staged::<MAY_BEAR_OFF>(isa, blocks, block_presets, drawn, &mut queue);
                    drawn.select::<I, MAY_BEAR_OFF, SELECTED_TOGETHER_STAGED>(blocks);
                    offered
                };
                plays = plays.wrapping_add(offered);
            }
        }
        self.plays += plays.sum();
        queue.queued
    }

    /// Draws the rolls and the plays of some blocks, to be selected from their slots. Returns the number of plays
    /// offered.
    #[inline(always)]
    fn draw_interleaved<const MAY_BEAR_OFF: bool>(
        isa: I,
        blocks: &mut [Block<I>],
        presets: &mut [LaneArray<I>],
        drawn: &mut Drawn<I::Vector>,
        queue: &mut DoublesQueue<'_>,
    ) -> I::Vector {
        let mut plays = isa.splat(0);
        let dice = &mut drawn.dice[..blocks.len()];
        let slots = &mut drawn.slots[..blocks.len()];
        let ([block, blocks @ ..], [slot, slots @ ..]) = (blocks, slots) else {
            return plays;
        };
        // The plays of a block are counted, and one is drawn, while the masks of the next block are made: either
        // by itself is a long chain of operations that wait for each other.
        let rolled = RolledBlock::roll(isa, block, presets.first_mut(), queue);
        dice[0] = rolled.rolls.dice;
        let mut masked = rolled.masked::<MAY_BEAR_OFF>();
        let mut slot_before = slot;
        slot_before.cells = masked.masks.cells();
        for (at, (block, slot)) in (1..).zip(blocks.iter_mut().zip(slots)) {
            let mut rolled = RolledBlock::roll(isa, block, presets.get_mut(at), queue);
            dice[at] = rolled.rolls.dice;
            let counted = masked.masks.count::<MAY_BEAR_OFF>();
            // Without the barrier the compiler finishes one block before it begins the next, and interleaving gains
            // nothing (profiles/LOG.md, 2026-11-22: 0.98 and 1.01, against 1.014 to 1.02 and 1.03).
            let (offered, high) = counted.plays().keep_both_live(rolled.high);
            plays = plays.wrapping_add(offered.zero_unless(masked.non_doubles));
            let (index, _) = masked.fraction.mul_wide(offered);
            rolled.high = high;
            masked = rolled.masked::<MAY_BEAR_OFF>();
            slot.cells = masked.masks.cells();
            let (masks, index) = masked.masks.keep_both_live(index);
            masked.masks = masks;
            slot_before.place = counted.place::<MAY_BEAR_OFF>(index);
            slot_before = slot;
        }
        let counted = masked.masks.count::<MAY_BEAR_OFF>();
        let (index, _) = masked.fraction.mul_wide(counted.plays());
        plays = plays.wrapping_add(counted.plays().zero_unless(masked.non_doubles));
        slot_before.place = counted.place::<MAY_BEAR_OFF>(index);
        plays
    }

    /// As [`Pool::draw_interleaved`], but with all rolls drawn before the plays.
    #[inline(always)]
    fn draw_staged<const MAY_BEAR_OFF: bool>(
        isa: I,
        blocks: &mut [Block<I>],
        presets: &mut [LaneArray<I>],
        Drawn { dice, fractions, slots }: &mut Drawn<I::Vector>,
        queue: &mut DoublesQueue<'_>,
    ) -> I::Vector {
        let (dice, fractions) = (&mut dice[..blocks.len()], &mut fractions[..blocks.len()]);
        let rolls = dice.iter_mut().zip(&mut *fractions);
        // Almost always no throw is preset, and the loop then asks for none.
        if presets.is_empty() {
            for (block, (dice, fraction)) in blocks.iter_mut().zip(rolls) {
                let rolls = block.roll(isa, None);
                (*dice, *fraction) = (rolls.dice, rolls.fraction);
            }
        } else {
            for ((block, preset), (dice, fraction)) in blocks.iter_mut().zip(presets).zip(rolls) {
                let rolls = block.roll(isa, Some(preset));
                (*dice, *fraction) = (rolls.dice, rolls.fraction);
            }
        }
        let rolls = dice.iter().zip(fractions);
        let rolls = rolls.map(|(&dice, &mut fraction)| Rolls { dice, fraction });
        let mut plays = isa.splat(0);
        for ((block, rolls), slot) in blocks.iter_mut().zip(rolls).zip(slots) {
            let sides = block.sides(isa);
            let rolled = RolledBlock::from_rolls(rolls, block, sides, queue);
            let (drawn, offered) = rolled.draw::<MAY_BEAR_OFF>();
            *slot = drawn;
            plays = plays.wrapping_add(offered);
        }
        plays
    }

    /// Draws the rolls and the plays of some blocks, and selects them, block by block. Returns the number of plays
    /// offered.
    #[inline(always)]
    fn choose_sequential<const MAY_BEAR_OFF: bool>(
        isa: I,
        blocks: &mut [Block<I>],
        presets: &mut [LaneArray<I>],
        queue: &mut DoublesQueue<'_>,
    ) -> I::Vector {
        let mut plays = isa.splat(0);
        // Almost always no throw is preset, and the loop then asks for none.
        if presets.is_empty() {
            for block in blocks {
                plays = plays.wrapping_add(Self::choose_block::<MAY_BEAR_OFF>(isa, block, None, queue));
            }
        } else {
            for (block, preset) in blocks.iter_mut().zip(presets) {
                plays = plays.wrapping_add(Self::choose_block::<MAY_BEAR_OFF>(isa, block, Some(preset), queue));
            }
        }
        plays
    }

    /// Draws the roll and the play of one block and selects it. Returns the number of plays offered.
    #[inline(always)]
    fn choose_block<const MAY_BEAR_OFF: bool>(
        isa: I,
        block: &mut Block<I>,
        preset: Option<&mut LaneArray<I>>,
        queue: &mut DoublesQueue<'_>,
    ) -> I::Vector {
        let rolled = RolledBlock::roll(isa, block, preset, queue);
        let (slot, offered) = rolled.draw::<MAY_BEAR_OFF>();
        let dice = [rolled.rolls.dice];
        select_together::<I, MAY_BEAR_OFF, 1>(array::from_mut(block), &dice, &[slot]);
        offered
    }

    /// Makes the plays drawn for some blocks and notes the games that leave the pool. Returns the number of entries
    /// of `leaving`, and the new value of `taken`.
    #[inline(always)]
    fn make<G: Goal, const MAY_BEAR_OFF: bool>(
        &mut self,
        range: Range<usize>,
        queues: &Queues,
        mut taken: usize,
    ) -> (usize, usize) {
        let isa = self.isa;
        let (ply, max_plies) = (self.lanes.ply(), self.max_plies);
        let mut leaving_blocks = 0;
        // Where nothing is borne off, the early pool is the only one.
        let is_last_pool = MAY_BEAR_OFF || !G::BEAR_OFF;
        for (index, block) in range.clone().zip(&mut self.lanes.blocks[range]) {
            let [mut own, mut other] = block.sides(isa);
            let mut delta = block.selected.delta();
            queues.pop_doubles::<MAY_BEAR_OFF, I::Vector>(&mut taken, block.doubles, &mut delta);
            delta.make(&mut own, &mut other);
            // The other is on roll next.
            block.sides = [store(other), store(own)];
            let (occupied, made) = occupied_and_made(&own);
            let leaves =
                if is_last_pool { (occupied & G::TO_CLEAR).lanes_zero() } else { at_most_one_outside(occupied, made) };
            let mut lanes = leaves.to_bits();
            if let Some(max_plies) = max_plies {
                let plies = isa.splat(ply).wrapping_sub(isa.load(&block.begun));
                lanes |= plies.lanes_equal(isa.splat(max_plies)).to_bits();
            }
            let lanes = lanes & block.active;
            if I::Vector::skips_when_sequential(lanes) {
                continue;
            }
            self.lanes.leaving.note(&mut leaving_blocks, index, lanes);
        }
        assert_capacity::<I::Vector>(taken);
        (leaving_blocks, taken)
    }
}
