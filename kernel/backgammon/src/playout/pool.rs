//! Vectors of games that are played a ply at a time.
//!
//! A block holds one game in each lane of a vector, and a sweep takes every game of every block from one drawn
//! play to the next:
//!
//! 1. [`Pool::make`]: the plays drawn before are made, and the games found that leave the pool.
//! 2. [`Pool::leave`] and [`Pool::fill`]: these leave, and others take their lanes and idle ones.
//! 3. [`Pool::choose`]: roll, masks, count, draw and selection. Every lane is treated as a roll of two
//!    different dice; those with doubles are queued as well.
//! 4. [`queues`](super::queues): the doubles of all blocks, dense again, are given their plays.
//!
//! The first three go through a group of blocks while it is in the first cache. When no games come any more,
//! they go through all blocks at once, and those of the last blocks move up by [`Pool::close_ranks`] before the
//! next plays are drawn. A [`Stopwatch`] notes where each stage ends.

use core::array;
use core::ops::Range;

use super::capacity::{BLOCKS, MOST_LANES};
use super::choice::Choice;
use super::game::Game;
use super::queues::{self, Queues};
use super::stages::{BatchStage, Stopwatch};
use super::throws::{self, Preset};
use crate::plays::{
    Counts, Masks, NonDoubleMasks, NonDoubleSlot, at_most_one_outside, occupied_and_made,
};
use crate::rules::Goal;
use tavli_simd::{Isa, Lanes, Order, Vector};

/// Blocks that go through the stages together: few enough for the first cache.
const TOGETHER: usize = 32;

/// Blocks whose plays are drawn before any is selected.
const IN_TURN: usize = 16;

/// Blocks whose bits are selected side by side.
const SIDE_BY_SIDE: usize = 8;

/// The same where plays are drawn [in parts](Order::InParts).
const FEW_SIDE_BY_SIDE: usize = 4;

/// The words of a vector.
type Words<I> = <<I as Isa>::Vector as Vector>::Words;

/// The games of a vector, one in each lane.
struct Block<I: Isa> {
    /// Bit-sliced counts of the player on roll and of the other.
    sides: [[Words<I>; 4]; 2],
    stream: [Words<I>; 4],
    /// The sweep in which the game of a lane began, or would have begun in this pool.
    begun: Words<I>,
    /// What the source of the game of a lane knows it by.
    tags: [u64; MOST_LANES],
    /// Lanes with a game, lane 0 lowest.
    active: u32,
    /// Those whose plays are in the queue of doubles.
    doubles: u32,
    choice: Choice<I::Vector>,
}

impl<I: Isa> Block<I> {
    /// A block without games.
    fn idle(isa: I) -> Block<I> {
        let nothing = isa.splat(0);
        let zero = nothing.store();
        Block {
            sides: [[zero; 4]; 2],
            stream: [zero; 4],
            begun: zero,
            tags: [0; MOST_LANES],
            active: 0,
            doubles: 0,
            choice: Choice::nothing(nothing),
        }
    }

    /// The counts of the player on roll and of the other.
    #[inline(always)]
    fn sides(&self, isa: I) -> [Counts<I::Vector>; 2] {
        [load(isa, &self.sides[0]), load(isa, &self.sides[1])]
    }

    /// Draws the rolls of the next ply, of which some may be preset.
    #[inline(always)]
    fn roll(&mut self, isa: I, preset: Option<&mut Words<I>>) -> Rolls<I::Vector> {
        let word = next_word(isa, &mut self.stream);
        let (throw, fraction) = match preset {
            Some(preset) => {
                let (throw, fraction) = draw_or_take(isa, &word.store(), preset);
                (isa.load(&throw), isa.load(&fraction))
            }
            None => throws::draw(word),
        };
        Rolls {
            dice: throw.look_up_byte(&throws::DICE),
            fraction,
        }
    }
}

/// The games that wait for a lane of a pool, and where those go that leave it.
pub(super) trait Waiting {
    /// Has the next that waits placed. Returns whether there is one.
    ///
    /// It is not returned: copies of what was just written, in other parts than it was written in, wait for the memory.
    fn next(&mut self, place: impl FnMut(&Game)) -> bool;

