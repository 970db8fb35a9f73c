//! `/rollout` and `/decide`: rollouts as jobs.

use std::num::NonZeroU32;
use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use serde::Deserialize;
use tavli::evaluators::{Evaluator, Sampled};
use tavli::named::{self, Defaults, NamedError, rollout_players};
use tavli::policies::Players;
use tavli::rollout::{Allocation, PlayFilter, Request, Rollout, Session, Settings, StopReason, StopRequest};
use tavli::{FirstRoll, Position, Roll, RuleSet};

use super::jobs::{Best, Progress, Running};
use super::refusal::{Body, Refusal};
use super::server::Server;
use super::views::started;
use crate::rollout::result;

/// The trials of a rollout that names no end.
const TRIALS: u64 = 46_656;

/// The request for a rollout, as the options of `tavli rollout`.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(super) struct RolloutBody {
    position: String,
    roll: Option<String>,
    plays: Option<Vec<String>>,
    /// Candidates are the plays that are valued at most so many points below the best.
    filter: Option<f64>,
    rules: Option<String>,
    seed: Option<u64>,
    first_roll: Option<String>,
    truncate: Option<NonZeroU32>,
    policy: Option<String>,
    opponent_policy: Option<String>,
    /// The name of a player, or `none`.
    evaluator: Option<String>,
    #[serde(default)]
    variance_reduction: bool,
    allocate: Option<String>,
    trials: Option<u64>,
    stop_se: Option<f64>,
    stop_jsd: Option<f64>,
    seconds: Option<f64>,
}

/// The request for a decision: which play to make.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(super) struct DecideBody {
    position: String,
    roll: Option<String>,
    plays: Option<Vec<String>>,
    rules: Option<String>,
    seed: Option<u64>,
    /// Plays that differ by no more points are equally good.
    within: Option<f64>,
    trials: Option<u64>,
    seconds: Option<f64>,
}

/// Reads a word of a request.
pub(super) fn read<T: std::str::FromStr<Err: ToString>>(
    name: &'static str,
    text: Option<&str>,
) -> Result<Option<T>, Refusal> {
    let read = text.map(str::parse).transpose();
    read.map_err(|error: T::Err| Refusal::invalid(format_args!("{name}: {}", error.to_string())).of_field(name))
}

/// Reads a position.
pub(super) fn position(text: &str) -> Result<Position, Refusal> {
    text.parse()
        .map_err(|error| Refusal::new(axum::http::StatusCode::BAD_REQUEST, "invalid_position_id", error))
        .map_err(|refusal: Refusal| refusal.of_field("position"))
}

fn unknown(error: NamedError) -> Refusal {
    Refusal::invalid(error)
}

/// Refuses more trials than the server plays.
fn check_trials(trials: Option<u64>, server: &Server) -> Result<(), Refusal> {
    let most = server.limits.trials;
    match trials {
        Some(trials) if trials > most => Err(Refusal::invalid(format_args!(
            "{trials} trials are more than the {most} that this server plays"
        ))
        .of_field("trials")),
        _ => Ok(()),
    }
}

impl RolloutBody {
    fn rollout(&self, server: &Server) -> Result<Rollout, Refusal> {
        let position = position(&self.position)?;
        let rules: RuleSet = read("rules", self.rules.as_deref())?.unwrap_or_default();
        let allocation: Allocation = read("allocate", self.allocate.as_deref())?.unwrap_or_default();
        check_trials(self.trials, server)?;
        let policy = |name: &Option<String>| {
            let name = name.as_deref().map(|name| server.player(name)).transpose()?;
            name.map(named::policy).transpose().map_err(unknown)
        };
        let players = rollout_players(policy(&self.policy)?, policy(&self.opponent_policy)?, rules).map_err(unknown)?;
        let is_valued = self.evaluator.as_deref() != Some("none");
        let valuing = self.valuing(server, &players)?;
        let has_others = self.stop_se.is_some() || self.stop_jsd.is_some() || self.seconds.is_some();
        let without_trials = match has_others && allocation != Allocation::Halving {
            true => server.limits.trials,
            false => server.limits.trials.min(TRIALS),
        };
        let filter = match self.filter {
            Some(margin) => Some(PlayFilter {
                by: named::evaluator(Defaults::under(rules).values).map_err(unknown)?,
                margin,
            }),
            None => None,
        };
        let request = Request {
            roll: read("roll", self.roll.as_deref())?,
            plays: plays(self.plays.as_deref()),
            filter,
            settings: Settings {
                rules,
                seed: self.seed.unwrap_or(Settings::default().seed),
                first_roll: read::<FirstRoll>("first_roll", self.first_roll.as_deref())?.unwrap_or_default(),
                truncation: self.truncate,
            },
            allocation,
            stop: StopRequest {
                trials: Some(self.trials.unwrap_or(without_trials)),
                standard_error: self.stop_se,
                jsd: self.stop_jsd,
                seconds: self.seconds,
            },
            shard: None,
            cube: None, // the answers have no room for equities with it
            players: Some(players),
            evaluator: (self.truncate.is_some() && is_valued).then(|| Arc::clone(&valuing)),
            luck: self.variance_reduction.then_some(valuing),
        };
        request.rollout(&position).map_err(Refusal::invalid)
    }

