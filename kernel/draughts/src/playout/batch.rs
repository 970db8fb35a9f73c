//! Many games at a time: the playouts of the vector tiers.
//!
//! ```text
//! GameSource -> waiting, by side -> blocks of games -> GameSource::end
//!                                  |       ^
//!                                  +-> queue: captures that may take several pieces
//! ```
//!
//! All games in play have the same side to move. `play_ply` plays a ply of each, a vector at a time: it finds the plays
//! of a block, then makes those of the block before it, since either is a long chain of operations. Games in which a
//! piece may jump twice (with optional captures: once) wait in a queue, so that [`capture`](crate::plays::capture) has
//! full vectors of them. Games in which one may jump three times, two plies in a thousand, are played one by one. A
//! game that has ended leaves its lane to the next start with the right side to move; starts of the other side wait for
//! the next ply.
//!
//! A game draws from its own stream, so its course does not depend on the games beside it.
//!
//! Tested by `tests/suite/playouts.rs`.

use tavli_game::streams::{StreamKey, next_words};
use tavli_game::{GameSource, GameStart};
use tavli_simd::{Isa, LANE_NUMBERS, LaneArray, Lanes, MAX_LANES, Scalar, Vector, set_bits};

use super::block::Block;
use crate::board::squares::{Black, Mover, White};
use crate::board::{Position, Side};
use crate::plays::{CaptureList, Drawn, Masks, Pieces, capture, choose, cumulative, pick_listed, points};
use crate::rules::{Captures, Draw, MAX_QUIET_PLIES, Rules};

/// The number of blocks. Fewer leave the queue with vectors that are not full, more do not stay in the fastest cache.
// With loops of known lengths and without a branch on games that end, 1.07 times as fast as 48 (profiles/LOG.md,
// 2026-11-26).
const BLOCKS: usize = 64;

/// The most starts that wait for the next ply. When they are begun, the source is asked for more. Four vectors
/// of the widest tier.
const WAITING: usize = 64;

/// The tag of a game, and the number of the ply at which the game began.
#[derive(Clone, Copy, Debug)]
struct Started {
    tag: u64,
    ply: u32,
}

/// The bit of a drawn game beside its number.
const TIED: u32 = 1 << 31;

/// Words of some games, with room for all of them and a vector more.
#[derive(Debug)]
#[repr(C)]
struct List {
    words: [u32; (BLOCKS + 1) * MAX_LANES],
    len: usize,
}

impl List {
    const EMPTY: List = List { words: [0; (BLOCKS + 1) * MAX_LANES], len: 0 };

    /// Writes the words of the games in some lanes behind `len` others.
    // The length is the caller's, in a register: each block would wait for what the one before it stored.
    #[inline(always)]
    fn write<V: Vector>(&mut self, len: usize, lanes: V::Lanes, words: V) {
        debug_assert!(len <= BLOCKS * MAX_LANES, "{len} games in a list for {BLOCKS} blocks");
        words.compress(lanes, &mut self.words[len.min(BLOCKS * MAX_LANES)..]);
    }
}

/// The lists that a ply fills. They begin together at the start of a page, so that stores of a ply cross none.
// Each block stores a vector at the end of each list, which grow by few words in a ply. Where they lay at the end of a
// page most of these stores went across it, and playouts took up to 1.35 times as long (profiles/LOG.md, 2026-11-29).
#[derive(Debug)]
#[repr(C, align(4096))]
struct Lists {
    /// Games in which a capture may take several pieces, by their numbers: block by block, and lane by lane in each.
    queue: List,
    /// The words that these games drew.
    words: List,
    /// Games that are over, by their numbers, with [`TIED`].
    ended: List,
}

/// The plays of the games of a block.
#[derive(Clone, Copy)]
struct BlockPlays<V: Vector> {
    /// The pieces that may move, by direction.
    sets: [V; 4],
    /// How many they are, up to each direction.
    counts: [V; 4],
    /// The lanes without a capture.
    has_none: V::Lanes,
    /// The lanes whose games wait in the queue.
    queue: V::Lanes,
    /// The words that the games drew.
    word: V,
}

