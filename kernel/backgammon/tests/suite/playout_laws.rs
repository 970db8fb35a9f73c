//! Playouts against laws that other programs found: the exact ones of the first plies and of bear-offs,
//! and statistics of whole games.
//!
//! `TAVLI_THOROUGH=1` plays millions of games for each row, as CI does.

use core::num::NonZeroU32;
use core::ops::Range;

use crate::support::effort::by_effort;
use crate::support::statistics::Draws;
use crate::support::tiers::tiers;
use crate::support::{golden, threads};
use tavli_backgammon::{Board, FirstRoll, GameEnd, NO_STOP, Outcome, Playouts, Results, RuleSet, Tally, Tier};

/// Parts of a run whose sums are compared with one another to estimate a variance.
const BATCHES: u64 = 200;

fn batches(games: u64) -> impl Iterator<Item = Range<u64>> {
    assert_eq!(games % BATCHES, 0, "batches of one size");
    let size = games / BATCHES;
    (0..BATCHES).map(move |batch| batch * size..(batch + 1) * size)
}

fn number<T: core::str::FromStr>(field: &str) -> T {
    field.parse().unwrap_or_else(|_| panic!("'{field}' is not a number"))
}

fn position(id: &str) -> Board {
    Board::from_position_id(id).expect("a golden position")
}

/// Playouts that must never be cut off: a game that reaches the truncation counts as endless.
fn to_the_end(board: Board, rules: RuleSet, seed: u64) -> Playouts {
    let cap = NonZeroU32::new(100_000).expect("not 0");
    Playouts::new(board, rules, seed).expect("a game in progress").truncated_after(cap)
}

/// Statistics of whole games.
struct Sample {
    tally: Tally,
    /// Sums of the plies of the games to the powers 0 to 4.
    powers: [u128; 5],
    /// The standard error of the mean number of plays per ply.
    se_plays: f64,
}

impl Sample {
    fn new(playouts: &Playouts, tier: Tier, games: u64) -> Sample {
        let mut tally = Tally::default();
        let mut powers = [0; 5];
        let mut parts = Vec::new();
        let mut records: Vec<GameEnd> = Vec::new();
        for range in batches(games) {
            records.clear();
            let part = playouts.run_with_ends(tier, range, &mut records, NO_STOP).unwrap().tally;
            for record in &records {
                for (power, sum) in powers.iter_mut().enumerate() {
                    *sum += u128::from(record.plies).pow(power as u32);
                }
            }
            parts.push((part.plays as f64, part.plies as f64));
            tally.merge(&part);
        }
        // The error of a quotient, from the residuals of its numerator batch by batch.
        let quotient = tally.plays as f64 / tally.plies as f64;
        let residuals = parts.iter().map(|(plays, plies)| (plays - quotient * plies).powi(2));
        let variance = residuals.sum::<f64>() / (BATCHES - 1) as f64;
        Sample { tally, powers, se_plays: (variance * BATCHES as f64).sqrt() / tally.plies as f64 }
    }

    /// Mean, standard deviation, and the standard deviation of the square of the deviation of the plies.
    fn plies(&self) -> (f64, f64, f64) {
        let [n, m1, m2, m3, m4] = self.powers.map(|sum| sum as f64);
        let [m1, m2, m3, m4] = [m1, m2, m3, m4].map(|sum| sum / n);
        let variance = m2 - m1 * m1;
        let fourth = m4 - 4.0 * m1 * m3 + 6.0 * m1 * m1 * m2 - 3.0 * m1.powi(4);
        (m1, variance.sqrt(), (fourth - variance * variance).max(0.0).sqrt())
    }
}

/// The most standard errors that two samples of one law may differ by.
const STANDARD_ERRORS: f64 = 4.0;

fn assert_within(ours: f64, theirs: f64, se: f64, rounding: f64, what: &str) {
    assert!(
        (ours - theirs).abs() <= STANDARD_ERRORS * se + rounding,
        "{what}: {ours}, golden {theirs}, standard error of the difference {se}"
    );
}

