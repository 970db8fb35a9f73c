//! Plays as positions, and their notation.

use core::fmt;

use tavli_base::text::Quoted;
use tavli_simd::{Isa, Scalar, ScalarIsa, Word};
use thiserror::Error;

use super::capture_list::{Capture, CaptureList};
use super::masks::{Masks, Pieces};
use crate::board::squares::{Black, Mover, White};
use crate::board::{Position, Side, Square};
use crate::rules::{Captures, Rules};

/// A play: the position that it leads to, and its moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Play {
    /// The position after the play, with the other side to move.
    pub position: Position,
    /// The squares of the piece that moved.
    pub moves: Moves,
}

/// The squares on which a piece stood in a play. As text it is the move in PDN with each square on which a jump ended,
/// such as `9-13` or `9x18x25`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Moves {
    // A side has twelve pieces to be jumped.
    squares: [Square; 13],
    number: usize,
    is_capture: bool,
}

impl Moves {
    /// The squares, from the first to the last.
    #[must_use]
    pub fn squares(&self) -> &[Square] {
        &self.squares[..self.number]
    }

    /// Whether pieces are taken.
    #[must_use]
    pub fn is_capture(&self) -> bool {
        self.is_capture
    }

    /// Steps or jumps of a piece by these rotations of a set.
    fn new(from: u32, rotations: impl Iterator<Item = u32>, is_capture: bool) -> Moves {
        let mut at = from;
        let mut squares = [Square::from_bit(at.trailing_zeros()); 13];
        let mut number = 1;
        for rotation in rotations {
            let times = if is_capture { 2 } else { 1 };
            at = at.rotate_left(times * rotation);
            squares[number] = Square::from_bit(at.trailing_zeros());
            number += 1;
        }
        Moves { squares, number, is_capture }
    }
}

/// The signs between squares of a step and of a capture: those of PDN, and the dashes and crosses that web pages and
/// word processors put in their place.
const DASHES: [char; 6] = ['-', '\u{2010}', '\u{2011}', '\u{2012}', '\u{2013}', '\u{2212}'];
pub(crate) const CROSSES: [char; 4] = ['x', 'X', ':', '\u{d7}'];

/// A text that is not a play of a position.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum MoveError {
    /// Text that is not squares with `-` or `x` between.
    #[error(
        "'{0}' is not a move: write squares from 1 to 32 with - between for a step, x for jumps, as in 9-13 or 9x18x25"
    )]
    Text(String),
    /// A move that the rules do not allow.
    #[error("'{text}' is not a play here: {plays}", plays = listed(plays))]
    NotAPlay {
        /// The text.
        text: String,
        /// The plays that there are.
        plays: Vec<Moves>,
    },
    /// The ends of several captures.
    #[error("'{text}' is ambiguous, it may be {}: write all squares", ways.iter().map(Moves::to_string).collect::<Vec<_>>().join(" or "))]
    Ambiguous {
        /// The text.
        text: String,
        /// The captures that it may be.
        ways: Vec<Moves>,
    },
}

/// The plays of a position for an error.
fn listed(plays: &[Moves]) -> String {
    match plays {
        [] => "the side to move has none".to_owned(),
        _ => format!("choose one of {}", plays.iter().map(Moves::to_string).collect::<Vec<_>>().join(", ")),
    }
}

impl Play {
    /// The play of a position that a text names as PDN does: `9-13`, `9x18x25`, or with the ends of a capture alone,
    /// `9x25`, if these tell which play it is. Other signs between the squares, as other programs write them, are read
    /// too: colons, and the dashes and crosses of typesetting. The text may name any of several [ways](move_sequences)
    /// to the same position; the play has the moves that [`plays`] lists.
    /// ```
    /// use tavli_draughts::{Play, Position, Rules};
    /// let play = Play::read("9-13", &Position::START, Rules::ENGLISH)?;
    /// assert_eq!(play.position.to_string(), "W:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,10,11,12,13");
    /// # Ok::<(), tavli_draughts::MoveError>(())
    /// ```
    ///
    /// # Errors
    /// If the text names no play of the position, or several.
    pub fn read(text: &str, position: &Position, rules: Rules) -> Result<Play, MoveError> {
        let trimmed = text.trim();
        let is_capture = trimmed.contains(CROSSES);
        let numbers = trimmed.split(|sign| CROSSES.contains(&sign) || DASHES.contains(&sign));
        let squares: Option<Vec<Square>> =
            numbers.map(|number| number.trim().parse().ok().and_then(Square::new)).collect();
        let squares = squares.filter(|squares| squares.len() > 1 && !(is_capture && trimmed.contains(DASHES)));
        let squares = squares.ok_or_else(|| MoveError::Text(Quoted::new(text).to_string()))?;
        let ends = |squares: &[Square]| [squares[0], squares[squares.len() - 1]];
        let mut ways = move_sequences(position, rules);
        ways.retain(|way| way.moves.is_capture() == is_capture && ends(way.moves.squares()) == ends(&squares));
        // All squares name one way, even where other ways have the same ends.
        if let Some(whole) = ways.iter().find(|way| way.moves.squares() == squares) {
            ways = vec![*whole];
        } else if squares.len() > 2 {
            ways.clear();
        }
        let plays = plays(position, rules);
        let result_of = |way: &Play| plays.iter().position(|play| play.position == way.position);
        // Ways to one position have to stand side by side for `dedup_by_key`.
        ways.sort_by_key(result_of);
        ways.dedup_by_key(|way| way.position);
        match ways[..] {
            [way] => Ok(plays[result_of(&way).expect("the moves of a play")]),
            [] => Err(MoveError::NotAPlay {
                text: Quoted::new(text).to_string(),
                plays: plays.iter().map(|play| play.moves).collect(),
            }),
            _ => Err(MoveError::Ambiguous {
                text: Quoted::new(text).to_string(),
                ways: ways.iter().map(|way| way.moves).collect(),
            }),
        }
    }
}

