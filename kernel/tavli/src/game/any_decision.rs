//! Decisions in a game that is named at run time.

use core::ops::Range;
use core::time::Duration;
use std::sync::Arc;

use tavli_backgammon::Tier;
use tavli_game::{NO_STOP, NamedGame, Stopped};
use tavli_rollout::{
    CountTrials, Decision, OptionTexts, Options, Playable, RolloutError, Session, Statistic, StopReason, next_trials,
};
use tavli_run::{Cancel, Limit, Progress, Workers};
use thiserror::Error;

use super::agents::{NamedNet, ReadAgentError};
use super::any_net::AnyNet;
use super::any_position::{AnyPlay, AnyPosition, AnyPositionError};
use super::built_in::default_net;
use super::list::{Visitor, visit_with_net};
use super::rollout::{
    GameCounts, GameRollout, GameRolloutError, GameRolloutRequest, RolloutPlayer, RolloutPlayerError,
};

/// The options of decisions that games other than backgammon have, under the names of [`OptionTexts`].
const OPTIONS: [&str; 10] = [
    "roll", "plays", "rules", "policy", "within", "trials", "seconds", "filter", "truncate", "seed",
];

/// The request for a decision in a game other than backgammon.
///
/// ```
/// use tavli::game::{AnyPosition, DecisionRequest};
/// use tavli::rollout::{OptionTexts, Verdict};
/// use tavli::run::{Cancel, Workers};
/// use tavli::{NO_STOP, Tier};
///
/// let texts: OptionTexts = serde_json::from_str(r#"{"roll": "65", "within": 0.5, "truncate": 3}"#)?;
/// let request = DecisionRequest::read(texts, "plakoto")?;
/// let position = AnyPosition::start("plakoto", None)?;
/// let mut prepared = request.prepare(&position, Tier::best(), NO_STOP)?;
/// let decided = prepared.decide(&Workers::here(), &Cancel::new(), &mut |_| ())?;
/// assert_ne!(decided.decision.verdict, Verdict::Open);
/// assert_eq!(decided.plays[0].play.moves, "24/13");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct DecisionRequest {
    /// The roll; none in a game without dice.
    pub roll: Option<String>,
    /// The plays that race, by their moves or the positions after them; `None` for those near the best.
    pub plays: Option<Vec<String>>,
    /// How the decision is made. Its rules are those of the position if they are `None`, its plays those of `plays`.
    pub rollout: GameRolloutRequest,
}

impl Default for DecisionRequest {
    /// The decision of [`GameRolloutRequest::decision`] without options.
    fn default() -> DecisionRequest {
        DecisionRequest {
            roll: None,
            plays: None,
            rollout: GameRolloutRequest::decision(&Options::default()).expect("the defaults are in range"),
        }
    }
}

/// A play that raced, for the player who makes it.
#[derive(Clone, PartialEq, Debug)]
pub struct AnyRacedPlay {
    /// The play.
    pub play: AnyPlay,
    /// Its index in [`AnyPosition::plays`].
    pub choice: usize,
    /// Its value by the net without trials, in points.
    pub evaluation: f64,
    /// The mean value of its games; NaN without games.
    pub equity: Statistic,
    /// How many points it is behind the best play, over the trials of both; 0 for the best.
    pub behind: Statistic,
    /// Its games.
    pub trials: u64,
    /// Whether it was dropped for being worse than another.
    pub is_dropped: bool,
}

/// How far a decision is.
#[derive(Clone, PartialEq, Debug)]
pub struct AnyDecisionProgress {
    /// The plays so far, as in [`AnyDecision::plays`]; none before the net has valued them.
    pub plays: Vec<AnyRacedPlay>,
    /// The trials of each play that is still played.
    pub trials: u64,
    /// The most trials that there will be.
    pub most_trials: u64,
    /// The games of all plays.
    pub games: Progress,
}

/// Which play to make.
#[derive(Clone, PartialEq, Debug)]
pub struct AnyDecision {
    /// The plays that raced: the best, those that were still played, and those dropped, each the best first.
    pub plays: Vec<AnyRacedPlay>,
    /// How the race stands. Candidates are the places of [`AnyDecision::plays`].
    pub decision: Decision,
    /// What ended it.
    pub ended_by: StopReason,
}

impl AnyDecision {
    /// The games of all plays.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.plays.iter().map(|play| play.trials).sum()
    }
}

