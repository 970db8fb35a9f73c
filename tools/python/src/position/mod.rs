//! A position with every codec, its plays, and its pictures.

mod any;
mod play;

pub(crate) use any::AnyPosition;
pub(crate) use play::Play;

use numpy::{IntoPyArray, PyArray1};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyType;
use tavli::plays::notation::parse_play_under;
use tavli::{Board, Context, Player, Plays, Roll, RuleSet, Stage, Stakes};

use crate::arguments::{AnyRoll, word};
use crate::errors::{PlayError, PositionError, RollError, raise};

/// A position of backgammon: the checkers, seen by the player on roll, and the state of the game around them.
///
/// Positions do not change, compare by value, and can be pickled and copied.
///
/// Args:
///     source: Text in any format (GNU Position ID, Position ID:Match ID, XGID, FIBS board line, 26 numbers), 26
///         numbers as a sequence or a NumPy array of shape (26,), or another position; the opening if it is left
///         out. See `points` for the order of the numbers.
///
/// Raises:
///     PositionError: The source is not a position; the message says where and why.
///
/// Examples:
///     >>> position = tavli.Position("4HPwATDgc/ABMA")
///     >>> [play.moves for play in position.plays("65")]
///     ['8/3 8/2', '13/2', '13/7 8/3', '13/8 13/7', '24/18 8/3', '24/18 13/8', '24/13']
#[pyclass(frozen, eq, hash, from_py_object, module = "tavli")]
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Position(Box<tavli::Position>);

impl Position {
    fn of(position: tavli::Position) -> Position {
        Position(Box::new(position))
    }

    pub(crate) fn inner(&self) -> &tavli::Position {
        &self.0
    }

    pub(crate) fn of_board(board: Board) -> Position {
        Position::of(board.into())
    }

    /// A roll that was given, or the one on the board.
    fn roll_or_rolled(&self, given: Option<&AnyRoll>) -> PyResult<Roll> {
        match (given, self.0.context().stage) {
            (Some(roll), _) => Ok(roll.0),
            (None, Stage::Rolled(roll)) => Ok(roll),
            (None, _) => Err(RollError::new_err(
                "the dice of this position are not rolled: name a roll, such as '31'",
            )),
        }
    }

    /// The shortest text that is read as this very position, if there is one.
    fn text(&self) -> Option<String> {
        let position_id = self.0.position_id().to_string();
        let match_id = format!("{position_id}:{}", self.0.match_id());
        let texts = [position_id, self.0.xgid(), match_id];
        texts.into_iter().find(|text| text.parse() == Ok(*self.0))
    }
}

#[pymethods]
impl Position {
    #[new]
    #[pyo3(signature = (source=None))]
    fn new(source: Option<AnyPosition>) -> Position {
        source.map_or(Position::of_board(Board::START), |source| Position::of(source.0))
    }

    /// The position in which a game begins.
    ///
    /// Args:
    ///     rules: One of `tavli.RULES`.
    #[classmethod]
    #[pyo3(signature = (rules="backgammon"))]
    fn start(_class: &Bound<'_, PyType>, rules: &str) -> PyResult<Position> {
        Ok(Position::of_board(word::<RuleSet>(rules)?.start()))
    }

    /// Read a GNU Position ID, and a Match ID with the state of the game if there is one.
    ///
    /// Args:
    ///     position_id: 14 characters, such as "4HPwATDgc/ABMA".
    ///     match_id: 12 characters, such as "cAkAAAAAAAAE".
    ///
    /// Raises:
    ///     PositionError: One of them is invalid.
    #[classmethod]
    #[pyo3(signature = (position_id, match_id=None))]
    fn from_position_id(_class: &Bound<'_, PyType>, position_id: &str, match_id: Option<&str>) -> PyResult<Position> {
        let board = Board::from_position_id(position_id).map_err(raise(PositionError::new_err))?;
        let context = match match_id {
            Some(match_id) => Context::from_match_id(match_id).map_err(raise(PositionError::new_err))?,
            None => Context::default(),
        };
        let position = tavli::Position::new(board, context);
        position.map(Position::of).map_err(raise(PositionError::new_err))
    }

    /// Read an XGID, with or without "XGID=".
    ///
    /// Raises:
    ///     PositionError: It is invalid.
    #[classmethod]
    fn from_xgid(_class: &Bound<'_, PyType>, xgid: &str) -> PyResult<Position> {
        let position = tavli::Position::from_xgid(xgid);
        position.map(Position::of).map_err(raise(PositionError::new_err))
    }

    /// Read a FIBS board line, "board:You:Opponent:...".
    ///
    /// Raises:
    ///     PositionError: It is invalid.
    #[classmethod]
    fn from_fibs(_class: &Bound<'_, PyType>, fibs: &str) -> PyResult<Position> {
        let position = tavli::Position::from_fibs(fibs);
        position.map(Position::of).map_err(raise(PositionError::new_err))
    }

    /// The GNU Position ID of the checkers: 14 characters.
    #[getter]
    fn position_id(&self) -> String {
        self.0.position_id().to_string()
    }

    /// The GNU Match ID of the state of the game: 12 characters.
    #[getter]
    fn match_id(&self) -> String {
        self.0.match_id().to_string()
    }

    /// The XGID, with "XGID=" in front.
    #[getter]
    fn xgid(&self) -> String {
        self.0.xgid()
    }

    /// The FIBS board line.
    #[getter]
    fn fibs(&self) -> String {
        self.0.fibs()
    }

