//! Plays: the distinct positions that a roll can be played to.
//!
//! A play is a distinct resulting position, whatever the order or the checkers that reach it. The fast
//! generator never lists them: it *counts* them in closed form from bit masks, and *unranks* the one of
//! a given index; [`algebra`] shows how, and why each play has exactly one index. The [`reference`](mod@reference)
//! generator is the rules word for word, and what the fast one is tested against.

#[doc = include_str!("../../docs/algebra.md")]
pub mod algebra {}
mod bring_home;
mod change;
mod flips;
mod kind;
mod listing;
pub mod notation;
mod pairs;
mod perft;
pub mod reference;
mod side;
mod sliced;
mod subsets;
mod table;
mod towers;

pub use change::Change;
pub use listing::View;
pub use notation::Moves;
pub use perft::{Nodes, perft};

pub(crate) use bring_home::BringHome;
pub(crate) use listing::{Listing, pick_results};
pub(crate) use pairs::{PairMasks, PairSlot, Pairs};
pub(crate) use sliced::{Counts, Steps, blots, mirror, occupied_and_made};
pub(crate) use table::{Table, Visit, at_most_one_outside, visit_table};
pub(crate) use towers::{
    TowerMasks, TowerSlot, Towers, Uses, ranks_of, with_larger_die, with_others,
};

use crate::board::{Board, PointSet, Side};
use crate::dice::Roll;
use crate::rules::{AllHome, BearOff, RuleSet, Rules};
use tavli_simd::{AnyCpu, BitCpu, Bits, Isa, Vector, Word};

/// The points that decide where the mover's checkers may go, in his frame.
#[derive(Clone, Copy)]
pub(crate) struct Masks<V> {
    /// Points with own checkers, the bar included.
    pub(crate) occupied: V,
    /// Points with two or more own checkers.
    pub(crate) made: V,
    /// Points that the opponent has made. (His bar falls on bit 0, which is no point: here and in `blots`
    /// it may be set, and means nothing.)
    pub(crate) blocked: V,
    /// Points with one checker of the opponent's.
    pub(crate) blots: V,
}

impl<V: Vector> Masks<V> {
    #[inline(always)]
    pub(crate) fn new(mover: &Counts<V>, other: &Counts<V>) -> Masks<V> {
        let (occupied, made) = sliced::occupied_and_made(mover);
        let (_, other_made) = sliced::occupied_and_made(other);
        Masks {
            occupied,
            made,
            blocked: mirror(other_made),
            blots: mirror(sliced::blots(other)),
        }
    }
}

/// The points that are not below the one that a die bears off from exactly.
#[inline(always)]
fn not_below<V: Vector>(die: V) -> V {
    die.fill(u32::MAX).shl(die)
}

/// The checkers that a play takes up and puts down.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Transfer<V> {
    pub(crate) sources: Steps<V>,
    pub(crate) landings: Steps<V>,
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
            sliced::send_to_bar(other, mirror(hits));
        }
    }

    /// The blots that are hit, in the mover's frame.
    #[inline(always)]
    fn hits(&self, blots: V) -> V {
        let [ones, twos, fours] = self.landings;
        (ones | twos | fours) & blots
    }
}

impl<B: Bits> Transfer<Word<B>> {
    /// The mover's side with the play made.
    #[inline(always)]
    fn moved(&self, mover: &Counts<Word<B>>) -> Moved<B> {
        let mut counts = *mover;
        sliced::move_checkers(&mut counts, &self.sources, &self.landings);
        let [ones, twos, fours] = self.landings;
        Moved {
            words: side::of_counts(&counts),
            landings: ones | twos | fours,
        }
    }
}

/// The mover's side after some of his checkers have moved.
#[derive(Clone, Copy)]
pub(crate) struct Moved<B: Bits> {
    /// The side's words.
    pub(crate) words: B::Eight,
    /// Points that a checker was put on, those on its way included.
    pub(crate) landings: Word<B>,
}

/// The opponent's side as plays are made, one after another.
struct Opponent<'a, B: Bits> {
    before: &'a Side,
    /// The blots before a play, in the mover's frame.
    blots: Word<B>,
    /// Those that the last play hit.
    hits: Word<B>,
    /// The words after it. They are made anew only when other blots are hit: most plays hit none.
    after: B::Eight,
}

impl<'a, B: Bits> Opponent<'a, B> {
    #[inline(always)]
    fn new(before: &'a Side, blots: Word<B>) -> Self {
        Opponent {
            before,
            blots,
            hits: blots.fill(0),
            after: side::words(before, blots),
        }
    }

    /// The play that has moved the mover's checkers so.
    #[inline(always)]
    fn play(&mut self, moved: &Moved<B>) -> Play {
        let hits = moved.landings & self.blots;
        if !hits.equals(self.hits) {
            let mut counts = side::counts(side::words(self.before, hits), hits);
            sliced::send_to_bar(&mut counts, mirror(hits));
            self.hits = hits;
            self.after = side::of_counts(&counts);
        }
        Play {
            board: Board::from_sides(side::of_words(self.after), side::of_words(moved.words)),
            hits: hits.get(),
        }
    }
}

