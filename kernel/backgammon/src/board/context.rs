//! The state of a game beyond its checkers: the cube, the score, the dice, and who sits where.

use thiserror::Error;

use crate::board::remark::Remark;
use crate::board::side::Side;
use crate::dice::Roll;
use crate::outcome::Win;

/// The largest match length and score: the Match ID gives each 15 bits.
pub const MAX_POINTS: u16 = 0x7fff;
/// The largest cube, 2 to this power: the Match ID gives it 4 bits.
pub const MAX_CUBE_LOG2: u8 = 15;

/// The state of a game and its match around a [`Board`](crate::Board), seen like the board by the player
/// on roll. The default is a money game with the cube at 1 in the middle and the dice not rolled.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Context {
    /// Where the player on roll sits.
    pub seat: Seat,
    /// The stage of his turn.
    pub stage: TurnStage,
    /// A resignation offered and not yet answered, by what it gives to the other player.
    pub resignation: Option<Win>,
    /// The player who must decide: see [`Context::awaited`].
    pub decision: Side,
    /// How the game stands.
    pub state: GameState,
    /// The doubling cube.
    pub cube: Cube,
    /// The stakes of a game.
    pub stakes: Stakes,
    /// Points won so far by the player on roll, 0 to [`MAX_POINTS`].
    pub score: u16,
    /// Points won so far by his opponent, 0 to [`MAX_POINTS`].
    pub opponent_score: u16,
}

/// A seat at the board. GNU Backgammon calls them player 1 (X) and player 0 (O); an XGID writes the checkers of the
/// bottom player in upper case and those of the top player in lower case.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Seat {
    /// At the top.
    Top = 0,
    /// At the bottom.
    #[default]
    Bottom = 1,
}

/// The stage of the turn of the player on roll.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum TurnStage {
    /// Nothing: he may double, or roll.
    #[default]
    ToRoll,
    /// He has rolled and is to play.
    Rolled(Roll),
    /// He has doubled: the opponent is to answer.
    Doubled,
    /// He has doubled and the opponent has beavered: he is to answer.
    Beavered,
    /// He has doubled, the opponent beavered, and he has raccooned: the opponent is to answer.
    Raccooned,
}

/// The state of a game, as in a Match ID.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum GameState {
    /// Not begun.
    NotStarted = 0,
    /// Being played.
    #[default]
    Playing = 1,
    /// Played to its end.
    Over = 2,
    /// Ended by a resignation.
    Resigned = 3,
    /// Ended by a dropped double.
    Dropped = 4,
}

/// The doubling cube.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Cube {
    /// Its value as a power of 2, 0 to [`MAX_CUBE_LOG2`]; while a double is offered, the value before it.
    pub log2: u8,
    /// The player who may turn it; nobody owns a cube in the middle.
    pub owner: Option<Side>,
    /// The largest value it may take, as a power of 2.
    pub max_log2: u8,
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
    Match {
        /// Points needed to win it, 1 to [`MAX_POINTS`].
        length: u16,
        /// Whether this is the Crawford game, in which nobody may double.
        crawford: bool,
    },
}

/// Why a context contradicts itself, or does not fit into the formats.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum ContextError {
    /// A cube beyond its limit.
    #[error("the cube stands at 2^{log2}, beyond its limit 2^{limit}: lower the cube, or raise the limit")]
    Cube {
        /// The cube.
        log2: u8,
        /// Its limit.
        limit: u8,
    },
    /// A match length or score out of range.
    #[error("{points} points are too many: the formats hold at most {MAX_POINTS}")]
    MatchPoints {
        /// The length or score.
        points: u16,
    },
    /// A match of no points.
    #[error("a match to 0 points: it must be to 1 or more")]
    NoLength,
    /// A score that ends the match.
    #[error("{player} has {score} points in a match of {length}, so the match is over: give a score below {length}")]
    MatchOver {
        /// Whose score.
        player: Side,
        /// His points.
        score: u16,
        /// The length of the match.
        length: u16,
    },
    /// A Crawford game in which nobody is one point from winning, or both are.
    #[error(
        "at {score}-{opponent_score} in a match of {length} there is no Crawford game: in it just one player is one \
         point from winning"
    )]
    Crawford {
        /// The points of the player on roll.
        score: u16,
        /// The points of his opponent.
        opponent_score: u16,
        /// The length of the match.
        length: u16,
    },
    /// A turned cube in the Crawford game.
    #[error(
        "the cube is at {} in the Crawford game, in which nobody may double: it is 1, or this is another game",
        1_u32 << log2
    )]
    CrawfordCube {
        /// The cube, 2 to this power.
        log2: u8,
    },
    /// A double in the Crawford game.
    #[error("a double is offered in the Crawford game, in which nobody may double: leave the double out")]
    CrawfordDouble,
    /// A beaver or raccoon where the rules allow none.
    #[error("a double is beavered, which only a money game with beavers allows: leave the beaver out")]
    Beaver,
    /// The wrong player to decide.
    #[error("the decision is given to {found}, but belongs to {expected}: give it to {expected}")]
    Decision {
        /// The player named.
        found: Side,
        /// The player who must decide.
        expected: Side,
    },
}

