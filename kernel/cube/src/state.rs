//! The state of the cube, and the stakes.

use core::fmt;

use tavli_backgammon::{Context, Side};
use thiserror::Error;

/// The cube and the stakes, as the player on roll sees them. The default is a money game without the Jacoby rule, the
/// cube at 1 in the middle.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct CubeState {
    /// The cube as a power of 2: 0 stands for a cube of 1.
    pub log2: u8,
    /// The largest value that it may take, as a power of 2.
    pub max_log2: u8,
    /// The player who alone may turn it; either may if nobody owns it.
    pub owner: Option<Side>,
    /// The stakes of a game.
    pub stakes: Stakes,
}

/// A cube with which values are computed.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CubeInPlay {
    /// The cube and the stakes, as the player on roll sees them.
    pub state: CubeState,
    /// The efficiency of the cube in all positions, 0 to 1; by the class of each position if it is `None`.
    pub efficiency: Option<f64>,
}

/// The stakes of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Stakes {
    /// Points of money.
    Money {
        /// Whether gammons count only once the cube has been turned.
        jacoby: bool,
        /// Whether a doubled player may redouble at once and keep the cube.
        beavers: bool,
    },
    /// A match.
    Match(Score),
}

/// The score of a match that goes on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Score {
    /// Points that the player on roll needs to win the match, at least 1.
    pub away: u16,
    /// Points that his opponent needs, at least 1.
    pub opponent_away: u16,
    /// Whether this is the Crawford game, in which nobody may double.
    pub crawford: bool,
}

impl Score {
    /// The score at the start of a game: `[away, opponent_away]` points are needed, each at least 1. The Crawford game
    /// is the first in which just one player needs one point; `had_crawford` says whether it has been played. A match
    /// to one point has none.
    ///
    /// ```
    /// use tavli_cube::Score;
    /// assert!(Score::in_game([1, 3], false).crawford);
    /// assert!(!Score::in_game([1, 3], true).crawford);
    /// assert!(!Score::in_game([1, 1], false).crawford);
    /// ```
    #[must_use]
    pub fn in_game([away, opponent_away]: [u16; 2], had_crawford: bool) -> Score {
        Score { away, opponent_away, crawford: !had_crawford && (away == 1) != (opponent_away == 1) }
    }
}

/// Why a state is impossible.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum CubeStateError {
    /// A cube beyond its limit.
    #[error("the cube is {cube}, and at most {limit} is allowed: write a cube of 1 to {limit}, a power of 2")]
    Cube {
        /// The cube.
        cube: u32,
        /// Its limit.
        limit: u32,
    },
    /// An owner of a cube that nobody has turned.
    #[error("a cube of 1 lies in the middle and nobody owns it: name no owner of it, or a larger cube")]
    Owner,
    /// A match that is over.
    #[error("at {away} away, {opponent_away} away the match is over: both players need at least 1 point")]
    Over {
        /// Points that the player on roll needs.
        away: u16,
        /// Points that his opponent needs.
        opponent_away: u16,
    },
    /// A turned cube in the Crawford game.
    #[error("the cube is {cube} in the Crawford game, in which nobody may double: write a cube of 1, or another game")]
    CrawfordCube {
        /// The cube.
        cube: u32,
    },
    /// A Crawford game in which nobody is one point away, or both are.
    #[error(
        "at {away} away, {opponent_away} away there is no Crawford game: in it one player needs 1 point and the other more"
    )]
    Crawford {
        /// Points that the player on roll needs.
        away: u16,
        /// Points that his opponent needs.
        opponent_away: u16,
    },
}

impl CubeState {
    /// Checks that the state is possible.
    ///
    /// # Errors
    /// [`CubeStateError`] names the impossible part, and the range allowed.
    pub fn check(&self) -> Result<(), CubeStateError> {
        if self.log2 > self.max_log2 || self.max_log2 > Self::MAX_LOG2 {
            // What is refused may be any byte, and no shift may overflow for its message.
            let [cube, limit] = [self.log2, self.max_log2.min(Self::MAX_LOG2)].map(|log2| 1 << log2.min(31));
            return Err(CubeStateError::Cube { cube, limit });
        }
        if self.log2 == 0 && self.owner.is_some() {
            return Err(CubeStateError::Owner);
        }
        if let Stakes::Match(Score { away, opponent_away, crawford }) = self.stakes {
            if away == 0 || opponent_away == 0 {
                return Err(CubeStateError::Over { away, opponent_away });
            }
            if crawford && (away == 1) == (opponent_away == 1) {
                return Err(CubeStateError::Crawford { away, opponent_away });
            }
            if crawford && self.log2 > 0 {
                return Err(CubeStateError::CrawfordCube { cube: self.cube() });
            }
        }
        Ok(())
    }

    /// The largest cube of any state, 2 to this power: as a Match ID holds it.
    pub const MAX_LOG2: u8 = 15;

