//! Value iteration over all positions.
//!
//! A sweep goes through the positions by the pips of both sides, fewest first, so that every play that hits nothing
//! leads to a position whose value is new. Those of the same or more pips, behind hits and passes, are of the sweep
//! before. So a sweep depends on the sweep before alone, however many workers share it.
//!
//! Sweeps that look at every play are expensive. Between two of them cheap ones follow the best plays found so far,
//! until the values settle.

use std::ops::Range;
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use tavli_backgammon::plays::Plays;
use tavli_backgammon::{Board, Hypergammon, Outcome, Roll, RuleSet};

use super::cube::{self, CubeEquities};
use super::error::{TableError, room};
use super::positions::{CHECKERS, Number, Positions, SIDES, board, number, pips};
use crate::run::{Cancel, Workers};

/// A change of less than this ends it.
const PRECISION: f64 = 1e-12;
/// The most sweeps along the best plays before all plays are looked at again.
pub(super) const MOST_CHEAP: u32 = 30;
/// Sweeps along the best plays end when their change is below this fraction of the last full sweep's.
const ENOUGH: f64 = 1e-3;
/// Positions that a worker takes at a time.
const PART: usize = 128;
/// So few positions are sooner done than shared.
const FEW_POSITIONS: usize = 128;
/// The probabilities are found to this; they are kept to 7.6e-6.
const PROBABLY: f64 = 1e-6;
/// Equities with a cube change by less than this in the last sweep.
// Every sweep looks at all plays, since each owner of the cube has best plays of his own, whose lists would take 2.7
// GB. So it ends sooner than the equities without a cube; GNU Backgammon's table has 24 bits.
const WITH_CUBE_PRECISION: f64 = 1e-7;

/// How far it is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Progress {
    /// Sweeps done in all stages so far.
    pub sweeps: u32,
    /// The most that a value changed in the last sweep; infinite before the first.
    pub change: f64,
    /// What is being found.
    pub stage: Stage,
}

/// What is found, one after the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// Equities.
    Equities,
    /// Probabilities.
    Probabilities,
    /// Equities with a cube.
    WithCube,
}

impl Stage {
    /// It ends when no value changes by more.
    #[must_use]
    pub const fn precision(self) -> f64 {
        match self {
            Stage::Equities => PRECISION,
            Stage::Probabilities => PROBABLY,
            Stage::WithCube => WITH_CUBE_PRECISION,
        }
    }
}

/// A play that ends the game; below it the points won.
pub(super) const ENDS: u32 = 1 << 30;
/// A play to a position whose value is of this sweep.
pub(super) const NEW: u32 = 1 << 31;

/// What all workers share.
#[derive(Debug)]
pub(super) struct Shared {
    pub(super) positions: Positions,
    /// Equities by number, as bits of doubles: those of even sweeps and of odd ones.
    pub(super) equities: [Vec<AtomicU64>; 2],
    /// By place in the order, the best play of each roll: the number of the position, [`NEW`] or not, or [`ENDS`].
    pub(super) best: Vec<AtomicU32>,
    /// Likewise by number, once the equities are found.
    pub(super) probabilities: OnceLock<[Vec<Probabilities>; 2]>,
    /// Likewise, once the probabilities are found, if they are wanted.
    pub(super) with_cube: OnceLock<[Vec<cube::Cell>; 2]>,
}

/// The probabilities of all outcomes of a position but the last, as bits of singles.
type Probabilities = [AtomicU32; OUTCOMES];

/// The outcomes whose probabilities are found: that of a single loss is what is left.
pub(super) const OUTCOMES: usize = 5;

/// The outcomes in the order of the probabilities of a [`Solution`](super::table::Solution).
pub(super) const KINDS: [Outcome; OUTCOMES] = [
    Outcome::WinSingle,
    Outcome::WinGammon,
    Outcome::WinBackgammon,
    Outcome::LoseGammon,
    Outcome::LoseBackgammon,
];

/// What a sweep does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Work {
    /// Equities from all plays, which finds the best ones.
    AllPlays,
    /// Equities along the best plays.
    BestPlays,
    /// Probabilities along the best plays.
    Probabilities,
    /// Everything is found.
    Nothing,
    /// Equities with a cube from all plays.
    WithCube,
}

impl Work {
    /// In the order of their numbers in files.
    pub(super) const ALL: [Work; 5] = [
        Work::AllPlays,
        Work::BestPlays,
        Work::Probabilities,
        Work::Nothing,
        Work::WithCube,
    ];
}

