//! Plays as steps of the first layer.

use tavli_backgammon::Planes;
use tavli_backgammon::plays::Change;

use super::counts::{CHECKERS, PLACES_A_SIDE, bits, count, counts, points};
use super::steps::{NOTHING, Steps};

/// The side, in what a play leads to, of the player about to roll.
const NEXT: usize = 0;
/// The side of the player who made the play.
const MOVER: usize = 1;

/// A step that is taken out of the sums, and one that is put in.
pub(super) type Exchange = [usize; 2];

/// The most exchanges of a play: four checkers move, and each hits.
const MOST: usize = 8;

/// The exchanges of a play.
pub(super) struct Exchanges {
    exchanges: [Exchange; MOST],
    number: usize,
}

impl Exchanges {
    /// They, and at the end perhaps one of [`NOTHING`], so that their number is even.
    #[inline(always)]
    pub(super) fn in_pairs(&self) -> &[[Exchange; 2]] {
        let (pairs, _) = self.exchanges.as_chunks();
        &pairs[..self.number.div_ceil(2)]
    }
}

/// The places of a position whose plays are compared.
pub(super) struct Places<'a> {
    steps: &'a Steps,
    next_bar: u8,
    mover: [u8; PLACES_A_SIDE],
    /// The step of one checker more on each of the mover's points; [`NOTHING`] at 32, the lowest bit of an empty mask.
    more: [usize; 33],
    /// The step of the last checker there.
    fewer: [usize; 33],
}

impl<'a> Places<'a> {
    #[inline(always)]
    pub(super) fn new(steps: &'a Steps, position: &Planes) -> Places<'a> {
        let mut places = Places {
            steps,
            next_bar: count(position.opponent(), PLACES_A_SIDE - 1),
            mover: counts(position.own()),
            more: *steps.onto_empty(MOVER),
            fewer: [NOTHING; 33],
        };
        let of_mover = steps.of_side(MOVER);
        for point in points(position.own()) {
            let steps = &of_mover[point];
            let number = usize::from(places.mover[point]);
            places.more[point] = usize::from(steps[number.min(CHECKERS - 1)]);
            places.fewer[point] = usize::from(steps[number.saturating_sub(1)]);
        }
        places
    }

    /// The exchanges of a play that moves at most two checkers, to points of which it gains one each, and hits nothing:
    /// most plays. There are no branches, which would be mispredicted.
    #[inline(always)]
    pub(super) fn few(&self, change: &Change) -> Option<[Exchange; 2]> {
        let ([fewer, fewer_2, fewer_4], [more, more_2, more_4]) = (change.fewer(), change.more());
        let others = fewer_2 | fewer_4 | more_2 | more_4 | change.hit_mask();
        let without_lowest = |mask: u32| mask & mask.wrapping_sub(1);
        let (second_fewer, second_more) = (without_lowest(fewer), without_lowest(more));
        let beyond = without_lowest(second_fewer) | without_lowest(second_more);
        let borne_off = fewer.count_ones() ^ more.count_ones();
        let exchange = |fewer: u32, more: u32| {
            [
                self.fewer[fewer.trailing_zeros() as usize],
                self.more[more.trailing_zeros() as usize],
            ]
        };
        if others | beyond | borne_off == 0 {
            Some([exchange(fewer, more), exchange(second_fewer, second_more)])
        } else {
            None
        }
    }

    /// The exchanges of any play.
    #[inline(always)]
    pub(super) fn all(&self, change: &Change) -> Exchanges {
        let mut exchanges = [[NOTHING; 2]; MOST];
        let mover = self.steps.of_side(MOVER);
        let ([fewer, fewer_2, fewer_4], [more, more_2, more_4]) = (change.fewer(), change.more());
        let mut number = 0;
        for point in bits(fewer | fewer_2 | fewer_4) {
            let left = self.mover[point] - count([fewer, fewer_2, fewer_4, 0], point);
            for checker in left..self.mover[point] {
                exchanges[number % MOST][0] = usize::from(mover[point][usize::from(checker) % 16]);
                number += 1;
            }
        }
        let mut put = 0;
        for point in bits(more | more_2 | more_4) {
            let from = self.mover[point];
            for checker in from..from + count([more, more_2, more_4, 0], point) {
                exchanges[put % MOST][1] = usize::from(mover[point][usize::from(checker) % 16]);
                put += 1;
            }
        }
        // The others are borne off.
        let mut off = self.mover[0];
        while put < number {
            exchanges[put % MOST][1] = usize::from(mover[0][usize::from(off) % 16]);
            (put, off) = (put + 1, off + 1);
        }
        let next = self.steps.of_side(NEXT);
        let mut bar = self.next_bar;
        for point in bits(change.hit_mask()) {
            exchanges[number % MOST] = [
                usize::from(next[PLACES_A_SIDE - 1 - point][0]),
                usize::from(next[PLACES_A_SIDE - 1][usize::from(bar) % 16]),
            ];
            (number, bar) = (number + 1, bar + 1);
        }
        Exchanges { exchanges, number }
    }
}
