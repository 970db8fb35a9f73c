//! The file of a solver that has not come to its end.

use std::io::{self, Read, Write};
use std::sync::atomic::Ordering;

use tavli_backgammon::Roll;

use crate::cube;
use crate::error::{SolutionError, WITH_CUBE, WITHOUT_CUBE};
use crate::format::{Header, Reader, Writer};
use crate::plan::{MAX_BEST_PLAY_SWEEPS, Plan, SweepKind};
use crate::positions::{CHECKERS, MAX_PIPS, Positions, SIDES};
use crate::solver::Solver;
use crate::sweep::{self, ENDS_GAME, FROM_THIS_SWEEP, OUTCOMES};

/// Bytes of a position in the file of a solver: both equities and the best plays.
const FOUND: usize = 2 * 8 + 4 * Roll::ALL.len();
/// Bytes of the probabilities of a position, of even and of odd sweeps.
const BOTH_PROBABILITIES: usize = 2 * 4 * OUTCOMES;

impl Solver {
    /// Writes the state so far, to go on from. The file has the form of [`Solution::write`](crate::Solution::write),
    /// but is marked unfinished.
    ///
    /// # Errors
    /// The errors of the output.
    pub fn write(&self, output: &mut dyn Write) -> io::Result<()> {
        let header = Header {
            version: if self.plan.with_cube { WITH_CUBE } else { WITHOUT_CUBE },
            is_whole: false,
            sweeps: self.plan.sweeps,
        };
        let mut output = Writer::begin(output, &header)?;
        Plans::from_solver(self).write(&mut output)?;
        let cubeless = &self.shared.cubeless;
        for (index, &number) in self.order().iter().enumerate() {
            let mut bytes = [0; FOUND];
            let (equities, best) = bytes.split_at_mut(16);
            for (bytes, array) in equities.as_chunks_mut().0.iter_mut().zip(&cubeless.equities) {
                let [equity] = &array[number as usize];
                *bytes = equity.load(Ordering::Relaxed).to_le_bytes();
            }
            let best_plays = &cubeless.best[sweep::plays(index)];
            for (bytes, [play]) in best.as_chunks_mut().0.iter_mut().zip(best_plays) {
                *bytes = play.load(Ordering::Relaxed).to_le_bytes();
            }
            output.write(&bytes)?;
        }
        if self.plan.has_probabilities() {
            for &number in self.order() {
                let mut bytes = [0; BOTH_PROBABILITIES];
                let values = self.shared.probabilities.iter();
                let values = values.flat_map(|array| &array[number as usize]);
                for (bytes, value) in bytes.as_chunks_mut().0.iter_mut().zip(values) {
                    *bytes = value.load(Ordering::Relaxed).to_le_bytes();
                }
                output.write(&bytes)?;
            }
        }
        if self.plan.has_cube_equities() {
            for &number in self.order() {
                let values = self.shared.with_cube.equities.iter();
                for value in values.flat_map(|array| sweep::load(&array[number as usize])) {
                    output.write(&value.to_le_bytes())?;
                }
            }
            for best in &self.shared.with_cube.best {
                write_plays(best.each_ref().map(|play| play.load(Ordering::Relaxed)), &mut output)?;
            }
        }
        output.end()
    }

    /// Reads a state that [`Solver::write`] wrote, to go on from it.
    ///
    /// # Errors
    /// [`SolutionError`] if it is not such a file, or finished.
    pub fn read(input: &mut dyn Read) -> Result<Solver, SolutionError> {
        let (mut input, header) = Reader::begin(input)?;
        if header.is_whole {
            return Err(SolutionError::Finished);
        }
        let solver = match header.version {
            // Version 1 has the equities alone, by number.
            1 => {
                let solver = Solver::from_positions(Positions::all()?, Plan::new(header.sweeps))?;
                for [equity] in &solver.shared.cubeless.equities[header.sweeps as usize % 2] {
                    equity.store(u64::from_le_bytes(input.read()?), Ordering::Relaxed);
                }
                solver
            }
            _ => {
                let plans = Plans::read(&mut input, &header)?;
                let [more, fewer] = plans.at_most;
                let positions = Positions::with_at_most(more, fewer)?;
                let solver = Solver::from_positions(positions, plans.plan)?;
                solver.read_values(&mut input, &plans)?;
                solver
            }
        };
        input.end()?;
        Ok(solver)
    }

