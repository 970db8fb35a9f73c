//! The question of a rollout, its candidates, and the trials played.

use core::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use tavli_backgammon::Tier;
use tavli_game::{GamePlay, PlayableGame, RulesError};
use tavli_trials::{Allocation, EndRules, EndRulesRequest, Plan, PlanError, Shard, Statistic};
use thiserror::Error;

use super::player::{RolloutPlayer, RolloutPlayerError, UNIFORM};
use super::sums::CandidateSums;
use crate::agents::without_path;
use crate::built_in::{default_net, remark_on_values};
use crate::named_choices::{NamedChoicesError, named_choices};

/// The request for a rollout of a position, or of the plays of a roll, in a game other than backgammon.
#[derive(Clone, PartialEq, Debug)]
pub struct GameRolloutRequest {
    /// The rules; `None` for the game's usual ones.
    pub rules: Option<String>,
    /// The plays that are rolled out, by their moves or by the positions after them; none for all plays of the roll.
    pub plays: Vec<String>,
    /// The name of the player of both sides, `uniform` or a net; `None` for the game's
    /// [default](crate::default_net), or `uniform` in a game without nets.
    pub policy: Option<String>,
    /// Whether luck is subtracted, as the net measures it.
    pub variance_reduction: bool,
    /// The seed of the dice.
    pub seed: u64,
    /// The rules that end it.
    pub end_rules: EndRulesRequest,
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
            variance_reduction: false,
            seed: 1,
            end_rules: EndRulesRequest::default(),
            shard: None,
        }
    }
}

