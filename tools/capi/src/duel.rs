//! Two players against each other.

use std::ffi::{c_char, c_void};

use tavli::duel::{Duel, Score as KernelScore};

use crate::cancel::{self, Cancel};
use crate::estimate::Estimate;
use crate::failure::Failure;
use crate::guard::guarded;
use crate::outcome;
use crate::players;
use crate::pointer::OutPointer;
use crate::progress::{Listener, ProgressCallback};
use crate::settings::Rules;
use crate::status::Status;
use crate::text;
use crate::workers::{self, Workers};

/// Results of the games of two players, for the first of them.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Score {
    /// Games that were played, two of each pair.
    pub games: u64,
    /// Games by TavliOutcome; the rest of the room is 0.
    pub outcomes: [u64; 8],
    /// Points of a game, -3 to 3, with the standard error of the means of pairs; NaN without games.
    pub points_per_game: Estimate,
}

impl From<&KernelScore> for Score {
    fn from(score: &KernelScore) -> Score {
        Score {
            games: score.points.games(),
            outcomes: outcome::room(&score.outcomes),
            points_per_game: score.points.per_game().into(),
        }
    }
}

/// The most games: their squared points fit 64 bits.
const MAX_GAMES: u64 = 1 << 56;

/// Plays an even number of games between two players, from the start of a TavliRules, and stores the first player's
/// results.
///
/// Games come in pairs with the same dice: player begins the first of a pair, opponent the second. The first roll is
/// not a double. A player is named, such as "fast" or "pubeval", or is the path of its file: a policy as in
/// TavliSettings. cancel and progress, which counts games, may be NULL. A call that is cancelled succeeds, with the
/// score of the first pairs, which were played.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tavli_duel(
    player: *const c_char,
    opponent: *const c_char,
    games: u64,
    seed: u64,
    rules: u32,
    workers: *const Workers,
    cancel: *const Cancel,
    progress: ProgressCallback,
    data: *mut c_void,
    score: *mut Score,
) -> Status {
    guarded(|| {
        // SAFETY: the caller guarantees, until this returns: `player` and `opponent` are unchanged texts that end with
        // a zero; `workers` and `cancel` are handles of their own functions, not freed (`cancel` may be NULL); at
        // `score` is room for one score; `progress` may be called with `data`.
        let (place, player, opponent, workers, cancel, listener) = unsafe {
            (
                OutPointer::new("score", score)?,
                text::read("player", player)?,
                text::read("opponent", opponent)?,
                workers::read(workers)?,
                cancel::read(cancel)?,
                Listener::new(progress, data),
            )
        };
        if games == 0 || !games.is_multiple_of(2) || games > MAX_GAMES {
            return Err(Failure::new(
                Status::Settings,
                format_args!("games are an even number 2 to {MAX_GAMES}, two on the same dice, not {games}"),
            ));
        }
        let players = [players::policy(player, &cancel)?, players::policy(opponent, &cancel)?];
        let duel = Duel::new(players, Rules::read(rules)?, seed, games / 2);
        let duel = duel.cancelled_by(&cancel);
        let report = duel.play(workers.tier, &workers.workers, |progress| {
            listener.tell(&progress.into());
        });
        place.store(Score::from(&report.score));
        Ok(())
    })
}
