//! The forms in which a result is written.

use std::io::{self, Write};

use serde::Serialize;
use tavli_terminal::output;

use crate::layout::Layout;
use crate::run_header::RunHeader;

/// How a result is written.
#[derive(Clone, Copy)]
pub(crate) enum Form<'a> {
    /// As the layout says, with the description of the machine that played it.
    Whole(Layout, Option<&'a RunHeader>),
    /// As JSON on one line: the answer to the line of this number.
    Line(u64),
}

/// The columns that only some tables have.
#[derive(Clone, Copy)]
pub(crate) struct Columns {
    pub(crate) cube: bool,
    pub(crate) decision: bool,
}

/// Writes JSON: a document, or the answer to a line.
pub(crate) fn write_json(form: Form<'_>, answer: &impl Serialize, output: &mut dyn Write) -> io::Result<()> {
    #[derive(Serialize)]
    struct LineJson<Answer> {
        line: u64,
        #[serde(flatten)]
        answer: Answer,
    }

    match form {
        Form::Line(line) => output::json_line(output, &LineJson { line, answer }),
        Form::Whole(..) => output::json(output, answer),
    }
}