    /// A game leaves.
    fn leave(&mut self, game: &Game);
}

/// The rolls of a block.
#[derive(Clone, Copy)]
struct Rolls<V> {
    /// The larger die, and four bits higher the smaller.
    dice: V,
    /// What is left of the word that drew the roll.
    fraction: V,
}

/// The games of a block with their rolls.
struct Rolled<V: Vector> {
    masks: Masks<V>,
    rolls: Rolls<V>,
    high: V,
    low: V,
    /// Lanes with two different dice.
    lanes: V::Lanes,
}

/// The same with what their plays are counted from.
struct Masked<V: Vector> {
    masks: NonDoubleMasks<V>,
    fraction: V,
    lanes: V::Lanes,
}

/// Games of one block that leave the pool.
#[derive(Clone, Copy)]
struct Leaving {
    /// The number of the block.
    at: u32,
    /// Their lanes, lane 0 lowest.
    lanes: u32,
}

/// Games that are played together.
pub(super) struct Pool<I: Isa> {
    isa: I,
    blocks: Vec<Block<I>>,
    /// How many lanes of the blocks have no game.
    idle: usize,
    /// The last sweep.
    sweep: u32,
    /// The ply after which games are cut off.
    most_plies: Option<u32>,
    /// The [preset](Preset) throws of each lane, by block, once there were some.
    throws: Vec<Words<I>>,
    /// In how many sweeps from now on some game may have a preset throw.
    preset: u32,
    /// The dice of blocks whose plays are drawn, until they are selected.
    dice: [I::Vector; IN_TURN],
    /// What is left of the words that drew them, where all rolls are drawn before the plays.
    fractions: [I::Vector; IN_TURN],
    /// Where these plays stand.
    slots: [NonDoubleSlot<I::Vector>; IN_TURN],
    /// The blocks that games leave, and their lanes.
    leaving: [Leaving; BLOCKS],
    plays: u64,
}

impl<I: Isa> Pool<I> {
    const LANES: usize = I::Vector::LANES;
    /// All lanes.
    const ALL: u32 = (1 << Self::LANES) - 1;

    /// A pool without games, which cuts games off after this many plies.
    #[inline(always)]
    pub(super) fn new(isa: I, most_plies: Option<u32>) -> Pool<I> {
        Pool {
            isa,
            blocks: Vec::new(),
            throws: Vec::new(),
            idle: 0,
            sweep: 0,
            most_plies,
            preset: 0,
            dice: [isa.splat(0); IN_TURN],
            fractions: [isa.splat(0); IN_TURN],
            slots: [NonDoubleSlot::empty(isa.splat(0)); IN_TURN],
            leaving: [Leaving { at: 0, lanes: 0 }; BLOCKS],
            plays: 0,
        }
    }

    /// The number of plays offered so far.
    pub(super) fn plays(&self) -> u64 {
        self.plays
    }

    /// How many games there are.
    pub(super) fn games(&self) -> usize {
        self.blocks.len() * Self::LANES - self.idle
    }

    /// Makes the plays drawn in the last sweep, and the games leave that have ended or were cut off, or, if the rules
    /// bear off but two different dice not in this pool, those in which the next of that side may. Idle lanes take
    /// games of the queue, as many as there is room for, and every game draws a play. If a lane stays idle, and none
    /// will come `later`, ranks are closed.
    #[inline(always)]
    pub(super) fn sweep<G: Goal, const LATE: bool>(
        &mut self,
        queues: &mut Queues,
        later: bool,
        mut waiting: impl Waiting,
        watch: &mut Stopwatch,
    ) {
        let isa = self.isa;
        self.sweep = self.sweep.wrapping_add(1);
        self.grow(&mut waiting);
        // Ranks are closed when no lane has a play that is still to be made; and a clock is read seldom.
        let number = self.blocks.len();
        let at_once = number <= TOGETHER || (self.idle > 0 && !later) || watch.runs();
        let step = if at_once { number } else { TOGETHER };
        let (mut taken, mut queued) = (0, 0);
        for start in (0..number).step_by(step.max(1)) {
            let end = number.min(start + step);
            let (leaving, taken_so_far) = isa.call(
                #[inline(always)]
                || self.make::<G, LATE>(start..end, queues, taken),
            );
            taken = taken_so_far;
            watch.end_of(LATE, BatchStage::Make);
            self.leave(leaving, &mut waiting, LATE, watch);
            watch.end_of(LATE, BatchStage::Leave);
            self.fill(start..end, &mut waiting);
            if at_once && self.idle > 0 && !later {
                self.close_ranks();
            }
            watch.end_of(LATE, BatchStage::Fill);
            let blocks = start..end.min(self.blocks.len());
            queued = isa.call(
                #[inline(always)]
                || self.choose::<LATE>(blocks, queues, queued),
            );
            watch.end_of(LATE, BatchStage::Choose);
        }
        self.preset = self.preset.saturating_sub(1);
        self.plays += isa.call(
            #[inline(always)]
            || queues.play::<G, LATE, I>(isa, queued, watch),
        );
    }

