//! The values of a position or of the plays of a roll.

use serde::Serialize;
use tavli::cube::CubeValues;
use tavli::evaluation::{RankedPlay, RankedPlays};
use tavli::evaluators::Probabilities;
use tavli::hypergammon;

use crate::cube::CubeJson;
use crate::game_turn::TurnJson;

/// The shares of the outcomes and the equity. Gammons count backgammons too.
#[derive(Clone, Copy, Serialize)]
pub(crate) struct ValueJson {
    pub(crate) equity: f64,
    pub(crate) win: f64,
    pub(crate) win_gammon: f64,
    pub(crate) win_backgammon: f64,
    pub(crate) lose: f64,
    pub(crate) lose_gammon: f64,
    pub(crate) lose_backgammon: f64,
}

/// The JSON of a play, for the player who makes it.
#[derive(Clone, Serialize)]
pub(super) struct RankedPlayJson {
    pub(super) rank: usize,
    pub(super) moves: String,
    /// The position after it, seen by the player next on roll.
    pub(super) position_id: String,
    /// Plies ahead.
    pub(super) plies: u32,
    #[serde(flatten)]
    pub(super) value: ValueJson,
    /// The equity with the cube, in money games in units of the cube, in matches equivalent to that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) cubeful_equity: Option<f64>,
    /// The equity of the best play minus this play's, both with the cube if there is one.
    pub(super) behind: f64,
}

/// The JSON of an answer.
#[derive(Serialize)]
pub(super) struct AnswerJson<'a> {
    /// The number of the line, from 1; absent if there is one position.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) line: Option<u64>,
    #[serde(flatten)]
    pub(super) turn: TurnJson<'a>,
    pub(super) evaluator: &'a str,
    #[serde(flatten)]
    pub(super) found: FoundJson<'a>,
    /// Whether the command ended early: before all plays had their values, or with a value without look-ahead.
    #[serde(skip_serializing_if = "core::ops::Not::not")]
    pub(super) interrupted: bool,
}

/// The value of a position, or the plays of its roll, the best first.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum FoundJson<'a> {
    Position {
        #[serde(flatten)]
        value: ValueJson,
        #[serde(skip_serializing_if = "Option::is_none")]
        cube: Option<CubeJson>,
    },
    Plays {
        plays: &'a [RankedPlayJson],
    },
}

/// The value of a position, or of the plays of its roll.
pub(super) enum Answer {
    /// With the decisions at all scores, if they are asked for.
    Position(ValueJson, Option<CubeValues>, Option<Vec<CubeValues>>),
    Plays(PlayRows),
}

/// The plays of a roll, the best first; plays without look-ahead follow the others.
pub(super) struct PlayRows {
    pub(super) plays: Vec<RankedPlayJson>,
    /// Whether the ranking ended before all plays had their values.
    pub(super) cancelled: bool,
}

impl<'a> From<&'a Answer> for FoundJson<'a> {
    fn from(answer: &'a Answer) -> FoundJson<'a> {
        match answer {
            Answer::Position(value, cube, _) => FoundJson::Position { value: *value, cube: cube.map(CubeJson::from) },
            Answer::Plays(PlayRows { plays, .. }) => FoundJson::Plays { plays },
        }
    }
}

impl ValueJson {
    pub(super) fn new(value: &Probabilities) -> ValueJson {
        ValueJson {
            equity: value.equity(),
            win: value.at_least(1),
            win_gammon: value.at_least(2),
            win_backgammon: value.at_least(3),
            lose: value.at_least(-1),
            lose_gammon: value.at_least(-2),
            lose_backgammon: value.at_least(-3),
        }
    }

    /// The value in the table of a solved game.
    pub(crate) fn solved(value: &hypergammon::Value) -> ValueJson {
        let [win_single, win_gammon, win_backgammon, lose_single, lose_gammon, lose_backgammon] = value.outcomes;
        let [win_gammon, lose_gammon] = [win_gammon + win_backgammon, lose_gammon + lose_backgammon];
        ValueJson {
            equity: value.equity,
            win: win_single + win_gammon,
            win_gammon,
            win_backgammon,
            lose: lose_single + lose_gammon,
            lose_gammon,
            lose_backgammon,
        }
    }

    /// The shares in the order of GNU Backgammon's rows.
    pub(crate) fn shares(&self) -> [f64; 6] {
        let ValueJson { win, win_gammon, win_backgammon, lose, lose_gammon, lose_backgammon, .. } = *self;
        [win, win_gammon, win_backgammon, lose, lose_gammon, lose_backgammon]
    }
}

impl From<RankedPlays> for PlayRows {
    fn from(ranked: RankedPlays) -> PlayRows {
        let best = ranked.plays.first().map_or(0.0, RankedPlay::equity);
        let plays = (1..).zip(&ranked.plays).map(|(rank, play)| RankedPlayJson {
            rank,
            moves: play.play.moves.to_string(),
            position_id: play.play.board.position_id().to_string(),
            plies: play.play.plies,
            value: ValueJson::new(&play.play.value),
            cubeful_equity: play.cubeful,
            behind: best - play.equity(),
        });
        PlayRows { plays: plays.collect(), cancelled: ranked.cancelled }
    }
}

impl RankedPlayJson {
    /// The equity that plays are ranked by.
    pub(super) fn equity(&self) -> f64 {
        self.cubeful_equity.unwrap_or(self.value.equity)
    }
}