/// The plays of a roll in a position: their number, any one by its index, or all of them.
///
/// The plays stand in a fixed order, the same for [`Plays::get`] and [`Plays::for_each`] and in every
/// playout; the order is part of the library's value stability. [`algebra`] describes it, and `specification.rs`,
/// beside the sources of this package, lists all plays in it by plain loops.
///
/// ```
/// use tavli_backgammon::{Backgammon, Board, plays::Plays};
/// let plays = Plays::new::<Backgammon>(&Board::START, "31".parse()?);
/// assert_eq!(plays.len(), 16);
/// let mut list = plays.to_vec().into_iter();
/// assert!(list.any(|play| plays.moves(&play).to_string() == "8/5 6/5"));
/// assert_eq!(plays.get(16), None);
/// # Ok::<(), tavli_backgammon::RollError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Plays {
    board: Board,
    roll: Roll,
    rules: RuleSet,
}

/// One play: the position it leads to, and what it hits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Play {
    board: Board,
    hits: u32,
}

impl Play {
    /// The position after the play, seen by the player next on roll. After a play that bears the last checker off,
    /// the opponent of that player has none.
    #[must_use]
    #[inline]
    pub fn board(&self) -> Board {
        self.board
    }

    /// The points, in the mover's frame, on which the play hits a blot.
    #[must_use]
    pub fn hits(&self) -> PointSet {
        PointSet::of_mask(self.hits)
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
    pub fn get(&self, index: usize) -> Option<Play> {
        struct Get<'a> {
            board: &'a Board,
            index: usize,
        }
        impl<B: Bits> Visit<B> for Get<'_> {
            type Output = Option<Play>;
            #[inline(always)]
            fn visit(self, table: &impl Table<B>, masks: &Masks<Word<B>>) -> Self::Output {
                let index = u32::try_from(self.index).ok()?;
                let index = (index < table.plays().get()).then_some(table.plays().fill(index))?;
                let mover = side::counts(side::words(self.board.own(), index), index);
                let moved = table.transfer(index).moved(&mover);
                Some(Opponent::new(self.board.opponent(), masks.blots).play(&moved))
            }
        }
        let board = &self.board;
        if self.is_empty() {
            None
        } else {
            self.visit(Get { board, index })
        }
    }

    /// Calls `listener` with every play, without allocating. All of the generator is compiled into the caller,
    /// which is fast to run and takes seconds to compile: where a list will do, take [`Plays::to_vec`].
    #[inline]
    pub fn for_each(&self, mut listener: impl FnMut(Play)) {
        match BitCpu::detect() {
            Some(isa) => self.for_each_on(isa, listener),
            None => self.for_each_on_any_cpu(&mut listener),
        }
    }

    /// [`Plays::for_each`] in the build for an instruction set.
    #[inline(always)]
    fn for_each_on<B>(&self, isa: B, listener: impl FnMut(Play))
    where
        B: Bits + Isa<Vector = Word<B>>,
    {
        struct ForEach<'a, F> {
            board: &'a Board,
            listener: F,
        }
        impl<B: Bits, F: FnMut(Play)> Visit<B> for ForEach<'_, F> {
            type Output = ();
            #[inline(always)]
            fn visit(mut self, table: &impl Table<B>, masks: &Masks<Word<B>>) {
                let mover = side::words(self.board.own(), masks.blots);
                let mut opponent = Opponent::new(self.board.opponent(), masks.blots);
                table.for_each(
                    mover,
                    #[inline(always)]
                    |moved| (self.listener)(opponent.play(&moved)),
                );
            }
        }
        let board = &self.board;
        if !self.is_empty() {
            self.visit_on(isa, ForEach { board, listener });
        }
    }

    /// The same for CPUs that are too old to be worth the time of compiling it into every caller.
    fn for_each_on_any_cpu(&self, listener: &mut dyn FnMut(Play)) {
        self.for_each_on(AnyCpu, listener);
    }

    /// All plays in their order.
    #[must_use]
    pub fn to_vec(&self) -> Vec<Play> {
        let mut plays = Vec::with_capacity(self.len());
        self.for_each(|play| plays.push(play));
        plays
    }

    /// The checker moves of one of these plays.
    ///
    /// # Panics
    /// If the play is not one of these, and no moves of this roll lead to it.
    #[must_use]
    pub fn moves(&self, play: &Play) -> Moves {
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
                if self.rules.bears_off() {
                    visit_table::<BearOff, B, T>(&mover, &masks, high, low, visitor)
                } else {
                    visit_table::<AllHome, B, T>(&mover, &masks, high, low, visitor)
                }
            },
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Backgammon;
    use rand_xoshiro::SplitMix64;
    use rand_xoshiro::rand_core::{Rng, SeedableRng};

    #[test]
    #[cfg_attr(miri, ignore = "a hundred games take Miri minutes")]
    fn every_build_has_the_same_plays() {
        let mut random = SplitMix64::seed_from_u64(1);
        for _ in 0..100 {
            let mut board = Board::START;
            loop {
                for roll in Roll::ALL {
                    let plays = Plays::new::<Backgammon>(&board, roll);
                    let mut listed = Vec::new();
                    plays.for_each_on_any_cpu(&mut |play| listed.push(play));
                    assert_eq!(listed, plays.to_vec(), "{roll} in {board:?}");
                }
                let roll = Roll::THROWS[random.next_u32() as usize % Roll::THROWS.len()];
                let plays = Plays::new::<Backgammon>(&board, roll);
                if plays.is_empty() {
                    break;
                }
                let index = random.next_u32() as usize % plays.len();
                board = plays
                    .get(index)
                    .expect("an index below their number")
                    .board();
            }
        }
    }
}
