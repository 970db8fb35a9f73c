//! The table, and the chances at a score.

use std::sync::LazyLock;

use super::{extension, kazaross_xg2};
use crate::state::Score;

/// The chance to win a match from each score, from 1 point away on. Beyond its length a table is extended by the normal
/// distribution.
#[derive(Clone, PartialEq, Debug)]
pub struct MatchEquityTable {
    pub(crate) name: String,
    pub(crate) description: String,
    /// The chance of the player who needs `row + 1` points against one who needs `column + 1`, before the Crawford game
    /// or in it.
    pub(crate) before: Vec<Vec<f64>>,
    /// The chance of a player who needs `index + 1` points after the Crawford game, against one who needs 1: for the
    /// player on roll and for the opponent, which differ in some tables. A table that was made has an entry for each
    /// score; one of GNU Backgammon is extended from its last entry on, whatever its file has there.
    pub(crate) after: [Vec<f64>; 2],
}

impl MatchEquityTable {
    /// The table Kazaross-XG2, by rollouts of eXtreme Gammon to 9 points away and of GNU Backgammon to 15, to 25 by
    /// projection (N. Kazaross, 2011). Copies must keep the notice in its source.
    #[must_use]
    pub fn kazaross_xg2() -> &'static MatchEquityTable {
        // Numbers, not the file: its reader would add 24 kB (gzip) to the module for JavaScript.
        static TABLE: LazyLock<MatchEquityTable> = LazyLock::new(|| MatchEquityTable {
            name: kazaross_xg2::NAME.to_owned(),
            description: kazaross_xg2::DESCRIPTION.to_owned(),
            before: kazaross_xg2::BEFORE.map(Vec::from).into(),
            after: [kazaross_xg2::AFTER.into(), kazaross_xg2::AFTER.into()],
        });
        &TABLE
    }

    /// The table's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The table's origin.
    #[must_use]
    pub fn description(&self) -> &str {
        &self.description
    }

    /// Up to how many points away both sides have entries; beyond, the table is extended.
    #[must_use]
    pub fn length(&self) -> u16 {
        self.before.len() as u16
    }

    /// The chance of a player who needs `away` points against one who needs `opponent_away`, before the Crawford game
    /// is over. A player who needs none has won.
    #[must_use]
    pub fn before_crawford(&self, away: u16, opponent_away: u16) -> f64 {
        match (away, opponent_away) {
            (0, _) => 1.0,
            (_, 0) => 0.0,
            _ => {
                let entry =
                    self.before.get(usize::from(away) - 1).and_then(|row| row.get(usize::from(opponent_away) - 1));
                entry.copied().unwrap_or_else(|| extension::before_crawford(away, opponent_away))
            }
        }
    }

    /// The chance of the player on roll (`player` 0) or of his opponent (1) who needs `away` points after the Crawford
    /// game against one who needs 1. A player who needs none has won.
    #[must_use]
    pub fn after_crawford(&self, player: usize, away: u16) -> f64 {
        match away {
            0 => 1.0,
            _ => {
                let entries = &self.after[player];
                let entry = entries.get(usize::from(away) - 1);
                entry.copied().unwrap_or_else(|| extension::after_crawford(entries, away))
            }
        }
    }

    /// The chance of the player on roll after a game in which he and his opponent have won these points.
    pub(crate) fn after_game(&self, score: Score, own: u32, opponent: u32) -> f64 {
        // A backgammon with the largest cube gives 98,304 points, more than 16 bits hold.
        let left = |away: u16, points: u32| away.saturating_sub(u16::try_from(points).unwrap_or(u16::MAX));
        let (away, opponent_away) = (left(score.away, own), left(score.opponent_away, opponent));
        // The game after one at 1 away is played after the Crawford game.
        let was_crawford = score.away == 1 || score.opponent_away == 1;
        match (away, opponent_away) {
            (0, _) => 1.0,
            (_, 0) => 0.0,
            (1, _) if was_crawford => 1.0 - self.after_crawford(1, opponent_away),
            (_, 1) if was_crawford => self.after_crawford(0, away),
            _ => self.before_crawford(away, opponent_away),
        }
    }
}
