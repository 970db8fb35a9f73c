//! `/evaluate` and `/plays`: the value of a position, and the plays of a roll.

use std::num::NonZeroUsize;
use std::sync::Arc;

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use tavli::evaluation::RolledError;
use tavli::games::{PlayableGame, Visitor, remark_on_values};
use tavli::{Roll, Stopped, Tier};
use tavli_engines::serve::{Body, JSON, Refusal, Server};
use tavli_terminal::output::{Remarked, json_text};

use super::other_games::{AnyGame, RequestedTurn, TurnTexts};
use super::rollouts::{read, with_cube};
use crate::evaluate::{
    self,
    other_games::{GameValueJson, choice_evaluator},
};

/// The request for the value of a position.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(super) struct EvaluateBody {
    position: String,
    /// `None` is backgammon.
    game: Option<String>,
    /// The rules of another game; backgammon is played by the server's.
    rules: Option<String>,
}

/// The request for the plays of a roll.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(super) struct PlaysBody {
    position: String,
    /// `None` is backgammon.
    game: Option<String>,
    /// The rules of another game; backgammon is played by the server's.
    rules: Option<String>,
    /// `None` is the dice of the position.
    roll: Option<String>,
    /// How many of the best plays are answered; all by default.
    most: Option<NonZeroUsize>,
}

/// The game, if it is not backgammon. Refuses rules of backgammon.
fn other_game(game: Option<&str>, rules: Option<&str>) -> Result<Option<AnyGame>, Refusal> {
    let game = AnyGame::named(game)?;
    match game.is_none() && rules.is_some() {
        true => {
            let message = "rules are for other games: backgammon is valued by the rules of the server";
            Err(Refusal::invalid(message).with_field("rules"))
        }
        false => Ok(game),
    }
}

/// Values a position, or the plays of a roll, in the game that it visits.
struct ValueOfGame<'a> {
    asked: TurnTexts<'a>,
    tier: Tier,
    /// The most plays that are answered; `None` for those of a position without a roll.
    most: Option<usize>,
    stop: &'a dyn Fn() -> bool,
}

/// The answer about a position of another game; with a number of plays, about the best of them.
async fn value_of_game(
    server: &Server,
    game: AnyGame,
    (position, rules, roll): (String, Option<String>, Option<String>),
    most: Option<usize>,
) -> Result<Response, Refusal> {
    let tier = server.tier;
    let json = server.compute(move |engine| {
        let stop = || engine.cancel().is_cancelled();
        let asked = TurnTexts { position: &position, rules: rules.as_deref(), roll: ("roll", roll.as_deref()) };
        game.visit(ValueOfGame { asked, tier, most, stop: &stop })
    });
    Ok(([JSON], json.await?).into_response())
}

impl Visitor for ValueOfGame<'_> {
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

/// `POST /evaluate`.
pub(super) async fn evaluate(
    State(server): State<Arc<Server>>,
    Body(body): Body<EvaluateBody>,
) -> Result<Response, Refusal> {
    let EvaluateBody { position, game, rules } = body;
    if let Some(game) = other_game(game.as_deref(), rules.as_deref())? {
        return value_of_game(&server, game, (position, rules, None), None).await;
    }
    let (asked, cube) = with_cube(&position, server.engine.rules(), false)?;
    RolledError::check(&asked.position).map_err(|error| Refusal::invalid(error).with_field("position"))?;
    let json = server.ask(move |mut engine| {
        engine.set_cubeful(cube.is_some());
        let decision = engine.value(&asked.position)?.ok_or_else(Refusal::interrupted)?;
        Ok(evaluate::json_of_decision(&asked, &engine, &decision))
    });
    Ok(([JSON], json.await?).into_response())
}

/// `POST /plays`.
pub(super) async fn plays(State(server): State<Arc<Server>>, Body(body): Body<PlaysBody>) -> Result<Response, Refusal> {
    let most = body.most.map_or(usize::MAX, NonZeroUsize::get);
    if let Some(game) = other_game(body.game.as_deref(), body.rules.as_deref())? {
        let asked = (body.position, body.rules, body.roll);
        return value_of_game(&server, game, asked, Some(most)).await;
    }
    let (asked, cube) = with_cube(&body.position, server.engine.rules(), false)?;
    let roll: Option<Roll> = read("roll", body.roll.as_deref())?;
    let missing = || Refusal::invalid("plays are those of a roll: name it").with_field("roll");
    let roll = asked.position.roll_or(roll);
    let roll = roll.map_err(|error| Refusal::invalid(error).with_field("roll"))?;
    let roll = roll.ok_or_else(missing)?;
    let json = server.ask(move |mut engine| {
        engine.set_cubeful(cube.is_some());
        let ranked = engine.plays(&asked.position, roll)?;
        if ranked.cancelled {
            return Err(Refusal::interrupted());
        }
        Ok(evaluate::json_of_plays(&asked, roll, &engine, ranked, most))
    });
    Ok(([JSON], json.await?).into_response())
}
