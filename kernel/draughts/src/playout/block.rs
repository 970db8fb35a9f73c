//! The games of one vector.

use tavli_simd::{Isa, Vector};

use crate::board::squares::Mover;
use crate::board::{Position, Side};
use crate::plays::Pieces;

/// A game in each lane of a vector, as words in memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block<W> {
    /// Black's pieces, and White's.
    pub(super) sides: [W; 2],
    pub(super) kings: W,
    /// The plies that the draw rule counts.
    pub(super) quiet: W,
    /// The state of each game's generator.
    pub(super) stream: [W; 4],
    /// The lanes with a game in play. The others hold pieces and a generator that do not matter.
    pub(super) playing: u32,
}

impl<W: Copy + AsRef<[u32]> + AsMut<[u32]>> Block<W> {
    /// No games.
    #[inline(always)]
    pub(super) fn empty<I>(isa: I) -> Block<W>
    where
        I: Isa,
        I::Vector: Vector<LaneArray = W>,
    {
        let zero = isa.splat(0).store();
        Block { sides: [zero; 2], kings: zero, quiet: zero, stream: [zero; 4], playing: 0 }
    }

    /// The pieces of all lanes.
    #[inline(always)]
    pub(super) fn pieces<M: Mover, I>(&self, isa: I) -> Pieces<I::Vector>
    where
        I: Isa,
        I::Vector: Vector<LaneArray = W>,
    {
        Pieces {
            own: isa.load(&self.sides[M::SIDE as usize]),
            other: isa.load(&self.sides[M::SIDE.other() as usize]),
            kings: isa.load(&self.kings),
        }
    }

    /// Begins a game in a lane.
    #[inline(always)]
    pub(super) fn begin(&mut self, lane: usize, position: &Position, stream: [u32; 4]) {
        for side in [Side::Black, Side::White] {
            self.sides[side as usize].as_mut()[lane] = position.pieces(side);
        }
        self.kings.as_mut()[lane] = position.kings();
        self.quiet.as_mut()[lane] = u32::from(position.quiet());
        for (words, word) in self.stream.iter_mut().zip(stream) {
            words.as_mut()[lane] = word;
        }
        self.playing |= 1 << lane;
    }

    /// The position of a lane's game, in which `side` is to move.
    pub(super) fn position(&self, lane: usize, side: Side) -> Position {
        let [black, white] = self.sides;
        let [black, white, kings, quiet] = [black, white, self.kings, self.quiet].map(|words| words.as_ref()[lane]);
        // A game with more plies of this kind has ended.
        Position::unchecked([black, white, kings], side, quiet as u8)
    }

    /// Takes a game in play out of a lane into a lane of another block.
    #[inline(always)]
    pub(super) fn move_game(&mut self, lane: usize, to: &mut Block<W>, to_lane: usize) {
        let words = |block: &mut Block<W>, lane: usize| -> [u32; 8] {
            let Block { sides: [black, white], kings, quiet, stream: [a, b, c, d], .. } = *block;
            [black, white, kings, quiet, a, b, c, d].map(|words| words.as_ref()[lane])
        };
        let [black, white, kings, quiet, stream @ ..] = words(self, lane);
        to.sides[0].as_mut()[to_lane] = black;
        to.sides[1].as_mut()[to_lane] = white;
        to.kings.as_mut()[to_lane] = kings;
        to.quiet.as_mut()[to_lane] = quiet;
        for (words, word) in to.stream.iter_mut().zip(stream) {
            words.as_mut()[to_lane] = word;
        }
        self.playing &= !(1 << lane);
        to.playing |= 1 << to_lane;
    }
}
