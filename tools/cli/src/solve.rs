//! `tavli solve`: a game, solved, and its table read.

use std::fs::File;
use std::io::{self, BufReader, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::{ArgGroup, Args, Subcommand};
use serde::Serialize;
use tavli::cube::{CubeState, CubeValues, Stakes};
use tavli::file::{Existing, Target};
use tavli::hypergammon::{self, CubeEquities, Solution, SolutionError, Solver, SolverProgress, SolverStage, Value};
use tavli::run::Cancel;
use tavli::{Board, Outcome, Position, Roll, RuleSet, Side};
use tavli_terminal::failure::Failure;
use tavli_terminal::interrupt::{self, NO_RESULT};
use tavli_terminal::line_reader;
use tavli_terminal::numbers::{counted, grouped, seconds};
use tavli_terminal::output;
use tavli_terminal::progress::Bar;
use tavli_terminal::remarks;

use crate::arguments::{Format, Overwrite, WorkerOptions};
use crate::cube::CubeJson;
use crate::evaluate::answer::ValueJson;
use crate::solve_draughts::DraughtsOptions;

/// The time between two saves of unfinished work, which takes a gigabyte.
const CHECKPOINT: Duration = Duration::from_secs(120);

/// Solve a game, or read the values of its positions
#[derive(Args, Debug)]
pub(crate) struct SolveArguments {
    #[command(subcommand)]
    game: SolvableGame,
}

#[derive(Subcommand, Debug)]
enum SolvableGame {
    Hypergammon(Box<HypergammonOptions>),
    Draughts(Box<DraughtsOptions>),
}

/// Hypergammon: three checkers a side, perfect play, without and with the doubling cube
///
/// --output FILE computes, for every position, the equity to 1e-12 and the probabilities of the outcomes, and writes
/// them to FILE. With --cube it adds the equities of money games for each owner of the cube. This takes some minutes
/// and 1.5 GB of memory.
///
/// Ctrl-C saves the work so far, 1 to 3 GB. The same command continues from there, and after a crash from the last
/// save, to the same table.
///
/// --table FILE prints the value of a position, or with --opening of the opening.
#[derive(Args, Debug)]
#[command(group(ArgGroup::new("work").required(true)))]
struct HypergammonOptions {
    /// Write the table to FILE; if FILE is an unfinished table, continue it
    #[arg(short, long, value_name = "FILE", group = "work")]
    output: Option<PathBuf>,
    /// Print values from the table in FILE
    #[arg(long, value_name = "FILE", group = "work", requires = "question")]
    table: Option<PathBuf>,
    /// With --table: start, or a GNU Position ID, Position ID:Match ID, XGID, OGID, FIBS board line or 26 numbers; the
    /// dice of the position count as its roll
    #[arg(value_name = "POSITION", group = "question", conflicts_with = "output")]
    #[arg(value_parser = |text: &str| remarks::position(text, RuleSet::Hypergammon))]
    position: Option<Position>,
    /// Find equities with the doubling cube, too, in money games with and without the Jacoby rule
    ///
    /// This takes about three times as long, and 3.4 GB of memory more.
    #[arg(long, conflicts_with_all = ["table", "question"])]
    cube: bool,
    /// With --table: value the start for the player who has won the opening roll, as the mean over its 15 rolls
    #[arg(long, group = "question", conflicts_with = "output")]
    opening: bool,
    #[command(flatten)]
    machine: WorkerOptions,
    #[command(flatten)]
    overwrite: Overwrite,
    #[command(flatten)]
    format: Format,
}

/// The JSON of a table that was made.
#[derive(Serialize)]
struct MadeTableJson<'a> {
    file: &'a Path,
    positions: usize,
    bytes: u64,
    sweeps: u32,
    /// The positions done in the sweep under way; absent in a finished table.
    #[serde(skip_serializing_if = "Option::is_none")]
    positions_done: Option<usize>,
    /// The most that an equity changed in the last sweep.
    change: f64,
    interrupted: bool,
    seconds: f64,
}

/// The JSON of a value.
#[derive(Serialize)]
struct SolvedJson {
    position_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    roll: Option<String>,
    #[serde(flatten)]
    value: ValueJson,
    /// In a table with the cube: the decision before the roll, by state of the cube.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    cube: Vec<SolvedCubeJson>,
    /// In a table with the cube: the opening.
    #[serde(skip_serializing_if = "Option::is_none")]
    opening_with_cube: Option<OpeningWithCube>,
}

/// A decision about the cube.
#[derive(Serialize)]
struct SolvedCubeJson {
    /// `null`: in the middle.
    owner: Option<&'static str>,
    jacoby: bool,
    #[serde(flatten)]
    values: CubeJson,
}

/// The equities of the opening with the cube in the middle.
#[derive(Serialize)]
struct OpeningWithCube {
    equity: f64,
    equity_jacoby: f64,
}

