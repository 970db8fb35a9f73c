//! The charts of a report.

use std::collections::BTreeSet;

use super::entry::Entry;
use super::svg::{Anchor, Figure, Svg, WIDTH, ticks};
use crate::binding;
use crate::printed_numbers::short;
use crate::record::{CaseRecord, Record, Repetition, Scaling};
use crate::stages::StageTime;
use crate::statistics::{Interval, Summary};

pub(super) const LEFT: f64 = 44.0;
pub(super) const RIGHT: f64 = WIDTH - 12.0;
/// Colours of the page.
const COLOURS: usize = 8;

/// A linear scale from values to coordinates.
pub(super) struct Scale {
    pub(super) values: [f64; 2],
    pub(super) places: [f64; 2],
}

impl Scale {
    pub(super) fn at(&self, value: f64) -> f64 {
        let [from, to] = self.values;
        let [first, last] = self.places;
        // If all values are equal, they are at the first coordinate.
        let share = if to > from { (value - from) / (to - from) } else { 0.0 };
        first + share * (last - first)
    }
}

/// Speedup over workers, with the line of perfect scaling. Both axes are logarithmic to base 2, which separates small
/// numbers of workers.
pub(super) fn scaling(scaling: &Scaling, cores: usize) -> Figure {
    let height = 320.0;
    let most = scaling.steps.iter().map(|step| step.0).max().unwrap_or(1);
    let doublings = (most as f64).log2().max(1.0);
    let right = RIGHT - 56.0; // room for 100.0 %
    let x = Scale { values: [0.0, doublings], places: [LEFT, right] };
    let y = Scale { values: [-0.25, doublings], places: [height - 42.0, 16.0] };
    let at = |threads: f64, speedup: f64| [x.at(threads.log2()), y.at(speedup.max(0.85).log2())];
    let bottom = y.at(-0.25);
    let mut svg = Svg::new(height);
    for power in 0..=doublings.floor() as i32 {
        let value = f64::from(power);
        svg.line("grid", [LEFT, y.at(value)], [right, y.at(value)]);
        svg.text("tick", [LEFT - 6.0, y.at(value) + 4.0], Anchor::End, 1_u64 << power);
    }
    for (threads, _) in &scaling.steps {
        let [place, _] = at(*threads as f64, 1.0);
        svg.text("tick", [place, bottom + 16.0], Anchor::Middle, threads);
    }
    svg.text("tick", [(LEFT + right) / 2.0, height - 6.0], Anchor::Middle, "workers");
    svg.line("axis", [LEFT, bottom], [right, bottom]);
    svg.line("ideal", at(1.0, 1.0), at(most as f64, most as f64));
    let line = Scaling::LINE;
    svg.line("bound", at(1.0, line), at(most as f64, line * most as f64));
    let [place, over] = at((most as f64).powf(0.5), (most as f64).powf(0.5));
    svg.text("tick", [place - 8.0, over - 8.0], Anchor::End, "ideal");
    if cores < most {
        let [place, _] = at(cores as f64, 1.0);
        svg.line("grid", [place, bottom], [place, 16.0]);
        svg.text("tick", [place - 4.0, bottom - 6.0], Anchor::End, "one per core");
    }
    let points: Vec<[f64; 2]> = scaling.steps.iter().map(|(threads, ratio)| at(*threads as f64, ratio.ratio)).collect();
    svg.path("c0 curve", &points);
    for ((threads, ratio), point) in scaling.steps.iter().zip(&points) {
        let [_, low] = at(*threads as f64, ratio.interval.low);
        let [_, high] = at(*threads as f64, ratio.interval.high);
        svg.line("c0 whisker", [point[0], low], [point[0], high]);
        let percent = 100.0 * ratio.ratio / *threads as f64;
        let title = format!("{}: {:.3} times, {percent:.1} % of linear", binding::number(*threads), ratio.ratio);
        svg.dot("c0", *point, 4.0, &title);
        if *threads > 1 {
            let beside = [point[0] + 8.0, point[1] + 12.0];
            svg.text("value", beside, Anchor::Start, format_args!("{percent:.1} %"));
        }
    }
    let serial =
        scaling.serial_fraction.map_or(String::new(), |serial| format!("; serial fraction {:.3} %", 100.0 * serial));
    svg.figure(&format!(
        "Scaling of {}: times one worker{serial}. Both axes are logarithmic; dotted: 97 % of linear",
        scaling.family
    ))
}