    /// Adds blocks while games wait and no lane is idle.
    #[inline(always)]
    fn grow(&mut self, waiting: &mut impl Waiting) {
        while self.idle == 0
            && self.blocks.len() < BLOCKS
            && waiting.next(
                #[inline(always)]
                |game| self.add_block(game),
            )
        {
            let last = self.blocks.len() - 1;
            self.fill(last..last + 1, waiting);
            // No play is drawn yet, but the next stage gives the other player the roll.
            self.blocks[last].sides.swap(0, 1);
        }
    }

    /// Adds a block with a game.
    fn add_block(&mut self, game: &Game) {
        let at = self.blocks.len();
        self.blocks.push(Block::idle(self.isa));
        if let Some(throws) = self.throws.get_mut(at) {
            *throws = self.isa.splat(0).store();
        }
        self.idle = Self::LANES;
        self.put(at, 0, game);
    }

    /// Draws a roll and a play for every lane of some blocks, or queues the lane. Returns how many are queued in this
    /// sweep; `queued` were before.
    #[inline(always)]
    fn choose<const LATE: bool>(
        &mut self,
        range: Range<usize>,
        queues: &mut Queues,
        mut queued: usize,
    ) -> usize {
        let isa = self.isa;
        let queued = &mut queued;
        let mut plays = isa.splat(0);
        let mut throws: &mut [_] = match self.preset {
            0 => &mut [],
            _ => &mut self.throws[range.clone()],
        };
        for blocks in self.blocks[range].chunks_mut(IN_TURN) {
            let (of_blocks, others) = throws.split_at_mut(throws.len().min(IN_TURN));
            throws = others;
            let dice = &mut self.dice[..blocks.len()];
            let slots = &mut self.slots[..blocks.len()];
            let offered = match I::Vector::ORDER {
                Order::SideBySide => {
                    let offered = Self::draw_in_turn::<LATE>(
                        isa, blocks, of_blocks, dice, slots, queues, queued,
                    );
                    Self::select::<LATE, SIDE_BY_SIDE>(blocks, dice, slots);
                    offered
                }
                Order::InParts => {
                    let rolls = (&mut *dice, &mut self.fractions[..blocks.len()]);
                    let offered = Self::draw_in_parts::<LATE>(
                        isa, blocks, of_blocks, rolls, slots, queues, queued,
                    );
                    Self::select::<LATE, FEW_SIDE_BY_SIDE>(blocks, dice, slots);
                    offered
                }
                Order::OneByOne => {
                    Self::choose_one_by_one::<LATE>(isa, blocks, of_blocks, queues, queued)
                }
            };
            plays = plays.plus(offered);
        }
        self.plays += plays.sum();
        *queued
    }

