//! Numbers of nodes, and exact laws of uniform play, against the golden ones.

use std::collections::HashMap;

use tavli_game::Game;
use tavli_simd::Tier;
use tavli_variants::{Position, SideCheckers};

use crate::support::effort::by_effort;
use crate::support::golden;
use crate::support::specified::{self, Specified, of_game};
use crate::support::threads;

fn check_perft<G: Specified>(row: &[String]) {
    let game: G = specified::game("default", Tier::Portable, 1);
    let nodes = game.perft(&game.read(&row[2]).expect("a position"), row[3].parse().expect("a depth"));
    assert_eq!([nodes.nodes, nodes.weighted].map(|number| number.to_string())[..], row[4..6], "{row:?}");
}

#[test]
fn nodes_are_as_many_as_the_golden_ones() {
    let most = by_effort(400_000, 10_000_000);
    let rows = golden::rows("perft.tsv");
    let few = rows.into_iter().filter(|row| row[4].parse::<u64>().expect("a number") <= most);
    threads::for_each(few.collect(), |row| of_game!(row[0].as_str(), check_perft(&row)));
}

/// The exact law of uniform play after some plies.
#[derive(Default)]
struct Law {
    /// Positions in which the game goes on, with their probabilities.
    positions: HashMap<Position, f64>,
    /// The probabilities of 2, 1, 0, -1 and -2 points of the player on roll at the start.
    outcomes: [f64; 5],
    /// The mean number of plays on the last ply.
    plays: f64,
}

/// Plays one ply by the law of uniform play: each roll, and then each play, is equally likely.
fn next<G: Game<Position = Position>>(game: &G, law: &Law, ply: usize) -> Law {
    let mut next = Law { outcomes: law.outcomes, ..Law::default() };
    for (position, probability) in &law.positions {
        for (roll, &weight) in game.chances().iter().enumerate() {
            let results = game.results(position, roll);
            let rolled = probability * f64::from(weight) / 36.0;
            next.plays += rolled * results.len() as f64;
            let share = rolled / results.len() as f64;
            for result in results {
                match game.points(&result) {
                    // The loser is on roll in the result; the first player made the plies of even numbers.
                    Some(points) => {
                        let won = if ply.is_multiple_of(2) { -points } else { points };
                        next.outcomes[(2 - won) as usize] += share;
                    }
                    None => *next.positions.entry(result).or_default() += share,
                }
            }
        }
    }
    next
}

fn check_law<G: Specified>(row: &[String]) {
    let game: G = specified::game("default", Tier::Portable, 1);
    let mut law = Law::default();
    law.positions.insert(game.read(&row[2]).expect("a position"), 1.0);
    for ply in 0..row[3].parse().expect("plies") {
        law = next(&game, &law, ply);
    }
    let check = |what: &str, found: f64, golden: &str| {
        let golden: f64 = golden.parse().expect("a number");
        assert!((found - golden).abs() <= 2e-9, "{what} {found}, golden {golden}: {:?}", &row[..4]);
    };
    check("over", law.outcomes.iter().sum(), &row[4]);
    for (at, found) in law.outcomes.into_iter().enumerate() {
        check("outcome", found, &row[5 + at]);
    }
    check("plays", law.plays, &row[10]);
    let expected = |checkers: &dyn Fn(&Position, usize) -> u32, golden: &str| {
        for (point, golden) in (1..).zip(golden.split(' ')) {
            let found = law.positions.iter().map(|(position, p)| p * f64::from(checkers(position, point)));
            check(&format!("checkers on {point}"), found.sum(), golden);
        }
    };
    let pinned = |side: &SideCheckers, point| u32::from(side.is_pinned(point));
    expected(&|position, point| position.own().free(point), &row[11]);
    expected(&|position, point| pinned(position.own(), point), &row[12]);
    expected(&|position, point| position.opponent().free(point), &row[13]);
    expected(&|position, point| pinned(position.opponent(), point), &row[14]);
    assert_eq!(law.positions.len().to_string(), row[15], "{:?}", &row[..4]);
}

#[test]
fn uniform_play_has_the_golden_laws() {
    let most = by_effort(1, 2);
    let rows = golden::rows("uniform_exact.tsv");
    let is_short = |row: &Vec<String>| {
        let plies: u64 = row[3].parse().expect("plies");
        plies <= most || (plies == 2 && row[1].starts_with("bearoff")) || row[1] == "start"
    };
    let rows: Vec<_> = rows.into_iter().filter(is_short).collect();
    assert!(!rows.is_empty());
    threads::for_each(rows, |row| of_game!(row[0].as_str(), check_law(&row)));
}