pub(crate) fn run(arguments: &SolveArguments) -> Result<(), Failure> {
    let arguments = match &arguments.game {
        SolvableGame::Hypergammon(arguments) => arguments,
        SolvableGame::Draughts(arguments) => return arguments.run(),
    };
    match (&arguments.output, &arguments.table) {
        (Some(output), _) => arguments.solve(output),
        (None, Some(table)) => arguments.read(table),
        (None, None) => unreachable!("one of the group is required"),
    }
}

impl HypergammonOptions {
    /// Begins or continues to solve the game.
    fn solve(&self, path: &Path) -> Result<(), Failure> {
        // First of all: reading the saved work takes seconds, and a signal meanwhile is heard.
        let cancel = interrupt::cancel_on_interrupt()?;
        let (target, mut solver) = self.open(path, &cancel)?;
        let (workers, _) = self.machine.start()?;
        let start = Instant::now();
        let bar = Bar::new();
        let mut saved = Instant::now();
        let (mut last, mut has_moved) = (None, !self.overwrite.force && path.exists());
        let mut report = |solver: &Solver, progress: SolverProgress| {
            has_moved = true;
            bar.show_sweeps(&progress, start.elapsed());
            last = Some(progress).filter(|of| of.stage == SolverStage::Equities).or(last);
            if saved.elapsed() >= CHECKPOINT {
                if let Err(error) = target.replace_with(|output| solver.write(output)) {
                    bar.warn(&format!("warning: cannot save what was found: {error}; it goes on"));
                }
                saved = Instant::now();
            }
        };
        let solution = match solver.run(&workers, &cancel, &mut report) {
            true => solver.solution(&workers, &cancel, &mut report),
            false => Ok(None),
        };
        drop(bar);
        // A new solver without progress is not worth a file of 0.8 GB, which takes seconds to write.
        if !has_moved && matches!(solution, Ok(None)) {
            return Err(Failure::run(NO_RESULT));
        }
        let bytes = match &solution {
            Ok(Some(solution)) => target.replace_with(|output| solution.write(output)).map_err(Failure::unwritten)?,
            // A gigabyte takes seconds to write, and saves up to two minutes of work of every core.
            Ok(None) | Err(_) => {
                output::write_message(format_args!(
                    "saving what was found, in some seconds, to {}; Ctrl-C again ends without it",
                    path.display()
                ));
                target.replace_with(|output| solver.write(output)).map_err(Failure::unwritten)?
            }
        };
        let interrupted = solution.map_err(Failure::run)?.is_none();
        let (sweeps, positions_done) = match interrupted {
            // A later stage is progress, too.
            true => {
                let progress = solver.progress();
                (progress.sweeps, Some(progress.positions_done))
            }
            false => (solver.sweeps(), None),
        };
        let made = MadeTableJson {
            file: path,
            positions: hypergammon::POSITIONS,
            bytes,
            sweeps,
            positions_done,
            change: last.map_or(f64::INFINITY, |progress| progress.change),
            interrupted,
            seconds: start.elapsed().as_secs_f64(),
        };
        self.format.write(&made, MadeTableJson::print)
    }

    /// Opens the file, and continues its work if it is not finished.
    fn open(&self, path: &Path, cancel: &Cancel) -> Result<(Target, Solver), Failure> {
        // Listing all positions and reading the saved work take seconds.
        let unless = |of: Result<Option<Result<Solver, SolutionError>>, io::Error>| {
            of.map_err(Failure::run)?.ok_or_else(|| Failure::run(NO_RESULT))
        };
        if self.overwrite.force || !path.exists() {
            let target = self.overwrite.open(path)?;
            let solver = unless(line_reader::unless(Solver::new, || cancel.is_cancelled()))?.map_err(Failure::run)?;
            return Ok((target, self.with_cube(solver)?));
        }
        // Opened first, so that no other process changes the file that is read.
        let target = Target::open(path, Existing::Replace).map_err(Failure::unwritable)?;
        let cannot = |reason: &dyn std::fmt::Display| {
            Failure::usage(format_args!(
                "cannot go on from {}: {reason}; name another file, or --force replaces it",
                path.display()
            ))
        };
        let file = File::open(path).map_err(|error| cannot(&error))?;
        let read = move || Solver::read(&mut BufReader::new(file));
        match unless(line_reader::unless(read, || cancel.is_cancelled()))? {
            Ok(solver) => Ok((target, self.with_cube(solver)?)),
            Err(SolutionError::Finished) => {
                Err(Failure::usage(format_args!("{} is solved already; --force solves it again", path.display())))
            }
            Err(error @ SolutionError::Memory) => Err(Failure::run(error)),
            Err(error) => Err(cannot(&error)),
        }
    }

    /// The solver, which finds equities with the cube, too, if they are asked for.
    fn with_cube(&self, solver: Solver) -> Result<Solver, Failure> {
        match self.cube && !solver.has_cube() {
            true => solver.with_cube().map_err(Failure::run),
            false => Ok(solver),
        }
    }

