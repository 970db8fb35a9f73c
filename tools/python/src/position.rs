//! A position with every codec, its plays, and its pictures.

use core::fmt::Display;
use core::hash::{Hash, Hasher};

use numpy::{IntoPyArray, PyArray1, PyArrayDescrMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::{PyAttributeError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString, PyTuple, PyType};
use tavli::games::{self, AnyPlay, AnyPositionError, NAMES as GAMES};
use tavli::plays::notation::parse_play;
use tavli::run::remark_on_cube;
use tavli::text::{Quoted, bare};
use tavli::{Board, Context, PlayoutError, Plays, PointsError, Roll, RuleSet, Side, Stakes, TurnStage};

use crate::arguments::{RollArgument, RulesArgument, WholeNumber, Word, whole, word};
use crate::ending;
use crate::errors::{PlayError, PositionError, PositionWarning, RollError, bad_setting, raise, raise_of};
use crate::integers;
use crate::interrupt::{self, Interrupt};
use crate::pickled::{Pickled, Reduced};
use crate::warning::warn;

/// A position of backgammon: the checkers, seen by the player on roll, and the state of the game around them; or of
/// another game.
///
/// Positions do not change, compare by value, and can be pickled and copied.
///
/// Args:
///     source: Text in any format (GNU Position ID, Position ID:Match ID, XGID, OGID, FIBS board line, 26 numbers), 26
///         numbers as a sequence or a NumPy array of shape (26,), or another position; the opening if it is left out.
///         See `points` for the order of the numbers. In another game the text of a position, such as a FEN, or
///         "start".
///     game: One of `tavli.GAMES`. The positions of games other than backgammon have `game`, `rules`, `is_over`,
///         `outcome_points`, `numbers`, `plays`, `play`, `perft` and `diagram`; their `str` is the text of the
///         position.
///     rules: The rules of another game; None is its usual ones. Backgammon's are named where they matter.
///
/// Raises:
///     PositionError: The source is not a position; the message says where and why.
///     SettingsError: There is no such game, or no such rules.
///
/// Warns:
///     PositionWarning: A text contradicts itself, as by a Crawford game at a score that has none, or is a game of
///         draughts that was played by other rules.
///
/// Examples:
///     >>> position = tavli.Position("4HPwATDgc/ABMA")
///     >>> [play.moves for play in position.plays("65")]
///     ['8/3 8/2', '13/2', '13/7 8/3', '13/8 13/7', '24/18 8/3', '24/18 13/8', '24/13']
///     >>> position = tavli.Position("XX-/OO-/--- X", game="tictactoe")
///     >>> str(position.plays()[0].position)
///     'XXX/OO-/--- O'
#[pyclass(frozen, eq, hash, from_py_object, module = "tavli")]
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Position(Held);

/// The position of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Held {
    Backgammon(Box<tavli::Position>),
    Other(games::AnyPosition),
}

impl Hash for Held {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self {
            Held::Backgammon(position) => position.hash(state),
            Held::Other(position) => position.state().hash(state),
        }
    }
}

impl Position {
    fn from_kernel(position: tavli::Position) -> Position {
        Position(Held::Backgammon(Box::new(position)))
    }

