//! `tavli evaluate`: values of positions and plays.

pub(crate) mod answer;
pub(crate) mod other_games;
mod solved;

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use tavli::cube::{CubeInPlay, CubeValues, Stakes};
use tavli::engine::Engine;
use tavli::evaluation::{Evaluation, PositionValue, RankedPlays};
use tavli::run::{Cancel, Workers};
use tavli::text::Quoted;
use tavli::{Board, MoveFilters, Reading, Roll, RuleSet, Tier};
use tavli_terminal::answered_lines;
use tavli_terminal::batches::Batches;
use tavli_terminal::failure::Failure;
use tavli_terminal::interrupt::{self, NO_RESULT};
use tavli_terminal::line_reader::{Input, Lines};
use tavli_terminal::numbers::{counted, whole_in};
use tavli_terminal::output::{self, Remarked};
use tavli_terminal::remarks::{self, remark_on_values};

use self::answer::{Answer, AnswerJson, FoundJson, PlayRows, RankedPlayJson, ValueJson};
use self::solved::HypergammonTable;
use crate::arguments::{
    self, BACKGAMMON_HEADING, CUBE_AND_SCORE, Format, GameOptions, WorkerOptions, invalid, invalid_position,
};
use crate::cube::{self, CubeJson, CubeOptions, ScoreMatrix, WithCube};
use crate::evaluator_options::EvaluatorOptions;
use crate::game_turn::TurnJson;
use crate::layout::{Layout, Style, Text};

/// Why a position of hypergammon is not valued with the cube.
const TABLE_REMEDY: &str = "hypergammon with the cube is valued by its table: name it by --table FILE, which tavli \
    solve hypergammon --cube --output FILE makes";

/// Positions of the input valued in one batch.
const POSITIONS_PER_BATCH: usize = 1 << 13;
/// Positions in a batch if each gets the matrix of `--scores`.
// A matrix to 25 points takes a millisecond in a build with debug assertions; a signal is heard between batches.
const MATRICES_PER_BATCH: usize = 1 << 6;

/// Value a position, or rank the plays of a roll
///
/// tavli evaluate 4HPwATDgc/ABMA 31
///
/// For a position, prints the probabilities of the outcomes and the equity, in the rows of GNU Backgammon and the lines
/// of eXtreme Gammon. With a cube it prints the equities with the cube, too. In other games it prints the equity, in
/// points of the player on roll or to move, and the probabilities if a net has them.
///
/// For a roll, ranks the plays. The roll may be the dice of the position; a game without dice needs none. Each play
/// shows its depth, such as 0-ply. Plays that a move filter left out come last.
///
/// Without a position, reads lines from standard input: a position, and optionally a tab and a roll. For each, prints a
/// line with tabs between these columns:
///
/// * the position, the roll, the best play, the equity
///
/// * the shares won, won by gammon or better, and won by backgammon
///
/// * the same three shares lost
///
/// In other games a net gives the shares won, won double, lost and lost double. Bad lines are reported with their
/// numbers, the others are answered, and the exit status is then 1.
#[derive(Args, Debug)]
pub(crate) struct EvaluateArguments {
    #[arg(value_name = "POSITION", help = arguments::POSITION)]
    pub(crate) position: Option<String>,
    /// Roll whose plays are ranked, such as 31, in a game with dice [default: the dice of the position, if it has some]
    #[arg(value_name = "ROLL", allow_negative_numbers = true)]
    pub(crate) roll: Option<String>,
    /// Value each line of FILE: a position, and optionally a tab and a roll; - is standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["position", "layout"], help_heading = BACKGAMMON_HEADING)]
    positions: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) evaluator: EvaluatorOptions,
    /// Value positions of hypergammon exactly, by a table that tavli solve hypergammon made
    ///
    /// Values with the cube need a table that was made with --cube.
    #[arg(long, value_name = "FILE", help_heading = BACKGAMMON_HEADING)]
    #[arg(conflicts_with_all = ["evaluator", "look_ahead", "bearoff", "cube_life"])]
    table: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) game: GameOptions,
    #[command(flatten)]
    pub(crate) machine: WorkerOptions,
    #[command(flatten)]
    pub(crate) format: Format,
    #[command(flatten)]
    cube: CubeOptions,
    /// Print the cube decision at every score of a match, up to N points away for both, 1 to 25
    ///
    /// All are from one evaluation. Scores at which a player is 1 point away are after the Crawford game.
    #[arg(long, value_name = "N", allow_negative_numbers = true, conflicts_with = "cubeless")]
    #[arg(value_parser = whole_in::<u16>(1..=25), help_heading = CUBE_AND_SCORE)]
    scores: Option<u16>,
    #[command(flatten, next_help_heading = BACKGAMMON_HEADING)]
    style: Style,
}

