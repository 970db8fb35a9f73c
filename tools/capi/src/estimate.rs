//! Means of playouts.

use tavli::Tally as KernelTally;

use crate::border::border;
use crate::failure::Failure;
use crate::pointer::{self, Place};
use crate::status::Status;
use crate::tally::Tally;

/// A mean and its standard error, which add up to the 95 % interval mean ± 1.96 standard errors for many playouts.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// The sample mean; NaN without playouts.
    pub mean: f64,
    /// The standard deviation of the mean.
    pub standard_error: f64,
}

/// The means of playouts.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimates {
    /// Share of games won, 0 to 1.
    pub win: Estimate,
    /// Share of each outcome, in the order of TavliTally.
    pub outcomes: [Estimate; 6],
    /// Share of games cut off.
    pub unfinished: Estimate,
    /// Points without cube, -3 to 3; games cut off count 0.
    pub equity: Estimate,
    /// Plies of a game.
    pub plies: Estimate,
    /// Distinct plays offered per ply.
    pub plays: f64,
}

impl From<tavli::Estimate> for Estimate {
    fn from(estimate: tavli::Estimate) -> Estimate {
        Estimate {
            mean: estimate.mean,
            standard_error: estimate.standard_error,
        }
    }
}

/// Works out the means of playouts and their standard errors from a tally.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tavli_tally_estimates(
    tally: *const Tally,
    estimates: *mut Estimates,
) -> Status {
    border(|| {
        // SAFETY: until this call returns the caller leaves `estimates` to it, a place for one struct of them, and does
        // not change the struct at `tally`.
        let (place, tally) = unsafe {
            (
                Place::new("estimates", estimates)?,
                pointer::reference("tally", tally)?,
            )
        };
        let all: u128 = tally.outcomes.iter().map(|&count| u128::from(count)).sum();
        let longest = u32::try_from(tally.longest).ok();
        let (Some(longest), true) = (longest, all <= u128::from(tally.games)) else {
            let message = "the counts of the tally are not those of playouts";
            return Err(Failure::new(Status::Settings, message));
        };
        let tally = KernelTally {
            games: tally.games,
            outcomes: tally.outcomes,
            plies: tally.plies.into(),
            plies_squared: tally.plies_squared.into(),
            plays: tally.plays.into(),
            longest,
        };
        place.store(Estimates {
            win: tally.win().into(),
            outcomes: tavli::Outcome::ALL.map(|outcome| tally.share(outcome).into()),
            unfinished: tally.unfinished_share().into(),
            equity: tally.equity().into(),
            plies: tally.mean_plies().into(),
            plays: tally.mean_plays(),
        });
        Ok(())
    })
}
