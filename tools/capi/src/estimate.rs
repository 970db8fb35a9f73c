//! Means of playouts.

use tavli::{Outcome as KernelOutcome, Tally as KernelTally};

use crate::failure::Failure;
use crate::guard::guarded;
use crate::pointer::{self, OutPointer};
use crate::status::Status;
use crate::tally::Tally;

/// A mean and its standard error; for many playouts the 95 % interval is the mean ± 1.96 standard errors.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Estimate {
    /// The sample mean; NaN without playouts.
    pub mean: f64,
    /// The standard deviation of the mean; NaN below two playouts.
    pub standard_error: f64,
}

/// The means of playouts.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimates {
    /// Share of games won, 0 to 1.
    pub win: Estimate,
    /// Share of each TavliOutcome; the rest of the room is 0.
    pub outcomes: [Estimate; 8],
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
        Estimate { mean: estimate.mean, standard_error: estimate.standard_error }
    }
}

/// Refuses counts that no playouts have. Returns the plies of the longest one.
fn check(tally: &Tally) -> Result<u32, Failure> {
    let refused =
        |message: String| Failure::new(Status::Settings, format!("the tally is not one of playouts: {message}"));
    let [games, unfinished, plies, squares] =
        [tally.games, tally.unfinished, tally.plies, tally.plies_squared].map(u128::from);
    let finished: u128 = tally.outcomes.iter().map(|&count| u128::from(count)).sum();
    if finished + unfinished != games {
        return Err(refused(format!(
            "its outcomes, {finished}, and unfinished, {unfinished}, do not add up to its games, {games}"
        )));
    }
    if let Some(&rest) = tally.outcomes[KernelOutcome::COUNT..].iter().find(|&&count| count != 0) {
        let outcomes = KernelOutcome::COUNT;
        return Err(refused(format!("there are {outcomes} outcomes, and the rest of the room is 0, not {rest}")));
    }
    // The mean of the squares is never below the square of the mean.
    if plies * plies > games * squares {
        return Err(refused(format!(
            "{games} games of {plies} plies together have a larger sum of squares than {squares}"
        )));
    }
    u32::try_from(tally.longest)
        .map_err(|_| refused(format!("no game has {} plies: the most are {}", tally.longest, u32::MAX)))
}

/// Works out the means of playouts and their standard errors from a tally.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tavli_tally_estimates(tally: *const Tally, estimates: *mut Estimates) -> Status {
    guarded(|| {
        // SAFETY: the caller guarantees, until this returns: at `tally` is an unchanged tally; at `estimates` is room
        // for one struct of estimates.
        let (place, tally) = unsafe { (OutPointer::new("estimates", estimates)?, pointer::reference("tally", tally)?) };
        let longest = check(tally)?;
        let mut counted = KernelTally::default();
        counted.games = tally.games;
        counted.outcomes.copy_from_slice(&tally.outcomes[..KernelOutcome::COUNT]);
        counted.plies = tally.plies.into();
        counted.plies_squared = tally.plies_squared.into();
        counted.plays = tally.plays.into();
        counted.longest = longest;
        let mut outcomes = [Estimate::default(); 8];
        for (estimate, &outcome) in outcomes.iter_mut().zip(KernelOutcome::ALL) {
            *estimate = counted.share(outcome).into();
        }
        place.store(Estimates {
            win: counted.win().into(),
            outcomes,
            unfinished: counted.unfinished_share().into(),
            equity: counted.equity().into(),
            plies: counted.mean_plies().into(),
            plays: counted.mean_plays(),
        });
        Ok(())
    })
}
