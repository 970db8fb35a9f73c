//! Decisions whose plays have known values, shared by workers.

use std::sync::Arc;

use tavli::named::NamedError;
use tavli::playout::Throw;
use tavli::rollout::{Allocation, PlayoutSettings, Rollout, RolloutError, RolloutRequest, Verdict};
use tavli::run::{Cancel, thread_cpu_time};
use tavli::stepping::RollBatch;
use tavli::{Board, Position, RuleSet, Side, Tier};

use super::error::CaseError;
use crate::recipe::Chooser;
use crate::record::Decided;
use crate::stored_decisions::{StoredDecision, StoredPlay};

/// Decisions, and how plays are chosen in them.
#[derive(Clone, Debug)]
pub(super) struct Choices {
    pub(super) decisions: Arc<Vec<StoredDecision>>,
    chooser: Chooser,
    /// The request for rollouts; each decision sets its roll.
    request: RolloutRequest,
    tier: Tier,
    /// The number of workers that share the decisions.
    workers: usize,
    cancel: Cancel,
}

/// The play chosen in a decision. A workload always chooses the same play, on every tier and with any number of
/// workers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct PickedPlay {
    /// The position after the play.
    pub(super) after: Board,
    /// The games that were played.
    pub(super) games: u64,
    /// Whether the trials ended before it was sure that no play is better by more than the points of `within`.
    pub(super) is_open: bool,
}

impl Choices {
    /// The work of choosing plays in `number` of the stored decisions, taken evenly. Each decision is checked here, so
    /// that rollouts cannot fail later.
    ///
    /// # Errors
    /// [`CaseError`] if the players are not in this build, the work was cancelled, or a decision cannot be rolled
    /// out.
    pub(super) fn new(
        (number, chooser): (usize, &Chooser),
        (seed, tier): (u64, Tier),
        workers: usize,
        cancel: &Cancel,
    ) -> Result<Choices, CaseError> {
        let request = RolloutRequest::decision(RuleSet::Backgammon, &|| cancel.is_cancelled())?;
        let settings = PlayoutSettings { seed, ..request.settings };
        let allocation = match (chooser, request.allocation) {
            (Chooser::Rollouts { within: Some(within) }, Allocation::FixedConfidence { percent, .. }) => {
                Allocation::FixedConfidence { percent, within: *within }
            }
            (_, allocation) => allocation,
        };
        let choices = Choices {
            decisions: Arc::new(StoredDecision::some(number)),
            chooser: chooser.clone(),
            request: RolloutRequest { settings, allocation, ..request },
            tier,
            workers,
            cancel: cancel.clone(),
        };
        for decision in choices.decisions.iter() {
            // All of them take a second on a busy machine: each values its plays.
            if cancel.is_cancelled() {
                return Err(NamedError::Stopped.into());
            }
            choices.rollout(decision)?;
        }
        Ok(choices)
    }

    /// Worker `worker` decides its share of the first `number` decisions, by turns, `rounds` times each. Each choice
    /// has its mean processor time in seconds; the list is shorter if the work was cancelled.
    pub(super) fn run(&self, worker: usize, number: usize, rounds: u64) -> Vec<(PickedPlay, Option<f64>)> {
        let decisions = self.decisions[..number].iter().skip(worker).step_by(self.workers);
        let choices = decisions.map_while(|decision| {
            let before = thread_cpu_time();
            let mut choice = self.choose(decision)?;
            for _ in 1..rounds {
                choice = (!self.cancel.is_cancelled()).then(|| self.choose(decision))??;
            }
            let time = thread_cpu_time().zip(before);
            let seconds = time.map(|(after, before)| (after - before).as_secs_f64() / rounds as f64);
            Some((choice, seconds))
        });
        choices.collect()
    }

    /// These decisions with a single worker: the results that a recipe expects do not depend on the workers.
    pub(super) fn for_one_worker(self) -> Choices {
        Choices { workers: 1, ..self }
    }

