//! Vectors of games that are played a ply at a time.
//!
//! A block holds one game in each lane of a vector. [`Pool::play_ply`] finishes the ply of every game that the last
//! call began, and begins the next one, so that a game leaves as soon as its last play is made:
//!
//! 1. [`Pool::make`] makes the plays drawn in the last call, and finds the games that are over.
//! 2. [`Pool::leave`] and [`Pool::fill`] hand these games on, and give their lanes and idle ones to others.
//! 3. [`Pool::choose`] rolls, makes masks, counts, draws and selects a play. Every lane is treated as a roll of two
//!    different dice that bears nothing off; lanes for which this is not so are queued as well.
//! 4. [`Queues`] draw the plays of the queued lanes of all blocks, in dense vectors.
//!
//! The first three go through a group of blocks while it is in the first cache. When no more games come, they go
//! through all blocks at once, and [`Pool::compact`] moves games of the last blocks up before the next plays are drawn.

use core::array;
use core::ops::Range;

use tavli_game::streams::next_words;
use tavli_simd::{Isa, Lanes, Vector, set_bits};

use super::capacity::{BLOCKS, MAX_LANES};
use super::game_queue::{BatchGame, GameQueue};
use super::queues::{self, Queues};
use crate::plays::{MoverMasks, NonDoubleMasks, PlaneDelta, sources_of};
use crate::position::{Position, SideCheckers, SideVectors};
use crate::rolls::{DICE, THROWS};
use crate::scalar::{self, Playout};
use crate::variant::Variant;
use tavli_algebra::PairSlot;
use tavli_algebra::planes::{CheckerPlanes, occupied_and_made};

/// Blocks that go through the stages together: few enough for the first cache. Measured for backgammon's batch, whose
/// blocks are as large (profiles/LOG.md, 2026-11-21, G).
const BLOCKS_PER_PASS: usize = 32;

/// Blocks whose plays are drawn before any is selected.
// The number of backgammon's batch, measured there (profiles/LOG.md, 2026-11-22, G).
const DRAWN_TOGETHER: usize = 16;

/// Blocks whose bits are selected together, so that one is worked on while another waits.
// The number of backgammon's batch, measured there (profiles/LOG.md, 2026-11-21, G).
const SELECTED_TOGETHER: usize = 8;

type LaneArray<I> = <<I as Isa>::Vector as Vector>::LaneArray;

/// The larger and the smaller die.
type Dice<V> = (V, V);

/// The games of a vector, one in each lane.
struct Block<I: Isa> {
    /// The player on roll and the other: bit-sliced counts, and pinned checkers.
    sides: [[LaneArray<I>; 5]; 2],
    stream: [LaneArray<I>; 4],
    /// The words that drew the plays.
    words: LaneArray<I>,
    /// The ply of the pool in which the game of a lane began.
    begun: LaneArray<I>,
    /// The tag of each lane's game.
    tags: [u64; MAX_LANES],
    /// Lanes with a game, lane 0 lowest.
    active: u32,
    /// Lanes whose plays are in the queues of doubles and of pairs, lane 0 lowest.
    doubles: u32,
    pairs: u32,
    /// The change of each game's selected play: the planes of a [`PlaneDelta`], of which the last two are equal.
    selected: [I::Vector; 3],
}

impl<I: Isa> Block<I> {
    fn idle(isa: I) -> Block<I> {
        let nothing = isa.splat(0);
        let zero = nothing.store();
        Block {
            sides: [[zero; 5]; 2],
            stream: [zero; 4],
            words: zero,
            begun: zero,
            tags: [0; MAX_LANES],
            active: 0,
            doubles: 0,
            pairs: 0,
            selected: [nothing; 3],
        }
    }

    /// The player on roll and the other.
    #[inline(always)]
    fn sides(&self, isa: I) -> [SideVectors<I::Vector>; 2] {
        [load(isa, &self.sides[0]), load(isa, &self.sides[1])]
    }

    /// The next word of each lane's stream.
    #[inline(always)]
    fn next_word(&mut self, isa: I) -> I::Vector {
        let (word, next) = next_words(load_counts(isa, &self.stream));
        self.stream = store(next);
        word
    }

    /// The sides of a lane.
    fn position(&self, lane: usize) -> Position {
        let side = |words: &[LaneArray<I>; 5]| SideCheckers {
            counts: array::from_fn(|bit| words[bit].as_ref()[lane]),
            pinned: words[4].as_ref()[lane],
        };
        Position { own: side(&self.sides[0]), opponent: side(&self.sides[1]) }
    }

    /// Makes the plays of lanes whose drawn play is forbidden, from counts after the drawn ones.
    #[cold]
    fn redraw<G: Variant>(&self, game: &G, lanes: u32, counts: &mut [LaneArray<I>; 4]) {
        for lane in set_bits(lanes) {
            let after = scalar::redrawn(game, &self.position(lane), self.words.as_ref()[lane]);
            for (words, plane) in counts.iter_mut().zip(after) {
                words.as_mut()[lane] = plane;
            }
        }
    }
}

