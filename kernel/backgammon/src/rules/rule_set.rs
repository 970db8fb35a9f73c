//! The rules of each game.

use core::fmt;
use core::str::FromStr;

use thiserror::Error;

use super::goal::{AllHome, BearOff, Goal};
use crate::board::{Board, SideCheckers};
use crate::outcome::{Outcome, Win};
use tavli_base::text::Quoted;

/// A row of the table: all differences between rule sets. Their moves are backgammon's.
struct Rules {
    /// The name in settings and records, in lower case.
    name: &'static str,
    /// The position in which a game begins.
    start: Board,
    /// The checkers of a side in `start`.
    checkers: u8,
    /// The largest win that a game can end with.
    largest_win: Win,
    /// Whether the goal is [`BearOff`], and not [`AllHome`].
    bears_off: bool,
    /// Whether an efficiency of the doubling cube is known.
    has_cube_efficiency: bool,
}

/// Makes [`RuleSet`] of a table with a row for each.
macro_rules! rule_sets {
    ($($(#[$doc:meta])+ $rule_set:ident { $($rule:tt)+ })+) => {
        /// The rules of a game that is played with the moves of backgammon.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[non_exhaustive]
        pub enum RuleSet {
            $($(#[$doc])+ $rule_set,)+
        }

        impl RuleSet {
            /// Every rule set. New ones come at the end: the index is the number of a rule set in C.
            pub const ALL: &[RuleSet] = &[$(RuleSet::$rule_set),+];

            const fn rules(self) -> &'static Rules {
                match self {
                    $(RuleSet::$rule_set => const { &Rules { $($rule)+ } },)+
                }
            }
        }
    };
}

rule_sets! {
    /// Full backgammon: both dice if possible, hits, bear-off, single, gammon and backgammon.
    Backgammon {
        name: "backgammon",
        start: Board::START,
        checkers: 15,
        largest_win: Win::Backgammon,
        bears_off: true,
        has_cube_efficiency: true,
    }

    /// The game of McGammon 1.0 (Van Lishout, Chaslot, Uiterwijk 2007): a player wins a single game as soon as, after
    /// his play, all his checkers are in his home board. Bearing off does not exist.
    McGammon {
        name: "mcgammon",
        start: Board::START,
        checkers: 15,
        largest_win: Win::Single,
        bears_off: false,
        has_cube_efficiency: true,
    }

    /// Portes, the backgammon of Greece: a backgammon counts as a gammon, so a game is worth 1 or 2 points.
    Portes {
        name: "portes",
        start: Board::START,
        checkers: 15,
        largest_win: Win::Gammon,
        bears_off: true,
        has_cube_efficiency: true,
    }

    /// Nackgammon (Nack Ballard): backgammon with two more checkers back, one each from the 6 point and the midpoint.
    Nackgammon {
        name: "nackgammon",
        start: Board::from_equal_sides(&[(24, 2), (23, 2), (13, 4), (8, 3), (6, 4)]),
        checkers: 15,
        largest_win: Win::Backgammon,
        bears_off: true,
        has_cube_efficiency: true,
    }

    /// Hypergammon: backgammon with three checkers a side, one each on the 24, 23 and 22 points. A gammon is won
    /// against a player who has borne off none of the three.
    Hypergammon {
        name: "hypergammon",
        start: Board::from_equal_sides(&[(24, 1), (23, 1), (22, 1)]),
        checkers: 3,
        largest_win: Win::Backgammon,
        bears_off: true,
        has_cube_efficiency: false,
    }

    /// Longgammon: backgammon with all 15 checkers of a side on its 24 point.
    Longgammon {
        name: "longgammon",
        start: Board::from_equal_sides(&[(24, 15)]),
        checkers: 15,
        largest_win: Win::Backgammon,
        bears_off: true,
        has_cube_efficiency: true,
    }
}

/// A name that is not one of a rule set.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("'{}' is not a rule set: choose {names}", Quoted::new(name), names = names())]
#[non_exhaustive]
pub struct RuleSetError {
    /// The name.
    pub name: String,
}

/// The names of all rule sets in a sentence.
fn names() -> String {
    let names: Vec<&str> = RuleSet::ALL.iter().map(|rules| rules.name()).collect();
    let (last, others) = names.split_last().expect("there are rule sets");
    format!("{} or {last}", others.join(", "))
}

impl RuleSet {
    /// The name in settings and records, such as `backgammon`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.rules().name
    }

    /// The position in which a game begins.
    #[must_use]
    pub const fn start(self) -> Board {
        self.rules().start
    }

    /// The checkers of a side when a game begins.
    #[must_use]
    pub const fn checkers(self) -> u8 {
        self.rules().checkers
    }

    /// The largest win that a game can end with.
    #[must_use]
    pub const fn largest_win(self) -> Win {
        self.rules().largest_win
    }

    /// Whether checkers are borne off: whether the goal is [`BearOff`], and not [`AllHome`].
    #[must_use]
    pub const fn bears_off(self) -> bool {
        self.rules().bears_off
    }

    /// Whether the efficiency of the doubling cube has been measured for these rules. Values with the cube need it.
    #[must_use]
    pub const fn has_cube_efficiency(self) -> bool {
        self.rules().has_cube_efficiency
    }

    /// How a play ended the game, seen by the player who made it; `None` if the game goes on.
    ///
    /// A loser who has borne off a checker loses a single game. Otherwise he loses a gammon, or if he still has a
    /// checker on the bar or in the winner's home board a backgammon, but never more than [`RuleSet::largest_win`].
    #[must_use]
    pub fn outcome_of_play(self, mover: &SideCheckers, other: &SideCheckers) -> Option<Outcome> {
        let is_won = match self.bears_off() {
            true => BearOff::is_reached(mover),
            false => AllHome::is_reached(mover),
        };
        if !is_won {
            return None;
        }
        let win = if other.borne_off(self.checkers()) > 0 {
            Win::Single
        } else if other.occupied() >> 19 != 0 {
            // The winner's home is the loser's points 19 to 24; 25 is his bar.
            Win::Backgammon
        } else {
            Win::Gammon
        };
        Some(Outcome::new(win.min(self.largest_win()), true))
    }

    /// How a game in this position has ended for the player on roll: one side has already won by these rules. If both
    /// sides have reached the goal, the player who is not on roll made the last play, and has won.
    ///
    /// ```
    /// use tavli_backgammon::{Board, Outcome, RuleSet};
    /// let mut points = [0; 26];
    /// points[19] = -2; // and 13 checkers of the opponent are borne off
    /// let won = Board::from_points(&points)?;
    /// assert_eq!(RuleSet::Backgammon.outcome(&won), Some(Outcome::WinSingle));
    /// assert_eq!(RuleSet::Backgammon.outcome(&Board::START), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn outcome(self, board: &Board) -> Option<Outcome> {
        let (own, opponent) = (board.own(), board.opponent());
        let lost = self.outcome_of_play(opponent, own).map(Outcome::reversed);
        lost.or_else(|| self.outcome_of_play(own, opponent))
    }

    /// How the last of a number of plies ended the game, seen by the player who made the first; `None` if the game goes
    /// on.
    #[must_use]
    pub fn outcome_after(self, plies: u32, mover: &SideCheckers, other: &SideCheckers) -> Option<Outcome> {
        let outcome = self.outcome_of_play(mover, other)?;
        let by_first = plies % 2 == 1;
        Some(if by_first { outcome } else { outcome.reversed() })
    }

    /// Whether a game in this position is over: one side has already won by these rules.
    #[must_use]
    pub fn is_over(self, board: &Board) -> bool {
        self.outcome(board).is_some()
    }
}

impl Default for RuleSet {
    /// Backgammon.
    fn default() -> RuleSet {
        RuleSet::Backgammon
    }
}

impl fmt::Display for RuleSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for RuleSet {
    type Err = RuleSetError;

    fn from_str(text: &str) -> Result<RuleSet, RuleSetError> {
        let found = RuleSet::ALL.iter().find(|rules| rules.name() == text);
        found.copied().ok_or_else(|| RuleSetError { name: text.to_owned() })
    }
}
