//! Requests about games other than backgammon: those of the same paths with the member `game`.

use std::sync::Arc;
use std::time::Instant;

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use tavli::games::{
    AnyDecision, AnyDecisionError, AnyDecisionProgress, AnyDecisionRequest, AnyPosition, AnyPositionError, GameRollout,
    GameRolloutRequest, NAMES, OTHER_NAMES, PlayableGame, PlayoutStart, PositionError, ReadTurn, START, UnknownGame,
    Visitor, built_in_nets, remark_on_values, split_look_ahead, visit,
};
use tavli::policies::Uniform;
use tavli::rollout::{EndReason, EndRules, EndRulesRequest, OptionTexts, Rollout, RolloutError};
use tavli::run::{GamePlayouts, Limit, Run};
use tavli::text::Quoted;
use tavli::{NO_STOP, Stopped, Tier};
use tavli_engines::serve::{BestCandidate, JSON, Refusal, RunningJob, Server};
use tavli_terminal::interrupt::NO_RESULT;
use tavli_terminal::output::{Remarked, json_text};

use super::game_jobs::{JobRollout, Work, begin, check_trials, play_as_job, play_games};
use crate::arguments::DEFAULT_SEED;
use crate::evaluate::other_games::{GameValueJson, choice_evaluator};
use crate::game_turn::{Turn, check_goes_on};
use crate::playout::{PlayoutDescription, RunJson, Summary};
use crate::rollout::output::{game_decision, game_rollout};

/// The options of rollouts that games other than backgammon have.
const ROLLOUT_OPTIONS: [&str; 7] = ["roll", "plays", "rules", "policy", "trials", "seed", "variance_reduction"];

/// A game other than backgammon, as a request names it.
#[derive(Clone, Copy, Debug)]
pub(super) struct AnyGame(&'static str);

/// What a request asks about.
#[derive(Clone, Copy, Debug)]
pub(super) struct TurnTexts<'a> {
    pub(super) position: &'a str,
    pub(super) rules: Option<&'a str>,
    /// The name and the text of the member with the roll.
    pub(super) roll: (&'static str, Option<&'a str>),
}

/// Playouts that a request asks for.
#[derive(Debug)]
pub(super) struct PlayoutRequest {
    pub(super) position: Option<String>,
    pub(super) rules: Option<String>,
    pub(super) seed: Option<u64>,
    pub(super) first_roll: Option<String>,
    pub(super) first_game: u64,
    pub(super) limit: Limit,
}

/// A turn of a game, read from a request.
struct RequestedTurn<G: PlayableGame> {
    game: G,
    turn: Turn<G::Position>,
    rules: String,
    /// What the text of the position says and cannot be.
    remark: Option<String>,
}

impl AnyGame {
    /// The game of this name; `None` for backgammon.
    pub(super) fn named(name: Option<&str>) -> Result<Option<AnyGame>, Refusal> {
        match name {
            None => Ok(None),
            Some(name) if name == NAMES[0] => Ok(None),
            Some(name) => match OTHER_NAMES.iter().find(|other| **other == name) {
                Some(game) => Ok(Some(AnyGame(game))),
                None => Err(Refusal::invalid(UnknownGame(name.to_owned())).with_field("game")),
            },
        }
    }

    fn visit<V: Visitor>(self, visitor: V) -> V::Output {
        visit(self.0, visitor).expect("the name of a game")
    }

    /// The answer to `/evaluate`, or with a number of plays to `/plays`.
    pub(super) async fn evaluate(
        self,
        server: &Server,
        (position, rules, roll): (String, Option<String>, Option<String>),
        most: Option<usize>,
    ) -> Result<Response, Refusal> {
        let tier = server.tier;
        let answer = server.compute(move |engine| {
            let stop = || engine.cancel().is_cancelled();
            let asked = TurnTexts { position: &position, rules: rules.as_deref(), roll: ("roll", roll.as_deref()) };
            self.visit(Evaluation { asked, tier, most, stop: &stop })
        });
        Ok(([JSON], answer.await?).into_response())
    }

