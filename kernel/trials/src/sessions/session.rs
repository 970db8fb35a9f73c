//! Rollouts played for a while.

use core::ops::Range;
use std::cell::RefCell;
use std::io;

use tavli_run::{Cancel, Workers};
use tavli_simd::Tier;

use crate::ask::end_rules::EndReason;
use crate::sessions::checkpoint::{Checkpoint, SaveError, Saver};
use crate::sessions::driver::{Interruption, NextStep, NextTrials, decide_next};
use crate::sessions::on_workers::{play_on_workers, scheduler};
use crate::sessions::progress::SessionProgress;
use crate::sessions::resumable_rollout::{PlayTrials, ResumableRollout};
use crate::sessions::session_clock::SessionClock;

/// How a rollout is played for a while.
#[derive(Clone, Debug)]
pub struct Session {
    /// The build of the kernel. It changes the speed, never the results.
    pub tier: Tier,
    /// The switch that ends the session at once: games that are not finished are not counted.
    pub cancel: Cancel,
    /// Where the rollout is saved during the session and at its end.
    pub checkpoint: Option<Checkpoint>,
}

impl Default for Session {
    /// The fastest tier, and nothing saved.
    fn default() -> Session {
        Session { tier: Tier::best(), cancel: Cancel::new(), checkpoint: None }
    }
}

/// The rollout of a session, and where it is saved.
struct SavedRollout<'a, R> {
    rollout: &'a mut R,
    saver: Saver<'a>,
    unsaved: Option<io::ErrorKind>,
}

impl Session {
    /// Plays a rollout until a rule holds, and returns which. A rollout that is at its end plays nothing. `progress` is
    /// called about ten times a second, on the calling thread.
    ///
    /// # Errors
    /// [`SaveError`] if the rollout cannot be saved at the start, when nothing is played yet, or at the end. A
    /// checkpoint that fails in between is tried again at the next one, and [`SessionProgress::unsaved`] says so.
    ///
    /// # Panics
    /// If one of these workers calls this: it would wait for itself. If a worker panics.
    pub fn play<R: ResumableRollout>(
        &self,
        rollout: &mut R,
        workers: &Workers,
        mut progress: impl FnMut(&SessionProgress<'_, R>),
    ) -> Result<EndReason, SaveError> {
        let (origin, first) = (rollout.trials().start, rollout.trials().end);
        let games_before = rollout.total_games();
        let clock = SessionClock::start(rollout.elapsed(), rollout.plan().end_rules.time);
        let mut expected_trials = (rollout.plan().trials().end - origin) as f64;
        let time_is_up = Cancel::new();
        let look_at_time = || {
            if clock.is_up(true) {
                time_is_up.cancel();
            }
        };
        // Games that a worker plays per second, once it is known.
        let mut rate = None;
        let saver = Saver::start(self.checkpoint.as_ref(), rollout);
        if saver.failure().is_some() {
            return saver.finish(None, EndReason::Cancelled);
        }
        let saved = RefCell::new(SavedRollout { rollout, saver, unsaved: None });
        let reason = loop {
            let (first_trial, runner, until) = {
                let rollout = &mut *saved.borrow_mut().rollout;
                let time_is_up = clock.is_up(!rollout.trials().is_empty());
                let interruption = Interruption::from_flags(self.cancel.is_cancelled(), time_is_up);
                let NextTrials { step, expected_trials: expected } = decide_next(rollout, interruption);
                expected_trials = expected.unwrap_or(expected_trials);
                match step {
                    NextStep::Play { until } => (rollout.trials().end, rollout.runner(self.tier), until),
                    NextStep::End(reason) => break reason,
                }
            };
            let candidates = runner.candidates();
            let take = |trials: Range<u64>, counts| {
                let SavedRollout { rollout, saver, unsaved } = &mut *saved.borrow_mut();
                rollout.add(&counts, trials.end);
                look_at_time();
                if saver.is_due(clock.session()) {
                    rollout.set_elapsed(clock.total());
                    saver.save(&**rollout, clock.session());
                    *unsaved = saver.failure();
                }
            };
            // A child of the caller's switch: when the time is up it cuts this stretch short, and leaves that alone.
            let cut = self.cancel.child();
            let scheduler = scheduler(&runner, workers, first_trial..until, &cut)
                .finished_when(Some(&time_is_up))
                .cancelled_after(clock.until_cut())
                .with_rate(rate.map(|games| games / candidates as f64));
            let played_at = play_on_workers(&runner, &scheduler, &cut, take, &mut |so_far| {
                look_at_time();
                let SavedRollout { rollout, unsaved, .. } = &*saved.borrow();
                let next = first_trial + so_far.items;
                let ahead = (next - rollout.trials().end) * candidates as u64;
                progress(&SessionProgress {
                    rollout,
                    trials: next - origin,
                    session_trials: next - first,
                    session_games: rollout.total_games() + ahead - games_before,
                    elapsed: clock.session(),
                    expected_trials,
                    time_limit_left: clock.time_left(),
                    unsaved: *unsaved,
                });
            });
            rate = played_at.map(|trials| trials * candidates as f64).or(rate);
            saved.borrow_mut().rollout.set_elapsed(clock.total());
        };
        let SavedRollout { rollout, mut saver, .. } = saved.into_inner();
        saver.save(rollout, clock.session());
        saver.finish(Some(reason), reason)
    }
}
