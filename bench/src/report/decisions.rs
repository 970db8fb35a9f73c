//! Decisions: how long they took, and how much they lost.

use super::table::Table;
use crate::record::{CaseRecord, Decided, Record};
use crate::statistics::quantile;

/// The explanation of the numbers of the table.
pub(super) const NOTE: &str = "Processor time of a decision; the points that its play is behind the best by the stored \
                               values, and the standard error of their mean; other plays than the best; decisions that \
                               stayed open.";

/// The cases of decisions of a record; `None` without any.
#[must_use]
pub fn decisions(record: &Record) -> Option<Table> {
    let mut table = Table::new(&[
        "decisions",
        "way",
        "number",
        "seconds: median",
        "90th percentile",
        "most",
        "points lost",
        "standard error",
        "other plays",
        "open",
    ]);
    for case in &record.cases {
        if let Some(decided) = &case.decided {
            table.rows.push(row(case, decided));
        }
    }
    (!table.rows.is_empty()).then_some(table)
}

fn row(case: &CaseRecord, decided: &Decided) -> Vec<String> {
    let mut seconds = case.decision_seconds();
    seconds.sort_by(f64::total_cmp);
    let time = |share: f64| match seconds.is_empty() {
        true => "unknown".to_owned(),
        false => format!("{:.6}", quantile(&seconds, share)),
    };
    let number = decided.behind.len() as f64;
    let lost = decided.behind.iter().sum::<f64>() / number;
    let error = decided.errors.iter().map(|error| error * error).sum::<f64>().sqrt() / number;
    let others = decided.behind.iter().filter(|&&points| points > 0.0).count();
    vec![
        case.name.clone(),
        decided.way.clone(),
        decided.behind.len().to_string(),
        time(0.5),
        time(0.9),
        time(1.0),
        format!("{lost:.5}"),
        format!("{error:.5}"),
        others.to_string(),
        decided.open.to_string(),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::tests::record;

    #[test]
    fn a_row_has_the_times_and_the_points() {
        let mut record = record(&[("playouts", 1, &[1.0, 2.0]), ("choices", 1, &[1.0, 2.0])]);
        assert_eq!(decisions(&record), None);
        let case = &mut record.cases[1];
        case.workload = "decide".to_owned();
        case.unit = "decisions".to_owned();
        case.decided = Some(Decided {
            way: "fast".to_owned(),
            games: 0,
            open: 1,
            behind: vec![0.0, 0.02, 0.01],
            errors: vec![0.0, 0.003, 0.006],
        });
        for (repetition, seconds) in case.repetitions.iter_mut().zip([1.0, 2.0]) {
            repetition.decisions = vec![seconds, 0.0, 3.0 * seconds];
        }
        let text = decisions(&record).unwrap().text();
        let rows: Vec<&str> = text.lines().skip(1).collect();
        let words: Vec<&str> = rows[0].split_whitespace().collect();
        let expected = "choices fast 3 1.500000 3.900000 4.500000 0.01000 0.00224 2 1";
        assert_eq!((rows.len(), words.join(" ").as_str()), (1, expected));
        // Impossible values are refused.
        let saved = serde_json::to_string(&record).unwrap();
        assert_eq!(Record::parse(&saved).unwrap(), record);
        record.cases[1].decided.as_mut().unwrap().behind[1] = -0.1;
        let saved = serde_json::to_string(&record).unwrap();
        let error = Record::parse(&saved).unwrap_err().to_string();
        assert!(error.contains("invalid value -0.1 of points of a decision"), "{error}");
        record.cases[1].decided.as_mut().unwrap().behind.pop();
        let saved = serde_json::to_string(&record).unwrap();
        let error = Record::parse(&saved).unwrap_err().to_string();
        assert!(error.contains("2 decisions with 3 standard errors"), "{error}");
    }
}
