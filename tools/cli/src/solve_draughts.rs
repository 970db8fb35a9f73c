//! `tavli solve draughts`: endgames, solved, and their tables read.

use std::fmt::Display;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::{ArgGroup, Args};
use serde::Serialize;
use tavli::NO_STOP;
use tavli::draughts::{Counts, Draughts, Draw, EndgameValue, Endgames, Material, Position, Rules, SolveError, plays};
use tavli::file;
use tavli::games::{solved_position_bytes, write_solved_positions};
use tavli_terminal::failure::Failure;
use tavli_terminal::interrupt::{self, NO_RESULT};
use tavli_terminal::numbers::{counted, grouped, seconds};
use tavli_terminal::output;
use tavli_terminal::progress::Bar;

use crate::arguments::{Format, Overwrite, WorkerOptions};

/// English draughts: endgames of up to five pieces, won in how many plies, drawn or lost
///
/// --pieces N solves the endgames, and prints the counts for each material with Black to move. With --output it writes
/// the tables to a file, which --endgames of search, playout, duel, play and hub reads. Ctrl-C ends it without a
/// result.
///
/// Play is perfect: the winner takes as few plies as possible. Captures are compulsory, and there is no draw rule.
///
/// --table FILE POSITION prints the value of a position and of its plays.
#[derive(Args, Debug)]
#[command(group(ArgGroup::new("work").required(true)))]
pub(crate) struct DraughtsOptions {
    /// Solve the positions of up to N pieces, 2 to 5
    #[arg(long, value_name = "N", group = "work", allow_negative_numbers = true)]
    pieces: Option<u32>,
    /// With --pieces: write the tables to this file
    #[arg(short, long, value_name = "FILE", requires = "pieces", conflicts_with = "table")]
    output: Option<PathBuf>,
    /// Print values from the tables in FILE
    #[arg(long, value_name = "FILE", group = "work", requires = "position")]
    table: Option<PathBuf>,
    /// With --table: a FEN, such as B:W21,K30:B1,K7
    #[arg(value_name = "POSITION", requires = "table", conflicts_with = "pieces")]
    position: Option<String>,
    #[command(flatten)]
    machine: WorkerOptions,
    #[command(flatten)]
    overwrite: Overwrite,
    #[command(flatten)]
    format: Format,
}

/// The JSON of endgames that were solved.
#[derive(Serialize)]
struct SolvedJson<'a> {
    pieces: u32,
    positions: u64,
    materials: Vec<Slice>,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'a Path>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<u64>,
    /// The time of solving, without counting and writing.
    seconds: f64,
}

/// The JSON of the positions with the same material: of the side to move, and of the other side.
#[derive(Serialize)]
struct Slice {
    own: Pieces,
    other: Pieces,
    positions: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    longest_win: Option<u32>,
    longest_loss: Option<u32>,
}

/// The JSON of a side's material.
#[derive(Clone, Copy, Serialize)]
struct Pieces {
    men: u8,
    kings: u8,
}

impl Display for Pieces {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let men = counted(self.men, "man", "men");
        let kings = counted(self.kings, "king", "kings");
        match (self.men, self.kings) {
            (_, 0) => f.pad(&men),
            (0, _) => f.pad(&kings),
            _ => f.pad(&format!("{men}, {kings}")),
        }
    }
}

#[derive(Serialize)]
struct EndgameValueJson {
    value: &'static str,
    /// To the end of the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    plies: Option<u32>,
}

impl From<EndgameValue> for EndgameValueJson {
    fn from(value: EndgameValue) -> EndgameValueJson {
        let (value, plies) = match value {
            EndgameValue::Win(plies) => ("win", Some(plies)),
            EndgameValue::Draw => ("draw", None),
            EndgameValue::Loss(plies) => ("loss", Some(plies)),
        };
        EndgameValueJson { value, plies }
    }
}

/// The JSON of a position in the tables: its value for the side to move, and the value after each play for
/// the side to move there.
#[derive(Serialize)]
struct EndgameJson {
    position: String,
    #[serde(flatten)]
    value: EndgameValueJson,
    plays: Vec<After>,
}

