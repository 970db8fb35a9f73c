//! Decisions in games other than backgammon: which play of a roll to make.

use core::num::NonZeroU32;
use std::ffi::{c_char, c_void};
use std::ptr::null;

use tavli::Stopped;
use tavli::games::{self, AnyDecisionError, AnyDecisionProgress, AnyDecisionRequest, GameDecisionSettings};
use tavli::rollout;

use crate::any_position::{self, AnyPosition};
use crate::cancel::{self, Cancel};
use crate::candidate_result::Statistic;
use crate::failure::Failure;
use crate::guard::guarded;
use crate::pointer::{Buffer, OutPointer};
use crate::progress::{Listener, ProgressCallback, ProgressReport};
use crate::settings::versioned;
use crate::status::Status;
use crate::stop_reason::StopReason;
use crate::text;
use crate::workers::{self, Workers};

/// How a play is decided on. Begin with tavli_any_decision_settings_default and change what you need.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct AnyDecisionSettings {
    /// sizeof(TavliAnyDecisionSettings), as tavli_any_decision_settings_default sets it.
    pub size: u32,
    /// TAVLI_ANY_DECISION_SETTINGS_VERSION, as tavli_any_decision_settings_default sets it.
    pub version: u32,
    /// The seed of the dice; 1 by default.
    pub seed: u64,
    /// The most trials, games of each play, 1 or more; 2304 by default.
    pub trials: u64,
    /// The decision ends after about this many seconds; 0, the default, is no bound.
    pub seconds: f64,
    /// Plays that differ by at most this many points count as equally good, 0 or more; 0.01 by default.
    pub within: f64,
    /// Plays that the policy values more than this many points below the best do not race; the best two always do.
    /// 0.16 by default; below 0 every play races.
    pub filter: f64,
    /// The plies after which games are cut off and valued by the policy; 11 by default, 0 plays games to their end.
    pub plies: u32,
    /// The name of the net that plays both sides, values games that are cut off, and measures the luck: "strong",
    /// "strong+1ply" or "strong+2ply", or the file of a net. NULL, the default, is "strong".
    pub policy: *const c_char,
}

/// The version of TavliAnyDecisionSettings in this header.
pub const TAVLI_ANY_DECISION_SETTINGS_VERSION: u32 = 1;

/// How a decision stands.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The play is the best of those that raced.
    Best = 0,
    /// No other play is better by more than the tolerance, `within`.
    NoneBetter = 1,
    /// Neither is known yet.
    Open = 2,
}

/// Which play to make, and how sure that is.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct AnyDecision {
    /// The index of the play to make, as in tavli_any_play.
    pub play: u64,
    /// How the decision stands.
    pub verdict: Verdict,
    /// What ended it: TAVLI_STOP_REASON_DECIDED, _TRIALS, _TIME or _CANCELLED.
    pub ended_by: StopReason,
    /// How sure the verdict is, 0 to 1; where it is open, how sure it is that no play is better by more than the
    /// settings' `within`.
    pub sure: f64,
    /// With 95 % confidence no other play is better by more points than these; infinite before two trials.
    pub at_most_better: f64,
    /// Plays that did not race.
    pub left_out: u64,
    /// Games of all plays.
    pub games: u64,
}

/// A play that raced, for the player who makes it.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct AnyRacedPlay {
    /// The index of the play, as in tavli_any_play.
    pub play: u64,
    /// Games of this play. A dropped play has fewer than the best.
    pub trials: u64,
    /// 1 if the play was dropped, otherwise 0.
    pub is_dropped: u64,
    /// 1 if the play may be as good as the one to make, otherwise 0.
    pub is_rival: u64,
    /// Its value by the policy without games, in points.
    pub evaluation: f64,
    /// Mean points of its games less their luck.
    pub equity: Statistic,
    /// Points behind the play to make, on the same dice, over the trials of both.
    pub behind: Statistic,
}

/// Plays within 0.16 points by the net strong, games of eleven plies, within 0.01 points, 2,304 trials, seed 1.
#[unsafe(no_mangle)]
pub extern "C" fn tavli_any_decision_settings_default() -> AnyDecisionSettings {
    let defaults = GameDecisionSettings::default();
    AnyDecisionSettings {
        size: size_of::<AnyDecisionSettings>() as u32,
        version: TAVLI_ANY_DECISION_SETTINGS_VERSION,
        seed: defaults.seed,
        trials: defaults.trials,
        seconds: 0.0,
        within: defaults.within,
        filter: defaults.filter.unwrap_or(KEEPS_EVERY_PLAY),
        plies: defaults.plies.map_or(0, NonZeroU32::get),
        policy: null(),
    }
}

/// The filter that keeps every play.
const KEEPS_EVERY_PLAY: f64 = -1.0;

