//! Vectors of games that are played a ply at a time.
//!
//! A block holds one game in each lane of a vector. [`Pool::play_ply`] finishes the ply of every game that the last
//! call began, and begins the next one, so that a game leaves as soon as its last play is made:
//!
//! 1. [`Pool::make`] makes the plays drawn in the last call, and finds the games that leave the pool.
//! 2. [`Pool::leave`] and [`Pool::fill`] hand these games on, and give their lanes and idle ones to others.
//! 3. [`Pool::choose`] rolls, makes masks, counts, draws and selects a play. Every lane is treated as a roll of two
//!    different dice; lanes with doubles are queued as well.
//! 4. [`queues`](super::queues) draws the plays of the doubles of all blocks, in dense vectors.
//!
//! [`Block`] has the games of a vector, and [`RolledBlock`] draws the plays of two different dice from it. The
//! stages 1 to 3 go through a group of blocks while it is in the first cache. When no more games come, they go
//! through all blocks at once, and [`Pool::compact`] moves games of the last blocks up before the next plays are drawn.
//! A [`BatchStopwatch`] notes where each stage ends, and while it runs each stage goes through all blocks at once, too.

use core::array;
use core::ops::Range;

use super::batch_game::BatchGame;
use super::block::{Block, LaneArray, Rolls, store};
use super::capacity::BLOCKS;
use super::queues::{self, Queues};
use super::rolled_block::{RolledBlock, faces};
use super::selected_delta::SelectedDelta;
use super::stages::{BatchStage, BatchStopwatch};
use super::throws::Preset;
use crate::plays::{at_most_one_outside, occupied_and_made};
use crate::rules::Goal;
use tavli_algebra::PairSlot;
use tavli_simd::{Isa, Lanes, Schedule, Vector, set_bits};

/// Blocks that go through the stages together: few enough for the first cache (profiles/LOG.md, 2026-11-21, G).
const BLOCKS_PER_PASS: usize = 32;

/// [`BLOCKS_PER_PASS`] under [`Schedule::Sequential`]: vectors are short, and each group costs instructions of its own.
const BLOCKS_PER_PASS_SEQUENTIAL: usize = 64;

/// Blocks whose plays are drawn before any is selected.
// 1.02 / 1.01 over eight drawn and then selected; thirty-two gained no more (profiles/LOG.md, 2026-11-22, G).
const DRAWN_TOGETHER: usize = 16;

/// Blocks whose bits are selected together, so that one is worked on while another waits.
// 1.02 / 1.01 over four; two and sixteen took 3 to 6 % longer (profiles/LOG.md, 2026-11-21, G).
const SELECTED_TOGETHER: usize = 8;

/// [`SELECTED_TOGETHER`] under [`Schedule::Staged`]: fewer, as fewer registers are free.
const SELECTED_TOGETHER_STAGED: usize = 4;

/// The source of games for a pool's idle lanes, and the sink for games that leave it.
pub(super) trait LaneFeed {
    /// Passes the next waiting game to `put`; returns false if there is none.
    ///
    /// A callback, not a return value: reading a freshly written [`BatchGame`] back at another width would defeat store
    /// forwarding.
    fn next_into(&mut self, put: impl FnMut(&BatchGame)) -> bool;

    /// Takes a game that leaves the pool.
    fn take_leaving(&mut self, game: &BatchGame);
}

/// The games of one block that leave the pool.
#[derive(Clone, Copy)]
struct LeavingLanes {
    /// The index of the block.
    block: u32,
    /// Their lanes, lane 0 lowest.
    lanes: u32,
}

