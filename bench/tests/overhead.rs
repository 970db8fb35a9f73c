//! What it costs to hand games out to workers and to measure them.

#![cfg(target_os = "linux")]

use std::fs;
use std::hint::black_box;
use std::num::NonZeroUsize;
use std::ops::RangeInclusive;

use tavli::run::{Cpus, Limit, Pinning, Placement, Run, Workers};
use tavli::{Board, Playouts, RuleSet, Tier};

const GAMES: u64 = 400_000;

/// Rounds that are played at least, and at most as long as the overhead seems large: on a busy machine it takes
/// many until both ways have had a quiet one.
const ROUNDS: RangeInclusive<usize> = 5..=60;

/// The last games of a range leave lanes idle, which weighs on short runs: 1 % or 2 % here, 0.6 % of a run of a
/// second. On a busy machine caches are shared with strangers.
const MOST: f64 = 0.1;

/// Seconds that the calling thread has had a processor (`/proc/thread-self/schedstat`, the first number, in
/// nanoseconds).
fn thread_seconds() -> f64 {
    let text = fs::read_to_string("/proc/thread-self/schedstat").expect("Linux tells it");
    let nanoseconds: f64 = text.split(' ').next().unwrap().parse().unwrap();
    nanoseconds / 1e9
}

/// The same games played in one call, and handed out in ranges, in turns and by the same worker; of each the least
/// processor time, the thread that hands out included. Processor time, so that other programs do not count.
#[test]
fn handing_out_costs_next_to_nothing() {
    let playouts = Playouts::new(Board::START, RuleSet::Backgammon, 1).unwrap();
    let tier = Tier::best();
    let one = NonZeroUsize::new(1);
    let workers = Workers::start(&Placement::new(&Cpus::allowed(), Pinning::CORES, one).unwrap());
    let workers = workers.unwrap();
    let run = Run::new(playouts, tier, Limit::Games(GAMES));
    let (mut plain, mut handed_out) = (f64::INFINITY, f64::INFINITY);
    let mut overhead = f64::INFINITY;
    for round in 1..=*ROUNDS.end() {
        let times = workers.each(move |_| {
            let before = thread_seconds();
            black_box(playouts.run(tier, 0..GAMES));
            thread_seconds() - before
        });
        plain = plain.min(times[0]);
        let report = run.play(&workers, |_| ());
        handed_out = handed_out.min(report.cpu_time.unwrap().as_secs_f64());
        overhead = handed_out / plain - 1.0;
        if round >= *ROUNDS.start() && overhead < MOST {
            break;
        }
    }
    println!(
        "{plain:.4} s played at once, {handed_out:.4} s handed out: {:+.2} %",
        100.0 * overhead
    );
    assert!(overhead < MOST, "{:.1} %", 100.0 * overhead);
}
