//! Rollouts: many games from one position, or from each candidate play of a roll, with statistics.
//!
//! A [`Rollout`] plays trials until a rule of its [`Stop`] holds, and its [`Summary`] says what they came to:
//! games won and lost by gammon and backgammon, equity without cube, and how sure all of that is. Several
//! candidates are rolled out on the same dice: trial number `n` of each is game number `n` of the same seed, and
//! the roll of a ply depends on nothing else. So are the two sides of a comparison helped or hurt by the same
//! luck, as far as their games run in step.
//!
//! ```
//! use tavli::rollout::{Rollout, Session, Settings, Stop};
//! use tavli::run::{Cpus, Pinning, Placement, Workers};
//! use tavli::Board;
//!
//! let workers = Workers::start(&Placement::new(&Cpus::allowed(), Pinning::CORES, None)?)?;
//! let mut rollout = Rollout::of_plays(&Board::START, "31".parse()?, Settings::default())?
//!     .until(Stop::after(1296))?;
//! rollout.play(&workers, &Session::default(), |_| ())?;
//! let summary = rollout.summary();
//! let best = summary.best();
//! let moves = rollout.candidates()[best.candidate].moves.as_ref().expect("a play");
//! println!("{moves}: {:+.3} ± {:.3}", best.equity.mean, best.equity.standard_error);
//! // Some more trials make it more certain, at the price of these alone.
//! let mut rollout = rollout.until(Stop::after(2592))?;
//! rollout.play(&workers, &Session::default(), |_| ())?;
//! assert_eq!(rollout.summary().trials, 2592);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The same numbers
//! The counts of a rollout are exact integers, decided by the position, its candidates, the [`Settings`], the
//! [`Players`] and the range of games. Threads, tier, interruptions, and whether it was played at once, in
//! sessions, or in [shards](Shard) that were [merged](Rollout::merge), change nothing. Rules on errors are looked
//! at after fixed numbers of trials, so that where they end a rollout is decided by its values as well. Only the
//! rule on time depends on the machine.
//!
//! # Standard errors
//! By default any throw begins a game, trials are independent, and the variance of a mean over `n` trials is `V0 / n`,
//! where `V0` is their sample variance.
//!
//! With [stratified](crate::FirstRoll::Stratified) first rolls the first two throws of 1,296 games are not a matter of
//! luck, so the mean varies less than that. Split a game's variance into four parts: `A` that the first throw
//! decides by itself, `B` that the second does, `C` that both decide together, and the rest `E`. Over
//! `n = 1296 m + 36 k + j` trials, `k, j < 36`, the whole blocks have `E` alone; the `k` rows have `C` as well, from
//! `36 k` of the 1,296 pairs drawn without replacement; and the `j` others have all four, the throws drawn likewise
//! from 36. So the variance of the mean is
//!
//! ```text
//! (n E + 36 k C (1 - k/36) + j (C (1 - k/36) + (A + B) (1 - j/36))) / n^2
//! ```
//!
//! Throws of the same dice are one roll. `V0` estimates the sum of the four parts. The variance among trials with
//! the same first roll estimates it without `A`, that among those with the same second roll without `B`, and that among
//! those with both in common estimates `E`. Each is the mean over doubles (1/6 of the throws) and other rolls (5/6), or
//! over the four kinds of pairs, of the variance pooled within the rolls of that kind, with one degree of freedom lost
//! to each roll. Where there is little to compare, the estimate is cautious: each kind gets a further degree of
//! freedom with the variance before it, below 72 trials `V0 / n` is taken, and beside whole blocks the parts `A`, `B` and
//! `C` of the `j` others count twice. (Stratified samples: W. G. Cochran,
//! *Sampling Techniques*, 3rd edition, 1977, chapters 5 and 5A.)
//!
//! The variance of the difference between two candidates on common dice is found the same way, from the differences of
//! their points trial by trial.
//!
//! # Intervals
//! 95 % intervals hold the true value 95 times in 100 at any number of trials, as far as counts allow. That
//! of a share is Wilson's, or if it is near 0 or 1 that of Agresti and Coull, for as many independent trials as would have
//! the same standard error. An equity's follows from those of the shares that it consists of, and a difference has that of Agresti
//! and Min. So a share seen in 36 trials of 36 lies between 0.89 and 1. The tests compare the intervals with exact
//! values over hundreds of seeds, at 8 to 5,000 trials. Only what is certain has an interval without width: a play that
//! wins.

