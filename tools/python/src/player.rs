//! Players: built-in policies, and functions on arrays.

use core::array;
use std::num::NonZeroU32;
use std::sync::Arc;

use numpy::{IntoPyArray, PyArray2};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyType};
use tavli::cube::{CubeInPlay, CubeModel, CubePosition, CubeState, CubeValues};
use tavli::evaluators::{self, EvaluationConditions, Evaluator, Probabilities};
use tavli::named::{self, Defaults, NamedPlayer};
use tavli::plays::View;
use tavli::policies::{Policy, PolicyPair, Uniform};
use tavli::run::Cancel;
use tavli::stepping::RollBatch;
use tavli::text::printable;
use tavli::{Board, MoveFilters, Outcome, Planes, Playouts, RuleSet, Stopped, Throw};

use crate::arguments::{Word, whole};
use crate::boards;
use crate::callback::{Callback, NamedOrFunction};
use crate::cube;
use crate::dice_and_picks::{dice, read_picks, read_rolls};
use crate::ending;
use crate::errors::{PlayError, PlayerWarning, RecordError, bad_setting, raise, unless_raised};
use crate::interrupt::{self, Interrupt};
use crate::machine::tier;
use crate::named::{look_up, player};
use crate::pickled::{Pickled, Reduced};
use crate::rows;
use crate::warning::warn;

/// A player, which picks one of the plays of a roll.
///
/// A player is a pure function of a decision: the position, the roll, its plays, and a random number. So results do not
/// depend on threads, or on which decisions are asked for together. Threads may share one; a copy is the same player.
///
/// A player that values positions picks the play that leaves the opponent the lowest equity. "strong" picks among the
/// five plays that "fast" likes best, so the play that it picks is not always the one that it values highest.
///
/// A pickle holds the player's name with the checksum of its file, or the signature of its games, or the function. It
/// is refused if the file has changed, or the name is another player's.
///
/// Args:
///     policy: The name of a player: "uniform", "pubeval", "td80", "fast", "strong", "sampled:GAMES" or one with
///         additions, such as "strong+1ply"; or the file of a player; or a function.
///         A function gets four arrays: `points` (n, 26), the positions seen by the player on roll, `rolls` (n, 2),
///         `offsets` (n + 1,) and `results` (m, 26). The positions after the plays of decision i, seen by the next
///         player, are `results[offsets[i]:offsets[i + 1]]`. It returns an array of shape (n,) with the index of a play
///         of each decision.
///         None is the default of every program: "strong+bearoff:6+bearoff:6x6", exact in bear-offs of at most six
///         checkers a side, and nearly so in larger ones. Under the rules of mcgammon, whose goal no net has learned,
///         `best`, `evaluate` and `cube_values` take "sampled" instead.
///     name: The name of a function's policy in saved rollouts: change it when the function changes. None is the
///         function's own name. Names of tavli's players, such as "fast", are refused.
///
/// Raises:
///     SettingsError: There is no such policy, or a function cannot have its name.
///
/// Examples:
///     >>> import numpy as np
///     >>> points = np.stack([tavli.Position().points] * 2)
///     >>> after = tavli.Player("pubeval").best(points, np.array([[3, 1], [6, 1]]))
///     >>> [str(tavli.Position(row).position_id) for row in after]
///     ['4HPhASLgc/ABMA', '4HPKATDgc/ABMA']
#[pyclass(frozen, module = "tavli")]
#[derive(Clone, Debug)]
pub(crate) struct Player {
    policy: PolicyArgument,
    /// The evaluator, if the player values positions.
    evaluator: Option<Arc<dyn Evaluator>>,
    /// Whether no player was named: then the default player under the rules of each call takes its place.
    is_default: bool,
}

/// A policy that was made in Python.
pub(crate) type PolicyArgument = NamedOrFunction<Arc<dyn Policy>>;

impl PolicyArgument {
    pub(crate) fn policy(&self) -> Arc<dyn Policy> {
        match self {
            PolicyArgument::Named(policy) => Arc::clone(policy),
            PolicyArgument::Function(function) => Arc::new(Function(Arc::clone(function))),
        }
    }
}

/// The policies of both sides that were made in Python.
#[derive(Clone, Debug)]
pub(crate) struct BothPolicies([PolicyArgument; 2]);

