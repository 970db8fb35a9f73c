//! Decisions in games other than backgammon.

use std::num::NonZeroU32;
use std::time::Instant;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use tavli::Tier;
use tavli::games::{AnyDecision, AnyDecisionError, AnyDecisionProgress, AnyDecisionRequest};
use tavli::rollout::EndReason;
use tavli::run::{self, Limit, Pinning};
use tavli::text::printable;

use crate::arguments::{RollArgument, Word};
use crate::decision::Decision;
use crate::ending;
use crate::errors::{PlayError, PlayerWarning, RolloutError, bad_setting, raise, unless_raised};
use crate::interrupt;
use crate::listener::{Listener, Progress, Standing, bounded};
use crate::named::interruptible;
use crate::pickled::class_of_members;
use crate::position::{Play, Position, other_game_error};
use crate::raced_play::RacedPlay;
use crate::rollout_arguments::{option_texts, refused};
use crate::warning::warn;
use crate::workers::Workers;

class_of_members! {
    /// Which play of a roll to make in a game other than backgammon: what `tavli.decide` returns for its positions.
    #[derive(Clone, Debug)]
    pub(crate) struct GameDecision {
        /// The Decision: the play, and how sure that is.
        decision: Decision,
        /// The plays that raced: the best, then those still played, then those dropped, each the best first.
        standings: Vec<RacedPlay>,
        /// What ended it: "decided", "trials" or "time"; "cancelled" in what Ctrl-C raises.
        ended_by: String,
        /// The position of the player on roll.
        position: Position,
        /// The roll, such as "31".
        roll: Option<String>,
        /// The name of the net that played both sides.
        policy: String,
        /// The seed of the random streams.
        seed: u64,
        /// The plies after which games were cut off; None where they were played to their end.
        truncate: Option<u32>,
        /// Seconds that it took.
        seconds: f64,
    }

    /// The play that the decision names: the first of `standings`.
    #[getter]
    fn best(&self) -> RacedPlay {
        self.standings[0].clone()
    }

    /// Games played of each play that was not dropped.
    #[getter]
    fn trials(&self) -> u64 {
        self.standings[0].trials
    }

    /// Whether neither time nor Ctrl-C ended it.
    #[getter]
    fn is_complete(&self) -> bool {
        ![EndReason::Time, EndReason::Cancelled].map(EndReason::name).contains(&self.ended_by.as_str())
    }

    fn __repr__(&self) -> String {
        let RacedPlay { moves, trials, equity, .. } = &self.standings[0];
        let roll = self.roll.as_deref().unwrap_or_default();
        let position = self.position.__str__();
        format!("<tavli.GameDecision {roll} from {position}: {trials} trials, {moves} {}>", equity.text(4))
    }
}

/// The exception for a decision that cannot be made.
fn impossible(error: AnyDecisionError) -> PyErr {
    match error {
        AnyDecisionError::Position(error) => other_game_error(error),
        AnyDecisionError::Plays(_) => raise(PlayError::new_err)(error),
        AnyDecisionError::NoNets(_) | AnyDecisionError::NoPlays => raise(RolloutError::new_err)(error),
        error => bad_setting(error),
    }
}

/// The plays of an argument as texts, which are moves or positions after plays.
fn texts_of_plays(plays: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    if plays.extract::<&str>().is_ok() {
        return Err(PyTypeError::new_err(printable(format_args!(
            "plays are a sequence of plays, such as ['{plays}'], not one text"
        ))));
    }
    interrupt::collect(plays.try_iter()?, |_, play| {
        let play = play?;
        if let Ok(play) = play.cast::<Play>() {
            return Ok(play.get().position.text_of_other());
        }
        if let Ok(position) = play.cast::<Position>() {
            return Ok(position.get().text_of_other());
        }
        play.extract()
    })
}

