//! Value iteration over all positions.
//!
//! A sweep goes through the positions by the pips of both sides, fewest first, so that every play that hits nothing
//! leads to a position whose value is new. Those of the same or more pips, behind hits and passes, are of the sweep
//! before. So a sweep depends on the sweep before alone, however many workers share it.
//!
//! Sweeps that look at every play are expensive. Between two of them cheap ones follow the best plays found so far,
//! until the values settle.

use std::io::{self, Read, Write};
use std::ops::Range;
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use tavli_backgammon::plays::Plays;
use tavli_backgammon::{Board, Hypergammon, Outcome, Roll, RuleSet};

use super::error::{TableError, room};
use super::format::{Reader, Writer};
use super::positions::{CHECKERS, MOST_PIPS, Number, Positions, SIDES, board, number, pips};
use crate::run::{Cancel, Workers};

/// A change of less than this ends it.
pub const PRECISION: f64 = 1e-12;
/// The most sweeps along the best plays before all plays are looked at again.
const MOST_CHEAP: u32 = 30;
/// Along the best plays, a change by this part of that of the dear sweep before is enough.
const ENOUGH: f64 = 1e-3;
/// Positions that a worker takes at a time.
const PART: usize = 128;
/// So few positions are sooner done than shared.
const FEW: usize = 128;
/// The probabilities are found to this; they are kept to 7.6e-6.
const PROBABLY: f64 = 1e-6;

/// How far it is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Progress {
    /// Sweeps done.
    pub sweeps: u32,
    /// The most that a value changed in the last sweep; infinite before the first. It ends at 1e-12.
    pub change: f64,
    /// Whether the probabilities are being found, after the equities.
    pub probabilities: bool,
}

/// A play that ends the game; below it the points won.
const ENDS: u32 = 1 << 30;
/// A play to a position whose value is of this sweep.
const NEW: u32 = 1 << 31;

/// What all workers share.
#[derive(Debug)]
struct Shared {
    positions: Positions,
    /// Equities by number, as bits of doubles: those of even sweeps and of odd ones.
    equities: [Vec<AtomicU64>; 2],
    /// By place in the order, the best play of each roll: the number of the position, [`NEW`] or not, or [`ENDS`].
    best: Vec<AtomicU32>,
    /// Likewise by number, once the equities are found.
    probabilities: OnceLock<[Vec<Probabilities>; 2]>,
}

/// The probabilities of all outcomes of a position but the last, as bits of singles.
type Probabilities = [AtomicU32; OUTCOMES];

/// The outcomes whose probabilities are found: that of a single loss is what is left.
const OUTCOMES: usize = 5;

/// The outcomes in the order of [`Solution::probabilities`].
pub(super) const KINDS: [Outcome; OUTCOMES] = [
    Outcome::WinSingle,
    Outcome::WinGammon,
    Outcome::WinBackgammon,
    Outcome::LoseGammon,
    Outcome::LoseBackgammon,
];

/// What a sweep does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Work {
    /// Equities from all plays, which finds the best ones.
    AllPlays,
    /// Equities along the best plays.
    BestPlays,
    /// Probabilities along the best plays.
    Probabilities,
    /// Everything is found.
    Nothing,
}

impl Work {
    /// In the order of their numbers in files.
    const ALL: [Work; 4] = [Work::AllPlays, Work::BestPlays, Work::Probabilities, Work::Nothing];
}

/// What is being done, and how far it is. With the values it says what follows, so a solver that was stopped does what
/// it would have done.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Plan {
    work: Work,
    /// Sweeps done for equities, and after them for probabilities.
    sweeps: u32,
    probability_sweeps: u32,
    /// Sweeps along the best plays since these were found.
    cheap: u32,
    /// The change by which these end.
    enough: f64,
    /// Numbers of pips done in this sweep, and the most that a value has changed in it.
    done: u32,
    change: f64,
    /// The most that a value changed in the last whole sweep.
    last_change: f64,
}

