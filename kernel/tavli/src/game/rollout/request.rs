//! What is asked for.

use tavli_rollout::{Allocation, OptionValue, Options, Request, RolloutError, Shard, StopRequest};

use super::race::RaceSettings;

/// The request for a rollout of a position, or of the plays of a roll, in a game other than backgammon.
#[derive(Clone, PartialEq, Debug)]
pub struct GameRolloutRequest {
    /// The rules; `None` for the game's usual ones.
    pub rules: Option<String>,
    /// The plays that are rolled out, by their moves or by the positions after them; none for all plays of the roll.
    pub plays: Vec<String>,
    /// The name of the player of both sides, `uniform` or a net; `None` for the game's
    /// [default](crate::game::default_net), or `uniform` in a game without nets.
    pub policy: Option<String>,
    /// How the plays race; `None` for as many games of each.
    pub race: Option<RaceSettings>,
    /// Whether luck is subtracted, as the net measures it.
    pub variance_reduction: bool,
    /// The seed of the dice.
    pub seed: u64,
    /// The rules that end it.
    pub stop: StopRequest,
    /// Which part of it is to be played.
    pub shard: Option<Shard>,
}

impl Default for GameRolloutRequest {
    /// 46,656 games of each play, with the seed 1.
    fn default() -> GameRolloutRequest {
        GameRolloutRequest {
            rules: None,
            plays: Vec::new(),
            policy: None,
            race: None,
            variance_reduction: false,
            seed: 1,
            stop: StopRequest::default(),
            shard: None,
        }
    }
}

impl GameRolloutRequest {
    /// The request for a decision with these options: a race less the luck, of at most 2,304 trials, with the seed 1. A
    /// time without a number of trials leaves the trials without bound. The options of the policies, the rules and the
    /// plays are the caller's.
    ///
    /// # Errors
    /// [`RolloutError::Within`], [`RolloutError::Margin`], [`RolloutError::Trials`] or [`RolloutError::Seconds`] of a
    /// number out of range.
    pub fn decision(options: &Options) -> Result<GameRolloutRequest, RolloutError> {
        let usual = RaceSettings::default();
        let race = RaceSettings {
            within: options.within.unwrap_or(usual.within),
            filter: or_usual(options.filter, usual.filter),
            truncation: or_usual(options.truncation, usual.truncation),
        };
        race.check()?;
        let stop = match options.stop.is_empty() {
            true => StopRequest::after(Request::DECISION_TRIALS),
            false => options.stop,
        };
        stop.resolve(Allocation::DEFAULT_RACE)?.check()?;
        let plain = GameRolloutRequest::default();
        Ok(GameRolloutRequest {
            race: Some(race),
            variance_reduction: true,
            seed: options.seed.unwrap_or(plain.seed),
            stop,
            ..plain
        })
    }
}

/// The value of an option that may be turned off.
fn or_usual<T>(given: OptionValue<T>, usual: Option<T>) -> Option<T> {
    match given {
        OptionValue::LeftOut => usual,
        OptionValue::Off => None,
        OptionValue::Set(value) => Some(value),
    }
}