    /// The position, if it is of backgammon; otherwise the name of its game.
    pub(crate) fn backgammon(&self) -> Result<&tavli::Position, &'static str> {
        match &self.0 {
            Held::Backgammon(position) => Ok(position),
            Held::Other(position) => Err(position.game()),
        }
    }

    /// The position, if it is of backgammon, for an attribute.
    ///
    /// # Errors
    /// An AttributeError that names the attribute and the game.
    fn inner(&self, attribute: &str) -> PyResult<&tavli::Position> {
        self.backgammon().map_err(|game| {
            PyAttributeError::new_err(format!("'{attribute}' is for positions of backgammon, and not of {game}"))
        })
    }

    pub(crate) fn from_board(board: Board) -> Position {
        Position::from_kernel(board.into())
    }

    pub(crate) fn from_any_position(position: games::AnyPosition) -> Position {
        Position(Held::Other(position))
    }

    /// The text that holds all of the position.
    pub(crate) fn text_of_other(&self) -> String {
        self.text().unwrap_or_else(|| self.__str__())
    }

    /// The position, if it is not of backgammon, for an attribute.
    ///
    /// # Errors
    /// An AttributeError that names the attribute.
    pub(crate) fn other(&self, attribute: &str) -> PyResult<&games::AnyPosition> {
        match &self.0 {
            Held::Other(position) => Ok(position),
            Held::Backgammon(_) => Err(PyAttributeError::new_err(format!(
                "'{attribute}' is for positions of other games, and not of backgammon"
            ))),
        }
    }

    /// A roll that was given, or the one on the board.
    fn roll_or_rolled(position: &tavli::Position, given: Option<&RollArgument>) -> PyResult<Roll> {
        match (given, position.context().stage) {
            (Some(roll), _) => Ok(roll.0),
            (None, TurnStage::Rolled(roll)) => Ok(roll),
            (None, _) => Err(RollError::new_err("the dice of this position are not rolled: name a roll, such as '31'")),
        }
    }

    /// The shortest text that is read as this very position, if there is one.
    fn text(&self) -> Option<String> {
        let position = match &self.0 {
            Held::Backgammon(position) => position,
            Held::Other(position) => return Some(position.state()),
        };
        let position_id = position.position_id().to_string();
        let match_id = format!("{position_id}:{}", position.match_id());
        let texts = [position_id, position.xgid(), match_id];
        texts.into_iter().find(|text| text.parse() == Ok(**position))
    }
}

#[pymethods]
impl Position {
    #[new]
    #[pyo3(signature = (source=None, game="backgammon", rules=None))]
    fn new(source: Option<&Bound<'_, PyAny>>, game: &str, rules: Option<RulesArgument<'_>>) -> PyResult<Position> {
        let rules = RulesArgument::text(rules);
        if game == GAMES[0] {
            if rules.is_some() {
                return Err(bad_setting(
                    "rules are for other games: backgammon's are named where they matter, as in plays(roll, rules)",
                ));
            }
            return match source {
                None => Ok(Position::from_board(Board::START)),
                // A position of another game, too, is a copy.
                Some(source) => match source.cast::<Position>() {
                    Ok(position) => Ok(position.get().clone()),
                    Err(_) => Ok(Position::from_kernel(source.extract::<AnyPosition>()?.0)),
                },
            };
        }
        let Some(source) = source else {
            let start = games::AnyPosition::start(game, rules);
            return start.map(Held::Other).map(Position).map_err(other_game_error);
        };
        let position = match held(source) {
            Some(held) => under(&position_of_game(&held, game)?, rules)?,
            None => {
                let text = text_of(source, game)?;
                let position = games::AnyPosition::read(game, rules, text).map_err(other_game_error)?;
                if let Some(remark) = position.remark() {
                    warn_of(source.py(), text, remark)?;
                }
                position
            }
        };
        Ok(Position(Held::Other(position)))
    }

