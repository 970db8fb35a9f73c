//! Playouts: the games of the specification on every tier, and the statistics of the golden data.

use tavli_base::{NO_STOP, Stopped};

use tavli_game::{GameSource, GameStart, PlayableGame, PlayoutStart};
use tavli_simd::Tier;
use tavli_variants::{Fevga, Plakoto, Position};

use crate::support::effort::by_effort;
use crate::support::golden;
use crate::support::specification;
use crate::support::specified::{self, Specified, of_game};
use crate::support::threads;
use crate::support::tiers::tiers;

/// Games from several positions in turn, and how they ended: points and plies by number.
struct Numbered {
    positions: Vec<(Position, Option<usize>)>,
    next: u64,
    end: u64,
    first: u64,
    /// How many games may be in play.
    most: u64,
    ended: u64,
    results: Vec<Option<(i32, u32)>>,
}

impl Numbered {
    fn new(positions: &[(Position, Option<usize>)], first: u64, games: u64, most: u64) -> Numbered {
        Numbered {
            positions: positions.to_vec(),
            next: first,
            end: first + games,
            first,
            most,
            ended: 0,
            results: vec![None; games as usize],
        }
    }
}

impl GameSource<Position> for Numbered {
    fn next(&mut self) -> Option<GameStart<Position>> {
        if self.next == self.end || self.next - self.first - self.ended >= self.most {
            return None;
        }
        let game = self.next;
        self.next += 1;
        let (position, chance) = self.positions[(game % self.positions.len() as u64) as usize];
        Some(GameStart { position, chance, game, tag: game + 7 })
    }

    fn end(&mut self, tag: u64, points: i32, plies: u32) {
        let result = &mut self.results[(tag - 7 - self.first) as usize];
        assert_eq!(*result, None, "game {} ended twice", tag - 7);
        *result = Some((points, plies));
        self.ended += 1;
    }
}

/// Positions of games, from their beginnings to their ends, some with a given roll.
fn positions<G: Specified>(game: &G, games: u64) -> Vec<(Position, Option<usize>)> {
    let mut all = vec![(game.start(), None)];
    for number in 0..games {
        let mut position = game.start();
        let mut random = number;
        let mut ply = 0;
        while game.points(&position).is_none() {
            random = specification::split_mix(random, 0);
            let roll = (random >> 32) as usize % 21;
            if ply % 6 == number % 6 {
                all.push((position, (ply % 4 == 0).then_some(roll)));
            }
            let choice = random as u32 as usize % game.choices(&position, roll);
            position = game.result(&position, roll, choice);
            ply += 1;
        }
    }
    all
}

/// Plays games by these rules on every tier, and compares them with the specified ones.
fn check_games<G: Specified>(rules: &str, seed: u64, first: u64, games: u64) {
    let any: G = specified::game(rules, Tier::Portable, seed);
    let positions = positions(&any, by_effort(6, 40));
    let specified: Vec<Option<(i32, u32)>> = (first..first + games)
        .map(|game| {
            let (position, roll) = positions[(game % positions.len() as u64) as usize];
            let playouts = specification::Playouts {
                start: specified::position(&position),
                rules: any.specified_rules(),
                first_roll: roll.map(|roll| specified::dice(&any.chance_text(roll))),
                seed,
            };
            let record = playouts.play(game);
            Some((record.points, record.plies))
        })
        .collect();
    for tier in tiers() {
        let game: G = specified::game(rules, tier, seed);
        for most in [u64::MAX, 40, 1] {
            let mut numbered = Numbered::new(&positions, first, games, most);
            game.play_out(&mut numbered, NO_STOP);
            for (number, (played, specified)) in numbered.results.iter().zip(&specified).enumerate() {
                assert_eq!(played, specified, "{} {rules} on {tier}, game {number} from {first}", G::NAME);
            }
        }
    }
}

