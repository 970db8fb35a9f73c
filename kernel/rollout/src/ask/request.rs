//! The request for a rollout, as programs make it.

use core::num::NonZeroU32;
use std::sync::Arc;

use tavli_backgammon::evaluators::Evaluator;
use tavli_backgammon::plays::notation::parse_play;
use tavli_backgammon::plays::{Play, Plays};
use tavli_backgammon::policies::PolicyPair;
use tavli_backgammon::{Board, NO_STOP, Position, Roll, RuleSet};
use tavli_cube::CubeInPlay;
use tavli_players::Luck;
use tavli_players::named::{self, Defaults, NamedError, rollout_players};
use tavli_trials::{Allocation, EndRules, EndRulesRequest, Plan, Shard};

use crate::ask::candidate::Candidate;
use crate::ask::checked_request::CheckedRequest;
use crate::ask::cube::RolloutCube;
use crate::ask::error::RolloutError;
use crate::ask::play_filter::{PlayFilter, equities};
use crate::ask::playout_settings::PlayoutSettings;

/// A play of the roll that is asked for.
#[derive(Clone, PartialEq, Debug)]
pub enum RequestedPlay {
    /// A text: the play in notation, such as `8/5 6/5`, or the position after it in any format.
    Text(String),
    /// The position after the play, seen by the player next on roll.
    After(Board),
}

/// A request for a rollout: each part that a program lets its users name, validated in one place for all programs.
/// Words (rules, first rolls, allocations, shards) are read by `parse`.
///
/// ```
/// use tavli_backgammon::Position;
/// use tavli_rollout::{EndRulesRequest, RolloutRequest};
///
/// let request = RolloutRequest {
///     roll: Some("31".parse()?),
///     plays: Some(vec!["8/5 6/5".into(), "24/23 13/10".into()]),
///     end_rules: EndRulesRequest { jsd: Some(3.0), ..EndRulesRequest::default() },
///     ..RolloutRequest::default()
/// };
/// let position: Position = "4HPwATDgc/ABMA".parse()?;
/// let rollout = request.rollout(&position)?;
/// assert_eq!(rollout.candidates().len(), 2);
/// // With another end rule, the number of trials is not limited by default.
/// assert_eq!(rollout.end_rules().trials, tavli_rollout::Rollout::MAX_TRIALS);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct RolloutRequest {
    /// The roll whose plays are compared. `None` takes the dice of the position; without dice the position itself is
    /// rolled out.
    pub roll: Option<Roll>,
    /// The plays that are compared; `None` for all plays of the roll.
    pub plays: Option<Vec<RequestedPlay>>,
    /// Which plays of the roll are candidates, unless `plays` names them; `None` for all.
    pub filter: Option<PlayFilter>,
    /// The settings on which the values depend.
    pub settings: PlayoutSettings,
    /// How the games are divided among the candidates.
    ///
    /// ```
    /// use tavli_backgammon::policies::PolicyPair;
    /// use tavli_rollout::{EndRulesRequest, RolloutRequest, Session};
    /// use tavli_run::{Cpus, Pinning, Placement, Workers};
    ///
    /// let workers = Workers::start(&Placement::new(&Cpus::allowed(), Pinning::CORES, None)?)?;
    /// let request = RolloutRequest {
    ///     roll: Some("31".parse()?),
    ///     players: Some(PolicyPair::default()),
    ///     allocation: "halving".parse()?,
    ///     end_rules: EndRulesRequest::after_trials(15 * 1296),
    ///     ..RolloutRequest::default()
    /// };
    /// let mut rollout = request.rollout(&"4HPwATDgc/ABMA".parse()?)?;
    /// Session::default().play(&mut rollout, &workers, |_| ())?;
    /// let summary = rollout.summary();
    /// assert_eq!(summary.standings.iter().filter(|result| !result.is_dropped).count(), 2);
    /// // Each of the four rounds has 16 × 1,296 games: 1,296 for each of 16 plays in the first round, 8 × 1,296 for
    /// // each of two plays in the last.
    /// assert_eq!(summary.games(), 4 * 16 * 1296);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub allocation: Allocation,
    /// The rules that end it.
    pub end_rules: EndRulesRequest,
    /// Which shard of it is played; `None` for the whole rollout.
    pub shard: Option<Shard>,
    /// The players that pick the plays; `None` for the [default](tavli_players::named::Defaults::rollout_policy) under
    /// the rules.
    pub players: Option<PolicyPair>,
    /// The cube and the score, as the player on roll sees them, with which the games are played; `None` for games
    /// without cube. Before the roll, "no double" is then compared with "double, take" ([the
    /// guide](crate::guide#the-cube)).
    pub cube: Option<CubeInPlay>,
    /// The evaluator of games that are cut off; it needs a truncation in the settings. With a cube, games that are cut
    /// off need one.
    pub evaluator: Option<Arc<dyn Evaluator>>,
    /// The evaluator that measures luck for [variance reduction](crate::guide#variance-reduction).
    pub luck: Option<Arc<dyn Evaluator>>,
}