    /// Prints the entry of a table.
    fn read(&self, path: &Path) -> Result<(), Failure> {
        self.overwrite.check(false)?;
        self.machine.refuse_beside("--table")?;
        let file = File::open(path).map_err(|error| Failure::unreadable(path, error))?;
        let solution = Solution::read(&mut BufReader::new(file));
        let solution = solution.map_err(|error| Failure::unreadable(path, error))?;
        let document = match &self.position {
            Some(position) => {
                let roll = position.roll();
                let board = position.board();
                let value = match roll {
                    Some(roll) => solution.value_of_roll(board, roll),
                    None => solution.value(board),
                };
                let value = value.ok_or_else(|| {
                    Failure::usage("the table has positions with one to three checkers a side, and this is not one")
                })?;
                let mut document = SolvedJson::new(board, roll, &value);
                if roll.is_none()
                    && let Some(equities) = solution.cube_equities(board)
                {
                    document.cube = cube_rows(&equities, &value);
                }
                document
            }
            None => {
                let start = tavli::RuleSet::Hypergammon.start();
                let mut document = SolvedJson::new(&start, None, &solution.opening());
                document.opening_with_cube = solution
                    .cube_opening()
                    .map(|opening| OpeningWithCube { equity: opening.centred, equity_jacoby: opening.centred_jacoby });
                document
            }
        };
        self.format.write(&document, SolvedJson::print)
    }
}

impl MadeTableJson<'_> {
    fn print(&self, output: &mut dyn Write) -> io::Result<()> {
        let (file, sweeps) = (self.file.display(), counted(self.sweeps, "sweep", "sweeps"));
        let positions = counted(self.positions as u64, "position", "positions");
        match self.positions_done {
            Some(done) => writeln!(
                output,
                "{file}: unfinished after {sweeps} and {} of {positions} of the next; the same command goes on",
                grouped(done as u64),
            ),
            None => writeln!(
                output,
                "{file}: hypergammon solved, {positions}, {sweeps}, {} in {}",
                counted(self.bytes, "byte", "bytes"),
                seconds(self.seconds),
            ),
        }
    }
}

/// The owners of a cube, as `--cube` of other commands names them.
const OWNERS: [&str; 2] = ["own", "opponent"];

/// The decision in each state of the cube.
fn cube_rows(equities: &CubeEquities, value: &Value) -> Vec<SolvedCubeJson> {
    let states = [(None, false), (None, true), (Some(Side::OnRoll), false), (Some(Side::Opponent), false)];
    let wins_gammons = value.outcomes[Outcome::WinGammon as usize] + value.outcomes[Outcome::WinBackgammon as usize];
    let of_state = |(owner, jacoby): (Option<Side>, bool)| {
        let stakes = Stakes::Money { jacoby, beavers: false };
        let log2 = u8::from(owner.is_some());
        let state = CubeState { log2, owner, stakes, ..CubeState::default() };
        let values = equities.values(value.equity, wins_gammons > 0.0, &state);
        let values: CubeValues = values.expect("the stakes are money");
        SolvedCubeJson { owner: owner.map(|owner| OWNERS[owner as usize]), jacoby, values: values.into() }
    };
    states.map(of_state).into()
}

impl SolvedJson {
    fn new(board: &Board, roll: Option<Roll>, value: &Value) -> SolvedJson {
        SolvedJson {
            position_id: board.position_id().to_string(),
            roll: roll.map(|roll| roll.to_string()),
            value: ValueJson::solved(value),
            cube: Vec::new(),
            opening_with_cube: None,
        }
    }

    fn print(&self, output: &mut dyn Write) -> io::Result<()> {
        writeln!(output, "equity {:+.6}", self.value.equity)?;
        let shares = self.value.shares().map(|share| 100.0 * share);
        for (name, shares) in ["win", "lose"].into_iter().zip(shares.chunks_exact(3)) {
            writeln!(
                output,
                "{name:<6} {:6.2} %, gammon {:6.2} %, backgammon {:5.2} %",
                shares[0], shares[1], shares[2]
            )?;
        }
        if let Some(OpeningWithCube { equity, equity_jacoby }) = &self.opening_with_cube {
            writeln!(output, "with the cube {equity:+.6}, under the Jacoby rule {equity_jacoby:+.6}")?;
        }
        for SolvedCubeJson { owner, jacoby, values } in &self.cube {
            let state = match (owner, jacoby) {
                (None, false) => "in the middle",
                (None, true) => "in the middle, Jacoby",
                (Some(owner), _) if *owner == OWNERS[0] => "of the player on roll",
                (Some(_), _) => "of the opponent",
            };
            let CubeJson { no_double, double_take, action, .. } = values;
            writeln!(output, "cube {state:<22} no double {no_double:+.6}, double, take {double_take:+.6}: {action}")?;
        }
        Ok(())
    }
}
