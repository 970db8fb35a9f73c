//! Captures of any length, jump by jump.

use tavli_simd::{Isa, Scalar, Word};

use super::masks::{Masks, Pieces};
use crate::board::squares::Mover;
use crate::rules::Captures;

/// A capture: where the piece came from and is now, the pieces it jumped, and the directions of its jumps.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Capture {
    /// The square that the piece came from, as a set.
    pub(crate) from: u32,
    /// The square that it stands on.
    pub(crate) to: u32,
    /// The squares of the pieces jumped.
    pub(crate) over: u32,
    /// The direction of each jump, two bits for each, the first lowest.
    pub(crate) directions: u32,
    /// The number of jumps.
    pub(crate) jumps: u32,
    goes_on: bool,
}

impl Capture {
    /// Whether another capture of the position leads to the same position.
    fn has_result_of(&self, other: &Capture) -> bool {
        // A king that goes round a loop ends where it began: whichever king it was, only the pieces taken change.
        self.over == other.over && self.from ^ self.to == other.from ^ other.to
    }
}

/// The captures of a position in the order of its plays.
#[derive(Clone, Debug, Default)]
pub(crate) struct CaptureList {
    /// Captures under way, all of the same number of jumps, and the captures of one jump more.
    now: Vec<Capture>,
    next: Vec<Capture>,
    list: Vec<Capture>,
}

/// From this number of jumps on a king can go round a closed loop, either way, and two kings can take the same pieces
/// along it. A capture of fewer jumps leads to a position that no other leads to.
const LOOP: u32 = 4;

impl CaptureList {
    /// Lists the captures that are plays: the first of those that lead to the same position.
    pub(crate) fn list<M: Mover>(&mut self, own: u32, other: u32, kings: u32, captures: Captures) -> &[Capture] {
        let is_new = |list: &[Capture], capture: &Capture| {
            capture.jumps < LOOP || !list.iter().any(|old| old.has_result_of(capture))
        };
        self.list_if::<M>(own, other, kings, captures, is_new)
    }

    /// Lists all captures, also several that lead to one position.
    pub(crate) fn list_all<M: Mover>(&mut self, own: u32, other: u32, kings: u32, captures: Captures) -> &[Capture] {
        self.list_if::<M>(own, other, kings, captures, |_, _| true)
    }

    /// Lists the captures that `is_listed` accepts; it gets those listed before, too.
    fn list_if<M: Mover>(
        &mut self,
        own: u32,
        other: u32,
        kings: u32,
        captures: Captures,
        is_listed: impl Fn(&[Capture], &Capture) -> bool,
    ) -> &[Capture] {
        let [own, other, kings] = [own, other, kings].map(|set| Scalar.splat(set));
        let pieces = Pieces { own, other, kings };
        let masks = Masks::new::<M>(&pieces);
        let [own, other, kings] = [own, other, kings].map(Word::get);
        let empty = !(own | other);
        self.list.clear();
        self.now.clear();
        for direction in 0..4 {
            let mut movers = masks.jumps[direction];
            while let Some(from) = movers.take_lowest() {
                let from = from.get();
                let over = from.rotate_left(M::ROTATIONS[direction]);
                self.now.push(Capture {
                    from,
                    to: over.rotate_left(M::ROTATIONS[direction]),
                    over,
                    directions: direction as u32,
                    jumps: 1,
                    goes_on: false,
                });
            }
        }
        while !self.now.is_empty() {
            self.next.clear();
            // Directions outside, captures inside: the order of plays in `specification.rs`.
            for direction in 0..4 {
                for capture in &mut self.now {
                    // A man that has become a king stops: on the last row no square lies in front of it.
                    if direction >= 2 && capture.from & kings == 0 {
                        continue;
                    }
                    let rotation = M::ROTATIONS[direction];
                    let neighbours = M::NEIGHBOURS[direction];
                    // Pieces jumped stand until the capture ends: they are not jumped again, and free no square.
                    let over = (capture.to & neighbours).rotate_left(rotation) & other & !capture.over;
                    // The square that it came from is free to the piece.
                    let to = (over & neighbours).rotate_left(rotation) & (empty | capture.from);
                    if to != 0 {
                        capture.goes_on = true;
                        self.next.push(Capture {
                            from: capture.from,
                            to,
                            over: capture.over | over,
                            // At most twelve jumps, one for each piece of a side: 24 bits.
                            directions: capture.directions | (direction as u32) << (2 * capture.jumps),
                            jumps: capture.jumps + 1,
                            goes_on: false,
                        });
                    }
                }
            }
            for &capture in &self.now {
                if capture.goes_on && captures != Captures::OptionalMayStop {
                    continue;
                }
                if is_listed(&self.list, &capture) {
                    self.list.push(capture);
                }
            }
            core::mem::swap(&mut self.now, &mut self.next);
        }
        &self.list
    }
}