/// The plies after which the games of a decision are cut off and valued.
// After five plies the difference of two plays is wrong by 0.010 points, as much as a decision leaves open. After two
// it is 0.013, and seven plies, with more work, leave 0.009 (the guide).
const DECISION_PLIES: Option<NonZeroU32> = NonZeroU32::new(5);

impl RolloutRequest {
    /// The points that a candidate of a [decision](RolloutRequest::decision) may be below the best play, as `strong`
    /// values both. [The guide](crate::guide#decisions) says how it was measured.
    pub const DECISION_MARGIN: f64 = 0.16;

    /// The points by which plays of a [decision](RolloutRequest::decision) may differ and still count as equally good.
    // The error of games of five plies: half of the smallest error that eXtreme Gammon marks.
    pub const DECISION_WITHIN: f64 = 0.01;

    /// How the games of a [decision](RolloutRequest::decision) are divided.
    pub const DECISION_RACE: Allocation =
        Allocation::FixedConfidence { percent: Allocation::DEFAULT_PERCENT, within: RolloutRequest::DECISION_WITHIN };

    /// The most trials of a decision.
    // The race has a look at this number: trials after the last look would decide nothing.
    pub const DECISION_TRIALS: u64 = 36 << 6;

    /// The request for a decision while a person waits: which play of a roll to make.
    ///
    /// Under rules that nets have learned:
    ///
    /// * `strong` plays both sides for five plies, and values the positions after them.
    /// * A table of bear-offs of up to six checkers ends games with its exact values.
    /// * `fast` with that table measures the luck that is subtracted.
    /// * A play is a candidate if `strong` values it at most 0.16 points below the best, or second best.
    /// * The candidates [race](Allocation::FixedConfidence) to 95 %, within 0.01 points, until one is known to be good
    ///   enough, or over 2,304 trials.
    ///
    /// Under rules whose values no net has learned (mcgammon, hypergammon, longgammon) all plays are candidates, and
    /// games are whole games of the default players.
    ///
    /// Each part may be changed; without [`PlayoutSettings::truncation`] games are played to their end, which takes 20
    /// to 40 times as long. [The guide](crate::guide#decisions) has the measurements.
    ///
    /// The table of bear-offs is solved once in a process, when a game first comes to one of its positions: this call
    /// waits for no table. `stop` is the same as in [`named::evaluator`].
    ///
    /// ```
    /// use tavli_backgammon::{NO_STOP, RuleSet};
    /// use tavli_rollout::{RolloutRequest, Session, Verdict};
    /// use tavli_run::{Cpus, Pinning, Placement, Workers};
    ///
    /// let workers = Workers::start(&Placement::new(&Cpus::allowed(), Pinning::CORES, None)?)?;
    /// let defaults = RolloutRequest::decision(RuleSet::Backgammon, NO_STOP)?;
    /// let request = RolloutRequest { roll: Some("31".parse()?), ..defaults };
    /// let mut rollout = request.rollout(&"4HPwATDgc/ABMA".parse()?)?;
    /// # // Fewer trials and a faster player, so that the example runs in an instant.
    /// # let request = RolloutRequest {
    /// #     players: Some(tavli_players::named::rollout_players(None, None, RuleSet::Backgammon)?),
    /// #     allocation: "race:60%:0.3".parse()?,
    /// #     ..request
    /// # };
    /// # rollout = request.rollout(&"4HPwATDgc/ABMA".parse()?)?;
    /// Session::default().play(&mut rollout, &workers, |_| ())?;
    /// let decision = rollout.decision().expect("a race");
    /// assert_ne!(decision.verdict, Verdict::Open);
    /// let play = rollout.candidates()[decision.candidate].moves.as_ref().expect("a play");
    /// assert_eq!(play.to_string(), "8/5 6/5");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`NamedError::NetMissing`] in a build without the files of the players, until they are
    /// [given](tavli_players::named::give_net); [`NamedError::Stopped`] as by [`named::evaluator`].
    pub fn decision(rules: RuleSet, stop: &dyn Fn() -> bool) -> Result<RolloutRequest, NamedError> {
        let request = RolloutRequest {
            settings: PlayoutSettings { rules, ..PlayoutSettings::default() },
            allocation: RolloutRequest::DECISION_RACE,
            end_rules: EndRulesRequest::after_trials(RolloutRequest::DECISION_TRIALS),
            ..RolloutRequest::default()
        };
        let defaults = Defaults::for_rules(rules);
        let Some(luck) = defaults.luck else {
            return Ok(request);
        };
        let values = named::evaluator(defaults.decision_player, stop)?;
        Ok(RolloutRequest {
            players: Some(PolicyPair::alike(named::policy(defaults.decision_player)?)),
            luck: Some(named::evaluator(luck, stop)?),
            settings: PlayoutSettings { truncation: DECISION_PLIES, ..request.settings },
            evaluator: Some(Arc::clone(&values)),
            filter: Some(PlayFilter { by: values, margin: RolloutRequest::DECISION_MARGIN }),
            ..request
        })
    }

