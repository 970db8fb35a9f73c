//! The policies of both sides.

use core::any::Any;
use core::fmt;
use core::ops::Range;
use std::sync::Arc;

use tavli_simd::Tier;

use super::stages::{PolicyStage, PolicyStopwatch, PolicyTimes};
use crate::board::Side;
use crate::evaluator::Evaluator;
use crate::known_values::KnownValues;
use crate::playout::{GameEnd, ManyPlayouts, Playouts, Results, Row, Tally, signature_of};
use crate::policies::policy::{Policy, title};
use crate::policies::uniform::Uniform;
use crate::stepping::{Games, RollBatch};
use tavli_base::{NO_STOP, Stopped};

/// Games that are played side by side: their plays stay in the nearest caches. With 128 or 256, `fast` plays at
/// 0.985 and 0.99 of the rate (profiles/LOG.md, 2026-11-25).
const GAMES_SIDE_BY_SIDE: usize = 64;

/// Observers of games in play.
#[derive(Default)]
pub struct Observer<'a> {
    /// The end of each game is appended here, in the order of the numbers.
    pub ends: Option<&'a mut Vec<GameEnd>>,
    /// The time of each [stage](PolicyStage) is added here. Uniform players, too, then decide ply by ply.
    pub times: Option<&'a mut PolicyTimes>,
    /// A game ends early in a position whose value is known here.
    pub known_values: Option<&'a dyn KnownValues>,
    /// Called before each ply with its decisions, before their plays are listed. The second argument has the number of
    /// the game of each decision, and how many of its plies have been played.
    pub before_ply: Option<BeforePly<'a>>,
}

/// The function of [`Observer::before_ply`]. If it returns an error, the games stop.
pub type BeforePly<'a> = &'a mut dyn FnMut(&RollBatch, &[(u64, u32)]) -> Result<(), Stopped>;

impl<'a> Observer<'a> {
    /// Appends the end of each game.
    #[must_use]
    pub fn collecting(ends: &'a mut Vec<GameEnd>) -> Observer<'a> {
        Observer { ends: Some(ends), ..Observer::default() }
    }

    /// Measures the stages.
    #[must_use]
    pub fn timing(times: &'a mut PolicyTimes) -> Observer<'a> {
        Observer { times: Some(times), ..Observer::default() }
    }

    /// Whether something happens during the games.
    fn looks_on(&self) -> bool {
        self.times.is_some() || self.known_values.is_some() || self.before_ply.is_some()
    }
}

impl fmt::Debug for Observer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Observer").field("known_values", &self.known_values).finish_non_exhaustive()
    }
}

/// The policies of the two sides.
///
/// ```
/// use tavli_backgammon::policies::{PolicyPair, built_in};
/// use tavli_backgammon::{Board, NO_STOP, Playouts, RuleSet, Tier};
/// let playouts = Playouts::new(Board::START, RuleSet::Backgammon, 1)?;
/// let players = PolicyPair::new(built_in("pubeval")?, built_in("uniform")?);
/// let tally = players.run(&playouts, Tier::best(), 0..100, NO_STOP)?.tally;
/// assert!(tally.wins() > 95, "pubeval is on roll first, and wins nearly always");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct PolicyPair {
    first: Arc<dyn Policy>,
    second: Arc<dyn Policy>,
}

impl Default for PolicyPair {
    /// Uniform play on both sides.
    fn default() -> PolicyPair {
        PolicyPair::alike(Arc::new(Uniform))
    }
}

impl PartialEq for PolicyPair {
    /// Whether both have the same names.
    fn eq(&self, other: &PolicyPair) -> bool {
        // A policy's name has all that decides its plays.
        self.names() == other.names()
    }
}

impl fmt::Display for PolicyPair {
    /// `pubeval`, or `pubeval against uniform`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&title(self.names()))
    }
}

impl PolicyPair {
    /// The policy of the player who is on roll in the first position, and that of his opponent.
    #[must_use]
    pub fn new(first: Arc<dyn Policy>, second: Arc<dyn Policy>) -> PolicyPair {
        PolicyPair { first, second }
    }

    /// The same policy on both sides.
    #[must_use]
    pub fn alike(policy: Arc<dyn Policy>) -> PolicyPair {
        PolicyPair::new(Arc::clone(&policy), policy)
    }

