//! Value iteration over all positions.
//!
//! A sweep goes through the positions by the pips of both sides, fewest first, so that every play that hits nothing leads
//! to a position whose value is new. Those of the same or more pips, behind hits and passes, are of the sweep before. What
//! a sweep finds so depends on the sweep before alone, however many workers share it.
//!
//! Sweeps that look at every play are dear. Between two of them cheap ones go along the best plays found so far, until
//! these change little more.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};

use tavli_backgammon::plays::Plays;
use tavli_backgammon::{Board, Hypergammon, Outcome, Roll, RuleSet};

use super::positions::{Number, Positions, SIDES, board, number, pips};
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
    /// The probabilities of all outcomes but the last by number, as bits of singles, likewise.
    probabilities: [Vec<[AtomicU32; OUTCOMES]>; 2],
}

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

/// Values of all positions on their way.
#[derive(Debug)]
pub struct Solver {
    shared: Arc<Shared>,
    sweeps: u32,
    change: f64,
}

impl Solver {
    /// One that knows nothing yet. It takes about 1 GB of memory.
    #[must_use]
    pub fn new() -> Solver {
        Solver::of_equities(Positions::all(), &[], 0)
    }

    /// One of the positions in which one side has at most `more` checkers on the board and the other at most `fewer`, the
    /// others being off: plays do not leave them.
    ///
    /// # Panics
    /// Unless `fewer` is at least 1, `more` at least `fewer`, and 3 at least `more`.
    #[must_use]
    pub fn of_at_most(more: u8, fewer: u8) -> Solver {
        let all = RuleSet::Hypergammon.checkers();
        assert!(
            1 <= fewer && fewer <= more && more <= all,
            "a side has 1 to 3 checkers"
        );
        Solver::of_equities(Positions::of_at_most(more, fewer), &[], 0)
    }

    /// One that goes on from the equities of so many sweeps, by number.
    pub(super) fn of_equities(positions: Positions, equities: &[f64], sweeps: u32) -> Solver {
        let known = |at: usize| equities.get(at).copied().unwrap_or(0.0);
        let array = || {
            (0..SIDES * SIDES)
                .map(|at| AtomicU64::new(known(at).to_bits()))
                .collect()
        };
        let best = positions.order.len() * Roll::ALL.len();
        Solver {
            shared: Arc::new(Shared {
                equities: [array(), array()],
                best: (0..best).map(|_| AtomicU32::new(0)).collect(),
                probabilities: [Vec::new(), Vec::new()],
                positions,
            }),
            sweeps,
            change: f64::INFINITY,
        }
    }

    /// The numbers of its positions, fewest pips first.
    pub(super) fn order(&self) -> &[Number] {
        &self.shared.positions.order
    }

    /// The equity of the player on roll in one of its positions, as found so far.
    #[must_use]
    pub fn equity(&self, board: &Board) -> f64 {
        let last = &self.shared.equities[self.sweeps as usize % 2];
        f64::from_bits(last[number(board) as usize].load(Ordering::Relaxed))
    }

    /// Sweeps done.
    #[must_use]
    pub fn sweeps(&self) -> u32 {
        self.sweeps
    }

    /// The equities by number of the last sweep.
    pub(super) fn equities(&self) -> Vec<f64> {
        let last = &self.shared.equities[self.sweeps as usize % 2];
        last.iter()
            .map(|bits| f64::from_bits(bits.load(Ordering::Relaxed)))
            .collect()
    }

    /// Sweeps until no equity changes by more than [`PRECISION`] when all plays are looked at. `report` is called after
    /// each sweep. Returns whether it came to its end, and was not cancelled.
    pub fn run(
        &mut self,
        workers: &Workers,
        cancel: &Cancel,
        mut report: impl FnMut(&Solver, Progress),
    ) -> bool {
        loop {
            let Some(change) = self.sweep(workers, cancel, true) else {
                return false;
            };
            report(self, self.progress());
            if change <= PRECISION {
                return true;
            }
            for _ in 0..MOST_CHEAP {
                let Some(along_best) = self.sweep(workers, cancel, false) else {
                    return false;
                };
                report(self, self.progress());
                if along_best <= (change * ENOUGH).max(PRECISION / 10.0) {
                    break;
                }
            }
        }
    }

    fn progress(&self) -> Progress {
        Progress {
            sweeps: self.sweeps,
            change: self.change,
            probabilities: false,
        }
    }

