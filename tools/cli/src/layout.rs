//! The layouts of results of rollouts and evaluations: JSON, CSV, and what other programs print.

use std::borrow::Cow;

use clap::{Args, ValueEnum};

use crate::arguments::Format;

/// The layouts besides JSON.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct Style {
    /// Write CSV instead of text: a line for each play, or for each position
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// Form of the text: the rows of GNU Backgammon, the lines of eXtreme Gammon, or both
    #[arg(long, value_name = "PROGRAM", value_enum, default_value_t, conflicts_with_all = ["json", "csv"])]
    layout: Text,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub(crate) enum Text {
    Gnubg,
    Xg,
    #[default]
    Both,
}

/// A text as a cell of CSV.
pub(crate) fn csv_cell(text: &str) -> Cow<'_, str> {
    match text.contains([',', '"']) {
        true => Cow::Owned(format!("\"{}\"", text.replace('"', "\"\""))),
        false => Cow::Borrowed(text),
    }
}

/// How a result is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Layout {
    Json,
    Csv,
    Text(Text),
}

impl Layout {
    pub(crate) fn new(format: Format, style: Style) -> Layout {
        match (format, style) {
            (Format { json: true }, _) => Layout::Json,
            (_, Style { csv: true, .. }) => Layout::Csv,
            (_, Style { layout, .. }) => Layout::Text(layout),
        }
    }
}
