//! Games from many positions in one batch, compared with the same positions one at a time, on one core.
//!
//! Batches and single positions are timed in turn, so a slow machine slows both; the result is the ratio of their plies
//! per second. The positions come from random games. Every batch is compared with its recorded tally, and its first
//! rows with the positions alone, so a batch that plays other games fails.
//!
//! `cargo bench -p tavli-bench --bench many_positions` prints, for each rule set and tier, the median of the ratios and
//! their range.

use core::num::NonZeroU32;
use core::ops::Range;
use std::env;
use std::hint::black_box;
use std::time::Duration;

use tavli::playout::ManyPlayouts;
use tavli::run::thread_cpu_time;
use tavli::{NO_STOP, Playouts, RuleSet, Tier};

/// Timed runs of each.
const ROUNDS: usize = 9;
/// Games of a position that is played alone. With so many, lanes that idle at the start and at the end matter little.
const ALONE: u64 = 46_656;
/// Every 25th position of a batch is also played alone.
const STEP: usize = 25;

/// A batch: its positions, the games of each, and the plies and wins of all games under each rule set, equal on every
/// tier.
struct Case {
    positions: usize,
    games: Range<u64>,
    recorded: [(RuleSet, u128, u64); 2],
}

const CASES: [Case; 2] = [
    Case {
        positions: 1000,
        games: 0..36,
        recorded: [(RuleSet::Backgammon, 2_156_379, 17_743), (RuleSet::McGammon, 1_848_972, 18_072)],
    },
    Case {
        positions: 50_000,
        games: 0..1,
        recorded: [(RuleSet::Backgammon, 2_909_790, 25_484), (RuleSet::McGammon, 2_472_982, 26_060)],
    },
];

/// Positions of random games, after one ply to a hundred.
fn positions(rules: RuleSet, number: usize) -> Vec<Playouts> {
    let start = Playouts::new(rules.start(), rules, 99).expect("the game is not over at the start");
    let reached = (0..).filter_map(|game| {
        let plies = NonZeroU32::new(1 + (game % 100) as u32).expect("not 0");
        let board = start.truncated_after(plies).play(game).board;
        Playouts::new(board, rules, 1).ok()
    });
    reached.take(number).collect()
}

/// Plies per second of processor time; `play` returns its plies.
fn rate(play: impl FnOnce() -> u128) -> f64 {
    let used = |before: Duration| thread_cpu_time().expect("a clock") - before;
    let before = used(Duration::ZERO);
    let plies = play();
    plies as f64 / used(before).as_secs_f64()
}

/// Plays a batch, checks it, and returns its plies.
fn play(many: &ManyPlayouts, tier: Tier, case: &Case, rules: RuleSet) -> u128 {
    let tallies = black_box(many).run(tier, case.games.clone(), NO_STOP).unwrap();
    let plies = tallies.iter().map(|tally| tally.plies).sum();
    let wins = tallies.iter().map(|tally| tally.wins()).sum();
    assert!(
        case.recorded.contains(&(rules, plies, wins)),
        "{rules} on tier {tier}: {} positions have {plies} plies and {wins} wins",
        case.positions
    );
    plies
}

fn main() {
    // In a test each batch is played once.
    let has = |wanted: &str| env::args().any(|argument| argument == wanted);
    let measures = has("--bench") && !has("--test");
    for rules in [RuleSet::Backgammon, RuleSet::McGammon] {
        for case in &CASES {
            let rows = positions(rules, case.positions);
            let many = ManyPlayouts::new(rows.iter().copied()).expect("one kind of rows");
            for &tier in Tier::available() {
                play(&many, tier, case, rules);
                for (row, tally) in rows[..20].iter().zip(many.run(tier, case.games.clone(), NO_STOP).unwrap()) {
                    let alone = row.run(tier, case.games.clone(), NO_STOP).unwrap().tally;
                    assert_eq!((tally.outcomes, tally.plies), (alone.outcomes, alone.plies));
                }
                if measures {
                    measure(&many, &rows, tier, case, rules);
                }
            }
        }
    }
}

/// Times a batch and the positions alone in turn, and prints the ratio.
fn measure(many: &ManyPlayouts, rows: &[Playouts], tier: Tier, case: &Case, rules: RuleSet) {
    // Slower tiers play fewer positions and games, so that every tier takes about as long.
    let (step, games) = match tier {
        Tier::Portable => (rows.len() / 40, ALONE / 32),
        _ => (rows.len() / 1000 * STEP, ALONE),
    };
    let alone = || -> u128 {
        let rows = rows.iter().step_by(step);
        rows.map(|row| black_box(row).run(tier, 0..games, NO_STOP).unwrap().tally.plies).sum()
    };
    let mut rates = Vec::new();
    let mut ratios: Vec<f64> = (0..ROUNDS)
        .map(|_| {
            let alone = rate(alone);
            rates.push(alone);
            rate(|| play(many, tier, case, rules)) / alone
        })
        .collect();
    ratios.sort_unstable_by(f64::total_cmp);
    rates.sort_unstable_by(f64::total_cmp);
    println!(
        "{rules} on {tier}, {} positions of {} games: {:.3} ({:.3} to {:.3}) of {:.1} million plies a second alone",
        case.positions,
        case.games.end,
        ratios[ROUNDS / 2],
        ratios[0],
        ratios[ROUNDS - 1],
        rates[ROUNDS / 2] / 1e6
    );
}