    /// The players that a user has named: uniform play unless there is a `policy`, and the same on both sides unless
    /// there is an `opponent`.
    ///
    /// ```
    /// use tavli_backgammon::policies::{PolicyPair, built_in};
    /// let players = PolicyPair::named(None, Some(built_in("pubeval")?));
    /// assert_eq!(players.to_string(), "uniform against pubeval");
    /// # Ok::<(), tavli_backgammon::policies::PolicyError>(())
    /// ```
    #[must_use]
    pub fn named(policy: Option<Arc<dyn Policy>>, opponent: Option<Arc<dyn Policy>>) -> PolicyPair {
        let policy = policy.unwrap_or_else(|| Arc::new(Uniform));
        match opponent {
            Some(opponent) => PolicyPair::new(policy, opponent),
            None => PolicyPair::alike(policy),
        }
    }

    /// The same players with their sides exchanged.
    #[must_use]
    pub fn swapped(&self) -> PolicyPair {
        PolicyPair::new(Arc::clone(&self.second), Arc::clone(&self.first))
    }

    /// The policy of a player: of the one who is on roll in the first position, or of his opponent.
    #[must_use]
    pub fn policy(&self, player: Side) -> &Arc<dyn Policy> {
        match player {
            Side::OnRoll => &self.first,
            Side::Opponent => &self.second,
        }
    }

    /// The evaluator that a player plays by, if he values positions.
    #[must_use]
    pub fn evaluator(&self, player: Side) -> Option<Arc<dyn Evaluator>> {
        Arc::clone(self.policy(player)).evaluator()
    }

    /// The names of both.
    #[must_use]
    pub fn names(&self) -> [&str; 2] {
        [self.first.name(), self.second.name()]
    }

    /// Whether all plays are drawn evenly, so that nothing is listed.
    #[must_use]
    pub fn are_uniform(&self) -> bool {
        let is_uniform = |policy: &Arc<dyn Policy>| {
            let policy: &dyn Any = &**policy;
            // By type, not by name: the kernel draws as this type does.
            policy.is::<Uniform>()
        };
        is_uniform(&self.first) && is_uniform(&self.second)
    }

    /// The fewer of both policies' [first games](Policy::first_games), at least 1.
    #[must_use]
    pub fn first_games(&self) -> u64 {
        self.first.first_games().min(self.second.first_games()).max(1)
    }

    /// The positions in which both play perfectly, if they know the same ones.
    #[must_use]
    pub fn known_values(&self) -> Option<&Arc<dyn KnownValues>> {
        let [first, second] = [self.first.known_values()?, self.second.known_values()?];
        // The name of known values has all that decides them.
        (first.name() == second.name()).then_some(first)
    }

    /// A 64-bit number over the ends of the games of [`signature`](crate::playout::signature()), played by these
    /// players. For uniform players both numbers are the same.
    #[must_use]
    pub fn signature(&self, tier: Tier) -> u64 {
        signature_of(|playouts, games, ends| {
            let played = self.run_observed(playouts, tier, games, Observer::collecting(ends), NO_STOP);
            played.expect("policies stop only when told to");
        })
    }

    /// Plays games by number. Results do not depend on the tier: uniform play on both sides runs in the kernel of
    /// [`Playouts::run`]; for other policies only the picking runs on the tier.
    ///
    /// # Errors
    /// [`Stopped`] if `stop`, which is asked after each ply and by policies that take long, says so before the end.
    ///
    /// # Panics
    /// If this CPU lacks the tier, or a policy picks an index that is not one of the plays.
    pub fn run(
        &self,
        playouts: &Playouts,
        tier: Tier,
        games: Range<u64>,
        stop: &dyn Fn() -> bool,
    ) -> Result<Results, Stopped> {
        self.run_observed(playouts, tier, games, Observer::default(), stop)
    }

    /// Plays a part of the trials of many positions, as [`ManyPlayouts::run_part`] does for uniform players: a tally
    /// for each row of the part, without the plays.
    ///
    /// # Errors
    /// As [`PolicyPair::run`].
    ///
    /// # Panics
    /// As [`PolicyPair::run`] and [`ManyPlayouts::run_part`].
    pub fn run_part(
        &self,
        many: &ManyPlayouts,
        tier: Tier,
        games: Range<u64>,
        trials: Range<u64>,
        stop: &dyn Fn() -> bool,
    ) -> Result<Vec<Tally>, Stopped> {
        if self.are_uniform() {
            return many.run_part(tier, games, trials, stop);
        }
        let parts = many.parts(games, trials);
        let tallies = parts.map(|(row, games)| match row {
            Row::Over(outcome) => Ok(Tally::certain(*outcome, games.end - games.start)),
            Row::Played(playouts) => {
                let results = self.run(playouts, tier, games, stop)?;
                Ok(Tally {
                    // As for uniform players, whose plays are counted for all rows together.
                    plays: 0,
                    ..results.tally
                })
            }
        });
        tallies.collect()
    }

