//! Rollouts: many games from one position, or from each candidate play of a roll, with statistics.
//!
//! A [`Rollout`] plays trials until a rule of its [`Stop`] holds. Its [`Summary`] has the results: games won and lost,
//! by gammon and backgammon, equity without cube, and the errors of all of these. Several
//! candidates are rolled out on the same dice: trial number `n` of each is game number `n` of the same seed, and
//! the roll of a ply depends on nothing else. So the same luck helps or hurts both sides of a comparison, as long as
//! their games run in step.
//!
//! ```
//! use tavli_players::named::rollout_players;
//! use tavli_rollout::{Rollout, Session, Settings, Stop};
//! use tavli_run::{Cpus, Pinning, Placement, Workers};
//! use tavli_backgammon::Board;
//!
//! let workers = Workers::start(&Placement::new(&Cpus::allowed(), Pinning::CORES, None)?)?;
//! let settings = Settings::default();
//! let players = rollout_players(None, None, settings.rules)?; // both play as the net fast
//! let mut rollout = Rollout::of_plays(&Board::START, "31".parse()?, players, settings)?.until(Stop::after(36))?;
//! rollout.play(&workers, &Session::default(), |_| ())?;
//! let summary = rollout.summary();
//! let best = summary.best();
//! let moves = rollout.candidates()[best.candidate].moves.as_ref().expect("a play");
//! println!("{moves}: {:+.3} ± {:.3}", best.equity.mean, best.equity.standard_error);
//! // Some more trials make it more certain, at the price of these alone.
//! let mut rollout = rollout.until(Stop::after(72))?;
//! rollout.play(&workers, &Session::default(), |_| ())?;
//! assert_eq!(rollout.summary().trials, 72);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The same numbers
//! The counts of a rollout are exact integers, decided by the position, its candidates, the [`Settings`], the
//! [`Players`], the [`Evaluator`] and the range of games. Threads, tier, interruptions, and whether it was played at once, in
//! sessions, or in [shards](Shard) that were [merged](Rollout::merge), change nothing. Rules on errors are looked
//! at after fixed numbers of trials, so that where they end a rollout is decided by its values as well. Only the
//! rule on time depends on the machine.
//!
//! # Standard errors
//! By default any throw begins a game, trials are independent, and the variance of a mean over `n` trials is `V0 / n`,
//! where `V0` is their sample variance.
//!
//! With [stratified](tavli_backgammon::FirstRoll::Stratified) first rolls the first two throws of 1,296 games are not a matter of
//! luck, so the mean varies less than that. Split a game's variance into four parts: `A` that the first throw
//! decides alone, `B` that the second decides alone, `C` that both decide jointly, and the rest `E`. Over
//! `n = 1296 m + 36 k + j` trials, `k, j < 36`, the whole blocks have `E` alone; the `k` rows have `C` as well, from
//! `36 k` of the 1,296 pairs drawn without replacement; and the `j` others have all four, the throws drawn likewise
//! from 36. So the variance of the mean is
//!
//! ```text
//! (n E + 36 k C (1 - k/36) + j (C (1 - k/36) + (A + B) (1 - j/36))) / n^2
//! ```
//!
//! Throws of the same dice are one roll. `V0` estimates the sum of the four parts. The variance among trials with
//! the same first roll estimates it without `A`, that among those with the same second roll without `B`, and that among
//! those with both in common estimates `E`. Each is the mean over doubles (1/6 of the throws) and other rolls (5/6), or
//! over the four kinds of pairs, of the variance pooled within the rolls of that kind, with one degree of freedom lost
//! to each roll. Where there is little to compare, the estimate is cautious: each kind gets a further degree of
//! freedom with the variance before it, below 72 trials `V0 / n` is taken, and beside whole blocks the parts `A`, `B` and
//! `C` of the `j` others count twice. (Stratified samples: W. G. Cochran,
//! *Sampling Techniques*, 3rd edition, 1977, chapters 5 and 5A.)
//!
//! The variance of the difference between two candidates on common dice is found the same way, from the differences of
//! their points trial by trial.
//!
//! # Horizons
//! Games that are cut off after some plies count 0 points, unless an [`Evaluator`] gives their last position the
//! probabilities of the outcomes ([`Rollout::valued_by`]). The value of such a trial is then its expected share or
//! points. Values are fixed-point integers, of which 2^30 make 1, and so are their sums: they depend on no order, and the
//! numbers of a rollout on no thread, tier or shard. The standard errors are those of the values. They do not know how
//! wrong the evaluator is. An evaluator that samples ([`Sampled`](tavli_backgammon::evaluators::Sampled)) draws other
//! games in each trial, so its sampling error is part of the standard errors; candidates share these games trial by
//! trial, as they share the dice. Looking ahead from sampled values prefers plays whose games were lucky: that makes
//! positions look too good, by an error that more trials do not reduce.
//!
//! ```
//! use core::num::NonZeroU32;
//! use tavli_backgammon::Board;
//! use tavli_backgammon::evaluators::built_in;
//! use tavli_backgammon::policies::Players;
//! use tavli_rollout::{Rollout, Session, Settings, Stop};
//! use tavli_run::{Cpus, Pinning, Placement, Workers};
//!
//! let workers = Workers::start(&Placement::new(&Cpus::allowed(), Pinning::CORES, None)?)?;
//! let settings = Settings { truncation: NonZeroU32::new(11), ..Settings::default() };
//! let mut rollout = Rollout::of_position(&Board::START, Players::default(), settings)?
//!     .valued_by(Some(built_in("sampled:4")?))?
//!     .until(Stop::after(144))?;
//! rollout.play(&workers, &Session::default(), |_| ())?;
//! let result = rollout.summary().best();
//! assert_eq!(result.unfinished, 144);
//! assert!((result.probabilities.iter().sum::<f64>() - 1.0).abs() < 1e-12);
//! assert!(result.equity.standard_error < 0.2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Ends
//! Games by two policies that know the [same ends](Players::ends), such as those with a bear-off table, are cut off where
//! they reach one, and have its worth. That is the mean over all games from there, so it changes no mean, and the variance
//! is smaller. It is not so where games are cut off without an evaluator.
//!
//! # Luck
//! The value of each game may be [less its luck](Rollout::less_luck): at each ply by how much the best play of the roll,
//! as an evaluator values it, is better than the best plays of all rolls are on average. The mean of this over the rolls is
//! exactly 0 in each share, whatever the evaluator says, so that all means stay what they were, and the error of the
//! evaluator is not in them. A good one makes the variance many times smaller; a bad one makes it larger, and the standard
//! errors, which are those of the values, say so. Each ply costs a look at all plays of all 21 rolls. What rounding to
//! 2^-30 leaves is less than that in each share of a game.
//!
//! Outcomes that the rules exclude, such as a gammon against a side that has borne off, are exactly 0, whatever the evaluator
//! promises: what it gives them counts as the next smaller win or loss. A share of games less their luck may by chance come out
//! below 0, above 1, or above that of the wins that include it. Its [mean](Statistic::mean) is then the nearest that can be,
//! and its [raw mean](Statistic::raw_mean) the one without bias. Standings and differences go by the raw means.
//!
//! # Intervals
//! 95 % intervals hold the true value 95 times in 100 at any number of trials, as far as counts allow. That
//! of a share is Wilson's, or if it is near 0 or 1 that of Agresti and Coull, for as many independent trials as would have
//! the same standard error. An equity's follows from those of the shares that it consists of, and a difference has that of Agresti
//! and Min. Values of games that are cut off, or less their luck, are as certain as the larger number of whole games that would
//! have the same standard error. So a share seen in 36 trials of 36 lies between 0.89 and 1. The tests compare the intervals with exact
//! values over hundreds of seeds, at 8 to 5,000 trials. Only what is certain has an interval without width: a play that
//! wins, and what the rules exclude. One trial has an interval and no standard error, which is NaN.