mod candidate;
mod checkpoint;
mod counts;
mod ends;
mod interval;
mod merge;
mod progress;
mod ranks;
mod record;
mod settings;
mod shard;
mod statistic;
mod stop;
mod strata;
mod summary;
mod trials;
mod watch;

pub use candidate::Candidate;
pub use checkpoint::{Checkpoint, SaveError};
pub use merge::MergeError;
pub use progress::Progress;
pub use ranks::Ranks;
pub use record::{FORMAT_VERSION, LoadError, RecordError};
pub use settings::Settings;
pub use shard::{Shard, ShardError};
pub use statistic::Statistic;
pub use stop::{Ended, Stop};
pub use summary::{Standing, Summary};

use core::ops::Range;
use std::cell::Cell;
use std::convert::Infallible;
use std::time::Duration;

use thiserror::Error;

use crate::run::{Cancel, Workers};
use checkpoint::Saver;
use counts::Counts;
use strata::Strata;
use tavli_backgammon::Board;
use tavli_backgammon::Roll;
use tavli_backgammon::Tier;
use tavli_backgammon::playout::PlayoutError;
use tavli_backgammon::plays::{Play, Plays};
use tavli_backgammon::policies::Players;
use trials::Trials;
use watch::Watch;

/// Many games from a position, or from each candidate play of a roll: what is to be played, and what has been.
#[derive(Clone, Debug)]
pub struct Rollout {
    position: Board,
    roll: Option<Roll>,
    settings: Settings,
    candidates: Vec<Candidate>,
    players: Players,
    stop: Stop,
    shard: Option<Shard>,
    /// The games played.
    games: Range<u64>,
    counts: Counts,
    elapsed: Duration,
}

/// Why something cannot be rolled out.
#[derive(Clone, PartialEq, Debug, Error)]
#[non_exhaustive]
pub enum RolloutError {
    /// No games start from the position.
    #[error(transparent)]
    Playout(#[from] PlayoutError),
    /// No games start from the position after a play.
    #[error("after {moves}: {reason}")]
    Candidate {
        /// The play.
        moves: String,
        /// Why no games start.
        reason: PlayoutError,
    },
    /// A candidate that is no play of the roll.
    #[error("{position_id} is not the position after a play of {roll} from {from}")]
    NoPlay {
        /// The Position ID of the candidate.
        position_id: String,
        /// The roll.
        roll: Roll,
        /// The Position ID before the play.
        from: String,
    },
    /// A candidate that occurs twice.
    #[error("{moves} is a candidate twice")]
    Twice {
        /// The play.
        moves: String,
    },
    /// No candidate, or too many.
    #[error("{0} candidates: a rollout compares 1 to {most}", most = Rollout::MOST_CANDIDATES)]
    Candidates(usize),
    /// A number of trials that cannot be.
    #[error("a rollout has 1 to {most} trials, not {0}", most = Rollout::MOST_TRIALS)]
    Trials(u64),
    /// Fewer trials than have been played.
    #[error("{played} trials have been played, so the rollout cannot end after {trials}")]
    Fewer {
        /// The trials asked for.
        trials: u64,
        /// The trials played.
        played: u64,
    },
    /// A bound that is no number above 0.
    #[error("the {rule} that ends a rollout is a number above 0, not {bound}")]
    Bound {
        /// The rule.
        rule: &'static str,
        /// Its bound.
        bound: f64,
    },
    /// A rule that compares candidates, where there is one only.
    #[error("joint standard deviations need at least two candidates to compare")]
    NothingToCompare,
    /// A shard that would end by itself.
    #[error("a shard plays its share of a fixed number of trials: it cannot end by errors or time")]
    ShardRule,
    /// A shard that cannot be.
    #[error(transparent)]
    Shard(#[from] ShardError),
    /// A change that a rollout which has begun does not take.
    #[error(
        "games have been played: policy, shards and the trials that these share are settled before a rollout begins"
    )]
    Begun,
}

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

