//! A play as what it changes.

use core::fmt;

use bytemuck::NoUninit;

use super::planes::{self, Counts, Steps, mirror};
use crate::board::{Planes, PointSet};
use tavli_simd::{AnyCpu, Bits, Isa, Vector, Word};

/// A play as what it changes: points of the mover that end with fewer checkers than before, points that end with
/// more, and blots that are hit. 28 bytes.
///
/// A checker borne off leaves a point and lands on none. What a checker passes on its way does not count, unless it
/// hits there. The numbers of checkers are in bit planes as in [`Planes`], three of them, since a play moves at most
/// four checkers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, NoUninit, Default)]
#[repr(C)]
pub struct Change {
    fewer: Steps<u32>,
    more: Steps<u32>,
    hits: u32,
}

impl Change {
    /// How many checkers each point of the mover loses, as bit planes.
    #[must_use]
    #[inline]
    pub const fn fewer(&self) -> [u32; 3] {
        self.fewer
    }

    /// How many checkers each point of the mover gains, as bit planes.
    #[must_use]
    #[inline]
    pub const fn more(&self) -> [u32; 3] {
        self.more
    }

    /// The points, in the mover's frame, on which a blot is hit, as a mask: bit `p` for point `p`.
    #[must_use]
    #[inline]
    pub const fn hit_mask(&self) -> u32 {
        self.hits
    }

    /// The points of the mover that lose checkers, and how many, 1 to 4.
    pub fn losing(&self) -> impl Iterator<Item = (u8, u8)> {
        numbers(self.fewer)
    }

    /// The points of the mover that gain checkers, and how many, 1 to 4.
    pub fn gaining(&self) -> impl Iterator<Item = (u8, u8)> {
        numbers(self.more)
    }

    /// The points, in the mover's frame, on which a blot is hit.
    #[must_use]
    pub fn hits(&self) -> PointSet {
        PointSet::of_mask(self.hits)
    }

    /// What leads from the mover's counts before a play to those after it.
    #[inline(always)]
    pub(crate) fn between<V: Vector>(before: &Counts<V>, after: &Counts<V>) -> [Steps<V>; 2] {
        // The difference in two's complement; its bits above the second are the sign.
        let [a0, a1, a2, a3] = *after;
        let [b0, b1, b2, b3] = *before;
        let d0 = a0 ^ b0;
        let borrow = b0 & !a0;
        let d1 = a1 ^ b1 ^ borrow;
        let borrow = a1.borrow(b1, borrow);
        let d2 = a2 ^ b2 ^ borrow;
        let borrow = a2.borrow(b2, borrow);
        let negative = a3 ^ b3 ^ borrow;
        // Its negative: all bits inverted, and one more.
        let (n0, n1, n2) = (d0, d1 ^ d0, d2 ^ (d1 | d0));
        [
            [n0 & negative, n1 & negative, n2 & negative],
            [d0 & !negative, d1 & !negative, d2 & !negative],
        ]
    }

    /// The change of these steps.
    #[inline(always)]
    pub(crate) fn of_steps<B: Bits>([fewer, more]: [Steps<Word<B>>; 2], hits: Word<B>) -> Change {
        Change {
            fewer: fewer.map(Word::get),
            more: more.map(Word::get),
            hits: hits.get(),
        }
    }

    /// The position after this play of a position, seen by the player next on roll.
    #[must_use]
    pub fn made_in(&self, position: &Planes) -> Planes {
        let words = |counts: [u32; 4]| counts.map(|word| AnyCpu.splat(word));
        let mut mover = words(position.own());
        let mut other = words(position.opponent());
        let steps = |steps: Steps<u32>| steps.map(|word| AnyCpu.splat(word));
        planes::move_checkers(&mut mover, &steps(self.fewer), &steps(self.more));
        planes::send_to_bar(&mut other, mirror(AnyCpu.splat(self.hits)));
        Planes::of_sides(other.map(Word::get), mover.map(Word::get))
    }
}

/// The points of planes and their numbers.
fn numbers(planes: Steps<u32>) -> impl Iterator<Item = (u8, u8)> {
    let [ones, twos, fours] = planes;
    PointSet::of_mask(ones | twos | fours).map(move |point| {
        let bit = |plane: u32| (plane >> point & 1) as u8;
        (point, bit(ones) + 2 * bit(twos) + 4 * bit(fours))
    })
}

impl fmt::Debug for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Change")
            .field("losing", &self.losing().collect::<Vec<_>>())
            .field("gaining", &self.gaining().collect::<Vec<_>>())
            .field("hits", &self.hits().collect::<Vec<_>>())
            .finish()
    }
}

const _: () = assert!(size_of::<Change>() == 28);
