//! Plays as steps of the first layer.

use tavli_backgammon::Planes;
use tavli_backgammon::plays::Change;

use super::counts::{PLACES_A_SIDE, bits, borne_off, count, points};
use super::first::First;
use super::steps::{Four, Side, Steps, UpToFour};

/// The side, in what a play leads to, of the player about to roll.
const NEXT: usize = 0;

/// For each place of a side the numbers of two checkers; 0 at 32, the lowest bit of an empty mask.
type OfTwo = [[u16; 2]; 33];

/// The places of a position whose plays are compared.
pub(super) struct Places<'a> {
    steps: &'a Steps,
    /// The numbers of moves.
    numbers: &'a Side,
    /// The checkers on the bar of the player who is next.
    next_bar: u8,
    mover: [u8; PLACES_A_SIDE],
    /// The numbers of the mover's last two checkers on each of his points.
    fewer: OfTwo,
    /// The numbers of two checkers more there, and of those borne off at 0.
    more: OfTwo,
}

/// How many checkers a play moves.
#[inline(always)]
fn moved(change: &Change) -> u32 {
    let [ones, twos, fours] = change.fewer();
    ones.count_ones() + 2 * twos.count_ones() + 4 * fours.count_ones()
}

/// A mask without its lowest bit.
#[inline(always)]
fn without_lowest(mask: u32) -> u32 {
    mask & mask.wrapping_sub(1)
}

impl<'a> Places<'a> {
    /// Of a position.
    #[inline(always)]
    pub(super) fn new(first: &'a First, position: &Planes) -> Places<'a> {
        let numbers = first.moves.numbers();
        let mut places = Places {
            steps: first.steps,
            numbers,
            next_bar: count(position.opponent(), PLACES_A_SIDE - 1),
            mover: [0; PLACES_A_SIDE],
            fewer: [[0; 2]; 33],
            more: *first.moves.onto_empty(),
        };
        let off = borne_off(position.own());
        places.mover[0] = off;
        places.more[0] = numbers[0].up[usize::from(off) % 16].two();
        for point in points(position.own()) {
            let checkers = count(position.own(), point);
            let numbers = &numbers[point % PLACES_A_SIDE];
            places.mover[point % PLACES_A_SIDE] = checkers;
            places.fewer[point] = numbers.down[usize::from(checkers) % 16].two();
            places.more[point] = numbers.up[usize::from(checkers) % 16].two();
        }
        places
    }

    /// The moves of a play of at most two checkers, the lowest to the lowest place. Branches would be mispredicted, so
    /// it has none.
    #[inline(always)]
    pub(super) fn moves_of_two(&self, change: &Change) -> Four {
        let moved = moved(change);
        let ([lost, lost_2, _], [gained, gained_2, _]) = (change.fewer(), change.more());
        let number = |of: &OfTwo, mask: u32, is_second: bool| {
            of[mask.trailing_zeros() as usize][usize::from(is_second)]
        };
        // Those that are borne off go to 0: none, one or two.
        let off = moved - gained.count_ones() - 2 * gained_2.count_ones();
        let (gained, gained_2) = (gained | off & 1, gained_2 | off >> 1);
        Four::of_two([
            number(&self.fewer, lost | lost_2, false)
                + number(&self.more, gained | gained_2, false),
            number(&self.fewer, lost_2 | without_lowest(lost), lost_2 != 0)
                + number(&self.more, gained_2 | without_lowest(gained), gained_2 != 0),
        ])
    }

    /// The moves of at most four checkers, the lowest to the lowest place.
    #[inline(always)]
    pub(super) fn moves_of_four(&self, change: &Change) -> Four {
        let moved = moved(change);
        let (mut out, mut put) = (UpToFour::default(), UpToFour::default());
        let mover = self.numbers;
        let before = |point: usize| usize::from(self.mover[point]) % 16;
        let (fewer, more) = (change.fewer(), change.more());
        let all = |[ones, twos, fours]: [u32; 3]| ones | twos | fours;
        let number = |[ones, twos, fours]: [u32; 3], point: usize| {
            u32::from(count([ones, twos, fours, 0], point))
        };
        let [ones, twos, fours] = more;
        // The others are borne off.
        put.add(
            mover[0].up[before(0)],
            moved - ones.count_ones() - 2 * twos.count_ones() - 4 * fours.count_ones(),
        );
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
        out.steps().plus(put.steps())
    }

    /// The steps of the blots that are hit, off their points and onto the bar.
    #[inline(always)]
    pub(super) fn hits(&self, hits: u32) -> impl Iterator<Item = [usize; 2]> {
        let next = self.steps.of_side(NEXT);
        bits(hits).zip(self.next_bar..).map(
            #[inline(always)]
            move |(point, bar)| {
                let step =
                    |place: usize, before: u8| next[place].up[usize::from(before) % 16].at(0);
                let point = PLACES_A_SIDE - 1 - point % PLACES_A_SIDE;
                [step(point, 0), step(PLACES_A_SIDE - 1, bar)]
            },
        )
    }
}
