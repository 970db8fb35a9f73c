//! The board line of FIBS, the First Internet Backgammon Server, which GNU Backgammon speaks too.
//!
//! `board` and 52 fields, separated by colons. "You" is the player who receives the line, O or X:
//!
//! | fields | meaning |
//! |---|---|
//! | 1, 2 | your name, your opponent's name |
//! | 3 | match length; 9999 (FIBS) or 0 (GNU Backgammon) is money |
//! | 4, 5 | your points, his points |
//! | 6-31 | 26 places: points 1 to 24 and the two bars; O's checkers positive, X's negative |
//! | 32 | turn: 1 O is on roll, -1 X; 0 the game is over, and the loser is taken to be on roll |
//! | 33-34, 35-36 | your dice, his dice; 0 0 if not rolled |
//! | 37 | the cube |
//! | 38, 39 | whether you may double, whether he may |
//! | 40 | not 0: a double is offered |
//! | 41 | your colour: 1 O, -1 X |
//! | 42 | your direction: -1 from 24 to 1, 1 from 1 to 24 |
//! | 43, 44 | where your home and your bar are: 0 and 25, or 25 and 0 |
//! | 45, 46 | checkers you have borne off, he has |
//! | 47, 48 | checkers you have on the bar, he has (GNU Backgammon always writes 0) |
//! | 49 | checkers you can move, 0 to 4 |
//! | 50 | unused |
//! | 51 | 1 after the Crawford game |
//! | 52 | not 0: not a Crawford game |
//!
//! Sources: the table at fibs.com (`rawboard`), and GNU Backgammon 1.07 as it runs, for the last two fields, for dice
//! (which it repeats for both players), and for field 40: it writes 1 when you double and -1 when your opponent does,
//! and ignores the sign when it reads, since only the player on roll can double. A line in which nobody may double is a
//! double as well.
//!
//! Here "you" sit at the bottom, both when reading and writing, and a line is written with you as O, playing from 24
//! to 1. GNU Backgammon evaluates such a line exactly as it does its own. Names are not kept. A line does not hold the
//! Jacoby rule, beavers (one is written as the double that is answered), the largest cube, an offered resignation, or a
//! Crawford game at double match point.

use core::fmt::Write;

use thiserror::Error;

use super::context::{Context, ContextError, Cube, MAX_CUBE_LOG2, MAX_POINTS, Seat, Stakes, TurnStage};
use crate::board::checkers::{Board, BoardError};
use crate::board::position::Position;
use crate::board::side::Side;
use crate::board::side_checkers::{BAR, CHECKERS};
use crate::dice::{Roll, RollError};
use tavli_base::text::Quoted;

/// The start of a board line.
pub(super) const PREFIX: &str = "board:";

/// Fields after `board`.
const FIELDS: usize = 52;
/// The match length that stands for money.
const UNLIMITED: u16 = 9999;

