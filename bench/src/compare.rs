//! Stored records of two sides, compared case by case.
//!
//! Repetitions of one record resemble each other more than those of two records do: between two runs other programs
//! come and go, the clock changes, and a loop comes to lie at other addresses. So the unit of the sample is the
//! *sitting*: consecutive records of one side, with none of the other side between them. Two single records, or two
//! sides measured one after the other, give one sitting a side. They show no difference: the moment may explain it as
//! well as the build.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::distinct::distinct;
use crate::finding::Compared;
use crate::record::{CaseRecord, Record, Repetition, Verdict};
use crate::statistics::{CONFIDENCE, Ratio, Summary};

/// Records of two sides, compared.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Comparison {
    /// Limits of the evidence: different days, busy machines, interrupted measurements.
    pub notes: Vec<String>,
    /// Differences that may explain a ratio: machine, compiler, tier and so on.
    pub differences: Vec<String>,
    /// The confidence of all intervals together.
    pub confidence: f64,
    /// Ratios from `1 / (1 + margin)` to `1 + margin` count as the same.
    pub margin: f64,
    /// The cases of both sides.
    pub cases: Vec<ComparedCase>,
    /// Names of the cases that only one side has.
    pub unmatched: Vec<String>,
}

/// A case of both sides.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ComparedCase {
    /// The ratio, its interval and what it shows.
    #[serde(flatten)]
    pub compared: Compared,
    /// The numbers of records of the old and the new side.
    pub records: [usize; 2],
    /// The numbers of their sittings.
    pub sittings: [usize; 2],
}

#[derive(Clone, Copy)]
struct RecordedCase<'a> {
    record: &'a Record,
    case: &'a CaseRecord,
}

impl Comparison {
    /// Compares the `new` records with the `old` ones. Ratios from `1 / (1 + margin)` to `1 + margin` count as the
    /// same.
    #[must_use]
    pub fn from_records(old: &[Record], new: &[Record], margin: f64) -> Comparison {
        let sides = [old, new];
        let recipes: BTreeSet<&str> = sides.into_iter().flatten().map(|record| record.recipe.as_str()).collect();
        let name = |measured: &RecordedCase| match recipes.len() {
            1 => measured.case.name.clone(),
            _ => format!("{}: {}", measured.record.recipe, measured.case.name),
        };
        let names = distinct(sides.into_iter().flat_map(all).map(|measured| name(&measured)));
        let (mut pairs, mut unmatched) = (Vec::new(), Vec::new());
        for wanted in names {
            let [old, new] = sides
                .map(|side| -> Vec<RecordedCase> { all(side).filter(|measured| name(measured) == wanted).collect() });
            match (old.is_empty(), new.is_empty()) {
                (false, true) => unmatched.push(format!("{wanted} is only in the first")),
                (true, _) => unmatched.push(format!("{wanted} is only in the second")),
                (false, false) => pairs.push((wanted, [old, new])),
            }
        }
        let confidence = 1.0 - (1.0 - CONFIDENCE) / pairs.len() as f64;
        let compared = pairs.into_iter().map(|(name, sides)| compare(name, &sides, confidence, margin));
        Comparison {
            notes: notes(&sides),
            differences: differences(&sides),
            confidence: CONFIDENCE,
            margin,
            cases: compared.collect(),
            unmatched,
        }
    }
}

fn all(records: &[Record]) -> impl Iterator<Item = RecordedCase<'_>> {
    records.iter().flat_map(|record| record.cases.iter().map(move |case| RecordedCase { record, case }))
}

fn compare(name: String, sides: &[Vec<RecordedCase>; 2], confidence: f64, margin: f64) -> ComparedCase {
    let of = |measured| unlike(&sides[0][0], measured);
    let mut obstacles = distinct(sides.iter().flatten().flat_map(of));
    let sittings = sittings(sides);
    let mut ratio = None;
    if obstacles.is_empty() {
        ratio = Ratio::with_confidence(&sittings[1], &sittings[0], confidence);
        if ratio.is_none() {
            obstacles.push("a side has no repetition".to_owned());
        }
    }
    let interval = ratio.map(|ratio| ratio.interval);
    let interval = interval.filter(|interval| interval.confidence >= confidence);
    if ratio.is_some() && interval.is_none() {
        obstacles.push(match sides.each_ref().map(Vec::len) {
            [1, 1] => "one record a side; measure in turns with --run, or give several".to_owned(),
            _ => format!(
                "{} and {} sittings are too few; measure in turns with --run, or let records take turns",
                sittings[0].len(),
                sittings[1].len()
            ),
        });
    }
    ComparedCase {
        compared: Compared::new(name, ratio.map(|ratio| ratio.ratio), interval, margin, obstacles),
        records: sides.each_ref().map(Vec::len),
        sittings: sittings.each_ref().map(Vec::len),
    }
}

