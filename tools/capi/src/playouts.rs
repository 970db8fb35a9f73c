//! Playouts by the numbers of the games.

use std::ffi::{c_int, c_void};

use tavli::playout::ManyPlayouts;
use tavli::run::{Limit, Run};

use crate::cancel::{self, Cancel};
use crate::failure::Failure;
use crate::guard::guarded;
use crate::pointer::{self, Buffer, OutPointer};
use crate::position::{self, POINTS};
use crate::progress::{Listener, ProgressCallback};
use crate::settings::{self, Settings};
use crate::status::Status;
use crate::tally::Tally;
use crate::workers::{self, Workers};

/// Plays games from a position, numbers first_game to first_game + games - 1, and stores their tally.
///
/// Settings that are NULL are the default. cancel and progress may be NULL. A call that is cancelled succeeds: it
/// tallies the first tally.games games from first_game on.
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
    guarded(|| {
        // SAFETY: the caller guarantees, until this returns: at `points` are 26 unchanged numbers; `settings` is NULL
        // or an unchanged struct of the size that it states, with the texts that it names; `workers` and `cancel` are
        // handles of their own functions, not freed (`cancel` may be NULL); at `tally` is room for one tally;
        // `progress` may be called with `data`.
        let (tally, board, setup, workers, cancel, listener) = unsafe {
            let cancel = cancel::read(cancel)?;
            (
                OutPointer::new("tally", tally)?,
                position::read("points", points)?,
                settings::read(settings, &cancel)?.of_playouts()?,
                workers::read(workers)?,
                cancel,
                Listener::new(progress, data),
            )
        };
        let playouts = setup.played(setup.values.playouts(board)?, workers.tier);
        let run = Run::new(playouts, Limit::Items(games)).from_game(first_game)?.cancelled_by(&cancel);
        let report = run.play(&workers.workers, |progress| listener.tell(&progress.into()));
        tally.store(Tally::new(&report.results.tally)?);
        Ok(())
    })
}

/// Plays games, numbers first_game to first_game + games - 1, from each of many positions: `int points[positions][26]`.
///
/// The tallies are stored in a buffer for as many as there are positions. Each equals what tavli_playouts stores for
/// the position alone, except that plays are not counted: they are 0. If the game is over in a position, all games have
/// its outcome. A batch plays the positions together: a thousand positions of 36 games each take as long as one
/// position of 36,000.
///
/// Settings that are NULL are the default. cancel and progress, which counts games, may be NULL. A call that is
/// cancelled succeeds: count, which may be NULL, is the number of positions whose games are all played, from the first
/// on, and the tallies of the others are not stored.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tavli_playouts_many(
    points: *const [c_int; 26],
    positions: usize,
    settings: *const Settings,
    first_game: u64,
    games: u64,
    workers: *const Workers,
    cancel: *const Cancel,
    progress: ProgressCallback,
    data: *mut c_void,
    buffer: *mut Tally,
    count: *mut usize,
) -> Status {
    guarded(|| {
        pointer::check("buffer", buffer)?;
        // SAFETY: the caller guarantees, until this returns: at `points` are `positions` times 26 unchanged numbers;
        // `settings` is NULL or an unchanged struct of the size that it states, with the texts that it names; `workers`
        // and `cancel` are handles of their own functions, not freed (`cancel` may be NULL); at `buffer` is room for
        // `positions` tallies, and at `count`, unless it is NULL, for one number; `progress` may be called with `data`.
        let (buffer, points, setup, workers, cancel, listener) = unsafe {
            let cancel = cancel::read(cancel)?;
            (
                Buffer::new(buffer, positions, "count", count)?,
                pointer::array::<[c_int; POINTS]>("points", points, positions)?,
                settings::read(settings, &cancel)?.of_playouts()?,
                workers::read(workers)?,
                cancel,
                Listener::new(progress, data),
            )
        };
        // Positions after a cancel are not read: nothing would be stored for them.
        let read = points.iter().take_while(|_| !cancel.is_cancelled());
        let rows = read.enumerate().map(|(index, points)| {
            let board = position::board(points);
            board.and_then(|board| Ok(setup.values.row(board)?)).map_err(|failure| failure.at_index("position", index))
        });
        let rows = rows.collect::<Result<Vec<_>, Failure>>()?;
        let playouts = ManyPlayouts::new(rows).expect("they have the same settings");
        let run = Run::from_rows(setup.played(playouts, workers.tier), first_game, games)?.cancelled_by(&cancel);
        let report = run.play(&workers.workers, |progress| listener.tell(&progress.into()));
        let tallies = report.results.iter().map(Tally::new);
        buffer.store(&tallies.collect::<Result<Vec<_>, Failure>>()?)
    })
}
