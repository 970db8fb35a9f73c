//! The plays of a roll.

use tavli_simd::{Bmi2, Isa, Scalar, ScalarIsa, Vector, Word};

use super::change::Change;
use super::listing::{Listing, View};
use super::masks::Masks;
use super::moves::Moves;
use super::opponent::Opponent;
use super::packed_side;
use super::play::Play;
use super::play_set::{CountPlays, PlaySet, Visit, visit_plays};
use crate::board::{Board, Planes};
use crate::dice::Roll;
use crate::rules::{AllHome, BearOff, RuleSet};

/// The plays of a roll in a position: their number, any one by its index, or all of them.
///
/// The plays stand in a fixed order, the same for [`Plays::get`] and [`Plays::for_each`] and in every
/// playout; the order is part of the library's value stability. [`algebra`](crate::plays::algebra) describes it, and
/// `specification.rs`, beside the sources of this package, lists all plays in it by plain loops.
///
/// ```
/// use tavli_backgammon::{Board, RuleSet, plays::Plays};
/// let plays = Plays::new(&Board::START, "31".parse()?, RuleSet::Backgammon);
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

impl Plays {
    /// The plays of a roll. A forced pass is one play; a position in which a side has no checkers has
    /// none.
    #[must_use]
    pub fn new(board: &Board, roll: Roll, rules: RuleSet) -> Plays {
        Plays { board: *board, roll, rules }
    }

    /// The number of plays: counted in constant time, without listing them.
    #[must_use]
    pub fn len(&self) -> usize {
        if self.is_empty() { 0 } else { self.visit(CountPlays) }
    }

    /// Whether there are no plays, since the game is over. (A pass is a play.)
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
        impl<B: ScalarIsa> Visit<B> for Get<'_> {
            type Output = Option<Play>;
            #[inline(always)]
            fn visit(self, set: &impl PlaySet<B>, masks: &Masks<Word<B>>) -> Self::Output {
                // No roll has 2^32 plays.
                let index = u32::try_from(self.index).ok()?;
                let index = (index < set.plays().get()).then_some(set.plays().splat(index))?;
                let mover = packed_side::counts(packed_side::words(self.board.own(), index), index);
                let moved = set.delta(index).moved(&mover);
                Some(Opponent::new(self.board.opponent(), masks.blots).play(&moved))
            }
        }
        let board = &self.board;
        if self.is_empty() { None } else { self.visit(Get { board, index }) }
    }

    /// Calls `listener` with every play, without allocating. All of the generator is compiled into the caller,
    /// which is fast to run and takes seconds to compile: where a list will do, take [`Plays::to_vec`].
    #[inline]
    pub fn for_each(&self, mut listener: impl FnMut(Play)) {
        match Bmi2::detect() {
            // Not in eights to a listener that is called by its address: plays then came at 0.89 of the rate
            // (profiles/LOG.md, 2026-11-22).
            Some(isa) => self.for_each_on(isa, listener),
            None => self.for_each_on_any_cpu(&mut listener),
        }
    }

    /// [`Plays::for_each`] in the build for an instruction set.
    #[inline(always)]
    fn for_each_on<B>(&self, isa: B, listener: impl FnMut(Play))
    where
        B: ScalarIsa + Isa<Vector = Word<B>>,
    {
        struct ForEach<'a, F> {
            board: &'a Board,
            listener: F,
        }
        impl<B: ScalarIsa, F: FnMut(Play)> Visit<B> for ForEach<'_, F> {
            type Output = ();
            #[inline(always)]
            fn visit(mut self, set: &impl PlaySet<B>, masks: &Masks<Word<B>>) {
                let mover = packed_side::words(self.board.own(), masks.blots);
                let mut opponent = Opponent::new(self.board.opponent(), masks.blots);
                set.for_each::<false>(
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

    /// [`Plays::for_each`] in the code for any CPU, which it runs on CPUs without fast bit instructions: compiled once,
    /// in this crate.
    pub fn for_each_on_any_cpu(&self, listener: &mut dyn FnMut(Play)) {
        self.for_each_on(Scalar, listener);
    }

    /// All plays in their order.
    #[must_use]
    pub fn to_vec(&self) -> Vec<Play> {
        match Bmi2::detect() {
            Some(isa) => {
                // Counting takes no longer for many plays, and the list then never grows.
                let mut plays = Vec::with_capacity(self.len());
                self.for_each_on(isa, |play| plays.push(play));
                plays
            }
            None => self.to_vec_on_any_cpu(),
        }
    }

    /// [`Plays::to_vec`] in the code for any CPU, which it runs on CPUs without fast bit instructions. The same code
    /// lists the plays of decisions, so that a small program has it once.
    #[must_use]
    pub fn to_vec_on_any_cpu(&self) -> Vec<Play> {
        if self.is_empty() {
            return Vec::new();
        }
        let mut listing = Listing::new();
        let position = Planes::from(self.board);
        listing.begin(View::CHANGES);
        listing.add_on_any_cpu(self.rules, &[position], &[self.roll]);
        let play = |change: &Change| Play { board: change.made_in(&position).into(), hits: change.hit_mask() };
        listing.changes.filled().iter().map(play).collect()
    }

    /// The checker moves of one of these plays.
    ///
    /// # Panics
    /// If the play is not one of these, and no moves of this roll lead to it.
    #[must_use]
    pub fn moves(&self, play: &Play) -> Moves {
        Moves::between(&self.board, self.roll, &play.board()).expect("a play is reached by moves of its roll")
    }

    /// Hands the table of the plays to a visitor, in the build for this CPU.
    fn visit<T, O>(&self, visitor: T) -> O
    where
        T: Visit<Scalar, Output = O> + Visit<Bmi2, Output = O>,
    {
        match Bmi2::detect() {
            Some(isa) => self.visit_on(isa, visitor),
            None => self.visit_on(Scalar, visitor),
        }
    }

    fn visit_on<B, T>(&self, isa: B, visitor: T) -> T::Output
    where
        B: ScalarIsa + Isa<Vector = Word<B>>,
        T: Visit<B>,
    {
        isa.with_features(
            #[inline(always)]
            || {
                let mover = self.board.own().planes().map(|bits| isa.splat(bits));
                let other = self.board.opponent().planes().map(|bits| isa.splat(bits));
                let masks = Masks::new(&mover, &other);
                let high = isa.splat(u32::from(self.roll.high()));
                let low = isa.splat(u32::from(self.roll.low()));
                if self.rules.bears_off() {
                    visit_plays::<BearOff, B, T>(&mover, &masks, high, low, visitor)
                } else {
                    visit_plays::<AllHome, B, T>(&mover, &masks, high, low, visitor)
                }
            },
        )
    }
}
