//! The layouts of results of rollouts and evaluations: those of other programs, JSON and CSV.

use clap::{Args, ValueEnum};

/// The options of a result's layout.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct Style {
    /// Write JSON
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// Write CSV: a line for each play, or position
    #[arg(long)]
    csv: bool,
    /// Which text is written: the rows of GNU Backgammon, the lines of eXtreme Gammon, or both
    #[arg(long, value_name = "PROGRAM", value_enum, default_value_t)]
    layout: Text,
}

/// The text layouts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub(crate) enum Text {
    Gnubg,
    Xg,
    #[default]
    Both,
}

/// How a result is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Layout {
    Json,
    Csv,
    Text(Text),
}

impl Layout {
    pub(crate) fn new(style: &Style) -> Layout {
        match style {
            Style { json: true, .. } => Layout::Json,
            Style { csv: true, .. } => Layout::Csv,
            Style { layout, .. } => Layout::Text(*layout),
        }
    }
}
