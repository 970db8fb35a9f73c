//! A side as eight words that are worked on at once: the ones, twos, fours and eights of the counts, the
//! points that are occupied and those that are made, and two that are zero.

use super::planes::Counts;
use super::step_list::StepList;
use crate::board::Side;
use tavli_simd::{Bits, Eight, Vector, Word};

/// A side's words; `word` stands for the instruction set.
#[inline(always)]
pub(crate) fn words<B: Bits>(side: &Side, word: Word<B>) -> B::Eight {
    word.eight(bytemuck::cast(*side))
}

/// The side of these words.
#[inline(always)]
pub(crate) fn of_words(words: impl Eight) -> Side {
    Side::from_words(words.words())
}

/// The counts of the side of these words.
#[inline(always)]
pub(crate) fn counts<B: Bits>(words: B::Eight, word: Word<B>) -> Counts<Word<B>> {
    let [ones, twos, fours, eights, ..] = words.words();
    [
        word.splat(ones),
        word.splat(twos),
        word.splat(fours),
        word.splat(eights),
    ]
}

/// The words of the side with these counts.
#[inline(always)]
pub(crate) fn of_counts<B: Bits>([ones, twos, fours, eights]: &Counts<Word<B>>) -> B::Eight {
    let side = Side::from_planes([ones.get(), twos.get(), fours.get(), eights.get()]);
    words(&side, *ones)
}

/// The mover's side after some checkers have moved.
#[derive(Clone, Copy)]
pub(crate) struct Moved<B: Bits> {
    /// The side's words.
    pub(crate) words: B::Eight,
    /// Points that a checker landed on, also on its way.
    pub(crate) landings: Word<B>,
    /// How they moved, where that is asked for.
    pub(crate) steps: StepList,
}
