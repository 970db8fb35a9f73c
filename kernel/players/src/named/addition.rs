//! Additions to a player, written after its name with a `+`.

use core::num::NonZeroU32;
use std::sync::{Arc, LazyLock, Mutex, PoisonError, Weak};

use tavli_backgammon::evaluators::{EvaluatorError, KnownValues};

use super::error::NamedError;
use super::file::{NamedFile, without_path};
use crate::bearoff::{BearOffError, FileError, OneSided, OneSidedValues, TwoSided, TwoSidedValues};
use crate::move_filters::MoveFilters;
use crate::player::NamedPlayer;
use crate::plays_with_cube::{self, cubeful_evaluator};
use crate::with_known_values::with_known_values;
use tavli_file::whole_file;

/// The most plies that a player looks ahead. Each ply takes some twenty times as long as the ply before: 21 rolls.
pub const MAX_PLIES: u32 = 4;

/// The most additions of a player. Names are parsed recursively, so their depth is limited.
const MAX_ADDITIONS: usize = 8;

/// The points and the checkers of `+bearoff` without a size.
const SIZE: (u8, u8) = (6, 6);

/// The table of [`SIZE`], solved once, when it is needed.
static KNOWN_VALUES: LazyLock<Arc<dyn KnownValues>> = LazyLock::new(|| {
    let (points, checkers) = SIZE;
    Arc::new(TwoSidedValues::when_needed(points, checkers).expect("six points"))
});

/// The one-sided table of a home board, made when it is first needed, in a tenth of a second.
static HOME_BOARD_VALUES: LazyLock<Arc<dyn KnownValues>> =
    LazyLock::new(|| Arc::new(OneSidedValues::when_needed(HOME).expect("a small table")));

/// The points of a home board.
const HOME: u8 = 6;

/// The tables in use, of other sizes and from files. A program that looks up a player again, for instance as an
/// evaluator, does not wait minutes for the same table.
static LIVE_TABLES: Mutex<Vec<Weak<dyn KnownValues>>> = Mutex::new(Vec::new());

/// The table that was last made in WebAssembly, where each batch of games looks its players up again.
static LAST_TABLE: Mutex<Option<Arc<dyn KnownValues>>> = Mutex::new(None);

/// The points and, for a two-sided table, the checkers.
type Size = (u8, Option<u8>);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Addition<'a> {
    /// `1ply`, `2ply:KEEP` or `2ply:KEEP:BY`: it looks ahead.
    Plies(&'a str),
    /// `bearoff`, or `bearoff:` and a size or a file: it knows the values of bear-offs.
    BearOff(Option<&'a str>),
    /// `cube`: its plays are chosen with the cube.
    Cube,
}

impl<'a> Addition<'a> {
    /// Splits a text into a player and its last addition; `None` if there is no addition.
    pub(super) fn split(text: &'a str) -> Option<(&'a str, Addition<'a>)> {
        let (player, added) = text.rsplit_once('+')?;
        let (kind, of_kind) = match added.split_once(':') {
            Some((kind, of_kind)) => (kind, Some(of_kind)),
            None => (added, None),
        };
        match kind {
            "bearoff" => Some((player, Addition::BearOff(of_kind))),
            plays_with_cube::ADDITION if of_kind.is_none() => Some((player, Addition::Cube)),
            _ if kind.ends_with("ply") => Some((player, Addition::Plies(added))),
            // A plus may stand in the name of a file.
            _ => None,
        }
    }

    /// The text of the addition without the paths of files. `identity` takes the paths out of a player's name.
    pub(super) fn without_paths(self, identity: impl Fn(&str) -> String) -> String {
        match self {
            Addition::BearOff(None) => "bearoff".to_owned(),
            Addition::Cube => plays_with_cube::ADDITION.to_owned(),
            Addition::BearOff(Some(table)) => format!("bearoff:{}", without_path(table)),
            Addition::Plies(text) => match text.splitn(3, ':').collect::<Vec<_>>()[..] {
                [plies, keep, by] => format!("{plies}:{keep}:{}", identity(by)),
                _ => text.to_owned(),
            },
        }
    }

    /// The player that chooses the plays to look ahead from, if the addition names one.
    pub(super) fn chooser(self) -> Option<&'a str> {
        match self {
            Addition::Plies(text) => text.splitn(3, ':').nth(2),
            Addition::BearOff(_) | Addition::Cube => None,
        }
    }

    /// Fails if a text has more than [`MAX_ADDITIONS`] additions, or two that look ahead.
    pub(super) fn check(text: &str) -> Result<(), NamedError> {
        let (mut player, mut number, mut ahead) = (text, 0, None);
        let mut contradiction = None;
        while let Some((before, addition)) = Addition::split(player) {
            (player, number) = (before, number + 1);
            if let Addition::Plies(plies) = addition {
                contradiction = ahead.map(|behind| [plies, behind]).or(contradiction);
                ahead = Some(plies);
            }
        }
        if number > MAX_ADDITIONS {
            return Err(NamedError::Additions { number, most: MAX_ADDITIONS });
        }
        match contradiction {
            // The error of one look-ahead, which names both.
            Some(both) => Err(NamedError::Plies { addition: both.join("+"), most: MAX_PLIES }),
            None => Ok(()),
        }
    }

    /// Makes the addition to a player, unless `stop` returns true; `find` finds other players by their names.
    pub(super) fn add_to(
        self,
        player: NamedPlayer,
        find: &dyn Fn(&str) -> Result<NamedPlayer, NamedError>,
        stop: &dyn Fn() -> bool,
    ) -> Result<NamedPlayer, NamedError> {
        // An addition around such a player would hide its plays with the cube.
        if cubeful_evaluator(&*player.policy).is_some() {
            return Err(NamedError::AfterCube);
        }
        match self {
            Addition::Plies(text) => look_ahead(player, text, find),
            Addition::Cube => {
                let name = player.policy.name().to_owned();
                plays_with_cube::with_cube(player).ok_or(NamedError::Sampled(EvaluatorError::Policy(name)))
            }
            Addition::BearOff(table) => {
                let known = match table {
                    Some(table) => known_values(table, stop)?,
                    None => Arc::clone(&KNOWN_VALUES),
                };
                Ok(with_known_values(player, known))
            }
        }
    }
}

