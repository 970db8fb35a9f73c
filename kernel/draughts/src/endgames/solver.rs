//! The solver: from the ends of games backwards, a ply at a time.
//!
//! Captures lead to fewer pieces, and captures are compulsory: where one is possible, the value follows from smaller
//! tables. Elsewhere all plays are steps, and lead to positions of the same table. There each position has a count of
//! the steps that are not yet known to lose. In the pass of `n` plies all positions of that value are taken: if they
//! are lost, positions from which a step leads to them are won in `n + 1`; if they are won, the counts of these fall by
//! one, and those whose counts reach 0 are lost in `n + 1`. Positions without a value in the end are drawn.

use core::num::NonZeroUsize;
use core::sync::atomic::Ordering::Relaxed;
use core::sync::atomic::{AtomicU16, AtomicU32};
use std::thread;

use tavli_base::has_memory;
use tavli_simd::{Isa, Scalar, Vector, Word};
use thiserror::Error;

use super::index::Index;
use super::table::{DRAWN, EndgameTable, Endgames};
use crate::board::squares::{Black, Mover, half_turn, step, step_back};
use crate::plays::{CaptureList, Masks, Pieces};
use crate::rules::Captures;

/// How far the solver is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EndgameProgress {
    /// The number of pieces of the positions that it solves.
    pub pieces: u32,
    /// The plies of the wins and losses that it has found.
    pub plies: u32,
    /// How many positions with this number of pieces are won or lost so far.
    pub found: u64,
}

/// Why there are no tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum SolveError {
    /// A number of pieces that is not solved.
    #[error("endgames are solved of 2, 3, 4 or 5 pieces, not of {0}; of 6 there are 2.5 billion positions")]
    Pieces(u32),
    /// The system lacks the memory.
    #[error(
        "solving endgames of {pieces} pieces takes about {needed} bytes of memory, more than there are: solve fewer"
    )]
    Memory {
        /// The pieces.
        pieces: u32,
        /// The bytes.
        needed: u64,
    },
    /// The caller stopped the solver.
    #[error("the solver was stopped")]
    Stopped,
}

/// Positions that are handed to a thread at a time.
// About a millisecond of work: `stop` is asked once for each share.
const SHARE: u32 = 4096;

/// Bytes of each position of the largest table while it is made.
const MEMORY: u64 = 4;

/// A value in the low byte, and above it the count of steps that are not known to lose.
// Read and written `Relaxed`: in a pass no cell depends on another, and the ends of threads order the passes.
type Cell = AtomicU16;

/// The count in a cell of a position with a capture.
const CAPTURE: u16 = 0xff;

impl Endgames {
    /// The most pieces of positions that are solved.
    // Six pieces have 2.5 billion positions, 17 times as many as five: some 3 GB, and three times as much while made.
    pub const MAX_PIECES: u32 = 5;

    /// Solves the endgames of two to `pieces` pieces, at most five, on this many threads. `progress` is called after
    /// each pass. All threads ask `stop` every millisecond or so, and stop if it returns `true`. The tables of up to
    /// four pieces take 7.5 MB, and five times as much while they are made; of up to five pieces 187 MB, and three
    /// times as much.
    ///
    /// # Errors
    /// [`SolveError::Pieces`] for another number, [`SolveError::Memory`] if the system has too little memory, and
    /// [`SolveError::Stopped`] if `stop` has stopped it.
    pub fn solve(
        pieces: u32,
        threads: NonZeroUsize,
        stop: &(dyn Fn() -> bool + Sync),
        progress: &mut dyn FnMut(EndgameProgress),
    ) -> Result<Endgames, SolveError> {
        if !(2..=Endgames::MAX_PIECES).contains(&pieces) {
            return Err(SolveError::Pieces(pieces));
        }
        let needed = MEMORY * u64::from(Index::new(pieces as u8).numbers());
        if !has_memory(needed) {
            return Err(SolveError::Memory { pieces, needed });
        }
        let mut tables = Vec::new();
        for number in 2..=pieces {
            let table = solve_table(number, &tables, &Threads { number: threads.get(), stop }, progress)?;
            tables.push(table);
        }
        Ok(Endgames { tables })
    }
}