/// Why text is not a FIBS board line.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum FibsError {
    /// It does not begin with `board:`.
    #[error("not a FIBS board line: it must begin with 'board:'")]
    Prefix,
    /// The wrong number of fields.
    #[error("not a FIBS board line: it must have {FIELDS} fields after 'board', not {found}")]
    Fields {
        /// The number found.
        found: usize,
    },
    /// An invalid field.
    #[error("not a FIBS board line: field {field} ({name}) is '{}'; it must be {expected}", Quoted::new(text))]
    Field {
        /// The number of the field, 1 to 52.
        field: usize,
        /// Its meaning.
        name: &'static str,
        /// Its text.
        text: String,
        /// The values allowed.
        expected: String,
    },
    /// The turn says that the game is over, and the board does not.
    #[error(
        "nobody is on roll (field 32, turn, is 0), yet both sides have checkers: write 1 if O is on roll, -1 if X is"
    )]
    NobodyOnRoll,
    /// Invalid dice.
    #[error("not a FIBS board line: the dice (fields 33-36) are not a roll: {0}")]
    Dice(#[from] RollError),
    /// Dice of the player who is not on roll.
    #[error("not a FIBS board line: fields 33-36 give dice to the player who is not on roll (field 32)")]
    DiceOfOther,
    /// Dice on the table while a double is offered.
    #[error("not a FIBS board line: the dice show {0} while a double is offered")]
    DiceAndDouble(Roll),
    /// The checkers are not a position.
    #[error("not a position: {0}")]
    Board(#[from] BoardError),
    /// The state contradicts itself.
    #[error("not the state of a game: {0}")]
    Context(#[from] ContextError),
}

/// The fields of a line, numbered as in the table.
struct Fields<'a>(Vec<&'a str>);

impl Fields<'_> {
    fn wrong(&self, field: usize, name: &'static str, expected: impl Into<String>) -> FibsError {
        FibsError::Field { field, name, text: self.0[field].to_owned(), expected: expected.into() }
    }

    /// A whole number from `min` to `max`.
    fn number(&self, field: usize, name: &'static str, min: i32, max: i32) -> Result<i32, FibsError> {
        match self.0[field].parse() {
            Ok(number) if (min..=max).contains(&number) => Ok(number),
            _ => Err(self.wrong(field, name, format!("a number from {min} to {max}"))),
        }
    }

    /// 1 or -1.
    fn sign(&self, field: usize, name: &'static str) -> Result<i32, FibsError> {
        match self.number(field, name, -1, 1)? {
            0 => Err(self.wrong(field, name, "1 or -1")),
            sign => Ok(sign),
        }
    }

    /// Checks a field that follows from others.
    fn agrees(&self, field: usize, name: &'static str, expected: u8) -> Result<(), FibsError> {
        if self.0[field].parse() == Ok(expected) {
            Ok(())
        } else {
            Err(self.wrong(field, name, format!("{expected}, to agree with the other fields")))
        }
    }

    /// Points of the match or of a player.
    fn points(&self, field: usize, name: &'static str) -> Result<u16, FibsError> {
        Ok(self.number(field, name, 0, MAX_POINTS.into())? as u16)
    }

    /// Your checkers and your opponent's, each in his own frame.
    fn counts(&self, colour: i32, direction: i32) -> Result<[[u8; 26]; 2], FibsError> {
        let most = i32::from(CHECKERS);
        let (mut yours, mut his) = ([0; 26], [0; 26]);
        for place in 0..=usize::from(BAR) {
            let number = self.number(6 + place, "board", -most, most)? * colour;
            let mirrored = usize::from(BAR) - place;
            let (point, other_point) = if direction < 0 { (place, mirrored) } else { (mirrored, place) };
            if (number > 0 && point == 0) || (number < 0 && other_point == 0) {
                let expected = "a number of the bar's owner's sign, or 0";
                return Err(self.wrong(6 + place, "bar", expected));
            }
            if number > 0 {
                yours[point] = number.unsigned_abs() as u8;
            } else {
                his[other_point] = number.unsigned_abs() as u8;
            }
        }
        Ok([yours, his])
    }

    /// Checks the numbers of checkers borne off: with those on the board, both sides must have the number that a game
    /// begins with: 15, but fewer in Hypergammon.
    fn check_off(&self, yours: &[u8; 26], his: &[u8; 26]) -> Result<(), FibsError> {
        let name = "checkers borne off";
        let [yours, his] = [yours, his].map(|counts| counts.iter().sum::<u8>());
        let most = i32::from(CHECKERS - yours);
        let off = self.number(45, name, 0, most)?;
        self.agrees(46, name, (yours + off as u8).saturating_sub(his))
    }

    /// Checks the number of checkers on a player's bar. GNU Backgammon always writes 0.
    fn check_bar(&self, counts: &[u8; 26], field: usize) -> Result<(), FibsError> {
        if self.0[field] == "0" {
            return Ok(());
        }
        self.agrees(field, "checkers on the bar", counts[usize::from(BAR)])
    }

    /// The roll of the player on roll, who is "you" or your opponent.
    fn roll(&self, yours: bool) -> Result<Option<Roll>, FibsError> {
        let dice = |field| -> Result<[u8; 2], FibsError> {
            Ok([self.number(field, "die", 0, 6)? as u8, self.number(field + 1, "die", 0, 6)? as u8])
        };
        let (mover, other) = if yours { (33, 35) } else { (35, 33) };
        let (mover, other) = (dice(mover)?, dice(other)?);
        if other != [0, 0] && other != mover {
            return Err(FibsError::DiceOfOther);
        }
        match mover {
            [0, 0] => Ok(None),
            [a, b] => Ok(Some(Roll::new(a, b)?)),
        }
    }

    fn cube_log2(&self) -> Result<u8, FibsError> {
        let name = "cube";
        let cube = self.number(37, name, 1, 1 << MAX_CUBE_LOG2)?;
        if cube.count_ones() == 1 {
            Ok(cube.trailing_zeros() as u8)
        } else {
            Err(self.wrong(37, name, "1, 2, 4, 8 ... 32768"))
        }
    }
}

