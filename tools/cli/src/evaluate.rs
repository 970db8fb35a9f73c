//! `tavli evaluate`: values of positions and plays.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;
use tavli::cube::{self, Chances, CubeValues};
use tavli::evaluation::{Evaluation, ValuedPlay, ValuedPlays};
use tavli::evaluators::Probabilities;
use tavli::run::{Cancel, Workers};
use tavli::text::Quoted;
use tavli::{Board, Position, Roll, Tier};

use crate::arguments::{self, Machine, Rule};
use crate::evaluator::EvaluatorOptions;
use crate::failure::Failure;
use crate::input::{Input, Lines, Next};
use crate::interrupt::{self, NO_RESULT};
use crate::layout::{Layout, Style, Text};
use crate::lines;
use crate::numbers::counted;
use crate::output;

/// Positions of the input valued in one batch.
const AT_ONCE: usize = 1 << 13;

/// Value a position, or rank the plays of a roll
///
/// Prints the probabilities of the outcomes and the equity without a cube, in the rows of GNU Backgammon and the lines
/// of eXtreme Gammon. With a roll, which may be the dice of the position, ranks the plays for the player on roll. Plays
/// that --keep leaves out come last, with their values without looking ahead.
///
/// Without a position, reads lines (a position, and optionally a tab and a roll) from standard input, and prints for
/// each, separated by tabs: the position, the roll, the best play, the equity, the shares won, won by gammon or better,
/// and won by backgammon, and the same three shares lost. Bad lines are reported with their numbers and the other lines
/// are answered; the exit status is then 1.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// GNU Position ID, Position ID:Match ID, XGID, FIBS board line or 26 numbers
    #[arg(value_name = "POSITION", value_parser = arguments::position)]
    position: Option<Position>,
    /// Two digits 1 to 6, such as 31 [default: the dice of the position, if it has some]
    #[arg(value_name = "ROLL", allow_negative_numbers = true)]
    roll: Option<Roll>,
    /// Read the lines from FILE; - is standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["position", "layout"])]
    positions: Option<PathBuf>,
    #[command(flatten)]
    evaluator: EvaluatorOptions,
    #[command(flatten)]
    rule: Rule,
    #[command(flatten)]
    machine: Machine,
    #[command(flatten)]
    style: Style,
}

/// The shares of the outcomes and the equity. Gammons count backgammons too.
#[derive(Clone, Copy, Serialize)]
struct Worth {
    equity: f64,
    win: f64,
    win_gammon: f64,
    win_backgammon: f64,
    lose: f64,
    lose_gammon: f64,
    lose_backgammon: f64,
}

/// The JSON of a position.
#[derive(Serialize)]
struct OfPosition {
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u64>,
    position_id: String,
    rules: &'static str,
    evaluator: String,
    #[serde(flatten)]
    worth: Worth,
    /// Nothing where the match of the position is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    cube: Option<OfCube>,
}

/// The JSON of a cube decision, in units of the cube.
#[derive(Clone, Copy, Serialize)]
struct OfCube {
    no_double: f64,
    double_take: f64,
    double_pass: f64,
    action: &'static str,
}

/// The JSON of the plays of a roll, the best first.
#[derive(Serialize)]
struct OfRoll {
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u64>,
    position_id: String,
    roll: String,
    rules: &'static str,
    evaluator: String,
    plays: Vec<OfPlay>,
    /// Whether it ended before all plays had their values.
    #[serde(skip_serializing_if = "is_false")]
    interrupted: bool,
}

/// The JSON of a play, for the player who makes it.
#[derive(Serialize)]
struct OfPlay {
    rank: usize,
    moves: String,
    /// The position after it, seen by the player next on roll.
    position_id: String,
    /// Plies ahead.
    plies: u32,
    #[serde(flatten)]
    worth: Worth,
    /// The equity of the best play less this one's.
    behind: f64,
}

/// A line of the input.
struct Asked {
    line: u64,
    position: Position,
    roll: Option<Roll>,
}

/// The evaluation, with the workers that compute it.
struct Evaluator<'a> {
    arguments: &'a Arguments,
    tier: Tier,
    evaluation: Evaluation,
    workers: Workers,
    cancel: Cancel,
}

