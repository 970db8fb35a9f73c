//! Many games at a time: the playouts of the vector tiers.
//!
//! ```text
//! Leaves -> waiting, by side -> blocks of games -> Leaves::end
//!                                  |       ^
//!                                  +-> queue: captures that may take several pieces
//! ```
//!
//! All games in play have the same side to move. A sweep plays a ply of each, a vector at a time. Games in which a piece
//! may jump twice (with optional captures: once) go through a [queue](super::captures), which makes full vectors of
//! them. Games in which one may jump three times, two plies in a thousand, are played one by one. A game that has ended
//! leaves its lane to the next leaf with the right side to move; leaves of the other side wait for the next ply.
//!
//! A game draws from its own stream, so its course does not depend on the games beside it.

use tavli_game::Leaf;
use tavli_game::Leaves;
use tavli_game::streams::StreamKey;
use tavli_simd::{Isa, Lanes, Vector};

use super::block::{Block, next_words};
use super::captures::{bits, capture};
use super::choice::{PlayedSets, choose, cumulative, draw_listed};
use crate::board::squares::{Black, Mover, White};
use crate::board::{Position, Side};
use crate::plays::{Masks, Pieces, Ways};
use crate::rules::{Captures, Draw, LONGEST, Rules};

/// The number of blocks. Fewer leave the queue with vectors that are not full, more do not stay in the fastest cache.
const BLOCKS: usize = 48;

/// The most leaves that wait for the next ply. When they are begun, the source is asked for more.
const WAITING: usize = 64;

/// A word for each game of a block.
type Words<I> = <<I as Isa>::Vector as Vector>::Words;

/// What a game is known by outside, and the number of the ply at which it began.
#[derive(Clone, Copy, Debug)]
struct Started {
    tag: u64,
    ply: u32,
}

/// A game that is over.
#[derive(Clone, Copy, Debug)]
struct Ended {
    block: u32,
    lane: u32,
    is_drawn: bool,
}

/// Places of games in which a capture may take several pieces, and the words that they drew.
#[derive(Debug)]
struct Queue {
    places: Vec<u32>,
    words: Vec<u32>,
    number: usize,
}

/// Games in play.
pub(super) struct Batch<I: Isa> {
    isa: I,
    rules: Rules,
    blocks: Vec<Block<Words<I>>>,
    started: Vec<Started>,
    queue: Queue,
    ended: Vec<Ended>,
    ways: Ways,
    /// The blocks with a free lane, a bit for each.
    open: u64,
    /// The number of plies so far. Black moves in those of even numbers.
    ply: u32,
    /// Leaves with another side to move than the last sweep had, by side.
    waiting: [Vec<Leaf<Position>>; 2],
}

impl<I: Isa> Batch<I> {
    const LANES: usize = I::Vector::LANES;
    const ALL: u32 = u32::MAX >> (32 - I::Vector::LANES);
    const EVERY_BLOCK: u64 = u64::MAX >> (64 - BLOCKS);

    pub(super) fn new(isa: I, rules: Rules) -> Batch<I> {
        let places = BLOCKS * Self::LANES;
        Batch {
            isa,
            rules,
            blocks: vec![Block::empty(isa); BLOCKS],
            started: vec![Started { tag: 0, ply: 0 }; places],
            queue: Queue {
                places: vec![0; places + Self::LANES],
                words: vec![0; places + Self::LANES],
                number: 0,
            },
            ended: Vec::with_capacity(places),
            ways: Ways::default(),
            open: Self::EVERY_BLOCK,
            ply: 0,
            waiting: [Vec::new(), Vec::new()],
        }
    }

    /// Plays until there are no more leaves.
    pub(super) fn play(&mut self, key: &StreamKey, leaves: &mut dyn Leaves<Position>, stop: &dyn Fn() -> bool) {
        loop {
            let black = self.sweep::<Black>(key, leaves);
            let white = self.sweep::<White>(key, leaves);
            if (black + white == 0 && self.waiting.iter().all(Vec::is_empty)) || stop() {
                return;
            }
        }
    }

    /// Plays a ply of every game and returns the number of blocks in play.
    fn sweep<M: Mover>(&mut self, key: &StreamKey, leaves: &mut dyn Leaves<Position>) -> usize {
        let blocks = self.refill::<M>(key, leaves);
        let isa = self.isa;
        isa.call(
            #[inline(always)]
            || self.play_ply::<M>(blocks),
        );
        if self.rules.captures == Captures::Compulsory {
            isa.call(
                #[inline(always)]
                || self.play_queue::<M, true>(),
            );
        } else {
            isa.call(
                #[inline(always)]
                || self.play_queue::<M, false>(),
            );
        }
        for Ended { block, lane, is_drawn } in self.ended.drain(..) {
            let started = self.started[block as usize * Self::LANES + lane as usize];
            let plies = self.ply - started.ply;
            self.open |= 1 << block;
            let of_mover = if is_drawn { 0 } else { -1 };
            leaves.end(
                started.tag,
                if plies.is_multiple_of(2) { of_mover } else { -of_mover },
                plies,
            );
        }
        self.ply += 1;
        blocks
    }

