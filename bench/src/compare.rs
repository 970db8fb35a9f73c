//! Two records of a recipe side by side.

use serde::Serialize;

use crate::record::{CaseRecord, Record, Verdict};
use crate::statistics::Ratio;

/// A record compared with another, case by case.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Comparison {
    /// Differences that may explain a ratio: machine, compiler, tier and so on.
    pub differences: Vec<String>,
    /// The cases of both.
    pub cases: Vec<Compared>,
    /// Cases of only one of them.
    pub unmatched: Vec<String>,
}

/// A case of both records.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Compared {
    /// Its name.
    pub name: String,
    /// How many times as fast the second is; `None` where they are not comparable.
    pub ratio: Option<Ratio>,
    /// Why they are not comparable; empty where they are.
    pub obstacles: Vec<String>,
}

impl Comparison {
    /// Compares `new` with `old`.
    #[must_use]
    pub fn of(old: &Record, new: &Record) -> Comparison {
        let named = |record: &Record, name: &str| -> Option<CaseRecord> {
            record.cases.iter().find(|case| case.name == name).cloned()
        };
        let cases = old.cases.iter().filter_map(|a| {
            let b = named(new, &a.name)?;
            Some(compare(old, a, new, &b))
        });
        let only = |which: &str, of: &Record, other: &Record| -> Vec<String> {
            let missing = of
                .cases
                .iter()
                .filter(|case| named(other, &case.name).is_none());
            missing
                .map(|case| format!("{} is only in the {which}", case.name))
                .collect()
        };
        let mut unmatched = only("first", old, new);
        unmatched.extend(only("second", new, old));
        Comparison {
            differences: differences(old, new),
            cases: cases.collect(),
            unmatched,
        }
    }

    /// Whether every case is in both, comparable, and at least `least` times as fast.
    #[must_use]
    pub fn passes(&self, least: f64) -> bool {
        let fast = |case: &Compared| case.ratio.is_some_and(|ratio| ratio.ratio >= least);
        self.unmatched.is_empty() && !self.cases.is_empty() && self.cases.iter().all(fast)
    }
}

fn compare(old: &Record, a: &CaseRecord, new: &Record, b: &CaseRecord) -> Compared {
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
    same(
        "number of workers",
        &a.workers.len().to_string(),
        &b.workers.len().to_string(),
    );
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
    same(
        "signature",
        &number(signature(old)),
        &number(signature(new)),
    );
    for (which, record) in [("first", old), ("second", new)] {
        if record.verdict() == Verdict::Failed {
            obstacles.push(format!("the {which} failed its verification"));
        }
    }
    let ratio = Ratio::of(&b.rates(), &a.rates());
    if ratio.is_none() {
        obstacles.push("one of them has no repetition".to_owned());
    }
    Compared {
        name: a.name.clone(),
        ratio: ratio.filter(|_| obstacles.is_empty()),
        obstacles,
    }
}

fn differences(old: &Record, new: &Record) -> Vec<String> {
    let unknown = || "unknown".to_owned();
    let facts = |record: &Record| {
        let (machine, program) = (&record.machine, &record.program);
        [
            ("recipe", record.recipe.clone()),
            ("CPU", machine.cpu.clone()),
            (
                "microcode",
                machine.microcode.clone().unwrap_or_else(unknown),
            ),
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
    facts(old)
        .into_iter()
        .zip(facts(new))
        .filter(|((_, a), (_, b))| a != b)
        .map(|((what, a), (_, b))| format!("{what}: {a} -> {b}"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::tests::record;

    const OLD: [f64; 6] = [100.0, 101.0, 102.0, 103.0, 104.0, 105.0];

    #[test]
    fn a_known_ratio_is_found() {
        let new = OLD.map(|rate| 0.5 * rate);
        let old = record(&[("games", 2, &OLD), ("gone", 1, &OLD)]);
        let new = record(&[("games", 2, &new), ("come", 1, &OLD)]);
        let comparison = Comparison::of(&old, &new);
        assert!(comparison.differences.is_empty());
        assert_eq!(
            comparison.unmatched,
            ["gone is only in the first", "come is only in the second"]
        );
        let ratio = comparison.cases[0].ratio.unwrap();
        assert!((ratio.ratio - 0.5).abs() < 0.01, "{ratio:?}");
        assert!(ratio.interval.low <= 0.5 && 0.5 <= ratio.interval.high);
        assert!(ratio.interval.confidence >= 0.95);
    }

    #[test]
    fn a_gate_wants_every_case_fast() {
        let old = record(&[("a", 2, &OLD), ("b", 1, &OLD)]);
        let slower = OLD.map(|rate| 0.96 * rate);
        let new = record(&[("a", 2, &OLD), ("b", 1, &slower)]);
        assert!(Comparison::of(&old, &old).passes(0.99));
        assert!(Comparison::of(&old, &new).passes(0.95));
        assert!(!Comparison::of(&old, &new).passes(0.97));
        assert!(!Comparison::of(&old, &record(&[("a", 2, &OLD)])).passes(0.1));
        assert!(!Comparison::of(&record(&[]), &record(&[])).passes(0.1));
    }

    #[test]
    fn records_that_cannot_be_compared_give_the_reason() {
        let old = record(&[("a", 2, &OLD)]);
        let obstacle = |change: fn(&mut Record)| {
            let mut new = old.clone();
            change(&mut new);
            let comparison = Comparison::of(&old, &new);
            assert_eq!(comparison.cases[0].ratio, None);
            assert!(!comparison.passes(0.0));
            comparison.cases[0].obstacles.join("; ")
        };
        for (change, message) in [
            (
                (|new| new.cases[0].rules = "mcgammon".to_owned()) as fn(&mut Record),
                "other rules: backgammon, and mcgammon",
            ),
            (
                |new| new.checks[0].found = "1, but 2 is expected".to_owned(),
                "other signature: 0123456789abcdef, and 1",
            ),
            (
                |new| new.cases[0].placement = "none".to_owned(),
                "other placement: cores, and none",
            ),
            (
                |new| new.cases[0].workers.truncate(1),
                "other number of workers: 2, and 1",
            ),
            (|new| new.cases[0].seed = 2, "other seed: 1, and 2"),
            (
                |new| new.cases[0].batch = Some(36),
                "other games of a run: none, and 36",
            ),
            (
                |new| new.cases[0].policy = Some("pubeval".to_owned()),
                "other policy: uniform, and pubeval",
            ),
            (
                |new| new.checks[0].passed = false,
                "the second failed its verification",
            ),
            (|new| new.cases[0].repetitions.clear(), "no repetition"),
        ] {
            let found = obstacle(change);
            assert!(found.contains(message), "{found}");
        }
    }

    #[test]
    fn other_machines_compare_and_are_named() {
        let old = record(&[("a", 2, &OLD)]);
        let mut new = old.clone();
        new.machine.cpu = "another".to_owned();
        new.program.isa = "avx2".to_owned();
        let comparison = Comparison::of(&old, &new);
        assert_eq!(
            comparison.differences,
            ["CPU: a <made up> CPU -> another", "tier: portable -> avx2"]
        );
        assert!(comparison.cases[0].ratio.is_some());
    }
}