    /// [`PolicyPair::run`] with an observer: games that reach a known value are cut off there.
    ///
    /// # Errors
    /// As [`PolicyPair::run`], and [`Stopped`] if the observer stops the games. The ends then mean nothing.
    ///
    /// # Panics
    /// As [`PolicyPair::run`] and, with ends, [`Playouts::run_with_ends`].
    pub fn run_observed(
        &self,
        playouts: &Playouts,
        tier: Tier,
        games: Range<u64>,
        mut observer: Observer<'_>,
        stop: &dyn Fn() -> bool,
    ) -> Result<Results, Stopped> {
        if self.are_uniform() && !observer.looks_on() {
            return match observer.ends {
                Some(ends) => playouts.run_with_ends(tier, games, ends, stop),
                None => playouts.run(tier, games, stop),
            };
        }
        // Games end in any order, and are sorted behind the ends that the caller had before.
        let before = observer.ends.as_ref().map_or(0, |ends| ends.len());
        let games = Games::new(playouts, games, GAMES_SIDE_BY_SIDE).with_tier(tier);
        let results = self.play(games, &mut observer, stop)?;
        if let Some(ends) = observer.ends {
            ends[before..].sort_unstable_by_key(|end| end.game);
        }
        Ok(results)
    }

    /// Plays games, a ply of each at a time.
    fn play(&self, mut games: Games, observer: &mut Observer<'_>, stop: &dyn Fn() -> bool) -> Result<Results, Stopped> {
        let alike = Arc::ptr_eq(&self.first, &self.second);
        // One policy on both sides gets the decisions of all games in one call.
        let turns: &[_] = if alike {
            &[(None, &self.first)]
        } else {
            &[(Some(Side::OnRoll), &self.first), (Some(Side::Opponent), &self.second)]
        };
        let mut results = Results::default();
        let mut stopwatch = PolicyStopwatch::new(observer.times.take());
        // For its rules and its tier.
        let mut decisions = games.plays().clone();
        let (mut indices, mut picks) = (Vec::new(), Vec::new());
        while !games.is_empty() && !stop() {
            // Turns are told by plies, which `end_ply` adds: after its play, a game is still the same player's.
            for &(player, policy) in turns {
                decisions.clear();
                indices.clear();
                games.push_decisions(player, &mut decisions, &mut indices);
                // Where few games are left, all may be the other player's turn.
                if indices.is_empty() {
                    continue;
                }
                if let Some(before_ply) = &mut observer.before_ply {
                    let numbers_and_plies: Vec<(u64, u32)> = games.numbers().zip(games.plies()).collect();
                    let games_of_decisions: Vec<_> = indices.iter().map(|&index| numbers_and_plies[index]).collect();
                    before_ply(&decisions, &games_of_decisions)?;
                }
                stopwatch.end(PolicyStage::Throw);
                decisions.list(policy.view());
                stopwatch.end(PolicyStage::List);
                picks.clear();
                picks.resize(decisions.len(), 0);
                policy.pick(&decisions, &mut picks, stop)?;
                stopwatch.end(PolicyStage::Pick);
                let made = decisions.make(&picks);
                made.unwrap_or_else(|error| panic!("policy {}: {error}", policy.name()));
                for (decision, &index) in indices.iter().enumerate() {
                    let plays = decisions.plays_of(decision);
                    games.place_result(index, decisions.made()[decision], plays);
                }
                stopwatch.end(PolicyStage::Make);
            }
            for finished in games.end_ply(observer.known_values) {
                if finished.end.outcome.is_none() {
                    results.occupancy.add(&finished.end.board);
                }
                if let Some(ends) = &mut observer.ends {
                    ends.push(finished.end);
                }
            }
            stopwatch.end(PolicyStage::Make);
        }
        results.tally = *games.tally();
        match games.is_empty() {
            true => Ok(results),
            false => Err(Stopped),
        }
    }
}