    /// Draws the rolls and the plays of some blocks, to be selected from their slots. Returns the number of plays offered.
    #[inline(always)]
    fn draw_in_turn<const LATE: bool>(
        isa: I,
        blocks: &mut [Block<I>],
        throws: &mut [Words<I>],
        dice: &mut [I::Vector],
        slots: &mut [NonDoubleSlot<I::Vector>],
        queues: &mut Queues,
        queued: &mut usize,
    ) -> I::Vector {
        let mut plays = isa.splat(0);
        let ([block, blocks @ ..], [slot, slots @ ..]) = (blocks, slots) else {
            return plays;
        };
        // The plays of a block are counted, and one is drawn, while the masks of the next block are made: either
        // by itself is a long chain of operations that wait for each other.
        let rolled = Rolled::new(isa, block, throws.first_mut(), queues, queued);
        dice[0] = rolled.rolls.dice;
        let mut masked = rolled.masked::<LATE>();
        let mut slot_before = slot;
        slot_before.cells = masked.masks.cells();
        for (at, (block, slot)) in (1..).zip(blocks.iter_mut().zip(slots)) {
            let mut rolled = Rolled::new(isa, block, throws.get_mut(at), queues, queued);
            dice[at] = rolled.rolls.dice;
            let counted = masked.masks.count::<LATE>();
            let (offered, high) = counted.plays().in_step(rolled.high);
            plays = plays.plus(offered.keep(masked.lanes));
            let (index, _) = masked.fraction.product(offered);
            rolled.high = high;
            masked = rolled.masked::<LATE>();
            slot.cells = masked.masks.cells();
            let (masks, index) = masked.masks.in_step(index);
            masked.masks = masks;
            slot_before.place = counted.place::<LATE>(index);
            slot_before = slot;
        }
        let counted = masked.masks.count::<LATE>();
        let (index, _) = masked.fraction.product(counted.plays());
        plays = plays.plus(counted.plays().keep(masked.lanes));
        slot_before.place = counted.place::<LATE>(index);
        plays
    }

    /// The same with all rolls before the plays.
    #[inline(always)]
    fn draw_in_parts<const LATE: bool>(
        isa: I,
        blocks: &mut [Block<I>],
        throws: &mut [Words<I>],
        (dice, fractions): (&mut [I::Vector], &mut [I::Vector]),
        slots: &mut [NonDoubleSlot<I::Vector>],
        queues: &mut Queues,
        queued: &mut usize,
    ) -> I::Vector {
        let rolls = dice.iter_mut().zip(&mut *fractions);
        // Almost always no throw is preset, and the loop then asks for none.
        if throws.is_empty() {
            for (block, (dice, fraction)) in blocks.iter_mut().zip(rolls) {
                let rolls = block.roll(isa, None);
                (*dice, *fraction) = (rolls.dice, rolls.fraction);
            }
        } else {
            for ((block, throws), (dice, fraction)) in blocks.iter_mut().zip(throws).zip(rolls) {
                let rolls = block.roll(isa, Some(throws));
                (*dice, *fraction) = (rolls.dice, rolls.fraction);
            }
        }
        let rolls = dice.iter().zip(fractions);
        let rolls = rolls.map(|(&dice, &mut fraction)| Rolls { dice, fraction });
        let mut plays = isa.splat(0);
        for ((block, rolls), slot) in blocks.iter_mut().zip(rolls).zip(slots) {
            let sides = block.sides(isa);
            let rolled = Rolled::of_rolls(rolls, block, sides, queues, queued);
            let (drawn, offered) = rolled.draw::<LATE>();
            *slot = drawn;
            plays = plays.plus(offered);
        }
        plays
    }

    /// Draws the rolls and the plays of some blocks, and selects them, block by block. Returns the number of plays offered.
    #[inline(always)]
    fn choose_one_by_one<const LATE: bool>(
        isa: I,
        blocks: &mut [Block<I>],
        throws: &mut [Words<I>],
        queues: &mut Queues,
        queued: &mut usize,
    ) -> I::Vector {
        let mut plays = isa.splat(0);
        // Almost always no throw is preset, and the loop then asks for none.
        if throws.is_empty() {
            for block in blocks {
                plays = plays.plus(Self::choose_alone::<LATE>(isa, block, None, queues, queued));
            }
        } else {
            for (block, throws) in blocks.iter_mut().zip(throws) {
                let throws = Some(throws);
                plays = plays.plus(Self::choose_alone::<LATE>(
                    isa, block, throws, queues, queued,
                ));
            }
        }
        plays
    }

