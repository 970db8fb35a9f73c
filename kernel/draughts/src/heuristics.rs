//! Values of positions by simple counts, for players that look ahead to them.
//!
//! All but `ends` are from a report on Monte-Carlo search for draughts: `material` is what its minimax player looked
//! at, the others its heuristics. Each is the count of the side to move less the other side's, divided by the most
//! that a side can have.

use crate::board::squares::{self, Black, Mover, White};
use crate::board::{Position, Side, Square};
use crate::plays::Masks;
use tavli_simd::Scalar;

/// How a side's pieces are counted.
struct SimpleHeuristic {
    name: &'static str,
    count: fn(&Position, Side) -> i32,
    /// The largest difference between two counts.
    most: i32,
}

/// The heuristics, the default first.
const ALL: [SimpleHeuristic; 10] = [
    SimpleHeuristic {
        name: "material",
        count: |position, side| {
            let (men, kings) = numbers(position, side);
            2 * men + 3 * kings
        },
        most: 36,
    },
    SimpleHeuristic {
        name: "rows",
        count: |position, side| men(position, side).map(|row| 5 + row).sum::<i32>() + 15 * numbers(position, side).1,
        most: 180,
    },
    SimpleHeuristic { name: "edge", count: |position, side| on(position, side, EDGE), most: 12 },
    SimpleHeuristic { name: "movable", count: movable, most: 12 },
    SimpleHeuristic {
        name: "promotion",
        count: |position, side| -men(position, side).map(|row| 7 - row).sum::<i32>(),
        most: 84,
    },
    SimpleHeuristic {
        name: "free-promotion",
        count: |position, side| {
            let all = position.pieces(Side::Black) | position.pieces(Side::White);
            (rows(side, 7..8) & !all).count_ones() as i32
        },
        most: 4,
    },
    SimpleHeuristic { name: "defenders", count: |position, side| on(position, side, rows(side, 0..2)), most: 8 },
    SimpleHeuristic { name: "attackers", count: |position, side| on(position, side, rows(side, 5..8)), most: 12 },
    SimpleHeuristic { name: "centre", count: |position, side| on(position, side, rows(side, 3..5)), most: 8 },
    SimpleHeuristic { name: "ends", count: |_, _| 0, most: 1 },
];

/// The names of the heuristics.
pub(crate) const NAMES: &[&str] = &{
    let mut names = [""; ALL.len()];
    let mut this = 0;
    // Iterators cannot run in a constant.
    while this < ALL.len() {
        names[this] = ALL[this].name;
        this += 1;
    }
    names
};

/// The squares on the edge of the board, where no piece can be taken.
const EDGE: u32 = {
    let mut edge = 0;
    let mut number = 1;
    while number <= 32 {
        if let Some(square) = Square::new(number)
            && (square.column() % 7 == 0 || square.row() % 7 == 0)
        {
            edge |= square.set();
        }
        number += 1;
    }
    edge
};

/// The value of a position for the side to move by the heuristic of this index: -1 to 1.
pub(crate) fn value(position: &Position, heuristic: usize) -> f64 {
    let SimpleHeuristic { count, most, .. } = ALL[heuristic];
    let side = position.side();
    f64::from(count(position, side) - count(position, side.other())) / f64::from(most)
}

/// A side's men and kings.
fn numbers(position: &Position, side: Side) -> (i32, i32) {
    let (pieces, kings) = (position.pieces(side), position.kings());
    ((pieces & !kings).count_ones() as i32, (pieces & kings).count_ones() as i32)
}

/// The row of each of a side's men, from 0 on its own side.
fn men(position: &Position, side: Side) -> impl Iterator<Item = i32> {
    Square::all(position.pieces(side) & !position.kings()).map(move |square| match side {
        Side::Black => square.row() as i32,
        Side::White => 7 - square.row() as i32,
    })
}

/// The squares of rows counted from a side's own.
fn rows(side: Side, rows: core::ops::Range<u32>) -> u32 {
    rows.map(|row| match side {
        Side::Black => squares::row(row),
        Side::White => squares::row(7 - row),
    })
    .fold(0, |all, row| all | row)
}

/// How many of a side's pieces stand on these squares.
fn on(position: &Position, side: Side, squares: u32) -> i32 {
    (position.pieces(side) & squares).count_ones() as i32
}

/// How many of a side's pieces can step or jump.
fn movable(position: &Position, side: Side) -> i32 {
    let masks = match side {
        Side::Black => masks_of::<Black>(position),
        Side::White => masks_of::<White>(position),
    };
    let all = [masks.steps, masks.jumps].concat();
    all.iter().fold(0, |all, set| all | set.get()).count_ones() as i32
}

fn masks_of<M: Mover>(position: &Position) -> Masks<tavli_simd::Word<tavli_simd::Scalar>> {
    Masks::new::<M>(&position.seen_by(Scalar, M::SIDE))
}