/// Each repetition of each case relative to the median of the case, with the interval of the median.
pub(super) fn repetitions(cases: &[&CaseRecord]) -> Figure {
    let rows: Vec<(&str, Summary, Vec<f64>)> = cases
        .iter()
        .filter_map(|case| {
            let summary = case.summary(Repetition::rate)?;
            let deviation = |rate| 100.0 * (rate / summary.median - 1.0);
            let deviations = case.rates().into_iter().map(deviation).collect();
            Some((case.name.as_str(), summary, deviations))
        })
        .collect();
    let widest = rows.iter().flat_map(|row| &row.2).fold(0.0_f64, |most, d| most.max(d.abs()));
    let range = (widest * 1.08).max(0.5);
    let (row_height, top) = (36.0, 6.0);
    let bottom = top + row_height * rows.len() as f64;
    let x = Scale { values: [-range, range], places: [14.0, WIDTH - 14.0] };
    let mut svg = Svg::new(bottom + 36.0);
    for value in ticks(-range, range, 6) {
        let class = if value == 0.0 { "axis" } else { "grid" };
        svg.line(class, [x.at(value), top], [x.at(value), bottom]);
        svg.text("tick", [x.at(value), bottom + 14.0], Anchor::Middle, signed(value));
    }
    svg.text("tick", [WIDTH / 2.0, bottom + 31.0], Anchor::Middle, "% from the median");
    for (row, (name, summary, deviations)) in rows.iter().enumerate() {
        let y = top + row_height * row as f64;
        let middle = y + 24.0;
        svg.text("label", [x.places[0], y + 11.0], Anchor::Start, fitting(name, 58));
        let [low, high] =
            [summary.interval.low, summary.interval.high].map(|rate| x.at(100.0 * (rate / summary.median - 1.0)));
        svg.bar("c0 band", [low, middle - 6.0], [(high - low).max(1.0), 12.0]);
        for (index, deviation) in deviations.iter().enumerate() {
            let title = format!("repetition {}: {deviation:+.2} %", index + 1);
            svg.dot("c0 sample", [x.at(*deviation), middle], 3.5, &title);
        }
    }
    svg.figure("Repetitions: each one's rate next to the median, and the 95 % interval of the median (band)")
}

