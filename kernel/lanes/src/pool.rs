//! Games that are played together, one in each lane of some blocks.
//!
//! Tested by the games that use it: `tests/suite/tiers.rs` of `kernel/backgammon`, `tests/suite/playouts.rs` of
//! `kernel/variants`.

use core::ops::Range;

use tavli_simd::{Isa, Vector, set_bits};

use crate::capacity::BLOCKS;

/// The games of a vector, one in each lane.
pub trait LaneBlock: Sized {
    /// The instruction set of the vector.
    type Isa: Isa;

    /// A game outside the lanes.
    type Game;

    /// Words of the lanes that a pool keeps beside its blocks.
    type Extras;

    /// A block without games, which will be the block `index` of its pool.
    fn idle(isa: Self::Isa, index: usize, extras: &mut Self::Extras) -> Self;

    /// Lanes with a game, lane 0 lowest.
    fn active(&self) -> u32;

    /// Sets the lanes with a game.
    fn set_active(&mut self, lanes: u32);

    /// The game of a lane of this block, the block `index` of its pool, in the pool's ply `ply`.
    fn game(&self, index: usize, lane: usize, ply: u32, extras: &Self::Extras) -> Self::Game;

    /// Writes a game to a lane of this block, the block `index` of its pool, in the pool's ply `ply`.
    fn set_game(&mut self, index: usize, lane: usize, ply: u32, extras: &mut Self::Extras, game: &Self::Game);
}

/// The source of games for a pool's idle lanes, and the sink for games that leave it.
pub trait LaneFeed<G> {
    /// Passes the next waiting game to `put`; returns false if there is none.
    ///
    /// A callback, not a return value: reading a freshly written game back at another width would defeat store
    /// forwarding.
    fn next_into(&mut self, put: impl FnMut(&G)) -> bool;

    /// Takes a game that leaves the pool.
    fn take_leaving(&mut self, game: &G);
}

/// The games of one block that leave the pool.
#[derive(Clone, Copy)]
struct LeavingLanes {
    /// The index of the block.
    block: u32,
    /// Their lanes, lane 0 lowest.
    lanes: u32,
}

/// The blocks that games leave, and their lanes.
pub struct Leaving([LeavingLanes; BLOCKS]);

impl Leaving {
    /// Notes the lanes of a block whose games leave, if there are any, behind `noted` other blocks, which it counts.
    #[inline(always)]
    pub fn note(&mut self, noted: &mut usize, block: usize, lanes: u32) {
        // Written always, and kept if there are any: a branch would often be mispredicted.
        self.0[*noted] = LeavingLanes { block: block as u32, lanes };
        *noted += usize::from(lanes != 0);
    }
}

/// Games that are played together, a ply of each at a time.
pub struct LanePool<B: LaneBlock> {
    isa: B::Isa,
    /// The games.
    pub blocks: Vec<B>,
    /// Words of the lanes beside the blocks.
    pub extras: B::Extras,
    /// How many lanes of the blocks have no game.
    idle: usize,
    /// How many plies this pool has begun, modulo 2^32.
    ply: u32,
    /// The blocks that games leave in this ply.
    pub leaving: Leaving,
}

impl<B: LaneBlock> LanePool<B> {
    const LANES: usize = <B::Isa as Isa>::Vector::LANES;
    const ALL: u32 = (1 << Self::LANES) - 1;

    /// A pool without games.
    #[inline(always)]
    pub fn new(isa: B::Isa, extras: B::Extras) -> LanePool<B> {
        let leaving = Leaving([LeavingLanes { block: 0, lanes: 0 }; BLOCKS]);
        LanePool { isa, blocks: Vec::new(), extras, idle: 0, ply: 0, leaving }
    }

    /// How many games it has.
    #[inline(always)]
    pub fn games(&self) -> usize {
        self.blocks.len() * Self::LANES - self.idle
    }

    /// Whether a lane of its blocks has no game.
    #[inline(always)]
    pub fn has_idle(&self) -> bool {
        self.idle > 0
    }

    /// How many plies it has begun, modulo 2^32.
    #[inline(always)]
    pub fn ply(&self) -> u32 {
        self.ply
    }

    /// Begins a ply.
    #[inline(always)]
    pub fn begin_ply(&mut self) {
        self.ply = self.ply.wrapping_add(1);
    }