impl Side {
    /// The other player.
    #[must_use]
    pub const fn other(self) -> Side {
        match self {
            Side::OnRoll => Side::Opponent,
            Side::Opponent => Side::OnRoll,
        }
    }

    /// Where this player sits when the player on roll sits at `on_roll`.
    pub(super) fn seat(self, on_roll: Seat) -> Seat {
        match self {
            Side::OnRoll => on_roll,
            Side::Opponent => on_roll.other(),
        }
    }
}

impl Seat {
    /// The other seat.
    #[must_use]
    pub const fn other(self) -> Seat {
        match self {
            Seat::Top => Seat::Bottom,
            Seat::Bottom => Seat::Top,
        }
    }

    /// The player who sits here when the player on roll sits at `on_roll`.
    pub(super) fn player(self, on_roll: Seat) -> Side {
        if self == on_roll { Side::OnRoll } else { Side::Opponent }
    }
}

impl Default for Cube {
    /// At 1 in the middle, up to 1024.
    fn default() -> Cube {
        Cube { log2: 0, owner: None, max_log2: 10 }
    }
}

impl Cube {
    /// Raises the largest value to the cube's, for formats and options that do not name the largest.
    pub fn raise_limit(&mut self) {
        self.max_log2 = self.max_log2.max(self.log2);
    }
}

impl Default for Stakes {
    /// Money without the Jacoby rule and without beavers, so that gammons always count.
    fn default() -> Stakes {
        Stakes::Money { jacoby: false, beavers: false }
    }
}

impl Default for Context {
    fn default() -> Context {
        Context {
            seat: Seat::default(),
            stage: TurnStage::default(),
            resignation: None,
            decision: Side::OnRoll,
            state: GameState::default(),
            cube: Cube::default(),
            stakes: Stakes::default(),
            score: 0,
            opponent_score: 0,
        }
    }
}

impl Context {
    /// The player who must decide in a game in progress. The player on roll rolls, plays and answers a beaver; his
    /// opponent answers a double and a raccoon. The other player answers a resignation.
    #[must_use]
    pub const fn awaited(&self) -> Side {
        let decision = match self.stage {
            TurnStage::ToRoll | TurnStage::Rolled(_) | TurnStage::Beavered => Side::OnRoll,
            TurnStage::Doubled | TurnStage::Raccooned => Side::Opponent,
        };
        if self.resignation.is_some() { decision.other() } else { decision }
    }

    /// Whether this is the Crawford game of a match.
    #[must_use]
    pub const fn is_crawford(&self) -> bool {
        matches!(self.stakes, Stakes::Match { crawford: true, .. })
    }

    /// Whether one player at least is a single point from winning the match.
    #[must_use]
    pub fn is_one_away(&self) -> bool {
        match self.stakes {
            Stakes::Money { .. } => false,
            Stakes::Match { length, .. } => {
                // Scores may be any here: `check` comes after the mark of the Crawford game is dropped.
                self.score.saturating_add(1) == length || self.opponent_score.saturating_add(1) == length
            }
        }
    }

    /// Whether the score allows the Crawford game: just one player is a single point from winning. A match to one
    /// point is a single game, whose mark programs set or not.
    fn allows_crawford(&self) -> bool {
        match self.stakes {
            Stakes::Money { .. } => false,
            Stakes::Match { length, .. } => length == 1 || self.is_one_away() && self.score != self.opponent_score,
        }
    }