    /// The players that pick the plays, or the default ones.
    ///
    /// # Errors
    /// As [`rollout_players`].
    pub fn players(&self) -> Result<PolicyPair, NamedError> {
        match &self.players {
            Some(players) => Ok(players.clone()),
            None => rollout_players(None, None, self.settings.rules),
        }
    }

    /// The checked request for a rollout from a position that `end_rules` ends. Everything that can be wrong is checked
    /// here.
    pub(crate) fn checked(&self, position: &Position, end_rules: EndRules) -> Result<CheckedRequest, RolloutError> {
        let players = self.players()?;
        let roll = position.roll_or(self.roll)?;
        let rules = self.settings.rules;
        let cube = self.cube.map(|cube| RolloutCube::new(cube, &players, rules));
        // A filter needs a cube that has been checked.
        let cube = cube.transpose()?;
        let candidates = self.candidates(position.board(), roll)?;
        let candidates = match &cube {
            Some(cube) => Candidate::all_with_cube(candidates, &cube.in_play),
            None => candidates,
        };
        let mut checked = CheckedRequest {
            position: *position.board(),
            roll,
            settings: self.settings,
            ranking: (0..candidates.len()).collect(),
            candidates,
            has_named_plays: self.plays.is_some(),
            filtered_by: self.filter.as_ref().map(|filter| Arc::clone(&filter.by)),
            players,
            cube,
            evaluator: self.evaluator.clone(),
            luck: self.luck.clone().map(Luck::new),
            plan: Plan { end_rules, allocation: self.allocation, shard: self.shard },
        };
        checked.check()?;
        checked.mark_known_candidates();
        Ok(checked)
    }

    /// Ranks the candidate plays of a decision by their values, the best first, by the filter's evaluator or the
    /// default one: reports have this order until there are trials.
    // The candidates keep their indices: processes that share a rollout, some without the net, count by index.
    pub(crate) fn rank_candidates(&self, checked: &mut CheckedRequest) -> Result<(), RolloutError> {
        let decides = matches!(checked.plan.allocation, Allocation::FixedConfidence { .. });
        if !decides || checked.roll.is_none() {
            return Ok(());
        }
        let rules = self.settings.rules;
        let by = match &self.filter {
            Some(filter) => Arc::clone(&filter.by),
            None => match named::evaluator(Defaults::for_rules(rules).decision_player, NO_STOP) {
                // A rollout by the caller's own players needs no net of this build.
                Err(NamedError::NetMissing(_)) => return Ok(()),
                evaluator => evaluator?,
            },
        };
        let boards: Vec<Board> = checked.candidates.iter().map(|candidate| candidate.board).collect();
        let equities = equities(&*by, &boards, rules, self.cube.as_ref())
            .map_err(|_| RolloutError::Filter(by.name().to_owned()))?;
        let ranking = &mut checked.ranking;
        ranking.sort_by(|&one, &other| equities[other].total_cmp(&equities[one]));
        Ok(())
    }

    /// The position itself, or the plays of a roll that are compared.
    fn candidates(&self, board: &Board, roll: Option<Roll>) -> Result<Vec<Candidate>, RolloutError> {
        let settings = &self.settings;
        if let Some(PlayFilter { margin, .. }) = self.filter
            && (margin.is_nan() || margin < 0.0)
        {
            return Err(RolloutError::Margin(margin));
        }
        let Some(roll) = roll else {
            // A decision always has a filter. It is refused later, for its single candidate.
            let decides = matches!(self.allocation, Allocation::FixedConfidence { .. });
            return match (&self.plays, &self.filter) {
                (Some(_), _) => Err(RolloutError::NoRoll),
                (None, Some(_)) if !decides => Err(RolloutError::FilteredPosition),
                (None, _) => Ok(vec![Candidate::position(*board, settings)?]),
            };
        };
        let boards = match (&self.plays, &self.filter) {
            (Some(plays), _) => {
                let boards = plays.iter().map(|play| play.board(board, roll, settings.rules));
                boards.collect::<Result<_, _>>()?
            }
            (None, Some(filter)) => {
                // The evaluator is asked about plays only where the game goes on.
                settings.playouts(*board)?;
                let boards = filter.candidates(board, roll, settings.rules, self.cube.as_ref());
                boards.map_err(|_| RolloutError::Filter(filter.by.name().to_owned()))?
            }
            (None, None) => Plays::new(board, roll, settings.rules).to_vec().iter().map(Play::board).collect(),
        };
        Candidate::plays_to(board, roll, &boards, settings)
    }
}

