//! Ratings and choices of Tavli3D.

use tavli_simd::Tier;
use tavli_tables::{Fevga, Plakoto, Position};

use crate::support::golden;
use crate::support::specified::{self, Specified};

/// What the two games have beside what is the same for all.
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
    assert_eq!(game.rating(&position.swapped()).to_string(), row[2], "{row:?}");
}

fn check_choice<G: Rated>(row: &[String]) {
    let game: G = specified::game("default", Tier::Portable, 1);
    let position = game.read(&row[1]).unwrap_or_else(|error| panic!("{error}"));
    let roll = game.chance(&row[2]).expect("a roll");
    let (rating, best) = game.best(&position, roll);
    let mut results: Vec<String> = best
        .iter()
        .map(|&play| game.text(&game.result(&position, roll, play)))
        .collect();
    results.sort();
    let found = [
        rating.to_string(),
        game.choices(&position, roll).to_string(),
        best.len().to_string(),
        results.join(","),
    ];
    assert_eq!(found[..], row[5..9], "{row:?}");
    let moved = game.moved(&position, roll, row[2] == game.chance_text(roll));
    assert_eq!(game.text(&moved), row[3], "{row:?}");
    let is_play = game.results(&position, roll).contains(&moved);
    assert_eq!(row[4], if is_play { "1" } else { "0" }, "{row:?}");
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
