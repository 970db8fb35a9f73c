//! Many games at a time: the playouts of the vector tiers.
//!
//! ```text
//! Leaves -> waiting, by side -> blocks of games -> Leaves::end
//!                                  |       ^
//!                                  +-> queue: captures that may take several pieces
//! ```
//!
//! All games in play have the same side to move. `play_ply` plays a ply of each, a vector at a time. Games in which a
//! piece may jump twice (with optional captures: once) wait in a queue, so that [`capture`](crate::plays::capture) has
//! full vectors of them. Games in which one may jump three times, two plies in a thousand, are played one by one. A
//! game that has ended leaves its lane to the next leaf with the right side to move; leaves of the other side wait for
//! the next ply.
//!
//! A game draws from its own stream, so its course does not depend on the games beside it.

use tavli_game::streams::{StreamKey, next_words};
use tavli_game::{Leaf, Leaves};
use tavli_simd::{Isa, Lanes, Scalar, Vector, set_bits};

use super::block::Block;
use crate::board::squares::{Black, Mover, White};
use crate::board::{Position, Side};
use crate::plays::{CaptureList, Drawn, Masks, Pieces, capture, choose, cumulative, pick_listed, points};
use crate::rules::{Captures, Draw, LONGEST, Rules};

/// The number of blocks. Fewer leave the queue with vectors that are not full, more do not stay in the fastest cache.
// With loops of known lengths and without a branch on games that end, 1.07 times as fast as 48 (profiles/LOG.md,
// 2026-11-26).
const BLOCKS: usize = 64;

/// The most leaves that wait for the next ply. When they are begun, the source is asked for more. Four vectors
/// of the widest tier.
const WAITING: usize = 64;

/// A word for each game of a block.
type Words<I> = <<I as Isa>::Vector as Vector>::Words;

/// The tag of a game's leaf, and the number of the ply at which the game began.
#[derive(Clone, Copy, Debug)]
struct Started {
    tag: u64,
    ply: u32,
}

/// The bit of a drawn game beside its number.
const DRAWN: u32 = 1 << 31;

/// Words of some games.
#[derive(Debug)]
struct List {
    words: Vec<u32>,
    len: usize,
}

impl List {
    /// An empty list with room for this many games and a vector more.
    fn new(room: usize, lanes: usize) -> List {
        List {
            words: vec![0; room + lanes],
            len: 0,
        }
    }

    /// Adds the words of the games in some lanes.
    #[inline(always)]
    fn push<V: Vector>(&mut self, lanes: V::Lanes, words: V) {
        words.compress(lanes, &mut self.words[self.len..]);
        self.len += V::count_lanes(lanes.to_bits());
    }
}

