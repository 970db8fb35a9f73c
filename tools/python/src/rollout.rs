//! Rollouts: played, continued, saved, shared and merged.

use std::error::Error;
use std::fmt::{self, Display, Formatter};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyType};
use tavli::file::{self, Existing, FileError, Target};
use tavli::named::NamedError;
use tavli::rollout::{self, Checkpoint, RolloutRecordError, Session};
use tavli::run::{Cancel, Pinning};
use tavli::text::Quoted;
use tavli::{RuleSet, Tier};

use crate::arguments::{self, RollArgument, WholeNumber, Word};
use crate::callback::Callback;
use crate::candidate_result::{CandidateResult, Difference, table};
use crate::decision::Decision;
use crate::ending;
use crate::errors::{MergeError, PlayerWarning, RecordError, RollError, RolloutError, not_loaded, not_written, raise};
use crate::evaluator::EvaluatorArgument;
use crate::exclusive;
use crate::listener::{Listener, Progress, Standing};
use crate::named::interruptible;
use crate::pickled::{Pickled, Reduced};
use crate::player::{BothPolicies, Player, PolicyArgument};
use crate::position::{AnyPosition, Position};
use crate::rollout_arguments::{
    EvaluatorOrNone, PlaysArgument, RolloutArguments, RolloutWithPlayers, end_rules_request, refused,
};
use crate::tally::cut_off;
use crate::uncertain::{counted, signed};
use crate::warning::warn;
use crate::workers::Workers;

/// Many games from a position, or from each play of a roll on the same dice, with statistics.
///
/// It is made with its settings, played by `play` for as long as one likes, and may be saved, extended, and shared
/// among processes. Its numbers are exact and depend on position, roll, candidates, seed, rules, first roll,
/// truncation, policies, evaluator and trials alone, not on threads, tier, sessions or shards. They are those of the
/// command `tavli rollout`, which has the same defaults with two differences: by default it decides about a roll, and
/// it plays with the cube that a position names. Here `tavli.decide` decides, and `cube` is to be set.
///
/// Threads may read one while none plays it. A copy and an unpickled rollout go on independently.
///
/// Args:
///     position: Position, text in any format, or 26 numbers.
///     roll: Compare the plays of this roll, "31" or (3, 1); None is the dice of the position, or without dice the
///         position itself.
///     plays: Compare only these plays of the roll: each in notation, such as "8/5 6/5", or as the position after it,
///         which is a Play, a Position, a text in any format or 26 numbers; or all as an array of shape (n, 26).
///     filter: Leave out plays that "strong" (in mcgammon "sampled") values more than these points below the best;
///         "all" keeps every play.
///     rules: One of `tavli.RULES`.
///     seed: Seed of the random numbers, 0 to 2**64 - 1.
///     first_roll: "any" of 36 throws, "stratified" (any 36 consecutive trials begin with each throw once), "open" (no
///         double), or a roll; of plays, the roll after the play.
///     truncate: Cut each game off after this many plies, and value its last position by `evaluator`. None or "none"
///         plays games to their end.
///     trials: End after this many games of each candidate, 1 to 2**56; None is 46656, or unlimited if another end rule
///         is given.
///     standard_error: End when the standard error of every equity is at most this, in points.
///     jsd: End when every play is at least this many joint standard deviations behind the best.
///     seconds: End after this many seconds of playing, over all sessions.
///     allocate: How the games are divided among the plays:
///         "even": the same number for each.
///         "race": drop each play that is known to be worse than another; end when one is the best with 95 %
///             confidence.
///         "race:99%": the same, with 99 % confidence.
///         "race:95%:0.005": end also when no other play is better than the best by more than 0.005 points.
///         "race:2.5": drop each play that is 2.5 joint standard deviations behind the best.
///         "halving": play several rounds and drop the worse half after each; the best plays get all `trials`.
///     shard: Play one shard of several, such as "2/8", to be merged with the others. Shards are whole blocks of 1,296
///         trials, so there are at most as many shards as blocks.
///     policy: The player that picks the plays of the player on roll: a Player, or the argument of one, such as
///         "uniform", "pubeval", "td80", "fast" or "strong". None is "fast"; "uniform" in mcgammon, whose goal no net
///         has learned. An exception of a function ends the session and is raised by `play`.
///     policy_opponent: The player that picks the opponent's plays; None is `policy`.
///     evaluator: The evaluator of the positions in which games are cut off: "td80", "fast", "strong", "sampled" (by
///         the ends of 36 games from it, every play equally likely), "sampled:GAMES", "sampled:GAMES:POLICY", the file
///         of a player, or a function. None is the player on roll if it values positions, otherwise "sampled". With
///         "none" games that are cut off count 0 points, and a cube is an error.
///         A function gets an int8 array of shape (n, 26), the positions as the player next on roll sees them. It
///         returns an array of shape (n, 6), that player's probability of each of `tavli.OUTCOMES`. The values of a
///         position must depend on that position alone.
///     variance_reduction: Subtract the luck of the rolls, as `evaluator` measures it.
///     luck: Variance reduction: the name of an evaluator that measures the luck of the rolls, which is subtracted from
///         each game (luck-adjusted results); None subtracts nothing. It changes no mean, however wrong the evaluator
///         is, and a good evaluator makes the standard errors many times smaller.
///     cube: Play with the cube and the score of the position. Without a roll, the player on roll decides about a
///         double: "no double" is then compared with "double, take". Players decide by their own values, so they must
///         give probabilities.
///
/// Raises:
///     PositionError: It is not a position.
///     PlayError: One of the plays is not a play of the roll.
///     RolloutError: No rollout can be made of this; the message says why.
///     SettingsError: A setting is out of range.
///
/// Warns:
///     PlayerWarning: The evaluator of games that are cut off, or the one that left out plays, has not learned the
///         rules.
#[pyclass(frozen, module = "tavli")]
#[derive(Debug)]
pub(crate) struct Rollout {
    rollout: Box<Mutex<rollout::Rollout>>,
    policies: BothPolicies,
    evaluator: Option<EvaluatorArgument>,
    /// The session in which it is being played.
    session: Mutex<Option<Running>>,
}

