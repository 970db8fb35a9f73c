//! Positions of every game, by name: the game is named once, where a position is read.

use std::array;
use std::ffi::{c_char, c_int};

use tavli::games::{AnyPosition as KernelPosition, AnyPositionError, NAMES, Tally as KernelTally};
use tavli::run::remark_on_cube;
use tavli::search::{Budget, RootChoice, SearchSettings};
use tavli::{Outcome as KernelOutcome, Position};

use crate::cancel::{self, Cancel};
use crate::failure::Failure;
use crate::guard::guarded;
use crate::outcome;
use crate::pointer::{self, Buffer, OutPointer};
use crate::remarks::{remark, remark_on};
use crate::status::Status;
use crate::text;
use crate::workers::{self, Workers};

/// A position of any game: "backgammon", "tictactoe", "draughts", "plakoto" or "fevga". It does not change, and any
/// number of calls may use it at once.
#[derive(Debug)]
pub struct AnyPosition(KernelPosition);

/// The counts of playouts from a TavliAnyPosition: exact numbers for the player to move in it. The counts of two
/// neighbouring ranges of games add up to the counts of both together, except longest, which is the larger one.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AnyTally {
    /// Playouts.
    pub games: u64,
    /// Playouts that he won.
    pub wins: u64,
    /// Playouts that were drawn.
    pub draws: u64,
    /// Playouts that he lost.
    pub losses: u64,
    /// Playouts that were won or lost, by TavliOutcome: games of two points are gammons, whatever the game calls them.
    /// The rest of the room is 0.
    pub outcomes: [u64; 8],
    /// The sum of his points.
    pub points: i64,
    /// Plies.
    pub plies: u64,
    /// Plies of the longest playout.
    pub longest: u64,
}

/// A play that was searched, with its counts, for the player to move.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct AnySearchPlay {
    /// The index of the play, as in tavli_any_play.
    pub play: u64,
    /// Simulations that began with it.
    pub visits: u64,
    /// The sum of their values.
    pub sum: i64,
    /// The mean value; NaN without visits.
    pub value: f64,
    /// Its standard error; NaN below two visits.
    pub standard_error: f64,
}

/// The position and the roll of the caller; NULL is no roll.
///
/// # Safety
/// Unless they are NULL or not aligned, `position` is a handle that is not freed during `'a`, and `roll` points to
/// bytes up to a zero, which nobody changes during `'a`.
pub(crate) unsafe fn read<'a>(
    position: *const AnyPosition,
    roll: *const c_char,
) -> Result<(&'a KernelPosition, Option<&'a str>), Failure> {
    // SAFETY: the caller guarantees what `reference` and `optional` require.
    unsafe { Ok((&pointer::reference("position", position)?.0, text::optional("roll", roll)?)) }
}

/// Reads a position of a game, by rules of that game; NULL for rules is the game's usual ones. The text is what the
/// game writes, such as a FEN of draughts; NULL is the position in which a game begins. A text with dice is refused:
/// functions on plays take the roll.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tavli_any_position_read(
    game: *const c_char,
    rules: *const c_char,
    text: *const c_char,
    position: *mut *mut AnyPosition,
) -> Status {
    guarded(|| {
        // SAFETY: the caller guarantees, until this returns: `game` is an unchanged text that ends with a zero, and so
        // are `rules` and `text` unless they are NULL; at `position` is room for one handle.
        let (position, game, rules, text) = unsafe {
            (
                OutPointer::new("position", position)?,
                text::read("game", game)?,
                text::optional("rules", rules)?,
                text::optional("text", text)?,
            )
        };
        let read = match text {
            Some(text) => {
                let position = KernelPosition::read(game, rules, text)?;
                if let Some(found) = position.remark() {
                    remark_on(text, found);
                }
                if game == NAMES[0]
                    && let Ok(of_backgammon) = text.parse::<Position>()
                    && let Some(found) = remark_on_cube(&of_backgammon)
                {
                    remark(found);
                }
                position
            }
            None => KernelPosition::start(game, rules)?,
        };
        position.store_handle(AnyPosition(read));
        Ok(())
    })
}

/// Frees a position; NULL is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tavli_any_position_free(position: *mut AnyPosition) {
    guarded(|| {
        // SAFETY: the caller guarantees: `position` is NULL or a handle of this interface, freed once, which no call is
        // using.
        unsafe { pointer::take_back(position) };
        Ok(())
    });
}

