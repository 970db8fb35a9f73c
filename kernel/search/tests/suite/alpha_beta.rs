//! Alpha-beta with a table against minimax without pruning: the same best choices with the same value.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tavli_backgammon::{BackgammonGame, NO_STOP};
use tavli_base::Stopped;
use tavli_draughts::Draughts;
use tavli_game::streams::mixed;
use tavli_game::{Game, GameSource, PlayableGame};
use tavli_search::{AlphaBeta, AlphaBetaError, Expectimax, ExpectimaxReport, Heuristic, POINT, Pruning};
use tavli_search::{GameHeuristic, ValuedChoice};
use tavli_simd::Tier;
use tavli_tictactoe::TicTacToe;

use crate::tic_tac_toe;

/// A made-up game of few positions, so that many lines lead to each, some of them in circles.
#[derive(Debug)]
struct Rooms {
    seed: u64,
    rooms: u64,
}

impl Rooms {
    fn number(&self, position: u64, what: u64) -> u64 {
        mixed(self.seed ^ mixed(position ^ mixed(what)))
    }
}

impl Game for Rooms {
    type Position = u64;

    fn chances(&self) -> &[u32] {
        &[1]
    }

    fn choices(&self, position: &u64, _: usize) -> usize {
        1 + (self.number(*position, 1) % 5) as usize
    }

    fn result(&self, position: &u64, _: usize, choice: usize) -> u64 {
        self.number(*position, 10 + choice as u64) % self.rooms
    }

    fn points(&self, position: &u64) -> Option<i32> {
        let number = self.number(*position, 2);
        (*position > 0 && number.is_multiple_of(11)).then_some((number >> 32) as i32 % 3)
    }

    fn change(&self, before: &u64, after: &u64) -> u64 {
        before ^ after
    }

    fn play_out(&self, _: &mut dyn GameSource<u64>, _: &dyn Fn() -> bool) {
        panic!("nothing is played out")
    }
}

/// Few values, so that many are equal.
#[derive(Debug)]
struct Coarse(u64);

impl Heuristic<u64> for Coarse {
    fn most(&self) -> i64 {
        2 * POINT
    }

    fn values(&self, positions: &[u64], values: &mut [i64], _: &dyn Fn() -> bool) -> Result<(), Stopped> {
        for (value, &position) in values.iter_mut().zip(positions) {
            *value = ((mixed(self.0 ^ position) % 9) as i64 - 4) * (POINT / 4);
        }
        Ok(())
    }
}

/// The best choices and their value.
fn best(report: &ExpectimaxReport) -> (f64, BTreeSet<usize>) {
    let value = report.choices[0].value;
    let is_best = |choice: &&ValuedChoice| choice.is_exact && choice.value == value;
    (value, report.choices.iter().take_while(is_best).map(|choice| choice.choice).collect())
}

#[test]
fn the_best_choices_are_those_of_minimax() {
    let mut fewer = 0;
    for seed in 0..60 {
        let game = Arc::new(Rooms { seed, rooms: 40 });
        let heuristic = Arc::new(Coarse(seed));
        for depth in 1..=6 {
            let plain = Expectimax::new(Arc::clone(&game), Arc::clone(&heuristic), depth, Pruning::Expectimax);
            let plain = plain.expect("a depth").run(0, 0, NO_STOP).expect("not cancelled");
            let fast = AlphaBeta::new(Arc::clone(&game), Arc::clone(&heuristic), depth).expect("a depth");
            let fast = fast.run(0, NO_STOP).expect("not stopped");
            assert_eq!(fast.depth, depth);
            assert_eq!(best(&fast.report), best(&plain), "seed {seed}, depth {depth}");
            // All values without pruning are exact, and each bound holds.
            for choice in &fast.report.choices {
                let exact = plain.choices.iter().find(|exact| exact.choice == choice.choice);
                let exact = exact.expect("each choice").value;
                assert!(if choice.is_exact { choice.value == exact } else { choice.value >= exact });
            }
            fewer += u32::from(depth >= 5 && fast.report.evaluations * 4 < plain.evaluations);
        }
    }
    assert!(fewer > 20, "the table and the order save most evaluations: {fewer} times of 120");
}

#[test]
fn draughts_is_searched_as_by_minimax() {
    let game = Arc::new(Draughts::by_rules("english", Tier::Portable, 1).expect("rules"));
    let material = Arc::new(GameHeuristic::new(Arc::clone(&game), 0));
    let mut evaluations = [0; 2];
    for text in ["B:W21,22,23,25,26,27,28,K2:B5,6,9,10,13,K31", "W:WK14,K15,24:BK7,K8,12,20:H76"] {
        let position = game.read(text).expect("a position");
        for depth in [3, 5] {
            let plain = Expectimax::new(Arc::clone(&game), Arc::clone(&material), depth, Pruning::Expectimax);
            let plain = plain.expect("a depth").run(position, 0, NO_STOP).expect("not cancelled");
            let fast = AlphaBeta::new(Arc::clone(&game), Arc::clone(&material), depth).expect("a depth");
            let fast = fast.run(position, NO_STOP).expect("not stopped");
            assert_eq!(best(&fast.report), best(&plain), "{text}, depth {depth}");
            evaluations[0] += fast.report.evaluations;
            evaluations[1] += plain.evaluations;
        }
    }
    assert!(evaluations[0] < evaluations[1], "{evaluations:?}");
}

