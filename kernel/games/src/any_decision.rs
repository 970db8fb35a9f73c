//! Decisions in a game that is named at run time.

use core::fmt;
use std::sync::Arc;

use tavli_backgammon::Tier;
use tavli_base::Stopped;
use tavli_base::text::Quoted;
use tavli_game::{Heuristic, PlayableGame};
use tavli_rollout::{OptionTexts, RolloutError};
use tavli_run::{Cancel, Progress, Workers};
use tavli_trials::{Decision, EndReason};
use thiserror::Error;

use super::agents::{NamedNet, ReadAgentError, named_net};
use super::any_position::{AnyPlay, AnyPosition, AnyPositionError};
use super::built_in::{default_net, remark_on_values};
use super::decision::{GameDecision, GameDecisionProgress, GameDecisionSettings, RacedChoice, by_rank};
use super::list::{Visitor, visit};
use super::named_choices::{NamedChoicesError, named_choices};

/// The options of decisions that games other than backgammon have, under the names of [`OptionTexts`].
const OPTIONS: [&str; 10] =
    ["roll", "plays", "rules", "policy", "within", "trials", "seconds", "filter", "truncate", "seed"];

/// The request for a decision in a game other than backgammon.
///
/// ```
/// use tavli_backgammon::{NO_STOP, Tier};
/// use tavli_games::{AnyDecisionRequest, AnyPosition};
/// use tavli_rollout::OptionTexts;
/// use tavli_trials::Verdict;
/// use tavli_run::{Cancel, Workers};
///
/// let texts: OptionTexts = serde_json::from_str(r#"{"roll": "65", "within": 0.5, "truncate": 3}"#)?;
/// let request = AnyDecisionRequest::read(texts, "plakoto")?;
/// let position = AnyPosition::start("plakoto", None)?;
/// let prepared = request.prepare(&position, Tier::best(), NO_STOP)?;
/// let decided = prepared.decide(&Workers::here(), &Cancel::new(), |_| ())?;
/// assert_ne!(decided.decision.verdict, Verdict::Open);
/// assert_eq!(decided.plays[0].play.moves, "24/13");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct AnyDecisionRequest {
    /// The roll; none in a game without dice.
    pub roll: Option<String>,
    /// The plays that race, by their moves or the positions after them; `None` for those near the best.
    pub plays: Option<Vec<String>>,
    /// The rules; `None` for those of the position.
    pub rules: Option<String>,
    /// The name of the net that plays and values; `None` for the game's [default](default_net).
    pub policy: Option<String>,
    /// How the decision is made; its choices are those of `plays`.
    pub settings: GameDecisionSettings,
}

/// A play that raced.
#[derive(Clone, PartialEq, Debug)]
pub struct AnyRacedPlay {
    /// The play.
    pub play: AnyPlay,
    /// Its results; its choice is the index in [`AnyPosition::plays`].
    pub raced: RacedChoice,
}

/// How far a decision is.
#[derive(Clone, PartialEq, Debug)]
pub struct AnyDecisionProgress {
    /// The plays so far, as in [`AnyDecision::plays`]; none before the net has valued them.
    pub plays: Vec<AnyRacedPlay>,
    /// The trials of each play that is still played.
    pub trials: u64,
    /// The most trials that there will be.
    pub max_trials: u64,
    /// The games of all plays.
    pub games: Progress,
}

/// Which play to make.
#[derive(Clone, PartialEq, Debug)]
pub struct AnyDecision {
    /// The plays that raced: the best, those that were still played, and those dropped, each the best first.
    pub plays: Vec<AnyRacedPlay>,
    /// How the race stands. Candidates are the indices of [`AnyDecision::plays`].
    pub decision: Decision,
    /// What ended it.
    pub ended_by: EndReason,
}

impl AnyDecision {
    /// The games of all plays.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.plays.iter().map(|play| play.raced.trials).sum()
    }
}

