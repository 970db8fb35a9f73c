//! The specification: what a random game of draughts is, in one file that runs.
//!
//! The words that a game draws, the plays of a position, their order, and the play that a word picks are all promised,
//! since a change of any of them changes the value of every playout. This file defines them with arrays and loops
//! alone. The file needs nothing but the standard library, and shares nothing with the fast code. Whoever writes a
//! compatible program, in any language, needs only this file.
//!
//! The file has the licence of the project. Anybody may write a program to this specification.
//!
//! Read it from the top: [`Position`], [`plays`], [`outcome`], [`Stream`], [`play`].

/// The squares, by their numbers in PDN, in the order in which plays are listed: the diagonals of the board one after
/// another, each walked as Black's men go, from the row of square 1 to the row of square 32.
pub const ORDER: [usize; 32] = [
    1, 6, 10, 15, 19, 24, 28, 5, 9, 14, 18, 23, 27, 32, 4, 13, 17, 22, 26, 31, 3, 8, 12, 21, 25, 30, 2, 7, 11, 16, 20,
    29,
];

/// A side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// Begins on squares 1 to 12. Its men go to higher numbers.
    Black,
    /// Begins on squares 21 to 32. Its men go to lower numbers.
    White,
}

impl Side {
    /// The other side.
    #[must_use]
    pub fn other(self) -> Side {
        match self {
            Side::Black => Side::White,
            Side::White => Side::Black,
        }
    }

    /// The directions of this side's pieces, as changes of column and row, in their order. Men go in the first two
    /// only.
    fn directions(self) -> [(i32, i32); 4] {
        match self {
            Side::Black => [(1, 1), (-1, 1), (-1, -1), (1, -1)],
            Side::White => [(-1, -1), (1, -1), (1, 1), (-1, 1)],
        }
    }

    /// The row on which this side's men become kings.
    fn last_row(self) -> i32 {
        match self {
            Side::Black => 7,
            Side::White => 0,
        }
    }
}

/// A piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Piece {
    /// Whose it is.
    pub side: Side,
    /// Whether it is a king.
    pub is_king: bool,
}

/// Where the pieces stand, and who moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Position {
    /// The piece on each square, by its number from 1 to 32. `[0]` is always empty.
    pub squares: [Option<Piece>; 33],
    /// The side to move.
    pub mover: Side,
    /// The plies in a row up to now that the [`Draw`] rule counts.
    pub quiet: u32,
}

impl Position {
    /// The position in which a game begins: Black moves.
    #[must_use]
    pub fn start() -> Position {
        let man = |side| Some(Piece { side, is_king: false });
        let mut squares = [None; 33];
        squares[1..=12].fill(man(Side::Black));
        squares[21..=32].fill(man(Side::White));
        Position { squares, mover: Side::Black, quiet: 0 }
    }
}

/// The rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rules {
    /// Which captures are to be made.
    pub captures: Captures,
    /// When a game is drawn.
    pub draw: Draw,
}

/// Which captures are to be made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Captures {
    /// If a piece can jump, one must, and it goes on as long as it can.
    Compulsory,
    /// A step is allowed too, but a piece that jumps goes on as long as it can.
    Optional,
    /// A step is allowed too, and a piece that jumps may stop after any jump.
    OptionalMayStop,
}

/// When a game is drawn. A side without a play loses first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Draw {
    /// After this number of plies in a row without a capture or a move of a man.
    Quiet(u32),
    /// After this number of plies in a row without a capture, if all pieces are kings; and after [`MAX_QUIET_PLIES`] in
    /// any case, since kings behind men that block each other could move for ever.
    KingsOnly(u32),
}

/// The plies in a row without a capture after which every game is drawn.
pub const MAX_QUIET_PLIES: u32 = 255;

/// English draughts.
pub const ENGLISH: Rules = Rules { captures: Captures::Compulsory, draw: Draw::Quiet(80) };

/// The rules of the report on Monte-Carlo search for draughts by which its games were played.
pub const REPORT: Rules = Rules { captures: Captures::OptionalMayStop, draw: Draw::KingsOnly(20) };

/// The column and the row of a square: square 1 is in column 1 of row 0, square 5 in column 0 of row 1.
fn place(square: usize) -> (i32, i32) {
    let (row, number) = ((square as i32 - 1) / 4, (square as i32 - 1) % 4);
    (2 * number + (row + 1) % 2, row)
}