/// Why there is no decision.
#[derive(Clone, PartialEq, Debug, Error)]
#[non_exhaustive]
pub enum AnyDecisionError {
    /// No plays to decide between.
    #[error(transparent)]
    Position(#[from] AnyPositionError),
    /// A net, plays or settings that cannot be used.
    #[error(transparent)]
    Rollout(#[from] GameRolloutError),
    /// A game without nets.
    #[error("a decision needs a player that values positions, and {0} has none")]
    NoNets(&'static str),
    /// An empty list of plays.
    #[error("no plays are named: name some, or leave the list out")]
    NoPlays,
}

impl DecisionRequest {
    /// Reads the options of a request or of keyword arguments.
    ///
    /// # Errors
    /// [`RolloutError`] has the first option that decisions of the game do not have, or that has no such value.
    pub fn read(mut texts: OptionTexts, game: &str) -> Result<DecisionRequest, RolloutError> {
        let foreign = texts.names_set().find(|name| !OPTIONS.contains(name));
        if let Some(option) = foreign.map(str::to_owned) {
            let reason = format!(
                "decisions in {game} do not have this option: they have {}",
                OPTIONS.join(", ")
            );
            return Err(RolloutError::Option { option, reason });
        }
        let [roll, rules, policy] = ["roll", "rules", "policy"].map(|name| texts.take(name));
        let plays = texts.take_plays();
        let options = texts.options()?;
        if plays.is_some() && options.filter.set().is_some() {
            return Err(RolloutError::FilteredPlays);
        }
        let rollout = GameRolloutRequest {
            rules,
            policy,
            ..GameRolloutRequest::decision(&options)?
        };
        Ok(DecisionRequest { roll, plays, rollout })
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
    ) -> Result<Box<dyn PreparedDecision>, AnyDecisionError> {
        let position = match &self.rollout.rules {
            Some(rules) => &AnyPosition::read(position.game(), Some(rules), &position.state())?,
            None => position,
        };
        let prepare = Prepare {
            request: self,
            position,
            tier,
            stop,
        };
        visit_with_net(position.game(), prepare).unwrap_or_else(|| self.without_nets(position))
    }

    /// Begins a decision whose trials are played in pieces, by a net in place of the one that the request names, under
    /// the rules of the position.
    ///
    /// # Errors
    /// [`AnyDecisionError`] if there is nothing to decide, or the net is of another game.
    ///
    /// # Panics
    /// If this CPU lacks the tier.
    pub fn in_pieces(
        &self,
        position: &AnyPosition,
        net: &AnyNet,
        tier: Tier,
    ) -> Result<Box<dyn SteppedDecision>, AnyDecisionError> {
        let begin = BeginInPieces {
            request: self,
            position,
            net,
            tier,
        };
        visit_with_net(position.game(), begin).unwrap_or_else(|| self.without_nets(position))
    }

    /// Why there is no decision in a game without nets.
    fn without_nets<T>(&self, position: &AnyPosition) -> Result<T, AnyDecisionError> {
        position.plays(self.roll.as_deref())?;
        Err(AnyDecisionError::NoNets(position.game()))
    }

    /// The rollout that makes the decision, in the game `G` of the position, whose rules it has.
    ///
    /// # Errors
    /// As [`DecisionRequest::prepare`].
    ///
    /// # Panics
    /// If this CPU lacks the tier, or the position is one of another game.
    pub fn rollout<G: NamedGame>(
        &self,
        position: &AnyPosition,
        tier: Tier,
        stop: &dyn Fn() -> bool,
    ) -> Result<GameRollout<G>, AnyDecisionError> {
        let (chance, request) = self.for_position::<G>(position)?;
        let position = position.typed::<G>().position;
        let rollout = GameRollout::new_unless(position, Some(chance), &request, tier, stop);
        rollout.map_err(|error| match error {
            GameRolloutError::Player(RolloutPlayerError::Net(ReadAgentError::Stopped(stopped))) => {
                AnyPositionError::from(stopped).into()
            }
            error => error.into(),
        })
    }

    /// The roll, and the request for the rollout, from a position.
    fn for_position<G: NamedGame>(
        &self,
        position: &AnyPosition,
    ) -> Result<(usize, GameRolloutRequest), AnyDecisionError> {
        let chance = position.typed::<G>().chance(self.roll.as_deref())?;
        default_net(G::NAME).ok_or(AnyDecisionError::NoNets(G::NAME))?;
        if self.plays.as_ref().is_some_and(Vec::is_empty) {
            return Err(AnyDecisionError::NoPlays);
        }
        let request = GameRolloutRequest {
            rules: Some(position.rules().to_owned()),
            plays: self.plays.clone().unwrap_or_default(),
            ..self.rollout.clone()
        };
        Ok((chance, request))
    }
}

/// A decision that can be made, in a game whose type is forgotten.
pub trait PreparedDecision: Send + Sync {
    /// The position, by the rules of the request.
    fn position(&self) -> AnyPosition;

    /// The text of the roll; `None` in a game without dice.
    fn roll(&self) -> Option<String>;

    /// How the decision is made, with the names of the rules and the net.
    fn request(&self) -> GameRolloutRequest;

    /// A remark for people, if the net has not learned the rules.
    fn remark(&self) -> Option<String>;

    /// Decides which play to make; a decision that was cancelled goes on. Calls `progress` some ten times a second, on
    /// this thread, also while the net values the plays.
    ///
    /// # Errors
    /// [`Stopped`] if `cancel` was thrown before the net had valued the plays.
    ///
    /// # Panics
    /// If one of these workers calls this.
    fn decide(
        &mut self,
        workers: &Workers,
        cancel: &Cancel,
        progress: &mut dyn FnMut(&AnyDecisionProgress),
    ) -> Result<AnyDecision, Stopped>;
}

impl<G: NamedGame> PreparedDecision for GameRollout<G> {
    fn position(&self) -> AnyPosition {
        AnyPosition::of_game(self.game(), self.rules(), *GameRollout::position(self))
    }

    fn roll(&self) -> Option<String> {
        let has_dice = self.game().chances().len() > 1;
        let chance = self.chance().filter(|_| has_dice);
        chance.map(|chance| self.game().chance_text(chance))
    }

    fn request(&self) -> GameRolloutRequest {
        GameRollout::request(self)
    }

    fn remark(&self) -> Option<String> {
        GameRollout::remark(self)
    }

    fn decide(
        &mut self,
        workers: &Workers,
        cancel: &Cancel,
        progress: &mut dyn FnMut(&AnyDecisionProgress),
    ) -> Result<AnyDecision, Stopped> {
        let session = Session {
            cancel: cancel.clone(),
            ..Session::default()
        };
        let played = session.play(self, workers, |so_far| {
            progress(&progress_of(so_far.rollout, so_far.session_games, so_far.elapsed));
        });
        let ended_by = played.expect("nothing is saved");
        let (plays, decision) = standing(self).ok_or(Stopped)?;
        // A short session has not reported.
        progress(&progress_of(self, self.total_games(), self.elapsed()));
        Ok(AnyDecision {
            plays,
            decision,
            ended_by,
        })
    }
}

/// How far the rollout of a decision is, which has played some games in some time.
fn progress_of<G: NamedGame>(rollout: &GameRollout<G>, games: u64, elapsed: Duration) -> AnyDecisionProgress {
    let (trials, stop) = (rollout.trials().end, rollout.stop());
    let games_left = (stop.trials - trials).saturating_mul(rollout.playing().len() as u64);
    let most_games = rollout.total_games().saturating_add(games_left);
    AnyDecisionProgress {
        plays: standing(rollout).map_or_else(Vec::new, |(plays, _)| plays),
        trials,
        most_trials: stop.trials,
        games: Progress {
            items: games,
            elapsed,
            limit: stop.time.map_or(Limit::Items(most_games), Limit::Time),
        },
    }
}

/// The plays that race, in the order of [`AnyDecision::plays`], and how the decision stands; `None` before the net has
/// valued the plays.
fn standing<G: NamedGame>(rollout: &GameRollout<G>) -> Option<(Vec<AnyRacedPlay>, Decision)> {
    let (standings, decision) = (rollout.standings(), rollout.decision()?);
    let rank_of = |candidate: usize| {
        let rank = standings.iter().position(|result| result.candidate == candidate);
        rank.expect("every candidate has a rank")
    };
    let decision = Decision {
        candidate: rank_of(decision.candidate),
        rivals: decision.rivals.iter().map(|&rival| rank_of(rival)).collect(),
        ..decision
    };
    let raced = standings.iter().filter_map(|result| {
        let (candidate, race) = (&rollout.candidates()[result.candidate], result.race?);
        Some(AnyRacedPlay {
            play: AnyPlay {
                moves: candidate.moves.clone()?,
                position: AnyPosition::of_game(rollout.game(), rollout.rules(), candidate.position),
            },
            choice: candidate.choice,
            evaluation: race.evaluation,
            equity: result.equity,
            behind: race.behind,
            trials: result.trials,
            is_dropped: race.is_dropped,
        })
    });
    Some((raced.collect(), decision))
}

/// Prepares a decision in the game that it visits.
struct Prepare<'a> {
    request: &'a DecisionRequest,
    position: &'a AnyPosition,
    tier: Tier,
    stop: &'a dyn Fn() -> bool,
}

impl Visitor for Prepare<'_> {
    type Output = Result<Box<dyn PreparedDecision>, AnyDecisionError>;

    fn visit<G: NamedGame>(self) -> Self::Output {
        Ok(Box::new(self.request.rollout::<G>(
            self.position,
            self.tier,
            self.stop,
        )?))
    }
}

/// A decision, as [`PreparedDecision::decide`] makes it, whose trials are played in pieces: a program without threads
/// shares them among several copies of this. Only the copy that adds the values knows how the decision stands.
pub trait SteppedDecision {
    /// The text of the roll.
    fn roll(&self) -> String;