    /// The same for one block.
    #[inline(always)]
    fn choose_alone<const LATE: bool>(
        isa: I,
        block: &mut Block<I>,
        throws: Option<&mut Words<I>>,
        queues: &mut Queues,
        queued: &mut usize,
    ) -> I::Vector {
        let rolled = Rolled::new(isa, block, throws, queues, queued);
        let (slot, offered) = rolled.draw::<LATE>();
        let dice = [rolled.rolls.dice];
        Self::select_side_by_side::<LATE, 1>(array::from_mut(block), &dice, &[slot]);
        offered
    }

    /// Selects the plays drawn for some blocks, those of `N` side by side.
    #[inline(always)]
    fn select<const LATE: bool, const N: usize>(
        blocks: &mut [Block<I>],
        dice: &[I::Vector],
        slots: &[NonDoubleSlot<I::Vector>],
    ) {
        let (groups, blocks) = blocks.as_chunks_mut::<N>();
        let (dice_of_groups, dice) = dice.as_chunks::<N>();
        let (slots_of_groups, slots) = slots.as_chunks::<N>();
        for ((group, dice), slots) in groups.iter_mut().zip(dice_of_groups).zip(slots_of_groups) {
            Self::select_side_by_side::<LATE, _>(group, dice, slots);
        }
        for ((block, dice), slot) in blocks.iter_mut().zip(dice).zip(slots) {
            Self::select_side_by_side::<LATE, 1>(
                array::from_mut(block),
                array::from_ref(dice),
                array::from_ref(slot),
            );
        }
    }

    /// Selects the plays drawn for `N` blocks.
    #[inline(always)]
    fn select_side_by_side<const LATE: bool, const N: usize>(
        blocks: &mut [Block<I>; N],
        rolled: &[I::Vector; N],
        slots: &[NonDoubleSlot<I::Vector>; N],
    ) {
        let mut dice = [faces(rolled[0]); N];
        for this in 0..N {
            dice[this] = faces(rolled[this]);
        }
        let sources = NonDoubleSlot::sources_of(slots.each_ref(), dice);
        for this in 0..N {
            blocks[this].choice = Choice::new::<LATE>(sources[this], dice[this]);
        }
    }

    /// Makes the plays drawn for some blocks, notes the games that leave the pool, and returns how many blocks they
    /// leave, and how many plays of doubles were made in this sweep; `taken` were before.
    #[inline(always)]
    fn make<G: Goal, const LATE: bool>(
        &mut self,
        range: Range<usize>,
        queues: &Queues,
        mut taken: usize,
    ) -> (usize, usize) {
        let isa = self.isa;
        let most_plies = self.most_plies;
        let mut leaving = 0;
        for (at, block) in range.clone().zip(&mut self.blocks[range]) {
            let [mut own, mut other] = block.sides(isa);
            let mut difference = block.choice.difference();
            queues.take_doubles::<LATE, I::Vector>(&mut taken, block.doubles, &mut difference);
            difference.make(&mut own, &mut other);
            // The other is on roll next.
            block.sides = [store(other), store(own)];
            let (occupied, made) = occupied_and_made(&own);
            let leaves = if LATE == G::BEAR_OFF {
                (occupied & G::TO_CLEAR).is_zero()
            } else {
                at_most_one_outside(occupied, made)
            };
            let mut lanes = leaves.movemask();
            if let Some(most_plies) = most_plies {
                let plies = isa.splat(self.sweep).minus(isa.load(&block.begun));
                lanes |= plies.equals(isa.splat(most_plies)).movemask();
            }
            let lanes = lanes & block.active;
            if I::Vector::may_skip_much(lanes) {
                continue;
            }
            // Written in any case, and kept if there are any: a branch would often be mispredicted.
            self.leaving[leaving] = Leaving {
                at: at as u32,
                lanes,
            };
            leaving += usize::from(lanes != 0);
        }
        queues::check::<I::Vector>(taken);
        (leaving, taken)
    }

    /// Takes the games that leave out of this many blocks, and gives their lanes to others, as long as there are
    /// some.
    #[inline(always)]
    fn leave(
        &mut self,
        leaving: usize,
        waiting: &mut impl Waiting,
        late: bool,
        watch: &mut Stopwatch,
    ) {
        for this in 0..leaving {
            let Leaving { at, lanes } = self.leaving[this];
            let at = at as usize;
            for lane in lanes_of(lanes) {
                let game = self.game(at, lane);
                watch.leaves(late, game.plies);
                waiting.leave(&game);
                if !waiting.next(
                    #[inline(always)]
                    |other| self.set_game(at, lane, other),
                ) {
                    self.set_idle(at, lane);
                }
            }
        }
    }