/// A line of the input.
struct InputLine {
    line: u64,
    asked: WithCube,
    roll: Option<Roll>,
    /// The remarks of reading it.
    remarks: Vec<String>,
}

/// The evaluation, with the workers that compute it.
struct Evaluator<'a> {
    arguments: &'a EvaluateArguments,
    rules: RuleSet,
    tier: Tier,
    /// The scores of `--scores`.
    scores: Option<ScoreMatrix>,
    /// The table of `--table`.
    solved: Option<HypergammonTable>,
    evaluation: Evaluation,
    /// Whether `evaluation` looks less far ahead than was asked, because the user ended it.
    fell_back: bool,
    workers: Workers,
    cancel: Cancel,
}

impl EvaluateArguments {
    /// How the answers are written.
    fn layout(&self) -> Layout {
        Layout::new(self.format, self.style)
    }

    /// The position of the command line, as backgammon reads it.
    fn reading(&self, rules: RuleSet) -> Result<Option<Reading>, Failure> {
        let read = |text| remarks::reading(text, rules).map_err(|error| invalid_position(text, error));
        self.position.as_deref().map(read).transpose()
    }

    /// The roll of the command line.
    fn given_roll(&self) -> Result<Option<Roll>, Failure> {
        let read = |text: &str| text.parse().map_err(|error| invalid("[ROLL]", text, error));
        self.roll.as_deref().map(read).transpose()
    }
}

/// Runs the command for backgammon.
pub(crate) fn run(arguments: &EvaluateArguments) -> Result<(), Failure> {
    let has_matrix = match arguments.layout() {
        Layout::Json => true,
        Layout::Text(_) => arguments.position.is_some(),
        Layout::Csv => false,
    };
    if arguments.scores.is_some() && !has_matrix {
        return Err(Failure::usage(
            "a line has no room for the matrix of --scores: add --json, or name one position without --csv",
        ));
    }
    if let (None, Layout::Text(Text::Gnubg | Text::Xg)) = (&arguments.position, arguments.layout()) {
        return Err(Failure::usage(
            "--layout is for one position, and lines are answered in a table: name the position, or leave --layout out",
        ));
    }
    let rules = arguments.game.rule_set()?;
    let (position, roll) = (arguments.reading(rules)?, arguments.given_roll()?);
    let has_roll = |reading: &Reading| roll.is_some() || reading.position.roll().is_some();
    if arguments.evaluator.keeps_plays() && position.as_ref().is_some_and(|reading| !has_roll(reading)) {
        return Err(Failure::usage(
            "--keep is for the plays of a roll: write the ROLL after the position, or leave --keep out",
        ));
    }
    let solved = match &arguments.table {
        Some(_) if rules != RuleSet::Hypergammon => {
            return Err(Failure::usage(format_args!(
                "--table is for the rules of hypergammon, not {rules}: add --rules hypergammon, or leave it out"
            )));
        }
        Some(path) => Some(HypergammonTable::read(path)?),
        None => None,
    };
    let evaluation = arguments.evaluator.evaluation(rules)?;
    if solved.is_none() {
        remark_on_values(evaluation.evaluator().name(), rules);
    }
    let lines = match position {
        Some(_) => None,
        None => {
            let path = arguments.positions.as_deref().unwrap_or(Path::new("-"));
            Some(Input::open(path)?)
        }
    };
    let cancel = interrupt::cancel_on_interrupt()?;
    let (workers, _) = arguments.machine.start()?;
    let mut evaluator = Evaluator {
        arguments,
        rules,
        tier: arguments.machine.tier()?,
        scores: arguments.scores.map(ScoreMatrix::new),
        solved,
        evaluation,
        fell_back: false,
        workers,
        cancel,
    };
    match (&position, lines) {
        (Some(reading), _) => {
            let asked = evaluator.with_cube(reading);
            evaluator.one(&asked.map_err(Failure::usage)?, roll)
        }
        (None, Some(lines)) => evaluator.many(lines.read()?),
        (None, None) => unreachable!("an input is opened where there is no position"),
    }
}

