//! The options of a rollout, as programs let their users name them.

use core::num::NonZeroU32;
use std::sync::Arc;

use tavli_backgammon::evaluators::{Evaluator, KnownValues, Sampled};
use tavli_backgammon::policies::PolicyPair;
use tavli_backgammon::{FirstRoll, NO_STOP, Roll, RuleSet, Side};
use tavli_cube::CubeInPlay;
use tavli_players::named::{self, Defaults, NamedPlayer, rollout_players};
use tavli_players::with_known_values;
use tavli_trials::{Allocation, EndRulesRequest, Shard};

use crate::ask::error::RolloutError;
use crate::ask::play_filter::PlayFilter;
use crate::ask::playout_settings::PlayoutSettings;
use crate::ask::request::{RequestedPlay, RolloutRequest};

/// An option that is left out, turned off, or set.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum OptionValue<T> {
    /// Left out: the value depends on the other options.
    #[default]
    LeftOut,
    /// Turned off by name, as `none` does.
    Off,
    /// Set to this.
    Set(T),
}

/// The options of a rollout, each as a user named it or left it out. Programs read their users' words into this type,
/// which decides what an option means if it is left out, and makes a [`RolloutRequest`]. The defaults themselves are
/// constants of [`RolloutRequest`], [`Allocation`] and [`EndRules`](crate::EndRules). Interfaces without these options
/// (C, and JavaScript's module, which they would make larger) take the constants.
///
/// ```
/// use core::num::NonZeroU32;
/// use tavli_backgammon::Position;
/// use tavli_rollout::{Options, OptionValue};
///
/// let position: Position = "4HPwATDgc/ABMA".parse()?;
/// let five = NonZeroU32::new(5).expect("five");
/// let options = Options { roll: Some("31".parse()?), truncation: OptionValue::Set(five), ..Options::default() };
/// let rollout = options.request()?.rollout(&position)?;
/// // The player values the games that are cut off.
/// assert_eq!(rollout.evaluator().map(|evaluator| evaluator.name()), Some("fast"));
/// assert_eq!(rollout.candidates().len(), 16);
/// // A decision leaves out the plays that are far from the best.
/// let decision = options.decision()?.rollout(&position)?;
/// assert_eq!(decision.candidates().len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// [`RolloutRequest::roll`].
    pub roll: Option<Roll>,
    /// [`RolloutRequest::plays`].
    pub plays: Option<Vec<RequestedPlay>>,
    /// How many points a candidate may be below the best play, as [`Defaults::decision_player`] values both; by
    /// default 0.16 in decisions, and off in other rollouts.
    pub filter: OptionValue<f64>,
    /// The rules of the game.
    pub rules: RuleSet,
    /// The seed of the random streams; 1 by default.
    pub seed: Option<u64>,
    /// How each game begins; with any throw by default.
    pub first_roll: Option<FirstRoll>,
    /// The plies after which games are cut off; by default 5 in decisions whose games are valued, and off in other
    /// rollouts.
    pub truncation: OptionValue<NonZeroU32>,
    /// [`RolloutRequest::allocation`]; by default each candidate has the same number of games. Decisions have their own
    /// allocation, and refuse another.
    pub allocation: Option<Allocation>,
    /// In a decision, plays that differ by at most `within` points count as equally good; 0.01 by default. Other
    /// rollouts refuse it.
    pub within: Option<f64>,
    /// [`RolloutRequest::end_rules`]; by default 46,656 trials, or 2,304 in decisions.
    pub end_rules: EndRulesRequest,
    /// [`RolloutRequest::shard`].
    pub shard: Option<Shard>,
    /// [`RolloutRequest::cube`].
    pub cube: Option<CubeInPlay>,
    /// The players that pick the plays; by default [`Defaults::decision_player`] in decisions under rules that nets
    /// have learned, and [`Defaults::rollout_policy`] in other rollouts.
    pub players: Option<PolicyPair>,
    /// The positions that the evaluators know, such as the positions of a bear-off table. Tables of `players` need not
    /// be repeated here.
    pub known_values: Option<Arc<dyn KnownValues>>,
    /// The evaluator of games that are cut off. By default it is the player on roll, if that player values positions,
    /// and [`Sampled`] otherwise. Decisions that name no players have their own evaluator. Off: such games count 0
    /// points.
    pub evaluator: OptionValue<Arc<dyn Evaluator>>,
    /// Whether luck is subtracted, as measured by `luck`, or by the evaluator if `luck` is left out. Decisions subtract
    /// it anyway, under rules that nets have learned.
    pub variance_reduction: bool,
    /// The evaluator that measures luck, which is then subtracted.
    pub luck: Option<Arc<dyn Evaluator>>,
}

