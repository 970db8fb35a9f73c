//! Examples in a saved training: positions, and the rows of targets that have been made for them.

use serde::{Deserialize, Serialize};
use tavli_backgammon::{Board, Planes, Playouts, RuleSet};

use crate::error::CheckpointError;

/// The length of a Position ID.
const ID: usize = 14;

/// The numbers of the examples that follow the weights in a saved training.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct SavedExamples {
    /// Whether the examples are complete. Otherwise they are those that an `ExampleBuilder` has made so far.
    pub(crate) are_made: bool,
    /// Games played so far, and their positions.
    pub(crate) played: u64,
    pub(crate) seen: usize,
    positions: usize,
    targets: usize,
    values: usize,
}

/// The positions of examples with their rows, as they are kept in memory.
#[derive(Clone, Copy)]
pub(crate) struct ExampleRows<'a> {
    pub(crate) positions: &'a [Planes],
    /// For each position whether the next one follows it by a play of the policy; none once all examples are made.
    pub(crate) follows: &'a [bool],
    pub(crate) targets: &'a [f32],
    pub(crate) values: &'a [f32],
}

/// Examples as they were read from a saved training.
#[derive(Clone, Debug)]
pub(crate) struct ReadExamples {
    pub(crate) positions: Vec<Planes>,
    pub(crate) follows: Vec<bool>,
    pub(crate) targets: Vec<f32>,
    pub(crate) values: Vec<f32>,
}

impl SavedExamples {
    /// Writes rows of `row` floats, of which the first `outputs` are not padding.
    pub(crate) fn write(
        bytes: &mut Vec<u8>,
        examples: ExampleRows<'_>,
        (outputs, row): (usize, usize),
        (are_made, played, seen): (bool, u64, usize),
    ) -> SavedExamples {
        let ExampleRows { positions, follows, targets, values } = examples;
        for position in positions {
            bytes.extend(Board::from(*position).position_id().as_str().bytes());
        }
        bytes.extend(follows.iter().map(|&follows| u8::from(follows)));
        for row in targets.chunks_exact(row).chain(values.chunks_exact(row)) {
            bytes.extend(row[..outputs].iter().flat_map(|output| output.to_le_bytes()));
        }
        SavedExamples {
            are_made,
            played,
            seen,
            positions: positions.len(),
            targets: targets.len() / row,
            values: values.len() / row,
        }
    }

    /// Takes what was written from the beginning of `bytes`.
    ///
    /// # Errors
    /// [`CheckpointError::Form`] if bytes are missing, or a position is none of a game that goes on under the rules.
    pub(crate) fn read(
        &self,
        bytes: &mut &[u8],
        rules: RuleSet,
        (outputs, row): (usize, usize),
    ) -> Result<ReadExamples, CheckpointError> {
        let wrong = || CheckpointError::Form("its examples are not as many as it says, or not positions".to_owned());
        let follows = if self.are_made { 0 } else { self.positions };
        let position = |id: &[u8]| {
            let id = str::from_utf8(id).map_err(|_| wrong())?;
            let board = Board::from_position_id(id).map_err(|_| wrong())?;
            Playouts::new(board, rules, 0).map_err(|_| wrong())?;
            Ok::<_, CheckpointError>(Planes::from(board))
        };
        let ids = take(bytes, self.positions, ID).ok_or_else(wrong)?;
        let positions = ids.chunks_exact(ID).map(position).collect::<Result<_, _>>()?;
        let follows = take(bytes, follows, 1).ok_or_else(wrong)?;
        let mut rows = |number: usize| {
            let floats = take(bytes, number, 4 * outputs).ok_or_else(wrong)?;
            let mut rows = vec![0.0; number * row];
            for (row, floats) in rows.chunks_exact_mut(row).zip(floats.chunks_exact(4 * outputs)) {
                for (output, float) in row.iter_mut().zip(floats.as_chunks().0) {
                    *output = f32::from_le_bytes(*float);
                }
            }
            Ok::<_, CheckpointError>(rows)
        };
        let is_consistent = match self.are_made {
            true => self.positions > 0 && self.targets == self.positions && self.values == 0,
            false => self.targets <= self.positions && (self.values == 0 || self.values == self.targets),
        };
        if !is_consistent {
            return Err(wrong());
        }
        Ok(ReadExamples {
            positions,
            follows: follows.iter().map(|&follows| follows != 0).collect(),
            targets: rows(self.targets)?,
            values: rows(self.values)?,
        })
    }
}

/// Takes `number` pieces of `size` bytes from the beginning of `bytes`; `None` if there are fewer.
fn take<'a>(bytes: &mut &'a [u8], number: usize, size: usize) -> Option<&'a [u8]> {
    bytes.split_off(..number.checked_mul(size)?)
}