/// Why there is no decision.
#[derive(Clone, PartialEq, Debug, Error)]
#[non_exhaustive]
pub enum AnyDecisionError {
    /// No plays to decide between.
    #[error(transparent)]
    Position(#[from] AnyPositionError),
    /// A name that is no net.
    #[error(transparent)]
    Net(#[from] ReadAgentError),
    /// A player that values no positions.
    #[error(
        "'{}' does not value positions of {game}: a decision needs a policy that does, such as strong",
        Quoted::new(policy)
    )]
    NoValues {
        /// The name of the player.
        policy: String,
        /// The game.
        game: &'static str,
    },
    /// A game without nets.
    #[error("a decision is about a roll and needs a net, and {0} has none: search the position instead")]
    NoNets(&'static str),
    /// Texts that name no plays.
    #[error(transparent)]
    Plays(#[from] NamedChoicesError),
    /// An empty list of plays.
    #[error("no plays are named: name some, or leave the list out")]
    NoPlays,
}

impl AnyDecisionRequest {
    /// Reads the options of a request or of keyword arguments.
    ///
    /// # Errors
    /// [`RolloutError`] has the first option that decisions of the game do not have, or that has no such value.
    pub fn read(mut texts: OptionTexts, game: &str) -> Result<AnyDecisionRequest, RolloutError> {
        let foreign = texts.names_set().find(|name| !OPTIONS.contains(name));
        if let Some(option) = foreign.map(str::to_owned) {
            let reason = format!("decisions in {game} do not have this option: they have {}", OPTIONS.join(", "));
            return Err(RolloutError::Option { option, reason });
        }
        let [roll, rules, policy] = ["roll", "rules", "policy"].map(|name| texts.take(name));
        let plays = texts.take_plays();
        let options = texts.options()?;
        if plays.is_some() && options.filter.set().is_some() {
            return Err(RolloutError::FilteredPlays);
        }
        Ok(AnyDecisionRequest { roll, plays, rules, policy, settings: GameDecisionSettings::from_options(&options)? })
    }

    /// Reads the plays, the rules and the policy for a position. Tables of bear-offs are solved here, unless `stop`
    /// returns `true`.
    ///
    /// # Errors
    /// [`AnyDecisionError`] if there is nothing to decide, or the request does not fit the game;
    /// [`AnyPositionError::Stopped`] if `stop` returned `true`.
    ///
    /// # Panics
    /// If this CPU lacks the tier.
    pub fn prepare(
        &self,
        position: &AnyPosition,
        tier: Tier,
        stop: &dyn Fn() -> bool,
    ) -> Result<AnyPreparedDecision, AnyDecisionError> {
        let position = match &self.rules {
            Some(rules) => &AnyPosition::read(position.game(), Some(rules), &position.state())?,
            None => position,
        };
        let preparer = Preparer { request: self, position, plays: position.plays(self.roll.as_deref())?, tier, stop };
        visit(position.game(), preparer).map_err(AnyPositionError::from)?
    }
}

/// A decision that can be made.
pub struct AnyPreparedDecision {
    decision: Box<dyn DynDecision>,
    position: AnyPosition,
    roll: Option<String>,
    settings: GameDecisionSettings,
    policy: String,
    remark: Option<String>,
}

impl fmt::Debug for AnyPreparedDecision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a decision by {} and {:?}", self.policy, self.settings)
    }
}

impl AnyPreparedDecision {
    /// The position, by the rules of the request.
    #[must_use]
    pub fn position(&self) -> &AnyPosition {
        &self.position
    }

    /// The text of the roll; `None` in a game without dice.
    #[must_use]
    pub fn roll(&self) -> Option<&str> {
        self.roll.as_deref()
    }

    /// The name of the net.
    #[must_use]
    pub fn policy(&self) -> &str {
        &self.policy
    }

    /// How the decision is made.
    #[must_use]
    pub fn settings(&self) -> &GameDecisionSettings {
        &self.settings
    }

    /// A remark for people, if the net has not learned the rules.
    #[must_use]
    pub fn remark(&self) -> Option<&str> {
        self.remark.as_deref()
    }

    /// Decides which play to make. Calls `progress` some ten times a second, on this thread.
    ///
    /// # Errors
    /// [`Stopped`] if `cancel` was thrown before the net had valued the plays.
    ///
    /// # Panics
    /// If one of these workers calls this.
    pub fn decide(
        &self,
        workers: &Workers,
        cancel: &Cancel,
        mut progress: impl FnMut(&AnyDecisionProgress),
    ) -> Result<AnyDecision, Stopped> {
        self.decision.decide(&self.settings, workers, cancel, &mut progress)
    }
}

