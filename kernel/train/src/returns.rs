//! The targets of TD(lambda) for the positions of whole games.

use tavli_backgammon::Outcome;
use tavli_players::net::Outputs;

/// The outputs of a net as the other side sees them: each is another output, or 1 minus another.
#[derive(Clone, Debug)]
pub(crate) struct SwappedOutputs(Vec<(usize, bool)>);

impl SwappedOutputs {
    pub(crate) fn new(outputs: Outputs) -> SwappedOutputs {
        let all = outputs.outcomes();
        let same = |a: &[Outcome], b: &dyn Fn(Outcome) -> bool| {
            let mut outcomes = Outcome::ALL.iter();
            outcomes.all(|outcome| a.contains(outcome) == b(*outcome))
        };
        let swapped = all.iter().map(|&set| {
            let reversed = |outcome: Outcome| set.contains(&outcome.reversed());
            let place = all.iter().position(|&other| same(other, &reversed));
            match place {
                Some(place) => (place, false),
                None => {
                    let place = all
                        .iter()
                        .position(|&other| same(other, &|outcome| !reversed(outcome)))
                        .expect("each output is one of the other side's, or what is left of one");
                    (place, true)
                }
            }
        });
        SwappedOutputs(swapped.collect())
    }

    /// The other side's output from which an output follows, and whether the output is 1 minus it rather than equal to
    /// it.
    pub(crate) fn source(&self, output: usize) -> (usize, bool) {
        self.0[output]
    }

    /// Writes the outputs as the other side sees them.
    pub(crate) fn swap(&self, outputs: &[f32], swapped: &mut [f32]) {
        for (to, &(place, is_rest)) in swapped.iter_mut().zip(&self.0) {
            let value = outputs[place];
            *to = if is_rest { 1.0 - value } else { value };
        }
    }
}

/// Writes the targets of the last position of a game: its outcome for the player who made the last play.
pub(crate) fn write_outcome(outputs: Outputs, outcome: Outcome, targets: &mut [f32]) {
    for (target, set) in targets.iter_mut().zip(outputs.outcomes()) {
        *target = f32::from(u8::from(set.contains(&outcome)));
    }
}

/// Writes the TD(lambda) targets of a whole game's positions, each seen by its player on roll, from the net's values of
/// them. Rows of `values` and `targets` have the length `row`. `outcome` is for the player who made the last play.
pub(crate) fn write_targets(
    outputs: Outputs,
    swapped: &SwappedOutputs,
    lambda: f32,
    row: usize,
    values: &[f32],
    outcome: Outcome,
    targets: &mut [f32],
) {
    debug_assert_eq!(values.len(), targets.len());
    debug_assert!(values.len().is_multiple_of(row), "whole rows");
    let count = outputs.count();
    let positions = values.len() / row;
    let mut next = [0.0_f32; Outputs::MAX_COUNT];
    let mut mixed = [0.0_f32; Outputs::MAX_COUNT];
    write_outcome(outputs, outcome, &mut next[..count]);
    for position in (0..positions).rev() {
        let target = &mut targets[position * row..][..count];
        if position + 1 < positions {
            let values = &values[(position + 1) * row..][..count];
            for ((mixed, &value), &next) in mixed.iter_mut().zip(values).zip(&next) {
                *mixed = (1.0 - lambda) * value + lambda * next;
            }
            swapped.swap(&mixed, &mut next[..count]);
        }
        target.copy_from_slice(&next[..count]);
    }
}