impl Position {
    /// The position of a FIBS board line; "you" of the line sit at the bottom.
    ///
    /// # Errors
    /// [`FibsError`] says which field is wrong, or what it contradicts.
    ///
    /// ```
    /// use tavli_backgammon::Position;
    /// let position = Position::from_fibs(
    ///     "board:You:someplayer:3:0:1:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:\
    ///      1:6:2:0:0:1:1:1:0:1:-1:0:25:0:0:0:0:2:0:0:0",
    /// )?;
    /// assert_eq!(position.xgid(), "XGID=-b----E-C---eE---c-e----B-:0:0:1:62:0:1:0:3:10");
    /// # Ok::<(), tavli_backgammon::FibsError>(())
    /// ```
    pub fn from_fibs(text: &str) -> Result<Position, FibsError> {
        if !text.starts_with(PREFIX) {
            return Err(FibsError::Prefix);
        }
        let fields = Fields(text.split(':').collect());
        let found = fields.0.len() - 1;
        if found != FIELDS {
            return Err(FibsError::Fields { found });
        }
        for (field, name) in [(1, "your name"), (2, "opponent's name")] {
            if fields.0[field].is_empty() {
                return Err(fields.wrong(field, name, "a name"));
            }
        }
        let length = fields.points(3, "match length")?;
        let your_score = fields.points(4, "your points")?;
        let his_score = fields.points(5, "opponent's points")?;
        let turn = fields.number(32, "turn", -1, 1)?;
        let colour = fields.sign(41, "colour")?;
        let direction = fields.sign(42, "direction")?;
        let (home, bar) = if direction < 0 { (0, BAR) } else { (BAR, 0) };
        fields.agrees(43, "home", home)?;
        fields.agrees(44, "bar", bar)?;
        fields.number(49, "checkers that can move", 0, 4)?;
        let after_crawford = fields.number(51, "after the Crawford game", 0, 1)? != 0;
        let not_crawford = fields.number(52, "not a Crawford game", 0, i32::MAX)? != 0;

        let [yours, his] = fields.counts(colour, direction)?;
        let is_empty = |counts: &[u8; 26]| counts.iter().all(|&count| count == 0);
        let seat = match turn {
            // The winner made the last play, so the loser would be on roll.
            0 if is_empty(&his) => Seat::Bottom,
            0 if is_empty(&yours) => Seat::Top,
            0 => return Err(FibsError::NobodyOnRoll),
            turn if turn == colour => Seat::Bottom,
            _ => Seat::Top,
        };
        let ((own, score), (opponent, opponent_score)) = match seat {
            Seat::Bottom => ((yours, your_score), (his, his_score)),
            Seat::Top => ((his, his_score), (yours, your_score)),
        };
        let board = Board::new(&own, &opponent)?;
        fields.check_off(&yours, &his)?;
        fields.check_bar(&yours, 47)?;
        fields.check_bar(&his, 48)?;

        let log2 = fields.cube_log2()?;
        let may_double = [
            fields.number(38, "whether you may double", 0, 1)? != 0,
            fields.number(39, "whether the opponent may double", 0, 1)? != 0,
        ];
        let doubled = fields.number(40, "double offered", -1, 1)? != 0 || may_double == [false; 2];
        let owner = match may_double {
            [true, true] => None,
            [true, false] => Some(Seat::Bottom.player(seat)),
            [false, true] => Some(Seat::Top.player(seat)),
            // The player who doubles owned the cube, unless it was in the middle.
            [false, false] => (log2 > 0).then_some(Side::OnRoll),
        };
        let stage = match (fields.roll(seat == Seat::Bottom)?, doubled) {
            (None, false) => TurnStage::ToRoll,
            (None, true) => TurnStage::Doubled,
            (Some(roll), false) => TurnStage::Rolled(roll),
            (Some(roll), true) => return Err(FibsError::DiceAndDouble(roll)),
        };
        let mut context = Context {
            seat,
            stage,
            cube: Cube { log2, owner, ..Cube::default() },
            score,
            opponent_score,
            ..Context::default()
        };
        if length != 0 && length != UNLIMITED {
            // Without the mark at first: `is_one_away` needs the length.
            context.stakes = Stakes::Match { length, crawford: false };
            // If both are one point away, the Crawford game is over, or the match is to one point. A turned cube
            // belongs to a later game.
            let is_possible = context.is_one_away() && score != opponent_score && log2 == 0;
            context.stakes = Stakes::Match { length, crawford: is_possible && !after_crawford && !not_crawford };
        }
        context.cube.raise_limit();
        context.decision = context.awaited();
        Ok(Position::new(board, context)?)
    }

