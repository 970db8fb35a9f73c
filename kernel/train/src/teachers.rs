//! Who says what positions are worth.

use core::num::NonZeroU32;
use std::sync::Arc;

use tavli_backgammon::evaluators::{Evaluator, Probabilities, play_to_horizon};
use tavli_backgammon::games::Decisions;
use tavli_backgammon::playout::{Playouts, Throw};
use tavli_backgammon::policies::{Players, Policy};
use tavli_backgammon::{Board, FirstRoll, Outcome, Planes, Roll, RuleSet, Tier};

/// A player who plays games and values positions.
#[derive(Clone, Debug)]
pub(crate) struct Teacher {
    pub(crate) policy: Arc<dyn Policy>,
    pub(crate) evaluator: Arc<dyn Evaluator>,
}

/// The mean over the rolls of what a player's best play leads to, mixed with the value before.
#[derive(Clone, Debug)]
pub(crate) struct OnePlyAhead {
    pub(crate) teacher: Teacher,
    /// The share of the value before, 0..=1.
    pub(crate) before: f64,
}

/// The mean of games that a player plays on, who values those that are cut off.
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
        rules: RuleSet,
        tier: Tier,
        positions: &[Planes],
        values: &mut [Probabilities],
    ) {
        let mut decisions = Decisions::new(rules).on(tier);
        for position in positions {
            let board = Board::from(*position);
            for roll in Roll::ALL {
                let throw = Throw { roll, fraction: 0 };
                decisions.push(&board, throw).expect("the game goes on");
            }
        }
        decisions.list(self.teacher.policy.view());
        let mut picks = vec![0; decisions.len()];
        self.teacher.policy.pick(&decisions, &mut picks);
        let results = decisions.make(&picks).expect("the player picks plays");
        let mut of_results = vec![Probabilities::certain(Outcome::WinSingle); results.len()];
        self.teacher
            .evaluator
            .evaluate(rules, tier, results, &mut of_results);
        if self.before > 0.0 {
            self.teacher
                .evaluator
                .evaluate(rules, tier, positions, values);
        }
        let of_rolls = of_results
            .chunks(Roll::ALL.len())
            .zip(results.chunks(Roll::ALL.len()));
        for (value, (of_rolls, results)) in values.iter_mut().zip(of_rolls) {
            let mut sums = [0; Outcome::COUNT];
            for (roll, (of_roll, result)) in Roll::ALL.into_iter().zip(of_rolls.iter().zip(results))
            {
                let board = Board::from(*result);
                let of_mover = match rules.outcome_of_play(board.opponent(), board.own()) {
                    Some(outcome) => Probabilities::certain(outcome),
                    None => of_roll.reversed(),
                };
                for (sum, number) in sums.iter_mut().zip(of_mover.numbers()) {
                    *sum += u64::from(roll.weight()) * u64::from(number);
                }
            }
            let ahead = Probabilities::of_weights(sums).expect("each roll has a value");
            let mixed = core::array::from_fn(|outcome| {
                let outcome = Outcome::ALL[outcome];
                self.before * value.of(outcome) + (1.0 - self.before) * ahead.of(outcome)
            });
            *value = Probabilities::new(mixed).expect("a mean of probabilities");
        }
    }
}

impl ShortRollouts {
    /// The seed of a position's games. Each position has its own, so that no luck is the same in all.
    fn seed_of(&self, position: &Planes) -> u64 {
        let [a, b, c, d] = position.own();
        let [e, f, g, h] = position.opponent();
        let mut hash = crc32fast::Hasher::new();
        for plane in [a, b, c, d, e, f, g, h] {
            hash.update(&plane.to_le_bytes());
        }
        // Below 2^63, where the seeds that measure strength begin.
        self.seed ^ u64::from(hash.finalize()) << 31
    }
}

impl Evaluator for ShortRollouts {
    fn name(&self) -> &str {
        "training+rollout"
    }

    fn estimate(
        &self,
        rules: RuleSet,
        tier: Tier,
        positions: &[Planes],
        values: &mut [Probabilities],
    ) {
        let Teacher { policy, evaluator } = &self.teacher;
        let players = Players::alike(Arc::clone(policy));
        for (position, value) in positions.iter().zip(values) {
            let playouts = Playouts::new(Board::from(*position), rules, self.seed_of(position))
                .expect("the game goes on")
                .with_first_roll(FirstRoll::Stratified)
                .truncated_after(self.plies);
            let games = 0..u64::from(self.games.get());
            let (_, sum) = play_to_horizon(&playouts, &players, &**evaluator, tier, games);
            let shares = core::array::from_fn(|outcome| sum.share(Outcome::ALL[outcome]));
            *value = Probabilities::new(shares).expect("shares are probabilities");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tavli_players::named;

    /// Positions have dice of their own: with the same ones for all, a few games would be lucky everywhere.
    #[test]
    fn positions_are_rolled_out_with_dice_of_their_own() {
        let rollouts = ShortRollouts {
            teacher: Teacher {
                policy: named::policy("pubeval").expect("a policy"),
                evaluator: named::evaluator("td80").expect("an evaluator"),
            },
            games: NonZeroU32::MIN,
            plies: NonZeroU32::MIN,
            seed: 5,
        };
        let start = Planes::from(Board::START);
        let mut decisions = Decisions::new(RuleSet::Backgammon);
        let throw = Throw {
            roll: Roll::ALL[3],
            fraction: 0,
        };
        decisions.push(&Board::START, throw).expect("the start");
        decisions.list(rollouts.teacher.policy.view());
        let later = decisions.make(&[0]).expect("a play")[0];
        let seeds = [start, later].map(|position| rollouts.seed_of(&position));
        assert_ne!(seeds[0], seeds[1]);
        assert!(seeds.iter().all(|&seed| seed < 1 << 63));
        assert_eq!(seeds[0], rollouts.seed_of(&start));
    }
}
