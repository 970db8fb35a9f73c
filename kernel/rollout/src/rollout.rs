//! A rollout: its checked request, and the trials that were played.

use core::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tavli_backgammon::evaluators::{Evaluator, KnownValues};
use tavli_backgammon::policies::PolicyPair;
use tavli_backgammon::{Board, NO_STOP, Position, Roll, Stopped, Tier};
use tavli_cube::CubeInPlay;
use tavli_file::saved_parts::MergeError;
use tavli_file::{Existing, FileError, Target};
use tavli_players::{Luck, named};
use tavli_trials::{
    Allocation, Decision, EndReason, EndRules, EndRulesRequest, MAX_CANDIDATES, MAX_TRIALS, Plan, PlayTrials, Ranking,
    ResumableRollout, Shard,
    sessions::{NextStep, decide_next},
};
use thiserror::Error;

use crate::ask::candidate::Candidate;
use crate::ask::checked_request::CheckedRequest;
use crate::ask::cube::CubeChoice;
use crate::ask::error::RolloutError;
use crate::ask::playout_settings::PlayoutSettings;
use crate::ask::request::RolloutRequest;
use crate::estimate::counts::RolloutCounts;
use crate::estimate::cube_decision::CubeDecision;
use crate::estimate::difference::Difference;
use crate::estimate::summary::{CandidateResult, Summary};
use crate::play::played_trials::PlayedTrials;
use crate::play::trial_runner::TrialRunner;
use crate::store::merge::merge;
use crate::store::record::{self, LoadError, RolloutRecordError, SuppliedPlayers};

/// Why [`Rollout::add_trials`](crate::Rollout::add_trials) refuses trials or their numbers.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum AddTrialsError {
    /// Its trials do not follow those that are counted, or pass the last one to be played.
    #[error("trials {trials:?} were given, but {next:?} come next: add all chunks once, in the order of their trials")]
    Order {
        /// The trials that come next.
        next: Range<u64>,
        /// The trials of the chunk.
        trials: Range<u64>,
    },
    /// It has another number of counts.
    #[error("{found} numbers were given, and a chunk of this rollout has {expected}: add chunks of the same rollout")]
    Length {
        /// The numbers of a chunk.
        expected: usize,
        /// The numbers of the chunk that was given.
        found: usize,
    },
}

/// Many games from a position, or from each candidate play of a roll: the checked request, and the trials played so
/// far.
///
/// A [`RolloutRequest`] makes one. The rules that end it may change at any time ([`Rollout::until`]); the allocation of
/// its games ([`Rollout::allocated`]) and its shard ([`Rollout::with_shard`]) only before the first trial.
#[derive(Clone, Debug)]
pub struct Rollout {
    pub(crate) checked: CheckedRequest,
    pub(crate) played: PlayedTrials,
}

/// How far a rollout is, for its listener about ten times a second. [`Rollout::summary`] is its interim result, worked
/// out only if it is asked for.
pub type RolloutProgress<'a, R = Rollout> = tavli_trials::SessionProgress<'a, R>;

// Here, not next to the type: `ask` does not import `play`.
impl RolloutRequest {
    /// The rollout of a position.
    ///
    /// # Errors
    /// [`RolloutError`] names the part that is wrong.
    pub fn rollout(&self, position: &Position) -> Result<Rollout, RolloutError> {
        let end_rules = self.end_rules.resolve(self.allocation)?;
        let mut checked = self.checked(position, end_rules)?;
        self.rank_candidates(&mut checked)?;
        Ok(Rollout::begin(checked))
    }

