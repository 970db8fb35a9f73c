//! Where the checkers of both sides stand.

use core::fmt;

use bytemuck::NoUninit;
use thiserror::Error;

use super::side::Side;
use super::side_checkers::SideCheckers;
use super::side_checkers::{BAR, CHECKERS, OFF};

/// A position seen by the player on roll: 64 bytes, one cache line.
///
/// ```
/// use tavli_backgammon::Board;
/// let board = Board::START;
/// assert_eq!(board.content(6), 5); // five own checkers on the 6 point
/// assert_eq!(board.content(1), -2); // two of the opponent's
/// assert_eq!(board.own().points().collect::<Vec<_>>(), [6, 8, 13, 24]);
/// assert_eq!(board.swapped(), board); // the start looks the same from both sides
/// ```
///
/// A board can be read as bytes or words, but not made from them. Only checked constructors make one, so a side never
/// has more than 15 checkers and no point has two owners.
///
/// ```
/// let words: [u64; 8] = bytemuck::cast(tavli_backgammon::Board::START);
/// ```
/// ```compile_fail,E0277
/// let board: tavli_backgammon::Board = bytemuck::cast([u64::MAX; 8]);
/// ```
/// ```compile_fail,E0277
/// let board: tavli_backgammon::Board = bytemuck::Zeroable::zeroed();
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, NoUninit)]
#[repr(C, align(64))]
pub struct Board {
    own: SideCheckers,
    opponent: SideCheckers,
}

/// Why a set of checkers is not a position.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum BoardError {
    /// More than 15 checkers on one side.
    #[error("{player} has {checkers} checkers; a side has at most 15")]
    TooManyCheckers {
        /// Whose checkers.
        player: Side,
        /// Their number.
        checkers: u32,
    },
    /// Both sides hold one point.
    #[error("both sides have checkers on point {point} (as the player on roll counts); only one side may hold a point")]
    SharedPoint {
        /// The point, in the frame of the player on roll.
        point: u8,
    },
    /// Neither side has a checker left: two players do not both bear off their last one.
    #[error("neither side has a checker on the board; in a finished game one side has")]
    NoCheckers,
    /// A checker count at index 0, which is not a point.
    #[error(
        "{player} has {checkers} checkers at index 0; checkers borne off are the ones missing from 15 and are not listed"
    )]
    OffTheBoard {
        /// Whose checkers.
        player: Side,
        /// The count at index 0.
        checkers: u8,
    },
}

/// Why a checker cannot be moved.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum MoveError {
    /// The target is not in front of the origin, or one of them is not a point.
    #[error(
        "a checker cannot move from {from} to {to}: points are 1 to 24, 25 is the bar, 0 is off, and checkers move down"
    )]
    Direction {
        /// Origin.
        from: u8,
        /// Target.
        to: u8,
    },
    /// No own checker on the origin.
    #[error("point {from} has no checker to move")]
    Empty {
        /// Origin.
        from: u8,
    },
    /// A checker on the bar must enter first.
    #[error("a checker on the bar must enter before the one on {from} moves")]
    BarFirst {
        /// Origin.
        from: u8,
    },
    /// Two or more checkers of the opponent hold the target.
    #[error("two or more checkers of the opponent hold point {to}")]
    Blocked {
        /// Target.
        to: u8,
    },
    /// Bearing off before all checkers are home.
    #[error("a checker cannot be borne off before all are home")]
    NotHome,
}

impl Board {
    /// The opening position of backgammon.
    pub const START: Board = Board::from_equal_sides(&[(24, 2), (13, 5), (8, 3), (6, 5)]);

    /// A position in which both sides have these checkers, each point with its number, at most 15 in all.
    pub(crate) const fn from_equal_sides(checkers: &[(u8, u8)]) -> Board {
        let mut counts = [0; 26];
        let mut at = 0;
        while at < checkers.len() {
            let (point, number) = checkers[at];
            counts[point as usize] = number;
            at += 1;
        }
        let side = SideCheckers::from_counts_unchecked(&counts);
        Board { own: side, opponent: side }
    }

    /// A position from the checkers of both sides, each in its own frame: indices 1 to 24 are points,
    /// 25 is the bar; index 0 must be 0. Checkers missing from 15 are borne off. In a finished game one side may have
    /// no checker left; [`RuleSet::is_over`](crate::RuleSet::is_over) says whether a game is over.
    ///
    /// # Errors
    /// [`BoardError`] names the side and the fault.
    pub fn new(own: &[u8; 26], opponent: &[u8; 26]) -> Result<Board, BoardError> {
        for (player, counts) in [(Side::OnRoll, own), (Side::Opponent, opponent)] {
            let checkers = counts.iter().map(|&n| u32::from(n)).sum();
            if checkers > u32::from(CHECKERS) {
                return Err(BoardError::TooManyCheckers { player, checkers });
            }
            if counts[0] > 0 {
                return Err(BoardError::OffTheBoard { player, checkers: counts[0] });
            }
        }
        Board::from_sides_checked(
            SideCheckers::from_counts_unchecked(own),
            SideCheckers::from_counts_unchecked(opponent),
        )
    }