mod allocation;
mod batch;
mod candidate;
mod checkpoint;
mod counts;
mod difference;
mod ends;
mod ends_record;
mod horizon;
mod horizon_record;
mod interval;
mod merge;
mod pieces;
mod progress;
mod ranks;
mod record;
mod request;
mod rounds;
mod session;
mod settings;
mod shard;
mod statistic;
mod statistics;
mod stop;
mod strata;
mod summary;
mod trials;
mod valuers;
mod watch;

pub use allocation::{Allocation, AllocationError};
pub use candidate::Candidate;
pub use checkpoint::{Checkpoint, SaveError};
pub use difference::Difference;
pub use merge::MergeError;
pub use pieces::PieceError;
pub use progress::Progress;
pub use ranks::Ranks;
pub use record::{FORMAT_VERSION, LoadError, RecordError};
pub use request::{Ending, Request, RequestError, RequestedPlay};
pub use session::Session;
pub use settings::Settings;
pub use shard::{Shard, ShardError};
pub use statistic::Statistic;
pub use statistics::Statistics;
pub use stop::{Stop, StopReason};
pub use summary::{CandidateResult, Summary};

use core::ops::Range;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use thiserror::Error;

use counts::Shape;
use rounds::Rounds;
use strata::Strata;
use tavli_backgammon::Board;
use tavli_backgammon::Roll;
use tavli_backgammon::evaluators::{Ends, Evaluator};
use tavli_backgammon::playout::PlayoutError;
use tavli_backgammon::plays::{Play, Plays};
use tavli_backgammon::policies::Players;
use tavli_players::Luck;
use valuers::{Valued, Valuers};