/// Corrects the target of each position by the error of the value `ahead` plies later: adds `lambda` times the target
/// there minus the value there, seen from this side.
///
/// `follows` says whether a position is followed by the next one: in the same game, and by a play of the policy. If the
/// chain to the later position is broken, nothing is added.
///
/// A target contains the value `ahead` plies later, so the error of that value is corrected. Correcting by an earlier
/// position would count the same error again for each ply between.
pub(crate) fn add_corrections(
    outputs: Outputs,
    (lambda, ahead): (f32, usize),
    row: usize,
    values: &[f32],
    follows: &[bool],
    targets: &mut [f32],
) {
    debug_assert!(ahead > 0, "a value is not corrected by itself");
    debug_assert!(values.len() == follows.len() * row && targets.len() == values.len());
    let (swapped, count) = (SwappedOutputs::new(outputs), outputs.count());
    let mut corrections = [[0.0_f32; Outputs::MAX_COUNT]; 2];
    // How many positions follow one another from here on.
    let mut following = 0;
    // From the end, so that a correction is itself corrected: one pass takes an error back over the whole game.
    for position in (0..follows.len()).rev() {
        following = if follows[position] { following + 1 } else { 0 };
        if following < ahead {
            continue;
        }
        let later = (position + ahead) * row;
        for (seen, all) in corrections.iter_mut().zip([&*targets, values]) {
            let all = &all[later..][..count];
            match ahead % 2 {
                0 => seen[..count].copy_from_slice(all),
                _ => swapped.swap(all, &mut seen[..count]),
            }
        }
        let here = targets[position * row..][..count].iter_mut();
        let [target, value] = &corrections;
        for (here, (target, value)) in here.zip(target.iter().zip(value)) {
            *here += lambda * (target - value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The forward view word for word: the mean over n of the n-step returns, each seen by the player on roll.
    fn plain(outputs: Outputs, lambda: f32, values: &[Vec<f32>], outcome: Outcome) -> Vec<Vec<f32>> {
        let swapped = SwappedOutputs::new(outputs);
        let count = outputs.count();
        let swap = |value: &[f32], times: usize| {
            let mut value = value.to_vec();
            for _ in 0..times {
                let mut other = vec![0.0; count];
                swapped.swap(&value, &mut other);
                value = other;
            }
            value
        };
        let mut end = vec![0.0; count];
        write_outcome(outputs, outcome, &mut end);
        let last = values.len() - 1;
        (0..values.len())
            .map(|t| {
                let mut sum = vec![0.0; count];
                let mut add = |weight: f32, value: Vec<f32>| {
                    for (sum, value) in sum.iter_mut().zip(value) {
                        *sum += weight * value;
                    }
                };
                for n in 1..=last - t {
                    let weight = (1.0 - lambda) * lambda.powi(n as i32 - 1);
                    add(weight, swap(&values[t + n], n));
                }
                add(lambda.powi((last - t) as i32), swap(&end, last - t));
                sum
            })
            .collect()
    }

    /// If targets are the next position's values, all corrections turn them into the targets of TD(lambda).
    #[test]
    fn corrections_make_targets_those_of_whole_games() {
        for &outputs in Outputs::ALL {
            let (count, row, swapped) = (outputs.count(), 16, SwappedOutputs::new(outputs));
            let values: Vec<f32> = (0..7 * row).map(|k| (k * k % 11) as f32 / 11.0).collect();
            let outcome = Outcome::WinGammon;
            for lambda in [0.0, 0.7, 1.0] {
                let [mut expected, mut found] = [(); 2].map(|()| vec![0.0; 7 * row]);
                write_targets(outputs, &swapped, lambda, row, &values, outcome, &mut expected);
                write_targets(outputs, &swapped, 0.0, row, &values, outcome, &mut found);
                let follows: Vec<bool> = (0..7).map(|position| position < 6).collect();
                add_corrections(outputs, (lambda, 1), row, &values, &follows, &mut found);
                for (a, b) in expected.chunks(row).zip(found.chunks(row)) {
                    let near = |(a, b): (&f32, &f32)| (a - b).abs() < 1e-5;
                    assert!(a[..count].iter().zip(b).all(near), "{outputs:?} {lambda}");
                }
                // Where no position follows, nothing is added.
                let before = found.clone();
                add_corrections(outputs, (lambda, 1), row, &values, &[false; 7], &mut found);
                assert_eq!(before, found);
            }
        }
    }

    /// Targets that are the values of the positions some plies later, or outcomes, become outcomes with all
    /// corrections: the error of each value is removed once.
    #[test]
    fn corrections_count_an_error_once() {
        for &outputs in Outputs::ALL {
            let (count, row, swapped) = (outputs.count(), 16, SwappedOutputs::new(outputs));
            let positions = 9;
            let values: Vec<f32> = (0..positions * row).map(|k| (k * k % 11) as f32 / 11.0).collect();
            let mut expected = vec![0.0; positions * row];
            let outcome = Outcome::LoseGammon;
            write_targets(outputs, &swapped, 1.0, row, &values, outcome, &mut expected);
            let follows: Vec<bool> = (1..=positions).map(|next| next < positions).collect();
            for ahead in 1..=4 {
                let mut targets = expected.clone();
                for position in 0..positions - ahead {
                    let mut later = values[(position + ahead) * row..][..count].to_vec();
                    for _ in 0..ahead {
                        let mut other = vec![0.0; count];
                        swapped.swap(&later, &mut other);
                        later = other;
                    }
                    targets[position * row..][..count].copy_from_slice(&later);
                }
                let before = targets.clone();
                add_corrections(outputs, (1.0, ahead), row, &values, &follows, &mut targets);
                for (a, b) in expected.chunks(row).zip(targets.chunks(row)) {
                    let near = |(a, b): (&f32, &f32)| (a - b).abs() < 1e-5;
                    assert!(a[..count].iter().zip(b).all(near), "{outputs:?} {ahead}");
                }
                // After a play of another player nothing is added.
                let mut broken = follows.clone();
                broken[3] = false;
                let mut targets = before.clone();
                add_corrections(outputs, (1.0, ahead), row, &values, &broken, &mut targets);
                let first = (4_usize.saturating_sub(ahead)) * row;
                assert_eq!(targets[first..4 * row], before[first..4 * row]);
            }
        }
    }

    #[test]
    fn targets_are_the_forward_view() {
        for &outputs in Outputs::ALL {
            let count = outputs.count();
            for &outcome in Outcome::ALL {
                let values: Vec<Vec<f32>> =
                    (0..7).map(|t| (0..count).map(|k| ((3 * t + 5 * k) % 11) as f32 / 11.0).collect()).collect();
                let row = 16;
                let mut padded = vec![0.0; 7 * row];
                for (padded, value) in padded.chunks_mut(row).zip(&values) {
                    padded[..count].copy_from_slice(value);
                }
                for lambda in [0.0, 0.3, 0.7, 1.0] {
                    let mut targets = vec![0.0; 7 * row];
                    let swapped = SwappedOutputs::new(outputs);
                    write_targets(outputs, &swapped, lambda, row, &padded, outcome, &mut targets);
                    let expected = plain(outputs, lambda, &values, outcome);
                    for (target, expected) in targets.chunks(row).zip(expected) {
                        for (a, b) in target.iter().zip(&expected) {
                            assert!((a - b).abs() < 1e-5, "{outputs:?} {outcome:?} {lambda}");
                        }
                        assert!(target[count..].iter().all(|&rest| rest == 0.0));
                    }
                }
            }
        }
    }

    #[test]
    fn the_other_side_sees_the_reverse() {
        for &outputs in Outputs::ALL {
            let swapped = SwappedOutputs::new(outputs);
            let count = outputs.count();
            for &outcome in Outcome::ALL {
                let [mut own, mut other, mut seen] = [(); 3].map(|()| vec![0.0; count]);
                write_outcome(outputs, outcome, &mut own);
                write_outcome(outputs, outcome.reversed(), &mut other);
                swapped.swap(&own, &mut seen);
                assert_eq!(seen, other, "{outputs:?} {outcome:?}");
            }
        }
    }
}