    /// Begins games in lanes without one, and returns the number of blocks from the first to the last with a game.
    fn refill<M: Mover>(&mut self, key: &StreamKey, leaves: &mut dyn Leaves<Position>) -> usize {
        while self.open != 0 {
            let block = self.open.trailing_zeros() as usize;
            for lane in bits(!self.blocks[block].playing & Self::ALL) {
                let Some(leaf) = self.next(M::SIDE, leaves) else {
                    // Leaves that wait for the next ply will need the free lanes.
                    let is_dry = self.waiting.iter().all(Vec::is_empty);
                    return if is_dry { self.compact() } else { self.in_use() };
                };
                self.started[block * Self::LANES + lane] = Started {
                    tag: leaf.tag,
                    ply: self.ply,
                };
                self.blocks[block].begin(lane, &leaf.position, key.state(leaf.game));
            }
            self.open &= self.open - 1;
        }
        BLOCKS
    }

    /// The next leaf with this side to move. Those of the other side wait, up to [`WAITING`] of them.
    fn next(&mut self, side: Side, leaves: &mut dyn Leaves<Position>) -> Option<Leaf<Position>> {
        if let Some(leaf) = self.waiting[side as usize].pop() {
            return Some(leaf);
        }
        let others = &mut self.waiting[side.other() as usize];
        while others.len() < WAITING {
            let leaf = leaves.next()?;
            if leaf.position.side() == side {
                return Some(leaf);
            }
            others.push(leaf);
        }
        None
    }

    /// The number of blocks from the first to the last with a game.
    fn in_use(&self) -> usize {
        let last = self.blocks.iter().rposition(|block| block.playing != 0);
        last.map_or(0, |last| last + 1)
    }

    /// Moves games from the last blocks to free lanes of the first ones, and returns the number of blocks with games. Blocks
    /// filled so stay marked as open until the next refill looks at them.
    fn compact(&mut self) -> usize {
        let (mut first, mut end) = (0, BLOCKS);
        loop {
            while end > 0 && self.blocks[end - 1].playing == 0 {
                end -= 1;
            }
            while first < end && self.blocks[first].playing == Self::ALL {
                first += 1;
            }
            if first + 1 >= end {
                return end;
            }
            let (front, back) = self.blocks.split_at_mut(end - 1);
            let lane = back[0].playing.trailing_zeros() as usize;
            let to_lane = (!front[first].playing).trailing_zeros() as usize;
            back[0].move_game(lane, &mut front[first], to_lane);
            self.open |= 1 << (end - 1);
            self.started[first * Self::LANES + to_lane] = self.started[(end - 1) * Self::LANES + lane];
        }
    }

    /// Plays a ply of the games in the first blocks, but for those that it queues.
    #[inline(always)]
    fn play_ply<M: Mover>(&mut self, blocks: usize) {
        let (isa, Rules { captures, draw }) = (self.isa, self.rules);
        let zero = isa.splat(0);
        // Words of a draw rule: the count that draws, and what must be empty for it.
        let (most, only_kings) = match draw {
            Draw::Quiet(most) => (u32::from(most), false),
            Draw::KingsOnly(most) => (u32::from(most), true),
        };
        let men_forbid = isa.splat(if only_kings { u32::MAX } else { 0 });
        let always_counted = zero.lanes(if only_kings { u32::MAX } else { 0 });
        let mut numbers = zero.store();
        for (lane, number) in numbers.as_mut().iter_mut().enumerate() {
            *number = lane as u32;
        }
        let numbers = isa.load(&numbers);
        let mut queued = 0;
        for (number, block) in self.blocks[..blocks].iter_mut().enumerate() {
            let (own, other) = (M::SIDE as usize, M::SIDE.other() as usize);
            let pieces = Pieces {
                own: isa.load(&block.sides[own]),
                other: isa.load(&block.sides[other]),
                kings: isa.load(&block.kings),
            };
            let quiet = isa.load(&block.quiet);
            let masks = Masks::new::<M>(&pieces);
            let has_none = masks.all_jumps().is_zero();
            let (sets, may_go_on) = if captures == Captures::Compulsory {
                let sets = [0, 1, 2, 3].map(
                    #[inline(always)]
                    |direction| masks.steps[direction].blend(has_none, masks.jumps[direction]),
                );
                (sets, masks.may_go_on::<M>(pieces.own & pieces.kings))
            } else {
                (masks.steps, !has_none)
            };
            let counts = cumulative(&sets);
            let plays = counts[3];

            let playing = zero.lanes(block.playing);
            let cannot_move = plays.is_zero()
                & if captures == Captures::Compulsory {
                    playing
                } else {
                    playing & has_none
                };
            let men = (pieces.own | pieces.other) & !pieces.kings & men_forbid;
            let mut is_drawn = !quiet.less(isa.splat(most)) & men.is_zero();
            if only_kings {
                is_drawn = is_drawn | !quiet.less(isa.splat(LONGEST));
            }
            let is_drawn = is_drawn & playing & !cannot_move;
            let ended = (is_drawn | cannot_move).movemask();
            if ended != 0 {
                let is_drawn = is_drawn.movemask();
                for lane in bits(ended) {
                    self.ended.push(Ended {
                        block: number as u32,
                        lane: lane as u32,
                        is_drawn: is_drawn >> lane & 1 != 0,
                    });
                }
                block.playing &= !ended;
            }

            let (word, stream) = next_words([0, 1, 2, 3].map(
                #[inline(always)]
                |word| isa.load(&block.stream[word]),
            ));
            for (words, next) in block.stream.iter_mut().zip(stream) {
                *words = next.store();
            }

            let queue = may_go_on & playing & !(is_drawn | cannot_move);
            numbers
                .wrapping_add(isa.splat((number * Self::LANES) as u32))
                .compress(queue, &mut self.queue.places[queued..]);
            word.compress(queue, &mut self.queue.words[queued..]);
            queued += I::Vector::number(queue.movemask());

            let (index, _) = word.mul_wide(plays);
            let choice = choose(&sets, &counts, &M::ROTATIONS, index);
            // Pieces of games in the queue stay.
            let from = choice.from.zero_unless(!queue);
            let beside = from.rotate(choice.code);
            let (to, over) = if captures == Captures::Compulsory {
                (
                    beside.blend(has_none, beside.rotate(choice.code)),
                    beside.zero_unless(!has_none),
                )
            } else {
                (beside, zero)
            };
            let after = pieces.moved::<M>(from, to, over);
            let is_counted = (pieces.kings.test_any_bit(from) | always_counted) & has_none;
            let counted = quiet.wrapping_add(isa.splat(1)).zero_unless(is_counted);
            block.sides[own] = after.own.store();
            block.sides[other] = after.other.store();
            block.kings = after.kings.store();
            block.quiet = quiet.blend(queue, counted).store();
        }
        self.queue.number = queued;
    }