impl BothPolicies {
    /// The policies of playouts: of the player on roll, uniform by default, and of the opponent, by default the same.
    pub(crate) fn for_playouts(
        py: Python<'_>,
        policy: Option<PolicyArgument>,
        opponent: Option<PolicyArgument>,
    ) -> BothPolicies {
        let policy = policy.unwrap_or_else(|| PolicyArgument::Named(Arc::new(Uniform)));
        BothPolicies::new(py, policy, opponent)
    }

    /// The policies of rollouts, by default the player for the rules.
    pub(crate) fn for_rollouts(
        py: Python<'_>,
        policy: Option<PolicyArgument>,
        opponent: Option<PolicyArgument>,
        rules: RuleSet,
    ) -> BothPolicies {
        let default = || named::policy(Defaults::for_rules(rules).rollout_policy).expect("it is built in");
        let policy = policy.unwrap_or_else(|| PolicyArgument::Named(default()));
        BothPolicies::new(py, policy, opponent)
    }

    /// The policies of the player on roll and of the opponent, by default the same.
    pub(crate) fn new(py: Python<'_>, policy: PolicyArgument, opponent: Option<PolicyArgument>) -> BothPolicies {
        let policy = policy.for_games(py);
        let opponent = opponent.map_or_else(|| policy.clone(), |policy| policy.for_games(py));
        BothPolicies([policy, opponent])
    }

    /// The policies of players that are found by their names.
    pub(crate) fn named(players: &PolicyPair) -> BothPolicies {
        let both = [tavli::Side::OnRoll, tavli::Side::Opponent];
        BothPolicies(both.map(|player| PolicyArgument::Named(Arc::clone(players.policy(player)))))
    }

    pub(crate) fn policies(&self) -> [Arc<dyn Policy>; 2] {
        self.0.each_ref().map(PolicyArgument::policy)
    }

    pub(crate) fn players(&self) -> PolicyPair {
        let [policy, opponent] = &self.0;
        PolicyPair::new(policy.policy(), opponent.policy())
    }

    /// Whether both are found by their names.
    pub(crate) fn has_policies(&self) -> bool {
        self.0.iter().all(|policy| policy.function().is_none())
    }

    /// The policies of both sides.
    pub(crate) fn both(&self) -> [PolicyArgument; 2] {
        self.0.clone()
    }

    /// Lets an exception of a function end games.
    pub(crate) fn end_by(&self, cancel: &Cancel) {
        for policy in &self.0 {
            policy.end_by(cancel);
        }
    }

    /// Raises the exception of a function, if there is one.
    pub(crate) fn raised(&self) -> PyResult<()> {
        self.0.iter().try_for_each(PolicyArgument::raised)
    }
}

impl<'py> FromPyObject<'_, 'py> for PolicyArgument {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<PolicyArgument> {
        if let Ok(player) = value.cast::<Player>() {
            return Ok(player.get().policy.clone());
        }
        if let Ok(name) = value.extract::<&str>() {
            return Ok(PolicyArgument::Named(player(value.py(), name)?.policy));
        }
        Callback::new(&value.to_owned(), None, KINDS).map(PolicyArgument::Function)
    }
}

/// A Python function as a policy.
#[derive(Debug)]
struct Function(Arc<Callback>);

/// Decisions that a named policy makes at a time, and positions that are valued looking ahead.
const DECISIONS_PER_BATCH: usize = 64;

/// Positions that an evaluator values between two looks for Ctrl-C.
const POSITIONS_PER_STOP_CHECK: usize = 4096;

/// The forms of a policy, for errors.
const KINDS: &str = "a policy is the name of one, a tavli.Player, or a function of arrays";

impl Policy for Function {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn view(&self) -> View {
        View::RESULTS
    }

    fn pick(&self, decisions: &RollBatch, picks: &mut [u32], _: &dyn Fn() -> bool) -> Result<(), Stopped> {
        if decisions.is_empty() {
            return Ok(());
        }
        self.0.call(|py, function| {
            let points: Vec<_> = decisions.positions().iter().map(Planes::points).collect();
            let rolls: Vec<_> = decisions.rolls().iter().map(dice).collect();
            let offsets: Vec<i64> = decisions.offsets().iter().map(|&at| at as i64).collect();
            let results: Vec<_> = Planes::rows(decisions.results()).collect();
            let found = function.call1((
                rows::into_array(py, points)?,
                rows::into_array(py, rolls)?,
                offsets.into_pyarray(py),
                rows::into_array(py, results)?,
            ))?;
            let found = read_picks(&found, picks.len())?;
            for (decision, &pick) in found.iter().enumerate() {
                let plays = decisions.plays_of(decision);
                if pick as usize >= plays {
                    return Err(PlayError::new_err(format!(
                        "policy '{}' picked play {pick} of {plays}, numbered from 0",
                        self.name()
                    )));
                }
            }
            picks.copy_from_slice(&found);
            Ok(())
        });
        Ok(())
    }
}