/// Writes a position as tavli_any_position_read takes it, with all that it holds. The text ends with a zero; its number
/// of bytes, the zero included, is stored in size, which may be NULL. TAVLI_TEXT_SIZE bytes hold any.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tavli_any_position_write(
    position: *const AnyPosition,
    buffer: *mut c_char,
    capacity: usize,
    size: *mut usize,
) -> Status {
    guarded(|| {
        // SAFETY: the caller guarantees, until this returns: `position` is not freed; at `buffer` is room for
        // `capacity` bytes, and at `size`, unless it is NULL, for one number.
        let (position, buffer) =
            unsafe { (pointer::reference("position", position)?, Buffer::new(buffer, capacity, "size", size)?) };
        text::write(&position.0.state(), buffer)
    })
}

/// Stores whether the game is over in a position, 1 or 0, and its points for the player whose turn it would be then, 0
/// while it goes on.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tavli_any_position_points(
    position: *const AnyPosition,
    is_over: *mut c_int,
    points: *mut c_int,
) -> Status {
    guarded(|| {
        // SAFETY: the caller guarantees, until this returns: `position` is not freed; at `is_over` and `points` is room
        // for one number each.
        let (position, is_over, points) = unsafe {
            (
                pointer::reference("position", position)?,
                OutPointer::new("is_over", is_over)?,
                OutPointer::new("points", points)?,
            )
        };
        let found = position.0.points();
        is_over.store(c_int::from(found.is_some()));
        points.store(found.unwrap_or(0));
        Ok(())
    })
}

/// Counts the plays of a position. The roll is two digits, such as "31", and NULL in a game without dice. A play is a
/// distinct resulting position.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tavli_any_plays_count(
    position: *const AnyPosition,
    roll: *const c_char,
    count: *mut usize,
) -> Status {
    guarded(|| {
        // SAFETY: the caller guarantees, until this returns: `position` is not freed; `roll` is NULL or an unchanged
        // text that ends with a zero; at `count` is room for one number.
        let (count, (position, roll)) = unsafe { (OutPointer::new("count", count)?, read(position, roll)?) };
        count.store(position.plays(roll)?.len());
        Ok(())
    })
}

/// Makes the play of this index, from 0 on, in the order in which playouts count them: stores the position after it,
/// seen by the next player, in after. Its moves in the game's notation go into the buffer as in
/// tavli_any_position_write; if the buffer is too small, no play is made.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tavli_any_play(
    position: *const AnyPosition,
    roll: *const c_char,
    play: usize,
    after: *mut *mut AnyPosition,
    buffer: *mut c_char,
    capacity: usize,
    size: *mut usize,
) -> Status {
    guarded(|| {
        // SAFETY: the caller guarantees, until this returns: `position` is not freed; `roll` is NULL or an unchanged
        // text that ends with a zero; at `after` is room for one handle, at `buffer` for `capacity` bytes, and at
        // `size`, unless it is NULL, for one number.
        let (after, buffer, (position, roll)) = unsafe {
            (OutPointer::new("after", after)?, Buffer::new(buffer, capacity, "size", size)?, read(position, roll)?)
        };
        let mut plays = position.plays(roll)?;
        if play >= plays.len() {
            let message = format_args!("there are {} plays, numbered from 0, not {play}", plays.len());
            return Err(Failure::new(Status::Index, message));
        }
        let made = plays.swap_remove(play);
        text::write(&made.moves, buffer)?;
        after.store_handle(AnyPosition(made.position));
        Ok(())
    })
}

/// Plays games from a position on this thread, numbers first_game to first_game + games - 1 of a seed, each play as
/// likely as any other, and stores their tally. cancel may be NULL. A call that is cancelled succeeds: it tallies the
/// first tally.games games from first_game on. The workers give the tier, and do not play.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tavli_any_playouts(
    position: *const AnyPosition,
    seed: u64,
    first_game: u64,
    games: u64,
    workers: *const Workers,
    cancel: *const Cancel,
    tally: *mut AnyTally,
) -> Status {
    guarded(|| {
        // SAFETY: the caller guarantees, until this returns: `position`, `workers` and `cancel` are handles of their
        // own functions, not freed (`cancel` may be NULL); at `tally` is room for one tally.
        let (tally, position, workers, cancel) = unsafe {
            (
                OutPointer::new("tally", tally)?,
                pointer::reference("position", position)?,
                workers::read(workers)?,
                cancel::read(cancel)?,
            )
        };
        let last = first_game.checked_add(games).ok_or_else(|| {
            let message =
                format_args!("games are numbered below 2^64: {games} from number {first_game} on are too many");
            Failure::new(Status::Settings, message)
        })?;
        let stop = || cancel.is_cancelled();
        let mut played = KernelTally::default();
        // The first chunk is played even for 0 games: it reports a game that is over.
        let mut chunk = first_game..last.min(first_game.saturating_add(GAMES_PER_CHUNK));
        loop {
            match position.0.playouts(workers.tier, seed, chunk.clone(), &stop) {
                Ok(games) => played.merge(&games),
                Err(AnyPositionError::Stopped(_)) => break,
                Err(error) => return Err(error.into()),
            }
            // Short games end before the stop of a chunk is looked at.
            if chunk.end == last || cancel.is_cancelled() {
                break;
            }
            chunk = chunk.end..last.min(chunk.end.saturating_add(GAMES_PER_CHUNK));
        }
        tally.store(AnyTally::new(&played)?);
        Ok(())
    })
}