    /// The FIBS board line, in which "You" are the bottom player, O, and play from 24 to 1.
    ///
    /// ```
    /// use tavli_backgammon::{Board, Position};
    /// assert_eq!(
    ///     Position::from(Board::START).fibs(),
    ///     "board:You:Opponent:9999:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:\
    ///      1:0:0:0:0:1:1:1:0:1:-1:0:25:0:0:0:0:0:0:0:1"
    /// );
    /// ```
    #[must_use]
    pub fn fibs(&self) -> String {
        let context = self.context();
        let bottom = self.bottom_board();
        let crawford = context.is_crawford();
        let length = match context.stakes {
            Stakes::Money { .. } => UNLIMITED,
            Stakes::Match { length, .. } => length,
        };
        let on_roll = context.seat == Seat::Bottom;
        let turn = if on_roll { 1 } else { -1 };
        let dice = match context.stage {
            TurnStage::Rolled(roll) => [roll.high(), roll.low()],
            _ => [0, 0],
        };
        let (your_dice, his_dice) = if on_roll { (dice, [0, 0]) } else { ([0, 0], dice) };
        let owner = context.cube.owner.map(|owner| owner.seat(context.seat));
        let doubled = match context.stage {
            TurnStage::ToRoll | TurnStage::Rolled(_) => 0,
            TurnStage::Doubled | TurnStage::Beavered | TurnStage::Raccooned => turn,
        };
        let mut text = String::from("board:You:Opponent");
        let mut field = |value: i32| write!(text, ":{value}").expect("a String takes any text");
        field(length.into());
        field(context.score_at(Seat::Bottom).into());
        field(context.score_at(Seat::Top).into());
        for number in bottom.points() {
            field(number.into());
        }
        field(turn);
        for die in [your_dice, his_dice].as_flattened() {
            field((*die).into());
        }
        field(1 << context.cube.log2);
        field((owner != Some(Seat::Top)).into());
        field((owner != Some(Seat::Bottom)).into());
        field(doubled);
        // O, playing from 24 to 1 with home at 0 and the bar at 25.
        for value in [1, -1, 0, BAR.into()] {
            field(value);
        }
        field(bottom.own().borne_off(CHECKERS).into());
        field(bottom.opponent().borne_off(CHECKERS).into());
        field(bottom.own().bar().into());
        field(bottom.opponent().bar().into());
        field(0);
        field(0);
        field((context.is_one_away() && !crawford).into());
        field((!crawford).into());
        text
    }
}