/// What comes next in a session.
enum Next {
    /// The games before number `until`.
    Play { until: u64 },
    /// Its end.
    End(Ended),
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

impl Rollout {
    /// The most trials of a rollout, 2^56.
    pub const MOST_TRIALS: u64 = 1 << 56;
    /// The most candidates of a rollout.
    pub const MOST_CANDIDATES: usize = 512;

    /// A rollout of the player on roll's position.
    ///
    /// # Errors
    /// [`RolloutError::Playout`] if the game is over, or can never end.
    pub fn of_position(position: &Board, settings: Settings) -> Result<Rollout, RolloutError> {
        let candidate = Candidate::position(*position, &settings)?;
        Ok(Rollout::new(*position, None, vec![candidate], settings))
    }

    /// A rollout of every play of a roll.
    ///
    /// # Errors
    /// [`RolloutError`] if the game is over, can never end, or the roll has too many plays.
    pub fn of_plays(
        position: &Board,
        roll: Roll,
        settings: Settings,
    ) -> Result<Rollout, RolloutError> {
        let plays = Plays::of_rules(position, roll, settings.rules);
        if plays.len() > Rollout::MOST_CANDIDATES {
            return Err(RolloutError::Candidates(plays.len()));
        }
        let boards: Vec<Board> = plays.to_vec().iter().map(Play::board).collect();
        Rollout::of_candidates(position, roll, &boards, settings)
    }

    /// A rollout of some plays of a roll, given by the positions after them, in which the other player is on
    /// roll.
    ///
    /// # Errors
    /// [`RolloutError`] if the game is over or can never end, or a candidate is no play or given twice.
    pub fn of_candidates(
        position: &Board,
        roll: Roll,
        boards: &[Board],
        settings: Settings,
    ) -> Result<Rollout, RolloutError> {
        settings.playouts(*position)?;
        if boards.is_empty() || boards.len() > Rollout::MOST_CANDIDATES {
            return Err(RolloutError::Candidates(boards.len()));
        }
        let plays = Plays::of_rules(position, roll, settings.rules);
        let mut moves_to = vec![None; boards.len()];
        for play in plays.to_vec() {
            let after = play.board();
            if let Some(at) = boards.iter().position(|&board| board == after) {
                moves_to[at] = Some(plays.moves(&play));
            }
        }
        let mut candidates = Vec::with_capacity(boards.len());
        for (at, (&board, moves)) in boards.iter().zip(moves_to).enumerate() {
            let Some(moves) = moves else {
                if let Some(first) = boards[..at].iter().position(|&earlier| earlier == board) {
                    let first: &Candidate = &candidates[first];
                    let moves = first
                        .moves
                        .as_ref()
                        .map_or_else(String::new, ToString::to_string);
                    return Err(RolloutError::Twice { moves });
                }
                return Err(RolloutError::NoPlay {
                    position_id: board.position_id().to_string(),
                    roll,
                    from: position.position_id().to_string(),
                });
            };
            let text = moves.to_string();
            let candidate = Candidate::play(moves, board, &settings).map_err(|reason| {
                RolloutError::Candidate {
                    moves: text,
                    reason,
                }
            })?;
            candidates.push(candidate);
        }
        Ok(Rollout::new(*position, Some(roll), candidates, settings))
    }

