//! The values of a position from those after its plays.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use tavli_backgammon::plays::Plays;
use tavli_backgammon::{Board, Hypergammon, Outcome, Roll, RuleSet};

use super::cube;
use super::positions::{Number, NumbersAfter, board, pips};

/// A play that ends the game; below it the points won.
pub(super) const ENDS: u32 = 1 << 30;
/// A play to a position whose value is of this sweep.
pub(super) const NEW: u32 = 1 << 31;

/// The outcomes whose probabilities are found: that of a single loss is what is left.
pub(super) const OUTCOMES: usize = 5;

/// The probabilities of all outcomes of a position but a single loss, as bits of singles.
pub(super) type Probabilities = [AtomicU32; OUTCOMES];

/// The outcomes in the order of the probabilities of a [`Solution`](super::table::Solution).
pub(super) const KINDS: [Outcome; OUTCOMES] = [
    Outcome::WinSingle,
    Outcome::WinGammon,
    Outcome::WinBackgammon,
    Outcome::LoseGammon,
    Outcome::LoseBackgammon,
];

/// The equity of a position from all plays of each roll, and the best of them.
pub(super) fn of_all_plays(position: Number, best: &[AtomicU32], new: &[AtomicU64], old: &[AtomicU64]) -> f64 {
    let board = board(position);
    let (pips_before, numbers) = (pips(position), NumbersAfter::new(&board));
    let mut sum = 0.0;
    for (roll, best) in Roll::ALL.into_iter().zip(best) {
        let mut most = f64::NEG_INFINITY;
        let mut chosen = 0;
        Plays::new::<Hypergammon>(&board, roll).for_each(|play| {
            let play = word_of_play(&play.board(), &numbers, pips_before);
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

/// A play as a word: the number of the position after it, with [`NEW`] if that has fewer pips than the `pips_before`;
/// or [`ENDS`] with the points won.
#[inline(always)]
fn word_of_play(after: &Board, numbers: &NumbersAfter, pips_before: u16) -> u32 {
    if after.opponent().occupied() == 0 {
        let outcome = RuleSet::Hypergammon.outcome_of_play(after.opponent(), after.own());
        return ENDS | outcome.expect("all are off").points().unsigned_abs();
    }
    let number = numbers.number(after);
    number | if pips(number) < pips_before { NEW } else { 0 }
}

/// The equities of a position with a cube from all plays of each roll, and the best of them by its state.
pub(super) fn with_cube_of_all_plays(
    position: Number,
    best: &[cube::BestPlay],
    new: &[cube::Cell],
    old: &[cube::Cell],
) -> [f64; cube::STATES] {
    let board = board(position);
    let (pips_before, numbers) = (pips(position), NumbersAfter::new(&board));
    let mut sums = [0.0; cube::STATES];
    for (roll, best) in Roll::ALL.into_iter().zip(best) {
        let mut most = [f64::NEG_INFINITY; cube::STATES];
        let mut chosen = [0; cube::STATES];
        Plays::new::<Hypergammon>(&board, roll).for_each(|play| {
            let play = word_of_play(&play.board(), &numbers, pips_before);
            let values = with_cube_after(play, new, old);
            for ((most, chosen), value) in most.iter_mut().zip(&mut chosen).zip(values) {
                if value > *most {
                    (*most, *chosen) = (value, play);
                }
            }
        });
        for (best, chosen) in best.iter().zip(chosen) {
            best.store(chosen, Ordering::Relaxed);
        }
        for (sum, most) in sums.iter_mut().zip(most) {
            *sum += f64::from(roll.weight()) * most;
        }
    }
    sums.map(|sum| sum / Roll::THROWS.len() as f64)
}

/// The equities of a position with a cube from the best play of each roll by its state.
pub(super) fn with_cube_of_best_plays(
    best: &[cube::BestPlay],
    new: &[cube::Cell],
    old: &[cube::Cell],
) -> [f64; cube::STATES] {
    let mut sums = [0.0; cube::STATES];
    for (roll, best) in Roll::ALL.into_iter().zip(best) {
        for (state, (sum, play)) in sums.iter_mut().zip(best).enumerate() {
            let values = with_cube_after(play.load(Ordering::Relaxed), new, old);
            *sum += f64::from(roll.weight()) * values[state];
        }
    }
    sums.map(|sum| sum / Roll::THROWS.len() as f64)
}

/// The equities with a cube of the player who made a play.
#[inline(always)]
fn with_cube_after(play: u32, new: &[cube::Cell], old: &[cube::Cell]) -> [f64; cube::STATES] {
    if play & ENDS != 0 {
        return cube::of_end(play ^ ENDS);
    }
    let of = if play & NEW != 0 { new } else { old };
    cube::after_play(cube::load(&of[(play & !NEW) as usize]))
}

/// The equity of a position from the best play of each roll.
pub(super) fn of_best_plays(best: &[AtomicU32], new: &[AtomicU64], old: &[AtomicU64]) -> f64 {
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
pub(super) fn outcomes(best: &[AtomicU32], new: &[Probabilities], old: &[Probabilities]) -> [f32; OUTCOMES] {
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
