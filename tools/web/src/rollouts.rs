//! Rollouts, chunk by chunk.

use core::ops::Range;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Serialize;
use tavli::evaluators::Sampled;
use tavli::named;
use tavli::rollout::{CandidateResult, EndRulesRequest, PlayoutSettings, RequestedPlay, Rollout, RolloutRequest};
use tavli::{NO_STOP, Outcome, Position, Side, Tier};
use tavli_web_module::{DecisionJson, Failure, Kind, NextJson, StatisticJson, number, remark, seed};

use crate::cube::{self, CubeDecisionJson};
use crate::game_requests::{DecisionCall, RolloutCall, rules};
use crate::plays;

thread_local! {
    static ROLLOUTS: RefCell<BTreeMap<u32, Rollout>> = const { RefCell::new(BTreeMap::new()) };
}

/// The result of a rollout so far.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RolloutJson {
    position_id: String,
    roll: Option<String>,
    rules: &'static str,
    seed: String,
    policy: String,
    policy_opponent: String,
    trials: u64,
    /// The best first.
    candidates: Vec<CandidateJson>,
    /// Absent if none is asked for.
    decision: Option<DecisionJson>,
    /// Absent without the cube and with a roll.
    cube: Option<CubeDecisionJson>,
}

/// A candidate, for the player on roll.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct CandidateJson {
    /// Absent if the position itself is rolled out.
    moves: Option<String>,
    position_id: String,
    trials: u64,
    outcomes: BTreeMap<&'static str, u64>,
    unfinished: u64,
    equity: StatisticJson,
    win: StatisticJson,
    win_gammon: StatisticJson,
    win_backgammon: StatisticJson,
    lose: StatisticJson,
    lose_gammon: StatisticJson,
    lose_backgammon: StatisticJson,
    behind: StatisticJson,
    jsd: Option<f64>,
    /// Absent after a play and without the cube.
    cube: Option<&'static str>,
    /// The equity with the cube, in a rollout with it.
    cubeful: Option<StatisticJson>,
}

/// The play of a candidate.
fn moves(rollout: &Rollout, candidate: usize) -> Option<String> {
    rollout.candidates()[candidate].moves.as_ref().map(ToString::to_string)
}

impl CandidateJson {
    fn new(rollout: &Rollout, result: &CandidateResult) -> CandidateJson {
        let candidate = &rollout.candidates()[result.candidate];
        let of = |&outcome: &Outcome| (outcome.name(), result.outcomes[outcome as usize]);
        CandidateJson {
            moves: moves(rollout, result.candidate),
            position_id: candidate.board.position_id().to_string(),
            trials: result.trials,
            outcomes: Outcome::ALL.iter().map(of).collect(),
            unfinished: result.unfinished,
            equity: result.equity.into(),
            win: result.win.into(),
            win_gammon: result.win_gammon.into(),
            win_backgammon: result.win_backgammon.into(),
            lose: result.lose.into(),
            lose_gammon: result.lose_gammon.into(),
            lose_backgammon: result.lose_backgammon.into(),
            behind: result.behind.into(),
            jsd: number(result.jsd),
            cube: candidate.cube_choice().map(|choice| choice.name()),
            cubeful: result.cubeful.map(StatisticJson::from),
        }
    }
}

/// Calls `work` with the rollout of a number.
fn with<T>(number: u32, work: impl FnOnce(&mut Rollout) -> Result<T, Failure>) -> Result<T, Failure> {
    ROLLOUTS.with_borrow_mut(|rollouts| {
        let rollout = rollouts.get_mut(&number);
        let gone = || Failure::new(Kind::Settings, format_args!("there is no rollout {number}"));
        work(rollout.ok_or_else(gone)?)
    })
}