/// Games in play.
pub(super) struct Batch<I: Isa> {
    isa: I,
    rules: Rules,
    blocks: Box<[Block<LaneArray<I>>; BLOCKS]>,
    started: Vec<Started>,
    lists: Box<Lists>,
    capture_list: CaptureList,
    /// The numbers of lanes without a game: the last is the next to be filled.
    // A list, not the blocks that may have a free lane: a branch on how many they have is mispredicted.
    free: Box<List>,
    /// How many games have ended since the last [`Batch::compact`]. Their lanes are the last of `free`.
    freed: usize,
    /// Blocks from this index on are empty.
    end: usize,
    /// The number of plies so far, modulo 2^32: a batch may live for hours.
    ply: u32,
    /// Starts with another side to move than the last ply had, by side.
    waiting: [Vec<GameStart<Position>>; 2],
    /// Whether a start so far had this side to move, by side.
    has_begun: [bool; 2],
    /// Whether the source was asked for the last game and had none.
    is_source_empty: bool,
}

impl<I: Isa> Batch<I> {
    const LANES: usize = I::Vector::LANES;

    pub(super) fn new(isa: I, rules: Rules) -> Batch<I> {
        let lane_count = BLOCKS * Self::LANES;
        let mut free = List::EMPTY;
        free.len = lane_count;
        for (word, lane_number) in free.words.iter_mut().zip((0..lane_count as u32).rev()) {
            *word = lane_number;
        }
        Batch {
            isa,
            rules,
            blocks: Box::new([Block::empty(isa); BLOCKS]),
            started: vec![Started { tag: 0, ply: 0 }; lane_count],
            lists: Box::new(Lists { queue: List::EMPTY, words: List::EMPTY, ended: List::EMPTY }),
            capture_list: CaptureList::default(),
            free: Box::new(free),
            freed: 0,
            end: 0,
            ply: 0,
            waiting: [Vec::new(), Vec::new()],
            has_begun: [false; 2],
            is_source_empty: false,
        }
    }

    /// Plays until there are no more games.
    pub(super) fn play(&mut self, key: &StreamKey, source: &mut dyn GameSource<Position>, stop: &dyn Fn() -> bool) {
        loop {
            let black = self.play_ply::<Black>(key, source);
            let white = self.play_ply::<White>(key, source);
            if (black + white == 0 && self.waiting.iter().all(Vec::is_empty)) || stop() {
                return;
            }
        }
    }

    /// Plays a ply of every game and returns the number of blocks in play.
    fn play_ply<M: Mover>(&mut self, key: &StreamKey, source: &mut dyn GameSource<Position>) -> usize {
        let max_plies = source.max_plies();
        if max_plies < u32::MAX {
            self.cut_off(M::SIDE, max_plies, source);
        }
        let blocks = self.refill::<M>(key, source);
        let isa = self.isa;
        // Plies of compulsory captures are compiled by themselves, 1.02 times as fast. Compiled for each draw rule,
        // too, they gain nothing, or lose more than a third (profiles/LOG.md, 2026-11-29).
        if self.rules.captures == Captures::Compulsory {
            isa.with_features(
                #[inline(always)]
                || self.play_blocks::<M, true>(blocks),
            );
            isa.with_features(
                #[inline(always)]
                || self.play_queue::<M, true>(),
            );
        } else {
            isa.with_features(
                #[inline(always)]
                || self.play_blocks::<M, false>(blocks),
            );
            isa.with_features(
                #[inline(always)]
                || self.play_queue::<M, false>(),
            );
        }
        for game in 0..self.lists.ended.len {
            let word = self.lists.ended.words[game];
            let lane_number = word & !TIED;
            let started = self.started[lane_number as usize];
            let plies = self.ply.wrapping_sub(started.ply);
            self.leave(lane_number);
            let mover_points = if word & TIED != 0 { 0 } else { -1 };
            source.end(started.tag, if plies.is_multiple_of(2) { mover_points } else { -mover_points }, plies);
        }
        self.ply = self.ply.wrapping_add(1);
        blocks
    }

