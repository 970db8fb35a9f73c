//! OGID: the position line of OpenGammon and HedgeHog.
//!
//! Three to eleven fields separated by colons; `OGID=` may stand before them:
//!
//! | field | meaning |
//! |---|---|
//! | White | a character a checker: `1` to `9` and `a` to `o` are the points 1 to 24 as Black counts, `0` is White's bar, `q` is borne off |
//! | Black | as above, and `p` is Black's bar |
//! | cube | `W`, `B`, `N` (nobody) or `D` (dead) owns it; its value as a power of 2; `N`, or `O` a double is offered, `T` taken, `P` passed |
//! | dice | two digits, or nothing |
//! | colour | `W` or `B`: the player who reached the position |
//! | state | `C` on roll, `R` rolled, `D` doubled, `A` the double was taken, `IW` and `IB` the first roll, and others |
//! | score | points of White |
//! | score | points of Black |
//! | length | of the match, 0 or nothing for money; then `C` in the Crawford game, or `L` or `G` and a number |
//! | move | its number |
//! | checkers | a side begins with, if not 15 |
//!
//! White is the top player and Black the bottom player, as the pairs of OGIDs and XGIDs in OpenGammon's own tests say.
//! It does not hold the rules of money games, beavers, the largest cube, resignations, and games that are over.

use core::fmt::Write;

use thiserror::Error;

use super::context::{Context, ContextError, Cube, MAX_CUBE_LOG2, MAX_POINTS, Seat, Stakes, TurnStage};
use crate::board::checkers::{Board, BoardError};
use crate::board::position::Position;
use crate::board::reading::Reading;
use crate::board::side_checkers::{BAR, CHECKERS};
use crate::dice::Roll;
use tavli_base::text::Quoted;

/// The start of an OGID, which is optional when one is read.
const PREFIX: &str = "OGID=";
/// The characters of the bar of White, the points, the bar of Black, and of checkers borne off.
const PLACES: &[u8; 27] = b"0123456789abcdefghijklmnopq";