impl RequestedPlay {
    /// The position after the play. A play given as a position is not checked here.
    fn board(&self, from: &Board, roll: Roll, rules: RuleSet) -> Result<Board, RolloutError> {
        match self {
            RequestedPlay::After(board) => Ok(*board),
            RequestedPlay::Text(text) => parse_play(from, roll, text, rules).or_else(|error| {
                let text = text.clone();
                let position = text.parse::<Position>();
                let position = position.map_err(|_| RolloutError::Play { text, error })?;
                Ok(*position.board())
            }),
        }
    }
}

impl From<&str> for RequestedPlay {
    fn from(text: &str) -> RequestedPlay {
        RequestedPlay::Text(text.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rollout::Rollout;

    fn position() -> Position {
        "4HPwATDgc/ABMA".parse().unwrap()
    }

    fn asked(change: impl FnOnce(&mut RolloutRequest)) -> Result<Rollout, RolloutError> {
        let mut request = RolloutRequest { roll: Some(Roll::new(3, 1).unwrap()), ..RolloutRequest::default() };
        change(&mut request);
        request.rollout(&position())
    }

    #[test]
    fn what_is_left_out_is_the_default() {
        let rollout = asked(|_| ()).unwrap();
        assert_eq!(rollout.candidates().len(), 16);
        assert_eq!((rollout.end_rules(), rollout.allocation()), (&EndRules::default(), Allocation::Even));
        let rollout = asked(|request| request.roll = None).unwrap();
        assert!(rollout.candidates().len() == 1 && rollout.roll().is_none());
    }

    #[test]
    fn rollouts_are_played_by_the_default_player_of_their_rules() {
        let players = |rules| {
            let rollout = asked(|request| request.settings.rules = rules).unwrap();
            rollout.players().to_string()
        };
        assert_eq!(players(RuleSet::Backgammon), "fast");
        assert_eq!(players(RuleSet::Portes), "fast");
        assert_eq!(players(RuleSet::McGammon), "uniform");
    }

    #[test]
    fn what_is_wrong_is_named() {
        let message = |change: fn(&mut RolloutRequest)| asked(change).unwrap_err().to_string();
        let seconds = message(|request| request.end_rules.seconds = Some(-1.0));
        assert_eq!(seconds, "seconds are a number from 1e-9 to 1.8e19, not -1.0");
        let no_roll = message(|request| {
            request.roll = None;
            request.plays = Some(vec!["8/5".into()]);
        });
        assert_eq!(no_roll, "plays belong to a roll: name the roll too");
        let play = message(|request| request.plays = Some(vec!["8/2".into()]));
        assert!(play.contains("8/2"), "{play}");
        let one = message(|request| {
            request.plays = Some(vec!["8/5 6/5".into()]);
            request.allocation = Allocation::JsdRace { jsd: 3.0 };
        });
        assert!(one.contains("at least two candidates"), "{one}");
    }

    #[test]
    fn a_play_is_named_by_its_moves_or_by_the_position_after_it() {
        let named = |play: RequestedPlay| {
            let rollout = asked(|request| request.plays = Some(vec![play]))?;
            Ok::<Board, RolloutError>(rollout.candidates()[0].board)
        };
        let after = named("8/5 6/5".into()).unwrap();
        let position = Position::from(after);
        for text in [position.position_id().to_string(), position.xgid()] {
            assert_eq!(named(text.as_str().into()), Ok(after), "{text}");
        }
        assert_eq!(named(RequestedPlay::After(after)), Ok(after));
        let error = named(RequestedPlay::After(Board::START)).unwrap_err();
        let start = "4HPwATDgc/ABMA is not the position after a play of 31 from 4HPwATDgc/ABMA: ";
        assert!(error.to_string().starts_with(start), "{error}");
    }

    #[test]
    fn one_of_many_with_one_candidate_compares_nothing() {
        let request = RolloutRequest {
            allocation: Allocation::DEFAULT_RACE,
            end_rules: EndRulesRequest { jsd: Some(2.0), ..EndRulesRequest::default() },
            ..RolloutRequest::default()
        };
        let rollout = request.rollout_of_many(&position()).unwrap();
        assert_eq!((rollout.end_rules().jsd, rollout.end_rules().trials), (None, 46_656));
        assert_eq!(rollout.allocation(), Allocation::Even);
    }
}
