//! All plays of a non-double, one after another.

use super::bear_off::BearOff;
use super::masks::ByDie;
use super::plays::NonDoublePlays;
use crate::board::BAR_BIT;
use crate::plays::deltas::Deltas;
use crate::plays::side::Moved;
use tavli_simd::{Bits, Vector, Word};

/// Plays next to each other in the order, whose first checkers move by the same die. The moves can be played in this
/// order.
struct Part<B: Bits> {
    /// The points that the first checkers move from, one for each play or row of plays.
    firsts: Word<B>,
    first_die: Word<B>,
    second: Second<B>,
}

impl<B: Bits> Part<B> {
    /// Rows of the table.
    #[inline(always)]
    fn rows(firsts: Word<B>, high: Word<B>) -> Part<B> {
        Part {
            firsts,
            first_die: high,
            second: Second::Column,
        }
    }
}

/// The checker that moves by the second die.
enum Second<B: Bits> {
    /// The checker of any column that the row has.
    Column,
    /// One of these checkers.
    OneOf(Word<B>),
    /// The checker that moved first goes on.
    Same,
}

impl<B: Bits> NonDoublePlays<Word<B>> {
    /// Calls `visit` with the mover's side after every play, in the order of the indices. `mover` is the side before.
    #[inline(always)]
    pub(crate) fn for_each<const BEAR_OFF: bool>(
        &self,
        mover: B::Eight,
        mut visit: impl FnMut(Moved<B>),
    ) {
        let ByDie { high, low } = self.masks.dice;
        let start = Deltas::new(mover, high);
        let by_high = self.lists.high.sources;
        let by_low = self.lists.low.sources;
        if self.one_die {
            // If both masks are empty, the play is a pass.
            let die = low.or_else(by_high.is_zero(), high);
            let mut sources = by_low.or_else(by_high.is_zero(), by_high);
            loop {
                let source = sources.take_lowest().unwrap_or(high.fill(0));
                visit(start.moved::<BEAR_OFF, _>(source, die));
                if sources.is_zero() {
                    return;
                }
            }
        }
        // All parts go through one loop, so that `visit` is compiled once.
        let table = &self.masks.table;
        let BearOff {
            straggler,
            low_first,
            high_first,
        } = self.masks.bear_off;
        let parts = [
            Part::rows(table.rows[0], high),
            Part::rows(table.rows[1], high),
            Part::rows(table.rows[2], high),
            if self.masks.entry.lanes {
                Part {
                    firsts: high.fill(BAR_BIT).keep(!by_high.is_zero()),
                    first_die: low,
                    second: Second::OneOf(by_high),
                }
            } else {
                Part {
                    firsts: by_high,
                    first_die: high,
                    second: Second::Same,
                }
            },
            Part {
                firsts: by_low,
                first_die: low,
                second: Second::Same,
            },
            Part {
                firsts: straggler.keep(BEAR_OFF && low_first.lanes),
                first_die: low,
                second: Second::OneOf(low_first.source),
            },
            Part {
                firsts: straggler.keep(BEAR_OFF && high_first.lanes),
                first_die: high,
                second: Second::OneOf(high_first.source),
            },
        ];
        for Part {
            mut firsts,
            first_die,
            second,
        } in parts
        {
            let second_die = high ^ low ^ first_die;
            while let Some(source) = firsts.take_lowest() {
                let to_high = source.shr(high);
                let (mut others, itself) = match second {
                    // A lone checker's pair with itself stands for its run.
                    Second::Column => (
                        table.columns & !table.cells.missing(source, high),
                        source & table.cells.single,
                    ),
                    Second::OneOf(others) => (others, high.fill(0)),
                    Second::Same => (source.shr(first_die), high.fill(0)),
                };
                // What the plays of one first checker share is worked out once.
                let first = start.moved::<BEAR_OFF, _>(source, first_die);
                let deltas = Deltas::new(first.words, high);
                while let Some(other) = others.take_lowest() {
                    let other = to_high.or_else(itself.equals(other), other);
                    let second = deltas.moved::<BEAR_OFF, _>(other, second_die);
                    visit(Moved {
                        words: second.words,
                        landings: first.landings | second.landings,
                    });
                }
            }
        }
    }
}