impl fmt::Display for Moves {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let numbers: Vec<String> = self.squares().iter().map(Square::to_string).collect();
        f.pad(&numbers.join(if self.is_capture { "x" } else { "-" }))
    }
}

/// The plays of a position, in their order. A side without any has lost. Draws are not considered.
/// ```
/// use tavli_draughts::{Position, Rules, plays};
/// let plays = plays(&"W:W22,K30:B6,14,18,25".parse()?, Rules::ENGLISH);
/// let moves: Vec<String> = plays.iter().map(|play| play.moves.to_string()).collect();
/// assert_eq!(moves, ["30x21", "22x15"]);
/// assert_eq!(plays[1].position.to_string(), "B:W15,K30:B6,14,25");
/// # Ok::<(), tavli_draughts::PositionError>(())
/// ```
#[must_use]
pub fn plays(position: &Position, rules: Rules) -> Vec<Play> {
    match position.side() {
        Side::Black => list::<Black>(position, rules, CaptureList::list::<Black>),
        Side::White => list::<White>(position, rules, CaptureList::list::<White>),
    }
}

/// All moves of a position, each with the position that it leads to. Several may lead to one position: a king can jump
/// along a closed loop either way. [`plays`] lists the first move to each position.
/// ```
/// use tavli_draughts::{Position, Rules, move_sequences, plays};
/// let position: Position = "B:W18,19,26,27:BK31".parse()?;
/// let ways: Vec<String> = move_sequences(&position, Rules::ENGLISH).iter().map(|way| way.moves.to_string()).collect();
/// assert_eq!(ways, ["31x24x15x22x31", "31x22x15x24x31"]);
/// assert_eq!(plays(&position, Rules::ENGLISH).len(), 1);
/// # Ok::<(), tavli_draughts::PositionError>(())
/// ```
#[must_use]
pub fn move_sequences(position: &Position, rules: Rules) -> Vec<Play> {
    match position.side() {
        Side::Black => list::<Black>(position, rules, CaptureList::list_all::<Black>),
        Side::White => list::<White>(position, rules, CaptureList::list_all::<White>),
    }
}

/// Lists the captures of own pieces, of the other's, and of kings.
type ListCaptures = for<'a> fn(&'a mut CaptureList, u32, u32, u32, Captures) -> &'a [Capture];

/// Lists the steps of a position, and the captures that `captures` finds.
fn list<M: Mover>(position: &Position, rules: Rules, captures: ListCaptures) -> Vec<Play> {
    let pieces @ Pieces { own, other, kings } = position.seen_by(Scalar, M::SIDE);
    let masks = Masks::new::<M>(&pieces);
    let has_capture = masks.all_jumps().get() != 0;
    let mut list = Vec::new();
    let mut add = |from: u32, to: u32, over: u32, moves: Moves| {
        let [from_set, to_set, over_set] = [from, to, over].map(|set| Scalar.splat(set));
        let after = pieces.moved::<M>(from_set, to_set, over_set);
        let quiet = match rules.draw.counts(over != 0, kings.get() & from != 0) {
            // Positions that are drawn have plays here, too, so the count may already be the greatest.
            true => position.quiet().saturating_add(1),
            false => 0,
        };
        list.push(Play { position: after.position::<M>(quiet), moves });
    };
    if !has_capture || rules.captures != Captures::Compulsory {
        for direction in 0..4 {
            let mut movers = masks.steps[direction];
            while let Some(from) = movers.take_lowest() {
                let (from, rotation) = (from.get(), M::ROTATIONS[direction]);
                let moves = Moves::new(from, core::iter::once(rotation), false);
                add(from, from.rotate_left(rotation), 0, moves);
            }
        }
    }
    if has_capture {
        let mut capture_list = CaptureList::default();
        for capture in captures(&mut capture_list, own.get(), other.get(), kings.get(), rules.captures) {
            let &Capture { from, to, over, .. } = capture;
            let rotations =
                (0..capture.jumps).map(|jump| M::ROTATIONS[(capture.directions >> (2 * jump) & 3) as usize]);
            add(from, to, over, Moves::new(from, rotations, true));
        }
    }
    list
}

impl Position {
    /// The pieces as a side sees them.
    #[inline(always)]
    pub(crate) fn seen_by<B: Isa>(&self, isa: B, side: Side) -> Pieces<B::Vector> {
        Pieces {
            own: isa.splat(self.pieces(side)),
            other: isa.splat(self.pieces(side.other())),
            kings: isa.splat(self.kings()),
        }
    }
}

impl<B: ScalarIsa> Pieces<Word<B>> {
    /// The position of these pieces after a play of `M`, with the other side to move.
    #[inline(always)]
    pub(super) fn position<M: Mover>(&self, quiet: u8) -> Position {
        let [own, other, kings] = [self.own, self.other, self.kings].map(Word::get);
        let sides = match M::SIDE {
            Side::Black => [own, other, kings],
            Side::White => [other, own, kings],
        };
        Position::unchecked(sides, M::SIDE.other(), quiet)
    }
}