/// A row of `playout_stats.tsv` beside our sample of the same law.
fn compare(row: &[String], sample: &Sample, what: &str) {
    let games: f64 = number(&row[5]);
    let our_games = sample.tally.games as f64;
    // Two samples of one law: their errors differ by their sizes alone.
    let both = (1.0 / our_games + 1.0 / games).sqrt();

    for &outcome in Outcome::ALL {
        let theirs: f64 = number(&row[20 + outcome as usize]);
        let ours = sample.tally.count(outcome) as f64;
        let pooled = (ours + theirs) / (our_games + games);
        assert_within(
            ours / our_games,
            theirs / games,
            (pooled * (1.0 - pooled)).sqrt() * both,
            0.0,
            &format!("{what}, {outcome}"),
        );
    }

    let (sum, squares): (f64, f64) = (number(&row[26]), number(&row[27]));
    let their_mean = sum / games;
    let their_deviation = (squares / games - their_mean * their_mean).sqrt();
    let (mean, deviation, squared_deviation) = sample.plies();
    assert_within(mean, their_mean, deviation * both, 0.0, &format!("{what}, mean plies"));
    // The variance of a sample has the error of the mean of the squares; its root, that over 2 sd.
    assert_within(
        deviation,
        their_deviation,
        squared_deviation / (2.0 * deviation) * both,
        0.0,
        &format!("{what}, standard deviation of plies"),
    );
    assert_within(
        sample.tally.plays as f64 / sample.tally.plies as f64,
        number(&row[17]),
        sample.se_plays * our_games.sqrt() * both,
        5e-5,
        &format!("{what}, plays per ply"),
    );
}

#[test]
fn whole_games_are_those_of_other_programs() {
    let games = by_effort(100_000, 4_000_000);
    let rows = golden::rows(&golden::data("playout_stats.tsv"));
    for tier in tiers() {
        let mut compared = 0;
        let mut last: Option<([&str; 3], Sample)> = None;
        for row in &rows {
            let rules = match row[3].as_str() {
                "normal" => RuleSet::Backgammon,
                "mcg2" => RuleSet::McGammon,
                "mcg" => continue, // a rule that the library does not have: see the README of the data
                other => panic!("'{other}' is not a rule of playout_stats.tsv"),
            };
            let law = [row[1].as_str(), row[2].as_str(), row[3].as_str()];
            let sample = match last.take() {
                Some((same, sample)) if same == law => sample,
                _ => {
                    let first_roll: FirstRoll = row[2].parse().expect("a first-roll mode");
                    let playouts =
                        to_the_end(position(&row[1]), rules, 0x7461_766c_6900_0001).with_first_roll(first_roll);
                    Sample::new(&playouts, tier, games)
                }
            };
            assert_eq!(sample.tally.finished(), games, "a game never ended");
            let what = format!("tier {tier}, {} {} {} {}", row[0], row[2], row[3], row[4]);
            compare(row, &sample, &what);
            last = Some((law, sample));
            compared += 1;
        }
        assert_eq!(compared, 13);
    }
}

/// Checkers on the 50 points and bars at truncation: their sums, sums of squares, and largest number.
struct Checkers {
    sums: [u64; 50],
    squares: [u64; 50],
    most: [u8; 50],
}

impl Checkers {
    fn add(&mut self, record: &GameEnd) {
        if record.outcome.is_some() {
            return;
        }
        for (side, first) in [(record.board.own(), 0), (record.board.opponent(), 25)] {
            for point in side.points() {
                let (at, count) = (first + usize::from(point) - 1, side.count(point));
                self.sums[at] += u64::from(count);
                self.squares[at] += u64::from(count).pow(2);
                self.most[at] = self.most[at].max(count);
            }
        }
    }
}