impl Plan {
    /// Equities from all plays, after so many sweeps.
    fn new(sweeps: u32) -> Plan {
        Plan {
            work: Work::AllPlays,
            sweeps,
            probability_sweeps: 0,
            cheap: 0,
            enough: 0.0,
            done: 0,
            change: 0.0,
            last_change: f64::INFINITY,
        }
    }

    /// Which of two arrays the sweep reads; it writes the other.
    fn old(&self) -> usize {
        let sweeps = match self.work {
            Work::AllPlays | Work::BestPlays => self.sweeps,
            Work::Probabilities | Work::Nothing => self.probability_sweeps,
        };
        sweeps as usize % 2
    }

    /// What follows a whole sweep.
    fn end_sweep(&mut self) {
        let change = std::mem::take(&mut self.change);
        self.done = 0;
        self.last_change = change;
        match self.work {
            Work::AllPlays => {
                self.sweeps += 1;
                self.cheap = 0;
                self.enough = (change * ENOUGH).max(PRECISION / 10.0);
                self.work = match change <= PRECISION {
                    true => Work::Probabilities,
                    false => Work::BestPlays,
                };
            }
            Work::BestPlays => {
                self.sweeps += 1;
                self.cheap += 1;
                if self.cheap == MOST_CHEAP || change <= self.enough {
                    self.work = Work::AllPlays;
                }
            }
            Work::Probabilities => {
                self.probability_sweeps += 1;
                if change <= PROBABLY {
                    self.work = Work::Nothing;
                }
            }
            Work::Nothing => {}
        }
    }
}

/// Values of all positions on their way.
#[derive(Debug)]
pub struct Solver {
    shared: Arc<Shared>,
    plan: Plan,
    /// Room for the probabilities: a solver that finds the equities has the memory for the rest.
    room: [Vec<Probabilities>; 2],
}

impl Solver {
    /// One that knows nothing yet. It takes about 1.5 GB of memory.
    ///
    /// # Errors
    /// [`TableError::Memory`].
    pub fn new() -> Result<Solver, TableError> {
        Solver::of_positions(Positions::all()?, Plan::new(0))
    }

    /// One of the positions in which one side has at most `more` checkers on the board and the other at most `fewer`,
    /// the others being off: plays do not leave them.
    ///
    /// # Errors
    /// [`TableError::Memory`].
    ///
    /// # Panics
    /// Unless `fewer` is at least 1, `more` at least `fewer`, and 3 at least `more`.
    pub fn of_at_most(more: u8, fewer: u8) -> Result<Solver, TableError> {
        assert!(
            1 <= fewer && fewer <= more && more <= CHECKERS,
            "a side has 1 to 3 checkers"
        );
        Solver::of_positions(Positions::of_at_most(more, fewer)?, Plan::new(0))
    }

    fn of_positions(positions: Positions, plan: Plan) -> Result<Solver, TableError> {
        let array = || {
            let mut array = room(SIDES * SIDES)?;
            array.resize_with(SIDES * SIDES, AtomicU64::default);
            Ok(array)
        };
        let equities = [array()?, array()?];
        let number = positions.order.len() * Roll::ALL.len();
        let mut best = room(number)?;
        best.resize_with(number, AtomicU32::default);
        Ok(Solver {
            room: [room(SIDES * SIDES)?, room(SIDES * SIDES)?],
            shared: Arc::new(Shared {
                positions,
                equities,
                best,
                probabilities: OnceLock::new(),
            }),
            plan,
        })
    }

    /// The numbers of its positions, fewest pips first.
    pub(super) fn order(&self) -> &[Number] {
        &self.shared.positions.order
    }

    /// The equity of the player on roll in one of its positions, as found by the last whole sweep.
    #[must_use]
    pub fn equity(&self, board: &Board) -> f64 {
        self.equity_of(number(board))
    }

    /// [`Solver::equity`] of the position of a number.
    pub(super) fn equity_of(&self, number: Number) -> f64 {
        let last = &self.shared.equities[self.plan.sweeps as usize % 2];
        f64::from_bits(last[number as usize].load(Ordering::Relaxed))
    }

