//! Tables made by the model itself.

use thiserror::Error;

use crate::match_equity::MatchEquityTable;
use crate::match_play::EndChances;
use crate::outcome_probabilities::OutcomeProbabilities;
use crate::state::{CubeState, Score, Stakes};

/// The parameters from which a table is generated.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct GeneratedTable {
    /// The most points away that the table has, 1 to 64.
    pub length: u16,
    /// The share of won games that are gammons, not backgammons, 0 to 1.
    pub gammons: f64,
    /// The share of won games that are backgammons, 0 to `1 - gammons`.
    pub backgammons: f64,
    /// The cube's [efficiency](crate::Efficiency), 0 to 1.
    pub efficiency: f64,
    /// The free drop is the leader's right to pass a worthless double after the Crawford game. This is its cost to a
    /// trailer who needs an even number of points, which is at most the cost of needing one point more.
    pub free_drop: f64,
}

/// Numbers that make no table.
#[derive(Clone, Copy, PartialEq, Debug, Error)]
#[error("{name} is {value}: write a number of {least} to {most}")]
pub struct GeneratedError {
    /// The name of the number.
    pub name: &'static str,
    /// The number.
    pub value: f64,
    /// The least.
    pub least: f64,
    /// The largest.
    pub most: f64,
}

impl Default for GeneratedTable {
    /// The numbers, in steps of 0.01 and 0.04, with which the model comes closest to Kazaross-XG2 up to 15 points away:
    /// within 0.0046.
    fn default() -> GeneratedTable {
        GeneratedTable { length: 25, gammons: 0.27, backgammons: 0.01, efficiency: 0.8, free_drop: 0.012 }
    }
}

impl GeneratedTable {
    /// The largest share of backgammons beside this share of gammons.
    #[must_use]
    pub fn max_backgammons(gammons: f64) -> f64 {
        // Rounded, so that 1 - 0.9 is 0.1, not 0.09999999999999998.
        ((1.0 - gammons) * 1e12).round() / 1e12
    }

    /// Makes the table: the chance at a score is the cubeful value of a game in which both players win equally often,
    /// with these gammons, from scores that need fewer points.
    ///
    /// # Errors
    /// [`GeneratedError`] names the number that is out of range.
    pub fn make(&self, name: &str) -> Result<MatchEquityTable, GeneratedError> {
        let &GeneratedTable { length, gammons, backgammons, efficiency, free_drop } = self;
        let rest = GeneratedTable::max_backgammons(gammons);
        for (name, value, least, most) in [
            ("the length", f64::from(length), 1.0, MatchEquityTable::MAX_LENGTH_MADE),
            ("the share of gammons", gammons, 0.0, 1.0),
            ("the share of backgammons", backgammons, 0.0, rest),
            ("the cube's efficiency", efficiency, 0.0, 1.0),
            ("the value of a free drop", free_drop, 0.0, 0.1),
        ] {
            if !(least..=most).contains(&value) {
                return Err(GeneratedError { name, value, least, most });
            }
        }
        let after = self.after_crawford();
        let mut table = MatchEquityTable {
            name: name.to_owned(),
            description: format!(
                "Made by the cube model from {gammons} gammons, {backgammons} backgammons and an efficiency of {efficiency}."
            ),
            // One half stays at equal scores, which the loops leave out.
            before: vec![vec![0.5; usize::from(length)]; usize::from(length)],
            after: [after.clone(), after],
        };
        let probabilities = OutcomeProbabilities {
            win: 0.5,
            win_gammon: (gammons + backgammons) / 2.0,
            win_backgammon: backgammons / 2.0,
            lose_gammon: (gammons + backgammons) / 2.0,
            lose_backgammon: backgammons / 2.0,
        };
        // In this order, the scores after a game are made before the score itself.
        for away in 2..=length {
            for opponent_away in 1..away {
                let score = Score {
                    away,
                    opponent_away,
                    // A table's entries of a leader who needs one point are of the Crawford game.
                    crawford: opponent_away == 1,
                };
                let state = CubeState { stakes: Stakes::Match(score), ..CubeState::default() };
                let chance = EndChances::new(&table, score).chance(&probabilities, &state, efficiency);
                let (row, column) = (usize::from(away) - 1, usize::from(opponent_away) - 1);
                table.before[row][column] = chance;
                table.before[column][row] = 1.0 - chance;
            }
        }
        Ok(table)
    }

    /// The chances of a trailer: he doubles at once, so that a game gives two, four or six points.
    fn after_crawford(&self) -> Vec<f64> {
        let mut entries: Vec<f64> = vec![0.5];
        for away in 2..=usize::from(self.length) {
            // The bound of the backgammons is rounded, so the difference may be less than 0 by as little.
            let single = (1.0 - self.gammons - self.backgammons).max(0.0);
            // The chance of a trailer who needs an odd number of points. A doubled game gives an even number.
            let odd = |away: usize| {
                let before = |points: usize| if away > points { entries[away - points - 1] } else { 1.0 };
                0.5 * (single * before(2) + self.gammons * before(4) + self.backgammons * before(6))
            };
            entries.push(if away % 2 == 0 {
                // Far from the end, chances are smaller than the free drop's cost. The cost is at most that of needing
                // one point more.
                let [fewer, more] = [entries[away - 2], odd(away + 1)];
                (fewer - self.free_drop).max(more.min(fewer))
            } else {
                odd(away)
            });
        }
        entries
    }
}

impl MatchEquityTable {
    /// The longest table that is made.
    const MAX_LENGTH_MADE: f64 = 64.0;
}
