//! A side's words and how they change when checkers move.

use self::Need::{Any, Clear, Never, Set};
use super::side::Moved;
use super::step_list::StepList;
use crate::board::OFF;
use tavli_simd::{Bits, Eight, Places, Vector, Word};

/// A side's words, and the differences that one checker less, or one more, makes to each point. The words after a move
/// are then a few operations on all of them at once.
#[derive(Clone, Copy)]
pub(crate) struct Deltas<E> {
    words: E,
    removal: E,
    addition: E,
}

impl<E: Eight> Deltas<E> {
    /// The deltas of a side in words. `word` proves the instruction set.
    #[inline(always)]
    pub(crate) fn new<B: Bits<Eight = E>>(words: E, word: Word<B>) -> Deltas<E> {
        let [ones, twos, fours, eights] = PLACES.each_ref().map(|places| words.at(places));
        let removal = (ones ^ word.eight(REMOVAL[0].inverted()))
            & (twos ^ word.eight(REMOVAL[1].inverted()))
            & (fours ^ word.eight(REMOVAL[2].inverted()))
            & (eights ^ word.eight(REMOVAL[3].inverted()));
        let addition = (ones ^ word.eight(ADDITION[0].inverted()))
            & (twos ^ word.eight(ADDITION[1].inverted()))
            & (fours ^ word.eight(ADDITION[2].inverted()))
            & (eights ^ word.eight(ADDITION[3].inverted()));
        Deltas {
            words,
            removal,
            addition,
        }
    }

    /// A side whose checkers stay.
    #[inline(always)]
    pub(crate) fn at_rest(words: E) -> Deltas<E> {
        let none = words.repeat(0);
        Deltas {
            words,
            removal: none,
            addition: none,
        }
    }

    /// The side's words before the move.
    #[inline(always)]
    pub(crate) fn words(&self) -> E {
        self.words
    }

    /// The words with one checker less on every point of `sources` and one more on every point of `landings`. No point
    /// is in both, and every source must have a checker.
    #[inline(always)]
    pub(crate) fn moved_between<B: Bits<Eight = E>>(
        &self,
        sources: Word<B>,
        landings: Word<B>,
    ) -> E {
        let removed = self.words.repeat(sources.get()) & self.removal;
        let added = self.words.repeat(landings.get()) & self.addition;
        self.words ^ removed ^ added
    }

    /// The side after one checker has moved by `die` from `source`. Without `BEAR_OFF` it stays on the board.
    #[inline(always)]
    pub(crate) fn moved<const BEAR_OFF: bool, B: Bits<Eight = E>>(
        &self,
        source: Word<B>,
        die: Word<B>,
    ) -> Moved<B> {
        let landings = landings::<BEAR_OFF, _>(source, die);
        Moved {
            words: self.moved_between(source, landings),
            landings,
            steps: StepList::NONE.and(source, die),
        }
    }

    /// The side after one checker has moved by `die` from each of `sources`. One may land where another started.
    #[inline(always)]
    pub(crate) fn stepped<const BEAR_OFF: bool, B: Bits<Eight = E>>(
        &self,
        sources: Word<B>,
        die: Word<B>,
    ) -> Deltas<E> {
        let landings = landings::<BEAR_OFF, _>(sources, die);
        Deltas::new(
            self.moved_between(sources & !landings, landings & !sources),
            die,
        )
    }
}

/// The points on the board where checkers land that move by `die`. Without `BEAR_OFF` all of them stay on the board.
#[inline(always)]
pub(crate) fn landings<const BEAR_OFF: bool, V: Vector>(sources: V, die: V) -> V {
    let landings = sources.shr(die);
    if BEAR_OFF {
        landings & !(1 << OFF)
    } else {
        landings
    }
}

/// What a bit of a point's count must be for the point's bit of a word to change.
#[derive(Clone, Copy)]
enum Need {
    Set,
    Clear,
    /// Set or clear.
    Any,
    /// The word never changes.
    Never,
}

/// What one bit of the count must be, for each word of a side in the order of [`side`](super::side).
struct Needs([Need; 8]);

impl Needs {
    /// The word to combine, by exclusive or, with the bit of the count, or with 0 where it does not matter. The result
    /// is set where the need is met.
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

/// What the ones, twos, fours and eights of a count must be for a word to change where a checker leaves. A bit of the
/// count changes if all lower bits are clear. A point is no longer occupied if there was one checker, and no longer
/// made if there were two.
const REMOVAL: [Needs; 4] = [
    Needs([Any, Clear, Clear, Clear, Set, Clear, Never, Never]),
    Needs([Any, Any, Clear, Clear, Clear, Set, Never, Never]),
    Needs([Any, Any, Any, Clear, Clear, Clear, Never, Never]),
    Needs([Any, Any, Any, Any, Clear, Clear, Never, Never]),
];

/// The same where a checker lands. A bit of the count changes if all lower bits are set. A point becomes occupied if
/// there was no checker, and made if there was one.
const ADDITION: [Needs; 4] = [
    Needs([Any, Set, Set, Set, Clear, Set, Never, Never]),
    Needs([Any, Any, Set, Set, Clear, Clear, Never, Never]),
    Needs([Any, Any, Any, Set, Clear, Clear, Never, Never]),
    Needs([Any, Any, Any, Any, Clear, Clear, Never, Never]),
];

/// For each bit of a count the words that it matters to. They are the same in both tables.
const PLACES: [Places; 4] = [places(0), places(1), places(2), places(3)];

/// The words that a bit of the count matters to.
const fn places(bit: usize) -> Places {
    let mut words = [None; 8];
    let mut word = 0;
    while word < 8 {
        if let Set | Clear = REMOVAL[bit].0[word] {
            words[word] = Some(bit as u32);
        }
        word += 1;
    }
    Places::new(words)
}
