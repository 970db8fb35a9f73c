//! `tavli bearoff`: makes bear-off tables, and reads them.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Instant;

use clap::{ArgGroup, Args, ValueEnum};
use serde::Serialize;
use tavli::bearoff::{BearOffError, FileError, Holder, OneSided, RollDistribution, SidePositions, TwoSided};
use tavli::{Board, NO_STOP, Position, RuleSet, SideCheckers, file};
use tavli_terminal::failure::Failure;
use tavli_terminal::interrupt;
use tavli_terminal::numbers::{counted, seconds, whole_in};
use tavli_terminal::progress::Bar;
use tavli_terminal::remarks;

use crate::arguments::{Format, Overwrite, check_nameable};

/// Make an exact table of bear-offs, or read one
///
/// --one-sided: for each position of up to 15 checkers of one side, the table has the probabilities of needing 1, 2, 3,
/// ... rolls to bear off all checkers, and to bear off the first.
///
/// --two-sided: for each pair of positions of a few checkers, the table has the equity under perfect play, without and
/// with a cube.
///
/// --table FILE POSITION prints the table's entry for a position.
#[derive(Args, Debug)]
#[command(group(ArgGroup::new("work").required(true)))]
pub(crate) struct BearoffArguments {
    /// Make the one-sided table of POINTS points, 1 to 20; 6 are the home board
    #[arg(long, value_name = "POINTS", group = "work", requires = "output")]
    #[arg(allow_negative_numbers = true, value_parser = whole_in::<u8>(1..=20))]
    one_sided: Option<u8>,
    /// Make the two-sided table of POINTS points, 1 to 12, and CHECKERS checkers a side, 1 to 15
    #[arg(long, value_name = "POINTSxCHECKERS", group = "work", requires = "output")]
    #[arg(allow_negative_numbers = true)]
    two_sided: Option<Size>,
    /// Read a table of either kind
    #[arg(long, value_name = "FILE", group = "work", requires = "position")]
    table: Option<PathBuf>,
    /// With --table: GNU Position ID, Position ID:Match ID, XGID, OGID, FIBS board line or 26 numbers
    #[arg(value_name = "POSITION", requires = "table")]
    #[arg(value_parser = |text: &str| remarks::position(text, RuleSet::Backgammon))]
    #[arg(conflicts_with_all = ["one_sided", "two_sided"])]
    position: Option<Position>,
    // There is one format, so nothing reads the value. It has no help, which `old_names.rs` would print as a remark.
    #[arg(long, hide = true, default_value = "gnubg")]
    format: TableFormat,
    /// Write the table to this file
    #[arg(short, long, value_name = "FILE", conflicts_with = "table")]
    output: Option<PathBuf>,
    #[command(flatten)]
    overwrite: Overwrite,
    #[command(flatten)]
    printed: Format,
}

/// The format of a table's file.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum TableFormat {
    /// The format of GNU Backgammon's makebearoff, byte for byte
    Gnubg,
}

/// The size of a two-sided table.
#[derive(Clone, Copy, Debug)]
struct Size {
    points: u8,
    checkers: u8,
}

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Size, String> {
        text.split_once('x')
            .and_then(|(points, checkers)| Some((points.parse().ok()?, checkers.parse().ok()?)))
            .filter(|&(points, _)| points <= 12)
            .filter(|&(points, checkers)| SidePositions::new(points, checkers).is_some())
            .map(|(points, checkers)| Size { points, checkers })
            .ok_or_else(|| "write points, 1 to 12, x and checkers, 1 to 15, such as 6x6".to_owned())
    }
}

/// The JSON of a table that was made.
#[derive(Serialize)]
struct MadeTableJson<'a> {
    file: &'a Path,
    kind: &'static str,
    points: u8,
    checkers: u8,
    /// Positions of a side.
    positions: u32,
    bytes: u64,
    seconds: f64,
}

/// The JSON of an entry of a one-sided table.
#[derive(Serialize)]
struct OneSidedJson {
    kind: &'static str,
    position_id: String,
    own: SideJson,
    opponent: SideJson,
    /// The probability that the player on roll is off first if both minimise rolls.
    win: f64,
}

