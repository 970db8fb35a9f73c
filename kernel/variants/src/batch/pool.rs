//! Vectors of games that are played a ply at a time.
//!
//! A block holds one game in each lane of a vector. [`Pool::play_ply`] finishes the ply of every game that the last
//! call began, and begins the next one, so that a game leaves as soon as its last play is made:
//!
//! 1. [`Pool::make`] makes the plays drawn in the last call, and finds the games that are over.
//! 2. [`LanePool::leave`] and [`LanePool::fill`] hand these games on, and give their lanes and idle ones to others.
//! 3. [`Pool::choose`] rolls, makes masks, counts, draws and selects a play. Every lane is treated as a roll of two
//!    different dice that bears nothing off; lanes for which this is not so are queued as well.
//! 4. [`Queues`] draw the plays of the queued lanes of all blocks, in dense vectors.
//!
//! The first three go through a group of blocks while it is in the first cache. When no more games come, they go
//! through all blocks at once, and [`LanePool::compact`] moves games of the last blocks up before the next plays are
//! drawn.
//!
//! Tested by `tests/suite/playouts.rs`.

use core::array;
use core::ops::Range;

use tavli_algebra::PairSlot;
use tavli_algebra::planes::occupied_and_made;
use tavli_lanes::{BLOCKS_PER_PASS, DRAWN_TOGETHER, LanePool, SELECTED_TOGETHER, assert_capacity};
use tavli_simd::{Isa, Lanes, Vector};

use super::block::{Block, load_counts, side_words, store};
use super::game_queue::GameQueue;
use super::queues::Queues;
use crate::plays::{MoverMasks, NonDoubleMasks, PlaneDelta, sources_of};
use crate::rolls::{DICE, THROWS};
use crate::variant::Variant;

/// The larger and the smaller die.
type Dice<V> = (V, V);

/// Games that are played together.
pub(super) struct Pool<'a, I: Isa, G> {
    isa: I,
    game: &'a G,
    lanes: LanePool<Block<I>>,
    /// The plies after which games are cut off.
    max_plies: u32,
    /// The dice of blocks whose plays are drawn, until they are selected.
    dice: [Dice<I::Vector>; DRAWN_TOGETHER],
    /// The slots of these plays in the order of plays.
    slots: [PairSlot<I::Vector>; DRAWN_TOGETHER],
}

/// How many lanes are in the queues.
#[derive(Clone, Copy, Default)]
struct Queued {
    doubles: usize,
    pairs: usize,
}

