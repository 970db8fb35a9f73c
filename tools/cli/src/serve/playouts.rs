//! `/playouts`: games from a position as jobs.

use std::fmt::Display;
use std::num::{NonZeroU32, NonZeroU64};
use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use serde::Deserialize;
use tavli::games::{PlayableGame, PlayoutStart, START, Visitor};
use tavli::policies::{PolicyPair, Uniform};
use tavli::run::{BackgammonPlayouts, GamePlayouts, Limit, Run, remark_on_cube};
use tavli::{FirstRoll, Playouts, RuleSet, named};
use tavli_engines::serve::{Body, Refusal, Server};

use super::game_jobs::{Work, begin, play_games};
use super::other_games::{AnyGame, RequestedTurn, TurnTexts};
use super::rollouts::{read, reading};
use crate::arguments::{DEFAULT_SEED, first_given, or_start};
use crate::game_turn::Turn;
use crate::playout::{PlayoutDescription, RunJson, Summary};

/// The time of a run that names no end.
const DEFAULT_SECONDS: f64 = 3.0;

/// The request for playouts, as the options of `tavli playout`.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(super) struct PlayoutsBody {
    /// `None` is the start of a game.
    position: Option<String>,
    /// `None` is backgammon.
    game: Option<String>,
    rules: Option<String>,
    seed: Option<u64>,
    #[serde(default)]
    first_game: u64,
    games: Option<NonZeroU64>,
    seconds: Option<f64>,
    first_roll: Option<String>,
    truncate: Option<NonZeroU32>,
    policy: Option<String>,
    opponent_policy: Option<String>,
    #[serde(default)]
    occupancy: bool,
}

impl PlayoutsBody {
    /// When the run ends.
    fn limit(&self) -> Result<Limit, Refusal> {
        let of_seconds = |error: &dyn Display| Refusal::invalid(error).with_field("seconds");
        match (self.games, self.seconds) {
            (Some(_), Some(_)) => Err(of_seconds(&"either games or seconds end it, not both")),
            (Some(games), None) => Ok(Limit::Items(games.get())),
            (None, seconds) => {
                let time = tavli::run::seconds(seconds.unwrap_or(DEFAULT_SECONDS));
                Ok(Limit::Time(time.map_err(|error| of_seconds(&error))?))
            }
        }
    }

    /// Refuses the options that playouts of other games lack.
    fn check_options_of(&self, game: AnyGame) -> Result<(), Refusal> {
        let of_backgammon = [
            ("truncate", self.truncate.is_some()),
            ("policy", self.policy.is_some()),
            ("opponent_policy", self.opponent_policy.is_some()),
            ("occupancy", self.occupancy),
        ];
        match first_given(&of_backgammon) {
            None => Ok(()),
            Some(option) => {
                let message = format!("playouts of {} do not have the option {option}: leave it out", game.name());
                Err(Refusal::invalid(message).with_field(option))
            }
        }
    }

    /// The work of the request, in any game.
    fn work(&self, server: &Server) -> Result<Work, Refusal> {
        let Some(game) = AnyGame::named(self.game.as_deref())? else {
            return self.run(server);
        };
        self.check_options_of(game)?;
        game.visit(PlayoutsOfGame { asked: self, limit: self.limit()?, server })
    }

    /// The work in backgammon.
    fn run(&self, server: &Server) -> Result<Work, Refusal> {
        let rules: RuleSet = read("rules", self.rules.as_deref())?.unwrap_or_default();
        let asked = self.position.as_deref().map(|text| reading(text, rules)).transpose()?;
        let position = asked.map(|read| read.position);
        let given: Option<FirstRoll> = read("first_roll", self.first_roll.as_deref())?;
        let dice = position.and_then(|position| position.roll());
        let first_roll = FirstRoll::from_position(dice, given);
        let first_roll = first_roll.map_err(|error| Refusal::invalid(error).with_field("first_roll"))?;
        if self.occupancy && self.truncate.is_none() {
            let message = "occupancy is counted where games are cut off: it needs truncate";
            return Err(Refusal::invalid(message).with_field("occupancy"));
        }
        let seed = self.seed.unwrap_or(DEFAULT_SEED);
        let with_field = |field| move |error: &dyn Display| Refusal::invalid(error).with_field(field);
        let playouts = Playouts::new(or_start(position, rules), rules, seed);
        let playouts = playouts.map_err(|error| with_field("position")(&error))?;
        let playouts = playouts.with_first_roll(first_roll);
        let playouts = match self.truncate {
            Some(plies) => playouts.truncated_after(plies),
            None => playouts,
        };
        let limit = self.limit()?;
        let policy = |field, name: &Option<String>| {
            let name = name.as_deref().map(|name| server.player(name)).transpose();
            let name = name.map_err(|refusal| refusal.with_field(field))?;
            let policy = name.map(named::policy).transpose();
            policy.map_err(|error| with_field(field)(&error))
        };
        let players =
            PolicyPair::named(policy("policy", &self.policy)?, policy("opponent_policy", &self.opponent_policy)?);
        let run = Run::new(BackgammonPlayouts::new(playouts, players.clone(), server.tier), limit)
            .from_game(self.first_game)
            .map_err(|error| with_field("first_game")(&error))?;
        let (settings, occupancy) = (PlayoutDescription::for_backgammon(&playouts, &players), self.occupancy);
        let on_text = asked.and_then(|asked| asked.remark).map(|remark| remark.to_string());
        let on_cube = position.as_ref().and_then(remark_on_cube).map(str::to_owned);
        Ok(play_games(server, run, on_text.into_iter().chain(on_cube), move |report, clock| {
            let report = report.map(|results| Summary::from_results(&results, occupancy));
            RunJson::new(settings, report, clock)
        }))
    }
}

/// Playouts of the game that it visits.
struct PlayoutsOfGame<'a> {
    asked: &'a PlayoutsBody,
    limit: Limit,
    server: &'a Server,
}

impl Visitor for PlayoutsOfGame<'_> {
    type Output = Result<Work, Refusal>;

    fn visit<G: PlayableGame>(self) -> Result<Work, Refusal> {
        let of = self.asked;
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
        let run = Run::new(GamePlayouts::new(Arc::new(game), start), self.limit).from_game(of.first_game);
        let run = run.map_err(|error| Refusal::invalid(error).with_field("first_game"))?;
        Ok(play_games(self.server, run, remark, |report, clock| {
            let report = report.map(|tally| Summary::from_game_tally::<G>(&tally));
            RunJson::new(settings, report, clock)
        }))
    }
}

/// `POST /playouts`.
pub(super) async fn playouts(
    State(server): State<Arc<Server>>,
    Body(body): Body<PlayoutsBody>,
) -> Result<Response, Refusal> {
    begin(&server, "playouts", move |server| body.work(server)).await
}