/// Many games from a position, or from each candidate play of a roll: what is to be played, and what has been.
#[derive(Clone, Debug)]
pub struct Rollout {
    position: Board,
    roll: Option<Roll>,
    settings: Settings,
    candidates: Vec<Candidate>,
    players: Players,
    evaluator: Option<Arc<dyn Evaluator>>,
    luck: Option<Luck>,
    allocation: Allocation,
    stop: Stop,
    shard: Option<Shard>,
    /// The games played.
    games: Range<u64>,
    rounds: Rounds,
    elapsed: Duration,
    /// The result of these games, once it was asked for.
    summary: OnceLock<Summary>,
}

/// Why something cannot be rolled out.
#[derive(Clone, PartialEq, Debug, Error)]
#[non_exhaustive]
pub enum RolloutError {
    /// No games start from the position.
    #[error(transparent)]
    Playout(#[from] PlayoutError),
    /// No games start from the position after a play.
    #[error("after {moves}: {reason}")]
    Candidate {
        /// The play.
        moves: String,
        /// Why no games start.
        reason: PlayoutError,
    },
    /// A candidate that is not a play of the roll.
    #[error("{position_id} is not the position after a play of {roll} from {from}")]
    NoPlay {
        /// The Position ID of the candidate.
        position_id: String,
        /// The roll.
        roll: Roll,
        /// The Position ID before the play.
        from: String,
    },
    /// A candidate that occurs twice.
    #[error("{moves} is a candidate twice")]
    Twice {
        /// The play.
        moves: String,
    },
    /// No candidate, or too many.
    #[error("{0} candidates: a rollout compares 1 to {most}", most = Rollout::MOST_CANDIDATES)]
    Candidates(usize),
    /// An invalid number of trials.
    #[error("a rollout has 1 to {most} trials, not {0}", most = Rollout::MOST_TRIALS)]
    Trials(u64),
    /// Fewer trials than have been played.
    #[error("{played} trials have been played, so the rollout cannot end after {trials}")]
    Fewer {
        /// The trials asked for.
        trials: u64,
        /// The trials played.
        played: u64,
    },
    /// A bound that is not a number above 0.
    #[error("the {rule} that ends a rollout is a number above 0, not {bound}")]
    Bound {
        /// The rule.
        rule: &'static str,
        /// Its bound.
        bound: f64,
    },
    /// A rule that compares candidates, where there is one only.
    #[error(
        "one candidate has nothing to compare: joint standard deviations, races and halving need at least two candidates"
    )]
    NothingToCompare,
    /// A shard that would drop candidates.
    #[error(
        "a shard plays its share of the games of all candidates: it cannot drop any by {0}; divide the games evenly, or \
         play on several machines together"
    )]
    ShardAllocation(Allocation),
    /// Another number of trials, where the rounds of halving depend on it.
    #[error(
        "games have been played in rounds of halving that end after {trials} trials: the number cannot change any more"
    )]
    Rounds {
        /// The trials that the rounds are made for.
        trials: u64,
    },
    /// A shard that would end by itself.
    #[error("a shard plays its share of a fixed number of trials: it cannot end by errors or time")]
    ShardRule,
    /// An evaluator where no game is cut off.
    #[error(
        "an evaluator values games where they are cut off, and these are played to their end: name the number of plies too"
    )]
    NoHorizon,
    /// An invalid shard.
    #[error(transparent)]
    Shard(#[from] ShardError),
    /// A change that a rollout which has begun does not take.
    #[error(
        "games have been played: policy, evaluator, allocation, shards and the trials that these share are settled \
         before a rollout begins"
    )]
    Begun,
}

