//! `/v1`: the engine protocol of Nodots, version 1.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use tavli::cube::Action;
use tavli::evaluation::PositionValue;
use tavli::evaluation::RankedPlay;
use tavli::evaluators::Probabilities;
use tavli::plays::Moves;
use tavli::{Board, Context, Cube, Position, Roll, Side, Stakes, TurnStage};

use super::refusal::{Body, Refusal};
use super::server::Server;
use crate::answers;

/// The best plays of an answer.
const CANDIDATES: usize = 10;

/// The request. Members that a later edition of the protocol adds are passed over.
#[derive(Deserialize, Debug)]
#[serde(rename_all = "camelCase")]
pub(super) struct HintRequest {
    position_id: String,
    #[serde(default)]
    position_id_convention: Convention,
    dice: Option<[u8; 2]>,
    active_player_color: Color,
    /// The board is seen from the active player's side, whichever way he goes.
    #[serde(rename = "activePlayerDirection")]
    _direction: Direction,
    cube_value: u32,
    cube_owner: Option<Color>,
    /// The points of white and of black.
    match_score: [u16; 2],
    /// 0 or 1 in money games.
    match_length: u16,
    crawford: bool,
    jacoby: bool,
    beavers: bool,
}

/// Whose checkers a Position ID begins with.
#[derive(Clone, Copy, Deserialize, Debug, Default)]
#[serde(rename_all = "kebab-case")]
enum Convention {
    #[default]
    OpponentFirst,
    OnRollFirst,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize, Serialize, Debug)]
#[serde(rename_all = "lowercase")]
enum Color {
    White,
    Black,
}