/// Games that are played together.
pub(super) struct Pool<I: Isa> {
    isa: I,
    blocks: Vec<Block<I>>,
    /// How many lanes of the blocks have no game.
    idle: usize,
    /// How many plies this pool has begun, modulo 2^32; see [`Block::begun`].
    ply: u32,
    /// The ply after which games are cut off.
    max_plies: Option<u32>,
    /// The [preset](Preset) throws of each lane, by block, once there were some.
    // Kept outside `Block`: inside it, with starts returned by value, copying a block stalled on words just stored, and
    // playouts ran at 0.95 of the rate (profiles/LOG.md, 2026-11-22).
    preset_throws: Vec<LaneArray<I>>,
    /// For how many more plies some game may have a preset throw.
    preset_plies: u32,
    /// The dice of blocks whose plays are drawn, until they are selected.
    dice: [I::Vector; DRAWN_TOGETHER],
    /// The fractions left of the words that drew these dice, if all rolls are drawn before the plays.
    fractions: [I::Vector; DRAWN_TOGETHER],
    /// The slots of these plays in the order of plays.
    slots: [PairSlot<I::Vector>; DRAWN_TOGETHER],
    /// The blocks that games leave, and their lanes.
    leaving: [LeavingLanes; BLOCKS],
    plays: u64,
}

impl<I: Isa> Pool<I> {
    const LANES: usize = I::Vector::LANES;
    const ALL: u32 = (1 << Self::LANES) - 1;

    /// A pool without games, which cuts games off after this many plies.
    #[inline(always)]
    pub(super) fn new(isa: I, max_plies: Option<u32>) -> Pool<I> {
        Pool {
            isa,
            blocks: Vec::new(),
            preset_throws: Vec::new(),
            idle: 0,
            ply: 0,
            max_plies,
            preset_plies: 0,
            dice: [isa.splat(0); DRAWN_TOGETHER],
            fractions: [isa.splat(0); DRAWN_TOGETHER],
            slots: [PairSlot::empty(isa.splat(0)); DRAWN_TOGETHER],
            leaving: [LeavingLanes { block: 0, lanes: 0 }; BLOCKS],
            plays: 0,
        }
    }

    /// The sum, over all plies that were begun, of how many plays there were to choose from.
    pub(super) fn plays(&self) -> u64 {
        self.plays
    }

