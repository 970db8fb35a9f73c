//! Counting the plays of a roll, making all of them, and making the play with a given index.
//!
//! The reference generator, which shares no code with the measured one, gives the expected results.

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use tavli::plays::{Plays, reference};
use tavli::{Board, NO_STOP, Roll, RuleSet, profile};
use tavli_bench::situations::{pick, sample};
use tavli_bench::{Category, Checksum, Situation};

const SITUATIONS: usize = 400;

fn plays_of(situation: &Situation, rules: RuleSet) -> Plays {
    Plays::new(&situation.board, situation.roll, rules)
}

fn reference_plays(situation: &Situation, rules: RuleSet) -> Vec<Board> {
    reference::plays(&situation.board, situation.roll, rules)
}

/// The sum of the numbers of plays.
fn count(situations: &[Situation], rules: RuleSet) -> usize {
    black_box(situations).iter().map(|situation| plays_of(situation, rules).len()).sum()
}

/// The number of plays, each of which is made.
fn enumerate(situations: &[Situation], rules: RuleSet) -> usize {
    black_box(situations).iter().map(|situation| profile::enumerate(&plays_of(situation, rules))).sum()
}

/// The checksum of the results of one play of each roll.
fn unrank(picks: &[(Plays, usize)]) -> Checksum {
    let mut checksum = Checksum::default();
    for (plays, index) in black_box(picks) {
        let play = plays.get(*index).expect("an index below their number");
        checksum.add(&play.board());
    }
    checksum
}

/// The result of the play of an index, found by listing them.
fn of_index(plays: &Plays, index: usize) -> Board {
    plays.to_vec()[index].board()
}

/// The three measurements over one set of situations.
fn measure(criterion: &mut Criterion, name: &str, situations: &[Situation], rules: RuleSet) {
    let results: Vec<Board> = situations.iter().flat_map(|situation| reference_plays(situation, rules)).collect();
    let number = results.len();
    let all: Checksum = results.iter().collect();
    let listed: Vec<Board> =
        situations.iter().flat_map(|situation| plays_of(situation, rules).to_vec()).map(|play| play.board()).collect();
    assert_eq!(listed.iter().collect::<Checksum>(), all);
    let picks: Vec<(Plays, usize)> = situations
        .iter()
        .map(|situation| plays_of(situation, rules))
        .enumerate()
        .map(|(at, plays)| (plays, pick(&plays, at)))
        .collect();
    let picked: Vec<Board> = picks.iter().map(|(plays, i)| of_index(plays, *i)).collect();
    let picked: Checksum = picked.iter().collect();

    let mut group = criterion.benchmark_group(format!("plays/{name}"));
    group.warm_up_time(Duration::from_millis(500)).measurement_time(Duration::from_secs(1));
    group.throughput(Throughput::Elements(situations.len() as u64));
    group.bench_function("count", |bencher| {
        bencher.iter(|| assert_eq!(count(situations, rules), number));
    });
    group.throughput(Throughput::Elements(picks.len() as u64));
    group.bench_function("unrank", |bencher| {
        bencher.iter(|| assert_eq!(unrank(&picks), picked));
    });
    group.throughput(Throughput::Elements(number as u64));
    group.bench_function("enumerate", |bencher| {
        bencher.iter(|| assert_eq!(enumerate(situations, rules), number));
    });
    group.finish();
}

/// The 21 rolls at the opening: 447 plays. "enumerate" is the figure to quote, in resulting boards per
/// second.
fn opening(criterion: &mut Criterion) {
    let situations = Roll::ALL.map(|roll| Situation { board: Board::START, roll });
    measure(criterion, "opening", &situations, RuleSet::Backgammon);
}

fn by_category(criterion: &mut Criterion) {
    for &category in Category::ALL {
        let rules = RuleSet::Backgammon;
        let situations = sample(rules, category, SITUATIONS, NO_STOP).unwrap();
        measure(criterion, category.name(), &situations, rules);
    }
    let rules = RuleSet::McGammon;
    let situations = sample(rules, Category::Any, SITUATIONS, NO_STOP).unwrap();
    measure(criterion, &format!("{rules}-any"), &situations, rules);
}

criterion_group!(benches, opening, by_category);
criterion_main!(benches);
