//! The values of a position from the values after its plays.

use std::ops::Range;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use tavli_backgammon::plays::Plays;
use tavli_backgammon::{Board, Outcome, Roll, RuleSet};

use crate::positions::{Number, NumbersAfter, Positions, board, pips};

/// The bit of a play that ends the game; the bits below hold the points won.
pub(crate) const ENDS_GAME: u32 = 1 << 30;
/// The bit of a play to a position whose value is from this sweep.
pub(crate) const FROM_THIS_SWEEP: u32 = 1 << 31;

/// The outcomes whose probabilities are stored. The rest is the probability of a single loss.
pub(crate) const OUTCOMES: usize = 5;

/// The probabilities of all outcomes of a position except a single loss, as bits of singles.
pub(crate) type Probabilities = [AtomicU32; OUTCOMES];

/// The outcomes in the order of the probabilities of a [`Solution`](crate::table::Solution).
pub(crate) const STORED_OUTCOMES: [Outcome; OUTCOMES] =
    [Outcome::WinSingle, Outcome::WinGammon, Outcome::WinBackgammon, Outcome::LoseGammon, Outcome::LoseBackgammon];

/// The equities of a position: one without a cube, or one for each state of the cube.
pub(crate) trait Equities: Sized {
    /// The equities of the player who made a play that wins `points` points.
    fn value_of_end(points: u32) -> Self;

    /// The equities of the player who made a play, from the next player's in the position after it.
    fn after_play(self) -> Self;
}

impl Equities for [f64; 1] {
    #[inline(always)]
    fn value_of_end(points: u32) -> [f64; 1] {
        [f64::from(points)]
    }

    #[inline(always)]
    fn after_play(self) -> [f64; 1] {
        self.map(|equity| -equity)
    }
}

/// The [`Equities`] of a position as bits of doubles, which workers share.
pub(crate) type Cell<const N: usize> = [AtomicU64; N];

/// The best play of a roll by each of the equities.
pub(crate) type BestPlay<const N: usize> = [AtomicU32; N];

pub(crate) fn load<const N: usize>(cell: &Cell<N>) -> [f64; N] {
    // Relaxed suffices: a value that is read was written in an earlier step, and workers meet between two steps.
    cell.each_ref().map(|bits| f64::from_bits(bits.load(Ordering::Relaxed)))
}

pub(crate) fn store<const N: usize>(cell: &Cell<N>, values: [f64; N]) {
    for (bits, value) in cell.iter().zip(values) {
        bits.store(value.to_bits(), Ordering::Relaxed);
    }
}

/// Equities and the plays that they come from.
#[derive(Default, Debug)]
pub(crate) struct ValueTables<const N: usize> {
    /// Equities by number: of even sweeps, and of odd ones.
    pub(crate) equities: [Vec<Cell<N>>; 2],
    /// The best play of each roll, by the index of the position in the order: the number of the position after the
    /// play, marked [`FROM_THIS_SWEEP`] or not, or [`ENDS_GAME`].
    pub(crate) best: Vec<BestPlay<N>>,
}