/// The next square in a direction, if the board has one.
fn next(square: usize, direction: (i32, i32)) -> Option<usize> {
    let (column, row) = place(square);
    (1..=32).find(|&other| place(other) == (column + direction.0, row + direction.1))
}

/// A piece under way: the squares where it stood, the last of which is where it stands, and the squares of the pieces
/// that it has jumped. These leave the board when it stops; no piece is jumped twice.
#[derive(Clone, Debug)]
struct Way {
    squares: Vec<usize>,
    jumped: Vec<usize>,
}

impl Way {
    fn origin(&self) -> usize {
        self.squares[0]
    }

    fn place(&self) -> usize {
        self.squares[self.squares.len() - 1]
    }

    /// Whether the piece may go in the direction of this number from where it is: a man only forward, and not on when
    /// it has become a king.
    fn may_go(&self, position: &Position, direction: usize) -> bool {
        let piece = position.squares[self.origin()].expect("a piece under way");
        let is_crowned = self.squares.len() > 1 && place(self.place()).1 == position.mover.last_row();
        piece.is_king || (direction < 2 && !is_crowned)
    }

    /// Whether a piece may land on a square: it is empty, or the piece under way came from it.
    fn is_open(&self, position: &Position, square: usize) -> bool {
        position.squares[square].is_none() || square == self.origin()
    }

    fn step(&self, position: &Position, direction: usize) -> Option<Way> {
        let to = next(self.place(), position.mover.directions()[direction])?;
        (self.may_go(position, direction) && position.squares[to].is_none())
            .then(|| Way { squares: vec![self.origin(), to], jumped: Vec::new() })
    }

    fn jump(&self, position: &Position, direction: usize) -> Option<Way> {
        let over = next(self.place(), position.mover.directions()[direction])?;
        let to = next(over, position.mover.directions()[direction])?;
        let is_other = position.squares[over].is_some_and(|piece| piece.side != position.mover);
        let is_possible =
            is_other && !self.jumped.contains(&over) && self.is_open(position, to) && self.may_go(position, direction);
        is_possible
            .then(|| Way { squares: [&self.squares[..], &[to]].concat(), jumped: [&self.jumped[..], &[over]].concat() })
    }

    /// The position after the piece has stopped, with the other side to move.
    fn stop(&self, position: &Position, draw: Draw) -> Position {
        let mut after = position.clone();
        let piece = position.squares[self.origin()].expect("a piece under way");
        after.squares[self.origin()] = None;
        for &square in &self.jumped {
            after.squares[square] = None;
        }
        let is_crowned = place(self.place()).1 == position.mover.last_row();
        after.squares[self.place()] = Some(Piece { is_king: piece.is_king || is_crowned, ..piece });
        let is_counted = self.jumped.is_empty() && (piece.is_king || matches!(draw, Draw::KingsOnly(_)));
        after.quiet = if is_counted { position.quiet + 1 } else { 0 };
        after.mover = position.mover.other();
        after
    }
}

/// A play: a distinct position, and the squares of the piece that moves to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Play {
    /// The squares where the piece stood, from first to last: two if it steps, and at least two if it jumps.
    pub squares: Vec<usize>,
    /// The position after the play, with the other side to move.
    pub after: Position,
}

/// The plays of a position, in their order. A play is a distinct position. Where several ways lead to one, it stands in
/// the place of the first.
///
/// 1. The steps, by direction, and for each direction by the squares in [`ORDER`]. If captures are compulsory and one
///    is possible, there are none.
/// 2. The captures of one piece, then the captures of two, and so on. The ways of one jump are listed as steps are.
///    Those of one jump more are listed by the direction of the last jump, and for each direction in the order of the
///    ways that it continues.
#[must_use]
pub fn plays(position: &Position, rules: Rules) -> Vec<Play> {
    let of_mover = |square: usize| position.squares[square].is_some_and(|piece| piece.side == position.mover);
    let origins: Vec<Way> = ORDER
        .into_iter()
        .filter(|&square| of_mover(square))
        .map(|square| Way { squares: vec![square], jumped: Vec::new() })
        .collect();
    let mut list: Vec<Play> = Vec::new();
    let mut add = |way: &Way| {
        let after = way.stop(position, rules.draw);
        if !list.iter().any(|play| play.after == after) {
            list.push(Play { squares: way.squares.clone(), after });
        }
    };

    let jumps = |ways: &[Way]| -> Vec<Way> {
        let in_direction = |direction| ways.iter().filter_map(move |way| way.jump(position, direction));
        (0..4).flat_map(in_direction).collect()
    };
    let mut ways = jumps(&origins);
    if ways.is_empty() || rules.captures != Captures::Compulsory {
        for direction in 0..4 {
            for way in origins.iter().filter_map(|way| way.step(position, direction)) {
                add(&way);
            }
        }
    }
    while !ways.is_empty() {
        for way in &ways {
            let goes_on = (0..4).any(|direction| way.jump(position, direction).is_some());
            if !goes_on || rules.captures == Captures::OptionalMayStop {
                add(way);
            }
        }
        ways = jumps(&ways);
    }
    list
}

