//! The looks of a rollout at its counts: when they are, whether it ends, and which candidates go on.

use crate::ask::allocation::Allocation;
use crate::ask::end_rules::{EndReason, EndRules};
use crate::ask::limits::TRIALS_PER_BLOCK;
use crate::ask::plan::Plan;
use crate::estimate::confidence;
use crate::estimate::decision::{Ranking, Verdict};
use crate::sessions::resumable_rollout::ResumableRollout;

impl EndRules {
    /// The number of trials, above `trials`, at which the errors are looked at next. The first is 1,296, and each is an
    /// eighth higher than the one before, in whole blocks of 1,296. So a rollout ends by its errors after the same
    /// number of trials on every machine.
    #[must_use]
    pub fn next_error_look(trials: u64) -> u64 {
        let mut look = TRIALS_PER_BLOCK;
        while look <= trials {
            look += (look / 8 / TRIALS_PER_BLOCK).max(1) * TRIALS_PER_BLOCK;
        }
        look
    }

    /// The end rule on errors that a ranking satisfies under this allocation, if one does.
    fn satisfied(&self, ranking: &Ranking, allocation: Allocation) -> Option<EndReason> {
        if let Allocation::FixedConfidence { percent, within } = allocation
            && ranking.decision(percent, within).verdict != Verdict::Open
        {
            return Some(EndReason::Decided);
        }
        let errors = ranking.playing().map(|ranked| ranked.value.error());
        if self.standard_error.is_some_and(|bound| errors.fold(0.0, f64::max) <= bound) {
            return Some(EndReason::StandardError);
        }
        let mut others = ranking.playing().skip(1);
        let is_won = allocation.jsd_bound().is_some() && ranking.playing().nth(1).is_none();
        let is_clear = |bound| others.all(|ranked| ranked.is_behind(bound));
        (is_won || self.jsd.is_some_and(is_clear)).then_some(EndReason::Jsd)
    }

    /// Estimates the number of all trials: errors fall with its square root. A race ends when each candidate is far
    /// enough behind.
    fn expected_trials(&self, ranking: &Ranking, allocation: Allocation) -> f64 {
        let trials = ranking.trials() as f64;
        let errors = ranking.playing().map(|ranked| ranked.value.error());
        let by_error = self.standard_error.map(|bound| trials * (errors.fold(0.0, f64::max) / bound).powi(2));
        let closest = ranking.playing().skip(1).map(|ranked| ranked.behind.mean / ranked.behind.error());
        let bound = [self.jsd, allocation.jsd_bound()].into_iter().flatten().reduce(f64::min);
        let by_jsd = bound.map(|bound| trials * (bound / closest.fold(f64::INFINITY, f64::min)).powi(2));
        let by_confidence = match allocation {
            Allocation::FixedConfidence { percent, within } => {
                let bound = ranking.bound();
                let distance = bound.critical_value(1.0 - percent / 100.0);
                let others = ranking.playing().skip(1);
                let ratios = others.map(|other| distance * other.behind.error() / (other.behind.mean + within));
                Some(trials * ratios.fold(0.0, f64::max).powi(2))
            }
            Allocation::Even | Allocation::JsdRace { .. } | Allocation::Halving => None,
        };
        [by_error, by_jsd, by_confidence].into_iter().flatten().fold(self.trials as f64, f64::min).max(trials)
    }
}

impl Allocation {
    /// The number of trials, above `trials`, at which a race of fixed confidence is looked at next.
    fn next_confident_look(self, trials: u64) -> Option<u64> {
        matches!(self, Allocation::FixedConfidence { .. }).then(|| confidence::next_look(trials))
    }

    /// The number of trials, above `trials`, after which candidates are to be dropped by their rank, if there is one.
    fn next_halving(self, trials: u64, planned: u64, candidates: usize) -> Option<u64> {
        let rounds = self.rounds(candidates);
        (1..rounds).map(|round| end_of_round(round, rounds, planned)).find(|&end| end > trials)
    }