    /// The position in which a game begins. It is the checkers alone: name the rules again where they matter, as in
    /// `playout(position, rules="hypergammon")`.
    ///
    /// Args:
    ///     rules: One of `tavli.RULES`.
    #[classmethod]
    #[pyo3(signature = (rules=Word(RuleSet::Backgammon)))]
    #[pyo3(text_signature = "($cls, rules='backgammon')")]
    fn start(_class: &Bound<'_, PyType>, rules: Word<RuleSet>) -> PyResult<Position> {
        Ok(Position::from_board(rules.0.start()))
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
    fn from_position_id(class: &Bound<'_, PyType>, position_id: &str, match_id: Option<&str>) -> PyResult<Position> {
        let position_id = bare(position_id);
        let board = Board::from_position_id(position_id).map_err(raise_of(PositionError::new_err, position_id))?;
        let Some(match_id) = match_id.map(bare) else {
            return Ok(Position::from_board(board));
        };
        // Each is read alone first, so that an error names the right one.
        Context::from_match_id(match_id).map_err(raise_of(PositionError::new_err, match_id))?;
        read(class.py(), &format!("{position_id}:{match_id}")).map(Position::from_kernel)
    }

    /// Read an XGID, with or without "XGID=".
    ///
    /// Raises:
    ///     PositionError: It is invalid.
    #[classmethod]
    fn from_xgid(class: &Bound<'_, PyType>, xgid: &str) -> PyResult<Position> {
        let xgid = bare(xgid);
        tavli::Position::from_xgid(xgid).map_err(raise_of(PositionError::new_err, xgid))?;
        read(class.py(), xgid).map(Position::from_kernel)
    }

    /// Read a FIBS board line, "board:You:Opponent:...".
    ///
    /// Raises:
    ///     PositionError: It is invalid.
    #[classmethod]
    fn from_fibs(_class: &Bound<'_, PyType>, fibs: &str) -> PyResult<Position> {
        let fibs = bare(fibs);
        let position = tavli::Position::from_fibs(fibs);
        position.map(Position::from_kernel).map_err(raise_of(PositionError::new_err, fibs))
    }

    /// The GNU Position ID of the checkers: 14 characters.
    #[getter]
    fn position_id(&self) -> PyResult<String> {
        Ok(self.inner("position_id")?.position_id().to_string())
    }

    /// The GNU Match ID of the state of the game: 12 characters.
    #[getter]
    fn match_id(&self) -> PyResult<String> {
        Ok(self.inner("match_id")?.match_id().to_string())
    }

    /// The XGID, with "XGID=" in front.
    #[getter]
    fn xgid(&self) -> PyResult<String> {
        Ok(self.inner("xgid")?.xgid())
    }

    /// The FIBS board line.
    #[getter]
    fn fibs(&self) -> PyResult<String> {
        Ok(self.inner("fibs")?.fibs())
    }

    /// The checkers as a new int8 array of shape (26,).
    ///
    /// Index 0 is the opponent's bar as a number <= 0, 1 to 24 are the points as the player on roll counts them, his
    /// checkers positive and the opponent's negative, 25 is his bar. Checkers missing from 15 are borne off.
    #[getter]
    fn points<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i8>>> {
        Ok(self.inner("points")?.points().to_vec().into_pyarray(py))
    }

    /// The pips of the player on roll.
    #[getter]
    fn pips(&self) -> PyResult<u16> {
        Ok(self.inner("pips")?.board().own().pips())
    }

    /// The pips of the opponent.
    #[getter]
    fn opponent_pips(&self) -> PyResult<u16> {
        Ok(self.inner("opponent_pips")?.board().opponent().pips())
    }

    /// Whether the sides have passed each other, so that no checker can ever be hit.
    #[getter]
    fn is_race(&self) -> PyResult<bool> {
        Ok(self.inner("is_race")?.board().is_race())
    }

    /// The roll that is to be played, such as "31"; None if the dice are not rolled.
    #[getter]
    fn roll(&self) -> PyResult<Option<String>> {
        Ok(match self.inner("roll")?.context().stage {
            TurnStage::Rolled(roll) => Some(roll.to_string()),
            _ => None,
        })
    }

    /// The value of the doubling cube: 1, 2, 4 ...
    #[getter]
    fn cube(&self) -> PyResult<u32> {
        Ok(1 << self.inner("cube")?.context().cube.log2)
    }

    /// Who owns the cube: "on_roll", "opponent", or None while it is in the middle.
    #[getter]
    fn cube_owner(&self) -> PyResult<Option<&'static str>> {
        Ok(self.inner("cube_owner")?.context().cube.owner.map(|owner| match owner {
            Side::OnRoll => "on_roll",
            Side::Opponent => "opponent",
        }))
    }

    /// The points that win the match; 0 in a money game.
    #[getter]
    fn match_length(&self) -> PyResult<u16> {
        Ok(match self.inner("match_length")?.context().stakes {
            Stakes::Money { .. } => 0,
            Stakes::Match { length, .. } => length,
        })
    }

    /// The points that the player on roll has won so far.
    #[getter]
    fn score(&self) -> PyResult<u16> {
        Ok(self.inner("score")?.context().score)
    }

    /// The points that the opponent has won so far.
    #[getter]
    fn opponent_score(&self) -> PyResult<u16> {
        Ok(self.inner("opponent_score")?.context().opponent_score)
    }