/// Why a record cannot be read in Python, where a function may have played it.
#[derive(Debug)]
struct ReadError(RolloutRecordError);

impl Error for ReadError {}

impl Display for ReadError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let RolloutRecordError::Named { member, error: NamedError::Policy(name) | NamedError::Evaluator(name) } =
            &self.0
        else {
            return self.0.fmt(f);
        };
        let (kind, argument) = match *member {
            "policy" => ("policy", "policy"),
            "opponent_policy" => ("policy", "policy_opponent"),
            _ => ("evaluator", "evaluator"),
        };
        write!(
            f,
            "unknown {kind} '{}': if it was a function, load the rollout with the function as {argument}",
            Quoted::new(name)
        )
    }
}

/// A session that other threads look at.
#[derive(Debug)]
struct Running {
    cancel: Cancel,
    latest: Progress,
}

impl Rollout {
    fn from_kernel((rollout, policies, evaluator): RolloutWithPlayers) -> Rollout {
        Rollout { rollout: Box::new(Mutex::new(rollout)), policies, evaluator, session: Mutex::new(None) }
    }

    /// The session in which it is being played, if it is.
    fn running(&self) -> MutexGuard<'_, Option<Running>> {
        self.session.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads a saved rollout with the given policies and evaluator, or with those that it names; or returns the
    /// exception that Ctrl-C raises meanwhile.
    fn read(
        py: Python<'_>,
        text: &str,
        policy: Option<PolicyArgument>,
        opponent: Option<PolicyArgument>,
        evaluator: Option<EvaluatorArgument>,
    ) -> Result<PyResult<Rollout>, ReadError> {
        let is_given = policy.is_some() || opponent.is_some();
        let policies = is_given.then(|| BothPolicies::for_rollouts(py, policy, opponent, RuleSet::Backgammon));
        let players = policies.as_ref().map(BothPolicies::players);
        let evaluator = evaluator.map(|evaluator| evaluator.for_games(py));
        let supplied = rollout::SuppliedPlayers {
            players,
            evaluator: evaluator.as_ref().map(|evaluator| evaluator.evaluator()),
            luck: None,
        };
        let read = interruptible(py, |stop| rollout::Rollout::from_json_with(text, supplied, stop));
        let rollout = match read {
            Ok(read) => read.map_err(ReadError)?,
            Err(raised) => return Ok(Err(raised)),
        };
        let policies = policies.unwrap_or_else(|| BothPolicies::named(rollout.players()));
        Ok(Ok(Rollout::from_kernel((rollout, policies, evaluator))))
    }

