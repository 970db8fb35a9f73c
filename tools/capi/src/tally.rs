//! The counts of playouts.

use tavli::Tally as KernelTally;

use crate::failure::Failure;
use crate::outcome;
use crate::status::Status;

/// The counts of playouts: exact numbers for the player on roll in their first position. The counts of two neighbouring
/// ranges of games add up to the counts of both together, except longest, which is the larger one.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tally {
    /// Playouts.
    pub games: u64,
    /// Finished playouts, by TavliOutcome; the rest of the room is 0.
    pub outcomes: [u64; 8],
    /// Playouts that were cut off.
    pub unfinished: u64,
    /// Plies, passes and the winning ply included.
    pub plies: u64,
    /// Sum over the playouts of the square of their plies.
    pub plies_squared: u64,
    /// Distinct plays offered, summed over all plies.
    pub plays: u64,
    /// Plies of the longest playout.
    pub longest: u64,
}

impl Tally {
    pub(crate) fn new(tally: &KernelTally) -> Result<Tally, Failure> {
        let sum = |sum: u128| {
            u64::try_from(sum).map_err(|_| {
                let message = format!("the sums over {} games do not fit 64 bits: play fewer in one call", tally.games);
                Failure::new(Status::Settings, message)
            })
        };
        Ok(Tally {
            games: tally.games,
            outcomes: outcome::room(&tally.outcomes),
            unfinished: tally.unfinished(),
            plies: sum(tally.plies)?,
            plies_squared: sum(tally.plies_squared)?,
            plays: sum(tally.plays)?,
            longest: u64::from(tally.longest),
        })
    }
}
