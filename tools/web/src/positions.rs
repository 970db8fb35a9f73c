//! Positions.

use serde::{Deserialize, Serialize};
use tavli::text::Quoted;
use tavli::{Board, Position, RuleSet, Side, Stakes};
use tavli_web_module::{Failure, Kind, remark};

/// A position in a request.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum PositionInput {
    /// A text in any format.
    Text(String),
    /// 26 numbers, as in [`PositionJson::points`].
    Points(Vec<i64>),
}

impl PositionInput {
    pub(crate) fn read(&self) -> Result<Position, Failure> {
        match self {
            PositionInput::Text(text) => {
                let reading = Position::read(text)?;
                if let Some(found) = reading.remark {
                    remark(format_args!("'{}': {found}", Quoted::new(text.trim())));
                }
                Ok(reading.position)
            }
            PositionInput::Points(numbers) => {
                let small = |&number: &i64| i8::try_from(number).ok();
                let points: Option<Vec<i8>> = numbers.iter().map(small).collect();
                let points = points.and_then(|points| <[i8; 26]>::try_from(points).ok());
                let points = points.ok_or_else(|| {
                    let message = "points are 26 numbers of checkers, -15 to 15";
                    Failure::new(Kind::Position, message)
                })?;
                let board = Board::from_points(&points);
                let board = board.map_err(|error| Failure::new(Kind::Position, error))?;
                Ok(board.into())
            }
        }
    }
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PositionJson {
    position_id: String,
    xgid: String,
    /// Index 0 is the opponent's bar as a number <= 0, 1 to 24 are the points as the player on roll counts them, his
    /// checkers positive, and 25 is his bar.
    points: Vec<i8>,
    pips: u16,
    opponent_pips: u16,
    /// The dice of the position.
    roll: Option<String>,
    /// The outcome if the game is over, for the player on roll.
    outcome: Option<&'static str>,
    match_id: String,
    cube: u32,
    /// Absent while the cube is in the middle.
    cube_owner: Option<&'static str>,
    /// 0 in a money game.
    match_length: u16,
    score: u16,
    opponent_score: u16,
    crawford: bool,
    jacoby: bool,
    beavers: bool,
}

impl PositionJson {
    pub(crate) fn new(position: &Position, rules: RuleSet) -> Result<PositionJson, Failure> {
        let (board, context) = (position.board(), position.context());
        let (match_length, crawford, [jacoby, beavers]) = match context.stakes {
            Stakes::Money { jacoby, beavers } => (0, false, [jacoby, beavers]),
            Stakes::Match { length, crawford } => (length, crawford, [false; 2]),
        };
        let roll = position.roll_or(None)?;
        Ok(PositionJson {
            position_id: position.position_id().to_string(),
            xgid: position.xgid().to_string(),
            points: position.points().to_vec(),
            pips: board.own().pips(),
            opponent_pips: board.opponent().pips(),
            roll: roll.map(|roll| roll.to_string()),
            outcome: rules.outcome(board).map(|outcome| outcome.name()),
            match_id: position.match_id().to_string(),
            cube: 1 << context.cube.log2,
            cube_owner: context.cube.owner.map(|owner| match owner {
                Side::OnRoll => "on_roll",
                Side::Opponent => "opponent",
            }),
            match_length,
            score: context.score,
            opponent_score: context.opponent_score,
            crawford,
            jacoby,
            beavers,
        })
    }
}