/// What is being done, and how far it is. With the values it says what follows, so a solver that was stopped does what
/// it would have done.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Plan {
    pub(super) work: Work,
    /// Whether equities with a cube are wanted.
    pub(super) with_cube: bool,
    /// Sweeps done for equities, after them for probabilities, and after these with a cube.
    pub(super) sweeps: u32,
    pub(super) probability_sweeps: u32,
    pub(super) cube_sweeps: u32,
    /// Sweeps along the best plays since these were found.
    pub(super) cheap: u32,
    /// The change by which these end.
    pub(super) enough: f64,
    /// Numbers of pips done in this sweep, and the most that a value has changed in it.
    pub(super) done: u32,
    pub(super) change: f64,
    /// The most that a value changed in the last whole sweep.
    pub(super) last_change: f64,
}

impl Plan {
    /// Equities from all plays, after this many sweeps.
    pub(super) fn new(sweeps: u32) -> Plan {
        Plan {
            work: Work::AllPlays,
            with_cube: false,
            sweeps,
            probability_sweeps: 0,
            cube_sweeps: 0,
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
            Work::WithCube => self.cube_sweeps,
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
                    self.work = match self.with_cube {
                        true => Work::WithCube,
                        false => Work::Nothing,
                    };
                }
            }
            Work::WithCube => {
                self.cube_sweeps += 1;
                if change <= WITH_CUBE_PRECISION {
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
    pub(super) shared: Arc<Shared>,
    pub(super) plan: Plan,
    /// Room for the probabilities and for equities with a cube: a solver that finds the equities has the memory for the
    /// rest.
    room: [Vec<Probabilities>; 2],
    room_with_cube: [Vec<cube::Cell>; 2],
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

    pub(super) fn of_positions(positions: Positions, plan: Plan) -> Result<Solver, TableError> {
        let array = || {
            let mut array = room(SIDES * SIDES)?;
            array.resize_with(SIDES * SIDES, AtomicU64::default);
            Ok(array)
        };
        let equities = [array()?, array()?];
        let number = positions.order.len() * Roll::ALL.len();
        let mut best = room(number)?;
        best.resize_with(number, AtomicU32::default);
        let cells = if plan.with_cube { SIDES * SIDES } else { 0 };
        Ok(Solver {
            room: [room(SIDES * SIDES)?, room(SIDES * SIDES)?],
            room_with_cube: [room(cells)?, room(cells)?],
            shared: Arc::new(Shared {
                positions,
                equities,
                best,
                probabilities: OnceLock::new(),
                with_cube: OnceLock::new(),
            }),
            plan,
        })
    }

    /// Finds equities with a cube, too, in money games, if it has not come to its end yet. It takes 0.7 GB of memory
    /// more.
    ///
    /// # Errors
    /// [`TableError::Memory`].
    pub fn with_cube(mut self) -> Result<Solver, TableError> {
        self.plan.with_cube = true;
        self.room_with_cube = [room(SIDES * SIDES)?, room(SIDES * SIDES)?];
        Ok(self)
    }

    /// Whether it finds equities with a cube, too.
    #[must_use]
    pub fn has_cube(&self) -> bool {
        self.plan.with_cube
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

    /// Sweeps until no equity changes by more than 1e-12 when all plays are looked at. `report` is called after
    /// the positions of each number of pips. Returns whether it came to its end, and was not cancelled.
    pub fn run(&mut self, workers: &Workers, cancel: &Cancel, report: impl FnMut(&Solver, Progress)) -> bool {
        self.go_on(workers, cancel, report, &[Work::AllPlays, Work::BestPlays])
    }

    /// The equities with a cube of the position of a number, as found by the last whole sweep.
    pub(super) fn cube_equities_of(&self, number: Number) -> Option<CubeEquities> {
        let found = self.shared.with_cube.get()?;
        let last = &found[self.plan.cube_sweeps as usize % 2][number as usize];
        Some(CubeEquities::from(cube::load(last)))
    }

    /// Finds what follows the equities; returns whether it came to its end, and was not cancelled.
    pub(super) fn find_the_rest(
        &mut self,
        workers: &Workers,
        cancel: &Cancel,
        report: impl FnMut(&Solver, Progress),
    ) -> bool {
        self.begin_probabilities();
        self.go_on(workers, cancel, report, &[Work::Probabilities, Work::WithCube])
    }

    /// Sets the probabilities to 0, if they are not begun.
    pub(super) fn begin_probabilities(&mut self) {
        let room = &mut self.room;
        self.shared.probabilities.get_or_init(|| {
            std::mem::take(room).map(|mut array| {
                array.resize_with(SIDES * SIDES, Probabilities::default);
                array
            })
        });
    }

    /// Sets the equities with a cube to those without, if they are not begun.
    pub(super) fn begin_with_cube(&mut self) {
        let room = &mut self.room_with_cube;
        let shared = &self.shared;
        let equities = &shared.equities[self.plan.sweeps as usize % 2];
        shared.with_cube.get_or_init(|| {
            let arrays = std::mem::take(room).map(|mut array| {
                array.resize_with(SIDES * SIDES, cube::Cell::default);
                array
            });
            for &number in &shared.positions.order {
                let equity = f64::from_bits(equities[number as usize].load(Ordering::Relaxed));
                cube::store(&arrays[0][number as usize], [equity; cube::STATES]);
            }
            arrays
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

    /// How far it is, by the sweeps of all stages.
    #[must_use]
    pub fn progress(&self) -> Progress {
        let plan = &self.plan;
        let stage = match plan.work {
            Work::AllPlays | Work::BestPlays => Stage::Equities,
            Work::Nothing if plan.with_cube => Stage::WithCube,
            Work::Probabilities | Work::Nothing => Stage::Probabilities,
            Work::WithCube => Stage::WithCube,
        };
        Progress {
            sweeps: plan.sweeps + plan.probability_sweeps + plan.cube_sweeps,
            change: plan.last_change,
            stage,
        }
    }

    /// Does the positions of the next number of pips. Returns false if it was cancelled; what was begun is then done
    /// anew.
    fn step(&mut self, workers: &Workers, cancel: &Cancel) -> bool {
        let (work, old) = (self.plan.work, self.plan.old());
        if work == Work::WithCube {
            self.begin_with_cube();
        }
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
            Work::WithCube => self.of_pips(workers, cancel, move |shared, place| {
                let both = shared.with_cube.get().expect("they were begun");
                let [new, old] = [&both[1 - old], &both[old]];
                let number = shared.positions.order[place];
                let values = with_cube_of_all_plays(number, new, old);
                let before = cube::load(&old[number as usize]);
                cube::store(&new[number as usize], values);
                let changes = values.iter().zip(before).map(|(value, before)| (value - before).abs());
                changes.fold(0.0, f64::max)
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
        if end - start <= FEW_POSITIONS {
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
    pub(super) fn best_plays(&self, place: usize) -> &[AtomicU32] {
        &self.best[place * Roll::ALL.len()..][..Roll::ALL.len()]
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
            let play = word_of_play(&play.board(), pips_before);
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

/// What a play leads to, with [`NEW`] or [`ENDS`]; `pips_before` are of the position before it.
#[inline(always)]
fn word_of_play(after: &Board, pips_before: u16) -> u32 {
    if after.opponent().occupied() == 0 {
        let outcome = RuleSet::Hypergammon.outcome_of_play(after.opponent(), after.own());
        return ENDS | outcome.expect("all are off").points().unsigned_abs();
    }
    let number = number(after);
    number | if pips(number) < pips_before { NEW } else { 0 }
}

/// The equities of a position with a cube from all plays of each roll.
fn with_cube_of_all_plays(position: Number, new: &[cube::Cell], old: &[cube::Cell]) -> [f64; cube::STATES] {
    let board = board(position);
    let pips_before = pips(position);
    let mut sums = [0.0; cube::STATES];
    for roll in Roll::ALL {
        let mut most = [f64::NEG_INFINITY; cube::STATES];
        Plays::new::<Hypergammon>(&board, roll).for_each(|play| {
            let play = word_of_play(&play.board(), pips_before);
            let values = if play & ENDS != 0 {
                cube::of_end(play ^ ENDS)
            } else {
                let of = if play & NEW != 0 { new } else { old };
                cube::after_play(cube::load(&of[(play & !NEW) as usize]))
            };
            for (most, value) in most.iter_mut().zip(values) {
                *most = if value > *most { value } else { *most };
            }
        });
        for (sum, most) in sums.iter_mut().zip(most) {
            *sum += f64::from(roll.weight()) * most;
        }
    }
    sums.map(|sum| sum / Roll::THROWS.len() as f64)
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
