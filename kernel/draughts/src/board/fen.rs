//! Positions as text: FEN, and a drawing.

use core::fmt::{self, Write};
use core::str::FromStr;

use tavli_base::text::{Quoted, bare};

use super::position::{Position, PositionError};
use super::side::Side;
use super::squares::Square;

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::from(match self.side() {
            Side::Black => "B",
            Side::White => "W",
        });
        for (side, name) in [(Side::White, ":W"), (Side::Black, ":B")] {
            text.push_str(name);
            for (at, square) in Square::all(self.pieces(side)).enumerate() {
                let comma = if at > 0 { "," } else { "" };
                let king = if self.kings() & square.set() != 0 { "K" } else { "" };
                write!(text, "{comma}{king}{square}")?;
            }
        }
        if self.quiet() > 0 {
            write!(text, ":H{}", self.quiet())?;
        }
        f.pad(&text)
    }
}

/// The number of a square.
fn square(text: &str, whole: &str) -> Result<u32, PositionError> {
    let number = text.trim().parse().ok().and_then(Square::new);
    number.map(Square::number).ok_or_else(|| PositionError::Square(Quoted::new(whole.trim()).to_string()))
}

/// The pieces of a part behind its first letter, and which are kings. A range of squares, as in `21-32`, is read too.
fn pieces(part: &str) -> Result<(u32, u32), PositionError> {
    let (mut all, mut kings) = (0_u32, 0);
    if part.trim().is_empty() {
        return Ok((0, 0));
    }
    for item in part.split(',') {
        let trimmed = item.trim();
        let number = trimmed.strip_prefix(['K', 'k']);
        let (is_king, numbers) = (number.is_some(), number.unwrap_or(trimmed));
        let (first, last) = numbers.split_once('-').unwrap_or((numbers, numbers));
        let (first, last) = (square(first, item)?, square(last, item)?);
        if first > last {
            return Err(PositionError::Square(Quoted::new(trimmed).to_string()));
        }
        for square in (first..=last).filter_map(Square::new) {
            // A set would lose the second piece of a side on a square, so `Position::new` could not see it.
            if all & square.set() != 0 {
                return Err(PositionError::Occupied(square));
            }
            all |= square.set();
            kings |= if is_king { square.set() } else { 0 };
        }
    }
    Ok((all, kings))
}

impl FromStr for Position {
    type Err = PositionError;

    /// Reads a FEN. The parts of the sides may come in either order, letters may be small, spaces may stand between,
    /// and a point at the end, as some programs write one.
    fn from_str(text: &str) -> Result<Position, PositionError> {
        let trimmed = bare(text);
        let parts: Vec<&str> = trimmed.strip_suffix('.').unwrap_or(trimmed).split(':').collect();
        let &[mover, first, second, ref rest @ ..] = &parts[..] else {
            return Err(PositionError::Parts(Quoted::new(text).to_string()));
        };
        let side = match mover.trim() {
            "B" | "b" => Side::Black,
            "W" | "w" => Side::White,
            other => return Err(PositionError::SideToMove(Quoted::new(other).to_string())),
        };
        let quiet = match rest {
            [] => 0,
            [count] => {
                let number = count.trim().strip_prefix(['H', 'h']);
                let number = number.and_then(|number| number.parse().ok());
                number.ok_or_else(|| PositionError::Count(Quoted::new(count).to_string()))?
            }
            _ => return Err(PositionError::Parts(Quoted::new(text).to_string())),
        };
        let (mut sides, mut kings) = ([None; 2], 0);
        for part in [first, second] {
            let part = part.trim();
            let side = match part.as_bytes().first() {
                Some(b'B' | b'b') => Side::Black,
                Some(b'W' | b'w') => Side::White,
                _ => return Err(PositionError::Side(Quoted::new(part).to_string())),
            };
            // The first character is one of four letters, and so one byte.
            let (all, those_kings) = pieces(&part[1..])?;
            if sides[side as usize].replace(all).is_some() {
                return Err(PositionError::Side(Quoted::new(part).to_string()));
            }
            kings |= those_kings;
        }
        let [black, white] = sides.map(Option::unwrap_or_default);
        Position::new(black, white, kings, side, quiet)
    }
}

impl Position {
    /// The board in characters, one line a row, with the numbers of the squares on the right: Black's men `b`, White's
    /// `w`, kings `B` and `W`, empty dark squares `.`; no end of the last line.
    /// ```
    /// println!("{}", tavli_draughts::Position::START.drawing());
    /// ```
    #[must_use]
    pub fn drawing(&self) -> String {
        let mut text = String::new();
        for row in 0..8 {
            for column in 0..8 {
                // A light square gets the number of the dark one beside it, and is told by the column.
                let number = 4 * row + column / 2 + 1;
                let square = Square::new(number).filter(|square| square.column() == column);
                text.push(square.map_or(' ', |square| self.letter(square)));
                text.push(' ');
            }
            text.push_str(&format!("  {:>2}-{}\n", 4 * row + 1, 4 * row + 4));
        }
        let mover = self.side();
        text.push_str(&format!("{mover} to move"));
        if self.quiet() > 0 {
            text.push_str(&format!(", {} quiet plies", self.quiet()));
        }
        text
    }

    /// How a drawing shows a square.
    fn letter(&self, square: Square) -> char {
        let is_on = |set: u32| set & square.set() != 0;
        let letter = match () {
            () if is_on(self.pieces(Side::Black)) => 'b',
            () if is_on(self.pieces(Side::White)) => 'w',
            () => '.',
        };
        if is_on(self.kings()) { letter.to_ascii_uppercase() } else { letter }
    }
}
