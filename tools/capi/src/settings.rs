//! What decides the values of games.

use core::num::NonZeroU32;

use tavli::rollout;
use tavli::{FirstRoll as KernelFirstRoll, RuleSet};

use crate::failure::Failure;
use crate::pointer;
use crate::status::Status;

/// The rules of a game; tavli_position_start tells where one begins.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rules {
    /// Backgammon.
    Backgammon = 0,
    /// The first version of McGammon's game: a player wins as soon as all his checkers are home.
    Mcgammon = 1,
    /// Backgammon in which a game is worth 2 points at most.
    Portes = 2,
    /// Backgammon with two more checkers back when a game begins.
    Nackgammon = 3,
    /// Backgammon with three checkers a side.
    Hypergammon = 4,
    /// Backgammon with all checkers on the 24 points when a game begins.
    Longgammon = 5,
}

/// How each game begins; or instead a roll as two digits, such as 31.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FirstRoll {
    /// With any of the 36 throws.
    Any = 0,
    /// With one of the 15 rolls that are no double.
    Open = 1,
    /// With throws that are spread evenly over the games, in an order that the seed shuffles: any 36 consecutive games
    /// begin with each throw once, any 1,296 with each pair of throws.
    Stratified = 2,
}

/// What decides the values of games, together with their position and their numbers. Begin with
/// tavli_settings_default and change what you need.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// sizeof(TavliSettings), as tavli_settings_default sets it.
    pub size: u32,
    /// TAVLI_SETTINGS_VERSION, as tavli_settings_default sets it.
    pub version: u32,
    /// The seed of the random streams; 1 by default.
    pub seed: u64,
    /// A TavliRules; backgammon by default.
    pub rules: u32,
    /// A TavliFirstRoll, or a roll as two digits; TAVLI_FIRST_ROLL_ANY by default. Of candidate plays, the
    /// roll after the play.
    pub first_roll: u32,
    /// Games are cut off after so many plies, to count 0 points; 0, the default, plays them to their end.
    pub plies: u32,
}

/// The version of TavliSettings in this header.
pub const TAVLI_SETTINGS_VERSION: u32 = 1;

/// Backgammon, seed 1, any first roll, games played to their end.
#[unsafe(no_mangle)]
pub extern "C" fn tavli_settings_default() -> Settings {
    let rollout::Settings { seed, .. } = rollout::Settings::default();
    Settings {
        size: size_of::<Settings>() as u32,
        version: TAVLI_SETTINGS_VERSION,
        seed,
        rules: Rules::Backgammon as u32,
        first_roll: FirstRoll::Any as u32,
        plies: 0,
    }
}

impl Rules {
    /// The rules of a number from the caller.
    pub(crate) fn read(number: u32) -> Result<RuleSet, Failure> {
        let found = RuleSet::ALL.get(number as usize);
        found.copied().ok_or_else(|| {
            let last = RuleSet::ALL.len() - 1;
            let message = format!("rules are TavliRules, 0 to {last}, not {number}");
            Failure::new(Status::Settings, message)
        })
    }
}

impl FirstRoll {
    /// The first roll of a number from the caller.
    fn read(number: u32) -> Result<KernelFirstRoll, Failure> {
        match number {
            _ if number == FirstRoll::Any as u32 => Ok(KernelFirstRoll::Any),
            _ if number == FirstRoll::Open as u32 => Ok(KernelFirstRoll::Open),
            _ if number == FirstRoll::Stratified as u32 => Ok(KernelFirstRoll::Stratified),
            _ => number
                .to_string()
                .parse()
                .map(KernelFirstRoll::Given)
                .map_err(|_| {
                    Failure::new(
                        Status::Settings,
                        format_args!(
                            "the first roll is a TavliFirstRoll, 0 to 2, or a roll as two digits such as 31, \
                             not {number}"
                        ),
                    )
                }),
        }
    }
}

/// A struct that begins with its size and its version, or nothing if it is NULL. One of another size or version is
/// refused.
///
/// # Safety
/// Unless it is NULL or not aligned, the pointer points to two numbers, and to as many bytes as the first of them
/// says, which nobody changes during `'a`.
pub(crate) unsafe fn versioned<'a, T>(
    name: &str,
    pointer: *const T,
    version: u32,
) -> Result<Option<&'a T>, Failure> {
    if pointer.is_null() {
        return Ok(None);
    }
    pointer::check(name, pointer)?;
    // SAFETY: whoever calls this promises these two numbers at `pointer`, whatever the size of the struct.
    let [found_size, found_version] = unsafe { pointer.cast::<[u32; 2]>().read() };
    if (found_size as usize, found_version) == (size_of::<T>(), version) {
        // SAFETY: whoever calls this promises as many bytes at `pointer` as were found to be the size of a `T`.
        return Ok(Some(unsafe { &*pointer }));
    }
    Err(Failure::new(
        Status::Settings,
        format_args!(
            "'{name}' has {found_size} bytes and version {found_version}; this library takes {} bytes and version \
             {version}: begin with the struct that its _default function returns",
            size_of::<T>()
        ),
    ))
}

/// The settings of the caller; NULL are the default.
///
/// # Safety
/// Unless it is NULL or not aligned, the pointer points to settings of the size that they state, which nobody changes
/// meanwhile.
pub(crate) unsafe fn read(settings: *const Settings) -> Result<rollout::Settings, Failure> {
    // SAFETY: whoever calls this makes the promise about `settings` that `versioned` asks for.
    let settings = unsafe { versioned("settings", settings, TAVLI_SETTINGS_VERSION) }?;
    let Some(settings) = settings else {
        return Ok(rollout::Settings::default());
    };
    Ok(rollout::Settings {
        rules: Rules::read(settings.rules)?,
        seed: settings.seed,
        first_roll: FirstRoll::read(settings.first_roll)?,
        truncation: NonZeroU32::new(settings.plies),
    })
}