    /// Begins a decision.
    pub(super) async fn decide(
        self,
        server: &Arc<Server>,
        position: String,
        options: OptionTexts,
    ) -> Result<Response, Refusal> {
        let prepare = move |server: &Arc<Server>| {
            self.check_policy(options.get("policy"), &[])?;
            let most = server.limits.trials;
            let mut request = AnyDecisionRequest::read(options, self.0).map_err(refused)?;
            // Without bound where seconds end it.
            if request.settings.trials < Rollout::MAX_TRIALS {
                check_trials(request.settings.trials, most)?;
            }
            request.settings.trials = request.settings.trials.min(most);
            let position = match position.trim() {
                START => AnyPosition::start(self.0, request.rules.as_deref()),
                text => AnyPosition::read(self.0, request.rules.as_deref(), text),
            };
            let prepared = request.prepare(&position.map_err(position_refusal)?, server.tier, NO_STOP);
            let prepared = prepared.map_err(|error| match error {
                AnyDecisionError::Position(error) => position_refusal(error),
                AnyDecisionError::Plays(_) | AnyDecisionError::NoPlays => Refusal::invalid(error).with_field("plays"),
                AnyDecisionError::NoNets(_) => Refusal::invalid(error).with_field("game"),
                error => Refusal::invalid(error).with_field("policy"),
            })?;
            let workers = Arc::clone(&server.workers);
            let decide = move |running: &RunningJob| {
                let start = Instant::now();
                let found = prepared.decide(&workers, running.cancel(), |progress| show_decision(progress, running));
                let found: AnyDecision = found.map_err(|Stopped| NO_RESULT.to_owned())?;
                let is_cancelled = found.ended_by == EndReason::Cancelled;
                let result = game_decision::json(&prepared, &found, start.elapsed(), None);
                running.finish(&Remarked::new(result, prepared.remark()), is_cancelled);
                Ok(())
            };
            Ok(Box::new(decide) as Work)
        };
        begin(server, "decide", prepare).await
    }

    /// Begins a rollout.
    pub(super) async fn rollout(
        self,
        server: &Arc<Server>,
        position: String,
        options: OptionTexts,
    ) -> Result<Response, Refusal> {
        let prepare = move |server: &Arc<Server>| {
            self.check_policy(options.get("policy"), &[Uniform::NAME])?;
            let foreign = options.names_set().find(|name| !ROLLOUT_OPTIONS.contains(name));
            if let Some(option) = foreign.map(str::to_owned) {
                let (game, known) = (self.0, ROLLOUT_OPTIONS.join(", "));
                let reason = format!("rollouts of {game} do not have this option: they have {known}");
                return Err(refused(RolloutError::Option { option, reason }));
            }
            self.visit(RolloutBeginner { position: &position, texts: options, server })
        };
        begin(server, "rollout", prepare).await
    }

    /// Begins playouts.
    pub(super) async fn playouts(self, server: &Arc<Server>, asked: PlayoutRequest) -> Result<Response, Refusal> {
        let prepare = move |server: &Arc<Server>| self.visit(PlayoutsBeginner { asked, server });
        begin(server, "playouts", prepare).await
    }

    /// Refuses a policy that is neither a net of the game that is built in, which may look ahead, nor one of `others`:
    /// files and tables of the machine are not for clients.
    fn check_policy(self, policy: Option<&str>, others: &[&str]) -> Result<(), Refusal> {
        let Some(policy) = policy else {
            return Ok(());
        };
        let nets = built_in_nets().filter(|(game, _)| *game == self.0).map(|(_, name)| name);
        let names: Vec<&str> = nets.chain(others.iter().copied()).collect();
        let net = split_look_ahead(policy).map_or(policy, |(net, _)| net);
        match names.contains(&net) {
            true => Ok(()),
            false => Err(Refusal::invalid(format_args!(
                "'{}' is no player of {} of this server: choose one of {}",
                Quoted::new(policy),
                self.0,
                names.join(", ")
            ))
            .with_field("policy")),
        }
    }
}

/// The answer to options that are refused.
fn refused(error: RolloutError) -> Refusal {
    refused_by(error.option(), &error)
}

