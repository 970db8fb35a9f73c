//! Plays as steps of the first layer.

use tavli_backgammon::Planes;
use tavli_backgammon::plays::Change;

use super::counts::{PLACES_A_SIDE, count, points};
use super::steps::{NOTHING, Steps, UpToFour};

/// The side, in what a play leads to, of the player about to roll.
const NEXT: usize = 0;
/// The side of the player who made the play.
const MOVER: usize = 1;

/// A step that is taken out of the sums, and one that is put in.
pub(super) type Exchange = [usize; 2];

/// The exchanges of a play, filled up with some of [`NOTHING`].
pub(super) enum Exchanges {
    /// Of most plays.
    Two([[Exchange; 2]; 1]),
    /// Two checkers hit, or four move.
    Four([[Exchange; 2]; 2]),
    /// Four checkers move, and each may hit.
    Eight([[[Exchange; 2]; 2]; 2]),
}

/// For each place of a side the steps of two checkers; [`NOTHING`] at 32, the lowest bit of an empty mask.
type OfTwo = [[u16; 2]; 33];

/// The places of a position whose plays are compared.
pub(super) struct Places<'a> {
    steps: &'a Steps,
    /// The checkers on the bar of the player who is next.
    next_bar: u8,
    mover: &'a [u8; PLACES_A_SIDE],
    /// The steps of the mover's last two checkers on each of his points.
    fewer: OfTwo,
    /// The steps of two checkers more there, and of those borne off at 0.
    more: OfTwo,
}

/// A mask without its lowest bit.
#[inline(always)]
fn without_lowest(mask: u32) -> u32 {
    mask & mask.wrapping_sub(1)
}

impl<'a> Places<'a> {
    /// Of a position, and the checkers of the player who moves.
    #[inline(always)]
    pub(super) fn new(
        steps: &'a Steps,
        position: &Planes,
        mover: &'a [u8; PLACES_A_SIDE],
    ) -> Places<'a> {
        let of_mover = steps.of_side(MOVER);
        let mut places = Places {
            steps,
            next_bar: count(position.opponent(), PLACES_A_SIDE - 1),
            mover,
            fewer: [[NOTHING as u16; 2]; 33],
            more: *steps.onto_empty(MOVER),
        };
        places.more[0] = of_mover[0].up[usize::from(mover[0]) % 16].two();
        for point in points(position.own()) {
            let before = usize::from(mover[point]) % 16;
            places.fewer[point] = of_mover[point].down[before].two();
            places.more[point] = of_mover[point].up[before].two();
        }
        places
    }

    /// The exchanges of a play.
    #[inline(always)]
    pub(super) fn exchanges(&self, change: &Change) -> Exchanges {
        let (fewer, hits) = (change.fewer(), change.hit_mask());
        let [ones, twos, fours] = fewer;
        let moved = ones.count_ones() + 2 * twos.count_ones() + 4 * fours.count_ones();
        if moved > 2 {
            let four = self.moves_of_four(change, moved);
            if hits == 0 {
                return Exchanges::Four(four);
            }
            return Exchanges::Eight([four, [self.hits(hits, 0), self.hits(hits, 2)]]);
        }
        let two = self.moves_of_two(change, moved);
        match hits {
            0 => Exchanges::Two([two]),
            _ if without_lowest(without_lowest(hits)) == 0 => {
                Exchanges::Four([two, self.hits(hits, 0)])
            }
            _ => {
                let none = [[NOTHING; 2]; 2];
                Exchanges::Eight([[two, none], [self.hits(hits, 0), self.hits(hits, 2)]])
            }
        }
    }

    /// The exchanges of a play that moves at most two checkers, as most plays do. It has no branches, because the CPU would
    /// predict them wrongly.
    #[inline(always)]
    fn moves_of_two(&self, change: &Change, moved: u32) -> [Exchange; 2] {
        let ([lost, lost_2, _], [gained, gained_2, _]) = (change.fewer(), change.more());
        let step = |of: &OfTwo, mask: u32, is_second: bool| {
            usize::from(of[mask.trailing_zeros() as usize][usize::from(is_second)])
        };
        // Those that are borne off go to 0. They come after those that go to points.
        let off = moved - gained.count_ones() - 2 * gained_2.count_ones();
        let onto = gained | gained_2;
        let first_off = off.min(u32::from(onto == 0));
        let second = gained_2 | without_lowest(gained) | (off - first_off);
        [
            [
                step(&self.fewer, lost | lost_2, false),
                step(&self.more, onto | first_off, false),
            ],
            [
                step(&self.fewer, lost_2 | without_lowest(lost), lost_2 != 0),
                step(&self.more, second, gained_2 != 0 || off == 2),
            ],
        ]
    }

    /// The exchanges of at most four checkers that move.
    #[inline(always)]
    fn moves_of_four(&self, change: &Change, moved: u32) -> [[Exchange; 2]; 2] {
        let (mut out, mut put) = (UpToFour::default(), UpToFour::default());
        let mover = self.steps.of_side(MOVER);
        let before = |point: usize| usize::from(self.mover[point]) % 16;
        let (fewer, more) = (change.fewer(), change.more());
        let all = |[ones, twos, fours]: [u32; 3]| ones | twos | fours;
        let number = |[ones, twos, fours]: [u32; 3], point: usize| {
            u32::from(count([ones, twos, fours, 0], point))
        };
        let (mut from, mut onto) = (all(fewer), all(more));
        let mut round = 0;
        // The number of rounds is fixed, since a branch would be mispredicted: of no point nothing is added, as of point 0.
        while round < 4 {
            let point = from.trailing_zeros() as usize % 32;
            out.add(mover[point].down[before(point)], number(fewer, point));
            let point = onto.trailing_zeros() as usize % 32;
            put.add(mover[point].up[before(point)], number(more, point));
            (from, onto) = (without_lowest(from), without_lowest(onto));
            round += 1;
        }
        // The others are borne off.
        put.add(mover[0].up[before(0)], moved - put.number());
        let (out, put) = (out.steps(), put.steps());
        let exchange = |checker: usize| [out.at(checker), put.at(checker)];
        [[exchange(0), exchange(1)], [exchange(2), exchange(3)]]
    }

    /// The exchanges of two hits, after some others.
    #[inline(always)]
    fn hits(&self, hits: u32, others: usize) -> [Exchange; 2] {
        let mut hits = hits;
        for _ in 0..others {
            hits = without_lowest(hits);
        }
        [
            self.hit(hits, others),
            self.hit(without_lowest(hits), others + 1),
        ]
    }

    /// The exchange of the lowest hit of these, after some others.
    #[inline(always)]
    fn hit(&self, hits: u32, others: usize) -> Exchange {
        if hits == 0 {
            return [NOTHING; 2];
        }
        let next = self.steps.of_side(NEXT);
        let point = PLACES_A_SIDE - 1 - hits.trailing_zeros() as usize % PLACES_A_SIDE;
        let bar = (usize::from(self.next_bar) + others) % 16;
        let step = |place: usize, before: usize| next[place].up[before].at(0);
        [step(point, 0), step(PLACES_A_SIDE - 1, bar)]
    }
}
