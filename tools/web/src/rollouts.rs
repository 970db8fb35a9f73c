//! Rollouts, piece by piece.

use core::ops::Range;
use std::cell::RefCell;
use std::collections::BTreeMap;

use serde::Serialize;
use tavli::named;
use tavli::rollout::{CandidateResult, Request, RequestedPlay, Rollout, Statistic, StopReason};
use tavli::{Outcome, Tier};

use crate::failure::{Failure, Kind};
use crate::games::{RolloutRequest, number};

thread_local! {
    static ROLLOUTS: RefCell<BTreeMap<u32, Rollout>> = const { RefCell::new(BTreeMap::new()) };
}

/// What comes next in a rollout.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct NextJson {
    /// The first of the next trials.
    first: u64,
    /// The one after the last of them; the first again where there are none.
    end: u64,
    /// Why it is at its end.
    ended_by: Option<&'static str>,
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
}

/// A candidate, for the player on roll.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct CandidateJson {
    /// Absent where the position itself is rolled out.
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
}

/// A mean over the trials; absent where there are too few.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct StatisticJson {
    mean: Option<f64>,
    raw_mean: Option<f64>,
    standard_deviation: Option<f64>,
    standard_error: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
}

impl From<Statistic> for StatisticJson {
    fn from(statistic: Statistic) -> StatisticJson {
        StatisticJson {
            mean: number(statistic.mean),
            raw_mean: number(statistic.raw_mean),
            standard_deviation: number(statistic.standard_deviation),
            standard_error: number(statistic.standard_error),
            low: number(statistic.low),
            high: number(statistic.high),
        }
    }
}

impl CandidateJson {
    fn new(rollout: &Rollout, result: &CandidateResult) -> CandidateJson {
        let candidate = &rollout.candidates()[result.candidate];
        let of = |&outcome: &Outcome| (outcome.name(), result.outcomes[outcome as usize]);
        CandidateJson {
            moves: candidate.moves.as_ref().map(ToString::to_string),
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

/// Begins a rollout under a number that no other has.
pub(crate) fn begin(number: u32, asked: &RolloutRequest) -> Result<(), Failure> {
    let evaluator = asked.evaluator.as_deref().map(named::evaluator).transpose()?;
    let request = Request {
        roll: asked.roll.as_deref().map(str::parse).transpose()?,
        plays: asked.plays.as_ref().map(|plays| {
            let plays = plays.iter();
            plays.map(|play| RequestedPlay::Text(play.clone())).collect()
        }),
        settings: asked.games.settings()?,
        stop: asked.stop(),
        players: Some(asked.games.rollout_players()?),
        evaluator,
        ..Request::default()
    };
    let rollout = request.rollout(&asked.games.position.read()?)?;
    ROLLOUTS.with_borrow_mut(|rollouts| rollouts.insert(number, rollout));
    Ok(())
}

/// What comes next.
pub(crate) fn next(number: u32) -> Result<NextJson, Failure> {
    with(number, |rollout| {
        let ended = |reason: StopReason| NextJson {
            first: 0,
            end: 0,
            ended_by: Some(reason.name()),
        };
        let next = |Range { start, end }| NextJson {
            first: start,
            end,
            ended_by: None,
        };
        Ok(rollout.next_trials().map_or_else(ended, next))
    })
}

/// Plays some trials, and returns what they count.
pub(crate) fn count(number: u32, trials: Range<u64>) -> Result<Vec<u64>, Failure> {
    with(number, |rollout| {
        let counts = rollout.count_trials(trials, Tier::best(), &|| false);
        Ok(counts.expect("nothing stops it"))
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
        let standings = summary.standings.iter();
        Ok(RolloutJson {
            position_id: rollout.position().position_id().to_string(),
            roll: rollout.roll().map(|roll| roll.to_string()),
            rules: settings.rules.name(),
            seed: settings.seed.to_string(),
            policy,
            policy_opponent,
            trials: summary.trials,
            candidates: standings.map(|result| CandidateJson::new(rollout, result)).collect(),
        })
    })
}

/// Forgets a rollout.
pub(crate) fn end(number: u32) {
    ROLLOUTS.with_borrow_mut(|rollouts| rollouts.remove(&number));
}