/// The answer to an option of this name that is refused.
pub(super) fn refused_by(option: Option<&str>, error: &dyn ToString) -> Refusal {
    let refusal = Refusal::invalid(error.to_string());
    match option {
        Some(option) => refusal.with_field(option.to_owned()),
        None => refusal,
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

fn unreadable(error: PositionError) -> Refusal {
    Refusal::new(StatusCode::BAD_REQUEST, "invalid_position_id", error).with_field("position")
}

impl<G: PlayableGame> RequestedTurn<G> {
    /// Reads a turn of a game that goes on.
    fn read(asked: TurnTexts<'_>, tier: Tier, seed: u64) -> Result<RequestedTurn<G>, Refusal> {
        let asked = RequestedTurn::<G>::read_or_end(asked, tier, seed)?;
        match check_goes_on(&asked.game, &asked.turn.position) {
            Ok(()) => Ok(asked),
            Err(failure) => Err(Refusal::invalid(failure).with_field("position")),
        }
    }

    /// Reads a turn, or a position in which the game is over.
    fn read_or_end(asked: TurnTexts<'_>, tier: Tier, seed: u64) -> Result<RequestedTurn<G>, Refusal> {
        let rules = asked.rules.unwrap_or(G::RULES[0]);
        let game = G::by_rules(rules, tier, seed).map_err(|error| Refusal::invalid(error).with_field("rules"))?;
        let read = match asked.position.trim() {
            START => ReadTurn { position: game.start(), chance: None, remark: None },
            text => game.read_turn(text).map_err(unreadable)?,
        };
        let remark = read.remark.clone();
        let (name, roll) = asked.roll;
        let turn =
            Turn::from_read_turn(&game, read, roll).map_err(|failure| Refusal::invalid(failure).with_field(name))?;
        let rules = rules.to_owned();
        Ok(RequestedTurn { game, turn, rules, remark })
    }
}

/// Values a position, or the plays of a roll, in the game that it visits.
struct Evaluation<'a> {
    asked: TurnTexts<'a>,
    tier: Tier,
    /// The most plays that are answered; `None` for those of a position without a roll.
    most: Option<usize>,
    stop: &'a dyn Fn() -> bool,
}

impl Visitor for Evaluation<'_> {
    type Output = Result<String, Refusal>;

    fn visit<G: PlayableGame>(self) -> Result<String, Refusal> {
        let RequestedTurn { game, turn, rules, remark } = RequestedTurn::<G>::read_or_end(self.asked, self.tier, 0)?;
        if self.most.is_some() && turn.chance.is_none() && game.points(&turn.position).is_none() {
            return Err(Refusal::invalid("plays are those of a roll: name it").with_field("roll"));
        }
        let game = Arc::new(game);
        let (by, evaluator) = choice_evaluator(&game, None).map_err(Refusal::invalid)?;
        let json = GameValueJson::new(&game, &turn, (by, &evaluator), &rules, self.stop);
        let mut json = json.map_err(|Stopped| Refusal::interrupted())?;
        if let Some(most) = self.most {
            json.keep(most);
        }
        let unlearned = match G::HEURISTICS.contains(&by) {
            true => None,
            false => remark_on_values(&*game, by, &rules),
        };
        json_text(&Remarked::new(json, remark.into_iter().chain(unlearned)), true).map_err(|_| Refusal::internal())
    }
}

/// Reads a rollout of the game that it visits.
struct RolloutBeginner<'a> {
    position: &'a str,
    texts: OptionTexts,
    server: &'a Arc<Server>,
}

impl Visitor for RolloutBeginner<'_> {
    type Output = Result<Work, Refusal>;

    fn visit<G: PlayableGame>(mut self) -> Result<Work, Refusal> {
        let [roll, rules, policy] = ["roll", "rules", "policy"].map(|name| self.texts.take(name));
        let named = self.texts.take_plays().unwrap_or_default();
        let options = self.texts.options().map_err(refused)?;
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
        self.standings().first().map(|best| BestCandidate {
            moves: self.candidates()[best.candidate].moves.clone(),
            equity: best.equity.mean,
            standard_error: best.equity.standard_error,
        })
    }
}

/// Reads playouts of the game that it visits.
struct PlayoutsBeginner<'a> {
    asked: PlayoutRequest,
    server: &'a Server,
}

impl Visitor for PlayoutsBeginner<'_> {
    type Output = Result<Work, Refusal>;

    fn visit<G: PlayableGame>(self) -> Result<Work, Refusal> {
        let of = &self.asked;
        let seed = of.seed.unwrap_or(DEFAULT_SEED);
        let first_roll = of.first_roll.as_deref().filter(|roll| *roll != "any");
        let asked = TurnTexts {
            position: of.position.as_deref().unwrap_or(START),
            rules: of.rules.as_deref(),
            roll: ("first_roll", first_roll),
        };
        let RequestedTurn { game, turn, rules, remark } = RequestedTurn::<G>::read(asked, self.server.tier, seed)?;
        let Turn { position, chance } = turn;
        let start = PlayoutStart { chance, ..PlayoutStart::new(position) };
        let policies = [Uniform::NAME; 2].map(str::to_owned);
        let settings = PlayoutDescription::for_game(&game, &start, (&rules, seed), policies);
        let run = Run::new(GamePlayouts::new(Arc::new(game), start), of.limit).from_game(of.first_game);
        let run = run.map_err(|error| Refusal::invalid(error).with_field("first_game"))?;
        Ok(play_games(self.server, run, remark, |report, clock| {
            let report = report.map(|tally| Summary::from_game_tally::<G>(&tally));
            RunJson::new(settings, report, clock)
        }))
    }
}

/// Shows how far a decision is.
fn show_decision(progress: &AnyDecisionProgress, running: &RunningJob) {
    let best = progress.plays.first().filter(|best| best.raced.trials > 0);
    let best = best.map(|best| BestCandidate {
        moves: Some(best.play.moves.clone()),
        equity: best.raced.equity.mean,
        standard_error: best.raced.equity.standard_error,
    });
    running.show_trials(&progress.games, progress.trials, best);
}
