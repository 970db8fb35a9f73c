//! Rollouts played for a while.

use core::ops::Range;
use std::cell::RefCell;
use std::convert::Infallible;
use std::io;
use std::sync::OnceLock;
use std::time::Duration;

use super::Rollout;
use super::checkpoint::{Checkpoint, SaveError, Saver};
use super::counts::Counts;
use super::progress::Progress;
use super::stop::{Stop, StopReason};
use super::trials::Trials;
use super::watch::Watch;
use tavli_backgammon::Tier;
use tavli_run::{Cancel, Workers};

/// How a rollout is played for a while.
#[derive(Clone, Debug)]
pub struct Session {
    /// The build of the kernel. It changes the speed, never the results.
    pub tier: Tier,
    /// The switch that ends it at once: games that are not finished are not counted.
    pub cancel: Cancel,
    /// Where it is saved meanwhile and at the end.
    pub checkpoint: Option<Checkpoint>,
}

impl Default for Session {
    /// The fastest tier, and nothing saved.
    fn default() -> Session {
        Session {
            tier: Tier::best(),
            cancel: Cancel::new(),
            checkpoint: None,
        }
    }
}

/// What comes next in a session.
pub(super) enum Next {
    /// The games before number `until`.
    Play { until: u64 },
    /// Its end.
    End(StopReason),
}

/// The rollout of a session, and where it is saved.
struct Played<'a> {
    rollout: &'a mut Rollout,
    saver: Saver<'a>,
    unsaved: Option<io::ErrorKind>,
}

impl Rollout {
    /// Plays until a rule holds, and returns which. A rollout that is at its end plays nothing. `progress` is
    /// called about ten times a second, on the calling thread.
    ///
    /// # Errors
    /// [`SaveError`] if it cannot be saved at the start, and then plays nothing, or at the end. A checkpoint that fails
    /// meanwhile is tried again at the next one, and [`Progress::unsaved`] says so.
    ///
    /// # Panics
    /// If one of these workers calls this: it would wait for itself. If a worker panics.
    pub fn play(
        &mut self,
        workers: &Workers,
        session: &Session,
        mut progress: impl FnMut(&Progress),
    ) -> Result<StopReason, SaveError> {
        let (first, games_before) = (self.games.end, self.total_games());
        let watch = Watch::start(self.elapsed, self.stop.time);
        let mut expected_trials = (self.last_game() - self.games.start) as f64;
        // Thrown when the time is up.
        let enough = Cancel::new();
        let look_at_time = || {
            if watch.is_up() {
                enough.cancel();
            }
        };
        // Games that a worker plays per second, once it is known.
        let mut rate = None;
        let saver = Saver::start(session.checkpoint.as_ref(), self);
        if saver.failure().is_some() {
            return saver.finish(None, StopReason::Cancelled);
        }
        let played = RefCell::new(Played {
            rollout: self,
            saver,
            unsaved: None,
        });
        let reason = loop {
            let (trials, of_rollout, until) = {
                let rollout = &mut *played.borrow_mut().rollout;
                let cancelled = session.cancel.is_cancelled();
                match rollout.next(cancelled, watch.is_up(), &mut expected_trials) {
                    Next::Play { until } => (rollout.games.end, rollout.trials(session.tier), until),
                    Next::End(reason) => break reason,
                }
            };
            let candidates = of_rollout.candidates.len();
            let take = |games: Range<u64>, counts: Counts| {
                let Played {
                    rollout,
                    saver,
                    unsaved,
                } = &mut *played.borrow_mut();
                rollout.add(&counts, games.end);
                look_at_time();
                if saver.is_due(watch.session()) {
                    rollout.set_elapsed(watch.all());
                    saver.save(rollout, watch.session());
                    *unsaved = saver.failure();
                }
                Ok::<(), Infallible>(())
            };
            let Ok(played_at) = of_rollout.play(
                workers,
                trials..until,
                1..=u64::MAX,
                &session.cancel,
                Some(&enough),
                rate,
                take,
                &mut |of_round| {
                    look_at_time();
                    let Played { rollout, unsaved, .. } = &*played.borrow();
                    let next = trials + of_round.games;
                    let ahead = (next - rollout.games.end) * candidates as u64;
                    progress(&Progress {
                        rollout,
                        trials: next - rollout.games.start,
                        session_trials: next - first,
                        session_games: rollout.total_games() + ahead - games_before,
                        elapsed: watch.session(),
                        expected_trials,
                        time_limit_left: watch.left(),
                        unsaved: *unsaved,
                    });
                },
            );
            rate = played_at.or(rate);
            played.borrow_mut().rollout.set_elapsed(watch.all());
        };
        let Played { rollout, mut saver, .. } = played.into_inner();
        saver.save(rollout, watch.session());
        saver.finish(Some(reason), reason)
    }