    /// The probabilities of the position of a number, in the order of [`KINDS`], as found by the last whole sweep.
    pub(super) fn probabilities_of(&self, number: Number) -> Option<[f32; OUTCOMES]> {
        let found = self.shared.probabilities.get()?;
        let last = &found[self.plan.probability_sweeps as usize % 2][number as usize];
        Some(last.each_ref().map(|bits| f32::from_bits(bits.load(Ordering::Relaxed))))
    }

    /// Whole sweeps done for equities.
    #[must_use]
    pub fn sweeps(&self) -> u32 {
        self.plan.sweeps
    }

    /// Sweeps until no equity changes by more than [`PRECISION`] when all plays are looked at. `report` is called after
    /// the positions of each number of pips. Returns whether it came to its end, and was not cancelled.
    pub fn run(&mut self, workers: &Workers, cancel: &Cancel, report: impl FnMut(&Solver, Progress)) -> bool {
        self.go_on(workers, cancel, report, &[Work::AllPlays, Work::BestPlays])
    }

    /// Finds the probabilities after the equities; returns whether it came to its end, and was not cancelled.
    pub(super) fn find_probabilities(
        &mut self,
        workers: &Workers,
        cancel: &Cancel,
        report: impl FnMut(&Solver, Progress),
    ) -> bool {
        self.begin_probabilities();
        self.go_on(workers, cancel, report, &[Work::Probabilities])
    }

    /// Sets the probabilities to 0, if they are not begun.
    fn begin_probabilities(&mut self) {
        let room = &mut self.room;
        self.shared.probabilities.get_or_init(|| {
            std::mem::take(room).map(|mut array| {
                array.resize_with(SIDES * SIDES, Probabilities::default);
                array
            })
        });
    }

    /// Does what is planned as long as it is among `works`.
    fn go_on(
        &mut self,
        workers: &Workers,
        cancel: &Cancel,
        mut report: impl FnMut(&Solver, Progress),
        works: &[Work],
    ) -> bool {
        while works.contains(&self.plan.work) {
            if !self.step(workers, cancel) {
                return false;
            }
            report(self, self.progress());
        }
        true
    }

    fn progress(&self) -> Progress {
        let probabilities = matches!(self.plan.work, Work::Probabilities | Work::Nothing);
        let further = self.plan.probability_sweeps;
        Progress {
            sweeps: self.plan.sweeps + further,
            change: self.plan.last_change,
            probabilities,
        }
    }

    /// Does the positions of the next number of pips. Returns false if it was cancelled; what was begun is then done
    /// anew.
    fn step(&mut self, workers: &Workers, cancel: &Cancel) -> bool {
        let (work, old) = (self.plan.work, self.plan.old());
        let change = match work {
            Work::AllPlays | Work::BestPlays => self.of_pips(workers, cancel, move |shared, place| {
                let [new, old] = [&shared.equities[1 - old], &shared.equities[old]];
                let number = shared.positions.order[place];
                let best = shared.best_plays(place);
                let value = match work {
                    Work::AllPlays => of_all_plays(number, best, new, old),
                    _ => of_best_plays(best, new, old),
                };
                let before = f64::from_bits(old[number as usize].load(Ordering::Relaxed));
                new[number as usize].store(value.to_bits(), Ordering::Relaxed);
                (value - before).abs()
            }),
            Work::Probabilities => self.of_pips(workers, cancel, move |shared, place| {
                let both = shared.probabilities.get().expect("they were begun");
                let [new, old] = [&both[1 - old], &both[old]];
                let number = shared.positions.order[place] as usize;
                let values = outcomes(shared.best_plays(place), new, old);
                let mut change = 0.0f32;
                for (kind, value) in values.into_iter().enumerate() {
                    let before = f32::from_bits(old[number][kind].load(Ordering::Relaxed));
                    change = change.max((value - before).abs());
                    new[number][kind].store(value.to_bits(), Ordering::Relaxed);
                }
                f64::from(change)
            }),
            Work::Nothing => return true,
        };
        let Some(change) = change else {
            return false;
        };
        self.plan.change = self.plan.change.max(change);
        self.plan.done += 1;
        if self.plan.done as usize == self.shared.positions.ends.len() {
            self.plan.end_sweep();
        }
        true
    }