    /// Plays a ply of the games in the queue.
    #[inline(always)]
    fn play_queue<M: Mover, const COMPULSORY: bool>(&mut self) {
        let (isa, Rules { captures, draw }) = (self.isa, self.rules);
        let (own, other) = (M::SIDE as usize, M::SIDE.other() as usize);
        for first in (0..self.queue.number).step_by(Self::LANES) {
            let number = Self::LANES.min(self.queue.number - first);
            let places = &self.queue.places[first..first + number];
            let zero = isa.splat(0).store();
            let mut loaded = [zero; 3];
            for (lane, &place) in places.iter().enumerate() {
                let (block, at) = (place as usize / Self::LANES, place as usize % Self::LANES);
                let block = &self.blocks[block];
                loaded[0].as_mut()[lane] = block.sides[own].as_ref()[at];
                loaded[1].as_mut()[lane] = block.sides[other].as_ref()[at];
                loaded[2].as_mut()[lane] = block.kings.as_ref()[at];
            }
            let pieces = Pieces {
                own: isa.load(&loaded[0]),
                other: isa.load(&loaded[1]),
                kings: isa.load(&loaded[2]),
            };
            let word = isa.splat(0).read(&self.queue.words[first..]);
            let captured = capture::<M, I::Vector, COMPULSORY>(pieces, captures, word);
            let mut after = [captured.pieces.own, captured.pieces.other, captured.pieces.kings].map(
                #[inline(always)]
                |words| words.store(),
            );
            let mut is_counted = captured.over.is_zero();
            if !matches!(draw, Draw::KingsOnly(_)) {
                is_counted = is_counted & pieces.kings.test_any_bit(captured.from);
            }
            let mut is_counted = is_counted.movemask();
            for lane in bits(captured.deep.movemask()).take_while(|&lane| lane < number) {
                let sets = loaded.map(|words| words.as_ref()[lane]);
                let word = self.queue.words[first + lane];
                let PlayedSets { from, to, over } = draw_listed::<M>(sets, captures, word, &mut self.ways);
                let [own, other, kings] = sets.map(|set| tavli_simd::Scalar.splat(set));
                let pieces = Pieces { own, other, kings };
                let [from_set, to, over_set] = [from, to, over].map(|set| tavli_simd::Scalar.splat(set));
                let moved = pieces.moved::<M>(from_set, to, over_set);
                after[0].as_mut()[lane] = moved.own.get();
                after[1].as_mut()[lane] = moved.other.get();
                after[2].as_mut()[lane] = moved.kings.get();
                let counts = over == 0 && (kings.get() & from != 0 || matches!(draw, Draw::KingsOnly(_)));
                is_counted = is_counted & !(1 << lane) | u32::from(counts) << lane;
            }
            for (lane, &place) in places.iter().enumerate() {
                let (block, at) = (place as usize / Self::LANES, place as usize % Self::LANES);
                let block = &mut self.blocks[block];
                block.sides[own].as_mut()[at] = after[0].as_ref()[lane];
                block.sides[other].as_mut()[at] = after[1].as_ref()[lane];
                block.kings.as_mut()[at] = after[2].as_ref()[lane];
                let quiet = &mut block.quiet.as_mut()[at];
                *quiet = if is_counted >> lane & 1 != 0 { *quiet + 1 } else { 0 };
            }
        }
    }
}