/// The JSON of a side in a one-sided table.
#[derive(Serialize)]
struct SideJson {
    mean_rolls: f64,
    /// The chance to have borne off all checkers, by the number of rolls.
    all_off: Vec<f64>,
    first_off: Vec<f64>,
}

/// The JSON of an entry of a two-sided table.
#[derive(Serialize)]
struct TwoSidedJson {
    kind: &'static str,
    position_id: String,
    win: f64,
    equity: f64,
    /// With a cube that the player on roll has, that either may turn, and that the opponent has.
    equity_own_cube: f64,
    equity_centered_cube: f64,
    equity_opponent_cube: f64,
}

pub(crate) fn run(arguments: &BearoffArguments) -> Result<(), Failure> {
    arguments.overwrite.check(arguments.output.is_some())?;
    if let (Some(table), Some(position)) = (&arguments.table, &arguments.position) {
        return read(table, position, arguments.printed);
    }
    let path = arguments.output.as_ref().expect("a table needs a file");
    let TableFormat::Gnubg = arguments.format;
    check_nameable(path)?;
    let target = arguments.overwrite.open(path)?;
    let cancel = interrupt::cancel_on_interrupt()?;
    let start = Instant::now();
    let bar = Bar::new();
    let stop = || cancel.is_cancelled();
    let progress = |done: u64, all: u64| bar.show_positions(done, all, start.elapsed());
    let (kind, positions, bytes) = match (arguments.one_sided, arguments.two_sided) {
        (Some(points), _) => {
            let all = SidePositions::new(points, 15).map_or(0, |positions| positions.count().into());
            let table = OneSided::new(points, &stop, &mut |done| progress(done.into(), all));
            let table = table.map_err(failure)?;
            let bytes = target.replace_with(|output| table.write_gnubg(output)).map_err(Failure::unwritten)?;
            ("one-sided", table.positions(), bytes)
        }
        (None, Some(Size { points, checkers })) => {
            let side = SidePositions::new(points, checkers).map_or(0, |positions| positions.count());
            let all = u64::from(side).pow(2);
            let table = TwoSided::new(points, checkers, &stop, &mut |done| progress(done, all));
            let table = table.map_err(failure)?;
            let bytes = target.replace_with(|output| table.write_gnubg(output)).map_err(Failure::unwritten)?;
            ("two-sided", table.positions(), bytes)
        }
        (None, None) => unreachable!("one of the group is required"),
    };
    drop(bar);
    let made = MadeTableJson {
        file: path,
        kind,
        points: positions.points(),
        checkers: positions.checkers(),
        positions: positions.count(),
        bytes,
        seconds: start.elapsed().as_secs_f64(),
    };
    arguments.printed.write(&made, |made, output| {
        writeln!(
            output,
            "{}: {kind}, {} on {}, {} a side, {} in {}",
            path.display(),
            counted(made.checkers, "checker", "checkers"),
            counted(made.points, "point", "points"),
            counted(made.positions, "position", "positions"),
            counted(made.bytes, "byte", "bytes"),
            seconds(made.seconds),
        )
    })
}

/// The failure to make a table.
fn failure(error: BearOffError) -> Failure {
    match error {
        BearOffError::Stopped => Failure::run("interrupted before the table was whole: no file was written"),
        BearOffError::Memory { .. } => Failure::run(error),
        error => Failure::usage(error),
    }
}

/// Prints the entry of a position.
fn read(path: &Path, position: &Position, format: Format) -> Result<(), Failure> {
    let file = file::read(path, file::MAX_TABLE_BYTES, NO_STOP).map_err(|error| Failure::unreadable(path, error))?;
    let board = position.board();
    match OneSided::from_gnubg(&file, NO_STOP) {
        Ok(table) => {
            let [own, other] = indices(board, table.positions())?;
            format.write(&OneSidedJson::new(&table, board, own, other), OneSidedJson::print)
        }
        Err(FileError::Header { .. }) => {
            let table = TwoSided::from_gnubg(&file, NO_STOP).map_err(|error| match error {
                FileError::Header { .. } => Failure::unreadable(path, "it is not a bear-off table of GNU Backgammon"),
                error => Failure::unreadable(path, error),
            })?;
            let [own, other] = indices(board, table.positions())?;
            format.write(&TwoSidedJson::new(&table, board, own, other), TwoSidedJson::print)
        }
        Err(error) => Err(Failure::unreadable(path, error)),
    }
}