/// Each worker's rate, by socket and memory node.
pub(super) fn workers(case: &CaseRecord) -> Figure {
    let height = 230.0;
    let rates = case.worker_rates();
    // A worker that got no games has no dot.
    let known = || rates.iter().copied().flatten();
    let most = known().fold(0.0, f64::max);
    let least = known().fold(most, f64::min);
    let margin = ((most - least) * 0.15).max(most * 0.01);
    let y = Scale { values: [(least - margin).max(0.0), most + margin], places: [height - 50.0, 26.0] };
    let left = 62.0;
    let x = Scale { values: [-0.5, rates.len() as f64 - 0.5], places: [left, RIGHT] };
    let mut svg = Svg::new(height);
    for value in ticks(y.values[0], y.values[1], 5) {
        svg.line("grid", [left, y.at(value)], [RIGHT, y.at(value)]);
        svg.text("tick", [left - 6.0, y.at(value) + 4.0], Anchor::End, short(value));
    }
    // Workers by socket and node, so workers that share memory are next to each other.
    let mut order: Vec<usize> = (0..rates.len()).collect();
    let seat = |worker: usize| &case.workers[worker];
    order.sort_by_key(|&worker| (seat(worker).socket, seat(worker).node, seat(worker).cpu));
    let nodes: Vec<Option<usize>> =
        order.iter().map(|&worker| seat(worker).node).collect::<BTreeSet<_>>().into_iter().collect();
    let mut socket = None;
    for (place, &worker) in order.iter().enumerate() {
        let at = x.at(place as f64);
        if place == 0 || seat(worker).socket != socket {
            socket = seat(worker).socket;
            let edge = x.at(place as f64 - 0.5);
            svg.line("axis", [edge, 12.0], [edge, height - 50.0]);
            let name = socket.map_or("socket unknown".to_owned(), |id| format!("socket {id}"));
            svg.text("label", [edge + 4.0, 20.0], Anchor::Start, name);
        }
        let colour = nodes.iter().position(|node| *node == seat(worker).node).unwrap_or(0);
        let cpu = seat(worker).cpu.map_or("unbound".to_owned(), |cpu| format!("CPU {cpu}"));
        if let Some(rate) = rates[worker] {
            let title = format!("worker {worker}, {cpu}: {} {}/s", short(rate), case.unit);
            let class = format!("c{}", colour % COLOURS);
            svg.dot(&class, [at, y.at(rate)], 4.0, &title);
        }
        let every = rates.len().div_ceil(12);
        if place % every == 0 {
            let cpu = seat(worker).cpu.map_or("-".to_owned(), |cpu| cpu.to_string());
            svg.text("tick", [at, height - 34.0], Anchor::Middle, cpu);
        }
    }
    svg.text("tick", [(left + RIGHT) / 2.0, height - 18.0], Anchor::Middle, "CPU");
    let step = (WIDTH / nodes.len() as f64).min(80.0);
    for (index, node) in nodes.iter().enumerate().take(COLOURS) {
        let at = 8.0 + step * index as f64;
        svg.dot(&format!("c{index}"), [at, height - 5.0], 4.0, "");
        let name = node.map_or("node ?".to_owned(), |id| format!("node {id}"));
        svg.text("tick", [at + 8.0, height - 1.0], Anchor::Start, name);
    }
    svg.figure(&format!(
        "{}: {}/s of each worker while it works. The axis begins at {}, not at 0",
        case.name,
        case.unit,
        short(y.values[0])
    ))
}

/// A bar with its names and its value as text.
struct Bar {
    name: String,
    /// A further line of text, which may be empty.
    detail: String,
    value: Summary,
    text: String,
    colour: usize,
}

fn bars(bars: &[Bar], caption: &str) -> Figure {
    let detailed = bars.iter().any(|bar| !bar.detail.is_empty());
    let lift = if detailed { 14.0 } else { 0.0 };
    let row = 34.0 + lift;
    let height = row * bars.len() as f64 + 8.0;
    let most = bars.iter().map(|bar| bar.value.interval.high.max(bar.value.median)).fold(0.0, f64::max);
    let x = Scale { values: [0.0, most], places: [8.0, WIDTH - 130.0] };
    let mut svg = Svg::new(height);
    for (index, bar) in bars.iter().enumerate() {
        let y = row * index as f64 + 4.0;
        svg.text("label", [14.0, y + 11.0], Anchor::Start, fitting(&bar.name, 58));
        svg.text("tick", [14.0, y + 25.0], Anchor::Start, fitting(&bar.detail, 64));
        let y = y + lift;
        let class = format!("c{} fill", bar.colour % COLOURS);
        let Interval { low, high, .. } = bar.value.interval;
        let [value, low, high] = [bar.value.median, low, high].map(|value| x.at(value));
        svg.bar(&class, [8.0, y + 15.0], [value - 8.0, 12.0]);
        svg.line("axis", [low, y + 21.0], [high, y + 21.0]);
        svg.text("value", [high.max(value) + 6.0, y + 25.0], Anchor::Start, &bar.text);
    }
    svg.line("axis", [8.0, 4.0], [8.0, height - 4.0]);
    svg.figure(caption)
}

