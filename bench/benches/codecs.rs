//! Positions written and read in every format.
//!
//! Each text is read back before the measurement, so a wrong text is never measured.

use std::hint::black_box;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use tavli::{Board, Context, NO_STOP, Position, RuleSet, TurnStage};
use tavli_bench::situations::sample;
use tavli_bench::{Category, Situation};

const SITUATIONS: usize = 500;

/// Positions as random play meets them, after the roll.
fn positions() -> Vec<Position> {
    let position = |situation: &Situation| {
        let context = Context { stage: TurnStage::Rolled(situation.roll), ..Context::default() };
        Position::new(situation.board, context).expect("a rolled position of a money game")
    };
    let situations = sample(RuleSet::Backgammon, Category::Any, SITUATIONS, NO_STOP).unwrap();
    situations.iter().map(position).collect()
}

/// Measures writing and reading values in one format.
fn measure<V, T>(criterion: &mut Criterion, format: &str, values: &[V], write: impl Fn(&V) -> T, read: impl Fn(&T) -> V)
where
    V: PartialEq + std::fmt::Debug,
    T: PartialEq + std::fmt::Debug,
{
    let texts: Vec<T> = values.iter().map(&write).collect();
    let read_back: Vec<V> = texts.iter().map(&read).collect();
    assert_eq!(read_back, values, "{format}");

    let mut group = criterion.benchmark_group("codecs");
    group
        .throughput(Throughput::Elements(values.len() as u64))
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(1));
    group.bench_function(BenchmarkId::new("write", format), |bencher| {
        bencher.iter(|| {
            for (value, text) in black_box(values).iter().zip(&texts) {
                assert_eq!(write(value), *text);
            }
        });
    });
    group.bench_function(BenchmarkId::new("read", format), |bencher| {
        bencher.iter(|| {
            for (text, value) in black_box(&texts).iter().zip(values) {
                assert_eq!(read(text), *value);
            }
        });
    });
    group.finish();
}

fn codecs(criterion: &mut Criterion) {
    let positions = positions();
    let boards: Vec<Board> = positions.iter().map(|position| *position.board()).collect();
    let contexts: Vec<Context> = positions.iter().map(|p| *p.context()).collect();
    measure(
        criterion,
        "position-id",
        &boards,
        |board| board.position_id(),
        |id| Board::from_position_id(id.as_str()).expect("an ID just written"),
    );
    measure(
        criterion,
        "match-id",
        &contexts,
        |context| Position::new(Board::START, *context).expect("checked before").match_id(),
        |id| Context::from_match_id(id.as_str()).expect("an ID just written"),
    );
    measure(criterion, "xgid", &positions, Position::xgid, |text| {
        Position::from_xgid(text).expect("an XGID just written")
    });
    measure(criterion, "fibs", &positions, Position::fibs, |text| {
        Position::from_fibs(text).expect("a line just written")
    });
    measure(criterion, "points", &boards, Board::points, |points| {
        Board::from_points(points).expect("numbers just written")
    });
    measure(
        criterion,
        "format-found-out",
        &positions,
        |position| format!("{}:{}", position.position_id().as_str(), position.match_id().as_str()),
        |text| text.parse::<Position>().expect("IDs just written"),
    );
}

criterion_group!(benches, codecs);
criterion_main!(benches);
