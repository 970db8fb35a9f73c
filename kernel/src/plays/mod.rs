//! Plays: the distinct positions that a roll can be played to.
//!
//! A play is a distinct resulting position, whatever the order or the checkers that reach it. The fast
//! generator never lists them: it *counts* them in closed form from bit masks, and *unranks* the one of
//! a given index; [`algebra`] shows how, and why each play has exactly one index. The [`reference`](mod@reference)
//! generator is the rules word for word, and what the fast one is tested against.

#[doc = include_str!("../../docs/algebra.md")]
pub mod algebra {}
mod bring_home;
pub mod notation;
mod pairs;
mod perft;
pub mod reference;
mod sliced;
mod subsets;
mod table;
mod towers;

pub use notation::Moves;
pub use perft::{Nodes, perft};

pub(crate) use bring_home::BringHome;
pub(crate) use pairs::Pairs;
pub(crate) use sliced::{Counts, Steps, occupied_and_made};
pub(crate) use table::{Table, Visit, at_most_one_outside, visit_table};
pub(crate) use towers::Towers;

use crate::board::{Board, POINTS, Points, Side};
use crate::dice::Roll;
use crate::rules::{Backgammon, McGammon, RuleSet, Rules};
use crate::simd::{AnyCpu, BitCpu, Bits, Isa, Vector, Word};

/// The points that decide where the mover's checkers may go, in his frame.
#[derive(Clone, Copy)]
pub(crate) struct Masks<V> {
    /// Points with own checkers, the bar included.
    pub(crate) occupied: V,
    /// Points with two or more own checkers.
    pub(crate) made: V,
    /// Points that the opponent has made.
    pub(crate) blocked: V,
    /// Points with one checker of the opponent's.
    pub(crate) blots: V,
}

impl<V: Vector> Masks<V> {
    #[inline(always)]
    pub(crate) fn new(mover: &Counts<V>, other: &Counts<V>) -> Masks<V> {
        let (occupied, made) = sliced::occupied_and_made(mover);
        let (_, other_made) = sliced::occupied_and_made(other);
        let (blocked, blots) = other_made.mirror_both(other[0] & !other_made);
        Masks {
            occupied,
            made,
            // The opponent's bar falls on bit 0, which is no point.
            blocked: blocked & POINTS,
            blots: blots & POINTS,
        }
    }
}

/// The checkers that a play takes up and puts down.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Transfer<V> {
    pub(crate) sources: Steps<V>,
    pub(crate) landings: Steps<V>,
}

impl<B: Bits> Transfer<Word<B>> {
    /// The play that this transfer makes on a board.
    #[inline(always)]
    fn play<'a>(&self, before: &'a Board, blots: Word<B>) -> Play<'a> {
        let words = |[a, b, c]: Steps<Word<B>>| [a.get(), b.get(), c.get()];
        Play {
            before,
            blots: blots.get(),
            transfer: Transfer {
                sources: words(self.sources),
                landings: words(self.landings),
            },
        }
    }
}

impl<V: Vector> Transfer<V> {
    /// One checker by each of two dice, from single bits; without `BEAR_OFF` none leaves the board.
    #[inline(always)]
    pub(crate) fn of_pair<const BEAR_OFF: bool>(
        by_high: V,
        by_low: V,
        high: V,
        low: V,
    ) -> Transfer<V> {
        let zero = high.fill(0);
        let (to_high, to_low) = (by_high.shr(high), by_low.shr(low));
        let landings = [to_high ^ to_low, to_high & to_low, zero];
        Transfer {
            sources: [by_high ^ by_low, by_high & by_low, zero],
            landings: if BEAR_OFF {
                sliced::on_board(&landings)
            } else {
                landings
            },
        }
    }

    /// Steps of one die; without `BEAR_OFF` none leaves the board.
    #[inline(always)]
    pub(crate) fn of_steps<const BEAR_OFF: bool>(steps: Steps<V>, die: V) -> Transfer<V> {
        let landings = sliced::landings(&steps, die);
        Transfer {
            sources: steps,
            landings: if BEAR_OFF {
                sliced::on_board(&landings)
            } else {
                landings
            },
        }
    }

    /// Makes the play on both sides' counts.
    #[inline(always)]
    pub(crate) fn make(&self, mover: &mut Counts<V>, other: &mut Counts<V>, blots: V) {
        sliced::move_checkers(mover, &self.sources, &self.landings);
        let hits = self.hits(blots);
        if !V::may_skip(!hits.is_zero()) {
            sliced::send_to_bar(other, hits.mirror());
        }
    }

    /// The blots that are hit, in the mover's frame.
    #[inline(always)]
    fn hits(&self, blots: V) -> V {
        let [ones, twos, fours] = self.landings;
        (ones | twos | fours) & blots
    }
}

/// The plays of a roll in a position: their number, any one by its index, or all of them.
///
/// The plays stand in a fixed order, the same for [`Plays::get`] and [`Plays::for_each`] and in every
/// playout; the order is part of the library's value stability.
///
/// ```
/// use tavli::{Backgammon, Board, plays::Plays};
/// let plays = Plays::new::<Backgammon>(&Board::START, "31".parse()?);
/// assert_eq!(plays.len(), 16);
/// let mut notations = Vec::new();
/// plays.for_each(|play| notations.push(plays.moves(&play).to_string()));
/// assert!(notations.contains(&"8/5 6/5".to_owned()));
/// assert_eq!(plays.get(16), None);
/// # Ok::<(), tavli::RollError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Plays {
    board: Board,
    roll: Roll,
    rules: RuleSet,
}

