//! The order of the sweeps, and the end of the solver.

/// Equities without a cube are final once no equity changes by more than this in a sweep.
const EQUITY_PRECISION: f64 = 1e-12;
/// The most sweeps along the best plays before all plays are looked at again.
// Sweeps along the best plays take a tenth of the time of sweeps of all plays. With them a table with the cube is
// solved in half the time (profiles/LOG.md, 2026-11-28).
pub(crate) const MAX_BEST_PLAY_SWEEPS: u32 = 30;
/// Sweeps along the best plays end once they change values by less than this fraction of the change by the last sweep
/// of all plays.
const SETTLED_FRACTION: f64 = 1e-3;
/// Probabilities are final once none changes by more than this in a sweep. The file has them to 7.6e-6.
const PROBABILITY_PRECISION: f64 = 1e-6;
/// Equities with a cube are final once none changes by more than this in a sweep.
// A sweep of all plays takes 150 s of processor time, so the precision is lower than without a cube. GNU Backgammon's
// table has 24 bits.
const WITH_CUBE_PRECISION: f64 = 1e-7;

/// How far a solver is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SolverProgress {
    /// Sweeps done in all stages so far.
    pub sweeps: u32,
    /// Positions done in the sweep under way.
    pub positions_done: usize,
    /// The most that a value changed in the last sweep; infinite before the first.
    pub change: f64,
    /// The stage of the last sweep.
    pub stage: SolverStage,
}

/// The stages of a solver, in their order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SolverStage {
    /// Equities.
    Equities,
    /// Probabilities.
    Probabilities,
    /// Equities with a cube.
    WithCube,
}

