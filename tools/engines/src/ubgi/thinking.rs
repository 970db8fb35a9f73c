//! Decisions of a session, with lines of info while it thinks.

use std::time::{Duration, Instant};

use tavli::cube::CubeValues;
use tavli::engine::Engine;
use tavli::evaluation::RankedPlay;
use tavli::evaluators::Probabilities;
use tavli::rollout::{Rollout, RolloutProgress};
use tavli::{Position, Roll, TurnStage};

use super::options::Method;
use super::refusal::{Refusal, bad_value};
use crate::frontend::say;
use crate::moves::by_steps;
use crate::rollouts::RolloutSettings;

/// As many trials of a play as there are throws: with fewer, its equity says less than an evaluation.
const ENOUGH_TRIALS: u64 = 36;
/// The time between two lines of info about a rollout.
const INFO_INTERVAL: Duration = Duration::from_secs(1);

/// The decision that is asked for.
#[derive(Clone, Copy, Debug)]
pub(super) enum GoDecision {
    Play(Roll),
    Cube,
    /// Whether to double, and the play of a roll.
    Turn(Roll),
}

/// A `go` command: a decision, and the limits of the thought.
#[derive(Clone, Debug)]
pub(super) struct GoCommand {
    decision: GoDecision,
    /// The look-ahead, in place of the session's.
    pub(super) plies: Option<u32>,
    /// The trials of a rollout.
    pub(super) trials: Option<u64>,
    pub(super) time: Option<Duration>,
    /// Whether the answer has the form of version 0.01, without info.
    pub(super) is_bare: bool,
}

impl GoCommand {
    pub(super) fn new(decision: GoDecision) -> GoCommand {
        GoCommand { decision, plies: None, trials: None, time: None, is_bare: false }
    }
}

/// How a `go` command is thought about.
struct Thinker<'a> {
    engine: &'a Engine,
    position: &'a Position,
    method: Method,
    rollouts: &'a RolloutSettings,
    is_bare: bool,
}

/// The answer to a `go` command; `None` if it was stopped before there was one.
pub(super) fn answer(
    engine: &Engine,
    position: &Position,
    command: &GoCommand,
    method: Method,
    rollouts: &RolloutSettings,
) -> Result<Option<String>, Refusal> {
    let thinker = Thinker { engine, position, method, rollouts, is_bare: command.is_bare };
    let pass = |moves: String| if moves.is_empty() { "pass".to_owned() } else { moves };
    Ok(match command.decision {
        GoDecision::Play(roll) => thinker.play(roll)?.map(|moves| match command.is_bare {
            true => moves,
            false => format!("bestmove {}", pass(moves)),
        }),
        GoDecision::Cube => thinker.cube()?.map(|action| match (command.is_bare, action) {
            (true, "nodouble") => "roll".to_owned(),
            (true, action) => action.to_owned(),
            (false, action) => format!("bestcube {action}"),
        }),
        GoDecision::Turn(roll) => {
            // Valued first: a signal may end the rollout of the cube, and the plays then have none.
            let at_once = match method {
                Method::Plies => None,
                Method::Rollout | Method::Decide => thinker.at_once(roll)?.map(|(moves, _)| moves),
            };
            let action = thinker.cube()?;
            let moves = thinker.play(roll)?.or(at_once);
            let answer = |(action, moves)| format!("bestturn cube={action} move={}", pass(moves));
            action.zip(moves).map(answer)
        }
    })
}

/// The chances of a value, as info names them.
fn chances(value: &Probabilities) -> String {
    let [win, gammon, backgammon] = [1, 2, 3].map(|points| value.at_least(points));
    format!("pwin {win:.3} pgammon {gammon:.3} pbg {backgammon:.3}")
}