impl<'a, I: Isa, G: Variant> Pool<'a, I, G> {
    /// A pool without games.
    pub(super) fn new(isa: I, game: &'a G, max_plies: u32) -> Pool<'a, I, G> {
        let zero = isa.splat(0);
        Pool {
            isa,
            game,
            lanes: LanePool::new(isa, ()),
            max_plies,
            dice: [(zero, zero); DRAWN_TOGETHER],
            slots: [PairSlot::empty(zero); DRAWN_TOGETHER],
        }
    }

    /// Finishes the ply begun by the last call, then begins the next. Games leave that are over or cut off, and idle
    /// lanes take games of `game_queue` while there are some. Returns false if no game is left.
    pub(super) fn play_ply(&mut self, queues: &mut Queues, game_queue: &mut GameQueue<'_, G>) -> bool {
        let isa = self.isa;
        self.lanes.begin_ply();
        // Compact only between plies: a lane must not move while it holds an unmade play.
        let number = self.lanes.blocks.len();
        let in_one_pass = number <= BLOCKS_PER_PASS || self.lanes.has_idle();
        let step = if in_one_pass { number } else { BLOCKS_PER_PASS };
        // Locals, not fields, since the compiler keeps a field that is written through a reference in memory.
        let (mut taken, mut queued) = (Queued::default(), Queued::default());
        for start in (0..number).step_by(step.max(1)) {
            let end = number.min(start + step);
            let leaving_blocks;
            (leaving_blocks, taken) = isa.with_features(
                #[inline(always)]
                || self.make(start..end, queues, taken),
            );
            self.lanes.leave(leaving_blocks, game_queue, |_| ());
            if self.max_plies < u32::MAX {
                self.cut_off(start..end, game_queue);
            }
            self.lanes.fill(start..end, game_queue);
            if in_one_pass && self.lanes.has_idle() {
                self.lanes.compact();
            }
            let blocks = start..end.min(self.lanes.blocks.len());
            queued = isa.with_features(
                #[inline(always)]
                || self.choose(blocks, queues, queued),
            );
        }
        let blocks = self.lanes.grow(game_queue);
        queued = isa.with_features(
            #[inline(always)]
            || self.choose(blocks, queues, queued),
        );
        let passed = self.game.passed();
        if G::HAS_RUNNER {
            queues.play::<true, I>(isa, queued.doubles, queued.pairs, passed);
        } else {
            queues.play::<false, I>(isa, queued.doubles, queued.pairs, passed);
        }
        !self.lanes.blocks.is_empty()
    }

    /// Draws a roll and a play for every lane of some blocks, or queues the lane.
    #[inline(always)]
    fn choose(&mut self, range: Range<usize>, queues: &mut Queues, mut queued: Queued) -> Queued {
        let isa = self.isa;
        for blocks in self.lanes.blocks[range].chunks_mut(DRAWN_TOGETHER) {
            let dice = &mut self.dice[..blocks.len()];
            let slots = &mut self.slots[..blocks.len()];
            // Masks of the next block while the plays of one are counted, as in backgammon, gained nothing here.
            for ((block, dice), slot) in blocks.iter_mut().zip(&mut *dice).zip(&mut *slots) {
                (*slot, *dice) = Self::draw(isa, self.game, block, queues, &mut queued);
            }
            let (groups, blocks) = blocks.as_chunks_mut::<SELECTED_TOGETHER>();
            let (dice_of_groups, dice) = dice.as_chunks::<SELECTED_TOGETHER>();
            let (slots_of_groups, slots) = slots.as_chunks::<SELECTED_TOGETHER>();
            for ((group, dice), slots) in groups.iter_mut().zip(dice_of_groups).zip(slots_of_groups) {
                Self::select(group, dice, slots);
            }
            for ((block, dice), slot) in blocks.iter_mut().zip(dice).zip(slots) {
                Self::select(array::from_mut(block), array::from_ref(dice), array::from_ref(slot));
            }
        }
        queued
    }

    /// Rolls, queues the lanes that need more, and draws one of the plays of two different dice. Returns where it
    /// stands, and the dice.
    #[inline(always)]
    fn draw(
        isa: I,
        game: &G,
        block: &mut Block<I>,
        queues: &mut Queues,
        queued: &mut Queued,
    ) -> (PairSlot<I::Vector>, Dice<I::Vector>) {
        let [own, other] = block.sides(isa);
        let word = block.next_word(isa);
        if G::HAS_RUNNER {
            // Only a play that turns out to be forbidden needs the word again.
            block.words = word.store();
        }
        let (throw, fraction) = word.mul_wide_by::<THROWS>();
        let dice = throw.look_up_byte(&DICE);
        let (high, low) = (dice & 15, dice.shr_by::<4>());
        let masks = MoverMasks::new(game, &own, &other);
        let active = word.lanes_of_bits(block.active);
        let is_double = high.lanes_equal(low);
        let doubles = is_double & active;
        let mut needs_more = masks.may_bear_off();
        if G::HAS_RUNNER {
            needs_more = needs_more | !masks.runner.lanes_zero();
        }
        let pairs = needs_more & active & !is_double;
        let dice = [high, low];
        // A branch around the pairs where there are none made no difference: 1.00 and 0.99 (profiles/LOG.md,
        // 2026-11-26).
        queues.doubles.push(&mut queued.doubles, doubles, &masks, dice, fraction);
        queues.pairs.push(&mut queued.pairs, pairs, &masks, dice, fraction);
        block.doubles = doubles.to_bits();
        block.pairs = pairs.to_bits();
        // In the lanes of doubles and of other queued plays, too, where `make` takes the queued play instead.
        let plays = NonDoubleMasks::new::<false, false>(&masks, high, low).count::<false>();
        let (index, _) = fraction.mul_wide(plays.plays());
        (plays.slot::<false>(index), (high, low))
    }

    /// Selects the plays drawn for `N` blocks.
    #[inline(always)]
    fn select<const N: usize>(
        blocks: &mut [Block<I>; N],
        dice: &[Dice<I::Vector>; N],
        slots: &[PairSlot<I::Vector>; N],
    ) {
        let sources = sources_of(slots.each_ref(), *dice);
        for block in 0..N {
            let (high, low) = dice[block];
            let PlaneDelta([ones, twos, fours, _]) = PlaneDelta::from_pair::<false>(sources[block], high, low);
            blocks[block].selected = [ones, twos, fours];
        }
    }

    /// Makes the plays drawn for some blocks and notes the games that are over. Returns how many blocks they leave, and
    /// how many plays have been taken from the queues, `taken` before.
    #[inline(always)]
    fn make(&mut self, range: Range<usize>, queues: &Queues, mut taken: Queued) -> (usize, Queued) {
        let isa = self.isa;
        let mut leaving_blocks = 0;
        for (at, block) in range.clone().zip(&mut self.lanes.blocks[range]) {
            let [mut own, mut other] = block.sides(isa);
            let [ones, twos, fours] = block.selected;
            let mut delta = PlaneDelta([ones, twos, fours, fours]);
            queues.doubles.pop(&mut taken.doubles, block.doubles, &mut delta);
            queues.pairs.pop(&mut taken.pairs, block.pairs, &mut delta);
            delta.make(&mut own.counts);
            let (mut occupied, _) = occupied_and_made(&own.counts);
            if G::HAS_RUNNER {
                let forbidden = !self.game.end_test(&other, occupied).allows(occupied);
                let lanes = forbidden.to_bits() & block.active;
                if lanes != 0 {
                    let mut counts = store(own.counts);
                    block.redraw(self.game, lanes, &mut counts);
                    own.counts = load_counts(isa, &counts);
                    (occupied, _) = occupied_and_made(&own.counts);
                }
            }
            G::pin(occupied, &mut other);
            let is_over = (occupied | own.pinned).lanes_zero() | self.game.is_over(&own, &other);
            // The other is on roll next.
            block.sides = [side_words(&other), side_words(&own)];
            let lanes = is_over.to_bits() & block.active;
            self.lanes.leaving.note(&mut leaving_blocks, at, lanes);
        }
        // After the loop, not in it: a check inside gives the loop a second exit, and WebAssembly engines then make
        // its constants anew in each iteration (backgammon's batch was up to 1.23 times as slow: profiles/LOG.md,
        // 2026-11-25).
        assert_capacity::<I::Vector>(taken.doubles);
        assert_capacity::<I::Vector>(taken.pairs);
        (leaving_blocks, taken)
    }

    /// Hands on the games of some blocks that have the most plies. Those that are over have left.
    // Apart from `make`, so that games that are never cut off, as in searches, pay a branch for a group of blocks only.
    fn cut_off(&mut self, range: Range<usize>, game_queue: &mut GameQueue<'_, G>) {
        let isa = self.isa;
        let begun = self.lanes.ply().wrapping_sub(self.max_plies);
        for at in range {
            let block = &self.lanes.blocks[at];
            let is_due = isa.with_features(
                #[inline(always)]
                || isa.load(&block.begun).lanes_equal(isa.splat(begun)).to_bits(),
            );
            // An idle lane still has the beginning of its last game.
            self.lanes.leave_lanes(at, is_due & block.active, game_queue, |_| ());
        }
    }
}