impl<const N: usize> ValueTables<N>
where
    [f64; N]: Equities,
{
    /// Finds the equities of the position with this index from the `old` ones: from all plays if the sweep `is_full`,
    /// otherwise along the best plays. Returns the largest change of an equity.
    pub(crate) fn sweep(&self, positions: &Positions, index: usize, old: usize, is_full: bool) -> f64 {
        let number = positions.order[index];
        let best = &self.best[plays(index)];
        let values = match is_full {
            true => self.equities_by_all_plays(number, best, old),
            false => self.equities_by_best_plays(best, old),
        };
        let before = load(&self.equities[old][number as usize]);
        store(&self.equities[1 - old][number as usize], values);
        let changes = values.iter().zip(before).map(|(value, before)| (value - before).abs());
        changes.fold(0.0, f64::max)
    }

    /// The equities of a position from all plays of each roll, and the best of these.
    fn equities_by_all_plays(&self, position: Number, best: &[BestPlay<N>], old: usize) -> [f64; N] {
        let board = board(position);
        let (pips_before, numbers) = (pips(position), NumbersAfter::new(&board));
        let mut sums = [0.0; N];
        for (roll, best) in Roll::ALL.into_iter().zip(best) {
            let mut most = [f64::NEG_INFINITY; N];
            let mut chosen = [0; N];
            Plays::new(&board, roll, RuleSet::Hypergammon).for_each(|play| {
                let play = word_of_play(&play.board(), &numbers, pips_before);
                for ((most, chosen), value) in most.iter_mut().zip(&mut chosen).zip(self.after(play, old)) {
                    if value > *most {
                        (*most, *chosen) = (value, play);
                    }
                }
            });
            for ((best, chosen), (sum, most)) in best.iter().zip(chosen).zip(sums.iter_mut().zip(most)) {
                best.store(chosen, Ordering::Relaxed);
                *sum += f64::from(roll.weight()) * most;
            }
        }
        sums.map(|sum| sum / Roll::THROWS.len() as f64)
    }

    /// The equities of a position from the best play of each roll.
    fn equities_by_best_plays(&self, best: &[BestPlay<N>], old: usize) -> [f64; N] {
        let mut sums = [0.0; N];
        for (roll, best) in Roll::ALL.into_iter().zip(best) {
            for (state, (sum, play)) in sums.iter_mut().zip(best).enumerate() {
                *sum += f64::from(roll.weight()) * self.after(play.load(Ordering::Relaxed), old)[state];
            }
        }
        sums.map(|sum| sum / Roll::THROWS.len() as f64)
    }

    /// The equities of the player who made a play.
    #[inline(always)]
    fn after(&self, play: u32, old: usize) -> [f64; N] {
        if play & ENDS_GAME != 0 {
            return Equities::value_of_end(play ^ ENDS_GAME);
        }
        let of = &self.equities[if play & FROM_THIS_SWEEP != 0 { 1 - old } else { old }];
        load(&of[(play & !FROM_THIS_SWEEP) as usize]).after_play()
    }
}

/// The best plays of the position at `index`: one for each roll.
pub(crate) fn plays(index: usize) -> Range<usize> {
    index * Roll::ALL.len()..(index + 1) * Roll::ALL.len()
}

/// A play as a word: the number of the position after it, with [`FROM_THIS_SWEEP`] if that has fewer pips than the
/// `pips_before`; or [`ENDS_GAME`] with the points won.
#[inline(always)]
fn word_of_play(after: &Board, numbers: &NumbersAfter, pips_before: u16) -> u32 {
    if after.opponent().occupied() == 0 {
        let outcome = RuleSet::Hypergammon.outcome_of_play(after.opponent(), after.own());
        return ENDS_GAME | outcome.expect("all are off").points().unsigned_abs();
    }
    let number = numbers.number(after);
    number | if pips(number) < pips_before { FROM_THIS_SWEEP } else { 0 }
}

/// The probabilities of the outcomes of a position along the best plays.
pub(crate) fn outcomes(best: &[BestPlay<1>], new: &[Probabilities], old: &[Probabilities]) -> [f32; OUTCOMES] {
    let mut sums = [0.0f32; OUTCOMES];
    for (roll, [best]) in Roll::ALL.into_iter().zip(best) {
        let weight = f32::from(roll.weight() as u8);
        let play = best.load(Ordering::Relaxed);
        if play & ENDS_GAME != 0 {
            // The kinds of wins come first, by their points.
            sums[(play ^ ENDS_GAME) as usize - 1] += weight;
            continue;
        }
        let of = if play & FROM_THIS_SWEEP != 0 { new } else { old };
        let after = &of[(play & !FROM_THIS_SWEEP) as usize];
        let [win, gammon, backgammon, lose_gammon, lose_backgammon] =
            after.each_ref().map(|bits| f32::from_bits(bits.load(Ordering::Relaxed)));
        let lose = 1.0 - win - gammon - backgammon - lose_gammon - lose_backgammon;
        for (sum, value) in sums
            .iter_mut()
            // The next player's losses are the wins of the player who made the play, and the other way round.
            .zip([lose, lose_gammon, lose_backgammon, gammon, backgammon])
        {
            *sum += weight * value;
        }
    }
    sums.map(|sum| sum / Roll::THROWS.len() as f32)
}
