//! Evaluators of targets: a player's look-ahead of one ply, and its short rollouts.

use core::num::NonZeroU32;
use std::sync::Arc;

use tavli_backgammon::evaluators::{self, EvaluationConditions, Evaluator, Probabilities, play_truncated};
use tavli_backgammon::playout::Playouts;
use tavli_backgammon::policies::{Policy, PolicyPair};
use tavli_backgammon::stepping::RollBatch;
use tavli_backgammon::{Board, FirstRoll, Outcome, Planes, Roll, Stopped};

/// A policy that plays games, and an evaluator of positions.
#[derive(Clone, Debug)]
pub(crate) struct Teacher {
    pub(crate) policy: Arc<dyn Policy>,
    pub(crate) evaluator: Arc<dyn Evaluator>,
}

/// The mean over the 21 rolls of the value after the player's best play, mixed with the value before the roll.
#[derive(Clone, Debug)]
pub(crate) struct OnePlyAhead {
    pub(crate) teacher: Teacher,
    /// The share of the value before the roll, 0..=1.
    pub(crate) before: f64,
}

/// The mean of games that the player plays on from the position; games are truncated and valued.
#[derive(Clone, Debug)]
pub(crate) struct ShortRollouts {
    pub(crate) teacher: Teacher,
    pub(crate) games: NonZeroU32,
    pub(crate) plies: NonZeroU32,
    pub(crate) seed: u64,
}

impl Evaluator for OnePlyAhead {
    fn name(&self) -> &str {
        "training+1ply"
    }

    fn estimate(
        &self,
        conditions: &EvaluationConditions<'_>,
        positions: &[Planes],
        values: &mut [Probabilities],
    ) -> Result<(), Stopped> {
        let mut decisions = RollBatch::new(conditions.rules()).with_tier(conditions.tier());
        for position in positions {
            let pushed = decisions.push_rolls(&Board::from(*position));
            pushed.expect("the game goes on");
        }
        let Teacher { policy, evaluator } = &self.teacher;
        let results = policy.play(&mut decisions, conditions.stop())?;
        let of_rolls = 0..results.len();
        let seeds = conditions.seeds_at(of_rolls.map(|result| result / Roll::ALL.len()));
        let of_results = conditions.seeded(seeds.as_deref());
        // Not `evaluate`: some plays end the game, and an evaluator takes only positions in which it goes on.
        let of_results = evaluators::values(&**evaluator, &of_results, results)?;
        if self.before > 0.0 {
            evaluator.evaluate(conditions, positions, values)?;
        }
        for (value, of_rolls) in values.iter_mut().zip(of_results.chunks(Roll::ALL.len())) {
            let ahead = Probabilities::mean_over_rolls(of_rolls);
            let mixed = core::array::from_fn(|outcome| {
                let outcome = Outcome::ALL[outcome];
                self.before * value.probability(outcome) + (1.0 - self.before) * ahead.probability(outcome)
            });
            *value = Probabilities::new(mixed).expect("a mean of probabilities");
        }
        Ok(())
    }
}

impl ShortRollouts {
    /// The seed of a position's games. Each position has its own dice, so that no side is lucky in all positions.
    fn seed_of(&self, position: &Planes) -> u64 {
        let [a, b, c, d] = position.own();
        let [e, f, g, h] = position.opponent();
        let mut hash = crc32fast::Hasher::new();
        for plane in [a, b, c, d, e, f, g, h] {
            hash.update(&plane.to_le_bytes());
        }
        // Below 2^63: the seeds that measure strength begin there.
        self.seed ^ u64::from(hash.finalize()) << 31
    }
}

impl Evaluator for ShortRollouts {
    fn name(&self) -> &str {
        "training+rollout"
    }