    /// Gives idle lanes of some blocks games, as long as there are some.
    #[inline(always)]
    fn fill(&mut self, range: Range<usize>, waiting: &mut impl Waiting) {
        if self.idle == 0 {
            return;
        }
        let mut start = range.start;
        let has_idle = |block: &Block<I>| block.active != Self::ALL;
        while let Some(passed) = self.blocks[start..range.end].iter().position(has_idle) {
            let at = start + passed;
            for lane in lanes_of(!self.blocks[at].active & Self::ALL) {
                if !waiting.next(
                    #[inline(always)]
                    |game| self.put(at, lane, game),
                ) {
                    return;
                }
            }
            start = at + 1;
        }
    }

    /// Moves games of the last blocks to idle lanes of the first ones, and drops the blocks that are empty.
    #[inline(always)]
    fn close_ranks(&mut self) {
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
                let last = self.blocks[end - 1].active.ilog2() as usize;
                let game = self.take(end - 1, last);
                self.put(at, idle.trailing_zeros() as usize, &game);
            }
        }
        self.idle -= (self.blocks.len() - end) * Self::LANES;
        self.blocks.truncate(end);
    }

    /// Takes the game of a lane out.
    #[inline(always)]
    fn take(&mut self, at: usize, lane: usize) -> Game {
        self.set_idle(at, lane);
        self.game(at, lane)
    }

    /// Puts a game into an idle lane.
    #[inline(always)]
    fn put(&mut self, at: usize, lane: usize, game: &Game) {
        self.blocks[at].active |= 1 << lane;
        self.idle -= 1;
        self.set_game(at, lane, game);
    }

    /// Makes a lane idle.
    #[inline(always)]
    fn set_idle(&mut self, at: usize, lane: usize) {
        self.blocks[at].active &= !(1 << lane);
        self.idle += 1;
    }

    /// The game of a lane.
    #[inline(always)]
    fn game(&self, at: usize, lane: usize) -> Game {
        let block = &self.blocks[at];
        Game {
            sides: block
                .sides
                .each_ref()
                .map(|side| side.each_ref().map(|words| words.as_ref()[lane])),
            stream: block.stream.each_ref().map(|words| words.as_ref()[lane]),
            plies: self.sweep.wrapping_sub(block.begun.as_ref()[lane]),
            throws: match self.preset {
                0 => Preset::NONE,
                _ => Preset::of_word(self.throws[at].as_ref()[lane]),
            },
            tag: block.tags[lane],
        }
    }

    /// Puts a game in the place of another.
    #[inline(always)]
    fn set_game(&mut self, at: usize, lane: usize, game: &Game) {
        let block = &mut self.blocks[at];
        for bit in 0..4 {
            block.sides[0][bit].as_mut()[lane] = game.sides[0][bit];
            block.sides[1][bit].as_mut()[lane] = game.sides[1][bit];
            block.stream[bit].as_mut()[lane] = game.stream[bit];
        }
        block.begun.as_mut()[lane] = self.sweep.wrapping_sub(game.plies);
        block.tags[lane] = game.tag;
        if self.preset > 0 || game.throws != Preset::NONE {
            self.set_throws(at, lane, game.throws);
        }
    }

    /// Sets the preset throws of a lane.
    fn set_throws(&mut self, at: usize, lane: usize, throws: Preset) {
        if self.throws.is_empty() {
            self.throws.resize(BLOCKS, self.isa.splat(0).store());
        }
        self.throws[at].as_mut()[lane] = throws.word();
        if throws != Preset::NONE {
            self.preset = Preset::MOST;
        }
    }
}

