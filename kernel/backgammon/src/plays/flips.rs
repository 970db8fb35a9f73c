//! A side's words as one checker more is moved, and another after it.

use self::Need::{Any, Clear, Never, Set};
use super::Moved;
use crate::board::OFF;
use tavli_simd::{Bits, Eight, Places, Vector, Word};

/// A side's words, with the bits of them that flip where a checker is taken from a point, and where one
/// is put on it. The words after any move are then a few operations on all of them at once.
#[derive(Clone, Copy)]
pub(crate) struct Flips<E> {
    words: E,
    taken: E,
    put: E,
}

impl<E: Eight> Flips<E> {
    /// Of a side in words; `word` stands for the instruction set.
    #[inline(always)]
    pub(crate) fn new<B: Bits<Eight = E>>(words: E, word: Word<B>) -> Flips<E> {
        let [ones, twos, fours, eights] = PLACES.each_ref().map(|places| words.at(places));
        let taken = (ones ^ word.eight(TAKEN[0].inverted()))
            & (twos ^ word.eight(TAKEN[1].inverted()))
            & (fours ^ word.eight(TAKEN[2].inverted()))
            & (eights ^ word.eight(TAKEN[3].inverted()));
        let put = (ones ^ word.eight(PUT[0].inverted()))
            & (twos ^ word.eight(PUT[1].inverted()))
            & (fours ^ word.eight(PUT[2].inverted()))
            & (eights ^ word.eight(PUT[3].inverted()));
        Flips { words, taken, put }
    }

    /// Of a side from which nothing more is moved.
    #[inline(always)]
    pub(crate) fn none(words: E) -> Flips<E> {
        let none = words.repeat(0);
        Flips {
            words,
            taken: none,
            put: none,
        }
    }

    /// The side's words before the move.
    #[inline(always)]
    pub(crate) fn words(&self) -> E {
        self.words
    }

    /// The words with one checker taken from every point of `sources` and one put on every point of
    /// `landings`, which are other points. Every source must have a checker.
    #[inline(always)]
    pub(crate) fn exchanged<B: Bits<Eight = E>>(&self, sources: Word<B>, landings: Word<B>) -> E {
        let taken = self.words.repeat(sources.get()) & self.taken;
        let put = self.words.repeat(landings.get()) & self.put;
        self.words ^ taken ^ put
    }

    /// The side after one checker has moved by `die` from `source`; without `BEAR_OFF` it stays on the
    /// board.
    #[inline(always)]
    pub(crate) fn moved<const BEAR_OFF: bool, B: Bits<Eight = E>>(
        &self,
        source: Word<B>,
        die: Word<B>,
    ) -> Moved<B> {
        let landings = landings::<BEAR_OFF, _>(source, die);
        Moved {
            words: self.exchanged(source, landings),
            landings,
        }
    }

    /// The side after one checker has moved by `die` from each of `sources`, some perhaps to where others
    /// started.
    #[inline(always)]
    pub(crate) fn stepped<const BEAR_OFF: bool, B: Bits<Eight = E>>(
        &self,
        sources: Word<B>,
        die: Word<B>,
    ) -> Flips<E> {
        let landings = landings::<BEAR_OFF, _>(sources, die);
        Flips::new(
            self.exchanged(sources & !landings, landings & !sources),
            die,
        )
    }
}

/// Where checkers that move by `die` end up on the board; without `BEAR_OFF` all of them do.
#[inline(always)]
pub(crate) fn landings<const BEAR_OFF: bool, V: Vector>(sources: V, die: V) -> V {
    let landings = sources.shr(die);
    if BEAR_OFF {
        landings & !(1 << OFF)
    } else {
        landings
    }
}

/// What a bit of a point's count must be for the point's bit of a word to flip.
#[derive(Clone, Copy)]
enum Need {
    Set,
    Clear,
    /// Either will do.
    Any,
    /// Neither will do: the word never changes.
    Never,
}

/// What one bit of the count must be, for each word of a side in the order of [`side`].
struct Needs([Need; 8]);

impl Needs {
    /// Bits that are set where the bit of the count must be clear, or either will do: those of a word that is
    /// the bit of the count, or nothing, flipped by them are set where the need is met.
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

/// What the ones, twos, fours and eights of a count must be where a checker is taken: a bit of it flips if all
/// lower ones are clear, a point is no longer occupied if there was one checker, and no longer made if there
/// were two.
const TAKEN: [Needs; 4] = [
    Needs([Any, Clear, Clear, Clear, Set, Clear, Never, Never]),
    Needs([Any, Any, Clear, Clear, Clear, Set, Never, Never]),
    Needs([Any, Any, Any, Clear, Clear, Clear, Never, Never]),
    Needs([Any, Any, Any, Any, Clear, Clear, Never, Never]),
];

/// The same where one is put: a bit of the count flips if all lower ones are set, a point becomes occupied if
/// there was no checker, and made if there was one.
const PUT: [Needs; 4] = [
    Needs([Any, Set, Set, Set, Clear, Set, Never, Never]),
    Needs([Any, Any, Set, Set, Clear, Clear, Never, Never]),
    Needs([Any, Any, Any, Set, Clear, Clear, Never, Never]),
    Needs([Any, Any, Any, Any, Clear, Clear, Never, Never]),
];

/// For each bit of a count the words that it matters to, alike in both tables.
const PLACES: [Places; 4] = [places(0), places(1), places(2), places(3)];

/// The words that a bit of the count matters to.
const fn places(bit: usize) -> Places {
    let mut words = [None; 8];
    let mut word = 0;
    while word < 8 {
        if let Set | Clear = TAKEN[bit].0[word] {
            words[word] = Some(bit as u32);
        }
        word += 1;
    }
    Places::new(words)
}