    /// The next trials, or why there are none.
    ///
    /// # Errors
    /// [`StopReason::Decided`] or [`StopReason::Trials`].
    fn next_trials(&mut self) -> Result<Range<u64>, StopReason>;

    /// The plays that are still played, by numbers.
    fn playing(&self) -> Vec<usize>;

    /// The values of these trials: for each trial, one for each play in `playing`.
    fn values(&self, playing: &[usize], trials: Range<u64>) -> Vec<i64>;

    /// Adds the values of the next trials.
    fn add(&mut self, values: &[i64]);

    /// The plays, in the order of [`AnyDecision::plays`], and how the decision stands.
    fn standing(&self) -> (Vec<AnyRacedPlay>, Decision);
}

impl<G: NamedGame> SteppedDecision for GameRollout<G> {
    fn roll(&self) -> String {
        let chance = self.chance().unwrap_or_default();
        self.game().chance_text(chance)
    }

    fn next_trials(&mut self) -> Result<Range<u64>, StopReason> {
        next_trials(self)
    }

    fn playing(&self) -> Vec<usize> {
        GameRollout::playing(self)
    }

    fn values(&self, playing: &[usize], trials: Range<u64>) -> Vec<i64> {
        let counter = self.counter(Tier::best()).of_candidates(playing.to_vec());
        counter.count(trials, NO_STOP).expect("nothing stops it").values
    }