/// The rate of each sitting of either side: the median over its records, each with its median over repetitions.
fn sittings(sides: &[Vec<RecordedCase>; 2]) -> [Vec<f64>; 2] {
    let rate = |measured: &RecordedCase| Some(measured.case.summary(Repetition::rate)?.median);
    let of_side = |side: usize| {
        let rates = sides[side].iter();
        rates.filter_map(move |one| Some((one.record.started.as_str(), side, rate(one)?)))
    };
    let mut rates: Vec<(&str, usize, f64)> = of_side(0).chain(of_side(1)).collect();
    rates.sort_by(|a, b| (a.0, a.1).cmp(&(b.0, b.1)));
    let mut sittings = [Vec::new(), Vec::new()];
    for sitting in rates.chunk_by(|a, b| a.1 == b.1) {
        let rates: Vec<f64> = sitting.iter().map(|one| one.2).collect();
        sittings[sitting[0].1].extend(Summary::from_samples(&rates).map(|summary| summary.median));
    }
    sittings
}

/// Why a case of a record cannot be compared with the first.
fn unlike(first: &RecordedCase, other: &RecordedCase) -> Vec<String> {
    let (a, b) = (first.case, other.case);
    let mut obstacles = Vec::new();
    let mut same = |what: &str, a: &str, b: &str| {
        if a != b {
            obstacles.push(format!("other {what}: {a}, and {b}"));
        }
    };
    same("workload", &a.workload, &b.workload);
    same("rules", &a.rules, &b.rules);
    same("positions", &a.positions.join(" "), &b.positions.join(" "));
    same("placement", &a.placement, &b.placement);
    same("seed", &a.seed.to_string(), &b.seed.to_string());
    same("number of workers", &a.workers.len().to_string(), &b.workers.len().to_string());
    let batch = |case: &CaseRecord| case.batch.map_or("none".to_owned(), |n| n.to_string());
    same("games of a run", &batch(a), &batch(b));
    let policy = |case: &CaseRecord| case.policy.clone().unwrap_or("uniform".to_owned());
    same("policy", &policy(a), &policy(b));
    let signature = |record: &Record| {
        let mut checks = record.checks.iter();
        let check = checks.find(|check| check.what.starts_with("signature"));
        check.map_or("none".to_owned(), |check| check.found.clone())
    };
    let number = |found: String| found.split(',').next().unwrap_or_default().to_owned();
    same("signature", &number(signature(first.record)), &number(signature(other.record)));
    if other.record.verdict() == Verdict::Failed {
        obstacles.push(format!("the record of {} failed its verification", other.record.started));
    }
    if b.repetitions.is_empty() {
        obstacles.push(format!("the record of {} has no repetition", other.record.started));
    }
    obstacles
}

/// Limits of the evidence of the records.
fn notes(sides: &[&[Record]; 2]) -> Vec<String> {
    let days = sides.map(|side| {
        let days: BTreeSet<&str> = side.iter().map(Record::day).collect();
        days.into_iter().collect::<Vec<&str>>().join(", ")
    });
    let mut notes = vec![format!(
        "records of {} and of {}: a ratio includes what changed on the machine between them",
        days[0], days[1]
    )];
    let machines = sides.map(|side| -> BTreeSet<(String, usize)> {
        let machines = side.iter().map(|record| &record.machine);
        machines.map(|machine| (machine.name(), machine.cores)).collect()
    });
    if machines[0] != machines[1] {
        notes.push("the sides were measured on different machines: a ratio compares the machines, too".to_owned());
    }
    for (which, side) in [("first", sides[0]), ("second", sides[1])] {
        for record in side {
            let marks = record.marks();
            if !marks.is_empty() {
                let (recipe, started) = (&record.recipe, &record.started);
                notes.push(format!("{which}: {recipe} of {started}: {}", marks.join(", ")));
            }
        }
    }
    notes
}

