//! The errors of tables of hypergammon.

use bytemuck::Zeroable;
use thiserror::Error;

/// The version of files of equities with a cube: the last version that is read.
pub(crate) const WITH_CUBE: u32 = 3;
/// The version of files without a cube.
pub(crate) const WITHOUT_CUBE: u32 = 2;

/// Why a file does not hold a solution.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum SolutionError {
    /// It is another file.
    #[error("it is not a table of hypergammon")]
    Foreign,
    /// It was written by a later version of this library.
    #[error("it has format {0}, and this version reads {WITH_CUBE}: use a newer version")]
    Version(u32),
    /// It is cut off, or was changed.
    #[error("it is damaged: its checksum or its length is wrong")]
    Damaged,
    /// It is finished.
    #[error("it is finished")]
    Finished,
    /// It was not finished.
    #[error(
        "it is not finished, after {sweeps} sweeps and {positions_done} of {positions} positions of the next: solve with \
         the same file to go on"
    )]
    Unfinished {
        /// Sweeps done in all stages.
        sweeps: u32,
        /// Positions done in the sweep under way.
        positions_done: usize,
        /// Positions of a sweep.
        positions: usize,
    },
    /// The system fails to read it.
    #[error("{0}")]
    Unreadable(String),
    /// The memory does not hold the values.
    #[error(
        "there is too little memory: solving takes about 1.5 GB, with a cube 5 GB, and reading a solution 0.3 or 0.5 GB"
    )]
    Memory,
}

/// `number` zeros. The system provides the memory when it is first written.
pub(crate) fn zeros<T: Zeroable>(number: usize) -> Result<Vec<T>, SolutionError> {
    bytemuck::try_zeroed_vec(number).map_err(|()| SolutionError::Memory)
}

/// Room for `number` values.
pub(crate) fn room<T>(number: usize) -> Result<Vec<T>, SolutionError> {
    // Not with `with_capacity`, which ends the program where the memory is too small.
    let mut room = Vec::new();
    let reserved = room.try_reserve_exact(number);
    reserved.map_err(|_| SolutionError::Memory)?;
    Ok(room)
}
