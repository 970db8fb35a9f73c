//! `/evaluate` and `/plays`: the value of a position, and the plays of a roll.

use std::num::NonZeroUsize;
use std::sync::Arc;

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use tavli::Roll;
use tavli::evaluation::RolledError;
use tavli_engines::serve::{Body, JSON, Refusal, Server};

use super::other_games::AnyGame;
use super::rollouts::{read, with_cube};
use crate::evaluate;

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

/// `POST /evaluate`.
pub(super) async fn evaluate(
    State(server): State<Arc<Server>>,
    Body(body): Body<EvaluateBody>,
) -> Result<Response, Refusal> {
    let EvaluateBody { position, game, rules } = body;
    if let Some(game) = other_game(game.as_deref(), rules.as_deref())? {
        return game.evaluate(&server, (position, rules, None), None).await;
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
        return game.evaluate(&server, asked, Some(most)).await;
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
