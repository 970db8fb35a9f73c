//! Rollouts: played, continued, saved, shared and merged.

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, TryLockError};
use std::time::Duration;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyType;
use tavli::file::{Existing, FileError, Target};
use tavli::rollout::{self, Checkpoint, Ended, LoadError, Session, Settings, Stop};
use tavli::{FirstRoll, RuleSet};

use crate::arguments::{self, AnyPosition, AnyRoll, Machine, whole, word};
use crate::errors::{MergeError, RecordError, RolloutError, not_loaded, not_written, raise};
use crate::listener::{Listener, Progress};
use crate::player::{AnyPolicy, BothPolicies};
use crate::position::{Position, named_play};
use crate::standing::Standing;

/// The trials of a rollout that names no end: 36 times 1,296.
const DEFAULT_TRIALS: u64 = 36 * 1296;

/// Many games from a position, or from each play of a roll on the same dice, with statistics.
///
/// It is made with its settings, played by `play` for as long as one likes, and may be saved, extended, and shared
/// among processes. Its numbers are exact and depend on position, roll, candidates, seed, rules, first roll, plies and
/// trials alone, not on threads, tier, sessions or shards; they are those of the command `tavli rollout`.
///
/// Args:
///     position: Position, text in any format, or 26 numbers.
///     roll: Compare the plays of this roll, "31" or (3, 1); None is the dice of the position, or without dice the position
///         itself.
///     plays: Compare only these plays of the roll, in notation.
///     rules: One of `tavli.RULES`.
///     seed: Seed of the random streams, 0 to 2**64 - 1.
///     first_roll: "any" of 36 throws, "stratified" (any 36 consecutive trials begin with each throw once), "open" (no double), or
///         a roll; of plays, the roll after the play.
///     plies: Cut each game off after so many plies, to count 0 points.
///     trials: End after so many games of each candidate, 1 to 2**56; None is 46656, or no bound where another rule is
///         given.
///     standard_error: End when the standard error of every equity is at most this, in points.
///     jsd: End when every play is at least so many joint standard deviations behind the best.
///     seconds: End after so many seconds of playing, over all sessions.
///     shard: Play one part of several, such as "2/8", to be merged with the others.
///     policy: Who picks the plays of the player on roll: "uniform", "pubeval", a Player, or a function as of Player. What
///         a function raises ends the session and is raised by `play`.
///     policy_opponent: Who picks his opponent's plays; None is the same.
///
/// Raises:
///     PositionError: It is no position.
///     PlayError: One of the plays is none.
///     RolloutError: It cannot be rolled out: the message says why.
///     SettingsError: A setting is out of range.
#[pyclass(frozen, module = "tavli")]
#[derive(Debug)]
pub(crate) struct Rollout {
    rollout: Box<Mutex<rollout::Rollout>>,
    policies: BothPolicies,
}

impl Rollout {
    fn of(rollout: rollout::Rollout, policies: BothPolicies) -> Rollout {
        Rollout {
            rollout: Box::new(Mutex::new(rollout)),
            policies,
        }
    }

    /// A saved rollout, read by policies that are given or by those that it names, which are built in.
    fn read(
        py: Python<'_>,
        text: &str,
        policy: Option<AnyPolicy>,
        opponent: Option<AnyPolicy>,
    ) -> Result<Rollout, rollout::RecordError> {
        let is_given = policy.is_some() || opponent.is_some();
        let policies = BothPolicies::new(py, policy, opponent);
        let rollout = if is_given {
            rollout::Rollout::from_json_played_by(text, policies.players())
        } else {
            rollout::Rollout::from_json(text)
        };
        Ok(Rollout::of(rollout?, policies))
    }

    /// The rollout, unless it is being played.
    fn lock(&self) -> PyResult<MutexGuard<'_, rollout::Rollout>> {
        match self.rollout.try_lock() {
            Ok(rollout) => Ok(rollout),
            Err(TryLockError::Poisoned(_)) => Err(PyRuntimeError::new_err(
                "playing this rollout failed: load what was saved of it",
            )),
            Err(TryLockError::WouldBlock) => Err(RolloutError::new_err(
                "this rollout is being played: look at it when play() has returned, or have play() save it",
            )),
        }
    }
}

