//! Plays: the distinct positions that a roll can be played to.
//!
//! A play is a distinct resulting position, whatever the order or the checkers that reach it. The fast
//! generator never lists them: it *counts* them in closed form from bit masks, and *unranks* the one of
//! a given index.

mod bring_home;
pub mod notation;
mod pairs;
pub mod reference;
mod sliced;
mod subsets;
mod towers;

pub(crate) use bring_home::BringHome;
pub(crate) use pairs::Pairs;
pub(crate) use sliced::{Counts, Steps};
pub(crate) use towers::Towers;

use crate::board::{HOME, POINTS};
use crate::rules::Rules;
use crate::simd::{Bits, Vector, Word};

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
        Masks {
            occupied,
            made,
            // The opponent's bar falls on bit 0, which is no point.
            blocked: other_made.mirror() & POINTS,
            blots: (other[0] & !other_made).mirror() & POINTS,
        }
    }
}

/// The checkers that a play takes up and puts down.
#[derive(Clone, Copy)]
pub(crate) struct Transfer<V> {
    pub(crate) sources: Steps<V>,
    pub(crate) landings: Steps<V>,
}

impl<V: Vector> Transfer<V> {
    /// One checker by each of two dice, from single bits.
    #[inline(always)]
    pub(crate) fn of_pair(by_high: V, by_low: V, high: V, low: V) -> Transfer<V> {
        let (to_high, to_low) = (by_high.shr(high), by_low.shr(low));
        let zero = high.fill(0);
        Transfer {
            sources: [by_high ^ by_low, by_high & by_low, zero],
            landings: [to_high ^ to_low, to_high & to_low, zero],
        }
    }

    /// Steps of one die.
    #[inline(always)]
    pub(crate) fn of_steps(steps: Steps<V>, die: V) -> Transfer<V> {
        Transfer {
            sources: steps,
            landings: steps.map(|bits| bits.shr(die)),
        }
    }

    /// Makes the play on both sides' counts and returns the points where it hit, in the mover's frame.
    #[inline(always)]
    pub(crate) fn make(&self, mover: &mut Counts<V>, other: &mut Counts<V>, blots: V) -> V {
        sliced::move_checkers(mover, &self.sources, &self.landings);
        let [ones, twos, fours] = self.landings;
        let hits = (ones | twos | fours) & blots;
        sliced::send_to_bar(other, hits.mirror());
        hits
    }
}

/// Counts the plays of a roll, lets `draw` choose an index below their number, and gives the play of
/// that index with the number.
#[inline(always)]
pub(crate) fn pick<R: Rules, B: Bits>(
    mover: &Counts<Word<B>>,
    masks: &Masks<Word<B>>,
    high: Word<B>,
    low: Word<B>,
    draw: impl FnOnce(Word<B>) -> Word<B>,
) -> (Transfer<Word<B>>, Word<B>) {
    if high.equals(low) {
        if R::BEAR_OFF && BringHome::applies(mover, high) {
            let table = BringHome::new(mover, masks.blocked, high);
            let index = draw(table.plays());
            (Transfer::of_steps(table.steps(index), high), table.plays())
        } else if R::BEAR_OFF && (masks.occupied & !HOME).is_zero() {
            let table = Towers::new::<true>(mover, masks.blocked, high, high.fill(4));
            let steps = table.steps::<true>(&table.uses(draw(table.plays())));
            (Transfer::of_steps(steps, high), table.plays())
        } else {
            let table = Towers::new::<false>(mover, masks.blocked, high, high.fill(4));
            let steps = table.steps::<false>(&table.uses(draw(table.plays())));
            (Transfer::of_steps(steps, high), table.plays())
        }
    } else if R::BEAR_OFF && at_most_one_outside(masks) {
        let table = Pairs::new::<true>(masks, high, low);
        let (by_high, by_low) = table.slot::<true>(draw(table.plays())).sources();
        (Transfer::of_pair(by_high, by_low, high, low), table.plays())
    } else {
        let table = Pairs::new::<false>(masks, high, low);
        let (by_high, by_low) = table.slot::<false>(draw(table.plays())).sources();
        (Transfer::of_pair(by_high, by_low, high, low), table.plays())
    }
}

/// Whether two different dice can bear a checker off: at most one checker is not home.
#[inline(always)]
fn at_most_one_outside<V: Vector>(masks: &Masks<V>) -> V::Lanes {
    let outside = masks.occupied & !HOME;
    let all_but_last = outside & outside.minus(outside.fill(1));
    (all_but_last | (masks.made & !HOME)).is_zero()
}
