//! `/rollout` and `/decide`: rollouts as jobs.

use std::sync::Arc;
use std::time::Instant;

use axum::extract::State;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use tavli::cube::{CubeInPlay, CubeState};
use tavli::games::{
    AnyDecisionError, AnyDecisionProgress, AnyDecisionRequest, AnyPosition, AnyPositionError, GameRollout,
    GameRolloutRequest, PlayableGame, START, Visitor,
};
use tavli::policies::Uniform;
use tavli::rollout::{EndReason, EndRules, EndRulesRequest, OptionTexts, Options, Rollout, RolloutError};
use tavli::{NO_STOP, Reading, RuleSet, Stopped};
use tavli_engines::serve::{BestCandidate, Body, Refusal, RunningJob, Server};
use tavli_terminal::interrupt::NO_RESULT;
use tavli_terminal::output::Remarked;
use tavli_terminal::remarks::reading_without_remark;

use super::game_jobs::{JobRollout, Work, begin, candidate, check_trials, play_as_job};
use super::other_games::{AnyGame, RequestedTurn, TurnTexts, refused_by, unreadable};
use crate::arguments::DEFAULT_SEED;
use crate::rollout::output::{backgammon::of_candidates, game_decision, game_rollout};

/// The names of the option of the opponent's policy.
const OPPONENTS: [&str; 2] = ["policy_opponent", "opponent_policy"];
/// The members of a [`RolloutBody`] that are not options.
const BESIDE_OPTIONS: [&str; 3] = ["position", "game", "cubeless"];

/// The options of rollouts that games other than backgammon have.
const OPTIONS_OF_GAMES: [&str; 7] = ["roll", "plays", "rules", "policy", "trials", "seed", "variance_reduction"];

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

