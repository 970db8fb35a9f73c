//! Two players against each other, on the same dice from both sides.
//!
//! The games of a [`Duel`] come in pairs. Both games of a pair have the same dice, with the sides exchanged: the first
//! player is on roll first in one game, the second player in the other. Both players get the same dice luck, so the
//! mean of a pair varies less than the mean of two independent games. Pairs are independent of each other, so the
//! standard error is computed from their means.
//!
//! A [`CubeDuel`] plays money games or matches with the cube.
//!
//! A [`GameDuel`] plays two agents against each other at any game.
#![deny(missing_docs)]

mod cube_duel;
mod game_actions;
mod game_duel;
mod pairs;

pub use cube_duel::{CubeDuel, CubeDuelError, CubeDuelReport, CubeScore, Prize};
pub use game_actions::GameActions;
pub use game_duel::{DuelGame, DuelGameRecord, GameDuel, GameScore, PairOfGames};

use core::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use pairs::Pairs;
use tavli_backgammon::policies::{Observer, Policy, PolicyPair};
use tavli_backgammon::{FirstRoll, GameEnd, Outcome, Playouts, RuleSet, Tier};
use tavli_game::PairScore;
use tavli_run::{Cancel, Progress, Workers};

use game_actions::play_with_actions;

/// The most pairs that each worker gets while the rate is unknown.
const MAX_FIRST_PAIRS_A_WORKER: u64 = 36;

/// Pairs of games of two players.
///
/// ```
/// use tavli_backgammon::{RuleSet, Tier};
/// use tavli_duel::Duel;
/// use tavli_players::named;
/// use tavli_run::{Cpus, Pinning, Placement, Workers};
///
/// let workers = Workers::start(&Placement::new(&Cpus::allowed(), Pinning::CORES, None)?)?;
/// let players = [named::policy("pubeval")?, named::policy("uniform")?];
/// let duel = Duel::new(players, RuleSet::Backgammon, 1, 50);
/// let report = duel.play(Tier::best(), &workers, |_| ());
/// assert_eq!(report.score.points.games(), 100);
/// let points = report.score.points.per_game();
/// assert!(points.mean - 2.0 * points.standard_error > 1.0, "uniform play loses mostly gammons");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Duel {
    /// The players of the first game of a pair, and of the second; in each the first is on roll first.
    openers: [PolicyPair; 2],
    playouts: Playouts,
    pairs: u64,
    cancel: Cancel,
}

/// The results of pairs of games for the first player, as exact integers that add up in any order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Score {
    /// Points, -3..=3 a game.
    pub points: PairScore,
    /// Games by [`Outcome`].
    pub outcomes: [u64; Outcome::COUNT],
}

/// The result of a duel.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct DuelReport {
    /// The results of the pairs that were played, from number 0 on.
    pub score: Score,
    /// Wall-clock time.
    pub elapsed: Duration,
    /// Whether the duel was cancelled before its end.
    pub cancelled: bool,
}

impl Duel {
    /// A duel of `pairs` pairs of games from the start position, with the dice of `seed`. The first roll is not a
    /// double. The games of pair `n` are the playouts of number `n`.
    #[must_use]
    pub fn new(players: [Arc<dyn Policy>; 2], rules: RuleSet, seed: u64, pairs: u64) -> Duel {
        let [first, second] = players;
        let players = PolicyPair::new(first, second);
        let playouts = Playouts::new(rules.start(), rules, seed);
        Duel {
            openers: [players.clone(), players.swapped()],
            playouts: playouts.expect("a game begins at its start").with_first_roll(FirstRoll::Open),
            pairs,
            cancel: Cancel::new(),
        }
    }

    /// Lets this switch end the duel.
    #[must_use]
    pub fn cancelled_by(self, cancel: &Cancel) -> Duel {
        Duel { cancel: cancel.clone(), ..self }
    }

    /// The names of both players.
    #[must_use]
    pub fn names(&self) -> [&str; 2] {
        self.openers[0].names()
    }

    /// How the games are played.
    #[must_use]
    pub fn playouts(&self) -> &Playouts {
        &self.playouts
    }