    /// The evaluator that is named, or the player if he values positions, or games of uniform play.
    fn valuing(&self, server: &Server, players: &Players) -> Result<Arc<dyn Evaluator>, Refusal> {
        match self.evaluator.as_deref() {
            Some(name) if name != "none" => named::evaluator(server.player(name)?).map_err(unknown),
            _ => {
                let of_policy = named::evaluator(players.names()[0]).ok();
                Ok(of_policy.unwrap_or_else(|| Arc::new(Sampled::default())))
            }
        }
    }
}

impl DecideBody {
    fn rollout(&self, server: &Server) -> Result<Rollout, Refusal> {
        let position = position(&self.position)?;
        let rules: RuleSet = read("rules", self.rules.as_deref())?.unwrap_or_default();
        let roll: Option<Roll> = read("roll", self.roll.as_deref())?;
        if roll.is_none() && position.roll().is_none() {
            return Err(Refusal::invalid("a decision is which play of a roll to make: name the roll").of_field("roll"));
        }
        check_trials(self.trials, server)?;
        let usual = Request::to_decide(rules).map_err(unknown)?;
        let allocation = match (usual.allocation, self.within) {
            (Allocation::FixedConfidence { percent, .. }, Some(within)) => {
                Allocation::FixedConfidence { percent, within }
            }
            (allocation, _) => allocation,
        };
        let trials = self.trials.or(usual.stop.trials).unwrap_or(TRIALS);
        let request = Request {
            roll,
            plays: plays(self.plays.as_deref()),
            settings: Settings {
                seed: self.seed.unwrap_or(usual.settings.seed),
                ..usual.settings
            },
            allocation,
            stop: StopRequest {
                trials: Some(trials.min(server.limits.trials)),
                seconds: self.seconds,
                ..usual.stop
            },
            ..usual
        };
        request.rollout(&position).map_err(Refusal::invalid)
    }
}

fn plays(texts: Option<&[String]>) -> Option<Vec<tavli::rollout::RequestedPlay>> {
    texts.map(|plays| plays.iter().map(|play| play.as_str().into()).collect())
}

/// `POST /rollout`.
pub(super) async fn rollout(
    State(server): State<Arc<Server>>,
    Body(body): Body<RolloutBody>,
) -> Result<Response, Refusal> {
    let of = Arc::clone(&server);
    let rollout = server.compute(move |_| body.rollout(&of)).await?;
    begin("rollout", &server, rollout)
}

/// `POST /decide`.
pub(super) async fn decide(
    State(server): State<Arc<Server>>,
    Body(body): Body<DecideBody>,
) -> Result<Response, Refusal> {
    let of = Arc::clone(&server);
    let rollout = server.compute(move |_| body.rollout(&of)).await?;
    begin("decide", &server, rollout)
}

/// Begins the job of a rollout.
fn begin(kind: &'static str, server: &Arc<Server>, mut rollout: Rollout) -> Result<Response, Refusal> {
    let of = Arc::clone(server);
    let job = server.jobs.start(kind, move |running| {
        let session = Session {
            tier: of.tier,
            cancel: running.cancel().clone(),
            checkpoint: None,
        };
        let played = rollout.play(&of.workers, &session, |progress| show(progress, running));
        let reason = played.map_err(|error| error.to_string())?;
        running.finish(
            &result::of_candidates(&rollout, reason),
            reason == StopReason::Cancelled,
        );
        Ok(())
    })?;
    Ok(started(&job))
}

/// Shows how far a rollout is.
fn show(progress: &tavli::rollout::Progress<'_>, running: &Running) {
    let best = progress.rollout.summary().best();
    let candidate = &progress.rollout.candidates()[best.candidate];
    running.show(&Progress {
        fraction: progress.fraction(),
        done: progress.trials,
        per_second: progress.trials_per_second(),
        seconds: progress.elapsed.as_secs_f64(),
        seconds_left: progress.time_left().map(|time| time.as_secs_f64()),
        best: (best.trials > 0).then(|| Best {
            moves: candidate.moves.as_ref().map(ToString::to_string),
            equity: best.equity.mean,
            standard_error: best.equity.standard_error,
        }),
    });
}