/// The request of these settings; NULL are the default.
///
/// # Safety
/// Unless it is NULL or not aligned, the pointer points to settings of the size that they state, whose policy is NULL
/// or a text that ends with a zero. Nobody changes any of it meanwhile.
unsafe fn request(settings: *const AnyDecisionSettings) -> Result<AnyDecisionRequest, Failure> {
    // SAFETY: the caller guarantees, until this returns: at `settings` are as many bytes as their first number says.
    let settings = unsafe { versioned("settings", settings, TAVLI_ANY_DECISION_SETTINGS_VERSION) }?;
    let default = tavli_any_decision_settings_default();
    let settings = settings.unwrap_or(&default);
    // SAFETY: the caller guarantees, until this returns: `policy` is NULL or a text that ends with a zero.
    let policy = unsafe { text::optional("policy", settings.policy) }?;
    let options = rollout::Options {
        seed: Some(settings.seed),
        within: Some(settings.within),
        filter: rollout::OptionValue::or_off(Some(settings.filter).filter(|filter| filter.is_nan() || *filter >= 0.0)),
        truncation: rollout::OptionValue::or_off(NonZeroU32::new(settings.plies)),
        end_rules: rollout::EndRulesRequest {
            trials: Some(settings.trials),
            seconds: Some(settings.seconds).filter(|&seconds| seconds != 0.0),
            ..rollout::EndRulesRequest::default()
        },
        ..rollout::Options::default()
    };
    Ok(AnyDecisionRequest {
        policy: policy.map(str::to_owned),
        settings: GameDecisionSettings::from_options(&options)?,
        ..AnyDecisionRequest::default()
    })
}

/// Decides which play of a roll to make in plakoto or fevga, the games that have a net. The plays that the net values
/// near the best race on the same dice: their games are truncated and luck-adjusted. The race ends when one play is the
/// best with 95 % confidence, or none of the others is better by more than `within` points.
///
/// Stores the decision, and the plays that raced into a buffer for capacity of them: the play to make, then those still
/// played, then those dropped, each the best first. Their number is stored in count, which may be NULL; if the buffer
/// is too small nothing is stored, and the status is TAVLI_STATUS_BUFFER. A buffer for as many as tavli_any_plays_count
/// counts is large enough.
///
/// The result depends on the position, the roll and the settings alone, but for the time. settings may be NULL: the
/// default ones. callback may be NULL. cancel may be NULL; a call that is cancelled stores its result so far, or
/// returns TAVLI_STATUS_CANCELLED if the net had not valued the plays, or a table of bear-offs was being solved.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tavli_any_decide(
    position: *const AnyPosition,
    roll: *const c_char,
    settings: *const AnyDecisionSettings,
    workers: *const Workers,
    cancel: *const Cancel,
    callback: ProgressCallback,
    data: *mut c_void,
    decision: *mut AnyDecision,
    buffer: *mut AnyRacedPlay,
    capacity: usize,
    count: *mut usize,
) -> Status {
    guarded(|| {
        // SAFETY: the caller guarantees, until this returns: `roll` is NULL or an unchanged text that ends with a zero;
        // `settings` is NULL or an unchanged struct of its own function, with a policy that is NULL or such a text;
        // `position`, `workers` and `cancel` are handles of their own functions, not freed (`cancel` may be NULL); at
        // `decision` is room for one decision, at `buffer` for `capacity` plays, and at `count`, unless it is NULL, for
        // one number; `callback`, unless it is NULL, may be called with `data` on this thread.
        let (decision, buffer, (position, roll), request, workers, cancel, listener) = unsafe {
            (
                OutPointer::new("decision", decision)?,
                Buffer::new(buffer, capacity, "count", count)?,
                any_position::read(position, roll)?,
                request(settings)?,
                workers::read(workers)?,
                cancel::read(cancel)?,
                Listener::new(callback, data),
            )
        };
        let request = AnyDecisionRequest { roll: roll.map(str::to_owned), ..request };
        let prepared = request.prepare(position, workers.tier, &|| cancel.is_cancelled())?;
        let report = |progress: &AnyDecisionProgress| listener.tell(&ProgressReport::from(&progress.games));
        let found = prepared.decide(&workers.workers, &cancel, report);
        let found = found.map_err(|Stopped| Failure::new(Status::Cancelled, Stopped))?;
        let rivals = &found.decision.rivals;
        let plays = found.plays.iter().enumerate();
        let plays = plays.map(|(place, raced)| AnyRacedPlay::new(raced, rivals.contains(&place)));
        buffer.store(&plays.collect::<Vec<_>>())?;
        decision.store(AnyDecision {
            play: found.plays[found.decision.candidate].raced.choice as u64,
            verdict: found.decision.verdict.into(),
            ended_by: found.ended_by.into(),
            sure: found.decision.sure,
            at_most_better: found.decision.at_most_better,
            left_out: found.decision.left_out as u64,
            games: found.games(),
        });
        Ok(())
    })
}

impl AnyRacedPlay {
    fn new(games::AnyRacedPlay { raced, .. }: &games::AnyRacedPlay, is_rival: bool) -> AnyRacedPlay {
        AnyRacedPlay {
            play: raced.choice as u64,
            trials: raced.trials,
            is_dropped: raced.is_dropped.into(),
            is_rival: is_rival.into(),
            evaluation: raced.evaluation,
            equity: raced.equity.into(),
            behind: raced.behind.into(),
        }
    }
}

impl From<rollout::Verdict> for Verdict {
    fn from(verdict: rollout::Verdict) -> Verdict {
        match verdict {
            rollout::Verdict::Best => Verdict::Best,
            rollout::Verdict::NoneBetter => Verdict::NoneBetter,
            rollout::Verdict::Open => Verdict::Open,
            unknown => panic!("this interface has no number for the verdict {}", unknown.name()),
        }
    }
}

impl From<AnyDecisionError> for Failure {
    fn from(error: AnyDecisionError) -> Failure {
        match error {
            AnyDecisionError::Position(error) => error.into(),
            error => Failure::new(Status::Settings, error),
        }
    }
}