impl From<PlayoutSettings> for Options {
    /// These settings, and all other options left out.
    fn from(settings: PlayoutSettings) -> Options {
        let PlayoutSettings { rules, seed, first_roll, truncation } = settings;
        Options {
            rules,
            seed: Some(seed),
            first_roll: Some(first_roll),
            truncation: OptionValue::or_off(truncation),
            ..Options::default()
        }
    }
}

impl<T> From<Option<T>> for OptionValue<T> {
    /// `None` is left out.
    fn from(named: Option<T>) -> OptionValue<T> {
        named.map_or(OptionValue::LeftOut, OptionValue::Set)
    }
}

impl<T> OptionValue<T> {
    /// `None` is off.
    pub fn or_off(value: Option<T>) -> OptionValue<T> {
        value.map_or(OptionValue::Off, OptionValue::Set)
    }

    /// The value, if it is set.
    pub fn set(self) -> Option<T> {
        match self {
            OptionValue::Set(value) => Some(value),
            OptionValue::LeftOut | OptionValue::Off => None,
        }
    }
}

impl Options {
    /// The request for a plain rollout, which compares candidates without deciding.
    ///
    /// # Errors
    /// [`RolloutError::PlainWithin`], [`RolloutError::NotTruncated`], and [`RolloutError::FilteredPlays`] for an option
    /// that would be ignored, and [`RolloutError::NothingMeasuresLuck`]. [`RolloutError::Players`] in a build without
    /// the files of the players, until they are [given](named::give_net).
    pub fn request(&self) -> Result<RolloutRequest, RolloutError> {
        if self.within.is_some() {
            return Err(RolloutError::PlainWithin);
        }
        let measures_luck = self.variance_reduction && self.luck.is_none();
        match (&self.evaluator, self.truncation, measures_luck) {
            // With truncation, the rollout refuses it.
            (OptionValue::Off, OptionValue::LeftOut | OptionValue::Off, true) => {
                return Err(RolloutError::NothingMeasuresLuck);
            }
            // If truncation is turned off by name, too, no option is ignored.
            (OptionValue::Off, OptionValue::LeftOut, false) => return Err(RolloutError::NotTruncated),
            _ => {}
        }
        self.named_parts()
    }

    /// The request with the parts that the options name.
    fn named_parts(&self) -> Result<RolloutRequest, RolloutError> {
        if self.plays.is_some() && matches!(self.filter, OptionValue::Set(_)) {
            return Err(RolloutError::FilteredPlays);
        }
        let players = match &self.players {
            Some(players) => players.clone(),
            None => rollout_players(None, None, self.rules)?,
        };
        let truncation = self.truncation.set();
        let is_valued = match self.evaluator {
            OptionValue::Off => false,
            OptionValue::LeftOut => truncation.is_some(),
            // An idle evaluator, which neither values games nor measures luck, is kept so that the request refuses it.
            OptionValue::Set(_) => truncation.is_some() || !self.variance_reduction || self.names_idle_evaluator(),
        };
        let luck = self.luck.clone().map(|luck| self.with_known_values(luck));
        let by_evaluator = || self.variance_reduction.then(|| self.evaluator(&players));
        let filter = match self.filter {
            OptionValue::Set(margin) => Some(PlayFilter {
                by: named::evaluator(Defaults::for_rules(self.rules).decision_player, NO_STOP)?,
                margin,
            }),
            OptionValue::LeftOut | OptionValue::Off => None,
        };
        let settings = PlayoutSettings::default();
        Ok(RolloutRequest {
            roll: self.roll,
            plays: self.plays.clone(),
            filter,
            settings: PlayoutSettings {
                rules: self.rules,
                seed: self.seed.unwrap_or(settings.seed),
                first_roll: self.first_roll.unwrap_or_default(),
                truncation,
            },
            allocation: self.allocation.unwrap_or_default(),
            end_rules: self.end_rules,
            shard: self.shard,
            cube: self.cube,
            evaluator: is_valued.then(|| self.evaluator(&players)),
            luck: luck.or_else(by_evaluator),
            players: Some(players),
        })
    }

