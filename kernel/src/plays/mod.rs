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

use crate::board::{BAR_BIT, HOME, POINTS};
use crate::rules::Rules;
use crate::simd::{Bits, Lanes, Vector, Word};

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
        if !V::may_skip(!hits.is_zero()) {
            sliced::send_to_bar(other, hits.mirror());
        }
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
    // Each of these tests spares the work of what it rules out; the tables are the same without them.
    let entering = masks.occupied.meets(high.fill(BAR_BIT));
    if high.equals(low) {
        let bears_off = R::BEAR_OFF && (masks.occupied & !HOME).is_zero();
        if R::BEAR_OFF && BringHome::applies(mover, high) {
            let table = BringHome::new(mover, masks.blocked, high);
            let index = draw(table.plays());
            (Transfer::of_steps(table.steps(index), high), table.plays())
        } else if entering {
            pick_steps::<B, true, false>(mover, masks, high, draw)
        } else if bears_off {
            pick_steps::<B, false, true>(mover, masks, high, draw)
        } else {
            pick_steps::<B, false, false>(mover, masks, high, draw)
        }
    } else if entering {
        pick_pair::<B, true, false>(masks, high, low, draw)
    } else if R::BEAR_OFF && at_most_one_outside(masks) {
        pick_pair::<B, false, true>(masks, high, low, draw)
    } else {
        pick_pair::<B, false, false>(masks, high, low, draw)
    }
}

#[inline(always)]
fn pick_pair<B: Bits, const ENTERING: bool, const BEAR_OFF: bool>(
    masks: &Masks<Word<B>>,
    high: Word<B>,
    low: Word<B>,
    draw: impl FnOnce(Word<B>) -> Word<B>,
) -> (Transfer<Word<B>>, Word<B>) {
    let table = Pairs::new::<ENTERING, BEAR_OFF>(masks, high, low);
    let (by_high, by_low) = table.sources::<BEAR_OFF>(draw(table.plays()));
    (Transfer::of_pair(by_high, by_low, high, low), table.plays())
}

#[inline(always)]
fn pick_steps<B: Bits, const ENTERING: bool, const BEAR_OFF: bool>(
    mover: &Counts<Word<B>>,
    masks: &Masks<Word<B>>,
    die: Word<B>,
    draw: impl FnOnce(Word<B>) -> Word<B>,
) -> (Transfer<Word<B>>, Word<B>) {
    let table = Towers::new::<ENTERING, BEAR_OFF>(mover, masks.blocked, die, die.fill(4));
    let steps = table.steps::<BEAR_OFF>(&table.uses(draw(table.plays())));
    (Transfer::of_steps(steps, die), table.plays())
}

/// Whether two different dice can bear a checker off: at most one checker is not home.
#[inline(always)]
fn at_most_one_outside<V: Vector>(masks: &Masks<V>) -> V::Lanes {
    let outside = masks.occupied & !HOME;
    let all_but_last = outside & outside.minus(outside.fill(1));
    (all_but_last | (masks.made & !HOME)).is_zero()
}
