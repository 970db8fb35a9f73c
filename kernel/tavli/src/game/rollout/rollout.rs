//! The question of a rollout, its candidates, and the trials played.

use core::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use tavli_backgammon::Tier;
use tavli_game::{NO_STOP, NamedGame, NamedPlay, RulesError};
use tavli_rollout::{Allocation, Decision, RolloutError, Shard, Statistic, Stop, StopRequest};
use thiserror::Error;

use super::candidate::{GameCandidate, GameCandidateResult};
use super::player::{RolloutPlayer, RolloutPlayerError, UNIFORM};
use super::race::{Race, RaceSettings};
use super::request::GameRolloutRequest;
use super::sums::CandidateSums;
use crate::game::built_in::{default_net, remark_on_values};
use crate::game::named_choices::{NamedChoicesError, named_choices};

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
    /// Plays without a roll, or rules that cannot end it.
    #[error(transparent)]
    Rollout(#[from] RolloutError),
    /// A rule that only backgammon has.
    #[error("no rule on joint standard deviations ends a rollout of {0}: leave it out")]
    Jsd(&'static str),
}

impl GameRolloutError {
    /// The invalid option, by its name in [`OptionTexts`](tavli_rollout::OptionTexts); `None` where no single one is
    /// wrong.
    #[must_use]
    pub fn option(&self) -> Option<&str> {
        match self {
            GameRolloutError::Rules(_) => Some("rules"),
            GameRolloutError::Player(_) => Some("policy"),
            GameRolloutError::Plays(_) => Some("plays"),
            GameRolloutError::Rollout(error) => error.option(),
            GameRolloutError::Jsd(_) => Some("stop_jsd"),
        }
    }
}

/// Many games from a position of a game, or from each play of a roll: what is asked for, and the trials played so far.
/// A [`Session`](tavli_rollout::Session) plays them. As in backgammon, the sums of the games do not depend on threads,
/// tiers, sessions and shards.
///
/// ```
/// use tavli::game::{GameRollout, GameRolloutRequest, NamedGame};
/// use tavli::rollout::{Session, StopReason, StopRequest};
/// use tavli::run::Workers;
/// use tavli::variants::Plakoto;
/// use tavli::Tier;
///
/// let plakoto = Plakoto::by_rules("default", Tier::best(), 1)?;
/// let (start, roll) = (plakoto.start(), plakoto.chance("31"));
/// let request = GameRolloutRequest {
///     policy: Some("uniform".to_owned()),
///     stop: StopRequest::after(1296),
///     ..GameRolloutRequest::default()
/// };
/// let mut rollout = GameRollout::<Plakoto>::new(start, roll, &request, Tier::best())?;
/// let reason = Session::default().play(&mut rollout, &Workers::here(), |_| ())?;
/// assert_eq!(reason, StopReason::Trials);
/// let best = &rollout.standings()[0];
/// assert_eq!((best.trials, best.outcomes.iter().sum()), (1296, 1296_u64));
/// assert!(best.equity.low < best.equity.mean);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct GameRollout<G: NamedGame> {
    pub(super) game: Arc<G>,
    pub(super) rules: String,
    pub(super) position: G::Position,
    pub(super) chance: Option<usize>,
    pub(super) policy: String,
    pub(super) player: RolloutPlayer<G>,
    pub(super) variance_reduction: bool,
    pub(super) seed: u64,
    pub(super) stop: Stop,
    pub(super) shard: Option<Shard>,
    pub(super) has_named_plays: bool,
    /// The plays in their order; in a race that has begun those that race, the best by the net first.
    pub(super) candidates: Arc<[GameCandidate<G::Position>]>,
    /// The sums of each candidate; of one in which the game is over, and in a race, they stay 0.
    pub(super) sums: Vec<CandidateSums>,
    pub(super) race_settings: Option<RaceSettings>,
    /// The race, once the net has valued the plays.
    pub(super) race: Option<Race>,
    pub(super) trials: Range<u64>,
    pub(super) elapsed: Duration,
}

