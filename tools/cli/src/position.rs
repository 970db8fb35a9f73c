//! `tavli position`: draws a position, and prints it in every format.

use std::io::{self, Write};

use clap::Args;
use serde::Serialize;
use tavli::{Position, RuleSet};

use crate::arguments::{self, Format, Rule};
use crate::failure::Failure;
use crate::lines::{self, Unanswered};
use crate::output;

/// Draw a position and print it in every format
///
/// A side begins with 15 checkers, in hypergammon with three: those that it lacks are drawn as borne off.
///
/// Without a position, reads positions from standard input, one per line. Skips empty lines and lines that begin with
/// #. Reports bad lines with their numbers, answers the others, and then exits with status 1.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// GNU Position ID, Position ID:Match ID, XGID, FIBS board line or 26 numbers
    #[arg(value_name = "POSITION", value_parser = arguments::position)]
    position: Option<Position>,
    #[command(flatten)]
    rule: Rule,
    #[command(flatten)]
    format: Format,
}

/// The JSON of a position.
#[derive(Serialize)]
struct Document {
    position_id: String,
    match_id: String,
    xgid: String,
    fibs: String,
    /// Index 0 is the opponent's bar as a number <= 0, 1 to 24 are the points as the player on roll counts them, his
    /// checkers positive, and 25 is his bar.
    points: Vec<i8>,
    pips: u16,
    opponent_pips: u16,
}

impl Document {
    fn new(position: &Position) -> Document {
        let board = position.board();
        Document {
            position_id: position.position_id().to_string(),
            match_id: position.match_id().to_string(),
            xgid: position.xgid().to_string(),
            fibs: position.fibs().to_string(),
            points: position.points().to_vec(),
            pips: board.own().pips(),
            opponent_pips: board.opponent().pips(),
        }
    }
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let json = arguments.format.json;
    let rules = arguments.rule.rules;
    match &arguments.position {
        Some(position) if json => output::json(&mut io::stdout(), &Document::new(position))?,
        Some(position) => print(position, rules, &mut io::stdout())?,
        None => {
            let mut first = true;
            lines::answer("positions", |line, output| {
                let position = arguments::position(line).map_err(|error| Unanswered::Line(error.to_string()))?;
                if json {
                    output::json_line(output, &Document::new(&position))?;
                } else {
                    if !first {
                        writeln!(output)?;
                    }
                    print(&position, rules, output)?;
                }
                first = false;
                Ok(())
            })?;
        }
    }
    Ok(())
}

fn print(position: &Position, rules: RuleSet, output: &mut dyn Write) -> io::Result<()> {
    let document = Document::new(position);
    let points = document.points.iter().map(i8::to_string).collect::<Vec<_>>().join(" ");
    let drawing = position.diagram().of_checkers(rules.checkers());
    writeln!(output, "{drawing}\n")?;
    writeln!(output, "Position ID  {}", document.position_id)?;
    writeln!(output, "Match ID     {}", document.match_id)?;
    writeln!(output, "XGID         {}", document.xgid)?;
    writeln!(output, "FIBS         {}", document.fibs)?;
    writeln!(output, "points       {points}")?;
    writeln!(
        output,
        "pips         {} on roll, {} opponent",
        document.pips, document.opponent_pips
    )
}
