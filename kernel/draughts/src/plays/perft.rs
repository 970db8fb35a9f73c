//! Counts of the ways a game can go on.
//!
//! The tree is walked down to the positions before the last ply. These are collected, all with the same side to move,
//! and their plays are counted a vector at a time.

use tavli_simd::{Isa, Lanes, Scalar, Vector, Word};

use super::capture_list::CaptureList;
use super::chains::Chains;
use super::masks::{Masks, Pieces, bits};
use crate::board::squares::{Black, Mover, White};
use crate::board::{Position, Side};
use crate::rules::Captures;

/// How many positions are collected before their plays are counted.
const COLLECTED: usize = 512;

/// The number of sequences of `depth` plies, at least 2, that no draw cuts short.
pub(crate) fn perft<I: Isa>(isa: I, position: &Position, depth: u32, captures: Captures) -> u64 {
    // The side that plays the last ply.
    match (position.side(), depth % 2 == 1) {
        (Side::Black, true) => walk_from::<Black, Black, I>(isa, position, depth, captures),
        (Side::Black, false) => walk_from::<Black, White, I>(isa, position, depth, captures),
        (Side::White, true) => walk_from::<White, White, I>(isa, position, depth, captures),
        (Side::White, false) => walk_from::<White, Black, I>(isa, position, depth, captures),
    }
}

fn walk_from<M: Mover, L: Mover, I: Isa>(isa: I, position: &Position, depth: u32, captures: Captures) -> u64 {
    let mut counter = Counter::new(isa, captures);
    counter.walk::<M, L>(position.seen_by(Scalar, M::SIDE), depth);
    counter.count_collected::<L>();
    counter.count_queued::<L>();
    counter.sum
}

/// Positions as words: the own side's pieces, the other's, and kings.
#[derive(Debug)]
struct Collected {
    sets: [Vec<u32>; 3],
    number: usize,
}

impl Collected {
    /// No positions, with room for this many and a vector more.
    fn new(room: usize, lanes: usize) -> Collected {
        Collected { sets: [(); 3].map(|()| vec![0; room + lanes]), number: 0 }
    }

    /// The pieces of a vector of positions. Lanes after the last position are unspecified.
    #[inline(always)]
    fn read<I: Isa>(&self, isa: I, first: usize) -> Pieces<I::Vector> {
        let zero = isa.splat(0);
        Pieces {
            own: zero.load_slice(&self.sets[0][first..]),
            other: zero.load_slice(&self.sets[1][first..]),
            kings: zero.load_slice(&self.sets[2][first..]),
        }
    }
}

struct Counter<I: Isa> {
    isa: I,
    captures: Captures,
    sum: u64,
    // One for each ply of the walk: a ply goes through its list while those below fill theirs.
    capture_list: Vec<CaptureList>,
    collected: Collected,
    /// Positions in which a capture may take several pieces.
    queued: Collected,
}

impl<I: Isa> Counter<I> {
    fn new(isa: I, captures: Captures) -> Counter<I> {
        let lanes = I::Vector::LANES;
        Counter {
            isa,
            captures,
            sum: 0,
            capture_list: Vec::new(),
            collected: Collected::new(COLLECTED, lanes),
            // The queue is counted from this many positions on, and until then a whole collection may come in.
            queued: Collected::new(2 * COLLECTED, lanes),
        }
    }

    /// Adds a position before the last ply.
    #[inline(always)]
    fn collect<L: Mover>(&mut self, pieces: Pieces<Word<Scalar>>) {
        let number = self.collected.number;
        let Pieces { own, other, kings } = pieces;
        for (words, set) in self.collected.sets.iter_mut().zip([own, other, kings]) {
            words[number] = set.get();
        }
        self.collected.number += 1;
        if self.collected.number == COLLECTED {
            self.count_collected::<L>();
        }
    }

    /// Collects the positions `depth` - 1 plies on, for depths from 2 on.
    fn walk<M: Mover, L: Mover>(&mut self, pieces: Pieces<Word<Scalar>>, depth: u32) {
        let masks = Masks::new::<M>(&pieces);
        let has_capture = !masks.all_jumps().lanes_zero();
        let captures = self.captures;
        let zero = Scalar.splat(0);
        if !has_capture || captures != Captures::Compulsory {
            each::<M>(masks.steps, |from, rotation| {
                self.after::<M, L>(pieces, from, from.rotate(rotation), zero, depth);
            });
        }
        if has_capture && masks.may_go_on::<M>(pieces.own & pieces.kings) {
            let [own, other, kings] = [pieces.own, pieces.other, pieces.kings].map(Word::get);
            let mut capture_list = self.capture_list.pop().unwrap_or_default();
            for capture in capture_list.list::<M>(own, other, kings, captures) {
                let [from, to, over] = [capture.from, capture.to, capture.over].map(|set| Scalar.splat(set));
                self.after::<M, L>(pieces, from, to, over, depth);
            }
            self.capture_list.push(capture_list);
        } else if has_capture {
            each::<M>(masks.jumps, |from, rotation| {
                let over = from.rotate(rotation);
                self.after::<M, L>(pieces, from, over.rotate(rotation), over, depth);
            });
        }
    }