impl<G: NamedGame> GameRollout<G> {
    /// The rollout of a position in which the game goes on, or of the plays after a chance. Plays that race are valued
    /// by the net when a session begins.
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
        // Rollouts are made before signals are handled, so a signal ends the process.
        GameRollout::new_unless(position, chance, request, tier, NO_STOP)
    }

    /// As [`GameRollout::new`], unless `stop` returns `true` while a table of bear-offs is solved.
    pub(in crate::game) fn new_unless(
        position: G::Position,
        chance: Option<usize>,
        request: &GameRolloutRequest,
        tier: Tier,
        stop: &dyn Fn() -> bool,
    ) -> Result<GameRollout<G>, GameRolloutError> {
        let rules = request.rules.as_deref().unwrap_or(G::RULES[0]);
        let game = Arc::new(G::by_rules(rules, tier, request.seed)?);
        let policy = request.policy.as_deref().or(default_net(G::NAME)).unwrap_or(UNIFORM);
        let player = || {
            let named = match request.race {
                Some(_) => RolloutPlayer::of_race,
                None => RolloutPlayer::named,
            };
            named(&game, policy, request.seed, request.variance_reduction, stop)
        };
        GameRollout::by_player(Arc::clone(&game), rules, (position, chance), request, policy, player)
    }

    /// As [`GameRollout::new`], by the player of a name that is not read.
    pub(in crate::game) fn by_player(
        game: Arc<G>,
        rules: &str,
        (position, chance): (G::Position, Option<usize>),
        request: &GameRolloutRequest,
        policy: &str,
        player: impl FnOnce() -> Result<RolloutPlayer<G>, RolloutPlayerError>,
    ) -> Result<GameRollout<G>, GameRolloutError> {
        let allocation = request.race.map_or(Allocation::Even, |race| race.allocation());
        let stop = request.stop.resolve(allocation)?;
        check_stop::<G>(&stop)?;
        stop.check()?;
        stop.check_shard(request.shard)?;
        if let Some(race) = &request.race {
            race.check()?;
            if request.shard.is_some() {
                return Err(RolloutError::ShardAllocation(allocation).into());
            }
            if chance.is_none() {
                return Err(RolloutError::NoRoll.into());
            }
        }
        let candidates = candidates(&*game, &position, chance, &request.plays)?;
        let luck = request.variance_reduction;
        let first = stop.planned_trials(request.shard).start;
        Ok(GameRollout {
            rules: rules.to_owned(),
            position,
            chance,
            policy: policy.to_owned(),
            player: player()?,
            variance_reduction: luck,
            seed: request.seed,
            stop,
            shard: request.shard,
            has_named_plays: !request.plays.is_empty(),
            sums: vec![CandidateSums::new::<G>(luck); candidates.len()],
            candidates: candidates.into(),
            race_settings: request.race,
            race: None,
            trials: first..first,
            elapsed: Duration::ZERO,
            game,
        })
    }

    /// The request that makes this rollout.
    #[must_use]
    pub fn request(&self) -> GameRolloutRequest {
        let moves = self.candidates.iter().filter(|_| self.has_named_plays);
        GameRolloutRequest {
            rules: Some(self.rules.clone()),
            plays: moves.filter_map(|candidate| candidate.moves.clone()).collect(),
            policy: Some(self.policy.clone()),
            race: self.race_settings,
            variance_reduction: self.variance_reduction,
            seed: self.seed,
            stop: StopRequest {
                trials: Some(self.stop.trials),
                standard_error: self.stop.standard_error,
                jsd: None,
                seconds: self.stop.time.map(|time| time.as_secs_f64()),
            },
            shard: self.shard,
        }
    }

    /// Replaces the rules that end the rollout. A larger number of trials extends it.
    ///
    /// # Errors
    /// [`GameRolloutError`] if a rule cannot be satisfied, more trials have been played, or a shard would end by
    /// itself.
    pub fn until(self, stop: Stop) -> Result<GameRollout<G>, GameRolloutError> {
        check_stop::<G>(&stop)?;
        stop.check_change(&self.stop, self.shard, &self.trials)?;
        let trials = match self.trials.is_empty() {
            true => {
                let first = stop.planned_trials(self.shard).start;
                first..first
            }
            false => self.trials.clone(),
        };
        Ok(GameRollout { stop, trials, ..self })
    }

    /// The results of the candidates so far, the best first; none before the first trial. In a race those that were
    /// dropped come last; it has results, by the values of the net, as soon as that has valued the plays.
    #[must_use]
    pub fn standings(&self) -> Vec<GameCandidateResult> {
        let trials = self.trials.end - self.trials.start;
        let candidates = 0..self.candidates.len();
        let mut results: Vec<GameCandidateResult>;
        match &self.race {
            Some(race) => {
                let best = race.decision().candidate;
                let game = &*self.game;
                results = candidates
                    .map(|candidate| race.result(game, candidate, &self.candidates[candidate].position, best))
                    .collect();
                let value = |result: &GameCandidateResult| match (result.trials, &result.race) {
                    (0, Some(race)) => race.evaluation,
                    _ => result.equity.mean,
                };
                let is_later = |result: &GameCandidateResult| {
                    let is_dropped = result.race.is_some_and(|race| race.is_dropped);
                    (result.candidate != best, is_dropped)
                };
                results.sort_by(|a, b| is_later(a).cmp(&is_later(b)).then(value(b).total_cmp(&value(a))));
            }
            None if trials == 0 => results = Vec::new(),
            None => {
                results = candidates.map(|candidate| self.result(candidate, trials)).collect();
                results.sort_by(|a, b| b.equity.mean.total_cmp(&a.equity.mean));
                let best = results[0].equity.mean;
                for result in &mut results {
                    result.behind = best - result.equity.mean;
                }
            }
        }
        results
    }

    /// The decision by the trials so far; `None` without a race, and before the net has valued the plays.
    #[must_use]
    pub fn decision(&self) -> Option<Decision> {
        self.race.as_ref().map(Race::decision)
    }

    /// How the plays race; `None` where all have as many games.
    #[must_use]
    pub fn race(&self) -> Option<&RaceSettings> {
        self.race_settings.as_ref()
    }

    /// How many plays of the roll the filter of a race has left out.
    #[must_use]
    pub fn left_out(&self) -> usize {
        self.race.as_ref().map_or(0, |race| race.left_out)
    }

    /// The candidates that are still played, by their indices.
    #[must_use]
    pub fn playing(&self) -> Vec<usize> {
        match &self.race {
            Some(race) => race.pairs.playing().to_vec(),
            None => (0..self.candidates.len()).collect(),
        }
    }

    fn result(&self, candidate: usize, trials: u64) -> GameCandidateResult {
        let GameCandidate { position, end, .. } = &self.candidates[candidate];
        let is_other = self.candidates[candidate].is_other();
        let sign = if is_other { -1 } else { 1 };
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
                let statistics = sums.win_and_equity(&*self.game, position, is_other);
                (outcomes.collect(), statistics)
            }
        };
        // Not -0, which would be printed, and sorted below 0.
        equity.mean += 0.0;
        GameCandidateResult {
            candidate,
            trials,
            outcomes,
            win: Some(win),
            equity,
            behind: 0.0,
            race: None,
        }
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

    /// Which part of a rollout it is.
    #[must_use]
    pub fn shard(&self) -> Option<Shard> {
        self.shard
    }

    /// Whether the candidates are plays that the request named.
    #[must_use]
    pub fn has_named_plays(&self) -> bool {
        self.has_named_plays
    }

    /// The candidates: the plays of a roll in their order, or the position itself; in a race that has begun the plays
    /// that race, the best by the net first.
    #[must_use]
    pub fn candidates(&self) -> &[GameCandidate<G::Position>] {
        &self.candidates
    }

    /// Whether all of the trials have been played.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.trials.end >= self.stop.planned_trials(self.shard).end
    }

    /// The settings on which the values of the games depend, by name and as text: [how](GameRollout::playing_settings)
    /// games are played, and from where.
    #[must_use]
    pub fn deciding_settings(&self) -> [(&'static str, String); 9] {
        let roll = self.chance.map(|chance| self.game.chance_text(chance));
        let moves = match &self.race_settings {
            // Which plays race is known when the net has valued them.
            Some(_) if !self.has_named_plays => "near the best".to_owned(),
            _ => {
                let mut plays: Vec<_> = self.candidates.iter().collect();
                plays.sort_by_key(|play| play.choice);
                let moves: Vec<&str> = plays.iter().filter_map(|play| play.moves.as_deref()).collect();
                moves.join(", ")
            }
        };
        let race = self.race_settings.map(|race| {
            let text = |bound: Option<String>| bound.unwrap_or_else(none);
            format!(
                "within {}, filter {}, truncated {}",
                race.within,
                text(race.filter.map(|margin| margin.to_string())),
                text(race.truncation.map(|plies| plies.to_string()))
            )
        });
        let [rules, seed, policy, net, luck] = self.playing_settings();
        [
            rules,
            ("the position", self.game.state(&self.position)),
            ("the roll", roll.unwrap_or_else(none)),
            ("the list of candidates", moves),
            ("the race", race.unwrap_or_else(none)),
            seed,
            policy,
            net,
            luck,
        ]
    }

    /// The settings by which games are played, by name and as text: rollouts from several positions may share them.
    #[must_use]
    pub fn playing_settings(&self) -> [(&'static str, String); 5] {
        let luck = if self.variance_reduction {
            "subtracted"
        } else {
            "left in"
        };
        [
            ("the rule set", self.rules.clone()),
            ("the seed", self.seed.to_string()),
            ("the policy", self.policy.clone()),
            (
                "the net of its policy",
                self.player.net_signature().unwrap_or_else(none),
            ),
            ("the luck", luck.to_owned()),
        ]
    }
}

/// The text of a setting that is absent.
fn none() -> String {
    "none".to_owned()
}

/// Refuses the rule that only backgammon has.
fn check_stop<G: NamedGame>(stop: &Stop) -> Result<(), GameRolloutError> {
    match stop.jsd {
        Some(_) => Err(GameRolloutError::Jsd(G::NAME)),
        None => Ok(()),
    }
}

/// The plays of these texts, or all if there are none; before a roll the position.
fn candidates<G: NamedGame>(
    game: &G,
    position: &G::Position,
    chance: Option<usize>,
    named: &[String],
) -> Result<Vec<GameCandidate<G::Position>>, GameRolloutError> {
    let Some(chance) = chance else {
        return match named {
            [] => Ok(vec![GameCandidate {
                moves: None,
                choice: 0,
                position: *position,
                end: None,
            }]),
            _ => Err(RolloutError::NoRoll.into()),
        };
    };
    let choices = named_choices(game, position, chance, named)?;
    let plays = game.plays(position, chance).into_iter().enumerate();
    let plays = plays.filter(|(choice, _)| named.is_empty() || choices.contains(choice));
    let play = |(choice, play): (usize, NamedPlay<G::Position>)| GameCandidate {
        moves: Some(play.moves),
        choice,
        end: game.points(&play.result),
        position: play.result,
    };
    Ok(plays.map(play).collect())
}
