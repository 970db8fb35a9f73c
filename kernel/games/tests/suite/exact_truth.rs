//! Plakoto and Fevga with two checkers a side, solved exactly: a check of playouts, of looking ahead and of luck.
//!
//! Each ply leaves fewer pips to go, unless it is a pass. So every value follows from values with fewer pips. Two
//! positions that lead to each other by passes have their values from two equations.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex};

use tavli_backgammon::{NO_STOP, Tier};
use tavli_base::Stopped;
use tavli_games::{Estimate, Game, Heuristic, POINT, PlayableGame, PlayoutStart, Tally, built_in_net};
use tavli_search::{GameLookAhead, GreedyPlayouts};
use tavli_variants::{Fevga, Plakoto, Position};

/// Positions of Plakoto, by the points of the player on roll: mothers at home, a pin, and a race.
const PLAKOTO: [&str; 3] = ["a------a--------A------A", "----a------A*-------A----", "-A---A-------a-------a--"];

/// Positions of Fevga: with runners that have not passed, and with runners that have.
const FEVGA: [&str; 2] = ["-------A---a-----------A", "--A---A------a----a-----"];

/// How choices are made.
#[derive(Debug)]
enum Policy<P> {
    Best,
    Random,
    /// The best choice by a heuristic without looking ahead.
    Greedy(Arc<dyn Heuristic<P>>),
}

/// The values of all positions that were asked for, for the player on roll.
struct Solution<G: Game> {
    game: Arc<G>,
    policy: Policy<Position>,
    values: Mutex<HashMap<Position, f64>>,
}

impl<G: Game<Position = Position>> Solution<G> {
    fn new(game: &Arc<G>, policy: Policy<Position>) -> Solution<G> {
        Solution { game: Arc::clone(game), policy, values: Mutex::default() }
    }

    fn value(&self, position: &Position) -> f64 {
        self.solve(position, &mut self.values.lock().expect("no panic"))
    }

    fn solve(&self, position: &Position, values: &mut HashMap<Position, f64>) -> f64 {
        if let Some(points) = self.game.points(position) {
            return f64::from(points);
        }
        if let Some(&value) = values.get(position) {
            return value;
        }
        let (moved, passes, passed) = self.without_passes(position, values);
        // value = moved - passes * value of passed, and the same for `passed`.
        let value = match passed {
            None => moved,
            Some(passed) => {
                let (of_other, back, again) = self.without_passes(&passed, values);
                assert!(again.is_none_or(|again| again == *position), "two passes change nothing");
                assert!(passes * back < 1.0, "a side can move in the end");
                (moved - passes * of_other) / (1.0 - passes * back)
            }
        };
        values.insert(*position, value);
        value
    }

    /// The part of the value from rolls that can be played, the probability of the other rolls, and the position after
    /// a pass.
    fn without_passes(&self, position: &Position, values: &mut HashMap<Position, f64>) -> (f64, f64, Option<Position>) {
        let pips = |position: &Position| position.own().pips() + position.opponent().pips();
        let weights = self.game.chances();
        let all: u32 = weights.iter().sum();
        let (mut moved, mut passes, mut passed) = (0.0, 0.0, None);
        for (chance, &weight) in weights.iter().enumerate() {
            let share = f64::from(weight) / f64::from(all);
            let results = self.game.results(position, chance);
            if pips(&results[0]) == pips(position) {
                passes += share;
                passed = Some(results[0]);
                continue;
            }
            let mut value = |result: &Position| -self.solve(result, values);
            moved += share
                * match &self.policy {
                    Policy::Best => results.iter().map(value).fold(f64::NEG_INFINITY, f64::max),
                    Policy::Random => results.iter().map(value).sum::<f64>() / results.len() as f64,
                    Policy::Greedy(heuristic) => {
                        let mut found = vec![0; results.len()];
                        let valued = heuristic.values_of_results(position, &results, &mut found, NO_STOP);
                        valued.expect("nothing stops it");
                        for (found, result) in found.iter_mut().zip(&results) {
                            if let Some(points) = self.game.points(result) {
                                *found = i64::from(points) * POINT;
                            }
                        }
                        let best = (0..results.len()).min_by_key(|&choice| found[choice]);
                        value(&results[best.expect("a choice")])
                    }
                };
        }
        (moved, passes, passed)
    }
}

impl<G: Game> fmt::Debug for Solution<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Solution").field("policy", &self.policy).finish_non_exhaustive()
    }
}

impl<G: Game<Position = Position>> Heuristic<Position> for Solution<G> {
    fn most(&self) -> i64 {
        2 * POINT
    }