    /// Return whether the game is over.
    ///
    /// Args:
    ///     rules: One of `tavli.RULES`; in another game None, or its rules.
    ///
    /// Raises:
    ///     PositionError: A side has more checkers than the rules.
    #[pyo3(signature = (rules=None))]
    fn is_over(&self, rules: Option<RulesArgument<'_>>) -> PyResult<bool> {
        let rules = RulesArgument::text(rules);
        match &self.0 {
            Held::Backgammon(position) => Ok(named_rule_set(rules, position.board())?.is_over(position.board())),
            Held::Other(position) => Ok(under(position, rules)?.points().is_some()),
        }
    }

    /// The game: one of `tavli.GAMES`.
    #[getter]
    fn game(&self) -> &'static str {
        match &self.0 {
            Held::Backgammon(_) => GAMES[0],
            Held::Other(position) => position.game(),
        }
    }

    /// The rules of a position of another game; None in backgammon, whose rules are named where they matter, as in
    /// `playout(position, rules="hypergammon")`.
    #[getter]
    fn rules(&self) -> Option<&str> {
        match &self.0 {
            Held::Backgammon(_) => None,
            Held::Other(position) => Some(position.rules()),
        }
    }

    /// If another game than backgammon is over, the points of the player whose turn it would be; None while it goes on.
    #[getter]
    fn outcome_points(&self) -> PyResult<Option<i32>> {
        Ok(self.other("outcome_points")?.points())
    }

    /// The whole text of a position of another game than backgammon: `str` leaves out the plies that draughts counts
    /// towards a draw, as in "B:W21,K30:B1,K7:H12".
    #[getter]
    fn state(&self) -> PyResult<String> {
        Ok(self.other("state")?.state())
    }

    /// Numbers of a position of another game than backgammon, by name, as new int32 arrays.
    #[getter]
    fn numbers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let numbers = PyDict::new(py);
        for (name, values) in self.other("numbers")?.numbers() {
            numbers.set_item(name, values.into_pyarray(py))?;
        }
        Ok(numbers)
    }

    /// Count the ways that another game than backgammon can go on.
    ///
    /// Args:
    ///     depth: Plies, 0 to 12.
    ///
    /// Returns:
    ///     The number of sequences of plies, and the number with each roll as often as it comes up.
    #[pyo3(signature = (depth))]
    fn perft(&self, py: Python<'_>, depth: &Bound<'_, PyAny>) -> PyResult<(u128, u128)> {
        let depth = whole(depth, "depth is", 0, 12)? as u32;
        let position = self.other("perft")?.clone();
        let nodes = ending::detach(py, || {
            let interrupt = Interrupt::new();
            let nodes = position.perft(depth, &|| interrupt.is_raised());
            interrupt.finish().map(|()| nodes.expect("it stops if something is raised"))
        })??;
        Ok((nodes.nodes, nodes.weighted))
    }

    /// Draw the position in lines of text.
    fn diagram(&self) -> String {
        match &self.0 {
            Held::Backgammon(position) => position.diagram().to_string(),
            Held::Other(position) => position.drawing(),
        }
    }

    /// Exchange the sides: the same checkers with the other player on roll, in a money game.
    fn swapped(&self) -> PyResult<Position> {
        Ok(Position::from_board(self.inner("swapped")?.board().swapped()))
    }

    /// List the plays of a roll, or of a turn in a game without dice.
    ///
    /// A play is a distinct resulting position. A forced pass is one play; a game that is over has none.
    ///
    /// Args:
    ///     roll: Two digits as text, "31", or two numbers, (3, 1); None is the roll of the position. A game without
    ///         dice has none.
    ///     rules: One of `tavli.RULES`; None is backgammon's, or another game's position's own.
    ///
    /// Returns:
    ///     The plays, in the order in which playouts count them.
    ///
    /// Raises:
    ///     PositionError: A side has more checkers than the rules.
    ///     RollError: It is not a roll, or none is given and the dice are not rolled.
    #[pyo3(signature = (roll=None, rules=None))]
    fn plays(&self, roll: Option<RollArgument>, rules: Option<RulesArgument<'_>>) -> PyResult<Vec<Play>> {
        let rules = RulesArgument::text(rules);
        let position = match &self.0 {
            Held::Backgammon(position) => position,
            Held::Other(position) => {
                let position = under(position, rules)?;
                if position.points().is_some() {
                    return Ok(Vec::new());
                }
                let roll = roll.map(|roll| roll.0.to_string());
                let plays = position.plays(roll.as_deref()).map_err(other_game_error)?;
                let play = |AnyPlay { moves, position }| Play { moves, position: Position(Held::Other(position)) };
                return Ok(plays.into_iter().map(play).collect());
            }
        };
        let roll = Position::roll_or_rolled(position, roll.as_ref())?;
        let rules = named_rule_set(rules, position.board())?;
        if rules.is_over(position.board()) {
            return Ok(Vec::new());
        }
        let plays = Plays::new(position.board(), roll, rules);
        let list = plays
            .to_vec()
            .into_iter()
            .map(|play| Play { moves: plays.moves(&play).to_string(), position: Position::from_board(play.board()) });
        Ok(list.collect())
    }

    /// Make a play that is written in notation.
    ///
    /// Args:
    ///     moves: Such as "8/5 6/5", "bar/20*", "6/off(2)" or "cannot move", in any order of the moves; in another game
    ///         as `plays` has them, or in draughts any squares of the same play, or the ends of a capture that has no
    ///         other.
    ///     roll: As in `plays`.
    ///     rules: As in `plays`.
    ///
    /// Returns:
    ///     The position after it, as in `Play.position`.
    ///
    /// Raises:
    ///     PlayError: It is not a play of this roll, or could be several.
    ///     PositionError, RollError: As in `plays`.
    #[pyo3(signature = (moves, roll=None, rules=None))]
    fn play(&self, moves: &str, roll: Option<RollArgument>, rules: Option<RulesArgument<'_>>) -> PyResult<Position> {
        let rules = RulesArgument::text(rules);
        let position = match &self.0 {
            Held::Other(position) => under(position, rules)?,
            Held::Backgammon(position) => {
                let roll = Position::roll_or_rolled(position, roll.as_ref())?;
                let after = parse_play(position.board(), roll, moves, named_rule_set(rules, position.board())?);
                return after.map(Position::from_board).map_err(raise_of(PlayError::new_err, moves));
            }
        };
        let roll = roll.map(|roll| roll.0.to_string());
        let after = position.play_named(roll.as_deref(), moves).map_err(|error| match error {
            AnyPositionError::Moves(_) => PlayError::new_err(format!("{error}: see plays()")),
            AnyPositionError::Over(_) => PlayError::new_err(error.to_string()),
            error => other_game_error(error),
        });
        after.map(Held::Other).map(Position)
    }

    /// Draw the position as SVG: the player on roll has the light checkers and sits at the bottom.
    ///
    /// Returns:
    ///     One svg element of 652 by 544 units, which scales.
    fn svg(&self) -> PyResult<String> {
        Ok(self.inner("svg")?.svg().to_string())
    }

    fn _repr_svg_(&self) -> Option<String> {
        self.svg().ok()
    }

    fn _repr_html_(&self) -> Option<String> {
        self.svg().ok()
    }

    pub(crate) fn __str__(&self) -> String {
        match &self.0 {
            Held::Backgammon(_) => self.diagram(),
            Held::Other(position) => position.text(),
        }
    }

    fn __repr__(&self) -> String {
        match (&self.0, self.text()) {
            (Held::Other(position), _) => {
                let (text, game, rules) = (position.state(), position.game(), position.rules());
                format!("Position('{text}', game='{game}', rules='{rules}')")
            }
            (_, Some(text)) => format!("Position('{text}')"),
            (Held::Backgammon(position), None) => {
                format!("<tavli.Position {}:{}>", position.position_id(), position.match_id())
            }
        }
    }

    fn __copy__(slf: Py<Position>) -> Py<Position> {
        slf
    }

    fn __deepcopy__(slf: Py<Position>, _memo: &Bound<'_, PyAny>) -> Py<Position> {
        slf
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let class = py.get_type::<Position>();
        let position = match &self.0 {
            Held::Backgammon(position) => position,
            Held::Other(position) => {
                let state = (position.state(), position.game(), position.rules());
                return (class, state).into_pyobject(py);
            }
        };
        let text = self.text().ok_or_else(|| {
            PyTypeError::new_err(format!(
                "no format holds all of this position, {}:{}, so it cannot be pickled: pickle its points",
                position.position_id(),
                position.match_id()
            ))
        })?;
        (class, (text,)).into_pyobject(py)
    }
}