    /// The remark on a text with this context, if a statement in it cannot hold. A false mark of the Crawford game is
    /// removed; an impossible double stays.
    pub(super) fn remark_on_text(&mut self) -> Option<Remark> {
        self.without_false_crawford().or_else(|| {
            let Cube { log2, owner, max_log2 } = self.cube;
            match self.state == GameState::Playing && self.stage == TurnStage::Doubled {
                true if owner == Some(Side::Opponent) => Some(Remark::ImpossibleDouble),
                true if log2 >= max_log2 => Some(Remark::DoubleAtLimit { log2 }),
                _ => None,
            }
        })
    }

    /// Removes the mark of the Crawford game if the score does not allow it, and a turned cube in the Crawford game, as
    /// GNU Backgammon does when it reads an ID. GNU Backgammon leaves the mark alone if both players are a single point
    /// from winning.
    fn without_false_crawford(&mut self) -> Option<Remark> {
        if self.state != GameState::Playing || !self.is_crawford() {
            return None;
        }
        let is_allowed = self.allows_crawford();
        match &mut self.stakes {
            Stakes::Match { length, crawford } if !is_allowed => {
                *crawford = false;
                Some(Remark::NotCrawford { score: self.score, opponent_score: self.opponent_score, length: *length })
            }
            _ if self.cube.log2 > 0 => {
                let log2 = self.cube.log2;
                (self.cube.log2, self.cube.owner) = (0, None);
                Some(Remark::CrawfordCube { log2 })
            }
            _ => None,
        }
    }

    /// The points of the player at `seat`.
    pub(super) fn score_at(&self, seat: Seat) -> u16 {
        match seat.player(self.seat) {
            Side::OnRoll => self.score,
            Side::Opponent => self.opponent_score,
        }
    }

    /// Checks that the context agrees with itself and fits into every format.
    ///
    /// # Errors
    /// [`ContextError`] names the contradiction.
    pub fn check(&self) -> Result<(), ContextError> {
        let Cube { log2, max_log2, .. } = self.cube;
        // The limit first, as the cube is held against it.
        for (log2, limit) in [(max_log2, MAX_CUBE_LOG2), (log2, max_log2)] {
            if log2 > limit {
                return Err(ContextError::Cube { log2, limit });
            }
        }
        for points in [self.score, self.opponent_score] {
            if points > MAX_POINTS {
                return Err(ContextError::MatchPoints { points });
            }
        }
        if let Stakes::Match { length, crawford } = self.stakes {
            self.check_match(length, crawford)?;
        }
        let beavered = matches!(self.stage, TurnStage::Beavered | TurnStage::Raccooned);
        if beavered && !matches!(self.stakes, Stakes::Money { beavers: true, .. }) {
            return Err(ContextError::Beaver);
        }
        let (found, expected) = (self.decision, self.awaited());
        if self.state == GameState::Playing && found != expected {
            return Err(ContextError::Decision { found, expected });
        }
        Ok(())
    }

    fn check_match(&self, length: u16, crawford: bool) -> Result<(), ContextError> {
        let (score, opponent_score) = (self.score, self.opponent_score);
        if length == 0 {
            return Err(ContextError::NoLength);
        }
        if length > MAX_POINTS {
            return Err(ContextError::MatchPoints { points: length });
        }
        // The winner's score may reach the length only after the last game has ended.
        let most = match self.state {
            GameState::NotStarted | GameState::Playing => length - 1,
            GameState::Over | GameState::Resigned | GameState::Dropped => length,
        };
        for (player, score) in [(Side::OnRoll, score), (Side::Opponent, opponent_score)] {
            if score > most {
                return Err(ContextError::MatchOver { player, score, length });
            }
        }
        if crawford && self.state == GameState::Playing {
            if !self.allows_crawford() {
                return Err(ContextError::Crawford { score, opponent_score, length });
            }
            if self.cube.log2 > 0 {
                return Err(ContextError::CrawfordCube { log2: self.cube.log2 });
            }
            // Beavers, which no match has, are refused by `check`.
            if self.stage == TurnStage::Doubled {
                return Err(ContextError::CrawfordDouble);
            }
        }
        Ok(())
    }
}