impl Rollout {
    /// The most trials of a rollout, 2^56.
    pub const MOST_TRIALS: u64 = 1 << 56;
    /// The most candidates of a rollout.
    pub const MOST_CANDIDATES: usize = 512;

    /// A rollout of the player on roll's position. The first of the players is the one on roll;
    /// [`rollout_players`](tavli_players::named::rollout_players) has those of the programs whose users name none.
    ///
    /// # Errors
    /// [`RolloutError::Playout`] if the game is over, or can never end.
    pub fn of_position(position: &Board, players: Players, settings: Settings) -> Result<Rollout, RolloutError> {
        let candidate = Candidate::position(*position, &settings)?;
        Ok(Rollout::new(*position, None, vec![candidate], players, settings))
    }

    /// A rollout of every play of a roll, with players as in [`Rollout::of_position`].
    ///
    /// # Errors
    /// [`RolloutError`] if the game is over, can never end, or the roll has too many plays.
    pub fn of_plays(
        position: &Board,
        roll: Roll,
        players: Players,
        settings: Settings,
    ) -> Result<Rollout, RolloutError> {
        let plays = Plays::under(position, roll, settings.rules);
        if plays.len() > Rollout::MOST_CANDIDATES {
            return Err(RolloutError::Candidates(plays.len()));
        }
        let boards: Vec<Board> = plays.to_vec().iter().map(Play::board).collect();
        Rollout::of_candidates(position, roll, &boards, players, settings)
    }

    /// A rollout of some plays of a roll, given by the positions after them, in which the other player is on
    /// roll. The players are as in [`Rollout::of_position`].
    ///
    /// # Errors
    /// [`RolloutError`] if the game is over or can never end, or a candidate is not a play of the roll, or is given twice.
    pub fn of_candidates(
        position: &Board,
        roll: Roll,
        boards: &[Board],
        players: Players,
        settings: Settings,
    ) -> Result<Rollout, RolloutError> {
        settings.playouts(*position)?;
        if boards.is_empty() || boards.len() > Rollout::MOST_CANDIDATES {
            return Err(RolloutError::Candidates(boards.len()));
        }
        let plays = Plays::under(position, roll, settings.rules);
        let mut moves_to = vec![None; boards.len()];
        for play in plays.to_vec() {
            let after = play.board();
            if let Some(at) = boards.iter().position(|&board| board == after) {
                moves_to[at] = Some(plays.moves(&play));
            }
        }
        let mut candidates = Vec::with_capacity(boards.len());
        for (at, (&board, moves)) in boards.iter().zip(moves_to).enumerate() {
            let Some(moves) = moves else {
                if let Some(first) = boards[..at].iter().position(|&earlier| earlier == board) {
                    let first: &Candidate = &candidates[first];
                    let moves = first.moves.as_ref().map_or_else(String::new, ToString::to_string);
                    return Err(RolloutError::Twice { moves });
                }
                return Err(RolloutError::NoPlay {
                    position_id: board.position_id().to_string(),
                    roll,
                    from: position.position_id().to_string(),
                });
            };
            let text = moves.to_string();
            let candidate = Candidate::play(moves, board, &settings)
                .map_err(|reason| RolloutError::Candidate { moves: text, reason })?;
            candidates.push(candidate);
        }
        Ok(Rollout::new(*position, Some(roll), candidates, players, settings))
    }

    fn new(
        position: Board,
        roll: Option<Roll>,
        candidates: Vec<Candidate>,
        players: Players,
        settings: Settings,
    ) -> Rollout {
        let shape = Shape {
            strata: Strata::new(&settings),
            valued: Valued::default(),
        };
        let rounds = Rounds::new(shape, candidates.len());
        Rollout {
            position,
            roll,
            settings,
            candidates,
            players,
            evaluator: None,
            luck: None,
            allocation: Allocation::Even,
            stop: Stop::default(),
            shard: None,
            games: 0..0,
            rounds,
            elapsed: Duration::ZERO,
            summary: OnceLock::new(),
        }
        .reshaped()
    }

