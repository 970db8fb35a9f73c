//! Answers by the table of a solved game.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use tavli::cube::{CubeInPlay, CubeModel, CubePosition, CubeValues};
use tavli::evaluators::Probabilities;
use tavli::hypergammon::Solution;
use tavli::plays::Plays;
use tavli::{Board, Playouts, Roll, RuleSet};
use tavli_terminal::failure::Failure;

use super::answer::{Answer, PlayRows, RankedPlayJson, ValueJson};
use crate::cube::{ScoreMatrix, WithCube};

const RULES: RuleSet = RuleSet::Hypergammon;

/// The table of hypergammon.
pub(super) struct HypergammonTable(Solution);

impl HypergammonTable {
    /// Reads a table.
    pub(super) fn read(path: &Path) -> Result<HypergammonTable, Failure> {
        let unreadable = |reason: &dyn std::fmt::Display| {
            Failure::usage(format_args!(
                "--table: cannot read {}: {reason}; tavli solve hypergammon --output FILE makes a table",
                path.display()
            ))
        };
        let file = File::open(path).map_err(|error| unreadable(&error))?;
        let solution = Solution::read(&mut BufReader::new(file)).map_err(|error| unreadable(&error))?;
        Ok(HypergammonTable(solution))
    }

    /// The name of the evaluator in answers.
    pub(super) const NAME: &str = "table of hypergammon";

    /// Whether it values positions with the cube.
    pub(super) fn check_cube(&self) -> Result<(), String> {
        match self.0.has_cube() {
            true => Ok(()),
            false => {
                Err("the table of --table has no equities with the cube: name one that tavli solve hypergammon --cube \
                 --output FILE made"
                    .to_owned())
            }
        }
    }

    /// The value of a position, and with a cube the decision, here and at all scores.
    pub(super) fn position(&self, asked: &WithCube, scores: Option<&ScoreMatrix>) -> Result<Answer, String> {
        let board = asked.position.board();
        if let Some(outcome) = RULES.outcome(board) {
            let value = ValueJson::new(&Probabilities::certain(outcome));
            let model = CubeModel::default();
            let cube = asked.cube.map(|cube| model.values_of_end(outcome.points(), &cube.state));
            return Ok(Answer::Position(value, cube, None));
        }
        let value = self.0.value(board).ok_or(NOT_IN_TABLE)?;
        let cube = asked.cube.map(|cube| self.with_cube(board, &cube)).transpose()?;
        let decisions = match scores {
            Some(scores) => {
                self.check_cube()?;
                let model = self.0.cube_model(board).ok_or(NOT_IN_TABLE)?;
                Some(scores.decisions(&model, &value.probabilities(), &asked.position.context().cube))
            }
            None => None,
        };
        Ok(Answer::Position(ValueJson::solved(&value), cube, decisions))
    }

    /// The plays of a roll, the best first.
    pub(super) fn plays(&self, board: &Board, roll: Roll, cube: Option<&CubeInPlay>) -> Result<PlayRows, String> {
        Playouts::new(*board, RULES, 0).map_err(|error| error.to_string())?;
        let plays = Plays::new(board, roll, RULES);
        let mut valued = Vec::new();
        for play in plays.to_vec() {
            let (moves, after) = (plays.moves(&play).to_string(), play.board());
            let (value, cubeful) = match RULES.outcome_of_play(after.opponent(), after.own()) {
                Some(outcome) => {
                    let value = Probabilities::certain(outcome);
                    let with_cube =
                        |cube| -CubePosition::after_play(cube, &after, &value.into(), 0).values_here().best();
                    (ValueJson::new(&value), cube.map(with_cube))
                }
                None => {
                    let value = self.0.value(&after).ok_or(NOT_IN_TABLE)?.reversed();
                    let of_opponent = |cube: &CubeInPlay| {
                        let state = cube.state.reversed();
                        self.with_cube(&after, &CubeInPlay { state, ..*cube })
                    };
                    let cubeful = cube.map(of_opponent).transpose()?;
                    (ValueJson::solved(&value), cubeful.map(|values| -values.best()))
                }
            };
            valued.push(RankedPlayJson {
                rank: 0,
                moves,
                position_id: after.position_id().to_string(),
                plies: 0,
                value,
                cubeful_equity: cubeful,
                behind: 0.0,
            });
        }
        valued.sort_by(|one, other| {
            let better = other.equity().total_cmp(&one.equity());
            better.then(other.value.equity.total_cmp(&one.value.equity))
        });
        let best = valued.first().map_or(0.0, RankedPlayJson::equity);
        for (rank, play) in (1..).zip(&mut valued) {
            (play.rank, play.behind) = (rank, best - play.equity());
        }
        Ok(PlayRows { plays: valued, cancelled: false })
    }

    fn with_cube(&self, board: &Board, cube: &CubeInPlay) -> Result<CubeValues, String> {
        let values = self.0.cube_values(board, &cube.state);
        values.ok_or_else(|| NOT_IN_TABLE.to_owned())
    }
}

/// Why a position has no value.
const NOT_IN_TABLE: &str = "the table has positions with one to three checkers a side, and this is not one";