/// A position that was read before, or that after a play.
pub(crate) fn held(source: &Bound<'_, PyAny>) -> Option<Position> {
    let play = || source.cast::<Play>().map(|play| play.get().position.clone());
    source.cast::<Position>().map(|position| position.get().clone()).or_else(|_| play()).ok()
}

/// A position, if it is of `game`, which is not backgammon.
///
/// # Errors
/// A PositionError that names both games.
pub(crate) fn position_of_game(position: &Position, game: &str) -> PyResult<games::AnyPosition> {
    match &position.0 {
        Held::Other(other) if other.game() == game => Ok(other.clone()),
        _ => Err(PositionError::new_err(format!("the position is from {}, not from {game}", position.game()))),
    }
}

/// The text of a position of a game other than backgammon.
///
/// # Errors
/// A TypeError that says what it may be.
pub(crate) fn text_of<'a>(source: &'a Bound<'_, PyAny>, game: &str) -> PyResult<&'a str> {
    source.extract().map_err(|_| {
        let given = source.get_type().name().map_or_else(|_| String::new(), |name| format!(", not {name}"));
        PyTypeError::new_err(format!("a position of {game} is a text or a tavli.Position{given}"))
    })
}

/// Rules of backgammon that have the checkers of a board, the usual ones if none are named.
fn named_rule_set(rules: Option<&str>, board: &Board) -> PyResult<RuleSet> {
    let rules = rules.map_or(Ok(RuleSet::Backgammon), word)?;
    PlayoutError::check_checkers(board, rules).map_err(raise(PositionError::new_err))?;
    Ok(rules)
}