/// Begins a rollout under a number of its own.
// The defaults of `Options` of rollouts. With `Options` and their texts the module had 477 kB instead of 471.
pub(crate) fn begin(number: u32, asked: &RolloutCall) -> Result<(), Failure> {
    let (position, settings) = (asked.games.position.read()?, asked.games.settings()?);
    let players = asked.games.rollout_players()?;
    let of_player = || players.evaluator(Side::OnRoll);
    let evaluator = match asked.evaluator.as_deref() {
        Some("none") => None,
        Some(name) => Some(named::evaluator(name, NO_STOP)?),
        None if settings.truncation.is_none() => None,
        None => Some(of_player().unwrap_or_else(|| Arc::new(Sampled::default()))),
    };
    let request = RolloutRequest {
        roll: asked.roll.as_deref().map(str::parse).transpose()?,
        plays: asked.plays.as_deref().map(requested),
        settings,
        cube: cube::in_play(&position, asked.cube)?,
        end_rules: asked.end_rules(),
        players: Some(players),
        evaluator,
        ..RolloutRequest::default()
    };
    keep(number, &request, &position)
}

/// Begins a rollout that decides which play to make.
pub(crate) fn begin_decision(number: u32, asked: &DecisionCall) -> Result<(), Failure> {
    let position = asked.position.read()?;
    let defaults = RolloutRequest::decision(rules(asked.rules.as_deref())?, NO_STOP)?;
    let request = RolloutRequest {
        roll: Some(plays::roll(&position, asked.roll.as_deref())?),
        plays: asked.plays.as_deref().map(requested),
        settings: PlayoutSettings { seed: seed(asked.seed.as_deref())?, ..defaults.settings },
        allocation: defaults.allocation.within(asked.within),
        cube: cube::in_play(&position, asked.cube)?,
        end_rules: EndRulesRequest { trials: asked.trials.or(defaults.end_rules.trials), ..defaults.end_rules },
        ..defaults
    };
    keep(number, &request, &position)
}

fn requested(plays: &[String]) -> Vec<RequestedPlay> {
    plays.iter().map(|play| RequestedPlay::Text(play.clone())).collect()
}

/// Keeps the rollout of a request under a number.
fn keep(number: u32, request: &RolloutRequest, position: &Position) -> Result<(), Failure> {
    let rollout = request.rollout(position)?;
    if let Some(found) = rollout.remark() {
        remark(found);
    }
    ROLLOUTS.with_borrow_mut(|rollouts| rollouts.insert(number, rollout));
    Ok(())
}

/// The next trials. `playing` becomes the places of the candidates that are still played.
pub(crate) fn next(number: u32, playing: &mut Vec<u64>) -> Result<NextJson, Failure> {
    with(number, |rollout| {
        let next = rollout.next_trials();
        *playing = rollout.playing().iter().map(|&place| place as u64).collect();
        Ok(NextJson::from(next))
    })
}

/// Plays some trials of the candidates in `playing`, those still played in the rollout that adds the counts. Returns
/// the counts.
pub(crate) fn count(number: u32, trials: Range<u64>, playing: &[u64]) -> Result<Vec<u64>, Failure> {
    with(number, |rollout| {
        rollout.keep_candidates(|place| playing.contains(&(place as u64)));
        Ok(rollout.count_trials(trials, Tier::best(), NO_STOP)?)
    })
}

/// Adds the next trials.
pub(crate) fn add(number: u32, trials: Range<u64>, numbers: &[u64]) -> Result<(), Failure> {
    with(number, |rollout| Ok(rollout.add_trials(trials, numbers)?))
}

/// The result so far.
pub(crate) fn result(number: u32) -> Result<RolloutJson, Failure> {
    with(number, |rollout| {
        let (summary, settings) = (rollout.summary(), rollout.settings());
        let [policy, policy_opponent] = rollout.players().names().map(str::to_owned);
        let (standings, decision) = (summary.standings.iter(), rollout.decision());
        Ok(RolloutJson {
            position_id: rollout.position().position_id().to_string(),
            roll: rollout.roll().map(|roll| roll.to_string()),
            rules: settings.rules.name(),
            seed: settings.seed.to_string(),
            policy,
            policy_opponent,
            trials: summary.trials,
            candidates: standings.map(|result| CandidateJson::new(rollout, result)).collect(),
            decision: decision.map(|decision| DecisionJson::new(&decision, |candidate| moves(rollout, candidate))),
            cube: rollout.cube_decision().map(CubeDecisionJson::from),
        })
    })
}

/// Forgets a rollout.
pub(crate) fn end(number: u32) {
    ROLLOUTS.with_borrow_mut(|rollouts| rollouts.remove(&number));
}
