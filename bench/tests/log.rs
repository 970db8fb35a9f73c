//! The log of optimisations follows its own rule: a ratio within 2 % proves nothing, and a change that was kept without
//! further evidence is marked.

use std::fs;
use std::path::Path;

/// The mark of a row whose change was kept although its ratios are within 2 %.
const MARK: &str = "[within 2 %](#kept-within-2-)";
/// The largest ratio of such a row.
const WITHIN: f64 = 1.02;

fn log() -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../profiles/LOG.md");
    fs::read_to_string(file).unwrap()
}

/// The cells of the rows of the log; rows begin with a date.
fn rows(log: &str) -> Vec<Vec<&str>> {
    let rows = log.lines().filter(|line| line.starts_with("| 20"));
    rows.map(|row| row.trim_matches('|').split('|').map(str::trim).collect()).collect()
}

/// The largest ratio of the change itself; the ratios of variants follow after a comma or semicolon.
fn ratio(cell: &str) -> Option<f64> {
    let own = cell.split([';', ',']).next()?;
    let numbers = own.split_whitespace().filter_map(|word| word.parse::<f64>().ok());
    numbers.reduce(f64::max)
}

#[test]
fn changes_kept_within_two_percent_are_marked() {
    let log = log();
    let rows = rows(&log);
    assert!(rows.len() > 100);
    let mut marked = 0;
    for row in &rows {
        assert_eq!(row.len(), 6, "{row:?}");
        let kept = row[5].starts_with("kept");
        let within = ratio(row[4]).is_some_and(|ratio| ratio <= WITHIN);
        assert_eq!(row[5].contains(MARK), kept && within, "{row:?}");
        marked += usize::from(kept && within);
    }
    // The list of reasons has a line for each row; two rows that were measured together share one.
    let (_, reasons) = log.split_once("\n## Kept within 2 %\n").unwrap();
    let (reasons, _) = reasons.split_once("\n## ").unwrap();
    let lines = reasons.lines().filter(|line| line.starts_with('|'));
    let listed = lines.filter(|line| ratio(line.split('|').nth(2).unwrap()).is_some()).count();
    assert_eq!(listed + 1, marked);
}

#[test]
fn the_log_claims_no_quartiles_that_rows_lack() {
    let log = log();
    let (promise, _) = log.split_once("\n| date |").unwrap();
    let quoted = rows(&log).iter().any(|row| row[4].contains("quartile"));
    assert!(quoted || promise.contains("These rows have no quartiles"), "{promise}");
}
