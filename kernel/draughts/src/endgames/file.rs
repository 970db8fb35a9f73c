//! Files of solved endgames, and what a game knows by them.
//!
//! | bytes | |
//! |---|---|
//! | 8 | `tavlidra` |
//! | 4 | the version, 1 |
//! | 4 | the most pieces |
//! | | for each number of pieces from two on, a byte for each position |
//! | 4 | the CRC-32 of all bytes before |
//!
//! Numbers are little-endian.

use std::io::{self, Write};

use crc32fast::Hasher;
use tavli_game::{Known, Tables};
use thiserror::Error;

use super::index::Index;
use super::table::{Endgames, Table, Value};
use crate::board::Position;
use crate::rules::{Draw, Rules};

/// The first bytes of a file.
const MAGIC: &[u8; 8] = b"tavlidra";

/// The version of the files.
const VERSION: u32 = 1;

/// Why a file is no file of solved endgames.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum FileError {
    /// It begins differently.
    #[error("it is no file of solved endgames of draughts")]
    Foreign,
    /// A version that this program does not know.
    #[error("it has version {0}, and this program reads version {VERSION}: solve them again")]
    Version(u32),
    /// Its checksum or its length is wrong.
    #[error("it is damaged: its checksum or its length is wrong")]
    Damaged,
}

impl Endgames {
    /// Writes the tables as a file.
    ///
    /// # Errors
    /// Those of the output.
    pub fn write(&self, output: &mut dyn Write) -> io::Result<()> {
        let mut checksum = Hasher::new();
        let numbers = [VERSION, self.pieces()].map(u32::to_le_bytes);
        let tables = self.tables.iter().map(|table| &table.bytes[..]);
        for bytes in [&MAGIC[..], &numbers[0], &numbers[1]].into_iter().chain(tables) {
            checksum.update(bytes);
            output.write_all(bytes)?;
        }
        output.write_all(&checksum.finalize().to_le_bytes())
    }

    /// Reads the bytes of a file.
    ///
    /// # Errors
    /// [`FileError`] if it is no file of tables, or is damaged.
    pub fn read(file: &[u8]) -> Result<Endgames, FileError> {
        let rest = file.strip_prefix(MAGIC).ok_or(FileError::Foreign)?;
        let (&version, rest) = rest.split_first_chunk().ok_or(FileError::Damaged)?;
        match u32::from_le_bytes(version) {
            VERSION => {}
            version => return Err(FileError::Version(version)),
        }
        let (&pieces, rest) = rest.split_first_chunk().ok_or(FileError::Damaged)?;
        let (mut rest, &checksum) = rest.split_last_chunk().ok_or(FileError::Damaged)?;
        let pieces = u32::from_le_bytes(pieces);
        let is_whole = crc32fast::hash(&file[..file.len() - checksum.len()]) == u32::from_le_bytes(checksum);
        if !is_whole || !(2..=Endgames::MOST_PIECES).contains(&pieces) {
            return Err(FileError::Damaged);
        }
        let mut tables = Vec::new();
        for number in 2..=pieces {
            let index = Index::new(number as u8);
            let (bytes, after) = rest
                .split_at_checked(index.numbers() as usize)
                .ok_or(FileError::Damaged)?;
            rest = after;
            tables.push(Table {
                index,
                bytes: bytes.to_vec(),
            });
        }
        match rest.is_empty() {
            true => Ok(Endgames { tables }),
            false => Err(FileError::Damaged),
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

impl Tables<Position> for Solved {
    fn known(&self, position: &Position) -> Option<Known> {
        let (points, plies) = match self.endgames.value(position)? {
            Value::Win(plies) => (1, plies),
            Value::Draw => return Some(Known { points: 0, plies: 0 }),
            Value::Loss(plies) => (-1, plies),
        };
        // With more plies than are left, captures and moves of men may still win in time, or not: the tables, which have
        // no draw rule, cannot say.
        let is_in_time = u32::from(position.quiet()) + plies <= self.most;
        is_in_time.then_some(Known { points, plies })
    }
}
