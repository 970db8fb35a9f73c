//! Where the checkers of both sides stand.

use tavli_simd::{Isa, Vector};

pub(crate) use crate::points::{CHECKERS, HOME_AND_OFF, MAX_STEPS, OFF_BIT, ON_BOARD, POINTS, START, START_BIT};

/// The checkers of one side, in its own frame: they move from point 24 down to point 1. Bit `p` of a word is point `p`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct SideCheckers {
    /// Bit `k` of the number of free checkers on each point.
    pub(crate) counts: [u32; 4],
    /// Points on which a checker of this side is pinned.
    pub(crate) pinned: u32,
}

impl SideCheckers {
    /// The number of checkers on a point, 1 to 24, that are not pinned.
    #[must_use]
    pub fn free(&self, point: usize) -> u32 {
        let bit = |plane: u32| self.counts[plane as usize] >> point & 1;
        bit(0) + 2 * bit(1) + 4 * bit(2) + 8 * bit(3)
    }

    /// Whether a checker is pinned on a point, 1 to 24.
    #[must_use]
    pub fn is_pinned(&self, point: usize) -> bool {
        self.pinned >> point & 1 == 1
    }

    /// The checkers on a point, 1 to 24, with a pinned one.
    #[must_use]
    pub fn checkers(&self, point: usize) -> u32 {
        self.free(point) + u32::from(self.is_pinned(point))
    }

    /// The checkers on the board.
    #[must_use]
    pub fn on_board(&self) -> u32 {
        let [ones, twos, fours, eights] = self.counts.map(u32::count_ones);
        ones + 2 * twos + 4 * fours + 8 * eights + self.pinned.count_ones()
    }

    /// The checkers that are borne off.
    #[must_use]
    pub fn off(&self) -> u32 {
        CHECKERS - self.on_board()
    }

    /// The pips that the checkers have to go, pinned ones included.
    #[must_use]
    pub fn pips(&self) -> u32 {
        let [ones, twos, fours, eights] = self.counts.map(numbers);
        ones + 2 * twos + 4 * fours + 8 * eights + numbers(self.pinned)
    }

    /// Points with free checkers.
    pub(crate) fn occupied(&self) -> u32 {
        self.counts.into_iter().fold(0, |all, plane| all | plane)
    }

    /// The free checkers outside the home board.
    pub(crate) fn outside(&self) -> u32 {
        (7..=POINTS).map(|point| self.free(point)).sum()
    }

    /// This side with some number of free checkers more on a point. At most 15 may stand there.
    pub(crate) fn put(&mut self, point: usize, number: u32) {
        let sum = self.free(point) + number;
        for (bit, plane) in self.counts.iter_mut().enumerate() {
            *plane = *plane & !(1 << point) | (sum >> bit & 1) << point;
        }
    }
}

/// The sum of the numbers of the points that are set, bit by bit: a popcount of the points whose number has the bit.
fn numbers(points: u32) -> u32 {
    const WITH_BIT: [u32; 5] = {
        let (mut with, mut point) = ([0; 5], 1);
        while point <= POINTS {
            let mut bit = 0;
            while bit < 5 {
                with[bit] |= (point as u32 >> bit & 1) << point;
                bit += 1;
            }
            point += 1;
        }
        with
    };
    let counts = WITH_BIT.iter().enumerate();
    counts.map(|(bit, with)| (points & with).count_ones() << bit).sum()
}

/// A position before its roll, each side in its own frame.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    /// The player on roll.
    pub(crate) own: SideCheckers,
    /// The other player.
    pub(crate) opponent: SideCheckers,
}

impl Position {
    /// All checkers on their starts.
    pub(crate) fn start() -> Position {
        let mut side = SideCheckers::default();
        side.put(START, CHECKERS);
        Position { own: side, opponent: side }
    }

    /// The checkers of the player on roll.
    #[must_use]
    pub fn own(&self) -> &SideCheckers {
        &self.own
    }

    /// The checkers of the other player, in the frame of that player.
    #[must_use]
    pub fn opponent(&self) -> &SideCheckers {
        &self.opponent
    }

    /// The same position with the other player on roll.
    #[must_use]
    pub fn swapped(&self) -> Position {
        Position { own: self.opponent, opponent: self.own }
    }
}

/// The checkers of one side in the lanes of vectors.
#[derive(Clone, Copy, Debug)]
pub struct SideVectors<V> {
    pub(crate) counts: [V; 4],
    pub(crate) pinned: V,
}

impl<V: Vector> SideVectors<V> {
    /// The same side in every lane.
    #[inline(always)]
    pub(crate) fn splat<I: Isa<Vector = V>>(isa: I, side: &SideCheckers) -> SideVectors<V> {
        SideVectors {
            counts: side.counts.map(
                #[inline(always)]
                |plane| isa.splat(plane),
            ),
            pinned: isa.splat(side.pinned),
        }
    }
}