    /// Each position has dice that depend on it alone; seeds of the conditions are not used.
    fn estimate(
        &self,
        conditions: &EvaluationConditions<'_>,
        positions: &[Planes],
        values: &mut [Probabilities],
    ) -> Result<(), Stopped> {
        let Teacher { policy, evaluator } = &self.teacher;
        let players = PolicyPair::alike(Arc::clone(policy));
        let (rules, tier, stop) = (conditions.rules(), conditions.tier(), conditions.stop());
        for (position, value) in positions.iter().zip(values) {
            let playouts = Playouts::new(Board::from(*position), rules, self.seed_of(position))
                .expect("the game goes on")
                // Spread evenly over the games, since they are few: otherwise the luck of the first throws would be in
                // the mean.
                .with_first_roll(FirstRoll::Stratified)
                .truncated_after(self.plies);
            let games = 0..u64::from(self.games.get());
            let (_, sum) = play_truncated(&playouts, &players, &**evaluator, tier, games, stop)?;
            let shares = core::array::from_fn(|outcome| sum.share(Outcome::ALL[outcome]));
            *value = Probabilities::new(shares).expect("shares are probabilities");
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tavli_backgammon::playout::Throw;
    use tavli_backgammon::{NO_STOP, RuleSet, Tier};
    use tavli_players::named;

    /// Positions have their own dice: with the same dice for all, a few games would be lucky everywhere.
    #[test]
    fn positions_are_rolled_out_with_dice_of_their_own() {
        let rollouts = ShortRollouts {
            teacher: Teacher {
                policy: named::policy("pubeval").expect("a policy"),
                evaluator: named::evaluator("td80", NO_STOP).expect("an evaluator"),
            },
            games: NonZeroU32::MIN,
            plies: NonZeroU32::MIN,
            seed: 5,
        };
        let start = Planes::from(Board::START);
        let mut decisions = RollBatch::new(RuleSet::Backgammon);
        let throw = Throw { roll: Roll::ALL[3], fraction: 0 };
        decisions.push(&Board::START, throw).expect("the start");
        decisions.list(rollouts.teacher.policy.view());
        let later = decisions.make(&[0]).expect("a play")[0];
        let seeds = [start, later].map(|position| rollouts.seed_of(&position));
        assert_ne!(seeds[0], seeds[1]);
        assert!(seeds.iter().all(|&seed| seed < 1 << 63));
        assert_eq!(seeds[0], rollouts.seed_of(&start));
    }

    fn teacher(policy: &str, evaluator: &str) -> Teacher {
        Teacher {
            policy: named::policy(policy).expect("a policy"),
            evaluator: named::evaluator(evaluator, NO_STOP).expect("an evaluator"),
        }
    }

    /// All kinds of targets with all kinds of evaluators, in positions whose plays may end the game: evaluators must
    /// not be asked about finished games.
    #[test]
    fn positions_whose_next_play_may_win_have_targets_by_every_evaluator() {
        let (mut last, mut two) = ([0; 26], [0; 26]);
        (last[1], last[24]) = (1, -1);
        (two[6], two[5], two[20]) = (1, 1, -2);
        let [last, two] = [last, two].map(|points| Planes::from(Board::from_points(&points).expect("a position")));
        let conditions = EvaluationConditions::new(RuleSet::Backgammon, Tier::best());
        for policy in ["uniform", "pubeval", "fast", "sampled:1"] {
            for evaluator in [
                "sampled:2",
                "sampled:1+1ply",
                "sampled:1+2ply:2",
                "sampled:1+bearoff:6x1",
                "fast",
                "fast+1ply",
                "fast+2ply:2",
                "fast+bearoff:6x1+1ply",
            ] {
                let teacher = || teacher(policy, evaluator);
                // The value of `last`, in which every roll wins. For `two` any value will do.
                let value = |targets: &dyn Evaluator| {
                    let values = evaluators::values(targets, &conditions, &[last, two]);
                    values.expect("nothing stops it")[0]
                };
                let won = Probabilities::certain(Outcome::WinSingle);
                let ahead = |before| {
                    let teacher = teacher();
                    value(&OnePlyAhead { teacher, before })
                };
                assert_eq!(ahead(0.0), won, "{policy}, {evaluator}");
                assert!(ahead(0.5).equity() >= 0.5, "{policy}, {evaluator}");
                for plies in [1, 2] {
                    let rollouts = ShortRollouts {
                        teacher: teacher(),
                        games: NonZeroU32::MIN,
                        plies: NonZeroU32::new(plies).expect("not 0"),
                        seed: 5,
                    };
                    assert_eq!(value(&rollouts), won, "{policy}, {evaluator}");
                }
            }
        }
    }
}