/// Why text is not an OGID.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum OgidError {
    /// The wrong number of fields.
    #[error(
        "not an OGID: it must have 3 to 11 fields separated by ':' (white:black:cube:dice:colour:state:score:score:length:move:checkers), not {found}"
    )]
    Fields {
        /// The number found.
        found: usize,
    },
    /// A character that names no point, bar or tray of this player.
    #[error(
        "not an OGID: character {position} of the checkers of {player} is '{}'; it must be {expected}",
        character.escape_debug()
    )]
    Checker {
        /// White or Black.
        player: &'static str,
        /// The character.
        character: char,
        /// Its number, from 1.
        position: usize,
        /// The characters allowed.
        expected: &'static str,
    },
    /// More checkers than a side begins with.
    #[error("not an OGID: {player} has {found} checkers, and a side begins with {most}")]
    Checkers {
        /// White or Black.
        player: &'static str,
        /// The number found.
        found: usize,
        /// The number that a side begins with.
        most: u16,
    },
    /// An invalid field.
    #[error("not an OGID: the {field} is '{}'; it must be {expected}", Quoted::new(text))]
    Field {
        /// The name of the field.
        field: &'static str,
        /// Its text.
        text: String,
        /// The values allowed.
        expected: &'static str,
    },
    /// The checkers are not a position.
    #[error("not a position: {0}")]
    Board(#[from] BoardError),
    /// The state contradicts itself.
    #[error("not the state of a game: {0}")]
    Context(#[from] ContextError),
}

impl Position {
    /// The position of an OGID, with or without the leading `OGID=`.
    ///
    /// # Errors
    /// [`OgidError`] names the wrong field, or the contradiction.
    ///
    /// ```
    /// use tavli_backgammon::Position;
    /// let error = Position::from_ogid("11ccccchhhjjjjj:55666688dddddoo:B1N:57:B:R:0:3:5:7").unwrap_err();
    /// assert!(error.to_string().starts_with("not an OGID: the dice field is '57'"), "{error}");
    /// let position = Position::from_ogid("11ccccchhhjjjjj:55666688dddddoo:B1N:52:B:R:0:3:5:7")?;
    /// assert_eq!(position.xgid(), "XGID=-b---BD-B---eE---c-e----B-:1:1:-1:52:3:0:0:5:10");
    /// # Ok::<(), tavli_backgammon::OgidError>(())
    /// ```
    pub fn from_ogid(text: &str) -> Result<Position, OgidError> {
        read(text).map(|reading| reading.position)
    }

    /// The OGID, without a label: ten fields, in the order and with the characters that OpenGammon writes. A beavered
    /// double is written as a double.
    ///
    /// ```
    /// use tavli_backgammon::{Board, Position};
    /// assert_eq!(
    ///     Position::from(Board::START).ogid(),
    ///     "11ccccchhhjjjjj:66666888dddddoo:N0N::W:C:0:0:0:0"
    /// );
    /// ```
    #[must_use]
    pub fn ogid(&self) -> String {
        let context = self.context();
        let points = self.bottom_board().points();
        let checkers = |sign: i8| {
            let count = move |number: i8| usize::from((number * sign).max(0).unsigned_abs());
            PLACES
                .iter()
                .zip(points)
                .flat_map(move |(place, number)| core::iter::repeat_n(char::from(*place), count(number)))
        };
        let mut text: String = checkers(-1).chain([':']).chain(checkers(1)).collect();
        let colour = |seat| match seat {
            Seat::Top => 'W',
            Seat::Bottom => 'B',
        };
        let owner = context.cube.owner.map_or('N', |owner| colour(owner.seat(context.seat)));
        let (action, dice, reached, state) = match context.stage {
            TurnStage::ToRoll => ('N', String::new(), context.seat.other(), 'C'),
            TurnStage::Rolled(roll) => ('N', format!("{}{}", roll.low(), roll.high()), context.seat.other(), 'R'),
            TurnStage::Doubled | TurnStage::Beavered | TurnStage::Raccooned => ('O', String::new(), context.seat, 'D'),
        };
        let (length, crawford) = match context.stakes {
            Stakes::Money { .. } => (0, ""),
            Stakes::Match { length, crawford } => (length, if crawford { "C" } else { "" }),
        };
        write!(
            text,
            ":{owner}{}{action}:{dice}:{}:{state}:{}:{}:{length}{crawford}:0",
            context.cube.log2,
            colour(reached),
            context.score_at(Seat::Top),
            context.score_at(Seat::Bottom),
        )
        .expect("a String takes any text");
        text
    }
}

/// Where the OGID of a word begins: at the word, or after a label that a `:` joins to it.
pub(super) fn find(word: &str) -> Option<usize> {
    let starts = word.match_indices(':').map(|(at, _)| at + 1);
    core::iter::once(0).chain(starts).find(|start| is_ogid(&word[*start..]))
}

/// Whether text has the form of an OGID: two lists of places and the cube. No other format has such a third field.
pub(super) fn is_ogid(text: &str) -> bool {
    let mut fields = without_prefix(text).split(':');
    let is_list = |field: &str| field.bytes().all(|byte| byte.is_ascii_digit() || byte.is_ascii_lowercase());
    fields.by_ref().take(2).filter(|field| is_list(field)).count() == 2
        && fields.next().is_some_and(|cube| read_cube(cube).is_some())
}

/// The text without the prefix, if it has one.
pub(super) fn without_prefix(text: &str) -> &str {
    match text.get(..PREFIX.len()) {
        Some(start) if start.eq_ignore_ascii_case(PREFIX) => &text[PREFIX.len()..],
        _ => text,
    }
}

/// The position of an OGID, and a remark if the OGID says something that the position cannot have.
pub(super) fn read(text: &str) -> Result<Reading, OgidError> {
    let fields: Vec<&str> = without_prefix(text).split(':').collect();
    let found = fields.len();
    if !(3..=11).contains(&found) {
        return Err(OgidError::Fields { found });
    }
    let of = |at: usize| fields.get(at).copied().unwrap_or_default();
    let most = number("number of checkers", of(10), CHECKERS.into(), "nothing, or a number from 0 to 15")?;
    // `number` reads 0 where the field is left out.
    let most = if of(10).is_empty() { CHECKERS.into() } else { most };
    let (white, black) = (read_checkers("White", of(0), most)?, read_checkers("Black", of(1), most)?);
    let (owner, log2, action) = read_cube(of(2)).ok_or_else(|| {
        let expected = "an owner (W, B, N or D), a power of 2 from 0 to 15, and N, O or T, as in N0N";
        wrong("cube", of(2), expected)
    })?;
    let (dice, colour, state) = (of(3), of(4), of(5));
    let is_doubled = action == b'O' || state == "D";
    let stage = match dice {
        "" | "00" if is_doubled => TurnStage::Doubled,
        _ if is_doubled => return Err(wrong("dice field", dice, "empty while a double is offered")),
        "" | "00" => TurnStage::ToRoll,
        _ => {
            let expected = "empty (not rolled) or two dice such as 31";
            TurnStage::Rolled(dice.parse::<Roll>().map_err(|_| wrong("dice field", dice, expected))?)
        }
    };
    let reached = match colour {
        "W" => Some(Seat::Top),
        "B" => Some(Seat::Bottom),
        "" => None,
        _ => return Err(wrong("colour", colour, "W or B, the player who reached the position")),
    };
    let is_over = action == b'P' || state == "P";
    if is_over || state.len() > 2 || !state.bytes().all(|byte| byte.is_ascii_alphabetic()) {
        let expected = "of a game in progress: C, R, D, A, IW, IB or another of at most two letters";
        return Err(wrong("state", if is_over { "P" } else { state }, expected));
    }
    // Readers disagree about the colour: it is the player on roll in the reader of blunderDB, and was in that of
    // AnkiGammon 1.8. It is the player who acted last in HedgeHog's own codec (libogxm 2.3.2 writes W for Black's first
    // roll), in OpenGammon's and GammonView's code, and in AnkiGammon 1.19: so that is how it is read. Where a double
    // is offered, he is the doubler, whose turn it still is. Without dice, IW is written before the first roll, with W
    // although White begins: OpenGammon and GammonView read it so, and AnkiGammon does not.
    let seat = match reached {
        None => Seat::Bottom,
        Some(reached) if is_doubled => reached,
        Some(_) if state == "IW" && stage == TurnStage::ToRoll => Seat::Top,
        Some(reached) => reached.other(),
    };
    let points = "a number from 0 to 32767";
    let top = number("score of White", of(6), MAX_POINTS, points)?;
    let bottom = number("score of Black", of(7), MAX_POINTS, points)?;
    number("number of the move", of(9), u16::MAX, "a number from 0 to 65535")?;
    let length = of(8);
    let digits = length.bytes().take_while(u8::is_ascii_digit).count();
    let (points, mark) = length.split_at(digits);
    let expected = "a number from 0 to 32767, and C in the Crawford game, or L or G and a number";
    let is_mark = match mark.as_bytes() {
        [] | [b'C'] => true,
        [b'L' | b'G' | b'C', games @ ..] => games.iter().all(u8::is_ascii_digit),
        _ => false,
    };
    let points = match number("match length", points, MAX_POINTS, expected) {
        Ok(points) if is_mark => points,
        _ => return Err(wrong("match length", length, expected)),
    };
    let stakes = match points {
        0 => Stakes::default(),
        length => Stakes::Match { length, crawford: mark.starts_with('C') },
    };
    let ((own, score), (opponent, opponent_score)) = match seat {
        Seat::Bottom => ((black, bottom), (white, top)),
        Seat::Top => ((white, top), (black, bottom)),
    };
    let mut context = Context {
        seat,
        stage,
        cube: Cube { log2, owner: owner.map(|owner| owner.player(seat)), ..Cube::default() },
        stakes,
        score,
        opponent_score,
        ..Context::default()
    };
    context.decision = context.awaited();
    let remark = context.remark_on_text();
    context.cube.raise_limit();
    let position = Position::new(Board::new(&own, &opponent)?, context)?;
    Ok(Reading::with_context(position, remark))
}

fn wrong(field: &'static str, text: &str, expected: &'static str) -> OgidError {
    OgidError::Field { field, text: text.to_owned(), expected }
}

/// A field of decimal digits, at most `max`; 0 for an empty one, which may be left out.
fn number(field: &'static str, text: &str, max: u16, expected: &'static str) -> Result<u16, OgidError> {
    match text.parse() {
        _ if text.is_empty() => Ok(0),
        // `parse` alone would take a sign.
        Ok(number) if text.bytes().all(|byte| byte.is_ascii_digit()) && number <= max => Ok(number),
        _ => Err(wrong(field, text, expected)),
    }
}

/// The owner of a cube, its power of 2, and the letter of what was done with it. A dead cube is nobody's.
fn read_cube(text: &str) -> Option<(Option<Seat>, u8, u8)> {
    let [owner, digits @ .., action @ (b'N' | b'O' | b'T' | b'P')] = text.as_bytes() else {
        return None;
    };
    let owner = match owner {
        b'W' => Some(Seat::Top),
        b'B' => Some(Seat::Bottom),
        b'N' | b'D' => None,
        _ => return None,
    };
    let is_number = !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
    // Between letters of one byte each.
    let log2 = is_number.then(|| text[1..=digits.len()].parse().ok())??;
    (log2 <= MAX_CUBE_LOG2).then_some((owner, log2, *action))
}

/// The counts of a player in his own frame.
fn read_checkers(player: &'static str, text: &str, most: u16) -> Result<[u8; 26], OgidError> {
    let found = text.chars().count();
    if found > usize::from(most) {
        return Err(OgidError::Checkers { player, found, most });
    }
    let is_white = player == "White";
    let mut counts = [0; 26];
    for (at, character) in text.chars().enumerate() {
        let place = PLACES.iter().position(|place| char::from(*place) == character);
        let place = place.and_then(|place| u8::try_from(place).ok());
        match place {
            Some(place) if place > BAR => {}
            // No point 0: the bar of the other player.
            Some(place) if place != if is_white { BAR } else { 0 } => {
                counts[usize::from(if is_white { BAR - place } else { place })] += 1;
            }
            _ => {
                return Err(OgidError::Checker {
                    player,
                    character,
                    position: at + 1,
                    expected: match is_white {
                        true => "0 (the bar), 1 to 9, a to o, or q (borne off)",
                        false => "1 to 9, a to o, p (the bar), or q (borne off)",
                    },
                });
            }
        }
    }
    Ok(counts)
}
