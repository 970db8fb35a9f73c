//! Playouts game by game.

use std::ffi::{c_int, c_void};

use tavli::run::{Limit, Run};

use crate::cancel::{self, Cancel};
use crate::failure::Failure;
use crate::guard::guarded;
use crate::pointer::Buffer;
use crate::position;
use crate::progress::{Listener, ProgressCallback};
use crate::settings::{self, Settings};
use crate::status::Status;
use crate::workers::{self, Workers};

/// How one playout ended.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlayedGame {
    /// A TavliOutcome, for the player on roll in the first position; -1 if it was cut off.
    pub outcome: i32,
    /// Plies, passes and the winning ply included.
    pub plies: u32,
}

/// Plays as tavli_playouts does, and stores how each game ended into a buffer for games of them, in the order of their
/// numbers. The number of games stored goes into count, which may be NULL: all games, or fewer if the call is
/// cancelled.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tavli_playout_games(
    points: *const c_int,
    settings: *const Settings,
    first_game: u64,
    games: usize,
    workers: *const Workers,
    cancel: *const Cancel,
    progress: ProgressCallback,
    data: *mut c_void,
    buffer: *mut PlayedGame,
    count: *mut usize,
) -> Status {
    guarded(|| {
        // SAFETY: the caller guarantees, until this returns: at `points` are 26 unchanged numbers; `settings` is NULL
        // or an unchanged struct of the size that it states, with the texts that it names; `workers` and `cancel` are
        // handles of their own functions, not freed (`cancel` may be NULL); at `buffer` is room for the ends of `games`
        // games, and at `count`, unless it is NULL, for one number; `progress` may be called with `data`.
        let (buffer, board, setup, workers, cancel, listener) = unsafe {
            let cancel = cancel::read(cancel)?;
            (
                Buffer::new(buffer, games, "count", count)?,
                position::read("points", points)?,
                settings::read(settings, &cancel)?.of_playouts()?,
                workers::read(workers)?,
                cancel,
                Listener::new(progress, data),
            )
        };
        let playouts = setup.played(setup.values.playouts(board)?, workers.tier);
        let run = Run::new(playouts, Limit::Items(games as u64)).from_game(first_game)?.cancelled_by(&cancel);
        // Memory for two copies: the games as they are counted, and as they are stored.
        let (mut bytes, mut ends) = (Vec::<u8>::new(), Vec::<PlayedGame>::new());
        let size = games.saturating_mul(size_of::<PlayedGame>());
        if bytes.try_reserve_exact(size).is_err() || ends.try_reserve_exact(games).is_err() {
            let needed = size.saturating_mul(2);
            return Err(Failure::new(
                Status::Settings,
                format_args!("{games} games take {needed} bytes of memory, more than there are: play fewer at a time"),
            ));
        }
        run.play_with_lines(
            &workers.workers,
            |progress| listener.tell(&progress.into()),
            |record, line| {
                let outcome = record.outcome.map_or(-1, |outcome| outcome as i32);
                line.extend(outcome.to_ne_bytes());
                line.extend(record.plies.to_ne_bytes());
            },
            &mut bytes,
        )
        .map_err(|error| Failure::new(Status::Buffer, error))?;
        let (records, _) = bytes.as_chunks::<8>();
        ends.extend(records.iter().map(|&[a, b, c, d, e, f, g, h]| PlayedGame {
            outcome: i32::from_ne_bytes([a, b, c, d]),
            plies: u32::from_ne_bytes([e, f, g, h]),
        }));
        buffer.store(&ends)
    })
}
