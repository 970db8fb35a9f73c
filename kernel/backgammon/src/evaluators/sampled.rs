//! Positions valued by games.

use core::num::NonZeroU32;

use tavli_simd::Tier;

use super::{Evaluator, Probabilities};
use crate::board::{Board, Planes};
use crate::outcome::Outcome;
use crate::playout::Playouts;
use crate::policies::Players;
use crate::rules::RuleSet;

/// Values a position by the ends of some games from it: games 0, 1, 2 ... of a seed, the same ones from every position.
#[derive(Clone, Debug)]
pub struct Sampled {
    name: String,
    players: Players,
    games: NonZeroU32,
    seed: u64,
}

impl Sampled {
    /// So many games of these players from each position.
    #[must_use]
    pub fn new(players: Players, games: NonZeroU32, seed: u64) -> Sampled {
        Sampled {
            name: format!("{games} games of {players}, seed {seed}"),
            players,
            games,
            seed,
        }
    }
}

impl Evaluator for Sampled {
    fn name(&self) -> &str {
        &self.name
    }

    /// # Panics
    /// If in one of the positions the game is over, or can never end.
    fn evaluate(&self, rules: RuleSet, positions: &[Planes], values: &mut [Probabilities]) {
        for (&position, value) in positions.iter().zip(values) {
            let playouts = Playouts::new(Board::from(position), rules, self.seed)
                .unwrap_or_else(|error| panic!("the position cannot be valued: {error}"));
            let games = 0..u64::from(self.games.get());
            let tally = self.players.run(&playouts, Tier::best(), games).tally;
            let mut weights = [0; Outcome::COUNT];
            for &outcome in Outcome::ALL {
                weights[outcome as usize] = tally.count(outcome);
            }
            *value = Probabilities::of_weights(weights).expect("games that ended");
        }
    }
}