impl<V: Vector> Rolled<V> {
    /// Rolls, and queues the lanes with doubles.
    #[inline(always)]
    fn new<I: Isa<Vector = V>>(
        isa: I,
        block: &mut Block<I>,
        throws: Option<&mut Words<I>>,
        queues: &mut Queues,
        queued: &mut usize,
    ) -> Rolled<V> {
        // In this order: AVX-512 took 2 % longer the other way (profiles/LOG.md, 2026-11-25, J).
        let sides = block.sides(isa);
        let rolls = block.roll(isa, throws);
        Rolled::of_rolls(rolls, block, sides, queues, queued)
    }

    /// The same with rolls that are already drawn.
    #[inline(always)]
    fn of_rolls<I: Isa<Vector = V>>(
        rolls: Rolls<V>,
        block: &mut Block<I>,
        [own, other]: [Counts<V>; 2],
        queues: &mut Queues,
        queued: &mut usize,
    ) -> Rolled<V> {
        let Rolls { dice, fraction } = rolls;
        let (high, low) = faces(dice);
        let masks = Masks::new(&own, &other);
        let active = fraction.lanes(block.active);
        let doubles = high.equals(low) & active;
        queues.push_doubles(queued, doubles, &own, masks.blocked, high, fraction);
        block.doubles = doubles.movemask();
        Rolled {
            masks,
            rolls,
            high,
            low,
            lanes: active & !doubles,
        }
    }

    /// Draws plays of two different dice: where they stand, and the number of plays offered.
    #[inline(always)]
    fn draw<const LATE: bool>(&self) -> (NonDoubleSlot<V>, V) {
        let masked = self.masked::<LATE>();
        let counted = masked.masks.count::<LATE>();
        let (index, _) = masked.fraction.product(counted.plays());
        let slot = NonDoubleSlot {
            cells: masked.masks.cells(),
            place: counted.place::<LATE>(index),
        };
        (slot, counted.plays().keep(masked.lanes))
    }

    /// Makes the masks of the plays of two different dice.
    #[inline(always)]
    fn masked<const LATE: bool>(&self) -> Masked<V> {
        Masked {
            masks: NonDoubleMasks::new::<true, LATE>(&self.masks, self.high, self.low),
            fraction: self.rolls.fraction,
            lanes: self.lanes,
        }
    }
}

/// The lanes of a set of bits, the lowest first.
fn lanes_of(mut bits: u32) -> impl Iterator<Item = usize> {
    core::iter::from_fn(move || {
        let lane = (bits != 0).then_some(bits.trailing_zeros() as usize);
        bits &= bits.wrapping_sub(1);
        lane
    })
}

/// The larger and the smaller die.
#[inline(always)]
fn faces<V: Vector>(dice: V) -> (V, V) {
    (dice & 15, dice.shr_by::<4>())
}

#[inline(always)]
fn load<I: Isa>(isa: I, counts: &[Words<I>; 4]) -> Counts<I::Vector> {
    [
        isa.load(&counts[0]),
        isa.load(&counts[1]),
        isa.load(&counts[2]),
        isa.load(&counts[3]),
    ]
}

#[inline(always)]
fn store<V: Vector>([a, b, c, d]: Counts<V>) -> [V::Words; 4] {
    [a.store(), b.store(), c.store(), d.store()]
}

/// The next word of each lane's xoshiro128++ stream.
#[inline(always)]
fn next_word<I: Isa>(isa: I, stream: &mut [Words<I>; 4]) -> I::Vector {
    let [s0, s1, s2, s3] = load(isa, stream);
    let word = s0.plus(s3).rotate_by::<7>().plus(s0);
    let s2 = s2 ^ s0;
    let s3 = s3 ^ s1;
    let next = [
        s0 ^ s3,
        s1 ^ s2,
        s2 ^ s1.shl_by::<9>(),
        s3.rotate_by::<11>(),
    ];
    *stream = store(next);
    word
}

/// [`throws::draw_or_take`] for the few plies with preset throws, apart from the code of all others.
#[cold]
fn draw_or_take<I: Isa>(isa: I, word: &Words<I>, preset: &mut Words<I>) -> (Words<I>, Words<I>) {
    isa.call(
        #[inline(always)]
        || {
            let (throw, fraction, next) = throws::draw_or_take(isa.load(word), isa.load(preset));
            *preset = next.store();
            (throw.store(), fraction.store())
        },
    )
}