    /// How the trials of the candidates that are still played are played.
    pub(super) fn trials(&self, tier: Tier) -> Trials {
        let playing = self.rounds.playing().iter();
        Trials {
            candidates: playing.map(|&at| self.candidates[at].clone()).collect(),
            players: self.players.clone(),
            valuers: self.valuers(),
            strata: self.rounds.shape().strata,
            tier,
        }
    }

    /// Adds trials up to number `end`, which is not among them.
    pub(super) fn add(&mut self, counts: &Counts, end: u64) {
        self.rounds.add(counts);
        self.games.end = end;
        self.summary = OnceLock::new();
    }

    pub(super) fn set_elapsed(&mut self, elapsed: Duration) {
        self.elapsed = elapsed;
        if let Some(summary) = self.summary.get_mut() {
            summary.elapsed = elapsed;
        }
    }

    /// What comes next, when the games so far have been counted. Where these are looked at, candidates are dropped, and
    /// `expected_trials` is worked out anew.
    pub(super) fn next(&mut self, cancelled: bool, time_is_up: bool, expected_trials: &mut f64) -> Next {
        let (trials, last) = (self.games.end, self.last_game());
        if self.is_look(trials) {
            self.drop_candidates();
            let (stop, race) = (self.stop, self.allocation.race());
            let summary = self.summary();
            if let Some(reason) = stop.satisfied(summary, race) {
                return Next::End(reason);
            }
            *expected_trials = stop.expected_trials(summary, race);
        }
        if trials >= last {
            return Next::End(StopReason::Trials);
        }
        if cancelled {
            return Next::End(StopReason::Cancelled);
        }
        // Some game is played however short the time.
        if time_is_up && !self.games.is_empty() {
            return Next::End(StopReason::Time);
        }
        let look = self.next_look(trials);
        Next::Play {
            until: look.map_or(last, |look| last.min(look)),
        }
    }

    /// Ends the games of candidates that the allocation has no more for.
    fn drop_candidates(&mut self) {
        let left = self.allocation.playing(self.summary(), self.stop.trials);
        if left.len() < self.rounds.playing().len() {
            self.rounds.begin(left, self.games.end);
            self.summary = OnceLock::new();
        }
    }

    /// Whether the counts after this number of trials decide what comes next.
    pub(super) fn is_look(&self, trials: u64) -> bool {
        trials > 0 && self.next_look(trials - 1) == Some(trials)
    }

    /// The number of trials, above `trials`, whose counts decide what comes next.
    fn next_look(&self, trials: u64) -> Option<u64> {
        let has_errors = self.stop.has_errors() || self.allocation.race().is_some();
        let check = has_errors.then(|| Stop::next_check(trials));
        let number = self.candidates.len();
        let halving = self.allocation.next_halving(trials, self.stop.trials, number);
        [check, halving].into_iter().flatten().min()
    }

    /// The game after the last one that is to be played.
    pub(super) fn last_game(&self) -> u64 {
        let trials = self.stop.trials;
        self.shard.map_or(trials, |shard| {
            shard.games(trials).expect("checked when the shard was made").end
        })
    }
}
