//! The settings of games, which decide their values.

use core::num::NonZeroU32;
use std::ffi::{CString, c_char};
use std::ptr::null;
use std::sync::Arc;

use tavli::evaluators::Evaluator;
use tavli::named::{self, NamedError};
use tavli::policies::{Policy, PolicyPair};
use tavli::rollout::{self, OptionValue};
use tavli::run::{BackgammonPlayouts, Cancel};
use tavli::{FirstRoll as KernelFirstRoll, RuleSet, Tier};

use crate::failure::Failure;
use crate::players;
use crate::pointer;
use crate::status::Status;
use crate::text;

/// The rules of a game; tavli_position_start stores where one begins.
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
    /// Backgammon with all checkers on the 24 point when a game begins.
    Longgammon = 5,
}

/// How each game begins; or instead a roll as two digits, such as 31.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FirstRoll {
    /// With any of the 36 throws.
    Any = 0,
    /// With one of the 15 rolls that are not doubles.
    Open = 1,
    /// With throws that are spread evenly over the games, in an order that the seed shuffles: any 36 consecutive games
    /// begin with each throw once, any 1,296 with each pair of throws.
    Stratified = 2,
}

/// The settings of games: with the positions and the numbers of the games they decide all values. Begin with
/// tavli_settings_default and change what you need.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// sizeof(TavliSettings), as tavli_settings_default sets it.
    pub size: u32,
    /// TAVLI_SETTINGS_VERSION, as tavli_settings_default sets it.
    pub version: u32,
    /// The seed of the random numbers; 1 by default.
    pub seed: u64,
    /// A TavliRules; backgammon by default.
    pub rules: u32,
    /// A TavliFirstRoll, or a roll as two digits; TAVLI_FIRST_ROLL_ANY by default. Of candidate plays, the
    /// roll after the play.
    pub first_roll: u32,
    /// Truncation: the plies after which games are cut off. The evaluator values their last positions; in playouts such
    /// games count 0 points. 0, the default, plays games to their end.
    pub truncate: u32,
    /// The name of the policy that picks the plays of the player on roll in the first position: "uniform" (each play as
    /// likely as any other), "pubeval" (Tesauro's linear evaluation), "td80", "fast" or "strong" (nets, the last the
    /// best), or the file of a player. NULL, the default, is in playouts "uniform", and in rollouts "fast", or
    /// "uniform" under TAVLI_RULES_MCGAMMON, whose goal no net has learned.
    pub policy: *const c_char,
    /// The name of the policy that picks the opponent's plays. NULL, the default, is the same policy.
    pub policy_opponent: *const c_char,
    /// The name of the evaluator that values the positions in which the games of a rollout are cut off: "td80", "fast",
    /// "strong", "sampled" (by the ends of 36 games from it, every play equally likely), "sampled:GAMES" or
    /// "sampled:GAMES:POLICY", or the file of a player. NULL, the default, is the player on roll if he values
    /// positions, or "sampled". With "none" such games count 0 points; with a cube or `luck` "none" is an error.
    /// Playouts take no evaluator.
    pub evaluator: *const c_char,
    /// Variance reduction: the name of the evaluator, as above, that measures the luck of the rolls. A rollout
    /// subtracts it from each game (luck-adjusted results), which changes no mean, however wrong the evaluator is.
    /// NULL, the default, subtracts nothing. Playouts take none.
    pub luck: *const c_char,
}

/// The name that turns the evaluator off.
const NO_EVALUATOR: &str = "none";

/// The version of TavliSettings in this header.
pub const TAVLI_SETTINGS_VERSION: u32 = 3;

/// Backgammon, seed 1, any first roll, games played to their end; uniform play in playouts, and play by the net fast in
/// rollouts.
#[unsafe(no_mangle)]
pub extern "C" fn tavli_settings_default() -> Settings {
    let rollout::PlayoutSettings { seed, .. } = rollout::PlayoutSettings::default();
    Settings {
        size: size_of::<Settings>() as u32,
        version: TAVLI_SETTINGS_VERSION,
        seed,
        rules: Rules::Backgammon as u32,
        first_roll: FirstRoll::Any as u32,
        truncate: 0,
        policy: null(),
        policy_opponent: null(),
        evaluator: null(),
        luck: null(),
    }
}

impl Settings {
    /// The settings of a rollout. Its names live as long as `names`.
    pub(crate) fn from_settings(settings: &rollout::PlayoutSettings, names: &Names) -> Settings {
        let rules = RuleSet::ALL.iter().position(|&rules| rules == settings.rules);
        let first_roll = match settings.first_roll {
            KernelFirstRoll::Any => FirstRoll::Any as u32,
            KernelFirstRoll::Open => FirstRoll::Open as u32,
            KernelFirstRoll::Stratified => FirstRoll::Stratified as u32,
            given => given.to_string().parse().expect("a roll as two digits"),
        };
        let pointer = |name: &Option<CString>| name.as_ref().map_or(null(), |name| name.as_ptr());
        Settings {
            seed: settings.seed,
            rules: rules.expect("all rules have a number") as u32,
            first_roll,
            truncate: settings.truncation.map_or(0, NonZeroU32::get),
            policy: names.policy.as_ptr(),
            policy_opponent: names.policy_opponent.as_ptr(),
            evaluator: pointer(&names.evaluator),
            luck: pointer(&names.luck),
            ..tavli_settings_default()
        }
    }
}