    /// The indices, ascending, of the candidates that stay after the trials of a ranking, of `planned` in all.
    fn playing(self, ranking: &Ranking, planned: u64) -> Vec<usize> {
        let playing = ranking.playing();
        let mut left: Vec<usize> = match self {
            Allocation::Even => playing.map(|ranked| ranked.candidate).collect(),
            Allocation::FixedConfidence { percent, .. } => ranking.not_worse(percent),
            Allocation::JsdRace { jsd } => playing
                .enumerate()
                .filter(|&(rank, ranked)| rank == 0 || !ranked.is_behind(jsd))
                .map(|(_, ranked)| ranked.candidate)
                .collect(),
            Allocation::Halving => {
                let candidates = ranking.candidates();
                let rounds = self.rounds(candidates);
                let ended =
                    (1..rounds).filter(|&round| end_of_round(round, rounds, planned) <= ranking.trials()).count();
                let most = candidates.div_ceil(1 << ended);
                playing.take(most).map(|ranked| ranked.candidate).collect()
            }
        };
        left.sort_unstable();
        left
    }

    /// The rounds of halving; 1 for every other allocation.
    fn rounds(self, candidates: usize) -> u32 {
        match self {
            Allocation::Halving => candidates.next_power_of_two().trailing_zeros().max(1),
            Allocation::Even | Allocation::FixedConfidence { .. } | Allocation::JsdRace { .. } => 1,
        }
    }
}

/// The number of trials, above `trials`, at which the counts decide the next step.
pub(crate) fn next_look(rollout: &impl ResumableRollout, trials: u64) -> Option<u64> {
    let Plan { end_rules, allocation, .. } = rollout.plan();
    let has_errors = end_rules.has_errors() || allocation.jsd_bound().is_some();
    let by_errors = has_errors.then(|| EndRules::next_error_look(trials));
    let halving = allocation.next_halving(trials, end_rules.trials, rollout.candidate_count());
    let confident = allocation.next_confident_look(trials);
    [by_errors, halving, confident].into_iter().flatten().min()
}

/// Looks at the counts, drops the candidates that are too far behind, and estimates the number of all trials.
///
/// # Errors
/// The rule on the counts that ends the rollout.
pub(crate) fn look(rollout: &mut impl ResumableRollout) -> Result<f64, EndReason> {
    let Plan { end_rules, allocation, .. } = *rollout.plan();
    let left = allocation.playing(&rollout.ranking(), end_rules.trials);
    rollout.keep(left);
    // A second ranking, since the rules hold for the candidates that are left.
    let ranking = rollout.ranking();
    match end_rules.satisfied(&ranking, allocation) {
        Some(reason) => Err(reason),
        None => Ok(end_rules.expected_trials(&ranking, allocation)),
    }
}

/// The number of trials after which a round ends, from 1 on.
fn end_of_round(round: u32, rounds: u32, trials: u64) -> u64 {
    // 2^56 trials times nearly 2^9, for 512 candidates, do not fit 64 bits.
    let share = u128::from(trials) * ((1 << round) - 1);
    let end = share.div_ceil((1 << rounds) - 1) as u64;
    // Shorter rounds keep their length: rounded up to a block, several of them would end at once.
    if end > TRIALS_PER_BLOCK { trials.min(end.next_multiple_of(TRIALS_PER_BLOCK)) } else { end }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_are_fixed() {
        let mut check = 0;
        for expected in (1..=16).chain([18, 20, 22, 24, 27, 30, 33]) {
            check = EndRules::next_error_look(check);
            assert_eq!(check, expected * TRIALS_PER_BLOCK);
            assert_eq!(EndRules::next_error_look(check - 1), check);
        }
    }

    /// The ends of rounds worked out by hand.
    #[test]
    fn rounds_of_halving_cost_as_much() {
        let ends = |candidates: usize, trials: u64| {
            let mut ends = Vec::new();
            let mut reached = 0;
            while let Some(end) = Allocation::Halving.next_halving(reached, trials, candidates) {
                ends.push(end);
                reached = end;
            }
            ends
        };
        assert_eq!(ends(16, 15 * 1296), [1296, 3 * 1296, 7 * 1296]);
        assert_eq!(ends(16, 1500), [100, 300, 700]);
        assert_eq!(ends(5, 70), [10, 30]);
        // Whole blocks: 46,656 / 7 is more than 5 of them.
        assert_eq!(ends(8, 46_656), [6 * 1296, 16 * 1296]);
        // With less than a game for a round, several end at once.
        assert_eq!(ends(16, 1), [1]);
        assert_eq!(ends(2, 1000), [0; 0]);
        assert_eq!(ends(1, 1000), [0; 0]);
        assert_eq!(Allocation::DEFAULT_RACE.next_halving(0, 46_656, 8), None, "a race has no rounds");
    }
}
