//! Games that a net learns from one after the other.

use core::ops::Range;

use tavli_run::{Cancel, Workers};

use crate::minibatch_plan::{Halt, Learned, LearningResult};

/// Plays games one after another on the first worker, learning from each, until cancelled or until `play` returns
/// `Err` (a loss that is not finite). Returns the learner, the number of whole games, and what was learned.
pub(crate) fn play<T: Clone + Send + Sync + 'static>(
    (workers, cancel): (&Workers, &Cancel),
    learner: T,
    games: Range<u64>,
    play: impl Fn(&mut T, u64) -> Result<Learned, Learned> + Send + Sync + 'static,
) -> (T, u64, LearningResult) {
    let cancel = cancel.clone();
    // Each game needs the weights after the one before, so other workers have nothing to do.
    workers.on_first(move || {
        // A copy: the work is an `Fn`, which each worker might call, so it cannot give the learner away.
        let (mut learner, mut played, mut result) = (learner.clone(), 0, LearningResult::default());
        for game in games.clone().take_while(|_| !cancel.is_cancelled()) {
            let learned = play(&mut learner, game);
            result.halt = learned.is_err().then_some(Halt::LossNotFinite);
            result.learned.add(learned.unwrap_or_else(|learned| learned));
            if result.halt.is_some() {
                break;
            }
            played += 1;
        }
        (learner, played, result)
    })
}
