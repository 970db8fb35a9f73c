//! `/rollout` and `/decide`: rollouts as jobs.

use std::num::NonZeroU32;
use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use serde::Deserialize;
use tavli::cube::{CubeInPlay, CubeState};
use tavli::named::{self, NamedError, rollout_players};
use tavli::policies::{Players, Policy};
use tavli::rollout::{Given, Options, Request, Rollout, RolloutError, Session, StopReason, StopRequest};
use tavli::{Position, Reading, Roll, RuleSet};

use super::jobs::{Best, Progress, Running};
use super::refusal::{Body, Refusal};
use super::server::Server;
use super::views::started;
use crate::rollout::result;

/// The request for a rollout, as the options of `tavli rollout`.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(super) struct RolloutBody {
    position: String,
    /// Without the cube, even if the position names it.
    #[serde(default)]
    cubeless: bool,
    roll: Option<String>,
    plays: Option<Vec<String>>,
    /// Candidates are the plays that are valued at most these points below the best.
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
    #[serde(default)]
    cubeless: bool,
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
    Ok(reading(text)?.position)
}

fn reading(text: &str) -> Result<Reading, Refusal> {
    let invalid = |error| Refusal::new(axum::http::StatusCode::BAD_REQUEST, "invalid_position_id", error);
    Position::read(text).map_err(|error| invalid(error).of_field("position"))
}

/// A position, with its cube if its text names cube or score.
fn with_cube(text: &str, cubeless: bool) -> Result<(Position, Option<CubeInPlay>), Refusal> {
    let Reading {
        position, has_context, ..
    } = reading(text)?;
    if cubeless || !has_context {
        return Ok((position, None));
    }
    let state = CubeState::from_context(position.context());
    let state = state.map_err(|error| Refusal::invalid(error).of_field("position"))?;
    let efficiency = None;
    Ok((position, Some(CubeInPlay { state, efficiency })))
}

fn unknown(error: NamedError) -> Refusal {
    Refusal::invalid(error)
}

/// The answer to a request that cannot be, with the member that is wrong.
fn refused(error: RolloutError) -> Refusal {
    let field = error.option().map(|option| match option {
        "allocation" => "allocate",
        "players" => "policy",
        option => option,
    });
    let refusal = Refusal::invalid(error);
    match field {
        Some(field) => refusal.of_field(field),
        None => refusal,
    }
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
        let (position, cube) = with_cube(&self.position, self.cubeless)?;
        let rules: RuleSet = read("rules", self.rules.as_deref())?.unwrap_or_default();
        check_trials(self.trials, server)?;
        let policy = |name: &Option<String>| {
            let name = name.as_deref().map(|name| server.player(name)).transpose()?;
            name.map(named::policy).transpose().map_err(unknown)
        };
        let policies = [policy(&self.policy)?, policy(&self.opponent_policy)?];
        let evaluator = match self.evaluator.as_deref() {
            None => Given::Default,
            Some("none") => Given::Off,
            Some(name) => Given::Value(named::evaluator(server.player(name)?).map_err(unknown)?),
        };
        let options = Options {
            roll: read("roll", self.roll.as_deref())?,
            plays: plays(self.plays.as_deref()),
            filter: self.filter.into(),
            rules,
            seed: self.seed,
            first_roll: read("first_roll", self.first_roll.as_deref())?.unwrap_or_default(),
            truncation: self.truncate.into(),
            allocation: read("allocate", self.allocate.as_deref())?.unwrap_or_default(),
            stop: StopRequest {
                trials: self.trials,
                standard_error: self.stop_se,
                jsd: self.stop_jsd,
                seconds: self.seconds,
            },
            cube,
            players: named_players(policies, rules)?,
            evaluator,
            variance_reduction: self.variance_reduction,
            ..Options::default()
        };
        let mut request = options.request().map_err(unknown)?;
        let stop = request.stop.resolve(request.allocation).map_err(refused)?;
        request.stop.trials = Some(stop.trials.min(server.limits.trials));
        request.rollout(&position).map_err(refused)
    }
}

impl DecideBody {
    fn rollout(&self, server: &Server) -> Result<Rollout, Refusal> {
        let (position, cube) = with_cube(&self.position, self.cubeless)?;
        let roll: Option<Roll> = read("roll", self.roll.as_deref())?;
        if roll.is_none() && position.roll().is_none() {
            return Err(Refusal::invalid("a decision is which play of a roll to make: name the roll").of_field("roll"));
        }
        check_trials(self.trials, server)?;
        let trials = self.trials.unwrap_or(Request::DECISION_TRIALS);
        let options = Options {
            roll,
            plays: plays(self.plays.as_deref()),
            rules: read("rules", self.rules.as_deref())?.unwrap_or_default(),
            seed: self.seed,
            within: self.within,
            cube,
            stop: StopRequest {
                trials: Some(trials.min(server.limits.trials)),
                seconds: self.seconds,
                ..StopRequest::default()
            },
            ..Options::default()
        };
        let request = options.decision().map_err(unknown)?;
        request.rollout(&position).map_err(refused)
    }
}

/// The players of a rollout, if any is named.
fn named_players(policies: [Option<Arc<dyn Policy>>; 2], rules: RuleSet) -> Result<Option<Players>, Refusal> {
    let [policy, opponent] = policies;
    if policy.is_none() && opponent.is_none() {
        return Ok(None);
    }
    rollout_players(policy, opponent, rules).map(Some).map_err(unknown)
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