#[test]
fn the_first_plies_have_their_exact_law() {
    // Rounded to nine decimals; the two programs agree to within this.
    const ROUNDING: f64 = 2e-9;
    let games = by_effort(100_000, 10_000_000);
    let rows = golden::rows(&golden::data("uniform_exact.tsv"));
    assert_eq!(rows.len(), 15);
    let rows_of_tiers = tiers().into_iter().flat_map(|tier| rows.iter().map(move |row| (tier, row)));
    threads::for_each(rows_of_tiers.collect(), |(tier, row)| {
        let what = format!("tier {tier}, {} after {} plies", row[0], row[2]);
        let plies: u32 = number(&row[2]);
        let seed = 0x7461_766c_6900_0002;
        let playouts = Playouts::new(position(&row[1]), RuleSet::Backgammon, seed).expect("a game");
        let cut = |plies| NonZeroU32::new(plies).map(|plies| playouts.truncated_after(plies));

        let mut results = Results::default();
        let mut checkers = Checkers { sums: [0; 50], squares: [0; 50], most: [0; 50] };
        let mut plays = Vec::new();
        let mut records = Vec::new();
        for range in batches(games) {
            records.clear();
            let part = cut(plies)
                .expect("at least one ply")
                .run_with_ends(tier, range.clone(), &mut records, NO_STOP)
                .unwrap();
            records.iter().for_each(|record| checkers.add(record));
            // The same games, a ply shorter, offered the plays of all plies but the last.
            let before = cut(plies - 1).map_or(0, |cut| cut.run(tier, range, NO_STOP).unwrap().tally.plays);
            plays.push((part.tally.plays - before) as f64);
            results.merge(&part);
        }

        let exact: f64 = number(&row[3]);
        let over = results.tally.finished();
        Draws::for_event(games, over, exact).assert_mean(exact, ROUNDING, || format!("{what}, games that are over"));

        // Each batch is a draw; sums of this many games are nearly normally distributed.
        let mean = plays.iter().sum::<f64>() / BATCHES as f64;
        let variance = plays.iter().map(|sum| (sum - mean).powi(2)).sum::<f64>();
        let size = (games / BATCHES) as f64;
        Draws { number: BATCHES, sum: plays.iter().sum(), variance: variance / (BATCHES - 1) as f64, reach: 0.0 }
            .assert_mean(number::<f64>(&row[4]) * size, ROUNDING * size, || format!("{what}, plays at the last ply"));

        let occupancy = &results.occupancy;
        let counted = [occupancy.next_player, occupancy.other_player].concat();
        assert_eq!(counted, checkers.sums, "{what}, occupancy of the records");
        let exact: Vec<f64> = row[5..7].iter().flat_map(|side| side.split_whitespace().map(number)).collect();
        assert_eq!(exact.len(), 50);
        for (at, &mean) in exact.iter().enumerate() {
            let n = games as f64;
            let sampled = checkers.squares[at] as f64 / n - (checkers.sums[at] as f64 / n).powi(2);
            // The least variance of an integer of this mean, for an event that was never seen.
            let least = mean.fract() * (1.0 - mean.fract());
            let never = mean < ROUNDING;
            Draws {
                number: games,
                sum: checkers.sums[at] as f64,
                variance: if never { 0.0 } else { sampled.max(least) },
                reach: f64::from(checkers.most[at].max(1)),
            }
            .assert_mean(mean, ROUNDING, || {
                let player = ["next player", "other player"][at / 25];
                format!("{what}, checkers of the {player} on {}", at % 25 + 1)
            });
        }
    });
}

#[test]
fn bear_offs_end_with_their_exact_probabilities() {
    // Rounded to twelve decimals.
    const ROUNDING: f64 = 1e-12;
    let games = by_effort(10_000, 400_000);
    let rows = golden::rows(&golden::data("bearoff_random_exact.tsv"));
    assert_eq!(rows.len(), 300);
    let rows_of_tiers = tiers().into_iter().flat_map(|tier| rows.iter().map(move |row| (tier, row)));
    threads::for_each(rows_of_tiers.collect(), |(tier, row)| {
        let seed = 0x7461_766c_6900_0003;
        let playouts = to_the_end(position(&row[0]), RuleSet::Backgammon, seed);
        let tally = playouts.run(tier, 0..games, NO_STOP).unwrap().tally;
        let what = format!("tier {tier}, {}", row[0]);
        let [win, gammon, lose, lose_gammon, plies]: [f64; 5] = core::array::from_fn(|at| number(&row[1 + at]));
        for (outcome, exact) in [
            (Outcome::WinSingle, win - gammon),
            (Outcome::WinGammon, gammon),
            (Outcome::WinBackgammon, 0.0),
            (Outcome::LoseSingle, lose - lose_gammon),
            (Outcome::LoseGammon, lose_gammon),
            (Outcome::LoseBackgammon, 0.0),
        ] {
            // A value within the rounding of 0 or 1 is exactly that.
            let exact = if exact.abs() < 2.0 * ROUNDING {
                0.0
            } else if (1.0 - exact).abs() < 2.0 * ROUNDING {
                1.0
            } else {
                exact
            };
            Draws::for_event(games, tally.count(outcome), exact)
                .assert_mean(exact, 2.0 * ROUNDING, || format!("{what}, {outcome}"));
        }

        let n = games as f64;
        let sum = tally.plies as f64;
        Draws {
            number: games,
            sum,
            variance: (tally.plies_squared as f64 / n - (sum / n).powi(2)).max(0.0),
            reach: f64::from(tally.longest),
        }
        .assert_mean(plies, ROUNDING, || format!("{what}, plies"));
    });
}

#[test]
fn small_bear_offs_are_won_with_their_exact_probability() {
    let Some(path) = golden::full("bearoff_optimal_exact.tsv") else {
        return;
    };
    let games = by_effort(10_000, 100_000);
    for tier in tiers() {
        for row in golden::rows(&path) {
            let seed = 0x7461_766c_6900_0005;
            let playouts = to_the_end(position(&row[0]), RuleSet::Backgammon, seed);
            let tally = playouts.run(tier, 0..games, NO_STOP).unwrap().tally;
            let wins = tally.wins();
            let exact: f64 = number(&row[3]);
            Draws::for_event(games, wins, exact)
                .assert_mean(exact, 1e-12, || format!("tier {tier}, {}, games won", row[0]));
        }
    }
}