/// The answer to options of another game that are refused.
fn refused_option(error: RolloutError) -> Refusal {
    refused_by(error.option(), &error)
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

    /// The work of the request, in any game; with `decides`, a rollout that ends when the best play is known.
    fn work(self, server: &Arc<Server>, decides: bool) -> Result<Work, Refusal> {
        match self.other_game()? {
            None => self.rollout(server, decides),
            Some(game) if decides => self.decision_of_game(game, server),
            Some(game) => self.rollout_of_game(game, server),
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

    /// The rollout of the request in another game.
    fn rollout_of_game(self, game: AnyGame, server: &Arc<Server>) -> Result<Work, Refusal> {
        let RolloutBody { position, options: texts, .. } = self;
        game.check_policy(texts.get("policy"), &[Uniform::NAME])?;
        let foreign = texts.names_set().find(|name| !OPTIONS_OF_GAMES.contains(name));
        if let Some(option) = foreign.map(str::to_owned) {
            let (game, known) = (game.name(), OPTIONS_OF_GAMES.join(", "));
            let reason = format!("rollouts of {game} do not have this option: they have {known}");
            return Err(refused_option(RolloutError::Option { option, reason }));
        }
        game.visit(RolloutOfGame { position: &position, texts, server })
    }

    /// The decision of the request in another game.
    fn decision_of_game(self, game: AnyGame, server: &Arc<Server>) -> Result<Work, Refusal> {
        let RolloutBody { position, options, .. } = self;
        game.check_policy(options.get("policy"), &[])?;
        let most = server.limits.trials;
        let mut request = AnyDecisionRequest::read(options, game.name()).map_err(refused_option)?;
        // Without bound where seconds end it.
        if request.settings.trials < Rollout::MAX_TRIALS {
            check_trials(request.settings.trials, most)?;
        }
        request.settings.trials = request.settings.trials.min(most);
        let position = match position.trim() {
            START => AnyPosition::start(game.name(), request.rules.as_deref()),
            text => AnyPosition::read(game.name(), request.rules.as_deref(), text),
        };
        let prepared = request.prepare(&position.map_err(position_refusal)?, server.tier, NO_STOP);
        let prepared = prepared.map_err(|error| match error {
            AnyDecisionError::Position(error) => position_refusal(error),
            AnyDecisionError::Plays(_) | AnyDecisionError::NoPlays => Refusal::invalid(error).with_field("plays"),
            AnyDecisionError::NoNets(_) => Refusal::invalid(error).with_field("game"),
            error => Refusal::invalid(error).with_field("policy"),
        })?;
        let workers = Arc::clone(&server.workers);
        Ok(Box::new(move |running| {
            let start = Instant::now();
            let found = prepared.decide(&workers, running.cancel(), |progress| show_decision(progress, running));
            let found = found.map_err(|Stopped| NO_RESULT.to_owned())?;
            let is_cancelled = found.ended_by == EndReason::Cancelled;
            let result = game_decision::json(&prepared, &found, start.elapsed(), None);
            running.finish(&Remarked::new(result, prepared.remark()), is_cancelled);
            Ok(())
        }))
    }
}

/// The answer to a position that is refused.
fn position_refusal(error: AnyPositionError) -> Refusal {
    match error {
        AnyPositionError::Rules(_) => Refusal::invalid(error).with_field("rules"),
        AnyPositionError::NoDice(_) | AnyPositionError::NoRoll(_) | AnyPositionError::Roll(_) => {
            Refusal::invalid(error).with_field("roll")
        }
        AnyPositionError::Position(error) => unreadable(error),
        error => Refusal::invalid(error).with_field("position"),
    }
}

/// A rollout of the game that it visits.
struct RolloutOfGame<'a> {
    position: &'a str,
    texts: OptionTexts,
    server: &'a Arc<Server>,
}

impl Visitor for RolloutOfGame<'_> {
    type Output = Result<Work, Refusal>;

    fn visit<G: PlayableGame>(mut self) -> Result<Work, Refusal> {
        let [roll, rules, policy] = ["roll", "rules", "policy"].map(|name| self.texts.take(name));
        let named = self.texts.take_plays().unwrap_or_default();
        let options = self.texts.options().map_err(refused_option)?;
        let most = self.server.limits.trials;
        let trials = options.end_rules.trials.unwrap_or(EndRules::default().trials.min(most));
        check_trials(trials, most)?;
        let seed = options.seed.unwrap_or(DEFAULT_SEED);
        let asked = TurnTexts { position: self.position, rules: rules.as_deref(), roll: ("roll", roll.as_deref()) };
        let RequestedTurn { game: _, turn, rules, remark } = RequestedTurn::<G>::read(asked, self.server.tier, seed)?;
        let request = GameRolloutRequest {
            rules: Some(rules.clone()),
            plays: named,
            policy,
            variance_reduction: options.variance_reduction,
            seed,
            end_rules: EndRulesRequest::after_trials(trials),
            shard: None,
        };
        let rollout = GameRollout::<G>::new(turn.position, turn.chance, &request, self.server.tier);
        let rollout = rollout.map_err(|error| refused_by(error.option(), &error))?;
        let remarks = remark.into_iter().chain(rollout.remark());
        Ok(play_as_job(self.server, rollout, remarks))
    }
}

impl<G: PlayableGame> JobRollout for GameRollout<G> {
    fn result(&self, reason: EndReason) -> impl Serialize {
        game_rollout::json(self, reason, None)
    }

    fn best(&self) -> Option<BestCandidate> {
        let standings = self.standings();
        let best = standings.first()?;
        Some(candidate(self.candidates()[best.candidate].moves.clone(), best.equity))
    }
}

/// Shows how far a decision is.
fn show_decision(progress: &AnyDecisionProgress, running: &RunningJob) {
    let best = progress.plays.first().filter(|best| best.raced.trials > 0);
    let best = best.map(|best| candidate(Some(best.play.moves.clone()), best.raced.equity));
    running.show_trials(&progress.games, progress.trials, best);
}

/// `POST /rollout`.
pub(super) async fn rollout(
    State(server): State<Arc<Server>>,
    Body(body): Body<RolloutBody>,
) -> Result<Response, Refusal> {
    begin(&server, "rollout", move |server| body.work(server, false)).await
}

/// `POST /decide`.
pub(super) async fn decide(
    State(server): State<Arc<Server>>,
    Body(body): Body<RolloutBody>,
) -> Result<Response, Refusal> {
    begin(&server, "decide", move |server| body.work(server, true)).await
}

impl JobRollout for Rollout {
    fn result(&self, reason: EndReason) -> impl Serialize {
        of_candidates(self, reason)
    }

    fn best(&self) -> Option<BestCandidate> {
        let best = self.summary().best();
        let moves = &self.candidates()[best.candidate].moves;
        (best.trials > 0).then(|| candidate(moves.as_ref().map(ToString::to_string), best.equity))
    }
}
