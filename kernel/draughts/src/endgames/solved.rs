//! Endgames as bytes, and as known values of a game with a draw rule.
//!
//! | bytes | |
//! |---|---|
//! | 4 | the most pieces, little-endian |
//! | | for each number of pieces from two on, a byte for each position |

use tavli_game::{SolvedPositions, SolvedValue};
use thiserror::Error;

use super::index::Index;
use super::table::{EndgameTable, EndgameValue, Endgames};
use crate::board::Position;
use crate::rules::{Draw, Rules};

/// Bytes that are no endgames.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("the bytes are no solved endgames of draughts: the number of pieces or the length is wrong")]
pub struct BytesError;

impl Endgames {
    /// The tables as bytes.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.pieces().to_le_bytes().to_vec();
        for table in &self.tables {
            bytes.extend_from_slice(&table.bytes);
        }
        bytes
    }

    /// The tables of bytes. A file around them should have a checksum: damaged values are values, too.
    ///
    /// # Errors
    /// [`BytesError`] if the number of pieces or the length is wrong.
    pub fn from_bytes(bytes: &[u8]) -> Result<Endgames, BytesError> {
        let (&pieces, mut rest) = bytes.split_first_chunk().ok_or(BytesError)?;
        let pieces = u32::from_le_bytes(pieces);
        if !(2..=Endgames::MAX_PIECES).contains(&pieces) {
            return Err(BytesError);
        }
        let mut tables = Vec::new();
        for number in 2..=pieces {
            let index = Index::new(number as u8);
            let (bytes, after) = rest.split_at_checked(index.numbers() as usize).ok_or(BytesError)?;
            rest = after;
            tables.push(EndgameTable { index, bytes: bytes.to_vec() });
        }
        match rest.is_empty() {
            true => Ok(Endgames { tables }),
            false => Err(BytesError),
        }
    }
}

/// Solved endgames in a game with a draw rule.
#[derive(Debug)]
pub(crate) struct Solved {
    endgames: Endgames,
    /// The plies after which the rule may end a game.
    most: u32,
}

impl Solved {
    pub(crate) fn new(endgames: Endgames, rules: Rules) -> Solved {
        let (Draw::Quiet(most) | Draw::KingsOnly(most)) = rules.draw;
        let most = u32::from(most);
        Solved { endgames, most }
    }
}

impl SolvedPositions<Position> for Solved {
    fn known(&self, position: &Position) -> Option<SolvedValue> {
        let (points, plies) = match self.endgames.value(position)? {
            EndgameValue::Win(plies) => (1, plies),
            // Whatever the count: a draw rule can only end the game sooner, drawn as well.
            EndgameValue::Draw => return Some(SolvedValue { points: 0, plies: 0 }),
            EndgameValue::Loss(plies) => (-1, plies),
        };
        // With more plies than are left, captures and moves of men may still win in time, or not: the tables, which
        // have no draw rule, cannot say.
        let is_in_time = u32::from(position.quiet()) + plies <= self.most;
        is_in_time.then_some(SolvedValue { points, plies })
    }
}