    /// The same rollout, ended by other rules. More trials than before extend it.
    ///
    /// # Errors
    /// [`RolloutError`] if a rule cannot be satisfied, more trials have been played, or a shard would end by
    /// itself.
    pub fn until(self, stop: Stop) -> Result<Rollout, RolloutError> {
        if stop.trials < self.games.end {
            return Err(RolloutError::Fewer {
                trials: stop.trials,
                played: self.games.end,
            });
        }
        if stop.trials == 0 || stop.trials > Rollout::MOST_TRIALS {
            return Err(RolloutError::Trials(stop.trials));
        }
        for (rule, bound) in [
            ("standard error", stop.standard_error),
            ("number of joint standard deviations", stop.jsd),
        ] {
            if let Some(bound) = bound
                && !(bound > 0.0 && bound.is_finite())
            {
                return Err(RolloutError::Bound { rule, bound });
            }
        }
        if stop.jsd.is_some() && self.candidates.len() < 2 {
            return Err(RolloutError::NothingToCompare);
        }
        if self.allocation == Allocation::Halving && stop.trials != self.stop.trials && !self.games.is_empty() {
            return Err(RolloutError::Rounds {
                trials: self.stop.trials,
            });
        }
        if let Some(shard) = self.shard {
            if self.allocation != Allocation::Even {
                return Err(RolloutError::ShardAllocation(self.allocation));
            }
            if stop.has_errors() || stop.time.is_some() {
                return Err(RolloutError::ShardRule);
            }
            // Its games are those of its number of trials.
            if stop.trials != self.stop.trials {
                shard.games(stop.trials)?;
                if !self.games.is_empty() {
                    return Err(RolloutError::Begun);
                }
            }
        }
        let mut rollout = Rollout { stop, ..self };
        if let Some(shard) = rollout.shard
            && rollout.games.is_empty()
        {
            let first = shard.games(stop.trials)?.start;
            rollout.games = first..first;
            rollout.rounds.start_at(first);
        }
        Ok(rollout)
    }

    /// The same rollout, its games divided otherwise among the candidates.
    ///
    /// # Errors
    /// [`RolloutError`] if games have been played, there is one candidate only, a race has no bound above 0, or the
    /// rollout is a shard.
    pub fn allocated(self, allocation: Allocation) -> Result<Rollout, RolloutError> {
        if allocation == self.allocation {
            return Ok(self);
        }
        if !self.games.is_empty() {
            return Err(RolloutError::Begun);
        }
        if let Some(bound) = allocation.race()
            && !(bound > 0.0 && bound.is_finite())
        {
            let rule = "number of joint standard deviations";
            return Err(RolloutError::Bound { rule, bound });
        }
        if allocation != Allocation::Even && self.candidates.len() < 2 {
            return Err(RolloutError::NothingToCompare);
        }
        let stop = self.stop;
        Rollout { allocation, ..self }.until(stop)
    }

    /// The part of a rollout that one of several machines plays; [`Rollout::merge`] puts the parts together.
    ///
    /// # Errors
    /// [`RolloutError`] if games have been played, the rollout ends by other rules than the number of trials,
    /// or has too few of them.
    pub fn shard(self, shard: Shard) -> Result<Rollout, RolloutError> {
        if !self.games.is_empty() {
            return Err(RolloutError::Begun);
        }
        let stop = self.stop;
        Rollout {
            shard: Some(shard),
            ..self
        }
        .until(stop)
    }

    /// The same rollout with the plays of other players.
    ///
    /// # Errors
    /// [`RolloutError::Begun`] if games have been played.
    pub fn played_by(self, players: Players) -> Result<Rollout, RolloutError> {
        if !self.games.is_empty() {
            return Err(RolloutError::Begun);
        }
        Ok(Rollout { players, ..self }.reshaped())
    }

    /// The same rollout with games that are cut off [valued](self#horizons) by this evaluator, or as 0 points if there is
    /// none.
    ///
    /// # Errors
    /// [`RolloutError::Begun`] if games have been played, [`RolloutError::NoHorizon`] if none are cut off.
    pub fn valued_by(self, evaluator: Option<Arc<dyn Evaluator>>) -> Result<Rollout, RolloutError> {
        if !self.games.is_empty() {
            return Err(RolloutError::Begun);
        }
        if evaluator.is_some() && self.settings.truncation.is_none() {
            return Err(RolloutError::NoHorizon);
        }
        Ok(Rollout { evaluator, ..self }.reshaped())
    }

    /// The same rollout with the values of games [less their luck](self#luck) as this evaluator measures it, or as they are
    /// if there is none.
    ///
    /// # Errors
    /// [`RolloutError::Begun`] if games have been played.
    pub fn less_luck(self, evaluator: Option<Arc<dyn Evaluator>>) -> Result<Rollout, RolloutError> {
        if !self.games.is_empty() {
            return Err(RolloutError::Begun);
        }
        let luck = evaluator.map(Luck::new);
        Ok(Rollout { luck, ..self }.reshaped())
    }