#[test]
fn every_tier_plays_the_specified_games() {
    let games = by_effort(1, 20);
    let cases = vec![
        ("plakoto", "default", 1, 0, 150 * games),
        ("fevga", "default", 2, (1 << 32) - 50, 150 * games),
        ("plakoto", "mother=immediate", 3, u64::MAX - 1_000_000, 30 * games),
        ("plakoto", "pinned_blocks_bearoff=no", 4, 5, 30 * games),
        ("fevga", "r1=step,r2=off,r3=duty", 5, 5, 20 * games),
        ("fevga", "r2=occupied,r3=duty", 6, 1 << 40, 30 * games),
        ("fevga", "r1=off,r2=off,r3=off,passed=12", 7, 5, 30 * games),
    ];
    threads::for_each(cases, |(name, rules, seed, first, games)| {
        of_game!(name, check_games(rules, seed, first, games));
    });
}

/// Plays games from a golden position, whose shares of outcomes, points and plies are within four standard errors.
fn check_statistics<G: Specified>(row: &[String], rules: &str) {
    let game: G = specified::game(rules, Tier::best(), 99);
    let position = game.read(&row[2]).expect("a position");
    let games = if row[1] == "start" { by_effort(6000, 400_000) } else { by_effort(1000, 100_000) };
    let tally = PlayoutStart::new(position).run(&game, 0..games, NO_STOP).expect("nothing stops it");
    let number = |column: usize| -> f64 { row[column].parse().expect("a number") };
    let context = row[..6].join(" ");
    let golden_games = number(6);
    let check = |what: &str, found: f64, golden: f64, deviation: f64| {
        let error = deviation * (1.0 / golden_games + 1.0 / games as f64).sqrt();
        assert!((found - golden).abs() <= 4.0 * error + 1e-9, "{context}: {what} {found}, golden {golden} ± {error}");
    };
    check("plies", tally.mean_plies().mean, number(7), number(9));
    check("points", tally.points().mean, number(10), number(11) * golden_games.sqrt());
    for (column, points) in (12..17).zip([2, 1, 0, -1, -2]) {
        let share = number(column);
        // If an outcome has next to no probability, a single game of it is no failure.
        let deviation = (share * (1.0 - share)).max(1e-4).sqrt();
        check(&format!("share of {points}"), tally.count(points) as f64 / games as f64, share, deviation);
    }
}

#[test]
fn playouts_have_the_golden_statistics() {
    let rows = golden::rows("playout_stats.tsv");
    let rows: Vec<_> = rows.into_iter().filter(|row| row[0] != "portes").collect();
    assert!(rows.len() > 30, "only {} rows", rows.len());
    threads::for_each(rows, |row| {
        let rules = row[4].replace(' ', ",");
        of_game!(row[0].as_str(), check_statistics(&row, &rules));
    });
}

#[test]
fn parts_of_the_games_add_up_and_a_stop_ends_them() {
    let game: Plakoto = specified::game("default", Tier::best(), 3);
    let start = PlayoutStart::new(game.start());
    let of = |games| start.run(&game, games, NO_STOP).expect("nothing stops it");
    let mut sum = of(0..3);
    sum.merge(&of(3..500));
    assert_eq!(sum, of(0..500));
    let game: Fevga = specified::game("default", Tier::best(), 3);
    let start = PlayoutStart::new(game.start());
    assert_eq!(start.run(&game, 0..50_000, &|| true), Err(Stopped));
}

#[test]
fn outcomes_have_names_for_all_points() {
    let of = |outcomes: &[tavli_game::GameOutcome]| -> Vec<(&'static str, i32)> {
        outcomes.iter().map(|outcome| (outcome.name, outcome.points)).collect()
    };
    let mut all = vec![("win_gammon", 2), ("win_single", 1), ("tie", 0), ("lose_single", -1), ("lose_gammon", -2)];
    assert_eq!(of(Plakoto::OUTCOMES), all);
    all.remove(2);
    assert_eq!(of(Fevga::OUTCOMES), all);
}