/// Solves the positions with one piece more than the last of the smaller tables.
fn solve_table(
    pieces: u32,
    smaller: &[EndgameTable],
    threads: &Threads<'_>,
    progress: &mut dyn FnMut(EndgameProgress),
) -> Result<EndgameTable, SolveError> {
    let index = Index::new(pieces as u8);
    let cells: Vec<Cell> = (0..index.numbers()).map(|_| Cell::new(u16::from(DRAWN))).collect();
    // Positions by the plies of their values.
    let mut found: Vec<Vec<u32>> = vec![Vec::new(); usize::from(DRAWN) + 1];
    let thread_results = threads.share(index.numbers(), |numbers, known: &mut Vec<Vec<u32>>, capture_list| {
        known.resize(usize::from(DRAWN) + 1, Vec::new());
        for number in numbers {
            if let Some(position) = index.position(number) {
                let cell = first_cell(position, smaller, capture_list);
                cells[number as usize].store(cell, Relaxed);
                if cell as u8 != DRAWN {
                    known[usize::from(cell as u8)].push(number);
                }
            }
        }
    })?;
    for known in thread_results {
        for (all, thread_numbers) in found.iter_mut().zip(known) {
            all.extend(thread_numbers);
        }
    }
    let mut number_found = 0;
    let last = |found: &[Vec<u32>]| found.iter().rposition(|numbers| !numbers.is_empty()).unwrap_or(0);
    let mut plies = 0;
    // Some pass may find nothing and a later one something: captures give values of any number of plies at once.
    while plies <= last(&found) {
        let numbers = core::mem::take(&mut found[plies]);
        number_found += numbers.len() as u64;
        let thread_results = threads.share(numbers.len() as u32, |range, before: &mut Vec<u32>, _| {
            for at in range {
                step_backwards(&index, &cells, numbers[at as usize], plies as u8, before);
            }
        })?;
        for before in thread_results {
            found[plies + 1].extend(before);
        }
        progress(EndgameProgress { pieces, plies: plies as u32, found: number_found });
        plies += 1;
    }
    let bytes = cells.into_iter().map(|cell| cell.into_inner() as u8).collect();
    Ok(EndgameTable { index, bytes })
}

/// The threads of a solver, and the function that stops them.
struct Threads<'a> {
    number: usize,
    stop: &'a (dyn Fn() -> bool + Sync),
}

impl Threads<'_> {
    /// Calls `work` for shares of the numbers below `end`, on several threads if there are many, and returns what each
    /// thread has gathered.
    fn share<T: Default + Send>(
        &self,
        end: u32,
        work: impl Fn(core::ops::Range<u32>, &mut T, &mut CaptureList) + Sync,
    ) -> Result<Vec<T>, SolveError> {
        let next = AtomicU32::new(0);
        let run = || {
            let (mut gathered, mut capture_list) = (T::default(), CaptureList::default());
            loop {
                let first = next.fetch_add(SHARE, Relaxed);
                if first >= end {
                    return Ok(gathered);
                }
                if (self.stop)() {
                    return Err(SolveError::Stopped);
                }
                work(first..end.min(first.saturating_add(SHARE)), &mut gathered, &mut capture_list);
            }
        };
        let threads = self.number.min(end.div_ceil(SHARE) as usize);
        if threads <= 1 {
            return Ok(vec![run()?]);
        }
        thread::scope(|scope| {
            // If the system starts no more threads, the running ones do the work.
            let other = |_| thread::Builder::new().spawn_scoped(scope, run).ok();
            let others: Vec<_> = (1..threads).map_while(other).collect();
            let mut all = vec![run()];
            all.extend(others.into_iter().map(|other| other.join().expect("a solver does not panic")));
            all.into_iter().collect()
        })
    }
}

fn pieces_of([own, other, kings]: [u32; 3]) -> Pieces<Word<Scalar>> {
    Pieces { own: Scalar.splat(own), other: Scalar.splat(other), kings: Scalar.splat(kings) }
}