    /// This rollout. Warns of players that have not learned its rules.
    fn warned(self, py: Python<'_>) -> PyResult<Rollout> {
        let remark = self.lock()?.remark();
        remark.map_or(Ok(()), |remark| warn::<PlayerWarning>(py, remark))?;
        Ok(self)
    }

    /// Lets exceptions of functions end games.
    fn end_by(&self, cancel: &Cancel) {
        self.policies.end_by(cancel);
        if let Some(evaluator) = &self.evaluator {
            evaluator.end_by(cancel);
        }
    }

    /// Raises the exception of a function, if there is one.
    fn raised(&self) -> PyResult<()> {
        self.policies.raised()?;
        self.evaluator.as_ref().map_or(Ok(()), EvaluatorArgument::raised)
    }

    /// The rollout; an error while it is being played.
    fn lock(&self) -> PyResult<MutexGuard<'_, rollout::Rollout>> {
        let busy = || {
            RolloutError::new_err(
                "this rollout is being played: read its `progress`, or wait until play() has returned",
            )
        };
        exclusive::lock(&self.rollout, busy, "playing this rollout failed: load what was saved of it")
    }

    /// The parts that its record lacks: the policies, if they or the evaluator are not found by their names, and the
    /// function that values its games.
    fn unnamed(&self) -> (Option<[PolicyArgument; 2]>, Option<Arc<Callback>>) {
        let valued = self.evaluator.as_ref().and_then(EvaluatorArgument::function).cloned();
        let is_named = self.policies.has_policies() && valued.is_none();
        ((!is_named).then(|| self.policies.both()), valued)
    }

    /// The rollout of a record, with the parts that the record lacks.
    fn from_record(
        py: Python<'_>,
        text: &str,
        policies: Option<[PolicyArgument; 2]>,
        evaluator: Option<EvaluatorArgument>,
    ) -> PyResult<Rollout> {
        let [policy, opponent] = policies.map_or([None, None], |both| both.map(Some));
        let rollout = Rollout::read(py, text, policy, opponent, evaluator);
        rollout.map_err(raise(RecordError::new_err))?
    }
}

/// A rollout as a pickle holds it: its record, and the policies and the evaluator if they are functions.
type State<P, E> = (String, Option<[P; 2]>, Option<E>);