/// A position of another game by the given rules, or by its own.
fn under(position: &games::AnyPosition, rules: Option<&str>) -> PyResult<games::AnyPosition> {
    match rules {
        None => Ok(position.clone()),
        rules => games::AnyPosition::read(position.game(), rules, &position.state()).map_err(other_game_error),
    }
}

/// The exception of another game's error.
pub(crate) fn other_game_error(error: AnyPositionError) -> PyErr {
    match error {
        AnyPositionError::Game(_) | AnyPositionError::Rules(_) => bad_setting(error),
        AnyPositionError::NoDice(_) | AnyPositionError::NoRoll(_) | AnyPositionError::Roll(_) => {
            RollError::new_err(error.to_string())
        }
        error => PositionError::new_err(error.to_string()),
    }
}

/// A play: one of the distinct positions that a roll can lead to.
#[pyclass(frozen, eq, hash, get_all, module = "tavli")]
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Play {
    /// The play in notation, such as "8/5 6/5" or "bar/20*", or "cannot move".
    pub(crate) moves: String,
    /// The position after it, seen by the player next on roll, whose dice are not rolled; in a money game, since a play
    /// moves checkers only. After a play that wins, the opponent has none left.
    pub(crate) position: Position,
}

#[pymethods]
impl Play {
    /// The play that was pickled.
    #[classmethod]
    fn _of(_class: &Bound<'_, PyType>, state: Pickled<(String, Position)>) -> Play {
        let Pickled((moves, position)) = state;
        Play { moves, position }
    }

    fn __copy__(slf: Py<Play>) -> Py<Play> {
        slf
    }

    fn __deepcopy__(slf: Py<Play>, _memo: &Bound<'_, PyAny>) -> Py<Play> {
        slf
    }

