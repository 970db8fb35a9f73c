//! Bear-in: plays of doubles during which the last checkers come home and the bear-off begins.
//!
//! There are two sorts of plays. Plays of the first sort bear nothing off: they are [`DoublePlays`] without bear-off.
//! Plays of the second sort bear a checker off. They contain the steps that bring every checker home, which leave no
//! choice, and the steps of the shortest way to bear a checker off exactly, from the nearest occupied multiple of the
//! die. The rest is any of the [`DoublePlays`] with bear-off. If no checker can bear off exactly, all steps inside the
//! home board are played, and the larger die bears off the rearmost checker. Only the longer sort counts. If both are
//! equally long, both count.

use tavli_simd::Vector;

use crate::double_masks::DoubleMasks;
use crate::planes::{self, CheckerPlanes, Steps};
use crate::plays::DoublePlays;
use crate::points::HOME_AND_OFF;

/// The plays of a double that can bring the last checkers home.
#[derive(Clone, Copy)]
pub struct BearIn<V: Vector> {
    stay: DoublePlays<V>,
    /// The number of plays that bear nothing off, or 0 if they do not count.
    stay_plays: V,
    /// The steps home, and those that bear the first checker off.
    forced: Steps<V>,
    bear_off: DoublePlays<V>,
    plays: V,
}

impl<V: Vector> BearIn<V> {
    /// Lanes in which some checkers are not home, none is on a bar, which is the bit above the points, and up to three
    /// steps of `die` might bring them all home. The way home may be blocked; [`BearIn::new`] tests that.
    #[inline(always)]
    pub fn applies(counts: &CheckerPlanes<V>, die: V) -> V::Lanes {
        let outside = die.splat(!HOME_AND_OFF & !1);
        let further = outside.shl(die);
        let furthest = further.shl(die);
        // From bit 25 on at most, so that a bar is too far by any die.
        let too_far = furthest.shl(die);
        let [at_least_1, at_least_2, at_least_3, at_least_4] = planes::at_least(counts);
        let steps = (at_least_1 & outside).count_ones_with([
            at_least_2 & outside,
            at_least_3 & outside,
            at_least_4 & outside,
            at_least_1 & further,
            at_least_1 & furthest,
        ]);
        at_least_1.test_any_bit(outside) & !at_least_1.test_any_bit(too_far) & steps.lanes_less(die.splat(4))
    }

    /// Counts the plays of `die` four times, in lanes where it [applies](BearIn::applies). `open` has the points that
    /// may be landed on.
    #[inline(always)]
    pub fn new(counts: &CheckerPlanes<V>, open: V, die: V) -> BearIn<V> {
        let zero = die.splat(0);
        let one = die.splat(1);
        let never = die.lanes_of_bits(0);
        let stay = DoubleMasks::new(*counts, open, die, die.splat(4), never).count();

        // The steps home, rearmost checker first.
        let mut counts = *counts;
        let mut forced = [zero; 3];
        let mut left = die.splat(4);
        let landing_open = open.shl(die);
        for _ in 0..3 {
            let (occupied, _) = planes::occupied_and_made(&counts);
            let rearmost = (occupied & !HOME_AND_OFF).highest_bit() & landing_open;
            let step = [rearmost, zero, zero];
            planes::move_checkers(&mut counts, &step, &planes::landings(&step, die));
            forced = planes::join(&forced, &step);
            left = left.wrapping_sub(rearmost.count_ones());
        }
        let (occupied, _) = planes::occupied_and_made(&counts);
        let home = (occupied & !HOME_AND_OFF).lanes_zero();

        // The shortest way to bear a checker off exactly.
        let first = one.shl(die);
        let second = (first & open).shl(die);
        let third = (second & open).shl(die);
        let from_first = occupied.test_any_bit(first);
        let from_second = !from_first & occupied.test_any_bit(second);
        let from_third = !from_first & !from_second & occupied.test_any_bit(third);
        let steps = one
            .zero_unless(from_first)
            .wrapping_add(die.splat(2).zero_unless(from_second))
            .wrapping_add(die.splat(3).zero_unless(from_third));
        let exactly = home & (from_first | from_second | from_third) & !left.lanes_less(steps);
        let way = (first | second.zero_unless(!from_first) | third.zero_unless(from_third)).zero_unless(exactly);
        // A checker goes from each point of the way to the next, and the last one off: the rearmost point loses one.
        planes::move_checkers(&mut counts, &[way.highest_bit(), zero, zero], &[zero; 3]);
        forced = planes::join(&forced, &[way, zero, zero]);
        left = left.wrapping_sub(steps.zero_unless(exactly));

        let bear_off = DoubleMasks::new(counts, open, die, left, home).count();
        // Plays that bear off take four steps, or all that exist. If the others take fewer than four, these take more.
        let counts_too = exactly | (home & bear_off.masks().steps_played.lanes_less(left));
        let stay_counts = !counts_too | stay.masks().steps_played.lanes_equal(die.splat(4));
        let stay_plays = stay.plays().zero_unless(stay_counts);
        BearIn {
            stay,
            stay_plays,
            forced,
            bear_off,
            plays: stay_plays.wrapping_add(bear_off.plays().zero_unless(counts_too)),
        }
    }

    /// The number of plays.
    #[inline(always)]
    pub fn plays(&self) -> V {
        self.plays
    }

    /// The steps of the play of this index, by the points they start from. The index must be below
    /// [`BearIn::plays`].
    #[inline(always)]
    pub fn steps(&self, index: V) -> Steps<V> {
        let stays = index.lanes_less(self.stay_plays);
        let stay = self.stay.steps::<false>(&self.stay.uses(index.zero_unless(stays)));
        let uses = self.bear_off.uses(index.wrapping_sub(self.stay_plays).zero_unless(!stays));
        let rest = self.bear_off.steps::<true>(&uses);
        let bear_off = planes::join(&self.forced, &rest);
        [stay[0].blend(stays, bear_off[0]), stay[1].blend(stays, bear_off[1]), stay[2].blend(stays, bear_off[2])]
    }
}
