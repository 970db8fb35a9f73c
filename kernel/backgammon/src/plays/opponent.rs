//! The opponent's side as plays are listed.

use super::packed_side::{self, MovedSide};
use super::planes::{self, mirror};
use super::play::Play;
use crate::board::{Board, SideCheckers};
use tavli_simd::{ScalarIsa, Vector, Word};

/// The opponent's side as plays are listed, one after another.
pub(super) struct Opponent<'a, B: ScalarIsa> {
    before: &'a SideCheckers,
    /// The blots before a play, in the mover's frame.
    blots: Word<B>,
    /// The blots that the last play hit.
    hits: Word<B>,
    /// The words after the last play. They change only when other blots are hit, and most plays hit none.
    after: B::U32x8,
}

impl<'a, B: ScalarIsa> Opponent<'a, B> {
    #[inline(always)]
    pub(super) fn new(before: &'a SideCheckers, blots: Word<B>) -> Self {
        Opponent { before, blots, hits: blots.splat(0), after: packed_side::words(before, blots) }
    }

    /// The play after which the mover's side is `moved`.
    #[inline(always)]
    pub(super) fn play(&mut self, moved: &MovedSide<B>) -> Play {
        let hits = moved.landings & self.blots;
        // Kept from play to play: 1.09 times as many results a second (profiles/LOG.md, 2026-11-20).
        if !hits.lanes_equal(self.hits) {
            let mut counts = packed_side::counts(packed_side::words(self.before, hits), hits);
            planes::send_to_bar(&mut counts, mirror(hits));
            self.hits = hits;
            self.after = packed_side::from_counts(&counts);
        }
        Play {
            board: Board::from_sides(packed_side::from_words(self.after), packed_side::from_words(moved.words)),
            hits: hits.get(),
        }
    }
}
