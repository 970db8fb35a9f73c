//! Plays in words: `13/8 6/5`, `bar/20*`, `6/off(2)`, written and read.
//!
//! A play is a position, so its text follows from the positions before and after it and the roll.
//! Points are numbered from the mover's side. The writing is that of GNU Backgammon:
//!
//! * a checker that moves on is written once, `24/18`, and the points it passes are named only where it
//!   hits, `24/20*/18`;
//! * of several ways to share the steps among checkers, the rearmost checker goes furthest;
//! * moves go from the rear to the front; from one point, a non-double's smaller die and a double's
//!   longer move come first;
//! * equal moves are counted, `8/4*(2) 6/2(2)`, and a hit is marked on the first checker to land there;
//! * a roll that moves nothing is `cannot move`.

use core::fmt;

use thiserror::Error;

use super::{Play, Plays};
use crate::board::{BAR, Board, OFF};
use crate::dice::Roll;
use crate::rules::{RuleSet, Rules};
use crate::text::Quoted;

/// The text of a play without any move.
const CANNOT_MOVE: &str = "cannot move";

/// A checker moved with one die.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Step {
    /// The point it leaves: 1 to 24, or 25 for the bar.
    pub from: u8,
    /// Where it lands: 1 to 24, or 0 when it is borne off.
    pub to: u8,
    /// Whether it hits a blot there.
    pub hit: bool,
}

/// The steps of one play: at most four, none if the roll cannot be played.
///
/// ```
/// use tavli_backgammon::{Board, Roll, plays::notation::Moves};
/// let mut board = Board::START;
/// board.move_checker(8, 5)?;
/// board.move_checker(6, 5)?;
/// let moves = Moves::between(&Board::START, Roll::new(3, 1)?, &board.swapped());
/// assert_eq!(moves.map(|m| m.to_string()).as_deref(), Some("8/5 6/5"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Moves {
    steps: [Step; 4],
    len: u8,
}

impl Moves {
    /// The steps that lead from `before` to `after` with this roll, where `after` has the next player
    /// on roll; `None` if no steps do.
    ///
    /// Each step is one the rules allow, but that the roll had to be played to the full is not
    /// checked: see [`Plays`] for the plays of a roll.
    #[must_use]
    pub fn between(before: &Board, roll: Roll, after: &Board) -> Option<Moves> {
        let dice = if roll.is_double() {
            [roll.high(); 4]
        } else {
            // The smaller die first is the order of the text, and uses both dice where one checker
            // can be borne off with either one or two.
            [roll.low(), roll.high(), 0, 0]
        };
        let used = if roll.is_double() { 4 } else { 2 };
        Moves::default().reach(before, &dice[..used], &after.swapped())
    }

    /// Plays on with the dice until the mover's checkers stand as in `target`.
    ///
    /// Whatever play it is, the rearmost checkers can move first: nothing that moves behind them can
    /// open their way. So the next step starts from the rearmost point with checkers too many.
    fn reach(self, board: &Board, dice: &[u8], target: &Board) -> Option<Moves> {
        let surplus = |&point: &u8| board.own().count(point) > target.own().count(point);
        let Some(from) = (1..=BAR).rev().find(surplus) else {
            return (board == target).then_some(self);
        };
        for (i, &die) in dice.iter().enumerate() {
            if dice[..i].contains(&die) {
                continue;
            }
            if from < die && from != board.own().rearmost() {
                continue;
            }
            let to = from.saturating_sub(die);
            let mut next = *board;
            let Ok(hit) = next.move_checker(from, to) else {
                continue;
            };
            let mut moves = self;
            moves.steps[usize::from(moves.len)] = Step { from, to, hit };
            moves.len += 1;
            let mut rest = [0; 4];
            let rest = &mut rest[..dice.len() - 1];
            rest[..i].copy_from_slice(&dice[..i]);
            rest[i..].copy_from_slice(&dice[i + 1..]);
            if let Some(found) = moves.reach(&next, rest, target) {
                return Some(found);
            }
        }
        None
    }

