//! Value iteration over all positions.
//!
//! A sweep visits positions by the pips of both sides, fewest first. A play that reduces the pips has its value from
//! this sweep. A hit or a pass may not reduce them; its value is then from the sweep before. So a sweep does not depend
//! on how workers share it.
//!
//! Sweeps that look at every play are expensive. Between two of them, cheap sweeps follow the best plays found so far,
//! until the values settle.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use bytemuck::Zeroable;
use tavli_backgammon::{Board, Roll};
use tavli_run::{Cancel, Workers};

use crate::cube::{self, CubeEquities};
use crate::error::{SolutionError, zeros};
use crate::plan::{Plan, SolverProgress, SolverStage, SweepKind};
use crate::positions::{CHECKERS, Number, Positions, SIDES, number};
use crate::sweep::{self, OUTCOMES, Probabilities, ValueTables};

/// Positions that a worker takes at a time.
const POSITIONS_AT_A_TIME: usize = 128;
/// One worker does this few positions sooner than several could share them.
const MAX_POSITIONS_ALONE: usize = 128;

/// The state that all workers share.
#[derive(Debug)]
pub(crate) struct SolverState {
    pub(crate) positions: Positions,
    pub(crate) cubeless: ValueTables<1>,
    /// Probabilities by number: of even sweeps, and of odd ones.
    pub(crate) probabilities: [Vec<Probabilities>; 2],
    /// By state of the cube; empty if equities with a cube are not wanted.
    // Its best plays are four lists of 0.7 GB: without them every sweep looks at all plays, which takes ten times as
    // long.
    pub(crate) with_cube: ValueTables<{ cube::STATES }>,
}

/// A solver: the values of all positions while they converge.
#[derive(Debug)]
pub struct Solver {
    pub(crate) shared: Arc<SolverState>,
    pub(crate) plan: Plan,
}

impl Solver {
    /// A solver before its first sweep. It takes about 1.5 GB of memory.
    ///
    /// # Errors
    /// [`SolutionError::Memory`].
    pub fn new() -> Result<Solver, SolutionError> {
        Solver::from_positions(Positions::all()?, Plan::new(0))
    }

    /// A solver of the positions in which one side has at most `more` checkers on the board and the other at most
    /// `fewer`. No play leaves this set.
    ///
    /// # Errors
    /// [`SolutionError::Memory`].
    ///
    /// # Panics
    /// If `fewer` is 0 or above `more`, or `more` is above 3.
    pub fn with_at_most(more: u8, fewer: u8) -> Result<Solver, SolutionError> {
        assert!(1 <= fewer && fewer <= more && more <= CHECKERS, "a side has 1 to 3 checkers");
        Solver::from_positions(Positions::with_at_most(more, fewer)?, Plan::new(0))
    }

    pub(crate) fn from_positions(positions: Positions, plan: Plan) -> Result<Solver, SolutionError> {
        let plays = positions.order.len() * Roll::ALL.len();
        let shared = SolverState {
            positions,
            cubeless: tables(plays)?,
            probabilities: both()?,
            with_cube: ValueTables::default(),
        };
        let solver = Solver { shared: Arc::new(shared), plan };
        if plan.with_cube { solver.with_cube() } else { Ok(solver) }
    }

    /// Also finds equities with a cube, in money games, if the solver has not finished yet. This takes 3.4 GB of memory
    /// more.
    ///
    /// # Errors
    /// [`SolutionError::Memory`].
    ///
    /// # Panics
    /// If workers still run the solver: they have stopped once [`Solver::run`] has returned.
    pub fn with_cube(mut self) -> Result<Solver, SolutionError> {
        let shared = Arc::get_mut(&mut self.shared).expect("workers keep it while they work");
        shared.with_cube = tables(shared.cubeless.best.len())?;
        self.plan.with_cube = true;
        Ok(self)
    }