    /// The checkers as a new int8 array of shape (26,).
    ///
    /// Index 0 is the opponent's bar as a number <= 0, 1 to 24 are the points as the player on roll counts them, his
    /// checkers positive and the opponent's negative, 25 is his bar. Checkers missing from 15 are borne off.
    #[getter]
    fn points<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i8>> {
        self.0.points().to_vec().into_pyarray(py)
    }

    /// The pips of the player on roll.
    #[getter]
    fn pips(&self) -> u16 {
        self.0.board().own().pips()
    }

    /// The pips of the opponent.
    #[getter]
    fn opponent_pips(&self) -> u16 {
        self.0.board().opponent().pips()
    }

    /// Whether the sides have passed each other, so that no checker can ever be hit.
    #[getter]
    fn is_race(&self) -> bool {
        self.0.board().is_race()
    }

    /// The roll that is to be played, such as "31"; None if the dice are not rolled.
    #[getter]
    fn roll(&self) -> Option<String> {
        match self.0.context().stage {
            Stage::Rolled(roll) => Some(roll.to_string()),
            _ => None,
        }
    }

    /// The value of the doubling cube: 1, 2, 4 ...
    #[getter]
    fn cube(&self) -> u32 {
        1 << self.0.context().cube.log2
    }

    /// Who owns the cube: "on_roll", "opponent", or None while it is in the middle.
    #[getter]
    fn cube_owner(&self) -> Option<&'static str> {
        self.0.context().cube.owner.map(|owner| match owner {
            Player::OnRoll => "on_roll",
            Player::Opponent => "opponent",
        })
    }

    /// The points that win the match; 0 in a money game.
    #[getter]
    fn match_length(&self) -> u16 {
        match self.0.context().stakes {
            Stakes::Money { .. } => 0,
            Stakes::Match { length, .. } => length,
        }
    }

    /// The points that the player on roll has won so far.
    #[getter]
    fn score(&self) -> u16 {
        self.0.context().score
    }

    /// The points that the opponent has won so far.
    #[getter]
    fn opponent_score(&self) -> u16 {
        self.0.context().opponent_score
    }

    /// Return whether one side has already won.
    ///
    /// Args:
    ///     rules: One of `tavli.RULES`.
    #[pyo3(signature = (rules="backgammon"))]
    fn is_over(&self, rules: &str) -> PyResult<bool> {
        Ok(word::<RuleSet>(rules)?.is_over(self.0.board()))
    }

    /// Exchange the sides: the same checkers with the other player on roll, in a money game.
    fn swapped(&self) -> Position {
        Position::of_board(self.0.board().swapped())
    }

    /// List the plays of a roll.
    ///
    /// A play is a distinct resulting position. A forced pass is one play; a game that is over has none.
    ///
    /// Args:
    ///     roll: Two digits as text, "31", or two numbers, (3, 1); None is the roll of the position.
    ///     rules: One of `tavli.RULES`.
    ///
    /// Returns:
    ///     The plays, in the order in which playouts count them.
    ///
    /// Raises:
    ///     RollError: It is not a roll, or none is given and the dice are not rolled.
    #[pyo3(signature = (roll=None, rules="backgammon"))]
    fn plays(&self, roll: Option<AnyRoll>, rules: &str) -> PyResult<Vec<Play>> {
        let plays = Plays::under(self.0.board(), self.roll_or_rolled(roll.as_ref())?, word(rules)?);
        let list = plays.to_vec().into_iter().map(|play| Play {
            moves: plays.moves(&play).to_string(),
            position: Position::of_board(play.board()),
        });
        Ok(list.collect())
    }

    /// Make a play that is written in notation.
    ///
    /// Args:
    ///     moves: Such as "8/5 6/5", "bar/20*", "6/off(2)" or "cannot move", in any order of the moves.
    ///     roll: As in `plays`.
    ///     rules: As in `plays`.
    ///
    /// Returns:
    ///     The position after it, as in `Play.position`.
    ///
    /// Raises:
    ///     PlayError: It is not a play of this roll, or could be several.
    ///     RollError: As in `plays`.
    #[pyo3(signature = (moves, roll=None, rules="backgammon"))]
    fn play(&self, moves: &str, roll: Option<AnyRoll>, rules: &str) -> PyResult<Position> {
        let roll = self.roll_or_rolled(roll.as_ref())?;
        let after = parse_play_under(self.0.board(), roll, moves, word(rules)?);
        after.map(Position::of_board).map_err(raise(PlayError::new_err))
    }

    /// Draw the position as SVG: the player on roll has the light checkers and sits at the bottom.
    ///
    /// Returns:
    ///     One svg element of 652 by 544 units, which scales.
    fn svg(&self) -> String {
        self.0.svg().to_string()
    }

    fn _repr_svg_(&self) -> String {
        self.svg()
    }

    fn _repr_html_(&self) -> String {
        self.svg()
    }

    fn __str__(&self) -> String {
        self.0.diagram().to_string()
    }

    fn __repr__(&self) -> String {
        match self.text() {
            Some(text) => format!("Position('{text}')"),
            None => format!("<tavli.Position {}:{}>", self.0.position_id(), self.0.match_id()),
        }
    }

    fn __copy__(slf: Py<Position>) -> Py<Position> {
        slf
    }

    fn __deepcopy__(slf: Py<Position>, _memo: &Bound<'_, PyAny>) -> Py<Position> {
        slf
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyType>, (String,))> {
        let text = self.text().ok_or_else(|| {
            PyTypeError::new_err(format!(
                "no format holds all of this position, {}:{}, so it cannot be pickled: pickle its points",
                self.0.position_id(),
                self.0.match_id()
            ))
        })?;
        Ok((py.get_type::<Position>(), (text,)))
    }
}
