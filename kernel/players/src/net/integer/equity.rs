//! Equities from what a net's logistic functions are taken of.

use super::decided::probability;
use super::rank::OutputSums;
use crate::net::Outputs;

/// The smaller of two numbers; in loops it becomes one instruction.
#[inline(always)]
fn smaller(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

/// The equities of positions, in points of the player about to roll. What is contained in another outcome is cut off at
/// its probability.
#[inline(always)]
pub(super) fn equities(outputs: Outputs, sums: &OutputSums, units: &[f32; Outputs::MOST], equities: &mut Vec<f32>) {
    let number = sums[0].len();
    equities.clear();
    equities.resize(number, 0.0);
    let [win, more @ ..] = sums;
    let (win, equities) = (&win[..number], &mut equities[..]);
    let probability = |sum: i32, output: usize| probability(sum, units[output]);
    match outputs {
        Outputs::Cumulative => {
            let [w2, w3, l2, l3] = more;
            let (w2, w3, l2, l3) = (&w2[..number], &w3[..number], &l2[..number], &l3[..number]);
            for at in 0..number {
                let win = probability(win[at], 0);
                let win_gammon = smaller(probability(w2[at], 1), win);
                let win_backgammon = smaller(probability(w3[at], 2), win_gammon);
                let lose_gammon = smaller(probability(l2[at], 3), 1.0 - win);
                let lose_backgammon = smaller(probability(l3[at], 4), lose_gammon);
                equities[at] = 2.0 * win - 1.0 + (win_gammon - lose_gammon) + (win_backgammon - lose_backgammon);
            }
        }
        Outputs::Doubles => {
            let [w2, l2, ..] = more;
            let (w2, l2) = (&w2[..number], &l2[..number]);
            for at in 0..number {
                let win = probability(win[at], 0);
                let win_gammon = smaller(probability(w2[at], 1), win);
                let lose_gammon = smaller(probability(l2[at], 2), 1.0 - win);
                equities[at] = 2.0 * win - 1.0 + (win_gammon - lose_gammon);
            }
        }
    }
}
