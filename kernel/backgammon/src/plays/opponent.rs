//! The opponent's side as plays are listed.

use super::planes::{self, mirror};
use super::play::Play;
use super::side::{self, Moved};
use crate::board::{Board, Side};
use tavli_simd::{Bits, Vector, Word};

/// The opponent's side as plays are listed, one after another.
pub(super) struct Opponent<'a, B: Bits> {
    before: &'a Side,
    /// The blots before a play, in the mover's frame.
    blots: Word<B>,
    /// The blots that the last play hit.
    hits: Word<B>,
    /// The words after the last play. They change only when other blots are hit, and most plays hit none.
    after: B::Eight,
}

impl<'a, B: Bits> Opponent<'a, B> {
    #[inline(always)]
    pub(super) fn new(before: &'a Side, blots: Word<B>) -> Self {
        Opponent {
            before,
            blots,
            hits: blots.splat(0),
            after: side::words(before, blots),
        }
    }

    /// The play after which the mover's side is `moved`.
    #[inline(always)]
    pub(super) fn play(&mut self, moved: &Moved<B>) -> Play {
        let hits = moved.landings & self.blots;
        if !hits.equals(self.hits) {
            let mut counts = side::counts(side::words(self.before, hits), hits);
            planes::send_to_bar(&mut counts, mirror(hits));
            self.hits = hits;
            self.after = side::of_counts(&counts);
        }
        Play {
            board: Board::from_sides(side::of_words(self.after), side::of_words(moved.words)),
            hits: hits.get(),
        }
    }
}