#[pymethods]
impl Rollout {
    #[new]
    #[pyo3(signature = (position, roll=None, plays=None, *, policy=None, policy_opponent=None, evaluator=None, luck=None, cube=false, **options))]
    #[pyo3(
        text_signature = "(position, roll=None, plays=None, *, filter='all', rules='backgammon', seed=1, first_roll='any', truncate=None, trials=None, standard_error=None, jsd=None, seconds=None, allocate='even', shard=None, policy=None, policy_opponent=None, evaluator=None, variance_reduction=False, luck=None, cube=False)"
    )]
    #[expect(clippy::too_many_arguments, reason = "most are keywords in Python")]
    fn new(
        py: Python<'_>,
        position: AnyPosition,
        roll: Option<RollArgument>,
        plays: Option<PlaysArgument>,
        policy: Option<PolicyArgument>,
        policy_opponent: Option<PolicyArgument>,
        evaluator: Option<EvaluatorOrNone>,
        luck: Option<&str>,
        cube: bool,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Rollout> {
        let of = [policy, policy_opponent];
        let arguments = RolloutArguments::new(py, position, roll, plays, of, evaluator, luck, cube, options)?;
        arguments.rollout(py).map(Rollout::from_kernel)
    }

    /// Make a rollout that decides which play of a roll to make, not played yet; see `tavli.decide` for the arguments.
    ///
    /// Raises:
    ///     PositionError: It is not a position.
    ///     PlayError: One of the plays is not a play of the roll.
    ///     RolloutError: There is no roll, or no rollout can be made of this.
    ///     SettingsError: A setting is out of range.
    #[classmethod]
    #[pyo3(signature = (position, roll=None, plays=None, *, policy=None, policy_opponent=None, evaluator=None, luck=None, cube=false, **options))]
    #[pyo3(
        text_signature = "(position, roll=None, plays=None, *, within=0.01, trials=None, seconds=None, filter=None, rules='backgammon', seed=1, first_roll='any', truncate=None, policy=None, policy_opponent=None, evaluator=None, luck=None, cube=False)"
    )]
    #[expect(clippy::too_many_arguments, reason = "most are keywords in Python")]
    fn to_decide(
        class: &Bound<'_, PyType>,
        position: AnyPosition,
        roll: Option<RollArgument>,
        plays: Option<PlaysArgument>,
        policy: Option<PolicyArgument>,
        policy_opponent: Option<PolicyArgument>,
        evaluator: Option<EvaluatorOrNone>,
        luck: Option<&str>,
        cube: bool,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Rollout> {
        if roll.is_none() && position.0.roll().is_none() {
            let message = "a decision is which play of a roll to make: name the roll, such as \"31\"";
            return Err(RollError::new_err(message));
        }
        let of = [policy, policy_opponent];
        let py = class.py();
        let arguments = RolloutArguments::new(py, position, roll, plays, of, evaluator, luck, cube, options)?;
        arguments.decision(py).map(Rollout::from_kernel)
    }

    /// Play until a rule ends the rollout.
    ///
    /// Other Python threads run while it plays. Ctrl-C, or an exception of `progress`, ends the session within a few
    /// tenths of a second and is raised here; the trials played so far are kept, and `play` goes on with the next ones.
    ///
    /// Args:
    ///     progress: Called with a Progress about ten times a second and once at the end.
    ///     save: Save the rollout in this file while it plays and at the end, replacing it as a whole. A save that
    ///         fails before the end is a RuntimeWarning, and is tried again.
    ///     save_seconds: The time between two saves.
    ///     workers: Workers that play, instead of threads of this call.
    ///     threads: Worker threads; None is one for each place that `pin` names, within the grant of control groups.
    ///     pin: The places that workers are bound to, as in `playout`.
    ///     isa: Instruction-set tier; None is the environment variable TAVLI_ISA, or the fastest.
    ///
    /// Returns:
    ///     The rule that ended it, "trials", "standard_error", "jsd", "time" or "decided"; or "cancelled" by `cancel`.
    ///
    /// Raises:
    ///     OSError: It could not be saved at the start or at the end, or another process writes the file. It can be
    ///         played on.
    ///     SettingsError: A setting is out of range.
    #[pyo3(signature = (*, progress=None, save=None, save_seconds=10.0, workers=None, threads=None, pin=Word(Pinning::Auto), isa=None))]
    #[pyo3(
        text_signature = "($self, *, progress=None, save=None, save_seconds=10.0, workers=None, threads=None, pin='auto', isa=None)"
    )]
    #[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
    fn play(
        &self,
        py: Python<'_>,
        progress: Option<Py<PyAny>>,
        save: Option<PathBuf>,
        save_seconds: f64,
        workers: Option<&Bound<'_, Workers>>,
        threads: Option<&Bound<'_, PyAny>>,
        pin: Word<Pinning>,
        isa: Option<Word<Tier>>,
    ) -> PyResult<&'static str> {
        let machine = Workers::or_own(workers, threads, pin, isa)?;
        let interval = arguments::seconds(save_seconds)?;
        let mut listener = Listener::new(progress);
        let checkpoint = save.map(|path| {
            let target = Target::open(&path, Existing::Replace)?;
            Ok::<_, FileError>(Checkpoint { target, interval })
        });
        let session = Session {
            tier: machine.tier,
            cancel: listener.cancel().clone(),
            checkpoint: checkpoint.transpose().map_err(|error| not_written(&error))?,
        };
        let mut rollout = self.lock()?;
        let rollout = &mut *rollout;
        self.end_by(listener.cancel());
        let cancel = listener.cancel().clone();
        *self.running() = Some(Running {
            cancel: cancel.clone(),
            latest: Progress::at_the_end(rollout, (rollout.trials().end, rollout.total_games(), rollout.elapsed())),
        });
        let played = ending::detach(py, || {
            let workers = machine.start()?;
            let before = (rollout.trials().end, rollout.total_games(), rollout.elapsed());
            let ended = session
                .play(rollout, &workers, |progress| {
                    if let Some(reason) = progress.unsaved {
                        listener.warn_once(&format!(
                            "cannot save the rollout: {reason}; it goes on, and each save tries again"
                        ));
                    }
                    let progress = Progress::from(progress);
                    if let Some(running) = &mut *self.running() {
                        running.latest = progress.clone();
                    }
                    listener.tell(progress);
                })
                .map_err(|error| not_written(&error.source))?;
            self.raised()?;
            listener.tell(Progress::at_the_end(rollout, before));
            listener.finish()?;
            Ok(ended.name())
        });
        *self.running() = None;
        played?
    }

    /// The Progress of the session in which another thread is playing the rollout, with the interim standings; None
    /// while nobody plays it.
    #[getter]
    fn progress(&self) -> Option<Progress> {
        let running = self.running();
        running.as_ref().map(|running| running.latest.clone())
    }

    /// End the session in which another thread is playing the rollout, within a few hundredths of a second. Its `play`
    /// returns "cancelled"; the trials so far are kept.
    ///
    /// Returns:
    ///     Whether the rollout was being played.
    fn cancel(&self) -> bool {
        let running = self.running();
        running.as_ref().inspect(|running| running.cancel.cancel()).is_some()
    }

    /// Replace the rules that end the rollout; those left out no longer do.
    ///
    /// More trials than before extend it. As in the constructor, `trials` left out is unlimited if another end rule is
    /// given, and 46656 otherwise.
    ///
    /// Raises:
    ///     RolloutError: More trials have been played, or a shard would end by itself.
    ///     SettingsError: A setting is out of range.
    #[pyo3(signature = (*, trials=None, standard_error=None, jsd=None, seconds=None))]
    fn until(
        &self,
        trials: Option<&Bound<'_, PyAny>>,
        standard_error: Option<f64>,
        jsd: Option<f64>,
        seconds: Option<f64>,
    ) -> PyResult<()> {
        let end_rules = end_rules_request(trials, standard_error, jsd, seconds)?;
        let mut rollout = self.lock()?;
        let end_rules = end_rules.resolve(rollout.allocation()).map_err(|error| refused(error.into()))?;
        *rollout = rollout.clone().until(end_rules).map_err(raise(RolloutError::new_err))?;
        Ok(())
    }

    /// Save the rollout as a JSON file, replacing the file as a whole.
    ///
    /// Raises:
    ///     OSError: The file or its folder cannot be written.
    fn save(&self, path: PathBuf) -> PyResult<()> {
        self.lock()?.save(&path).map_err(|error| not_written(&error))
    }

    /// Read a saved rollout, which `play` continues.
    ///
    /// Args:
    ///     path: The file.
    ///     policy: The player that picked the plays of the player on roll, if it was not a built-in policy: a Player or
    ///         function of the same name.
    ///     policy_opponent: The player that picked the opponent's plays; None is `policy`.
    ///     evaluator: The evaluator of the games that were cut off, if it was a function: the same function.
    ///
    /// Raises:
    ///     OSError: The file cannot be read.
    ///     RecordError: It is not a saved rollout, is damaged, or has a version whose games have other values.
    ///
    /// Warns:
    ///     PlayerWarning: A player has not learned the rules, as in `Rollout`.
    #[classmethod]
    #[pyo3(signature = (path, *, policy=None, policy_opponent=None, evaluator=None))]
    fn load(
        class: &Bound<'_, PyType>,
        path: PathBuf,
        policy: Option<PolicyArgument>,
        policy_opponent: Option<PolicyArgument>,
        evaluator: Option<EvaluatorArgument>,
    ) -> PyResult<Rollout> {
        let read = |text: &str| Rollout::read(class.py(), text, policy, policy_opponent, evaluator);
        file::record::load(&path, read).map_err(|error| not_loaded(&error))??.warned(class.py())
    }

    /// The rollout as JSON, the contents of a saved file.
    fn to_json(&self) -> PyResult<String> {
        Ok(self.lock()?.to_json())
    }

    /// Make a rollout from its JSON.
    ///
    /// Args:
    ///     text: The contents of a saved file.
    ///     policy: As in `load`.
    ///     policy_opponent: As in `load`.
    ///     evaluator: As in `load`.
    ///
    /// Raises:
    ///     RecordError: As in `load`.
    #[classmethod]
    #[pyo3(signature = (text, *, policy=None, policy_opponent=None, evaluator=None))]
    fn from_json(
        class: &Bound<'_, PyType>,
        text: &str,
        policy: Option<PolicyArgument>,
        policy_opponent: Option<PolicyArgument>,
        evaluator: Option<EvaluatorArgument>,
    ) -> PyResult<Rollout> {
        let rollout = Rollout::read(class.py(), text, policy, policy_opponent, evaluator);
        rollout.map_err(raise(RecordError::new_err))??.warned(class.py())
    }

    /// Put the shards of a rollout together, in any order.
    ///
    /// They must hold each of its trials once. The result equals the rollout played as a whole.
    ///
    /// Raises:
    ///     MergeError: The shards miss trials, share trials, or come from different rollouts. The message has their
    ///         indices in the list, from 0 on.
    #[classmethod]
    fn merge(_class: &Bound<'_, PyType>, parts: Vec<Bound<'_, Rollout>>) -> PyResult<Rollout> {
        let first = parts.first().map(Bound::get);
        let policies = first.map(|part| part.policies.clone());
        let evaluator = first.and_then(|part| part.evaluator.clone());
        let parts = parts.iter().map(|part| Ok(part.get().lock()?.clone())).collect::<PyResult<Vec<_>>>()?;
        let whole = rollout::Rollout::merge(&parts);
        whole
            .map(|whole| {
                let policies = policies.unwrap_or_else(|| BothPolicies::named(whole.players()));
                Rollout::from_kernel((whole, policies, evaluator))
            })
            .map_err(|error| MergeError::new_err(error.of_list()))
    }

    /// The result of the trials so far: a CandidateResult of each candidate, the highest equity first.
    #[getter]
    fn standings(&self) -> PyResult<Vec<CandidateResult>> {
        let rollout = self.lock()?;
        let standings = rollout.summary().standings.iter();
        Ok(standings.map(|&result| CandidateResult::new(&rollout, result)).collect())
    }

    /// The difference of two candidates, given by their index: the first minus the other, over the trials in which both
    /// were played.
    ///
    /// Raises:
    ///     IndexError: There is no such candidate, or both are the same.
    fn difference(&self, candidate: WholeNumber<i64>, other: WholeNumber<i64>) -> PyResult<Difference> {
        let (WholeNumber(candidate), WholeNumber(other)) = (candidate, other);
        let rollout = self.lock()?;
        let number = rollout.candidates().len();
        let index = |candidate| usize::try_from(candidate).ok().filter(|&index| index < number);
        match (index(candidate), index(other)) {
            (Some(first), Some(second)) if first != second => Ok(Difference::new(rollout.difference(first, second))),
            _ => Err(PyIndexError::new_err(format!(
                "{candidate} and {other} are not two candidates: the rollout has {number}, numbered from 0"
            ))),
        }
    }

    /// The Difference of every pair of candidates, each minus every later one, in the order of `standings`.
    #[getter]
    fn differences(&self) -> PyResult<Vec<Difference>> {
        let rollout = self.lock()?;
        Ok(rollout.differences().map(Difference::new).collect())
    }

    /// The standings as a table for notebooks.
    fn _repr_html_(&self) -> String {
        let Ok(rollout) = self.lock() else {
            let standings = self.progress().and_then(|progress| progress.standings);
            let named_rule_set = standings.into_iter().flatten().filter_map(Standing::into_candidate);
            return table(&named_rule_set.collect::<Vec<CandidateResult>>());
        };
        let standings = rollout.summary().standings.iter();
        let standings = standings.map(|&result| CandidateResult::new(&rollout, result));
        table(&standings.collect::<Vec<CandidateResult>>())
    }

    /// The Decision of the trials so far, if the plays race with a confidence; otherwise None.
    #[getter]
    fn decision(&self) -> PyResult<Option<Decision>> {
        Ok(Decision::from_rollout(&*self.lock()?))
    }

    /// The decision about a double by the trials so far, in a rollout with the cube and without a roll; otherwise, and
    /// before the first trial, None. A dict: `no_double`, `double_take`, `double_pass`, in money games in units of the
    /// cube, in matches equivalent to that; their errors `se_no_double` and `se_double_take`; and `action`, the right
    /// one in GNU Backgammon's words. The values of a double are None if the player may not double.
    #[getter]
    fn cube<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let Some(decision) = self.lock()?.cube_decision() else {
            return Ok(None);
        };
        let dict = PyDict::new(py);
        dict.set_item("no_double", decision.no_double.mean)?;
        dict.set_item("double_take", decision.double_take.map(|value| value.mean))?;
        dict.set_item("double_pass", decision.values.double_pass)?;
        dict.set_item("se_no_double", decision.no_double.standard_error)?;
        dict.set_item("se_double_take", decision.double_take.map(|value| value.standard_error))?;
        dict.set_item("action", decision.values.action.text())?;
        Ok(Some(dict))
    }

    /// The CandidateResult of the candidate with the highest equity, with the cube if there is one.
    #[getter]
    fn best(&self) -> PyResult<CandidateResult> {
        let rollout = self.lock()?;
        let best = *rollout.summary().best();
        Ok(CandidateResult::new(&rollout, best))
    }

    /// Games played of each candidate that was not dropped.
    #[getter]
    fn trials(&self) -> PyResult<u64> {
        let trials = self.lock()?.trials();
        Ok(trials.end - trials.start)
    }

    /// The trials played: the number of the first and the one after the last.
    #[getter]
    fn games(&self) -> PyResult<(u64, u64)> {
        let trials = self.lock()?.trials();
        Ok((trials.start, trials.end))
    }

    /// Whether all trials have been played.
    #[getter]
    fn is_complete(&self) -> PyResult<bool> {
        Ok(self.lock()?.is_complete())
    }

    /// Seconds of playing, over all sessions; of merged rollouts the sum.
    #[getter]
    fn seconds(&self) -> PyResult<f64> {
        Ok(self.lock()?.elapsed().as_secs_f64())
    }

    /// The position of the player on roll.
    #[getter]
    fn position(&self) -> PyResult<Position> {
        Ok(Position::from_board(*self.lock()?.position()))
    }

    /// The roll whose plays are compared, such as "31".
    #[getter]
    fn roll(&self) -> PyResult<Option<String>> {
        Ok(self.lock()?.roll().map(|roll| roll.to_string()))
    }

    /// One of `tavli.RULES`.
    #[getter]
    fn rules(&self) -> PyResult<&'static str> {
        Ok(self.lock()?.settings().rules.name())
    }

    /// The seed of the random streams.
    #[getter]
    fn seed(&self) -> PyResult<u64> {
        Ok(self.lock()?.settings().seed)
    }

    /// How each game begins.
    #[getter]
    fn first_roll(&self) -> PyResult<String> {
        Ok(self.lock()?.settings().first_roll.to_string())
    }

    /// The name of the policy of the player on roll.
    #[getter]
    fn policy(&self) -> PyResult<String> {
        Ok(self.lock()?.players().names()[0].to_owned())
    }

    /// The name of the policy of his opponent.
    #[getter]
    fn policy_opponent(&self) -> PyResult<String> {
        Ok(self.lock()?.players().names()[1].to_owned())
    }

    /// The name of the evaluator that values the games that are cut off; None if they count 0 points.
    #[getter]
    fn evaluator(&self) -> PyResult<Option<String>> {
        let rollout = self.lock()?;
        Ok(rollout.evaluator().map(|evaluator| evaluator.name().to_owned()))
    }

    /// The plies after which games are cut off; None if they are played to their end.
    #[getter]
    fn truncate(&self) -> PyResult<Option<u32>> {
        Ok(self.lock()?.settings().truncation.map(std::num::NonZeroU32::get))
    }

    /// How the games are divided among the plays, such as "race:95%".
    #[getter]
    fn allocation(&self) -> PyResult<String> {
        Ok(self.lock()?.allocation().to_string())
    }

    /// Which shard of a rollout it is, such as "2/8".
    #[getter]
    fn shard(&self) -> PyResult<Option<String>> {
        Ok(self.lock()?.shard().map(|shard| shard.to_string()))
    }

    fn __repr__(&self) -> String {
        // Never raises: loggers and debuggers ask at any moment.
        let Ok(rollout) = self.lock() else {
            return match self.progress() {
                Some(progress) => format!("<tavli.Rollout being played: {}>", counted(progress.done, "trial")),
                None => "<tavli.Rollout that cannot be read>".to_owned(),
            };
        };
        let what = match rollout.roll() {
            Some(roll) => format!("{} of {roll} from ", counted(rollout.candidates().len() as u64, "play")),
            None => String::new(),
        };
        let summary = rollout.summary();
        let best = summary.best();
        let moves = rollout.candidates()[best.candidate].moves;
        let moves = moves.map_or_else(String::new, |moves| format!("{moves} "));
        format!(
            "<tavli.Rollout {what}{}: {}, {moves}{}{}>",
            rollout.position().position_id(),
            counted(summary.trials, "trial"),
            signed(best.equity.mean, best.equity.standard_error, 4),
            cut_off(rollout.games_without_value(best))
        )
    }

    /// The rollout that was pickled.
    #[classmethod]
    fn _of(class: &Bound<'_, PyType>, state: Pickled<State<PolicyArgument, EvaluatorArgument>>) -> PyResult<Rollout> {
        let Pickled((text, policies, evaluator)) = state;
        Rollout::from_record(class.py(), &text, policies, evaluator)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Rollout>) -> Reduced<'py, State<Player, Py<PyAny>>> {
        let (policies, function) = slf.get().unnamed();
        let policies = policies.map(|both| both.map(Player::from_policy));
        let function = function.map(|function| function.picklable(slf.py()));
        let state = (slf.get().to_json()?, policies, function.transpose()?);
        Ok((slf.get_type().getattr("_of")?, (Pickled(state),)))
    }

    fn __copy__(&self, py: Python<'_>) -> PyResult<Rollout> {
        let (policies, function) = self.unnamed();
        let evaluator = function.map(EvaluatorArgument::Function);
        Rollout::from_record(py, &self.to_json()?, policies, evaluator)
    }

    fn __deepcopy__(&self, py: Python<'_>, _memo: &Bound<'_, PyAny>) -> PyResult<Rollout> {
        self.__copy__(py)
    }
}
