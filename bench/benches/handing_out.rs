//! The cost of handing games to a worker and taking their results, against playing them in one call.
//!
//! Measures processor time, including that of the scheduler's thread, so other programs matter little. Both ways must
//! give the same tally. Tests of the scheduler check the number of ranges, without a clock.

use std::num::NonZeroUsize;
use std::time::Duration;

use criterion::{Criterion, SamplingMode, Throughput, criterion_group, criterion_main};
use tavli::policies::PolicyPair;
use tavli::run::{BackgammonPlayouts, Cpus, Limit, Pinning, Placement, Run, Workers, thread_cpu_time};
use tavli::{Board, NO_STOP, Playouts, RuleSet, Tally, Tier};

/// This takes a part of a second on the widest tiers. Shorter runs would measure the lanes that idle in the last games
/// of a range.
const GAMES: u64 = 1_000_000;

/// Processor time of one way to play the games, and their tally.
type PlayGames<'a> = &'a dyn Fn() -> (Duration, Tally);

fn handing_out(criterion: &mut Criterion) {
    let playouts = Playouts::new(Board::START, RuleSet::Backgammon, 1).expect("the game is not over at the start");
    let tier = Tier::best();
    let one = Placement::new(&Cpus::allowed(), Pinning::CORES, NonZeroUsize::new(1));
    let workers = Workers::start(&one.expect("there is a core")).expect("a thread starts");
    let run = Run::new(BackgammonPlayouts::new(playouts, PolicyPair::default(), tier), Limit::Items(GAMES));
    let at_once = || {
        let played = workers.each(move |_| {
            let before = thread_cpu_time();
            let tally = playouts.run(tier, 0..GAMES, NO_STOP).unwrap().tally;
            let after = thread_cpu_time();
            (after.zip(before).expect("the system knows it"), tally)
        });
        let ((after, before), tally) = played[0];
        (after - before, tally)
    };
    let handed_out = || {
        let report = run.play(&workers, |_| ());
        (report.cpu_time.expect("the system knows it"), report.results.tally)
    };
    let expected = at_once().1;
    let mut group = criterion.benchmark_group("handing-out");
    group.throughput(Throughput::Elements(GAMES)).sampling_mode(SamplingMode::Flat).sample_size(20);
    let ways: [(&str, PlayGames<'_>); 2] = [("at-once", &at_once), ("handed-out", &handed_out)];
    for (name, way) in ways {
        group.bench_function(name, |bencher| {
            bencher.iter_custom(|times| {
                let played = (0..times).map(|_| {
                    let (time, tally) = way();
                    assert_eq!(tally, expected, "{name}");
                    time
                });
                played.sum()
            });
        });
    }
    group.finish();
}

criterion_group!(benches, handing_out);
criterion_main!(benches);