/// A player as a pickle holds it: its name; the recorded signature of its games, or its function; and whether it is the
/// default player.
type State = (String, Option<String>, Option<Py<PyAny>>, bool);

/// The plies of `look_ahead`.
#[derive(Clone, Copy)]
struct Plies(u32);

/// The positions of rows, which the rules know, and whose games can end; a game may be over.
fn checked(boards: &[Board], rules: RuleSet) -> PyResult<Vec<Planes>> {
    interrupt::collect(boards, |row, &board| {
        if rules.outcome(&board).is_none() {
            let playouts = Playouts::new(board, rules, 0);
            playouts.map_err(|error| boards::row_error(row, error))?;
        }
        Ok(Planes::from(board))
    })
}

impl<'py> FromPyObject<'_, 'py> for Plies {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<Plies> {
        let plies = whole(&value, "look_ahead is", 0, named::MAX_PLIES.into());
        plies.map(|plies| Plies(plies as u32))
    }
}

impl Player {
    /// A player that picks plays and values no positions.
    pub(crate) fn from_policy(policy: PolicyArgument) -> Player {
        Player { policy, evaluator: None, is_default: false }
    }

    /// A player that is found by its name.
    fn from_named_player(player: NamedPlayer, is_default: bool) -> Player {
        Player { policy: PolicyArgument::Named(player.policy), evaluator: player.evaluator, is_default }
    }

    /// The default player of some rules.
    fn default_under(py: Python<'_>, rules: RuleSet) -> PyResult<Player> {
        Ok(Player::from_named_player(player(py, Defaults::for_rules(rules).evaluator)?, true))
    }

    /// The player, or if none was named the default one under `rules`.
    fn under(&self, py: Python<'_>, rules: RuleSet) -> PyResult<Player> {
        match self.is_default {
            true => Player::default_under(py, rules),
            false => Ok(self.clone()),
        }
    }

    /// Warns of values under rules that the player has not learned.
    fn warn_of_values(&self, py: Python<'_>, rules: RuleSet) -> PyResult<()> {
        let evaluator = self.evaluator.as_ref();
        match evaluator.and_then(|evaluator| named::remark_on_values(evaluator.name(), rules)) {
            Some(remark) => warn::<PlayerWarning>(py, remark),
            None => Ok(()),
        }
    }

    /// The evaluator and the look-ahead, if any. An evaluator whose name already looks ahead is refused.
    fn looking_ahead(&self, plies: u32) -> PyResult<(Arc<dyn Evaluator>, Option<NonZeroU32>)> {
        let plies = NonZeroU32::new(plies);
        let evaluator = self.evaluator.clone();
        let evaluator = evaluator.ok_or_else(|| self.values_nothing())?;
        if let Some(plies) = plies {
            let checked = named::check_look_ahead(evaluator.name(), plies);
            checked.map_err(|error| bad_setting(format_args!("look_ahead {plies}: {error}")))?;
        }
        Ok((evaluator, plies))
    }

    /// The player with `plies` of look-ahead, if any.
    fn ahead(&self, plies: u32) -> PyResult<Option<NamedPlayer>> {
        if plies == 0 {
            return Ok(None);
        }
        let (evaluator, plies) = self.looking_ahead(plies)?;
        Ok(plies.map(|plies| NamedPlayer::looking_ahead(evaluator, plies, MoveFilters::default())))
    }

    /// The value of each position, `plies` plies ahead. If Ctrl-C ends it, the values of the first ones, and the
    /// exception.
    fn values(
        &self,
        py: Python<'_>,
        boards: &[Board],
        plies: u32,
        rules: RuleSet,
    ) -> PyResult<(Vec<Probabilities>, PyResult<()>)> {
        let evaluator = match self.ahead(plies)? {
            Some(ahead) => ahead.evaluator,
            None => self.evaluator.clone(),
        };
        let evaluator = evaluator.ok_or_else(|| self.values_nothing())?;
        let tier = tier(None)?;
        ending::detach(py, || {
            let positions = checked(boards, rules)?;
            let interrupt = Interrupt::new();
            let stop = || interrupt.is_raised();
            let conditions = EvaluationConditions::new(rules, tier).with_stop(&stop);
            let mut values = Vec::with_capacity(boards.len());
            let per_batch = match plies {
                0 => POSITIONS_PER_STOP_CHECK,
                _ => DECISIONS_PER_BATCH,
            };
            for positions in positions.chunks(per_batch) {
                match evaluators::values(&*evaluator, &conditions, positions) {
                    Ok(found) if !stop() => values.extend(found),
                    _ => break,
                }
            }
            Ok((values, interrupt.finish()))
        })?
    }