    /// Reads the values and the best plays of each position.
    fn read_values(&self, input: &mut Reader<'_>, plans: &Plans) -> Result<(), SolutionError> {
        let shared = &self.shared;
        for (index, &number) in shared.positions.order.iter().enumerate() {
            let bytes: [u8; FOUND] = input.read()?;
            let (equities, best) = bytes.split_at(16);
            for (bytes, array) in equities.as_chunks().0.iter().zip(&shared.cubeless.equities) {
                let [equity] = &array[number as usize];
                equity.store(u64::from_le_bytes(*bytes), Ordering::Relaxed);
            }
            let best_plays = &shared.cubeless.best[sweep::plays(index)];
            for (bytes, [best]) in best.as_chunks().0.iter().zip(best_plays) {
                let play = u32::from_le_bytes(*bytes);
                // Checked here, since sweeps index the equities by it.
                if !is_play(play) {
                    return Err(SolutionError::Damaged);
                }
                best.store(play, Ordering::Relaxed);
            }
        }
        if plans.has_probabilities {
            for &number in &shared.positions.order {
                let bytes: [u8; BOTH_PROBABILITIES] = input.read()?;
                let values = shared.probabilities.iter();
                let values = values.flat_map(|array| &array[number as usize]);
                for (bytes, value) in bytes.as_chunks().0.iter().zip(values) {
                    value.store(u32::from_le_bytes(*bytes), Ordering::Relaxed);
                }
            }
        }
        if plans.has_cube_equities {
            for &number in &shared.positions.order {
                for array in &shared.with_cube.equities {
                    let mut values = [0.0; cube::STATES];
                    for value in &mut values {
                        *value = f64::from_le_bytes(input.read()?);
                    }
                    sweep::store(&array[number as usize], values);
                }
            }
        }
        if plans.has_best_with_cube {
            for best in &shared.with_cube.best {
                for (best, play) in best.iter().zip(read_plays(input)?) {
                    best.store(play, Ordering::Relaxed);
                }
            }
        }
        Ok(())
    }
}

/// The error of a file that is to hold a solution and holds a solver, which says how far that is.
pub(crate) fn unfinished(input: &mut Reader<'_>, header: &Header) -> SolutionError {
    let (plan, [more, fewer]) = match header.version {
        1 => (Plan::new(header.sweeps), [CHECKERS; 2]),
        _ => match Plans::read(input, header) {
            Ok(plans) => (plans.plan, plans.at_most),
            Err(error) => return error,
        },
    };
    let ends = Positions::ends_of_at_most(more, fewer);
    SolutionError::Unfinished {
        sweeps: plan.all_sweeps(),
        positions_done: plan.positions_done(&ends),
        positions: ends.last().copied().unwrap_or(0),
    }
}

/// The part of a solver's file before the values: the plan, and the set of positions.
struct Plans {
    plan: Plan,
    at_most: [u8; 2],
    has_probabilities: bool,
    has_cube_equities: bool,
    has_best_with_cube: bool,
}

/// The bit in a file's flags for probabilities.
const PROBABILITIES: u8 = 1;
/// The bit in a file's flags for equities with a cube.
const CUBE_EQUITIES: u8 = 2;
/// The bit in a file's flags for the best plays of each state of the cube. Older files lack these plays.
const BEST_WITH_CUBE: u8 = 4;

impl Plans {
    fn from_solver(solver: &Solver) -> Plans {
        Plans {
            plan: solver.plan,
            at_most: solver.shared.positions.at_most,
            has_probabilities: solver.plan.has_probabilities(),
            has_cube_equities: solver.plan.has_cube_equities(),
            has_best_with_cube: solver.plan.has_cube_equities(),
        }
    }

    fn write(&self, output: &mut Writer<'_>) -> io::Result<()> {
        let Plan {
            work,
            with_cube,
            sweeps: _,
            probability_sweeps,
            cube_sweeps,
            best_play_sweeps,
            settled_change,
            done,
            change,
            last_change,
        } = self.plan;
        let [more, fewer] = self.at_most;
        let flags = PROBABILITIES * u8::from(self.has_probabilities)
            + CUBE_EQUITIES * u8::from(self.has_cube_equities)
            + BEST_WITH_CUBE * u8::from(self.has_best_with_cube);
        output.write(&[work as u8, more, fewer, flags])?;
        for word in [probability_sweeps, best_play_sweeps, done] {
            output.write(&word.to_le_bytes())?;
        }
        if with_cube {
            output.write(&cube_sweeps.to_le_bytes())?;
        }
        for number in [settled_change, change, last_change] {
            output.write(&number.to_le_bytes())?;
        }
        Ok(())
    }