/// A decision in a game whose type is forgotten.
trait DynDecision: Send + Sync {
    fn decide(
        &self,
        settings: &GameDecisionSettings,
        workers: &Workers,
        cancel: &Cancel,
        progress: &mut dyn FnMut(&AnyDecisionProgress),
    ) -> Result<AnyDecision, Stopped>;
}

/// A decision in the game `G`.
struct TypedDecision<G: PlayableGame> {
    game: Arc<G>,
    position: G::Position,
    chance: usize,
    net: Arc<dyn Heuristic<G::Position>>,
    /// How far the net looks ahead.
    plies: u32,
    plays: Vec<AnyPlay>,
}

/// Prepares a decision in the game that it visits.
struct Preparer<'a> {
    request: &'a AnyDecisionRequest,
    position: &'a AnyPosition,
    plays: Vec<AnyPlay>,
    tier: Tier,
    stop: &'a dyn Fn() -> bool,
}

impl Visitor for Preparer<'_> {
    type Output = Result<AnyPreparedDecision, AnyDecisionError>;

    fn visit<G: PlayableGame>(self) -> Result<AnyPreparedDecision, AnyDecisionError> {
        let AnyDecisionRequest { roll, plays, policy, settings, .. } = self.request;
        let default = default_net(G::NAME).ok_or(AnyDecisionError::NoNets(G::NAME))?;
        let policy = policy.as_deref().unwrap_or(default);
        let rules = self.position.rules();
        let game = G::by_rules(rules, self.tier, settings.seed).map_err(AnyPositionError::from)?;
        let position = game.read(&self.position.state()).map_err(AnyPositionError::from)?;
        let chance = roll.as_deref().and_then(|roll| game.chance(roll.trim())).unwrap_or(0);
        let choices = plays.as_ref().map(|texts| match &texts[..] {
            [] => Err(AnyDecisionError::NoPlays),
            texts => Ok(named_choices(&game, &position, chance, texts)?),
        });
        let settings = GameDecisionSettings { choices: choices.transpose()?, ..settings.clone() };
        let net = named_net(&game, policy, self.stop).map_err(|error| match error {
            ReadAgentError::Stopped(stopped) => AnyPositionError::from(stopped).into(),
            error => AnyDecisionError::from(error),
        });
        let Some(NamedNet { net, plies, .. }) = net? else {
            return Err(AnyDecisionError::NoValues { policy: policy.to_owned(), game: G::NAME });
        };
        Ok(AnyPreparedDecision {
            position: self.position.clone(),
            roll: roll.is_some().then(|| game.chance_text(chance)),
            settings,
            policy: policy.to_owned(),
            remark: remark_on_values(&game, policy, rules),
            decision: Box::new(TypedDecision { game: Arc::new(game), position, chance, net, plies, plays: self.plays }),
        })
    }
}

impl<G: PlayableGame> DynDecision for TypedDecision<G> {
    fn decide(
        &self,
        settings: &GameDecisionSettings,
        workers: &Workers,
        cancel: &Cancel,
        progress: &mut dyn FnMut(&AnyDecisionProgress),
    ) -> Result<AnyDecision, Stopped> {
        let of_choice = |raced: &RacedChoice| AnyRacedPlay { play: self.plays[raced.choice].clone(), raced: *raced };
        let report = |of_game: &GameDecisionProgress| {
            let ranking = of_game.ranking().into_iter();
            progress(&AnyDecisionProgress {
                plays: ranking.map(|index| of_choice(&of_game.choices[index])).collect(),
                trials: of_game.trials(),
                max_trials: settings.trials,
                games: of_game.games,
            });
        };
        let from = (&self.position, self.chance);
        let by = (&self.net, self.plies);
        let found = GameDecision::of(&self.game, from, by, settings, workers, cancel, report)?;
        let ranking = found.ranking();
        Ok(AnyDecision {
            plays: ranking.iter().map(|&index| of_choice(&found.choices[index])).collect(),
            decision: by_rank(found.decision, &ranking),
            ended_by: found.ended_by,
        })
    }
}