    fn values(&self, positions: &[Position], values: &mut [i64], _: &dyn Fn() -> bool) -> Result<(), Stopped> {
        for (value, position) in values.iter_mut().zip(positions) {
            *value = (self.value(position) * POINT as f64) as i64;
        }
        Ok(())
    }
}

fn game<G: PlayableGame>(seed: u64) -> Arc<G> {
    Arc::new(G::by_rules(G::RULES[0], Tier::best(), seed).expect("its own rules"))
}

/// The ends of random games have the exact mean.
fn check_playouts<G: PlayableGame<Position = Position>>(texts: &[&str]) -> Vec<Tally> {
    let game = game::<G>(7);
    let exact = Solution::new(&game, Policy::Random);
    let check = |text: &&str| {
        let position = game.read(text).expect("a position");
        let tally = PlayoutStart::new(position).run(&*game, 0..200_000, NO_STOP).expect("nothing stops it");
        let (found, exact) = (tally.points(), exact.value(&position));
        assert!((found.mean - exact).abs() < 4.5 * found.standard_error, "{text}: {found:?}, exactly {exact}");
        tally
    };
    texts.iter().map(check).collect()
}

#[test]
fn random_games_have_the_exact_mean() {
    let tallies = check_playouts::<Plakoto>(&PLAKOTO);
    assert!(tallies[0].count(0) > 0, "ties come up: {:?}", tallies[0]);
    check_playouts::<Fevga>(&FEVGA);
}

/// By exact values, looking ahead finds the same values, and the luck-adjusted points of each game are the value.
fn check_perfect_play<G: PlayableGame<Position = Position>>(texts: &[&str]) {
    let game = game::<G>(7);
    let exact = Arc::new(Solution::new(&game, Policy::Best));
    for text in texts {
        let position = game.read(text).expect("a position");
        let expected = exact.value(&position);
        for plies in 0..=GameLookAhead::<G>::MAX_PLIES {
            let ahead = GameLookAhead::new(Arc::clone(&game), exact.clone(), plies);
            let found = ahead.value(&position, NO_STOP).expect("nothing stops it") as f64 / POINT as f64;
            assert!((found - expected).abs() < 1e-7, "{text}, {plies} plies: {found}, exactly {expected}");
        }
        let player = GameLookAhead::new(Arc::clone(&game), exact.clone(), 0);
        let playouts = GreedyPlayouts::new(Arc::clone(&game), player, 3).measuring_luck(true);
        let mut ends = Vec::new();
        for number in 0..100 {
            let played = playouts.play(&position, number, NO_STOP).expect("nothing stops it");
            let luck = played.luck.expect("it is measured") as f64 / POINT as f64;
            let found = f64::from(played.points) - luck;
            assert!((found - expected).abs() < 1e-6, "{text}, game {number}: {found}, exactly {expected}");
            ends.push(played.points);
        }
        ends.sort_unstable();
        ends.dedup();
        assert!(ends.len() > 1, "{text}: both sides win");
    }
}

#[test]
fn perfect_play_less_its_luck_is_the_exact_value() {
    check_perfect_play::<Plakoto>(&PLAKOTO);
    check_perfect_play::<Fevga>(&FEVGA);
}

/// The luck that a net measures has the mean 0: luck-adjusted points have the exact mean of its games.
fn check_luck<G: PlayableGame<Position = Position>>(texts: &[&str]) {
    let game = game::<G>(7);
    let net = built_in_net(&*game, "strong").expect("a net");
    let exact = Solution::new(&game, Policy::Greedy(Arc::clone(&net)));
    let best = Solution::new(&game, Policy::Best);
    let player = GameLookAhead::new(Arc::clone(&game), net, 0);
    let playouts = GreedyPlayouts::new(Arc::clone(&game), player, 3).measuring_luck(true);
    for text in texts {
        let position = game.read(text).expect("a position");
        let (mut sums, games) = ([[0.0; 2]; 2], 2000);
        for number in 0..games {
            let played = playouts.play(&position, number, NO_STOP).expect("nothing stops it");
            let points = f64::from(played.points);
            let luck = played.luck.expect("it is measured") as f64 / POINT as f64;
            for (sums, value) in sums.iter_mut().zip([points, points - luck]) {
                *sums = [sums[0] + value, sums[1] + value * value];
            }
        }
        let expected = exact.value(&position);
        for [sum, squares] in sums {
            let found = Estimate::from_sums(games, sum, squares);
            println!("{text}: {found:?}, exactly {expected}, by perfect play {}", best.value(&position));
            assert!(
                (found.mean - expected).abs() < 4.5 * found.standard_error,
                "{text}: {found:?}, exactly {expected}"
            );
        }
    }
}

#[test]
fn the_luck_of_a_net_has_no_bias() {
    check_luck::<Plakoto>(&PLAKOTO);
    check_luck::<Fevga>(&FEVGA);
}