    fn values_nothing(&self) -> PyErr {
        bad_setting(format_args!(
            "player '{}' picks plays and does not value positions: use one that does, such as 'sampled:36'",
            self.policy.policy().name()
        ))
    }
}

#[pymethods]
impl Player {
    #[new]
    #[pyo3(signature = (policy=None, *, name=None))]
    fn new(py: Python<'_>, policy: Option<&Bound<'_, PyAny>>, name: Option<String>) -> PyResult<Player> {
        let Some(policy) = policy else {
            return match name {
                None => Player::default_under(py, RuleSet::Backgammon),
                Some(name) => Err(PyTypeError::new_err(printable(format_args!(
                    "the name '{name}' is for the policy of a function: give the function, too, or leave name out"
                )))),
            };
        };
        if name.is_none()
            && let Ok(name) = policy.extract::<&str>()
        {
            return Ok(Player::from_named_player(player(py, name)?, false));
        }
        if name.is_none()
            && let Ok(player) = policy.cast::<Player>()
        {
            return Ok(player.get().clone());
        }
        if let Some(name) = &name
            && !policy.is_callable()
        {
            return Err(PyTypeError::new_err(printable(format_args!(
                "the name '{name}' is for the policy of a function, and {} is not one: leave name out",
                policy.repr()?
            ))));
        }
        let function = Callback::new(policy, name, KINDS)?;
        Ok(Player::from_policy(PolicyArgument::Function(function)))
    }

