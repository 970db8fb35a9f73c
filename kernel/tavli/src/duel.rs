//! Two players against each other, on the same dice from both sides.
//!
//! The games of a [`Duel`] come in pairs. Both games of a pair have the same dice, and the sides are exchanged: in the
//! first the one player is on roll first, in the second the other. What luck there is in the dice alone so falls to both,
//! and the mean of a pair varies less than that of two games. Pairs are independent of one another, so the standard error
//! is that of their means.

use core::convert::Infallible;
use core::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use tavli_backgammon::policies::{Players, Policy};
use tavli_backgammon::{Estimate, FirstRoll, Outcome, Playouts, Record, RuleSet, Tier};
use tavli_run::{Cancel, Limit, Progress, Scheduler, Workers};

/// Pairs for each worker that are handed out while the rate is unknown: a player who looks ahead takes a second for one.
const FEW: u64 = 36;

/// Pairs of games of two players.
///
/// ```
/// use tavli::duel::Duel;
/// use tavli::named;
/// use tavli::run::{Cpus, Pinning, Placement, Workers};
/// use tavli::{RuleSet, Tier};
///
/// let workers = Workers::start(&Placement::new(&Cpus::allowed(), Pinning::CORES, None)?)?;
/// let players = [named::policy("pubeval")?, named::policy("uniform")?];
/// let duel = Duel::new(players, RuleSet::Backgammon, 1, 50);
/// let report = duel.play(Tier::best(), &workers, |_| ());
/// assert_eq!(report.score.games(), 100);
/// let points = report.score.points_per_game();
/// assert!(points.mean - 2.0 * points.standard_error > 1.0, "uniform play loses mostly gammons");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Duel {
    /// The players with the one, and with the other, on roll first.
    seats: [Players; 2],
    playouts: Playouts,
    pairs: u64,
    cancel: Cancel,
}

/// What pairs of games came to, for the first of two players: exact integers that add up in any order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Score {
    /// Pairs of games.
    pub pairs: u64,
    /// Games by [`Outcome`].
    pub outcomes: [u64; Outcome::COUNT],
    /// The sum over the pairs of the square of the points of both games together.
    pub squares: u64,
}

/// The result of a duel.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct DuelReport {
    /// The pairs from number 0 on that were played.
    pub score: Score,
    /// Wall-clock time.
    pub elapsed: Duration,
    /// Whether it was cancelled before its end.
    pub cancelled: bool,
}

impl Duel {
    /// As many pairs of games from the start of a game, with the dice of this seed. The first roll is no double. The games
    /// of pair `n` are the playouts of number `n`.
    #[must_use]
    pub fn new(players: [Arc<dyn Policy>; 2], rules: RuleSet, seed: u64, pairs: u64) -> Duel {
        let [first, second] = players;
        let players = Players::new(first, second);
        let playouts = Playouts::new(rules.start(), rules, seed);
        Duel {
            seats: [players.clone(), players.swapped()],
            playouts: playouts
                .expect("a game begins at its start")
                .with_first_roll(FirstRoll::Open),
            pairs,
            cancel: Cancel::new(),
        }
    }

    /// The same duel, ended by this switch.
    #[must_use]
    pub fn cancelled_by(self, cancel: &Cancel) -> Duel {
        Duel {
            cancel: cancel.clone(),
            ..self
        }
    }

    /// The names of both players.
    #[must_use]
    pub fn names(&self) -> [&str; 2] {
        self.seats[0].names()
    }

    /// How the games are played.
    #[must_use]
    pub fn playouts(&self) -> &Playouts {
        &self.playouts
    }

    /// Plays the games, and calls `progress` about ten times a second. A duel that is cancelled has the pairs before
    /// the first unfinished one.
    ///
    /// # Panics
    /// If this CPU lacks the tier, or a policy picks an index that is not one of the plays. If one of these workers calls
    /// this.
    #[must_use]
    pub fn play(&self, tier: Tier, workers: &Workers, mut progress: impl FnMut(&Progress)) -> DuelReport {
        let Duel {
            seats,
            playouts,
            pairs,
            cancel,
        } = self.clone();
        let scheduler = Scheduler::new(workers, 0, Limit::Games(pairs), &self.cancel)
            .with_weight(2)
            .with_few(2 * FEW);
        let mut score = Score::default();
        let work = move |pairs: Range<u64>| {
            let stop = || cancel.is_cancelled();
            let mut records = [Vec::new(), Vec::new()];
            for (players, records) in seats.iter().zip(&mut records) {
                let pairs = pairs.clone();
                players.run_recorded_unless(&playouts, tier, pairs, records, &stop)?;
            }
            let mut score = Score::default();
            let [first, second] = &records;
            for (first, second) in first.iter().zip(second) {
                score.add([first, second].map(outcome));
            }
            Some(score)
        };
        let Ok(spent) = scheduler.each(
            work,
            |part| {
                score.merge(&part);
                Ok::<(), Infallible>(())
            },
            &mut |of_pairs| {
                progress(&Progress {
                    games: 2 * of_pairs.games,
                    limit: Limit::Games(2 * pairs),
                    ..*of_pairs
                });
            },
        );
        DuelReport {
            score,
            elapsed: spent.elapsed,
            cancelled: score.pairs < pairs,
        }
    }
}

/// How a game ended for the player who was on roll first.
fn outcome(record: &Record) -> Outcome {
    record.outcome.expect("games are played to their end")
}

impl Score {
    /// Adds a pair: how the game ended that the player began, and the one that he did not, each for who began it.
    fn add(&mut self, [began, other]: [Outcome; 2]) {
        let own = [began, other.reversed()];
        let points: i32 = own.iter().map(|outcome| outcome.points()).sum();
        self.pairs += 1;
        self.squares += u64::from(points.unsigned_abs().pow(2));
        for outcome in own {
            self.outcomes[outcome as usize] += 1;
        }
    }

    /// Adds other pairs.
    pub fn merge(&mut self, other: &Score) {
        self.pairs += other.pairs;
        self.squares += other.squares;
        for (count, more) in self.outcomes.iter_mut().zip(other.outcomes) {
            *count += more;
        }
    }

    /// Games: two of a pair.
    #[must_use]
    pub fn games(&self) -> u64 {
        2 * self.pairs
    }

    /// Mean points of a game, -3..=3, with the standard error of the means of pairs. NaN without games.
    #[must_use]
    pub fn points_per_game(&self) -> Estimate {
        let outcomes = Outcome::ALL.iter().zip(self.outcomes);
        let points: i128 = outcomes
            .map(|(outcome, count)| i128::from(outcome.points()) * i128::from(count))
            .sum();
        Estimate::of_sums(self.pairs, points as f64 / 2.0, self.squares as f64 / 4.0)
    }

    /// Games won by at least this many points, 1 to 3: all, gammons with backgammons, and backgammons.
    #[must_use]
    pub fn won_by(&self, points: i32) -> u64 {
        self.sum_of(|outcome| outcome.points() >= points)
    }

    /// Games lost by at least this many points.
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