/// The first cell of a position: its value if it has a capture or no play at all, and the number of its steps.
fn first_cell(position: [u32; 3], smaller: &[EndgameTable], capture_list: &mut CaptureList) -> u16 {
    let pieces = pieces_of(position);
    let masks = Masks::new::<Black>(&pieces);
    if masks.all_jumps().lanes_zero() {
        let steps: u32 = masks.steps.iter().map(|set| set.get().count_ones()).sum();
        let value = if steps == 0 { 0 } else { DRAWN };
        return (steps as u16) << 8 | u16::from(value);
    }
    let [own, other, kings] = position;
    // The fewest plies of a win, the most of a loss, and whether a capture leads to a draw.
    let (mut win, mut loss, mut can_draw) = (None, 0, false);
    for capture in capture_list.list::<Black>(own, other, kings, Captures::Compulsory) {
        let [from, to, over] = [capture.from, capture.to, capture.over].map(|set| Scalar.splat(set));
        let after = pieces.moved::<Black>(from, to, over);
        let turned = [after.other, after.own, after.kings].map(|set| half_turn(set.get()));
        let byte = if turned[0] == 0 {
            0
        } else {
            let table = &smaller[(turned[0] | turned[1]).count_ones() as usize - 2];
            table.bytes[table.index.number(turned) as usize]
        };
        match byte {
            DRAWN => can_draw = true,
            byte if byte % 2 == 0 => win = Some(win.map_or(byte + 1, |plies: u8| plies.min(byte + 1))),
            byte => loss = loss.max(byte + 1),
        }
    }
    let value = win.unwrap_or(if can_draw { DRAWN } else { loss });
    CAPTURE << 8 | u16::from(value)
}

/// Propagates a solved position to its predecessors by a step, and collects the predecessors that this solves.
fn step_backwards(index: &Index, cells: &[Cell], number: u32, plies: u8, before: &mut Vec<u32>) {
    let [own, other, kings] = index.position(number).expect("a position that was found");
    // Seen by the side that has just moved.
    let after @ Pieces { own, other, kings } = pieces_of([other, own, kings].map(half_turn));
    let empty = !(own | other);
    let (men, own_kings) = (own & !kings, own & kings);
    let is_lost = plies.is_multiple_of(2);
    let mut tell = |from: Word<Scalar>, to: Word<Scalar>, was_king: bool| {
        let kings = (after.kings & !to) | if was_king { from.get() } else { 0 };
        let number = index.number([(after.own ^ from ^ to).get(), after.other.get(), kings.get()]);
        let cell = &cells[number as usize];
        let old = cell.load(Relaxed);
        // With a capture no step was allowed.
        if old as u8 != DRAWN || old >> 8 == CAPTURE {
            return;
        }
        // In one pass all threads do the same: they give values to wins, or they count down.
        // A position may have steps to several lost ones: only the thread that gives it its value lists it.
        let has_value = if is_lost {
            cell.fetch_update(Relaxed, Relaxed, |old| {
                (old as u8 == DRAWN).then_some(old & 0xff00 | u16::from(plies + 1))
            })
            .is_ok()
        } else {
            let is_last = cell.fetch_sub(1 << 8, Relaxed) >> 8 == 1;
            if is_last {
                cell.store(u16::from(plies + 1), Relaxed);
            }
            is_last
        };
        if has_value {
            before.push(number);
        }
    };
    for direction in 0..4 {
        let rotation = Black::ROTATIONS[direction];
        let from = |pieces| step_back(pieces, rotation) & Black::NEIGHBOURS[direction] & empty;
        let mut kings_from = from(own_kings);
        while let Some(from) = kings_from.take_lowest() {
            tell(from, step(from, rotation), true);
        }
        if direction < 2 {
            // A king on the last row may have come there as a man.
            let mut men_from = from(men | (own_kings & Black::LAST_ROW));
            while let Some(from) = men_from.take_lowest() {
                tell(from, step(from, rotation), false);
            }
        }
    }
}