impl Rules {
    /// The rules with the caller's `number`.
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
    /// The first roll with the caller's `number`.
    fn read(number: u32) -> Result<KernelFirstRoll, Failure> {
        match number {
            _ if number == FirstRoll::Any as u32 => Ok(KernelFirstRoll::Any),
            _ if number == FirstRoll::Open as u32 => Ok(KernelFirstRoll::Open),
            _ if number == FirstRoll::Stratified as u32 => Ok(KernelFirstRoll::Stratified),
            _ => number.to_string().parse().map(KernelFirstRoll::Given).map_err(|_| {
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

/// The names in the settings of a rollout.
#[derive(Debug)]
pub(crate) struct Names {
    policy: CString,
    policy_opponent: CString,
    evaluator: Option<CString>,
    luck: Option<CString>,
}

impl Names {
    pub(crate) fn from_rollout(rollout: &rollout::Rollout) -> Names {
        let name = |name: &str| CString::new(name).expect("names have no zero");
        let [policy, opponent] = rollout.players().names();
        Names {
            policy: name(policy),
            policy_opponent: name(opponent),
            evaluator: match (rollout.evaluator(), rollout.settings().truncation) {
                (Some(evaluator), _) => Some(name(evaluator.name())),
                (None, Some(_)) => Some(name(NO_EVALUATOR)),
                (None, None) => None,
            },
            luck: rollout.luck().map(|evaluator| name(evaluator.name())),
        }
    }
}

/// The caller's settings: the values of games, their players, the evaluator of truncated games, and the evaluator of
/// luck.
#[derive(Default)]
pub(crate) struct ResolvedSettings {
    pub(crate) values: rollout::PlayoutSettings,
    /// The policies of the player on roll and of the opponent, if they are named.
    policies: [Option<Arc<dyn Policy>>; 2],
    pub(crate) evaluator: OptionValue<Arc<dyn Evaluator>>,
    pub(crate) luck: Option<Arc<dyn Evaluator>>,
}

impl ResolvedSettings {
    /// Playouts by the players; without a name, uniform.
    pub(crate) fn played<P>(&self, playouts: P, tier: Tier) -> BackgammonPlayouts<P> {
        let [policy, opponent] = self.policies.clone();
        BackgammonPlayouts::new(playouts, PolicyPair::named(policy, opponent), tier)
    }

    pub(crate) fn rollout_players(&self) -> Result<PolicyPair, NamedError> {
        let [policy, opponent] = self.policies.clone();
        named::rollout_players(policy, opponent, self.values.rules)
    }

    /// Refuses settings that playouts do not have.
    pub(crate) fn of_playouts(self) -> Result<ResolvedSettings, Failure> {
        match (&self.evaluator, &self.luck) {
            (OptionValue::LeftOut | OptionValue::Off, None) => Ok(self),
            (OptionValue::LeftOut | OptionValue::Off, Some(luck)) => Err(Failure::new(
                Status::Settings,
                format_args!(
                    "playouts do not subtract luck, which {} would measure: make a rollout instead",
                    luck.name()
                ),
            )),
            (OptionValue::Set(evaluator), _) => Err(Failure::new(
                Status::Settings,
                format_args!(
                    "playouts have no evaluator, such as {}: games that are cut off have no outcome; make a rollout \
                     instead",
                    evaluator.name()
                ),
            )),
        }
    }
}

/// A struct that begins with its size and its version, or nothing if it is NULL. One of another size or version is
/// refused.
///
/// # Safety
/// Unless it is NULL or not aligned, the pointer points to two numbers, and to as many bytes as the first of them
/// says, which nobody changes during `'a`.
pub(crate) unsafe fn versioned<'a, T>(name: &str, pointer: *const T, version: u32) -> Result<Option<&'a T>, Failure> {
    if pointer.is_null() {
        return Ok(None);
    }
    pointer::check(name, pointer)?;
    // SAFETY: the caller guarantees: at `pointer` are these two numbers, whatever the size of the struct.
    let [found_size, found_version] = unsafe { pointer.cast::<[u32; 2]>().read() };
    if (found_size as usize, found_version) == (size_of::<T>(), version) {
        // SAFETY: the caller guarantees: at `pointer` are as many bytes as the struct states, which is the size of a
        // `T`.
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

/// The settings of the caller; NULL are the default. A call that is cancelled has any players.
///
/// # Safety
/// Unless it is NULL or not aligned, the pointer points to settings of the size that they state, whose names are NULL
/// or texts that end with a zero. Nobody changes any of it meanwhile.
pub(crate) unsafe fn read(settings: *const Settings, cancel: &Cancel) -> Result<ResolvedSettings, Failure> {
    // SAFETY: the caller guarantees what `versioned` requires of `settings`.
    let settings = unsafe { versioned("settings", settings, TAVLI_SETTINGS_VERSION) }?;
    let Some(settings) = settings else {
        return Ok(ResolvedSettings::default());
    };
    // SAFETY: the caller guarantees, until this returns: `policy`, `policy_opponent`, `evaluator` and `luck` are NULL
    // or texts that end with a zero.
    let (policy, opponent, evaluator, luck) = unsafe {
        (
            text::optional("policy", settings.policy)?,
            text::optional("policy_opponent", settings.policy_opponent)?,
            text::optional("evaluator", settings.evaluator)?,
            text::optional("luck", settings.luck)?,
        )
    };
    Ok(ResolvedSettings {
        values: rollout::PlayoutSettings {
            rules: Rules::read(settings.rules)?,
            seed: settings.seed,
            first_roll: FirstRoll::read(settings.first_roll)?,
            truncation: NonZeroU32::new(settings.truncate),
        },
        policies: [
            policy.map(|name| players::policy(name, cancel)).transpose()?,
            opponent.map(|name| players::policy(name, cancel)).transpose()?,
        ],
        evaluator: match evaluator {
            None => OptionValue::LeftOut,
            Some(NO_EVALUATOR) => OptionValue::Off,
            Some(name) => OptionValue::Set(players::evaluator(name, cancel)?),
        },
        luck: luck.map(|name| players::evaluator(name, cancel)).transpose()?,
    })
}
