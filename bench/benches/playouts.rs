//! Whole playouts on one core, by rules and tier.
//!
//! Every run is compared with its recorded tally, so a tier that plays different games fails.

use criterion::{Criterion, SamplingMode, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use std::time::Duration;
use tavli::{Board, NO_STOP, Playouts, RuleSet, Tally, Tier};

/// Enough that the branch predictor cannot learn the games, and that the last few games of a batch, which leave lanes
/// idle, matter little.
const GAMES: u64 = 4096;
const SEED: u64 = 1;

/// The plies of [`GAMES`] games from the start, and the plays offered: the same on every tier.
fn recorded(rules: RuleSet) -> (u128, u128) {
    match rules {
        RuleSet::Backgammon => (388_801, 7_232_742),
        RuleSet::McGammon => (318_042, 6_385_140),
        _ => unreachable!("{rules} is not measured"),
    }
}

fn run(playouts: &Playouts, tier: Tier) -> Tally {
    let tally = black_box(playouts).run(tier, 0..GAMES, NO_STOP).unwrap().tally;
    let found = (tally.plies, tally.plays);
    let rules = playouts.rules();
    assert_eq!(found, recorded(rules), "{rules} on tier {tier}");
    tally
}

fn playouts(criterion: &mut Criterion) {
    for rules in [RuleSet::Backgammon, RuleSet::McGammon] {
        let playouts = Playouts::new(Board::START, rules, SEED).expect("the game is not over at the start");
        let mut group = criterion.benchmark_group(format!("playouts/{rules}"));
        group
            .throughput(Throughput::Elements(GAMES))
            .sampling_mode(SamplingMode::Flat)
            .sample_size(50)
            .warm_up_time(Duration::from_secs(1))
            .measurement_time(Duration::from_secs(3));
        for &tier in Tier::available() {
            group.bench_function(tier.name(), |bencher| {
                bencher.iter(|| run(&playouts, tier));
            });
        }
        group.finish();
    }
}

criterion_group!(benches, playouts);
criterion_main!(benches);