/// How a game ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The side to move has no play, and loses.
    Lost,
    /// Neither side wins.
    Drawn,
}

/// How the game has ended in a position; `None` if it goes on.
#[must_use]
pub fn outcome(position: &Position, rules: Rules) -> Option<Outcome> {
    if plays(position, rules).is_empty() {
        return Some(Outcome::Lost);
    }
    let only_kings = position.squares.iter().flatten().all(|piece| piece.is_king);
    let is_drawn = match rules.draw {
        Draw::Quiet(most) => position.quiet >= most,
        Draw::KingsOnly(most) => (only_kings && position.quiet >= most) || position.quiet >= MAX_QUIET_PLIES,
    };
    is_drawn.then_some(Outcome::Drawn)
}

/// The number of different words.
const WORDS: u64 = 1 << 32;

/// Output number `number`, from 0 on, of the generator SplitMix64 started at a state. All sums are modulo 2^64.
fn split_mix(state: u64, number: u64) -> u64 {
    let golden = 0x9e37_79b9_7f4a_7c15_u64;
    let mut z = state.wrapping_add(golden.wrapping_mul(number.wrapping_add(1)));
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The random words of a game: xoshiro128++.
#[derive(Clone, Debug)]
pub struct Stream {
    state: [u32; 4],
}

impl Stream {
    /// The stream of a game. The outputs number 0 and 1 of SplitMix64 started at the seed are two states; of SplitMix64
    /// started at each, the output with the number of the game is `a` and `b`. The state is the lower half of `a`, its
    /// upper half, the lower half of `b` made odd, and its upper half.
    #[must_use]
    pub fn new(seed: u64, game: u64) -> Stream {
        let a = split_mix(split_mix(seed, 0), game);
        let b = split_mix(split_mix(seed, 1), game);
        let (lower, upper) = (|n: u64| (n % WORDS) as u32, |n: u64| (n / WORDS) as u32);
        Stream {
            // Odd, since a state of zeros would only give zeros.
            state: [lower(a), upper(a), lower(b) | 1, upper(b)],
        }
    }

    /// The next word. All sums are modulo 2^32.
    pub fn next_word(&mut self) -> u32 {
        let [s0, s1, s2, s3] = &mut self.state;
        let word = s0.wrapping_add(*s3).rotate_left(7).wrapping_add(*s0);
        // Taken before `s1` changes.
        let shifted = *s1 << 9;
        *s2 ^= *s0;
        *s3 ^= *s1;
        *s1 ^= *s2;
        *s0 ^= *s3;
        *s2 ^= shifted;
        *s3 = s3.rotate_left(11);
        word
    }
}

/// One random game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameEnd {
    /// The points of the side to move in the first position: 1 if it won, 0 if the game was drawn, -1 if it lost.
    pub points: i32,
    /// The plies played.
    pub plies: u32,
    /// The last position.
    pub last: Position,
    /// The number of plays that all the plies had.
    pub offered: u64,
}

/// Plays one game. A ply takes one word `w` of the game's stream. Of `n` plays it is the one whose index, from 0 on, is
/// `w n / 2^32` rounded down.
#[must_use]
pub fn play(start: &Position, rules: Rules, seed: u64, game: u64) -> GameEnd {
    let mut stream = Stream::new(seed, game);
    let mut position = start.clone();
    let (mut plies, mut offered) = (0, 0);
    loop {
        if let Some(outcome) = outcome(&position, rules) {
            let points = match outcome {
                Outcome::Drawn => 0,
                Outcome::Lost if position.mover == start.mover => -1,
                Outcome::Lost => 1,
            };
            return GameEnd { points, plies, last: position, offered };
        }
        let list = plays(&position, rules);
        let index = u64::from(stream.next_word()) * list.len() as u64 / WORDS;
        position = list[index as usize].after.clone();
        plies += 1;
        offered += list.len() as u64;
    }
}