    /// A sweep over all plays, or along the best. Returns the most that a value changed, or `None` if it was cancelled and
    /// did not count.
    fn sweep(&mut self, workers: &Workers, cancel: &Cancel, all_plays: bool) -> Option<f64> {
        let old = self.sweeps as usize % 2;
        let change = in_order(workers, cancel, &self.shared, move |shared, places| {
            let [new, old] = [&shared.equities[1 - old], &shared.equities[old]];
            let mut change = 0.0f64;
            for place in places {
                let number = shared.positions.order[place];
                let best = &shared.best[place * Roll::ALL.len()..][..Roll::ALL.len()];
                let value = if all_plays {
                    of_all_plays(number, best, new, old)
                } else {
                    of_best_plays(best, new, old)
                };
                let before = f64::from_bits(old[number as usize].load(Ordering::Relaxed));
                change = change.max((value - before).abs());
                new[number as usize].store(value.to_bits(), Ordering::Relaxed);
            }
            change
        })?;
        self.sweeps += 1;
        self.change = change;
        Some(change)
    }

    /// The probabilities of the outcomes along the best plays, by number and in the order of [`KINDS`]; `None` if it was
    /// cancelled. The equities must have been found.
    pub(super) fn probabilities(
        &mut self,
        workers: &Workers,
        cancel: &Cancel,
        mut report: impl FnMut(Progress),
    ) -> Option<Vec<[f32; OUTCOMES]>> {
        let array = || {
            (0..SIDES * SIDES)
                .map(|_| std::array::from_fn(|_| AtomicU32::new(0)))
                .collect()
        };
        let shared = Arc::get_mut(&mut self.shared).expect("no worker is at work");
        shared.probabilities = [array(), array()];
        let mut old = 0;
        let mut sweeps = self.sweeps;
        loop {
            let change = in_order(workers, cancel, &self.shared, move |shared, places| {
                let [new, old] = [&shared.probabilities[1 - old], &shared.probabilities[old]];
                let mut change = 0.0f64;
                for place in places {
                    let number = shared.positions.order[place] as usize;
                    let best = &shared.best[place * Roll::ALL.len()..][..Roll::ALL.len()];
                    let values = outcomes(best, new, old);
                    for (kind, value) in values.into_iter().enumerate() {
                        let before = f32::from_bits(old[number][kind].load(Ordering::Relaxed));
                        change = change.max(f64::from((value - before).abs()));
                        new[number][kind].store(value.to_bits(), Ordering::Relaxed);
                    }
                }
                change
            })?;
            old = 1 - old;
            sweeps += 1;
            report(Progress {
                sweeps,
                change,
                probabilities: true,
            });
            if change <= PROBABLY {
                break;
            }
        }
        let shared = Arc::get_mut(&mut self.shared).expect("no worker is at work");
        let found = std::mem::take(&mut shared.probabilities[old]);
        shared.probabilities = [Vec::new(), Vec::new()];
        Some(
            found
                .into_iter()
                .map(|kinds| kinds.map(|bits| f32::from_bits(bits.into_inner())))
                .collect(),
        )
    }
}

impl Default for Solver {
    fn default() -> Solver {
        Solver::new()
    }
}

/// Does the positions of each number of pips, shared by the workers, before those of more. Returns the greatest result of
/// a part, or `None` if it was cancelled.
fn in_order(
    workers: &Workers,
    cancel: &Cancel,
    shared: &Arc<Shared>,
    part: impl Fn(&Shared, std::ops::Range<usize>) -> f64 + Copy + Send + Sync + 'static,
) -> Option<f64> {
    let mut change = 0.0f64;
    let mut start = 0;
    for &end in &shared.positions.ends {
        if cancel.is_cancelled() {
            return None;
        }
        if end - start <= FEW {
            change = change.max(part(shared, start..end));
            start = end;
            continue;
        }
        let next = AtomicUsize::new(start);
        let shared = shared.clone();
        let changes = workers.each(move |_| {
            let mut change = 0.0f64;
            loop {
                let first = next.fetch_add(PART, Ordering::Relaxed);
                if first >= end {
                    return change;
                }
                let places = first..end.min(first + PART);
                change = change.max(part(&shared, places));
            }
        });
        change = changes.into_iter().fold(change, f64::max);
        start = end;
    }
    Some(change)
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
fn outcomes(
    best: &[AtomicU32],
    new: &[[AtomicU32; OUTCOMES]],
    old: &[[AtomicU32; OUTCOMES]],
) -> [f32; OUTCOMES] {
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
        for (sum, value) in
            sums.iter_mut()
                .zip([lose, lose_gammon, lose_backgammon, gammon, backgammon])
        {
            *sum += weight * value;
        }
    }
    sums.map(|sum| sum / Roll::THROWS.len() as f32)
}