    /// Whether it finds equities with a cube, too.
    #[must_use]
    pub fn has_cube(&self) -> bool {
        self.plan.with_cube
    }

    /// The numbers of its positions, fewest pips first.
    pub(crate) fn order(&self) -> &[Number] {
        &self.shared.positions.order
    }

    /// The equity of the player on roll in one of its positions, as found by the last whole sweep.
    #[must_use]
    pub fn equity(&self, board: &Board) -> f64 {
        self.equity_of(number(board))
    }

    /// [`Solver::equity`] of the position of a number.
    pub(crate) fn equity_of(&self, number: Number) -> f64 {
        let last = &self.shared.cubeless.equities[self.plan.sweeps as usize % 2];
        let [equity] = sweep::load(&last[number as usize]);
        equity
    }

    /// The probabilities of the position with this number, from the last whole sweep, in the order of
    /// [`STORED_OUTCOMES`](sweep::STORED_OUTCOMES).
    pub(crate) fn probabilities_of(&self, number: Number) -> [f32; OUTCOMES] {
        let last = &self.shared.probabilities[self.plan.probability_sweeps as usize % 2][number as usize];
        last.each_ref().map(|bits| f32::from_bits(bits.load(Ordering::Relaxed)))
    }

    /// Whole sweeps done for equities.
    #[must_use]
    pub fn sweeps(&self) -> u32 {
        self.plan.sweeps
    }

    /// Sweeps until a sweep of all plays changes no equity by more than 1e-12. `report` is called after the positions
    /// of each number of pips. Returns `false` if it was cancelled before the end.
    pub fn run(&mut self, workers: &Workers, cancel: &Cancel, report: impl FnMut(&Solver, SolverProgress)) -> bool {
        self.advance(workers, cancel, report, &[SweepKind::AllPlays, SweepKind::BestPlays])
    }

    /// The equities with a cube of the position with this number, from the last whole sweep; `None` if they are not
    /// wanted.
    pub(crate) fn cube_equities_of(&self, number: Number) -> Option<CubeEquities> {
        let last = self.shared.with_cube.equities[self.plan.cube_sweeps as usize % 2].get(number as usize)?;
        Some(CubeEquities::from(sweep::load(last)))
    }

    /// Finds the probabilities and the equities with a cube. Returns `false` if it was cancelled before the end.
    pub(crate) fn find_probabilities_and_cube(
        &mut self,
        workers: &Workers,
        cancel: &Cancel,
        report: impl FnMut(&Solver, SolverProgress),
    ) -> bool {
        let works = [SweepKind::Probabilities, SweepKind::CubeAllPlays, SweepKind::CubeBestPlays];
        self.advance(workers, cancel, report, &works)
    }

    /// Sets the equities with a cube to the equities without.
    fn begin_with_cube(&self) {
        for &number in self.order() {
            let values = [self.equity_of(number); cube::STATES];
            sweep::store(&self.shared.with_cube.equities[0][number as usize], values);
        }
    }