/// The games of one block that are over.
#[derive(Clone, Copy)]
struct LeavingLanes {
    /// The index of the block.
    block: u32,
    /// Their lanes, lane 0 lowest.
    lanes: u32,
}

/// Games that are played together.
pub(super) struct Pool<'a, I: Isa, G> {
    isa: I,
    game: &'a G,
    blocks: Vec<Block<I>>,
    /// How many lanes of the blocks have no game.
    idle: usize,
    /// How many plies this pool has begun, modulo 2^32; see [`Block::begun`].
    ply: u32,
    /// The plies after which games are cut off.
    max_plies: u32,
    /// The dice of blocks whose plays are drawn, until they are selected.
    dice: [Dice<I::Vector>; DRAWN_TOGETHER],
    /// The slots of these plays in the order of plays.
    slots: [PairSlot<I::Vector>; DRAWN_TOGETHER],
    /// The blocks that games leave, and their lanes.
    leaving: [LeavingLanes; BLOCKS],
}

/// How many lanes are in the queues.
#[derive(Clone, Copy, Default)]
struct Queued {
    doubles: usize,
    pairs: usize,
}

impl<'a, I: Isa, G: Variant> Pool<'a, I, G> {
    const LANES: usize = I::Vector::LANES;
    const ALL: u32 = (1 << Self::LANES) - 1;

    /// A pool without games.
    pub(super) fn new(isa: I, game: &'a G, max_plies: u32) -> Pool<'a, I, G> {
        let zero = isa.splat(0);
        Pool {
            isa,
            game,
            blocks: Vec::new(),
            idle: 0,
            ply: 0,
            max_plies,
            dice: [(zero, zero); DRAWN_TOGETHER],
            slots: [PairSlot::empty(zero); DRAWN_TOGETHER],
            leaving: [LeavingLanes { block: 0, lanes: 0 }; BLOCKS],
        }
    }

    /// Finishes the ply begun by the last call, then begins the next. Games leave that are over or cut off, and idle
    /// lanes take games of `game_queue` while there are some. Returns false if no game is left.
    pub(super) fn play_ply(&mut self, queues: &mut Queues, game_queue: &mut GameQueue<'_, G>) -> bool {
        let isa = self.isa;
        self.ply = self.ply.wrapping_add(1);
        // Compact only between plies: a lane must not move while it holds an unmade play.
        let number = self.blocks.len();
        let in_one_pass = number <= BLOCKS_PER_PASS || self.idle > 0;
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
            self.leave(leaving_blocks, game_queue);
            if self.max_plies < u32::MAX {
                self.cut_off(start..end, game_queue);
            }
            self.fill(start..end, game_queue);
            if in_one_pass && self.idle > 0 {
                self.compact();
            }
            let blocks = start..end.min(self.blocks.len());
            queued = isa.with_features(
                #[inline(always)]
                || self.choose(blocks, queues, queued),
            );
        }
        let first_new = self.blocks.len();
        self.grow(game_queue);
        let blocks = first_new..self.blocks.len();
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
        !self.blocks.is_empty()
    }

    /// Adds blocks while games wait and no lane is idle.
    fn grow(&mut self, game_queue: &mut GameQueue<'_, G>) {
        while self.idle == 0
            && self.blocks.len() < BLOCKS
            && let Some(game) = game_queue.next()
        {
            // A game is asked for first, so that no block is added in vain.
            let at = self.blocks.len();
            self.blocks.push(Block::idle(self.isa));
            self.idle = Self::LANES;
            self.put(at, 0, &game);
            self.fill(at..at + 1, game_queue);
        }
    }