/// Games in play.
pub(super) struct Batch<I: Isa> {
    isa: I,
    rules: Rules,
    blocks: Box<[Block<Words<I>>; BLOCKS]>,
    started: Vec<Started>,
    /// Games in which a capture may take several pieces, by their numbers: block by block, and lane by lane in each.
    queue: List,
    /// The words that these games drew.
    drawn: List,
    /// Games that are over, by their numbers, with [`DRAWN`].
    ended: List,
    capture_list: CaptureList,
    /// The blocks with a free lane, a bit for each; full ones may be among them.
    open: u64,
    /// No game is in a block of this number or behind it.
    end: usize,
    /// The number of plies so far, modulo 2^32: a batch may live for hours.
    ply: u32,
    /// Leaves with another side to move than the last ply had, by side.
    waiting: [Vec<Leaf<Position>>; 2],
    /// Whether a leaf so far had this side to move, by side.
    has_begun: [bool; 2],
    /// Whether the source was asked for the last leaf and had none.
    is_source_empty: bool,
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
            blocks: Box::new([Block::empty(isa); BLOCKS]),
            started: vec![Started { tag: 0, ply: 0 }; places],
            queue: List::new(places, Self::LANES),
            drawn: List::new(places, Self::LANES),
            ended: List::new(places, Self::LANES),
            capture_list: CaptureList::default(),
            open: Self::EVERY_BLOCK,
            end: 0,
            ply: 0,
            waiting: [Vec::new(), Vec::new()],
            has_begun: [false; 2],
            is_source_empty: false,
        }
    }

    /// Plays until there are no more leaves.
    pub(super) fn play(&mut self, key: &StreamKey, leaves: &mut dyn Leaves<Position>, stop: &dyn Fn() -> bool) {
        loop {
            let black = self.play_ply::<Black>(key, leaves);
            let white = self.play_ply::<White>(key, leaves);
            if (black + white == 0 && self.waiting.iter().all(Vec::is_empty)) || stop() {
                return;
            }
        }
    }

    /// Plays a ply of every game and returns the number of blocks in play.
    fn play_ply<M: Mover>(&mut self, key: &StreamKey, leaves: &mut dyn Leaves<Position>) -> usize {
        let most_plies = leaves.most_plies();
        if most_plies < u32::MAX {
            self.cut_off(M::SIDE, most_plies, leaves);
        }
        let blocks = self.refill::<M>(key, leaves);
        let isa = self.isa;
        isa.call(
            #[inline(always)]
            || self.play_blocks::<M>(blocks),
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
        for game in 0..self.ended.len {
            let word = self.ended.words[game];
            let place = (word & !DRAWN) as usize;
            let started = self.started[place];
            let plies = self.ply.wrapping_sub(started.ply);
            self.open |= 1 << (place / Self::LANES);
            let of_mover = if word & DRAWN != 0 { 0 } else { -1 };
            leaves.end(
                started.tag,
                if plies.is_multiple_of(2) { of_mover } else { -of_mover },
                plies,
            );
        }
        self.ply = self.ply.wrapping_add(1);
        blocks
    }

    /// Takes the games out that have `most_plies` plies and go on; those that are over end in the next ply.
    // One after the other, so that games that are never cut off, as in searches, pay nothing.
    fn cut_off(&mut self, side: Side, most_plies: u32, leaves: &mut dyn Leaves<Position>) {
        let begun = self.ply.wrapping_sub(most_plies);
        for number in 0..self.end {
            for lane in set_bits(self.blocks[number].playing) {
                let started = self.started[number * Self::LANES + lane];
                if started.ply == begun && points(&self.blocks[number].position(lane, side), self.rules).is_none() {
                    self.blocks[number].playing &= !(1 << lane);
                    self.open |= 1 << number;
                    leaves.cut_off(started.tag);
                }
            }
        }
    }

    /// Begins games in lanes without one, and returns the number of blocks from the first to the last with a game.
    fn refill<M: Mover>(&mut self, key: &StreamKey, leaves: &mut dyn Leaves<Position>) -> usize {
        while self.open != 0 {
            let block = self.open.trailing_zeros() as usize;
            for lane in set_bits(!self.blocks[block].playing & Self::ALL) {
                let Some(leaf) = self.next(M::SIDE, leaves) else {
                    // Leaves that wait for the next ply will need the free lanes.
                    if self.is_source_empty && self.waiting.iter().all(Vec::is_empty) {
                        self.compact();
                    }
                    return self.shrink();
                };
                self.started[block * Self::LANES + lane] = Started {
                    tag: leaf.tag,
                    ply: self.ply,
                };
                self.blocks[block].begin(lane, &leaf.position, key.state(leaf.game));
                self.end = self.end.max(block + 1);
            }
            self.open &= self.open - 1;
        }
        self.end
    }

    /// The next leaf with this side to move. Those of the other side wait, up to [`WAITING`] of them.
    // The source is not asked while all of its leaves had the other side to move. Playouts from one position would keep
    // each leaf for a ply, which took a thirtieth of their time (profiles/LOG.md, 2026-11-29).
    #[inline(always)]
    fn next(&mut self, side: Side, leaves: &mut dyn Leaves<Position>) -> Option<Leaf<Position>> {
        if let Some(leaf) = self.waiting[side as usize].pop() {
            return Some(leaf);
        }
        let other = side.other() as usize;
        self.is_source_empty = false;
        if self.has_begun[other] && !self.has_begun[side as usize] {
            return None;
        }
        while self.waiting[other].len() < WAITING {
            let Some(leaf) = leaves.next() else {
                self.is_source_empty = true;
                return None;
            };
            let is_here = leaf.position.side() == side;
            self.has_begun[if is_here { side as usize } else { other }] = true;
            if is_here {
                return Some(leaf);
            }
            self.waiting[other].push(leaf);
        }
        None
    }

    /// Drops blocks without games at the end, and returns the number of the others.
    fn shrink(&mut self) -> usize {
        while self.end > 0 && self.blocks[self.end - 1].playing == 0 {
            self.end -= 1;
        }
        self.end
    }

    /// Moves games from the last blocks to free lanes of the first ones.
    fn compact(&mut self) {
        let mut first = 0;
        loop {
            let last = self.shrink().saturating_sub(1);
            while first < last && self.blocks[first].playing == Self::ALL {
                first += 1;
            }
            if first == last {
                return;
            }
            let (front, back) = self.blocks.split_at_mut(last);
            let lane = back[0].playing.trailing_zeros() as usize;
            let to_lane = (!front[first].playing).trailing_zeros() as usize;
            back[0].move_game(lane, &mut front[first], to_lane);
            self.open |= 1 << last;
            self.started[first * Self::LANES + to_lane] = self.started[last * Self::LANES + lane];
        }
    }

    /// Plays a ply of the games in the first blocks, but for those that it queues.
    /// Plays a ply of the games in the blocks, but of those that it queues.
    #[inline(always)]
    fn play_blocks<M: Mover>(&mut self, blocks: usize) {
        let (isa, Rules { captures, draw }) = (self.isa, self.rules);
        let zero = isa.splat(0);
        // Words of a draw rule: the count that draws, and the set of pieces that must be empty for a draw.
        let (most, only_kings) = match draw {
            Draw::Quiet(most) => (u32::from(most), false),
            Draw::KingsOnly(most) => (u32::from(most), true),
        };
        let men_forbid = isa.splat(if only_kings { u32::MAX } else { 0 });
        let always_counted = zero.lanes_of_bits(if only_kings { u32::MAX } else { 0 });
        let mut lane_numbers = zero.store();
        for (lane, number) in lane_numbers.as_mut().iter_mut().enumerate() {
            *number = lane as u32;
        }
        let lane_numbers = isa.load(&lane_numbers);
        for list in [&mut self.queue, &mut self.drawn, &mut self.ended] {
            list.len = 0;
        }
        for (block_index, block) in self.blocks[..blocks].iter_mut().enumerate() {
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

            let playing = zero.lanes_of_bits(block.playing);
            let [a, b, c, d] = sets;
            // This is known sooner than the number of steps.
            let cannot_step = ((a | b) | (c | d)).is_zero();
            let cannot_move = cannot_step
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
            // Without a branch on whether there are any: it would be mispredicted, and late in a long chain.
            let ended = is_drawn | cannot_move;
            block.playing &= !ended.to_bits();
            let places = lane_numbers.wrapping_add(isa.splat((block_index * Self::LANES) as u32));
            self.ended.push(ended, places | isa.splat(DRAWN).zero_unless(is_drawn));

            let (word, stream) = next_words([0, 1, 2, 3].map(
                #[inline(always)]
                |word| isa.load(&block.stream[word]),
            ));
            for (words, next) in block.stream.iter_mut().zip(stream) {
                *words = next.store();
            }

            let queue = may_go_on & playing & !ended;
            self.queue.push(queue, places);
            self.drawn.push(queue, word);

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
    }

    /// Plays a ply of the games in the queue.
    #[inline(always)]
    fn play_queue<M: Mover, const COMPULSORY: bool>(&mut self) {
        let (isa, Rules { captures, draw }) = (self.isa, self.rules);
        let (own, other) = (M::SIDE as usize, M::SIDE.other() as usize);
        for first in (0..self.queue.len).step_by(Self::LANES) {
            let games = Self::LANES.min(self.queue.len - first);
            // Lanes without a game load any other game.
            let places = &self.queue.words[first..first + Self::LANES];
            let mut loaded = [isa.splat(0).store(); 3];
            for (lane, &place) in places.iter().enumerate() {
                let (block, at) = Self::block_and_lane(place);
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
            let word = isa.splat(0).load_slice(&self.drawn.words[first..]);
            let captured = capture::<M, I::Vector, COMPULSORY>(pieces, captures, Drawn(word));
            let mut is_counted = captured.over.is_zero();
            if !matches!(draw, Draw::KingsOnly(_)) {
                is_counted = is_counted & pieces.kings.test_any_bit(captured.from);
            }
            let Pieces {
                own: a,
                other: b,
                kings: c,
            } = captured.pieces;
            let mut after = [
                a.store(),
                b.store(),
                c.store(),
                isa.splat(0).add_one(is_counted).store(),
            ];
            for lane in set_bits(captured.may_jump_thrice.to_bits()).take_while(|&lane| lane < games) {
                let sets = loaded.map(|words| words.as_ref()[lane]);
                let word = Drawn(Scalar.splat(self.drawn.words[first + lane]));
                let played = pick_listed::<M, Scalar>(Scalar, sets, captures, word, &mut self.capture_list);
                let words = played.make::<M>(sets, draw);
                for (vector, word) in after.iter_mut().zip(words) {
                    vector.as_mut()[lane] = word;
                }
            }
            // Most vectors are full, and a loop of a known length has no branches.
            if games == Self::LANES {
                self.store::<M, COMPULSORY>(first, Self::LANES, &after);
            } else {
                self.store::<M, COMPULSORY>(first, games, &after);
            }
        }
    }

    /// The block and the lane of a game by its number.
    #[inline(always)]
    fn block_and_lane(place: u32) -> (usize, usize) {
        (place as usize / Self::LANES % BLOCKS, place as usize % Self::LANES)
    }

    /// Stores games of the queue after a ply, from the game `first` on: own pieces, the other's, kings, and whether the
    /// ply counts.
    #[inline(always)]
    fn store<M: Mover, const COMPULSORY: bool>(&mut self, first: usize, games: usize, after: &[Words<I>; 4]) {
        let [own, other, kings, is_counted] = after.each_ref().map(|words| words.as_ref());
        for (lane, &place) in self.queue.words[first..first + games].iter().enumerate() {
            let (block, at) = Self::block_and_lane(place);
            let block = &mut self.blocks[block];
            block.sides[M::SIDE as usize].as_mut()[at] = own[lane];
            block.sides[M::SIDE.other() as usize].as_mut()[at] = other[lane];
            block.kings.as_mut()[at] = kings[lane];
            let quiet = &mut block.quiet.as_mut()[at];
            *quiet = if COMPULSORY { 0 } else { (*quiet + 1) * is_counted[lane] };
        }
    }
}