    /// Does the planned sweeps as long as their kind is among `works`.
    fn advance(
        &mut self,
        workers: &Workers,
        cancel: &Cancel,
        mut report: impl FnMut(&Solver, SolverProgress),
        works: &[SweepKind],
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
    pub fn progress(&self) -> SolverProgress {
        let plan = &self.plan;
        let stage = match plan.work {
            SweepKind::AllPlays | SweepKind::BestPlays => SolverStage::Equities,
            SweepKind::Nothing if plan.with_cube => SolverStage::WithCube,
            SweepKind::Probabilities | SweepKind::Nothing => SolverStage::Probabilities,
            SweepKind::CubeAllPlays | SweepKind::CubeBestPlays => SolverStage::WithCube,
        };
        SolverProgress {
            sweeps: plan.all_sweeps(),
            positions_done: plan.positions_done(&self.shared.positions.ends),
            change: plan.last_change,
            stage,
        }
    }

    /// Does the positions of the next number of pips. Returns `false` if it was cancelled; these positions are then
    /// done again.
    fn step(&mut self, workers: &Workers, cancel: &Cancel) -> bool {
        let (work, old) = (self.plan.work, self.plan.old());
        if work == SweepKind::CubeAllPlays && !self.plan.has_cube_equities() {
            self.begin_with_cube();
        }
        let change = match work {
            SweepKind::AllPlays | SweepKind::BestPlays => {
                let is_full = work == SweepKind::AllPlays;
                let sweep =
                    move |shared: &SolverState, index| shared.cubeless.sweep(&shared.positions, index, old, is_full);
                self.of_pips(workers, cancel, sweep)
            }
            SweepKind::Probabilities => self.of_pips(workers, cancel, move |shared, index| {
                let [new, old] = [&shared.probabilities[1 - old], &shared.probabilities[old]];
                let number = shared.positions.order[index] as usize;
                let values = sweep::outcomes(&shared.cubeless.best[sweep::plays(index)], new, old);
                let mut change = 0.0f32;
                for (kind, value) in values.into_iter().enumerate() {
                    let before = f32::from_bits(old[number][kind].load(Ordering::Relaxed));
                    change = change.max((value - before).abs());
                    new[number][kind].store(value.to_bits(), Ordering::Relaxed);
                }
                f64::from(change)
            }),
            SweepKind::CubeAllPlays | SweepKind::CubeBestPlays => {
                let is_full = work == SweepKind::CubeAllPlays;
                let sweep =
                    move |shared: &SolverState, index| shared.with_cube.sweep(&shared.positions, index, old, is_full);
                self.of_pips(workers, cancel, sweep)
            }
            SweepKind::Nothing => return true,
        };
        // Done again, these positions get the same values: a step reads no value that it writes.
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

    /// Calls `value` with the index of each position of the next number of pips, shared by the workers. Returns the
    /// largest change of a value, or `None` if it was cancelled.
    fn of_pips(
        &self,
        workers: &Workers,
        cancel: &Cancel,
        value: impl Fn(&SolverState, usize) -> f64 + Copy + Send + Sync + 'static,
    ) -> Option<f64> {
        let ends = &self.shared.positions.ends;
        let (start, end) = (self.plan.positions_done(ends), ends[self.plan.done as usize]);
        let part = move |shared: &SolverState, indices: Range<usize>| {
            let changes = indices.map(|index| value(shared, index));
            // However workers share the positions, the largest change is the same, and so is the plan of sweeps.
            changes.fold(0.0, f64::max)
        };
        if cancel.is_cancelled() {
            return None;
        }
        if end - start <= MAX_POSITIONS_ALONE {
            return Some(part(&self.shared, start..end));
        }
        let next = AtomicUsize::new(start);
        let (shared, stop) = (self.shared.clone(), cancel.clone());
        let changes = workers.each(move |_| {
            let mut change = 0.0f64;
            loop {
                let first = next.fetch_add(POSITIONS_AT_A_TIME, Ordering::Relaxed);
                if first >= end || stop.is_cancelled() {
                    return change;
                }
                let indices = first..end.min(first + POSITIONS_AT_A_TIME);
                change = change.max(part(&shared, indices));
            }
        });
        // A worker may have left positions out.
        (!cancel.is_cancelled()).then(|| changes.into_iter().fold(0.0, f64::max))
    }
}

/// The values of even sweeps and of odd ones.
fn both<T: Zeroable>() -> Result<[Vec<T>; 2], SolutionError> {
    // By number, illegal positions too: a value is found without a search.
    Ok([zeros(SIDES * SIDES)?, zeros(SIDES * SIDES)?])
}

/// Tables of zeros, with `plays` best plays.
fn tables<const N: usize>(plays: usize) -> Result<ValueTables<N>, SolutionError> {
    Ok(ValueTables { equities: both()?, best: zeros(plays)? })
}
