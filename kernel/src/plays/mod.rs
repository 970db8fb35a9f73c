//! Plays: the distinct positions that a roll can be played to.
//!
//! A play is a distinct resulting position, whatever the order or the checkers that reach it. The fast
//! generator never lists them: it *counts* them in closed form from bit masks, and *unranks* the one of
//! a given index.

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

use bring_home::BringHome;
use pairs::Pairs;
pub(crate) use sliced::Counts;
use sliced::Steps;
pub(crate) use table::{Table, Visit, visit_table};
use towers::Towers;

use crate::board::{Board, OFF, POINTS, Points, Side};
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
#[derive(Clone, Copy)]
pub(crate) struct Transfer<V> {
    pub(crate) sources: Steps<V>,
    pub(crate) landings: Steps<V>,
}

impl<B: Bits> Transfer<Word<B>> {
    /// The play that this transfer makes on a board.
    #[inline(always)]
    fn play(&self, board: &Board) -> Play {
        let fill = |bits| self.sources[0].fill(bits);
        let mut mover = board.own().sliced().map(fill);
        let mut other = board.opponent().sliced().map(fill);
        let (_, other_made) = sliced::occupied_and_made(&other);
        let blots = (other[0] & !other_made).mirror() & POINTS;
        let hits = self.make(&mut mover, &mut other, blots);
        Play {
            board: Board::from_sides(
                Side::from_sliced(other.map(Word::get)),
                Side::from_sliced(mover.map(Word::get)),
            ),
            hits: hits.get(),
        }
    }
}

impl<V: Vector> Transfer<V> {
    /// One checker by each of two dice, from single bits.
    #[inline(always)]
    pub(crate) fn of_pair<const BEAR_OFF: bool>(
        by_high: V,
        by_low: V,
        high: V,
        low: V,
    ) -> Transfer<V> {
        let to_high = landing::<V, BEAR_OFF>(by_high, high);
        let to_low = landing::<V, BEAR_OFF>(by_low, low);
        let zero = high.fill(0);
        Transfer {
            sources: [by_high ^ by_low, by_high & by_low, zero],
            landings: [to_high ^ to_low, to_high & to_low, zero],
        }
    }

    /// Steps of one die.
    #[inline(always)]
    pub(crate) fn of_steps<const BEAR_OFF: bool>(steps: Steps<V>, die: V) -> Transfer<V> {
        Transfer {
            sources: steps,
            landings: steps.map(|bits| landing::<V, BEAR_OFF>(bits, die)),
        }
    }

    /// Makes the play on both sides' counts and returns the points where it hit, in the mover's frame.
    #[inline(always)]
    pub(crate) fn make(&self, mover: &mut Counts<V>, other: &mut Counts<V>, blots: V) -> V {
        sliced::move_checkers(mover, &self.sources, &self.landings);
        let [ones, twos, fours] = self.landings;
        let hits = (ones | twos | fours) & blots;
        if !V::may_skip(!hits.is_zero()) {
            sliced::send_to_bar(other, hits.mirror());
        }
        hits
    }
}

/// Where the checkers of a mask come down by a die; without `BEAR_OFF` none leaves the board.
#[inline(always)]
fn landing<V: Vector, const BEAR_OFF: bool>(sources: V, die: V) -> V {
    let landings = sources.shr(die);
    if BEAR_OFF {
        landings & !(1 << OFF)
    } else {
        landings
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
    number: usize,
}

/// One play: the position it leads to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Play {
    board: Board,
    hits: u32,
}

impl Play {
    /// The position after the play, seen by the player next on roll. In a game that is over the
    /// winner's side is empty.
    #[must_use]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The points, in the mover's frame, on which the play hits a blot.
    #[must_use]
    pub fn hits(&self) -> Points {
        Points::of_mask(self.hits)
    }
}

impl Plays {
    /// Counts the plays of a roll: O(1), without listing them. A forced pass is one play; a position in
    /// which a side has no checkers has none.
    #[must_use]
    pub fn new<R: Rules>(board: &Board, roll: Roll) -> Plays {
        Plays::of_rules(board, roll, R::SET)
    }

    /// [`Plays::new`] for rules known at run time.
    #[must_use]
    pub fn of_rules(board: &Board, roll: Roll, rules: RuleSet) -> Plays {
        struct Number;
        impl<B: Bits> Visit<B> for Number {
            type Output = usize;
            #[inline(always)]
            fn visit(self, table: &impl Table<B>) -> usize {
                table.plays().get() as usize
            }
        }
        let is_over = board.own().occupied() == 0 || board.opponent().occupied() == 0;
        let mut plays = Plays {
            board: *board,
            roll,
            rules,
            number: 0,
        };
        if !is_over {
            plays.number = plays.visit(Number);
        }
        plays
    }

    /// The number of plays.
    #[must_use]
    pub fn len(&self) -> usize {
        self.number
    }

    /// Whether there are none, since the game is over. (A pass is a play.)
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.number == 0
    }

    /// The play of an index below [`Plays::len`].
    #[must_use]
    pub fn get(&self, index: usize) -> Option<Play> {
        struct Get<'a> {
            board: &'a Board,
            index: usize,
        }
        impl<B: Bits> Visit<B> for Get<'_> {
            type Output = Play;
            #[inline(always)]
            fn visit(self, table: &impl Table<B>) -> Play {
                let index = table.plays().fill(self.index as u32);
                table.transfer(index).play(self.board)
            }
        }
        let board = &self.board;
        (index < self.number).then(|| self.visit(Get { board, index }))
    }

    /// Calls `listener` with every play, without allocating.
    pub fn for_each(&self, listener: impl FnMut(Play)) {
        struct ForEach<'a, F> {
            board: &'a Board,
            listener: F,
        }
        impl<B: Bits, F: FnMut(Play)> Visit<B> for ForEach<'_, F> {
            type Output = ();
            #[inline(always)]
            fn visit(mut self, table: &impl Table<B>) {
                table.for_each(|transfer| (self.listener)(transfer.play(self.board)));
            }
        }
        let board = &self.board;
        if self.number > 0 {
            self.visit(ForEach { board, listener });
        }
    }

    /// The checker moves of one of these plays.
    #[must_use]
    pub fn moves(&self, play: &Play) -> Moves {
        Moves::between(&self.board, self.roll, play.board())
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
