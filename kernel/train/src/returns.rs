//! The targets of TD(lambda) for the positions of whole games.

use tavli_backgammon::Outcome;
use tavli_players::net::Outputs;

/// How the outputs look from the other side: each is another one, or one less that.
#[derive(Clone, Debug)]
pub(crate) struct Turned(Vec<(usize, bool)>);

impl Turned {
    pub(crate) fn new(outputs: Outputs) -> Turned {
        let all = outputs.outcomes();
        let same = |a: &[Outcome], b: &dyn Fn(Outcome) -> bool| {
            let mut outcomes = Outcome::ALL.iter();
            outcomes.all(|outcome| a.contains(outcome) == b(*outcome))
        };
        let turned = all.iter().map(|&set| {
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
        Turned(turned.collect())
    }

    /// Seen from the other side.
    pub(crate) fn turn(&self, outputs: &[f32], turned: &mut [f32]) {
        for (to, &(place, is_rest)) in turned.iter_mut().zip(&self.0) {
            let value = outputs[place];
            *to = if is_rest { 1.0 - value } else { value };
        }
    }
}

/// The outputs of a game that ended, for the player who was on roll before its last play.
pub(crate) fn of_outcome(outputs: Outputs, outcome: Outcome, targets: &mut [f32]) {
    for (target, set) in targets.iter_mut().zip(outputs.outcomes()) {
        *target = f32::from(u8::from(set.contains(&outcome)));
    }
}

/// Writes the targets of a game's positions. `values` and `targets` have rows of `row`; each position is seen by its
/// player on roll. `outcome` is that of the player who made the last play.
pub(crate) fn write_targets(
    outputs: Outputs,
    turned: &Turned,
    lambda: f32,
    row: usize,
    values: &[f32],
    outcome: Outcome,
    targets: &mut [f32],
) {
    let count = outputs.count();
    let positions = values.len() / row;
    let mut next = [0.0_f32; Outputs::MOST];
    let mut mixed = [0.0_f32; Outputs::MOST];
    of_outcome(outputs, outcome, &mut next[..count]);
    for position in (0..positions).rev() {
        let target = &mut targets[position * row..][..count];
        if position + 1 < positions {
            let values = &values[(position + 1) * row..][..count];
            for ((mixed, &value), &next) in mixed.iter_mut().zip(values).zip(&next) {
                *mixed = (1.0 - lambda) * value + lambda * next;
            }
            turned.turn(&mixed, &mut next[..count]);
        }
        target.copy_from_slice(&next[..count]);
    }
}
