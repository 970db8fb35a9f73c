//! The rates of searches over the rates of plain playouts.

use super::table::Table;
use crate::record::Record;

/// The searches of a record next to the playouts that they are compared with; `None` without such cases.
#[must_use]
pub fn searches(record: &Record) -> Option<Table> {
    let mut table = Table::new(&["searches", "what", "trees of a worker", "playouts", "times their rate", "interval"]);
    for case in &record.cases {
        let Some((search, over)) = case.search.as_ref().zip(case.over_playouts.as_ref()) else {
            continue;
        };
        let interval = over.ratio.interval;
        let star = if interval.confidence < 0.95 { " *" } else { "" };
        table.rows.push(vec![
            case.name.clone(),
            format!("{} of {}", search.method, search.roll),
            search.trees.to_string(),
            over.case.clone(),
            format!("{:.3}", over.ratio.ratio),
            format!("{:.3} to {:.3}{star}", interval.low, interval.high),
        ]);
    }
    (!table.rows.is_empty()).then_some(table)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Searched;
    use crate::record::tests::record;

    #[test]
    fn searches_are_compared_with_playouts_of_the_same_round() {
        let (uct, plain) = ([50.0, 60.0, 80.0], [100.0, 100.0, 100.0]);
        let mut record = record(&[("playouts", 1, &plain), ("uct", 1, &uct), ("far", 2, &uct)]);
        assert_eq!(searches(&record), None);
        for case in &mut record.cases[1..] {
            case.workload = "search".to_owned();
            case.unit = "simulations".to_owned();
            case.search = Some(Searched { method: "uct".to_owned(), roll: "31".to_owned(), trees: 16 });
        }
        record.compare_searches();
        // No case of playouts has two workers, so 'far' has no row.
        let text = searches(&record).unwrap().text();
        let rows: Vec<&str> = text.lines().skip(1).collect();
        assert_eq!(rows.len(), 1, "{text}");
        let words: Vec<&str> = rows[0].split_whitespace().collect();
        let expected = "uct uct of 31 16 playouts 0.600 0.500 to 0.800 *";
        assert_eq!(words.join(" "), expected);
        // A record is refused if it says another ratio.
        let saved = serde_json::to_string(&record).unwrap();
        assert_eq!(Record::parse(&saved).unwrap(), record);
        record.cases[1].over_playouts.as_mut().unwrap().ratio.ratio = 0.9;
        let saved = serde_json::to_string(&record).unwrap();
        let error = Record::parse(&saved).unwrap_err().to_string();
        assert!(error.contains("case 'uct': its rate over playouts"), "{error}");
    }
}