/// Differences between the sides, or within one of them.
fn differences(sides: &[&[Record]; 2]) -> Vec<String> {
    let unknown = || "unknown".to_owned();
    let facts = |record: &Record| {
        let (machine, program) = (&record.machine, &record.program);
        [
            ("recipe", record.recipe.clone()),
            ("CPU", machine.name()),
            ("microcode", machine.microcode.clone().unwrap_or_else(unknown)),
            ("cores", machine.cores.to_string()),
            ("system", machine.system.clone()),
            ("governor", machine.governor.clone().unwrap_or_else(unknown)),
            ("version", program.version.clone()),
            ("commit", program.commit.clone().unwrap_or_else(unknown)),
            ("compiler", program.compiler.clone()),
            ("flags", program.flags.clone()),
            ("tier", program.isa.clone()),
        ]
    };
    let Some(first) = sides.iter().find_map(|side| side.first()) else {
        return Vec::new();
    };
    let names = facts(first).map(|fact| fact.0);
    let fact = |(index, what): (usize, &str)| {
        let values = sides
            .map(|side| -> BTreeSet<String> { side.iter().map(|record| facts(record)[index].1.clone()).collect() });
        let all: BTreeSet<&String> = values.iter().flatten().collect();
        let text = |values: &BTreeSet<String>| values.iter().cloned().collect::<Vec<_>>().join(", ");
        (all.len() > 1).then(|| format!("{what}: {} -> {}", text(&values[0]), text(&values[1])))
    };
    names.into_iter().enumerate().filter_map(fact).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::{Finding, Gate};
    use crate::record::tests::record;

    const OLD: [f64; 6] = [100.0, 101.0, 102.0, 103.0, 104.0, 105.0];

    fn compared(old: &Record, new: &Record) -> Comparison {
        Comparison::from_records(std::slice::from_ref(old), std::slice::from_ref(new), 0.02)
    }

    /// Records of the given rates, measured at the given minutes.
    fn records(measured: impl IntoIterator<Item = (usize, f64)>) -> Vec<Record> {
        let of = |(minute, rate): (usize, f64)| {
            let mut record = record(&[("games", 2, &[rate, rate, rate])]);
            record.started = format!("2026-11-20T15:{minute:02}:00Z");
            record
        };
        measured.into_iter().map(of).collect()
    }

    #[test]
    fn two_records_have_a_ratio_and_show_nothing() {
        let new = OLD.map(|rate| 0.5 * rate);
        let old = record(&[("games", 2, &OLD), ("gone", 1, &OLD)]);
        let new = record(&[("games", 2, &new), ("come", 1, &OLD)]);
        let comparison = compared(&old, &new);
        assert!(comparison.differences.is_empty());
        assert_eq!(comparison.unmatched, ["gone is only in the first", "come is only in the second"]);
        let case = &comparison.cases[0];
        assert!((case.compared.ratio.unwrap() - 0.5).abs() < 0.01, "{case:?}");
        assert_eq!((case.compared.low, case.compared.verdict), (None, Finding::Undecided));
        let reason = &case.compared.obstacles[0];
        assert!(reason.contains("one record a side") && reason.contains("--run"), "{reason}");
        assert_eq!((case.records, case.sittings), ([1, 1], [1, 1]));
        assert!(comparison.notes[0].starts_with("records of 2026-11-20 and of 2026-11-20: a ratio"));
    }

    #[test]
    fn records_in_turns_show_a_difference() {
        let wobble = |i: usize| 100.0 + (i as f64 * 0.618).fract();
        let old = records((0..6).map(|i| (2 * i, wobble(i))));
        let new = records((0..6).map(|i| (2 * i + 1, 0.9 * wobble(i + 7))));
        let case = &Comparison::from_records(&old, &new, 0.02).cases[0];
        assert_eq!((case.records, case.sittings), ([6, 6], [6, 6]));
        assert_eq!(case.compared.verdict, Finding::Slower);
        assert!(case.compared.low.unwrap() <= 0.9 && 0.9 <= case.compared.high.unwrap());
        assert!(matches!(Gate::from_cases([&case.compared], 0.97), Gate::Fails(_)));
        let same = &Comparison::from_records(&old, &records((0..6).map(|i| (2 * i + 1, wobble(i)))), 0.02);
        assert_eq!(same.cases[0].compared.verdict, Finding::Same);
    }

    #[test]
    fn records_one_after_the_other_show_nothing() {
        // The machine was slower in the second quarter of an hour, which says nothing about the builds.
        let old = records((0..8).map(|i| (i, 100.0 + i as f64)));
        let new = records((8..16).map(|i| (i, 80.0 + i as f64)));
        let case = &Comparison::from_records(&old, &new, 0.02).cases[0];
        assert_eq!((case.records, case.sittings), ([8, 8], [1, 1]));
        assert_eq!(case.compared.verdict, Finding::Undecided);
        let reason = &case.compared.obstacles[0];
        assert!(reason.contains("1 and 1 sittings are too few"), "{reason}");
    }

    /// Records of one build, whose rate drifts and jumps between them, dealt out to two sides in every way.
    #[test]
    fn one_build_is_called_different_in_at_most_one_of_twenty() {
        let mut random = fastrand::Rng::with_seed(1);
        let (mut differences, mut decided, comparisons) = (0, 0, 400);
        for comparison in 0..comparisons {
            let mut level = 1000.0;
            let rates: Vec<(usize, f64)> = (0..20)
                .map(|minute| {
                    level *= 1.0 + 0.1 * (random.f64() - 0.5);
                    (minute, level * if random.f64() < 0.2 { 0.7 } else { 1.0 })
                })
                .collect();
            let is_old = |minute: usize, random: &mut fastrand::Rng| match comparison % 4 {
                0 => minute.is_multiple_of(2),
                1 => minute < 10,
                2 => (minute / 2).is_multiple_of(2),
                _ => random.bool(),
            };
            let (mut old, mut new) = (Vec::new(), Vec::new());
            for rate in rates {
                match is_old(rate.0, &mut random) {
                    true => old.push(rate),
                    false => new.push(rate),
                }
            }
            if old.is_empty() || new.is_empty() {
                continue;
            }
            let case = &Comparison::from_records(&records(old), &records(new), 0.02).cases[0];
            decided += usize::from(case.compared.low.is_some());
            differences += usize::from(matches!(case.compared.verdict, Finding::Faster | Finding::Slower));
        }
        assert!(decided > comparisons / 3, "{decided}");
        assert!(differences <= decided / 20, "{differences} of {decided}");
    }

    #[test]
    fn records_that_cannot_be_compared_give_the_reason() {
        let old = record(&[("a", 2, &OLD)]);
        let obstacle = |change: fn(&mut Record)| {
            let mut new = old.clone();
            change(&mut new);
            let comparison = compared(&old, &new);
            assert_eq!(comparison.cases[0].compared.ratio, None);
            let cases = comparison.cases.iter().map(|case| &case.compared);
            assert!(matches!(Gate::from_cases(cases, 0.1), Gate::Undecided(_)));
            comparison.cases[0].compared.obstacles.join("; ")
        };
        for (change, message) in [
            (
                (|new| new.cases[0].rules = "mcgammon".to_owned()) as fn(&mut Record),
                "other rules: backgammon, and mcgammon",
            ),
            (|new| new.checks[0].found = "1, but 2 is expected".to_owned(), "other signature: 0123456789abcdef, and 1"),
            (|new| new.cases[0].placement = "none".to_owned(), "other placement: cores, and none"),
            (|new| new.cases[0].workers.truncate(1), "other number of workers: 2, and 1"),
            (|new| new.cases[0].seed = 2, "other seed: 1, and 2"),
            (|new| new.cases[0].batch = Some(36), "other games of a run: none, and 36"),
            (|new| new.cases[0].policy = Some("pubeval".to_owned()), "other policy: uniform, and pubeval"),
            (|new| new.checks[0].passed = false, "the record of 2026-11-20T15:14:53Z failed its verification"),
            (|new| new.cases[0].repetitions.clear(), "no repetition"),
        ] {
            let found = obstacle(change);
            assert!(found.contains(message), "{found}");
        }
    }

    #[test]
    fn doubtful_records_and_other_machines_are_named() {
        let old = record(&[("a", 2, &OLD)]);
        let mut new = old.clone();
        new.machine.cpu = "another".to_owned();
        new.program.isa = "avx2".to_owned();
        new.others = Some(0.4);
        new.interrupted = true;
        let comparison = compared(&old, &new);
        assert_eq!(comparison.differences, ["CPU: a <made up> CPU -> another", "tier: portable -> avx2"]);
        assert_eq!(
            comparison.notes[1..],
            [
                "the sides were measured on different machines: a ratio compares the machines, too",
                "second: test of 2026-11-20T15:14:53Z: interrupted, busy: others used 40 % of the CPUs",
            ]
        );
        assert!(comparison.cases[0].compared.ratio.is_some());
    }

    #[test]
    fn records_of_several_recipes_are_told_apart() {
        let one = record(&[("a", 2, &OLD)]);
        let mut other = record(&[("a", 2, &OLD)]);
        other.recipe = "other".to_owned();
        let comparison = Comparison::from_records(&[one.clone(), other.clone()], &[other, one], 0.02);
        let names: Vec<&str> = comparison.cases.iter().map(|case| case.compared.name.as_str()).collect();
        assert_eq!(names, ["test: a", "other: a"]);
    }
}
