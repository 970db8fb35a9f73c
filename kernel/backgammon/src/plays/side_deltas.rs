//! A side's words, and how each changes when a checker leaves or lands.

use self::Need::{Any, Clear, Never, Set};
use super::packed_side::MovedSide;
use super::step_list::StepList;
use crate::board::OFF;
use tavli_simd::{ScalarIsa, ShuffleIndices, U32x8, Vector, Word};

/// A side's words, and the bits of them that change where a checker leaves and where one lands. The words after a move
/// are a few operations on all eight at once.
#[derive(Clone, Copy)]
pub(crate) struct SideDeltas<E> {
    words: E,
    removal: E,
    addition: E,
}

impl<E: U32x8> SideDeltas<E> {
    /// The deltas of a side in words. `word` proves the instruction set.
    #[inline(always)]
    pub(crate) fn new<B: ScalarIsa<U32x8 = E>>(words: E, word: Word<B>) -> SideDeltas<E> {
        // From the bits of the counts alone, by four shuffles: with the occupied and the made points there were seven
        // permutations, and plays came 2 % slower (profiles/LOG.md, 2026-11-20).
        let [ones, twos, fours, eights] = INDICES.each_ref().map(|indices| words.shuffle(indices));
        let removal = (ones ^ word.u32x8(REMOVAL[0].inverted()))
            & (twos ^ word.u32x8(REMOVAL[1].inverted()))
            & (fours ^ word.u32x8(REMOVAL[2].inverted()))
            & (eights ^ word.u32x8(REMOVAL[3].inverted()));
        let addition = (ones ^ word.u32x8(ADDITION[0].inverted()))
            & (twos ^ word.u32x8(ADDITION[1].inverted()))
            & (fours ^ word.u32x8(ADDITION[2].inverted()))
            & (eights ^ word.u32x8(ADDITION[3].inverted()));
        SideDeltas { words, removal, addition }
    }

    /// A side that does not move.
    #[inline(always)]
    pub(crate) fn at_rest(words: E) -> SideDeltas<E> {
        let none = words.broadcast(0);
        SideDeltas { words, removal: none, addition: none }
    }

    /// The side's words before the move.
    #[inline(always)]
    pub(crate) fn words(&self) -> E {
        self.words
    }

    /// The words with one checker less on every point of `sources` and one more on every point of `landings`. No point
    /// is in both, and every source must have a checker.
    #[inline(always)]
    pub(crate) fn moved_between<B: ScalarIsa<U32x8 = E>>(&self, sources: Word<B>, landings: Word<B>) -> E {
        let removed = self.words.broadcast(sources.get()) & self.removal;
        let added = self.words.broadcast(landings.get()) & self.addition;
        self.words ^ removed ^ added
    }

    /// The side after one checker has moved by `die` from `source`. Without `BEAR_OFF` it stays on the board.
    #[inline(always)]
    pub(crate) fn moved<const BEAR_OFF: bool, B: ScalarIsa<U32x8 = E>>(
        &self,
        source: Word<B>,
        die: Word<B>,
    ) -> MovedSide<B> {
        let landings = landings::<BEAR_OFF, _>(source, die);
        MovedSide { words: self.moved_between(source, landings), landings, steps: StepList::NONE.and(source, die) }
    }

    /// The side after one checker has moved by `die` from each of `sources`. One may land where another started.
    #[inline(always)]
    pub(crate) fn stepped<const BEAR_OFF: bool, B: ScalarIsa<U32x8 = E>>(
        &self,
        sources: Word<B>,
        die: Word<B>,
    ) -> SideDeltas<E> {
        let landings = landings::<BEAR_OFF, _>(sources, die);
        // A point that one checker leaves and another reaches keeps its count.
        SideDeltas::new(self.moved_between(sources & !landings, landings & !sources), die)
    }
}

/// The points on the board where checkers land that move by `die`. Without `BEAR_OFF` all of them stay on the board.
#[inline(always)]
pub(crate) fn landings<const BEAR_OFF: bool, V: Vector>(sources: V, die: V) -> V {
    let landings = sources.shr(die);
    if BEAR_OFF { landings & !(1 << OFF) } else { landings }
}

/// A condition on one bit of a point's count, under which the point's bit of a word changes.
#[derive(Clone, Copy)]
enum Need {
    Set,
    Clear,
    /// Set or clear.
    Any,
    /// The word never changes.
    Never,
}

/// The needed value of one bit of the count, for each word of a side in the order of
/// [`packed_side`](super::packed_side).
struct Needs([Need; 8]);

impl Needs {
    /// XOR masks: the XOR of a mask with the bit of the count (0 where the bit does not matter) is set where the need
    /// is met.
    const fn inverted(&self) -> [u32; 8] {
        let mut inverted = [0; 8];
        let mut word = 0;
        while word < 8 {
            if let Need::Clear | Need::Any = self.0[word] {
                inverted[word] = !0;
            }
            word += 1;
        }
        inverted
    }
}

/// The conditions where a checker leaves, for the ones, twos, fours and eights of the count. A bit of the count changes
/// if all lower bits are clear. A point is no longer occupied if there was one checker, and no longer made if there
/// were two.
const REMOVAL: [Needs; 4] = [
    Needs([Any, Clear, Clear, Clear, Set, Clear, Never, Never]),
    Needs([Any, Any, Clear, Clear, Clear, Set, Never, Never]),
    Needs([Any, Any, Any, Clear, Clear, Clear, Never, Never]),
    Needs([Any, Any, Any, Any, Clear, Clear, Never, Never]),
];

/// The conditions where a checker lands. A bit of the count changes if all lower bits are set. A point becomes occupied
/// if there was no checker, and made if there was one.
const ADDITION: [Needs; 4] = [
    Needs([Any, Set, Set, Set, Clear, Set, Never, Never]),
    Needs([Any, Any, Set, Set, Clear, Clear, Never, Never]),
    Needs([Any, Any, Any, Set, Clear, Clear, Never, Never]),
    Needs([Any, Any, Any, Any, Clear, Clear, Never, Never]),
];

/// For each bit of a count the words that depend on it: the same ones in both tables.
const INDICES: [ShuffleIndices; 4] = [places(0), places(1), places(2), places(3)];

/// The words that depend on a bit of the count.
const fn places(bit: usize) -> ShuffleIndices {
    let mut words = [None; 8];
    let mut word = 0;
    while word < 8 {
        if let Set | Clear = REMOVAL[bit].0[word] {
            words[word] = Some(bit as u32);
        }
        word += 1;
    }
    ShuffleIndices::new(words)
}