    /// The record of choices in all decisions: how far the stored values put each play behind the best.
    pub(super) fn decided(&self, chosen: &[PickedPlay]) -> Decided {
        let plays = self.decisions.iter().zip(chosen);
        let plays: Vec<&StoredPlay> = plays.map(|(decision, choice)| decision.play_to(&choice.after)).collect();
        Decided {
            way: self.chooser.name(),
            games: chosen.iter().map(|choice| choice.games).sum(),
            open: chosen.iter().filter(|choice| choice.is_open).count(),
            behind: plays.iter().map(|play| play.behind).collect(),
            errors: plays.iter().map(|play| play.error).collect(),
        }
    }

    fn choose(&self, decision: &StoredDecision) -> Option<PickedPlay> {
        match &self.chooser {
            Chooser::Player(players) => {
                let mut decisions = RollBatch::new(RuleSet::Backgammon).with_tier(self.tier);
                let throw = Throw { roll: decision.roll, fraction: 0 };
                let pushed = decisions.push(&decision.board, throw);
                pushed.expect("no stored game is over");
                let policy = players.policy(Side::OnRoll);
                let made = policy.play(&mut decisions, &|| self.cancel.is_cancelled()).ok()?;
                Some(PickedPlay { after: Board::from(made[0]), games: 0, is_open: false })
            }
            Chooser::Rollouts { .. } => {
                let rollout = self.rollout(decision).expect("it was checked");
                self.play(rollout)
            }
        }
    }

    fn rollout(&self, decision: &StoredDecision) -> Result<Rollout, RolloutError> {
        let request = RolloutRequest { roll: Some(decision.roll), ..self.request.clone() };
        request.rollout(&Position::from(decision.board))
    }

    /// Plays a rollout to its end in this thread.
    fn play(&self, mut rollout: Rollout) -> Option<PickedPlay> {
        rollout.play_here(self.tier, &|| self.cancel.is_cancelled()).ok()?;
        let decided = rollout.decision().expect("a race of fixed confidence");
        Some(PickedPlay {
            after: rollout.candidates()[decided.candidate].board,
            games: rollout.total_games(),
            is_open: decided.verdict == Verdict::Open,
        })
    }
}

/// The CRC-32 of the positions after the plays, as 8 hexadecimal digits.
pub(super) fn checksum<'a>(choices: impl IntoIterator<Item = &'a PickedPlay>) -> String {
    let mut hasher = crc32fast::Hasher::new();
    for choice in choices {
        hasher.update(choice.after.position_id().to_string().as_bytes());
    }
    format!("{:08x}", hasher.finalize())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decisions_are_not_checked_after_a_signal() {
        let chooser = Chooser::Rollouts { within: Some(0.2) };
        let made = || Choices::new((6, &chooser), (1, Tier::best()), 1, &Cancel::new());
        // The table of the players is there: only the decisions are left to be checked.
        let _table = made().expect("nothing stops it");
        let cancel = Cancel::new();
        cancel.cancel();
        let stopped = Choices::new((6, &chooser), (1, Tier::best()), 1, &cancel);
        let error = stopped.expect_err("it was cancelled");
        assert!(matches!(error, CaseError::Players(NamedError::Stopped)), "{error}");
    }

    #[test]
    fn workers_share_the_decisions() {
        let chooser = Chooser::Rollouts { within: Some(0.2) };
        let of = |workers: usize| {
            let choices = Choices::new((6, &chooser), (1, Tier::best()), workers, &Cancel::new()).unwrap();
            let parts: Vec<_> = (0..workers).map(|worker| choices.run(worker, 6, 1)).collect();
            let choice = |at: usize| parts[at % workers][at / workers].0;
            (0..6).map(choice).collect::<Vec<_>>()
        };
        assert_eq!(of(1), of(4));
        assert!(of(1).iter().all(|choice| !choice.is_open && choice.games > 0));
    }
}
