//! `tavli plays`: the plays of a roll.

use std::io::{self, BufWriter, Write};

use clap::Args;
use serde::Serialize;
use tavli::plays::Plays;
use tavli::text::Quoted;
use tavli::{Board, PlayoutError, Position, Roll, RuleSet};

use crate::arguments::{self, Format, Rule};
use crate::failure::Failure;
use crate::lines::{self, Output, Unanswered};
use crate::output;

/// List the plays of a roll: the distinct positions it can lead to
///
/// With a position and a roll, prints each play in notation with the Position ID of its result, the next player on
/// roll. The roll may be the dice of the position. A roll that cannot be played has one play, which moves nothing.
///
/// With neither, reads lines of a position, a tab and a roll from standard input; a position with dice needs no roll.
/// For each line, prints the position, the roll, the number of plays and their Position IDs, separated by tabs; the
/// Position IDs are sorted and separated by commas. Skips further columns, empty lines and lines that begin with #.
/// Reports bad lines with their numbers, answers the others, and then exits with status 1.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// GNU Position ID, Position ID:Match ID, XGID, FIBS board line or 26 numbers
    #[arg(value_name = "POSITION", value_parser = arguments::position)]
    position: Option<Position>,
    /// Two digits 1 to 6, such as 31 [default: the dice of the position]
    #[arg(value_name = "ROLL", allow_negative_numbers = true)]
    roll: Option<Roll>,
    #[command(flatten)]
    rule: Rule,
    #[command(flatten)]
    format: Format,
}

/// The JSON of the plays of a roll.
#[derive(Serialize)]
struct Document {
    position_id: String,
    roll: String,
    rules: &'static str,
    n: usize,
    plays: Vec<PlayJson>,
}

/// The JSON of a play.
#[derive(Serialize)]
struct PlayJson {
    moves: String,
    /// The position after it, seen by the player next on roll.
    position_id: String,
    hits: usize,
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let (rules, json) = (arguments.rule.rules, arguments.format.json);
    let Some(position) = &arguments.position else {
        return lines::answer("lines of a position, a tab and a roll", |line, output| {
            answer(line, rules, json, output)
        });
    };
    let roll = position
        .roll_or(arguments.roll)
        .map_err(Failure::usage)?
        .ok_or_else(|| Failure::usage("the position has no dice: write the ROLL after it"))?;
    let board = *position.board();
    PlayoutError::check(&board, rules).map_err(Failure::usage)?;
    let mut output = BufWriter::new(io::stdout().lock());
    if json {
        output::json(&mut output, &document(&board, roll, rules))?;
    } else {
        print(&document(&board, roll, rules), &mut output)?;
    }
    output.flush()?;
    Ok(())
}

/// Answers a line of standard input.
fn answer(line: &str, rules: RuleSet, json: bool, output: &mut Output) -> Result<(), Unanswered> {
    let bad = |message: String| Unanswered::Line(message);
    let mut columns = line.split('\t');
    let position = columns.next().unwrap_or_default();
    let given = columns.next().filter(|roll| !roll.trim().is_empty());
    let parsed = arguments::position(position).map_err(|error| bad(error.to_string()))?;
    let board = *parsed.board();
    PlayoutError::check(&board, rules).map_err(|error| bad(error.to_string()))?;
    let of_line = given
        .map(|roll| roll.trim().parse::<Roll>())
        .transpose()
        .map_err(|error| bad(error.to_string()))?;
    let roll = parsed
        .roll_or(of_line)
        .map_err(|error| bad(error.to_string()))?
        .ok_or_else(|| bad(format!("'{}' is not a position, a tab and a roll", Quoted::new(line))))?;
    if json {
        return Ok(output::json_line(output, &document(&board, roll, rules))?);
    }
    let plays = Plays::under(&board, roll, rules);
    let mut ids: Vec<_> = plays.to_vec().iter().map(|play| play.board().position_id()).collect();
    ids.sort_unstable();
    let roll = given.map_or_else(|| roll.to_string(), str::to_owned);
    let position = Quoted::new(position).within(lines::LONGEST);
    write!(output, "{position}\t{roll}\t{}\t", ids.len())?;
    for (i, id) in ids.iter().enumerate() {
        let comma = if i > 0 { "," } else { "" };
        write!(output, "{comma}{id}")?;
    }
    Ok(writeln!(output)?)
}

fn document(board: &Board, roll: Roll, rules: RuleSet) -> Document {
    let of_roll = Plays::under(board, roll, rules);
    let mut plays: Vec<_> = of_roll
        .to_vec()
        .iter()
        .map(|play| PlayJson {
            moves: of_roll.moves(play).to_string(),
            position_id: play.board().position_id().to_string(),
            hits: play.hits().len(),
        })
        .collect();
    plays.sort_unstable_by(|a, b| a.position_id.cmp(&b.position_id));
    Document {
        position_id: board.position_id().to_string(),
        roll: roll.to_string(),
        rules: rules.name(),
        n: plays.len(),
        plays,
    }
}

fn print(document: &Document, output: &mut dyn Write) -> io::Result<()> {
    let Document {
        position_id,
        roll,
        n,
        plays,
        ..
    } = document;
    let plural = if *n == 1 { "" } else { "s" };
    writeln!(output, "{n} play{plural} of {roll} from {position_id}\n")?;
    let width = plays.iter().map(|play| play.moves.len()).max().unwrap_or(0);
    for PlayJson { moves, position_id, .. } in plays {
        writeln!(output, "  {moves:<width$}  {position_id}")?;
    }
    Ok(())
}
