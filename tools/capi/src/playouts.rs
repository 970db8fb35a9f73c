//! Playouts by the numbers of the games.

use std::ffi::{c_int, c_void};

use tavli::run::{Limit, Run};

use crate::border::border;
use crate::cancel::{self, Cancel};
use crate::pointer::{self, Place};
use crate::position;
use crate::progress::{Listener, ProgressCallback};
use crate::settings::{self, Settings};
use crate::status::Status;
use crate::tally::Tally;
use crate::workers::Workers;

/// Plays so many games from a position, those numbered first_game and on, and tells what they came to.
///
/// Settings that are NULL are the default, a cancel that is NULL is thrown by nobody, and progress may be NULL. A
/// call that is cancelled succeeds: the tally is that of the first tally.games games from first_game on.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tavli_playouts(
    points: *const c_int,
    settings: *const Settings,
    first_game: u64,
    games: u64,
    workers: *const Workers,
    cancel: *const Cancel,
    progress: ProgressCallback,
    data: *mut c_void,
    tally: *mut Tally,
) -> Status {
    border(|| {
        // SAFETY: until this call returns the caller leaves `tally` to it, a place for one tally, and does not change
        // the 26 numbers at `points` and, unless it is NULL, the struct at `settings`, which has the size that it
        // states. He frees neither `workers` nor `cancel` meanwhile, each of its own function and `cancel` perhaps
        // NULL, and `progress` may be called with `data`.
        let (tally, board, settings, workers, cancel, listener) = unsafe {
            (
                Place::new("tally", tally)?,
                position::read("points", points)?,
                settings::read(settings)?,
                pointer::reference("workers", workers)?,
                cancel::read(cancel)?,
                Listener::new(progress, data),
            )
        };
        let playouts = settings.playouts(board)?;
        let run = Run::new(playouts, workers.tier, Limit::Games(games))
            .from_game(first_game)?
            .cancelled_by(&cancel);
        let report = run.play(&workers.workers, |progress| listener.tell(&progress.into()));
        tally.store(Tally::new(&report.results.tally)?);
        Ok(())
    })
}