impl Evaluator<'_> {
    /// The position that was read, with its cube if it is valued with one.
    fn with_cube(&self, reading: &Reading) -> Result<WithCube, String> {
        let is_known = match (&self.solved, self.rules) {
            (Some(solved), _) => solved.check_cube(),
            (None, RuleSet::Hypergammon) => Err(TABLE_REMEDY.to_owned()),
            _ => Ok(()),
        };
        self.arguments.cube.apply(reading, is_known)
    }

    /// The name of the evaluator.
    fn name(&self) -> &str {
        match &self.solved {
            Some(_) => HypergammonTable::NAME,
            None => self.evaluation.evaluator().name(),
        }
    }

    /// The plays of a roll, ranked.
    fn plays(&self, asked: &WithCube, roll: Roll) -> Result<PlayRows, String> {
        let (board, cube) = (asked.position.board(), asked.cube.as_ref());
        if let Some(solved) = &self.solved {
            return solved.plays(board, roll, cube);
        }
        let ranked = self.evaluation.ranked(board, roll, cube, self.tier, &self.workers, &self.cancel);
        ranked.map(PlayRows::from).map_err(|error| error.to_string())
    }

    /// The values of positions; of the first ones only, if the user ends the command.
    fn values(&self, asked: &[&WithCube]) -> Result<Vec<Answer>, String> {
        self.values_by(&self.evaluation, asked)
    }

    fn values_by(&self, evaluation: &Evaluation, asked: &[&WithCube]) -> Result<Vec<Answer>, String> {
        if let Some(solved) = &self.solved {
            let asked = asked.iter();
            return asked.map(|asked| solved.position(asked, self.scores.as_ref())).collect();
        }
        let positions: Vec<(Board, Option<CubeInPlay>)> =
            asked.iter().map(|asked| (*asked.position.board(), asked.cube)).collect();
        let valued = evaluation
            .decisions(&positions, self.tier, &self.workers, &self.cancel)
            .map_err(|(_, error)| error.to_string())?;
        let answers = valued.into_iter().zip(asked).map(|(valued, asked)| {
            let PositionValue { value, cube } = valued;
            let (board, cube_here) = (asked.position.board(), &asked.position.context().cube);
            let is_open = self.rules.outcome(board).is_none();
            let scores = self.scores.as_ref().filter(|_| is_open);
            let scores = scores.map(|scores| scores.decisions(&tavli::cube::model(board), &value.into(), cube_here));
            Answer::Position(ValueJson::new(&value), cube, scores)
        });
        Ok(answers.collect())
    }

    /// Answers for the position of the command line.
    fn one(&mut self, asked: &WithCube, roll: Option<Roll>) -> Result<(), Failure> {
        let position = &asked.position;
        let roll = position.roll_or(roll).map_err(Failure::usage)?;
        self.check_scores(roll).map_err(Failure::usage)?;
        let answer = match roll {
            Some(roll) => {
                let plays = self.plays(asked, roll).map_err(Failure::usage)?;
                (!plays.plays.is_empty()).then_some(Answer::Plays(plays))
            }
            None => self.value(asked).map_err(Failure::usage)?,
        };
        let answer = answer.ok_or_else(|| Failure::run(NO_RESULT))?;
        let mut output = BufWriter::new(output::stdout());
        match self.arguments.layout() {
            Layout::Json => self.json(&mut output, None, position.board(), roll, &answer)?,
            Layout::Csv => {
                write_names(&mut output)?;
                write_rows(&mut output, position.board(), &answer)?;
            }
            Layout::Text(text) => self.print(&mut output, asked, roll, &answer, text)?,
        }
        output.flush()?;
        match &answer {
            Answer::Plays(PlayRows { plays, cancelled: true }) => {
                let ahead = plays.iter().filter(|play| play.plies == self.evaluation.plies());
                let valued = counted(ahead.count() as u64, "play", "plays");
                output::write_message(format_args!("interrupted after {valued}"));
            }
            Answer::Position(..) if self.fell_back => {
                output::write_message("interrupted: the value is without looking ahead");
            }
            _ => {}
        }
        Ok(())
    }

    /// The value of a position. If the user ends the command, the value without look-ahead, which comes first: it takes
    /// no time compared with the look-ahead.
    fn value(&mut self, asked: &WithCube) -> Result<Option<Answer>, String> {
        let here = self.evaluation.clone().with_look_ahead(0, MoveFilters::default());
        let here = here.expect("it looks no plies ahead");
        let known = match self.evaluation.plies() {
            0 => None,
            _ => self.values_by(&here, &[asked])?.pop(),
        };
        let value = self.values(&[asked])?.pop();
        if value.is_none() && known.is_some() {
            (self.evaluation, self.fell_back) = (here, true);
        }
        Ok(value.or(known))
    }

    /// Refuses a roll where decisions at all scores are asked for.
    fn check_scores(&self, roll: Option<Roll>) -> Result<(), &'static str> {
        match (&self.scores, roll) {
            (Some(_), Some(_)) => Err("--scores is for cube decisions, before a roll: leave the roll out"),
            _ => Ok(()),
        }
    }

    /// Answers line by line.
    fn many(&self, lines: Lines) -> Result<(), Failure> {
        let mut output = BufWriter::new(output::stdout());
        let mut batches = Batches::new(lines, &self.cancel);
        let (mut answered, mut is_last) = (0_u64, false);
        let most = if self.scores.is_some() { MATRICES_PER_BATCH } else { POSITIONS_PER_BATCH };
        if let Layout::Csv = self.arguments.layout() {
            writeln!(output, "line,{NAMES}")?;
        }
        while !is_last && !self.cancel.is_cancelled() {
            let asked;
            (asked, is_last) = batches.next(most, |number, text| self.ask(number, text))?;
            let alone = asked.iter().filter(|asked| asked.roll.is_none());
            let alone: Vec<&WithCube> = alone.map(|asked| &asked.asked).collect();
            let mut values = self.values(&alone).map_err(Failure::run)?.into_iter();
            for asked in &asked {
                let answer = match asked.roll {
                    None => values.next(),
                    Some(roll) => {
                        let plays = self.plays(&asked.asked, roll).map_err(Failure::run)?;
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
            interrupt::report_lines(answered)?;
        }
        batches.have_answers()
    }

    /// Reads a line: a position, and a roll if there is one.
    fn ask(&self, line: u64, text: &str) -> Result<InputLine, String> {
        let (position, given) = answered_lines::position_and_roll(text)?;
        let reading = remarks::reading(position, self.rules).map_err(|error| error.to_string())?;
        let asked = self.with_cube(&reading)?;
        let given = given.map(str::parse::<Roll>).transpose();
        let given = given.map_err(|error| error.to_string())?;
        let roll = asked.position.roll_or(given).map_err(|error| error.to_string())?;
        self.check_scores(roll)?;
        let (board, rules) = (*asked.position.board(), self.rules);
        // A position without a roll may be over.
        if roll.is_some() || rules.outcome(&board).is_none() {
            let playouts = tavli::Playouts::new(board, rules, 0);
            playouts.map_err(|error| format!("'{}': {error}", Quoted::new(text)))?;
        }
        let remarks = output::untold_remarks();
        Ok(InputLine { line, asked, roll, remarks })
    }

    /// Writes the answer to a line.
    fn line(&self, output: &mut dyn Write, asked: &InputLine, answer: &Answer) -> io::Result<()> {
        let board = asked.asked.position.board();
        match self.arguments.layout() {
            Layout::Json => {
                let line = Some((asked.line, &asked.remarks[..]));
                self.json(output, line, board, asked.roll, answer)
            }
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
                let (moves, value) = match answer {
                    Answer::Position(value, ..) => ("", value),
                    Answer::Plays(PlayRows { plays, .. }) => (&plays[0].moves[..], &plays[0].value),
                };
                write!(output, "{}\t{roll}\t{moves}\t{:+.5}", board.position_id(), value.equity)?;
                for share in value.shares() {
                    write!(output, "\t{share:.5}")?;
                }
                match answer {
                    Answer::Position(_, Some(cube), _) => write!(output, "\t{:+.5}\t{}", cube.best(), cube.action)?,
                    Answer::Plays(PlayRows { plays, .. }) => {
                        if let Some(equity) = plays[0].cubeful_equity {
                            write!(output, "\t{equity:+.5}")?;
                        }
                    }
                    Answer::Position(_, None, _) => {}
                }
                writeln!(output)
            }
        }
    }

    /// Writes an answer as JSON; the answer to a line of the input has one line.
    fn json(
        &self,
        to: &mut dyn Write,
        line: Option<(u64, &[String])>,
        board: &Board,
        roll: Option<Roll>,
        answer: &Answer,
    ) -> io::Result<()> {
        let is_line = line.is_some();
        let (line, remarks) = match line {
            Some((line, remarks)) => (Some(line), remarks.to_vec()),
            None => (None, output::untold_remarks()),
        };
        let interrupted = match answer {
            Answer::Position(..) => self.fell_back,
            Answer::Plays(PlayRows { cancelled, .. }) => *cancelled,
        };
        let turn = TurnJson::from_board(board, roll, self.rules);
        let document = AnswerJson { line, turn, evaluator: self.name(), found: answer.into(), interrupted };
        let mut text = output::json_text(&document, is_line)?.into_bytes();
        if let (Answer::Position(_, _, Some(decisions)), Some(scores)) = (answer, &self.scores) {
            scores.add_json(decisions, is_line, &mut text)?;
        }
        output::add_remarks(&remarks, is_line, &mut text)?;
        text.push(b'\n');
        to.write_all(&text)
    }

    fn print(
        &self,
        output: &mut dyn Write,
        asked: &WithCube,
        roll: Option<Roll>,
        answer: &Answer,
        text: Text,
    ) -> io::Result<()> {
        let rules = self.rules;
        write!(output, "{rules} from {}", asked.position.position_id())?;
        let rows = match answer {
            Answer::Position(value, cube, _) => vec![Row {
                name: "     position".to_owned(),
                note: String::new(),
                equity: cube.as_ref().map_or(value.equity, CubeValues::best),
                value: *value,
            }],
            Answer::Plays(PlayRows { plays, .. }) => {
                let number = counted(plays.len() as u64, "play", "plays");
                let roll = roll.map_or_else(String::new, |roll| roll.to_string());
                write!(output, ", {number} of {roll}")?;
                rows(plays, self.evaluation.plies())
            }
        };
        let evaluator = self.name();
        writeln!(output)?;
        if let Some(cube) = &asked.cube {
            writeln!(output, "{cube}")?;
        }
        let is_over = rules.outcome(asked.position.board()).is_some();
        let has_exact_cube = asked.cube.is_some_and(|cube| {
            let is_match = matches!(cube.state.stakes, Stakes::Match(_));
            let is_bear_off = || tavli::cube::model(asked.position.board()).exact.is_some();
            !is_over && !is_match && cube.efficiency.is_none() && (self.solved.is_some() || is_bear_off())
        });
        let of_cube = match (has_exact_cube, &self.solved) {
            (true, Some(_)) => ", with the cube exactly",
            (true, None) => ", with the cube exactly by a table of bear-offs",
            (false, _) => "",
        };
        writeln!(output, "valued by {evaluator}{of_cube}\n")?;
        if text != Text::Xg {
            for row in &rows {
                writeln!(output, "{}  Eq.: {:+.4}{}", row.name, row.equity, row.note)?;
                let [w, wg, wb, l, lg, lb] = row.value.shares();
                writeln!(output, "     {w:.4} {wg:.4} {wb:.4} - {l:.4} {lg:.4} {lb:.4}  CL {:+.4}", row.value.equity)?;
            }
        }
        if text == Text::Both {
            writeln!(output)?;
        }
        if text != Text::Gnubg {
            for row in &rows {
                writeln!(output, "{}  eq: {:+.4}{}", row.name, row.equity, row.note)?;
                let [w, wg, wb, l, lg, lb] = row.value.shares().map(|share| 100.0 * share);
                writeln!(output, "     Player:   {w:5.2}% (G:{wg:.2}% B:{wb:.2}%)")?;
                writeln!(output, "     Opponent: {l:5.2}% (G:{lg:.2}% B:{lb:.2}%)")?;
            }
        }
        if let Answer::Position(_, Some(values), _) = answer
            && !is_over
        {
            writeln!(output)?;
            cube::print(values, text, output)?;
        }
        if let (Answer::Position(_, _, Some(decisions)), Some(scores)) = (answer, &self.scores) {
            writeln!(output)?;
            scores.print(decisions, output)?;
        }
        Ok(())
    }
}

/// The name of an engine's values.
fn name_of(engine: &Engine) -> String {
    match engine.plies() {
        0 => engine.player().to_owned(),
        plies => format!("{}, {} ahead", engine.player(), counted(plies, "ply", "plies")),
    }
}

/// An engine's decision in a position, in the JSON of this command.
pub(crate) fn json_of_decision(asked: &Reading, engine: &Engine, decision: &PositionValue) -> String {
    let found = FoundJson::Position { value: ValueJson::new(&decision.value), cube: decision.cube.map(CubeJson::from) };
    json_by_engine(asked, None, engine, found, false)
}

/// The best plays of a roll by an engine, in the JSON of this command.
pub(crate) fn json_of_plays(asked: &Reading, roll: Roll, engine: &Engine, ranked: RankedPlays, most: usize) -> String {
    let PlayRows { plays, cancelled } = ranked.into();
    let found = FoundJson::Plays { plays: &plays[..plays.len().min(most)] };
    json_by_engine(asked, Some(roll), engine, found, cancelled)
}

/// An engine's answer, with remarks on the position's text, and on a player that has not learned the rules.
fn json_by_engine(
    asked: &Reading,
    roll: Option<Roll>,
    engine: &Engine,
    found: FoundJson<'_>,
    interrupted: bool,
) -> String {
    let turn = TurnJson::from_board(asked.position.board(), roll, engine.rules());
    let document = AnswerJson { line: None, turn, evaluator: &name_of(engine), found, interrupted };
    let remarks = asked.remark.map(|remark| remark.to_string()).into_iter().chain(engine.remark());
    let text = output::json_text(&Remarked::new(document, remarks), true);
    text.expect("its members are numbers, texts and lists of them")
}

/// A value as it is printed.
struct Row {
    name: String,
    /// The text after the equity.
    note: String,
    /// With the cube, if there is one.
    equity: f64,
    value: ValueJson,
}

/// The rows of plays: how far each is behind the best, and the plies of its look-ahead if they are not `asked`.
fn rows(plays: &[RankedPlayJson], asked: u32) -> Vec<Row> {
    let names: Vec<String> = (1..).zip(plays).map(|(rank, play)| format!("{rank:>3}. {}", play.moves)).collect();
    let width = names.iter().map(String::len).max().unwrap_or(0);
    let rows = names.into_iter().zip(plays);
    rows.map(|(name, play)| {
        let mut note = String::new();
        if play.rank > 1 {
            note = format!("  ({:+.4})", -play.behind);
        }
        // Compared with the plies asked for, not with the first play: a run that is interrupted early has looked ahead
        // from none.
        if play.plies != asked {
            note.push_str(&format!("  {}-ply", play.plies));
        }
        Row { name: format!("{name:<width$}"), note, equity: play.equity(), value: play.value }
    })
    .collect()
}

/// The columns of a table.
const NAMES: &str = "rank,moves,position_id,plies,equity,win,win_gammon,win_backgammon,lose,lose_gammon,lose_backgammon,\
    cubeful_equity,no_double,double_take,double_pass,action";

fn write_names(output: &mut dyn Write) -> io::Result<()> {
    writeln!(output, "{NAMES}")
}

/// A line for each play, or for a position. The columns of the cube are empty if values are without it.
fn write_rows(output: &mut dyn Write, board: &Board, answer: &Answer) -> io::Result<()> {
    let mut row = |start: String, value: &ValueJson, cube: String| {
        write!(output, "{start},{}", value.equity)?;
        for share in value.shares() {
            write!(output, ",{share}")?;
        }
        writeln!(output, ",{cube}")
    };
    match answer {
        Answer::Position(value, cube, _) => {
            let cube = cube.map_or_else(
                || ",,,,".to_owned(),
                |values| {
                    let CubeJson { no_double, double_take, double_pass, action } = values.into();
                    format!("{},{no_double},{double_take},{double_pass},\"{action}\"", values.best())
                },
            );
            row(format!(",,{},", board.position_id()), value, cube)
        }
        Answer::Plays(PlayRows { plays, .. }) => plays.iter().try_for_each(|play| {
            let equity = play.cubeful_equity;
            let equity = equity.map_or_else(String::new, |equity| equity.to_string());
            let start = format!("{},{},{},{}", play.rank, play.moves, play.position_id, play.plies);
            row(start, &play.value, format!("{equity},,,,"))
        }),
    }
}
