//! Search to a limited depth: against loops without pruning over games of every shape, and against looking ahead.

use core::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tavli_backgammon::evaluators::{EquityHeuristic, EvaluationConditions, Evaluator, Probabilities};
use tavli_backgammon::policies::PolicyPair;
use tavli_backgammon::{BackgammonGame, Board, NO_STOP, Outcome, Planes, RuleSet, Stopped, Tier};
use tavli_players::named::evaluator;
use tavli_players::{LookAhead, MoveFilters};
use tavli_run::Cancel;
use tavli_search::{
    Budget, Expectimax, ExpectimaxReport, Game, GameSource, Heuristic, POINT, Pruning, Search, SearchSettings,
    ValuedChoice,
};

use crate::tic_tac_toe;

/// A made-up game: its choices and its end come from a hash of all that happened.
#[derive(Debug)]
struct Maze {
    weights: Vec<u32>,
    max_choices: u64,
}

fn hash(a: u64, b: u64) -> u64 {
    let mut x = (a ^ b.wrapping_mul(0x9e37_79b9_7f4a_7c15)).wrapping_add(0x632b_e59b_d9b4_e019);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

impl Game for Maze {
    type Position = u64;

    fn chances(&self) -> &[u32] {
        &self.weights
    }

    fn choices(&self, position: &u64, chance: usize) -> usize {
        1 + (hash(*position, chance as u64) % self.max_choices) as usize
    }

    fn result(&self, position: &u64, chance: usize, choice: usize) -> u64 {
        hash(*position, 1000 + 100 * chance as u64 + choice as u64)
    }

    fn points(&self, position: &u64) -> Option<i32> {
        let number = hash(*position, 7);
        number.is_multiple_of(9).then_some((number >> 32) as i32 % 3)
    }

    fn play_out(&self, _: &mut dyn GameSource<u64>, _: &dyn Fn() -> bool) {
        panic!("nothing is played out")
    }
}

/// Counts the positions that it values.
#[derive(Debug, Default)]
struct Counting {
    /// The number of different values: few values give many ties.
    steps: i64,
    count: AtomicU64,
}

impl Counting {
    fn value(&self, position: u64) -> i64 {
        let step = hash(position, 13) as i64 % self.steps;
        2 * POINT / self.steps * step
    }
}

impl Heuristic<u64> for Counting {
    fn most(&self) -> i64 {
        2 * POINT
    }

    fn values(&self, positions: &[u64], values: &mut [i64], _: &dyn Fn() -> bool) -> Result<(), Stopped> {
        self.count.fetch_add(positions.len() as u64, Ordering::Relaxed);
        for (value, &position) in values.iter_mut().zip(positions) {
            *value = self.value(position);
        }
        Ok(())
    }

    /// The last choice: any will do.
    fn likely(&self, _: &u64, results: &[Vec<u64>]) -> Vec<usize> {
        results.iter().map(|results| results.len() - 1).collect()
    }
}

/// The value of a position `depth` choices ahead, in units of the sum of the weights to the power `depth`.
fn plain(maze: &Maze, values: &Counting, position: u64, depth: u32) -> i128 {
    let weight: u32 = maze.weights.iter().sum();
    if let Some(points) = maze.points(&position) {
        return i128::from(points) * i128::from(POINT) * i128::from(weight).pow(depth);
    }
    if depth == 0 {
        return i128::from(values.value(position));
    }
    let of_chance = |(chance, weight): (usize, &u32)| {
        let choices = plain_choices(maze, values, position, chance, depth);
        i128::from(*weight) * choices.into_iter().max().expect("a choice")
    };
    maze.weights.iter().enumerate().map(of_chance).sum()
}

fn plain_choices(maze: &Maze, values: &Counting, position: u64, chance: usize, depth: u32) -> Vec<i128> {
    (0..maze.choices(&position, chance))
        .map(|choice| {
            let result = maze.result(&position, chance, choice);
            -plain(maze, values, result, depth - 1)
        })
        .collect()
}

fn searched<G: Game, H: Heuristic<G::Position>>(
    game: &Arc<G>,
    heuristic: &Arc<H>,
    position: G::Position,
    chance: usize,
    depth: u32,
    pruning: Pruning,
) -> ExpectimaxReport {
    let search = Expectimax::new(Arc::clone(game), Arc::clone(heuristic), depth, pruning);
    let found = search.expect("a depth").run(position, chance, NO_STOP);
    found.expect("nothing stops it")
}

#[test]
fn every_pruning_finds_the_value_of_plain_loops_with_fewer_evaluations() {
    let mut evaluations = [0; 3];
    for seed in 0..60 {
        let maze = Arc::new(Maze {
            weights: [vec![1], vec![1, 2, 2], vec![3, 1, 1, 1]][seed as usize % 3].clone(),
            max_choices: [2, 5, 8][seed as usize / 3 % 3],
        });
        for (depth, steps) in [(1, 1000), (2, 3), (3, 1000), (4, 5), (5, 1000)] {
            let weight: i128 = maze.weights.iter().copied().map(i128::from).sum();
            let unit = i128::from(POINT) * weight.pow(depth - 1);
            let values = Counting { steps, ..Counting::default() };
            let root = hash(seed, 99);
            let expected = plain_choices(&maze, &values, root, 0, depth);
            let best = *expected.iter().max().expect("a choice");
            let first = expected.iter().position(|&value| value == best);
            let values = Arc::new(values);
            for (&pruning, sum) in Pruning::ALL.iter().zip(&mut evaluations) {
                let before = values.count.load(Ordering::Relaxed);
                let found = searched(&maze, &values, root, 0, depth, pruning);
                let counted = values.count.load(Ordering::Relaxed) - before;
                assert_eq!(found.evaluations, counted);
                *sum += counted;
                assert_eq!(found.choices.len(), expected.len());
                let ValuedChoice { choice, value, .. } = found.choices[0];
                assert_eq!(Some(choice), first, "{pruning}, seed {seed}, depth {depth}");
                assert_eq!(value, best as f64 / unit as f64);
                for looked in found.choices {
                    let exact = expected[looked.choice] as f64 / unit as f64;
                    if looked.is_exact {
                        assert_eq!(looked.value, exact, "{pruning}, seed {seed}");
                    } else {
                        assert!(looked.value >= exact, "{pruning}, seed {seed}");
                        assert!(looked.value < value, "{pruning}, seed {seed}");
                        assert_ne!(pruning, Pruning::Expectimax);
                    }
                }
            }
        }
    }
    let [all, star1, star2] = evaluations;
    assert!(star1 < all / 2 && star2 < all / 2, "{evaluations:?}");
}

/// Open lines.
#[derive(Debug)]
struct Lines;

impl Heuristic<tavli_tictactoe::Board> for Lines {
    fn most(&self) -> i64 {
        POINT
    }

    fn values(
        &self,
        positions: &[tavli_tictactoe::Board],
        values: &mut [i64],
        _: &dyn Fn() -> bool,
    ) -> Result<(), Stopped> {
        for (value, position) in values.iter_mut().zip(positions) {
            *value = POINT / 10 * i64::from(position.open_lines());
        }
        Ok(())
    }
}

#[test]
fn minimax_and_alpha_beta_find_the_values_of_tic_tac_toe() {
    let game = Arc::new(tic_tac_toe::game());
    for drawing in ["         ", "X   O    ", "XO       ", "XX OO    ", " X  O  XO"] {
        let position = tic_tac_toe::board(drawing);
        let values = tic_tac_toe::values(position);
        let best = *values.iter().max().expect("a choice");
        let first = values.iter().position(|&value| value == best);
        for &pruning in Pruning::ALL {
            let found = searched(&game, &Arc::new(Lines), position, 0, 9, pruning);
            let ValuedChoice { choice, value, .. } = found.choices[0];
            assert_eq!((Some(choice), value), (first, f64::from(best)), "{drawing}");
        }
    }
    // No game is over three choices ahead: all 9 * 8 * 7 positions are valued, and by alpha-beta far fewer.
    let start = tic_tac_toe::board("         ");
    let [all, alpha_beta] =
        [Pruning::Expectimax, Pruning::Star1].map(|pruning| searched(&game, &Arc::new(Lines), start, 0, 3, pruning));
    assert_eq!(all.evaluations, 504);
    assert!(alpha_beta.evaluations < 300, "{alpha_beta:?}");
    assert_eq!(all.choices[0], alpha_beta.choices[0]);
}

fn equity_after(value: &Probabilities) -> f64 {
    -value.equity()
}

#[test]
fn backgammon_is_searched_as_it_is_looked_ahead() {
    let (rules, tier) = (RuleSet::Backgammon, Tier::best());
    let td80 = evaluator("td80", NO_STOP).expect("a player");
    let ahead = LookAhead::new(Arc::clone(&td80), NonZeroU32::MIN, MoveFilters::default());
    let values = Arc::new(EquityHeuristic::new(rules, tier, Arc::clone(&td80)));
    let game = BackgammonGame::new(rules, PolicyPair::default(), tier, 1).expect("alike");
    let game = Arc::new(game);
    let mut evaluations = [0; 3];
    let end: tavli_backgammon::Position = "YwAAwBgAAAAAAA".parse().expect("a position");
    let side = |points: &[(usize, u8)]| {
        let mut counts = [0; 26];
        points.iter().for_each(|&(point, count)| counts[point] = count);
        counts
    };
    let [own, other] =
        [side(&[(25, 1), (24, 1), (13, 5), (8, 3), (6, 5)]), side(&[(24, 2), (13, 4), (8, 2), (7, 1), (6, 4), (4, 2)])];
    let on_bar = Board::new(&own, &other).expect("a position");
    // The opening, a bear-off whose end is near, and a checker on the bar.
    for (board, roll) in [(Board::START, "31"), (*end.board(), "64"), (on_bar, "42")] {
        let id = board.position_id();
        let root = game.root(&board).expect("it goes on");
        let chance = BackgammonGame::chance(roll.parse().expect("a roll"));
        let results = game.results(&root, chance);
        for (depth, by) in [(1, &*td80), (2, &ahead as &dyn Evaluator)] {
            let expected: Vec<f64> = results
                .iter()
                .map(|&result| match rules.outcome(&Board::from(result)) {
                    Some(outcome) => -f64::from(outcome.points()),
                    None => {
                        let mut value = [Probabilities::certain(Outcome::WinSingle)];
                        by.evaluate(&EvaluationConditions::new(rules, tier), &[result], &mut value)
                            .expect("nothing stops it");
                        equity_after(&value[0])
                    }
                })
                .collect();
            let best = expected.iter().copied().fold(f64::MIN, f64::max);
            for (&pruning, sum) in Pruning::ALL.iter().zip(&mut evaluations) {
                let found = searched(&game, &values, root, chance, depth, pruning);
                let ValuedChoice { choice, value, .. } = found.choices[0];
                assert!((value - best).abs() < 1e-7, "{id}, {pruning}, {depth}");
                assert!((expected[choice] - best).abs() < 1e-7, "{id}, {pruning}");
                if pruning == Pruning::Expectimax {
                    for looked in found.choices {
                        assert!((looked.value - expected[looked.choice]).abs() < 1e-7);
                    }
                }
                *sum += found.evaluations;
            }
        }
    }
    let [all, star1, star2] = evaluations;
    println!("evaluations: {all} by expectimax, {star1} by star1, {star2} by star2");
    assert!(star1 < all && star2 < all / 2, "{evaluations:?}");
}

/// Throws a switch once it is asked, and is then stopped.
#[derive(Debug)]
struct Throwing(Cancel);

impl Heuristic<Planes> for Throwing {
    fn most(&self) -> i64 {
        POINT
    }

    fn values(&self, _: &[Planes], values: &mut [i64], stop: &dyn Fn() -> bool) -> Result<(), Stopped> {
        self.0.cancel();
        values.fill(0);
        if stop() { Err(Stopped) } else { Ok(()) }
    }
}

#[test]
fn a_switch_ends_it_and_bad_depths_are_refused() {
    let game = BackgammonGame::new(RuleSet::Backgammon, PolicyPair::default(), Tier::best(), 1);
    let game = Arc::new(game.expect("alike"));
    let cancel = Cancel::new();
    let heuristic = Arc::new(Throwing(cancel.clone()));
    let new = |depth| Expectimax::new(Arc::clone(&game), Arc::clone(&heuristic), depth, Pruning::Star1);
    let root = game.root(&Board::START).expect("it goes on");
    for depth in 1..=4 {
        let found = new(depth).expect("a depth").run(root, 0, &|| cancel.is_cancelled());
        assert_eq!(found, None, "{depth}");
    }
    for depth in [0, 12] {
        let error = new(depth).map(|_| ()).unwrap_err().to_string();
        assert_eq!(error, format!("invalid depth {depth}: give 1 to 11 choices"));
    }
}

#[test]
fn trees_of_games_with_large_ends_play_fewer_simulations() {
    let maze = || Arc::new(Maze { weights: vec![1], max_choices: 2 });
    let settings = SearchSettings::default();
    let root = (0..).find(|position| maze().points(position).is_none());
    let root = root.expect("most positions go on");
    let search = |simulations| Search::new(maze(), root, 0, settings, Budget::simulations(simulations)).map(|_| ());
    let most = u64::from(settings.trees) * (i32::MAX as u64 / maze().max_points() as u64);
    assert_eq!(search(most), Ok(()));
    let error = search(most + 1).unwrap_err().to_string();
    assert!(error.contains(&most.to_string()), "{error}");
}