/// Decides in a game other than backgammon: `tavli.decide` calls this.
#[pyfunction]
#[pyo3(signature = (position, roll=None, plays=None, *, policy=None, policy_opponent=None, evaluator=None, luck=None, cube=false, progress=None, workers=None, threads=None, pin=Word(Pinning::Auto), isa=None, **options))]
#[pyo3(
    text_signature = "(position, roll=None, plays=None, *, policy=None, policy_opponent=None, evaluator=None, luck=None, cube=False, progress=None, workers=None, threads=None, pin='auto', isa=None, **options)"
)]
#[expect(clippy::too_many_arguments, reason = "most are keywords in Python")]
pub(crate) fn _decide<'py>(
    py: Python<'py>,
    position: &Bound<'py, Position>,
    roll: Option<RollArgument>,
    plays: Option<&Bound<'py, PyAny>>,
    policy: Option<&Bound<'py, PyAny>>,
    policy_opponent: Option<&Bound<'py, PyAny>>,
    evaluator: Option<&Bound<'py, PyAny>>,
    luck: Option<&Bound<'py, PyAny>>,
    cube: bool,
    progress: Option<Py<PyAny>>,
    workers: Option<&Bound<'py, Workers>>,
    threads: Option<&Bound<'py, PyAny>>,
    pin: Word<Pinning>,
    isa: Option<Word<Tier>>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<GameDecision> {
    let position = position.get();
    let position_of_game = position.other("decide")?;
    let mut texts = option_texts(options)?;
    if let Some(policy) = policy {
        let name: &str = policy.extract().map_err(|_| {
            PyTypeError::new_err(format!(
                "a policy of {} is a text: the name of a net, such as 'strong', or its file",
                position_of_game.game()
            ))
        })?;
        texts.set("policy", name);
    }
    // Refused by their names.
    let named_rule_set = [("policy_opponent", policy_opponent), ("evaluator", evaluator), ("luck", luck)];
    for (name, _) in named_rule_set.into_iter().filter(|(_, value)| value.is_some()) {
        texts.set(name, "");
    }
    if cube {
        texts.set("cube", cube);
    }
    if let Some(RollArgument(roll)) = roll {
        texts.set("roll", roll);
    }
    if let Some(plays) = plays {
        texts.set_plays(texts_of_plays(plays)?);
    }
    let request = AnyDecisionRequest::read(texts, position_of_game.game()).map_err(refused)?;
    let machine = Workers::or_own(workers, threads, pin, isa)?;
    let tier = machine.tier;
    let prepared = interruptible(py, |stop| request.prepare(position_of_game, tier, stop))?.map_err(impossible)?;
    if let Some(remark) = prepared.remark() {
        warn::<PlayerWarning>(py, remark)?;
    }
    let mut listener = Listener::new(progress);
    let start = Instant::now();
    let (found, heard) = ending::detach(py, || -> PyResult<_> {
        let workers = machine.start()?;
        let cancel = listener.cancel().clone();
        let found = prepared.decide(&workers, &cancel, |progress| listener.tell(progress)).ok();
        if let Some(found) = &found {
            listener.tell(&at_the_end(found, start));
        }
        Ok((found, listener.finish()))
    })??;
    let Some(AnyDecision { plays, decision, ended_by }) = found else {
        return Err(heard.expect_err("only an exception stops it"));
    };
    let settings = prepared.settings();
    let moves = |play: usize| Some(plays[play].play.moves.clone());
    let found = GameDecision {
        decision: Decision::new(&decision, moves),
        standings: plays.iter().map(RacedPlay::new).collect(),
        ended_by: ended_by.name().to_owned(),
        position: Position::from_any_position(prepared.position().clone()),
        roll: prepared.roll().map(str::to_owned),
        policy: prepared.policy().to_owned(),
        seed: settings.seed,
        truncate: settings.plies.map(NonZeroU32::get),
        seconds: start.elapsed().as_secs_f64(),
    };
    unless_raised(py, heard, found)
}

/// The last progress of a decision that began at this time.
fn at_the_end(found: &AnyDecision, start: Instant) -> AnyDecisionProgress {
    let (trials, games) = (found.plays[0].raced.trials, found.games());
    AnyDecisionProgress {
        plays: found.plays.clone(),
        trials,
        max_trials: trials,
        games: run::Progress { items: games, elapsed: start.elapsed(), limit: Limit::Items(games) },
    }
}

impl From<&AnyDecisionProgress> for Progress {
    fn from(progress: &AnyDecisionProgress) -> Progress {
        Progress {
            done: progress.trials,
            total: bounded(progress.max_trials),
            standings: Some(progress.plays.iter().map(RacedPlay::new).map(Standing::Other).collect()),
            ..Progress::from(&progress.games)
        }
    }
}