    /// Calls `value` with the place of each position of the next number of pips, shared by the workers. Returns the
    /// most that a value changed, or `None` if it was cancelled.
    fn of_pips(
        &self,
        workers: &Workers,
        cancel: &Cancel,
        value: impl Fn(&Shared, usize) -> f64 + Copy + Send + Sync + 'static,
    ) -> Option<f64> {
        let done = self.plan.done as usize;
        let ends = &self.shared.positions.ends;
        let start = done.checked_sub(1).map_or(0, |last| ends[last]);
        let end = ends[done];
        let part = move |shared: &Shared, places: Range<usize>| {
            let changes = places.map(|place| value(shared, place));
            changes.fold(0.0, f64::max)
        };
        if cancel.is_cancelled() {
            return None;
        }
        if end - start <= FEW {
            return Some(part(&self.shared, start..end));
        }
        let next = AtomicUsize::new(start);
        let (shared, stop) = (self.shared.clone(), cancel.clone());
        let changes = workers.each(move |_| {
            let mut change = 0.0f64;
            loop {
                let first = next.fetch_add(PART, Ordering::Relaxed);
                if first >= end || stop.is_cancelled() {
                    return change;
                }
                let places = first..end.min(first + PART);
                change = change.max(part(&shared, places));
            }
        });
        // A worker may have left positions out.
        (!cancel.is_cancelled()).then(|| changes.into_iter().fold(0.0, f64::max))
    }
}

impl Shared {
    /// The best play of each roll of the position of a place.
    fn best_plays(&self, place: usize) -> &[AtomicU32] {
        &self.best[place * Roll::ALL.len()..][..Roll::ALL.len()]
    }
}

/// Bytes of a position in the file of a solver: both equities and the best plays.
const FOUND: usize = 2 * 8 + 4 * Roll::ALL.len();
/// Bytes of the probabilities of a position, both.
const BOTH_PROBABILITIES: usize = 2 * 4 * OUTCOMES;

impl Solver {
    /// Writes what was done so far, to go on from. The file is of the kind of
    /// [`Solution::write`](super::Solution::write), but unfinished.
    ///
    /// # Errors
    /// Those of the output.
    pub fn write(&self, output: &mut dyn Write) -> io::Result<()> {
        let mut output = Writer::begin(output, false, self.plan.sweeps)?;
        Plans::of(self).write(&mut output)?;
        for (place, &number) in self.shared.positions.order.iter().enumerate() {
            let mut bytes = [0; FOUND];
            let (equities, best) = bytes.split_at_mut(16);
            for (bytes, array) in equities.as_chunks_mut().0.iter_mut().zip(&self.shared.equities) {
                *bytes = array[number as usize].load(Ordering::Relaxed).to_le_bytes();
            }
            let plays = self.shared.best_plays(place);
            for (bytes, play) in best.as_chunks_mut().0.iter_mut().zip(plays) {
                *bytes = play.load(Ordering::Relaxed).to_le_bytes();
            }
            output.write(&bytes)?;
        }
        if let Some(both) = self.shared.probabilities.get() {
            for &number in self.order() {
                let mut bytes = [0; BOTH_PROBABILITIES];
                let values = both.iter().flat_map(|array| &array[number as usize]);
                for (bytes, value) in bytes.as_chunks_mut().0.iter_mut().zip(values) {
                    *bytes = value.load(Ordering::Relaxed).to_le_bytes();
                }
                output.write(&bytes)?;
            }
        }
        output.end()
    }

