//! Remarks on statements of a text that a position cannot have.

use core::fmt;

/// A statement of a text that contradicts its position. Reading ignores statements about the Crawford game, as GNU
/// Backgammon does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Remark {
    /// The text calls the game the Crawford game, but no player is a single point from winning, or both are.
    NotCrawford {
        /// The points of the player on roll.
        score: u16,
        /// The points of his opponent.
        opponent_score: u16,
        /// The length of the match.
        length: u16,
    },
    /// The text has a turned cube in the Crawford game, in which nobody may double.
    CrawfordCube {
        /// The cube, 2 to this power.
        log2: u8,
    },
    /// The player on roll has doubled, but the opponent owns the cube.
    ImpossibleDouble,
    /// The player on roll has doubled, but the cube stands at its limit.
    DoubleAtLimit {
        /// The cube, 2 to this power.
        log2: u8,
    },
}

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Remark::NotCrawford { score, opponent_score, length } => write!(
                f,
                "at {score}-{opponent_score} in a match of {length} there is no Crawford game: in it just one player \
                 is one point from winning; its mark is ignored"
            ),
            Remark::CrawfordCube { log2 } => write!(
                f,
                "the cube at {} is read as 1 in the middle, as GNU Backgammon does: this is the Crawford game, in \
                 which nobody may double",
                1_u32 << log2
            ),
            Remark::ImpossibleDouble => {
                f.write_str("the player on roll has doubled, although the opponent owns the cube: he may not double")
            }
            Remark::DoubleAtLimit { log2 } => write!(
                f,
                "the player on roll has doubled, although the cube stands at its limit, {}: he may not double",
                1_u32 << log2
            ),
        }
    }
}
