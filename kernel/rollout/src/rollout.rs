//! A rollout: what is to be played, and what has been.

use core::ops::Range;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use tavli_backgammon::evaluators::{Evaluator, KnownValues};
use tavli_backgammon::plays::Plays;
use tavli_backgammon::policies::Players;
use tavli_backgammon::{Board, Position, Roll};
use tavli_cube::CubeInPlay;
use tavli_players::Luck;

use crate::ask::allocation::Allocation;
use crate::ask::candidate::Candidate;
use crate::ask::error::RolloutError;
use crate::ask::limits::{MOST_CANDIDATES, MOST_TRIALS};
use crate::ask::request::{Request, StopRequest};
use crate::ask::settings::Settings;
use crate::ask::shard::Shard;
use crate::ask::specification::Specification;
use crate::ask::stop::Stop;
use crate::estimate::counts::CounterDimensions;
use crate::estimate::difference::Difference;
use crate::estimate::rounds::Rounds;
use crate::estimate::strata::Strata;
use crate::estimate::summary::Summary;

/// Many games from a position, or from each candidate play of a roll: what is to be played, and what has been.
///
/// A [`Request`] makes one. What may change later is when it ends ([`Rollout::until`]) and, before its first trial, how
/// its games are divided among candidates ([`Rollout::allocated`]) and machines ([`Rollout::with_shard`]).
#[derive(Clone, Debug)]
pub struct Rollout {
    pub(crate) specification: Specification,
    /// The trials played, by number.
    pub(crate) trials: Range<u64>,
    pub(crate) rounds: Rounds,
    pub(crate) elapsed: Duration,
    /// The result of these games, once it was asked for.
    pub(crate) summary: OnceLock<Summary>,
}

impl Request {
    /// The rollout of a position.
    ///
    /// # Errors
    /// [`RolloutError`] names what is wrong.
    pub fn rollout(&self, position: &Position) -> Result<Rollout, RolloutError> {
        let stop = self.stop.resolve(self.allocation)?;
        self.specification(position, stop).map(Rollout::begin)
    }

    /// The rollout of a position that is one of many: with one candidate only, the rules that compare candidates are
    /// left out.
    ///
    /// # Errors
    /// As [`Request::rollout`].
    pub fn rollout_of_many(&self, position: &Position) -> Result<Rollout, RolloutError> {
        match self.rollout(position) {
            Err(RolloutError::NothingToCompare | RolloutError::CubeDecision) => {
                let request = Request {
                    allocation: Allocation::Even,
                    stop: StopRequest { jsd: None, ..self.stop },
                    ..self.clone()
                };
                request.rollout(position)
            }
            rollout => rollout,
        }
    }
}

impl Rollout {
    /// The most trials of a rollout, 2^56.
    pub const MOST_TRIALS: u64 = MOST_TRIALS;
    /// The most candidates of a rollout.
    pub const MOST_CANDIDATES: usize = MOST_CANDIDATES;

    /// A rollout of which nothing has been played, by a specification that was checked.
    pub(crate) fn begin(specification: Specification) -> Rollout {
        let dimensions = CounterDimensions {
            strata: Strata::new(&specification.settings),
            valued: specification.evaluators().valued(),
        };
        let first = specification.trials().start;
        let mut rounds = Rounds::new(dimensions, specification.candidates.len());
        rounds.start_at(first);
        Rollout {
            specification,
            trials: first..first,
            rounds,
            elapsed: Duration::ZERO,
            summary: OnceLock::new(),
        }
    }

    /// This rollout with a change of its specification.
    fn changed(mut self, change: impl FnOnce(&mut Specification)) -> Result<Rollout, RolloutError> {
        change(&mut self.specification);
        self.specification.check()?;
        if self.trials.is_empty() {
            let elapsed = self.elapsed;
            self = Rollout::begin(self.specification);
            self.elapsed = elapsed;
        }
        Ok(self)
    }

    /// This rollout with a change that it takes only before its first trial.
    fn changed_before_play(self, change: impl FnOnce(&mut Specification)) -> Result<Rollout, RolloutError> {
        if !self.trials.is_empty() {
            return Err(RolloutError::AlreadyPlayed);
        }
        self.changed(change)
    }

    /// Ends the rollout by other rules. More trials than before extend it.
    ///
    /// # Errors
    /// [`RolloutError`] if a rule cannot be satisfied, more trials have been played, or a shard would end by
    /// itself.
    pub fn until(self, stop: Stop) -> Result<Rollout, RolloutError> {
        if stop.trials < self.trials.end {
            return Err(RolloutError::FewerTrials {
                trials: stop.trials,
                played: self.trials.end,
            });
        }
        let trials = self.specification.stop.trials;
        let changed = self.changed(|specification| specification.stop = stop)?;
        if !changed.trials.is_empty() && stop.trials != trials {
            // The rounds of halving, and the games of a shard, are made for a number of trials.
            if changed.specification.allocation == Allocation::Halving {
                return Err(RolloutError::HalvingIsFixed { trials });
            }
            if changed.specification.shard.is_some() {
                return Err(RolloutError::ShardTrials {
                    trials,
                    asked: stop.trials,
                });
            }
        }
        Ok(changed)
    }