/// Games between two stops of a cancelled call, a few hundredths of a second. Only whole chunks are counted.
const GAMES_PER_CHUNK: u64 = 1 << 10;

impl AnyTally {
    fn new(tally: &KernelTally) -> Result<AnyTally, Failure> {
        let counted = |signs: fn(i32) -> bool| {
            (-127..=127).filter(|&points| signs(points)).map(|points| tally.count(points)).sum()
        };
        let plies = u64::try_from(tally.plies).map_err(|_| {
            let message = format_args!("the plies of {} games do not fit 64 bits: play fewer in one call", tally.games);
            Failure::new(Status::Settings, message)
        })?;
        Ok(AnyTally {
            games: tally.games,
            wins: counted(|points| points > 0),
            draws: counted(|points| points == 0),
            losses: counted(|points| points < 0),
            outcomes: outcome::room(&array::from_fn(|outcome| tally.count(KernelOutcome::ALL[outcome].points()))),
            points: (-127..=127).map(|points| i64::from(points) * tally.count(points) as i64).sum(),
            plies,
            longest: tally.longest.into(),
        })
    }
}

/// Searches for the best play of a position by UCT with playouts in which each play is as likely as any other, and
/// stores the plays into a buffer for capacity of them, the play of the best value first. Their number is stored in
/// count, which may be NULL; if the buffer is too small nothing is stored, and the status is TAVLI_STATUS_BUFFER.
///
/// The result depends on the position, the roll, the simulations and the seed alone. 0 simulations mean 1,000,000.
/// cancel may be NULL; a call that is cancelled stores its result so far.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tavli_any_search(
    position: *const AnyPosition,
    roll: *const c_char,
    simulations: u64,
    seed: u64,
    workers: *const Workers,
    cancel: *const Cancel,
    buffer: *mut AnySearchPlay,
    capacity: usize,
    count: *mut usize,
) -> Status {
    guarded(|| {
        // SAFETY: the caller guarantees, until this returns: `roll` is NULL or an unchanged text that ends with a zero;
        // `position`, `workers` and `cancel` are handles of their own functions, not freed (`cancel` may be NULL); at
        // `buffer` is room for `capacity` plays, and at `count`, unless it is NULL, for one number.
        let (buffer, (position, roll), workers, cancel) = unsafe {
            (
                Buffer::new(buffer, capacity, "count", count)?,
                read(position, roll)?,
                workers::read(workers)?,
                cancel::read(cancel)?,
            )
        };
        let settings = SearchSettings { seed, ..SearchSettings::default() };
        let budget = Budget::simulations(if simulations == 0 { 1_000_000 } else { simulations });
        let choices = position.plays(roll)?.len();
        if let Some(found) = budget.remark_on_simulations(&settings, choices) {
            remark(found);
        }
        let report = position.search(roll, workers.tier, settings, budget, &workers.workers, &cancel)?;
        let ranking = report.ranking(settings.best_by);
        let plays = ranking.into_iter().map(|play| {
            let root_choice = report.root.choices[play];
            AnySearchPlay::new(play, &root_choice)
        });
        buffer.store(&plays.collect::<Vec<_>>())
    })
}

impl AnySearchPlay {
    fn new(play: usize, root_choice: &RootChoice) -> AnySearchPlay {
        AnySearchPlay {
            play: play as u64,
            visits: root_choice.visits,
            sum: root_choice.sum,
            value: if root_choice.visits == 0 { f64::NAN } else { root_choice.value() },
            standard_error: root_choice.standard_error().unwrap_or(f64::NAN),
        }
    }
}