/// The value of a position, or of the plays of its roll.
enum Answer {
    Position(Worth),
    Plays(ValuedPlays),
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives references")]
fn is_false(value: &bool) -> bool {
    !value
}

impl OfCube {
    /// The decision before the roll, by the cube and the score of a position.
    fn new(position: &Position, worth: &Worth) -> Option<OfCube> {
        let chances = [
            worth.win,
            worth.win_gammon,
            worth.win_backgammon,
            worth.lose_gammon,
            worth.lose_backgammon,
        ];
        let chances = Chances::new(chances).expect("outcomes contain each other");
        let values = cube::values(position, &chances).ok()?;
        let CubeValues {
            no_double,
            double_take,
            double_pass,
            action,
            ..
        } = values;
        Some(OfCube {
            no_double,
            double_take,
            double_pass,
            action: action.text(),
        })
    }
}

impl Worth {
    fn new(value: &Probabilities) -> Worth {
        Worth {
            equity: value.equity(),
            win: value.at_least(1),
            win_gammon: value.at_least(2),
            win_backgammon: value.at_least(3),
            lose: value.at_least(-1),
            lose_gammon: value.at_least(-2),
            lose_backgammon: value.at_least(-3),
        }
    }

    /// The shares in the order of GNU Backgammon's rows.
    fn shares(&self) -> [f64; 6] {
        let Worth {
            win,
            win_gammon,
            win_backgammon,
            lose,
            lose_gammon,
            lose_backgammon,
            ..
        } = *self;
        [win, win_gammon, win_backgammon, lose, lose_gammon, lose_backgammon]
    }
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let evaluation = arguments.evaluator.evaluation(arguments.rule.rules);
    let lines = match arguments.position {
        Some(_) => None,
        None => {
            let path = arguments.positions.as_deref().unwrap_or(Path::new("-"));
            Some(Input::open(path)?)
        }
    };
    let cancel = interrupt::cancel_on_interrupt()?;
    let (workers, _) = arguments.machine.start()?;
    let evaluator = Evaluator {
        arguments,
        tier: arguments.machine.tier()?,
        evaluation,
        workers,
        cancel,
    };
    match (&arguments.position, lines) {
        (Some(position), _) => evaluator.one(position),
        (None, Some(lines)) => evaluator.many(&lines.read()?),
        (None, None) => unreachable!("an input is opened where there is no position"),
    }
}

impl Evaluator<'_> {
    /// The values of the plays of a roll.
    fn plays(&self, board: &Board, roll: Roll) -> Result<ValuedPlays, String> {
        self.evaluation
            .plays(board, roll, self.tier, &self.workers, &self.cancel)
            .map_err(|error| error.to_string())
    }

    /// The values of positions, of the first of them if the user ends it.
    fn values(&self, boards: &[Board]) -> Result<Vec<Worth>, String> {
        let values = self
            .evaluation
            .values(boards, self.tier, &self.workers, &self.cancel)
            .map_err(|(_, error)| error.to_string())?;
        Ok(values.iter().map(Worth::new).collect())
    }

    /// Answers for the position of the command line.
    fn one(&self, position: &Position) -> Result<(), Failure> {
        let board = position.board();
        let roll = position.roll_or(self.arguments.roll).map_err(Failure::usage)?;
        let answer = match roll {
            Some(roll) => {
                let plays = self.plays(board, roll).map_err(Failure::usage)?;
                (!plays.plays.is_empty()).then_some(Answer::Plays(plays))
            }
            None => {
                let values = self.values(&[*board]).map_err(Failure::usage)?;
                values.first().copied().map(Answer::Position)
            }
        };
        let answer = answer.ok_or_else(|| Failure::run(NO_RESULT))?;
        let mut output = BufWriter::new(io::stdout().lock());
        match Layout::new(&self.arguments.style) {
            Layout::Json => self.json(&mut output, None, position, roll, &answer)?,
            Layout::Csv => {
                write_names(&mut output)?;
                write_rows(&mut output, board, &answer)?;
            }
            Layout::Text(text) => self.print(&mut output, board, roll, &answer, text)?,
        }
        output.flush()?;
        if let Answer::Plays(ValuedPlays { plays, cancelled }) = &answer
            && *cancelled
        {
            let ahead = plays.iter().filter(|play| play.plies == plays[0].plies);
            let valued = counted(ahead.count() as u64, "play", "plays");
            output::complain(format_args!("interrupted after {valued}"));
        }
        Ok(())
    }

    /// Answers line by line.
    fn many(&self, lines: &Lines) -> Result<(), Failure> {
        let mut output = BufWriter::new(io::stdout());
        let (mut number, mut bad_lines, mut answered) = (0, 0, 0_u64);
        let mut is_last = false;
        if let Layout::Csv = Layout::new(&self.arguments.style) {
            writeln!(output, "line,{NAMES}")?;
        }
        while !is_last && !self.cancel.is_cancelled() {
            let asked;
            (asked, is_last) = self.read(lines, &mut number, &mut bad_lines)?;
            let alone = asked.iter().filter(|asked| asked.roll.is_none());
            let boards: Vec<Board> = alone.map(|asked| *asked.position.board()).collect();
            let values = self.values(&boards).map_err(Failure::run)?;
            let mut values = values.into_iter();
            for asked in &asked {
                let board = asked.position.board();
                let answer = match asked.roll {
                    None => values.next().map(Answer::Position),
                    Some(roll) => {
                        let plays = self.plays(board, roll).map_err(Failure::run)?;
                        (!plays.cancelled).then_some(Answer::Plays(plays))
                    }
                };
                let Some(answer) = answer else {
                    break;
                };
                self.line(&mut output, asked, &answer)?;
                answered += 1;
            }
            output.flush()?;
        }
        if self.cancel.is_cancelled() {
            let answered = counted(answered, "line", "lines");
            output::complain(format_args!("interrupted after {answered}"));
        }
        match bad_lines {
            0 => Ok(()),
            _ => Err(Failure::Reported),
        }
    }

