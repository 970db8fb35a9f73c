//! `/move` and `/eval` as wildbg answers them.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Query, State};
use serde::Serialize;
use tavli::evaluators::Probabilities;
use tavli::{Board, Context, Position, Roll, Stakes};

use super::refusal::{Parameters, Refusal};
use super::server::Server;

#[derive(Serialize)]
pub(super) struct Moves {
    moves: Vec<Move>,
}

#[derive(Serialize)]
struct Move {
    play: Vec<StepJson>,
    probabilities: Shares,
}

#[derive(Serialize)]
struct StepJson {
    from: u8,
    to: u8,
}

#[derive(Serialize)]
pub(super) struct Eval {
    cube: CubeJson,
    probabilities: Shares,
}

#[derive(Serialize)]
struct CubeJson {
    double: bool,
    accept: bool,
}

/// Gammons are among the wins, and backgammons among the gammons.
#[derive(Serialize)]
struct Shares {
    win: f64,
    #[serde(rename = "winG")]
    win_gammon: f64,
    #[serde(rename = "winBg")]
    win_backgammon: f64,
    #[serde(rename = "loseG")]
    lose_gammon: f64,
    #[serde(rename = "loseBg")]
    lose_backgammon: f64,
}

impl From<&Probabilities> for Shares {
    fn from(value: &Probabilities) -> Shares {
        let [win, win_gammon, win_backgammon, lose_gammon, lose_backgammon] =
            [1, 2, 3, -2, -3].map(|points| value.at_least(points));
        Shares { win, win_gammon, win_backgammon, lose_gammon, lose_backgammon }
    }
}

/// The values of the parameters.
struct Turn {
    position: Position,
    dice: [Option<u8>; 2],
}

/// Reads the parameters. A name that is unknown or comes twice is refused: without one of its checkers the position
/// would be another.
fn read(parameters: Parameters) -> Result<Turn, Refusal> {
    let Query(parameters) = parameters?;
    let mut points: [Option<i8>; 26] = [None; 26];
    let mut dice = [None; 2];
    let mut away = [None; 2];
    for (name, value) in &parameters {
        let is_new = match name.as_str() {
            "die1" => dice[0].replace(number(name, value)?).is_none(),
            "die2" => dice[1].replace(number(name, value)?).is_none(),
            "x_away" => away[0].replace(number(name, value)?).is_none(),
            "o_away" => away[1].replace(number(name, value)?).is_none(),
            _ => {
                let place = name.strip_prefix('p').and_then(|place| place.parse::<usize>().ok());
                let place = place
                    .and_then(|place| points.get_mut(place))
                    .ok_or_else(|| Refusal::invalid(format_args!("there is no parameter '{name}'")))?;
                place.replace(number(name, value)?).is_none()
            }
        };
        if !is_new {
            return Err(Refusal::invalid(format_args!("{name} is given twice")));
        }
    }
    let board = Board::from_points(&points.map(Option::unwrap_or_default)).map_err(Refusal::invalid)?;
    let [x_away, o_away]: [u16; 2] = away.map(Option::unwrap_or_default);
    let position = Position::new(board, context(x_away, o_away)?).map_err(Refusal::invalid)?;
    Ok(Turn { position, dice })
}

fn number<T: std::str::FromStr>(name: &str, value: &str) -> Result<T, Refusal> {
    let wrong = |_| Refusal::invalid(format_args!("{name} is a small whole number, not '{value}'"));
    value.parse().map_err(wrong)
}

/// A money game if both are 0, otherwise a match; if only one player is a point away, it is the Crawford game.
fn context(x_away: u16, o_away: u16) -> Result<Context, Refusal> {
    let stakes = match (x_away, o_away) {
        (0, 0) => Stakes::default(),
        (0, _) | (_, 0) => {
            return Err(Refusal::invalid("x_away and o_away are both 0 in money games, and both 1 or more in matches"));
        }
        _ => Stakes::Match { length: x_away.max(o_away), crawford: (x_away == 1) != (o_away == 1) },
    };
    let length = x_away.max(o_away);
    Ok(Context { stakes, score: length - x_away, opponent_score: length - o_away, ..Context::default() })
}

/// `GET /move`.
pub(super) async fn plays(State(server): State<Arc<Server>>, parameters: Parameters) -> Result<Json<Moves>, Refusal> {
    let Turn { position, dice } = read(parameters)?;
    let [Some(first), Some(second)] = dice else {
        return Err(Refusal::invalid("die1 and die2 are missing: each is 1 to 6"));
    };
    let roll = Roll::new(first, second).map_err(Refusal::invalid)?;
    let ranked = server.ask(move |engine| Ok(engine.plays(&position, roll)?)).await?;
    if ranked.cancelled {
        return Err(Refusal::interrupted());
    }
    let moves = ranked.plays.iter().map(|ranked| Move {
        play: ranked.play.moves.steps().iter().map(|step| StepJson { from: step.from, to: step.to }).collect(),
        probabilities: Shares::from(&ranked.play.value),
    });
    Ok(Json(Moves { moves: moves.collect() }))
}

/// `GET /eval`.
pub(super) async fn eval(State(server): State<Arc<Server>>, parameters: Parameters) -> Result<Json<Eval>, Refusal> {
    let Turn { position, .. } = read(parameters)?;
    let decision = server.ask(move |engine| engine.value(&position)?.ok_or_else(Refusal::interrupted)).await?;
    let cube = decision.cube.map_or(
        // The game is over.
        CubeJson { double: false, accept: true },
        |cube| CubeJson { double: cube.action.doubles(), accept: cube.double_take <= cube.double_pass },
    );
    Ok(Json(Eval { cube, probabilities: Shares::from(&decision.value) }))
}