#[derive(Deserialize, Debug)]
#[serde(rename_all = "lowercase")]
enum Direction {
    Clockwise,
    Counterclockwise,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Health {
    status: &'static str,
    engine_name: &'static str,
    engine_version: &'static str,
    protocol_version: &'static str,
}

#[derive(Serialize)]
pub(super) struct MoveResponse {
    moves: Vec<MoveStep>,
    equity: f64,
    candidates: Vec<MoveHint>,
}

#[derive(Serialize)]
struct MoveHint {
    moves: Vec<MoveStep>,
    evaluation: EvaluationJson,
    equity: f64,
    rank: usize,
    difference: f64,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct MoveStep {
    from: u8,
    to: u8,
    move_kind: &'static str,
    is_hit: bool,
    player: Color,
    from_container: &'static str,
    to_container: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct EvaluationJson {
    win: f64,
    win_gammon: f64,
    win_backgammon: f64,
    lose_gammon: f64,
    lose_backgammon: f64,
    /// In money games, without the cube.
    equity: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    cubeful_equity: Option<f64>,
}

/// The answer about a double of the active player, or his resignation.
#[derive(Serialize)]
pub(super) struct ActionResponse {
    action: &'static str,
    equity: f64,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TakeResponse {
    action: &'static str,
    take_equity: f64,
    drop_equity: f64,
}

impl Color {
    fn other(self) -> Color {
        match self {
            Color::White => Color::Black,
            Color::Black => Color::White,
        }
    }
}

impl HintRequest {
    /// The position before the active player's roll.
    fn position(&self) -> Result<Position, Refusal> {
        let board = Board::from_position_id(&self.position_id).map_err(|error| {
            Refusal::new(StatusCode::BAD_REQUEST, "invalid_position_id", error).with_field("positionId")
        })?;
        let board = match self.position_id_convention {
            Convention::OpponentFirst => board,
            Convention::OnRollFirst => board.swapped(),
        };
        self.seen_by(self.active_player_color, board, TurnStage::ToRoll)
    }

    /// The position of the player who has doubled the active one.
    fn doubled(&self) -> Result<Position, Refusal> {
        let taker = *self.position()?.board();
        if self.cube_owner == Some(self.active_player_color) {
            return Err(Refusal::invalid("the active player owns the cube, so the opponent cannot offer it")
                .with_field("cubeOwner"));
        }
        self.seen_by(self.active_player_color.other(), taker.swapped(), TurnStage::Doubled)
    }

    fn seen_by(&self, on_roll: Color, board: Board, stage: TurnStage) -> Result<Position, Refusal> {
        if !self.cube_value.is_power_of_two() {
            let message = format_args!("a cube is 1, 2, 4 or so on, not {}", self.cube_value);
            return Err(Refusal::invalid(message).with_field("cubeValue"));
        }
        let [white, black] = self.match_score;
        let (score, opponent_score) = match on_roll {
            Color::White => (white, black),
            Color::Black => (black, white),
        };
        let (stakes, score, opponent_score) = match self.match_length {
            0 | 1 => {
                let (jacoby, beavers) = (self.jacoby, self.beavers);
                (Stakes::Money { jacoby, beavers }, 0, 0)
            }
            length => {
                let crawford = self.crawford;
                (Stakes::Match { length, crawford }, score, opponent_score)
            }
        };
        let owner = self.cube_owner.map(|owner| match owner == on_roll {
            true => Side::OnRoll,
            false => Side::Opponent,
        });
        let context = Context::default();
        let mut context = Context {
            stage,
            stakes,
            score,
            opponent_score,
            cube: Cube { log2: self.cube_value.ilog2() as u8, owner, ..context.cube },
            ..context
        };
        context.cube.raise_limit();
        context.decision = context.awaited();
        Position::new(board, context).map_err(Refusal::invalid)
    }

    fn roll(&self) -> Result<Roll, Refusal> {
        let missing = || Refusal::invalid("dice are missing").with_field("dice");
        let [first, second] = self.dice.ok_or_else(missing)?;
        Roll::new(first, second).map_err(|error| Refusal::invalid(error).with_field("dice"))
    }
}

impl EvaluationJson {
    fn new(value: &Probabilities, cubeful_equity: Option<f64>) -> EvaluationJson {
        let [win, win_gammon, win_backgammon, lose_gammon, lose_backgammon] =
            [1, 2, 3, -2, -3].map(|points| value.at_least(points));
        EvaluationJson {
            win,
            win_gammon,
            win_backgammon,
            lose_gammon,
            lose_backgammon,
            equity: value.equity(),
            cubeful_equity,
        }
    }
}

fn steps(moves: &Moves, player: Color) -> Vec<MoveStep> {
    let steps = moves.steps().iter().map(|step| {
        // The bar is 0 here.
        let from = if step.from == 25 { 0 } else { step.from };
        let (from_container, to_container, move_kind) = match (from, step.to) {
            (0, _) => ("bar", "point", "reenter"),
            (_, 0) => ("point", "off", "bear-off"),
            _ => ("point", "point", "point-to-point"),
        };
        MoveStep { from, to: step.to, move_kind, is_hit: step.hit, player, from_container, to_container }
    });
    steps.collect()
}

/// `GET /v1/health`.
pub(super) async fn health() -> Json<Health> {
    Json(Health {
        status: "ok",
        engine_name: "tavli",
        engine_version: env!("CARGO_PKG_VERSION"),
        protocol_version: "1",
    })
}

/// `POST /v1/move`.
pub(super) async fn plays(
    State(server): State<Arc<Server>>,
    Body(request): Body<HintRequest>,
) -> Result<Json<MoveResponse>, Refusal> {
    let (position, roll) = (request.position()?, request.roll()?);
    let ranked = server.ask(move |engine| Ok(engine.plays(&position, roll)?)).await?;
    if ranked.cancelled {
        return Err(Refusal::interrupted());
    }
    let player = request.active_player_color;
    let best = ranked.plays.first().ok_or_else(Refusal::internal)?;
    let hint = |(rank, ranked): (usize, &RankedPlay)| MoveHint {
        moves: steps(&ranked.play.moves, player),
        evaluation: EvaluationJson::new(&ranked.play.value, ranked.cubeful),
        equity: ranked.equity(),
        rank,
        difference: ranked.equity() - best.equity(),
    };
    Ok(Json(MoveResponse {
        moves: steps(&best.play.moves, player),
        equity: best.equity(),
        candidates: (1..).zip(ranked.plays.iter().take(CANDIDATES)).map(hint).collect(),
    }))
}

/// The values of a position.
async fn decision(server: &Server, position: Position) -> Result<PositionValue, Refusal> {
    server.ask(move |engine| engine.value(&position)?.ok_or_else(Refusal::interrupted)).await
}

/// The equity of a decision, with the cube if there is one.
fn equity(decision: &PositionValue) -> f64 {
    decision.cube.map_or_else(|| decision.value.equity(), |cube| cube.best())
}

/// `POST /v1/double`.
pub(super) async fn double(
    State(server): State<Arc<Server>>,
    Body(request): Body<HintRequest>,
) -> Result<Json<ActionResponse>, Refusal> {
    let decision = decision(&server, request.position()?).await?;
    let action = match decision.cube.map(|cube| cube.action) {
        Some(action) if action.doubles() => match request.cube_owner {
            Some(_) => "redouble",
            None => "double",
        },
        Some(
            Action::TooGoodTake | Action::TooGoodPass | Action::TooGoodToRedoubleTake | Action::TooGoodToRedoublePass,
        ) => "too-good",
        _ => "no-double",
    };
    Ok(Json(ActionResponse { action, equity: equity(&decision) }))
}

/// `POST /v1/take`.
pub(super) async fn take(
    State(server): State<Arc<Server>>,
    Body(request): Body<HintRequest>,
) -> Result<Json<TakeResponse>, Refusal> {
    let position = request.doubled()?;
    if server.engine.rules().outcome(position.board()).is_some() {
        return Err(Refusal::invalid("the game is over: nobody doubles").with_field("positionId"));
    }
    let decision = decision(&server, position).await?;
    let no_cube = || Refusal::invalid("the rules of this server have no cube: nobody doubles").with_field("positionId");
    let cube = decision.cube.ok_or_else(no_cube)?;
    Ok(Json(TakeResponse {
        action: answers::to_double(&decision, &position),
        take_equity: -cube.double_take,
        drop_equity: -cube.double_pass,
    }))
}

/// `POST /v1/resign`: it never offers to resign, which the protocol allows.
pub(super) async fn resign(
    State(server): State<Arc<Server>>,
    Body(request): Body<HintRequest>,
) -> Result<Json<ActionResponse>, Refusal> {
    let decision = decision(&server, request.position()?).await?;
    Ok(Json(ActionResponse { action: "none", equity: equity(&decision) }))
}