/// Cycles per roll by category, for each operation on plays; empty for other records.
pub(super) fn categories(record: &Record) -> Vec<Figure> {
    ["count", "unrank", "enumerate"]
        .into_iter()
        .filter_map(|operation| {
            let rows: Vec<Bar> = record
                .cases
                .iter()
                .filter(|case| case.workload == operation)
                .filter_map(|case| {
                    let summary = case.summary(Repetition::cycles_per_ply)?;
                    Some(Bar {
                        name: case.positions.join(" "),
                        detail: String::new(),
                        value: summary,
                        text: short(summary.median),
                        colour: 0,
                    })
                })
                .collect();
            let caption = format!("Cycles to {operation} the plays of a roll, by category");
            (!rows.is_empty()).then(|| bars(&rows, &caption))
        })
        .collect()
}

/// Cycles per ply of the pool by stage of the batch, for each case that times stages.
pub(super) fn stages(record: &Record) -> Vec<Figure> {
    let chart = |case: &CaseRecord| {
        let stages = &case.repetitions.first()?.stages;
        let rows: Vec<Bar> = stages
            .iter()
            .filter_map(|stage| {
                let of = |one: &Repetition| {
                    let same = |other: &&StageTime| (&other.pool, &other.stage) == (&stage.pool, &stage.stage);
                    one.stages.iter().find(same).cloned()
                };
                let cycles = case.summary(|one| of(one).map_or(0.0, |stage| one.clock * stage.per_ply()))?;
                let share = case.summary(|one| {
                    let whole: f64 = one.stages.iter().map(|stage| stage.seconds).sum();
                    of(one).map_or(0.0, |stage| stage.seconds / whole)
                })?;
                Some(Bar {
                    name: format!("{}: {}", stage.pool, stage.stage),
                    detail: format!("{:.1} % of the time", 100.0 * share.median),
                    value: cycles,
                    text: short(cycles.median),
                    colour: usize::from(stage.pool != stages[0].pool),
                })
            })
            .collect();
        let caption = format!("Cycles of a ply by stage of the batch, {}", case.rules);
        (!rows.is_empty()).then(|| bars(&rows, &caption))
    };
    record.cases.iter().filter_map(chart).collect()
}

/// A case that several records have, the fastest first; `None` if only one has it.
pub(super) fn machines(name: &str, entries: &[&Entry]) -> Option<Figure> {
    let mut rows: Vec<(Summary, &Entry, &CaseRecord)> = entries
        .iter()
        .filter_map(|entry| {
            let case = entry.record.cases.iter().find(|case| case.name == name)?;
            Some((case.summary(Repetition::rate)?, *entry, case))
        })
        .collect();
    if rows.len() < 2 {
        return None;
    }
    rows.sort_by(|a, b| b.0.median.total_cmp(&a.0.median));
    let most = rows[0].0.median;
    let rows: Vec<Bar> = rows
        .iter()
        .map(|(summary, entry, case)| {
            let record = &entry.record;
            let mut details = vec![
                binding::number(case.workers.len()),
                case.tier(&record.program).to_owned(),
                record.day().to_owned(),
            ];
            details.extend(record.doubts());
            Bar {
                name: entry.machine(),
                detail: details.join(", "),
                value: *summary,
                text: format!("{}/s, {:.2}", short(summary.median), summary.median / most),
                colour: entries.iter().position(|one| core::ptr::eq(*one, *entry)).unwrap_or(0),
            }
        })
        .collect();
    let unit = entries.iter().find_map(|entry| {
        let mut cases = entry.record.cases.iter();
        cases.find(|case| case.name == name).map(|case| case.unit.as_str())
    });
    let caption = format!("{name}: {} per second, and the ratio to the fastest", unit.unwrap_or("units"));
    Some(bars(&rows, &caption))
}

/// A text of at most `most` characters; a longer one ends in dots.
fn fitting(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some(_) => text.chars().take(most - 3).collect::<String>() + "...",
    }
}

/// A number with its sign, except 0.
fn signed(value: f64) -> String {
    if value == 0.0 { "0".to_owned() } else { format!("{value:+}") }
}