    pub(super) fn games(&self) -> usize {
        self.blocks.len() * Self::LANES - self.idle
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
        mut feed: impl LaneFeed,
        stopwatch: &mut BatchStopwatch,
    ) {
        let isa = self.isa;
        self.ply = self.ply.wrapping_add(1);
        self.grow(&mut feed);
        // Compact only between plies: a lane must not move while it holds an unmade play. A running stopwatch takes all
        // blocks through a stage at once: by groups, its clock would be read two to four times as often, and timing
        // already costs 3 to 5 % (profiles/README.md).
        let count = self.blocks.len();
        let group = match I::Vector::SCHEDULE {
            Schedule::Interleaved | Schedule::Staged => BLOCKS_PER_PASS,
            Schedule::Sequential => BLOCKS_PER_PASS_SEQUENTIAL,
        };
        let in_one_pass = count <= group || (self.idle > 0 && !more_later) || stopwatch.runs();
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
            self.leave(leaving_blocks, &mut feed, MAY_BEAR_OFF, stopwatch);
            stopwatch.end_of(MAY_BEAR_OFF, BatchStage::Leave);
            self.fill(start..end, &mut feed);
            if in_one_pass && self.idle > 0 && !more_later {
                self.compact();
            }
            stopwatch.end_of(MAY_BEAR_OFF, BatchStage::Fill);
            let blocks = start..end.min(self.blocks.len());
            queued = isa.with_features(
                #[inline(always)]
                || self.choose::<MAY_BEAR_OFF>(blocks, queues, queued),
            );
            stopwatch.end_of(MAY_BEAR_OFF, BatchStage::Choose);
        }
        self.preset_plies = self.preset_plies.saturating_sub(1);
        self.plays += isa.with_features(
            #[inline(always)]
            || queues.draw_doubles::<G, MAY_BEAR_OFF, I>(isa, queued, stopwatch),
        );
    }

    /// Adds blocks while games wait and no lane is idle.
    #[inline(always)]
    fn grow(&mut self, feed: &mut impl LaneFeed) {
        while self.idle == 0
            && self.blocks.len() < BLOCKS
            && feed.next_into(
                #[inline(always)]
                |game| self.add_block(game),
            )
        {
            let last = self.blocks.len() - 1;
            self.fill(last..last + 1, feed);
            // `make` swaps the sides before each ply, so a new game enters swapped.
            self.blocks[last].sides.swap(0, 1);
        }
    }

    fn add_block(&mut self, game: &BatchGame) {
        let block = self.blocks.len();
        self.blocks.push(Block::idle(self.isa));
        if let Some(preset) = self.preset_throws.get_mut(block) {
            *preset = self.isa.splat(0).store();
        }
        self.idle = Self::LANES;
        self.put(block, 0, game);
    }

    /// Draws a roll and a play for every lane of some blocks, or queues the lane. Returns the length of the queue,
    /// which was `queued` before.
    #[inline(always)]
    fn choose<const MAY_BEAR_OFF: bool>(
        &mut self,
        range: Range<usize>,
        queues: &mut Queues,
        mut queued: usize,
    ) -> usize {
        let isa = self.isa;
        debug_assert!(range.end <= self.blocks.len(), "blocks {range:?} of {}", self.blocks.len());
        let queued = &mut queued;
        let mut presets: &mut [_] = match self.preset_plies {
            0 => &mut [],
            _ => &mut self.preset_throws[range.clone()],
        };
        let blocks = &mut self.blocks[range];
        let mut plays = isa.splat(0);
        // Not split by schedule: separate functions reload the constants (0.2 % more instructions on neon).
        if let Schedule::Sequential = I::Vector::SCHEDULE {
            plays = Self::choose_sequential::<MAY_BEAR_OFF>(isa, blocks, presets, queues, queued);
        } else {
            for blocks in blocks.chunks_mut(DRAWN_TOGETHER) {
                let (block_presets, others) = presets.split_at_mut(presets.len().min(DRAWN_TOGETHER));
                presets = others;
                let dice = &mut self.dice[..blocks.len()];
                let slots = &mut self.slots[..blocks.len()];
                let offered = if let Schedule::Interleaved = I::Vector::SCHEDULE {
                    let offered =
                        Self::draw_interleaved::<MAY_BEAR_OFF>(isa, blocks, block_presets, dice, slots, queues, queued);
                    Self::select::<MAY_BEAR_OFF, SELECTED_TOGETHER>(blocks, dice, slots);
                    offered
                } else {
                    let rolls = (&mut *dice, &mut self.fractions[..blocks.len()]);
                    let offered =
                        Self::draw_staged::<MAY_BEAR_OFF>(isa, blocks, block_presets, rolls, slots, queues, queued);
                    Self::select::<MAY_BEAR_OFF, SELECTED_TOGETHER_STAGED>(blocks, dice, slots);
                    offered
                };
                plays = plays.wrapping_add(offered);
            }
        }
        self.plays += plays.sum();
        *queued
    }

    /// Draws the rolls and the plays of some blocks, to be selected from their slots. Returns the number of plays
    /// offered.
    #[inline(always)]
    fn draw_interleaved<const MAY_BEAR_OFF: bool>(
        isa: I,
        blocks: &mut [Block<I>],
        presets: &mut [LaneArray<I>],
        dice: &mut [I::Vector],
        slots: &mut [PairSlot<I::Vector>],
        queues: &mut Queues,
        queued: &mut usize,
    ) -> I::Vector {
        let mut plays = isa.splat(0);
        let ([block, blocks @ ..], [slot, slots @ ..]) = (blocks, slots) else {
            return plays;
        };
        // The plays of a block are counted, and one is drawn, while the masks of the next block are made: either
        // by itself is a long chain of operations that wait for each other.
        let rolled = RolledBlock::roll(isa, block, presets.first_mut(), queues, queued);
        dice[0] = rolled.rolls.dice;
        let mut masked = rolled.masked::<MAY_BEAR_OFF>();
        let mut slot_before = slot;
        slot_before.cells = masked.masks.cells();
        for (at, (block, slot)) in (1..).zip(blocks.iter_mut().zip(slots)) {
            let mut rolled = RolledBlock::roll(isa, block, presets.get_mut(at), queues, queued);
            dice[at] = rolled.rolls.dice;
            let counted = masked.masks.count::<MAY_BEAR_OFF>();
            // The compiler would put one block behind the other again: not held in step, nothing was won
            // (profiles/LOG.md, 2026-11-22: 0.98 and 1.01, against 1.014 to 1.02 and 1.03).
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
        (dice, fractions): (&mut [I::Vector], &mut [I::Vector]),
        slots: &mut [PairSlot<I::Vector>],
        queues: &mut Queues,
        queued: &mut usize,
    ) -> I::Vector {
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
            let rolled = RolledBlock::from_rolls(rolls, block, sides, queues, queued);
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
        queues: &mut Queues,
        queued: &mut usize,
    ) -> I::Vector {
        let mut plays = isa.splat(0);
        // Almost always no throw is preset, and the loop then asks for none.
        if presets.is_empty() {
            for block in blocks {
                plays = plays.wrapping_add(Self::choose_block::<MAY_BEAR_OFF>(isa, block, None, queues, queued));
            }
        } else {
            for (block, preset) in blocks.iter_mut().zip(presets) {
                let preset = Some(preset);
                plays = plays.wrapping_add(Self::choose_block::<MAY_BEAR_OFF>(isa, block, preset, queues, queued));
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
        queues: &mut Queues,
        queued: &mut usize,
    ) -> I::Vector {
        let rolled = RolledBlock::roll(isa, block, preset, queues, queued);
        let (slot, offered) = rolled.draw::<MAY_BEAR_OFF>();
        let dice = [rolled.rolls.dice];
        Self::select_together::<MAY_BEAR_OFF, 1>(array::from_mut(block), &dice, &[slot]);
        offered
    }

    /// Selects the plays drawn for some blocks, `N` blocks together.
    #[inline(always)]
    fn select<const MAY_BEAR_OFF: bool, const N: usize>(
        blocks: &mut [Block<I>],
        dice: &[I::Vector],
        slots: &[PairSlot<I::Vector>],
    ) {
        let (groups, blocks) = blocks.as_chunks_mut::<N>();
        let (dice_of_groups, dice) = dice.as_chunks::<N>();
        let (slots_of_groups, slots) = slots.as_chunks::<N>();
        for ((group, dice), slots) in groups.iter_mut().zip(dice_of_groups).zip(slots_of_groups) {
            Self::select_together::<MAY_BEAR_OFF, _>(group, dice, slots);
        }
        for ((block, dice), slot) in blocks.iter_mut().zip(dice).zip(slots) {
            Self::select_together::<MAY_BEAR_OFF, 1>(
                array::from_mut(block),
                array::from_ref(dice),
                array::from_ref(slot),
            );
        }
    }

    /// Selects the plays drawn for `N` blocks.
    #[inline(always)]
    fn select_together<const MAY_BEAR_OFF: bool, const N: usize>(
        blocks: &mut [Block<I>; N],
        dice: &[I::Vector; N],
        slots: &[PairSlot<I::Vector>; N],
    ) {
        // A loop: a closure of `map` falls back to SSE in code for AVX-512.
        let mut faces_of = [faces(dice[0]); N];
        for block in 0..N {
            faces_of[block] = faces(dice[block]);
        }
        let sources = PairSlot::sources_of::<N, true>(slots.each_ref(), faces_of);
        for block in 0..N {
            blocks[block].selected = SelectedDelta::new::<MAY_BEAR_OFF>(sources[block], faces_of[block]);
        }
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
        let max_plies = self.max_plies;
        let mut leaving_blocks = 0;
        // Where nothing is borne off, the early pool is the only one.
        let is_last_pool = MAY_BEAR_OFF || !G::BEAR_OFF;
        for (index, block) in range.clone().zip(&mut self.blocks[range]) {
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
                let plies = isa.splat(self.ply).wrapping_sub(isa.load(&block.begun));
                lanes |= plies.lanes_equal(isa.splat(max_plies)).to_bits();
            }
            let lanes = lanes & block.active;
            if I::Vector::skips_when_sequential(lanes) {
                continue;
            }
            // Written always, and kept if there are any: a branch would often be mispredicted.
            self.leaving[leaving_blocks] = LeavingLanes { block: index as u32, lanes };
            leaving_blocks += usize::from(lanes != 0);
        }
        queues::assert_capacity::<I::Vector>(taken);
        (leaving_blocks, taken)
    }

    /// Hands on the games of the first `leaving_blocks` entries, and refills their lanes while games are waiting.
    #[inline(always)]
    fn leave(
        &mut self,
        leaving_blocks: usize,
        feed: &mut impl LaneFeed,
        is_late: bool,
        stopwatch: &mut BatchStopwatch,
    ) {
        for entry in 0..leaving_blocks {
            let LeavingLanes { block, lanes } = self.leaving[entry];
            let block = block as usize;
            for lane in set_bits(lanes) {
                let game = self.game(block, lane);
                stopwatch.leaves(is_late, game.plies);
                feed.take_leaving(&game);
                // Lane by lane: where sources were asked for all free lanes of a ply at once, copies of games just
                // written waited for the memory, and playouts ran at 0.98 (profiles/LOG.md, 2026-11-22).
                if !feed.next_into(
                    #[inline(always)]
                    |other| self.set_game(block, lane, other),
                ) {
                    self.set_idle(block, lane);
                }
            }
        }
    }

    /// Fills the idle lanes of some blocks while games are waiting.
    #[inline(always)]
    fn fill(&mut self, range: Range<usize>, feed: &mut impl LaneFeed) {
        if self.idle == 0 {
            return;
        }
        let mut start = range.start;
        let has_idle = |block: &Block<I>| block.active != Self::ALL;
        while let Some(passed) = self.blocks[start..range.end].iter().position(has_idle) {
            let block = start + passed;
            for lane in set_bits(!self.blocks[block].active & Self::ALL) {
                if !feed.next_into(
                    #[inline(always)]
                    |game| self.put(block, lane, game),
                ) {
                    return;
                }
            }
            start = block + 1;
        }
    }

    /// Moves games of the last blocks to idle lanes of the first ones, and drops the blocks that are empty.
    #[inline(always)]
    fn compact(&mut self) {
        let mut end = self.blocks.len();
        let mut block = 0;
        loop {
            while end > 0 && self.blocks[end - 1].active == 0 {
                end -= 1;
            }
            if block + 1 >= end {
                break;
            }
            let idle = !self.blocks[block].active & Self::ALL;
            if idle == 0 {
                block += 1;
            } else {
                let last = self.blocks[end - 1].active.ilog2() as usize;
                let game = self.remove(end - 1, last);
                self.put(block, idle.trailing_zeros() as usize, &game);
            }
        }
        self.idle -= (self.blocks.len() - end) * Self::LANES;
        self.blocks.truncate(end);
    }

    #[inline(always)]
    fn remove(&mut self, block: usize, lane: usize) -> BatchGame {
        self.set_idle(block, lane);
        self.game(block, lane)
    }

    /// Puts a game into an idle lane.
    #[inline(always)]
    fn put(&mut self, block: usize, lane: usize, game: &BatchGame) {
        debug_assert!(self.blocks[block].active >> lane & 1 == 0, "lane {lane} of block {block} has a game");
        self.blocks[block].active |= 1 << lane;
        self.idle -= 1;
        self.set_game(block, lane, game);
    }

    /// Makes a lane idle.
    #[inline(always)]
    fn set_idle(&mut self, block: usize, lane: usize) {
        debug_assert!(self.blocks[block].active >> lane & 1 == 1, "lane {lane} of block {block} has no game");
        self.blocks[block].active &= !(1 << lane);
        self.idle += 1;
    }

    #[inline(always)]
    fn game(&self, index: usize, lane: usize) -> BatchGame {
        let preset = match self.preset_plies {
            0 => Preset::NONE,
            _ => Preset::from_word(self.preset_throws[index].as_ref()[lane]),
        };
        self.blocks[index].game(lane, self.ply, preset)
    }

    /// Writes a game to a lane.
    #[inline(always)]
    fn set_game(&mut self, index: usize, lane: usize, game: &BatchGame) {
        self.blocks[index].set_game(lane, self.ply, game);
        if self.preset_plies > 0 || game.preset != Preset::NONE {
            self.set_preset(index, lane, game.preset);
        }
    }

    /// Sets the preset throws of a lane.
    fn set_preset(&mut self, block: usize, lane: usize, preset: Preset) {
        if self.preset_throws.is_empty() {
            self.preset_throws.resize(BLOCKS, self.isa.splat(0).store());
        }
        self.preset_throws[block].as_mut()[lane] = preset.word();
        if preset != Preset::NONE {
            self.preset_plies = Preset::MAX_PLIES;
        }
    }
}