/// The JSON of a play, the best first.
#[derive(Serialize)]
struct After {
    moves: String,
    position: String,
    #[serde(flatten)]
    value: EndgameValueJson,
}

impl DraughtsOptions {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        match (self.pieces, &self.table, &self.position) {
            (Some(pieces), _, _) => self.solve(pieces),
            (None, Some(table), Some(position)) => self.read(table, position),
            _ => unreachable!("one of the group is required, and a table requires a position"),
        }
    }

    fn solve(&self, pieces: u32) -> Result<(), Failure> {
        if !(2..=Endgames::MAX_PIECES).contains(&pieces) {
            let most = Endgames::MAX_PIECES;
            return Err(Failure::usage(format_args!(
                "--pieces is 2 to {most}, not {pieces}: 6 pieces have 2.5 billion positions, 17 times as many as 5"
            )));
        }
        let cancel = interrupt::cancel_on_interrupt()?;
        let target = self.overwrite.open_named(self.output.as_deref())?;
        let (workers, _) = self.machine.start()?;
        // The solver has threads of its own, which live as long as it needs them.
        let threads = NonZeroUsize::new(workers.count()).unwrap_or(NonZeroUsize::MIN);
        drop(workers);
        let start = Instant::now();
        let bar = Bar::new();
        let stop = || cancel.is_cancelled();
        let endgames = Endgames::solve(pieces, threads, &stop, &mut |progress| bar.show_endgames(&progress));
        drop(bar);
        let elapsed = start.elapsed().as_secs_f64();
        let endgames = endgames.map_err(|error| match error {
            SolveError::Stopped => Failure::run(NO_RESULT),
            error => Failure::run(error),
        })?;
        let bytes = match &target {
            Some(target) => {
                let bytes = endgames.to_bytes();
                Some(
                    target
                        .replace_with(|output| write_solved_positions::<Draughts>(&bytes, output))
                        .map_err(Failure::unwritten)?,
                )
            }
            None => None,
        };
        let materials = slices(&endgames);
        let solved = SolvedJson {
            pieces,
            positions: materials.iter().map(|slice| slice.positions).sum(),
            materials,
            file: self.output.as_deref(),
            bytes,
            seconds: elapsed,
        };
        self.format.write(&solved, SolvedJson::print)
    }

    fn read(&self, path: &Path, position: &str) -> Result<(), Failure> {
        self.overwrite.check(false)?;
        self.machine.refuse_beside("--table")?;
        let position: Position = position.trim().parse().map_err(Failure::usage)?;
        let file =
            file::read(path, file::MAX_TABLE_BYTES, NO_STOP).map_err(|error| Failure::unreadable(path, error))?;
        let bytes = solved_position_bytes::<Draughts>(&file).map_err(|error| Failure::unreadable(path, error))?;
        let endgames = Endgames::from_bytes(bytes).map_err(|error| Failure::unreadable(path, error))?;
        let value = |position: &Position| {
            endgames.value(position).ok_or_else(|| {
                let pieces = endgames.pieces();
                Failure::usage(format_args!(
                    "{position} has more than the {pieces} pieces of the tables: name one with fewer pieces"
                ))
            })
        };
        let known = value(&position)?;
        let mut after = Vec::new();
        for play in plays(&position, Rules::ENGLISH) {
            after.push((play, value(&play.position)?));
        }
        // A search counts the quiet plies if they change the value; otherwise it refuses a position whose value is
        // known.
        if !is_in_time(&position, known) {
            output::remark(format_args!(
                "remark: the values are without the {} quiet plies of the position: with them a game may be drawn before \
                 it is won; tavli search --endgames counts them",
                position.quiet()
            ));
        } else if after.iter().any(|(play, value)| !is_in_time(&play.position, *value)) {
            output::remark(format_args!(
                "remark: the values of the plays are without the {} quiet plies of the position: with them a slower win \
                 may be a draw; the value of the position is the same with them",
                position.quiet()
            ));
        }
        after.sort_by_key(|&(_, value)| match value {
            EndgameValue::Loss(plies) => i64::from(plies) - 1_000,
            EndgameValue::Draw => 0,
            EndgameValue::Win(plies) => 1_000 - i64::from(plies),
        });
        let after = after.into_iter().map(|(play, value)| After {
            moves: play.moves.to_string(),
            position: play.position.with_quiet(0).to_string(),
            value: value.into(),
        });
        let document =
            EndgameJson { position: position.with_quiet(0).to_string(), value: known.into(), plays: after.collect() };
        self.format.write(&document, EndgameJson::print)
    }
}