    fn read(input: &mut Reader<'_>, header: &Header) -> Result<Plans, SolutionError> {
        let with_cube = header.version == WITH_CUBE;
        let [work, more, fewer, flags] = input.read()?;
        let is_work = |one: &SweepKind| *one as u8 == work;
        let work = SweepKind::ALL.into_iter().find(is_work);
        let mut word = || input.read().map(u32::from_le_bytes);
        let [probability_sweeps, best_play_sweeps, done] = [word()?, word()?, word()?];
        let cube_sweeps = if with_cube { word()? } else { 0 };
        let mut number = || input.read().map(f64::from_le_bytes);
        let [settled_change, change, last_change] = [number()?, number()?, number()?];
        let mut plan = Plan {
            work: work.ok_or(SolutionError::Damaged)?,
            with_cube,
            sweeps: header.sweeps,
            probability_sweeps,
            cube_sweeps,
            best_play_sweeps,
            settled_change,
            done,
            change,
            last_change,
        };
        let has = |flag: u8| flags & flag != 0;
        let with_cube_begun = matches!(plan.work, SweepKind::CubeAllPlays | SweepKind::CubeBestPlays);
        let is_sound = 1 <= fewer
            && fewer <= more
            && more <= CHECKERS
            && flags <= PROBABILITIES | CUBE_EQUITIES | BEST_WITH_CUBE
            && (with_cube || !has(CUBE_EQUITIES) && !with_cube_begun)
            && best_play_sweeps <= MAX_BEST_PLAY_SWEEPS
            // An index of the ends: there is one for each number of pips from 0 to `MAX_PIPS`.
            && done <= MAX_PIPS
            && (has(PROBABILITIES) || !(with_cube_begun || plan.work == SweepKind::Nothing))
            && (has(CUBE_EQUITIES) || !(plan.has_cube_equities() || has(BEST_WITH_CUBE)))
            && (has(BEST_WITH_CUBE) || plan.work != SweepKind::CubeBestPlays);
        if plan.work == SweepKind::CubeAllPlays && !has(BEST_WITH_CUBE) {
            // The file lacks the new values of the positions that were done in this sweep.
            (plan.done, plan.change) = (0, 0.0);
        }
        match is_sound {
            true => Ok(Plans {
                plan,
                at_most: [more, fewer],
                has_probabilities: has(PROBABILITIES),
                has_cube_equities: has(CUBE_EQUITIES),
                has_best_with_cube: has(BEST_WITH_CUBE),
            }),
            false => Err(SolutionError::Damaged),
        }
    }
}

/// Writes the best plays of a roll, one for each state of the cube. Most of them are equal, so a byte has a bit for
/// each state whose play differs from the play of the state before, and only these plays follow.
fn write_plays(plays: [u32; cube::STATES], output: &mut Writer<'_>) -> io::Result<()> {
    let is_other = |state: usize| state == 0 || plays[state] != plays[state - 1];
    let others = (0..cube::STATES).filter(|&state| is_other(state));
    output.write(&[others.clone().map(|state| 1 << state).sum()])?;
    for state in others {
        output.write(&plays[state].to_le_bytes())?;
    }
    Ok(())
}

/// Reads plays that [`write_plays`] wrote.
fn read_plays(input: &mut Reader<'_>) -> Result<[u32; cube::STATES], SolutionError> {
    let [others] = input.read()?;
    let mut plays = [0; cube::STATES];
    let mut play = 0;
    for (state, state_play) in plays.iter_mut().enumerate() {
        if others >> state & 1 != 0 {
            play = u32::from_le_bytes(input.read()?);
        }
        *state_play = play;
    }
    match plays.into_iter().all(is_play) && others >> cube::STATES == 0 {
        true => Ok(plays),
        false => Err(SolutionError::Damaged),
    }
}

/// Whether a word stands for a best play.
fn is_play(play: u32) -> bool {
    match play & ENDS_GAME != 0 {
        true => (1..=3).contains(&(play ^ ENDS_GAME)),
        false => ((play & !FROM_THIS_SWEEP) as usize) < SIDES * SIDES,
    }
}
