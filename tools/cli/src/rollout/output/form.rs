//! The forms in which a result is written.

use std::io::{self, Write};

use serde::Serialize;
use tavli::rollout::{EndReason, ResumableRollout};
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

/// The JSON of what was played of a rollout of any game.
#[derive(Serialize)]
pub(super) struct PlayedJson {
    first_trial: u64,
    trials: u64,
    /// Why its session ended; after a merge, that all trials are played.
    ended_by: &'static str,
    complete: bool,
    /// Time of playing, over all sessions and shards.
    seconds: f64,
    games_per_second: f64,
}

impl PlayedJson {
    pub(super) fn new(rollout: &impl ResumableRollout, reason: EndReason) -> PlayedJson {
        let (trials, seconds) = (rollout.trials(), rollout.elapsed().as_secs_f64());
        PlayedJson {
            first_trial: trials.start,
            trials: trials.end - trials.start,
            ended_by: reason.name(),
            complete: rollout.plan().is_complete(&trials),
            seconds,
            games_per_second: rollout.total_games() as f64 / seconds,
        }
    }
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
