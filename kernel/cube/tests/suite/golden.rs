//! GNU Backgammon's own numbers.

use std::collections::HashMap;
use std::io::Read;
use std::path::Path;

use flate2::read::GzDecoder;

/// A row of a file in `tests/data`, by the names of its columns.
pub(crate) struct Row(HashMap<String, String>);

impl Row {
    /// The text of a column.
    pub(crate) fn text(&self, column: &str) -> &str {
        &self.0[column]
    }

    /// The number of a column; 0 if the column is empty.
    pub(crate) fn number(&self, column: &str) -> f64 {
        let text = self.text(column);
        if text.is_empty() { 0.0 } else { text.parse().unwrap_or_else(|_| panic!("{column}: {text}")) }
    }
}

/// The rows of a file.
pub(crate) fn rows(name: &str) -> Vec<Row> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name);
    let file = std::fs::File::open(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut text = String::new();
    GzDecoder::new(file).read_to_string(&mut text).expect("UTF-8");
    let mut lines = text.lines().filter(|line| !line.starts_with('#'));
    let columns: Vec<&str> = lines.next().expect("a head").split('\t').collect();
    let row = |line: &str| {
        Row(columns.iter().map(|&column| column.to_owned()).zip(line.split('\t').map(str::to_owned)).collect())
    };
    lines.map(row).collect()
}