    fn add(&mut self, values: &[i64]) {
        let end = self.trials().end + (values.len() / GameRollout::playing(self).len()) as u64;
        Playable::add(self, &GameCounts::of_values(values.to_vec()), end);
    }

    fn standing(&self) -> (Vec<AnyRacedPlay>, Decision) {
        standing(self).expect("the net has valued the plays")
    }
}

/// Begins a decision in pieces in the game that it visits.
struct BeginInPieces<'a> {
    request: &'a DecisionRequest,
    position: &'a AnyPosition,
    net: &'a AnyNet,
    tier: Tier,
}

impl Visitor for BeginInPieces<'_> {
    type Output = Result<Box<dyn SteppedDecision>, AnyDecisionError>;

    fn visit<G: NamedGame>(self) -> Self::Output {
        let (chance, request) = self.request.for_position::<G>(self.position)?;
        let of = self.position.typed::<G>();
        let net = self.net.of::<G>().ok_or(AnyPositionError::OtherNet {
            net: self.net.game(),
            game: G::NAME,
        })?;
        let game = Arc::new(of.seeded(self.tier, request.seed));
        let net = NamedNet {
            name: "",
            net,
            plies: 0,
        };
        let player = RolloutPlayer::by_net(&game, net, request.seed, request.variance_reduction);
        let turn = (of.position, Some(chance));
        let mut rollout = GameRollout::by_player(game, self.position.rules(), turn, &request, "", || Ok(player))?;
        let preparation = rollout.preparation(NO_STOP).expect("nothing stops it");
        rollout.begin(preparation);
        Ok(Box::new(rollout))
    }
}