    fn __reduce__<'py>(slf: &Bound<'py, Play>) -> Reduced<'py, (String, Position)> {
        let Play { moves, position } = slf.get().clone();
        let state = Pickled((moves, position));
        Ok((slf.get_type().getattr("_of")?, (state,)))
    }

    fn __repr__(&self) -> String {
        let position = match self.position.backgammon() {
            Ok(position) => position.position_id().to_string(),
            Err(_) => self.position.__str__(),
        };
        format!("<tavli.Play {}: {position}>", self.moves)
    }
}

/// How many numbers a position has.
const POINTS: usize = 26;

/// A position in any of its forms: a `Position`, a `Play` for the position after it, text in any format, or 26 numbers.
pub(crate) struct AnyPosition(pub(crate) tavli::Position);

impl<'py> FromPyObject<'_, 'py> for AnyPosition {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<AnyPosition> {
        if let Ok(position) = value.cast::<Position>() {
            return argument(position.get());
        }
        if let Ok(play) = value.cast::<Play>() {
            return argument(&play.get().position);
        }
        if let Ok(text) = value.extract::<&str>() {
            return read(value.py(), text).map(AnyPosition);
        }
        if value.is_instance_of::<PyString>() {
            let message = format!("{} has a surrogate, and is not the text of a position", value.repr()?);
            return Err(raise(PositionError::new_err)(message));
        }
        let kind = || value.get_type().name();
        if value.is_instance_of::<PyBytes>() {
            return Err(no_position(kind()?));
        }
        let Ok(numbers) = value.try_iter() else {
            return Err(no_position(kind()?));
        };
        if let Ok(array) = value.cast::<PyUntypedArray>()
            && !matches!(array.dtype().kind(), b'i' | b'u' | b'O')
        {
            return Err(no_position(integers::describe(&array)));
        }
        // Many positions in place of one are refused without reading them.
        if let Ok(found) = value.len()
            && found != POINTS
        {
            return Err(raise(PositionError::new_err)(PointsError::Count { found }));
        }
        let numbers = interrupt::collect(numbers, |_, number| number)?;
        board_of(&numbers).map(|board| AnyPosition(board.into()))
    }
}

/// The error of a value that is not a position.
fn no_position(found: impl Display) -> PyErr {
    PyTypeError::new_err(format!("a position is a tavli.Position, text in any format, or 26 numbers, not {found}"))
}

/// The position of a text. Warns of contradictions in the text.
fn read(py: Python<'_>, text: &str) -> PyResult<tavli::Position> {
    let reading = tavli::Position::read(text).map_err(raise_of(PositionError::new_err, text))?;
    if let Some(remark) = reading.remark {
        warn_of(py, text, remark)?;
    }
    Ok(reading.position)
}

/// Warns of a part of a text that reading ignored.
pub(crate) fn warn_of(py: Python<'_>, text: &str, remark: impl Display) -> PyResult<()> {
    warn::<PositionWarning>(py, format_args!("'{}': {remark}", Quoted::new(text.trim())))
}

/// Warns of a cube and a score that games ignore.
pub(crate) fn warn_of_cube(py: Python<'_>, position: &tavli::Position) -> PyResult<()> {
    remark_on_cube(position).map_or(Ok(()), |remark| warn::<PositionWarning>(py, remark))
}

/// A position that an argument gives, which is one of backgammon.
fn argument(position: &Position) -> PyResult<AnyPosition> {
    let position = position.backgammon().copied();
    position
        .map(AnyPosition)
        .map_err(|game| PositionError::new_err(format!("this is for positions of backgammon, and not of {game}")))
}

/// The position of 26 Python numbers.
fn board_of(numbers: &[Bound<'_, PyAny>]) -> PyResult<Board> {
    let wrong = raise(PositionError::new_err);
    let mut points = [0; POINTS];
    if numbers.len() != points.len() {
        let found = numbers.len();
        return Err(wrong(PointsError::Count { found }));
    }
    for (index, (point, number)) in points.iter_mut().zip(numbers).enumerate() {
        *point = match number.extract() {
            Ok(WholeNumber(number)) => number,
            Err(_) => {
                let text = number.to_string();
                return Err(wrong(PointsError::Number { index, text }));
            }
        };
    }
    Board::from_points(&points).map_err(wrong)
}