    fn new(
        position: Board,
        roll: Option<Roll>,
        candidates: Vec<Candidate>,
        settings: Settings,
    ) -> Rollout {
        let counts = Counts::new(Strata::new(&settings), candidates.len());
        Rollout {
            position,
            roll,
            settings,
            candidates,
            players: Players::default(),
            stop: Stop::default(),
            shard: None,
            games: 0..0,
            counts,
            elapsed: Duration::ZERO,
        }
    }

    /// The same rollout, ended by other rules. More trials than before extend it.
    ///
    /// # Errors
    /// [`RolloutError`] if a rule cannot be satisfied, more trials have been played, or a shard would end by
    /// itself.
    pub fn until(self, stop: Stop) -> Result<Rollout, RolloutError> {
        if stop.trials < self.games.end {
            return Err(RolloutError::Fewer {
                trials: stop.trials,
                played: self.games.end,
            });
        }
        if stop.trials == 0 || stop.trials > Rollout::MOST_TRIALS {
            return Err(RolloutError::Trials(stop.trials));
        }
        for (rule, bound) in [
            ("standard error", stop.standard_error),
            ("number of joint standard deviations", stop.jsd),
        ] {
            if let Some(bound) = bound
                && !(bound > 0.0 && bound.is_finite())
            {
                return Err(RolloutError::Bound { rule, bound });
            }
        }
        if stop.jsd.is_some() && self.candidates.len() < 2 {
            return Err(RolloutError::NothingToCompare);
        }
        if let Some(shard) = self.shard {
            if stop.has_errors() || stop.time.is_some() {
                return Err(RolloutError::ShardRule);
            }
            // Its games are those of its number of trials.
            if stop.trials != self.stop.trials {
                shard.games(stop.trials)?;
                if !self.games.is_empty() {
                    return Err(RolloutError::Begun);
                }
            }
        }
        let games = match self.shard {
            Some(shard) if self.games.is_empty() => {
                let first = shard.games(stop.trials)?.start;
                first..first
            }
            _ => self.games.clone(),
        };
        Ok(Rollout {
            stop,
            games,
            ..self
        })
    }

    /// The part of a rollout that one of several machines plays; [`Rollout::merge`] puts the parts together.
    ///
    /// # Errors
    /// [`RolloutError`] if games have been played, the rollout ends by other rules than the number of trials,
    /// or has too few of them.
    pub fn shard(self, shard: Shard) -> Result<Rollout, RolloutError> {
        if !self.games.is_empty() {
            return Err(RolloutError::Begun);
        }
        let stop = self.stop;
        Rollout {
            shard: Some(shard),
            ..self
        }
        .until(stop)
    }

    /// The same rollout with the plays of other policies: of the player whose rollout it is, who is on roll in its
    /// position, and of his opponent.
    ///
    /// # Errors
    /// [`RolloutError::Begun`] if games have been played.
    pub fn played_by(self, players: Players) -> Result<Rollout, RolloutError> {
        if !self.games.is_empty() {
            return Err(RolloutError::Begun);
        }
        Ok(Rollout { players, ..self })
    }