    /// The next lines, and whether they are the last. If no line comes for a while, returns those read so far, so that
    /// a program at the other end gets its answer.
    fn read(&self, lines: &Lines, number: &mut u64, bad_lines: &mut u64) -> Result<(Vec<Asked>, bool), Failure> {
        let mut asked = Vec::new();
        while asked.len() < AT_ONCE {
            let is_enough = || !asked.is_empty() || self.cancel.is_cancelled();
            let line = match lines.next(is_enough)? {
                Next::Line(line) => line,
                Next::End => return Ok((asked, true)),
                Next::Idle => break,
            };
            *number += 1;
            let Some(text) = lines::text(&line) else {
                continue;
            };
            match text.and_then(|text| self.ask(*number, text)) {
                Ok(of_line) => asked.push(of_line),
                Err(message) => {
                    *bad_lines += 1;
                    output::complain(format_args!("error: line {number}: {message}"));
                }
            }
        }
        Ok((asked, false))
    }

    /// What a line asks.
    fn ask(&self, line: u64, text: &str) -> Result<Asked, String> {
        let mut columns = text.split('\t');
        let position = columns.next().unwrap_or_default();
        let position = arguments::position(position).map_err(|error| error.to_string())?;
        let given = columns.next().map(str::trim).filter(|roll| !roll.is_empty());
        let given = given.map(str::parse::<Roll>).transpose();
        let given = given.map_err(|error| error.to_string())?;
        let roll = position.roll_or(given).map_err(|error| error.to_string())?;
        let (board, rules) = (*position.board(), self.arguments.rule.rules);
        // A position without a roll may be over.
        if roll.is_some() || rules.outcome(&board).is_none() {
            let playouts = tavli::Playouts::new(board, rules, 0);
            playouts.map_err(|error| format!("'{}': {error}", Quoted::new(text)))?;
        }
        Ok(Asked { line, position, roll })
    }

    /// Writes the answer to a line.
    fn line(&self, output: &mut dyn Write, asked: &Asked, answer: &Answer) -> io::Result<()> {
        let board = asked.position.board();
        match Layout::new(&self.arguments.style) {
            Layout::Json => self.json(output, Some(asked.line), &asked.position, asked.roll, answer),
            Layout::Csv => {
                let mut rows = Vec::new();
                write_rows(&mut rows, board, answer)?;
                for row in rows.split_inclusive(|&byte| byte == b'\n') {
                    write!(output, "{},", asked.line)?;
                    output.write_all(row)?;
                }
                Ok(())
            }
            Layout::Text(_) => {
                let roll = asked.roll.map_or_else(String::new, |roll| roll.to_string());
                let (moves, worth) = match answer {
                    Answer::Position(worth) => (String::new(), *worth),
                    Answer::Plays(ValuedPlays { plays, .. }) => {
                        (plays[0].moves.to_string(), Worth::new(&plays[0].value))
                    }
                };
                write!(output, "{}\t{roll}\t{moves}\t{:+.5}", board.position_id(), worth.equity)?;
                for share in worth.shares() {
                    write!(output, "\t{share:.5}")?;
                }
                writeln!(output)
            }
        }
    }

    /// Writes an answer as JSON, that to a line on one line.
    fn json(
        &self,
        output: &mut dyn Write,
        line: Option<u64>,
        position: &Position,
        roll: Option<Roll>,
        answer: &Answer,
    ) -> io::Result<()> {
        let (position_id, rules) = (position.position_id().to_string(), self.arguments.rule.rules.name());
        let evaluator = self.evaluation.evaluator().name().to_owned();
        match answer {
            Answer::Position(worth) => write_json(
                output,
                line,
                &OfPosition {
                    line,
                    position_id,
                    rules,
                    evaluator,
                    worth: *worth,
                    cube: OfCube::new(position, worth),
                },
            ),
            Answer::Plays(ValuedPlays { plays, cancelled }) => write_json(
                output,
                line,
                &OfRoll {
                    line,
                    position_id,
                    roll: roll.map_or_else(String::new, |roll| roll.to_string()),
                    rules,
                    evaluator,
                    plays: of_plays(plays),
                    interrupted: *cancelled,
                },
            ),
        }
    }