/// Values every position 0.
#[derive(Debug)]
struct Nothing;
impl Heuristic<tavli_tictactoe::Board> for Nothing {
    fn most(&self) -> i64 {
        POINT
    }
    fn values(&self, _: &[tavli_tictactoe::Board], values: &mut [i64], _: &dyn Fn() -> bool) -> Result<(), Stopped> {
        values.fill(0);
        Ok(())
    }
}

/// The published counts of tic-tac-toe: its games by result, the nodes of full minimax, and the nodes of alpha-beta in
/// the order of the squares, with the whole window at the root.
#[test]
fn searches_meet_the_known_numbers_of_positions() {
    let game = Arc::new(TicTacToe::by_rules("standard", Tier::Portable, 1).expect("rules"));
    let ends = Arc::new(GameHeuristic::new(Arc::clone(&game), 0));
    let start = game.start();
    let minimax = Expectimax::new(Arc::clone(&game), Arc::clone(&ends), 9, Pruning::Expectimax);
    let minimax = minimax.expect("a depth").run(start, 0, NO_STOP).expect("not stopped");
    let met = &minimax.met;
    assert_eq!(met.nodes(), 549_946);
    assert_eq!([1, -1, 0].map(|points| met.finished(points)), [131_184, 77_904, 46_080]);
    let alpha_beta = AlphaBeta::new(Arc::clone(&game), ends, 9).expect("a depth");
    let plain = alpha_beta.plain().run(start, NO_STOP).expect("not stopped").report;
    assert_eq!(plain.met.nodes(), 18_297);
    assert_eq!([1, -1, 0].map(|points| plain.met.finished(points)), [3_656, 2_425, 1_249]);
    assert_eq!(plain.choices[0], minimax.choices[0]);
    // Before the fifth ply no game is over: 1 + 9 + 72 + 504.
    for (depth, nodes) in [(1, 10), (2, 82), (3, 586)] {
        let search = Expectimax::new(Arc::clone(&game), Arc::new(Nothing), depth, Pruning::Expectimax);
        let met = search.expect("a depth").run(start, 0, NO_STOP).expect("not stopped").met;
        assert_eq!(met.nodes(), nodes, "depth {depth}");
    }
}

#[test]
fn tic_tac_toe_to_the_end() {
    let game = Arc::new(tic_tac_toe::game());
    for squares in ["---------", "X-O------", "XO--X---O", "OX--O-X--"] {
        let board = tic_tac_toe::board(squares);
        let exact = tic_tac_toe::values(board);
        let most = *exact.iter().max().expect("a choice");
        let found = AlphaBeta::new(Arc::clone(&game), Arc::new(Nothing), 9).expect("a depth");
        let found = found.run(board, NO_STOP).expect("not stopped");
        let equal = (0..exact.len()).filter(|&choice| exact[choice] == most).collect();
        assert_eq!(best(&found.report), (f64::from(most), equal), "{squares}");
    }
}

#[test]
fn a_search_that_is_stopped_has_the_last_depth() {
    let game = Arc::new(Draughts::by_rules("english", Tier::Portable, 1).expect("rules"));
    let material = Arc::new(GameHeuristic::new(Arc::clone(&game), 0));
    let deep = AlphaBeta::new(Arc::clone(&game), Arc::clone(&material), 64).expect("a depth");
    let asked = AtomicU64::new(0);
    let found = deep.run(game.start(), &|| asked.fetch_add(1, Ordering::Relaxed) >= 40);
    let found = found.expect("one choice is looked ahead before that");
    assert!((4..12).contains(&found.depth), "{}", found.depth);
    let again = AlphaBeta::new(Arc::clone(&game), material, found.depth).expect("a depth");
    let again = again.run(game.start(), NO_STOP).expect("not stopped");
    assert_eq!(best(&again.report), best(&found.report));
}

#[test]
fn depths_and_games_are_checked() {
    let game = Arc::new(Rooms { seed: 1, rooms: 9 });
    for depth in [0, 65] {
        let refused = AlphaBeta::new(Arc::clone(&game), Arc::new(Coarse(1)), depth);
        assert_eq!(refused.err(), Some(AlphaBetaError::Depth(depth)));
    }
    let backgammon = Arc::new(BackgammonGame::by_rules("backgammon", Tier::Portable, 1).expect("rules"));
    let ends = Arc::new(GameHeuristic::new(Arc::clone(&backgammon), 0));
    let refused = AlphaBeta::new(backgammon, ends, 2).err();
    assert_eq!(refused, Some(AlphaBetaError::Dice));
}