    /// The request for a [decision](RolloutRequest::decision), with the parts that the options name.
    ///
    /// # Errors
    /// [`RolloutError::AllocatedDecision`] if the options name an allocation; others as [`Options::request`].
    pub fn decision(&self) -> Result<RolloutRequest, RolloutError> {
        if self.allocation.is_some() {
            return Err(RolloutError::AllocatedDecision);
        }
        let defaults = RolloutRequest::decision(self.rules, NO_STOP)?;
        let asked = self.named_parts()?;
        let truncation = match (&self.truncation, &self.evaluator) {
            (OptionValue::LeftOut, OptionValue::LeftOut | OptionValue::Set(_)) => defaults.settings.truncation,
            // Games without an evaluator are played to their end.
            _ => asked.settings.truncation,
        };
        let players = defaults.players.filter(|_| self.players.is_none()).or(asked.players);
        let players_evaluator = || players.as_ref().map(|players| self.evaluator(players));
        let evaluator = match (&self.evaluator, &self.players) {
            (OptionValue::Off, _) => None,
            (OptionValue::LeftOut, None) => defaults.evaluator.or_else(players_evaluator),
            _ => players_evaluator(),
        };
        let luck = match (&self.luck, &self.evaluator) {
            // The evaluator that is named measures the luck, too, as with `variance_reduction` in a plain rollout.
            (None, OptionValue::Set(_)) => players_evaluator(),
            (None, _) => defaults.luck.or(asked.luck),
            (Some(_), _) => asked.luck,
        };
        Ok(RolloutRequest {
            filter: match self.filter {
                OptionValue::LeftOut => defaults.filter,
                _ => asked.filter,
            },
            settings: PlayoutSettings { truncation, ..asked.settings },
            allocation: defaults.allocation.within(self.within),
            end_rules: if self.end_rules.is_empty() { defaults.end_rules } else { self.end_rules },
            // An idle evaluator is kept here, too, so that the request refuses it.
            evaluator: evaluator.filter(|_| truncation.is_some() || self.names_idle_evaluator()),
            players,
            luck,
            ..asked
        })
    }

    /// Whether an evaluator is named although `luck` measures the luck instead.
    fn names_idle_evaluator(&self) -> bool {
        matches!(self.evaluator, OptionValue::Set(_)) && self.luck.is_some()
    }

    /// Whether the command makes a [decision](Options::decision) of the options if there is a roll. `within` asks for a
    /// decision. Without it, any option that shapes or ends the games asks for a plain rollout.
    #[must_use]
    pub fn are_for_decision(&self) -> bool {
        // Every option by name: a new option does not compile until it is placed here.
        let Options {
            within,
            // These shape the games or end them.
            end_rules,
            allocation,
            truncation,
            evaluator,
            variance_reduction,
            luck,
            players,
            shard,
            plays,
            // Options that a decision may have.
            roll: _,
            filter: _,
            rules: _,
            seed: _,
            first_roll: _,
            cube: _,
            known_values: _,
        } = self;
        let EndRulesRequest { trials, standard_error, jsd, seconds: _ } = end_rules;
        let is_shaped = trials.is_some()
            || standard_error.is_some()
            || jsd.is_some()
            || allocation.is_some()
            || !matches!(truncation, OptionValue::LeftOut)
            || !matches!(evaluator, OptionValue::LeftOut)
            || *variance_reduction
            || luck.is_some()
            || players.is_some()
            || shard.is_some()
            // A single play leaves nothing to decide.
            || plays.as_ref().is_some_and(|plays| plays.len() == 1);
        within.is_some() || !is_shaped
    }

    /// The evaluator of games between some players.
    fn evaluator(&self, players: &PolicyPair) -> Arc<dyn Evaluator> {
        match &self.evaluator {
            OptionValue::Set(evaluator) => self.with_known_values(Arc::clone(evaluator)),
            OptionValue::LeftOut | OptionValue::Off => {
                let of_player = players.evaluator(Side::OnRoll);
                of_player.unwrap_or_else(|| self.with_known_values(Arc::new(Sampled::default())))
            }
        }
    }

    /// An evaluator, with the known values if there are some.
    fn with_known_values(&self, evaluator: Arc<dyn Evaluator>) -> Arc<dyn Evaluator> {
        match &self.known_values {
            Some(known_values) => {
                let player = with_known_values(NamedPlayer::from_evaluator(evaluator), Arc::clone(known_values));
                player.evaluator.expect("a table leaves a player its values")
            }
            None => evaluator,
        }
    }
}