    /// Takes the games out that have `max_plies` plies and go on; those that are over end in the next ply.
    // One after the other, so that games that are never cut off, as in searches, pay nothing.
    fn cut_off(&mut self, side: Side, max_plies: u32, source: &mut dyn GameSource<Position>) {
        let begun = self.ply.wrapping_sub(max_plies);
        for number in 0..self.end {
            for lane in set_bits(self.blocks[number].playing) {
                let started = self.started[number * Self::LANES + lane];
                if started.ply == begun && points(&self.blocks[number].position(lane, side), self.rules).is_none() {
                    self.blocks[number].playing &= !(1 << lane);
                    self.leave((number * Self::LANES + lane) as u32);
                    source.cut_off(started.tag);
                }
            }
        }
    }

    /// Adds a lane to those without a game.
    #[inline(always)]
    fn leave(&mut self, lane_number: u32) {
        self.free.words[self.free.len] = lane_number;
        self.free.len += 1;
        self.freed += 1;
    }

    /// Begins games in lanes without one, and returns the number of blocks from the first to the last with a game.
    fn refill<M: Mover>(&mut self, key: &StreamKey, source: &mut dyn GameSource<Position>) -> usize {
        while self.free.len > 0 {
            let Some(start) = self.next(M::SIDE, source) else {
                // Starts that wait for the next ply will need the free lanes.
                if self.is_source_empty && self.waiting.iter().all(Vec::is_empty) {
                    self.compact();
                }
                return self.shrink();
            };
            self.free.len -= 1;
            let lane_number = self.free.words[self.free.len];
            self.started[lane_number as usize] = Started { tag: start.tag, ply: self.ply };
            let (block, lane) = Self::block_and_lane(lane_number);
            self.blocks[block].begin(lane, &start.position, key.state(start.game));
            self.end = self.end.max(block + 1);
        }
        self.end
    }