    /// The steps in an order in which they can be played, the rearmost first.
    #[must_use]
    pub fn steps(&self) -> &[Step] {
        &self.steps[..usize::from(self.len)]
    }

    /// The same steps as moves of whole checkers, in the order of the text.
    pub fn checkers(&self) -> impl Iterator<Item = CheckerMove> + use<> {
        let mut left = *self;
        let mut next = left.take_checker();
        core::iter::from_fn(move || {
            let mut checker = next?;
            next = left.take_checker();
            while let Some(same) = next.filter(|other| other.same_path(&checker)) {
                checker.times += same.times;
                next = left.take_checker();
            }
            Some(checker)
        })
    }

    /// Takes out the first step and all that carry the same checker on.
    fn take_checker(&mut self) -> Option<CheckerMove> {
        let mut checker = CheckerMove {
            steps: [Step::default(); 4],
            len: 0,
            times: 1,
        };
        let mut kept = Moves::default();
        for &step in self.steps() {
            if checker.len == 0 || step.from == checker.to() {
                checker.steps[usize::from(checker.len)] = step;
                checker.len += 1;
            } else {
                kept.steps[usize::from(kept.len)] = step;
                kept.len += 1;
            }
        }
        *self = kept;
        (checker.len > 0).then_some(checker)
    }
}

impl fmt::Display for Moves {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.len == 0 {
            return f.pad(CANNOT_MOVE);
        }
        let words: Vec<String> = self.checkers().map(|checker| checker.to_string()).collect();
        f.pad(&words.join(" "))
    }
}

/// The whole way of one checker in a play, or of several that go the same way.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct CheckerMove {
    steps: [Step; 4],
    len: u8,
    times: u8,
}

impl CheckerMove {
    /// The point it leaves: 1 to 24, or 25 for the bar.
    #[must_use]
    pub fn from(&self) -> u8 {
        self.steps[0].from
    }

    /// Where it ends: 1 to 24, or 0 when it is borne off.
    #[must_use]
    pub fn to(&self) -> u8 {
        self.steps[usize::from(self.len) - 1].to
    }

    /// How many checkers go this way, 1 to 4.
    #[must_use]
    pub fn times(&self) -> u8 {
        self.times
    }

    /// Its steps, one a die. Of several checkers these are the first one's: only it can hit.
    #[must_use]
    pub fn steps(&self) -> &[Step] {
        &self.steps[..usize::from(self.len)]
    }

    fn same_path(&self, other: &CheckerMove) -> bool {
        let ends = |step: &Step| (step.from, step.to);
        self.steps().iter().map(ends).eq(other.steps().iter().map(ends))
    }
}

impl fmt::Display for CheckerMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = match self.from() {
            BAR => String::from("bar"),
            point => point.to_string(),
        };
        for (i, step) in self.steps().iter().enumerate() {
            if step.hit || i + 1 == self.steps().len() {
                text.push('/');
                match step.to {
                    OFF => text.push_str("off"),
                    point => text.push_str(&point.to_string()),
                }
            }
            if step.hit {
                text.push('*');
            }
        }
        if self.times > 1 {
            text.push_str(&format!("({})", self.times));
        }
        f.pad(&text)
    }
}

/// The reason why a text is not a play of a roll.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum NotationError {
    /// Something that is not a move.
    #[error("at character {position}: expected {expected}; a play reads like '13/8 6/5*' or 'bar/20 6/off(2)'")]
    Syntax {
        /// The place in the text, counted in characters from 1.
        position: usize,
        /// What would be valid there.
        expected: &'static str,
    },
    /// A move that does not go towards the mover's home.
    #[error("at character {position}: checkers move down, not from {from} to {to}")]
    Direction {
        /// The place of the move in the text, counted in characters from 1.
        position: usize,
        /// Where it would start; 25 is the bar.
        from: u8,
        /// Where it would end; 0 is off the board.
        to: u8,
    },
    /// Moves that are not a play of this roll.
    #[error("'{}' is not a play of {roll} here; {}", Quoted::new(text), describe_plays(plays))]
    NoSuchPlay {
        /// The text.
        text: String,
        /// The roll.
        roll: Roll,
        /// The legal plays; empty if the game is over.
        plays: Vec<Moves>,
    },
    /// Plays that differ only by what they hit.
    #[error(
        "'{}' can be {}: mark the hits with '*'",
        Quoted::new(text),
        join(alternatives, " or ")
    )]
    Ambiguous {
        /// The text.
        text: String,
        /// The plays it can be.
        alternatives: Vec<Moves>,
    },
}