/// The numbers of the positions of the player on roll and of the opponent.
fn indices(board: &Board, positions: SidePositions) -> Result<[u32; 2], Failure> {
    if !board.is_race() {
        return Err(Failure::usage(
            "the sides are still in contact, and tables only have positions in which neither can hit the other: tavli \
             evaluate values this one",
        ));
    }
    let index = |side: &SideCheckers| {
        let by_point: Vec<u8> = (1..=25).map(|point| side.count(point)).collect();
        positions.index(&by_point)
    };
    let sides = [("player on roll", board.own()), ("opponent", board.opponent())];
    let mut indices = [0; 2];
    for (place, (player, side)) in indices.iter_mut().zip(sides) {
        *place = index(side).ok_or_else(|| {
            Failure::usage(format_args!(
                "the table has up to {} on the first {} of a side, and the {player} has others: make a larger table",
                counted(positions.checkers(), "checker", "checkers"),
                counted(positions.points(), "point", "points"),
            ))
        })?;
    }
    Ok(indices)
}

impl SideJson {
    fn new(table: &OneSided, index: u32) -> SideJson {
        let probabilities = |rolls: &RollDistribution| {
            let most = rolls.shares().iter().rposition(|&share| share > 0);
            (0..=most.unwrap_or(0)).map(|number| rolls.probability(number)).collect()
        };
        SideJson {
            mean_rolls: table.all_off(index).mean(),
            all_off: probabilities(table.all_off(index)),
            first_off: probabilities(table.first_off(index)),
        }
    }
}

impl OneSidedJson {
    fn new(table: &OneSided, board: &Board, own: u32, other: u32) -> OneSidedJson {
        OneSidedJson {
            kind: "one-sided",
            position_id: board.position_id().to_string(),
            own: SideJson::new(table, own),
            opponent: SideJson::new(table, other),
            win: table.win(own, other),
        }
    }

    fn print(&self, output: &mut dyn Write) -> io::Result<()> {
        writeln!(output, "{:>6}{:>16}{:>16}", "rolls", "all off, own", "opponent")?;
        let longest = self.own.all_off.len().max(self.opponent.all_off.len());
        for rolls in 0..longest {
            let share = |of: &SideJson| {
                of.all_off
                    .get(rolls)
                    .filter(|&&share| share > 0.0)
                    .map_or(String::new(), |share| format!("{:.3} %", 100.0 * share))
            };
            let (own, opponent) = (share(&self.own), share(&self.opponent));
            if !(own.is_empty() && opponent.is_empty()) {
                writeln!(output, "{rolls:>6}{own:>16}{opponent:>16}")?;
            }
        }
        let (own, opponent) = (self.own.mean_rolls, self.opponent.mean_rolls);
        writeln!(output, "{:>6}{own:>16.5}{opponent:>16.5}", "mean")?;
        writeln!(output, "the player on roll is off first in {:.3} %", 100.0 * self.win)
    }
}

impl TwoSidedJson {
    fn new(table: &TwoSided, board: &Board, own: u32, other: u32) -> TwoSidedJson {
        let equity = |holder| table.equity(holder, own, other);
        TwoSidedJson {
            kind: "two-sided",
            position_id: board.position_id().to_string(),
            win: (equity(Holder::None) + 1.0) / 2.0,
            equity: equity(Holder::None),
            equity_own_cube: equity(Holder::OnRoll),
            equity_centered_cube: equity(Holder::Both),
            equity_opponent_cube: equity(Holder::Opponent),
        }
    }

    fn print(&self, output: &mut dyn Write) -> io::Result<()> {
        writeln!(output, "win {:.3} %", 100.0 * self.win)?;
        for (cube, equity) in [
            ("without a cube", self.equity),
            ("with the cube", self.equity_own_cube),
            ("cube in the middle", self.equity_centered_cube),
            ("cube of the opponent", self.equity_opponent_cube),
        ] {
            writeln!(output, "equity {equity:+.4} {cube}")?;
        }
        Ok(())
    }
}
