//! `/playouts`: games from a position as jobs.

use std::fmt::Display;
use std::num::{NonZeroU32, NonZeroU64};
use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use serde::Deserialize;
use tavli::policies::PolicyPair;
use tavli::run::{BackgammonPlayouts, Limit, Run, remark_on_cube};
use tavli::{FirstRoll, Playouts, RuleSet, named};
use tavli_engines::serve::{Body, Refusal, Server};

use super::game_jobs::{Work, begin, play_games};
use super::other_games::{AnyGame, PlayoutRequest};
use super::rollouts::{read, reading};
use crate::arguments::{DEFAULT_SEED, first_given, or_start};
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

    /// The playouts of another game, which has fewer options.
    fn other_game_request(self) -> Result<PlayoutRequest, Refusal> {
        let of_backgammon = [
            ("truncate", self.truncate.is_some()),
            ("policy", self.policy.is_some()),
            ("opponent_policy", self.opponent_policy.is_some()),
            ("occupancy", self.occupancy),
        ];
        if let Some(option) = first_given(&of_backgammon) {
            let game = self.game.unwrap_or_default();
            let message = format!("playouts of {game} do not have the option {option}: leave it out");
            return Err(Refusal::invalid(message).with_field(option));
        }
        Ok(PlayoutRequest {
            limit: self.limit()?,
            position: self.position,
            rules: self.rules,
            seed: self.seed,
            first_roll: self.first_roll,
            first_game: self.first_game,
        })
    }

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

/// `POST /playouts`.
pub(super) async fn playouts(
    State(server): State<Arc<Server>>,
    Body(body): Body<PlayoutsBody>,
) -> Result<Response, Refusal> {
    if let Some(game) = AnyGame::named(body.game.as_deref())? {
        return game.playouts(&server, body.other_game_request()?).await;
    }
    begin(&server, "playouts", move |server| body.run(server)).await
}