/// Why a position cannot be rolled out.
#[derive(Clone, PartialEq, Debug, Error)]
#[non_exhaustive]
pub enum GameRolloutError {
    /// A name of no rules.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// No player of the games.
    #[error(transparent)]
    Player(#[from] RolloutPlayerError),
    /// Texts that name no plays.
    #[error(transparent)]
    Plays(#[from] NamedChoicesError),
    /// Plays without a roll.
    #[error("plays belong to a roll: name the roll too")]
    NoRoll,
    /// Rules that cannot end it.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// A rule that only backgammon has.
    #[error("no rule on joint standard deviations ends a rollout of {0}: leave it out")]
    Jsd(&'static str),
}

/// A position whose games are played.
#[derive(Clone, PartialEq, Debug)]
pub struct GameCandidate<P> {
    /// The play that leads to it; `None` where the position itself is rolled out.
    pub moves: Option<String>,
    /// The position.
    pub position: P,
    /// The points of the player whose turn it is, if the game is over in it.
    pub(super) end: Option<i32>,
}

impl GameRolloutError {
    /// The invalid option, by its name in [`OptionTexts`](tavli_rollout::OptionTexts); `None` where no single one is
    /// wrong.
    #[must_use]
    pub fn option(&self) -> Option<&str> {
        match self {
            GameRolloutError::Rules(_) => Some("rules"),
            GameRolloutError::Player(_) => Some("policy"),
            GameRolloutError::Plays(_) | GameRolloutError::NoRoll => Some("plays"),
            GameRolloutError::Plan(error) => error.option(),
            GameRolloutError::Jsd(_) => Some("stop_jsd"),
        }
    }
}

impl<P> GameCandidate<P> {
    /// Whether results are negated: after a play the opponent is on roll in the position.
    pub(super) fn is_after_play(&self) -> bool {
        self.moves.is_some()
    }
}

/// The result of a candidate, for the player on roll or to move in the position of the rollout.
#[derive(Clone, PartialEq, Debug)]
pub struct GameCandidateResult {
    /// Its index in [`GameRollout::candidates`].
    pub candidate: usize,
    /// Its games.
    pub trials: u64,
    /// How many of them had each outcome, in the order of [`PlayableGame::OUTCOMES`].
    pub outcomes: Vec<u64>,
    /// The share of games won.
    pub win: Statistic,
    /// The mean points, with luck subtracted if it is measured.
    pub equity: Statistic,
    /// How many points it is behind the best candidate.
    pub behind: f64,
}

/// Many games from a position of a game, or from each play of a roll: what is asked for, and the trials played so far.
/// A [`Session`](tavli_trials::Session) plays them. As in backgammon, the sums of the games do not depend on threads,
/// tiers, sessions and shards.
///
/// ```
/// use tavli_backgammon::Tier;
/// use tavli_games::{GameRollout, GameRolloutRequest, PlayableGame};
/// use tavli_trials::{EndReason, EndRulesRequest, Session};
/// use tavli_run::Workers;
/// use tavli_variants::Plakoto;
///
/// let plakoto = Plakoto::by_rules("default", Tier::best(), 1)?;
/// let (start, roll) = (plakoto.start(), plakoto.chance("31"));
/// let request = GameRolloutRequest {
///     policy: Some("uniform".to_owned()),
///     end_rules: EndRulesRequest::after_trials(1296),
///     ..GameRolloutRequest::default()
/// };
/// let mut rollout = GameRollout::<Plakoto>::new(start, roll, &request, Tier::best())?;
/// let reason = Session::default().play(&mut rollout, &Workers::here(), |_| ())?;
/// assert_eq!(reason, EndReason::Trials);
/// let best = &rollout.standings()[0];
/// assert_eq!((best.trials, best.outcomes.iter().sum()), (1296, 1296_u64));
/// assert!(best.equity.low < best.equity.mean);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct GameRollout<G: PlayableGame> {
    pub(super) game: Arc<G>,
    pub(super) rules: String,
    pub(super) position: G::Position,
    pub(super) chance: Option<usize>,
    pub(super) policy: String,
    pub(super) player: RolloutPlayer<G>,
    pub(super) variance_reduction: bool,
    pub(super) seed: u64,
    pub(super) plan: Plan,
    pub(super) has_named_plays: bool,
    pub(super) candidates: Arc<[GameCandidate<G::Position>]>,
    /// The sums of each candidate; 0 for a candidate that ends the game.
    pub(super) sums: Vec<CandidateSums>,
    pub(super) trials: Range<u64>,
    pub(super) elapsed: Duration,
}

impl<G: PlayableGame> GameRollout<G> {
    /// The rollout of a position in which the game goes on, or of the plays after a chance.
    ///
    /// # Errors
    /// [`GameRolloutError`] names the part that is wrong.
    ///
    /// # Panics
    /// If this CPU lacks the tier.
    pub fn new(
        position: G::Position,
        chance: Option<usize>,
        request: &GameRolloutRequest,
        tier: Tier,
    ) -> Result<GameRollout<G>, GameRolloutError> {
        let rules = request.rules.as_deref().unwrap_or(G::RULES[0]);
        let game = Arc::new(G::by_rules(rules, tier, request.seed)?);
        let end_rules = request.end_rules.resolve(Allocation::Even)?;
        check_end_rules::<G>(&end_rules)?;
        let plan = Plan { end_rules, allocation: Allocation::Even, shard: request.shard };
        plan.check()?;
        plan.check_shard()?;
        let candidates = candidates(&*game, &position, chance, &request.plays)?;
        let luck = request.variance_reduction;
        let policy = request.policy.as_deref().or(default_net(G::NAME)).unwrap_or(UNIFORM);
        let player = RolloutPlayer::named(&game, policy, request.seed, luck)?;
        Ok(GameRollout {
            game,
            rules: rules.to_owned(),
            position,
            chance,
            policy: policy.to_owned(),
            player,
            variance_reduction: luck,
            seed: request.seed,
            plan,
            has_named_plays: !request.plays.is_empty(),
            sums: vec![CandidateSums::new::<G>(luck); candidates.len()],
            candidates: candidates.into(),
            trials: plan.no_trials(),
            elapsed: Duration::ZERO,
        })
    }

    /// The request that makes this rollout.
    #[must_use]
    pub fn request(&self) -> GameRolloutRequest {
        let Plan { end_rules, shard, .. } = self.plan;
        let moves = self.candidates.iter().filter(|_| self.has_named_plays);
        GameRolloutRequest {
            rules: Some(self.rules.clone()),
            plays: moves.filter_map(|candidate| candidate.moves.clone()).collect(),
            policy: Some(self.policy.clone()),
            variance_reduction: self.variance_reduction,
            seed: self.seed,
            end_rules: EndRulesRequest {
                trials: Some(end_rules.trials),
                standard_error: end_rules.standard_error,
                jsd: None,
                seconds: end_rules.time.map(|time| time.as_secs_f64()),
            },
            shard,
        }
    }

    /// Replaces the rules that end the rollout. A larger number of trials extends it.
    ///
    /// # Errors
    /// [`GameRolloutError`] if a rule cannot be satisfied, more trials have been played, or a shard would end by
    /// itself.
    pub fn until(self, end_rules: EndRules) -> Result<GameRollout<G>, GameRolloutError> {
        check_end_rules::<G>(&end_rules)?;
        let plan = self.plan.until(end_rules, &self.trials)?;
        let trials = if self.trials.is_empty() { plan.no_trials() } else { self.trials };
        Ok(GameRollout { plan, trials, ..self })
    }

    /// The results of the candidates so far, the best first; none before the first trial.
    #[must_use]
    pub fn standings(&self) -> Vec<GameCandidateResult> {
        let trials = self.trials.end - self.trials.start;
        if trials == 0 {
            return Vec::new();
        }
        let results = (0..self.candidates.len()).map(|candidate| self.result(candidate, trials));
        let mut results: Vec<GameCandidateResult> = results.collect();
        results.sort_by(|a, b| b.equity.mean.total_cmp(&a.equity.mean));
        let best = results[0].equity.mean;
        for result in &mut results {
            result.behind = best - result.equity.mean;
        }
        results
    }

    fn result(&self, candidate: usize, trials: u64) -> GameCandidateResult {
        let GameCandidate { position, end, .. } = &self.candidates[candidate];
        let is_after_play = self.candidates[candidate].is_after_play();
        let sign = if is_after_play { -1 } else { 1 };
        let (outcomes, [win, mut equity]) = match *end {
            // A play that ends the game has one result, whatever is rolled.
            Some(points) => {
                let points = sign * points;
                let games = |end: i32| if end == points { trials } else { 0 };
                let of_end = [f64::from(u8::from(points > 0)), f64::from(points)];
                let outcomes = G::OUTCOMES.iter().map(|outcome| games(outcome.points));
                (outcomes.collect(), of_end.map(Statistic::certain))
            }
            None => {
                let sums = &self.sums[candidate];
                let outcomes = G::OUTCOMES.iter().map(|outcome| sums.count::<G>(sign * outcome.points));
                let statistics = sums.win_and_equity(&*self.game, position, is_after_play);
                (outcomes.collect(), statistics)
            }
        };
        // Not -0, which would be printed, and sorted below 0.
        equity.mean += 0.0;
        GameCandidateResult { candidate, trials, outcomes, win, equity, behind: 0.0 }
    }

    /// The game, by the rules and the seed.
    #[must_use]
    pub fn game(&self) -> &Arc<G> {
        &self.game
    }

    /// The name of the rules.
    #[must_use]
    pub fn rules(&self) -> &str {
        &self.rules
    }

    /// The position.
    #[must_use]
    pub fn position(&self) -> &G::Position {
        &self.position
    }

    /// The chance whose plays are rolled out; `None` where the position itself is.
    #[must_use]
    pub fn chance(&self) -> Option<usize> {
        self.chance
    }

    /// The name of the player of both sides.
    #[must_use]
    pub fn policy(&self) -> &str {
        &self.policy
    }

    /// A remark for people, if the net has not learned the rules.
    #[must_use]
    pub fn remark(&self) -> Option<String> {
        match &self.player {
            RolloutPlayer::Random(_) => None,
            RolloutPlayer::Greedy { .. } => remark_on_values(&*self.game, &self.policy, &self.rules),
        }
    }

    /// Whether luck is subtracted.
    #[must_use]
    pub fn variance_reduction(&self) -> bool {
        self.variance_reduction
    }

    /// The seed of the dice.
    #[must_use]
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Whether the candidates are plays that the request named.
    #[must_use]
    pub fn has_named_plays(&self) -> bool {
        self.has_named_plays
    }

    /// The candidates: the plays of a roll in their order, or the position itself.
    #[must_use]
    pub fn candidates(&self) -> &[GameCandidate<G::Position>] {
        &self.candidates
    }

    /// The settings on which the values of the games depend, by name and as text: [how](GameRollout::playing_settings)
    /// games are played, and from where.
    #[must_use]
    pub fn deciding_settings(&self) -> [(&'static str, String); 8] {
        let roll = self.chance.map(|chance| self.game.chance_text(chance));
        let moves = self.candidates.iter().map(|candidate| candidate.moves.as_deref());
        let [rules, seed, policy, net, luck] = self.playing_settings();
        [
            rules,
            ("the position", self.game.state(&self.position)),
            ("the roll", roll.unwrap_or_else(none)),
            ("the list of candidates", moves.flatten().collect::<Vec<_>>().join(", ")),
            seed,
            policy,
            net,
            luck,
        ]
    }

    /// The settings by which games are played, by name and as text: rollouts from several positions may share them.
    #[must_use]
    pub fn playing_settings(&self) -> [(&'static str, String); 5] {
        let luck = if self.variance_reduction { "subtracted" } else { "left in" };
        [
            ("the rule set", self.rules.clone()),
            ("the seed", self.seed.to_string()),
            ("the policy", without_path(&self.policy)),
            ("the net of its policy", self.player.net_signature().unwrap_or_else(none)),
            ("the luck", luck.to_owned()),
        ]
    }
}

/// The text of a setting that is absent.
fn none() -> String {
    "none".to_owned()
}

/// Refuses the rule that only backgammon has.
fn check_end_rules<G: PlayableGame>(end_rules: &EndRules) -> Result<(), GameRolloutError> {
    match end_rules.jsd {
        Some(_) => Err(GameRolloutError::Jsd(G::NAME)),
        None => Ok(()),
    }
}

/// The plays of these texts, or all if there are none; before a roll the position.
fn candidates<G: PlayableGame>(
    game: &G,
    position: &G::Position,
    chance: Option<usize>,
    named: &[String],
) -> Result<Vec<GameCandidate<G::Position>>, GameRolloutError> {
    let Some(chance) = chance else {
        return match named {
            [] => Ok(vec![GameCandidate { moves: None, position: *position, end: None }]),
            _ => Err(GameRolloutError::NoRoll),
        };
    };
    let choices = named_choices(game, position, chance, named)?;
    let plays = game.plays(position, chance).into_iter().enumerate();
    let plays = plays.filter(|(choice, _)| named.is_empty() || choices.contains(choice));
    let play = |(_, play): (usize, GamePlay<G::Position>)| GameCandidate {
        moves: Some(play.moves),
        end: game.points(&play.result),
        position: play.result,
    };
    Ok(plays.map(play).collect())
}