/// One play: the checkers it moves, and so the position it leads to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Play<'a> {
    before: &'a Board,
    /// The opponent's blots before the play, in the mover's frame.
    blots: u32,
    transfer: Transfer<u32>,
}

impl Play<'_> {
    /// The position after the play, seen by the player next on roll. In a game that is over the
    /// winner's side is empty. The board is made when asked for.
    #[must_use]
    #[inline]
    pub fn board(&self) -> Board {
        let fill = |bits| AnyCpu.fill(bits);
        let mut own = self.before.own().sliced().map(fill);
        let transfer = Transfer {
            sources: self.transfer.sources.map(fill),
            landings: self.transfer.landings.map(fill),
        };
        sliced::move_checkers(&mut own, &transfer.sources, &transfer.landings);
        let side = |counts: Counts<_>| Side::from_sliced(counts.map(Word::get));
        let mut other = *self.before.opponent();
        let hits = transfer.hits(fill(self.blots));
        if !hits.is_zero() {
            let mut counts = other.sliced().map(fill);
            sliced::send_to_bar(&mut counts, hits.mirror());
            other = side(counts);
        }
        Board::from_sides(other, side(own))
    }

    /// The points, in the mover's frame, on which the play hits a blot.
    #[must_use]
    pub fn hits(&self) -> Points {
        let [ones, twos, fours] = self.transfer.landings;
        Points::of_mask((ones | twos | fours) & self.blots)
    }
}

impl Plays {
    /// The plays of a roll. A forced pass is one play; a position in which a side has no checkers has
    /// none.
    #[must_use]
    pub fn new<R: Rules>(board: &Board, roll: Roll) -> Plays {
        Plays::of_rules(board, roll, R::SET)
    }

    /// [`Plays::new`] for rules known at run time.
    #[must_use]
    pub fn of_rules(board: &Board, roll: Roll, rules: RuleSet) -> Plays {
        Plays {
            board: *board,
            roll,
            rules,
        }
    }

    /// The number of plays: counted in constant time, without listing them.
    #[must_use]
    pub fn len(&self) -> usize {
        struct Number;
        impl<B: Bits> Visit<B> for Number {
            type Output = usize;
            #[inline(always)]
            fn visit(self, table: &impl Table<B>, _: &Masks<Word<B>>) -> usize {
                table.plays().get() as usize
            }
        }
        if self.is_empty() {
            0
        } else {
            self.visit(Number)
        }
    }

    /// Whether there are none, since the game is over. (A pass is a play.)
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.board.own().occupied() == 0 || self.board.opponent().occupied() == 0
    }

    /// The play of an index below [`Plays::len`].
    #[must_use]
    pub fn get(&self, index: usize) -> Option<Play<'_>> {
        struct Get<'a> {
            board: &'a Board,
            index: usize,
        }
        impl<'a, B: Bits> Visit<B> for Get<'a> {
            type Output = Option<Play<'a>>;
            #[inline(always)]
            fn visit(self, table: &impl Table<B>, masks: &Masks<Word<B>>) -> Self::Output {
                let index = u32::try_from(self.index).ok()?;
                let index = (index < table.plays().get()).then_some(table.plays().fill(index))?;
                Some(table.transfer(index).play(self.board, masks.blots))
            }
        }
        let board = &self.board;
        if self.is_empty() {
            None
        } else {
            self.visit(Get { board, index })
        }
    }

    /// Calls `listener` with every play, without allocating.
    #[inline]
    pub fn for_each<'a>(&'a self, listener: impl FnMut(Play<'a>)) {
        struct ForEach<'a, F> {
            board: &'a Board,
            listener: F,
        }
        impl<'a, B: Bits, F: FnMut(Play<'a>)> Visit<B> for ForEach<'a, F> {
            type Output = ();
            #[inline(always)]
            fn visit(mut self, table: &impl Table<B>, masks: &Masks<Word<B>>) {
                table.for_each(
                    #[inline(always)]
                    |transfer| (self.listener)(transfer.play(self.board, masks.blots)),
                );
            }
        }
        let board = &self.board;
        if !self.is_empty() {
            self.visit(ForEach { board, listener });
        }
    }

    /// The checker moves of one of these plays.
    ///
    /// # Panics
    /// If the play is not one of these, and no moves of this roll lead to it.
    #[must_use]
    pub fn moves(&self, play: &Play<'_>) -> Moves {
        Moves::between(&self.board, self.roll, &play.board())
            .expect("a play is reached by moves of its roll")
    }

    /// Hands the table of the plays to a visitor, in the build for this CPU.
    fn visit<T, O>(&self, visitor: T) -> O
    where
        T: Visit<AnyCpu, Output = O> + Visit<BitCpu, Output = O>,
    {
        match BitCpu::detect() {
            Some(isa) => self.visit_on(isa, visitor),
            None => self.visit_on(AnyCpu, visitor),
        }
    }

    fn visit_on<B, T>(&self, isa: B, visitor: T) -> T::Output
    where
        B: Bits + Isa<Vector = Word<B>>,
        T: Visit<B>,
    {
        isa.call(
            #[inline(always)]
            || {
                let mover = self.board.own().sliced().map(|bits| isa.fill(bits));
                let other = self.board.opponent().sliced().map(|bits| isa.fill(bits));
                let masks = Masks::new(&mover, &other);
                let high = isa.fill(u32::from(self.roll.high()));
                let low = isa.fill(u32::from(self.roll.low()));
                match self.rules {
                    RuleSet::Backgammon => {
                        visit_table::<Backgammon, B, T>(&mover, &masks, high, low, visitor)
                    }
                    RuleSet::McGammon => {
                        visit_table::<McGammon, B, T>(&mover, &masks, high, low, visitor)
                    }
                }
            },
        )
    }
}