    /// Plays the games, and calls `progress` about ten times a second. The report of a cancelled duel has the pairs
    /// before the first unfinished one.
    ///
    /// # Panics
    /// If this CPU lacks the tier, if a policy picks an index that no play has, or if called from one of `workers`.
    #[must_use]
    pub fn play(&self, tier: Tier, workers: &Workers, progress: impl FnMut(&Progress)) -> DuelReport {
        self.play_recorded(tier, workers, 0, |_| (), progress)
    }

    /// [`Duel::play`] that also passes the games of the first `recorded` pairs to `take`, in order, but only games that
    /// the report counts. The game that the first player begins comes first in each pair.
    ///
    /// # Panics
    /// As [`Duel::play`].
    #[must_use]
    pub fn play_recorded(
        &self,
        tier: Tier,
        workers: &Workers,
        recorded: u64,
        mut take: impl FnMut(GameActions),
        progress: impl FnMut(&Progress),
    ) -> DuelReport {
        let Duel { openers, playouts, pairs, cancel } = self.clone();
        let mut score = Score::default();
        let work = move |pairs: Range<u64>| {
            let stop = || cancel.is_cancelled();
            let first_unseen = pairs.end.min(recorded).max(pairs.start);
            let mut records = [Vec::new(), Vec::new()];
            let mut games = Vec::new();
            for (begins, (players, records)) in openers.iter().zip(&mut records).enumerate() {
                let seen = pairs.start..first_unseen;
                let actions = play_with_actions(players, &playouts, tier, seen, records, begins, &stop);
                games.push(actions.ok()?);
                // Nothing looks at these games ply by ply, so uniform players play them as a batch.
                let (unseen, recording) = (first_unseen..pairs.end, Observer::collecting(records));
                players.run_observed(&playouts, tier, unseen, recording, &stop).ok()?;
            }
            let mut score = Score::default();
            let [first, second] = &records;
            // Records come in the order of the games, so both are of one pair.
            for (first, second) in first.iter().zip(second) {
                score.add([first, second].map(outcome));
            }
            Some((score, games))
        };
        let first_games = self.openers[0].first_games().min(2 * MAX_FIRST_PAIRS_A_WORKER);
        let all = Pairs { numbers: 0..pairs, first_games, cancel: &self.cancel };
        let merge = |(part, games): (Score, Vec<Vec<GameActions>>)| {
            score.merge(&part);
            let mut games: Vec<_> = games.into_iter().map(Vec::into_iter).collect();
            while let Some(first) = games[0].next() {
                take(first);
                games[1].next().into_iter().for_each(&mut take);
            }
        };
        let stats = all.play(workers, work, merge, progress);
        DuelReport { score, elapsed: stats.elapsed, cancelled: score.points.pairs < pairs }
    }
}

/// The outcome of a game for the player who was on roll first.
fn outcome(record: &GameEnd) -> Outcome {
    record.outcome.expect("games are played to their end")
}

impl Score {
    /// Adds a pair: the game that the first player began, and the game that the other player began. Each outcome is for
    /// the player who began the game.
    fn add(&mut self, [began, other]: [Outcome; 2]) {
        let own = [began, other.reversed()];
        let points: i32 = own.iter().map(|outcome| outcome.points()).sum();
        self.points.add(points.into());
        for outcome in own {
            self.outcomes[outcome as usize] += 1;
        }
    }

    /// Adds the results of other pairs.
    pub fn merge(&mut self, other: &Score) {
        self.points.merge(&other.points);
        for (count, more) in self.outcomes.iter_mut().zip(other.outcomes) {
            *count += more;
        }
    }

    /// The number of games won by at least `points` points: 1 for all, 2 for gammons and backgammons, 3 for
    /// backgammons.
    #[must_use]
    pub fn won_by(&self, points: i32) -> u64 {
        self.sum_of(|outcome| outcome.points() >= points)
    }

    /// The number of games lost by at least `points` points.
    #[must_use]
    pub fn lost_by(&self, points: i32) -> u64 {
        self.sum_of(|outcome| outcome.points() <= -points)
    }

    fn sum_of(&self, is_counted: impl Fn(&Outcome) -> bool) -> u64 {
        let outcomes = Outcome::ALL.iter().zip(self.outcomes);
        let counted = outcomes.filter(|(outcome, _)| is_counted(outcome));
        counted.map(|(_, count)| count).sum()
    }
}
