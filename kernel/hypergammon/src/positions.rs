//! All positions of three checkers a side, numbered.

use std::sync::LazyLock;

use tavli_backgammon::{BAR, Board, RuleSet, SideCheckers};

use crate::error::{SolutionError, room};

/// The legal positions in which no side has borne off all its checkers.
pub const OPEN_POSITIONS: usize = 7_953_353;

/// Checkers of a side.
pub(crate) const CHECKERS: u8 = RuleSet::Hypergammon.checkers();
/// The most pips of both sides together.
pub(crate) const MAX_PIPS: u32 = 2 * CHECKERS as u32 * BAR as u32;
/// Points of a checker: 0 for off, 1 to 24, 25 for the bar.
const POINTS: usize = BAR as usize + 1;
/// Positions of a side: three checkers on 26 points.
pub(crate) const SIDES: usize = POINTS * (POINTS + 1) * (POINTS + 2) / 6;

/// The number of a position among all pairs of sides, legal or not: first the side of the player on roll, then the
/// opponent's.
pub(crate) type Number = u32;

/// The checkers of a side on each point, by its number.
static COUNTS: LazyLock<Vec<[u8; POINTS]>> = LazyLock::new(|| {
    // In the order of `side_number`: the highest point counts slowest.
    let points = (0..POINTS)
        .flat_map(|high| (0..=high).flat_map(move |middle| (0..=middle).map(move |low| [low, middle, high])));
    let counts = points.map(|points| {
        let mut counts = [0; POINTS];
        for point in points {
            counts[point] += 1;
        }
        counts
    });
    counts.collect()
});

/// The pips of a side, by its number.
static PIPS: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let pips = |counts: &[u8; POINTS]| (0..).zip(counts).map(|(point, count): (u8, &u8)| point * count).sum();
    COUNTS.iter().map(pips).collect()
});

/// Positions in which the game goes on.
#[derive(Debug)]
pub(crate) struct Positions {
    /// The most checkers on the board of one side, and of the other.
    pub(crate) at_most: [u8; 2],
    /// The numbers of the positions, by the pips of both sides together, fewest first.
    pub(crate) order: Vec<Number>,
    /// Where the positions of each number of pips end.
    pub(crate) ends: Vec<usize>,
}

impl Positions {
    /// The positions in which one side has at most `more` checkers on the board and the other at most `fewer`. No play
    /// leaves them.
    ///
    /// # Errors
    /// [`SolutionError::Memory`].
    pub(crate) fn with_at_most(more: u8, fewer: u8) -> Result<Positions, SolutionError> {
        let most = MAX_PIPS as usize;
        // Counted first, so that the list is allocated once.
        let ends = Positions::ends_of_at_most(more, fewer);
        let mut next = vec![0; most + 1];
        next[1..].copy_from_slice(&ends[..most]);
        let mut order = room(ends[most])?;
        // Within the room, so that too little memory is an error and does not end the program.
        order.resize(ends[most], 0);
        each_of_at_most(more, fewer, |number| {
            let next = &mut next[usize::from(pips(number))];
            order[*next] = number;
            *next += 1;
        });
        Ok(Positions { at_most: [more, fewer], order, ends })
    }

    /// Where the positions of each number of pips end in the order of [`Positions::with_at_most`].
    pub(crate) fn ends_of_at_most(more: u8, fewer: u8) -> Vec<usize> {
        let mut ends = vec![0; MAX_PIPS as usize + 1];
        each_of_at_most(more, fewer, |number| ends[usize::from(pips(number))] += 1);
        for pips in 1..ends.len() {
            ends[pips] += ends[pips - 1];
        }
        ends
    }

    /// All positions.
    ///
    /// # Errors
    /// [`SolutionError::Memory`].
    pub(crate) fn all() -> Result<Positions, SolutionError> {
        Positions::with_at_most(CHECKERS, CHECKERS)
    }
}

/// Visits the positions in which one side has at most `more` checkers on the board and the other at most `fewer`.
fn each_of_at_most(more: u8, fewer: u8, mut visit: impl FnMut(Number)) {
    let sides: Vec<usize> = (0..SIDES).filter(|&side| on_board(side) <= more).collect();
    for &own in &sides {
        for &other in &sides {
            let fewer_on_board = on_board(own).min(on_board(other));
            if fewer_on_board <= fewer && goes_on(own, other) {
                visit((own * SIDES + other) as Number);
            }
        }
    }
}

/// How many of a side's checkers are not borne off.
fn on_board(side: usize) -> u8 {
    CHECKERS - COUNTS[side][0]
}

/// Whether a position is legal, and no side has borne off all its checkers.
fn goes_on(own: usize, other: usize) -> bool {
    let bar = usize::from(BAR);
    let meet = (1..bar).any(|point| COUNTS[own][point] > 0 && COUNTS[other][bar - point] > 0);
    on_board(own) > 0 && on_board(other) > 0 && !meet
}

/// The numbers of the player on roll's side and of the opponent's.
fn sides(number: Number) -> (usize, usize) {
    (number as usize / SIDES, number as usize % SIDES)
}

/// The pips of both sides together.
#[inline]
pub(crate) fn pips(number: Number) -> u16 {
    let (own, other) = sides(number);
    u16::from(PIPS[own]) + u16::from(PIPS[other])
}

#[inline]
fn side_number(side: &SideCheckers) -> Number {
    // Its checkers from the rearmost on; borne-off ones come last.
    let mut points = [0; CHECKERS as usize];
    let mut at = 0;
    let mut left = side.occupied();
    while left != 0 {
        let point = left.ilog2();
        left ^= 1 << point;
        for _ in 0..side.count(point as u8) {
            points[at] = point;
            at += 1;
        }
    }
    let [high, middle, low] = points;
    high * (high + 1) * (high + 2) / 6 + middle * (middle + 1) / 2 + low
}

/// The number of a position; its sides must have at most three checkers.
#[inline]
pub(crate) fn number(board: &Board) -> Number {
    side_number(board.own()) * SIDES as Number + side_number(board.opponent())
}

/// The numbers of the positions after the plays of one.
pub(crate) struct NumbersAfter {
    /// The opponent before the play, who is on roll after it, and the number of the opponent's side.
    opponent: SideCheckers,
    opponent_number: Number,
}

impl NumbersAfter {
    pub(crate) fn new(before: &Board) -> NumbersAfter {
        NumbersAfter { opponent: *before.opponent(), opponent_number: side_number(before.opponent()) }
    }

    /// The [`number`] of a position after a play.
    #[inline]
    pub(crate) fn number(&self, after: &Board) -> Number {
        // Few plays hit, and numbering a side takes as long as making a play.
        let on_roll = match *after.own() == self.opponent {
            true => self.opponent_number,
            false => side_number(after.own()),
        };
        on_roll * SIDES as Number + side_number(after.opponent())
    }
}

/// The position of a number.
pub(crate) fn board(number: Number) -> Board {
    let (own, other) = sides(number);
    let on_board = |side: usize| {
        let mut counts = COUNTS[side];
        // Point 0 has the checkers borne off, which a board does not hold.
        counts[0] = 0;
        counts
    };
    Board::new(&on_board(own), &on_board(other)).expect("a legal position")
}