    /// Draws a roll and a play for every lane of some blocks, or queues the lane.
    #[inline(always)]
    fn choose(&mut self, range: Range<usize>, queues: &mut Queues, mut queued: Queued) -> Queued {
        let isa = self.isa;
        for blocks in self.blocks[range].chunks_mut(DRAWN_TOGETHER) {
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
        for (at, block) in range.clone().zip(&mut self.blocks[range]) {
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
            // Written always, and kept if there are any: a branch would often be mispredicted.
            self.leaving[leaving_blocks] = LeavingLanes { block: at as u32, lanes };
            leaving_blocks += usize::from(lanes != 0);
        }
        // Behind the loop, where backgammon's batch as WebAssembly is up to 1.23 times as fast (profiles/LOG.md,
        // 2026-11-25): behind an exit inside a loop, each constant is made anew each time.
        queues::assert_capacity::<I::Vector>(taken.doubles);
        queues::assert_capacity::<I::Vector>(taken.pairs);
        (leaving_blocks, taken)
    }

    /// Hands on the games of the first `leaving_blocks` entries, and refills their lanes while games are waiting.
    #[inline(always)]
    fn leave(&mut self, leaving_blocks: usize, game_queue: &mut GameQueue<'_, G>) {
        for entry in 0..leaving_blocks {
            let LeavingLanes { block, lanes } = self.leaving[entry];
            self.leave_lanes(block as usize, lanes, game_queue);
        }
    }

    /// Hands on the games of some blocks that have the most plies. Those that are over have left.
    // Apart from `make`, so that games that are never cut off, as in searches, pay a branch for a group of blocks only.
    fn cut_off(&mut self, range: Range<usize>, game_queue: &mut GameQueue<'_, G>) {
        let isa = self.isa;
        let begun = self.ply.wrapping_sub(self.max_plies);
        for at in range {
            let block = &self.blocks[at];
            let is_due = isa.with_features(
                #[inline(always)]
                || isa.load(&block.begun).lanes_equal(isa.splat(begun)).to_bits(),
            );
            // An idle lane still has the beginning of its last game.
            self.leave_lanes(at, is_due & block.active, game_queue);
        }
    }

    /// Hands on the games of some lanes of a block, and refills the lanes while games are waiting.
    #[inline(always)]
    fn leave_lanes(&mut self, at: usize, lanes: u32, game_queue: &mut GameQueue<'_, G>) {
        for lane in set_bits(lanes) {
            game_queue.end(&self.batch_game(at, lane));
            match game_queue.next() {
                Some(other) => self.set_game(at, lane, &other),
                None => self.set_idle(at, lane),
            }
        }
    }

    /// Fills the idle lanes of some blocks while games are waiting.
    fn fill(&mut self, range: Range<usize>, game_queue: &mut GameQueue<'_, G>) {
        for at in range {
            if self.idle == 0 {
                return;
            }
            for lane in set_bits(!self.blocks[at].active & Self::ALL) {
                match game_queue.next() {
                    Some(game) => self.put(at, lane, &game),
                    None => return,
                }
            }
        }
    }

    /// Moves games of the last blocks to idle lanes of the first ones, and drops the blocks that are empty.
    fn compact(&mut self) {
        let mut end = self.blocks.len();
        let mut at = 0;
        loop {
            while end > 0 && self.blocks[end - 1].active == 0 {
                end -= 1;
            }
            if at + 1 >= end {
                break;
            }
            let idle = !self.blocks[at].active & Self::ALL;
            if idle == 0 {
                at += 1;
            } else {
                // The loop above ends at a block with a game.
                let last = self.blocks[end - 1].active.ilog2() as usize;
                let game = self.batch_game(end - 1, last);
                self.set_idle(end - 1, last);
                self.put(at, idle.trailing_zeros() as usize, &game);
            }
        }
        self.idle -= (self.blocks.len() - end) * Self::LANES;
        self.blocks.truncate(end);
    }

    /// Puts a game into an idle lane.
    #[inline(always)]
    fn put(&mut self, at: usize, lane: usize, game: &BatchGame) {
        self.blocks[at].active |= 1 << lane;
        self.idle -= 1;
        self.set_game(at, lane, game);
    }

    #[inline(always)]
    fn set_idle(&mut self, at: usize, lane: usize) {
        self.blocks[at].active &= !(1 << lane);
        self.idle += 1;
    }

    #[inline(always)]
    fn batch_game(&self, at: usize, lane: usize) -> BatchGame {
        let block = &self.blocks[at];
        BatchGame {
            playout: Playout {
                position: block.position(lane),
                stream: array::from_fn(|word| block.stream[word].as_ref()[lane]),
                roll: None,
                plies: self.ply.wrapping_sub(block.begun.as_ref()[lane]),
            },
            tag: block.tags[lane],
        }
    }

    /// Writes a game to a lane.
    #[inline(always)]
    fn set_game(&mut self, at: usize, lane: usize, game: &BatchGame) {
        let block = &mut self.blocks[at];
        let Position { own, opponent } = &game.playout.position;
        for (words, side) in block.sides.iter_mut().zip([own, opponent]) {
            for bit in 0..4 {
                words[bit].as_mut()[lane] = side.counts[bit];
            }
            words[4].as_mut()[lane] = side.pinned;
        }
        for (words, word) in block.stream.iter_mut().zip(game.playout.stream) {
            words.as_mut()[lane] = word;
        }
        block.begun.as_mut()[lane] = self.ply.wrapping_sub(game.playout.plies);
        block.tags[lane] = game.tag;
    }
}

#[inline(always)]
fn load<I: Isa>(isa: I, [a, b, c, d, pinned]: &[LaneArray<I>; 5]) -> SideVectors<I::Vector> {
    SideVectors { counts: [isa.load(a), isa.load(b), isa.load(c), isa.load(d)], pinned: isa.load(pinned) }
}

#[inline(always)]
fn load_counts<I: Isa>(isa: I, [a, b, c, d]: &[LaneArray<I>; 4]) -> CheckerPlanes<I::Vector> {
    [isa.load(a), isa.load(b), isa.load(c), isa.load(d)]
}

#[inline(always)]
fn store<V: Vector>([a, b, c, d]: CheckerPlanes<V>) -> [V::LaneArray; 4] {
    [a.store(), b.store(), c.store(), d.store()]
}

#[inline(always)]
fn side_words<V: Vector>(side: &SideVectors<V>) -> [V::LaneArray; 5] {
    let [a, b, c, d] = store(side.counts);
    [a, b, c, d, side.pinned.store()]
}