/// Checks that the player `name` may look ahead: its name must not do so already. The number of plies only appears in
/// the error; the caller bounds it by [`MAX_PLIES`].
///
/// # Errors
/// [`NamedError::Plies`] if the name looks ahead, [`NamedError::Additions`] if it has too many additions.
///
/// ```
/// use core::num::NonZeroU32;
/// use tavli_players::named::check_look_ahead;
///
/// let plies = NonZeroU32::MIN;
/// assert!(check_look_ahead("strong", plies).is_ok() && check_look_ahead("strong+1ply", plies).is_err());
/// ```
pub fn check_look_ahead(name: &str, plies: NonZeroU32) -> Result<(), NamedError> {
    Addition::check(&format!("{name}+{plies}ply"))
}

/// A player that looks ahead as `2ply:KEEP:BY` says.
fn look_ahead(
    player: NamedPlayer,
    text: &str,
    find: &dyn Fn(&str) -> Result<NamedPlayer, NamedError>,
) -> Result<NamedPlayer, NamedError> {
    let invalid = || NamedError::Plies { addition: text.to_owned(), most: MAX_PLIES };
    let mut parts = text.splitn(3, ':');
    let plies = parts.next().and_then(|plies| plies.strip_suffix("ply"));
    let plies: NonZeroU32 = plies
        .and_then(|plies| plies.parse().ok())
        .filter(|plies: &NonZeroU32| plies.get() <= MAX_PLIES)
        .ok_or_else(invalid)?;
    let keep = parts.next().map(str::parse).transpose();
    let keep: Option<NonZeroU32> = keep.map_err(|_| invalid())?;
    let by = parts.next().map(find).transpose()?;
    let evaluator = player.valuing()?;
    let by = by.map(NamedPlayer::valuing).transpose()?;
    let filters = keep.map_or_else(MoveFilters::default, |plays| MoveFilters::keeping(plays, by));
    Ok(NamedPlayer::looking_ahead(evaluator, plies, filters))
}

