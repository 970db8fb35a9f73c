//! The rates of the cases of a record.

use super::intervals::{relative_interval, spread};
use super::table::Table;
use crate::printed_numbers::short;
use crate::record::{Record, Repetition};

/// The cases with their rates, a row each, in all columns that a report may choose from. Cases without repetitions are
/// left out.
pub(super) fn cases(record: &Record) -> Table {
    let mut table = Table::new(&[
        "case",
        "workers",
        "median rate",
        "95 % interval",
        "spread",
        "ns per ply",
        "cycles per ply",
        "tier",
        "rules",
        "times the paper",
    ]);
    for case in &record.cases {
        let median =
            |value: fn(&Repetition) -> f64| case.summary(value).map_or("-".to_owned(), |summary| short(summary.median));
        let Some(rates) = case.summary(Repetition::rate) else {
            continue;
        };
        let paper = case.paper.then(|| median(Repetition::times_the_paper));
        table.rows.push(vec![
            case.name.clone(),
            case.workers.len().to_string(),
            format!("{} {}/s", short(rates.median), case.unit),
            relative_interval(&rates, 2),
            spread(&rates, 2),
            median(Repetition::ns_per_ply),
            median(Repetition::cycles_per_ply),
            case.isa.clone().unwrap_or_default(),
            case.rules.clone(),
            paper.unwrap_or_default(),
        ]);
    }
    table
}
