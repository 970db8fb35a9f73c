//! Games of one ply from situations of a kind: the cost of the kind on a tier that plays games side by side.

use tavli::playout::{FirstRoll, ManyPlayouts};
use tavli::{PlayoutError, Playouts, RuleSet, Stopped, Tier};

use crate::situations::Situation;

/// Games of one ply, from each situation with its roll.
#[derive(Clone, Debug)]
pub(crate) struct SinglePlies {
    rows: ManyPlayouts,
    /// Games from each situation.
    games: u64,
}

impl SinglePlies {
    /// At least `games` games.
    pub(crate) fn new(situations: &[Situation], games: usize, rules: RuleSet) -> Result<SinglePlies, PlayoutError> {
        let row = |situation: &Situation| {
            let playouts = Playouts::new(situation.board, rules, 1)?;
            let playouts = playouts.with_first_roll(FirstRoll::Given(situation.roll));
            Ok(playouts.truncated_after(core::num::NonZeroU32::MIN))
        };
        let rows: Vec<Playouts> = situations.iter().map(row).collect::<Result<_, PlayoutError>>()?;
        Ok(SinglePlies {
            games: games.div_ceil(rows.len().max(1)) as u64,
            rows: ManyPlayouts::new(rows).expect("all have the same rules and truncation"),
        })
    }

    /// Plays the games, and returns the number of plies.
    pub(crate) fn play(&self, tier: Tier, stop: &dyn Fn() -> bool) -> Result<u64, Stopped> {
        let tallies = self.rows.run(tier, 0..self.games, stop)?;
        Ok(tallies.iter().map(|tally| tally.plies as u64).sum())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::situations::{Category, sample};
    use tavli::NO_STOP;

    #[test]
    fn each_game_has_one_ply_on_every_tier() {
        for rules in [RuleSet::Backgammon, RuleSet::McGammon] {
            for &category in Category::ALL {
                if !category.occurs_in(rules) {
                    continue;
                }
                let situations = sample(rules, category, 30, NO_STOP).unwrap();
                let plies = SinglePlies::new(&situations, 2000, rules).unwrap();
                let games = 30 * plies.games;
                assert!(games >= 2000);
                for &tier in Tier::available() {
                    assert_eq!(plies.play(tier, NO_STOP), Ok(games), "{category} {tier}");
                }
            }
        }
    }
}