    /// The rollout of one position of many: a single candidate leaves out the rules that compare candidates.
    ///
    /// # Errors
    /// As [`RolloutRequest::rollout`].
    pub fn rollout_of_many(&self, position: &Position) -> Result<Rollout, RolloutError> {
        match self.rollout(position) {
            Err(RolloutError::NothingToCompare | RolloutError::CubeDecision) => {
                let request = RolloutRequest {
                    allocation: Allocation::Even,
                    end_rules: EndRulesRequest { jsd: None, ..self.end_rules },
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
    pub const MAX_TRIALS: u64 = MAX_TRIALS;
    /// The most candidates of a rollout.
    pub const MAX_CANDIDATES: usize = MAX_CANDIDATES;

    /// A rollout before its first trial, by a request that was checked.
    fn begin(checked: CheckedRequest) -> Rollout {
        let played = PlayedTrials::none(&checked);
        Rollout { checked, played }
    }

    /// This rollout with a change of its request.
    fn changed(mut self, change: impl FnOnce(&mut CheckedRequest)) -> Result<Rollout, RolloutError> {
        change(&mut self.checked);
        self.checked.check()?;
        if self.played.is_empty() {
            // The first trial depends on the shard. The time of sessions without a trial counts for a rule on time.
            let elapsed = self.played.elapsed();
            self = Rollout::begin(self.checked);
            self.played.set_elapsed(elapsed);
        }
        Ok(self)
    }

    /// This rollout with a change that is refused after its first trial.
    fn changed_before_play(self, change: impl FnOnce(&mut CheckedRequest)) -> Result<Rollout, RolloutError> {
        if !self.played.is_empty() {
            return Err(RolloutError::AlreadyPlayed);
        }
        self.changed(change)
    }

    /// Replaces the rules that end the rollout. A larger number of trials extends it.
    ///
    /// # Errors
    /// [`RolloutError`] if a rule cannot be satisfied, more trials have been played, or a shard would end by
    /// itself.
    pub fn until(self, end_rules: EndRules) -> Result<Rollout, RolloutError> {
        let Plan { end_rules: before, allocation, .. } = self.checked.plan;
        let plan = self.checked.plan.until(end_rules, &self.played.range())?;
        let changed = self.changed(|checked| checked.plan = plan)?;
        // The rounds of halving are made for a number of trials.
        let is_halved = allocation == Allocation::Halving && !changed.played.is_empty();
        match is_halved && end_rules.trials != before.trials {
            true => Err(RolloutError::HalvingIsFixed { trials: before.trials }),
            false => Ok(changed),
        }
    }

    /// Changes how the games are divided among the candidates.
    ///
    /// # Errors
    /// [`RolloutError::AlreadyPlayed`] if games have been played; [`RolloutError`] if there is only one candidate, a
    /// race has no bound above 0, or the rollout is a shard.
    pub fn allocated(self, allocation: Allocation) -> Result<Rollout, RolloutError> {
        if allocation == self.checked.plan.allocation {
            return Ok(self);
        }
        self.changed_before_play(|checked| checked.plan.allocation = allocation)
    }

    /// The shard of a rollout, which one of several machines plays; [`Rollout::merge`] puts the shards together.
    ///
    /// # Errors
    /// [`RolloutError`] if games have been played, the rollout ends by other rules than the number of trials,
    /// or has too few of them.
    pub fn with_shard(self, shard: Shard) -> Result<Rollout, RolloutError> {
        self.changed_before_play(|checked| checked.plan.shard = Some(shard))
    }

    /// The result of the trials so far. It is worked out once and kept until more are played.
    #[must_use]
    pub fn summary(&self) -> &Summary {
        self.played.summary(&self.checked)
    }

    /// The difference between two candidates, given by their indices, over the trials in which both were played.
    ///
    /// # Panics
    /// If an index has no candidate, or both are the same.
    #[must_use]
    pub fn difference(&self, candidate: usize, other: usize) -> Difference {
        let count = self.checked.candidates.len();
        assert!(
            candidate < count && other < count && candidate != other,
            "candidates {candidate} and {other} of {count} are not a pair"
        );
        Difference::new(self.played.rounds(), &self.checked.candidates, candidate, other)
    }

    /// The difference of every pair of candidates, each minus every later one, in the order of the
    /// [`Summary::standings`].
    pub fn differences(&self) -> impl Iterator<Item = Difference> {
        let standings = &self.summary().standings;
        standings.iter().enumerate().flat_map(move |(rank, result)| {
            let later = standings[rank + 1..].iter();
            later.map(|other| self.difference(result.candidate, other.candidate))
        })
    }

    /// The decision by the trials so far: which play, and how sure. `None` without a race of [fixed
    /// confidence](Allocation::FixedConfidence).
    #[must_use]
    pub fn decision(&self) -> Option<Decision> {
        let Allocation::FixedConfidence { percent, within } = self.checked.plan.allocation else {
            return None;
        };
        let decision = self.summary().ranking().decision(percent, within);
        let best = self.summary().best();
        let has_luck = self.checked.luck.is_some();
        let games = || self.played.rounds().whole_games(best.candidate, best.equity.error());
        let equivalent_games = has_luck.then(games).flatten();
        Some(Decision { left_out: self.checked.left_out(), equivalent_games, ..decision })
    }

    /// The decision about doubling by the trials so far; `None` without a cube, with a roll, and before the first
    /// trial.
    #[must_use]
    pub fn cube_decision(&self) -> Option<CubeDecision> {
        CubeDecision::new(&self.checked, self.summary())
    }

    /// The games played, of all candidates together.
    #[must_use]
    pub fn total_games(&self) -> u64 {
        self.played.games()
    }

    /// Whether all of the trials have been played.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.checked.plan.is_complete(&self.played.range())
    }

    /// The next trials, up to the next look at the errors, or why the rollout has ended. At a look it drops the
    /// candidates that are too far behind. A rule on time does not apply here: the program that plays the chunks has
    /// the clock.
    ///
    /// ```
    /// use tavli_backgammon::policies::PolicyPair;
    /// use tavli_rollout::{EndReason, RolloutRequest};
    /// use tavli_backgammon::{NO_STOP, Tier};
    ///
    /// let request = RolloutRequest { players: Some(PolicyPair::default()), ..RolloutRequest::default() };
    /// let mut rollout = request.rollout(&"4HPwATDgc/ABMA".parse()?)?;
    /// let end = loop {
    ///     let next = match rollout.next_trials() {
    ///         Ok(next) => next,
    ///         Err(reason) => break reason,
    ///     };
    ///     // Any process may count a chunk in a rollout of the same request, if it keeps the same candidates.
    ///     let chunk = next.start..next.end.min(next.start + 10_000);
    ///     let counts = rollout.count_trials(chunk.clone(), Tier::best(), NO_STOP)?;
    ///     rollout.add_trials(chunk, &counts)?;
    /// };
    /// assert_eq!(end, EndReason::Trials);
    /// assert_eq!(rollout.summary().trials, 46_656);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The [`EndReason`].
    pub fn next_trials(&mut self) -> Result<Range<u64>, EndReason> {
        match decide_next(self, None).step {
            NextStep::Play { until } => Ok(self.played.next_trial()..until),
            NextStep::End(reason) => Err(reason),
        }
    }

    /// The candidates that are still played, by their indices in the request.
    #[must_use]
    pub fn playing(&self) -> &[usize] {
        self.played.rounds().playing()
    }

    /// Goes on only with the candidates, by their indices, for which `is_played` returns `true`. A rollout that only
    /// counts trials must keep the candidates that the collecting rollout [plays](Rollout::playing).
    pub fn keep_candidates(&mut self, is_played: impl Fn(usize) -> bool) {
        let playing = self.playing().iter().copied();
        let left = playing.filter(|&index| is_played(index)).collect();
        self.played.keep_candidates(left);
    }

    /// Plays some trials of the candidates that are still played, and returns their counts: numbers for
    /// [`Rollout::add_trials`], modulo 2^64. They depend on the request, these candidates and the trials alone.
    ///
    /// # Errors
    /// [`Stopped`] if `stop`, which is asked every few microseconds, returns `true`.
    ///
    /// # Panics
    /// If this CPU lacks the tier.
    pub fn count_trials(&self, trials: Range<u64>, tier: Tier, stop: &dyn Fn() -> bool) -> Result<Vec<u64>, Stopped> {
        let counts = self.runner(tier).play(trials, stop);
        Ok(counts.ok_or(Stopped)?.numbers())
    }

    /// Adds the next trials. `numbers` are their counts by [`Rollout::count_trials`], from a rollout of the same
    /// request that [keeps](Rollout::keep_candidates) the same candidates.
    ///
    /// # Errors
    /// [`AddTrialsError`] if the trials do not come next, or the numbers are from another rollout; nothing is added
    /// then.
    pub fn add_trials(&mut self, trials: Range<u64>, numbers: &[u64]) -> Result<(), AddTrialsError> {
        let first = self.played.next_trial();
        let until = match decide_next(self, None).step {
            NextStep::Play { until } => until,
            NextStep::End(_) => first,
        };
        if trials.start != first || trials.is_empty() || trials.end > until {
            return Err(AddTrialsError::Order { next: first..until, trials });
        }
        // After the step is decided: a look may drop candidates, and the numbers count only the others.
        let rounds = self.played.rounds();
        let (counted_values, candidates) = (rounds.counted_values(), rounds.playing().len());
        let expected = RolloutCounts::new(counted_values, candidates).numbers().len();
        if numbers.len() != expected {
            return Err(AddTrialsError::Length { expected, found: numbers.len() });
        }
        let counts = RolloutCounts::from_numbers(counted_values, candidates, numbers);
        self.played.add(&counts, trials.end);
        Ok(())
    }

    /// Plays all trials that come next in this thread, and returns the rule that ended the rollout. A rule on time does
    /// not hold here.
    ///
    /// ```
    /// use tavli_backgammon::policies::PolicyPair;
    /// use tavli_backgammon::{NO_STOP, Tier};
    /// use tavli_rollout::{EndReason, RolloutRequest};
    ///
    /// let request = RolloutRequest { players: Some(PolicyPair::default()), ..RolloutRequest::default() };
    /// let mut rollout = request.rollout(&"4HPwATDgc/ABMA".parse()?)?;
    /// assert_eq!(rollout.play_here(Tier::best(), NO_STOP)?, EndReason::Trials);
    /// assert_eq!(rollout.summary().trials, 46_656);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`Stopped`] if `stop`, which is asked every few microseconds, returned `true` before.
    ///
    /// # Panics
    /// If this CPU lacks the tier.
    pub fn play_here(&mut self, tier: Tier, stop: &dyn Fn() -> bool) -> Result<EndReason, Stopped> {
        loop {
            let trials = match self.next_trials() {
                Ok(trials) => trials,
                Err(reason) => return Ok(reason),
            };
            let counts = self.runner(tier).play(trials.clone(), stop);
            let counts = counts.ok_or(Stopped)?;
            self.played.add(&counts, trials.end);
        }
    }

    /// The rollout as JSON on one line. [`Rollout::from_json`] makes it again.
    #[must_use]
    pub fn to_json(&self) -> String {
        record::to_json(&self.checked, &self.played)
    }

    /// A rollout by [named](tavli_players::named) policies from its JSON.
    ///
    /// # Errors
    /// [`RolloutRecordError`] if the text is not such a record, or is damaged, of another version, or played with other
    /// values.
    pub fn from_json(text: &str) -> Result<Rollout, RolloutRecordError> {
        Rollout::from_json_with(text, SuppliedPlayers::default(), NO_STOP)
    }

    /// A rollout by players or evaluators of one's own from its JSON. `stop` is called every so often while the
    /// bear-off table of a player is solved, as by [`named::player`](tavli_players::named::player).
    ///
    /// # Errors
    /// As [`Rollout::from_json`], or if players or evaluators of other names than the supplied ones played it;
    /// [`RolloutRecordError::Stopped`] if `stop` returned true.
    pub fn from_json_with(
        text: &str,
        supplied: SuppliedPlayers,
        stop: &dyn Fn() -> bool,
    ) -> Result<Rollout, RolloutRecordError> {
        let (checked, played) = record::from_json(text, supplied, stop)?;
        Ok(Rollout { checked, played })
    }

    /// Saves the rollout, replacing the file as a whole: a reader finds the old contents or the new.
    ///
    /// # Errors
    /// [`FileError`] if the file or its folder cannot be written, or another process writes it.
    pub fn save(&self, path: &Path) -> Result<(), FileError> {
        self.save_to(&Target::open(path, Existing::Replace)?)
    }

    /// A saved rollout by [named](tavli_players::named) policies.
    ///
    /// # Errors
    /// [`LoadError`] if the file cannot be read, or [`Rollout::from_json`] refuses it.
    pub fn load(path: &Path) -> Result<Rollout, LoadError> {
        tavli_file::record::load(path, Rollout::from_json)
    }

    /// Puts the shards of a rollout together, in any order. They must hold each of its trials once. The result equals
    /// the rollout played as a whole, except for the time, which is the sum.
    ///
    /// # Errors
    /// [`MergeError`] names the first conflict.
    pub fn merge(parts: &[Rollout]) -> Result<Rollout, MergeError> {
        let parts: Vec<_> = parts.iter().map(|part| (&part.checked, &part.played)).collect();
        let (checked, played) = merge(&parts)?;
        Ok(Rollout { checked, played })
    }

    /// The position, seen by the player on roll.
    #[must_use]
    pub fn position(&self) -> &Board {
        &self.checked.position
    }

    /// The roll whose plays are compared.
    #[must_use]
    pub fn roll(&self) -> Option<Roll> {
        self.checked.roll
    }

    /// The settings on which the values depend.
    #[must_use]
    pub fn settings(&self) -> &PlayoutSettings {
        &self.checked.settings
    }

    /// The candidates; a single one where the position itself is rolled out.
    #[must_use]
    pub fn candidates(&self) -> &[Candidate] {
        &self.checked.candidates
    }

    /// Whether the candidates are plays that the request named.
    #[must_use]
    pub fn has_named_plays(&self) -> bool {
        self.checked.has_named_plays
    }

    /// How many plays of the roll a filter left out; 0 where the position itself is rolled out, and where plays were
    /// [named](Rollout::has_named_plays).
    #[must_use]
    pub fn left_out(&self) -> usize {
        self.checked.left_out()
    }

    /// The players that pick the plays.
    #[must_use]
    pub fn players(&self) -> &PolicyPair {
        &self.checked.players
    }

    /// The evaluator of games that are cut off.
    #[must_use]
    pub fn evaluator(&self) -> Option<&Arc<dyn Evaluator>> {
        self.checked.evaluator.as_ref()
    }

    /// The evaluator that measures luck for variance reduction.
    #[must_use]
    pub fn luck(&self) -> Option<&Arc<dyn Evaluator>> {
        self.checked.luck.as_ref().map(Luck::evaluator)
    }

    /// A remark for people, if a net that decides something here [has not learned](named::remark_on_values) the rules:
    /// the evaluator of cut-off games, a player that handles the cube, or the evaluator of a filter that left out
    /// plays.
    #[must_use]
    pub fn remark(&self) -> Option<String> {
        let of_values = self.settings().remark_on(self.evaluator().map(|evaluator| &**evaluator));
        let deciders = self.cube().into_iter().flat_map(|_| self.players().names());
        let filter = self.checked.filtered_by.as_ref().filter(|_| self.left_out() > 0);
        let mut names = deciders.chain(filter.map(|by| by.name()));
        of_values.or_else(|| names.find_map(|name| named::remark_on_values(name, self.settings().rules)))
    }

    /// The positions where games end, since both players know the same values for them.
    #[must_use]
    pub fn known_values(&self) -> Option<Arc<dyn KnownValues>> {
        self.checked.known_values().cloned()
    }

    /// The cube that the games are played with, as the player on roll sees it.
    #[must_use]
    pub fn cube(&self) -> Option<&CubeInPlay> {
        Some(&self.checked.cube.as_ref()?.in_play)
    }

    /// How many games of a candidate were cut off and have no value, so that they count neither as won nor as lost.
    #[must_use]
    pub fn games_without_value(&self, result: &CandidateResult) -> u64 {
        // With a cube every cut-off game has a value: the check refuses a truncation without an evaluator.
        let is_valued = self.evaluator().is_some() || self.known_values().is_some() || self.cube().is_some();
        if is_valued { 0 } else { result.unfinished }
    }

    /// How its games are divided among the candidates.
    #[must_use]
    pub fn allocation(&self) -> Allocation {
        self.checked.plan.allocation
    }

    /// When it ends.
    #[must_use]
    pub fn end_rules(&self) -> &EndRules {
        &self.checked.plan.end_rules
    }

    /// Which shard of a rollout it is; `None` for a whole rollout.
    #[must_use]
    pub fn shard(&self) -> Option<Shard> {
        self.checked.plan.shard
    }

    /// The trials played, by number: each is a game of every candidate that was not dropped before it.
    #[must_use]
    pub fn trials(&self) -> Range<u64> {
        self.played.range()
    }

    /// Time of playing, over all sessions; for merged rollouts the sum.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.played.elapsed()
    }
}

impl ResumableRollout for Rollout {
    type Runner = TrialRunner;

    fn plan(&self) -> &Plan {
        &self.checked.plan
    }

    fn trials(&self) -> Range<u64> {
        self.played.range()
    }

    fn total_games(&self) -> u64 {
        self.played.games()
    }

    fn elapsed(&self) -> Duration {
        self.played.elapsed()
    }

    fn set_elapsed(&mut self, elapsed: Duration) {
        self.played.set_elapsed(elapsed);
    }

    fn candidate_count(&self) -> usize {
        self.checked.candidates.len()
    }

    fn candidate_name(&self, candidate: usize) -> Option<String> {
        let candidate = &self.checked.candidates[candidate];
        match candidate.cube_choice() {
            Some(CubeChoice::NoDouble) => Some("no double".to_owned()),
            Some(CubeChoice::DoubleTake) => Some("double, take".to_owned()),
            None => candidate.moves.as_ref().map(ToString::to_string),
        }
    }

    fn ranking(&self) -> Ranking {
        self.summary().ranking()
    }

    fn keep(&mut self, candidates: Vec<usize>) {
        self.played.keep_candidates(candidates);
    }

    fn runner(&self, tier: Tier) -> TrialRunner {
        TrialRunner::new(&self.checked, &self.played, tier)
    }

    fn add(&mut self, counts: &RolloutCounts, until: u64) {
        self.played.add(counts, until);
    }

    fn to_json(&self) -> String {
        Rollout::to_json(self)
    }
}