    /// Goes on from what [`Solver::write`] wrote.
    ///
    /// # Errors
    /// [`TableError`] if it is not such a file, or finished.
    pub fn read(input: &mut dyn Read) -> Result<Solver, TableError> {
        let (mut input, header) = Reader::begin(input)?;
        if header.is_whole {
            return Err(TableError::Finished);
        }
        let solver = match header.version {
            // The equities alone, by number.
            1 => {
                let solver = Solver::of_positions(Positions::all()?, Plan::new(header.sweeps))?;
                for equity in &solver.shared.equities[header.sweeps as usize % 2] {
                    equity.store(u64::from_le_bytes(input.read()?), Ordering::Relaxed);
                }
                solver
            }
            _ => {
                let plans = Plans::read(&mut input, header.sweeps)?;
                let [more, fewer] = plans.at_most;
                let positions = Positions::of_at_most(more, fewer)?;
                let mut solver = Solver::of_positions(positions, plans.plan)?;
                solver.read_values(&mut input, plans.has_probabilities)?;
                solver
            }
        };
        input.end()?;
        Ok(solver)
    }

    /// Reads the values and the best plays of each position.
    fn read_values(&mut self, input: &mut Reader<'_>, has_probabilities: bool) -> Result<(), TableError> {
        let shared = &self.shared;
        for (place, &number) in shared.positions.order.iter().enumerate() {
            let bytes: [u8; FOUND] = input.read()?;
            let (equities, best) = bytes.split_at(16);
            for (bytes, array) in equities.as_chunks().0.iter().zip(&shared.equities) {
                array[number as usize].store(u64::from_le_bytes(*bytes), Ordering::Relaxed);
            }
            for (bytes, best) in best.as_chunks().0.iter().zip(shared.best_plays(place)) {
                let play = u32::from_le_bytes(*bytes);
                if !is_play(play) {
                    return Err(TableError::Damaged);
                }
                best.store(play, Ordering::Relaxed);
            }
        }
        if has_probabilities {
            self.begin_probabilities();
            let both = self.shared.probabilities.get().expect("they were begun");
            for &number in self.order() {
                let bytes: [u8; BOTH_PROBABILITIES] = input.read()?;
                let values = both.iter().flat_map(|array| &array[number as usize]);
                for (bytes, value) in bytes.as_chunks().0.iter().zip(values) {
                    value.store(u32::from_le_bytes(*bytes), Ordering::Relaxed);
                }
            }
        }
        Ok(())
    }
}

/// What the file of a solver says before the values: the plan, and of which positions they are.
struct Plans {
    plan: Plan,
    at_most: [u8; 2],
    has_probabilities: bool,
}

impl Plans {
    fn of(solver: &Solver) -> Plans {
        Plans {
            plan: solver.plan,
            at_most: solver.shared.positions.at_most,
            has_probabilities: solver.shared.probabilities.get().is_some(),
        }
    }

    fn write(&self, output: &mut Writer<'_>) -> io::Result<()> {
        let Plan {
            work,
            sweeps: _,
            probability_sweeps,
            cheap,
            enough,
            done,
            change,
            last_change,
        } = self.plan;
        let [more, fewer] = self.at_most;
        let flag = u8::from(self.has_probabilities);
        output.write(&[work as u8, more, fewer, flag])?;
        for word in [probability_sweeps, cheap, done] {
            output.write(&word.to_le_bytes())?;
        }
        for number in [enough, change, last_change] {
            output.write(&number.to_le_bytes())?;
        }
        Ok(())
    }

    fn read(input: &mut Reader<'_>, sweeps: u32) -> Result<Plans, TableError> {
        let [work, more, fewer, flag] = input.read()?;
        let is_work = |one: &Work| *one as u8 == work;
        let work = Work::ALL.into_iter().find(is_work);
        let mut word = || input.read().map(u32::from_le_bytes);
        let [probability_sweeps, cheap, done] = [word()?, word()?, word()?];
        let mut number = || input.read().map(f64::from_le_bytes);
        let [enough, change, last_change] = [number()?, number()?, number()?];
        let plan = Plan {
            work: work.ok_or(TableError::Damaged)?,
            sweeps,
            probability_sweeps,
            cheap,
            enough,
            done,
            change,
            last_change,
        };
        let is_sound = 1 <= fewer
            && fewer <= more
            && more <= CHECKERS
            && flag <= 1
            && cheap <= MOST_CHEAP
            && done <= MOST_PIPS
            && (flag == 1 || plan.work != Work::Nothing);
        match is_sound {
            true => Ok(Plans {
                plan,
                at_most: [more, fewer],
                has_probabilities: flag == 1,
            }),
            false => Err(TableError::Damaged),
        }
    }
}