/// When a rollout ends, from the rules that are given, if any is.
fn stop(
    trials: Option<&Bound<'_, PyAny>>,
    standard_error: Option<f64>,
    jsd: Option<f64>,
    seconds: Option<f64>,
) -> PyResult<Option<Stop>> {
    let most = rollout::Rollout::MOST_TRIALS;
    let has_others = standard_error.is_some() || jsd.is_some() || seconds.is_some();
    let trials = match trials {
        Some(trials) => whole(trials, "trials are", 1, most)?,
        None if has_others => most,
        None => return Ok(None),
    };
    let time = seconds.map(arguments::seconds).transpose()?;
    Ok(Some(Stop {
        trials,
        standard_error,
        jsd,
        time,
    }))
}

#[pymethods]
impl Rollout {
    #[new]
    #[pyo3(signature = (position, roll=None, plays=None, *, rules="backgammon", seed=None, first_roll="any", plies=None, trials=None, standard_error=None, jsd=None, seconds=None, shard=None, policy=None, policy_opponent=None))]
    #[pyo3(
        text_signature = "(position, roll=None, plays=None, *, rules='backgammon', seed=1, first_roll='any', plies=None, trials=None, standard_error=None, jsd=None, seconds=None, shard=None, policy='uniform', policy_opponent=None)"
    )]
    #[expect(clippy::too_many_arguments, reason = "most are keywords in Python")]
    fn new(
        py: Python<'_>,
        position: AnyPosition,
        roll: Option<AnyRoll>,
        plays: Option<Vec<String>>,
        rules: &str,
        seed: Option<&Bound<'_, PyAny>>,
        first_roll: &str,
        plies: Option<&Bound<'_, PyAny>>,
        trials: Option<&Bound<'_, PyAny>>,
        standard_error: Option<f64>,
        jsd: Option<f64>,
        seconds: Option<f64>,
        shard: Option<&str>,
        policy: Option<AnyPolicy>,
        policy_opponent: Option<AnyPolicy>,
    ) -> PyResult<Rollout> {
        let policies = BothPolicies::new(py, policy, policy_opponent);
        let board = position.0.board();
        let settings = Settings {
            rules: word::<RuleSet>(rules)?,
            seed: arguments::seed(seed)?,
            first_roll: word::<FirstRoll>(first_roll)?,
            truncation: arguments::plies(plies)?,
        };
        let given = roll.map(|AnyRoll(roll)| roll);
        let roll = position.0.roll_or(given);
        let roll = roll.map_err(raise(RolloutError::new_err))?;
        let rollout = match (roll, plays) {
            (None, None) => rollout::Rollout::of_position(board, settings),
            (None, Some(_)) => {
                return Err(RolloutError::new_err(
                    "plays are those of a roll: name the roll too",
                ));
            }
            (Some(roll), None) => rollout::Rollout::of_plays(board, roll, settings),
            (Some(roll), Some(plays)) => {
                let boards = plays
                    .iter()
                    .map(|moves| named_play(board, roll, moves, settings.rules));
                let boards = boards.collect::<PyResult<Vec<_>>>()?;
                rollout::Rollout::of_candidates(board, roll, &boards, settings)
            }
        };
        let stop =
            stop(trials, standard_error, jsd, seconds)?.unwrap_or(Stop::after(DEFAULT_TRIALS));
        let shard = shard.map(word).transpose()?;
        let rollout = rollout
            .and_then(|rollout| rollout.played_by(policies.players()))
            .and_then(|rollout| rollout.until(stop))
            .and_then(|rollout| match shard {
                Some(shard) => rollout.shard(shard),
                None => Ok(rollout),
            });
        rollout
            .map(|rollout| Rollout::of(rollout, policies))
            .map_err(raise(RolloutError::new_err))
    }

    /// Play until a rule ends the rollout.
    ///
    /// Other Python threads run meanwhile. Ctrl-C, or what `progress` raises, ends the session within a few tenths of
    /// a second and is raised here; the trials played so far are kept, and `play` goes on with the next ones.
    ///
    /// Args:
    ///     progress: Called with a Progress about ten times a second and once at the end.
    ///     save: Save the rollout in this file meanwhile and at the end, replacing it as a whole. A save that fails
    ///         meanwhile is a RuntimeWarning, and is tried again.
    ///     save_seconds: The time between two saves.
    ///     threads: Worker threads; None is one for each place that `pin` names, within the grant of control groups.
    ///     pin: What workers are bound to, as of `playout`.
    ///     isa: Instruction-set tier; None is the environment variable TAVLI_ISA, or the fastest.
    ///
    /// Returns:
    ///     The rule that ended it: "trials", "standard_error", "jsd" or "time".
    ///
    /// Raises:
    ///     OSError: It cannot be saved at the start or at the end, or another process saves in the file; it can be played
    ///         on.
    ///     SettingsError: A setting is out of range.
    #[pyo3(signature = (*, progress=None, save=None, save_seconds=10.0, threads=None, pin="none", isa=None))]
    #[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
    fn play(
        &self,
        py: Python<'_>,
        progress: Option<Py<PyAny>>,
        save: Option<PathBuf>,
        save_seconds: f64,
        threads: Option<&Bound<'_, PyAny>>,
        pin: &str,
        isa: Option<&str>,
    ) -> PyResult<&'static str> {
        let machine = Machine::new(threads, pin, isa)?;
        let interval = arguments::seconds(save_seconds)?;
        let mut listener = Listener::new(progress);
        let checkpoint = save.map(|path| {
            let target = Target::open(&path, Existing::Replace)?;
            Ok::<_, FileError>(Checkpoint { target, interval })
        });
        let session = Session {
            tier: machine.tier,
            cancel: listener.cancel().clone(),
            checkpoint: checkpoint
                .transpose()
                .map_err(|error| not_written(&error))?,
        };
        let mut rollout = self.lock()?;
        let rollout = &mut *rollout;
        self.policies.end_by(listener.cancel());
        py.detach(|| {
            let workers = machine.start()?;
            let before = (rollout.games().end, rollout.elapsed());
            let ended = rollout
                .play(&workers, &session, |progress| {
                    if let Some(reason) = progress.unsaved {
                        listener.warn_once(&format!(
                            "cannot save the rollout: {reason}; it goes on, and each save tries again"
                        ));
                    }
                    listener.tell(progress);
                })
                .map_err(|error| not_written(&error.source))?;
            self.policies.raised()?;
            listener.tell(at_the_end(rollout, before));
            listener.finish()?;
            Ok(name(ended))
        })
    }

    /// Replace the rules that end the rollout; those left out no longer do.
    ///
    /// More trials than before extend it. As in the constructor, `trials` left out is no bound where another rule is
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
        let stop =
            stop(trials, standard_error, jsd, seconds)?.unwrap_or(Stop::after(DEFAULT_TRIALS));
        let mut rollout = self.lock()?;
        *rollout = rollout
            .clone()
            .until(stop)
            .map_err(raise(RolloutError::new_err))?;
        Ok(())
    }

    /// Save the rollout as a JSON file, replacing the file as a whole.
    ///
    /// Raises:
    ///     OSError: The file or its folder cannot be written.
    fn save(&self, path: PathBuf) -> PyResult<()> {
        self.lock()?
            .save(&path)
            .map_err(|error| not_written(&error))
    }

    /// Read a saved rollout, which `play` continues.
    ///
    /// Args:
    ///     path: The file.
    ///     policy: Who picked the plays of the player on roll, where it was not a built-in policy: a Player or function of
    ///         the same name.
    ///     policy_opponent: Who picked his opponent's; None is the same.
    ///
    /// Raises:
    ///     OSError: The file cannot be read.
    ///     RecordError: It is no saved rollout, damaged, or of a version whose games have other values.
    #[classmethod]
    #[pyo3(signature = (path, *, policy=None, policy_opponent=None))]
    fn load(
        class: &Bound<'_, PyType>,
        path: PathBuf,
        policy: Option<AnyPolicy>,
        policy_opponent: Option<AnyPolicy>,
    ) -> PyResult<Rollout> {
        let read = std::fs::read_to_string(&path);
        let text = read.map_err(|source| {
            let path = path.clone();
            not_loaded(&LoadError::Read { path, source })
        })?;
        let rollout = Rollout::read(class.py(), &text, policy, policy_opponent);
        rollout.map_err(|source| not_loaded(&LoadError::Record { path, source }))
    }

    /// The rollout as JSON, the contents of a saved file.
    fn to_json(&self) -> PyResult<String> {
        Ok(self.lock()?.to_json())
    }

    /// Make a rollout from its JSON.
    ///
    /// Args:
    ///     text: The contents of a saved file.
    ///     policy: As of `load`.
    ///     policy_opponent: As of `load`.
    ///
    /// Raises:
    ///     RecordError: As of `load`.
    #[classmethod]
    #[pyo3(signature = (text, *, policy=None, policy_opponent=None))]
    fn from_json(
        class: &Bound<'_, PyType>,
        text: &str,
        policy: Option<AnyPolicy>,
        policy_opponent: Option<AnyPolicy>,
    ) -> PyResult<Rollout> {
        let rollout = Rollout::read(class.py(), text, policy, policy_opponent);
        rollout.map_err(raise(RecordError::new_err))
    }

    /// Put the parts of a rollout together, in any order.
    ///
    /// They must hold each of its trials once. The result is that of the rollout played as a whole.
    ///
    /// Raises:
    ///     MergeError: The parts, counted from 0, miss games, share games, or are of different rollouts.
    #[classmethod]
    fn merge(class: &Bound<'_, PyType>, parts: Vec<Bound<'_, Rollout>>) -> PyResult<Rollout> {
        let policies = parts.first().map(|part| part.get().policies.clone());
        let policies = policies.unwrap_or_else(|| BothPolicies::new(class.py(), None, None));
        let parts = parts
            .iter()
            .map(|part| Ok(part.get().lock()?.clone()))
            .collect::<PyResult<Vec<_>>>()?;
        let whole = rollout::Rollout::merge(&parts);
        whole
            .map(|whole| Rollout::of(whole, policies))
            .map_err(|error| {
                MergeError::new_err(match &error {
                    rollout::MergeError::Different { one, other, .. }
                    | rollout::MergeError::Overlap { one, other, .. } => {
                        format!("parts {one} and {other}: {error}")
                    }
                    _ => error.to_string(),
                })
            })
    }

    /// What the trials so far came to: a Standing of each candidate, the highest equity first.
    #[getter]
    fn standings(&self) -> PyResult<Vec<Standing>> {
        let rollout = self.lock()?;
        let standings = rollout.summary().standings;
        Ok(standings
            .into_iter()
            .map(|standing| Standing::new(&rollout, standing))
            .collect())
    }

    /// The Standing of the candidate with the highest equity.
    #[getter]
    fn best(&self) -> PyResult<Standing> {
        let rollout = self.lock()?;
        let best = *rollout.summary().best();
        Ok(Standing::new(&rollout, best))
    }

    /// Games played of each candidate.
    #[getter]
    fn trials(&self) -> PyResult<u64> {
        let games = self.lock()?.games();
        Ok(games.end - games.start)
    }

    /// The games played: the number of the first and the one after the last.
    #[getter]
    fn games(&self) -> PyResult<(u64, u64)> {
        let games = self.lock()?.games();
        Ok((games.start, games.end))
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
        Ok(Position::of_board(*self.lock()?.position()))
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

    /// The plies after which games are cut off.
    #[getter]
    fn plies(&self) -> PyResult<Option<u32>> {
        Ok(self
            .lock()?
            .settings()
            .truncation
            .map(std::num::NonZeroU32::get))
    }

    /// Which part of a rollout it is, such as "2/8".
    #[getter]
    fn shard(&self) -> PyResult<Option<String>> {
        Ok(self.lock()?.part().map(|shard| shard.to_string()))
    }

    fn __repr__(&self) -> PyResult<String> {
        let rollout = self.lock()?;
        let what = match rollout.roll() {
            Some(roll) => format!("{} plays of {roll} from ", rollout.candidates().len()),
            None => String::new(),
        };
        let summary = rollout.summary();
        let best = summary.best();
        let moves = rollout.candidates()[best.candidate].moves;
        let moves = moves.map_or_else(String::new, |moves| format!("{moves} "));
        Ok(format!(
            "<tavli.Rollout {what}{}: {} trials, {moves}{:+.4} ± {:.4}>",
            rollout.position().position_id(),
            summary.trials,
            best.equity.mean,
            best.equity.standard_error
        ))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Rollout>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        let policies = &slf.get().policies;
        if !policies.are_built_in() {
            return Err(RolloutError::new_err(format!(
                "a rollout by functions of Python, {}, cannot be pickled: save it, and load it with policy=",
                policies.players()
            )));
        }
        Ok((
            slf.get_type().getattr("from_json")?,
            (slf.get().to_json()?,),
        ))
    }
}

/// The name of what ended a session.
fn name(ended: Ended) -> &'static str {
    match ended {
        Ended::Trials => "trials",
        Ended::StandardError => "standard_error",
        Ended::Jsd => "jsd",
        Ended::Time => "time",
        Ended::Cancelled => "cancelled",
    }
}

/// The last progress of a session that began after so many games and so much time.
fn at_the_end(rollout: &rollout::Rollout, (games, elapsed): (u64, Duration)) -> Progress {
    let now = rollout.games();
    let trials = now.end - now.start;
    Progress::from(&rollout::Progress {
        trials,
        session_trials: now.end - games,
        candidates: rollout.candidates().len(),
        elapsed: rollout.elapsed() - elapsed,
        expected_trials: trials as f64,
        time_limit_left: None,
        unsaved: None,
    })
}
