//! `/rollout` and `/decide`: rollouts as jobs.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use tavli::cube::{CubeInPlay, CubeState};
use tavli::rollout::{EndReason, OptionTexts, Options, Rollout, RolloutError};
use tavli::{Reading, RuleSet};
use tavli_engines::serve::{BestCandidate, Body, Refusal, Server};
use tavli_terminal::remarks::reading_without_remark;

use super::game_jobs::{JobRollout, Work, begin, check_trials, play_as_job};
use super::other_games::{AnyGame, refused_by};
use crate::rollout::output::backgammon::of_candidates;

/// The names of the option of the opponent's policy.
const OPPONENTS: [&str; 2] = ["policy_opponent", "opponent_policy"];
/// The members of a [`RolloutBody`] that are not options.
const BESIDE_OPTIONS: [&str; 3] = ["position", "game", "cubeless"];

/// The request for a rollout or a decision: the options of `tavli rollout`, and [`BESIDE_OPTIONS`].
#[derive(Deserialize, Debug)]
pub(super) struct RolloutBody {
    position: String,
    /// `None` is backgammon.
    game: Option<String>,
    /// Without the cube, even if the position names it.
    #[serde(default)]
    cubeless: bool,
    #[serde(flatten)]
    options: OptionTexts,
}

/// Reads a word of a request.
pub(super) fn read<T: std::str::FromStr<Err: ToString>>(
    name: &'static str,
    text: Option<&str>,
) -> Result<Option<T>, Refusal> {
    let read = text.map(str::parse).transpose();
    read.map_err(|error: T::Err| Refusal::invalid(format_args!("{name}: {}", error.to_string())).with_field(name))
}

/// Reads a position under some rules.
pub(super) fn reading(text: &str, rules: RuleSet) -> Result<Reading, Refusal> {
    let invalid = |error| Refusal::new(axum::http::StatusCode::BAD_REQUEST, "invalid_position_id", error);
    reading_without_remark(text, rules).map_err(|error| invalid(error).with_field("position"))
}

/// A position, with its cube if its text names cube or score.
pub(super) fn with_cube(text: &str, rules: RuleSet, cubeless: bool) -> Result<(Reading, Option<CubeInPlay>), Refusal> {
    let read = reading(text, rules)?;
    if cubeless || !read.has_context {
        return Ok((read, None));
    }
    let state = CubeState::from_context(read.position.context());
    let state = state.map_err(|error| Refusal::invalid(error).with_field("position"))?;
    let efficiency = None;
    Ok((read, Some(CubeInPlay { state, efficiency })))
}

/// The answer to an impossible request, with the wrong member.
fn refused(error: RolloutError, options: &OptionTexts) -> Refusal {
    let field = match &error {
        // The position's text names the cube and the score.
        RolloutError::Playout(_)
        | RolloutError::Candidate { .. }
        | RolloutError::Cube(_)
        | RolloutError::CubeRules(_) => Some("position"),
        RolloutError::NoCubeValues(name) => {
            let is_it = |option: &&str| options.get(option) == Some(name.as_str());
            OPPONENTS.into_iter().find(is_it).or(Some("policy"))
        }
        error => error.option().map(|option| options.name_in_use(option)),
    };
    refused_by(field, &error)
}

impl RolloutBody {
    /// The game, if it is not backgammon.
    fn other_game(&self) -> Result<Option<AnyGame>, Refusal> {
        let game = AnyGame::named(self.game.as_deref())?;
        match game.is_some() && self.cubeless {
            true => Err(Refusal::invalid("only backgammon has a cube: leave cubeless out").with_field("cubeless")),
            false => Ok(game),
        }
    }

    /// The rollout of the request; with `decides`, one that ends when the best play is known.
    fn rollout(self, server: &Arc<Server>, decides: bool) -> Result<Work, Refusal> {
        let refused = |error| refused(error, &self.options);
        self.options.check_names(&BESIDE_OPTIONS).map_err(refused)?;
        for option in OPPONENTS.into_iter().chain(["policy", "evaluator", "luck"]) {
            if let Some(name) = self.options.get(option)
                && (option, name) != ("evaluator", "none")
            {
                server.player(name).map_err(|refusal| refusal.with_field(option))?;
            }
        }
        let options = self.options.options().map_err(refused)?;
        let (asked, cube) = with_cube(&self.position, options.rules, self.cubeless)?;
        let options = Options { cube, ..options };
        if decides && options.roll.or(asked.position.roll()).is_none() {
            let message = "a decision is which play of a roll to make: name the roll";
            return Err(Refusal::invalid(message).with_field("roll"));
        }
        let most = server.limits.trials;
        check_trials(options.end_rules.trials.unwrap_or(0), most)?;
        let request = if decides { options.decision() } else { options.request() };
        let mut request = request.map_err(refused)?;
        let end_rules = request.end_rules.resolve(request.allocation).map_err(|error| refused(error.into()))?;
        request.end_rules.trials = Some(end_rules.trials.min(most));
        let rollout = request.rollout(&asked.position).map_err(refused)?;
        let remarks = [asked.remark.map(|remark| remark.to_string()), rollout.remark()];
        Ok(play_as_job(server, rollout, remarks.into_iter().flatten()))
    }
}

/// `POST /rollout`.
pub(super) async fn rollout(
    State(server): State<Arc<Server>>,
    Body(body): Body<RolloutBody>,
) -> Result<Response, Refusal> {
    if let Some(game) = body.other_game()? {
        return game.rollout(&server, body.position, body.options).await;
    }
    begin(&server, "rollout", move |server| body.rollout(server, false)).await
}

/// `POST /decide`.
pub(super) async fn decide(
    State(server): State<Arc<Server>>,
    Body(body): Body<RolloutBody>,
) -> Result<Response, Refusal> {
    if let Some(game) = body.other_game()? {
        return game.decide(&server, body.position, body.options).await;
    }
    begin(&server, "decide", move |server| body.rollout(server, true)).await
}

impl JobRollout for Rollout {
    fn result(&self, reason: EndReason) -> impl Serialize {
        of_candidates(self, reason)
    }

    fn best(&self) -> Option<BestCandidate> {
        let best = self.summary().best();
        let candidate = &self.candidates()[best.candidate];
        (best.trials > 0).then(|| BestCandidate {
            moves: candidate.moves.as_ref().map(ToString::to_string),
            equity: best.equity.mean,
            standard_error: best.equity.standard_error,
        })
    }
}
