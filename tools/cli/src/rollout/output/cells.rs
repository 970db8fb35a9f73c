//! The cells of a row of CSV, each with the name of its column.

use tavli::rollout::Statistic;

/// The cells of a row, in their order.
#[derive(Default)]
pub(crate) struct Cells(Vec<(String, String)>);

impl Cells {
    /// Adds a cell.
    pub(super) fn add(&mut self, name: impl Into<String>, text: impl ToString) {
        self.0.push((name.into(), text.to_string()));
    }

    /// Adds a cell, which is empty without a value.
    pub(super) fn add_known(&mut self, name: impl Into<String>, value: Option<impl ToString>) {
        self.add(name, value.map_or_else(String::new, |value| value.to_string()));
    }

    /// Adds numbers by name. A cell is empty if there is no number yet.
    pub(super) fn add_numbers(&mut self, numbers: impl IntoIterator<Item = (impl Into<String>, f64)>) {
        for (name, number) in numbers {
            self.add_known(name, Some(number).filter(|number| !number.is_nan()));
        }
    }

    /// The names of the columns.
    pub(crate) fn names(&self) -> String {
        self.0.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(",")
    }

    /// The texts of the cells.
    pub(crate) fn texts(&self) -> String {
        self.0.iter().map(|(_, text)| text.as_str()).collect::<Vec<_>>().join(",")
    }
}

/// A statistic without trials.
pub(super) const UNKNOWN: Statistic = Statistic {
    mean: f64::NAN,
    raw_mean: f64::NAN,
    standard_deviation: f64::NAN,
    standard_error: f64::NAN,
    low: f64::NAN,
    high: f64::NAN,
};

/// A mean with its error and its 95 % interval, by name.
pub(super) fn mean_and_errors(name: &str, statistic: &Statistic) -> [(String, f64); 4] {
    let Statistic { mean, standard_error, low, high, .. } = *statistic;
    [
        (name.to_owned(), mean),
        (format!("se_{name}"), standard_error),
        (format!("low_{name}"), low),
        (format!("high_{name}"), high),
    ]
}
