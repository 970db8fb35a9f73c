//! The board drawn as text: 13 lines, the player on roll is X and moves from the upper right corner to the lower right.

use crate::position::{CHECKERS, POINTS, Position, SideCheckers};
use crate::variant::Variant;

/// Rows of a point. The innermost shows the number of checkers if there are more.
const ROWS: u32 = 5;
/// The characters of 6 to 16 checkers: all 15 of a side may stand on a checker that they pin.
const DIGITS: &[u8; 11] = b"6789ABCDEFG";

/// The drawing of a position. A pinned checker is a small letter at the edge, beneath those that pin it.
pub(crate) fn draw<G: Variant>(position: &Position) -> String {
    let half = |points: &[usize], edge: &str, label: String, top: bool| -> Vec<String> {
        let row = |height: u32| {
            let mut line = String::from(" |");
            for (column, &point) in points.iter().enumerate() {
                if column == 6 {
                    line.push_str("|  |");
                }
                line.extend([' ', checker::<G>(position, point, height), ' ']);
            }
            line.push('|');
            line
        };
        let mut lines = vec![format!(" +{edge}+     {label}")];
        lines.extend((0..ROWS).map(row));
        if !top {
            lines.reverse();
        }
        lines
    };
    let upper: Vec<usize> = (13..=POINTS).collect();
    let lower: Vec<usize> = (1..=12).rev().collect();
    let label = |letter: char, side: &SideCheckers| {
        format!("{letter}: {} pips, {} off", side.pips(), CHECKERS - side.on_board())
    };
    let mut lines = half(&upper, "13-14-15-16-17-18------19-20-21-22-23-24-", label('O', &position.opponent), true);
    lines.push(format!("v|{0}|  |{0}|", " ".repeat(18)));
    lines.extend(half(&lower, "12-11-10--9--8--7-------6--5--4--3--2--1-", label('X', &position.own), false));
    lines.join("\n")
}

/// The character of a point at a height; 0 is the edge of the board.
fn checker<G: Variant>(position: &Position, point: usize, height: u32) -> char {
    let across = G::point_across(point);
    let (own, opponent) = (position.own.free(point), position.opponent.free(across));
    let (letter, beneath, pins) = if own > 0 {
        ('X', 'o', position.opponent.is_pinned(across))
    } else {
        ('O', 'x', position.own.is_pinned(point))
    };
    let number = own + opponent + u32::from(pins);
    if number <= height {
        ' '
    } else if number > ROWS && height == ROWS - 1 {
        char::from(DIGITS[(number - ROWS - 1) as usize])
    } else if pins && height == 0 {
        beneath
    } else {
        letter
    }
}