    /// Who values its games.
    fn valuers(&self) -> Valuers {
        // Games that are cut off count 0 points without an evaluator, and those that end before count theirs.
        let all_are_valued = self.evaluator.is_some() || self.settings.truncation.is_none();
        let ends = self.players.ends().filter(|_| all_are_valued);
        Valuers {
            evaluator: self.evaluator.clone(),
            ends: ends.cloned(),
            luck: self.luck.clone(),
        }
    }

    /// The same rollout, of which nothing is played, with room for what its valuers give.
    fn reshaped(mut self) -> Rollout {
        let shape = Shape {
            valued: self.valuers().valued(),
            ..self.rounds.shape()
        };
        self.rounds = Rounds::new(shape, self.candidates.len());
        self.rounds.start_at(self.games.start);
        self
    }

    /// The result of the trials so far. It is worked out once and kept until more are played.
    #[must_use]
    pub fn summary(&self) -> &Summary {
        let summary = || Summary::new(&self.candidates, &self.rounds, self.elapsed);
        self.summary.get_or_init(summary)
    }

    /// The difference between two candidates, given by their indices, over the trials in which both were played.
    ///
    /// # Panics
    /// If there is no candidate of an index, or both are the same.
    #[must_use]
    pub fn difference(&self, candidate: usize, other: usize) -> Difference {
        let number = self.candidates.len();
        assert!(
            candidate < number && other < number && candidate != other,
            "candidates {candidate} and {other} of {number} are not a pair"
        );
        Difference::new(&self.rounds, &self.candidates, candidate, other)
    }

    /// The difference of every pair of candidates: of each less every later one, in the order of the
    /// [`Summary::standings`].
    pub fn differences(&self) -> impl Iterator<Item = Difference> {
        let standings = &self.summary().standings;
        standings.iter().enumerate().flat_map(move |(rank, result)| {
            let later = standings[rank + 1..].iter();
            later.map(|other| self.difference(result.candidate, other.candidate))
        })
    }

    /// The games played, of all candidates together.
    #[must_use]
    pub fn total_games(&self) -> u64 {
        let rounds = self.rounds.as_slice().iter();
        let games = rounds.zip(self.rounds.games(self.games.end));
        games
            .map(|(round, games)| (games.end - games.start) * round.candidates.len() as u64)
            .sum()
    }

    /// Whether all of the trials have been played.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.games.end >= self.last_game()
    }

    /// The position, seen by the player on roll.
    #[must_use]
    pub fn position(&self) -> &Board {
        &self.position
    }

    /// The roll whose plays are compared.
    #[must_use]
    pub fn roll(&self) -> Option<Roll> {
        self.roll
    }

    /// What decides the values.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// What is compared; one candidate where the position itself is rolled out.
    #[must_use]
    pub fn candidates(&self) -> &[Candidate] {
        &self.candidates
    }

    /// Who picks the plays.
    #[must_use]
    pub fn players(&self) -> &Players {
        &self.players
    }

    /// Who values the games that are cut off.
    #[must_use]
    pub fn evaluator(&self) -> Option<&Arc<dyn Evaluator>> {
        self.evaluator.as_ref()
    }

    /// Who measures the luck that the values of games are less.
    #[must_use]
    pub fn luck(&self) -> Option<&Arc<dyn Evaluator>> {
        self.luck.as_ref().map(Luck::evaluator)
    }

    /// The positions where games end since both players know what they are worth.
    #[must_use]
    pub fn ends(&self) -> Option<Arc<dyn Ends>> {
        self.valuers().ends
    }

    /// How its games are divided among the candidates.
    #[must_use]
    pub fn allocation(&self) -> Allocation {
        self.allocation
    }

    /// When it ends.
    #[must_use]
    pub fn stop(&self) -> &Stop {
        &self.stop
    }

    /// Which part of a rollout it is.
    #[must_use]
    pub fn part(&self) -> Option<Shard> {
        self.shard
    }

    /// The trials played, by number: each is a game of every candidate that was not dropped before it.
    #[must_use]
    pub fn games(&self) -> Range<u64> {
        self.games.clone()
    }

    /// Time of playing, over all sessions; of merged rollouts the sum.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.elapsed
    }
}
