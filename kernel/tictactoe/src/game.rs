//! The game.

use tavli_game::streams::StreamKey;
use tavli_game::{Game, GameOutcome, GameSource, PlayableGame, PositionError, RulesError, play_out_one_by_one};
use tavli_simd::Tier;

use crate::board::{Board, name};

/// Tic-tac-toe, with the playouts of a seed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TicTacToe {
    key: StreamKey,
}

impl Game for TicTacToe {
    type Position = Board;

    fn chances(&self) -> &[u32] {
        &[1]
    }

    fn choices(&self, position: &Board, _: usize) -> usize {
        position.empty().count()
    }

    fn result(&self, position: &Board, _: usize, choice: usize) -> Board {
        let square = position.empty().nth(choice);
        position.marked(square.expect("a choice is one of the empty squares"))
    }

    fn points(&self, position: &Board) -> Option<i32> {
        position.points()
    }

    fn max_points(&self) -> i32 {
        1
    }

    /// The square that is marked.
    fn change(&self, before: &Board, after: &Board) -> u64 {
        let marked = before.empty().find(|square| after.empty().all(|empty| empty != *square));
        marked.map_or(0, |square| 1 + square as u64)
    }

    fn play_out(&self, source: &mut dyn GameSource<Board>, stop: &dyn Fn() -> bool) {
        play_out_one_by_one(self, &self.key, source, stop);
    }
}

impl PlayableGame for TicTacToe {
    const NAME: &'static str = "tictactoe";
    const RULES: &'static [&'static str] = &["standard"];
    const OUTCOMES: &'static [GameOutcome] = &GameOutcome::WIN_DRAW_LOSE;

    const HEURISTICS: &'static [&'static str] = &["ends", "lines"];

    fn by_rules(rules: &str, _: Tier, seed: u64) -> Result<TicTacToe, RulesError> {
        if !Self::RULES.contains(&rules) {
            return Err(RulesError::for_game::<TicTacToe>(rules));
        }
        Ok(TicTacToe { key: StreamKey::new(seed) })
    }

    fn start(&self) -> Board {
        Board::START
    }

    fn read(&self, text: &str) -> Result<Board, PositionError> {
        Board::read(text)
    }

    fn text(&self, position: &Board) -> String {
        position.text()
    }

    fn drawing(&self, position: &Board) -> String {
        position.drawing()
    }

    fn chance(&self, _: &str) -> Option<usize> {
        None
    }

    fn chance_text(&self, _: usize) -> String {
        String::new()
    }

    fn moves(&self, position: &Board, _: usize, choice: usize) -> String {
        let square = position.empty().nth(choice);
        name(square.expect("a choice is one of the empty squares"))
    }

    fn numbers(&self, position: &Board) -> Vec<(&'static str, Vec<i32>)> {
        vec![("squares", position.squares().to_vec()), ("side", vec![position.side()])]
    }

    /// `lines` is the number of lines still open to a player less those open to the other, a tenth of a point each.
    fn value(&self, position: &Board, heuristic: usize) -> f64 {
        match Self::HEURISTICS[heuristic] {
            // With at most 8 open lines, no value is as far from 0 as a won game.
            "lines" => f64::from(position.open_lines()) / 10.0,
            _ => 0.0,
        }
    }
}
