//! Instructions of the kernel's steps, counted under Valgrind: every run gives the same count, so growth shows.
//!
//! `cargo run --release -p tavli-bench --features instructions --bin instructions` counts and compares with the
//! baseline. Valgrind does not support AVX-512, so only the other tiers are counted; AVX2 needs a CPU that has it.

use std::hint::black_box;

use gungraun::prelude::*;
use tavli::playout::Throw;
use tavli::plays::{Play, Plays, View};
use tavli::stepping::RollBatch;
use tavli::{Board, NO_STOP, Playouts, RuleSet, Tally, Tier};
use tavli_bench::situations::{pick, sample};
use tavli_bench::{Category, Checksum, Situation};

const SITUATIONS: usize = 100;
/// Games that are played one by one.
const GAMES: u64 = 200;
/// Games that are played side by side: a batch of AVX2 has room for 1,024, and most of the time it is full.
const SIDE_BY_SIDE: u64 = 3000;

fn situations(category: Category) -> Vec<Situation> {
    sample(RuleSet::Backgammon, category, SITUATIONS, NO_STOP).unwrap()
}

fn plays_of(situation: &Situation) -> Plays {
    Plays::new(&situation.board, situation.roll, RuleSet::Backgammon)
}

fn play(plays: &Plays, index: usize) -> Play {
    plays.get(index).expect("an index below their number")
}

/// Situations and the number of their plays, found by listing them.
fn counted(category: Category) -> (Vec<Situation>, usize) {
    let situations = situations(category);
    let number = situations.iter().map(|situation| plays_of(situation).to_vec().len()).sum();
    (situations, number)
}

/// Situations and the checksum of their plays, made one by one from their indices.
fn listed(category: Category) -> (Vec<Situation>, Checksum) {
    let situations = situations(category);
    let mut checksum = Checksum::default();
    for plays in situations.iter().map(plays_of) {
        for index in 0..plays.len() {
            checksum.add(&play(&plays, index).board());
        }
    }
    (situations, checksum)
}

/// Plays with one index each, and the checksum of the plays at these indices, found by listing.
fn picked(category: Category) -> (Vec<(Plays, usize)>, Checksum) {
    let plays = situations(category).iter().map(plays_of).collect::<Vec<_>>();
    let mut checksum = Checksum::default();
    let mut picks = Vec::new();
    for (number, plays) in plays.into_iter().enumerate() {
        let index = pick(&plays, number);
        checksum.add(&plays.to_vec()[index].board());
        picks.push((plays, index));
    }
    (picks, checksum)
}

/// Decisions whose plays are listed as changes, and the checksum of their plays, made from their indices.
fn changed(category: Category) -> (RollBatch, Checksum) {
    let (situations, checksum) = listed(category);
    let mut decisions = RollBatch::new(RuleSet::Backgammon);
    for Situation { board, roll } in situations {
        let throw = Throw { roll, fraction: 0 };
        decisions.push(&board, throw).expect("the game is not over");
    }
    decisions.list(View::CHANGES);
    (decisions, checksum)
}

/// Playouts, and the tally of the games that the portable tier plays.
fn playouts(rules: RuleSet, tier: &str, games: u64) -> (Playouts, Tier, Tally) {
    let playouts = Playouts::new(Board::START, rules, 1).expect("the game is not over at the start");
    let tier = tier.parse().unwrap_or_else(|error| panic!("{error}"));
    // Played in four parts: the sum is the tally of all.
    let mut tally = Tally::default();
    for part in 0..4 {
        let games = games / 4 * part..games / 4 * (part + 1);
        tally.merge(&playouts.run(Tier::Portable, games, NO_STOP).unwrap().tally);
    }
    (playouts, tier, tally)
}

#[library_benchmark(setup = counted)]
#[bench::any(Category::Any)]
#[bench::non_double(Category::NonDouble)]
#[bench::double(Category::Double)]
#[bench::one_on_bar(Category::OneOnBar)]
#[bench::bear_off(Category::BearOff)]
fn count((situations, number): (Vec<Situation>, usize)) {
    let sum: usize = black_box(&situations).iter().map(|s| plays_of(s).len()).sum();
    assert_eq!(sum, number);
}

#[library_benchmark(setup = listed)]
#[bench::any(Category::Any)]
#[bench::non_double(Category::NonDouble)]
#[bench::double(Category::Double)]
#[bench::one_on_bar(Category::OneOnBar)]
#[bench::bear_off(Category::BearOff)]
fn enumerate((situations, checksum): (Vec<Situation>, Checksum)) {
    let mut sum = Checksum::default();
    for situation in black_box(&situations) {
        plays_of(situation).for_each(|play| sum.add(&play.board()));
    }
    assert_eq!(sum, checksum);
}

#[library_benchmark(setup = picked)]
#[bench::any(Category::Any)]
#[bench::non_double(Category::NonDouble)]
#[bench::double(Category::Double)]
#[bench::one_on_bar(Category::OneOnBar)]
#[bench::bear_off(Category::BearOff)]
fn unrank((picks, checksum): (Vec<(Plays, usize)>, Checksum)) {
    let mut sum = Checksum::default();
    for (plays, index) in black_box(&picks) {
        sum.add(&play(plays, *index).board());
    }
    assert_eq!(sum, checksum);
}

#[library_benchmark(setup = changed)]
#[bench::any(Category::Any)]
#[bench::non_double(Category::NonDouble)]
#[bench::double(Category::Double)]
#[bench::one_on_bar(Category::OneOnBar)]
#[bench::bear_off(Category::BearOff)]
fn apply((decisions, checksum): (RollBatch, Checksum)) {
    let mut sum = Checksum::default();
    for (decision, position) in black_box(&decisions).positions().iter().enumerate() {
        for change in decisions.changes_of(decision) {
            sum.add(&Board::from(change.made_in(position)));
        }
    }
    assert_eq!(sum, checksum);
}

#[library_benchmark(setup = playouts)]
#[bench::backgammon_portable(RuleSet::Backgammon, "portable", GAMES)]
#[bench::mcgammon_portable(RuleSet::McGammon, "portable", GAMES)]
#[bench::backgammon_avx2(RuleSet::Backgammon, "avx2", SIDE_BY_SIDE)]
#[bench::mcgammon_avx2(RuleSet::McGammon, "avx2", SIDE_BY_SIDE)]
fn run((playouts, tier, tally): (Playouts, Tier, Tally)) {
    let found = black_box(&playouts).run(tier, 0..tally.games, NO_STOP).unwrap().tally;
    assert_eq!(found, tally);
}

library_benchmark_group!(name = plays, benchmarks = [count, enumerate, unrank, apply]);
library_benchmark_group!(name = whole, benchmarks = [run]);
main!(library_benchmark_groups = [plays, whole]);