impl Thinker<'_> {
    /// Writes a line of info. Writing the answer shows if the frontend is gone.
    fn info(&self, text: &str) {
        if !self.is_bare {
            let _ = say(&format!("info {text}"));
        }
    }

    /// Writes the state of a rollout now and then.
    fn watching(&self) -> impl FnMut(&RolloutProgress) {
        let mut last: Option<Instant> = None;
        move |progress| {
            if last.is_some_and(|last| last.elapsed() < INFO_INTERVAL) || progress.rollout.summary().trials == 0 {
                return;
            }
            last = Some(Instant::now());
            let time = progress.elapsed.as_millis();
            self.info(&format!("time_ms {time} {}", standing(progress.rollout)));
        }
    }

    /// The steps of the best play.
    fn play(&self, roll: Roll) -> Result<Option<String>, Refusal> {
        // Before a longer thought: an early line of info, and forced plays at once.
        if (self.method != Method::Plies || self.engine.plies() > 0)
            && let Some((moves, true)) = self.at_once(roll)?
        {
            return Ok(Some(moves));
        }
        let rolled_out = match self.method {
            Method::Plies => return Ok(self.by_values(self.engine, roll)?.map(|(moves, _)| moves)),
            Method::Rollout => self.rollouts.play(self.position, Some(roll), self.engine, self.watching()),
            Method::Decide => self.rollouts.decide(self.position, roll, self.engine, self.watching()),
        };
        let Some(rollout) = self.telling(rolled_out)? else {
            return Ok(None);
        };
        self.info(&standing(&rollout));
        Ok(Some(best_of(&rollout)))
    }

    /// The rollout, if it tells more than the player's values: not if it was ended within its first trials, or before
    /// them, while its tables were made.
    fn telling(&self, rolled_out: Result<Rollout, String>) -> Result<Option<Rollout>, Refusal> {
        match rolled_out {
            Ok(rollout) => {
                let enough = self.rollouts.trials.clamp(1, ENOUGH_TRIALS);
                Ok(Some(rollout).filter(|rollout| rollout.summary().trials >= enough))
            }
            Err(_) if self.engine.cancel().is_cancelled() => Ok(None),
            Err(error) => Err(bad_value(error)),
        }
    }

    /// [`by_values`](Thinker::by_values) without looking ahead.
    fn at_once(&self, roll: Roll) -> Result<Option<(String, bool)>, Refusal> {
        let mut here = self.engine.clone();
        here.set_plies(0).expect("it may look no plies ahead");
        self.by_values(&here, roll)
    }

    /// The best play by the player's values, and whether it is the only one.
    fn by_values(&self, engine: &Engine, roll: Roll) -> Result<Option<(String, bool)>, Refusal> {
        let ranked = engine.plays(self.position, roll).map_err(bad_value)?;
        // The ranking was stopped before all plays had a value: the best of some is no answer.
        let is_partial = |best: &RankedPlay| ranked.cancelled && best.play.plies == 0;
        let Some(best) = ranked.plays.first().filter(|best| !is_partial(best)) else {
            return Ok(None);
        };
        let moves = by_steps(&best.play.moves);
        let depth = best.play.plies + 1;
        let (equity, chances) = (best.equity(), chances(&best.play.value));
        self.info(&format!("depth {depth} score {equity:+.3} {chances} pv {moves}"));
        Ok(Some((moves, ranked.plays.len() == 1)))
    }

    /// The action with the cube, in the protocol's word.
    fn cube(&self) -> Result<Option<&'static str>, Refusal> {
        let no_cube = || Refusal("unsupported", "go cube: there is no cube".to_owned());
        let cube = match self.method {
            Method::Plies => {
                let Some(decision) = self.engine.value(self.position).map_err(bad_value)? else {
                    return Ok(None);
                };
                let cube = decision.cube.ok_or_else(no_cube)?;
                let depth = self.engine.plies() + 1;
                let (equity, chances) = (cube.best(), chances(&decision.value));
                self.info(&format!("depth {depth} score {equity:+.3} {chances}"));
                cube
            }
            // With the cube, both methods are a plain rollout.
            Method::Rollout | Method::Decide => {
                let rolled_out = self.rollouts.play(self.position, None, self.engine, self.watching());
                let Some(rollout) = self.telling(rolled_out)? else {
                    return Ok(None);
                };
                self.info(&standing(&rollout));
                rollout.cube_decision().ok_or_else(no_cube)?.values
            }
        };
        Ok(Some(action(self.position, &cube)))
    }
}

/// The state of a rollout, in the words of info.
fn standing(rollout: &Rollout) -> String {
    let summary = rollout.summary();
    let (nodes, score) = (summary.games(), summary.best().value().mean);
    let moves = best_of(rollout);
    let pv = if moves.is_empty() { "" } else { " pv " };
    format!("nodes {nodes} score {score:+.3}{pv}{moves}")
}

/// The steps of the play that is the best so far.
fn best_of(rollout: &Rollout) -> String {
    let best = rollout.summary().best().candidate;
    let moves = rollout.candidates()[best].moves.as_ref();
    moves.map(by_steps).unwrap_or_default()
}

fn action(position: &Position, cube: &CubeValues) -> &'static str {
    let is_asked_to_take = matches!(position.context().stage, TurnStage::Doubled);
    match (is_asked_to_take, cube.double_take <= cube.double_pass) {
        (true, true) => "take",
        (true, false) => "drop",
        (false, _) if cube.action.doubles() => "double",
        (false, _) => "nodouble",
    }
}
