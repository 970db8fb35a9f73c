//! The rules of a game, as a compile-time parameter of everything that plays it.
//!
//! [`Backgammon`] and [`McGammon`] share the moves of backgammon and differ in how a game ends, so the
//! generators take them as one type parameter. Portes joins them as a third implementation of [`Rules`]
//! (backgammon's moves, no triple win). Plakoto and Fevga move differently: each brings its own
//! generator beside `plays`, and the two spare words of a [`Side`](crate::Side) for its pinned checkers
//! and its runner.

use core::fmt;
use core::str::FromStr;

use thiserror::Error;

use crate::board::{Board, HOME, Side};
use crate::outcome::{Outcome, Win};

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::Backgammon {}
    impl Sealed for super::McGammon {}
}

/// A game played with the moves of backgammon.
pub trait Rules: sealed::Sealed + Copy + Send + Sync + fmt::Debug + 'static {
    /// The same rules as a run-time value.
    const SET: RuleSet;
    /// Whether checkers are borne off.
    const BEAR_OFF: bool;
    /// The points, as a mask, that the mover must have cleared to have won.
    const TO_CLEAR: u32;

    /// What the mover has won by his play, if it ended the game.
    fn win(mover: &Side, other: &Side) -> Option<Win>;
}

/// Full backgammon: both dice if possible, hits, bear-off, single, gammon and backgammon.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Backgammon;

/// The game of McGammon 1.0 (Van Lishout, Chaslot, Uiterwijk 2007): a player wins a single game
/// as soon as, after his play, all his checkers are in his home board. Bearing off does not exist.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct McGammon;

impl Rules for Backgammon {
    const SET: RuleSet = RuleSet::Backgammon;
    const BEAR_OFF: bool = true;
    const TO_CLEAR: u32 = !0;

    #[inline]
    fn win(mover: &Side, other: &Side) -> Option<Win> {
        if mover.occupied() & Self::TO_CLEAR != 0 {
            None
        } else if other.borne_off() > 0 {
            Some(Win::Single)
        } else if other.occupied() >> 19 != 0 {
            // The winner's home is the loser's points 19 to 24; 25 is his bar.
            Some(Win::Backgammon)
        } else {
            Some(Win::Gammon)
        }
    }
}

impl Rules for McGammon {
    const SET: RuleSet = RuleSet::McGammon;
    const BEAR_OFF: bool = false;
    const TO_CLEAR: u32 = !HOME;

    #[inline]
    fn win(mover: &Side, _other: &Side) -> Option<Win> {
        (mover.occupied() & Self::TO_CLEAR == 0).then_some(Win::Single)
    }
}

/// The rules as a run-time value, for settings and the command line.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum RuleSet {
    /// [`Backgammon`].
    #[default]
    Backgammon,
    /// [`McGammon`].
    McGammon,
}

/// A name that is no rule set.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("'{0}' is no rule set: choose backgammon or mcgammon")]
pub struct RuleSetError(String);

impl RuleSet {
    /// Every rule set.
    pub const ALL: [RuleSet; 2] = [RuleSet::Backgammon, RuleSet::McGammon];

    /// The name in settings and records: `backgammon` or `mcgammon`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            RuleSet::Backgammon => "backgammon",
            RuleSet::McGammon => "mcgammon",
        }
    }

    /// The most points that a game is worth: 3, or 1 where there are no gammons.
    #[must_use]
    pub const fn most_points(self) -> i32 {
        match self {
            RuleSet::Backgammon => 3,
            RuleSet::McGammon => 1,
        }
    }

    /// Whether checkers are borne off.
    #[must_use]
    pub const fn bears_off(self) -> bool {
        match self {
            RuleSet::McGammon => McGammon::BEAR_OFF,
            _ => Backgammon::BEAR_OFF,
        }
    }

    /// What a side has won by its play, if that ended the game.
    #[must_use]
    pub fn win(self, mover: &Side, other: &Side) -> Option<Win> {
        match self {
            RuleSet::Backgammon => Backgammon::win(mover, other),
            RuleSet::McGammon => McGammon::win(mover, other),
        }
    }

    /// How a game in this position has ended for the player on roll: one side has already won by these rules. Where both
    /// sides fulfil them, the player who is not on roll made the last play, and has won.
    ///
    /// ```
    /// use tavli_backgammon::{Board, Outcome, RuleSet};
    /// let mut points = [0; 26];
    /// points[19] = -2; // and 13 checkers of the opponent are borne off
    /// let won = Board::from_points_or_over(&points)?;
    /// assert_eq!(RuleSet::Backgammon.outcome(&won), Some(Outcome::WinSingle));
    /// assert_eq!(RuleSet::Backgammon.outcome(&Board::START), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn outcome(self, board: &Board) -> Option<Outcome> {
        let (own, opponent) = (board.own(), board.opponent());
        let lost = self.win(opponent, own).map(|win| Outcome::new(win, false));
        lost.or_else(|| self.win(own, opponent).map(|win| Outcome::new(win, true)))
    }

    /// Whether a game in this position is over: one side has already won by these rules.
    #[must_use]
    pub fn is_over(self, board: &Board) -> bool {
        self.outcome(board).is_some()
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
        RuleSet::ALL
            .into_iter()
            .find(|rules| rules.name() == text)
            .ok_or_else(|| RuleSetError(text.to_owned()))
    }
}
