//! Equities from what a net's logistic functions are taken of.

use tavli_backgammon::{RuleSet, Win};

use super::rank::Logits;
use crate::net::{Outputs, logistic};

/// The smaller of two numbers; in loops it becomes one instruction.
#[inline(always)]
fn smaller(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

/// The equities of positions under some rules, in points of the player about to roll. What is contained in another
/// outcome is cut off at its probability, and outcomes that the rules do not know count as the largest that they do.
#[inline(always)]
pub(super) fn equities(outputs: Outputs, rules: RuleSet, logits: &Logits, equities: &mut Vec<f32>) {
    let number = logits[0].len();
    equities.clear();
    equities.resize(number, 0.0);
    let gammon = f32::from(u8::from(rules.most() > Win::Single));
    let backgammon = f32::from(u8::from(rules.most() > Win::Gammon));
    let [win, more @ ..] = logits;
    let (win, equities) = (&win[..number], &mut equities[..]);
    match outputs {
        Outputs::Cumulative => {
            let [w2, w3, l2, l3] = more.each_ref().map(|logits| &logits[..number]);
            for at in 0..number {
                let win = logistic(win[at]);
                let win_gammon = smaller(logistic(w2[at]), win);
                let win_backgammon = smaller(logistic(w3[at]), win_gammon);
                let lose_gammon = smaller(logistic(l2[at]), 1.0 - win);
                let lose_backgammon = smaller(logistic(l3[at]), lose_gammon);
                equities[at] = 2.0 * win - 1.0
                    + gammon * (win_gammon - lose_gammon)
                    + backgammon * (win_backgammon - lose_backgammon);
            }
        }
        Outputs::Doubles => {
            let [w2, l2, ..] = more;
            let (w2, l2) = (&w2[..number], &l2[..number]);
            for at in 0..number {
                let win = logistic(win[at]);
                let win_gammon = smaller(logistic(w2[at]), win);
                let lose_gammon = smaller(logistic(l2[at]), 1.0 - win);
                equities[at] = 2.0 * win - 1.0 + gammon * (win_gammon - lose_gammon);
            }
        }
    }
}

/// The index of the largest number; of equal ones the first.
pub(super) fn first_largest(numbers: &[f32]) -> u32 {
    // Without branches, since numbers come in no order: the larger number first, then the lower index.
    let mut best = i64::MIN;
    for (index, number) in numbers.iter().enumerate() {
        let bits = number.to_bits().cast_signed();
        // Negative numbers are ordered the other way round.
        let ordered = bits ^ ((bits >> 31) & i32::MAX);
        best = best.max(i64::from(ordered) << 32 | i64::from(!(index as u32)));
    }
    !(best as u32)
}