    /// The next start with this side to move. Those of the other side wait, up to [`WAITING`] of them.
    // The source is not asked while all of its starts had the other side to move. Playouts from one position would keep
    // each start for a ply, which took a thirtieth of their time (profiles/LOG.md, 2026-11-29).
    #[inline(always)]
    fn next(&mut self, side: Side, source: &mut dyn GameSource<Position>) -> Option<GameStart<Position>> {
        if let Some(start) = self.waiting[side as usize].pop() {
            return Some(start);
        }
        let other = side.other() as usize;
        // The end of a game may have made another start available.
        self.is_source_empty = false;
        if self.has_begun[other] && !self.has_begun[side as usize] {
            return None;
        }
        while self.waiting[other].len() < WAITING {
            let Some(start) = source.next() else {
                self.is_source_empty = true;
                return None;
            };
            let is_here = start.position.side() == side;
            self.has_begun[if is_here { side as usize } else { other }] = true;
            if is_here {
                return Some(start);
            }
            self.waiting[other].push(start);
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

    /// Moves games from the last blocks to the lanes that others have left.
    fn compact(&mut self) {
        // More games may have ended than lanes are free: others have begun since.
        for index in self.free.len - self.freed.min(self.free.len)..self.free.len {
            let last = self.shrink().saturating_sub(1);
            let (block, lane) = Self::block_and_lane(self.free.words[index]);
            if block < last {
                let (front, back) = self.blocks.split_at_mut(last);
                // There is one: `shrink` ends at a block with a game.
                let from = back[0].playing.trailing_zeros() as usize;
                back[0].move_game(from, &mut front[block], lane);
                let from = last * Self::LANES + from;
                self.started[block * Self::LANES + lane] = self.started[from];
                self.free.words[index] = from as u32;
            }
        }
        self.freed = 0;
    }

    /// Plays a ply of every game in the first `blocks` blocks, except the games that it queues.
    // Plays of a block are found before those of the block before it are made: 1.01 times as fast as one block after
    // the other (profiles/LOG.md, 2026-11-29).
    #[inline(always)]
    fn play_blocks<M: Mover, const COMPULSORY: bool>(&mut self, blocks: usize) {
        let (mut queued, mut ended) = (0, 0);
        if blocks > 0 {
            let mut found = self.find::<M, COMPULSORY>(0, &mut queued, &mut ended);
            for number in 1..blocks {
                let next = self.find::<M, COMPULSORY>(number, &mut queued, &mut ended);
                self.make::<M, COMPULSORY>(number - 1, found);
                found = next;
            }
            self.make::<M, COMPULSORY>(blocks - 1, found);
        }
        self.lists.queue.len = queued;
        self.lists.ended.len = ended;
    }

    /// Finds the plays of a block. Lists the games that are over, and those for the queue.
    #[inline(always)]
    fn find<M: Mover, const COMPULSORY: bool>(
        &mut self,
        number: usize,
        queued: &mut usize,
        ended_games: &mut usize,
    ) -> BlockPlays<I::Vector> {
        let (isa, draw) = (self.isa, self.rules.draw);
        let zero = isa.splat(0);
        let (most, only_kings) = match draw {
            Draw::Quiet(most) => (u32::from(most), false),
            Draw::KingsOnly(most) => (u32::from(most), true),
        };
        let block = &mut self.blocks[number];
        let pieces = block.pieces::<M, I>(isa);
        let quiet = isa.load(&block.quiet);
        let masks = Masks::new::<M>(&pieces);
        let has_none = masks.all_jumps().lanes_zero();
        let (sets, may_go_on) = if COMPULSORY {
            let sets = [0, 1, 2, 3].map(
                #[inline(always)]
                |direction| masks.steps[direction].blend(has_none, masks.jumps[direction]),
            );
            (sets, masks.may_go_on::<M>(pieces.own & pieces.kings))
        } else {
            (masks.steps, !has_none)
        };
        let counts = cumulative(&sets);

        let playing = zero.lanes_of_bits(block.playing);
        let [a, b, c, d] = sets;
        // This is known sooner than the number of steps.
        let cannot_step = ((a | b) | (c | d)).lanes_zero();
        let cannot_move = cannot_step & if COMPULSORY { playing } else { playing & has_none };
        let mut is_drawn = !quiet.lanes_less(isa.splat(most));
        if only_kings {
            let men = (pieces.own | pieces.other) & !pieces.kings;
            is_drawn = (is_drawn & men.lanes_zero()) | !quiet.lanes_less(isa.splat(MAX_QUIET_PLIES));
        }
        let is_drawn = is_drawn & playing & !cannot_move;
        // Without a branch on whether there are any: it would be mispredicted, and late in a long chain.
        let ended = is_drawn | cannot_move;
        block.playing &= !ended.to_bits();
        let lane_numbers = zero.load_slice(&LANE_NUMBERS).wrapping_add(isa.splat((number * Self::LANES) as u32));
        self.lists.ended.write(*ended_games, ended, lane_numbers | isa.splat(TIED).zero_unless(is_drawn));
        *ended_games += I::Vector::count_lanes(ended.to_bits());

        // In lanes without a game, too: the next game there brings its own state.
        let (word, stream) = next_words([0, 1, 2, 3].map(
            #[inline(always)]
            |word| isa.load(&block.stream[word]),
        ));
        for (words, next) in block.stream.iter_mut().zip(stream) {
            *words = next.store();
        }

        let queue = may_go_on & playing & !ended;
        self.lists.queue.write(*queued, queue, lane_numbers);
        self.lists.words.write(*queued, queue, word);
        *queued += I::Vector::count_lanes(queue.to_bits());
        BlockPlays { sets, counts, has_none, queue, word }
    }

    /// Makes the plays drawn in a block, but of games that wait in the queue.
    #[inline(always)]
    fn make<M: Mover, const COMPULSORY: bool>(&mut self, number: usize, found: BlockPlays<I::Vector>) {
        let isa = self.isa;
        let zero = isa.splat(0);
        let BlockPlays { sets, counts, has_none, queue, word } = found;
        let block = &mut self.blocks[number];
        let pieces = block.pieces::<M, I>(isa);
        let quiet = isa.load(&block.quiet);
        let (index, _) = word.mul_wide(counts[3]);
        let choice = choose(&sets, &counts, &M::ROTATIONS, index);
        // Pieces of games in the queue stay.
        let from = choice.from.zero_unless(!queue);
        let beside = from.rotate(choice.code);
        let (to, over) = if COMPULSORY {
            (beside.blend(has_none, beside.rotate(choice.code)), beside.zero_unless(!has_none))
        } else {
            (beside, zero)
        };
        let after = pieces.moved::<M>(from, to, over);
        let mut is_counted = has_none;
        if !matches!(self.rules.draw, Draw::KingsOnly(_)) {
            is_counted = is_counted & pieces.kings.test_any_bit(from);
        }
        let counted = quiet.wrapping_add(isa.splat(1)).zero_unless(is_counted);
        let (own, other) = (M::SIDE as usize, M::SIDE.other() as usize);
        block.sides[own] = after.own.store();
        block.sides[other] = after.other.store();
        block.kings = after.kings.store();
        block.quiet = quiet.blend(queue, counted).store();
    }

    /// Plays a ply of the games in the queue.
    #[inline(always)]
    fn play_queue<M: Mover, const COMPULSORY: bool>(&mut self) {
        let (isa, Rules { captures, draw }) = (self.isa, self.rules);
        let (own, other) = (M::SIDE as usize, M::SIDE.other() as usize);
        for first in (0..self.lists.queue.len).step_by(Self::LANES) {
            let games = Self::LANES.min(self.lists.queue.len - first);
            // Lanes without a game load any other game.
            let lane_numbers = &self.lists.queue.words[first..first + Self::LANES];
            let mut loaded = [isa.splat(0).store(); 3];
            for (lane, &lane_number) in lane_numbers.iter().enumerate() {
                let (block, at) = Self::block_and_lane(lane_number);
                let block = &self.blocks[block];
                loaded[0].as_mut()[lane] = block.sides[own].as_ref()[at];
                loaded[1].as_mut()[lane] = block.sides[other].as_ref()[at];
                loaded[2].as_mut()[lane] = block.kings.as_ref()[at];
            }
            let pieces = Pieces { own: isa.load(&loaded[0]), other: isa.load(&loaded[1]), kings: isa.load(&loaded[2]) };
            let word = isa.splat(0).load_slice(&self.lists.words.words[first..]);
            let captured = capture::<M, I::Vector, COMPULSORY>(pieces, captures, Drawn(word));
            let mut is_counted = captured.over.lanes_zero();
            if !matches!(draw, Draw::KingsOnly(_)) {
                is_counted = is_counted & pieces.kings.test_any_bit(captured.from);
            }
            let Pieces { own: a, other: b, kings: c } = captured.pieces;
            let mut after = [a.store(), b.store(), c.store(), isa.splat(0).add_one(is_counted).store()];
            for lane in set_bits(captured.may_jump_thrice.to_bits()).take_while(|&lane| lane < games) {
                let sets = loaded.map(|words| words.as_ref()[lane]);
                let word = Drawn(Scalar.splat(self.lists.words.words[first + lane]));
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
    fn block_and_lane(lane_number: u32) -> (usize, usize) {
        // The remainder changes nothing, and shows the compiler that the block exists.
        (lane_number as usize / Self::LANES % BLOCKS, lane_number as usize % Self::LANES)
    }

    /// Stores games of the queue after a ply, from the game `first` on: own pieces, the other's, kings, and whether the
    /// ply counts.
    #[inline(always)]
    fn store<M: Mover, const COMPULSORY: bool>(&mut self, first: usize, games: usize, after: &[LaneArray<I>; 4]) {
        let [own, other, kings, is_counted] = after.each_ref().map(|words| words.as_ref());
        for (lane, &lane_number) in self.lists.queue.words[first..first + games].iter().enumerate() {
            let (block, at) = Self::block_and_lane(lane_number);
            let block = &mut self.blocks[block];
            block.sides[M::SIDE as usize].as_mut()[at] = own[lane];
            block.sides[M::SIDE.other() as usize].as_mut()[at] = other[lane];
            block.kings.as_mut()[at] = kings[lane];
            let quiet = &mut block.quiet.as_mut()[at];
            // Where captures are compulsory, all plies of the queue are captures.
            *quiet = if COMPULSORY { 0 } else { (*quiet + 1) * is_counted[lane] };
        }
    }
}