    /// Walks on after a play.
    #[inline(always)]
    fn after<M: Mover, L: Mover>(
        &mut self,
        pieces: Pieces<Word<Scalar>>,
        from: Word<Scalar>,
        to: Word<Scalar>,
        over: Word<Scalar>,
        depth: u32,
    ) {
        let Pieces { own, other, kings } = pieces.moved::<M>(from, to, over);
        let turned = Pieces { own: other, other: own, kings };
        if depth == 2 {
            self.collect::<L>(turned);
        } else {
            self.walk::<M::Next, L>(turned, depth - 1);
        }
    }

    /// Counts the plays of the positions collected, or queues them.
    fn count_collected<L: Mover>(&mut self) {
        let isa = self.isa;
        isa.with_features(
            #[inline(always)]
            || self.count_steps_and_jumps::<L>(),
        );
        self.collected.number = 0;
        if self.queued.number >= COLLECTED {
            self.count_queued::<L>();
        }
    }

    #[inline(always)]
    fn count_steps_and_jumps<L: Mover>(&mut self) {
        let isa = self.isa;
        let is_compulsory = self.captures == Captures::Compulsory;
        let mut sum = isa.splat(0);
        for first in (0..self.collected.number).step_by(I::Vector::LANES) {
            let pieces = self.collected.read(isa, first);
            let masks = Masks::new::<L>(&pieces);
            let has_none = masks.all_jumps().lanes_zero();
            let in_use = sum.first_lanes(self.collected.number - first);
            let queue = masks.may_go_on::<L>(pieces.own & pieces.kings) & in_use;
            let steps = bits(&masks.steps);
            // Jumps are counted in the queue where more can follow.
            let jumps = bits(&masks.jumps).zero_unless(!queue);
            let steps = if is_compulsory { steps.zero_unless(has_none) } else { steps };
            sum = sum.wrapping_add(steps.wrapping_add(jumps).zero_unless(in_use));
            let Collected { sets, number } = &mut self.queued;
            for (words, set) in sets.iter_mut().zip([pieces.own, pieces.other, pieces.kings]) {
                set.compress(queue, &mut words[*number..]);
            }
            *number += I::Vector::count_lanes(queue.to_bits());
        }
        self.sum += sum.sum();
    }

    /// Counts the captures of the positions in the queue.
    fn count_queued<L: Mover>(&mut self) {
        let isa = self.isa;
        isa.with_features(
            #[inline(always)]
            || self.count_chains::<L>(),
        );
        self.queued.number = 0;
    }

    #[inline(always)]
    fn count_chains<L: Mover>(&mut self) {
        let isa = self.isa;
        for first in (0..self.queued.number).step_by(I::Vector::LANES) {
            let pieces = self.queued.read(isa, first);
            let masks = Masks::new::<L>(&pieces);
            let chains = Chains::new::<L>(&pieces, &masks, self.captures);
            let in_use = pieces.own.first_lanes(self.queued.number - first);
            let numbers = chains.number().zero_unless(in_use & !chains.may_jump_thrice);
            self.sum += numbers.sum();
            let may_jump_thrice = (in_use & chains.may_jump_thrice).to_bits();
            for lane in (0..I::Vector::LANES).filter(|lane| may_jump_thrice >> lane & 1 == 1) {
                let [own, other, kings] = [0, 1, 2].map(|set| self.queued.sets[set][first + lane]);
                let mut capture_list = self.capture_list.pop().unwrap_or_default();
                self.sum += capture_list.list::<L>(own, other, kings, self.captures).len() as u64;
                self.capture_list.push(capture_list);
            }
        }
    }
}

/// Calls `play` with each piece of four sets and the rotation of its set.
#[inline(always)]
fn each<M: Mover>([a, b, c, d]: [Word<Scalar>; 4], mut play: impl FnMut(Word<Scalar>, Word<Scalar>)) {
    let [of_a, of_b, of_c, of_d] = M::ROTATIONS;
    // Two sets in a loop: the end of each loop is mispredicted.
    for (low, high, rotations) in [(a, b, [of_a, of_b]), (c, d, [of_c, of_d])] {
        let mut both = u64::from(low.get()) | u64::from(high.get()) << 32;
        while both != 0 {
            let bit = both.trailing_zeros();
            both &= both - 1;
            play(Scalar.splat(1_u32.rotate_left(bit)), Scalar.splat(rotations[(bit / 32) as usize]));
        }
    }
}
