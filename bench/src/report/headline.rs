//! The figures of a record that are quoted.

use super::intervals::relative_interval;
use crate::printed_numbers::{counted, grouped};
use crate::record::{CaseRecord, Record, Repetition, Verdict};
use crate::statistics::Summary;

/// A record in a few lines: its score, and what was measured.
#[derive(Clone, PartialEq, Debug)]
pub struct Headline {
    /// The score and its interval: `3,112,000 games/s (-0.4 +0.3 %)`.
    pub score: String,
    /// Further facts: a name and a text each.
    pub facts: Vec<(&'static str, String)>,
    /// Reasons to doubt the score: a failed verification, an interrupt, other programs on the machine.
    pub doubts: Vec<String>,
}

impl Headline {
    /// The headline of a record; `None` without repetitions. The score is the highest rate among the cases of full
    /// games of backgammon drawn evenly from the opening; without such cases, among the cases nearest to them.
    #[must_use]
    pub fn from_record(record: &Record) -> Option<Headline> {
        let (case, rates) = scored(record)?;
        let (machine, program) = (&record.machine, &record.program);
        let state = machine.state.as_ref();
        let mut parts = vec![machine.name()];
        parts.extend(machine.sockets.map(|sockets| counted(sockets, "socket", "sockets")));
        parts.push(counted(machine.cores, "core", "cores"));
        parts.push(counted(machine.cpus, "CPU", "CPUs"));
        if machine.virtual_machine == Some(true) {
            let name = state.and_then(|state| state.hypervisor.as_ref());
            parts.push(name.map_or("virtual machine".to_owned(), |name| format!("virtual machine ({name})")));
        }
        let mut system = machine.system.clone();
        if let Some(kernel) = state.and_then(|state| state.kernel.as_ref()) {
            system = format!("{system} {kernel}");
        }
        let mut facts = vec![
            ("what", format!("{}: {} under the rules of {}", case.name, case.workload, case.rules)),
            ("machine", parts.join(", ")),
            ("threads", format!("{}, placement {}", case.workers.len(), case.placement)),
            ("tier", case.tier(program).to_owned()),
            ("program", format!("{}, {}", program.describe(), program.compiler)),
            ("system", system),
        ];
        if let Some((times, workers)) = record.times_the_paper() {
            facts.push((
                "paper",
                format!(
                    "{} times McGammon 1.0 (2007, quad-Opteron 2.6 GHz, the same simplified rule), {}",
                    grouped(times),
                    counted(workers, "worker", "workers")
                ),
            ));
        }
        facts.push(("record", format!("{}, {}, checksum {}", record.recipe, record.started, record.checksum())));
        let mut doubts = Vec::new();
        if record.verdict() == Verdict::Failed {
            doubts.push("the verification FAILED: the rates mean nothing".to_owned());
        }
        if record.interrupted {
            doubts.push("the measurement was interrupted".to_owned());
        }
        if let Some(note) = record.note_on_others() {
            doubts.push(format!("the machine was busy: {note}"));
        }
        Some(Headline {
            score: format!("{} {}/s ({})", grouped(rates.median), case.unit, relative_interval(&rates, 1)),
            facts,
            doubts,
        })
    }
}

/// The case of the score.
fn scored(record: &Record) -> Option<(&CaseRecord, Summary)> {
    let fitness = |case: &CaseRecord| {
        let uniform = case.workload == "playouts" && case.policy.is_none();
        let full = case.rules == "backgammon" && case.positions == ["4HPwATDgc/ABMA"];
        (uniform && full, uniform, case.unit == "games")
    };
    let measured = record.cases.iter().filter_map(|case| {
        let rates = case.summary(Repetition::rate)?;
        Some((case, rates))
    });
    measured.reduce(|best, next| {
        let (of_best, of_next) = (fitness(best.0), fitness(next.0));
        let faster = next.0.unit == best.0.unit && next.1.median > best.1.median;
        match of_next > of_best || of_next == of_best && faster {
            true => next,
            false => best,
        }
    })
}

impl Record {
    /// The rate of the fastest case under the paper's simplified rule over the paper's rate, and the number of workers
    /// of that case.
    #[must_use]
    pub fn times_the_paper(&self) -> Option<(f64, usize)> {
        let cases = self.cases.iter().filter(|case| case.paper);
        let rates = cases.filter_map(|case| {
            let times = case.summary(Repetition::times_the_paper)?;
            Some((times.median, case.workers.len()))
        });
        rates.max_by(|a, b| a.0.total_cmp(&b.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::tests::record;

    #[test]
    fn the_score_is_of_full_games_on_most_of_the_machine() {
        let rates = [1_000_000.0, 1_010_000.0, 990_000.0, 1_000_500.0, 999_500.0, 1_002_000.0];
        let doubled = rates.map(|rate| 2.0 * rate);
        let tripled = rates.map(|rate| 3.0 * rate);
        let mut record = record(&[("one", 1, &rates), ("all", 2, &doubled), ("paper", 2, &tripled)]);
        record.cases[2].paper = true;
        record.cases[2].rules = "mcgammon".to_owned();
        let headline = Headline::from_record(&record).unwrap();
        assert!(headline.score.starts_with("2,000,500 games/s (-1."), "{}", headline.score);
        let fact = |name: &str| -> String {
            let mut facts = headline.facts.iter();
            facts.find(|fact| fact.0 == name).unwrap().1.clone()
        };
        assert_eq!(fact("threads"), "2, placement cores");
        assert!(fact("machine").starts_with("a <made up> CPU, 1 socket, 4 cores, 8 CPUs"));
        assert!(fact("program").contains("tavli 0.1.0, commit 0123456789ab, rustc 1.95.0"));
        assert_eq!(fact("system"), "Linux 6.1");
        assert!(fact("paper").starts_with("462 times McGammon 1.0"), "{}", fact("paper"));
        let text = serde_json::to_string(&record).unwrap();
        let checksum = fact("record").rsplit(' ').next().unwrap().to_owned();
        assert!(text.contains(&format!("\"checksum\":\"{checksum}\"")), "{checksum}");
        assert!(headline.doubts.is_empty());
        record.others = Some(0.5);
        record.interrupted = true;
        record.checks[0].passed = false;
        assert_eq!(Headline::from_record(&record).unwrap().doubts.len(), 3);
    }

    #[test]
    fn without_a_repetition_there_is_no_score() {
        assert_eq!(Headline::from_record(&record(&[("games", 2, &[])])), None);
    }
}
