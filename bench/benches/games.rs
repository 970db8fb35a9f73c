//! Games played ply by ply, the cost of listing their plays alone, and games of policies.
//!
//! The counts are recorded: uniform picks give the playouts' counts, and pubeval has its own.

use criterion::{Criterion, SamplingMode, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use std::time::Duration;
use tavli::playout::Throw;
use tavli::policies::{PolicyPair, built_in};
use tavli::profile;
use tavli::stepping::Games;
use tavli::{Board, NO_STOP, Playouts, Plays, Roll, RuleSet, Tally, Tier};

const GAMES: u64 = 4096;
/// Games side by side.
const PLACES: usize = 64;

/// The plies of [`GAMES`] games from the start, and the plays offered.
fn recorded(policy: &str) -> (u128, u128) {
    match policy {
        "uniform" => (388_801, 7_232_742),
        _ => (258_472, 3_779_290),
    }
}

fn check(tally: &Tally, policy: &str) {
    let found = (tally.plies, tally.plays);
    assert_eq!(found, recorded(policy), "{policy}");
}

/// Plays the games with uniform picks, and calls `look` with each position and roll.
fn step(playouts: &Playouts, mut look: impl FnMut(Board, Roll)) -> Tally {
    let mut games = Games::new(playouts, 0..GAMES, PLACES);
    let mut picks = Vec::new();
    while !games.is_empty() {
        let plays = games.roll();
        picks.clear();
        let throws = plays.rolls().iter().zip(plays.fractions());
        picks.extend(
            throws
                .enumerate()
                .map(|(decision, (&roll, &fraction))| Throw { roll, fraction }.draw(plays.plays_of(decision)) as u32),
        );
        for (&position, &roll) in plays.positions().iter().zip(plays.rolls()) {
            look(position.into(), roll);
        }
        games.make(&picks).expect("indices of plays");
    }
    *games.tally()
}

fn games(criterion: &mut Criterion) {
    let playouts = Playouts::new(Board::START, RuleSet::Backgammon, 1).expect("a game");
    let mut situations = Vec::new();
    step(&playouts, |board, roll| situations.push(Plays::new(&board, roll, RuleSet::Backgammon)));
    let (_, results) = recorded("uniform");
    let mut group = criterion.benchmark_group("games");
    group
        .sampling_mode(SamplingMode::Flat)
        .sample_size(20)
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(3));
    // The throughput in results, for listing alone and for whole games.
    group.throughput(Throughput::Elements(results as u64));
    group.bench_function("enumerate", |bencher| {
        bencher.iter(|| {
            let mut number = 0;
            for plays in black_box(&situations) {
                number += profile::enumerate(plays) as u128;
            }
            assert_eq!(number, results);
        });
    });
    group.bench_function("step", |bencher| {
        bencher.iter(|| check(&step(black_box(&playouts), |_, _| ()), "uniform"));
    });
    group.throughput(Throughput::Elements(GAMES));
    let players = PolicyPair::alike(built_in("pubeval").expect("a policy"));
    group.bench_function("pubeval", |bencher| {
        bencher.iter(|| {
            let results = black_box(&players).run(&playouts, Tier::best(), 0..GAMES, NO_STOP).unwrap();
            check(&results.tally, "pubeval");
        });
    });
    group.finish();
}

criterion_group!(benches, games);
criterion_main!(benches);