    /// The player that was pickled.
    #[classmethod]
    fn _of(class: &Bound<'_, PyType>, state: Pickled<State>) -> PyResult<Player> {
        let Pickled((name, values, function, is_default)) = state;
        if let Some(function) = function {
            let function = Callback::new(function.bind(class.py()), Some(name), KINDS)?;
            return Ok(Player::from_policy(PolicyArgument::Function(function)));
        }
        let player = look_up(class.py(), &name)?.map_err(raise(RecordError::new_err))?;
        let found = named::signature_of_policies([&name; 2]);
        if values.as_ref() != Some(&found) {
            return Err(RecordError::new_err(format!(
                "the pickled player '{name}' plays games of signature {}, but in this version of tavli of signature \
                 {found}: make it anew, by tavli.Player('{name}')",
                values.unwrap_or_default()
            )));
        }
        Ok(Player::from_named_player(player, is_default))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Player>) -> Reduced<'py, State> {
        let Player { policy, is_default, .. } = slf.get();
        let name = slf.get().name();
        let state = match policy {
            PolicyArgument::Named(_) => {
                let values = named::signature_of_policies([&name; 2]);
                (name, Some(values), None, *is_default)
            }
            PolicyArgument::Function(function) => (name, None, Some(function.picklable(slf.py())?), false),
        };
        Ok((slf.get_type().getattr("_of")?, (Pickled(state),)))
    }

    fn __copy__(slf: Py<Player>) -> Py<Player> {
        slf
    }

    fn __deepcopy__(slf: Py<Player>, _memo: &Bound<'_, PyAny>) -> Py<Player> {
        slf
    }

    /// The name of the policy.
    #[getter]
    fn name(&self) -> String {
        self.policy.policy().name().to_owned()
    }

    /// Pick a play in each of many positions.
    ///
    /// Ctrl-C is raised here; the attribute `result` of the exception has the first rows, whose plays are picked.
    ///
    /// Args:
    ///     points: The positions, seen by the player on roll: an array of shape (n, 26), or a sequence of positions.
    ///     rolls: The dice of each: an array of whole numbers of shape (n, 2).
    ///     look_ahead: How many plies to look ahead, 0 to 4, of a player that values positions.
    ///     rules: One of `tavli.RULES`.
    ///
    /// Returns:
    ///     The positions after the picked plays, seen by the next player: a new int8 array of shape (n, 26). The random
    ///     number of each decision is 0.
    ///
    /// Raises:
    ///     PositionError: A row is not a position, or the game is over in it; the message names the row.
    ///     RollError: A row is not a roll.
    ///     SettingsError: The player does not value positions and is to look ahead, or `look_ahead` is above 4.
    #[pyo3(signature = (points, rolls, *, look_ahead=Plies(0), rules=Word(RuleSet::Backgammon)))]
    #[pyo3(text_signature = "($self, points, rolls, *, look_ahead=0, rules='backgammon')")]
    fn best<'py>(
        &self,
        py: Python<'py>,
        points: &Bound<'py, PyAny>,
        rolls: &Bound<'py, PyAny>,
        look_ahead: Plies,
        rules: Word<RuleSet>,
    ) -> PyResult<Bound<'py, PyArray2<i8>>> {
        let Word(rules) = rules;
        let player = self.under(py, rules)?;
        // For this call alone, so that threads that share a player do not end each other's calls.
        let own = player.policy.for_games(py);
        let policy = match player.ahead(look_ahead.0)? {
            Some(ahead) => ahead.policy,
            None => own.policy(),
        };
        let boards = boards::read(points)?;
        boards::check_checkers(&boards, rules)?;
        let rolls = read_rolls(rolls, boards.len())?;
        let tier = tier(None)?;
        let (points, heard) = ending::detach(py, || -> PyResult<(Vec<[i8; 26]>, PyResult<()>)> {
            let mut points = Vec::with_capacity(boards.len());
            let mut decisions = RollBatch::new(rules).with_tier(tier);
            let mut picks = Vec::new();
            let interrupt = Interrupt::new();
            // In parts, so that the plays stay in the caches; a function gets all decisions at once.
            let part = match self.policy {
                PolicyArgument::Named(_) => DECISIONS_PER_BATCH,
                PolicyArgument::Function(_) => boards.len().max(1),
            };
            for (first, (boards, rolls)) in (0..).step_by(part).zip(boards.chunks(part).zip(rolls.chunks(part))) {
                decisions.clear();
                for (row, (board, &roll)) in (first..).zip(boards.iter().zip(rolls)) {
                    let throw = Throw { roll, fraction: 0 };
                    decisions.push(board, throw).map_err(|error| boards::row_error(row, error))?;
                }
                decisions.list(policy.view());
                picks.clear();
                picks.resize(decisions.len(), 0);
                let picked = policy.pick(&decisions, &mut picks, &|| interrupt.is_raised());
                if let Err(error) = own.raised() {
                    return Ok((points, Err(error)));
                }
                if picked.is_err() || interrupt.is_raised() {
                    break;
                }
                let made = decisions.make(&picks);
                let made = made.map_err(|error| PlayError::new_err(error.to_string()))?;
                points.extend(made.iter().map(Planes::points));
            }
            Ok((points, interrupt.finish()))
        })??;
        let points = rows::into_array(py, points)?;
        unless_raised(py, heard, points)
    }

    /// Value many positions.
    ///
    /// Ctrl-C is raised here; the attribute `result` of the exception has the first rows, which are valued.
    ///
    /// Args:
    ///     points: The positions, as in `best`, before the roll: dice that they name are ignored.
    ///     look_ahead: How many plies to look ahead, 0 to 4: the value is then the mean, over the 21 rolls, of the
    ///         value after the best play.
    ///     rules: One of `tavli.RULES`.
    ///
    /// Returns:
    ///     For the player on roll in each position the probability of each of `tavli.OUTCOMES`: a new float64 array of
    ///     shape (n, 6). The equity is `result @ [1, 2, 3, -1, -2, -3]`. If the game is over, its outcome has the
    ///     probability 1.
    ///
    /// Raises:
    ///     PositionError: A row is not a position, or its game can never end; the message names the row.
    ///     SettingsError: The player does not value positions, or `look_ahead` is above 4.
    ///
    /// Warns:
    ///     PlayerWarning: The player has not learned the rules, as the nets have not learned hypergammon: its values
    ///         are far off.
    ///
    /// Examples:
    ///     >>> tavli.Player("sampled:36").evaluate([tavli.Position()]).shape
    ///     (1, 6)
    #[pyo3(signature = (points, *, look_ahead=Plies(0), rules=Word(RuleSet::Backgammon)))]
    #[pyo3(text_signature = "($self, points, *, look_ahead=0, rules='backgammon')")]
    fn evaluate<'py>(
        &self,
        py: Python<'py>,
        points: &Bound<'py, PyAny>,
        look_ahead: Plies,
        rules: Word<RuleSet>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let boards = boards::read(points)?;
        let Word(rules) = rules;
        let player = self.under(py, rules)?;
        player.warn_of_values(py, rules)?;
        let (values, heard) = player.values(py, &boards, look_ahead.0, rules)?;
        let shares = |value: &Probabilities| array::from_fn(|outcome| value.probability(Outcome::ALL[outcome]));
        let shares: Vec<[f64; Outcome::COUNT]> = values.iter().map(shares).collect();
        let shares = rows::into_array(py, shares)?;
        unless_raised(py, heard, shares)
    }

    /// Value many positions with the cube and the score of each, and find the right action with the cube.
    ///
    /// Ctrl-C is raised here; the attribute `result` of the exception has the first rows, which are valued.
    ///
    /// Args:
    ///     positions: A sequence of positions in any form, such as "PositionID:MatchID" or an XGID. One that names no
    ///         cube is from a money game, with the cube at 1 in the middle.
    ///     look_ahead: How many plies to look ahead, 0 to 4, with the cube decisions of later turns.
    ///     rules: One of `tavli.RULES`; no efficiency of the cube is known for "hypergammon".
    ///
    /// Returns:
    ///     The dict of `tavli.cube_values`. If the game is over, its numbers are the points of the end, and the action
    ///     is "Not available".
    ///
    /// Raises:
    ///     PositionError: An item is not a position, it has dice, its match is over or its game can never end; the
    ///         message names the row.
    ///     SettingsError: The player does not value positions, or `look_ahead` is above 4.
    ///
    /// Examples:
    ///     >>> match = "4HPwATDgc/ABMA:cAngAFAAGAAE"
    ///     >>> values = tavli.Player().cube_values(["4HPwATDgc/ABMA", match])
    ///     >>> values["action"].tolist()
    ///     ['No double, take', 'Double, take']
    #[pyo3(signature = (positions, *, look_ahead=Plies(0), rules=Word(RuleSet::Backgammon)))]
    #[pyo3(text_signature = "($self, positions, *, look_ahead=0, rules='backgammon')")]
    fn cube_values<'py>(
        &self,
        py: Python<'py>,
        positions: &Bound<'py, PyAny>,
        look_ahead: Plies,
        rules: Word<RuleSet>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let Word(rules) = rules;
        if !rules.has_cube_efficiency() {
            return Err(bad_setting(format_args!(
                "no efficiency of the cube is known for {rules}: use evaluate, which values without cube"
            )));
        }
        let positions = boards::with_contexts(positions)?;
        let states = interrupt::collect(&positions, |row, position| {
            let state = CubeState::from_context(position.context());
            state.map_err(|error| boards::row_error(row, error))
        })?;
        let boards: Vec<Board> = positions.iter().map(|position| *position.board()).collect();
        let player = self.under(py, rules)?;
        let (evaluator, _) = player.looking_ahead(look_ahead.0)?;
        player.warn_of_values(py, rules)?;
        let tier = tier(None)?;
        let (values, heard) = ending::detach(py, || -> PyResult<(Vec<CubeValues>, PyResult<()>)> {
            let planes = checked(&boards, rules)?;
            let interrupt = Interrupt::new();
            let stop = || interrupt.is_raised();
            let conditions = EvaluationConditions::new(rules, tier).with_stop(&stop);
            let mut values = Vec::with_capacity(boards.len());
            let rows = boards.chunks(POSITIONS_PER_STOP_CHECK).zip(states.chunks(POSITIONS_PER_STOP_CHECK));
            let mut batches = planes.chunks(POSITIONS_PER_STOP_CHECK).zip(rows);
            let (Ok(()) | Err(Stopped)) = batches.try_for_each(|(planes, (boards, states))| {
                let chances = evaluators::values(&*evaluator, &conditions, planes)?;
                for ((board, &state), chances) in boards.iter().zip(states).zip(chances) {
                    let efficiency = None;
                    let cube = CubeInPlay { state, efficiency };
                    let position = CubePosition::before_roll(&cube, board, chances.into(), look_ahead.0);
                    values.push(match rules.outcome(board) {
                        Some(end) => CubeModel::default().values_of_end(end.points(), &cube.state),
                        None => position.values(&*evaluator, &conditions)?,
                    });
                }
                // Without look-ahead, values with the cube are found without a look at the switch.
                if stop() { Err(Stopped) } else { Ok(()) }
            });
            Ok((values, interrupt.finish()))
        })??;
        cube::columns(py, &values, heard)
    }

    fn __repr__(&self) -> String {
        format!("<tavli.Player {}>", self.policy.policy().name())
    }
}