    /// Prints an answer in familiar layouts.
    fn print(
        &self,
        output: &mut dyn Write,
        board: &Board,
        roll: Option<Roll>,
        answer: &Answer,
        text: Text,
    ) -> io::Result<()> {
        let rules = self.arguments.rule.rules;
        write!(output, "{rules} from {}", board.position_id())?;
        let rows = match answer {
            Answer::Position(worth) => vec![Row {
                name: "     position".to_owned(),
                note: String::new(),
                worth: *worth,
            }],
            Answer::Plays(ValuedPlays { plays, .. }) => {
                let number = counted(plays.len() as u64, "play", "plays");
                let roll = roll.map_or_else(String::new, |roll| roll.to_string());
                write!(output, ", {number} of {roll}")?;
                of_rows(plays)
            }
        };
        let evaluator = self.evaluation.evaluator().name();
        writeln!(output, "\nvalued by {evaluator}\n")?;
        if text != Text::Xg {
            for Row { name, note, worth } in &rows {
                writeln!(output, "{name}  Eq.: {:+.4}{note}", worth.equity)?;
                let [w, wg, wb, l, lg, lb] = worth.shares();
                writeln!(
                    output,
                    "     {w:.4} {wg:.4} {wb:.4} - {l:.4} {lg:.4} {lb:.4}  CL {:+.4}",
                    worth.equity
                )?;
            }
        }
        if text == Text::Both {
            writeln!(output)?;
        }
        if text != Text::Gnubg {
            for Row { name, note, worth } in &rows {
                writeln!(output, "{name}  eq: {:+.4}{note}", worth.equity)?;
                let [w, wg, wb, l, lg, lb] = worth.shares().map(|share| 100.0 * share);
                writeln!(output, "     Player:   {w:5.2}% (G:{wg:.2}% B:{wb:.2}%)")?;
                writeln!(output, "     Opponent: {l:5.2}% (G:{lg:.2}% B:{lb:.2}%)")?;
            }
        }
        Ok(())
    }
}

/// A value as it is printed.
struct Row {
    name: String,
    /// What follows the equity.
    note: String,
    worth: Worth,
}

/// The rows of plays: how far each is behind the best, and how far ahead it was looked if that differs.
fn of_rows(plays: &[ValuedPlay]) -> Vec<Row> {
    let names: Vec<String> = (1..)
        .zip(plays)
        .map(|(rank, play)| format!("{rank:>3}. {}", play.moves))
        .collect();
    let width = names.iter().map(String::len).max().unwrap_or(0);
    let rows = names.into_iter().zip(of_plays(plays));
    rows.map(|(name, play)| {
        let mut note = String::new();
        if play.rank > 1 {
            note = format!("  ({:+.4})", -play.behind);
        }
        if play.plies != plays[0].plies {
            note.push_str(&format!("  {}-ply", play.plies));
        }
        Row {
            name: format!("{name:<width$}"),
            note,
            worth: play.worth,
        }
    })
    .collect()
}

fn of_plays(plays: &[ValuedPlay]) -> Vec<OfPlay> {
    let best = plays[0].value.equity();
    let ranked = (1..).zip(plays);
    ranked
        .map(|(rank, play)| OfPlay {
            rank,
            moves: play.moves.to_string(),
            position_id: play.board.position_id().to_string(),
            plies: play.plies,
            worth: Worth::new(&play.value),
            behind: best - play.value.equity(),
        })
        .collect()
}

/// The columns of a table.
const NAMES: &str =
    "rank,moves,position_id,plies,equity,win,win_gammon,win_backgammon,lose,lose_gammon,lose_backgammon";

fn write_names(output: &mut dyn Write) -> io::Result<()> {
    writeln!(output, "{NAMES}")
}

/// A line for each play, or for a position.
fn write_rows(output: &mut dyn Write, board: &Board, answer: &Answer) -> io::Result<()> {
    let mut row = |start: String, worth: &Worth| {
        write!(output, "{start},{}", worth.equity)?;
        for share in worth.shares() {
            write!(output, ",{share}")?;
        }
        writeln!(output)
    };
    match answer {
        Answer::Position(worth) => row(format!(",,{},", board.position_id()), worth),
        Answer::Plays(ValuedPlays { plays, .. }) => of_plays(plays).iter().try_for_each(|play| {
            let OfPlay {
                rank,
                moves,
                position_id,
                plies,
                worth,
                ..
            } = play;
            row(format!("{rank},{moves},{position_id},{plies}"), worth)
        }),
    }
}

fn write_json(output: &mut dyn Write, line: Option<u64>, document: &impl Serialize) -> io::Result<()> {
    match line {
        Some(_) => output::json_line(output, document),
        None => output::json(output, document),
    }
}
