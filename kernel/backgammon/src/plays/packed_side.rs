//! A side as eight words in one vector: the ones, twos, fours and eights of the counts, the occupied points, the made
//! points, and two zeros.

use super::planes::CheckerPlanes;
use super::step_list::StepList;
use crate::board::SideCheckers;
use tavli_simd::{ScalarIsa, U32x8, Vector, Word};

/// A side's words; `word` stands for the instruction set.
#[inline(always)]
pub(crate) fn words<B: ScalarIsa>(side: &SideCheckers, word: Word<B>) -> B::U32x8 {
    word.u32x8(bytemuck::cast(*side))
}

#[inline(always)]
pub(crate) fn from_words(words: impl U32x8) -> SideCheckers {
    SideCheckers::from_words(words.words())
}

/// The counts of the side of these words.
#[inline(always)]
pub(crate) fn counts<B: ScalarIsa>(words: B::U32x8, word: Word<B>) -> CheckerPlanes<Word<B>> {
    let [ones, twos, fours, eights, ..] = words.words();
    [word.splat(ones), word.splat(twos), word.splat(fours), word.splat(eights)]
}

/// The words of the side with these counts.
#[inline(always)]
pub(crate) fn from_counts<B: ScalarIsa>([ones, twos, fours, eights]: &CheckerPlanes<Word<B>>) -> B::U32x8 {
    let side = SideCheckers::from_planes([ones.get(), twos.get(), fours.get(), eights.get()]);
    words(&side, *ones)
}

/// The mover's side after some checkers have moved.
#[derive(Clone, Copy)]
pub(crate) struct MovedSide<B: ScalarIsa> {
    /// The side's words.
    pub(crate) words: B::U32x8,
    /// Points that a checker landed on, also on its way.
    pub(crate) landings: Word<B>,
    /// How they moved, where that is asked for.
    pub(crate) steps: StepList,
}