    /// Adds blocks while games wait and no lane is idle. Returns which are new.
    #[inline(always)]
    pub fn grow(&mut self, feed: &mut impl LaneFeed<B::Game>) -> Range<usize> {
        let first = self.blocks.len();
        // A game is asked for first, so that no block is added in vain.
        while self.idle == 0
            && self.blocks.len() < BLOCKS
            && feed.next_into(
                #[inline(always)]
                |game| self.add_block(game),
            )
        {
            let last = self.blocks.len() - 1;
            self.fill(last..last + 1, feed);
        }
        first..self.blocks.len()
    }

    fn add_block(&mut self, game: &B::Game) {
        let index = self.blocks.len();
        self.blocks.push(B::idle(self.isa, index, &mut self.extras));
        self.idle = Self::LANES;
        self.put(index, 0, game);
    }

    /// Hands on the games that the first `noted` entries of `leaving` have, and gives their lanes to others while games
    /// are waiting. `leaves` sees each of them first.
    #[inline(always)]
    pub fn leave(&mut self, noted: usize, feed: &mut impl LaneFeed<B::Game>, mut leaves: impl FnMut(&B::Game)) {
        for entry in 0..noted {
            let LeavingLanes { block, lanes } = self.leaving.0[entry];
            self.leave_lanes(block as usize, lanes, feed, &mut leaves);
        }
    }

    /// As [`LanePool::leave`], for some lanes of a block.
    #[inline(always)]
    pub fn leave_lanes(
        &mut self,
        block: usize,
        lanes: u32,
        feed: &mut impl LaneFeed<B::Game>,
        mut leaves: impl FnMut(&B::Game),
    ) {
        for lane in set_bits(lanes) {
            let game = self.game(block, lane);
            leaves(&game);
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

    /// Fills the idle lanes of some blocks while games are waiting.
    #[inline(always)]
    pub fn fill(&mut self, range: Range<usize>, feed: &mut impl LaneFeed<B::Game>) {
        if self.idle == 0 {
            return;
        }
        let mut start = range.start;
        let has_idle = |block: &B| block.active() != Self::ALL;
        while let Some(passed) = self.blocks[start..range.end].iter().position(has_idle) {
            let block = start + passed;
            for lane in set_bits(!self.blocks[block].active() & Self::ALL) {
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
    pub fn compact(&mut self) {
        let mut end = self.blocks.len();
        let mut block = 0;
        loop {
            while end > 0 && self.blocks[end - 1].active() == 0 {
                end -= 1;
            }
            if block + 1 >= end {
                break;
            }
            let idle = !self.blocks[block].active() & Self::ALL;
            if idle == 0 {
                block += 1;
            } else {
                // The loop above ends at a block with a game.
                let last = self.blocks[end - 1].active().ilog2() as usize;
                self.set_idle(end - 1, last);
                let game = self.game(end - 1, last);
                self.put(block, idle.trailing_zeros() as usize, &game);
            }
        }
        self.idle -= (self.blocks.len() - end) * Self::LANES;
        self.blocks.truncate(end);
    }

    /// Puts a game into an idle lane.
    #[inline(always)]
    fn put(&mut self, block: usize, lane: usize, game: &B::Game) {
        let active = self.blocks[block].active();
        debug_assert!(active >> lane & 1 == 0, "lane {lane} of block {block} has a game");
        self.blocks[block].set_active(active | 1 << lane);
        self.idle -= 1;
        self.set_game(block, lane, game);
    }

    /// Makes a lane idle.
    #[inline(always)]
    fn set_idle(&mut self, block: usize, lane: usize) {
        let active = self.blocks[block].active();
        debug_assert!(active >> lane & 1 == 1, "lane {lane} of block {block} has no game");
        self.blocks[block].set_active(active & !(1 << lane));
        self.idle += 1;
    }

    #[inline(always)]
    fn game(&self, block: usize, lane: usize) -> B::Game {
        self.blocks[block].game(block, lane, self.ply, &self.extras)
    }

    #[inline(always)]
    fn set_game(&mut self, block: usize, lane: usize, game: &B::Game) {
        self.blocks[block].set_game(block, lane, self.ply, &mut self.extras, game);
    }
}
