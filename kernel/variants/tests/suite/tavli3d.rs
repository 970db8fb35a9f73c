//! Ratings and choices of Tavli3D.

use tavli_simd::Tier;
use tavli_variants::{Fevga, Plakoto, Position};

use crate::support::effort::by_effort;
use crate::support::specified::{self, Specified};
use crate::support::{golden, specification};

/// The functions of Tavli3D, which [`Specified`] lacks.
trait Rated: Specified {
    fn rating(&self, position: &Position) -> i64;
    fn best(&self, position: &Position, roll: usize) -> (i64, Vec<usize>);
    fn moved(&self, position: &Position, roll: usize, larger_first: bool) -> Position;
}

impl Rated for Plakoto {
    fn rating(&self, position: &Position) -> i64 {
        self.tavli3d_rating(position)
    }

    fn best(&self, position: &Position, roll: usize) -> (i64, Vec<usize>) {
        self.tavli3d_best(position, roll)
    }

    fn moved(&self, position: &Position, roll: usize, larger_first: bool) -> Position {
        self.tavli3d_move(position, roll, larger_first)
    }
}

impl Rated for Fevga {
    fn rating(&self, position: &Position) -> i64 {
        self.tavli3d_rating(position)
    }

    fn best(&self, position: &Position, roll: usize) -> (i64, Vec<usize>) {
        self.tavli3d_best(position, roll)
    }

    fn moved(&self, position: &Position, roll: usize, larger_first: bool) -> Position {
        self.tavli3d_move(position, roll, larger_first)
    }
}

fn check_rating<G: Rated>(row: &[String]) {
    let game: G = specified::game("default", Tier::Portable, 1);
    // Seen by the side that has just played.
    let position = game.read(&row[1]).unwrap_or_else(|error| panic!("{error}"));
    let rating = game.rating(&position.swapped());
    assert_eq!(rating.to_string(), row[2], "{row:?}");
    let value = |evaluator: &str| {
        let index = G::HEURISTICS.iter().position(|&name| name == evaluator);
        game.value(&position.swapped(), index.expect("an evaluator"))
    };
    assert_eq!(value("ends"), 0.0);
    assert!(value("tavli3d").abs() < 1.0 && (value("tavli3d") > 0.0) == (rating < 0), "{row:?}");
}

fn check_choice<G: Rated>(row: &[String]) {
    let game: G = specified::game("default", Tier::Portable, 1);
    let position = game.read(&row[1]).unwrap_or_else(|error| panic!("{error}"));
    let roll = game.chance(&row[2]).expect("a roll");
    let (rating, best) = game.best(&position, roll);
    let mut results: Vec<String> = best.iter().map(|&play| game.text(&game.result(&position, roll, play))).collect();
    results.sort();
    let found =
        [rating.to_string(), game.choices(&position, roll).to_string(), best.len().to_string(), results.join(",")];
    assert_eq!(found[..], row[5..9], "{row:?}");
    let moved = game.moved(&position, roll, row[2] == game.chance_text(roll));
    assert_eq!(game.text(&moved), row[3], "{row:?}");
    let is_play = game.results(&position, roll).contains(&moved);
    assert_eq!(row[4], if is_play { "1" } else { "0" }, "{row:?}");
    // An even fraction gives the larger die first.
    let fraction = u32::from(row[2] != game.chance_text(roll));
    let choice = game.choice_of(0, &position, roll, fraction);
    let is_tavli3ds = match is_play {
        true => game.result(&position, roll, choice) == moved,
        false => best.contains(&choice),
    };
    assert!(is_tavli3ds, "{row:?}");
}

#[test]
fn ratings_are_the_golden_ones() {
    let rows = golden::rows("tavli3d_eval.tsv");
    for row in &rows {
        match row[0].as_str() {
            "plakoto" => check_rating::<Plakoto>(row),
            "fevga" => check_rating::<Fevga>(row),
            _ => {}
        }
    }
    assert!(rows.len() > 50);
}

#[test]
fn choices_are_the_golden_ones() {
    let rows = golden::rows("tavli3d_choice.tsv");
    for row in &rows {
        match row[0].as_str() {
            "plakoto" => check_choice::<Plakoto>(row),
            _ => check_choice::<Fevga>(row),
        }
    }
    assert!(rows.len() > 50);
}

/// The mean points of a player who picks a best rated play against uniform play, and their standard error.
fn mean_against_uniform<G: Rated>(games: u64) -> (f64, f64) {
    let game: G = specified::game("default", Tier::Portable, 1);
    let (mut sum, mut squares) = (0.0, 0.0);
    for number in 0..games {
        let mut random = number;
        let mut draw = |n: usize| {
            random = specification::split_mix(random, 0);
            (((random >> 32) * n as u64) >> 32) as usize
        };
        let mut position = game.start();
        let mut is_rated = number % 2 == 0;
        let points = loop {
            if let Some(points) = game.points(&position) {
                break f64::from(if is_rated { points } else { -points });
            }
            let [high, low] = [draw(6) + 1, draw(6) + 1];
            let roll = game.chance(&format!("{high}{low}")).expect("a roll");
            let choice = if is_rated {
                let (_, best) = game.best(&position, roll);
                best[draw(best.len())]
            } else {
                draw(game.choices(&position, roll))
            };
            position = game.result(&position, roll, choice);
            is_rated = !is_rated;
        };
        sum += points;
        squares += points * points;
    }
    let mean = sum / games as f64;
    (mean, ((squares / games as f64 - mean * mean) / games as f64).sqrt())
}

#[test]
fn best_rated_plays_win_as_much_as_the_golden_matches_say() {
    let games = by_effort(300, 5000);
    for (found, golden, golden_error) in [
        (mean_against_uniform::<Plakoto>(games), 1.6880, 0.0106),
        (mean_against_uniform::<Fevga>(games), 0.9700, 0.0158),
    ] {
        let (mean, error): (f64, f64) = found;
        let error = error.hypot(golden_error);
        assert!((mean - golden).abs() < 4.0 * error, "{mean}, golden {golden} ± {error}");
    }
}