fn describe_plays(plays: &[Moves]) -> String {
    match plays {
        [] => String::from("the game is over"),
        [only] if only.steps().is_empty() => String::from("no checker can move"),
        [only] => format!("the only one is {only}"),
        [first, ..] => format!("there are {} others, such as {first}", plays.len()),
    }
}

fn join(plays: &[Moves], separator: &str) -> String {
    let texts: Vec<String> = plays.iter().map(Moves::to_string).collect();
    texts.join(separator)
}

/// The play a text means: the position after it, with the next player on roll.
///
/// What counts is where the checkers end up, so any order of the moves, separate steps, chains
/// (`24/20/18`) and repeats (`6/5(2)`) mean the same play. Points are numbered from the mover's side;
/// `bar` or `25` is his bar, `off` or `0` off the board, in any case of letters; blanks or commas
/// separate moves. A play without any move is `cannot move`, `no move` or `pass`.
///
/// The mark `*` of a hit may be left out. It distinguishes plays that differ only by what they hit. Without it the
/// play is the one that hits on the named points only, if it exists.
///
/// ```
/// use tavli_backgammon::{Backgammon, Board, Roll, plays::notation};
/// let roll = Roll::new(4, 2)?;
/// let play = notation::parse_play::<Backgammon>(&Board::START, roll, "8/4 6/4")?;
/// assert_eq!(notation::parse_play::<Backgammon>(&Board::START, roll, "6/4, 8/4"), Ok(play));
/// assert_eq!(play.opponent().count(4), 2);
///
/// let error = notation::parse_play::<Backgammon>(&Board::START, roll, "8/4 6/3").unwrap_err();
/// assert!(error.to_string().starts_with("'8/4 6/3' is not a play of 42 here;"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`NotationError`] names the place where the text is not a move, or says that it is not a play of this roll, or lists
/// the plays that it can be.
pub fn parse_play<R: Rules>(board: &Board, roll: Roll, text: &str) -> Result<Board, NotationError> {
    parse_play_under(board, roll, text, R::SET)
}

/// [`parse_play`] for rules known at run time.
///
/// # Errors
/// As [`parse_play`].
pub fn parse_play_under(board: &Board, roll: Roll, text: &str, rules: RuleSet) -> Result<Board, NotationError> {
    let meant = Movement::parse(text)?;
    let blot = |point: u8| board.content(point) == -1;
    let named_hits = (1..=24)
        .filter(|&point| blot(point))
        .fold(0, |hits, point| hits | (meant.landings & (1 << point)));

    let plays = Plays::under(board, roll, rules).to_vec();
    let boards: Vec<Board> = plays.iter().map(Play::board).collect();
    let moves_to = |after: &Board| Moves::between(board, roll, after);
    let hits_of = |after: &Board| {
        (1..=24)
            .filter(|&point| blot(point) && after.own().count(BAR - point) == 0)
            .fold(0_u32, |hits, point| hits | (1 << point))
    };
    let mut candidates: Vec<&Board> = boards
        .iter()
        .filter(|after| {
            (1..=BAR).all(|point| {
                let (was, is) = (board.own().count(point), after.opponent().count(point));
                meant.change[usize::from(point)] == i32::from(is) - i32::from(was)
            }) && (meant.marks | named_hits) & !hits_of(after) == 0
        })
        .collect();
    if candidates.len() > 1
        && let Some(exact) = candidates
            .iter()
            .find(|after| hits_of(after) == meant.marks | named_hits)
    {
        candidates = vec![exact];
    }

    match candidates[..] {
        [play] => Ok(*play),
        [] => Err(NotationError::NoSuchPlay {
            text: text.to_owned(),
            roll,
            plays: boards.iter().filter_map(moves_to).collect(),
        }),
        _ => Err(NotationError::Ambiguous {
            text: text.to_owned(),
            alternatives: candidates.into_iter().filter_map(moves_to).collect(),
        }),
    }
}