/// The table of a size, such as `6x6` or `6`, or of a file, unless `stop` returns true.
pub(super) fn known_values(text: &str, stop: &dyn Fn() -> bool) -> Result<Arc<dyn KnownValues>, NamedError> {
    let values = match size(text) {
        Some((points, Some(checkers))) if (points, checkers) == SIZE => Ok(Arc::clone(&KNOWN_VALUES)),
        Some((HOME, None)) => Ok(Arc::clone(&HOME_BOARD_VALUES)),
        Some(size) => known_values_of_size(size, stop),
        // WebAssembly has no files, and the code that reads them would enlarge the module for JavaScript.
        None if cfg!(target_family = "wasm") => Err(BearOffError::NoSize),
        None => return from_file(text, stop),
    };
    values.map_err(|reason| match reason {
        BearOffError::Stopped => NamedError::Stopped,
        reason => NamedError::Table { text: text.to_owned(), reason },
    })
}

/// The table of a size: one in use, or a new one.
fn known_values_of_size(size: Size, stop: &dyn Fn() -> bool) -> Result<Arc<dyn KnownValues>, BearOffError> {
    let text = match size {
        (points, Some(checkers)) => format!("{points}x{checkers}"),
        (points, None) => points.to_string(),
    };
    if let Some(values) = held(&text) {
        return Ok(values);
    }
    let values: Arc<dyn KnownValues> = match size {
        // WebAssembly hears no signal during a call. So a table is solved where it is first used, in a worker that can
        // be ended, and not where a player is named, on the page's thread.
        (points, Some(checkers)) if cfg!(target_family = "wasm") => {
            Arc::new(TwoSidedValues::when_needed(points, checkers)?)
        }
        (points, None) if cfg!(target_family = "wasm") => Arc::new(OneSidedValues::when_needed(points)?),
        (points, Some(checkers)) => Arc::new(TwoSidedValues::new(points, checkers, stop)?),
        (points, None) => Arc::new(OneSidedValues::new(points, stop)?),
    };
    if cfg!(target_family = "wasm") {
        *LAST_TABLE.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(&values));
    }
    hold(&values);
    Ok(values)
}

/// The table of a size, or of a file with its checksum, if it is in use.
fn held(text: &str) -> Option<Arc<dyn KnownValues>> {
    let held = LIVE_TABLES.lock().unwrap_or_else(PoisonError::into_inner);
    let name = format!("bearoff:{text}");
    held.iter().filter_map(Weak::upgrade).find(|values| values.name() == name)
}

/// Notes a table for [`held`]. The lock is not held while a table is made, so other threads need not wait.
fn hold(values: &Arc<dyn KnownValues>) {
    let mut held = LIVE_TABLES.lock().unwrap_or_else(PoisonError::into_inner);
    held.retain(|values| values.strong_count() > 0);
    held.push(Arc::downgrade(values));
}

/// The table of `PATH`, or of `PATH#CHECKSUM`, which may be in use already; an error if `stop` returns true.
fn from_file(text: &str, stop: &dyn Fn() -> bool) -> Result<Arc<dyn KnownValues>, NamedError> {
    if let Some(values) = held(text).filter(|_| NamedFile::is_name(text)) {
        return Ok(values);
    }
    let values = read(&NamedFile::read(text, whole_file::MAX_TABLE_BYTES, stop)?, stop)?;
    hold(&values);
    Ok(values)
}

/// The table in a file of GNU Backgammon, of either kind, unless `stop` returns true.
fn read(file: &NamedFile, stop: &dyn Fn() -> bool) -> Result<Arc<dyn KnownValues>, NamedError> {
    let damaged = |error| match error {
        FileError::Table(BearOffError::Stopped) => NamedError::Stopped,
        error => file.damaged(error),
    };
    match TwoSided::from_gnubg(&file.bytes, stop) {
        Ok(table) => Ok(Arc::new(TwoSidedValues::from_table(&file.name, table))),
        Err(FileError::Header { .. }) => {
            let table = OneSided::from_gnubg(&file.bytes, stop).map_err(|error| match error {
                FileError::Header { .. } => file.damaged(
                    "it begins with neither gnubg-TS- nor gnubg-OS-, so it is not a bear-off table of GNU Backgammon",
                ),
                error => damaged(error),
            })?;
            let values = OneSidedValues::from_table(&file.name, table);
            Ok(Arc::new(values.map_err(|error| file.damaged(error))?))
        }
        Err(error) => Err(damaged(error)),
    }
}

/// The size of a text such as `6x6` or `6`.
fn size(text: &str) -> Option<Size> {
    match text.split_once('x') {
        Some((points, checkers)) => Some((points.parse().ok()?, Some(checkers.parse().ok()?))),
        None => Some((text.parse().ok()?, None)),
    }
}