    /// The state of a position's context; while a double is offered, the state before the double.
    ///
    /// # Errors
    /// [`CubeStateError`] if the match is over or the Crawford game is impossible.
    pub fn from_context(context: &Context) -> Result<CubeState, CubeStateError> {
        use tavli_backgammon::Stakes as Played;
        let stakes = match context.stakes {
            Played::Money { jacoby, beavers } => Stakes::Money { jacoby, beavers },
            Played::Match { length, crawford } => {
                let [away, opponent_away] =
                    // Scores past the length become 0, which `check` refuses as a match that is over.
                    [context.score, context.opponent_score].map(|score| length.saturating_sub(score));
                // A match to one point is a single game. Some programs mark it as the Crawford game.
                let crawford = crawford && length != 1;
                Stakes::Match(Score { away, opponent_away, crawford })
            }
        };
        let state =
            CubeState { log2: context.cube.log2, max_log2: context.cube.max_log2, owner: context.cube.owner, stakes };
        state.check()?;
        Ok(state)
    }

    /// The value of the cube: the points that it makes of one.
    #[must_use]
    pub fn cube(&self) -> u32 {
        1 << self.log2
    }

    /// The points that a game of `points` points without a cube, -3 to 3, gives with this cube. Under the Jacoby rule
    /// every game counts as a single one as long as nobody has doubled.
    #[must_use]
    pub fn points(&self, points: i32) -> i32 {
        let is_single = self.owner.is_none() && matches!(self.stakes, Stakes::Money { jacoby: true, .. });
        let counted = if is_single { points.signum() } else { points };
        counted << self.log2
    }

    /// The state as the other player sees it.
    #[must_use]
    pub fn reversed(&self) -> CubeState {
        let stakes = match self.stakes {
            Stakes::Match(Score { away, opponent_away, crawford }) => {
                Stakes::Match(Score { away: opponent_away, opponent_away: away, crawford })
            }
            money @ Stakes::Money { .. } => money,
        };
        CubeState { owner: self.owner.map(Side::other), stakes, ..*self }
    }

    /// The state after the player on roll has doubled and his opponent has taken.
    #[must_use]
    pub fn doubled(&self) -> CubeState {
        CubeState { log2: self.log2 + 1, owner: Some(Side::Opponent), ..*self }
    }

    /// Whether the player on roll may double, and it could change something: a dead cube is not turned.
    #[must_use]
    pub fn is_double_allowed(&self) -> bool {
        let is_dead = match self.stakes {
            Stakes::Match(score) => self.is_dead(score),
            Stakes::Money { .. } => false,
        };
        self.may_double() && !is_dead
    }

    /// Whether the player on roll gains nothing by turning the cube: a single win is enough, or it is the Crawford
    /// game.
    pub(crate) fn is_dead(&self, score: Score) -> bool {
        score.crawford || u32::from(score.away) <= self.cube()
    }

    /// Whether the player on roll has access to a cube that can be turned further.
    pub(crate) fn may_double(&self) -> bool {
        self.owner != Some(Side::Opponent) && self.turns_left() > 0
    }

    /// How often the cube can still be turned before it is at its limit.
    pub(crate) fn turns_left(&self) -> u8 {
        // `CubeModel::values` values a take at the limit, too, where the doubled cube lies beyond it.
        self.max_log2.saturating_sub(self.log2)
    }
}

impl fmt::Display for CubeState {
    /// Such as `money game, cube 1 in the middle`, or `5-away 3-away, cube 2 of the opponent`, who is not on roll; and
    /// the largest cube unless it is the default.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.stakes {
            Stakes::Money { jacoby, beavers } => {
                f.write_str("money game")?;
                f.write_str(if jacoby { ", Jacoby rule" } else { "" })?;
                f.write_str(if beavers { ", beavers" } else { "" })?;
            }
            Stakes::Match(Score { away, opponent_away, crawford }) => {
                write!(f, "{away}-away {opponent_away}-away")?;
                f.write_str(if crawford { ", Crawford game" } else { "" })?;
            }
        }
        let owner = match self.owner {
            None => "in the middle",
            Some(Side::OnRoll) => "of the player on roll",
            Some(Side::Opponent) => "of the opponent",
        };
        write!(f, ", cube {} {owner}", self.cube())?;
        match self.max_log2 {
            limit if limit == CubeState::default().max_log2 => Ok(()),
            limit => write!(f, ", at most {}", 1_u32 << limit.min(31)),
        }
    }
}

impl fmt::Display for CubeInPlay {
    /// The state, and the efficiency if it is given.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.state)?;
        match self.efficiency {
            Some(efficiency) => write!(f, ", efficiency {efficiency}"),
            None => Ok(()),
        }
    }
}

impl Default for CubeState {
    fn default() -> CubeState {
        CubeState { log2: 0, max_log2: 10, owner: None, stakes: Stakes::Money { jacoby: false, beavers: false } }
    }
}
