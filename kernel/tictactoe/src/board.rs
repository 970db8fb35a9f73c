//! The board.

use tavli_base::text::{Quoted, bare};
use tavli_game::PositionError;

/// The lines of three squares, of which square `3 row + column` is bit `3 row + column`.
const LINES: [u16; 8] = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];
const SQUARES: usize = 9;

/// Whose turn it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Mark {
    /// The player who begins.
    X,
    /// The other player.
    O,
}

/// A position: the squares of the player to move and of the other, as bits, and the mark of the player to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Board {
    own: u16,
    other: u16,
    to_move: Mark,
}

impl Mark {
    /// The other mark.
    #[must_use]
    pub fn other(self) -> Mark {
        match self {
            Mark::X => Mark::O,
            Mark::O => Mark::X,
        }
    }

    fn letter(self) -> char {
        match self {
            Mark::X => 'X',
            Mark::O => 'O',
        }
    }
}

impl Board {
    /// The empty board, X to move.
    pub const START: Board = Board { own: 0, other: 0, to_move: Mark::X };

    /// The empty squares, row by row from the top, each by its row and column from 0.
    pub fn empty(&self) -> impl Iterator<Item = u32> + use<> {
        let marked = self.own | self.other;
        (0..SQUARES as u32).filter(move |square| marked >> square & 1 == 0)
    }

    /// The board after the player to move has marked a square.
    #[must_use]
    pub fn marked(&self, square: u32) -> Board {
        debug_assert!(self.empty().any(|empty| empty == square), "the square is empty");
        Board { own: self.other, other: self.own | 1 << square, to_move: self.to_move.other() }
    }

    /// Whether the player who has moved has three in a line.
    fn is_lost(&self) -> bool {
        // Only the last mark can complete a line, and `read` refuses a line of the player to move.
        LINES.iter().any(|line| self.other & line == *line)
    }

    /// If the game is over, the points of the player to move: -1, or 0 for a draw.
    #[must_use]
    pub fn points(&self) -> Option<i32> {
        // Before the test for a full board: the ninth mark may complete a line.
        if self.is_lost() {
            return Some(-1);
        }
        self.empty().next().is_none().then_some(0)
    }

    /// The lines that the player to move may still fill, less those of the other: the usual value of a position that is
    /// not searched to the end.
    #[must_use]
    pub fn open_lines(&self) -> i32 {
        // A line stays open to a player until the other has marked a square of it.
        let [own, other] = [self.other, self.own].map(|blocking| {
            let open = LINES.iter().filter(|&line| blocking & line == 0);
            open.count() as i32
        });
        own - other
    }

    /// Reads three rows of `X`, `O` and `-`, with a slash between, and after a space who is to move.
    ///
    /// # Errors
    /// [`PositionError`] if the text has another form, or if no game comes to the position.
    pub fn read(text: &str) -> Result<Board, PositionError> {
        let (squares, to_move) = bare(text).split_once(' ').ok_or_else(|| shape(text))?;
        let to_move = match to_move.trim() {
            "X" => Mark::X,
            "O" => Mark::O,
            _ => return Err(shape(text)),
        };
        let rows: Vec<&str> = squares.split('/').collect();
        // Before squares become bits: 16 have room.
        if rows.len() != 3 || rows.iter().any(|row| row.chars().count() != 3) {
            return Err(shape(text));
        }
        let mut of = [0u16; 2];
        for (square, character) in rows.concat().chars().enumerate() {
            match character {
                'X' => of[0] |= 1 << square,
                'O' => of[1] |= 1 << square,
                '-' => (),
                _ => return Err(shape(text)),
            }
        }
        let [x, o] = of.map(u16::count_ones);
        let expected = match to_move {
            Mark::X => o,
            Mark::O => o + 1,
        };
        if x != expected {
            return Err(PositionError::new(format_args!(
                "the marks are {x} of X and {o} of O with {} to move: X begins, and they mark in turn",
                to_move.letter()
            )));
        }
        let [own, other] = if to_move == Mark::X { of } else { [of[1], of[0]] };
        if LINES.iter().any(|line| own & line == *line) {
            return Err(PositionError::new(format_args!(
                "{} has three in a line and is to move: the game was over before",
                to_move.letter()
            )));
        }
        Ok(Board { own, other, to_move })
    }

    /// The squares, row by row from the top: 1 of X, -1 of O, 0 empty.
    #[must_use]
    pub fn squares(&self) -> [i32; SQUARES] {
        let marked = |set: u16, square: usize| i32::from(set >> square & 1);
        // The bits are by turn, and the numbers by mark.
        core::array::from_fn(|square| self.side() * (marked(self.own, square) - marked(self.other, square)))
    }

    /// Who is to move: 1 for X, -1 for O.
    #[must_use]
    pub fn side(&self) -> i32 {
        match self.to_move {
            Mark::X => 1,
            Mark::O => -1,
        }
    }

    /// Calls `square` with the character of each square, and its index.
    fn each_square(&self, mut square: impl FnMut(char, usize)) {
        for index in 0..SQUARES {
            let own = self.own >> index & 1 == 1;
            let other = self.other >> index & 1 == 1;
            let character = match (own, other) {
                (true, _) => self.to_move.letter(),
                (_, true) => self.to_move.other().letter(),
                _ => '-',
            };
            square(character, index);
        }
    }

    /// The text that [`Board::read`] takes.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = String::new();
        self.each_square(|character, index| {
            if index == 3 || index == 6 {
                text.push('/');
            }
            text.push(character);
        });
        format!("{text} {}", self.to_move.letter())
    }

    /// The board with its coordinates, and who is to move.
    #[must_use]
    pub fn drawing(&self) -> String {
        let mut drawing = String::new();
        self.each_square(|character, index| {
            if index % 3 == 0 {
                drawing.push_str(&format!("{} ", 3 - index / 3));
            }
            drawing.push(' ');
            drawing.push(if character == '-' { '.' } else { character });
            if index % 3 == 2 {
                drawing.push('\n');
            }
        });
        let end = match self.points() {
            None => format!("{} to move", self.to_move.letter()),
            Some(0) => "a draw".to_owned(),
            Some(_) => format!("{} has won", self.to_move.other().letter()),
        };
        format!("{drawing}   a b c   {end}")
    }
}

/// The name of a square: its column a to c, and its row 3 to 1 from the top.
pub(crate) fn name(square: u32) -> String {
    let column = char::from(b'a' + (square % 3) as u8);
    format!("{column}{}", 3 - square / 3)
}

fn shape(text: &str) -> PositionError {
    PositionError::new(format_args!(
        "'{}' is not three rows of X, O and -, such as XO-/-X-/--- O, with who is to move at the end",
        Quoted::new(text).within(40)
    ))
}
