//! The specification: what a random game of tic-tac-toe is, in one file that runs.
//!
//! The words that a game draws, the order of the plays, and the play that a word picks are all promised, since a change
//! of any of them changes the value of every playout. This file defines them with arrays and loops alone. The file
//! needs nothing but the standard library, and shares nothing with the library's code. Whoever writes a compatible
//! program, in any language, needs only this file.
//!
//! The file has the licence of the project. Anybody may write a program to this specification.
//!
//! Read it from the top: [`Position`], [`plays`], [`points`], [`Stream`], [`play`].

/// A player's mark.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mark {
    /// The player who begins.
    X,
    /// The other player.
    O,
}

impl Mark {
    /// The mark of the other player.
    #[must_use]
    pub fn other(self) -> Mark {
        match self {
            Mark::X => Mark::O,
            Mark::O => Mark::X,
        }
    }
}

/// A position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    /// The three rows from the top, each from the left. `None` is an empty square.
    pub rows: [[Option<Mark>; 3]; 3],
    /// The player to move.
    pub to_move: Mark,
}

/// The position in which a game begins.
pub const START: Position = Position { rows: [[None; 3]; 3], to_move: Mark::X };

/// The positions after each play, in their order: the empty squares row by row from the top, and in a row from the
/// left.
#[must_use]
pub fn plays(position: &Position) -> Vec<Position> {
    let mut plays = Vec::new();
    for row in 0..3 {
        for column in 0..3 {
            if position.rows[row][column].is_none() {
                let mut after = *position;
                after.rows[row][column] = Some(position.to_move);
                after.to_move = position.to_move.other();
                plays.push(after);
            }
        }
    }
    plays
}

/// If the game is over, the points of the player to move: -1 if the other has three in a row, a column or a diagonal,
/// or else 0 if no square is empty.
#[must_use]
pub fn points(position: &Position) -> Option<i32> {
    let other = Some(position.to_move.other());
    let has = |squares: [(usize, usize); 3]| squares.iter().all(|&(row, column)| position.rows[row][column] == other);
    // Only the other player's marks: the last one alone can have ended the game.
    for line in 0..3 {
        if has([0, 1, 2].map(|column| (line, column))) || has([0, 1, 2].map(|row| (row, line))) {
            return Some(-1);
        }
    }
    if has([0, 1, 2].map(|place| (place, place))) || has([0, 1, 2].map(|place| (place, 2 - place))) {
        return Some(-1);
    }
    plays(position).is_empty().then_some(0)
}

/// How many words there are: 2^32.
const WORDS: u64 = 1 << 32;

/// The output of SplitMix64 with a number, from 0 on, of the generator started at a seed. All sums and products are
/// modulo 2^64.
fn split_mix(seed: u64, number: u64) -> u64 {
    // The generator steps before its first output.
    let state = seed.wrapping_add(number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// The words of one game: xoshiro128++.
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

/// Plays one game: the points of the player to move in the first position, 1, 0 or -1, and the plies. A ply takes one
/// word `w` of the game's stream. Of `n` plays it is the one whose index, from 0 on, is `w n / 2^32` rounded down.
#[must_use]
pub fn play(start: &Position, seed: u64, game: u64) -> (i32, u32) {
    let mut stream = Stream::new(seed, game);
    let mut position = *start;
    let mut plies = 0;
    loop {
        if let Some(points) = points(&position) {
            let is_first = position.to_move == start.to_move;
            return (if is_first { points } else { -points }, plies);
        }
        let list = plays(&position);
        let index = u64::from(stream.next_word()) * list.len() as u64 / WORDS;
        position = list[index as usize];
        plies += 1;
    }
}