impl SolverStage {
    /// The stage ends when no value changes by more than this.
    #[must_use]
    pub const fn precision(self) -> f64 {
        match self {
            SolverStage::Equities => EQUITY_PRECISION,
            SolverStage::Probabilities => PROBABILITY_PRECISION,
            SolverStage::WithCube => WITH_CUBE_PRECISION,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SweepKind {
    /// Equities from all plays, which finds the best ones.
    AllPlays,
    /// Equities along the best plays.
    BestPlays,
    /// Probabilities along the best plays.
    Probabilities,
    /// Everything is found.
    Nothing,
    /// Equities with a cube from all plays, which finds the best plays for each state of the cube.
    CubeAllPlays,
    /// Equities with a cube along the best plays.
    CubeBestPlays,
}

impl SweepKind {
    /// All kinds, in the order of their numbers in files.
    pub(crate) const ALL: [SweepKind; 6] = [
        SweepKind::AllPlays,
        SweepKind::BestPlays,
        SweepKind::Probabilities,
        SweepKind::Nothing,
        SweepKind::CubeAllPlays,
        SweepKind::CubeBestPlays,
    ];
}

/// The sweep under way and the sweeps done. With the values it determines every later sweep, so a solver that was
/// stopped goes on to the same bits.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Plan {
    pub(crate) work: SweepKind,
    /// Whether equities with a cube are to be found.
    pub(crate) with_cube: bool,
    /// Sweeps done: for equities, for probabilities, and for equities with a cube.
    pub(crate) sweeps: u32,
    pub(crate) probability_sweeps: u32,
    pub(crate) cube_sweeps: u32,
    /// Sweeps along the best plays since the last sweep of all plays.
    pub(crate) best_play_sweeps: u32,
    /// The change below which the sweeps along the best plays end.
    pub(crate) settled_change: f64,
    /// Numbers of pips done in this sweep, and the most that a value has changed in it.
    pub(crate) done: u32,
    pub(crate) change: f64,
    /// The most that a value changed in the last whole sweep.
    pub(crate) last_change: f64,
}

impl Plan {
    /// Equities from all plays, after `sweeps` sweeps.
    pub(crate) fn new(sweeps: u32) -> Plan {
        Plan {
            work: SweepKind::AllPlays,
            with_cube: false,
            sweeps,
            probability_sweeps: 0,
            cube_sweeps: 0,
            best_play_sweeps: 0,
            settled_change: 0.0,
            done: 0,
            change: 0.0,
            last_change: f64::INFINITY,
        }
    }

    /// Which of two arrays the sweep reads; it writes the other.
    pub(crate) fn old(&self) -> usize {
        let sweeps = match self.work {
            SweepKind::AllPlays | SweepKind::BestPlays => self.sweeps,
            SweepKind::Probabilities | SweepKind::Nothing => self.probability_sweeps,
            SweepKind::CubeAllPlays | SweepKind::CubeBestPlays => self.cube_sweeps,
        };
        sweeps as usize % 2
    }

    /// Sweeps done in all stages.
    pub(crate) fn all_sweeps(&self) -> u32 {
        self.sweeps + self.probability_sweeps + self.cube_sweeps
    }

    /// Positions done in the sweep under way; `ends` says where the positions of each number of pips end.
    pub(crate) fn positions_done(&self, ends: &[usize]) -> usize {
        self.done.checked_sub(1).map_or(0, |last| ends[last as usize])
    }

    /// Whether the probabilities are found, or some of them.
    pub(crate) fn has_probabilities(&self) -> bool {
        !matches!(self.work, SweepKind::AllPlays | SweepKind::BestPlays)
    }

    /// Whether the equities with a cube are found, or some of them.
    pub(crate) fn has_cube_equities(&self) -> bool {
        let begins = self.cube_sweeps == 0 && self.done == 0;
        matches!(self.work, SweepKind::CubeAllPlays | SweepKind::CubeBestPlays) && !begins
            || self.work == SweepKind::Nothing && self.with_cube
    }

    /// Counts a whole sweep and chooses the next.
    pub(crate) fn end_sweep(&mut self) {
        let change = std::mem::take(&mut self.change);
        self.done = 0;
        self.last_change = change;
        match self.work {
            SweepKind::AllPlays => {
                self.sweeps += 1;
                self.work =
                    self.after_all_plays(change, EQUITY_PRECISION, [SweepKind::BestPlays, SweepKind::Probabilities]);
            }
            SweepKind::BestPlays => {
                self.sweeps += 1;
                self.work = self.after_best_plays(change, [SweepKind::BestPlays, SweepKind::AllPlays]);
            }
            SweepKind::Probabilities => {
                self.probability_sweeps += 1;
                if change <= PROBABILITY_PRECISION {
                    self.work = match self.with_cube {
                        true => SweepKind::CubeAllPlays,
                        false => SweepKind::Nothing,
                    };
                }
            }
            SweepKind::CubeAllPlays => {
                self.cube_sweeps += 1;
                self.work =
                    self.after_all_plays(change, WITH_CUBE_PRECISION, [SweepKind::CubeBestPlays, SweepKind::Nothing]);
            }
            SweepKind::CubeBestPlays => {
                self.cube_sweeps += 1;
                self.work = self.after_best_plays(change, [SweepKind::CubeBestPlays, SweepKind::CubeAllPlays]);
            }
            SweepKind::Nothing => {}
        }
    }

    /// The sweep after a sweep of all plays: along the best plays, or the next stage once nothing has changed by more
    /// than `precision`.
    fn after_all_plays(&mut self, change: f64, precision: f64, [best_plays, next]: [SweepKind; 2]) -> SweepKind {
        self.best_play_sweeps = 0;
        self.settled_change = (change * SETTLED_FRACTION).max(precision / 10.0);
        if change <= precision { next } else { best_plays }
    }

    /// The sweep after a sweep along the best plays: another such sweep, or a sweep of all plays once the values have
    /// settled.
    fn after_best_plays(&mut self, change: f64, [again, all_plays]: [SweepKind; 2]) -> SweepKind {
        self.best_play_sweeps += 1;
        let has_settled = self.best_play_sweeps == MAX_BEST_PLAY_SWEEPS || change <= self.settled_change;
        if has_settled { all_plays } else { again }
    }
}