/// Whether a value is the same with the quiet plies of its position: no draw rule ends the game before it is won.
fn is_in_time(position: &Position, value: EndgameValue) -> bool {
    let (Draw::Quiet(most) | Draw::KingsOnly(most)) = Rules::ENGLISH.draw;
    match value {
        EndgameValue::Draw => true,
        EndgameValue::Win(plies) | EndgameValue::Loss(plies) => u32::from(position.quiet()) + plies <= u32::from(most),
    }
}

/// The counts of all materials, those with fewer pieces first.
fn slices(endgames: &Endgames) -> Vec<Slice> {
    let mut slices = Vec::new();
    for all in 2..=endgames.pieces() as u8 {
        for own in 1..all {
            let other = all - own;
            for (kings, other_kings) in (0..=own).flat_map(|own| (0..=other).map(move |other| (own, other))) {
                let own = Material { men: own - kings, kings };
                let other = Material { men: other - other_kings, kings: other_kings };
                let Some(Counts { wins, draws, losses, longest_win, longest_loss }) = endgames.counts(own, other)
                else {
                    continue;
                };
                let pieces = |material: Material| Pieces { men: material.men, kings: material.kings };
                slices.push(Slice {
                    own: pieces(own),
                    other: pieces(other),
                    positions: wins + draws + losses,
                    wins,
                    draws,
                    losses,
                    longest_win,
                    longest_loss,
                });
            }
        }
    }
    slices
}

impl SolvedJson<'_> {
    fn print(&self, output: &mut dyn Write) -> io::Result<()> {
        writeln!(
            output,
            "  {:<16}  {:<16}{:>11}{:>11}{:>11}{:>11}{:>9}",
            "to move", "against", "positions", "won", "drawn", "lost", "longest"
        )?;
        for slice in &self.materials {
            let longest = slice.longest_win.max(slice.longest_loss);
            writeln!(
                output,
                "  {:<16}  {:<16}{:>11}{:>11}{:>11}{:>11}{:>9}",
                slice.own,
                slice.other,
                grouped(slice.positions),
                grouped(slice.wins),
                grouped(slice.draws),
                grouped(slice.losses),
                longest.map_or_else(|| "-".to_owned(), |plies| plies.to_string()),
            )?;
        }
        writeln!(
            output,
            "\n  draughts, up to {}: {} solved in {}",
            counted(self.pieces, "piece", "pieces"),
            counted(self.positions, "position", "positions"),
            seconds(self.seconds)
        )?;
        if let (Some(file), Some(bytes)) = (self.file, self.bytes) {
            writeln!(output, "  {}: {}", file.display(), counted(bytes, "byte", "bytes"))?;
        }
        Ok(())
    }
}

impl EndgameJson {
    fn print(&self, output: &mut dyn Write) -> io::Result<()> {
        let text = |value: &EndgameValueJson| match value.plies {
            None => value.value.to_owned(),
            Some(plies) => format!("{} in {}", value.value, counted(plies, "ply", "plies")),
        };
        writeln!(output, "{}: {}", self.position, text(&self.value))?;
        let width = self.plays.iter().map(|play| play.moves.len()).max().unwrap_or(0);
        for play in &self.plays {
            writeln!(output, "  {:<width$}  leaves a {}", play.moves, text(&play.value))?;
        }
        Ok(())
    }
}
