//! The trials of a rollout that have been played, with their counts.

use core::ops::Range;
use std::sync::OnceLock;
use std::time::Duration;

use crate::ask::checked_request::CheckedRequest;
use crate::estimate::counts::{CountedValues, RolloutCounts};
use crate::estimate::rounds::RolloutRounds;
use crate::estimate::strata::Strata;
use crate::estimate::summary::Summary;

/// The trials that were played, their counts, and the result of the counts.
#[derive(Clone, Debug)]
pub(crate) struct PlayedTrials {
    /// The trials, by number.
    range: Range<u64>,
    rounds: RolloutRounds,
    /// Time of playing, over all sessions; for merged rollouts the sum.
    elapsed: Duration,
    /// Worked out when it is first asked for, and kept until more trials are played.
    summary: OnceLock<Summary>,
}

impl PlayedTrials {
    /// No trials yet; the first one will be the first of the request.
    pub(crate) fn none(checked: &CheckedRequest) -> PlayedTrials {
        let none = checked.plan.no_trials();
        let mut rounds = RolloutRounds::new(PlayedTrials::counted_values(checked), checked.candidates.len());
        rounds.start_at(none.start);
        PlayedTrials::new(none, rounds, Duration::ZERO)
    }

    pub(crate) fn counted_values(checked: &CheckedRequest) -> CountedValues {
        CountedValues { strata: Strata::new(&checked.settings), value_kinds: checked.evaluators().value_kinds() }
    }

    pub(crate) fn new(range: Range<u64>, rounds: RolloutRounds, elapsed: Duration) -> PlayedTrials {
        PlayedTrials { range, rounds, elapsed, summary: OnceLock::new() }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.range.is_empty()
    }

    /// The trials, by number.
    pub(crate) fn range(&self) -> Range<u64> {
        self.range.clone()
    }

    /// The number of the trial that comes next.
    pub(crate) fn next_trial(&self) -> u64 {
        self.range.end
    }

    pub(crate) fn rounds(&self) -> &RolloutRounds {
        &self.rounds
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.elapsed
    }

    /// The games, of all candidates together.
    pub(crate) fn games(&self) -> u64 {
        let rounds = self.rounds.as_slice().iter();
        let rounds = rounds.zip(self.rounds.trials(self.range.end));
        rounds.map(|(round, trials)| (trials.end - trials.start) * round.candidates.len() as u64).sum()
    }

    /// The result. The trials were played by the `checked` request.
    pub(crate) fn summary(&self, checked: &CheckedRequest) -> &Summary {
        let CheckedRequest { candidates, ranking, .. } = checked;
        let summary = || Summary::new(candidates, ranking, &self.rounds, self.elapsed);
        self.summary.get_or_init(summary)
    }

    /// Adds the counts of the trials before number `until`.
    pub(crate) fn add(&mut self, counts: &RolloutCounts, until: u64) {
        self.rounds.add(counts);
        self.range.end = until;
        self.summary = OnceLock::new();
    }

    /// Notes that the trials before number `until` have been played. Their counts are [added](PlayedTrials::add) later.
    pub(crate) fn advance_to(&mut self, until: u64) {
        self.range.end = until;
    }

    /// Plays only these candidates from the next trial on, if they are fewer than before.
    pub(crate) fn keep_candidates(&mut self, candidates: Vec<usize>) {
        // Candidates only leave, so the same number means the same candidates.
        if candidates.len() < self.rounds.playing().len() {
            self.rounds.begin(candidates, self.range.end);
            self.summary = OnceLock::new();
        }
    }

    pub(crate) fn set_rounds(&mut self, rounds: RolloutRounds) {
        self.rounds = rounds;
        self.summary = OnceLock::new();
    }

    pub(crate) fn set_elapsed(&mut self, elapsed: Duration) {
        self.elapsed = elapsed;
        // The time changes no statistic, so the summary need not be computed again.
        if let Some(summary) = self.summary.get_mut() {
            summary.elapsed = elapsed;
        }
    }
}