    /// A position from two sides of at most 15 checkers, which may still share a point or both be empty.
    pub(super) fn from_sides_checked(own: SideCheckers, opponent: SideCheckers) -> Result<Board, BoardError> {
        // Reversing and shifting moves bit `25 - p` of the opponent's mask to bit `p`, and drops his bar.
        let shared = own.occupied() & opponent.occupied().reverse_bits() >> 6 & !(1 << BAR);
        if shared != 0 {
            let point = shared.trailing_zeros() as u8;
            return Err(BoardError::SharedPoint { point });
        }
        if own.occupied() == 0 && opponent.occupied() == 0 {
            return Err(BoardError::NoCheckers);
        }
        Ok(Board { own, opponent })
    }

    /// A position from two sides that are known to share no point.
    pub(crate) const fn from_sides(own: SideCheckers, opponent: SideCheckers) -> Board {
        Board { own, opponent }
    }

    /// The checkers of the player on roll, in his frame.
    #[must_use]
    pub const fn own(&self) -> &SideCheckers {
        &self.own
    }

    /// The checkers of the opponent, in the opponent's frame.
    #[must_use]
    pub const fn opponent(&self) -> &SideCheckers {
        &self.opponent
    }

    /// The same position with the other player on roll.
    #[must_use]
    pub const fn swapped(&self) -> Board {
        Board { own: self.opponent, opponent: self.own }
    }

    /// The checkers on a point 1 to 24 of the player on roll: his checkers as a positive number, the
    /// opponent's as a negative one. Index 25 is his bar and 0 the opponent's, as a number `<= 0`.
    ///
    /// # Panics
    /// If `point > 25`.
    #[must_use]
    pub fn content(&self, point: u8) -> i8 {
        assert!(point <= BAR, "points are 0 to 25, not {point}");
        self.own.count(point) as i8 - self.opponent.count(BAR - point) as i8
    }

    /// Whether the player on roll may move a checker from `from` to `to`, whatever the dice. He must have a checker on
    /// `from`, and none on the bar unless `from` is the bar. `to` must lie ahead and not be held by two or more of the
    /// opponent's checkers. Bearing off (`to == 0`) needs all checkers home.
    #[must_use]
    pub fn may_move(&self, from: u8, to: u8) -> bool {
        self.check_move(from, to).is_ok()
    }

    fn check_move(&self, from: u8, to: u8) -> Result<(), MoveError> {
        if from > BAR || to >= from {
            Err(MoveError::Direction { from, to })
        } else if self.own.count(from) == 0 {
            Err(MoveError::Empty { from })
        } else if from != BAR && self.own.bar() > 0 {
            Err(MoveError::BarFirst { from })
        } else if to == OFF && !self.own.all_home() {
            Err(MoveError::NotHome)
        } else if to != OFF && self.opponent.count(BAR - to) >= 2 {
            Err(MoveError::Blocked { to })
        } else {
            Ok(())
        }
    }

    /// Moves one checker of the player on roll and returns whether it hit a blot, which goes to the
    /// opponent's bar. The player on roll stays on roll.
    ///
    /// # Errors
    /// [`MoveError`] gives the reason why the checker may not go there; the board is then unchanged.
    pub fn move_checker(&mut self, from: u8, to: u8) -> Result<bool, MoveError> {
        self.check_move(from, to)?;
        self.own.remove(from);
        if to == OFF {
            return Ok(false);
        }
        self.own.add(to);
        let hit = self.opponent.count(BAR - to) == 1;
        if hit {
            self.opponent.remove(BAR - to);
            self.opponent.add(BAR);
        }
        Ok(hit)
    }

    /// Whether the sides have passed each other, so that no checker can be hit any more.
    #[must_use]
    pub const fn is_race(&self) -> bool {
        self.own.rearmost() + self.opponent.rearmost() < 25
    }
}

impl Default for Board {
    /// [`Board::START`].
    fn default() -> Board {
        Board::START
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Board").field("own", &self.own).field("opponent", &self.opponent).finish()
    }
}

const _: () = assert!(size_of::<Board>() == 64 && align_of::<Board>() == 64);