    /// Divides the games otherwise among the candidates.
    ///
    /// # Errors
    /// [`RolloutError::AlreadyPlayed`] if games have been played; [`RolloutError`] if there is one candidate only, a
    /// race has no bound above 0, or the rollout is a shard.
    pub fn allocated(self, allocation: Allocation) -> Result<Rollout, RolloutError> {
        if allocation == self.specification.allocation {
            return Ok(self);
        }
        self.changed_before_play(|specification| specification.allocation = allocation)
    }

    /// The part of a rollout that one of several machines plays; [`Rollout::merge`] puts the parts together.
    ///
    /// # Errors
    /// [`RolloutError`] if games have been played, the rollout ends by other rules than the number of trials,
    /// or has too few of them.
    pub fn with_shard(self, shard: Shard) -> Result<Rollout, RolloutError> {
        self.changed_before_play(|specification| specification.shard = Some(shard))
    }

    /// The result of the trials so far. It is worked out once and kept until more are played.
    #[must_use]
    pub fn summary(&self) -> &Summary {
        let summary = || Summary::new(&self.specification.candidates, &self.rounds, self.elapsed);
        self.summary.get_or_init(summary)
    }

    /// The difference between two candidates, given by their indices, over the trials in which both were played.
    ///
    /// # Panics
    /// If there is no candidate of an index, or both are the same.
    #[must_use]
    pub fn difference(&self, candidate: usize, other: usize) -> Difference {
        let count = self.specification.candidates.len();
        assert!(
            candidate < count && other < count && candidate != other,
            "candidates {candidate} and {other} of {count} are not a pair"
        );
        Difference::new(&self.rounds, &self.specification.candidates, candidate, other)
    }

    /// The difference of every pair of candidates: of each less every later one, in the order of the
    /// [`Summary::standings`].
    pub fn differences(&self) -> impl Iterator<Item = Difference> {
        let standings = &self.summary().standings;
        standings.iter().enumerate().flat_map(move |(rank, result)| {
            let later = standings[rank + 1..].iter();
            later.map(|other| self.difference(result.candidate, other.candidate))
        })
    }

    /// The games played, of all candidates together.
    #[must_use]
    pub fn total_games(&self) -> u64 {
        let rounds = self.rounds.as_slice().iter();
        let rounds = rounds.zip(self.rounds.trials(self.trials.end));
        rounds
            .map(|(round, trials)| (trials.end - trials.start) * round.candidates.len() as u64)
            .sum()
    }

    /// Whether all of the trials have been played.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.trials.end >= self.specification.trials().end
    }

    /// The position, seen by the player on roll.
    #[must_use]
    pub fn position(&self) -> &Board {
        &self.specification.position
    }

    /// The roll whose plays are compared.
    #[must_use]
    pub fn roll(&self) -> Option<Roll> {
        self.specification.roll
    }

    /// What decides the values.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.specification.settings
    }

    /// What is compared; one candidate where the position itself is rolled out.
    #[must_use]
    pub fn candidates(&self) -> &[Candidate] {
        &self.specification.candidates
    }

    /// The plays of the roll that are not candidates; 0 where the position itself is rolled out.
    #[must_use]
    pub fn left_out(&self) -> usize {
        let Specification {
            position,
            roll,
            settings,
            ..
        } = &self.specification;
        let plays = roll.map_or(1, |roll| Plays::under(position, roll, settings.rules).len());
        plays.saturating_sub(self.specification.candidates.len())
    }

    /// The players that pick the plays.
    #[must_use]
    pub fn players(&self) -> &Players {
        &self.specification.players
    }

    /// The evaluator of games that are cut off.
    #[must_use]
    pub fn evaluator(&self) -> Option<&Arc<dyn Evaluator>> {
        self.specification.evaluator.as_ref()
    }

    /// The evaluator that measures luck for variance reduction.
    #[must_use]
    pub fn luck(&self) -> Option<&Arc<dyn Evaluator>> {
        self.specification.luck.as_ref().map(Luck::evaluator)
    }

    /// The positions where games end, since both players know the same values of them.
    #[must_use]
    pub fn known_values(&self) -> Option<Arc<dyn KnownValues>> {
        self.specification.known_values().cloned()
    }

    /// The cube with which the games are played, as the player on roll sees it.
    #[must_use]
    pub fn cube(&self) -> Option<&CubeInPlay> {
        Some(&self.specification.cube.as_ref()?.in_play)
    }

    /// How its games are divided among the candidates.
    #[must_use]
    pub fn allocation(&self) -> Allocation {
        self.specification.allocation
    }

    /// When it ends.
    #[must_use]
    pub fn stop(&self) -> &Stop {
        &self.specification.stop
    }

    /// Which part of a rollout it is.
    #[must_use]
    pub fn shard(&self) -> Option<Shard> {
        self.specification.shard
    }

    /// The trials played, by number: each is a game of every candidate that was not dropped before it.
    #[must_use]
    pub fn trials(&self) -> Range<u64> {
        self.trials.clone()
    }

    /// Time of playing, over all sessions; of merged rollouts the sum.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.elapsed
    }
}
