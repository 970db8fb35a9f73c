//! Events during the repetitions, as a table.

use super::table::Table;
use crate::events::Events;
use crate::printed_numbers::short;
use crate::record::{CaseRecord, Record, Repetition};
use crate::statistics::Summary;

/// A line for each case: clock, counters, interruptions, throttling, energy. Columns that the system does not report
/// are left out. `None` if it reports none.
#[must_use]
pub fn events(record: &Record) -> Option<Table> {
    let mut table = Table::new(&[
        "case",
        "GHz",
        "instructions per ply",
        "instructions per cycle",
        "branch misses per ply",
        "operations per cycle",
        "preempted per s",
        "stolen",
        "too hot",
        "stopped by quota",
        "games per J",
    ]);
    let told = |case: &&CaseRecord| case.repetitions.iter().any(|one| one.events.is_some());
    table.rows = record.cases.iter().filter(told).map(row).collect();
    (!table.rows.is_empty()).then(|| table.without_empty_columns())
}

fn row(case: &CaseRecord) -> Vec<String> {
    // The median, if all repetitions have a value.
    let median = |value: &dyn Fn(&Repetition) -> Option<f64>| {
        let values: Option<Vec<f64>> = case.repetitions.iter().map(value).collect();
        values.and_then(|values| Some(Summary::from_samples(&values)?.median))
    };
    let text = |value: &dyn Fn(&Repetition) -> Option<f64>| median(value).map_or(String::new(), short);
    let sum = |value: &dyn Fn(&Events) -> Option<f64>| -> Option<f64> {
        let repetitions = case.repetitions.iter();
        repetitions.map(|one| value(one.events.as_ref()?)).sum()
    };
    let seconds: f64 = case.repetitions.iter().map(|one| one.seconds).sum();
    let share = |part: Option<f64>| {
        let of = 100.0 / (seconds * case.workers.len() as f64);
        part.map_or(String::new(), |part| format!("{:.2} %", of * part))
    };
    let counters =
        |value: fn(&Repetition, &crate::events::Counts) -> f64| text(&move |one| Some(value(one, one.counters()?)));
    let games = case.unit == "games";
    vec![
        case.name.clone(),
        text(&|one| Some(one.frequency() / 1e9)),
        counters(|one, counts| counts.instructions / one.plies as f64),
        counters(|_, counts| counts.instructions / counts.cycles),
        counters(|one, counts| counts.branch_misses / one.plies as f64),
        text(&|one| Some(one.events.as_ref()?.operations? / one.clock)),
        sum(&|events| Some(events.preempted? as f64)).map_or(String::new(), |all| short(all / seconds)),
        share(sum(&|events| events.stolen_seconds)),
        sum(&|events| Some(events.hot? as f64)).map_or(String::new(), |all| format!("{all:.0}")),
        share(sum(&|events| events.quota_seconds)),
        text(&|one| {
            let joules = one.events.as_ref()?.joules.filter(|&joules| joules > 0.0 && games)?;
            Some(one.units as f64 / joules)
        }),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::events::Counts;
    use crate::record::tests::record;

    #[test]
    fn known_events_have_columns() {
        let mut record = record(&[("games", 2, &[100.0, 100.0])]);
        assert_eq!(events(&record), None);
        for one in &mut record.cases[0].repetitions {
            // 200 games of 20,000 plies in 2 s.
            one.events = Some(Events {
                counters: Some(Counts { seconds: 4.0, cycles: 8e9, instructions: 1.6e10, branch_misses: 4e4 }),
                preempted: Some(7),
                stolen_seconds: Some(0.2),
                hot: Some(3),
                quota_seconds: None,
                joules: Some(50.0),
                operations: Some(9e9),
            });
        }
        let table = events(&record).unwrap();
        let cell = |name: &str| {
            let at = table.head.iter().position(|head| head == name)?;
            Some(table.rows[0][at].as_str())
        };
        for (name, text) in [
            ("GHz", "2.000"),
            ("instructions per ply", "800.0 k"),
            ("instructions per cycle", "2.000"),
            ("branch misses per ply", "2.000"),
            ("operations per cycle", "3.000"),
            ("preempted per s", "3.500"),
            ("stolen", "5.00 %"),
            ("too hot", "6"),
            ("games per J", "4.000"),
        ] {
            assert_eq!(cell(name), Some(text), "{name}");
        }
        assert_eq!(cell("stopped by quota"), None);
        // Hardware counters take the place of the estimate.
        assert_eq!(record.cases[0].repetitions[0].cycles_per_ply(), 8e9 / 20_000.0);
    }
}