/// What a text says: how many checkers each point gains, and where they land and hit.
#[derive(Default)]
struct Movement {
    change: [i32; 26],
    landings: u32,
    marks: u32,
}

impl Movement {
    fn parse(text: &str) -> Result<Movement, NotationError> {
        let mut movement = Movement::default();
        let lower = text.to_ascii_lowercase();
        if [CANNOT_MOVE, "no move", "pass"].contains(&lower.trim()) {
            return Ok(movement);
        }
        let mut reader = Reader { text: &lower, at: 0 };
        reader.skip_separators();
        loop {
            movement.read_checker(&mut reader)?;
            let end = reader.at;
            reader.skip_separators();
            if reader.rest().is_empty() {
                return Ok(movement);
            }
            if reader.at == end {
                return Err(reader.expected("'/', '*', '(' or a blank before the next move"));
            }
        }
    }

    /// One move such as `24/20*/18(2)`.
    fn read_checker(&mut self, reader: &mut Reader<'_>) -> Result<(), NotationError> {
        let start = reader.at;
        let from = reader.point("a point 1 to 24 or 'bar' (25)", 1..=BAR)?;
        if !reader.take('/') {
            return Err(reader.expected("'/' and the point the checker moves to"));
        }
        let mut to = from;
        loop {
            let origin = to;
            to = reader.point("a point 1 to 24 or 'off' (0)", OFF..=24)?;
            if to >= origin {
                return Err(NotationError::Direction {
                    position: reader.position(start),
                    from: origin,
                    to,
                });
            }
            self.landings |= 1 << to;
            if to != OFF && reader.take('*') {
                self.marks |= 1 << to;
            }
            if !reader.take('/') {
                break;
            }
        }
        let times = reader.times()?;
        self.change[usize::from(from)] -= times;
        if to != OFF {
            self.change[usize::from(to)] += times;
        }
        Ok(())
    }
}

/// A place in a text.
struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Characters from 1, for messages.
    fn position(&self, at: usize) -> usize {
        self.text[..at].chars().count() + 1
    }

    fn expected(&self, expected: &'static str) -> NotationError {
        NotationError::Syntax {
            position: self.position(self.at),
            expected,
        }
    }

    fn skip_separators(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start_matches(|c: char| c.is_whitespace() || c == ',').len();
    }

    fn take(&mut self, mark: char) -> bool {
        let taken = self.rest().starts_with(mark);
        if taken {
            self.at += mark.len_utf8();
        }
        taken
    }

    /// A point by number or name, within the range given.
    fn point(&mut self, expected: &'static str, range: core::ops::RangeInclusive<u8>) -> Result<u8, NotationError> {
        let rest = self.rest();
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
        let point = match &rest[..end] {
            "bar" => Some(BAR),
            "off" => Some(OFF),
            number => number.parse().ok(),
        };
        match point.filter(|point| range.contains(point)) {
            Some(point) => {
                self.at += end;
                Ok(point)
            }
            None => Err(self.expected(expected)),
        }
    }

    /// How often a move is made: `(1)` to `(4)`, or once.
    fn times(&mut self) -> Result<i32, NotationError> {
        match *self.rest().as_bytes() {
            [b'(', digit @ b'1'..=b'4', b')', ..] => {
                self.at += 3;
                Ok(i32::from(digit - b'0'))
            }
            [b'(', ..] => Err(self.expected("how often the move is made, '(2)' to '(4)'")),
            _ => Ok(1),
        }
    }
}
