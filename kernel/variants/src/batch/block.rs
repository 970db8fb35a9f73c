//! A block of a pool.

use core::array;

use tavli_algebra::CheckerPlanes;
use tavli_game::streams::next_words;
use tavli_lanes::LaneBlock;
use tavli_simd::{Isa, LaneArray, MAX_LANES, Vector, set_bits};

use super::game_queue::BatchGame;
use crate::position::{Position, SideCheckers, SideVectors};
use crate::scalar::{self, Playout};
use crate::variant::Variant;

/// The games of a vector, one in each lane.
pub(super) struct Block<I: Isa> {
    /// The player on roll and the other: bit-sliced counts, and pinned checkers.
    pub(super) sides: [[LaneArray<I>; 5]; 2],
    stream: [LaneArray<I>; 4],
    /// The words that drew the plays.
    pub(super) words: LaneArray<I>,
    /// The ply of the pool in which the game of a lane began.
    pub(super) begun: LaneArray<I>,
    /// The tag of each lane's game.
    tags: [u64; MAX_LANES],
    /// Lanes with a game, lane 0 lowest.
    pub(super) active: u32,
    /// Lanes whose plays are in the queues of doubles and of pairs, lane 0 lowest.
    pub(super) doubles: u32,
    pub(super) pairs: u32,
    /// The change of each game's selected play: the planes of a [`PlaneDelta`](crate::plays::PlaneDelta), of which the
    /// last two are equal.
    pub(super) selected: [I::Vector; 3],
}

impl<I: Isa> Block<I> {
    /// The player on roll and the other.
    #[inline(always)]
    pub(super) fn sides(&self, isa: I) -> [SideVectors<I::Vector>; 2] {
        [load(isa, &self.sides[0]), load(isa, &self.sides[1])]
    }

    /// The next word of each lane's stream.
    #[inline(always)]
    pub(super) fn next_word(&mut self, isa: I) -> I::Vector {
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
    pub(super) fn redraw<G: Variant>(&self, game: &G, lanes: u32, counts: &mut [LaneArray<I>; 4]) {
        for lane in set_bits(lanes) {
            let after = scalar::redrawn(game, &self.position(lane), self.words.as_ref()[lane]);
            for (words, plane) in counts.iter_mut().zip(after) {
                words.as_mut()[lane] = plane;
            }
        }
    }
}

impl<I: Isa> LaneBlock for Block<I> {
    type Isa = I;
    type Game = BatchGame;
    type Extras = ();

    fn idle(isa: I, _index: usize, _extras: &mut ()) -> Block<I> {
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

    #[inline(always)]
    fn active(&self) -> u32 {
        self.active
    }

    #[inline(always)]
    fn set_active(&mut self, lanes: u32) {
        self.active = lanes;
    }

    #[inline(always)]
    fn game(&self, _index: usize, lane: usize, ply: u32, _extras: &()) -> BatchGame {
        BatchGame {
            playout: Playout {
                position: self.position(lane),
                stream: array::from_fn(|word| self.stream[word].as_ref()[lane]),
                roll: None,
                plies: ply.wrapping_sub(self.begun.as_ref()[lane]),
            },
            tag: self.tags[lane],
        }
    }

    #[inline(always)]
    fn set_game(&mut self, _index: usize, lane: usize, ply: u32, _extras: &mut (), game: &BatchGame) {
        let Position { own, opponent } = &game.playout.position;
        for (words, side) in self.sides.iter_mut().zip([own, opponent]) {
            for bit in 0..4 {
                words[bit].as_mut()[lane] = side.counts[bit];
            }
            words[4].as_mut()[lane] = side.pinned;
        }
        for (words, word) in self.stream.iter_mut().zip(game.playout.stream) {
            words.as_mut()[lane] = word;
        }
        self.begun.as_mut()[lane] = ply.wrapping_sub(game.playout.plies);
        self.tags[lane] = game.tag;
    }
}

#[inline(always)]
fn load<I: Isa>(isa: I, [a, b, c, d, pinned]: &[LaneArray<I>; 5]) -> SideVectors<I::Vector> {
    SideVectors { counts: [isa.load(a), isa.load(b), isa.load(c), isa.load(d)], pinned: isa.load(pinned) }
}

#[inline(always)]
pub(super) fn load_counts<I: Isa>(isa: I, [a, b, c, d]: &[LaneArray<I>; 4]) -> CheckerPlanes<I::Vector> {
    [isa.load(a), isa.load(b), isa.load(c), isa.load(d)]
}

#[inline(always)]
pub(super) fn store<V: Vector>([a, b, c, d]: CheckerPlanes<V>) -> [V::LaneArray; 4] {
    [a.store(), b.store(), c.store(), d.store()]
}

#[inline(always)]
pub(super) fn side_words<V: Vector>(side: &SideVectors<V>) -> [V::LaneArray; 5] {
    let [a, b, c, d] = store(side.counts);
    [a, b, c, d, side.pinned.store()]
}
