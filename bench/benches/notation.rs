//! Plays written as checker moves and read back.

use std::fmt::Write;
use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use tavli::plays::notation::parse_play;
use tavli::plays::{Moves, Plays};
use tavli::{Board, NO_STOP, RuleSet};
use tavli_bench::situations::{pick, sample};
use tavli_bench::{Category, Situation};

const SITUATIONS: usize = 500;

/// One play of a roll, and how it is written.
struct Written {
    situation: Situation,
    after: Board,
    text: String,
}

impl Written {
    fn moves(&self) -> Moves {
        Moves::between(&self.situation.board, self.situation.roll, &self.after).expect("a play of this roll")
    }

    fn read(&self) -> Board {
        parse_play(&self.situation.board, self.situation.roll, &self.text, RuleSet::Backgammon)
            .expect("a play just written")
    }
}

fn written((number, situation): (usize, Situation)) -> Written {
    let plays = Plays::new(&situation.board, situation.roll, RuleSet::Backgammon);
    let play = plays.get(pick(&plays, number)).expect("an index below their number");
    Written { situation, after: play.board(), text: plays.moves(&play).to_string() }
}

fn notation(criterion: &mut Criterion) {
    let situations = sample(RuleSet::Backgammon, Category::Any, SITUATIONS, NO_STOP).unwrap();
    let all: Vec<Written> = situations.into_iter().enumerate().map(written).collect();
    let mut group = criterion.benchmark_group("notation");
    group
        .throughput(Throughput::Elements(all.len() as u64))
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(2));
    group.bench_function("write", |bencher| {
        let mut text = String::new();
        bencher.iter(|| {
            for written in black_box(&all) {
                text.clear();
                write!(text, "{}", written.moves()).expect("a string takes any text");
                assert_eq!(text, written.text);
            }
        });
    });
    group.bench_function("read", |bencher| {
        bencher.iter(|| {
            for written in black_box(&all) {
                assert_eq!(written.read(), written.after);
            }
        });
    });
    group.finish();
}

criterion_group!(benches, notation);
criterion_main!(benches);
