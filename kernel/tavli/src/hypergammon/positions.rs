//! All positions of three checkers a side, numbered.

use std::sync::LazyLock;

use tavli_backgammon::{BAR, Board, RuleSet, Side};

/// Checkers of a side.
const CHECKERS: usize = RuleSet::Hypergammon.checkers() as usize;
/// Places of a checker: off, points 1 to 24, the bar.
const PLACES: usize = BAR as usize + 1;
/// Positions of a side: three checkers on 26 places.
pub(super) const SIDES: usize = PLACES * (PLACES + 1) * (PLACES + 2) / 6;

/// The legal positions in which no side has borne off all its checkers.
pub const GOING_ON: usize = 7_953_353;

/// The number of a position among all pairs of sides, legal or not: that of the player on roll, then that of the
/// opponent.
pub(super) type Number = u32;

/// The positions in which the game goes on.
#[derive(Debug)]
pub(super) struct Positions {
    /// By pips of both sides together, fewest first.
    pub(super) order: Vec<Number>,
    /// Where the positions of each number of pips end.
    pub(super) ends: Vec<usize>,
    /// The pips of a side by its number.
    pub(super) pips: Vec<u8>,
    /// The positions with the player on roll's side below each number.
    before: Vec<u32>,
}

/// They are the same for all.
pub(super) static POSITIONS: LazyLock<Positions> = LazyLock::new(Positions::new);

impl Positions {
    fn new() -> Positions {
        let sides: Vec<[u8; PLACES]> = sides().collect();
        let pips: Vec<u8> = sides
            .iter()
            .map(|counts| {
                (0..)
                    .zip(counts)
                    .map(|(point, count): (u8, &u8)| point * count)
                    .sum()
            })
            .collect();
        let most = 2 * CHECKERS * usize::from(BAR);
        let mut by_pips = vec![Vec::new(); most + 1];
        let mut before = Vec::with_capacity(SIDES + 1);
        let mut found = 0;
        for own in 0..SIDES {
            before.push(found);
            for other in 0..SIDES {
                if goes_on(&sides, own, other) {
                    by_pips[usize::from(pips[own]) + usize::from(pips[other])]
                        .push((own * SIDES + other) as Number);
                    found += 1;
                }
            }
        }
        before.push(found);
        debug_assert_eq!(found as usize, GOING_ON);
        let mut ends = Vec::new();
        let mut order = Vec::with_capacity(found as usize);
        for positions in by_pips {
            order.extend(positions);
            ends.push(order.len());
        }
        Positions {
            order,
            ends,
            pips,
            before,
        }
    }

    /// The place of a position among those in which the game goes on, in the order of their numbers.
    pub(super) fn place(&self, number: Number) -> Option<usize> {
        let (own, other) = (number as usize / SIDES, number as usize % SIDES);
        let sides: Vec<[u8; PLACES]> = sides().collect();
        let below = (0..other)
            .filter(|&other| goes_on(&sides, own, other))
            .count();
        goes_on(&sides, own, other).then(|| self.before[own] as usize + below)
    }

    /// The pips of both sides together.
    pub(super) fn pips(&self, number: Number) -> u16 {
        let (own, other) = (number as usize / SIDES, number as usize % SIDES);
        u16::from(self.pips[own]) + u16::from(self.pips[other])
    }
}

/// Whether a position is legal, and no side has borne off all.
fn goes_on(sides: &[[u8; PLACES]], own: usize, other: usize) -> bool {
    let (own, other) = (&sides[own], &sides[other]);
    let on_board = |side: &[u8; PLACES]| usize::from(side[0]) < CHECKERS;
    let bar = usize::from(BAR);
    let meet = (1..bar).any(|point| own[point] > 0 && other[bar - point] > 0);
    on_board(own) && on_board(other) && !meet
}

/// All positions of a side by number: its checkers on each place.
fn sides() -> impl Iterator<Item = [u8; PLACES]> {
    (0..PLACES).flat_map(|high| {
        (0..=high).flat_map(move |middle| {
            (0..=middle).map(move |low| {
                let mut counts = [0; PLACES];
                for place in [low, middle, high] {
                    counts[place] += 1;
                }
                counts
            })
        })
    })
}

/// The number of a side.
#[inline]
fn side_number(side: &Side) -> Number {
    // Its checkers from the rearmost on, those borne off last.
    let mut places = [0; CHECKERS];
    let mut at = 0;
    let mut left = side.occupied();
    while left != 0 {
        let place = left.ilog2();
        left ^= 1 << place;
        for _ in 0..side.count(place as u8) {
            places[at] = place;
            at += 1;
        }
    }
    let [high, middle, low] = places;
    high * (high + 1) * (high + 2) / 6 + middle * (middle + 1) / 2 + low
}

/// The number of a position; its sides must have at most three checkers.
#[inline]
pub(super) fn number(board: &Board) -> Number {
    side_number(board.own()) * SIDES as Number + side_number(board.opponent())
}

/// The position of a number.
pub(super) fn board(number: Number) -> Board {
    static SIDE: LazyLock<Vec<[u8; PLACES]>> = LazyLock::new(|| {
        sides()
            .map(|mut counts| {
                counts[0] = 0;
                counts
            })
            .collect()
    });
    let (own, other) = (number as usize / SIDES, number as usize % SIDES);
    Board::new(&SIDE[own], &SIDE[other]).expect("a legal position")
}