    /// Plays until a rule holds, and says which. A rollout that has come to its end plays nothing. `progress` is
    /// told how far it is about ten times a second, on the calling thread.
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
    ) -> Result<Ended, SaveError> {
        let origin = self.games.start;
        let first = self.games.end;
        let watch = Watch::start(self.elapsed, self.stop.time);
        let mut expected_trials = (self.last_game() - origin) as f64;
        // Thrown when the time is up.
        let enough = Cancel::new();
        let look_at_time = || {
            if watch.is_up() {
                enough.cancel();
            }
        };
        let of_rollout = self.trials(session.tier);
        let mut saver = Saver::start(session.checkpoint.as_ref(), self);
        if saver.failure().is_some() {
            return saver.finish(None, Ended::Cancelled);
        }
        let unsaved = Cell::new(None);
        let ended = loop {
            let cancelled = session.cancel.is_cancelled();
            let until = match self.next(cancelled, watch.is_up(), &mut expected_trials) {
                Next::Play { until } => until,
                Next::End(ended) => break ended,
            };
            let trials = self.games.end;
            let take = |games: Range<u64>, counts: Counts| {
                self.counts.merge(&counts);
                self.games.end = games.end;
                look_at_time();
                if saver.is_due(watch.session()) {
                    self.elapsed = watch.all();
                    saver.save(self, watch.session());
                    unsaved.set(saver.failure());
                }
                Ok::<(), Infallible>(())
            };
            let Ok(()) = of_rollout.play(
                workers,
                trials..until,
                1..=u64::MAX,
                &session.cancel,
                Some(&enough),
                take,
                &mut |of_round| {
                    look_at_time();
                    let next = trials + of_round.games;
                    progress(&Progress {
                        trials: next - origin,
                        session_trials: next - first,
                        candidates: of_rollout.candidates.len(),
                        elapsed: watch.session(),
                        expected_trials,
                        time_limit_left: watch.left(),
                        unsaved: unsaved.get(),
                    });
                },
            );
            self.elapsed = watch.all();
        };
        saver.save(self, watch.session());
        saver.finish(Some(ended), ended)
    }

    /// How its trials are played.
    fn trials(&self, tier: Tier) -> Trials {
        Trials {
            candidates: self.candidates.as_slice().into(),
            players: self.players.clone(),
            strata: self.counts.strata(),
            tier,
        }
    }

    /// What comes next, when the games so far have been counted. `expected_trials` is told anew where the errors
    /// are looked at.
    fn next(&self, cancelled: bool, time_is_up: bool, expected_trials: &mut f64) -> Next {
        let (stop, trials, last) = (&self.stop, self.games.end, self.last_game());
        if stop.has_errors() && Stop::is_check(trials) {
            let summary = self.summary();
            if let Some(ended) = stop.satisfied(&summary) {
                return Next::End(ended);
            }
            *expected_trials = stop.expected_trials(&summary);
        }
        if trials >= last {
            return Next::End(Ended::Trials);
        }
        if cancelled {
            return Next::End(Ended::Cancelled);
        }
        // Some game is played however short the time.
        if time_is_up && !self.games.is_empty() {
            return Next::End(Ended::Time);
        }
        Next::Play {
            until: if stop.has_errors() {
                last.min(Stop::next_check(trials))
            } else {
                last
            },
        }
    }

    /// The game after the last one that is to be played.
    fn last_game(&self) -> u64 {
        let trials = self.stop.trials;
        self.shard.map_or(trials, |shard| {
            shard
                .games(trials)
                .expect("checked when the shard was made")
                .end
        })
    }

    /// What the trials so far came to.
    #[must_use]
    pub fn summary(&self) -> Summary {
        Summary::new(&self.candidates, &self.counts, self.elapsed)
    }

    /// Whether all of the trials have been played.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.games.end >= self.last_game()
    }

    /// The position, seen by the player on roll.
    #[must_use]
    pub fn position(&self) -> &Board {
        &self.position
    }

    /// The roll whose plays are compared.
    #[must_use]
    pub fn roll(&self) -> Option<Roll> {
        self.roll
    }

    /// What decides the values.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// What is compared; one candidate where the position itself is rolled out.
    #[must_use]
    pub fn candidates(&self) -> &[Candidate] {
        &self.candidates
    }

    /// Who picks the plays.
    #[must_use]
    pub fn players(&self) -> &Players {
        &self.players
    }

    /// When it ends.
    #[must_use]
    pub fn stop(&self) -> &Stop {
        &self.stop
    }

    /// Which part of a rollout it is.
    #[must_use]
    pub fn part(&self) -> Option<Shard> {
        self.shard
    }

    /// The games played.
    #[must_use]
    pub fn games(&self) -> Range<u64> {
        self.games.clone()
    }

    /// Time of playing, over all sessions; of merged rollouts the sum.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.elapsed
    }
}
