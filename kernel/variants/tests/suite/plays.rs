//! The plays of golden rows, and the plays of the specification one by one.

use tavli_simd::Tier;
use tavli_variants::{Fevga, Plakoto};

use crate::support::golden::{self, PlaysRow};
use crate::support::specification::{self, Rules};
use crate::support::specified::{self, Specified, of_game};
use crate::support::threads;

/// The results of a row, sorted, and how many end the game by 2 points, by 1 and tied.
fn check_row<G: Specified>(row: &PlaysRow) {
    let game: G = specified::game(&row.rules, Tier::Portable, 1);
    let context = format!("{} {} {} {}", row.game, row.rules, row.position, row.roll);
    let position = game.read(&row.position).unwrap_or_else(|error| panic!("{context}: {error}"));
    assert_eq!(game.text(&position), row.position);
    let roll = game.chance(&row.roll).expect("a roll");
    let results = game.results(&position, roll);

    // Each play has the index that the specification gives it.
    let specified =
        specification::plays(&specified::position(&position), specified::dice(&row.roll), game.specified_rules());
    let found: Vec<_> = results.iter().map(specified::position).collect();
    assert!(found == specified, "{context}: {} plays, specified {}", found.len(), specified.len());
    assert_eq!(game.choices(&position, roll), results.len(), "{context}");
    for (index, result) in results.iter().enumerate() {
        assert_eq!(game.result(&position, roll, index), *result, "{context}: play {index}");
        assert_eq!(
            game.points(result).map(|points| -points),
            specification::points_won(&specified[index], game.specified_rules()),
            "{context}: play {index}"
        );
    }

    let mut texts: Vec<String> = results.iter().map(|result| game.text(result)).collect();
    texts.sort();
    assert_eq!(texts, row.results, "{context}");
    let ends = [-2, -1, 0].map(|points| results.iter().filter(|result| game.points(result) == Some(points)).count());
    assert_eq!(ends, row.ends, "{context}");
}

#[test]
fn plays_are_the_golden_ones_in_the_order_of_the_specification() {
    let rows = golden::plays();
    assert!(rows.len() > 100, "only {} rows", rows.len());
    threads::for_each(rows, |row| of_game!(row.game.as_str(), check_row(&row)));
}

fn check_start<G: Specified>(rules: Rules) {
    let game: G = specified::game("default", Tier::Portable, 1);
    assert_eq!(specified::position(&game.start()), specification::Position::start());
    assert_eq!(game.specified_rules(), rules);
}

#[test]
fn games_begin_as_specified() {
    check_start::<Plakoto>(Rules::PLAKOTO);
    check_start::<Fevga>(Rules::FEVGA);
}