/// Whether a word stands for a best play.
fn is_play(play: u32) -> bool {
    match play & ENDS != 0 {
        true => (1..=3).contains(&(play ^ ENDS)),
        false => ((play & !NEW) as usize) < SIDES * SIDES,
    }
}

/// The equity of a position from all plays of each roll, and the best of them.
fn of_all_plays(position: Number, best: &[AtomicU32], new: &[AtomicU64], old: &[AtomicU64]) -> f64 {
    let board = board(position);
    let pips_before = pips(position);
    let mut sum = 0.0;
    for (roll, best) in Roll::ALL.into_iter().zip(best) {
        let mut most = f64::NEG_INFINITY;
        let mut chosen = 0;
        Plays::new::<Hypergammon>(&board, roll).for_each(|play| {
            let after = play.board();
            let play = if after.opponent().occupied() == 0 {
                let rules = RuleSet::Hypergammon;
                let outcome = rules.outcome_of_play(after.opponent(), after.own());
                ENDS | outcome.expect("all are off").points().unsigned_abs()
            } else {
                let number = number(&after);
                let is_new = pips(number) < pips_before;
                number | if is_new { NEW } else { 0 }
            };
            let value = equity_after(play, new, old);
            if value > most {
                (most, chosen) = (value, play);
            }
        });
        best.store(chosen, Ordering::Relaxed);
        sum += f64::from(roll.weight()) * most;
    }
    sum / Roll::THROWS.len() as f64
}

/// The equity of a position from the best play of each roll.
fn of_best_plays(best: &[AtomicU32], new: &[AtomicU64], old: &[AtomicU64]) -> f64 {
    let mut sum = 0.0;
    for (roll, best) in Roll::ALL.into_iter().zip(best) {
        sum += f64::from(roll.weight()) * equity_after(best.load(Ordering::Relaxed), new, old);
    }
    sum / Roll::THROWS.len() as f64
}

/// The equity of the player who made a play.
#[inline(always)]
fn equity_after(play: u32, new: &[AtomicU64], old: &[AtomicU64]) -> f64 {
    if play & ENDS != 0 {
        return f64::from(play ^ ENDS);
    }
    let of = if play & NEW != 0 { new } else { old };
    -f64::from_bits(of[(play & !NEW) as usize].load(Ordering::Relaxed))
}

/// The probabilities of the outcomes of a position along the best plays.
fn outcomes(best: &[AtomicU32], new: &[Probabilities], old: &[Probabilities]) -> [f32; OUTCOMES] {
    let mut sums = [0.0f32; OUTCOMES];
    for (roll, best) in Roll::ALL.into_iter().zip(best) {
        let weight = f32::from(roll.weight() as u8);
        let play = best.load(Ordering::Relaxed);
        if play & ENDS != 0 {
            // The kinds of wins come first, by their points.
            sums[(play ^ ENDS) as usize - 1] += weight;
            continue;
        }
        let of = if play & NEW != 0 { new } else { old };
        let after = &of[(play & !NEW) as usize];
        let [win, gammon, backgammon, lose_gammon, lose_backgammon] = after
            .each_ref()
            .map(|bits| f32::from_bits(bits.load(Ordering::Relaxed)));
        let lose = 1.0 - win - gammon - backgammon - lose_gammon - lose_backgammon;
        for (sum, value) in sums
            .iter_mut()
            .zip([lose, lose_gammon, lose_backgammon, gammon, backgammon])
        {
            *sum += weight * value;
        }
    }
    sums.map(|sum| sum / Roll::THROWS.len() as f32)
}
