//! Who says what positions are worth.

use core::num::NonZeroU32;
use std::sync::Arc;

use tavli_backgammon::evaluators::{Evaluator, Probabilities, play_to_horizon};
use tavli_backgammon::games::Decisions;
use tavli_backgammon::playout::{Playouts, Throw};
use tavli_backgammon::policies::{Players, Policy};
use tavli_backgammon::{Board, FirstRoll, Outcome, Planes, Roll, RuleSet, Tier};
use tavli_players::net::NetPlayer;

/// The mean over the rolls of what a player's best play leads to.
#[derive(Clone, Debug)]
pub(crate) struct OnePlyAhead(pub(crate) Arc<NetPlayer>);

/// The mean of games that a player plays on, who values those that are cut off.
#[derive(Clone, Debug)]
pub(crate) struct ShortRollouts {
    pub(crate) player: Arc<NetPlayer>,
    pub(crate) games: NonZeroU32,
    pub(crate) plies: NonZeroU32,
    pub(crate) seed: u64,
}

impl Evaluator for OnePlyAhead {
    fn name(&self) -> &str {
        "training+1ply"
    }

    fn evaluate(
        &self,
        rules: RuleSet,
        tier: Tier,
        positions: &[Planes],
        values: &mut [Probabilities],
    ) {
        let mut decisions = Decisions::new(rules);
        for position in positions {
            let board = Board::from(*position);
            for roll in Roll::ALL {
                let throw = Throw { roll, fraction: 0 };
                decisions.push(&board, throw).expect("the game goes on");
            }
        }
        decisions.list(self.0.view());
        let mut picks = vec![0; decisions.len()];
        self.0.pick(&decisions, &mut picks);
        let results = decisions.make(&picks).expect("the player picks plays");
        let mut of_results = vec![Probabilities::certain(Outcome::WinSingle); results.len()];
        self.0.evaluate(rules, tier, results, &mut of_results);
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
            *value = Probabilities::of_weights(sums).expect("each roll has a value");
        }
    }
}

impl Evaluator for ShortRollouts {
    fn name(&self) -> &str {
        "training+rollout"
    }

    fn evaluate(
        &self,
        rules: RuleSet,
        tier: Tier,
        positions: &[Planes],
        values: &mut [Probabilities],
    ) {
        let policy: Arc<dyn Policy> = Arc::<NetPlayer>::clone(&self.player);
        let players = Players::alike(policy);
        for (position, value) in positions.iter().zip(values) {
            let playouts = Playouts::new(Board::from(*position), rules, self.seed)
                .expect("the game goes on")
                .with_first_roll(FirstRoll::Stratified)
                .truncated_after(self.plies);
            let games = 0..u64::from(self.games.get());
            let (_, sum) = play_to_horizon(&playouts, &players, &*self.player, tier, games);
            let shares = core::array::from_fn(|outcome| sum.share(Outcome::ALL[outcome]));
            *value = Probabilities::new(shares).expect("shares are probabilities");
        }
    }
}
